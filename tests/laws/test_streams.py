"""The law of replay: a stream, replayed from empty, gives its table, at every published head and commit between."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core.changelog.bins import BinSizes
from lineage_core.declare.streams import all_streams
from lineage_core.errors import LeaseLost, TryAgain
from lineage_core.long_migrations.workers import migrate
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import Lease, held_lease
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.streams import publication, reading, verification
from lineage_core.streams.compaction import compact
from lineage_core.streams.publication import publish
from lineage_core.streams.store import heads, switches
from lineage_core.tasks import Done, Item, SerialRunner, ThreadRunner, Work
from lineage_core.testing import TIME, dataset, facet, run_event
from tests.support.changes import start_all
from tests.support.event_sets import Arrival, arrivals
from tests.support.examples import drawn
from tests.support.old_mappings import put_dataset, put_versions
from tests.support.retention_histories import history
from tests.support.stepped_runs import COMPACT, PUBLISH, SteppedRuns, stepped_runs
from tests.support.stores import empty, put, rows, take_in
from tests.support.stream_replay import Replay, State, all_stored, differing_streams, replayed_commits, stored

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

STREAMS = {stream.name: stream for stream in all_streams()}
EXAMPLES = 6
WRITERS = 4
TRANSACTIONS = 30
WORDS = ("a", "b", "c", "d", "e")


@pytest.mark.slow
def test_replay_gives_the_tables_at_every_commit(database: Store, tmp_path: Path) -> None:
    met = Counter[str]()
    hold(database, tmp_path, met)
    assert met["examples"] >= EXAMPLES
    assert all(met[f"operation {number}"] > 20 for number in range(4)), met
    assert met["commits"] > 200, met
    assert met["compacted"] > 60, met
    assert met["streams that changed twice"] > 60, met


def hold(database: Store, folder: Path, met: Counter[str]) -> None:
    """Events in any order, published after any of the merges."""

    @drawn(EXAMPLES)
    @given(arrival=arrivals(), seed=st.integers(0, 2**32))
    def some(arrival: Arrival, seed: int) -> None:
        root = folder / str(met["examples"])
        met["examples"] += 1
        random = Random(seed)
        empty(database)
        start_all(database)
        publish(database, str(root))
        recorded = [dict.fromkeys(STREAMS, State()), all_stored(database)]
        for events in arrival.slices:
            put(database, events)
            recorded.append(all_stored(database))
            normalize(
                database,
                SerialRunner(),
                slice_bytes=1 << 12,
                progress=lambda _slice, _outcome: recorded.append(all_stored(database)),
            )
            if random.random() < 0.5:
                publish(database, str(root))
                assert differing_streams(database, root) == {}
            if random.random() < 0.3:
                met["compacted"] += _compacted(database, root, least_parts=random.choice((None, 2, 3)))
        publish(database, str(root))
        met["compacted"] += _compacted(database, root, least_parts=None)
        for name in STREAMS:
            _assert_same_commits(database, root, name, recorded, met)

    some()


def _compacted(store: Store, root: Path, least_parts: int | None) -> int:
    """How many parts are gone."""
    done = compact(store, str(root), sizes=BinSizes(least_parts=least_parts), grace=timedelta(0))
    return sum(one.parts_before - one.parts_after for one in done.streams)


def _assert_same_commits(
    store: Store, root: Path, name: str, recorded: list[dict[str, State]], met: Counter[str]
) -> None:
    wanted = list(_changes(recorded, name))
    found = list(replayed_commits(store, root, STREAMS[name]))
    assert found == wanted, name
    met["commits"] += len(found) - 1
    met["streams that changed twice"] += len(found) > 2
    for record in reading.records(store, str(root), name):
        met[f"operation {record['op']}"] += 1


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
def test_so_it_does_while_retention_deletes(seed: int, database: Store, tmp_path: Path) -> None:
    """Retention works in several transactions, so what stood between is looked for in its order."""
    start_all(database)
    publish(database, str(tmp_path))
    example = history(Random(seed))
    recorded = []
    for events in (example.events[::2], example.events[1::2]):
        take_in(database, events)
        recorded.append(all_stored(database))
    publish(database, str(tmp_path))
    retention.apply(database, retention.plan(database, example.as_of, emptied="*"))
    recorded.append(all_stored(database))
    take_in(database, example.late)
    recorded.append(all_stored(database))
    publish(database, str(tmp_path))
    for name in STREAMS.keys() - {"lineage_events"}:
        replayed = iter(replayed_commits(database, tmp_path, STREAMS[name]))
        assert all(any(state == one for state in replayed) for one in _changes(recorded, name)), name
    assert differing_streams(database, tmp_path).keys() <= {"lineage_events"}


def _changes(recorded: list[dict[str, State]], name: str) -> Iterator[State]:
    for place, one in enumerate(recorded):
        if not place or one[name] != recorded[place - 1][name]:
            yield one[name]


@pytest.mark.old_mapping
def test_so_it_does_while_a_long_migration_runs(database: Store, tmp_path: Path) -> None:
    with database.connect() as connection:
        fields = put_dataset(connection, "orders", [("id", "BIGINT"), ("tree", None)])
        put_versions(connection, "orders", fields, 300)
        put_versions(connection, "orders", fields[:1], 300)
    start_all(database)
    publish(database, str(tmp_path))
    with PublishedMeanwhile(database, tmp_path) as heads_met:
        migrate(database, "schema-versions", ThreadRunner(), workers=2)
        take_in(database, [run_event(outputs=[dataset("orders", fields=[("id", "BIGINT")])])])
    publish(database, str(tmp_path))
    assert differing_streams(database, tmp_path) == {}
    assert {record["op"] for record in reading.records(database, str(tmp_path), "dataset_versions")} >= {0, 2, 3}
    _assert_heads(database, tmp_path, heads_met)


def test_so_it_does_beside_writers_that_get_in_each_others_way(database: Store, tmp_path: Path) -> None:
    for name in ("tags", "sources"):
        switches.start(database, name)
    publish(database, str(tmp_path))
    met = Counter[str]()
    with (
        PublishedMeanwhile(database, tmp_path) as heads_met,
        CompactedMeanwhile(database, tmp_path, ("tags", "sources"), met),
    ):
        writers = [threading.Thread(target=_write, args=(database, Random(seed), met)) for seed in range(WRITERS)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
    publish(database, str(tmp_path))
    assert met["committed"] > WRITERS * TRANSACTIONS / 2, met
    assert min(met["parts that are gone"], met["checkpoints"], met["records read meanwhile"]) > 0, met
    tables = all_stored(database)
    for name in ("tags", "sources"):
        *_, last = replayed_commits(database, tmp_path, STREAMS[name])
        assert last == tables[name]
        _assert_verified(verification.verify(database, str(tmp_path), name, from_start=True))
    assert _assert_heads(database, tmp_path, heads_met) > 5


def _write(store: Store, random: Random, met: Counter[str]) -> None:
    with store.connect(autocommit=True) as connection:
        for _ in range(TRANSACTIONS):
            try:
                with connection.transaction():
                    for _ in range(random.randint(1, 4)):
                        random.choice(WRITES)(connection, random)
                met["committed"] += 1
            except (psycopg.errors.DeadlockDetected, psycopg.errors.UniqueViolation):
                met["undone"] += 1


def _put_tag(connection: Connection, random: Random) -> None:
    connection.execute(
        "INSERT INTO tags (uuid, created_at, updated_at, name, description)"
        " VALUES (md5(%(name)s)::uuid, now(), now(), %(name)s, %(text)s)"
        " ON CONFLICT (name) DO UPDATE SET description = excluded.description, updated_at = now()",
        {"name": random.choice(WORDS), "text": random.choice(WORDS)},
    )


def _remove_tags(connection: Connection, random: Random) -> None:
    connection.execute("DELETE FROM tags WHERE name = ANY (%s)", [random.sample(WORDS, 2)])


def _rename_tags(connection: Connection, random: Random) -> None:
    connection.execute("UPDATE tags SET uuid = gen_random_uuid() WHERE name = %s", [random.choice(WORDS)])


def _undo(connection: Connection, random: Random) -> None:
    with connection.transaction(force_rollback=True):
        _put_tag(connection, random)
        _put_source(connection, random)


def _put_source(connection: Connection, random: Random) -> None:
    connection.execute(
        "INSERT INTO sources (uuid, type, created_at, updated_at, name, connection_url)"
        " VALUES (md5(%(name)s)::uuid, 'POSTGRESQL', now(), now(), %(name)s, %(text)s)"
        " ON CONFLICT (name) DO UPDATE SET connection_url = excluded.connection_url",
        {"name": random.choice(WORDS), "text": random.choice(WORDS)},
    )


def _swap_sources(connection: Connection, random: Random) -> None:
    connection.execute("UPDATE sources SET connection_url = connection_url || %s", [random.choice(WORDS)])


WRITES: tuple[Callable[[Connection, Random], None], ...] = (
    _put_tag,
    _put_tag,
    _remove_tags,
    _rename_tags,
    _undo,
    _put_source,
    _swap_sources,
)

HeadsMet = dict[str, dict[int, State]]
"""For each stream, what its table held in the snapshot of each publication, by the offset that it led to."""


class PublishedMeanwhile:
    """Publishes again and again while the block runs, and keeps what each table held in the snapshot of each."""

    def __init__(self, store: Store, root: Path) -> None:
        self._store, self._root = store, root
        self._stop = threading.Event()
        self._met: HeadsMet = {name: {} for name in STREAMS}
        self._errors: list[BaseException] = []
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> HeadsMet:
        self._thread.start()
        return self._met

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        assert self._errors == []

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                publish(self._store, str(self._root), _Recorder(self._met))
        except BaseException as error:
            self._errors.append(error)


class CompactedMeanwhile:
    """Compacts streams again and again while the block runs, and reads them: each record stays what it was."""

    def __init__(self, store: Store, root: Path, names: Sequence[str], met: Counter[str]) -> None:
        self._store, self._root, self._names, self._met = store, str(root), names, met
        self._stop = threading.Event()
        self._errors: list[BaseException] = []
        self._threads = [threading.Thread(target=self._until_stopped, args=(do,)) for do in (self._compact, self._read)]
        self._seen: dict[str, list[dict[str, Any]]] = {name: [] for name in names}

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()
        assert self._errors == []

    def _until_stopped(self, do: Callable[[], None]) -> None:
        try:
            while not self._stop.is_set():
                do()
        except BaseException as error:
            self._errors.append(error)

    def _compact(self) -> None:
        done = compact(self._store, self._root, names=self._names)
        self._met["parts that are gone"] += sum(one.parts_before - one.parts_after for one in done.streams)
        self._met["checkpoints"] += sum(one.checkpoint is not None for one in done.streams)

    def _read(self) -> None:
        for name, seen in self._seen.items():
            found = list(reading.records(self._store, self._root, name))
            assert found[: len(seen)] == seen
            self._seen[name] = found
            self._met["records read meanwhile"] += len(found) - len(seen)


class _Recorder(SerialRunner):
    """Writes as the publisher does, and looks at the table in the same snapshot."""

    def __init__(self, met: HeadsMet) -> None:
        super().__init__()
        self._met = met

    def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
        for task in items:
            assert isinstance(task, publication.PublicationTask)
            look = _Look(task.stream)
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(heads, "snapshot", look)
                written = work.do(task)
            assert isinstance(written, heads.WrittenRecords)
            self._met[task.stream][written.next_offset] = look.held
            yield written


class _Look:
    """Stands for the publisher's look at the snapshot, and keeps what the table holds in it."""

    def __init__(self, stream: str) -> None:
        self._stream = STREAMS[stream]
        self._snapshot = heads.snapshot
        self.held: State = Counter()

    def __call__(self, connection: Connection) -> tuple[str, datetime]:
        found = self._snapshot(connection)
        self.held = stored(connection, self._stream)
        return found


