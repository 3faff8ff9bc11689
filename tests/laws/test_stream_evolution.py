"""Streams whose schemas evolve while they are written, read and merged, against a model of lists (seed 004)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from lineage_core.changelog import STANDARD, StreamPart, numbered, write_part
from lineage_core.changelog.schemas import EvolutionOutcome, SchemaEvolution, StreamSchemas
from lineage_core.errors import ReaderFenced
from lineage_core.evolution.arrow import schema_of, struct_of
from lineage_core.evolution.data_types import Content, DataField, DataType, ListOf, MapOf, Primitive, Struct, projection
from lineage_core.files import FileFolder
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.streams.parts import MergeTask, published_tables, stream_folder
from lineage_core.streams.store.heads import PublishedPart
from lineage_core.streams.store.schemas import compare_and_evolve, stream_schemas
from tests.support.evolving_schemas import permitted_steps, schemas, values

pytestmark = pytest.mark.postgres

NOW = datetime(2026, 1, 1, tzinfo=UTC)
EXAMPLES = 80
STEPS = 30


@dataclass(frozen=True)
class ModelPart:
    """A part as it is listed, and what was written into it, by its own schema."""

    listed: PublishedPart
    rows: list[dict[str, Any]]


def is_writable(type_: DataType) -> bool:
    """Whether Parquet has it, and gives it back: no struct without fields, no list of a fixed size."""
    match type_:
        case Struct(fields):
            return bool(fields) and all(is_writable(field.type) for field in fields)
        case ListOf(element):
            return type_.size is None and is_writable(element.type)
        case MapOf(key, value):
            return is_writable(key) and is_writable(value.type)
        case Primitive():
            return True


WRITABLE = schemas().filter(is_writable)


class EvolvingStream(RuleBasedStateMachine):
    """One stream. The registry and the files are real; the list of parts is the model's."""

    connection: ClassVar[Connection]
    root: ClassVar[FileFolder]
    met: ClassVar[Counter[str]]
    numbers: ClassVar[Iterator[int]]

    @initialize(data=st.data(), first=WRITABLE)
    def begin(self, data: st.DataObject, first: Struct) -> None:
        self.stream = f"law/{next(self.numbers)}"
        self.earlier = [first]
        self.parts = list[ModelPart]()
        evolution = self._evolve(None, first)
        assert (evolution.outcome, evolution.schema_id) == (EvolutionOutcome.INITIAL, 0)
        self.met["examples"] += 1
        for _ in range(3):
            self.evolve(data)

    @rule(data=st.data())
    def evolve(self, data: st.DataObject) -> None:
        step = data.draw(permitted_steps(self.earlier))
        if not is_writable(step):
            return
        evolution = self._evolve(len(self.earlier) - 1, step)
        if step == self.earlier[-1]:
            assert evolution.outcome is EvolutionOutcome.UNCHANGED
            return
        assert evolution.outcome is EvolutionOutcome.EVOLVED
        self.earlier.append(step)
        assert self._registered().latest_id == len(self.earlier) - 1
        self.met["evolved"] += 1

    @precondition(lambda self: len(self.earlier) > 1)
    @rule(data=st.data())
    def evolve_against_the_rules(self, data: st.DataObject) -> None:
        """Back to an earlier schema: what was added may go, but nothing comes back, nor is it never null again."""
        back = data.draw(st.sampled_from(self.earlier[:-1]))
        if is_permitted(self.earlier[-1], back):
            return
        before = self._registered()
        evolution = self._evolve(len(self.earlier) - 1, back)
        assert evolution.outcome is EvolutionOutcome.REFUSED
        assert evolution.refusal is not None
        assert self._registered() == before == evolution.schemas
        self.met["refused"] += 1

    @rule(expected_id=st.none() | st.integers(0, 6))
    def expect_another(self, expected_id: int | None) -> None:
        if expected_id == len(self.earlier) - 1:
            return
        evolution = self._evolve(expected_id, self.earlier[0])
        assert (evolution.outcome, evolution.schema_id) == (EvolutionOutcome.STALE, len(self.earlier) - 1)
        self.met["stale"] += 1

    @rule(data=st.data())
    def append(self, data: st.DataObject) -> None:
        """A writer of any age. One that looks at the registry writes the latest schema, another one its own."""
        schema_id = data.draw(st.integers(0, len(self.earlier) - 1))
        looks = data.draw(st.booleans())
        written = data.draw(st.lists(values(self.earlier[schema_id]), min_size=1, max_size=3))
        rows = pa.Table.from_pylist(written, schema_of(self.earlier[schema_id]))
        records = numbered(rows.append_column("op", pa.array([0] * len(rows), pa.uint8())), self._next_offset(), NOW)
        if looks:
            records, schema_id = STANDARD.records_to_write(records, self._registered()), len(self.earlier) - 1
        self._write(records, schema_id)
        self.met["appended"] += 1
        self.met["appended by a stale writer"] += struct_of(rows.schema) != self.earlier[-1]

    @rule(data=st.data())
    def merge(self, data: st.DataObject) -> None:
        """Neighbouring parts, in the schema that is the latest when that is asked for. Then the stream evolves,
        and the compaction may be killed: its file is there."""
        while len(self.parts) < 2:
            self.append(data)
        first = data.draw(st.integers(0, len(self.parts) - 2))
        some = self.parts[first : first + data.draw(st.integers(2, 3))]
        schema_id = len(self.earlier) - 1
        migration = self._registered().to_latest()
        task = MergeTask(self.root.url, self.stream, schema_id, migration, tuple(one.listed for one in some))
        is_killed = data.draw(st.booleans())
        self.evolve(data)
        merged = task.write()
        if is_killed:
            self.met["killed"] += 1
            return
        assert merged.into.commit_ends == tuple(end for one in some for end in one.listed.commit_ends)
        rows = [model_value(row, self.earlier[schema_id]) for one in some for row in one.rows]
        listed = _listed(merged.into.part, list(merged.into.commit_ends))
        self.parts[first : first + len(some)] = [ModelPart(listed, rows)]
        self.met["merged"] += 1
        self.met["merged in an earlier schema"] += schema_id < len(self.earlier) - 1

    @rule()
    def read_the_latest(self) -> None:
        found = self._read(self._registered().reader_schema())
        assert found == self._rows_as(self.earlier[-1])
        self.met["read"] += bool(found)

    @rule(data=st.data())
    def read_by_any_schema(self, data: st.DataObject) -> None:
        """A reader of any age, of some columns: fenced if and only if it reads what was deleted or made nullable."""
        schema_id = data.draw(st.integers(0, len(self.earlier) - 1))
        known = self.earlier[schema_id]
        names = data.draw(st.sets(st.sampled_from([field.name for field in known.fields]), min_size=1, max_size=2))
        target = projection(known, [(name,) for name in names])
        if not is_permitted(self.earlier[-1], target):
            with pytest.raises(ReaderFenced):
                self._registered().to_reader(schema_of(target))
            self.met["fenced"] += 1
            return
        assert self._read(schema_of(target)) == self._rows_as(target)
        self.met["read by an earlier schema"] += schema_id < len(self.earlier) - 1

    @precondition(lambda self: bool(self.earlier[-1].fields))
    @rule(data=st.data())
    def read_a_projection_of_the_latest(self, data: st.DataObject) -> None:
        names = data.draw(st.sets(st.sampled_from([field.name for field in self.earlier[-1].fields])))
        target = projection(self.earlier[-1], [(name,) for name in names])
        assert self._read(schema_of(target)) == self._rows_as(target)

    def _evolve(self, expected_id: int | None, schema: Struct) -> SchemaEvolution:
        return compare_and_evolve(self.connection, self.stream, expected_id, schema_of(schema))

    def _registered(self) -> StreamSchemas:
        return stream_schemas(self.connection, self.stream)

    def _read(self, reader_schema: pa.Schema) -> list[dict[str, Any]]:
        migration = self._registered().to_reader(reader_schema)
        found = list[dict[str, Any]]()
        for table in published_tables(self.stream, self.root, [part.listed for part in self.parts], migration):
            table.validate(full=True)
            assert table.schema.names[4:] == reader_schema.names
            found += table.drop_columns(["op", "system_time", "event_time"]).to_pylist()
        return found

    def _rows_as(self, target: Struct) -> list[dict[str, Any]]:
        rows = (row for part in self.parts for row in part.rows)
        return [{"offset": offset, **model_value(row, target)} for offset, row in enumerate(rows)]

    def _next_offset(self) -> int:
        return self.parts[-1].listed.end_offset + 1 if self.parts else 0

    def _write(self, records: pa.Table, schema_id: int) -> None:
        part = write_part(stream_folder(self.root, self.stream), self.stream, schema_id, records)
        rows = records.drop_columns(["offset", "op", "system_time", "event_time"]).to_pylist()
        self.parts.append(ModelPart(_listed(part, [part.end_offset]), rows or [{}] * len(records)))


