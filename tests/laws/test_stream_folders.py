"""Streams in folders against a model of lists, whatever is published, evolved, merged, deleted or killed between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pytest

from lineage_core import files
from lineage_core.changelog import FolderHead, Snapshot, StreamFolder, validate
from lineage_core.errors import ReaderFenced
from lineage_core.files import FileFolder
from tests.support.examples import numbers

HISTORIES = 25
STEPS = 16
FLOORS = {
    "corrections": 20,
    "repeats": 40,
    "columns added": 15,
    "columns dropped": 15,
    "readers fenced": 40,
    "parts merged": 20,
    "checkpoints": 15,
    "files deleted": 40,
    "killed before": 10,
    "killed after": 8,
}
"""How often each is met at least, for the law to say something."""

Row = dict[str, Any]
State = dict[int, Row]


class Killed(BaseException):
    """As a process that ends there."""


class PublishedFolder:
    """One stream with the key `id`. The model has each state that was published, with all columns that it had then."""

    def __init__(self, random: Random, met: Counter[str]) -> None:
        self.random, self.met = random, met
        self.stream = StreamFolder(FileFolder(f"memory://{uuid4().hex}"), "people")
        self.columns = ["first"]
        self.column_names = map("column_{}".format, count())
        self.published = list[tuple[datetime, State]]()
        self.clock = datetime.now(UTC).replace(microsecond=0) + timedelta(minutes=1)
        self.read_as = list[pa.Schema]()

        self._publish({0: {"id": 0, "first": "a"}, 1: {"id": 1, "first": None}})

    def step(self) -> None:
        """Something happens, and then the stream is what the model says."""
        anything = (
            self.publish,
            self.add_a_column,
            self.drop_a_column,
            self.merge_parts,
            self.make_a_checkpoint,
            self.clean_up,
            self.be_killed,
        )
        self.random.choice(anything)()
        self.is_what_the_model_says()

    def publish(self) -> None:
        keys = self.random.sample(range(4), self.random.randint(0, 4))
        state = {
            key: {"id": key, **{name: self.random.choice(["a", "b", None]) for name in self.columns}} for key in keys
        }
        self._publish(state)
        head = self.stream.head()
        self._publish(state)
        assert self.stream.head() == head
        self.met["repeats"] += 1

    def _publish(self, state: State) -> None:
        before = self._now()
        head = self.stream.publish(Snapshot(("id",)), self._table(state), self._tick())
        self.met["corrections"] += sum(key in before and before[key] != row for key, row in state.items())
        if state != before:
            assert head.system_time == self.clock
            self.published.append((self.clock, state))

    def add_a_column(self) -> None:
        if len(self.columns) == 3:
            return
        self.read_as.append(self._schema())
        self.columns.insert(0, next(self.column_names))
        self.stream.evolve(self._schema(), system_time=self._tick())
        self.met["columns added"] += 1

    def drop_a_column(self) -> None:
        if len(self.columns) == 1:
            return
        self.read_as.append(self._schema())
        self.columns.pop()
        self.stream.evolve(self._schema(), system_time=self._tick())
        self.met["columns dropped"] += 1

    def merge_parts(self) -> None:
        before = len(self.stream.head().parts)
        self.met["parts merged"] += before - len(self.stream.compact(system_time=self._tick()).parts)

    def make_a_checkpoint(self) -> None:
        before = self.stream.head().checkpoint
        self.met["checkpoints"] += self.stream.checkpoint(self._tick()).checkpoint != before

    def clean_up(self) -> None:
        self.met["files deleted"] += self.stream.clean_up(timedelta(0), now=self._tick())

    def be_killed(self) -> None:
        work = self.random.choice(["compact", "checkpoint", "clean_up", "publish"])
        call, is_done = self.random.randint(0, 3), self.random.random() < 0.5
        state = {key: {**row, self.columns[0]: f"{len(self.published)}"} for key, row in self._now().items()}
        at = self._tick()
        calls: dict[str, Callable[[], Any]] = {
            "compact": lambda: self.stream.compact(system_time=at),
            "checkpoint": lambda: self.stream.checkpoint(at),
            "clean_up": lambda: self.stream.clean_up(timedelta(0), now=at),
            "publish": lambda: self.stream.publish(Snapshot(("id",)), self._table(state), at),
        }
        try:
            with killed_at(call, is_done):
                calls[work]()
        except Killed:
            self.met["killed after" if is_done else "killed before"] += 1
        if work == "publish" and state and self._rows(self.stream.state()) == self._expected(state):
            self.published.append((at, state))

    def is_what_the_model_says(self) -> None:
        head = self.stream.head()
        assert self._rows(self.stream.state(head)) == self._expected(self._now())
        for time, state in self.published[-3:]:
            assert self._rows(self.stream.state(head, time)) == self._expected(state)
        validate(self.stream.records(head), None, ["id"], expected_offset=0)
        self._a_reader_is_right_or_fenced(head)

    def _a_reader_is_right_or_fenced(self, head: FolderHead) -> None:
        for schema in self.read_as[-2:]:
            latest = self.stream.records(head)
            if set(schema.names) <= {"id", *self.columns}:
                assert self.stream.records(head, reader_schema=schema).equals(latest.select(_with_system(schema)))
                continue
            with pytest.raises(ReaderFenced):
                self.stream.records(head, reader_schema=schema)
            self.met["readers fenced"] += 1

    def _tick(self) -> datetime:
        self.clock += timedelta(minutes=1)
        return self.clock

    def _now(self) -> State:
        """The last state, as it is in the columns that there are."""
        return {row["id"]: row for row in self._expected(self.published[-1][1])} if self.published else {}

    def _expected(self, state: State) -> list[Row]:
        return [{name: row.get(name) for name in ("id", *self.columns)} for _, row in sorted(state.items())]

    def _rows(self, table: pa.Table) -> list[Row]:
        return sorted(
            [{name: row[name] for name in ("id", *self.columns)} for row in table.to_pylist()],
            key=lambda row: int(row["id"]),
        )

    def _schema(self) -> pa.Schema:
        return pa.schema([("id", pa.int64()), *((name, pa.string()) for name in self.columns)])

    def _table(self, state: State) -> pa.Table:
        return pa.Table.from_pylist(self._expected(state), schema=self._schema())


def _with_system(schema: pa.Schema) -> list[str]:
    return ["offset", "op", "system_time", "event_time", *schema.names]


@contextmanager
def killed_at(call: int, is_done: bool) -> Iterator[None]:
    """Ends the process at so many writes or removals of a file, before it or behind it."""
    calls, changed = count(), {name: getattr(files, name) for name in ("put_if_absent", "remove_file")}

    def watched(change: Callable[..., Any]) -> Callable[..., Any]:
        def changes(*arguments: Any) -> Any:
            is_last = next(calls) == call
            if is_last and not is_done:
                raise Killed
            result = change(*arguments)
            if is_last:
                raise Killed
            return result

        return changes

    with pytest.MonkeyPatch.context() as patched:
        for name, change in changed.items():
            patched.setattr(files, name, watched(change))
        yield


@pytest.mark.slow
def test_a_folder_is_what_was_published_whatever_comes_between() -> None:
    met = Counter[str]()
    for seed in numbers(HISTORIES):
        folder = PublishedFolder(Random(seed), met)
        for _ in range(STEPS):
            folder.step()
    assert {name: met[name] for name, floor in FLOORS.items() if met[name] < floor} == {}, met
