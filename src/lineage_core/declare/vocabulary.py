"""The vocabulary of a table's declaration: columns, how rows of one key fold into one, references.

A fold is a semilattice: any order and any repetition of the same rows gives the same row. Everything else of a table
(DDL, staging table, merge, docs, law tests) is rendered from its declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from lineage_core.declare.leaving import Leaving

if TYPE_CHECKING:
    from lineage_core.openlineage.events import Event

Word = TypeVar("Word", bound=Leaving)
Row = dict[str, Any]
"""Column name to value. Instants are microseconds since 1970 in UTC, uuids their 16 bytes, of `uuid[]` a list, jsonb
the bytes of its text.

A function that receives a row may add to it.
"""


class Wire(Enum):
    """How a value is written in Postgres' binary COPY format."""

    UUID = "uuid"
    UUIDS = "uuids"
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
    """A Postgres type and its wire form."""

    sql: str
    """As SQL writes it."""
    wire: Wire = Wire.NONE
    """`NONE` if events never fill such a column."""
    longest: int | None = None
    """In characters; None if it has no limit."""


UUID = Type("uuid", Wire.UUID)
UUIDS = Type("uuid[]", Wire.UUIDS)
TEXT = Type("text", Wire.TEXT)
VARCHAR = Type("varchar", Wire.TEXT)
JSONB = Type("jsonb", Wire.JSONB)
DATE = Type("date")
TEXTS = Type("text[]")
BYTEA = Type("bytea", Wire.BYTES)
BOOLEAN = Type("boolean", Wire.BOOLEAN)
INTEGER = Type("integer", Wire.INTEGER)
INTERVAL = Type("interval")
BIGINT = Type("bigint", Wire.BIGINT)
TIMESTAMPTZ = Type("timestamptz", Wire.INSTANT)
TIMESTAMPTZS = Type("timestamptz[]")
SNAPSHOT = Type("pg_snapshot")
TIMESTAMP = Type("timestamp", Wire.INSTANT)
"""Without time zone; holds UTC, as Marquez does."""


def varchar(length: int) -> Type:
    return Type(f"varchar({length})", Wire.TEXT, length)


@dataclass(frozen=True)
class Rule:
    """Who fills a column, and which of several rows of a key wins."""


@dataclass(frozen=True)
class Simple(Rule):
    """A rule without a partner column."""

    name: str


@dataclass(frozen=True)
class Group(Rule):
    """Columns that move together: all come from one event, the one that wins.

    A row that leaves out the columns of a group takes no part in it.
    """

    order: str
    """The column that keeps the winning event's order."""


@dataclass(frozen=True)
class Newest(Group):
    """The event that is last in the order of events wins."""


@dataclass(frozen=True)
class Earliest(Group):
    """The event that is first in the order of events wins."""


KEY = Simple("key")
"""Names the row. Rows with equal keys become one."""
SAME = Simple("same")
"""Follows from the key, so all rows of a key have the same."""
DERIVED = Simple("derived")
"""Computed from other tables after the merge, by a derivation."""
OPERATOR = Simple("operator")
"""Set by a person; no merge touches it."""
OWNER = Simple("owner")
"""Set by the owner of the store; no group role may."""
UNFILLED = Simple("unfilled")
"""Kept because Marquez has it; nothing here fills it."""
DEFAULT = Simple("default")
"""Given by the database when the row is written."""
INGESTED = Simple("ingested")
"""Written once, when a document arrives. The role that ingests may write no other column of such a table."""
RECEIVED = Simple("received")
"""Set by a trigger when a document arrives, whatever its writer gave."""
PLATFORM = Simple("platform")
"""Written by this project's own code as it works; no event says it."""

FOLDED = (KEY, SAME)


class OnDelete(Enum):
    CASCADE = "CASCADE"
    NO_ACTION = "NO ACTION"


@dataclass(frozen=True)
class Reference:
    """A column names rows of another table by their uuid: a foreign key, unless `is_enforced` is false."""

    table: str
    """The table that it refers to."""
    on_delete: OnDelete = OnDelete.CASCADE
    column: str = "uuid"
    """The column of that table."""
    late: bool = False
    """Whether the two tables refer to each other, or the row that is referred to may be derived later. Such a reference
    orders nothing. A constraint is added when both tables exist, and is checked at commit."""
    is_enforced: bool = True
    """Whether Postgres refuses a row that names nothing. False where merges and retention alone write both tables,
    under one lease: a merge has read or made what it names, and a row leaves with those that name it. A constraint
    looks up each row by itself, which took a fifth of a merge (decision 76)."""


def unenforced(table: str, *, late: bool = False) -> Reference:
    """A reference to the uuid of a table that merges and retention keep, without a foreign key."""
    return Reference(table, late=late, is_enforced=False)


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    name: str
    type: Type
    rule: Rule
    """Who fills it, and which of several rows of a key wins."""
    doc: str
    """What it holds, in a sentence of docs/tables.md."""
    nullable: bool = True
    default: str | None = None
    """The SQL expression of its default."""
    generated: str | None = None
    """The SQL expression of a stored generated column."""
    sequence: str | None = None
    """The sequence that numbers the rows. The column owns it, and takes its default from it unless it is RECEIVED."""
    identity: bool = False
    """Whether Postgres itself numbers the rows: a writer gives no number, and needs no right to a sequence."""
    reference: Reference | None = None
    """The table whose rows it names."""
    entity: str | None = None
    """The table whose uuid this is, if a stored uuid may differ from the one its key derives (see identity_map)."""


