"""The facets of one run, dataset version or job version, read one at a time from where they are stored."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from uuid import UUID

from psycopg import sql

from lineage_core.store.connection import Connection


class FacetsOf(Enum):
    """Whose facets: the table or view that has them, and its column that says whose they are."""

    RUN = ("run_facets", "run_uuid")
    DATASET_VERSION = ("dataset_version_facets", "dataset_version_uuid")
    JOB_VERSION = ("job_version_facets", "job_version_uuid")


_SELECT = "SELECT name, convert_to(facet::text, 'UTF8') FROM {} WHERE {} = %s"


def read_facets(connection: Connection, of: FacetsOf, uuid: UUID) -> Iterator[tuple[str, bytes]]:
    """Name and stored JSON of each facet. No raw event is read, and never is more than one facet in memory.

    Needs a connection that is not in autocommit.
    """
    source, column = of.value
    query = sql.SQL(_SELECT).format(sql.Identifier(source), sql.Identifier(column))
    with connection.cursor(name="facets") as cursor:
        cursor.itersize = 1
        cursor.execute(query, [uuid], binary=True)
        yield from cursor
