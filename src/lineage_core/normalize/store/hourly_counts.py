"""The counts of events by hour and type, a materialized view that Marquez reads and no one else would refresh."""

from __future__ import annotations

from psycopg import errors

from lineage_core.errors import NeedsOperator, TryAgain
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import one_value

VIEW = "lineage_events_by_type_hourly_view"


def refresh_hourly_counts(connection: Connection) -> bool:
    """Counts again what is older than an hour, in a transaction of its own; whether it did.

    Raises TryAgain if another session keeps the view locked, NeedsOperator if it cannot be refreshed as it is, both
    after all events are merged.
    """
    try:
        with connection.transaction():
            return one_value(connection, bool, "normalize/refresh_hourly_counts")
    except errors.LockNotAvailable as error:
        raise TryAgain(
            f"All events are merged, but {VIEW} is an hour old and locked by another session. The next run refreshes it"
        ) from error
    except (errors.ObjectNotInPrerequisiteState, errors.FeatureNotSupported) as error:
        raise NeedsOperator(
            f"All events are merged, but {VIEW} cannot be refreshed: {error.diag.message_primary}. It needs its unique"
            f" index, which `lineage db check` looks for, and rows: `REFRESH MATERIALIZED VIEW {VIEW}` as its owner"
        ) from error
