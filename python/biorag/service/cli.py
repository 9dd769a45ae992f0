"""The command line. Its Spanish verbs are the public contract: buscar = search, guardar = store.

Exit codes: 0 fine, 1 not found or failed, 2 wrong usage. Reading key nouns is optional in
`buscar`, where a person types; `guardar` needs them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from biorag import __version__
from biorag.clock import SystemClock
from biorag.inputs import QUESTIONS
from biorag.service import cli_evaluation, terminal
from biorag.service.container import configure_logging, open_memory, read_settings
from biorag.service.contract import (
    key_nouns_to_add,
    key_nouns_to_search,
    key_nouns_to_write,
)
from biorag.service.dates import end_of
from biorag.service.presenters import (
    present_learned,
    present_listing,
    present_memory,
    present_page,
    present_state,
)
from biorag.service.presenters_abstention import abstention_message, present_calibration
from biorag.service.serve import serve as serve_mcp
from biorag.service.tools_recall import MOST_RESULTS, since_of

if TYPE_CHECKING:
    # Help must not wait for the engine, which imports numpy.
    from biorag.engine.memory import Memory

ALL_RESULTS = 100
RELATED = 3
NO_KEY_NOUNS_GUIDE = """\
a memory needs 2 to 10 key nouns under which it will be looked for. For example:
  biorag guardar backup_policy "Back up before migrating." --sustantivos "backup, migration"
