"""Failures that Postgres reports of the store itself, as our own errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import Error, InterfaceError, OperationalError, errors

from lineage_core.errors import LineageError, NeedsOperator, RejectedEvent, SchemaDiffers, StoreUnavailable

OF_THE_SERVER = ("53", "55", "57", "58")
"""Classes of SQLSTATE of a server that cannot now: resources, states, an operator's intervention, the system."""

OF_THE_DATABASE = ("3F", "42")
"""Classes of SQLSTATE of what the database lacks or does not allow: no other row would fare better."""

OF_THE_DATA = ("21", "22", "23", "54", "XX")
"""Classes of SQLSTATE of what other data would not have raised. XX, Postgres' own faults, is among them: it meets some
values that are too large for it with such an error."""

_OUT_OF_MEMORY = "53200"
"""Of the server; less data may fit."""


def may_pass(error: Exception) -> bool:
    """Whether it is one of Postgres' errors that another attempt may not meet: of a lock, or the server."""
    return isinstance(error, OperationalError)


def lies_in_data(error: Error) -> bool:
    """Whether Postgres, or psycopg before it was asked, refuses what other data would not have raised."""
    if error.sqlstate is None:
        return not isinstance(error, (OperationalError, InterfaceError))
    return error.sqlstate == _OUT_OF_MEMORY or sqlstate_class(error) in OF_THE_DATA


def lies_in_events(error: Exception) -> bool:
    """Whether what failed while events were staged may be of their own making, so that others may fare better.

    The errors of the store and of the machine are known; any other comes of what is staged.
    """
    known = (error.__cause__ or error) if isinstance(error, StoreUnavailable) else error
    if isinstance(known, Error):
        return lies_in_data(known)
    return isinstance(known, RejectedEvent) or not isinstance(known, (LineageError, OSError, ImportError))


def lies_in_rows(error: LineageError) -> bool:
    """Whether Postgres refused something for which the rows may be at fault, so that others may fare better."""
    cause = error.__cause__
    return isinstance(cause, Error) and sqlstate_class(cause) not in (*OF_THE_SERVER, *OF_THE_DATABASE)


def sqlstate_class(error: Error) -> str:
    return str(error.sqlstate)[:2]


_UNKNOWN = (
    errors.UndefinedTable,
    errors.UndefinedColumn,
    errors.UndefinedFunction,
    errors.UndefinedObject,
    errors.InvalidSchemaName,
    errors.WrongObjectType,
    errors.DatatypeMismatch,
    errors.InvalidColumnReference,
)
"""What a statement of this release meets in a database that has no store, or one of another release."""

_TEMPORARY_TABLES = "InitTempTableNamespace"
"""The function of Postgres that refuses temporary tables. Its message is in the language of the server."""


@contextmanager
def explained(role: str) -> Iterator[None]:
    """Say what to do where the store lacks something, or a right: `role` is the group role that has it."""
    try:
        yield
    except _UNKNOWN as error:
        raise SchemaDiffers(
            f"{error.diag.message_primary}: the database holds no lineage store, or one of another release. Run"
            " `lineage db upgrade`, which makes it or brings it up to date, or says why it cannot"
        ) from error
    except errors.InsufficientPrivilege as error:
        if error.diag.source_function == _TEMPORARY_TABLES:
            raise NeedsOperator(
                f"{error.diag.message_primary}. Everybody has that right unless it was taken away. The owner of the"
                f" database gives it back: GRANT TEMPORARY ON DATABASE … TO {role}"
            ) from error
        raise NeedsOperator(f"{error.diag.message_primary}; this takes the role {role}.") from error
