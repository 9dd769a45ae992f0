"""From what a caller wants learnt to what the store takes: checked, analysed, not yet written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from biorag import inputs
from biorag.clock import Clock
from biorag.engine.hub_intake import check_angles
from biorag.engine.roles import check_predicates
from biorag.errors import InvalidInputError
from biorag.kernels.index import AnalysedDocuments, analyse_documents
from biorag.lexicon.wordnet import load_lexicon
from biorag.model import Bridge, Moment, NewMemory, StoredMemory
from biorag.model_predicates import Predicate
from biorag.storage.dimensions import Dimensions, normalised_dimensions
from biorag.storage.nodes import NodeDraft, moment
from biorag.storage.search_text import NodeText

DEFAULT_CATEGORY = "General"

# What a text is read in that shows neither language, such as a list of names. Always the same one:
# the majority in the store would depend on the order and the process in which texts are learnt.
UNDECIDED_LANGUAGE = "en"
MOST_SYNONYMS = 100
MOST_LINKS = 100
MOST_KEY_NOUNS = 10


@dataclass(frozen=True, slots=True)
class Checked:
    """A memory whose every field keeps the input contract."""

    name: str
    key: str
    content: str
    category: str
    synonyms: tuple[str, ...]
    key_nouns: tuple[str, ...]
    dimensions: Dimensions
    invalid_dimensions: tuple[str, ...]
    created_at: float
    author: str | None
    valence: float
    link_keys: tuple[tuple[str, str], ...]
    valid_from: float | None
    valid_to: float | None
    bridges: tuple[Bridge, ...]
    predicates: tuple[Predicate, ...]

    @property
    def texts(self) -> tuple[str, str, str, str, str]:
        """The five fields as the analysis takes them: a value a line."""
        return (
            self.name,
            "\n".join(self.synonyms),
            "\n".join(self.key_nouns),
            "\n".join(bridge.text for bridge in self.bridges),
            self.content,
        )


def check(memory: NewMemory, clock: Clock) -> Checked:
    """Holds a memory to the input contract.

    Raises:
        InvalidInputError: a field breaks it; the error names the field, the value and the rule.
    """
    name = inputs.normalise_name(memory.name)
    dimensions, invalid = normalised_dimensions(memory.dimensions or {})
    valid_from, valid_to = check_validity(memory.valid_from, memory.valid_to)
    links = check_names("link_to", memory.link_to, MOST_LINKS)
    return Checked(
        name=name,
        key=inputs.name_key(name),
        content=inputs.check_content(memory.content),
        category=check_label("category", memory.category) or DEFAULT_CATEGORY,
        synonyms=check_names("synonyms", memory.synonyms, MOST_SYNONYMS),
        key_nouns=check_key_nouns(memory.key_nouns),
        dimensions=dimensions,
        invalid_dimensions=invalid,
        created_at=clock.now()
        if memory.created_at is None
        else inputs.moment_to_epoch(memory.created_at),
        author=check_label("author", memory.author),
        valence=inputs.check_valence(memory.valence),
        link_keys=tuple((link, inputs.name_key(link)) for link in links),
        valid_from=valid_from,
        valid_to=valid_to,
        bridges=check_angles(memory.bridges, name),
        predicates=check_predicates(memory.predicates),
    )


def check_all(memories: Iterable[NewMemory], clock: Clock, first: int) -> list[Checked]:
    """Checks a batch; an error says which memory of the whole it is, counted from 0 at `first`."""
    checked = []
    for position, memory in enumerate(memories, first):
        try:
            checked.append(check(memory, clock))
        except InvalidInputError as error:
            error.add_note(f"in memory {position} of the batch; nothing of its batch was stored")
            raise
    return checked


def check_label(field: str, label: str | None) -> str | None:
    """A short text on one line, such as a category, or nothing.

    Raises:
        InvalidInputError: it breaks the rules of a name.
    """
    return None if label is None else inputs.normalise_name(label, field=field)


def check_key_nouns(nouns: Sequence[str], *, fewest: int = 0) -> tuple[str, ...]:
    """Key nouns in the form in which they are stored.

    Raises:
        KeyNounsError: too many, too few, or not words.
    """
    return inputs.parse_key_nouns(
        nouns,
        minimum=fewest,
        maximum=MOST_KEY_NOUNS,
        missing_code="SUSTANTIVOS_CLAVE_AUSENTES",
        field="key_nouns",
    )


def check_validity(
    valid_from: Moment | None, valid_to: Moment | None
) -> tuple[float | None, float | None]:
    """From when to when a memory holds, in epoch seconds.

    Raises:
        InvalidInputError: one of them is no time, or it ends before it begins.
    """
    begin = None if valid_from is None else inputs.moment_to_epoch(valid_from, "valid_from")
    end = None if valid_to is None else inputs.moment_to_epoch(valid_to, "valid_to")
    check_span(begin, end)
    return begin, end


def check_span(begin: float | None, end: float | None, held: StoredMemory | None = None) -> None:
    """Holds a validity to ending after it begins; a bound that is not given is the held one.

    Raises:
        InvalidInputError: it ends before it begins.
    """
    if held is not None and (begin is not None or end is not None):
        if begin is None and held.valid_from is not None:
            begin = held.valid_from.timestamp()
        if end is None and held.valid_to is not None:
            end = held.valid_to.timestamp()
    if begin is not None and end is not None and end <= begin:
        rule = f"must be later than valid_from, which is {moment(begin).isoformat()}"
        raise InvalidInputError("valid_to", moment(end).isoformat(), rule)


def check_names(field: str, names: Sequence[str], most: int | None) -> tuple[str, ...]:
    """Names without blanks and doublets, in order.

    Raises:
        InvalidInputError: one of them breaks the rules of a name, or there are too many.
    """
    if isinstance(names, str):
        raise InvalidInputError(field, names, "must be a sequence of texts, not one text")
    kept: dict[str, str] = {}
    for name in names:
        clean = inputs.normalise_name(name, field=field)
        kept.setdefault(inputs.name_key(clean), clean)
    if most is not None and len(kept) > most:
        raise InvalidInputError(field, len(kept), f"holds at most {most} values")
    return tuple(kept.values())


def analyse(checked: Sequence[Checked]) -> AnalysedDocuments:
    """Analyses the texts of new memories, each in the language that it shows."""
    return analyse_documents(
        [memory.texts for memory in checked],
        [None] * len(checked),
        UNDECIDED_LANGUAGE,
        load_lexicon(),
    )


def drafts(checked: Sequence[Checked], analysed: AnalysedDocuments) -> list[NodeDraft]:
    """What the store takes, one a memory."""
    return [
        NodeDraft(
            name=memory.name,
            key=memory.key,
            content=memory.content,
            category=memory.category,
            language=language,
            synonyms=memory.synonyms,
            key_nouns=memory.key_nouns,
            dimensions=memory.dimensions,
            author=memory.author,
            valence=memory.valence,
            valid_from=memory.valid_from,
            valid_to=memory.valid_to,
            created_at=memory.created_at,
            text=NodeText(*texts),
        )
        for memory, language, texts in zip(checked, analysed.languages, analysed.texts, strict=True)
    ]