def _assert_heads(store: Store, root: Path, met: HeadsMet) -> int:
    """How many heads were looked at, at each of which the replay is what the table held."""
    looked_at = 0
    for name, states in met.items():
        replay = Replay(STREAMS[name])
        for record in reading.records(store, str(root), name):
            replay.apply(record)
            if replay.offset in states:
                assert replay.rows() == states[replay.offset], (name, replay.offset)
                looked_at += 1
    return looked_at


@pytest.fixture(scope="module")
def runs() -> Iterator[SteppedRuns]:
    with stepped_runs(PUBLISH) as started:
        yield started


@pytest.mark.slow
def test_the_publisher_may_be_killed_wherever_it_is(runs: SteppedRuns, database: Store, tmp_path: Path) -> None:
    walk_kills(runs, database, tmp_path, every=6)


@pytest.mark.long
def test_the_publisher_may_be_killed_at_every_exchange_with_postgres(
    runs: SteppedRuns, database: Store, tmp_path: Path
) -> None:
    walk_kills(runs, database, tmp_path, every=1)


def walk_kills(runs: SteppedRuns, database: Store, tmp_path: Path, every: int) -> None:
    """Every other time the next publisher is killed, too."""
    chosen = ("tags", "run_facets", "runs")
    for name in chosen:
        switches.start(database, name)
    publish(database, str(tmp_path))
    steps = _steps_of(runs, database, tmp_path)
    assert len(steps) > 40
    for number, step in enumerate(steps[::every]):
        take_in(database, _chunk(number))
        assert runs.killed(database, step, str(tmp_path)).signal == signal.SIGKILL, step
        if number % 2:
            assert runs.complete(database, str(tmp_path)).error is None
            tables = all_stored(database)
            for name in chosen:
                *_, last = replayed_commits(database, tmp_path, STREAMS[name])
                assert last == tables[name], (step, name)
    for name in chosen:
        _assert_verified(verification.verify(database, str(tmp_path), name))
    assert every > 1 or any(verification.verify(database, str(tmp_path), name).orphans for name in chosen)


