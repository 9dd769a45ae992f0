"""Where a user's memory lies when no path is given."""

from __future__ import annotations

from pathlib import Path


def default_path() -> Path:
    """`memory.db` in the user's data folder, as the system names it.

    Never beside the package, where an upgrade would take it away.
    """
    # Imported here because most callers name their path.
    from platformdirs import user_data_path

    return user_data_path("biorag", appauthor=False) / "memory.db"


def index_file(store: Path) -> Path:
    """Where the ranked index of a store is saved."""
    return store.with_name(f"{store.name}-index")