"""


class Order(StrEnum):
    """Order of the results (antiguedad = oldest first)."""

    relevancia = "relevancia"
    recencia = "recencia"
    antiguedad = "antiguedad"


class Mode(StrEnum):
    """strict: every content word must be there; relaxed: the best match wins."""

    strict = "strict"
    relaxed = "relaxed"


_ORDER_BY: Final[Mapping[Order, Literal["relevance", "newest", "oldest"]]] = {
    Order.relevancia: "relevance",
    Order.recencia: "newest",
    Order.antiguedad: "oldest",
}

Db = Annotated[Path | None, typer.Option("--db", help="The store's file; wins over BIORAG_PATH.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
PageNumber = Annotated[int, typer.Option("--pagina", min=1, help="Page to show.")]
Category = Annotated[str | None, typer.Option("--cat", help="Category.")]
KeyNouns = Annotated[
    str | None,
    typer.Option("--sustantivos", "--sustantivos-clave", help="Key nouns, comma-separated."),
]
Name = Annotated[str, typer.Argument(help="Name of the memory.")]

app = typer.Typer(
    name="biorag",
    help="The memory that an AI agent keeps between conversations.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run() -> int:
    """Run the verb on the command line; the entry point of the program.

    Returns:
        The exit code.
    """
    terminal.speak_utf8()
    configure_logging()
    try:
        app(prog_name="biorag")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else terminal.FAILED
    return 0


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """The memory that an AI agent keeps between conversations."""
    if show:
        typer.echo(f"biorag {__version__}")
        raise typer.Exit


@app.command("buscar")
def search(
    texto: Annotated[list[str], typer.Argument(help="What to look for.")],
    sustantivos: KeyNouns = None,
    limite: Annotated[
        int | None, typer.Option("--limite", "-n", min=1, max=MOST_RESULTS, help="Results a page.")
    ] = None,
    todos: Annotated[bool, typer.Option("--todos", help=f"{ALL_RESULTS} results.")] = False,
    pagina: PageNumber = 1,
    cat: Category = None,
    autor: Annotated[str | None, typer.Option(help="Only memories by this author.")] = None,
    dias: Annotated[int | None, typer.Option(min=1, help="Only the last N days.")] = None,
    desde: Annotated[str | None, typer.Option(help="From this day on: YYYY-MM-DD, ayer.")] = None,
    hasta: Annotated[str | None, typer.Option(help="Up to this day, included.")] = None,
    a_fecha: Annotated[
        str | None, typer.Option("--a-fecha", help="What was known and held on this day.")
    ] = None,
    orden: Annotated[Order, typer.Option(help="Order of the results.")] = Order.relevancia,
    modo: Annotated[Mode, typer.Option(help="How many words must match.")] = Mode.relaxed,
    deep: Annotated[bool, typer.Option("--deep", help="Dormant memories, too.")] = False,
    completo: Annotated[bool, typer.Option("--completo", help="Show texts whole.")] = False,
    explicar: Annotated[bool, typer.Option("--explicar", help="Show what each signal adds.")] = (
        False
    ),
    as_json: AsJson = False,
    db: Db = None,
) -> None:
    """Search the memory. Exits with 1 when nothing stored answers the question."""
    now = SystemClock().now()
    with terminal.failures(as_json), _memory(db) as memory:
        page = memory.recall(
            " ".join(texto),
            limit=ALL_RESULTS if todos else limite,
            page=pagina,
            key_nouns=() if sustantivos is None else key_nouns_to_search(sustantivos),
            explain=explicar,
            category=cat,
            author=autor,
            since=since_of(desde, dias, now),
            until=end_of("hasta", hasta, now=now) if hasta else None,
            as_of=end_of("a_fecha", a_fecha, now=now) if a_fecha else None,
            deep=deep,
            strict=modo is Mode.strict,
            order_by=_ORDER_BY[orden],
        )
    if as_json:
        terminal.print_json(present_page(page, now=now, explain=explicar))
    else:
        if page.abstained:
            terminal.print_error(abstention_message(page))
        if page.hits:
            terminal.print_page(page, whole=completo, explain=explicar)
    if page.abstained or not page.hits:
        raise typer.Exit(terminal.FAILED)


@app.command("guardar")
def store(
    concepto: Name,
    contenido: Annotated[list[str], typer.Argument(help="The text to keep.")],
    sustantivos: KeyNouns = None,
    syn: Annotated[str, typer.Option("--syn", help="Synonyms, comma-separated.")] = "",
    cat: Category = None,
    autor: Annotated[str | None, typer.Option(help="Who says so.")] = None,
    vincular: Annotated[
        list[str] | None, typer.Option("--vincular", help="Existing memory to link to; repeatable.")
    ] = None,
    as_json: AsJson = False,
    db: Db = None,
) -> None:
    """Store a memory under a name, with 2 to 10 key nouns."""
    if sustantivos is None and not as_json:
        terminal.print_error(NO_KEY_NOUNS_GUIDE.rstrip())
        raise typer.Exit(terminal.FAILED)
    with terminal.failures(as_json):
        nouns = key_nouns_to_write(sustantivos or "")
        with _memory(db) as memory:
            learned = memory.learn(
                concepto,
                " ".join(contenido),
                key_nouns=nouns,
                synonyms=_separated(syn),
                category=cat,
                author=autor,
                link_to=tuple(vincular or ()),
            )
            near = memory.recall(" ".join(nouns), limit=RELATED + 1, key_nouns=nouns)
    if as_json:
        terminal.print_json(present_learned(learned))
    else:
        others = [hit for hit in near if hit.id != learned.id]
        terminal.print_learned(learned, tuple(others[:RELATED]))


@app.command("listar")
def list_memories(
    pagina: PageNumber = 1,
    limite: Annotated[
        int, typer.Option("--limite", "-n", min=1, max=MOST_RESULTS, help="Memories a page.")
    ] = 10,
    cat: Category = None,
    as_json: AsJson = False,
    db: Db = None,
) -> None:
    """List memories, the newest first."""
    with terminal.failures(as_json), _memory(db) as memory:
        listing = memory.list(page=pagina, limit=limite, category=cat)
    if as_json:
        terminal.print_json(present_listing(listing, now=SystemClock().now()))
    else:
        terminal.print_listing(listing)


@app.command("estado")
def state(as_json: AsJson = False, db: Db = None) -> None:
    """Show what the store holds."""
    with terminal.failures(as_json), _memory(db) as memory:
        reply = present_state(memory.state())
    if as_json:
        terminal.print_json(reply)
    else:
        terminal.print_state(reply)


@app.command("sustantivos")
def key_nouns(concepto: Name, as_json: AsJson = False, db: Db = None) -> None:
    """Show the key nouns of a memory."""
    with terminal.failures(as_json), _memory(db) as memory:
        found = memory.get(concepto)
    if as_json:
        terminal.print_json(present_memory(found, now=SystemClock().now()))
    else:
        terminal.print_key_nouns(found)


@app.command("agregar_sustantivos")
def add_key_nouns(
    concepto: Name,
    sustantivos: Annotated[str, typer.Argument(help="Key nouns to add, comma-separated.")],
    as_json: AsJson = False,
    db: Db = None,
) -> None:
    """Add key nouns to a memory, so that it is found by them."""
    with terminal.failures(as_json):
        nouns = key_nouns_to_add(sustantivos)
        with _memory(db) as memory:
            found = memory.add_key_nouns(concepto, nouns)
    if as_json:
        terminal.print_json(present_memory(found, now=SystemClock().now()))
    else:
        terminal.print_key_nouns(found)


@app.command("asociar")
def link(
    a: Name,
    b: Annotated[str, typer.Argument(help="Name of the memory at the other end.")],
    as_json: AsJson = False,
    db: Db = None,
) -> None:
    """Link two memories; nothing but the tool desvincular ends such a link."""
    with terminal.failures(as_json), _memory(db) as memory:
        new = memory.link(a, b)
    if as_json:
        terminal.print_json({"status": "ok", "nueva": new})
    else:
        typer.echo("linked" if new else "were linked already")


@app.command("olvidar")
def forget(
    conceptos: Annotated[list[str], typer.Argument(help="Exact names.")],
    purgar: Annotated[
        bool, typer.Option("--purgar", help="Overwrite the text on disk, too.")
    ] = False,
    as_json: AsJson = False,
    db: Db = None,
) -> None:
    """Forget memories everywhere. If one does not exist, nothing is forgotten."""
    with terminal.failures(as_json), _memory(db) as memory:
        count = memory.forget(*conceptos, purge=purgar)
    if as_json:
        terminal.print_json({"olvidados": count, "conceptos": conceptos, "purgado": purgar})
    else:
        typer.echo(f"forgotten: {terminal.shown(', '.join(conceptos))}")


@app.command("reentrenar")
def retrain(as_json: AsJson = False, db: Db = None) -> None:
    """Train word vectors on the store's own texts; recalls go on meanwhile."""
    with terminal.failures(as_json), _memory(db) as memory:
        trained = memory.retrain_vectors()
    if as_json:
        reply = {
            "memorias": trained.memories,
            "terminos": trained.terms,
            "dimensiones": trained.dims,
            "segundos": round(trained.seconds, 3),
        }
        terminal.print_json(reply)
    elif trained.terms:
        size = f"{trained.terms} words in {trained.dims} dimensions"
        typer.echo(f"trained: {size}, on {trained.memories} memories")
    else:
        typer.echo(f"too few texts to train word vectors on: {trained.memories} memories")


