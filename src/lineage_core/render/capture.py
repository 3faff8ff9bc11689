"""Declaration to what captures the changes of a table: the table that keeps them, and what makes the triggers.

What the triggers do is the same for all tables (`sql/functions/capture.sql`).
"""

from __future__ import annotations

from collections.abc import Iterable

from lineage_core.model.database_schemas import CHANGES
from lineage_core.model.streams import CapturedTable, captured_tables
from lineage_core.model.vocabulary import Table
from lineage_core.render.ddl import literal

NUMBERS = "change_numbers"
"""The sequence of the numbers of changes, in that schema."""


def sequence(schema: str = CHANGES) -> str:
    """One number at a time, so that a later statement never has a lower one."""
    return f"CREATE SEQUENCE {schema}.{NUMBERS};"


def changes_table(captured: CapturedTable, schema: str = CHANGES) -> str:
    """Where the changes of a table wait for their publication."""
    name = f"{schema}.{captured.table.name}"
    columns = [
        "change_xid xid8 NOT NULL",
        "change_number bigint NOT NULL",
        "copies integer NOT NULL",
        *(f"{column.name} {captured.type_of(column).sql}" for column in captured.columns),
    ]
    comment = f"Changes of {captured.table.name} that wait for their publication."
    return "\n".join(
        [
            f"CREATE TABLE {name} (\n    " + ",\n    ".join(columns) + "\n);",
            f"COMMENT ON TABLE {name} IS {literal(comment)};",
            f"COMMENT ON COLUMN {name}.change_xid IS 'The transaction.';",
            f"COMMENT ON COLUMN {name}.change_number IS 'In the order in which statements ended.';",
            f"COMMENT ON COLUMN {name}.copies IS 'How many rows came, or, below 0, went.';",
        ]
    )


def triggers(table: Table) -> str | None:
    """What makes the triggers that capture the changes of a table; None if no stream needs them."""
    for captured in captured_tables():
        if captured.table.name == table.name:
            return _triggers(captured)
    return None


def _triggers(captured: CapturedTable) -> str:
    arguments = [
        literal(captured.table.name),
        _array(captured.streams),
        _array(column.name for column in captured.columns),
    ]
    documents = [column.name for column in captured.columns if captured.type_of(column) != column.type]
    if documents:
        arguments.append(f"documents => {_array(documents)}")
    if captured.is_content:
        arguments.append("only_removed => true")
    return f"SELECT capture_table({', '.join(arguments)});"


def _array(names: Iterable[str]) -> str:
    return literal("{" + ",".join(names) + "}")
