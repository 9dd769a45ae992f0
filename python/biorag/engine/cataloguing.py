"""The part of the facade that tells what the store sorts its memories by."""

from __future__ import annotations

from biorag.catalogue import AXIS_DESCRIPTIONS, CATEGORIES, Axis, AxisValue, Category
from biorag.engine.bound import Bound
from biorag.storage.axis_values import axes, axis_values
from biorag.storage.statistics import memories_by_category


class Cataloguing(Bound):
    """Categories, axes and values; nothing here writes."""

    def categories(self) -> tuple[Category, ...]:
        """The original's categories, then those that the store has besides, by name."""
        counts = memories_by_category(self._store.reading())
        names = (*CATEGORIES, *sorted(counts.keys() - CATEGORIES.keys()))
        return tuple(
            Category(
                id=number,
                name=name,
                description=CATEGORIES.get(name, ""),
                memories=counts.get(name, 0),
            )
            for number, name in enumerate(names, start=1)
        )

    def axes(self) -> tuple[Axis, ...]:
        """The semantic axes with all their values, in catalogue order."""
        with self._store.snapshot() as connection:
            held: dict[str, list[AxisValue]] = {}
            for value in axis_values(connection):
                held.setdefault(value.axis, []).append(value)
            return tuple(
                Axis(
                    id=number,
                    name=name,
                    description=AXIS_DESCRIPTIONS.get(name, ""),
                    values=tuple(held.get(name, ())),
                )
                for number, name in axes(connection)
            )