@app.command("calibrar")
def calibrate(
    alpha: Annotated[
        float | None,
        typer.Option(help="Share of unanswerable questions that may be answered, .001 to .5."),
    ] = None,
    n_negativos: Annotated[
        int, typer.Option("--n-negativos", help="Questions of each kind made from the store.")
    ] = QUESTIONS,
    forzar: Annotated[
        bool, typer.Option("--forzar", help="Also when the store has hardly changed.")
    ] = False,
    as_json: AsJson = False,
    db: Db = None,
) -> None:
    """Learn from which certainty on buscar answers instead of abstaining."""
    with terminal.failures(as_json), _memory(db) as memory:
        outcome = memory.calibrate(alpha=alpha, questions=n_negativos, force=forzar)
    reply = present_calibration(outcome)
    if as_json:
        terminal.print_json(reply)
    else:
        terminal.print_calibration(reply)


@app.command("doctor")
def doctor(as_json: AsJson = False, db: Db = None) -> None:
    """Check the store, its indexes and a store-recall-forget round trip."""
    with terminal.failures(as_json), _memory(db) as memory:
        checks = memory.check()
    if as_json:
        listed = [
            {"nombre": c.name, "bien": c.ok, "detalle": c.detail, "remedio": c.remedy}
            for c in checks
        ]
        terminal.print_json({"bien": all(c.ok for c in checks), "comprobaciones": listed})
    else:
        terminal.print_checks(checks)
    if not all(check.ok for check in checks):
        raise typer.Exit(terminal.FAILED)


@app.command(
    "serve",
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
)
def serve(arguments: Annotated[list[str] | None, typer.Argument(hidden=True)] = None) -> None:
    """Serve the memory to an MCP client over standard input and output."""
    raise typer.Exit(serve_mcp(arguments or []))


cli_evaluation.add_verbs(app)


@contextmanager
def _memory(db: Path | None) -> Iterator[Memory]:
    settings = read_settings(db)
    with terminal.patience("Opening the memory…"):
        memory = open_memory(settings)
    with memory:
        yield memory


def _separated(text: str) -> tuple[str, ...]:
    return tuple(part for item in text.split(",") if (part := item.strip()))
