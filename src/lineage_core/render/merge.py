"""Declaration to the statement that takes a slice's staged rows into the table.

A folded table's staged rows are folded between parts and with what is stored; an appended one takes the rows of the
events that are new. `%(parts)s` are the parts that the run accepted, and no others count.
"""

from __future__ import annotations

from lineage_core.model.vocabulary import KEY, SAME, Column, Earliest, Group, Table, Wire

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
    resolved = ",\n    ".join(f"{_resolved(column)} AS {column.name}" for column in table.staged)
    key = ", ".join(_resolved(column) + _collation(column) for column in table.key)
    return f"""INSERT INTO {table.name} ({_names(table.staged)})
SELECT DISTINCT ON ({key})
    {resolved}
FROM {STAGING}.{table.name} AS staged{_identities(table)}
WHERE staged.part_id = ANY (%(parts)s)
ORDER BY {key}
ON CONFLICT ({_names(table.key)}) DO NOTHING;"""


def _fold_groups(table: Table) -> str:
    key = _names(table.key)
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
    GROUP BY {key}
)
INSERT INTO {table.name} AS stored ({_names(table.staged)})
SELECT {_names(table.staged)}
FROM folded
ORDER BY {", ".join(map(_ordered, table.key))}
ON CONFLICT ({key}) {_on_conflict(table)};"""


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
    direction = "ASC" if isinstance(column.rule, Earliest) else "DESC"
    order = f" ORDER BY {column.rule.order} {direction} NULLS LAST" if isinstance(column.rule, Group) else ""
    return f"(array_agg({name}{order}))[1] AS {name}"


def _on_conflict(table: Table) -> str:
    changes = [(column.name, _merged(column)) for column in table.staged if column.rule not in (KEY, SAME)]
    assigned = ",\n    ".join(f"{name} = {value}" for name, value in changes)
    changed = "\n   OR ".join(map(_wins, table.groups))
    return f"DO UPDATE SET\n    {assigned}\nWHERE {changed}"


def _merged(column: Column) -> str:
    name = column.name
    assert isinstance(column.rule, Group)  # noqa: S101 - KEY and SAME are left out by the caller
    return f"CASE WHEN {_wins(column.rule)} THEN excluded.{name} ELSE stored.{name} END"


def _wins(group: Group) -> str:
    """The planner puts the text of the function in its place, so that it costs no call.

    It is asked for each column again. `SET (…) = (SELECT … FROM (SELECT is_newer(…), …))` would ask once for all, but
    for that each row needs a subquery: rows of `runs` took 1.07 to 1.11 times the CPU time.
    """
    wins = "is_earlier" if isinstance(group, Earliest) else "is_newer"
    return f"{wins}(excluded.{group.order}, stored.{group.order})"
