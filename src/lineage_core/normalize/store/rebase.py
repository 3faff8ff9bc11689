"""Marking all raw events for replay, after the database was restored into another cluster."""

from __future__ import annotations

from dataclasses import dataclass

from lineage_core.normalize.store.event_choices import NOTHING_SEEN, WATERMARK, stranger
from lineage_core.postgres.failures import explained
from lineage_core.postgres.leases import fence, held_lease
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import execute


@dataclass(frozen=True)
class RebaseOutcome:
    """What a rebase did: `renumbered` are the events that bore the number of a transaction yet to come here."""

    was_needed: bool
    renumbered: int = 0


def rebase(store: Store) -> RebaseOutcome:
    """Lets the watermark begin anew in this cluster, unless it was made here.

    Raises LeaseTaken while a run is at work. It takes the owner of the tables: no other role may change raw events.
    """
    with (
        explained("that owns the database"),
        held_lease(store, WATERMARK, patience=0) as lease,
        store.connect() as connection,
    ):
        fence(connection, lease)
        if stranger(connection) is None:
            return RebaseOutcome(was_needed=False)
        renumbered = execute(connection, "normalize/renumber_strangers")
        parameters = {"name": WATERMARK, "nothing": NOTHING_SEEN}
        execute(connection, "normalize/begin_anew", parameters)
    return RebaseOutcome(was_needed=True, renumbered=renumbered)
