"""Points in time: what is one, and that none loses or gains time on its way."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core.errors import RejectedEvent
from lineage_core.openlineage.instants import java_zoned_text, parse_instant

NOON = int(datetime(2026, 1, 1, 12, tzinfo=UTC).timestamp()) * 1_000_000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECOND = 1_000_000

ZONES = st.integers(-18 * 60, 18 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(datetime.fromisoformat("0001-01-02"), datetime.fromisoformat("9999-12-30"), timezones=ZONES)


def parsed(text: str) -> int:
    return parse_instant(text, "$")


@given(moment=MOMENTS)
def test_every_moment_comes_out_as_it_was_written(moment: datetime) -> None:
    assert parsed(moment.isoformat()) == (moment - EPOCH) // timedelta(microseconds=1)


@given(moment=MOMENTS)
def test_times_sort_as_moments_do(moment: datetime) -> None:
    assert parsed(moment.isoformat()) < parsed((moment + timedelta(microseconds=1)).isoformat())


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-01T12:00:00Z",
        "2026-01-01T12:00:00z",
        "2026-01-01t12:00:00Z",
        "2026-01-01 12:00:00+00:00",
        "2026-01-01T12:00Z",
        "2026-01-01T13:30:00+01:30",
        "2026-01-01T13:30:00+0130",
        "2026-01-01T11:00:00-01",
        "2026-01-01T12:00:00.000000000Z",
        "2026-01-01T12:00:00,0Z",
        " 2026-01-01T12:00:00Z\n",
        "2025-12-31T23:00:00-13:00",
    ],
)
def test_one_moment_has_many_spellings(text: str) -> None:
    assert parsed(text) == NOON


def test_without_a_zone_it_is_utc() -> None:
    assert parsed("2026-01-01T12:00:00") == parsed("2026-01-01T12:00") == NOON


@pytest.mark.parametrize(
    ("fraction", "microseconds"),
    [
        ("5", 500_000),
        ("000001", 1),
        ("0000004", 0),
        ("0000005", 1),
        ("0000014999", 1),
        ("123456789", 123_457),
        ("9999995", SECOND),
    ],
)
def test_digits_beyond_six_round_half_up(fraction: str, microseconds: int) -> None:
    assert parsed(f"2026-01-01T12:00:00.{fraction}Z") == NOON + microseconds


def test_before_1970_fractions_still_go_forward() -> None:
    assert parsed("1969-12-31T23:59:59.25Z") == -750_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-02-30T00:00:00Z",
        "2025-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-01-01T24:00:01Z",
        "2026-01-01T12:60:00Z",
        "2026-01-01T12:00:60Z",
        "2026-01-01",
        "2026-01-01T",
        "2026-01-01T12Z",
        "2026-01-01T12:00.5Z",
        "2026-01-01T12:00:00.Z",
        "2026-01-01T12:00:00 Z",
        "2026-01-01T12:00:00+25:00",
        "2026-01-01T12:00:00[Europe/Berlin]",
        "20260101T120000Z",
        "2026-001T12:00:00Z",
        "02026-01-01T12:00:00Z",
        "0000-01-01T00:00:00Z",
        "1767268800",
        "２０２６-01-01T12:00:00Z",
    ],
)
def test_what_is_no_point_in_time_is_refused_at_its_place(text: str) -> None:
    with pytest.raises(RejectedEvent) as caught:
        parse_instant(text, "$.eventTime")
    assert caught.value.path == "$.eventTime"


@pytest.mark.parametrize(
    "text",
    ["9999-12-31T23:59:59.9999995Z", "9999-12-31T23:59:59-00:01", "0001-01-01T00:00:00+00:01"],
)
def test_outside_of_the_years_1_to_9999_nothing_is_taken(text: str) -> None:
    """Postgres would, but neither Python nor JSON's readers could read it back."""
    with pytest.raises(RejectedEvent, match="years 1 to 9999"):
        parsed(text)


def test_the_first_and_the_last_moment_are_taken() -> None:
    assert parsed("0001-01-01T00:00:00Z") < 0 < parsed("9999-12-31T23:59:59.999999Z")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00Z"),
        ("2026-01-01T00:00:01Z", "2026-01-01T00:00:01Z"),
        ("2026-01-01T02:30:00+02:30", "2026-01-01T00:00Z"),
        ("2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.500Z"),
        ("2026-01-01T00:00:00.000250Z", "2026-01-01T00:00:00.000250Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
    ],
)
def test_java_leaves_out_what_is_zero(text: str, written: str) -> None:
    assert java_zoned_text(text, "$") == written