def _steps_of(runs: SteppedRuns, store: Store, root: Path) -> list[str]:
    take_in(store, _chunk(1_000))
    ended = runs.complete(store, str(root))
    assert (ended.signal, ended.error) == (0, None)
    return ended.steps


def _chunk(number: int) -> list[dict[str, object]]:
    tags = facet(tags=[{"key": f"t{number}", "value": "true"}])
    described = dataset("orders", fields=[("id", "INT")], facets={"tags": tags})
    run, time = f"0190a0a0-0000-7000-8000-{number:012}", TIME.replace(microsecond=number)
    return [run_event("COMPLETE", run_id=run, time=time, facets={"n": facet(n=number)}, inputs=[described])]


@pytest.fixture(scope="module")
def compactions() -> Iterator[SteppedRuns]:
    with stepped_runs(COMPACT) as started:
        yield started


@pytest.mark.slow
def test_a_compaction_may_be_killed_wherever_it_is(compactions: SteppedRuns, database: Store, tmp_path: Path) -> None:
    walk_kills_of_compactions(compactions, database, tmp_path, every=9)


@pytest.mark.long
def test_a_compaction_may_be_killed_at_every_exchange_with_postgres(
    compactions: SteppedRuns, database: Store, tmp_path: Path
) -> None:
    walk_kills_of_compactions(compactions, database, tmp_path, every=1)


