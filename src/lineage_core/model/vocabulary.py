"""The vocabulary in which a table says what it is: columns, how mentions of one key fold into one row, references.

A fold is a semilattice: any order and any repetition of the same mentions gives the same row. All else that is known
of a table (DDL, staging table, merge, docs, law tests) is rendered from its declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lineage_core.openlineage.events import Event

Row = dict[str, Any]
"""Column name to value. Instants are microseconds since 1970 in UTC, uuids their 16 bytes, jsonb the bytes of its text.

Whoever is given a row may add to it.
"""


class Wire(Enum):
    """How a value is written in Postgres' binary COPY format."""

    UUID = "uuid"
    TEXT = "text"
    JSONB = "jsonb"
    BYTES = "bytes"
    BOOLEAN = "boolean"
    INSTANT = "instant"
    INTEGER = "integer"
    BIGINT = "bigint"
    NONE = "none"


@dataclass(frozen=True)
class Type:
    """A Postgres type and its wire form. `NONE` marks types that events never fill. `longest` is in characters."""

    sql: str
    wire: Wire = Wire.NONE
    longest: int | None = None


UUID = Type("uuid", Wire.UUID)
TEXT = Type("text", Wire.TEXT)
VARCHAR = Type("varchar", Wire.TEXT)
JSONB = Type("jsonb", Wire.JSONB)
BYTEA = Type("bytea", Wire.BYTES)
BOOLEAN = Type("boolean", Wire.BOOLEAN)
INTEGER = Type("integer", Wire.INTEGER)
BIGINT = Type("bigint", Wire.BIGINT)
TIMESTAMPTZ = Type("timestamptz", Wire.INSTANT)
TIMESTAMP = Type("timestamp", Wire.INSTANT)
"""Without time zone; holds UTC, as Marquez does."""


def varchar(length: int) -> Type:
    return Type(f"varchar({length})", Wire.TEXT, length)


@dataclass(frozen=True)
class Rule:
    """Who says what a column holds, and which of several mentions wins."""


@dataclass(frozen=True)
class Simple(Rule):
    """A rule without a partner column."""

    name: str


@dataclass(frozen=True)
class Group(Rule):
    """Columns that move together: all come from one event, the one that wins.

    order: the column that keeps the winning event's order. A row that leaves out the columns of a group takes no
    part in it.
    """

    order: str


@dataclass(frozen=True)
class Newest(Group):
    """The event that is last in the order of events wins."""


@dataclass(frozen=True)
class Earliest(Group):
    """The event that is first in the order of events wins."""


KEY = Simple("key")
"""Names the row. Two mentions with equal keys are one row."""
SAME = Simple("same")
"""Follows from the key, so every mention says the same."""
DERIVED = Simple("derived")
"""Computed from other tables after the merge, by a statement in sql/derive/."""
OPERATOR = Simple("operator")
"""Set by a person; no merge touches it."""
OWNER = Simple("owner")
"""Set by the owner of the store; no group role may."""
NOBODY = Simple("nobody")
"""Kept because Marquez has it; nothing here fills it."""
DEFAULT = Simple("default")
"""Given by the database when the row is written."""
INGESTED = Simple("ingested")
"""Handed in once, when a document arrives. Of such a table the role that ingests may write no other column."""
RECEIVED = Simple("received")
"""Said by a trigger when a document arrives, whatever its writer says."""
PLATFORM = Simple("platform")
"""Written by this project's own code as it works; no event says it."""

FOLDED = (KEY, SAME)


class OnDelete(Enum):
    CASCADE = "CASCADE"
    NO_ACTION = "NO ACTION"


@dataclass(frozen=True)
class Reference:
    """A foreign key from one column to the uuid of another table.

    late: the two tables point at each other, or what a row refers to may be derived after it. The constraint is added
        when both tables exist, is judged at commit, and orders nothing.
    """

    table: str
    on_delete: OnDelete = OnDelete.CASCADE
    column: str = "uuid"
    late: bool = False


@dataclass(frozen=True)
class Column:
    name: str
    type: Type
    rule: Rule
    doc: str
    nullable: bool = True
    default: str | None = None
    generated: str | None = None
    """The expression of a stored generated column."""
    sequence: str | None = None
    """The sequence that numbers the rows. The column owns it, and takes its default from it unless it is RECEIVED."""
    identity: bool = False
    """Whether Postgres itself numbers the rows: a writer gives no number, and needs no right to a sequence."""
    reference: Reference | None = None
    entity: str | None = None
    """The table whose uuid this is, if a stored uuid may differ from the one its key derives (see identity_map)."""


