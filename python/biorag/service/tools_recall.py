"""Tools that find: recordar = recall, buscar = search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from biorag.errors import InvalidInputError, NodeNotFoundError
from biorag.model import Moment, StoredMemory
from biorag.service.arguments import About, CommaWords
from biorag.service.bounding import bounded
from biorag.service.contract import burst_to_search, dimensions_to_search, key_nouns_to_search
from biorag.service.contract_roles import roles as roles_of
from biorag.service.dates import end_of, start_of
from biorag.service.presenters import (
    MOST_ECHOED,
    SECONDS_A_DAY,
    present_listing,
    present_page,
    present_text_page,
)
from biorag.service.registry import Context, Effect, tool
from biorag.service.replies import RecallReply

Order = Literal["relevancia", "recencia", "antiguedad"]
_ORDER_BY: Final[Mapping[Order, Literal["relevance", "newest", "oldest"]]] = {
    "relevancia": "relevance",
    "recencia": "newest",
    "antiguedad": "oldest",
}

MOST_RESULTS = 200
LAST_PAGE = 1_000_000
PREVIEW_CHARS = 1_500
MOST_NEIGHBOURS = 50
LONGEST_PREVIEW = 200_000

Query = Annotated[
    str,
    About("What to look for, as a question or a few words, in Spanish or English."),
]
OptionalQuery = Annotated[
    str,
    About("What to look for, as a question or a few words. Without it: the newest memories."),
]
KeyNouns = Annotated[
    CommaWords,
    About("1 to 10 key nouns of the question, comma-separated. Needed with query."),
]
Limit = Annotated[
    int | None, About("Results on a page; the server's setting when absent.", 1, MOST_RESULTS)
]
PageNumber = Annotated[int, About("Page to show, from 1.", 1, LAST_PAGE)]
Category = Annotated[str | None, About("Only memories of this category.")]
Days = Annotated[int | None, About("Only memories of the last N days.", 1, 36_500)]
Since = Annotated[str | None, About("Only from this day on: YYYY-MM-DD, hoy, ayer, or ISO time.")]
Until = Annotated[str | None, About("Only up to this day, included: YYYY-MM-DD, hoy, ayer.")]
AsOf = Annotated[
    str | None,
    About("What was known and held at the end of this day, or at this time: YYYY-MM-DD, ayer."),
]
Author = Annotated[str | None, About("Only memories by this author.")]
Preview = Annotated[
    int, About("Characters of each text to show; 0 shows texts whole.", 0, LONGEST_PREVIEW)
]
Whole = Annotated[
    bool,
    About("Texts uncut. With a memory's exact name as query: that memory alone, whole."),
]
Associated = Annotated[bool, About("Show what is linked to each result; it touches no score.")]
MostAssociated = Annotated[
    int, About("Linked memories to show of each result, strongest first; 0 shows all.", 0, 50)
]
Window = Annotated[int, About("Links around the page to follow, for contexto_expandido.", 0, 5)]
Inference = Annotated[bool, About("Let links count that only paths over other links suggest.")]
Roles = Annotated[str, About("Who does what: sujeto:x,accion:y,objeto:z,contexto:w; any of them.")]
OrderBy = Annotated[Order, About("By relevance, newest first, or oldest first.")]
Strict = Annotated[bool, About("Only what holds every content word, and a value of each axis.")]
Deep = Annotated[bool, About("Search dormant memories, too.")]
Dimensions = Annotated[
    Mapping[str, object] | None,
    About('To favour, {"emocion": ["miedo"]}; without query, to list by.'),
]
Burst = Annotated[
    CommaWords,
    About("3 to 15 associated words, searched too, dormant memories included, if little is found."),
]
Forced = Annotated[bool, About("Search rafaga_palabras in any case.")]
Explain = Annotated[bool, About("Add each result's signals and how the page came about.")]


@tool("recordar", effect=Effect.READS)
def recall(
    context: Context,
    query: OptionalQuery = "",
    sustantivos_clave: KeyNouns = (),
    limite: Limit = None,
    pagina: PageNumber = 1,
    cat: Category = None,
    dias: Days = None,
    desde: Since = None,
    hasta: Until = None,
    a_fecha: AsOf = None,
    autor: Author = None,
    preview_chars: Preview = PREVIEW_CHARS,
    completo: Whole = False,
    ordenar_por: OrderBy = "relevancia",
    modo_estricto: Strict = False,
    deep: Deep = False,
    explicar: Explain = False,
    asociados: Associated = True,
    asociaciones_max: MostAssociated = 5,
    context_window: Window = 0,
    usar_inferencia: Inference = True,
    dimensiones: Dimensions = None,
    buscar_por_rol: Roles = "",
    rafaga_palabras: Burst = (),
    forzar_rafaga: Forced = False,
) -> RecallReply:
    """Recall memories that answer a question, best first; without query, the newest ones.

    With abstencion=true nothing stored answers the question: resultados is empty, and relacionados
    has the nearest memories, which are no answer. nivel_certeza tells how sure each result is. To
    read one memory whole, send its exact name as query with completo=true.
    Example: recordar(query="how do we migrate the schema?", sustantivos_clave="schema, migration")
    """
    burst = burst_to_search(rafaga_palabras, forced=forzar_rafaga)
    if completo and query.strip() and (named := _named(context, query)) is not None:
        return present_text_page(
            named,
            pagina,
            now=context.clock.now(),
            budget_bytes=context.settings.reply_bytes,
        )
    now = context.clock.now()
    since = since_of(desde, dias, now)
    until = end_of("hasta", hasta, now=now) if hasta else None
    as_of = end_of("a_fecha", a_fecha, now=now) if a_fecha else None
    preview = 0 if completo else preview_chars
    limit = limite if limite is not None else context.settings.default_limit
    wanted, invalid = dimensions_to_search(dimensiones or {}, strict=modo_estricto)
    roles = roles_of(buscar_por_rol)
    if not query.strip():
        listing = context.memory.list(
            page=pagina,
            limit=limit,
            category=cat or None,
            author=autor or None,
            since=since,
            until=until,
            as_of=as_of,
            oldest_first=ordenar_por == "antiguedad",
            dimensions=wanted,
            strict=modo_estricto,
            roles=roles,
        )
        reply = present_listing(listing, now=now, preview_chars=preview)
        if wanted:
            reply["modo"] = "dimensiones"
        return _finished(context, reply, invalid)
    page = context.memory.recall(
        query,
        limit=limit,
        page=pagina,
        key_nouns=key_nouns_to_search(sustantivos_clave),
        explain=explicar,
        category=cat or None,
        author=autor or None,
        since=since,
        until=until,
        as_of=as_of,
        deep=deep,
        strict=modo_estricto,
        order_by=_ORDER_BY[ordenar_por],
        associations=(asociaciones_max or MOST_NEIGHBOURS) if asociados else 0,
        context_depth=context_window,
        inference=usar_inferencia,
        dimensions=wanted,
        roles=roles,
        burst_words=burst,
        force_burst=forzar_rafaga,
        session=context.session,
    )
    reply = present_page(page, now=now, preview_chars=preview, explain=explicar)
    return _finished(context, reply, invalid)


@tool("buscar", effect=Effect.READS, essential=False)
def search(
    context: Context,
    query: Query,
    sustantivos_clave: KeyNouns = (),
    limite: Limit = None,
    pagina: PageNumber = 1,
    cat: Category = None,
    dias: Days = None,
    desde: Since = None,
    hasta: Until = None,
    a_fecha: AsOf = None,
    autor: Author = None,
    preview_chars: Preview = PREVIEW_CHARS,
    completo: Whole = False,
    ordenar_por: OrderBy = "relevancia",
    modo_estricto: Strict = False,
    deep: Deep = False,
    explicar: Explain = False,
    asociados: Associated = True,
    asociaciones_max: MostAssociated = 5,
    context_window: Window = 0,
    usar_inferencia: Inference = True,
    dimensiones: Dimensions = None,
    buscar_por_rol: Roles = "",
    rafaga_palabras: Burst = (),
    forzar_rafaga: Forced = False,
) -> RecallReply:
    """Search memories: recordar with a query that must be given.

    Example: buscar(query="copia de seguridad antes de migrar", sustantivos_clave="copia, migrar")
    """
    if not query.strip() and not dimensiones and not buscar_por_rol:
        rule = "expected words, dimensiones or buscar_por_rol; recordar lists without them"
        raise InvalidInputError("query", query, rule)
    return recall(
        context,
        query,
        sustantivos_clave,
        limite,
        pagina,
        cat,
        dias,
        desde,
        hasta,
        a_fecha,
        autor,
        preview_chars,
        completo,
        ordenar_por,
        modo_estricto,
        deep,
        explicar,
        asociados,
        asociaciones_max,
        context_window,
        usar_inferencia,
        dimensiones,
        buscar_por_rol,
        rafaga_palabras,
        forzar_rafaga,
    )


def _finished(context: Context, reply: RecallReply, invalid: tuple[str, ...]) -> RecallReply:
    """The reply within its bound, and what of the dimensions meant nothing."""
    if invalid:
        reply["dimensiones_invalidas"] = [told[:80] for told in invalid[:MOST_ECHOED]]
    return bounded(reply, context.settings.reply_bytes)


def _named(context: Context, query: str) -> StoredMemory | None:
    """The memory whose name is exactly the query, if there is one."""
    try:
        return context.memory.get(query)
    except (NodeNotFoundError, InvalidInputError):
        # A question is no name, and may even be longer than a name can be.
        return None


def since_of(desde: str | None, dias: int | None, now: float) -> Moment | None:
    """The later of the two lower bounds that were given."""
    bounds = []
    if desde:
        bounds.append(start_of("desde", desde, now=now).timestamp())
    if dias is not None:
        bounds.append(now - dias * SECONDS_A_DAY)
    return max(bounds, default=None)
