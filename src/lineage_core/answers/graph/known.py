"""The lineage graph as it was known at a moment: what its statements read is as changelog streams have it by then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from lineage_core import statements
from lineage_core.answers.graph.model import NodeKind, Root
from lineage_core.errors import NotInStore
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import one_value
from lineage_core.settings import ProjectSettings
from lineage_core.streams.store.known_tables import KnownTable, show_as_known

TABLES = (
    KnownTable("identity_map", ("entity", "key_uuid", "uuid")),
    KnownTable("datasets", ("uuid", "namespace_name", "name", "is_hidden")),
    KnownTable("jobs", ("uuid", "namespace_name", "name", "aliases", "symlink_target_uuid", "is_hidden")),
    KnownTable("job_edges", ("job_uuid", "role", "name_uuid", "lineage_uuid", "since_event", "until_event")),
    KnownTable("job_version_timeline", ("job_uuid", "event_order", "run_uuid", "job_version_uuid")),
    KnownTable("dataset_endings", ("name_uuid", "event_order", "renamed_to")),
)
"""What decides whether an edge holds, and what its ends are called."""


@dataclass(frozen=True)
class KnownAt:
    """When the graph was known so, by the system time of streams, and below which URL these are."""

    moment: datetime
    streams_url: str

    @classmethod
    def by_settings(cls, moment: datetime) -> KnownAt:
        """By the streams that the settings of this process name."""
        return cls(moment, ProjectSettings.from_environment().streams_url)


class NotKnownThen(NotInStore):
    """Nothing that was published by a moment names a root; something that came later does."""

    def __init__(self, root: Root) -> None:
        kind = "job" if root.kind is NodeKind.JOB else "dataset"
        super().__init__(
            f"The {kind} {root.name!r} of the namespace {root.namespace!r} was not known then: the first event that"
            " names it came, or was published, later"
        )


@dataclass(frozen=True)
class KnownState:
    """published_at: of the publication that says what was known. has_lost_descriptions: whether retention has deleted
    what some edge of then reported of columns, which no stream keeps.
    """

    moment: datetime
    published_at: datetime
    has_lost_descriptions: bool


@contextmanager
def shown_as_known(connection: Connection, known: KnownAt | None) -> Iterator[KnownState | None]:
    """Has a session mean that state while the block runs. Raises as `show_as_known` does. None is the state of now."""
    if known is None:
        yield None
        return
    with connection.transaction(force_rollback=True):
        published_at = show_as_known(connection, known.streams_url, TABLES, known.moment)
        connection.execute(_endings_of_then().encode())
        lost = one_value(connection, bool, "answers/graph/lost_descriptions")
        yield KnownState(known.moment, published_at, lost)


def _endings_of_then() -> str:
    """The function that says when a dataset ended, of what was known."""
    script = statements.named("model/functions/endings_of")
    return script.replace("public.", "pg_temp.").replace("FUNCTION endings_of", "FUNCTION pg_temp.endings_of")
