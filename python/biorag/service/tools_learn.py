"""Tools that write: aprender = learn, guardar = store, actualizar = update, olvidar = forget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from biorag.errors import InvalidInputError, NodeNotFoundError
from biorag.model import Moment
from biorag.service.arguments import About, CommaWords, Names, Objects, Words
from biorag.service.contract import (
    bridges as bridges_of,
)
from biorag.service.contract import (
    dimension_values,
    key_nouns_to_add,
    key_nouns_to_write,
    require_prior_search,
)
from biorag.service.contract_roles import predicates as predicates_of
from biorag.service.dates import start_of
from biorag.service.presenters import MOST_ECHOED, present_learned
from biorag.service.registry import Context, Effect, tool
from biorag.service.replies import ForgetReply, KeyNounsReply, LearnReply, UpdateReply

State = Literal["activo", "dormido", "cuarentena"]

Name = Annotated[str, About("Name of the memory, 1 to 200 characters, such as backup_policy.")]
KnownName = Annotated[str, About("Name of an existing memory.")]
Content = Annotated[str, About("The text to keep, 1 to 200,000 characters, stored as sent.")]
Dimensions = Annotated[
    Mapping[str, object],
    About('Axis to values, such as {"entidad": ["sqlite"], "accion": ["backup"]}.'),
]
KeyNouns = Annotated[
    CommaWords,
    About("2 to 10 key nouns it will be looked for by, comma-separated.", demanded=True),
]
Searched = Annotated[
    bool,
    About("true once you have searched and found no memory that says this.", demanded=True),
]
Synonyms = Annotated[CommaWords, About("Other words for it, comma-separated.")]
Category = Annotated[str | None, About("Category; the store's default when absent.")]
Author = Annotated[str | None, About("Who says so.")]
Valence = Annotated[float, About("Somatic valence, 0 to 1; from 0.8 on it is never evicted.", 0, 1)]
ValidFrom = Annotated[
    str | None, About("From when on it holds in the world: YYYY-MM-DD, hoy, or ISO time.")
]
ValidTo = Annotated[str | None, About("From when on it holds no more: YYYY-MM-DD, or ISO time.")]
Bridges = Annotated[
    Objects,
    About(
        "Five {text, angle}: sinonimo, problema, solucion, situacion, ingenuo; no word twice, none"
        " of the name's."
    ),
]
Predicates = Annotated[
    Objects, About("What it states: {sujeto, accion, objeto, contexto} each; accion is needed.")
]
LinkTo = Annotated[Names, About("Existing memories to link it to; missing ones are reported.")]


@tool("aprender", effect=Effect.WRITES)
def learn(
    context: Context,
    concepto: Name,
    contenido: Content,
    dimensiones: Dimensions,
    sustantivos_clave: KeyNouns = (),
    busqueda_previa: Searched = False,
    syn: Synonyms = (),
    cat: Category = None,
    valencia_somatica: Valence = 0.0,
    vincular_con: LinkTo = (),
    autor: Author = None,
    valido_desde: ValidFrom = None,
    valido_hasta: ValidTo = None,
    bridges: Bridges = (),
    predicados: Predicates = (),
) -> LearnReply:
    """Learn one memory, placed on its dimensions. Search first; it is on disk when this answers.

    Example: aprender(concepto="backup_policy", contenido="Back up before every migration.",
    dimensiones={"accion": ["backup"]}, sustantivos_clave="backup, migration",
    busqueda_previa=true)
    """
    if not dimensiones:
        rule = "expected at least one axis with values; guardar stores without dimensions"
        raise InvalidInputError("dimensiones", dimensiones, rule)
    return store(
        context,
        concepto,
        contenido,
        sustantivos_clave,
        busqueda_previa,
        dimensiones,
        syn,
        cat,
        valencia_somatica,
        vincular_con,
        autor,
        valido_desde,
        valido_hasta,
        bridges,
        predicados,
    )


@tool("guardar", effect=Effect.WRITES)
def store(
    context: Context,
    concepto: Name,
    contenido: Content,
    sustantivos_clave: KeyNouns = (),
    busqueda_previa: Searched = False,
    dimensiones: Dimensions | None = None,
    syn: Synonyms = (),
    cat: Category = None,
    valencia_somatica: Valence = 0.0,
    vincular_con: LinkTo = (),
    autor: Author = None,
    valido_desde: ValidFrom = None,
    valido_hasta: ValidTo = None,
    bridges: Bridges = (),
    predicados: Predicates = (),
) -> LearnReply:
    """Store one memory, dimensions optional. Search first; it is on disk when this answers.

    Example: guardar(concepto="backup_policy", contenido="Back up before every migration.",
    sustantivos_clave="backup, migration", busqueda_previa=true)
    """
    require_prior_search(busqueda_previa)
    now = context.clock.now()
    learned = context.memory.learn(
        concepto,
        contenido,
        key_nouns=key_nouns_to_write(sustantivos_clave),
        dimensions=dimension_values(dimensiones or {}),
        synonyms=syn,
        category=cat or None,
        valence=valencia_somatica,
        link_to=_separated(context, vincular_con),
        author=autor or None,
        valid_from=_start("valido_desde", valido_desde, now),
        valid_to=_start("valido_hasta", valido_hasta, now),
        bridges=bridges_of(bridges),
        predicates=predicates_of(predicados),
    )
    return present_learned(learned)


@tool("actualizar", effect=Effect.WRITES)
def update(
    context: Context,
    concepto: KnownName,
    contenido: Annotated[str | None, About("New text, in place of the old one.")] = None,
    sinonimos: Annotated[CommaWords | None, About("New synonyms, comma-separated.")] = None,
    sustantivos_clave: Annotated[
        CommaWords | None, About("New key nouns, 2 to 10, comma-separated.")
    ] = None,
    cat: Annotated[str | None, About("New category.")] = None,
    peso_sinaptico: Annotated[float | None, About("New synaptic weight.", 0, 1)] = None,
    estado: Annotated[State | None, About("New state.")] = None,
    valencia_somatica: Annotated[float | None, About("New somatic valence.", 0, 1)] = None,
    valido_desde: ValidFrom = None,
    valido_hasta: ValidTo = None,
) -> UpdateReply:
    """Change fields of one memory; what is not sent stays as it is, its links and dates too.

    Example: actualizar(concepto="backup_policy", contenido="Back up before and after migrating.")
    """
    now = context.clock.now()
    nouns = None if sustantivos_clave is None else key_nouns_to_write(sustantivos_clave)
    changes = {
        "contenido": contenido,
        "sinonimos": sinonimos,
        "sustantivos_clave": nouns,
        "cat": cat or None,
        "peso_sinaptico": peso_sinaptico,
        "estado": estado,
        "valencia_somatica": valencia_somatica,
        "valido_desde": valido_desde or None,
        "valido_hasta": valido_hasta or None,
    }
    changed = [field for field, value in changes.items() if value is not None]
    if not changed:
        memory = context.memory.get(concepto)
    else:
        memory = context.memory.update(
            concepto,
            content=contenido,
            synonyms=sinonimos,
            key_nouns=nouns,
            category=cat or None,
            weight=peso_sinaptico,
            state=estado,
            valence=valencia_somatica,
            valid_from=_start("valido_desde", valido_desde, now),
            valid_to=_start("valido_hasta", valido_hasta, now),
        )
    age_s = now - memory.created_at.timestamp()
    return UpdateReply(
        status="ok" if changed else "sin_cambios",
        mensaje="Updated." if changed else "Nothing was sent to change.",
        concepto=memory.name,
        campos_modificados=changed,
        edad_minutos=max(0, int(age_s // 60)),
    )


@tool("agregar_sustantivos", effect=Effect.WRITES)
def add_key_nouns(
    context: Context,
    concepto: KnownName,
    sustantivos: Annotated[Words, About("Key nouns to add, each 2 to 15 characters.")],
) -> KeyNounsReply:
    """Add key nouns to one memory, so that it is found by them.

    Example: agregar_sustantivos(concepto="backup_policy", sustantivos=["restore", "sqlite"])
    """
    nouns = key_nouns_to_add(sustantivos)
    before = frozenset(context.memory.get(concepto).key_nouns)
    memory = context.memory.add_key_nouns(concepto, nouns)
    return KeyNounsReply(
        status="ok",
        concepto=memory.name,
        sustantivos_clave=list(memory.key_nouns),
        agregados=[noun for noun in memory.key_nouns if noun not in before],
    )


@tool("olvidar", effect=Effect.DELETES)
def forget(
    context: Context,
    concepto: Annotated[Names, About("Name, or list of names, of the memories to forget.")],
    purgar: Annotated[bool, About("Also overwrite the text on disk. It cannot be undone.")] = False,
) -> ForgetReply:
    """Forget memories by exact name, everywhere. If one does not exist, nothing is forgotten.

    Example: olvidar(concepto=["backup_policy"])
    """
    names = _separated(context, concepto)
    if not names:
        raise InvalidInputError("concepto", "", "expected at least one name")
    forgotten = context.memory.forget(*names, purge=purgar)
    return ForgetReply(
        status="ok",
        mensaje="Forgotten." if forgotten == 1 else f"{forgotten} memories forgotten.",
        olvidados=forgotten,
        conceptos=list(names[:MOST_ECHOED]),
        purgado=purgar,
    )


def _start(field: str, text: str | None, now: float) -> Moment | None:
    return start_of(field, text, now=now) if text else None


def _separated(context: Context, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names, one text of comma-separated names taken apart unless it is itself a name."""
    if len(names) != 1 or "," not in names[0]:
        return names
    try:
        context.memory.get(names[0])
    except (NodeNotFoundError, InvalidInputError):
        return tuple(part for name in names[0].split(",") if (part := name.strip()))
    return names
