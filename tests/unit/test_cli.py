"""The command line: exit codes, and what goes where."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from lineage_core import cli, render
from lineage_core.cli.application import EXAMPLES, _first_word, _leave_only, application
from lineage_core.command_line.groups import Panel
from lineage_core.errors import LineageError, NeedsOperator, StoreUnavailable, WrongUsage
from lineage_core.ingest import ingestion as ingest
from lineage_core.operate import whole_store
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT

DSN = "postgresql://somebody@nowhere/lineage"


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEAGE_DSN", DSN)


def _exit_code(*arguments: str) -> object:
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    return ended.value.code


def test_a_command_that_is_done_exits_0_and_gives_its_advice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    upgraded: list[tuple[Store, str | None, bool]] = []

    def upgrade(database: Store, prefix: str | None, *, with_old_mapping: bool) -> list[str]:
        upgraded.append((database, prefix, with_old_mapping))
        return ["The owner should know."]

    monkeypatch.setattr(whole_store, "upgrade", upgrade)
    assert _exit_code("db", "upgrade", "--role-prefix", "sales_") == 0
    assert _exit_code("db", "upgrade", "--with-old-mapping") == 0
    assert [(store.dsn, *options) for store, *options in upgraded] == [(DSN, "sales_", False), (DSN, None, True)]
    assert all(store.person for store, *_ in upgraded), "acts are recorded with who is at the machine"
    assert capsys.readouterr().err == "The owner should know.\n" * 2


def test_a_store_that_was_just_made_is_not_up_to_date_but_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for sentences, last in (
        (["The store is made.", "Mind this."], "The store is made."),
        ([], "The store is up to date."),
    ):
        monkeypatch.setattr(whole_store, "upgrade", lambda *_, found=sentences, **__: found)
        assert _exit_code("db", "upgrade") == 0
        written = capsys.readouterr()
        assert written.out == f"{last}\n"
        assert last not in written.err


@pytest.mark.parametrize(("variable", "used"), [("LINEAGE_INGEST_DSN", "postgresql://loader@x/y"), ("OTHER", DSN)])
def test_events_are_added_by_the_login_for_them(
    monkeypatch: pytest.MonkeyPatch, variable: str, used: str, tmp_path: Path
) -> None:
    def store_nothing(database: Store, *_: object) -> ingest.IngestOutcome:
        connected.append(database.dsn)
        return ingest.IngestOutcome(files=0, events=0, quarantined=0, seconds=0.0)

    connected: list[str] = []
    monkeypatch.setenv(variable, "postgresql://loader@x/y")
    monkeypatch.setattr(ingest, "ingest", store_nothing)
    assert _exit_code("ingest", str(tmp_path)) == 0
    assert connected == [used]


@pytest.mark.parametrize("arguments", [["sail"], ["db", "sail"], ["db", "check", "--sail"]])
def test_wrong_usage_exits_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert _exit_code(*arguments) == 2
    assert "sail" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"),
    [(WrongUsage("w"), 2), (NeedsOperator("n"), 1), (StoreUnavailable("s"), 1), (LineageError("l"), 1)],
)
def test_an_error_of_ours_is_one_line_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: LineageError, code: int
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(whole_store, "upgrade", fail)
    assert _exit_code("db", "upgrade") == code
    assert capsys.readouterr() == ("", f"lineage: {error}\n")


@pytest.mark.parametrize(
    ("error", "code"),
    [(WrongUsage("w"), 2), (NeedsOperator("n"), 3), (StoreUnavailable("s"), 75), (LineageError("l"), 1)],
)
def test_a_job_that_airflow_submits_exits_with_the_kind_of_its_error(
    monkeypatch: pytest.MonkeyPatch, error: LineageError, code: int
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(whole_store, "upgrade", fail)
    with pytest.raises(SystemExit) as ended:
        cli.main_of_job(["db", "upgrade"])
    assert ended.value.code == code


def test_a_check_that_finds_nothing_exits_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_store, "differences", lambda _dsn: [])
    assert _exit_code("db", "check") == 0


def test_a_check_lists_the_differences_and_exits_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(whole_store, "differences", lambda _dsn: ["table jobs is missing", "index x is missing"])
    monkeypatch.setattr(whole_store, "what_helps", lambda _dsn: "It helps to wait")
    assert _exit_code("db", "check") == 1
    written = capsys.readouterr()
    assert written.out == "table jobs is missing\nindex x is missing\n"
    assert "Differences from the declarations: 2. It helps to wait" in written.err


def test_stale_renderings_are_named_and_exit_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(render, "stale", lambda _project: ["model/sql/merge.sql"])
    assert _exit_code("sql", "--check") == 1
    assert "model/sql/merge.sql" in capsys.readouterr().err


def test_no_arguments_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert _exit_code() == 2
    written = capsys.readouterr()
    assert "db" in written.out + written.err


def _help(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert _exit_code(*command, "--help") == 0
    return capsys.readouterr().out


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert _exit_code("--version") == 0
    declared = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["version"]
    assert capsys.readouterr().out == f"lineage {declared}\n"


def test_help_begins_with_what_people_do_first(capsys: pytest.CaptureFixture[str]) -> None:
    shown = _help(capsys)
    panels = [shown.index(f" {panel} ") for panel in Panel]
    commands = [shown.index(f"│ {name} ") for name in ("db", "ingest", "normalize", "doctor", "facets", "sql")]
    assert panels == sorted(panels)
    assert commands == sorted(commands)
    assert panels[0] < commands[0] < panels[1]


def test_each_command_names_a_panel_of_the_help() -> None:
    command: Any = typer.main.get_command(application())
    without = [name for name, inner in command.commands.items() if not isinstance(inner.rich_help_panel, Panel)]
    assert without == []


def test_the_examples_of_the_help_are_shown_and_can_be_parsed(capsys: pytest.CaptureFixture[str]) -> None:
    shown = _help(capsys)
    for example in EXAMPLES:
        assert example in shown
        command: Any = typer.main.get_command(application())
        words = example.split()[1:]
        while words and words[0] in getattr(command, "commands", {}):
            command = command.commands[words.pop(0)]
        assert not getattr(command, "commands", {}), f"{example} names no command"
        command.make_context(example, words)


def _commands(command: Any, *path: str) -> Iterator[tuple[str, Any]]:
    yield " ".join(path), command
    for word, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, *path, word)


EVERY_COMMAND = dict(_commands(typer.main.get_command(application()), "lineage"))


def test_the_first_sentences_of_a_command_stand_in_one_line() -> None:
    """The list of its group has them, and breaks them where the docstring does."""
    shown = {name: (command.help or "").strip().partition("\n\n")[0] for name, command in EVERY_COMMAND.items()}
    assert {name: text for name, text in shown.items() if "\n" in text or not text.endswith(".")} == {}


def test_each_argument_and_option_says_what_it_is() -> None:
    silent = [
        f"{name} {parameter.name}"
        for name, command in EVERY_COMMAND.items()
        for parameter in command.params
        if not getattr(parameter, "hidden", False) and not (getattr(parameter, "help", None) or "").endswith(".")
    ]
    assert silent == []


def test_the_word_for_a_value_has_no_marks_that_the_usage_adds() -> None:
    """How often an argument may be given, click says itself."""
    marked = [
        f"{name} {parameter.metavar}"
        for name, command in EVERY_COMMAND.items()
        for parameter in command.params
        if parameter.param_type_name == "argument" and re.search(r"[\[\]{}]|\.\.\.", parameter.metavar or "")
    ]
    assert marked == []


@pytest.mark.parametrize("command", [(), ("normalize",), ("db", "clean"), ("stream", "readers", "list")])
def test_a_flag_is_shown_without_a_type(capsys: pytest.CaptureFixture[str], command: tuple[str, ...]) -> None:
    shown = _help(capsys, *command)
    assert "--help" in shown
    assert "bool" not in shown


@pytest.mark.parametrize("command", [("ingest",), ("normalize",), ("explain",), ("retention", "hold", "add")])
def test_a_value_is_shown_by_a_word_and_not_by_a_type_of_python(
    capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    shown = _help(capsys, *command)
    assert re.findall(r"<(?:str|int|float|list|path)\b[^>]*>", shown) == []


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["graph", "dataset", "a"], "graph"),
        (["--store", "graph", "search", "a"], "search"),
        (["--store=graph", "db", "check"], "db"),
        (["--help", "db"], None),
        (["--store", "a", "--help"], None),
        (["--store"], None),
        ([], None),
    ],
)
def test_the_first_word_names_the_command_that_is_read(arguments: list[str], word: str | None) -> None:
    assert _first_word(arguments) == word


@pytest.mark.parametrize("word", ["graph", "class-archive", "status"])
def test_a_command_is_the_same_where_no_other_is_read(word: str) -> None:
    made = application()
    _leave_only(made, word)
    command: Any = typer.main.get_command(made)
    whole: Any = typer.main.get_command(application())
    assert command.commands.keys() == {word}
    assert [one.name for one in command.commands[word].params] == [one.name for one in whole.commands[word].params]


def test_where_no_command_is_meant_all_are_there() -> None:
    for word in (None, "", "grph"):
        made = application()
        _leave_only(made, word)
        command: Any = typer.main.get_command(made)
        assert {"graph", "status", "db"} <= command.commands.keys()