def _listed(part: StreamPart, commit_ends: list[int]) -> PublishedPart:
    return PublishedPart(
        part.start_offset,
        part.end_offset,
        part.schema_id,
        part.name,
        part.bytes,
        part.physical_hash,
        part.logical_hash,
        commit_ends,
    )


def is_permitted(latest: Struct, target: DataType) -> bool:
    """Whether a reader of an earlier schema, or a projection of it, still has all that it reads."""
    return _still_has(latest, target)


def _still_has(latest: DataType, target: DataType) -> bool:
    match latest, target:
        case Struct(fields), Struct(wanted):
            known = {field.name: field for field in fields}
            return all(field.name in known and _content_fits(known[field.name], field) for field in wanted)
        case ListOf(inner), ListOf(outer):
            return _content_fits(inner, outer)
        case MapOf(key, value), MapOf(key_wanted, value_wanted):
            whole = len(key.fields) == len(key_wanted.fields) if isinstance(key, Struct) else True  # type: ignore[union-attr]
            return whole and _still_has(key, key_wanted) and _content_fits(value, value_wanted)
        case _:
            return latest == target


def _content_fits(latest: DataField | Content, wanted: DataField | Content) -> bool:
    return (wanted.nullable or not latest.nullable) and _still_has(latest.type, wanted.type)


