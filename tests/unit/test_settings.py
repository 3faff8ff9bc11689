"""What a run takes from its surroundings: a setting that is lost, or half given, is refused aloud."""

from __future__ import annotations

import os
import pickle
import pwd
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from lineage_core import settings as module
from lineage_core.cli import main
from lineage_core.errors import WrongUsage
from lineage_core.local import java
from lineage_core.local.home import made_home
from lineage_core.settings import PROJECT, Dsn, ProjectSettings, export, inherited_environment

STORE, LOADER = "postgresql://me@127.0.0.1:1/store", "postgresql://loader@127.0.0.1:1/store"
READ = set(re.findall(r'environ\.get\("(\w+)"', (PROJECT / "src" / "lineage_core" / "settings.py").read_text()))


def lineage(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[object, str]:
    """Exit code and standard error of a command."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code, capsys.readouterr().err


@pytest.fixture
def in_the_way(tmp_path: Path) -> Path:
    """What no home can be made of, so that no embedded server is started either."""
    (tmp_path / "file").write_text("not a folder")
    return tmp_path / "file"


def test_nothing_set_means_the_embedded_database_below_the_project() -> None:
    settings = ProjectSettings.from_environment()
    assert (settings.dsn, settings.ingest_dsn, settings.home) == (None, None, PROJECT / ".lineage")


def test_an_installation_of_a_user_without_home_asks_for_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_IS_INSTALLED", True)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", dict[int, pwd.struct_passwd]().__getitem__)
    with pytest.raises(WrongUsage, match="LINEAGE_HOME"):
        ProjectSettings.from_environment()


@pytest.mark.parametrize("value", ["", " ", "\n"])
@pytest.mark.parametrize("name", sorted(READ))
@pytest.mark.parametrize("command", [["normalize"], ["ingest", "."], ["db", "check"], ["quarantine", "list"]])
def test_a_setting_that_is_there_but_empty_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    in_the_way: Path,
    name: str,
    value: str,
    command: list[str],
) -> None:
    """It is what a secret that was lost leaves behind: to fall back would be to write elsewhere."""
    monkeypatch.setenv("LINEAGE_DSN", STORE)
    monkeypatch.setenv("LINEAGE_INGEST_DSN", LOADER)
    monkeypatch.setenv("LINEAGE_HOME", str(in_the_way))
    monkeypatch.setenv(name, value)
    code, printed = lineage(*command, capsys=capsys)
    assert (code, printed.count("\n")) == (2, 1)
    assert printed.startswith(f"lineage: {name} is set, but empty")


@pytest.mark.parametrize("command", [["normalize"], ["ingest", "."], ["quarantine", "list"]])
def test_a_login_for_events_alone_is_refused_as_all_else_would_work_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], in_the_way: Path, command: list[str]
) -> None:
    monkeypatch.setenv("LINEAGE_HOME", str(in_the_way))
    monkeypatch.setenv("LINEAGE_INGEST_DSN", LOADER)
    code, printed = lineage(*command, capsys=capsys)
    assert (code, printed.count("\n")) == (2, 1)
    assert "LINEAGE_INGEST_DSN is set, but LINEAGE_DSN is not" in printed


def test_each_login_knows_which_setting_it_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEAGE_DSN", STORE)
    assert ProjectSettings.from_environment().ingest_dsn == STORE
    monkeypatch.setenv("LINEAGE_INGEST_DSN", LOADER)
    settings = ProjectSettings.from_environment()
    assert (settings.dsn, settings.ingest_dsn) == (STORE, LOADER)
    for store, name in ((settings.dsn, "LINEAGE_DSN"), (settings.ingest_dsn, "LINEAGE_INGEST_DSN")):
        assert isinstance(store, Dsn)
        assert store.setting == name
        assert pickle.loads(pickle.dumps(store)).setting == name


@pytest.mark.parametrize(
    ("dsn", "fault"),
    [
        (STORE, "Connection refused"),
        ("postgresql://me@127.0.0.1:x/store", "port"),
        ("postgresql://me@127.0.0.1:1/store?ssl=on", "option that libpq does not know"),
        ("postgresql://me@127.0.0.1:1/store?sslmode=on", "value of sslmode"),
        ("mysql://me@127.0.0.1/store", "no DSN"),
    ],
)
@pytest.mark.parametrize(
    ("setting", "command"),
    [("LINEAGE_DSN", ["normalize"]), ("LINEAGE_INGEST_DSN", ["ingest", str(Path(__file__).parent)])],
)
def test_what_is_wrong_with_a_dsn_is_reported_in_one_line_with_its_setting(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    setting: str,
    command: list[str],
    dsn: str,
    fault: str,
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", STORE)
    monkeypatch.setenv(setting, dsn)
    code, printed = lineage(*command, capsys=capsys)
    assert code in (1, 2)
    assert printed.count("\n") == 1
    assert fault in printed
    assert setting in printed


@pytest.mark.parametrize("below", ["", "home", "deep/home"])
def test_a_home_with_a_file_in_its_way_ends_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], in_the_way: Path, below: str
) -> None:
    monkeypatch.setenv("LINEAGE_HOME", str(in_the_way / below))
    code, printed = lineage("db", "check", capsys=capsys)
    assert (code, printed.count("\n")) == (2, 1)
    assert f"lineage: {in_the_way / below}" in printed
    assert "LINEAGE_HOME" in printed


@pytest.mark.parametrize("home", ["/proc/lineage", "/sys/lineage", "/dev/null/lineage"])
def test_a_home_that_no_one_can_make_is_reported(home: str) -> None:
    with pytest.raises(WrongUsage, match="LINEAGE_HOME"):
        made_home(Path(home))


def test_a_home_that_leads_to_itself_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    monkeypatch.setenv("LINEAGE_HOME", str(tmp_path / "loop"))
    with pytest.raises(WrongUsage, match="LINEAGE_HOME"):
        made_home(ProjectSettings.from_environment().home)


def test_a_home_without_rights_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As another user sees it: to root, who may run the tests, every folder is open."""
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    with pytest.raises(WrongUsage, match="cannot be written"):
        made_home(tmp_path)


def test_a_home_for_the_packaged_java_is_reported_likewise(in_the_way: Path) -> None:
    with pytest.raises(WrongUsage, match="LINEAGE_HOME"):
        java._packaged(in_the_way)


@pytest.mark.parametrize(
    ("action", "change"),
    [
        ("airflow", {"LINEAGE_HOME": "{}/nothing"}),
        ("airflow", {"LINEAGE_HOME": "{}/file"}),
        ("up", {"LINEAGE_HOME": "{}/file"}),
        ("up", {"LINEAGE_DSN": ""}),
        ("down", {"LINEAGE_HOME": ""}),
    ],
)
def test_the_demo_says_in_one_line_what_is_missing(in_the_way: Path, action: str, change: dict[str, str]) -> None:
    surroundings = {name: value.format(in_the_way.parent) for name, value in change.items()}
    done = subprocess.run(
        [sys.executable, "-m", "lineage_core.local", action],
        env=inherited_environment() | {"PYTHONPATH": str(PROJECT / "src")} | surroundings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done
    assert done.stderr.startswith("lineage: "), done.stderr
    assert "Traceback" not in done.stdout


def test_airflow_without_its_database_is_not_started(tmp_path: Path) -> None:
    """As after `make down`: its own 60 lines of a call stack would hide what is missing."""
    (tmp_path / "airflow").mkdir()
    (tmp_path / "airflow" / "environment.json").write_text('{"AIRFLOW_HOME": "x"}')
    (tmp_path / "postgres").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "lineage_core.local", "airflow", "version"],
        env=inherited_environment() | {"PYTHONPATH": str(PROJECT / "src"), "LINEAGE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert re.fullmatch(r"lineage: Nothing of the demo .* `make demo` first\.\n", done.stderr)


@pytest.mark.parametrize(
    "command",
    [
        "normalize --master=",
        "normalize --from=2026-01-01 --to=2026-01-02 --namespace=",
        "normalize --from= --to=",
        "migration run facets --master=",
        "ingest ''",
        "ingest events.ndjson ''",
    ],
)
def test_an_option_that_is_given_but_empty_is_refused(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--master "$SPARK"` would run here, and `ingest "$FOLDER"` take in the folder that one happens to be in."""
    code, printed = lineage(*shlex.split(command), capsys=capsys)
    assert (code, printed.count("\n")) == (2, 1)


def test_what_is_exported_replaces_what_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "")
    monkeypatch.setenv("PYSPARK_PYTHON", "mine")
    export({"JAVA_HOME": "/java", "PYSPARK_PYTHON": "ours"})
    found = inherited_environment()
    assert (found["JAVA_HOME"], found["PYSPARK_PYTHON"]) == ("/java", "mine")
