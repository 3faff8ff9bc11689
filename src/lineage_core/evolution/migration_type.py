"""A migration type: the schema of some data, and what was deleted from it since the first (seed 004)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from lineage_core.errors import ReaderFenced, SchemaRefused, WrongUsage
from lineage_core.evolution.data_types import Struct, live
from lineage_core.evolution.row_order import keeps_order
from lineage_core.evolution.rules import (
    READ_WITHOUT,
    ChangeKind,
    EvolutionRule,
    TypeChange,
    changes,
    compared,
    merged,
    misshapen,
    refusals,
)

if TYPE_CHECKING:
    import pyarrow

_FORM = 1
"""Of the JSON. A later form that differs gets the next number."""


@dataclass(frozen=True)
class DataMigration:
    """Takes data of any schema that a migration type has had to a schema that it permits.

    history: the migration type. target: the schema. changes: from the latest schema to the target.
    """

    history: Struct
    target: Struct
    changes: tuple[TypeChange, ...]

    @property
    def is_noop(self) -> bool:
        """Whether data of the latest schema stays as it is."""
        return not self.changes

    @property
    def deletes(self) -> bool:
        """Whether the latest schema has something that the target has not."""
        return any(change.kind is ChangeKind.DELETED for change in self.changes)

    def schema(self) -> pyarrow.Schema:
        """The target, of which `apply` gives exactly the types."""
        from lineage_core.evolution import arrow

        return arrow.schema_of(self.target)

    def apply(self, table: pyarrow.Table) -> pyarrow.Table:
        """The same rows in the same order, in the target schema. Those of a DataFrame: `spark.schema_changes.migrated`.

        Raises WrongUsage for anything else than a table, and for one of a schema that the migration type never had.
        """
        from lineage_core.evolution import arrow

        return arrow.migrated(table, self.history, self.target)

    __call__ = apply

    def keeps_order(self, sorted_as: pyarrow.Schema, key: Sequence[str] | None = None) -> bool:
        """Whether rows of the schema `sorted_as`, sorted by these columns, stay sorted (`row_order.keeps_order`)."""
        from lineage_core.evolution import arrow

        return keeps_order(arrow.struct_of(sorted_as), self.target, key)


class MigrationType(msgspec.Struct, frozen=True):
    """The latest schema, with every field that was deleted since the first one. Its methods leave it as it is."""

    struct: Struct

    @classmethod
    def of(cls, schema: pyarrow.Schema) -> MigrationType:
        """That of a first schema. Raises SchemaRefused if no schema may be like this."""
        from lineage_core.evolution import arrow

        first = arrow.struct_of(schema)
        for refusal in misshapen(first):
            raise SchemaRefused(refusal.path, refusal.rule, refusal.reason)
        return cls(first)

    def evolve(self, schema: pyarrow.Schema) -> MigrationType:
        """The migration type with this schema as its latest. Raises SchemaRefused if the rules do not permit it."""
        from lineage_core.evolution import arrow

        new = arrow.struct_of(schema)
        for refusal in refusals(compared(self.struct, new)):
            raise SchemaRefused(refusal.path, refusal.rule, refusal.reason)
        return MigrationType(merged(self.struct, new))

    def migration_to(self, reader_schema: pyarrow.Schema) -> DataMigration:
        """The migration to a reader's schema. Raises ReaderFenced if it is no valid migration of all earlier ones.

        A reader with the latest schema, or with some of its fields, is never fenced.
        """
        from lineage_core.evolution import arrow

        target = arrow.struct_of(reader_schema)
        findings = compared(self.struct, target)
        for refusal in refusals(findings):
            deleted = refusal.rule is EvolutionRule.DELETED_BEFORE
            raise ReaderFenced(refusal.path, refusal.rule, READ_WITHOUT if deleted else refusal.reason)
        return DataMigration(self.struct, target, changes(findings))

    def current(self) -> pyarrow.Schema:
        """The latest schema. Ids of fields are in their metadata, as `PARQUET:field_id`."""
        from lineage_core.evolution import arrow

        return arrow.schema_of(live(self.struct))

    def to_json(self) -> dict[str, Any]:
        """As values of JSON. Equal migration types give equal ones."""
        return {"form": _FORM, "struct": msgspec.json.decode(msgspec.json.encode(self.struct))}

    @classmethod
    def from_json(cls, value: Any) -> MigrationType:
        """What `to_json` gave. Raises WrongUsage if it is something else."""
        form = value.get("form") if isinstance(value, dict) else None
        if form != _FORM:
            raise WrongUsage(f"This is no migration type in the form {_FORM}, but {form!r}: a newer release wrote it")
        try:
            return cls(msgspec.convert(value.get("struct"), Struct))
        except msgspec.ValidationError as error:
            raise WrongUsage(f"This is no migration type: {error}") from error