def model_value(value: Any, target: DataType) -> Any:
    """What a value is in a later schema: names are never used again, so what is of the same name is the same field."""
    match target:
        case _ if value is None:
            return None
        case Struct(fields):
            return {field.name: model_value(value.get(field.name), field.type) for field in fields}
        case ListOf(element):
            return [model_value(one, element.type) for one in value]
        case MapOf(key, item):
            return [(model_value(one, key), model_value(other, item.type)) for one, other in value]
        case _:
            return value


def assert_law(store: Store, folder: Path) -> Counter[str]:
    """How often each situation was met."""
    with store.connect(autocommit=True) as connection:
        EvolvingStream.connection = connection
        EvolvingStream.root = FileFolder(str(folder))
        EvolvingStream.met = Counter()
        EvolvingStream.numbers = count()
        run_state_machine_as_test(
            EvolvingStream,
            settings=settings(
                max_examples=EXAMPLES,
                stateful_step_count=STEPS,
                derandomize=True,
                database=None,
                phases=(Phase.generate,),
                suppress_health_check=list(HealthCheck),
            ),
        )
    return EvolvingStream.met


@pytest.mark.slow
def test_a_stream_reads_as_its_model_whatever_was_evolved_written_and_merged(database: Store, tmp_path: Path) -> None:
    met = assert_law(database, tmp_path)
    situations: Sequence[str] = (
        "evolved",
        "refused",
        "stale",
        "appended by a stale writer",
        "merged",
        "merged in an earlier schema",
        "killed",
        "read",
        "fenced",
        "read by an earlier schema",
    )
    assert all(met[situation] >= 3 for situation in situations), met
