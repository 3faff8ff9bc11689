"""Declaration to what captures the changes of a table: the table that keeps them, a function, and its triggers.

The function is called once for each statement, with all rows that the statement changed. It writes their images with a
number that is drawn when the statement has all its locks: of two transactions that change a row, the second has the
higher one. It takes no lock that another writer waits for.
"""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.database_names import CHANGES
from lineage_core.declare.streams import CapturedTable, captured_tables
from lineage_core.declare.vocabulary import Table
from lineage_core.render.ddl import literal

NUMBERS = "change_numbers"
"""The sequence of the numbers of changes, in that schema."""

COLUMNS = ("change_xid", "change_number", "copies")
"""Those of each table of changes, before the columns of the captured table."""


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


def function_and_triggers(table: Table) -> str | None:
    """What captures the changes of a table; None if no stream needs them."""
    for captured in captured_tables():
        if captured.table.name == table.name:
            return "\n\n".join([_function(captured), *_triggers(captured)])
    return None


def function_name(captured: CapturedTable) -> str:
    return f"capture_{captured.table.name}"


def _function(captured: CapturedTable) -> str:
    streams = ", ".join(literal(name) for name in captured.streams)
    return f"""CREATE OR REPLACE FUNCTION {function_name(captured)}() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ({streams})) THEN
        RETURN NULL;
    END IF;
{_cases(captured)}
    RETURN NULL;
END
$$;"""


def _cases(captured: CapturedTable) -> str:
    went = _insert(captured, "-1", "old_rows")
    came = _insert(captured, "1", "new_rows")
    gone = _insert(captured, "-1", f"public.{captured.table.name}")
    if captured.is_content:
        return f"""    IF tg_op = 'DELETE' THEN
{_indented(went)}
    ELSE
{_indented(gone)}
    END IF;"""
    return f"""    IF tg_op = 'INSERT' THEN
{_indented(came)}
    ELSIF tg_op = 'UPDATE' THEN
{_indented(_insert_net(captured))}
    ELSIF tg_op = 'DELETE' THEN
{_indented(went)}
    ELSE
{_indented(gone)}
    END IF;"""


def _indented(text: str) -> str:
    return "\n".join(f"        {line}" for line in text.splitlines())


def _target(captured: CapturedTable) -> str:
    names = [*COLUMNS, *(column.name for column in captured.columns)]
    return f"INSERT INTO {CHANGES}.{captured.table.name} ({', '.join(names)})"


def _insert(captured: CapturedTable, copies: str, source: str) -> str:
    images = ", ".join(_images(captured))
    return f"""{_target(captured)}
SELECT {_POSITION}, {copies}, {images}
FROM {source};"""


def _insert_net(captured: CapturedTable) -> str:
    """Rows of which no captured column was changed cancel out: most updates only say when a row was last heard of."""
    images = ", ".join(_images(captured))
    names = ", ".join(column.name for column in captured.columns)
    return f"""{_target(captured)}
SELECT {_POSITION}, sum(copies), {names}
FROM (
    SELECT -1 AS copies, {images} FROM old_rows
    UNION ALL
    SELECT 1, {images} FROM new_rows
) AS images
GROUP BY {names}
HAVING sum(copies) <> 0;"""


_POSITION = f"pg_current_xact_id(), (SELECT nextval('{CHANGES}.{NUMBERS}'))"


def _images(captured: CapturedTable) -> Iterator[str]:
    for column in captured.columns:
        if captured.type_of(column) == column.type:
            yield column.name
        else:
            yield f"{column.name}::text AS {column.name}"


def _triggers(captured: CapturedTable) -> Iterator[str]:
    """Under ALWAYS, so that what logical replication brings is captured, too. To truncate a table is to remove all its
    rows: they are captured before.
    """
    name, function = captured.table.name, function_name(captured)
    transitions = {
        "insert": "REFERENCING NEW TABLE AS new_rows ",
        "update": "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows ",
        "delete": "REFERENCING OLD TABLE AS old_rows ",
    }
    if captured.is_content:
        transitions = {"delete": transitions["delete"]}
    for event, referencing in transitions.items():
        yield (
            f"CREATE OR REPLACE TRIGGER {name}_capture_{event} AFTER {event.upper()} ON {name}\n"
            f"{referencing}FOR EACH STATEMENT EXECUTE FUNCTION {function}();"
        )
    yield (
        f"CREATE OR REPLACE TRIGGER {name}_capture_truncate BEFORE TRUNCATE ON {name}\n"
        f"FOR EACH STATEMENT EXECUTE FUNCTION {function}();"
    )
    enabled = ",\n".join(f"ENABLE ALWAYS TRIGGER {name}_capture_{event}" for event in (*transitions, "truncate"))
    yield f"ALTER TABLE {name}\n{enabled};"