@dataclass(frozen=True)
class Index:
    """An index that some reader or foreign key needs."""

    name: str
    on: str
    """The columns in parentheses, as SQL writes them: `(job_uuid, transitioned_at DESC)`."""
    doc: str
    """Which reader or foreign key needs it."""
    unique: bool = False
    include: str | None = None
    """Columns of INCLUDE, with commas between them."""
    where: str | None = None
    """The condition of a partial index."""


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
    """A partition that a table has from its beginning."""

    name: str
    of: str
    """The table that it is a partition of, or another partition."""
    bound: str
    """Which rows it takes, as SQL writes it after that name."""
    partition_by: str | None = None
    """How it is divided further, as SQL writes it; None if it is not."""


class Persistence(Enum):
    LOGGED = ""
    UNLOGGED = "UNLOGGED"


class DeclarationError(Exception):
    """A declaration contradicts itself; raised at import, so no run starts with it."""


@dataclass(frozen=True)
class TableStream:
    """What the changelog stream of a table has: every declared column but `updated_at` and those that are left out.

    A change of no other column is no change. Every event says `updated_at` anew, so it counts only if `also` has it.
    """

    event_time: tuple[str, ...] = ()
    """The columns that say when a row happened; the first that is not null counts. Without any, it says no time."""
    without: tuple[str, ...] = ()
    """Columns that only the platform needs."""
    also: tuple[str, ...] = ()
    """Columns that are otherwise left out."""
    has_key: bool = True
    """Whether the primary key names a row. Otherwise a change is a retraction and an append."""
    is_log: bool = False
    """Whether rows are only added, with the number of their transaction: then the table is the log of its changes."""


@dataclass(frozen=True)
class Table:
    """One table."""

    name: str
    doc: str
    """What it is, in the words of docs/tables.md."""
    columns: tuple[Column, ...]
    """The declared columns. The order columns of groups come after them."""
    primary_key: tuple[str, ...] = ()
    unique: tuple[Unique, ...] = ()
    indexes: tuple[Index, ...] = ()
    rows: Callable[[Event], Iterator[Row]] | None = None
    """The rows of an event, without order columns; None if events do not fill the table."""
    append: bool = False
    """Whether each event keeps its rows, instead of one row for each key (facets). Staged rows then have their event's
    number."""
    open_to_operators: bool = False
    """Whether people, too, insert and delete rows. A merge leaves theirs alone."""
    shown_to_operators: bool = False
    """Whether people read it for what they enter elsewhere."""
    append_only: bool = False
    """Whether people add rows that cannot be changed or removed, not even by the owner: a history."""
    marquez_rights: str | None = None
    """What the server of Marquez may do beside reading, for its tags and its hiding, as GRANT writes it. It may not
    insert what the first statement of each of its other writes inserts, so that these leave nothing behind."""
    kept: bool = False
    """Whether the platform only adds and changes rows: who writes what was done may not take it away."""
    by_hand: bool = False
    """Whether derivations merge what is staged, because it does not follow from the rows alone."""
    replacement: str | None = None
    """The statement by which an operator puts a view of its name in its place, for good; None if there is none. Nothing
    writes the table from then on."""
    schema: str = "public"
    """The Postgres schema."""
    partition_by: str | None = None
    """As SQL writes it; None if it has no partitions."""
    partitions: tuple[Partition, ...] = ()
    checks: tuple[str, ...] = field(default=())
    """Conditions of CHECK constraints."""
    fillfactor: int | None = None
    """How full Postgres packs a page with new rows, in percent; None for all of it. Where rows change often in columns
    that no index has, room on their page spares each change an entry in every index (decision 77)."""
    stream: TableStream | None = None
    """Its changelog stream; None if it has none."""
    retention: tuple[Leaving, ...] = ()
    """What becomes of its rows when retention lets something go."""

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
        if self.stream is not None:
            self._check_stream(self.stream, names)
        for column in self.columns:
            if column.rule == KEY and column.nullable:
                raise DeclarationError(f"{self.name}.{column.name}: a KEY cannot be null")
            if column in self.staged and column.type.wire is Wire.NONE:
                raise DeclarationError(f"{self.name}.{column.name}: {column.type.sql} has no wire form")

    def _check_stream(self, stream: TableStream, names: list[str]) -> None:
        unknown = {*stream.event_time, *stream.without, *stream.also} - set(names)
        if unknown:
            raise DeclarationError(f"{self.name}: its stream names {sorted(unknown)}, which is no column")
        if stream.has_key and not self.primary_key:
            raise DeclarationError(f"{self.name}: its stream needs a primary key, or to be declared without")
        lost = {*stream.event_time, *(self.primary_key if stream.has_key else ())} - {one.name for one in self.streamed}
        if lost and not stream.is_log:
            raise DeclarationError(f"{self.name}: its stream leaves out {sorted(lost)}, which it needs")

    def on_leaving(self, word: type[Word]) -> tuple[Word, ...]:
        """What it says about retention in one of the words."""
        return tuple(one for one in self.retention if isinstance(one, word))

    @property
    def streamed(self) -> tuple[Column, ...]:
        """The columns of its changelog stream."""
        if self.stream is None:
            return ()
        left_out = ({"updated_at"} | set(self.stream.without)) - set(self.stream.also)
        return tuple(column for column in self.columns if column.name not in left_out)

    @property
    def is_merged(self) -> bool:
        """Whether a statement `merge/…` is rendered that takes its staged rows in."""
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
