"""What goes wrong with an event archive: nothing is deleted that it does not have, and nothing comes back twice."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
from lineage_core.postgres.store import Store
from lineage_core.retention import archive_manifest, archiving, restoring
from lineage_core.retention.archiving import archive_expired
from lineage_core.retention.policies import Cutoff
from lineage_core.retention.restoring import restore
from lineage_core.retention.store import raw_events
from lineage_core.retention.store.policies import holds
from lineage_core.retention.tables import PolicyKind
from lineage_core.statements import STEP
from lineage_core.tasks import Done, Item, SerialRunner, Work
from lineage_core.testing import run_event
from tests.support.archived_events import (
    AS_OF,
    RAW_EVENTS,
    WatchedRunner,
    archived,
    cutoffs,
    history,
    manifests,
    parts,
)
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres


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

    assert archived(database, tmp_path, runner=WatchedRunner(before=archive)).deleted > 0


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
    monkeypatch.setattr(restoring, "RESTORED_AT_ONCE", 1)
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
