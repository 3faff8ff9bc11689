"""The store with what every capability has in it: made, brought up to date, and asked how it is and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lineage_core.capabilities import for_operators
from lineage_core.capability import AskedStore, CheckedPlaces, HealthCheck, StatusTopic, UpgradeStep
from lineage_core.database import store as database
from lineage_core.errors import NeedsOperator, SchemaDiffers, StoreUnavailable
from lineage_core.postgres.failures import explained
from lineage_core.postgres.store import Store


def upgrade(store: Store, role_prefix: str | None = None, *, with_old_mapping: bool = False) -> list[str]:
    """Create the store or bring it up to date, as `database.store.upgrade` says."""
    return database.upgrade(store, for_operators(UpgradeStep), role_prefix, with_old_mapping=with_old_mapping)


def differences(store: Store) -> list[str]:
    """What differs between the database and the declarations, a sentence each. The database stays as it is."""
    return database.differences(store, for_operators(UpgradeStep))


def what_helps(store: Store) -> str:
    """Against the differences that there are: a sentence for the owner."""
    return database.what_helps(store, for_operators(UpgradeStep))


_OTHER_LOGIN = "Run `lineage doctor` by a login that has this right; the owner of the store has all of them."


_LONGER = "`lineage doctor` may take longer than a page."


@dataclass(frozen=True)
class Finding:
    """A fault: by which check, what is wrong, and what to do."""

    check: str
    what: str
    advice: str
    needs_person: bool


def all_health_checks() -> tuple[HealthCheck, ...]:
    """What the capabilities declare, by name."""
    return tuple(sorted(for_operators(HealthCheck), key=lambda check: check.name))


def examine(
    store: Store,
    spool: Path,
    ingest_store: Store | None = None,
    checks: Sequence[HealthCheck] | None = None,
    *,
    streams_url: str | None = None,
) -> list[Finding]:
    """Every fault that is there now, and each check that this login may not do. Only reads. `checks` are all of the
    store otherwise.

    Raises StoreUnavailable if the store cannot be reached, SchemaDiffers if there is none.
    """
    with store.session("lineage_reader", application_name="lineage doctor") as connection:
        looked = CheckedPlaces(store, connection, spool, ingest_store, streams_url, for_operators(UpgradeStep))
        return [finding for check in checks or all_health_checks() for finding in _findings(check, looked)]


def _findings(check: HealthCheck, looked: CheckedPlaces) -> list[Finding]:
    """What is found is read to its end here, as a check that fails ends its transaction."""
    try:
        with looked.connection.transaction(), looked.connection.outages_explained(), explained("lineage_reader"):
            return [Finding(check.name, what, check.advice, check.needs_person) for what in check.find(looked)]
    except SchemaDiffers:
        raise
    except StoreUnavailable as error:
        if looked.connection.closed:
            raise
        return [Finding(check.name, f"It cannot look: {str(error).rstrip('.')}", _LONGER, needs_person=False)]
    except NeedsOperator as error:
        return [Finding(check.name, f"It cannot look: {str(error).rstrip('.')}", _OTHER_LOGIN, needs_person=True)]


StoreStatus = Mapping[StatusTopic[Any], Any]
"""What was found of each topic, in the order in which it is shown."""


def store_status(store: Store, topics: Sequence[StatusTopic[Any]] | None = None) -> StoreStatus:
    """Only reads, for seconds at most. `topics` are all otherwise. Raises StoreUnavailable."""
    with store.session("lineage_reader", application_name="lineage status") as connection:
        asked = AskedStore(store, connection)
        return {topic: topic.find(asked) for topic in topics or all_topics()}


def all_topics() -> list[StatusTopic[Any]]:
    """What the capabilities declare, in the order in which operators read them."""
    return sorted(for_operators(StatusTopic), key=lambda topic: topic.place)
