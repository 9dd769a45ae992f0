"""The shapes of the tools' answers. Their Spanish keys are the public contract.

A key that may be absent is `NotRequired` and never null, so that its schema has one type.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class SignalReply(TypedDict):
    """One signal of a result (senal = signal): its value, its weight, what it added."""

    valor: float
    peso: float
    aporte: float


class LinksReply(TypedDict):
    """Names that a memory is linked to: the first `items` of `total`."""

    total: int
    items: list[str]
    truncada: bool


class NeighbourReply(TypedDict):
    """A neighbour of a result along its strongest link; it touches no score."""

    concepto: str
    fuerza_arista: float
    tipo_sinapsis: str
    peso_vecino: float
    resumen: str


class ContextReply(TypedDict):
    """A memory around the page: `saltos` links away, reached from `desde`."""

    concepto: str
    desde: str
    fuerza: float
    saltos: int
    resumen: str


class LinkReply(TypedDict):
    """What became of a link; `eliminadas`: how many ended."""

    status: Literal["ok"]
    mensaje: str
    eliminadas: NotRequired[int]


class MemoryReply(TypedDict):
    """One memory (concepto = its name, contenido = its text).

    `recortado` says that `contenido` is a part of a text of `longitud` characters.
    `confianza_calibrada` is the probability that it answers, in a calibrated store.
    """

    concepto: str
    contenido: str
    longitud: int
    recortado: NotRequired[bool]
    score_hibrido: NotRequired[float]
    confianza: NotRequired[float]
    confianza_calibrada: NotRequired[float]
    nivel_certeza: NotRequired[
        Literal["evidencia_directa", "relacionado_confianza_media", "sin_evidencia_directa"]
    ]
    origen: NotRequired[str]
    categoria: str
    autor: NotRequired[str]
    estado: NotRequired[str]
    peso_sinaptico: NotRequired[float]
    valencia_somatica: NotRequired[float]
    timestamp_creado: str
    edad_dias: int
    valido_desde: NotRequired[str]
    valido_hasta: NotRequired[str]
    sustantivos_clave: list[str]
    sinonimos: NotRequired[list[str]]
    dimensiones_semanticas: NotRequired[dict[str, list[str]]]
    asociaciones: NotRequired[LinksReply]
    asociaciones_enriquecidas: NotRequired[list[NeighbourReply]]
    evidencia: NotRequired[dict[str, str]]
    senales: NotRequired[dict[str, SignalReply]]


class TraceReply(TypedDict):
    """How a page came about: words searched and left out, alternatives, sources, times."""

    idioma: str
    palabras: list[str]
    ignoradas: list[str]
    expansiones: NotRequired[dict[str, list[str]]]
    fuentes: dict[str, int]
    rafaga: NotRequired[bool]
    tiempos_ms: NotRequired[dict[str, float]]


class AbstentionReply(TypedDict):
    """How a page was judged: C against two thresholds, and what their alpha refers to.

    Nothing answers a question whose `certeza` is not above `umbral`.
    """

    calibrado: bool
    certeza: float
    umbral: NotRequired[float]
    umbral_directo: NotRequired[float]
    alpha: NotRequired[float]
    negativos: NotRequired[str]


class RecallReply(TypedDict):
    """A page of memories. `modo`: by relevance, time or dimensions, or one by its exact name.

    `abstencion`: nothing stored answers; `relacionados` then has what is nearest, as no answer.
    """

    total: int
    pagina_actual: int
    paginas_totales: int
    modo: Literal["busqueda", "cronologico", "dimensiones", "exacto"]
    resultados: list[MemoryReply]
    abstencion: NotRequired[bool]
    relacionados: NotRequired[list[MemoryReply]]
    contexto_expandido: NotRequired[list[ContextReply]]
    nivel_certeza: NotRequired[
        Literal["evidencia_directa", "relacionado_confianza_media", "sin_evidencia_directa"]
    ]
    calibracion: NotRequired[AbstentionReply]
    trazabilidad: NotRequired[TraceReply]
    dimensiones_invalidas: NotRequired[list[str]]
    mensaje: NotRequired[str]
    omitidos: NotRequired[int]


class ExplanationReply(TypedDict):
    """Why a memory is where it is. `lugar`: its place among the `candidatos` that were scored.

    `excluida`: why it can be no answer: estado (asleep or in quarantine). `faltan`: words of the
    question that it holds in no form. `primera`: the best one, to compare.
    """

    concepto: str
    lugar: NotRequired[int]
    candidatos: int
    abstencion: bool
    nivel_certeza: Literal[
        "evidencia_directa", "relacionado_confianza_media", "sin_evidencia_directa"
    ]
    faltan: list[str]
    excluida: NotRequired[Literal["estado", "filtro"]]
    memoria: NotRequired[MemoryReply]
    movimientos: NotRequired[dict[str, int]]
    primera: NotRequired[MemoryReply]
    trazabilidad: TraceReply
    mensaje: str


class SimilarMemoryReply(TypedDict):
    """A memory that is like another one; `similitud` from 0 to 1."""

    concepto: str
    similitud: float
    contenido: str
    longitud: int
    recortado: NotRequired[bool]
    categoria: str
    sustantivos_clave: list[str]


class SimilarReply(TypedDict):
    """Memories like the one named, most alike first."""

    concepto: str
    resultados: list[SimilarMemoryReply]
    mensaje: NotRequired[str]
    omitidos: NotRequired[int]


class CalibrationReply(TypedDict):
    """The thresholds in force. `motivo`: why they were made now, or were not.

    `umbral`: nothing answers a question whose certainty is not above it.
    """

    recalibrado: bool
    motivo: Literal["primera", "deriva", "alpha", "forzado", "vigente", "pocas_memorias"]
    mensaje: str
    umbral: NotRequired[float]
    umbral_directo: NotRequired[float]
    alpha: NotRequired[float]
    alpha_pedido: NotRequired[float]
    n_negativos: NotRequired[int]
    n_positivos: NotRequired[int]
    n_nodos_corpus: NotRequired[int]
    negativos: NotRequired[str]
    fecha: NotRequired[str]


class LearnReply(TypedDict):
    """What became of a memory. `estado`: creado, ampliado (a text was added), sin_cambios.

    `hub`: the Concept Hub that its bridges are in.
    """

    status: Literal["ok"]
    mensaje: str
    concepto: str
    estado: Literal["creado", "ampliado", "sin_cambios"]
    sustantivos_clave: list[str]
    vinculados: list[str]
    vinculos_ausentes: list[str]
    dimensiones_invalidas: list[str]
    hub: NotRequired[str]


class UpdateReply(TypedDict):
    """What was changed of a memory."""

    status: Literal["ok", "sin_cambios"]
    mensaje: str
    concepto: str
    campos_modificados: list[str]
    edad_minutos: int


class KeyNounsReply(TypedDict):
    """The key nouns of a memory after some were added."""

    status: Literal["ok"]
    concepto: str
    sustantivos_clave: list[str]
    agregados: list[str]


class ForgetReply(TypedDict):
    """How many memories were forgotten; `purgado`: their bytes were overwritten on disk, too."""

    status: Literal["ok"]
    mensaje: str
    olvidados: int
    conceptos: list[str]
    purgado: bool


class StateReply(TypedDict):
    """What the store holds."""

    memorias: int
    activos: int
    dormidos: int
    corto_plazo: int
    largo_plazo: int
    energia_sinaptica: float
    categorias: dict[str, int]
    idiomas: dict[str, int]
    cobertura_sustantivos: float
    documentos_indice: int
    bytes_en_disco: int
    ruta: str
    version_esquema: int
    modo_diario: str
    version: str
    omitidos: NotRequired[int]


class ErrorReply(TypedDict):
    """Why a call failed. `codigo` is stable; `mensaje` and `regla` are for reading."""

    codigo: str
    mensaje: str
    campo: NotRequired[str]
    valor: NotRequired[str]
    regla: NotRequired[str]
    sugerencias: NotRequired[list[str]]
    dimensiones_invalidas: NotRequired[list[str]]
