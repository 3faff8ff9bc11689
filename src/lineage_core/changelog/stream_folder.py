"""A changelog stream in a folder of its own, below any URL: for streams whose parts no database lists.

Its schemas follow the rules of seed 004: `evolve` makes another one the latest, or refuses it and changes nothing.
Parts stay as they were written, and are migrated as they are read. A reader that says which schema it knows is right or
fenced.

| folder | has |
|---|---|
| `history` | the parts |
| `checkpoints` | rows that are there before some record |
| `commits` | a file for each commit, numbered from 0 (`folder_log`) |
| `heads` | what all commits before one of them make |

Parts that no commit lists belong to no stream. Of two writers at the same moment one is refused, with TryAgain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pyarrow as pa

from lineage_core import files
from lineage_core.changelog.bins import BinSizes, bins
from lineage_core.changelog.changelog import STANDARD, Changelog
from lineage_core.changelog.folder_log import (
    CHECKPOINTS,
    HISTORY,
    FolderCommit,
    FolderHead,
    FolderLog,
    MergedFiles,
)
from lineage_core.changelog.migrated_records import without_ids
from lineage_core.changelog.parts import StreamPart, looked_at, read_checkpoint, read_part, write_checkpoint
from lineage_core.changelog.replay import offset_at, records_between
from lineage_core.changelog.schemas import SchemaEvolution, StreamSchemas
from lineage_core.changelog.strategies import MergeStrategy
from lineage_core.changelog.types import stored_schema
from lineage_core.errors import NeedsOperator, SchemaRefused, TryAgain, WrongUsage
from lineage_core.evolution import DataMigration
from lineage_core.files import FileFolder

ATTEMPTS = 3
"""To commit what changes no record, while others append."""

GRACE = timedelta(days=1)
"""How long files stay that the stream no longer has: for readers of an earlier head, and for writers that are slow."""


@dataclass(frozen=True)
class StreamFolder:
    """A stream and its folder. Streams may share no folder. `changelog`: what its system columns are called."""

    folder: FileFolder
    name: str
    changelog: Changelog = STANDARD

    @property
    def history(self) -> FileFolder:
        """Where parts are to be written."""
        return self.folder.below(HISTORY)

    def head(self) -> FolderHead:
        """Raises NeedsOperator if a commit is missing or unreadable, TryAgain if files cannot be used now."""
        return self._log.head()

    def paths(self, head: FolderHead) -> list[str]:
        """Of the parts, for other readers of Parquet."""
        return [self.history.file(part.name) for part in head.parts]

    def schemas(self, head: FolderHead) -> StreamSchemas:
        """All schemas that the stream has had, the id of each being its place. It has none before its first records.

        Of parts that an earlier release wrote, without their schemas, the files say them. Raises NeedsOperator if these
        contradict each other.
        """
        if head.schemas.types or not head.parts:
            return head.schemas
        found = StreamSchemas(self.name)
        for part in head.parts:
            evolution = found.evolved(found.latest_id, self._schema_of(part), vocabulary=self.changelog.vocabulary)
            if evolution.refusal is not None:
                raise NeedsOperator(
                    f"The parts of the stream {self.name} in {self.folder} do not have the same types: {part.name}:"
                    f" {evolution.refusal}"
                )
            found = evolution.schemas
        return found

    def records(
        self,
        head: FolderHead,
        since: int | datetime | None = None,
        until: int | datetime | None = None,
        reader_schema: pa.Schema | None = None,
    ) -> pa.Table:
        """The records up to a head, from `since` on and before `until`: each an offset, or a system time.

        reader_schema: the data columns that the reader knows, the latest schema if None. Raises WrongUsage if there are
        no records yet, ReaderFenced if data of some schema cannot be migrated to the reader's, and what `read_part`
        raises.
        """
        schemas = self._refuse_empty(head)
        migration = schemas.to_latest() if reader_schema is None else schemas.to_reader(reader_schema)
        begin = 0 if since is None else self._offset(head, since)
        end = head.next_offset if until is None else self._offset(head, until)
        return self._between(head, begin, end, migration)

    def state(self, head: FolderHead | None = None, at: int | datetime | None = None) -> pa.Table:
        """The rows that are there: event time and data columns, in the latest schema.

        at: the last record that counts, by its offset, or the system time up to which records count; all if None.
        Raises WrongUsage if there is no such record, if it is a -C, or if there is no record yet; BrokenStream if
        records do not follow from each other; NeedsOperator if a file is damaged.
        """
        head = head or self.head()
        schemas = self._refuse_empty(head)
        end = head.next_offset if at is None else self._end(head, at)
        migration, key, rows, begin = schemas.to_latest(), head.key or (), None, 0
        if head.checkpoint is not None and head.checkpoint.next_offset <= end:
            rows = read_checkpoint(self._checkpoints, head.checkpoint)
            rows, begin = self.changelog.migrated_records(rows, migration), head.checkpoint.next_offset
            if begin == end:
                return rows
        records = self._between(head, begin, end, migration)
        if isinstance(at, int):
            self.changelog.records_up_to(self.name, records, at)
        return self.changelog.replay(records, rows, key)

    def publish(self, strategy: MergeStrategy, table: pa.Table, system_time: datetime | None = None) -> FolderHead:
        """Appends what a table changes in the stream, by a merge strategy, and gives the head after it.

        If nothing has changed, nothing is appended: so a call may be repeated. The first table decides on schema and
        key. system_time: now, if None.

        Raises what `merge` raises; SchemaRefused if the table has a schema that the stream cannot have, and WrongUsage
        if it has one that `evolve` would have to make the latest before; TryAgain if somebody else has appended
        meanwhile: nothing was published then.
        """
        head = self.head()
        schemas = self._keyed(head, strategy.primary_key)
        if schemas.types:
            table = _typed(table, schemas.latest.current())
            self._refuse_other_columns(schemas, table.schema)
        state = self.state(head) if head.parts else None
        changes = self.changelog.merge(strategy, state, table)
        if not changes.num_rows:
            return head
        time = head.not_before(system_time or datetime.now(UTC))
        records = self.changelog.numbered(changes, head.next_offset, time)
        if schemas.types:
            records = self._as_latest(records, schemas)
        part = self.changelog.write_part(self.history, self.name, schemas.latest_id or 0, records)
        return self._append(head, [part], time, strategy.primary_key)

    def append(self, head: FolderHead, parts: Sequence[StreamPart], system_time: datetime) -> FolderHead:
        """Makes parts that are written a commit behind a head, and gives the head after it. No parts are no commit.

        The file of each part is looked at: its size, what it says of itself, and its schema, which must be one of the
        stream's; that of the first part is its first schema. Raises WrongUsage if the parts do not begin where the head
        is, leave a gap, or are not there, or if the system time goes back; SchemaRefused for another schema;
        NeedsOperator if a file is damaged; TryAgain if somebody else has appended meanwhile, or files cannot be used
        now. Nothing was published then.
        """
        if not parts:
            return head
        if system_time.tzinfo is None or (head.system_time is not None and system_time < head.system_time):
            raise WrongUsage(f"The system time {system_time} has no time zone, or is before that of the last commit")
        return self._append(head, parts, system_time, None)

    def evolve(
        self, schema: pa.Schema, primary_key: Sequence[str] | None = None, system_time: datetime | None = None
    ) -> FolderHead:
        """Makes a schema the latest one, and gives the head after that. If it is so already, nothing changes.

        schema: the data columns, without the system columns. primary_key: the columns that name a row, None is those
        that do. A schema may have new nullable columns, lack columns, and have nulls where there were none; a name is
        never used again. Raises SchemaRefused for any other, with the column and the rule, and WrongUsage for a type
        that cannot be stored; TryAgain if somebody else has changed the stream meanwhile.
        """
        head = self.head()
        before = self._keyed(head, primary_key)
        after = _accepted(
            before.evolved(
                before.latest_id, stored_schema(schema), key=before.key, vocabulary=self.changelog.vocabulary
            )
        )
        new = after.types[len(head.schemas.types) :]
        key = None if primary_key is None else tuple(primary_key)
        if not new and key in (None, head.key):
            return head
        time = head.not_before(system_time or datetime.now(UTC))
        return self._log.append(head, FolderCommit(time, schemas=new, key=key))

    def compact(self, sizes: BinSizes | None = None, system_time: datetime | None = None) -> FolderHead:
        """Merges small parts that lie side by side into one each, in the latest schema. No record changes.

        Memory is that of the records of one merged part. The old files stay for readers, until `clean_up`. Raises
        TryAgain if others change the stream again and again meanwhile.
        """
        head = self.head()
        schemas = self.schemas(head)
        merged = tuple(self._merged(parts, schemas) for parts in bins(head.parts, sizes or BinSizes()))
        if not merged:
            return head
        known = schemas.types[len(head.schemas.types) :]

        def commit(now: FolderHead) -> FolderCommit | None:
            there = {part.name for part in now.parts}
            still = tuple(one for one in merged if there.issuperset(one.names))
            new = known if len(now.schemas.types) == len(head.schemas.types) else ()
            return FolderCommit(self._now(now, system_time), schemas=new, merged=still) if still else None

        return self._committed(head, commit)

    def checkpoint(self, system_time: datetime | None = None) -> FolderHead:
        """Writes the rows that are there as a checkpoint, at which `state` begins from then on.

        If no record has come since the last one, nothing changes. Memory is that of the rows, three times.
        """
        head = self.head()
        schemas = self._refuse_empty(head)
        if head.checkpoint is not None and head.checkpoint.next_offset == head.next_offset:
            return head
        rows = self.state(head)
        written = write_checkpoint(self._checkpoints, self.name, schemas.latest_id or 0, head.next_offset, rows)

        def commit(now: FolderHead) -> FolderCommit | None:
            if now.checkpoint is not None and now.checkpoint.next_offset >= written.next_offset:
                return None
            return FolderCommit(self._now(now, system_time), checkpoint=written)

        return self._committed(head, commit)

    def clean_up(self, grace: timedelta = GRACE, now: datetime | None = None) -> int:
        """Deletes files that the stream has not had for so long, and commits that a kept head stands for; how many.

        Also parts that no commit has listed: of writers that were interrupted. `grace` is to be longer than a reader
        reads, and than a writer takes from its first part to its commit. Raises TryAgain if files cannot be used now.
        """
        now = now or datetime.now(UTC)
        with files.failures_explained(f"The stream {self.name} in {self.folder}", "Nothing else was changed"):
            there = {f"{name}/{file}" for name in (HISTORY, CHECKPOINTS) for file in self._files(name)}
            head = self.head()  # behind the look at the files: what was committed meanwhile is known
            unlisted = there - _files_of(head) - {one.path for one in head.left}
            gone = tuple(one.path for one in head.left if one.since < now - grace)
            gone_unlisted = [path for path in unlisted if files.modified(self.folder.file(path)) < now - grace]
            for path in (*gone, *gone_unlisted):
                files.remove_file(self.folder.file(path))
        if gone:
            head = self._committed(head, lambda then: FolderCommit(self._now(then, now), deleted=gone))
        with files.failures_explained(f"The stream {self.name} in {self.folder}", "Nothing else was changed"):
            if head.commits:
                self._log.keep(head)
        return len(gone) + len(gone_unlisted) + self._log.forget(now - grace)

    @property
    def _log(self) -> FolderLog:
        return FolderLog(self.folder, self.name)

    @property
    def _checkpoints(self) -> FileFolder:
        return self.folder.below(CHECKPOINTS)

    def _files(self, folder: str) -> list[str]:
        return files.files_in(self.folder.below(folder))

    @staticmethod
    def _now(head: FolderHead, system_time: datetime | None) -> datetime:
        return head.not_before(system_time or datetime.now(UTC))

    def _append(
        self, head: FolderHead, parts: Sequence[StreamPart], time: datetime, key: Sequence[str] | None
    ) -> FolderHead:
        _refuse_gaps(head, parts)
        schemas = self._keyed(head, key)
        for part in parts:
            schemas = self._fitting(schemas, part)
        commit = FolderCommit(
            time,
            parts=tuple(parts),
            schemas=schemas.types[len(head.schemas.types) :],
            key=None if key is None or head.key is not None else tuple(key),
        )
        return self._log.append(head, commit)

    def _fitting(self, schemas: StreamSchemas, part: StreamPart) -> StreamSchemas:
        """The schemas with that of the first part, or those that there are. Raises if the part has another one."""
        schema = self._schema_of(part)
        if not schemas.types:
            return _accepted(schemas.evolved(None, schema, key=schemas.key, vocabulary=self.changelog.vocabulary))
        schemas.from_writer(schema)
        schemas.schema(part.schema_id)  # raises WrongUsage if there is none of that id
        return schemas

    def _schema_of(self, part: StreamPart) -> pa.Schema:
        """Its data columns, without the ids that `write_part` has given them."""
        schema = looked_at(self.history, part)
        names = self.changelog.data_columns(schema.names)
        return pa.schema([without_ids(schema.field(name)) for name in names])

    def _keyed(self, head: FolderHead, key: Sequence[str] | None) -> StreamSchemas:
        """The schemas with the key of the stream. Raises SchemaRefused if it has another one already."""
        schemas = self.schemas(head)
        if head.key is None:
            return replace(schemas, key=() if key is None else tuple(key))
        schemas = replace(schemas, key=head.key)
        if key is not None and schemas.types:
            latest = schemas.latest.current()
            _accepted(schemas.evolved(schemas.latest_id, latest, key=key, vocabulary=self.changelog.vocabulary))
        return schemas

    def _refuse_other_columns(self, schemas: StreamSchemas, given: pa.Schema) -> None:
        """Raises SchemaRefused or WrongUsage if a table has other columns than the stream, in whatever order."""
        latest = {field.name: field for field in schemas.latest.current()}
        data = pa.schema([given.field(name) for name in self.changelog.data_columns(given.names)])
        table = {field.name: field for field in stored_schema(data)}
        differing = [name for name in {**latest, **table} if _type(latest, name) != _type(table, name)]
        if not differing:
            return
        fields = [latest[name] if name in latest and name not in differing else table[name] for name in table]
        _accepted(
            schemas.evolved(schemas.latest_id, pa.schema(fields), key=schemas.key, vocabulary=self.changelog.vocabulary)
        )
        raise WrongUsage(
            f"The table and the stream {self.name} differ in {', '.join(differing)}. Make the schema of the table that"
            " of the stream by `evolve`, then publish again"
        )

    def _as_latest(self, records: pa.Table, schemas: StreamSchemas) -> pa.Table:
        """Records of a table that has the columns of the latest schema, in its order."""
        event_type = records.schema.field(self.changelog.vocabulary.event_time).type
        fields = [*self.changelog.system_fields(event_type), *schemas.latest.current()]
        return records.select([field.name for field in fields]).cast(pa.schema(fields))

    def _merged(self, parts: Sequence[StreamPart], schemas: StreamSchemas) -> MergedFiles:
        records = pa.concat_tables(self._read(part, schemas.to_latest()) for part in parts)
        into = self.changelog.write_part(self.history, self.name, schemas.latest_id or 0, records)
        return MergedFiles(tuple(part.name for part in parts), into)

    def _committed(self, head: FolderHead, commit: Callable[[FolderHead], FolderCommit | None]) -> FolderHead:
        """The head after a commit that changes no record, so that it may stand behind those of others.

        commit: what is to be committed behind a head; None if there is nothing left to do.
        """
        for attempt in range(1, ATTEMPTS + 1):
            change = commit(head)
            if change is None:
                return head
            try:
                return self._log.append(head, change)
            except TryAgain:
                if attempt == ATTEMPTS:
                    raise
                head = self.head()
        raise AssertionError("ATTEMPTS is one or more")

    def _refuse_empty(self, head: FolderHead) -> StreamSchemas:
        if not head.parts:
            raise WrongUsage(f"The stream {self.name} in {self.folder} has no records yet")
        return self.schemas(head)

    def _offset(self, head: FolderHead, moment: int | datetime) -> int:
        """That of the first record from an offset or a system time on, at most that behind the last one."""
        if isinstance(moment, int):
            if moment < 0:
                raise WrongUsage(f"{moment} is no offset: they begin with 0")
            return min(moment, head.next_offset)
        if moment.tzinfo is None:
            raise WrongUsage(f"The system time {moment} has no time zone")
        return offset_at(moment, head.parts, self._system_times)

    def _end(self, head: FolderHead, at: int | datetime) -> int:
        """The offset behind the last record that counts."""
        if isinstance(at, datetime):
            return self._offset(head, at + timedelta(microseconds=1))
        if not 0 <= at < head.next_offset:
            raise WrongUsage(f"The stream {self.name} has no record {at}: {head.next_offset} are published, from 0 on")
        return at + 1

    def _system_times(self, part: StreamPart) -> pa.ChunkedArray:
        return read_part(self.history, part).column(self.changelog.vocabulary.system_time)

    def _between(self, head: FolderHead, begin: int, end: int, migration: DataMigration) -> pa.Table:
        tables = list(self._tables(head, begin, end, migration))
        if not tables:
            tables = [self._read(head.parts[-1], migration).slice(0, 0)]
        return self.changelog.slice_of(pa.concat_tables(tables))

    def _tables(self, head: FolderHead, begin: int, end: int, migration: DataMigration) -> Iterator[pa.Table]:
        for part in head.parts:
            if begin <= part.end_offset and part.start_offset < end:
                yield records_between(self._read(part, migration), part.start_offset, begin, end)

    def _read(self, part: StreamPart, migration: DataMigration) -> pa.Table:
        try:
            return self.changelog.migrated_records(read_part(self.history, part), migration)
        except WrongUsage as error:
            raise NeedsOperator(
                f"{part.name} is not what the schemas of the stream {self.name} in {self.folder} say. {error}"
            ) from error


def _accepted(evolution: SchemaEvolution) -> StreamSchemas:
    """Raises the refusal of a schema that was not accepted."""
    if evolution.refusal is not None:
        raise SchemaRefused(evolution.refusal.path, evolution.refusal.rule, evolution.refusal.reason)
    return evolution.schemas


def _typed(table: pa.Table, latest: pa.Schema) -> pa.Table:
    """The table where columns of nothing but NULL, which have no type of their own, have that of the stream."""
    for place, field in enumerate(table.schema):
        if pa.types.is_null(field.type) and field.name in latest.names:
            typed = latest.field(field.name).with_nullable(True)
            table = table.set_column(place, typed, pa.nulls(table.num_rows, typed.type))
    return table


def _type(fields: dict[str, pa.Field], name: str) -> pa.DataType | None:
    return fields[name].type if name in fields else None


def _files_of(head: FolderHead) -> set[str]:
    checkpoint = set[str]() if head.checkpoint is None else {f"{CHECKPOINTS}/{head.checkpoint.name}"}
    return {f"{HISTORY}/{part.name}" for part in head.parts} | checkpoint


def _refuse_gaps(head: FolderHead, parts: Sequence[StreamPart]) -> None:
    expected = head.next_offset
    for part in parts:
        if part.start_offset != expected:
            raise WrongUsage(f"{part.name} begins with offset {part.start_offset}, and {expected} is the next")
        expected = part.end_offset + 1
