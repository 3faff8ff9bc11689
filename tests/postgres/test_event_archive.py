"""The event archive: raw events leave the store once they are written, read back and compared, and come back whole."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import pickle
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from psycopg.conninfo import make_conninfo

from lineage_core.cli import main
from lineage_core.declare.database_names import JOBS
from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
from lineage_core.ingest.store import ensure_event_partitions
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.retention import archive_manifest, archiving
from lineage_core.retention.application import apply, plan
from lineage_core.retention.archiving import (
    ArchivedEvents,
    archive_expired,
    restore,
)
from lineage_core.retention.policies import Cutoff, Policy
from lineage_core.retention.store import raw_events
from lineage_core.retention.store.policies import HeldThing, add_hold, holds, release_hold, set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.statements import STEP
from lineage_core.tasks import Done, Item, SerialRunner, Work
from lineage_core.testing import TIME, dataset, dataset_event, job_event, named_job, run_event, to_json
from tests.support.s3 import BUCKET, local_s3
from tests.support.servers import operators_login
from tests.support.stores import contents, differences, put, rows, take_in

pytestmark = pytest.mark.postgres

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
BEFORE = datetime(2026, 5, 1, tzinfo=UTC)
ORDERS = "postgres://shop:5432"
RAW_EVENTS = """
SELECT
    event_time, event::text, event_type, job_name, job_namespace, producer, run_uuid, created_at, _event_type,
    event_bytes, is_ahead
