"""Failures that Postgres tells about the store itself, told in our own errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import errors

from lineage_core.errors import NeedsOperator, SchemaDiffers


@contextmanager
def explained(role: str) -> Iterator[None]:
    """Say what to do where a table is missing, or a right: `role` is the group role that has it."""
    try:
        yield
    except (errors.UndefinedTable, errors.UndefinedFunction, errors.InvalidSchemaName) as error:
        raise SchemaDiffers(f"{error.diag.message_primary}; run `lineage db upgrade` first.") from error
    except errors.InsufficientPrivilege as error:
        raise NeedsOperator(f"{error.diag.message_primary}; this takes the role {role}.") from error
