"""Legal holds in the store: who wants what to stay, and why. Placing and releasing are both kept for good."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from lineage_core.declare.database_names import OPERATORS
from lineage_core.errors import WrongUsage
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, execute, one_value, value_or_none


@dataclass(frozen=True)
class HeldThing:
    """What a legal hold is about: all of some namespaces, or one dataset, job or run in them; times are of events.

    manifest: the archive whose restored events alone it is about.
    """

    namespace_pattern: str
    dataset: str | None = None
    job: str | None = None
    run: UUID | None = None
    events_since: datetime | None = None
    events_until: datetime | None = None
    manifest: str | None = None


@dataclass(frozen=True)
class LegalHold:
    """A hold as it was placed, and how it ended, if it has."""

    id: int
    namespace_pattern: str
    dataset: str | None
    job: str | None
    run: UUID | None
    events_since: datetime | None
    events_until: datetime | None
    manifest: str | None
    why: str
    until: datetime | None
    placed_by: str
    placed_at: datetime
    released_by: str | None
    released_at: datetime | None
    released_because: str | None
    is_in_force: bool
    is_known: bool
    """Whether the tables know anything of it, while it is in force."""

    @property
    def held(self) -> HeldThing:
        """What it is about."""
        which = (self.dataset, self.job, self.run, self.events_since, self.events_until, self.manifest)
        return HeldThing(self.namespace_pattern, *which)


def add_hold(store: Store, held: HeldThing, why: str, until: datetime | None) -> int:
    """Places a hold; its number. Without `until` it lasts until it is released."""
    with store.session(OPERATORS) as connection:
        return one_value(connection, int, "retention/add_hold", asdict(held) | {"why": why, "until": until})


def release_hold(store: Store, hold: int, why: str) -> None:
    """Ends a hold. Raises WrongUsage if there is no such hold, or somebody has released it."""
    with store.session(OPERATORS) as connection:
        if value_or_none(connection, int, "retention/unreleased_hold", {"hold": hold}) is None:
            raise WrongUsage(f"No hold {hold} is to be released; `lineage retention hold list` shows those in force")
        execute(connection, "retention/release_hold", {"hold": hold, "why": why})


def holds(store: Store) -> list[LegalHold]:
    """Every hold that was ever placed, in order."""
    with store.session(OPERATORS) as connection:
        return every_row(connection, LegalHold, "retention/holds")