FROM lineage_events
ORDER BY event_time, event::text COLLATE "C", created_at
"""
RUN = "0190a0a0-0000-7000-8000-00000000"


def cutoffs(*namespaces: str) -> list[Cutoff]:
    return [Cutoff(PolicyKind.RAW_EVENTS, namespace, BEFORE, 0) for namespace in namespaces or ("shop", ORDERS)]


def archived(store: Store, folder: Path, **options: Any) -> ArchivedEvents:
    return archive_expired(store, str(folder), cutoffs(), AS_OF, **options)


def manifests(folder: Path) -> list[Path]:
    return sorted(folder.rglob("manifest.json"))


def parts(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.parquet"))


def history(seed: int = 1, runs: int = 12) -> list[dict[str, Any]]:
    """Runs over five months, some of them open, with events about none, repeats, and events too new to go."""
    chance = random.Random(seed)
    found: list[dict[str, Any]] = []
    for number in range(runs):
        begins = TIME + timedelta(days=chance.randrange(170), hours=chance.randrange(24))
        parts: dict[str, Any] = {"run_id": f"{RUN}{number:04}", "job": named_job(chance.choice(("load", "report")))}
        some = [dataset(chance.choice(("orders", "sums")), fields=[("id", "INT"), ("é\u2028\\", None)])]
        found.append(run_event("START", time=begins, inputs=some, **parts))
        if chance.random() < 0.8:
            found.append(run_event("COMPLETE", time=begins + timedelta(hours=1), outputs=some, **parts))
        if chance.random() < 0.3:
            found.append(found[-1])
    found.append(dataset_event(dataset("orders"), time=TIME - timedelta(days=21_000)))
    found.append(job_event(named_job("report"), time=TIME + timedelta(days=2)))
    return found


def test_what_is_archived_is_gone_from_the_store_and_nothing_else(database: Store, tmp_path: Path) -> None:
    take_in(database, history())
    put(database, [run_event(run_id=f"{RUN}9999", time=TIME)])
    before = rows(database, RAW_EVENTS)
    done = archived(database, tmp_path)
    left = rows(database, RAW_EVENTS)
    assert done.rows == done.deleted == len(before) - len(left) > 0
    assert not done.protected
    assert {row[0] for row in left if row[0] < BEFORE} != set(), "open runs and what waits are still there"
    assert set(left) < set(before)
    assert archived(database, tmp_path).deleted == 0, "a second run does nothing"
    assert rows(database, RAW_EVENTS) == left


def test_a_month_has_a_manifest_of_its_own_that_says_all(database: Store, tmp_path: Path) -> None:
    take_in(database, history())
    done = archived(database, tmp_path, part_bytes=1_000)
    found = [json.loads(path.read_bytes()) for path in manifests(tmp_path)]
    months = [one["month"] for one in found]
    assert (months[0], months[-1]) == ("2026-01", "before-1970")
    assert len(months) == len({*months}) > 3
    assert [path.parent.name for path in manifests(tmp_path)] == [f"{month}.1" for month in months]
    assert all(part["first_time"].startswith(one["month"]) for one in found[:-1] for part in one["parts"])
    assert sum(one["rows"] for one in found) == done.rows
    assert sum(one["bytes"] for one in found) == done.bytes
    for one in found:
        assert one["as_of"] == "2026-06-01T00:00:00Z"
        assert one["cutoffs"][0] == {"namespace": ORDERS, "before": "2026-05-01T00:00:00Z"}
        assert one["first_time"] == min(part["first_time"] for part in one["parts"])
    assert max(len(one["parts"]) for one in found) > 1
    assert len(parts(tmp_path)) == sum(len(one["parts"]) for one in found)


def test_a_part_is_bounded_and_a_larger_event_is_one_of_its_own(database: Store, tmp_path: Path) -> None:
    events = [
        run_event(
            "COMPLETE", run_id=f"{RUN}{n:04}", time=TIME + timedelta(minutes=n), facets={"x": {"large": "x" * size}}
        )
        for n, size in enumerate([100] * 10 + [9_000] + [100] * 5)
    ]
    take_in(database, events)
    archived(database, tmp_path, part_bytes=3_000)
    sizes = [part["bytes"] for part in json.loads(manifests(tmp_path)[0].read_bytes())["parts"]]
    assert len(sizes) > 3
    assert sorted(sizes)[-2] < 3_000 + 600
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(0,)]


@pytest.mark.parametrize("seed", range(6))
def test_what_is_restored_and_normalized_is_as_it_was(database: Store, tmp_path: Path, seed: int) -> None:
    events = history(seed)
    half = len(events) // 2
    take_in(database, events[:half])
    take_in(database, [*events[half:], *events[:3]])
    ensure_event_partitions(database)
    raw, tables = rows(database, RAW_EVENTS), contents(database)
    done = archived(database, tmp_path, part_bytes=random.Random(seed).choice((1, 700, 5_000, 1 << 26)))
    assert done.deleted
    assert not differences(tables, contents(database)), "the tables keep what events stated"
    returned = [restore(database, str(path)).restored for path in manifests(tmp_path)]
    assert sum(returned) == done.deleted
    assert rows(database, RAW_EVENTS) == raw
    assert rows(database, "SELECT count(*) FROM waiting_events") == [(0,)], "the ledger knows them"
    outcome = normalize(database, SerialRunner())
    assert outcome.events == done.deleted
    assert not differences(tables, contents(database))
    assert [restore(database, str(path)).restored for path in manifests(tmp_path)] == [0] * len(returned)
    assert rows(database, RAW_EVENTS) == raw


def test_restored_into_an_empty_store_the_tables_are_as_they_were(
    database: Store, empty_database: Store, tmp_path: Path
) -> None:
    from lineage_core.operate.whole_store import upgrade

    upgrade(empty_database)
    events = [
        event for event in history(3) if event["eventTime"] < BEFORE.isoformat() and event.get("eventType") != "START"
    ]
    for store in (database, empty_database):
        put(store, events)
    normalize(database, SerialRunner())
    done = archived(database, tmp_path)
    assert done.deleted == len(events)
    with empty_database.connect() as connection:
        connection.execute("TRUNCATE lineage_events")
    for path in manifests(tmp_path):
        restore(empty_database, str(path))
    normalize(empty_database, SerialRunner())
    assert not differences(contents(database), contents(empty_database))


def test_restored_events_are_held_until_the_hold_is_released(database: Store, tmp_path: Path) -> None:
    take_in(database, history())
    done = archived(database, tmp_path / "one")
    for path in manifests(tmp_path / "one"):
        restore(database, str(path))
        restore(database, str(path))
    normalize(database, SerialRunner())
    found = holds(database)
    assert len(found) == len(manifests(tmp_path / "one")), "one for each manifest, however often it is restored"
    assert found[0].why == "restored from 2026-06-01T000000.000000Z/2026-01.1/manifest.json"
    assert found[0].events_since and found[0].events_until and found[0].events_since < found[0].events_until
    assert archived(database, tmp_path / "two").deleted == 0
    for hold in found:
        release_hold(database, hold.id, "read")
    assert archived(database, tmp_path / "three").deleted == done.deleted


def test_restored_events_alone_are_held_and_come_in_from_behind_the_horizon(database: Store, tmp_path: Path) -> None:
    """Not whatever anybody posts into the same span of time."""
    ended = [run_event(kind, run_id=f"{RUN}0001") for kind in ("START", "COMPLETE")]
    last = [run_event(kind, run_id=f"{RUN}0002", time=TIME + timedelta(days=1)) for kind in ("START", "COMPLETE")]
    for kind in (PolicyKind.VERSIONS, PolicyKind.ENTITIES):
        set_policy(database, Policy(kind, "*", timedelta(days=30), None))
    take_in(database, [*ended, *last])
    applied = apply(database, plan(database, AS_OF), archive=str(tmp_path))
    assert rows(database, "SELECT count(*) FROM runs") == [(0,)]
    (path,) = applied.manifests
    restored = restore(database, str(tmp_path / path))
    others = [run_event(kind, run_id=f"{RUN}0003", time=TIME + timedelta(hours=12)) for kind in ("START", "COMPLETE")]
    assert take_in(database, others).expired == 2
    assert rows(database, "SELECT count(*) FROM runs") == [(2,)]
    whole = contents(database)
    planned = plan(database, AS_OF)
    assert "runs" not in planned.tables
    assert planned.raw_events.rows == 2, "the others go"
    apply(database, planned, archive=str(tmp_path))
    assert not differences(whole, contents(database))
    release_hold(database, restored.hold, "read")
    applied = apply(database, plan(database, AS_OF), archive=str(tmp_path))
    assert (applied.deleted["runs"], applied.deleted["lineage_events"]) == (2, 4)
    assert rows(database, "SELECT count(*) FROM jobs") == [(0,)]


def test_a_repeat_that_came_twice_at_once_comes_back_twice(database: Store, tmp_path: Path) -> None:
    event = run_event("COMPLETE")
    take_in(database, [event] * 5)
    archived(database, tmp_path, part_bytes=1)
    put(database, [event] * 2)
    (path,) = manifests(tmp_path)
    assert restore(database, str(path)).restored == 3
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(5,)]


def test_events_that_are_equal_as_values_and_not_as_texts_all_come_back(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their texts are of one length, and each is on its own side of the border of a transaction."""
    numbers = ("1.0, 1.00", "1.00, 1.0")
    text = to_json(run_event("COMPLETE", facets={"x": {"numbers": ["?"]}})).decode()
    with database.connect() as connection:
        for pair in numbers:
            connection.execute(
                "INSERT INTO lineage_events (event_time, event, created_at) VALUES (%s, %s::jsonb, %s)",
                [TIME, text.replace('"?"', pair), AS_OF],
            )
    normalize(database, SerialRunner())
    before = rows(database, RAW_EVENTS)
    assert len(before) == 2
    assert archived(database, tmp_path).deleted == 2
    monkeypatch.setattr(archiving, "RESTORED_AT_ONCE", 1)
    (path,) = manifests(tmp_path)
    assert restore(database, str(path)).restored == 2
    assert restore(database, str(path)).restored == 0
    assert rows(database, RAW_EVENTS) == before


