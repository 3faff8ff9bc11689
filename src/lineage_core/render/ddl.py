"""Declaration to data definition: the table with its sequences, indexes and comments, and its staging table."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.database_names import STAGING
from lineage_core.declare.views import View
from lineage_core.declare.vocabulary import RECEIVED, Column, Index, Partition, Persistence, Table


def table_ddl(declared: Table) -> str:
    """Everything that makes the table, except its late references."""
    return "\n".join(
        [
            *(f"CREATE SEQUENCE {column.sequence};" for column in _numbered(declared)),
            _create_table(declared),
            *map(_create_partition, declared.partitions),
            *_sequence_owners(declared),
            *(create_index(declared, index) for index in declared.indexes),
            *_comments(declared),
        ]
    )


def refusals(declared: Table) -> str | None:
    """What keeps a history from being edited; None if the table is none. The owner passes grants by, but no trigger."""
    if not declared.append_only:
        return None
    return "\n".join(
        f"CREATE OR REPLACE TRIGGER {declared.name}_refuse_{happens.split()[0].lower()} BEFORE {happens} ON"
        f" {declared.name} FOR EACH {each} EXECUTE FUNCTION refuse_changes();"
        for happens, each in (("UPDATE OR DELETE", "ROW"), ("TRUNCATE", "STATEMENT"))
    )


def late_references(declared: Table) -> str | None:
    """The foreign keys that wait until both tables exist; None if there are none."""
    added = [
        f"ALTER TABLE {declared.name} ADD {foreign_key} DEFERRABLE INITIALLY DEFERRED;"
        for foreign_key in _foreign_keys(declared, late=True)
    ]
    return "\n".join(added) or None


def staging_table(declared: Table, schema: str = STAGING) -> str | None:
    """Where Spark puts the rows that events make, before they are merged; None if events say nothing of the table.

    Nothing but the part is required of a row: a mention may leave out the columns of a group.
    """
    if declared.rows is None:
        return None
    number = ["event_no integer NOT NULL"] if declared.append else []
    staged = [f"{column.name} {column.type.sql}" for column in declared.staged]
    columns = ["part_id bigint NOT NULL", *number, *staged]
    created = f"CREATE {Persistence.UNLOGGED.value} TABLE {schema}.{declared.name} ({_lines(columns)});"
    comment = f"Rows for {declared.name} that wait for their merge; emptied by a crash."
    return f"{created}\nCOMMENT ON TABLE {schema}.{declared.name} IS {literal(comment)};"


def create_index(declared: Table, index: Index, *, concurrently: bool = False) -> str:
    """Makes an index; `concurrently`, while others write to the table, and in no transaction."""
    unique = "UNIQUE " if index.unique else ""
    beside = "CONCURRENTLY " if concurrently else ""
    include = f" INCLUDE ({index.include})" if index.include else ""
    where = f" WHERE {index.where}" if index.where else ""
    return f"CREATE {unique}INDEX {beside}{index.name} ON {declared.name} {index.on}{include}{where};"


def index_comment(index: Index) -> str:
    return f"COMMENT ON INDEX {index.name} IS {literal(index.doc)};"


def literal(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def _create_table(declared: Table) -> str:
    lines = [*map(_column, declared.stored), *_constraints(declared)]
    packed = f" WITH (fillfactor = {declared.fillfactor})" if declared.fillfactor else ""
    return f"CREATE TABLE {declared.name} ({_lines(lines)}){_partitioned(declared.partition_by)}{packed};"


def _create_partition(partition: Partition) -> str:
    partitioned = _partitioned(partition.partition_by)
    return f"CREATE TABLE {partition.name} PARTITION OF {partition.of} {partition.bound}{partitioned};"


def _partitioned(by: str | None) -> str:
    return f" PARTITION BY {by}" if by else ""


def _lines(items: list[str]) -> str:
    return "\n    " + ",\n    ".join(items) + "\n"


def _column(column: Column) -> str:
    words = [column.name, column.type.sql]
    if not column.nullable:
        words.append("NOT NULL")
    if column.generated:
        words.append(f"GENERATED ALWAYS AS ({column.generated}) STORED")
    if column.identity:
        words.append("GENERATED ALWAYS AS IDENTITY")
    default = _default(column)
    if default is not None:
        words.append(f"DEFAULT {default}")
    return " ".join(words)


def _default(column: Column) -> str | None:
    if column.sequence and column.rule != RECEIVED:
        return f"nextval({literal(column.sequence)})"
    return column.default


def _constraints(declared: Table) -> Iterator[str]:
    if declared.primary_key:
        yield f"PRIMARY KEY ({', '.join(declared.primary_key)})"
    for unique in declared.unique:
        yield f"CONSTRAINT {unique.name} UNIQUE ({', '.join(unique.columns)})"
    yield from _foreign_keys(declared, late=False)
    yield from (f"CHECK ({check})" for check in declared.checks)


def _foreign_keys(declared: Table, *, late: bool) -> Iterator[str]:
    for column in declared.columns:
        to = column.reference
        if to and to.is_enforced and to.late == late:
            yield f"FOREIGN KEY ({column.name}) REFERENCES {to.table} ({to.column}) ON DELETE {to.on_delete.value}"


def _numbered(declared: Table) -> Iterator[Column]:
    return (column for column in declared.columns if column.sequence)


def _sequence_owners(declared: Table) -> Iterator[str]:
    for column in _numbered(declared):
        yield f"ALTER SEQUENCE {column.sequence} OWNED BY {declared.name}.{column.name};"


def _comments(declared: Table) -> Iterator[str]:
    yield f"COMMENT ON TABLE {declared.name} IS {literal(declared.doc)};"
    for column in declared.stored:
        yield f"COMMENT ON COLUMN {declared.name}.{column.name} IS {literal(column.doc)};"
    yield from map(index_comment, declared.indexes)


def view_refusal(view: View) -> str:
    """The trigger that says why the view cannot be written. Postgres itself says it of a materialized one."""
    return (
        f"CREATE TRIGGER {view.name}_refuse_writing INSTEAD OF INSERT OR UPDATE OR DELETE ON {view.name}\n"
        "FOR EACH ROW EXECUTE FUNCTION refuse_writing();"
    )
