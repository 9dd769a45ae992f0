"""Every knob of biorag in one frozen object, read from the environment once, at the entry point.

A setting is one field here: its variable, its default, how it is read and what it does. The
reference table in `docs/SETTINGS.md` is generated from these fields.
"""

from __future__ import annotations

import difflib
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, Self

from biorag.errors import SettingsError

PREFIX = "BIORAG_"


def _flag(text: str) -> bool:
    if text.strip().lower() in {"1", "true", "yes", "si", "sí", "on"}:
        return True
    if text.strip().lower() in {"0", "false", "no", "off"}:
        return False
    raise ValueError("expected 1 or 0")


def _number(low: float, high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        value = float(text)
        if not low <= value <= high:
            raise ValueError(f"expected a number from {low:g} to {high:g}")
        return value

    return read


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = int(text)
        if not low <= value <= high:
            raise ValueError(f"expected a whole number from {low} to {high}")
        return value

    return read


def _one_of(*choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}")
        return text

    return read


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split(",") if name.strip())


def _wordnet(text: str) -> str:
    if not re.fullmatch(r"propio|nltk(:[a-z]{2,3}(,[a-z]{2,3})*)?", text):
        raise ValueError("expected propio, nltk, or nltk: and language codes, as in nltk:fr,it")
    return text


