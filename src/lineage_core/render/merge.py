"""Declaration to the statement that takes a slice's staged rows into the table.

A folded table's staged rows are folded between parts and with what is stored; an appended one takes the rows of the
events that are new. `%(parts)s` are the parts that the run accepted, and no others count.
"""

from __future__ import annotations

from lineage_core.declare.vocabulary import KEY, SAME, Column, Earliest, Group, Table, Wire

STAGING = "{staging}"
"""Stands for the schema in which the slice is staged: it is put in when the merge runs."""


def statement(table: Table) -> str | None:
    """The merge; None for tables that events do not fill, or that are merged by hand."""
    if not table.is_merged:
        return None
    return _append(table) if table.append else _fold(table)


def _append(table: Table) -> str:
    names = _names(table.staged)
    values = ",\n    ".join(_resolved(column) for column in table.staged)
    return f"""INSERT INTO {table.name} ({names})
SELECT
    {values}
FROM {STAGING}.{table.name} AS staged
JOIN new_events USING (part_id, event_no){_identities(table)}
WHERE staged.part_id = ANY (%(parts)s);"""


def _fold(table: Table) -> str:
    return _fold_groups(table) if table.groups else _take_any(table)


def _take_any(table: Table) -> str:
    """All rows of a key are the same, so any of them is taken, and none is read but its key where it is stored."""
    resolved = ",\n        ".join(f"{_resolved(column)} AS {column.name}" for column in table.staged)
    key = ", ".join(_resolved(column) for column in table.key)
    ordered = ", ".join(_resolved(column) + _collation(column) for column in table.key)
    return f"""WITH folded AS (
    SELECT DISTINCT ON ({key})
        {resolved}
    FROM {STAGING}.{table.name} AS staged{_identities(table, 4)}
    WHERE staged.part_id = ANY (%(parts)s)
    ORDER BY {ordered}
)
{_write(table)};"""


def _fold_groups(table: Table) -> str:
    folded = ",\n        ".join(_folded(column) for column in table.staged)
    resolved = ",\n            ".join(f"{_resolved(column)} AS {column.name}" for column in table.staged)
    return f"""WITH folded AS (
    SELECT
        {folded}
    FROM (
        SELECT
            {resolved}
        FROM {STAGING}.{table.name} AS staged{_identities(table, 8)}
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY {_names(table.key)}
    ORDER BY {", ".join(map(_ordered, table.key))}
)
{_write(table)};"""


def _write(table: Table) -> str:
    return _beside_others(table) if table.open_to_operators else _alone(table)


def _alone(table: Table) -> str:
    """No ON CONFLICT where merges alone insert. It locks each row that is there, changed or not, and confirms each new
    one in the log, in case another session inserts the same at once."""
    changed, assigned = _changed(table, "made"), _assigned(table, "made")
    update = f"\nWHEN MATCHED AND ({changed}) THEN UPDATE SET\n    {assigned}" if table.groups else ""
    return f"""MERGE INTO {table.name} AS stored
USING folded AS made ON {" AND ".join(f"stored.{column.name} = made.{column.name}" for column in table.key)}{update}
WHEN NOT MATCHED THEN INSERT ({_names(table.staged)})
VALUES ({", ".join(f"made.{column.name}" for column in table.staged)})"""


def _beside_others(table: Table) -> str:
    """Operators and Marquez insert here, too, at any time."""
    return f"""INSERT INTO {table.name} AS stored ({_names(table.staged)})
SELECT {_names(table.staged)}
FROM folded
ON CONFLICT ({_names(table.key)}) DO UPDATE SET
    {_assigned(table, "excluded")}
WHERE {_changed(table, "excluded")}"""


def _ordered(column: Column) -> str:
    return column.name + _collation(column)


def _collation(column: Column) -> str:
    """Rows are locked in one order on every database."""
    return ' COLLATE "C"' if column.type.wire is Wire.TEXT else ""


def _names(columns: tuple[Column, ...]) -> str:
    return ", ".join(column.name for column in columns)


def _resolved(column: Column) -> str:
    """The stored uuid in place of the one that the key derives, where the two differ."""
    if column.entity is None:
        return f"staged.{column.name}"
    return f"coalesce({_alias(column)}.uuid, staged.{column.name})"


def _alias(column: Column) -> str:
    return f"known_{column.name}"


def _identities(table: Table, indent: int = 0) -> str:
    joins = [
        f"LEFT JOIN identity_map AS {_alias(column)}\n"
        f"    ON {_alias(column)}.entity = '{column.entity}' AND {_alias(column)}.key_uuid = staged.{column.name}"
        for column in table.staged
        if column.entity is not None
    ]
    text = "".join(f"\n{join}" for join in joins)
    return text.replace("\n", "\n" + " " * indent)


def _folded(column: Column) -> str:
    name = column.name
    if column.rule == KEY:
        return name
    if column.rule == SAME and column.type.wire is Wire.UUIDS:
        return f"min({name}) AS {name}"  # any one of them; array_agg() would put arrays into one of more dimensions
    direction = "ASC" if isinstance(column.rule, Earliest) else "DESC"
    order = f" ORDER BY {column.rule.order} {direction} NULLS LAST" if isinstance(column.rule, Group) else ""
    return f"(array_agg({name}{order}))[1] AS {name}"


def _assigned(table: Table, new: str) -> str:
    """`new` is the name by which the statement calls the row that is to be written."""
    changes = [(column.name, _merged(column, new)) for column in table.staged if column.rule not in (KEY, SAME)]
    return ",\n    ".join(f"{name} = {value}" for name, value in changes)


def _changed(table: Table, new: str) -> str:
    return "\n   OR ".join(_wins(group, new) for group in table.groups)


def _merged(column: Column, new: str) -> str:
    name = column.name
    assert isinstance(column.rule, Group)  # noqa: S101 - KEY and SAME are left out by the caller
    return f"CASE WHEN {_wins(column.rule, new)} THEN {new}.{name} ELSE stored.{name} END"


def _wins(group: Group, new: str) -> str:
    """The planner puts the text of the function in its place, so that it costs no call.

    It is asked for each column again. `SET (…) = (SELECT … FROM (SELECT is_newer(…), …))` would ask once for all, but
    for that each row needs a subquery: rows of `runs` took 1.07 to 1.11 times the CPU time.
    """
    wins = "is_earlier" if isinstance(group, Earliest) else "is_newer"
    return f"{wins}({new}.{group.order}, stored.{group.order})"