def test_an_event_that_came_again_is_another_than_that_in_the_archive(database: Store, tmp_path: Path) -> None:
    take_in(database, [run_event("COMPLETE")])
    archived(database, tmp_path)
    put(database, [run_event("COMPLETE")], received_at="2026-06-02T00:00:00Z")
    assert restore(database, str(manifests(tmp_path)[0])).restored == 1
    assert restore(database, str(manifests(tmp_path)[0])).restored == 0


def test_what_was_received_ahead_of_its_time_comes_back_so(database: Store, tmp_path: Path) -> None:
    event = run_event("COMPLETE")
    put(database, [event], received_at="2025-12-01T00:00:00Z")
    put(database, [event], received_at="2026-05-01T00:00:00Z")
    normalize(database, SerialRunner())
    before = rows(database, RAW_EVENTS)
    archived(database, tmp_path)
    restore(database, str(manifests(tmp_path)[0]))
    assert rows(database, RAW_EVENTS) == before
    assert [row[-1] for row in before] == [True, False]


def test_a_hold_that_is_placed_after_the_writing_keeps_its_events(database: Store, tmp_path: Path) -> None:
    take_in(database, [run_event("COMPLETE"), run_event("COMPLETE", run_id=f"{RUN}0002", job=named_job("held"))])

    def place() -> None:
        if not holds(database):
            add_hold(database, HeldThing("*", job="held"), "a lawsuit", None)

    done = archived(database, tmp_path, runner=_Watched(behind=place))
    assert (done.rows, done.deleted, done.protected) == (2, 1, 1)
    assert rows(database, "SELECT job_name FROM lineage_events") == [("held",)]


