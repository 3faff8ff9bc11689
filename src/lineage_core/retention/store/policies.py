"""Policies of retention and legal holds in the store. None is ever changed: each act is a row more."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from uuid import UUID

from lineage_core.acts.store import record
from lineage_core.command_line.options import written_age
from lineage_core.declare.database_names import OPERATORS
from lineage_core.errors import WrongUsage
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, every_value, execute, one_value, value_or_none
from lineage_core.retention.policies import Policy, first_that_fits
from lineage_core.retention.tables import PolicyKind

_OF_NAMESPACES = (PolicyKind.RAW_EVENTS, PolicyKind.RUNS, PolicyKind.VERSIONS, PolicyKind.ENTITIES)


def set_policy(store: Store, policy: Policy) -> None:
    """Puts a policy in force, in place of one of the same kind and pattern."""
    with store.session(OPERATORS) as connection:
        _add(connection, policy, is_removed=False)
        record(connection, store, "retention policy set", _named(policy), _kept(policy))


def remove_policy(store: Store, kind: PolicyKind, namespace_pattern: str) -> None:
    """Ends a policy. Raises WrongUsage if there is none of this kind and pattern."""
    with store.session(OPERATORS) as connection:
        known = policies_in_force(connection)
        found = next((one for one in known if (one.kind, one.namespace_pattern) == (kind, namespace_pattern)), None)
        if found is None:
            raise WrongUsage(
                f"There is no policy of {kind.value} for {namespace_pattern!r};"
                " `lineage retention policy list` shows all"
            )
        _add(connection, found, is_removed=True)
        record(connection, store, "retention policy remove", _named(found), "removed")


def policies(store: Store) -> list[Policy]:
    """Those in force, in the order in which they count."""
    with store.session(OPERATORS) as connection:
        return policies_in_force(connection)


def decided(store: Store) -> dict[str, dict[PolicyKind, Policy]]:
    """What decides about each kind, by namespace of the tables. Kinds about which nothing decides are left out."""
    with store.session(OPERATORS) as connection:
        listed = policies_in_force(connection)
        namespaces = every_value(connection, str, "retention/namespaces")
    found = {name: {kind: first_that_fits(listed, kind, name) for kind in _OF_NAMESPACES} for name in namespaces}
    return {name: {kind: one for kind, one in those.items() if one is not None} for name, those in found.items()}


def policies_in_force(connection: Connection) -> list[Policy]:
    return every_row(connection, _policy, "retention/policies")


def _policy(kind: str, namespace_pattern: str, older_than: timedelta | None, keep_last: int | None) -> Policy:
    return Policy(PolicyKind(kind), namespace_pattern, older_than, keep_last)


def _named(policy: Policy) -> str:
    return f"{policy.kind.value} of {policy.namespace_pattern}"


def _kept(policy: Policy) -> str:
    last = "" if policy.keep_last is None else f", but the last {policy.keep_last}"
    return f"older than {written_age(policy.older_than)}{last}"


def _add(connection: Connection, policy: Policy, *, is_removed: bool) -> None:
    added = {
        "kind": policy.kind.value,
        "namespace_pattern": policy.namespace_pattern,
        "older_than": policy.older_than,
        "keep_last": policy.keep_last,
        "is_removed": is_removed,
    }
    execute(connection, "retention/add_policy", added)


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

    @property
    def described(self) -> str:
        """As people read it."""
        if self.manifest is not None:
            return f"what was restored from {self.manifest}"
        things = (("dataset", self.dataset), ("job", self.job), ("run", self.run))
        which = ", ".join(f"{word} {thing}" for word, thing in things if thing is not None)
        return f"{which or 'all'} of {self.namespace_pattern}"


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
        number = one_value(connection, int, "retention/add_hold", asdict(held) | {"why": why, "until": until})
        ends = "" if until is None else f", until {until.isoformat(' ', 'seconds')}"
        record(connection, store, "retention hold add", f"hold {number}", f"placed on {held.described}{ends}: {why}")
        return number


def release_hold(store: Store, hold: int, why: str) -> None:
    """Ends a hold. Raises WrongUsage if there is no such hold, or somebody has released it."""
    with store.session(OPERATORS) as connection:
        if value_or_none(connection, int, "retention/unreleased_hold", {"hold": hold}) is None:
            raise WrongUsage(f"No hold {hold} is to be released; `lineage retention hold list` shows those in force")
        execute(connection, "retention/release_hold", {"hold": hold, "why": why})
        record(connection, store, "retention hold release", f"hold {hold}", f"released: {why}")


def holds(store: Store) -> list[LegalHold]:
    """Every hold that was ever placed, in order."""
    with store.session(OPERATORS) as connection:
        return every_row(connection, LegalHold, "retention/holds")
