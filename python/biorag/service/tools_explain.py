"""The tool that says why: explicar = explain."""

from __future__ import annotations

from typing import Annotated

from biorag.service.arguments import About, CommaWords
from biorag.service.presenters_explanation import present_explanation
from biorag.service.registry import Context, Effect, tool
from biorag.service.replies import ExplanationReply

Query = Annotated[str, About("The question, as it was asked.")]
KnownName = Annotated[str, About("Name of the memory to explain, on the page or not.")]
KeyNouns = Annotated[CommaWords, About("Key nouns of the question, if it was asked with any.")]
Deep = Annotated[bool, About("As a deep search sees it.")]


@tool("explicar", effect=Effect.READS, essential=False)
def explain(
    context: Context,
    query: Query,
    concepto: KnownName,
    sustantivos_clave: KeyNouns = (),
    deep: Deep = False,
) -> ExplanationReply:
    """Tell why a memory is where it is among the answers to a question, or why it is not there.

    Unfolds every signal with its weight and what it added, the words found and missing, the
    alternatives searched, and the same of the best answer.
    Example: explicar(query="when do we back up?", concepto="backup_policy")
    """
    found = context.memory.explain(query, concepto, key_nouns=sustantivos_clave, deep=deep)
    return present_explanation(concepto, found, now=context.clock.now())
