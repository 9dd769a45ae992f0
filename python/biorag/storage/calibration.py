"""The one row that says from which certainty on the store answers."""

from __future__ import annotations

import json
import sqlite3

from biorag.model import Calibration

_COLUMNS = (
    "umbral_conforme, umbral_directo, alpha, alpha_pedido, alpha_a_mano, n_negativos, n_positivos,"
    " n_nodos_corpus, a_platt, b_platt, metodo, rango_negativos, fecha_calibracion"
)
_READ = f"SELECT {_COLUMNS} FROM calibracion_estado WHERE id = 1"
_WRITE = (
    f"INSERT OR REPLACE INTO calibracion_estado (id, {_COLUMNS})"
    " VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_STAMP = "SELECT fecha_calibracion, umbral_conforme, alpha_pedido FROM calibracion_estado"

Stamp = tuple[float, float, float]
"""Tells one calibration of a store from another."""


def calibration_stamp(connection: sqlite3.Connection) -> Stamp | None:
    """What tells the kept calibration from others; `None` when there is none."""
    stamp: Stamp | None = connection.execute(_STAMP).fetchone()
    return stamp


def read_calibration(connection: sqlite3.Connection) -> Calibration | None:
    """What the store was calibrated to; `None` when it was not."""
    row = connection.execute(_READ).fetchone()
    if row is None:
        return None
    kinds = json.loads(row[11])
    return Calibration(
        abstain_at=row[0],
        direct_above=row[1],
        alpha=row[2],
        requested_alpha=row[3],
        by_hand=bool(row[4]),
        answerable=row[6],
        memories=row[7],
        slope=row[8],
        intercept=row[9],
        method=row[10],
        near=kinds["near"],
        wide=kinds["wide"],
        foreign=kinds["foreign"],
        calibrated_at=row[12],
    )


def write_calibration(connection: sqlite3.Connection, calibration: Calibration) -> None:
    """Keep a calibration in place of the one before."""
    kinds = {
        "near": calibration.near,
        "wide": calibration.wide,
        "foreign": calibration.foreign,
    }
    connection.execute(
        _WRITE,
        (
            calibration.abstain_at,
            calibration.direct_above,
            calibration.alpha,
            calibration.requested_alpha,
            int(calibration.by_hand),
            sum(kinds.values()),
            calibration.answerable,
            calibration.memories,
            calibration.slope,
            calibration.intercept,
            calibration.method,
            json.dumps(kinds),
            calibration.calibrated_at,
        ),
    )
