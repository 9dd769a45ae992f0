"""Days as people and agents write them, to moments: `2026-03-04`, `ayer`, full ISO 8601."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from biorag.errors import InvalidInputError

# Far enough from the ends of the calendar for any offset to be added.
FIRST_YEAR, LAST_YEAR = 1900, 9998

_DAYS_BACK = {"hoy": 0, "today": 0, "ayer": 1, "yesterday": 1}


def start_of(field: str, text: str, *, now: float) -> datetime:
    """The first moment of a day, or the exact moment that `text` names; aware.

    A time without an offset is the user's local time, since that is what a person means by a day.

    Raises:
        InvalidInputError: `text` is neither a day nor a time.
    """
    day = _day(field, text, now)
    return _midnight(day) if day is not None else _moment(field, text)


def end_of(field: str, text: str, *, now: float) -> datetime:
    """The last moment of a day, or the exact moment that `text` names; aware.

    Raises:
        InvalidInputError: `text` is neither a day nor a time.
    """
    day = _day(field, text, now)
    if day is None:
        return _moment(field, text)
    # From the next midnight, not 24 hours on: a day on which the clocks change is not that long.
    return _midnight(day + timedelta(days=1)) - timedelta(microseconds=1)


def _day(field: str, text: str, now: float) -> date | None:
    word = text.strip().lower()
    if word in _DAYS_BACK:
        return datetime.fromtimestamp(now).astimezone().date() - timedelta(days=_DAYS_BACK[word])
    try:
        day = date.fromisoformat(word)
    except ValueError:
        return None
    _check_year(field, text, day.year)
    return day


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min).astimezone()


def _moment(field: str, text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        rule = "expected a day as YYYY-MM-DD, hoy, ayer, or an ISO 8601 time"
        raise InvalidInputError(field, text, rule) from error
    _check_year(field, text, moment.year)
    return moment if moment.tzinfo is not None else moment.astimezone()


def _check_year(field: str, text: str, year: int) -> None:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise InvalidInputError(field, text, f"expected a year from {FIRST_YEAR} to {LAST_YEAR}")
