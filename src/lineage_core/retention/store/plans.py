"""Plans of retention in the store: what each decided, so that no more than that goes when it is carried out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from psycopg.types.json import Jsonb

from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import execute, one_row, one_value, row_or_none
from lineage_core.retention.plan import RetentionPlan
from lineage_core.retention.policies import Cutoff
from lineage_core.retention.store import raw_events
from lineage_core.retention.tables import PolicyKind

KNOWN_FOR = timedelta(days=31)
"""How long a plan can be carried out. Its keys are forgotten afterwards."""

_PLAN_ANEW = "Plan again with `lineage retention plan --json`, and look at it"


@dataclass(frozen=True)
class KeptPlan:
    """What a plan has decided. `cutoffs` are of all kinds, raw events among them."""

    number: int
    as_of: datetime
    cutoffs: tuple[Cutoff, ...]

    def of_raw_events(self) -> list[Cutoff]:
        return [cutoff for cutoff in self.cutoffs if cutoff.kind is PolicyKind.RAW_EVENTS]

    def of_tables(self) -> list[Cutoff]:
        return [cutoff for cutoff in self.cutoffs if cutoff.kind is not PolicyKind.RAW_EVENTS]


@dataclass(frozen=True)
class _Moment:
    moment: datetime
    is_ahead: bool


@dataclass(frozen=True)
class _PlanRow:
    as_of: datetime
    cutoffs: list[dict[str, Any]]
    written: dict[str, Any]
    is_known: bool
    is_ahead: bool


def moment(connection: Connection, as_of: datetime | None) -> datetime:
    """The time from which ages count: now, by the server's clock, if none is given. Raises WrongUsage for one ahead of
    that clock: what it lets go would be gone for good, and no event of until then would be taken in."""
    server = one_row(connection, _Moment, "retention/plans/moment", {"as_of": as_of})
    if server.is_ahead:
        raise WrongUsage(f"{as_of} lies ahead of the server's clock, {server.moment}: give no moment of the future")
    return as_of or server.moment


def keep(connection: Connection, planned: RetentionPlan, cutoffs: Sequence[Cutoff]) -> RetentionPlan:
    """Keeps a plan with the keys of what was found to go in this session, in the caller's transaction. It has a number
    and a digest then. What was planned too long ago is forgotten."""
    execute(connection, "retention/plans/forget", {"after": KNOWN_FOR})
    decided = {"as_of": planned.as_of, "cutoffs": Jsonb([_written(cutoff) for cutoff in cutoffs])}
    number = one_value(connection, int, "retention/plans/add", decided)
    execute(connection, "retention/plans/add_keys", {"plan": number})
    raw_events.keep_planned(connection, number, [one for one in cutoffs if one.kind is PolicyKind.RAW_EVENTS])
    digest = one_value(connection, str, "retention/plans/digest", {"plan": number})
    kept = replace(planned, number=number, digest=digest)
    execute(connection, "retention/plans/set_written", {"plan": number, "written": Jsonb(kept.to_json())})
    return kept


def kept(connection: Connection, planned: RetentionPlan) -> KeptPlan:
    """What a plan has decided. Raises NeedsOperator if this store has not made it as it is given, or has forgotten what
    goes by it."""
    if planned.number is None:
        raise WrongUsage(f"A plan that was only looked at cannot be carried out. {_PLAN_ANEW}")
    asked = {"plan": planned.number, "after": KNOWN_FOR}
    stored = row_or_none(connection, _PlanRow, "retention/plans/kept", asked)
    if stored is None or stored.written != planned.to_json():
        raise NeedsOperator(
            f"Plan {planned.number} of this store is not the one that is given: it was changed, or is of another store."
            f" Nothing was deleted. {_PLAN_ANEW}"
        )
    if not stored.is_known:
        raise NeedsOperator(
            f"Plan {planned.number} is more than {KNOWN_FOR.days} days old, and what goes by it is forgotten. Nothing"
            f" was deleted. {_PLAN_ANEW}"
        )
    if stored.is_ahead:
        raise NeedsOperator(
            f"Plan {planned.number} is of {stored.as_of}, which lies ahead of the server's clock. Nothing was deleted."
            " Set the clock right, then plan again"
        )
    return KeptPlan(planned.number, stored.as_of, tuple(_read(cutoff) for cutoff in stored.cutoffs))


def _written(cutoff: Cutoff) -> dict[str, Any]:
    return asdict(cutoff) | {"kind": cutoff.kind.value, "before": cutoff.before.isoformat()}


def _read(written: Mapping[str, Any]) -> Cutoff:
    before = datetime.fromisoformat(written["before"])
    return Cutoff(**{**written, "kind": PolicyKind(written["kind"]), "before": before})
