"""The registry of stream schemas in Postgres, and our own streams while their declarations change (seed 004)."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from psycopg.conninfo import make_conninfo

from lineage_core import files
from lineage_core.changelog.schemas import AllowedEvolution, EvolutionOutcome, SchemaEvolution, StreamReader
from lineage_core.cli import main
from lineage_core.errors import NeedsOperator, ReaderFenced, TryAgain, WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.operate import whole_store
from lineage_core.postgres.store import Store
from lineage_core.streams import reading, registry, states, verification
from lineage_core.streams.publication import publish
from lineage_core.streams.store import heads, schemas, switches
from tests.support.declared_streams import TAG, tags_without
from tests.support.evolving_schemas import Required, schema
from tests.support.stores import rows

pytestmark = pytest.mark.postgres

MOONS = "shop/moons"
FIRST = schema(id=Required("int64"), name=Required("string"), city="string")
WITHOUT_CITY = schema(id=Required("int64"), name=Required("string"))
CALLERS = 8
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    monkeypatch.setenv("LINEAGE_STREAMS_URL", str(tmp_path / "streams"))

    def run(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main([*words])
        shown = capsys.readouterr()
        return int(ended.value.code or 0), shown.out + shown.err

    return run


def _outcomes(store: Store, expected_id: int | None, wanted: list[pa.Schema]) -> list[SchemaEvolution]:
    """What concurrent callers get, each on a connection of its own."""
    together = threading.Barrier(len(wanted))

    def call(one: pa.Schema) -> SchemaEvolution:
        with store.connect() as connection:
            together.wait()
            return schemas.compare_and_evolve(connection, MOONS, expected_id, one)

    with ThreadPoolExecutor(len(wanted)) as pool:
        return list(pool.map(call, wanted))


def test_of_concurrent_evolutions_one_wins_and_the_others_are_stale(database: Store) -> None:
    for expected_id in (None, 0, 1):
        wanted = [
            schema(id=Required("int64"), **{f"c{round_}_{number}": "int8" for round_ in range((expected_id or -1) + 2)})
            for number in range(CALLERS)
        ]
        if expected_id is not None:
            latest = registry.registered(database, MOONS).schema(expected_id)
            wanted = [latest.append(pa.field(f"d{expected_id}_{number}", pa.int8())) for number in range(CALLERS)]
        found = _outcomes(database, expected_id, wanted)
        won = [one for one in found if one.is_new]
        assert len(won) == 1
        assert {one.outcome for one in found if not one.is_new} == {EvolutionOutcome.STALE}
        assert {one.schema_id for one in found} == {0 if expected_id is None else expected_id + 1}
        assert all(one.schemas == won[0].schemas for one in found)
        assert registry.registered(database, MOONS) == won[0].schemas


def test_a_schema_is_registered_evolved_left_refused_or_stale(database: Store) -> None:
    def call(expected_id: int | None, one: pa.Schema) -> tuple[str, int | None]:
        evolution = registry.compare_and_evolve(database, MOONS, expected_id, one)
        assert registry.registered(database, MOONS) == evolution.schemas
        return evolution.outcome, evolution.schema_id

    assert call(None, FIRST) == ("initial", 0)
    assert call(0, FIRST) == ("unchanged", 0)
    assert call(0, WITHOUT_CITY) == ("evolved", 1)
    assert call(1, FIRST) == ("refused", 1)
    assert call(0, FIRST) == ("stale", 1)
    with pytest.raises(WrongUsage, match="is a stream of the store"):
        registry.compare_and_evolve(database, "runs", 0, FIRST)
    with pytest.raises(WrongUsage, match="No schema of a stream"):
        registry.registered(database, "shop/suns")
    with pytest.raises(WrongUsage, match="NUL in its name"):
        registry.compare_and_evolve(database, MOONS, 1, WITHOUT_CITY.append(pa.field("a\\u0000\0", pa.int8())))
    escaped = WITHOUT_CITY.append(pa.field("a\\u0000", pa.int8()))
    assert call(1, escaped) == ("evolved", 2)
    with pytest.raises(WrongUsage, match="no name of a stream"):
        registry.compare_and_evolve(database, "", None, FIRST)


def test_a_reader_that_registers_holds_back_an_evolution_until_it_is_there(database: Store) -> None:
    """So `not_fencing` holds for readers that come at the same time, too."""
    registry.compare_and_evolve(database, MOONS, None, FIRST)
    registry.set_allowed(database, MOONS, AllowedEvolution.NOT_FENCING)
    with ThreadPoolExecutor(1) as pool, database.connect() as holder:
        holder.execute("SELECT 1")  # begins the transaction
        schemas.set_reader(holder, MOONS, StreamReader("map", 0, ("city",)))
        evolution = pool.submit(registry.compare_and_evolve, database, MOONS, 0, WITHOUT_CITY)
        _wait_for_lock(database)
        assert not evolution.done()
        holder.commit()
        assert evolution.result().outcome is EvolutionOutcome.REFUSED
    registry.set_allowed(database, MOONS, AllowedEvolution.ANY)
    assert registry.compare_and_evolve(database, MOONS, 0, WITHOUT_CITY).outcome is EvolutionOutcome.EVOLVED
    with pytest.raises(ReaderFenced):
        registry.set_reader(database, MOONS, "map", ["city"], schema_id=0)


def _wait_for_lock(store: Store) -> None:
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    deadline = time.monotonic() + 10
    while rows(store, waiting) == [(0,)]:
        assert time.monotonic() < deadline
        time.sleep(0.01)


@contextmanager
def _no_files() -> Iterator[None]:
    """Whatever would open, list or write a file of a stream fails."""

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a file of a stream is used")

    with pytest.MonkeyPatch.context() as patch:
        for name in ("content", "put_if_absent", "files_in"):
            patch.setattr(files, name, refused)
        yield


def _upgrade(database: Store) -> list[str]:
    """It evolves streams by metadata only: no part is opened, no record published, no head moved."""
    published = ("SELECT * FROM stream_heads", "SELECT * FROM stream_parts ORDER BY start_offset")
    before = [rows(database, query) for query in published]
    with _no_files():
        advice = whole_store.upgrade(database)
    assert [rows(database, query) for query in published] == before
    return advice


def test_a_release_that_declares_another_key_changes_nothing(database: Store, tmp_path: Path) -> None:
    """Its records would name other rows than those that readers have."""
    root = str(tmp_path)
    switches.start(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue", "sky"])
    with tags_without(key=("name",)):
        with pytest.raises(NeedsOperator, match=r"(?s)tags: \(name\): The key is \(uuid\).*key-column"):
            whole_store.upgrade(database)
        with pytest.raises(NeedsOperator, match="The latest schema of tags is not what this release declares"):
            publish(database, root)
    assert publish(database, root).records == 1


def _ids(store: Store) -> list[int]:
    with store.connect() as connection:
        return [part.schema_id for part in heads.parts(connection, "tags")]


def test_a_stream_of_ours_evolves_with_its_declaration(database: Store, run: Run, tmp_path: Path) -> None:
    root = str(tmp_path / "streams")
    with database.connect() as connection:
        connection.execute("DELETE FROM stream_schemas WHERE stream = 'tags'")
    with tags_without("description"):
        _upgrade(database)
        switches.start(database, "tags")
        with database.connect() as connection:
            connection.execute(TAG, ["blue", "sky"])
            connection.execute(TAG, ["red", None])
        assert publish(database, root).records == 2
    with pytest.raises(NeedsOperator, match="The latest schema of tags is not what this release declares"):
        publish(database, root)
    assert whole_store.differences(database) == ["stream tags has another schema than is declared"]

    assert "The stream tags has a new schema, 1" in " ".join(_upgrade(database))
    assert whole_store.differences(database) == []
    assert verification.verify(database, root, "tags").faults == []
    assert {record["description"] for record in reading.records(database, root, "tags")} == {None}
    assert publish(database, root).records == 2
    assert _ids(database) == [0, 1]
    assert [(one["op"], one["name"], one["description"]) for one in reading.records(database, root, "tags")][2:] == [
        (2, "blue", None),
        (3, "blue", "sky"),
    ]
    assert verification.verify(database, root, "tags").faults == []
    assert states.write_replayed(database, root, "tags", tmp_path / "state.parquet") == 2
    assert set(pq.read_table(tmp_path / "state.parquet").column("description").to_pylist()) == {None, "sky"}

    with tags_without("description"):
        _upgrade(database)
        assert publish(database, root).records == 0
        with database.connect() as connection:
            connection.execute(TAG, ["green", "grass"])
        assert publish(database, root).records == 1
        assert _ids(database) == [0, 1, 2]
        assert verification.verify(database, root, "tags").faults == []
        assert states.write_replayed(database, root, "tags", tmp_path / "state.parquet") == 3
    assert "description" not in pq.read_table(tmp_path / "state.parquet").column_names
    _assert_readers_of_the_command_line(run)
    with pytest.raises(NeedsOperator, match=r"(?s)tags: description: .*rule deleted-before.*Nothing was changed"):
        whole_store.upgrade(database)
    assert registry.registered(database, "tags").latest_id == 2


def _assert_readers_of_the_command_line(run: Run) -> None:
    code, shown = run("stream", "read", "tags", "--schema", "1")
    assert (code, "sky" in shown, "no longer fits. description" in shown) == (1, False, True)
    code, shown = run("stream", "tail", "tags", "--columns", "description")
    assert (code, "no longer fits. description" in shown) == (1, True)
    code, shown = run("stream", "read", "tags", "--schema", "1", "--columns", "name,uuid", "--from", "4")
    assert code == 0
    assert list(json.loads(shown)) == ["offset", "op", "system_time", "event_time", "uuid", "name"]
    assert json.loads(shown)["name"] == "green"
    assert run("stream", "read", "tags", "--columns", "moons")[0] == 2
    assert run("stream", "read", "tags", "--columns", "name,")[0] == 2


def test_a_listener_is_fenced_once_the_schema_has_evolved_also_when_no_part_has_come(
    database: Store, tmp_path: Path
) -> None:
    known = reading.reader_schema(database, "tags", columns=["name", "description"])
    listener = reading.StreamListener(database, "tags", known)
    without_it = reading.StreamListener(database, "tags", reading.reader_schema(database, "tags", columns=["name"]))
    assert (listener.next_offset(), without_it.next_offset()) == (0, 0)
    with tags_without("description"):
        _upgrade(database)
    for _ in range(2):
        with pytest.raises(ReaderFenced) as fenced:
            listener.next_offset()
        assert fenced.value.path == "description"
    assert without_it.next_offset() == 0
    with pytest.raises(ReaderFenced):
        reading.wait_for(database, "tags", 0, 0, known)
    with pytest.raises(ReaderFenced):
        reading.records(database, str(tmp_path), "tags", reader_schema=known)
    with pytest.raises(TryAgain):
        reading.wait_for(database, "tags", 0, 0)


def test_a_stream_that_evolves_while_it_is_published_is_published_later(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part of the old release never comes behind the new schema."""
    switches.start(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue", "sky"])

    def evolve(*_: Any) -> bool:
        with tags_without("description"):
            whole_store.upgrade(database)
        return True

    moved = heads.move
    monkeypatch.setattr(heads, "move", lambda *given: evolve() and moved(*given))
    with pytest.raises(TryAgain, match="nothing was published"):
        publish(database, str(tmp_path))
    assert _ids(database) == []


def test_readers_are_registered_and_guard_what_they_read(database: Store, run: Run) -> None:
    assert run("stream", "readers", "set", "tags", "map", "--columns", "name,description")[0] == 0
    assert run("stream", "readers", "set", "tags", "all")[0] == 0
    code, shown = run("stream", "readers", "list", "tags", "--column", "description", "--json")
    assert (code, [one["reader"] for one in json.loads(shown)]) == (0, ["all", "map"])
    assert run("stream", "readers", "remove", "tags", "all") == (0, "all is no registered reader of the stream tags.\n")
    assert run("stream", "readers", "list", "tags", "--column", "uuid") == (0, "")
    assert run("stream", "readers", "list", "tags") == (0, "map  schema 0  name, description\n")
    assert run("stream", "readers", "set", "tags", "map", "--columns", "moons")[0] == 2
    assert run("stream", "readers", "list", "suns")[0] == 2
    assert run("stream", "readers", "list", "tags", "--column", "moons")[0] == 2
    assert run("stream", "allow", "tags", "all")[0] == 2
    assert run("stream", "allow", "tags", "not_fencing")[0] == 0
    with tags_without("description"):
        with pytest.raises(NeedsOperator, match=r"description: The reader map reads it"):
            whole_store.upgrade(database)
        assert run("stream", "readers", "set", "tags", "map", "--columns", "name")[0] == 0
        whole_store.upgrade(database)
    code, shown = run("stream", "schemas", "tags", "--json")
    first, second = json.loads(shown)
    assert (second["schema_id"], second["changes"]) == (1, [{"kind": "deleted", "path": "description"}])
    assert {"name": "uuid", "type": "string", "nullable": False} in first["columns"]
    assert "schema 1: 3 columns\n    deleted: description\n" in run("stream", "schemas", "tags")[1]


def test_each_role_does_its_own_in_the_registry(database: Store, postgres_server: Server) -> None:
    logins = {}
    for purpose in ("operator", "jobs", "reader"):
        name = f"registry_{purpose}"
        postgres_server.run_sql(
            f"DROP ROLE IF EXISTS {name}; CREATE ROLE {name} LOGIN PASSWORD 'x' IN ROLE lineage_{purpose};"
        )
        logins[purpose] = make_conninfo(database.dsn, user=name, password="x", passfile="")
    registry.compare_and_evolve(Store(logins["jobs"]), MOONS, None, FIRST)
    registry.set_reader(Store(logins["operator"]), MOONS, "map", ["city"])
    registry.set_reader(Store(logins["operator"]), MOONS, "map", ["name"])
    registry.set_allowed(Store(logins["operator"]), MOONS, AllowedEvolution.NOT_FENCING)
    registry.set_allowed(Store(logins["operator"]), MOONS, AllowedEvolution.NOT_FENCING)
    assert [one.columns for one in registry.readers(Store(logins["reader"]), MOONS)] == [("name",)]
    with pytest.raises(NeedsOperator, match="takes the role lineage_jobs"):
        registry.compare_and_evolve(Store(logins["operator"]), MOONS, 0, WITHOUT_CITY)
    with pytest.raises(NeedsOperator, match="takes the role lineage_operator"):
        registry.set_reader(Store(logins["reader"]), MOONS, "map")
