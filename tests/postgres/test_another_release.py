"""Every command on a database without a store, and on a store of an earlier state: it says so, in one line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import typer

from lineage_core.cli import main
from lineage_core.cli.application import application
from lineage_core.postgres.store import Store
from lineage_core.testing import run_event, to_ndjson

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

OF_AN_EARLIER_STATE = """
DROP TABLE streams, stream_parts, retention_holds, retention_policies, facet_sets, event_ledger, identity_map CASCADE;
DROP FUNCTION event_kind, judged_raw_events CASCADE;
ALTER TABLE stream_schemas DROP COLUMN key;
ALTER TABLE namespaces DROP COLUMN current_owner_name CASCADE;
ALTER TABLE quarantine DROP COLUMN path CASCADE;
ALTER TABLE migrations DROP COLUMN settings CASCADE;
COMMENT ON TABLE lineage_schema_version IS 'of another text'
"""

WORDS = {
    "class-archive": None,  # these three know no database
    "paths": None,
    "store list": None,  # of several stores: test_several_stores.py
    "store add": None,
    "store route": None,
    "sql": None,
    "migration run": None,  # starts Spark
    "stream tail": None,  # these three end only when they are asked to
    "serve": None,
    "pages": None,
    "mcp": None,
    "db upgrade": None,  # test_migrations.py
    "doctor": [],
    "ingest": ["EVENTS"],
    "emit": ["--to", "http://127.0.0.1:1"],
    "normalize": [],
    "status": [],
    "acts": [],
    "db check": [],
    "db size": [],
    "db carry-over": ["--yes"],
    "db rebuild": ["--yes"],
    "db rebase": [],
    "db clean": ["--namespace", "x", "--yes"],
    "facets run": [str(uuid4())],
    "facets job-version": [str(uuid4())],
    "facets dataset-version": [str(uuid4())],
    "facets unreadable": [],
    **{
        f"migration {word}": ["facets"] for word in ("plan", "status", "pause", "resume", "cancel", "retry", "finalize")
    },
    **{f"migration {word}": ["schema-versions"] for word in ("finalize", "verify", "cutover", "rollback", "drop")},
    "migration accept": ["facets", "key", "--why", "a test"],
    "migration set": ["facets", "workers", "2"],
    "migration hold-query add": ["name", "SELECT true"],
    "migration hold-query list": [],
    "migration hold-query remove": ["name"],
    "namespace own": ["x", "ann"],
    "namespace disown": ["x"],
    "namespace list": [],
    "query": ["owners"],
    "archive query": None,  # starts Spark
    "archive views": ["--stream", "tags"],
    "search": ["x"],
    "graph diff": ["--dataset", "x", "y", "--from", "2026-01-01", "--to", "2026-01-02"],
    "affected": ["--run", str(uuid4())],
    "explain": [str(uuid4())],
    "impact": ["--dataset", "x", "y", "--drop", "z"],
    "psql": None,
    "db url": None,
    "quarantine list": [],
    "quarantine show": ["1"],
    "quarantine retry": ["--all"],
    "quarantine export": ["--all", "--to", "FOLDER"],
    "quarantine discard": ["1", "--why", "w"],
    "retention plan": [],
    "retention apply": ["--yes"],
    "retention report": [],
    "retention restore": ["memory://nowhere/manifest.json"],
    "retention policy set": ["--kind", "runs", "--namespace", "x", "--older-than", "7d"],
    "retention policy list": [],
    "retention policy remove": ["--kind", "runs", "--namespace", "x"],
    "retention hold add": ["--namespace", "x", "--why", "a test"],
    "retention hold list": [],
    "retention hold release": ["1", "--why", "a test"],
    "token create": ["--name", "x", "--namespace", "*"],
    "token list": [],
    "token revoke": ["--name", "x"],
    "schema history": ["--dataset", "x", "y"],
    "schema diff": ["--dataset", "x", "y"],
    "schema check": ["--dataset", "x", "y", "EVENTS"],
    "schema alerts": [],
    "schema acknowledge": ["1", "--why", "a test"],
    "stream publish": [],
    "stream compact": [],
    "stream list": [],
    **{f"stream {word}": ["tags"] for word in ("describe", "start", "stop", "read", "verify", "schemas")},
    "stream replay": ["tags", "--to", "FILE"],
    "stream export": ["tags", "--to-iceberg", "a.b"],
    "stream adopt": [],
    "stream allow": ["tags", "any"],
    "stream readers list": ["tags"],
    "stream readers set": ["tags", "ann"],
    "stream readers remove": ["tags", "ann"],
}
"""What each command is called with; None if it is not called here."""


def test_each_command_is_tried_here() -> None:
    assert {" ".join(path) for path in _paths(typer.main.get_command(application()), ())} == WORDS.keys()


def _paths(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    below = getattr(command, "commands", None)
    if below is None:
        yield path
    else:
        for name, one in below.items():
            yield from _paths(one, (*path, name))


def test_a_database_without_a_store_is_named_as_one(
    empty_database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _try_each(empty_database, 50, tmp_path, monkeypatch, capsys)


def test_a_store_of_an_earlier_state_is_named_as_one(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with database.connect() as connection:
        connection.execute(OF_AN_EARLIER_STATE.encode())
    _try_each(database, 30, tmp_path, monkeypatch, capsys)


def _try_each(
    store: Store,
    least_refused: int,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each ends as a command does, by an exit code, and with one line of error at most. So many lead to the upgrade."""
    (folder / "EVENTS").write_bytes(to_ndjson([run_event()]))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LINEAGE_DSN", store.dsn)
    monkeypatch.setenv("LINEAGE_HOME", str(folder / "home"))
    monkeypatch.delenv("AIRFLOW_HOME", raising=False)
    refused, wrong = set[str](), dict[str, str]()
    for command, words in WORDS.items():
        if words is None:
            continue
        with pytest.raises(SystemExit) as ended:
            main([*command.split(), *words])
        errors = [line for line in capsys.readouterr().err.splitlines() if line]
        if any("`lineage db upgrade`" in line for line in errors):
            refused.add(command)
        if ended.value.code and not (len(errors) == 1 and errors[0].startswith("lineage: ")):
            wrong[command] = "\n".join(errors)
    assert not wrong, "\n".join(f"{command}: {errors}" for command, errors in wrong.items())
    assert len(refused) >= least_refused
