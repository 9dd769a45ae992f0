"""What was found, by kind of question: figures, their intervals, and the lead over each rival."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from biorag.evaluation.collections import REPORTED_APART, Asked, Collection, overall_name
from biorag.evaluation.measure import Measurement
from biorag.evaluation.metrics import (
    HEADLINE,
    MEASURES,
    FloatArray,
    bootstrap_means,
    figures,
    interval,
)
from biorag.evaluation.systems import BIORAG

DECIMALS = 6  # finer than any question can move a mean, coarser than a sum's rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean over questions and the middle 95 % of its bootstrap distribution."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The figures of one kind of question.

    Attributes:
        means: System to measure to mean.
        intervals: System to headline measure to its estimate.
        leads: Rival to headline measure to biorag's figure minus the rival's, question by question.
    """

    category: str
    questions: int
    means: Mapping[str, Mapping[str, float]]
    intervals: Mapping[str, Mapping[str, Estimate]]
    leads: Mapping[str, Mapping[str, Estimate]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Figures that belong under one heading.

    Attributes:
        groups: Categories by name, then all of them together, then what is reported apart.
        unlabelled: Questions that no document of the part answers; they are in no figure.
        silent: System to how many of the unlabelled it rightly left without an answer.
        silent_answerable: System to how many of the others it left without an answer.
    """

    name: str
    groups: tuple[Group, ...]
    unlabelled: int
    silent: Mapping[str, int]
    silent_answerable: Mapping[str, int]


def quality_of(
    collections: Sequence[Collection], measurements: Sequence[Measurement]
) -> tuple[Part, ...]:
    """The figures of every part and, where there are several parts, of the whole."""
    by_part: dict[str, list[Asked]] = {}
    for collection in collections:
        by_part.setdefault(collection.part, []).extend(collection.questions)
    parts = [_part(name, asked, measurements) for name, asked in by_part.items()]
    if len(parts) > 1:
        everything = [asked for questions in by_part.values() for asked in questions]
        parts.append(_part("all", everything, measurements))
    return tuple(parts)


def _part(name: str, asked: Sequence[Asked], measurements: Sequence[Measurement]) -> Part:
    labelled = [question for question in asked if question.grades]
    unlabelled = [question for question in asked if not question.grades]
    categories = sorted({question.category for question in labelled})
    inside = [category for category in categories if category not in REPORTED_APART]
    apart = [category for category in categories if category in REPORTED_APART]

    def group(category: str, members: Sequence[str]) -> Group:
        return _group(category, [q for q in labelled if q.category in members], measurements)

    groups = [group(category, [category]) for category in inside] if len(inside) > 1 else []
    if inside:
        groups.append(group(overall_name(categories), inside))
    groups.extend(group(category, [category]) for category in apart)
    return Part(
        name=name,
        groups=tuple(groups),
        unlabelled=len(unlabelled),
        silent={m.system: _silent(m, unlabelled) for m in measurements},
        silent_answerable={m.system: _silent(m, labelled) for m in measurements},
    )


def _silent(measurement: Measurement, questions: Sequence[Asked]) -> int:
    return sum(not measurement.rankings[question.key] for question in questions)


def _group(category: str, questions: Sequence[Asked], measurements: Sequence[Measurement]) -> Group:
    systems = [measurement.system for measurement in measurements]
    values = {m.system: figures(questions, m.rankings) for m in measurements}
    columns = [values[system][measure] for system in systems for measure in HEADLINE]
    drawn = bootstrap_means(np.column_stack(columns))
    column = {
        (system, measure): place
        for place, (system, measure) in enumerate(
            (system, measure) for system in systems for measure in HEADLINE
        )
    }

    def estimate(system: str, measure: str) -> Estimate:
        return _estimate(values[system][measure].mean(), drawn[:, column[system, measure]])

    def lead(rival: str, measure: str) -> Estimate:
        ahead = (values[BIORAG][measure] - values[rival][measure]).mean()
        return _estimate(
            ahead, drawn[:, column[BIORAG, measure]] - drawn[:, column[rival, measure]]
        )

    rivals = [system for system in systems if system != BIORAG] if BIORAG in systems else []
    return Group(
        category=category,
        questions=len(questions),
        means={
            system: {name: _rounded(values[system][name].mean()) for name in MEASURES}
            for system in systems
        },
        intervals={
            system: {name: estimate(system, name) for name in HEADLINE} for system in systems
        },
        leads={rival: {name: lead(rival, name) for name in HEADLINE} for rival in rivals},
    )


def _estimate(mean: np.floating | float, means: FloatArray) -> Estimate:
    low, high = interval(means)
    return Estimate(mean=_rounded(mean), low=_rounded(low), high=_rounded(high))


def _rounded(value: np.floating | float) -> float:
    return round(float(value), DECIMALS) + 0.0  # adding 0 turns a negative zero into zero