def test_a_rebase_after_the_writing_keeps_all(database: Store, tmp_path: Path) -> None:
    take_in(database, [run_event("COMPLETE")])

    def rebase() -> None:
        with database.connect() as connection:
            connection.execute("UPDATE watermarks SET done = '1:1:'")

    assert archived(database, tmp_path, runner=_Watched(behind=rebase)).protected == 1
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(1,)]


class _Watched(SerialRunner):
    """Something happens before tasks, or behind them."""

    def __init__(self, before: Callable[[], None] | None = None, behind: Callable[[], None] | None = None) -> None:
        super().__init__()
        self._before, self._behind = before, behind

    def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
        if self._before is not None:
            self._before()
        yield from super().results(work, items)
        if self._behind is not None:
            self._behind()


def _corrupted(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _changed(path: Path) -> None:
    manifest = json.loads(path.with_name("manifest.json").read_bytes())
    manifest["rows"] += 1
    path.with_name("manifest.json").write_text(json.dumps(manifest))


def _of_other_cutoffs(path: Path) -> None:
    found = path.with_name("manifest.json")
    manifest = archive_manifest.read(found.read_bytes(), "here")
    others = [Cutoff(PolicyKind.RAW_EVENTS, one.namespace, one.before - timedelta(minutes=1), 0) for one in cutoffs()]
    made = archive_manifest.ArchiveManifest.of(manifest.month, manifest.as_of, others, manifest.parts)
    found.write_bytes(archive_manifest.written(made))


def _cut_short(path: Path) -> None:
    manifest = path.with_name("manifest.json")
    manifest.write_bytes(manifest.read_bytes()[:100])


def _led_astray(path: Path) -> None:
    manifest = path.with_name("manifest.json")
    manifest.write_text(manifest.read_text().replace(path.name, f"../x/{path.name}"))


BOTH: dict[str, tuple[Callable[[Path], None], str]] = {
    "corrupted": (_corrupted, "its bytes are not those that were written"),
    "missing": (Path.unlink, "it is not there"),
    "changed": (_changed, "but its parts have"),
    "cut short": (_cut_short, "is no manifest of an event archive"),
    "led astray": (_led_astray, "names parts that are not beside it"),
}


@pytest.mark.parametrize("how", [*BOTH, "of other cut-offs"])
def test_an_archive_that_is_not_what_was_written_deletes_nothing(database: Store, tmp_path: Path, how: str) -> None:
    spoil, message = (BOTH | {"of other cut-offs": (_of_other_cutoffs, "with other cut-offs")})[how]
    take_in(database, history())
    before = rows(database, RAW_EVENTS)
    _stopped_before_deletion(database, tmp_path)
    spoil(parts(tmp_path)[-2])
    done = 0
    with pytest.raises(NeedsOperator, match=message):
        done = archived(database, tmp_path).deleted
    spoiled_month = json.loads(manifests(tmp_path)[0].read_bytes())["month"]
    assert done == 0
    assert spoiled_month
    left = rows(database, RAW_EVENTS)
    gone = {row[0] for row in before} - {row[0] for row in left}
    assert not any(time.month == 4 for time in gone if time.year == 2026), "of the spoiled month nothing went"


@pytest.mark.parametrize("how", BOTH)
def test_an_archive_that_is_not_what_was_written_is_not_restored(database: Store, tmp_path: Path, how: str) -> None:
    spoil, message = BOTH[how]
    take_in(database, history())
    archived(database, tmp_path)
    left = rows(database, RAW_EVENTS)
    path = parts(tmp_path)[0]
    spoil(path)
    with pytest.raises(NeedsOperator, match=message):
        restore(database, str(path.with_name("manifest.json")))
    assert rows(database, RAW_EVENTS) == left
    assert holds(database) == []


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "month": lambda manifest: manifest.update(month="2026-03"),
    "as of": lambda manifest: manifest.update(as_of="2026-01-02T00:00:00Z"),
    "rows": lambda manifest: manifest.update(rows=manifest["rows"] + 1),
    "bytes": lambda manifest: manifest.update(bytes=manifest["bytes"] + 1),
    "first time": lambda manifest: manifest.update(first_time="1000-01-01T00:00:00Z"),
    "last time": lambda manifest: manifest.update(last_time="9999-01-01T00:00:00Z"),
    "a time without a zone": lambda manifest: manifest.update(last_time=manifest["last_time"].rstrip("Z")),
    "cut-offs": lambda manifest: [one.update(before="2026-01-01T00:00:00Z") for one in manifest["cutoffs"]],
    "a cut-off, to one that could be": lambda manifest: manifest["cutoffs"][0].update(before="2026-04-02T00:00:00Z"),
    "a namespace": lambda manifest: manifest["cutoffs"][0].update(namespace="other"),
    "no cut-offs": lambda manifest: manifest.update(cutoffs=[]),
    "a cut-off twice": lambda manifest: manifest["cutoffs"].append(manifest["cutoffs"][0]),
    "a part twice": lambda manifest: manifest.update(
        parts=manifest["parts"] * 2, rows=manifest["rows"] * 2, bytes=manifest["bytes"] * 2
    ),
    "times of a part": lambda manifest: [
        one.update(first_time="2026-01-01T00:00:00Z") for one in (manifest, manifest["parts"][0])
    ],
    "last time of a part": lambda manifest: [
        one.update(last_time="2026-01-31T00:00:00Z") for one in (manifest, manifest["parts"][-1])
    ],
}


