"""Statements, executed by name; their rows come back as values of declared types.

Columns are taken by their names, so a statement names each of them. `statement` is a name, or what `composed`
has made of one. A list of large texts is `%(name)b` in it: as `%(name)s` each of their characters is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import count
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg import sql
from psycopg.rows import RowMaker, args_row, kwargs_row, scalar_row

from lineage_core import statements

T = TypeVar("T")
Connection = psycopg.Connection[Any]
Statement = str | sql.Composed
Parameters = Mapping[str, Any]

_numbers = count(1)
"""Of cursors, each of which has a name of its own."""


def composed(name: str, /, **parts: sql.Composable) -> sql.Composed:
    """The statement with identifiers, or other statements, in place of the names in its braces."""
    statements.announce(name)
    return sql.SQL(statements.named(name)).format(**parts)


def execute(connection: Connection, statement: Statement, parameters: Parameters | None = None) -> int:
    """How many rows it changed."""
    return connection.execute(_query(statement), parameters).rowcount


def execute_each(connection: Connection, statement: Statement, parameters: Iterable[Parameters]) -> None:
    """Once for each set of parameters."""
    connection.cursor().executemany(_query(statement), parameters)


def _made_by(make: Callable[..., T]) -> Callable[[psycopg.Cursor[Any]], RowMaker[T]]:
    """By the names of the columns. By their places, which takes half as long, where a type has the same order."""
    names = _fields_of(make)

    def maker(cursor: psycopg.Cursor[Any]) -> RowMaker[T]:
        columns = [column.name for column in cursor.description or ()]
        return (args_row(make) if columns == names else kwargs_row(make))(cursor)

    return maker


def _fields_of(make: Callable[..., object]) -> list[str] | None:
    """None of a function."""
    if is_dataclass(make):
        return [field.name for field in fields(make)]
    named = getattr(make, "_fields", None)
    return None if named is None else list(named)


def every_row(
    connection: Connection, make: Callable[..., T], statement: Statement, parameters: Parameters | None = None
) -> list[T]:
    """What `make`, a dataclass, a NamedTuple or a function, gives for the columns of each row."""
    cursor = connection.cursor(row_factory=_made_by(make))
    return cursor.execute(_query(statement), parameters).fetchall()


def row_or_none(
    connection: Connection,
    make: Callable[..., T],
    statement: Statement,
    parameters: Parameters | None = None,
    *,
    binary: bool = False,
) -> T | None:
    """The first row, None if there is none. `binary`: large values come as bytes, not as text that is twice as long."""
    cursor = connection.cursor(row_factory=_made_by(make), binary=binary)
    return cursor.execute(_query(statement), parameters).fetchone()


def one_row(
    connection: Connection, make: Callable[..., T], statement: Statement, parameters: Parameters | None = None
) -> T:
    """The row of a statement that always has one."""
    return _certain(row_or_none(connection, make, statement, parameters), statement)


def each_row(
    connection: Connection,
    make: Callable[..., T],
    statement: Statement,
    parameters: Parameters,
    *,
    at_once: int,
    binary: bool = False,
) -> Generator[T]:
    """As `every_row`, but no more rows than `at_once` are held at a time. The connection may do other things meanwhile,
    in the same transaction.
    """
    with connection.cursor(name=f"rows_{next(_numbers)}", row_factory=_made_by(make)) as cursor:
        cursor.itersize = at_once
        cursor.execute(_query(statement), parameters, binary=binary)
        yield from cursor


def row_of_script(connection: Connection, make: Callable[..., T], script: str, parameters: Parameters) -> T:
    """The first row of the last of several statements, which always has one."""
    return _certain(next(iter(rows_of_script(connection, make, script, parameters)), None), script)


def rows_of_script(connection: Connection, make: Callable[..., T], script: str, parameters: Parameters) -> list[T]:
    """The rows that the last of several statements gives."""
    cursor = psycopg.ClientCursor(connection, row_factory=_made_by(make))
    cursor.execute(_query(script), parameters)
    while cursor.nextset():
        pass
    return cursor.fetchall()


def every_value(
    connection: Connection,
    kind: type[T],
    statement: Statement,
    parameters: Parameters | None = None,
    *,
    binary: bool = False,
) -> list[T]:
    """The one column of each row. Raises TypeError where it is not of the kind."""
    cursor = connection.cursor(row_factory=scalar_row, binary=binary).execute(_query(statement), parameters)
    return [_checked(kind, value, statement) for value in cursor]


def value_or_none(
    connection: Connection,
    kind: type[T],
    statement: Statement,
    parameters: Parameters | None = None,
    *,
    binary: bool = False,
) -> T | None:
    """The one column of the first row; None if there is no row, or null in it."""
    cursor = connection.cursor(row_factory=scalar_row, binary=binary).execute(_query(statement), parameters)
    value = cursor.fetchone()
    return None if value is None else _checked(kind, value, statement)


def one_value(connection: Connection, kind: type[T], statement: Statement, parameters: Parameters | None = None) -> T:
    """The value of a statement that always has one."""
    return _certain(value_or_none(connection, kind, statement, parameters), statement)


def _query(statement: Statement) -> LiteralString | sql.Composed:
    if not isinstance(statement, str):
        return statement
    statements.announce(statement)
    return statements.named(statement)


def _certain(found: T | None, statement: Statement) -> T:
    if found is None:
        raise TypeError(f"{_name(statement)} gives nothing, where there is always something")
    return found


def _checked(kind: type[T], value: object, statement: Statement) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"{_name(statement)} gives {type(value).__name__}, not {kind.__name__}")
    return value


def _name(statement: Statement) -> str:
    return f"The statement {statement}" if isinstance(statement, str) else "A statement that was put together"


PIECE = 1 << 20
"""Bytes."""


def marked_values(
    connection: Connection, statement: str, parameters: Mapping[str, Any]
) -> Iterator[tuple[bytes, bool]]:
    """The rows of a statement, by its name, whose columns are a bytea and a boolean."""
    return _values(connection, sql.SQL(statements.named(statement)), parameters, "bool")


def described_values(
    connection: Connection, statement: str, parameters: Mapping[str, Any]
) -> Iterator[tuple[bytes, str]]:
    """The rows of a statement, by its name, whose columns are a bytea and a text."""
    return _values(connection, sql.SQL(statements.named(statement)), parameters, "text")


def large_value(connection: Connection, statement: str, parameters: Mapping[str, Any]) -> bytes:
    """The one bytea of a statement, a path below `sql/`."""
    marked = sql.SQL("SELECT found.*, true FROM ({}) AS found").format(sql.SQL(statements.named(statement)))
    ((content, _),) = _values(connection, marked, parameters, "bool")
    return content


def _values(
    connection: Connection, statement: sql.Composable, parameters: Mapping[str, Any], mark_type: str
) -> Iterator[tuple[bytes, Any]]:
    pieces: list[bytes] = []
    query = composed("postgres/pieces", statement=statement, piece=sql.Literal(PIECE))
    with connection.cursor().copy(query, parameters) as copy:
        copy.set_types(["bytea", "bool", mark_type])
        for piece, is_last, mark in copy.rows():
            pieces.append(piece)
            if is_last:
                content = b"".join(pieces)
                pieces.clear()
                yield content, mark
