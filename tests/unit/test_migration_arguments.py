"""What the form of the DAG becomes on the command line, and the settings that it may give."""

from __future__ import annotations

import runpy
import sys
from dataclasses import asdict
from typing import Any

import pytest

from lineage_core import cli
from lineage_core.airflow.job_arguments import COMMANDS, SETTINGS, migration_arguments
from lineage_core.errors import WrongUsage
from lineage_core.long_migrations import command as commands
from lineage_core.long_migrations.decisions.settings import DEFAULTS, changed, changed_as_json, from_json
from lineage_core.settings import PROJECT


def params(command: str = "run", setting: str | None = None, value: str | None = None) -> dict[str, Any]:
    return {"command": command, "workers": 2, "setting": setting, "value": value}


def test_an_untouched_form_runs_the_migration() -> None:
    assert migration_arguments(params()) == ["run", "--workers", "2"]


def test_a_setting_goes_with_its_value() -> None:
    assert migration_arguments(params("set", "nice", "1")) == ["set", "nice", "1"]
    assert migration_arguments(params("set", "hold_query")) == ["set", "hold_query", ""]


@pytest.mark.parametrize(
    "value", ["SELECT 1", "COMMIT;", "1;1", "a b", "(1)", "'x'", "a\n", "-- x", "x" * 64, "select\t1", "véritable"]
)
def test_no_statement_fits_into_the_form(value: str) -> None:
    with pytest.raises(WrongUsage, match="the name of a stored query"):
        migration_arguments(params("set", "hold_query", value))


def test_every_value_that_a_setting_can_have_fits_into_the_form() -> None:
    for name, value in asdict(DEFAULTS).items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        assert migration_arguments(params("set", name, text)) == ["set", name, text]
        assert name in SETTINGS


@pytest.mark.parametrize("command", [command for command in COMMANDS if command not in ("run", "set")])
def test_a_plain_command_goes_alone(command: str) -> None:
    assert migration_arguments(params(command)) == [command]


@pytest.mark.parametrize(("command", "setting"), [("run", "nice"), ("set", None)])
def test_a_setting_without_set_and_set_without_a_setting_are_refused(command: str, setting: str | None) -> None:
    with pytest.raises(WrongUsage, match="belong"):
        migration_arguments(params(command, setting, "1"))


def test_the_form_offers_every_command() -> None:
    known = {name for name in COMMANDS if name != "set"} | {"change"}
    assert all(hasattr(commands, name) for name in known)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("target_seconds", "0.5", 0.5),
        ("largest_rows", "7", 7),
        ("waits_for_vacuum", "false", False),
        ("nice", "0", 0.0),
    ],
)
def test_a_setting_is_read_as_what_it_is(name: str, text: str, value: object) -> None:
    assert getattr(changed(DEFAULTS, name, text), name) == value
    assert from_json(changed_as_json(changed(DEFAULTS, name, text))) == changed(DEFAULTS, name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("speed", "1"),
        ("target_seconds", "soon"),
        ("target_seconds", "0"),
        ("largest_rows", "-1"),
        ("nice", "nan"),
        ("nice", "inf"),
        ("waits_for_vacuum", "1"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(name: str, text: str) -> None:
    with pytest.raises(WrongUsage):
        changed(DEFAULTS, name, text)


def test_only_what_differs_from_the_defaults_is_kept() -> None:
    assert changed_as_json(changed(DEFAULTS, "nice", "0.5")) == {"nice": 0.5}
    assert from_json({"gone": 1}) == DEFAULTS


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], ["run", "--on-submitted-spark"]),
        (["facets"], ["run", "facets", "--on-submitted-spark"]),
        (["facets", "run", "--workers", "2"], ["run", "facets", "--on-submitted-spark", "--workers", "2"]),
        (["schema-versions", "set", "nice", "1"], ["set", "schema-versions", "nice", "1"]),
    ],
)
def test_the_job_names_its_migration_on_the_command_line(
    monkeypatch: pytest.MonkeyPatch, given: list[str], words: list[str]
) -> None:
    run = list[list[str]]()
    monkeypatch.setattr(cli, "main_of_job", run.append)
    monkeypatch.setattr(sys, "argv", ["migrate.py", *given])
    runpy.run_path(str(PROJECT / "spark_jobs" / "migrate.py"), run_name="__main__")
    assert run == [["migration", *words]]
