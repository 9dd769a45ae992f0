"""Where the thresholds of abstention are kept; the names are the original system's."""

from __future__ import annotations

import sqlite3

# umbral_conforme: abstain at this certainty or below. umbral_directo: answer above it.
# rango_negativos: the kinds of negatives that alpha refers to, and how many of each, as JSON.
TABLE = """CREATE TABLE calibracion_estado (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    umbral_conforme REAL NOT NULL,
    umbral_directo REAL NOT NULL,
    alpha REAL NOT NULL,
    alpha_pedido REAL NOT NULL,
    alpha_a_mano INTEGER NOT NULL CHECK (alpha_a_mano IN (0, 1)),
    n_negativos INTEGER NOT NULL,
    n_positivos INTEGER NOT NULL,
    n_nodos_corpus INTEGER NOT NULL,
    a_platt REAL NOT NULL,
    b_platt REAL NOT NULL,
    metodo TEXT NOT NULL,
    rango_negativos TEXT NOT NULL,
    fecha_calibracion REAL NOT NULL
) STRICT"""


def create(connection: sqlite3.Connection) -> None:
    """Create the table."""
    connection.execute(TABLE)