def _knob(env: str, default: Any, parse: Callable[[str], Any], doc: str) -> Any:
    """Declare one setting: its variable, its default, how to read it and what it does."""
    return field(default=default, metadata={"env": env, "parse": parse, "doc": doc})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings. Pass it down; nothing below the entry points reads the environment."""

    # Storage
    path: Path | None = _knob(
        "BIORAG_PATH", None, Path, "The store's file; unset: `memory.db` in the user's data folder."
    )
    synchronous: str = _knob(
        "BIORAG_SYNCHRONOUS",
        "FULL",
        _one_of("FULL", "NORMAL"),
        "FULL: what was acknowledged survives a power cut. NORMAL: faster, survives a crash.",
    )
    busy_timeout_s: float = _knob(
        "BIORAG_BUSY_TIMEOUT_S",
        10.0,
        _number(0.0, 600.0),
        "How long a write waits for another process's write before it gives up, in seconds.",
    )
    index_cache: bool = _knob(
        "BIORAG_INDEX_CACHE", True, _flag, "Save the ranked index beside the store, to open fast."
    )

    # Recall
    default_limit: int = _knob(
        "BIORAG_LIMITE_DEFAULT", 10, _whole(1, 200), "Results on a page when none is asked for."
    )
    formula: str = _knob(
        "BIORAG_FORMULA",
        "ajustada",
        _one_of("ajustada", "semilla"),
        "Weights of the signals: fitted on public corpora, or the original system's.",
    )
    bm25_k1: float = _knob("BIORAG_BM25_K1", 0.9, _number(0.0, 10.0), "BM25 term saturation.")
    bm25_b: float = _knob("BIORAG_BM25_B", 0.5, _number(0.0, 1.0), "BM25 length normalisation.")
    expansion: bool = _knob(
        "BIORAG_EXPANSION", True, _flag, "Search translations and synonyms of the question's words."
    )
    typos: bool = _knob("BIORAG_TYPOS", True, _flag, "Correct words that the store does not hold.")
    neighbours: bool = _knob(
        "BIORAG_VECINOS",
        True,
        _flag,
        "Let memories stored side by side lend each other words, where order means something.",
    )
    vectors: bool = _knob(
        "BIORAG_VECTORES",
        True,
        _flag,
        "Compare by meaning where word vectors were trained on the store's own texts.",
    )
    domain_dictionary: bool = _knob(
        "BIORAG_DICCIONARIO_DOMINIO",
        False,
        _flag,
        "Search words that the store's own texts use together with the question's, once learnt."
        " Off: no public corpus gains by it.",
    )
    retrofit: bool = _knob(
        "BIORAG_RETROAJUSTE",
        True,
        _flag,
        "Draw the vectors of memories towards those that they are linked to.",
    )
    wordnet: str = _knob(
        "BIORAG_WORDNET",
        "propio",
        _wordnet,
        "propio: the lexicon that ships. nltk: also languages of the user's own nltk_data, those"
        " named as in nltk:fr,it.",
    )

    auto_link: bool = _knob(
        "BIORAG_AUTOVINCULAR",
        True,
        _flag,
        "Link a memory that is learnt to those like it, by rules; bulk loads are linked later.",
    )

    read_roles: bool = _knob(
        "BIORAG_PREDICADOS",
        True,
        _flag,
        "Read who does what in a memory that is learnt; bulk loads are read later.",
    )

    # After the score
    coverage_gate: bool = _knob(
        "BIORAG_QCR_ACTIVO",
        False,
        _flag,
        "Put memories that evidence under half of the question's words behind the others. Off: it"
        " costs conversations .04 nDCG@10, since an answer need not repeat the question.",
    )
    hub_promotion: bool = _knob(
        "BIORAG_HUB_ACTIVO",
        False,
        _flag,
        "Put the memory that a sure Concept Hub leads to first. Off: no public corpus has the"
        " bridges that would prove it; hubs bring candidates and count in the score in any case.",
    )
    inhibition: bool = _knob(
        "BIORAG_GABA_ACTIVO",
        False,
        _flag,
        "Quieten what scores far below a best that is sure. Off: it changes scores, never order.",
    )
    jaccard: bool = _knob(
        "BIORAG_RERANKING_JACCARD_ENABLED",
        False,
        _flag,
        "Re-rank the head by overlap of words. Off: it costs conversations .01 nDCG@10.",
    )
    jaccard_alpha: float = _knob(
        "BIORAG_RERANKING_JACCARD_ALPHA", 0.25, _number(0.0, 10.0), "What full overlap adds."
    )
    jaccard_gate: float = _knob(
        "BIORAG_RERANKING_JACCARD_GATE",
        0.04,
        _number(0.0, 1.0),
        "The best overlap below which nothing is re-ranked.",
    )
    jaccard_top: int = _knob(
        "BIORAG_RERANKING_JACCARD_TOPK", 20, _whole(1, 200), "How many are re-ranked."
    )
    convergence: bool = _knob(
        "BIORAG_CONVERGENCIA_ACTIVA",
        False,
        _flag,
        "Lift memories that name, synonyms, key nouns and text all speak for. Off: no public corpus"
        " has the fields that would prove it.",
    )
    convergence_bonus: float = _knob(
        "BIORAG_CONVERGENCIA_BONUS_MAX",
        0.085,
        _number(0.0, 0.12),
        "The most that convergence adds.",
    )
    working_memory: bool = _knob(
        "BIORAG_MEMORIA_TRABAJO",
        False,
        _flag,
        "Lift what the same client was shown lately by up to .05. Off: the same question gets the"
        " same answer.",
    )
    monotone: bool = _knob(
        "BIORAG_ORDEN_MONOTONICO",
        True,
        _flag,
        "Sort by score after the last stage; off: keep the order that the formula alone gave.",
    )
    without: frozenset[str] = _knob(
        "BIORAG_SIN",
        frozenset(),
        _names,
        "Signals, stages and kinds of evidence to leave out, comma-separated, for ablations.",
    )

    # Abstention
    calibration: bool = _knob(
        "BIORAG_CALIBRACION_ACTIVA",
        True,
        _flag,
        "Say when nothing stored answers a question, by thresholds learnt from the store.",
    )
    alpha: float = _knob(
        "BIORAG_ALPHA_CONFORME",
        0.1,
        _number(0.001, 0.5),
        "Share of unanswerable questions, of the kinds that the thresholds were learnt from, that"
        " may be answered.",
    )

    # Service
    tools: str = _knob(
        "BIORAG_TOOLS",
        "esencial",
        str,
        "Tools that an agent sees: esencial, completo, or a comma-separated list of names.",
    )
    reply_bytes: int = _knob(
        "BIORAG_RESPUESTA_BYTES",
        25_000,
        _whole(2_000, 1_000_000),
        "Upper bound of one tool reply; what was cut is said, and how to get it.",
    )

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Self:
        """Read every setting that `environ` has; an empty variable counts as unset.

        Raises:
            SettingsError: a variable is set to something that its setting cannot take.
        """
        known = {f.metadata["env"]: f for f in fields(cls)}
        _warn_of_unknown(environ, known)
        return cls(
            **{f.name: _read(f, environ[env]) for env, f in known.items() if environ.get(env)}
        )


def _read(setting: Field[Any], text: str) -> Any:
    try:
        return setting.metadata["parse"](text)
    except ValueError as error:
        raise SettingsError(f"{setting.metadata['env']}={text!r}: {error}") from error


def _warn_of_unknown(environ: Mapping[str, str], known: Mapping[str, object]) -> None:
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            warnings.warn(f"{name} is not a setting of biorag{hint}", stacklevel=3)
