"""Declarations to grants: a role may do to a table what the owners of its columns need, and no more.

Ingest only adds what has arrived. Jobs read everything and write what is neither kept as it arrived nor set by people.
Operators fill the columns that are theirs, and read the tables that have some. Readers read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lineage_core.relation import DEFAULT, INGESTED, NOBODY, OPERATOR, Table
from lineage_core.render.ddl import STAGING_SCHEMAS

INGEST = "lineage_ingest"
JOBS = "lineage_jobs"
OPERATORS = "lineage_operator"
READER = "lineage_reader"
ROLES = (INGEST, JOBS, OPERATORS, READER)
_ALL = ", ".join(ROLES)

_STAGING = ", ".join(STAGING_SCHEMAS)

OPENING = f"""-- What each role may do. What is not granted here is taken back.
REVOKE ALL ON ALL TABLES IN SCHEMA public, {_STAGING} FROM {_ALL};
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {_ALL};
GRANT USAGE ON SCHEMA public TO {_ALL};
GRANT USAGE ON SCHEMA {_STAGING} TO {JOBS};"""


def grants(tables: Iterable[Table], views: Iterable[str]) -> str:
    """All grants on the declared tables and the named views."""
    return "\n".join(
        [
            OPENING,
            *(line for declared in tables for line in _table(declared)),
            *(view(f"public.{name}") for name in views),
        ]
    )


def view(name: str) -> str:
    """The grant on a view."""
    return f"GRANT SELECT ON {name} TO {JOBS}, {READER};"


def _table(declared: Table) -> Iterator[str]:
    yield f"GRANT SELECT ON public.{declared.name} TO {JOBS}, {READER};"
    writers = []
    if _is_ingested(declared):
        writers.append(INGEST)
        yield f"GRANT INSERT ON public.{declared.name} TO {INGEST};"
    if _is_written_by_jobs(declared):
        writers.append(JOBS)
        yield f"GRANT INSERT, UPDATE, DELETE ON public.{declared.name} TO {JOBS};"
    yield from _operators(declared)
    for column in declared.columns:
        if column.sequence and writers:
            yield f"GRANT USAGE ON SEQUENCE public.{column.sequence} TO {', '.join(writers)};"
    if declared.rows is not None:
        staged = ", ".join(f"{schema}.{declared.name}" for schema in STAGING_SCHEMAS)
        yield f"GRANT SELECT, INSERT, DELETE, TRUNCATE ON {staged} TO {JOBS};"


def _operators(declared: Table) -> Iterator[str]:
    """Rows where people may add some, else the columns that people fill."""
    theirs = [column.name for column in declared.columns if column.rule == OPERATOR]
    rights = ["SELECT"] if theirs or declared.open_to_operators else []
    if declared.open_to_operators or len(theirs) == len(declared.columns):
        rights += ["INSERT", "DELETE"]
    if theirs:
        rights.append("UPDATE" if len(theirs) == len(declared.columns) else f"UPDATE ({', '.join(theirs)})")
    if rights:
        yield f"GRANT {', '.join(rights)} ON public.{declared.name} TO {OPERATORS};"


def _is_ingested(declared: Table) -> bool:
    return any(column.rule == INGESTED for column in declared.columns)


def _is_written_by_jobs(declared: Table) -> bool:
    return any(column.rule not in (INGESTED, OPERATOR, DEFAULT, NOBODY) for column in declared.columns)
