"""The catalogue of semantic axes: thirteen questions about a memory, and their usual answers.

The names are the original system's public vocabulary and stay in Spanish.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


def _prefixed(prefix: str, endings: str) -> tuple[str, ...]:
    return tuple(f"{prefix}_{ending}" for ending in endings.split())


AXES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "emocion": (
            "afecto",
            "alegria",
            "frustracion",
            "tristeza",
            "preocupacion",
            "confusion",
            "sorpresa",
            "miedo",
            "alivio",
            "apatia",
            "culpa",
            "satisfaccion",
        ),
        "entidad": _prefixed(
            "identidad",
            "individual social_legal organizacional digital artificial fisica_hardware natural"
            " concepto institucion evento vinculo",
        ),
        "accion": _prefixed(
            "accion",
            "fisica transformacion_material persistencia_computacion rutina_automatica"
            " comunicacion interaccion_social cognitiva estado_ser evaluar observar fallar",
        ),
        "cualidad": _prefixed(
            "cualidad",
            "dimension_fisica estado_condicion valoracion sensorial material_composicion"
            " temporal_duracion relacional_comparativa abstracta_conceptual economica urgente"
            " autentica",
        ),
        "coordenada": _prefixed(
            "coordenada",
            "cronologia_absoluta anclaje_deictico secuencia_relativa ciclo_periodico"
            " inclusion_topologica distancia_proximal vector_direccional trayectoria_limite"
            " etapa hito",
        ),
        "intencion": _prefixed(
            "intencion",
            "aprender decidir reflexionar resolver solucionar documentar desahogar registrar",
        ),
        "dominio": _prefixed(
            "dominio",
            "tecnico personal profesional academico salud finanzas ambiental social creativo"
            " espiritual",
        ),
        "cualia": (
            "formal_categoria",
            "constitutiva_composicion",
            "agentiva_origen",
            "telica_funcion",
        ),
        "epistemia": (
            "directa_experiencial",
            "verificada",
            "inferida",
            "reportada_externa",
            "hipotetica",
            "obsoleta",
        ),
        "escala_abstraccion": ("instancia", "patron", "principio", "ley_modelo", "metafora"),
        "centralidad_identitaria": (
            "nucleo_identitario",
            "relevante_personal",
            "relevante_contextual",
            "informacion_externa",
            "impersonal",
        ),
        "textura_experiencial": (
            "flujo",
            "tension",
            "desorientacion",
            "rutina",
            "presencia_plena",
        ),
        "modalidad": ("obligacion", "prohibicion", "permiso", "capacidad"),
    }
)
"""Axis name to the values it starts with, in catalogue order: 13 axes, 102 values."""