@dataclass(frozen=True)
class Index:
    """An index that some reader or foreign key needs; `doc` says which.

    on: the columns in parentheses, as SQL writes them: `(job_uuid, transitioned_at DESC)`.
    include: columns, with commas between them. where: the condition of a partial index.
    """

    name: str
    on: str
    doc: str
    unique: bool = False
    include: str | None = None
    where: str | None = None


@dataclass(frozen=True)
class Unique:
    columns: tuple[str, ...]
    name: str


def one_of(column: str, words: type[Enum]) -> str:
    """The check that a column has one of the values of an enum, which are texts."""
    values = ", ".join(f"'{word.value}'" for word in words)
    return f"{column} IN ({values})"


@dataclass(frozen=True)
class Partition:
    """A partition that a table has from its beginning.

    of: the table that it is a part of, or another partition. bound: what it takes, as SQL writes it behind that name.
    """

    name: str
    of: str
    bound: str
    partition_by: str | None = None


class Persistence(Enum):
    LOGGED = ""
    UNLOGGED = "UNLOGGED"


class DeclarationError(Exception):
    """A declaration contradicts itself; raised at import, so no run starts with it."""


@dataclass(frozen=True)
class Table:
    """One table.

    rows: what an event says of it, as rows without order columns; None where events say nothing.
    append: rows are kept once an event, not folded by key (facets). Staged rows then bear their event's number.
    open_to_operators: people, too, add rows and take them away; a merge leaves theirs alone.
    by_hand: what is staged is merged by statements in sql/derive/, as it does not follow from the rows alone.
    replaceable: an operator may put a view of its name in its place, for good; nothing writes it from then on.
    """

    name: str
    doc: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    unique: tuple[Unique, ...] = ()
    indexes: tuple[Index, ...] = ()
    rows: Callable[[Event], Iterator[Row]] | None = None
    append: bool = False
    open_to_operators: bool = False
    by_hand: bool = False
    replaceable: bool = False
    schema: str = "public"
    partition_by: str | None = None
    partitions: tuple[Partition, ...] = ()
    checks: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        repeated = {name for name in names if names.count(name) > 1}
        if repeated:
            raise DeclarationError(f"{self.name}: column {sorted(repeated)} is declared twice")
        unknown = set(self.primary_key) - set(names)
        if unknown:
            raise DeclarationError(f"{self.name}: primary key names {sorted(unknown)}, which is no column")
        if self.rows is not None and not self.append and not self.key:
            raise DeclarationError(f"{self.name}: its rows are folded, so a column must be its KEY")
        for column in self.columns:
            if column.rule == KEY and column.nullable:
                raise DeclarationError(f"{self.name}.{column.name}: a KEY cannot be null")
            if column in self.staged and column.type.wire is Wire.NONE:
                raise DeclarationError(f"{self.name}.{column.name}: {column.type.sql} has no wire form")

    @property
    def is_merged(self) -> bool:
        """Whether `sql/merge/` has a statement that takes its staged rows in."""
        return self.rows is not None and not self.by_hand

    @property
    def key(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.rule == KEY)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups of columns, in the order of their first column."""
        found = [column.rule for column in self.columns if isinstance(column.rule, Group)]
        return tuple(dict.fromkeys(found))

    @property
    def order_columns(self) -> tuple[Column, ...]:
        """One column a group, kept behind the declared ones."""
        return tuple(
            Column(group.order, BYTEA, group, f"Order of the event that the {type(group).__name__.lower()} came from.")
            for group in self.groups
        )

    @property
    def stored(self) -> tuple[Column, ...]:
        """All columns of the table, as the database has them."""
        return self.columns + self.order_columns

    @property
    def staged(self) -> tuple[Column, ...]:
        """The columns that a row from an event fills."""
        filled = tuple(column for column in self.columns if isinstance(column.rule, Group) or column.rule in FOLDED)
        return filled + self.order_columns

    def column(self, name: str) -> Column:
        return next(column for column in self.stored if column.name == name)
