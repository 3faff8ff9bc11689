"""Every command that takes long shows how far it is, by the one way that all share: on a terminal in one line,
elsewhere in a line now and then, and not at all with `--json`."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import typer

from lineage_core.carry_over import procedure
from lineage_core.cli import main
from lineage_core.cli.application import application
from lineage_core.command_line import progress
from lineage_core.interrupts import NOTHING_CHANGED, all_or_nothing
from lineage_core.local.postgres import ROLE, Server
from lineage_core.long_migrations.store import end, records
from lineage_core.long_migrations.workers import migrate
from lineage_core.normalize import operation
from lineage_core.normalize.operation import waiting_events
from lineage_core.operate import whole_store
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store import policies
from lineage_core.retention.tables import PolicyKind
from lineage_core.spark.application import Application
from lineage_core.streams.publication import publish
from lineage_core.streams.store import switches
from lineage_core.tasks import HERE, ThreadRunner
from lineage_core.testing import TIME, run_event
from tests.support.lakes import use_lake
from tests.support.old_mappings import put_dataset, put_versions
from tests.support.servers import server_of_a_maker
from tests.support.stores import put, take_in

pytestmark = pytest.mark.postgres

EVENTS = [
    run_event("COMPLETE", run_id=f"0190a0a0-0000-7000-8000-{number:012}", time=TIME + timedelta(seconds=number))
    for number in range(20)
]
MIGRATION = "schema-versions"


@dataclass(frozen=True)
class Scene:
    """Where a command is tried."""

    store: Store
    folder: Path
    environment: pytest.MonkeyPatch


Prepared = Callable[[Scene], list[str]]
"""Makes what the command works on, and gives the words behind its name."""


@dataclass(frozen=True)
class LongCommand:
    """line: what the line of its progress looks like."""

    line: str
    prepare: Prepared
    marks: tuple[pytest.MarkDecorator, ...] = ()
    store: str = "database"
    """The fixture of its store."""


def _file_of_events(scene: Scene) -> list[str]:
    file = scene.folder / "events.ndjson"
    file.write_text("".join(json.dumps(event) + "\n" for event in EVENTS))
    return [str(file)]


def _waiting_events(scene: Scene) -> list[str]:
    put(scene.store, EVENTS)
    return []


def _receiver(scene: Scene) -> list[str]:
    put(scene.store, EVENTS)
    settings = scene.folder / "openlineage.yml"
    sent = scene.folder / "sent.ndjson"
    settings.write_text(f"transport:\n  type: file\n  log_file_path: {sent}\n  append: true\n")
    return ["--transport", str(settings), "--as", "x"]


def _quarantine(scene: Scene) -> list[str]:
    file = scene.folder / "broken.ndjson"
    file.write_text("".join(f'{{"no event": {number}}}\n' for number in range(3)) + json.dumps(EVENTS[0]) + "\n")
    with pytest.raises(SystemExit):
        main(["ingest", "--json", str(file)])
    return ["--all"]


def _exported_quarantine(scene: Scene) -> list[str]:
    return [*_quarantine(scene), "--to", str(scene.folder / "documents")]


def _expired_runs(scene: Scene) -> list[str]:
    take_in(scene.store, EVENTS)
    policies.set_policy(scene.store, Policy(PolicyKind.RUNS, "*", timedelta(hours=1), None))
    return ["--yes"]


def _namespaces(scene: Scene) -> list[str]:
    take_in(scene.store, EVENTS)
    return ["--namespace", "*", "--yes"]


def _archive(scene: Scene) -> Path:
    take_in(scene.store, EVENTS)
    policies.set_policy(scene.store, Policy(PolicyKind.RAW_EVENTS, "*", timedelta(hours=1), None))
    applied = retention.apply(scene.store, retention.plan(scene.store), archive=str(scene.folder / "archive"))
    return scene.folder / "archive" / applied.manifests[0]


def _archived_events(scene: Scene) -> list[str]:
    return [str(_archive(scene))]


def _question_of_an_archive(scene: Scene) -> list[str]:
    return ["SELECT count(*) FROM lineage_events", "--archive", str(_archive(scene))]


def _changed_tags(scene: Scene) -> list[str]:
    switches.start(scene.store, "tags")
    with scene.store.connect() as connection:
        connection.execute(
            "INSERT INTO tags (uuid, created_at, updated_at, name)"
            " SELECT gen_random_uuid(), now(), now(), 'tag ' || number FROM generate_series(1, 20) AS number"
        )
    return []


def _published_tags(scene: Scene, *words: str) -> list[str]:
    _changed_tags(scene)
    publish(scene.store, str(scene.folder / "streams"))
    return ["tags", *words]


def _replayed_tags(scene: Scene) -> list[str]:
    return _published_tags(scene, "--to", str(scene.folder / "tags.parquet"))


def _tags_in_a_lake(scene: Scene) -> list[str]:
    use_lake(scene.folder, scene.environment)
    return _published_tags(scene, "--to-iceberg", "lineage.tags", "--catalog", "lake")


def _planned_migration(scene: Scene) -> list[str]:
    with scene.store.connect() as connection:
        put_versions(connection, "orders", put_dataset(connection, "orders", [("id", "INTEGER")]), 20)
    records.plan(scene.store, MIGRATION)
    return [MIGRATION]


def _migrated(scene: Scene) -> list[str]:
    _planned_migration(scene)
    migrate(scene.store, MIGRATION, ThreadRunner())
    scene.environment.setattr(end, "VERIFIED", 7)
    return [MIGRATION]


def _finalized(scene: Scene) -> list[str]:
    _migrated(scene)
    end.finalize(scene.store, MIGRATION)
    return [MIGRATION]


def _cut_over(scene: Scene) -> list[str]:
    _finalized(scene)
    assert end.verify(scene.store, MIGRATION).is_good
    end.cut_over(scene.store, MIGRATION)
    return [MIGRATION]


def _live_store(scene: Scene) -> list[str]:
    take_in(scene.store, EVENTS)
    return ["--yes"]


def _earlier_store(scene: Scene) -> list[str]:
    """One of this release does: what is carried over is the same."""
    scene.environment.setattr(procedure, "is_earlier", lambda _connection: True)
    return _live_store(scene)


OLD_MAPPING = (pytest.mark.old_mapping,)
SLOW = (pytest.mark.slow,)

LONG = {
    "archive query": LongCommand(r"archive query: \d+( of \d+)? tasks, ", _question_of_an_archive, SLOW),
    "db carry-over": LongCommand(r"copy: 20 of 20 events, ", _earlier_store, SLOW, store="live"),
    "db clean": LongCommand(r"retention: \d+ of \d+ rows, ", _namespaces),
    "db rebuild": LongCommand(r"compare: \d+ of \d+ tables, ", _live_store, SLOW, store="live"),
    "emit": LongCommand(r"emit: 20 events, ", _receiver),
    "ingest": LongCommand(r"ingest: 0\.0 of 0\.0 MB, ", _file_of_events),
    "migration cancel": LongCommand(r"cancel: 1,000 rows, ", _planned_migration, OLD_MAPPING),
    "migration drop": LongCommand(r"verify: 7 of 20 rows, ", _cut_over, OLD_MAPPING),
    "migration finalize": LongCommand(r"finalize: 1,000 rows, ", _migrated, OLD_MAPPING),
    "migration run": LongCommand(r"schema-versions \w+: \d+ of \d+ \(", _planned_migration, OLD_MAPPING),
    "migration verify": LongCommand(r"verify: 7 of 20 rows, ", _finalized, OLD_MAPPING),
    "normalize": LongCommand(r"normalize: 20 of 20 events, ", _waiting_events),
    "quarantine export": LongCommand(r"export: 3 of 3 documents, ", _exported_quarantine),
    "quarantine retry": LongCommand(r"retry: 3 of 3 documents, ", _quarantine),
    "retention apply": LongCommand(r"retention: \d+ of \d+ rows, ", _expired_runs),
    "retention restore": LongCommand(r"restore: 0\.0 of 0\.0 MB, ", _archived_events),
    "stream compact": LongCommand(r"compact: 0\.0 of 0\.0 MB, ", _published_tags),
    "stream export": LongCommand(r"export: 20 of 20 records, ", _tags_in_a_lake),
    "stream publish": LongCommand(r"publish: 1 of 1 streams, ", _changed_tags),
    "stream replay": LongCommand(r"replay: 0\.0 of 0\.0 MB, ", _replayed_tags),
    "stream verify": LongCommand(r"verify: 0\.0 of 0\.0 MB, ", _published_tags),
}
"""Each command that may take minutes."""

SHORT = {
    "db rebase": "one transaction, of which Postgres does not say how far it is",
    "db upgrade": "one transaction; what it has done is in the sentences that it prints",
    "psql": "it is psql",
    "retention plan": "one transaction, of which Postgres does not say how far it is",
    "serve": "it goes on until it is ended",
    "sql": "it is done within seconds",
    "stream adopt": "it writes one file",
    "token create": "one row",
    "token revoke": "one row",
}
"""Commands that may leave something half done, and show no progress. Why?"""

WAYS = ("a terminal", "elsewhere", "--json")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _commands(command: Any, *path: str) -> Iterator[tuple[str, Any]]:
    below: dict[str, Any] = getattr(command, "commands", {})
    if not below or command.invoke_without_command:
        yield " ".join(path), command
    for word, inner in below.items():
        yield from _commands(inner, *path, word)


ALL_COMMANDS = dict(_commands(typer.main.get_command(application())))


def _prints_json(command: str) -> bool:
    return any("--json" in parameter.opts for parameter in ALL_COMMANDS[command].params)


def test_every_command_that_works_in_steps_shows_them_or_says_why_not() -> None:
    """Who only reads, or changes all or nothing, is through soon; whoever is not is in the list all the same."""
    at_once = all_or_nothing("").partition(";")[0]
    in_steps = {
        name
        for name, command in ALL_COMMANDS.items()
        if not command.callback.what_stays.startswith((NOTHING_CHANGED, at_once))
    }
    assert in_steps - LONG.keys() - SHORT.keys() == set()
    assert (LONG.keys() | SHORT.keys()) - ALL_COMMANDS.keys() == set()
    assert LONG.keys() & SHORT.keys() == set()


@pytest.fixture(scope="module")
def _server(pytestconfig: pytest.Config) -> Iterator[Server]:
    with server_of_a_maker(pytestconfig.getoption("--postgres")) as own:
        yield own


@pytest.fixture
def live(_server: Server) -> Iterator[Store]:
    """A store whose owner may make another database."""
    _server.ensure_database("live", ROLE)
    whole_store.upgrade(store := Store(_server.dsn(database="live")))
    yield store
    for database in ("live", "live_new", "live_earlier"):
        _server.run_sql(f"DROP DATABASE IF EXISTS {database} WITH (FORCE);")


CASES = [
    pytest.param(command, way, marks=long.marks, id=f"{command}, {way}")
    for command, long in LONG.items()
    for way in WAYS
    if way != "--json" or _prints_json(command)
]


@pytest.mark.parametrize(("command", "way"), CASES)
def test_it_shows_how_far_it_is(
    command: str, way: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    long = LONG[command]
    store: Store = request.getfixturevalue(long.store)
    monkeypatch.setenv("LINEAGE_DSN", store.dsn)
    monkeypatch.setenv("LINEAGE_STREAMS_URL", str(tmp_path / "streams"))
    monkeypatch.setattr(Application, "runner", ThreadRunner() if command.startswith("migration") else HERE)
    words = long.prepare(Scene(store, tmp_path, monkeypatch))

    monkeypatch.setattr(progress, "LINE_SECONDS", 0)
    monkeypatch.setattr(progress, "DRAW_SECONDS", 0)
    monkeypatch.setattr(sys, "stderr", out := Terminal() if way == "a terminal" else io.StringIO())
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), *words, *(["--json"] if way == "--json" else [])])
    shown = out.getvalue()
    assert not ended.value.code, shown
    if way == "--json":
        assert shown == ""
    else:
        begin = re.escape("\r\x1b[K") if way == "a terminal" else "(?m:^)"
        end_ = "[^\n]*" + re.escape("\r\x1b[K") if way == "a terminal" else "[^\n\r]*\n"
        assert re.search(begin + long.line + end_, shown), shown


def test_what_a_run_is_to_take_in_is_counted_unless_it_is_too_much(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(database, EVENTS)
    assert waiting_events(database) == 20
    monkeypatch.setattr(operation, "MOST_COUNTED", 20)
    assert waiting_events(database) is None
