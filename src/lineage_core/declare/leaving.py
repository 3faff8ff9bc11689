"""The vocabulary in which a table says what becomes of its rows when retention lets something go.

Each foreign key to a table that retention deletes from is in such a word, so no row leaves by a cascade that no plan
has counted. Columns that name such rows without a foreign key are declared alike.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Leaves:
    """Rows that retention looks for, numbered in a temporary table that a statement `retention/find/…` makes.

    found: that temporary table. kind: what the rows are, as a plan calls them; the table itself unless it is named.
    key: the column by which `found` names the rows. column: the same of this table, if it has another name.
    statement: the name behind `retention/delete/` of what deletes them; needed only if one column does not name a
        row.
    planned: the SQL expression of the uuid by which a plan has them; empty for what follows from other rows, which no
        plan names.
    counted: the temporary table or view of the rows, where `found` names several by one key.
    judged: the temporary table that says of old rows why they stay.
    is_deleted: False if something happens to the rows, or goes with them, but they stay.
    """

    found: str
    kind: str = ""
    key: str = "uuid"
    column: str = ""
    statement: str = ""
    planned: str = ""
    counted: str = ""
    judged: str = ""
    is_deleted: bool = True


@dataclass(frozen=True)
class GoesWith:
    """Rows of this table leave with rows of a kind, in the same transaction.

    kind: a kind that some table declares by `Leaves`.
    column: the one that names the row that leaves.
    among: a column and its value, if only some rows of this table are meant.
    statement: the path of what deletes the rows, where more than a column says which.
    counted: the temporary table or view of those rows, from which a plan has their number; empty if the table has a
        `Leaves` of its own, which counts them, or another `GoesWith` that does.
    """

    kind: str
    column: str = ""
    among: tuple[str, str] | None = None
    statement: str = ""
    counted: str = ""


@dataclass(frozen=True)
class ChangesWith:
    """Rows of this table stay, and change when rows of a kind leave.

    statement: the path of what changes them. clears: the tables of which they name no rows of that kind any more.
    once_gone: whether it happens behind the deletion, because it looks at what is left.
    """

    kind: str
    statement: str
    clears: tuple[str, ...] = ()
    once_gone: bool = False


@dataclass(frozen=True)
class Keeps:
    """A row of this table keeps the row of another that it names: that one goes behind it, or not at all.

    `retention/find/…` looks for it so. columns: those that name it.
    """

    table: str
    columns: tuple[str, ...]


Leaving = Leaves | GoesWith | ChangesWith | Keeps
