"""How a command says what it came to, and the groups that commands stand in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from uuid import UUID

import pytest
import typer

from lineage_core.command_line.groups import CommandGroup, Panel, commands_of
from lineage_core.command_line.results import csv_text, json_text, show

ID = UUID("00000000-0000-0000-0000-000000000001")
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    id: UUID
    at: datetime | None


@dataclass(frozen=True)
class Outer:
    name: str
    inner: tuple[Inner, ...]
    colour: Colour = Colour.RED


FOUND = Outer("a", (Inner(ID, NOON), Inner(ID, None)))


def test_one_json_value_is_printed_in_the_order_of_its_members(capsys: pytest.CaptureFixture[str]) -> None:
    show({"found": [FOUND]}, ["for people"], as_json=True)
    written = capsys.readouterr().out
    inner = f'[{{"id": "{ID}", "at": "2026-01-02T12:00:00+00:00"}}, {{"id": "{ID}", "at": null}}]'
    assert written == f'{{"found": [{{"name": "a", "inner": {inner}, "colour": "red"}}]}}\n'


@pytest.mark.parametrize(
    ("time", "written"),
    [
        (timedelta(minutes=5), "PT300S"),
        (timedelta(days=400), "PT34560000S"),
        (timedelta(microseconds=1), "PT0.000001S"),
        (-timedelta(seconds=1.5), "-PT1.5S"),
        (timedelta(0), "PT0S"),
    ],
)
def test_how_long_something_took_is_in_seconds_by_iso_8601(time: timedelta, written: str) -> None:
    assert json_text({"took": time}) == f'{{"took": "{written}"}}'


def test_lines_are_printed_and_cannot_control_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Nor does a line break in a name begin a line."""
    show(FOUND, ["a\x1b[31m", "job x\n0 broken"], as_json=False)
    assert capsys.readouterr().out == "a\\x1b[31m\njob x\\n0 broken\n"


def test_lines_are_not_made_where_json_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    def lines() -> list[str]:
        raise AssertionError

    show(1, (line for _ in [0] for line in lines()), as_json=True)
    assert capsys.readouterr().out == "1\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (NOON, "2026-01-02T12:00:00+00:00"),
        (date(2026, 1, 2), "2026-01-02"),
        (Path("/a/b"), "/a/b"),
        (Colour.RED, "red"),
        (None, None),
    ],
)
def test_values_are_written_as_texts(value: object, text: str | None) -> None:
    assert json.loads(json_text([value])) == [text]


def test_a_command_may_write_times_in_its_own_way() -> None:
    assert json.loads(json_text(FOUND, str))["inner"][0]["at"] == "2026-01-02 12:00:00+00:00"


def test_a_group_is_made_once_and_keeps_what_was_added() -> None:
    application = typer.Typer()
    group = CommandGroup("animals", "Animals.", Panel.READ)
    first, second = commands_of(application, group), commands_of(application, group)
    assert first is second
    assert [(made.name, made.help, made.rich_help_panel) for made in application.registered_groups] == [
        ("animals", "Animals.", Panel.READ)
    ]
    assert commands_of(first, group) is not first


def test_csv_has_how_long_something_took_as_spreadsheets_read_it() -> None:
    assert csv_text(["run", "took"], [[1, timedelta(minutes=5)], [2, None]]).split() == ["run,took", "1,0:05:00", "2,"]
