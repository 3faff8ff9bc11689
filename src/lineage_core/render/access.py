"""Declarations to grants: a role may do to a table what the owners of its columns need, and no more.

Ingest only adds what has arrived, and says of it no more than what it hands in. Jobs read everything and write what is
neither kept as it arrived nor set by people. Operators fill the columns that are theirs, and read the tables that have
some. Readers read. A Marquez reads, too, and writes what its tags and its hiding need.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lineage_core.declare.database_names import (
    CHANGES,
    INGEST,
    JOBS,
    MARQUEZ,
    OPERATORS,
    READER,
    ROLES,
    STAGING_SCHEMAS,
)
from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.streams import captured_tables
from lineage_core.declare.views import View
from lineage_core.declare.vocabulary import DEFAULT, INGESTED, OPERATOR, OWNER, RECEIVED, UNFILLED, Table

_ALL = ", ".join(ROLES)
_WHO_READ = ", ".join((JOBS, MARQUEZ, READER))

_STAGING = ", ".join(STAGING_SCHEMAS)

NOTHING = f"""REVOKE ALL ON ALL TABLES IN SCHEMA public, {_STAGING}, {CHANGES} FROM {_ALL};
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public, {CHANGES} FROM {_ALL};
REVOKE ALL ON SCHEMA public, {_STAGING}, {CHANGES} FROM {_ALL};"""
"""Takes everything back, so that what is not granted anew is gone."""

OPENING = f"""-- What each role may do.
-- Names in our statements stand without a schema, so no other role may put a table or a function there.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
-- Nor is anything given along with a table that is yet to be made, such as a partition.
ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON TABLES FROM {_ALL};
ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON SEQUENCES FROM {_ALL};
GRANT USAGE ON SCHEMA public TO {_ALL};
GRANT USAGE ON SCHEMA {_STAGING} TO {JOBS};
-- How near its end a sequence is.
GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO {JOBS}, {READER};
GRANT USAGE ON SCHEMA {CHANGES} TO {JOBS}, {READER};"""


def scripts(tables: Iterable[Table], views: Iterable[View]) -> dict[str, str]:
    """What takes back whatever was granted, and what grants anew, by their names."""
    return {"nothing": f"{NOTHING}\n", "grants": f"{grants(tables, views)}\n"}


def grants(tables: Iterable[Table], views: Iterable[View]) -> str:
    """All grants on the declared tables and views."""
    tables = tuple(tables)
    return "\n".join(
        [
            OPENING,
            *(line for declared in tables for line in _table(declared)),
            *(view(f"public.{declared.name}", declared.open_to_operators) for declared in views),
            *(_changes(captured.table.name) for captured in captured_tables() if captured.table in tables),
        ]
    )


def view(name: str, open_to_operators: bool = False) -> str:
    """The grant on a view."""
    others = f", {OPERATORS}" if open_to_operators else ""
    return f"GRANT SELECT ON {name} TO {_WHO_READ}{others};"


def _changes(table: str) -> str:
    """No one adds changes but the functions that capture them."""
    return f"GRANT SELECT ON {CHANGES}.{table} TO {JOBS}, {READER};\nGRANT DELETE ON {CHANGES}.{table} TO {JOBS};"


def _table(declared: Table) -> Iterator[str]:
    yield f"GRANT SELECT ON public.{declared.name} TO {_WHO_READ};"
    if declared.marquez_rights:
        yield f"GRANT {declared.marquez_rights} ON public.{declared.name} TO {MARQUEZ};"
    ingested = [column.name for column in declared.columns if column.rule == INGESTED]
    if ingested:
        yield f"GRANT INSERT ({', '.join(ingested)}) ON public.{declared.name} TO {INGEST};"
    if _is_written_by_jobs(declared):
        rights = "INSERT, UPDATE" if declared.kept else "INSERT, UPDATE, DELETE"
        yield f"GRANT {rights} ON public.{declared.name} TO {JOBS};"
        for column in declared.columns:
            if column.sequence:
                yield f"GRANT USAGE ON SEQUENCE public.{column.sequence} TO {JOBS};"
    elif declared.on_leaving(GoesWith):
        yield f"GRANT DELETE ON public.{declared.name} TO {JOBS};"
    yield from _operators(declared)
    if declared.rows is not None:
        staged = ", ".join(f"{schema}.{declared.name}" for schema in STAGING_SCHEMAS)
        yield f"GRANT SELECT, INSERT, DELETE, TRUNCATE ON {staged} TO {JOBS};"


def _operators(declared: Table) -> Iterator[str]:
    """Rows where people may add some, else the columns that people fill."""
    theirs = [column.name for column in declared.columns if column.rule == OPERATOR]
    if declared.append_only:
        yield f"GRANT SELECT, INSERT ({', '.join(theirs)}) ON public.{declared.name} TO {OPERATORS};"
        return
    rights = ["SELECT"] if theirs or declared.open_to_operators or declared.shown_to_operators else []
    if declared.open_to_operators or len(theirs) == len(declared.columns):
        rights += ["INSERT", "DELETE"]
    if theirs and not _says_who_wrote(declared):
        rights.append("UPDATE" if len(theirs) == len(declared.columns) else f"UPDATE ({', '.join(theirs)})")
    if rights:
        yield f"GRANT {', '.join(rights)} ON public.{declared.name} TO {OPERATORS};"


def _says_who_wrote(declared: Table) -> bool:
    """Whether each row names the login that added it: such a row is replaced, and not changed by another one."""
    return any(column.default == "session_user" for column in declared.columns)


def _is_written_by_jobs(declared: Table) -> bool:
    return any(
        column.rule not in (INGESTED, RECEIVED, OPERATOR, OWNER, DEFAULT, UNFILLED) for column in declared.columns
    )
