"""Days as a person means them: local, whole, also when the clocks change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from biorag.errors import InvalidInputError
from biorag.service.dates import end_of, start_of

ZONES = ["UTC", "America/Bogota", "Asia/Kolkata", "Pacific/Kiritimati", "Europe/Madrid"]
# Half past eleven at night in any of the zones is another day in UTC for most of them.
LATE = (2026, 3, 4, 23, 30)


@pytest.fixture
def in_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ZoneInfo]]:
    def enter(name: str) -> ZoneInfo:
        monkeypatch.setenv("TZ", name)
        time.tzset()
        return ZoneInfo(name)

    yield enter
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("name", ZONES)
@pytest.mark.parametrize("word", ["hoy", "today", "2026-03-04", " HOY "])
def test_today_is_the_local_day(in_zone: Callable[[str], ZoneInfo], name: str, word: str) -> None:
    zone = in_zone(name)
    now = datetime(*LATE, tzinfo=zone)
    assert start_of("desde", word, now=now.timestamp()) == datetime(2026, 3, 4, tzinfo=zone)
    last = datetime(2026, 3, 4, 23, 59, 59, 999_999, tzinfo=zone)
    assert end_of("hasta", word, now=now.timestamp()) == last


@pytest.mark.parametrize("name", ZONES)
@pytest.mark.parametrize("clock", [(0, 10), (23, 50)])
def test_yesterday_is_the_same_as_its_date(
    in_zone: Callable[[str], ZoneInfo], name: str, clock: tuple[int, int]
) -> None:
    now = datetime(2026, 3, 4, *clock, tzinfo=in_zone(name)).timestamp()
    assert start_of("desde", "ayer", now=now) == start_of("desde", "2026-03-03", now=now)
    assert end_of("hasta", "yesterday", now=now) == end_of("hasta", "2026-03-03", now=now)


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25)])
def test_a_day_on_which_the_clocks_change_is_whole(
    in_zone: Callable[[str], ZoneInfo], day: str, hours: int
) -> None:
    in_zone("Europe/Madrid")
    first, last = start_of("desde", day, now=0.0), end_of("hasta", day, now=0.0)
    assert last - first == timedelta(hours=hours) - timedelta(microseconds=1)


def test_a_time_with_an_offset_is_that_moment() -> None:
    found = start_of("desde", "2026-03-04T07:15:00+02:00", now=0.0)
    assert found == datetime(2026, 3, 4, 5, 15, tzinfo=UTC)


def test_a_time_without_an_offset_is_local(in_zone: Callable[[str], ZoneInfo]) -> None:
    zone = in_zone("Asia/Kolkata")
    found = end_of("hasta", "2026-03-04T07:15:00", now=0.0)
    assert found == datetime(2026, 3, 4, 7, 15, tzinfo=zone)


@pytest.mark.parametrize(
    "text", ["", "mañana", "04/03/2026", "2026-13-01", "0001-01-01", "9999-12-31"]
)
@pytest.mark.parametrize("read", [start_of, end_of])
def test_what_is_no_day_is_refused(read: Callable[..., datetime], text: str) -> None:
    with pytest.raises(InvalidInputError, match="expected a"):
        read("desde", text, now=0.0)
