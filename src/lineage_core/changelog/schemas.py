"""The schemas of one stream as values, and what may become of them (seed 004).

A schema is of the data columns alone: the system columns of a stream never change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lineage_core.changelog.vocabulary import ODF_NAMES, DatasetVocabulary
from lineage_core.errors import NeedsOperator, ReaderFenced, SchemaRefused, WrongUsage
from lineage_core.evolution import ChangeKind, DataMigration, EvolutionRule, MigrationType
from lineage_core.evolution.data_types import Path, Struct, live, parsed_path, projection
from lineage_core.evolution.rules import READ_WITHOUT, Refusal, TypeChange, compared, misshapen, refusals

if TYPE_CHECKING:
    import pyarrow


class EvolutionOutcome(StrEnum):
    """What became of a schema that was to be the next one."""

    INITIAL = "initial"
    EVOLVED = "evolved"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    STALE = "stale"
    """Another one is the latest than was expected. Nothing was judged."""


class AllowedEvolution(StrEnum):
    """What an evolution may do to registered readers."""

    ANY = "any"
    NOT_FENCING = "not_fencing"


class StreamRule(StrEnum):
    """The rules of a stream beside those of its types (`EvolutionRule`)."""

    KEY = "key-column"
    FENCES = "fences-reader"
    NOT_REGISTERED = "not-registered"
    SYSTEM_COLUMN = "system-column"


@dataclass(frozen=True)
class StreamReader:
    """A reader that is registered. columns: None is every column of the schema that it was written for."""

    reader: str
    schema_id: int
    columns: tuple[str, ...] | None


@dataclass(frozen=True)
class SchemaEvolution:
    """What became of it. `schemas` is what there is now; `refusal` says why nothing has changed, and at which path."""

    outcome: EvolutionOutcome
    schemas: StreamSchemas
    refusal: SchemaRefused | None = None

    @property
    def schema_id(self) -> int | None:
        """Of the latest schema; None if there is none."""
        return self.schemas.latest_id

    @property
    def is_new(self) -> bool:
        return self.outcome in (EvolutionOutcome.INITIAL, EvolutionOutcome.EVOLVED)


@dataclass(frozen=True)
class ListedColumn:
    """A column of a schema, with its type in Arrow's words."""

    name: str
    type: str
    nullable: bool


@dataclass(frozen=True)
class SchemaChange:
    """What became of the column of a path. kind: a `ChangeKind`."""

    kind: str
    path: str


@dataclass(frozen=True)
class ListedSchema:
    """A schema, and what changed from the one before to it; the first one has no changes."""

    schema_id: int
    columns: list[ListedColumn]
    changes: list[SchemaChange]