def test_whatever_of_a_manifest_is_changed_nothing_is_restored(database: Store, tmp_path: Path) -> None:
    take_in(database, history())
    archived(database, tmp_path)
    left = rows(database, RAW_EVENTS)
    path = manifests(tmp_path)[0]
    written = path.read_text()
    for what, change in CHANGES.items():
        manifest = json.loads(written)
        change(manifest)
        path.write_text(json.dumps(manifest))
        with pytest.raises(NeedsOperator):
            pytest.fail(f"{what} was changed: {restore(database, str(path))}")
    assert rows(database, RAW_EVENTS) == left
    assert holds(database) == []


class FullDisk(MemoryFileSystem):  # type: ignore[misc]  # fsspec has no types
    """Has room for so many bytes of parts in all, whoever has written them."""

    protocol = "fulldisk"
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]
    room = 0

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(super()._strip_protocol(path.replace("fulldisk://", "memory://")))

    def _open(self, path: str, mode: str = "rb", *args: Any, **options: Any) -> Any:
        stream = super()._open(path, mode, *args, **options)
        if mode != "rb":
            plainly = stream.write

            def write(block: Any) -> int:
                taken = sum(len(one.getbuffer()) for one in self.store.values())
                if taken + len(block) > self.room:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                return int(plainly(block))

            stream.write = write
        return stream


def _begun(store: Store, as_of: datetime) -> None:
    with store.connect() as connection:
        connection.execute("INSERT INTO retention_reports (as_of, plan, deleted) VALUES (%s, '{}', '{}')", [as_of])


