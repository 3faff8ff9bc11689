"""Failures that Postgres tells about the store itself, told in our own errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import Error, errors

from lineage_core.errors import LineageError, NeedsOperator, SchemaDiffers

OF_THE_SERVER = ("53", "55", "57", "58")
"""Classes of SQLSTATE of a server that cannot now: resources, states, an operator's intervention, the system."""

OF_THE_DATABASE = ("3F", "42")
"""Classes of SQLSTATE of what the database lacks or does not allow: no other row would fare better."""


def lies_in_rows(error: LineageError) -> bool:
    """Whether Postgres refused something for which the rows may be at fault, so that others may fare better."""
    cause = error.__cause__
    return isinstance(cause, Error) and sqlstate_class(cause) not in (*OF_THE_SERVER, *OF_THE_DATABASE)


def sqlstate_class(error: Error) -> str:
    return str(error.sqlstate)[:2]


@contextmanager
def explained(role: str) -> Iterator[None]:
    """Say what to do where a table is missing, or a right: `role` is the group role that has it."""
    try:
        yield
    except (errors.UndefinedTable, errors.UndefinedFunction, errors.InvalidSchemaName) as error:
        raise SchemaDiffers(f"{error.diag.message_primary}; run `lineage db upgrade` first.") from error
    except errors.InsufficientPrivilege as error:
        raise NeedsOperator(f"{error.diag.message_primary}; this takes the role {role}.") from error
