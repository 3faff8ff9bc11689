"""What is asked of each store of the list, within seconds: how it is, and which namespaces have jobs in it."""

from __future__ import annotations

from dataclasses import dataclass

from lineage_core.capability import AskedStore
from lineage_core.normalize.operation import WAITING, WaitingEvents
from lineage_core.postgres.migration_files import refuse_other_release
from lineage_core.postgres.store import DatabaseIdentity, Store, this_database
from lineage_core.postgres.typed_rows import every_value

_ROLE, _APPLICATION = "lineage_reader", "lineage store"


@dataclass(frozen=True)
class AnswerOfStore:
    """database: which one it is, so that two names of one are seen. waiting: what is not normalized."""

    database: DatabaseIdentity
    waiting: WaitingEvents


def answer_of(store: Store) -> AnswerOfStore:
    """Raises StoreUnavailable, and SchemaDiffers where there is no store of this release."""
    with store.brief_transaction(_ROLE, application_name=_APPLICATION) as connection:
        refuse_other_release(connection)
        return AnswerOfStore(this_database(connection), WAITING.find(AskedStore(store, connection)))


def namespaces_with_jobs(store: Store) -> list[str]:
    """As it is normalized by now. Raises likewise."""
    with store.brief_transaction(_ROLE, application_name=_APPLICATION) as connection:
        return every_value(connection, str, "stores/job_namespaces")