def walk_kills_of_compactions(runs: SteppedRuns, store: Store, root: Path, every: int) -> None:
    """Every other time the next compaction is killed, too. Files are deleted at once, so that this is done, too."""
    chosen = ("tags", "sources")
    for name in chosen:
        switches.start(store, name)
    _publish_three_times(store, root, "first")
    runs.complete(store, str(root))
    _publish_three_times(store, root, "second")
    ended = runs.complete(store, str(root))
    assert (ended.signal, ended.error) == (0, None)
    assert len(ended.steps) > 60
    left = 0
    for number, step in enumerate(ended.steps[::every]):
        _publish_three_times(store, root, str(number))
        before = {name: list(replayed_commits(store, root, STREAMS[name])) for name in chosen}
        assert runs.killed(store, step, str(root)).signal == signal.SIGKILL, step
        if number % 2:
            left += sum(len(verification.verify(store, str(root), name).orphans) for name in chosen)
            assert runs.complete(store, str(root)).error is None
            assert not any(verification.verify(store, str(root), name).orphans for name in chosen)
        for name in chosen:
            assert list(replayed_commits(store, root, STREAMS[name])) == before[name], (step, name)
    for name in chosen:
        _assert_verified(verification.verify(store, str(root), name, from_start=True))
    assert left, "no run was killed behind a file that it had written"


def _publish_three_times(store: Store, root: Path, text: str) -> None:
    """A stream of few rows and many records, so that a checkpoint is made each time."""
    for number in range(3):
        with store.connect() as connection:
            for name in WORDS:
                connection.execute(
                    "INSERT INTO tags (uuid, created_at, updated_at, name, description)"
                    " VALUES (md5(%(name)s)::uuid, now(), now(), %(name)s, %(text)s)"
                    " ON CONFLICT (name) DO UPDATE SET description = excluded.description",
                    {"name": name, "text": f"{text} {number}"},
                )
            _put_source(connection, Random(text))
            connection.execute("UPDATE sources SET connection_url = %s", [f"{text} {number}"])
        publish(store, str(root))


def test_two_publishers_do_not_publish_the_same(database: Store, tmp_path: Path) -> None:
    """One that was taken for dead comes back with what it has written, and moves no head."""
    switches.start(database, "tags")
    take_in(database, _chunk(1))
    publish(database, str(tmp_path))
    take_in(database, _chunk(2))
    task = publication.PublicationTask(database, str(tmp_path), "tags")
    late = publication.write_records(task)
    publish(database, str(tmp_path))
    with database.connect(autocommit=True) as connection:
        with pytest.raises(LeaseLost):
            heads.move(connection, Lease(heads.PUBLISH, 1), late)
        with held_lease(database, heads.PUBLISH) as lease, pytest.raises(TryAgain, match="has moved meanwhile"):
            heads.move(connection, lease, late)
    assert rows(database, "SELECT count(*) FROM stream_parts WHERE stream = 'tags'") == [(2,)]


def _assert_verified(found: verification.StreamVerification) -> None:
    assert (found.faults, found.is_compared) == ([], True)
