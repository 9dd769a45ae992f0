"""Values of the engine to bounded, JSON-able answers; errors to one payload.

Whatever is cut is marked as cut, with its true length and the call that gets the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import Final, Literal

from biorag import __version__
from biorag.errors import (
    BioragError,
    DimensionsError,
    HubNotFoundError,
    InvalidInputError,
    NodeNotFoundError,
    UnknownParameterError,
)
from biorag.model import Hit, Learned, Listing, Page, StoredMemory, Trace
from biorag.model_upkeep import StoreState
from biorag.service.bounding import cut_content
from biorag.service.json_text import size_of
from biorag.service.presenters_abstention import abstention_message, present_judgement
from biorag.service.presenters_links import present_context, present_neighbours
from biorag.service.replies import (
    ErrorReply,
    LearnReply,
    LinksReply,
    MemoryReply,
    RecallReply,
    SignalReply,
    StateReply,
    TraceReply,
)

SECONDS_A_DAY = 86_400.0
MOST_EVIDENCE = 24
MOST_CATEGORIES = 50
MOST_RELATED = 5  # what is no answer must not fill the page
MOST_LINKS = 12  # as many as the original system showed of a memory's neighbours
MOST_ECHOED = 50  # names of a long list that an answer repeats
# What the engine's fields are called in the tools; the same field may differ between two of them.
PUBLIC_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "author": ("autor",),
    "burst_words": ("rafaga_palabras",),
    "category": ("cat",),
    "content": ("contenido",),
    "dimensions": ("dimensiones",),
    "force_burst": ("forzar_rafaga",),
    "key_nouns": ("sustantivos_clave", "sustantivos"),
    "limit": ("limite",),
    "link_to": ("vincular_con",),
    "name": ("concepto", "canonical_node"),
    "page": ("pagina",),
    "since": ("desde",),
    "state": ("estado",),
    "sustantivos_clave": ("sustantivos_clave", "sustantivos"),
    "synonyms": ("syn", "sinonimos"),
    "until": ("hasta",),
    "valence": ("valencia_somatica",),
    "weight": ("peso_sinaptico",),
}

_STATUS: Final[Mapping[str, Literal["creado", "ampliado", "sin_cambios"]]] = {
    "created": "creado",
    "extended": "ampliado",
    "unchanged": "sin_cambios",
}


def present_page(
    page: Page, *, now: float, preview_chars: int = 0, explain: bool = False
) -> RecallReply:
    """A page of recalled memories; `preview_chars` 0 keeps texts whole."""
    reply = RecallReply(
        total=page.total,
        pagina_actual=page.page,
        paginas_totales=page.pages,
        modo="busqueda",
        resultados=[],
        abstencion=page.abstained,
        nivel_certeza=page.certainty,
        calibracion=present_judgement(page),
        trazabilidad=present_trace(page.trace, explain=explain),
    )

    def shown(hits: Iterable[Hit]) -> list[MemoryReply]:
        return [present_hit(hit, now, preview_chars, explain=explain) for hit in hits]

    if not page.abstained:
        reply["resultados"] = shown(page)
    elif page.related:
        reply["relacionados"] = shown(page.related[:MOST_RELATED])
    if page.abstained:
        reply["mensaje"] = abstention_message(page)
    elif not page.hits:
        reply["mensaje"] = f"Page {page.page} is past the last of {page.pages}."
    if page.context:
        reply["contexto_expandido"] = present_context(page.context)
    return reply


def present_listing(listing: Listing, *, now: float, preview_chars: int = 0) -> RecallReply:
    """A page of the store in order of time."""
    return RecallReply(
        total=listing.total,
        pagina_actual=listing.page,
        paginas_totales=-(-listing.total // listing.limit),
        modo="cronologico",
        resultados=[present_memory(m, now=now, preview_chars=preview_chars) for m in listing],
    )


def present_memory(memory: StoredMemory, *, now: float, preview_chars: int = 0) -> MemoryReply:
    """One memory with everything that is kept of it."""
    reply = MemoryReply(
        concepto=memory.name,
        contenido=memory.content,
        longitud=len(memory.content),
        categoria=memory.category,
        estado=memory.state,
        peso_sinaptico=round(memory.weight, 4),
        valencia_somatica=round(memory.valence, 4),
        timestamp_creado=_timestamp(memory.created_at),
        edad_dias=_age_days(memory.created_at, now),
        sustantivos_clave=list(memory.key_nouns),
        sinonimos=list(memory.synonyms),
        dimensiones_semanticas={axis: list(v) for axis, v in memory.dimensions.items()},
        asociaciones=LinksReply(
            total=len(memory.links),
            items=list(memory.links[:MOST_LINKS]),
            truncada=len(memory.links) > MOST_LINKS,
        ),
    )
    if memory.author is not None:
        reply["autor"] = memory.author
    _add_validity(reply, memory)
    cut_content(reply, preview_chars)
    return reply


def present_text_page(
    memory: StoredMemory, page: int, *, now: float, budget_bytes: int
) -> RecallReply:
    """One memory whole; a text that does not fit one answer is handed out in pages.

    Raises:
        InvalidInputError: the text has fewer pages.
    """
    reply = present_memory(memory, now=now)
    reply["contenido"] = ""
    frame = RecallReply(
        total=1, pagina_actual=page, paginas_totales=1, modo="exacto", resultados=[reply]
    )
    # The digits of the page numbers and the notice below need their room, too.
    room = budget_bytes - size_of(frame) - 400
    pages = text_pages(memory.content, max(room, 400))
    if page > len(pages):
        raise InvalidInputError("pagina", page, f"the text has {len(pages)} pages")
    reply["contenido"] = pages[page - 1]
    frame["paginas_totales"] = len(pages)
    if len(pages) > 1:
        reply["recortado"] = True
        frame["mensaje"] = (
            f"Page {page} of {len(pages)} of this text; joined in order, the pages are the whole. "
            "Ask for the others with the same query, completo=true and pagina."
        )
    return frame


def text_pages(text: str, budget_bytes: int) -> list[str]:
    """The text in consecutive parts, each at most `budget_bytes` as JSON; "" gives [""].

    Args:
        text: What to part; its characters stay whole.
        budget_bytes: At least 14, which is one character in two escapes, and its quotes.
    """
    pages: list[str] = []
    start = 0
    while start < len(text):
        length = budget_bytes  # a character takes a byte or more
        while (size := size_of(text[start : start + length])) > budget_bytes:
            length = max(min(length * budget_bytes // size, length - 1), 1)
        pages.append(text[start : start + length])
        start += length
    return pages or [""]


def present_learned(learned: Learned) -> LearnReply:
    """What became of a memory that was to be learnt."""
    said = {
        "created": "Stored.",
        "extended": "The name existed; the new text was added to it.",
        "unchanged": "The name already held exactly this text.",
    }[learned.status]
    if learned.missing_links:
        said += " Names in vinculos_ausentes do not exist and were not linked."
    reply = LearnReply(
        status="ok",
        mensaje=said,
        concepto=learned.name,
        estado=_STATUS[learned.status],
        sustantivos_clave=list(learned.key_nouns[:MOST_ECHOED]),
        vinculados=list(learned.linked[:MOST_ECHOED]),
        vinculos_ausentes=list(learned.missing_links[:MOST_ECHOED]),
        dimensiones_invalidas=list(learned.invalid_dimensions[:MOST_ECHOED]),
    )
    if learned.hub is not None:
        reply["hub"] = learned.hub
    return reply


def present_state(state: StoreState) -> StateReply:
    """What the store holds; beyond a bound, only the largest categories are listed."""
    categories = sorted(state.categories.items(), key=lambda item: (-item[1], item[0]))
    reply = StateReply(
        memorias=state.memories,
        activos=state.active,
        dormidos=state.dormant,
        corto_plazo=state.short_term,
        largo_plazo=state.long_term,
        energia_sinaptica=round(state.energy, 4),
        categorias=dict(categories[:MOST_CATEGORIES]),
        idiomas=dict(state.languages),
        cobertura_sustantivos=round(state.key_noun_coverage, 4),
        documentos_indice=state.index_documents,
        bytes_en_disco=state.bytes_on_disk,
        ruta=str(state.path),
        version_esquema=state.schema_version,
        modo_diario=state.journal_mode,
        version=__version__,
    )
    if len(categories) > MOST_CATEGORIES:
        reply["omitidos"] = len(categories) - MOST_CATEGORIES
    return reply


def present_error(error: BioragError, parameters: Collection[str] = ()) -> ErrorReply:
    """The one payload of every error that is raised on purpose.

    Args:
        error: What was raised.
        parameters: Public names of the call's parameters; a field that the engine calls by its
            own name is told by the one of these that it came from.
    """
    reply = ErrorReply(codigo=error.code, mensaje=str(error))
    match error:
        case UnknownParameterError():
            reply["campo"], reply["regla"] = error.field, error.rule
            reply["sugerencias"] = list(error.nearest)
        case InvalidInputError():
            field = _public_name(error.field, parameters)
            reply["mensaje"] = f"{field}={error.value}: {error.rule}"
            reply["campo"], reply["valor"], reply["regla"] = field, error.value, error.rule
            if isinstance(error, DimensionsError):
                reply["dimensiones_invalidas"] = list(error.invalid[:MOST_ECHOED])
        case NodeNotFoundError() | HubNotFoundError():
            reply["campo"] = _public_name(error.field, parameters or ("concepto",))
            reply["valor"], reply["sugerencias"] = error.name[:200], list(error.nearest)
    return reply


def _public_name(field: str, parameters: Collection[str]) -> str:
    meant = (name for name in PUBLIC_NAMES.get(field, ()) if name in parameters)
    return next(meant, field)


def _add_validity(reply: MemoryReply, held: Hit | StoredMemory) -> None:
    if held.valid_from is not None:
        reply["valido_desde"] = _timestamp(held.valid_from)
    if held.valid_to is not None:
        reply["valido_hasta"] = _timestamp(held.valid_to)


def present_hit(hit: Hit, now: float, preview_chars: int, *, explain: bool) -> MemoryReply:
    """One recalled memory."""
    reply = MemoryReply(
        concepto=hit.name,
        contenido=hit.content,
        longitud=len(hit.content),
        score_hibrido=round(hit.score, 6),
        confianza=round(hit.confidence, 4),
        nivel_certeza=hit.certainty,
        origen=hit.origin,
        categoria=hit.category,
        timestamp_creado=_timestamp(hit.created_at),
        edad_dias=_age_days(hit.created_at, now),
        sustantivos_clave=list(hit.key_nouns),
        evidencia=dict(list(hit.evidence.items())[:MOST_EVIDENCE]),
    )
    if hit.calibrated_confidence is not None:
        reply["confianza_calibrada"] = round(hit.calibrated_confidence, 4)
    if hit.author is not None:
        reply["autor"] = hit.author
    _add_validity(reply, hit)
    if hit.associations:
        reply["asociaciones_enriquecidas"] = present_neighbours(hit.associations)
    if explain:
        reply["senales"] = {
            name: SignalReply(
                valor=round(s.value, 6), peso=round(s.weight, 6), aporte=round(s.contribution, 6)
            )
            for name, s in hit.signals.items()
        }
    cut_content(reply, preview_chars)
    return reply


def present_trace(trace: Trace, *, explain: bool) -> TraceReply:
    """How a page came about."""
    reply = TraceReply(
        idioma=trace.language,
        palabras=list(trace.words[:MOST_EVIDENCE]),
        ignoradas=list(trace.ignored[:MOST_EVIDENCE]),
        fuentes=dict(trace.sources),
    )
    if trace.burst:
        reply["rafaga"] = True
    if explain:
        expansions: dict[str, list[str]] = {}
        for expansion in trace.expansions:
            found = f"{expansion.alternative} ({expansion.origin} {expansion.weight:.2f})"
            expansions.setdefault(expansion.word, []).append(found)
        reply["expansiones"] = dict(list(expansions.items())[:MOST_EVIDENCE])
        reply["tiempos_ms"] = _rounded(trace.timings_ms)
    return reply


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in values.items()}


def _timestamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _age_days(moment: datetime, now: float) -> int:
    # A clock that was set back must not make an age negative.
    return max(0, int((now - moment.timestamp()) // SECONDS_A_DAY))