@dataclass(frozen=True)
class StreamSchemas:
    """The schemas of a stream at one moment, each as the migration type that ends with it: its id is its place.

    key: the columns that name a row, as they were when the first schema was registered.
    """

    stream: str
    types: tuple[MigrationType, ...] = ()
    key: tuple[str, ...] = ()

    @property
    def latest_id(self) -> int | None:
        """None before the first schema."""
        return len(self.types) - 1 if self.types else None

    @property
    def latest(self) -> MigrationType:
        """Raises NeedsOperator before the first schema."""
        if not self.types:
            raise NeedsOperator(f"The stream {self.stream} has no schema yet; `lineage db upgrade` registers our own")
        return self.types[-1]

    def schema(self, schema_id: int) -> pyarrow.Schema:
        """The schema of an id. Raises WrongUsage if there is none."""
        return self._type(schema_id).current()

    def described(self) -> list[ListedSchema]:
        """All of them, the first one first."""
        return [self._described(schema_id) for schema_id in range(len(self.types))]

    def _described(self, schema_id: int) -> ListedSchema:
        schema = self.types[schema_id].current()
        changes = self.types[schema_id - 1].migration_to(schema).changes if schema_id else ()
        return ListedSchema(
            schema_id,
            [ListedColumn(one.name, str(one.type), one.nullable) for one in schema],
            [SchemaChange(change.kind.value, change.path) for change in changes],
        )

    def to_latest(self) -> DataMigration:
        """From the data of any of the schemas to the latest."""
        return self.latest.migration_to(self.latest.current())

    def to_reader(self, schema: pyarrow.Schema) -> DataMigration:
        """From the data of any of the schemas to a reader's. Raises ReaderFenced if it is no valid migration of all."""
        return self.latest.migration_to(schema)

    def from_writer(self, schema: pyarrow.Schema) -> DataMigration:
        """From a writer's data, whose schema may be stale, to the latest schema.

        Raises SchemaRefused if the latest is no permitted change of the writer's schema, or if the writer has a column
        that was never registered: it evolves the stream first.
        """
        from lineage_core.evolution import arrow

        written = arrow.struct_of(schema)
        for refusal in misshapen(written):
            raise SchemaRefused(refusal.path, refusal.rule, refusal.reason)
        for finding in compared(self.latest.struct, written):
            if isinstance(finding, TypeChange) and finding.kind is ChangeKind.ADDED:
                raise SchemaRefused(finding.path, StreamRule.NOT_REGISTERED, _EVOLVE_FIRST)
            if isinstance(finding, Refusal) and finding.rule is EvolutionRule.ADDED_NOT_NULL:
                raise SchemaRefused(finding.path, StreamRule.NOT_REGISTERED, _EVOLVE_FIRST)
        for refusal in refusals(compared(written, live(self.latest.struct))):
            raise SchemaRefused(refusal.path, refusal.rule, refusal.reason)
        return self.to_latest()

    def reader_schema(self, schema_id: int | None = None, columns: Sequence[str] | None = None) -> pyarrow.Schema:
        """The schema of a reader that was written for one of the schemas, by default the latest, and reads some columns
        of it, by default all.

        columns: paths, as `address.city`; they come in the order of the schema. Raises ReaderFenced if one was deleted
        before that schema, and WrongUsage if it never had it.
        """
        from lineage_core.evolution import arrow

        type_ = self.latest if schema_id is None else self._type(schema_id)
        if columns is None:
            return type_.current()
        paths = [parsed_path(column) for column in columns]
        for path, column in zip(paths, columns, strict=True):
            self._refuse_missing(type_.struct, path, column)
        return arrow.schema_of(projection(live(type_.struct), paths))

    def evolved(
        self,
        expected_id: int | None,
        schema: pyarrow.Schema,
        *,
        key: Sequence[str] | None = None,
        kept_readers: Sequence[StreamReader] = (),
        vocabulary: DatasetVocabulary = ODF_NAMES,
    ) -> SchemaEvolution:
        """What becomes of a schema that is to follow the one of the expected id, None for the first of all.

        key: columns that name a row, None is those that do. They stay as they are. kept_readers: those that no
        evolution may fence.
        """
        if expected_id != self.latest_id:
            return SchemaEvolution(EvolutionOutcome.STALE, self)
        try:
            _refuse_system_columns(schema, vocabulary)
            named_by = self.key if key is None else tuple(key)
            if self.types and named_by != self.key:
                raise SchemaRefused(_shown(named_by), StreamRule.KEY, f"The key is {_shown(self.key)}. {_STAYS}")
            type_ = MigrationType.of(schema) if not self.types else self.latest.evolve(schema)
            if self.types and type_ == self.latest:
                return SchemaEvolution(EvolutionOutcome.UNCHANGED, self)
            self._refuse_other_key(schema, named_by)
            after = StreamSchemas(self.stream, (*self.types, type_), named_by)
            for reader in kept_readers:
                self._refuse_fencing(after, reader)
        except SchemaRefused as refusal:
            return SchemaEvolution(EvolutionOutcome.REFUSED, self, refusal)
        return SchemaEvolution(EvolutionOutcome.EVOLVED if self.types else EvolutionOutcome.INITIAL, after)

    def is_read(self, column: str, reader: StreamReader) -> bool:
        """Whether a reader reads a column, something within it, or what it is within."""
        asked = parsed_path(column)
        if reader.columns is None:
            return asked[0] in self.schema(reader.schema_id).names
        read = map(parsed_path, reader.columns)
        return any(path[: len(asked)] == asked or asked[: len(path)] == path for path in read)

    def fence_of(self, reader: StreamReader) -> ReaderFenced | None:
        """Why a reader is fenced now; None if it is not."""
        try:
            self.to_reader(self.reader_schema(reader.schema_id, reader.columns))
        except ReaderFenced as fenced:
            return fenced
        return None

    def _type(self, schema_id: int) -> MigrationType:
        if not 0 <= schema_id < len(self.types):
            raise WrongUsage(f"The stream {self.stream} has no schema {schema_id}: it has {len(self.types)}, from 0 on")
        return self.types[schema_id]

    def _refuse_missing(self, struct: Struct, path: Path, column: str) -> None:
        for field, is_deleted in _fields_on(struct, path):
            if field is None:
                raise WrongUsage(f"The stream {self.stream} has no column {column}")
            if is_deleted:
                raise ReaderFenced(column, EvolutionRule.DELETED_BEFORE, READ_WITHOUT)

    def _refuse_other_key(self, schema: pyarrow.Schema, key: Sequence[str]) -> None:
        names = set(schema.names)
        for column in key:
            if column not in names:
                raise SchemaRefused(column, StreamRule.KEY, "It is part of the key, which names the rows. Leave it.")
        if not self.types:
            return
        for change in self.latest.migration_to(schema).changes:
            if parsed_path(change.path)[0] in key:
                raise SchemaRefused(
                    change.path,
                    StreamRule.KEY,
                    f"It is part of the key, which names the rows, and is to be {_WORDS[change.kind]}. Leave it.",
                )

    def _refuse_fencing(self, after: StreamSchemas, reader: StreamReader) -> None:
        fenced = after.fence_of(reader)
        if fenced is not None and self.fence_of(reader) is None:
            raise SchemaRefused(
                fenced.path,
                StreamRule.FENCES,
                f"The reader {reader.reader} reads it, and would be fenced. Have it read something else, and register"
                f" that (`lineage stream readers set`), or permit it (`lineage stream allow {self.stream} any`).",
            )


_STAYS = "Records of a key name the same row for ever: leave it, or declare another stream."


def _shown(key: Sequence[str]) -> str:
    return f"({', '.join(key)})"


_EVOLVE_FIRST = "No schema of the stream ever had it. Evolve the stream first, or leave it out."
_WORDS = {ChangeKind.ADDED: "added", ChangeKind.DELETED: "deleted", ChangeKind.MADE_NULLABLE: "made nullable"}


def _refuse_system_columns(schema: pyarrow.Schema, vocabulary: DatasetVocabulary) -> None:
    for name in vocabulary.columns:
        if name in schema.names:
            raise SchemaRefused(
                name, StreamRule.SYSTEM_COLUMN, "Every stream has this column anyway. Give the data columns alone."
            )


def _fields_on(struct: Struct, path: Path) -> Iterator[tuple[object, bool]]:
    """The fields on the way to a path, and whether each is deleted. A live one counts before a deleted one."""
    within: object = struct
    for name in path:
        named = [field for field in within.fields if field.name == name] if isinstance(within, Struct) else []
        field = min(named, key=lambda one: one.deleted, default=None)
        yield field, field is not None and field.deleted
        if field is None:
            return
        within = field.type