def test_what_a_full_disk_has_left_makes_room_for_the_next_application(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsspec.register_implementation("fulldisk", FullDisk, clobber=True)
    monkeypatch.setattr(FullDisk, "store", {})
    monkeypatch.setattr(FullDisk, "room", 30_000)
    FullDisk().pipe_file("/another/2026-05-31T000000.000000Z/2026-01.1/part", b"x")
    FullDisk().pipe_file("/archive/2026-05-30T000000.000000Z/2026-01.1/part", b"x")
    take_in(database, history())
    sizes = list[int]()
    for day in range(3):
        _begun(database, AS_OF + timedelta(days=day))
        with pytest.raises(TryAgain, match="No space left on device"):
            archive_expired(database, "fulldisk://archive", cutoffs(), AS_OF + timedelta(days=day), part_bytes=1_000)
        sizes.append(sum(len(one.getbuffer()) for one in FullDisk.store.values()))
        assert len(FullDisk().ls("/archive", detail=False)) == 2, "that of another store, and the last one"
    assert sizes[0] <= sizes[1] == sizes[2]
    monkeypatch.setattr(FullDisk, "room", 10_000_000)
    done = archive_expired(database, "fulldisk://archive", cutoffs(), AS_OF + timedelta(days=9), part_bytes=1_000)
    assert done.deleted == done.rows > 0
    before = FullDisk().find("/archive")
    _begun(database, AS_OF + timedelta(days=9))
    archive_expired(database, "fulldisk://archive", cutoffs(), AS_OF + timedelta(days=10))
    assert FullDisk().find("/archive") == before, "what has a manifest stays"


def test_of_two_that_archive_at_the_same_time_one_learns_so(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(database, history())
    monkeypatch.setattr(raw_events, "_PATIENCE_MS", 100)

    def archive() -> None:
        with pytest.raises(TryAgain, match="archives raw events now"):
            archive_expired(database, str(tmp_path), cutoffs(), AS_OF + timedelta(days=1))

    assert archived(database, tmp_path, runner=_Watched(before=archive)).deleted > 0


def test_an_archive_of_another_store_deletes_nothing(database: Store, tmp_path: Path) -> None:
    """By chance a store has other events under the same arrival numbers and times."""
    take_in(database, history())
    _stopped_before_deletion(database, tmp_path)
    with database.connect() as connection:
        connection.execute('UPDATE lineage_events SET event = event || \'{"of": "another"}\'')
    before = rows(database, RAW_EVENTS)
    with pytest.raises(NeedsOperator, match="has another event than the store"):
        archived(database, tmp_path)
    assert rows(database, RAW_EVENTS) == before


@pytest.mark.parametrize("name", ["part-00001.parquet", "2026-01.1/manifest.json", "nowhere://x/manifest.json"])
def test_what_is_no_manifest_is_refused(database: Store, tmp_path: Path, name: str) -> None:
    with pytest.raises(WrongUsage):
        restore(database, name if "://" in name else str(tmp_path / name))


def test_a_file_system_that_fails_is_reported_without_what_is_secret(database: Store, tmp_path: Path) -> None:
    take_in(database, history())
    (tmp_path / "file").write_text("")
    with pytest.raises(TryAgain, match="cannot be used now"):
        archived(database, tmp_path / "file")
    with pytest.raises(WrongUsage, match=r"nowhere://user:…@host"):
        archive_expired(database, "nowhere://user:secret@host/x", cutoffs(), AS_OF)


def test_an_archive_may_be_anywhere_that_fsspec_knows(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    take_in(database, history())
    before = rows(database, RAW_EVENTS)
    with local_s3(monkeypatch):
        done = archive_expired(database, f"s3://{BUCKET}/archive", cutoffs(), AS_OF)
        assert rows(database, RAW_EVENTS) != before
        for name in done.manifests:
            restore(database, f"s3://{BUCKET}/archive/{name}")
    assert rows(database, RAW_EVENTS) == before


def test_a_task_can_be_sent_and_shows_no_password(database: Store, tmp_path: Path) -> None:
    take_in(database, history())
    store = make_conninfo(database.dsn, application_name="secret")
    seen = list[str]()

    class Elsewhere(SerialRunner):
        def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
            seen.extend(map(repr, items))
            sent_work, sent_items = pickle.loads(pickle.dumps((work, items)))
            return iter([pickle.loads(pickle.dumps(one)) for one in super().results(sent_work, sent_items)])

    assert archive_expired(Store(store), str(tmp_path), cutoffs(), AS_OF, Elsewhere()).deleted
    assert not any("secret" in text or str(tmp_path) in text for text in seen)


def test_events_that_come_while_it_is_archived_go_with_the_same_call_again(database: Store, tmp_path: Path) -> None:
    take_in(database, history())
    archived(database, tmp_path)
    take_in(database, history(2))
    assert archived(database, tmp_path).deleted
    assert [path.parent.name for path in manifests(tmp_path)][:2] == ["2026-01.1", "2026-01.2"]
    assert archived(database, tmp_path).deleted == 0


def test_each_role_does_its_part_and_no_other(database: Store, postgres_server: Server, tmp_path: Path) -> None:
    take_in(database, history())
    before = rows(database, RAW_EVENTS)
    postgres_server.ensure_role("worker", "NOSUPERUSER")
    postgres_server.run_sql(f"GRANT {JOBS} TO worker;")
    worker, operator = make_conninfo(database.dsn, user="worker"), operators_login(postgres_server, database)
    done = archived(Store(worker), tmp_path)
    assert done.deleted
    with pytest.raises(NeedsOperator, match="lineage_operator"):
        restore(Store(worker), str(manifests(tmp_path)[0]))
    for path in manifests(tmp_path):
        restore(operator, str(path))
    assert rows(database, RAW_EVENTS) == before
    assert {hold.placed_by for hold in holds(operator)} != {"lineage"}


def test_the_command_restores_and_says_what_it_did(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    take_in(database, [run_event("COMPLETE")])
    archived(database, tmp_path)
    (path,) = manifests(tmp_path)
    for arguments, output in (
        ([], "1 events are restored, 0 were there. Hold 1 keeps them until it is released.\n"),
        (["--json"], '{"restored": 0, "already_there": 1, "hold": 1}\n'),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["retention", "restore", str(path), *arguments])
        assert ended.value.code == 0
        assert capsys.readouterr().out == output


def _stopped_before_deletion(store: Store, folder: Path) -> None:
    class Stopped(Exception):
        pass

    class Writer(SerialRunner):
        def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
            if isinstance(items[0], archiving.ComparisonTask):
                raise Stopped
            return super().results(work, items)

    with pytest.raises(Stopped):
        archived(store, folder, runner=Writer(), part_bytes=700)
    assert manifests(folder)


STEPS = [
    ("retention/raw_events/parts", 1),
    ("write part", 1),
    ("write part", 3),
    ("write manifest", 1),
    ("compare part", 3),
    ("retention/raw_events/stored", 3),
    ("retention/raw_events/drop_partition", 1),
    ("retention/raw_events/delete", 3),
]
"""Each with the visit at which it is killed: the first, or one behind work that is done."""


def _killed(act: Callable[[], object], step: str, visit: int) -> int:
    """Acts in a process that kills itself at a visit of a step; the signal that it ended by."""

    def run() -> None:
        seen = 0

        def hear(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal seen
            if event == STEP and arguments == (step,):
                seen += 1
                if seen == visit:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hear)
        act()

    child = multiprocessing.get_context("fork").Process(target=run)
    child.start()
    child.join()
    return -(child.exitcode or 0)


@pytest.mark.parametrize(("step", "visit"), STEPS)
def test_a_kill_at_any_step_loses_nothing_and_a_repeat_goes_on(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, visit: int
) -> None:
    monkeypatch.setattr(archiving, "DELETED_AT_ONCE", 2)
    take_in(database, history())
    raw = rows(database, RAW_EVENTS)
    assert _killed(lambda: archived(database, tmp_path, part_bytes=700), step, visit) == signal.SIGKILL
    archived(database, tmp_path, part_bytes=700)
    assert archived(database, tmp_path).deleted == 0
    named = {part["path"] for path in manifests(tmp_path) for part in json.loads(path.read_bytes())["parts"]}
    assert {path.name for path in parts(tmp_path)} == named, "nothing unfinished is left"
    assert len(rows(database, RAW_EVENTS)) < len(raw)
    for path in manifests(tmp_path):
        restore(database, str(path))
    assert rows(database, RAW_EVENTS) == raw


@pytest.mark.parametrize("step", ["retention/hold_of_restored", "retention/add_hold", "retention/raw_events/restore"])
def test_a_kill_while_events_are_restored_leaves_none_twice(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    monkeypatch.setattr(archiving, "RESTORED_AT_ONCE", 1)
    event = run_event("COMPLETE")
    take_in(database, [event, event, *history()])
    raw = rows(database, RAW_EVENTS)
    archived(database, tmp_path)
    path = manifests(tmp_path)[0]
    visit = 3 if step == "retention/raw_events/restore" else 1
    assert _killed(lambda: restore(database, str(path)), step, visit) == signal.SIGKILL
    for each in manifests(tmp_path):
        restore(database, str(each))
    assert rows(database, RAW_EVENTS) == raw
    assert len(holds(database)) == len(manifests(tmp_path))


def test_where_no_archive_can_be_kept_nothing_begins(database: Store) -> None:
    take_in(database, history())
    before = rows(database, RAW_EVENTS)
    with pytest.raises(WrongUsage, match="gone with the process"):
        apply(database, plan(database, AS_OF), archive="memory://archive")
    assert rows(database, RAW_EVENTS) == before
    assert rows(database, "SELECT count(*) FROM retention_reports") == [(0,)]
