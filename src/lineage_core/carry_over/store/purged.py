"""What retention has deleted of a store goes of the one that is rebuilt of its events, too.

Some events of deleted runs stay, as versions that stay need them: normalized, they make these runs again. So retention
is applied to what the new store has and the other one has not, with the cut-offs that are behind its horizons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from psycopg import sql
from psycopg.types.json import Jsonb

from lineage_core.carry_over.store import kept_anew
from lineage_core.carry_over.store.counts import relations
from lineage_core.normalize.store.event_choices import WATERMARK
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import composed, every_row, execute, one_value
from lineage_core.retention.phases import Phase, planned_phases
from lineage_core.retention.policies import Cutoff
from lineage_core.retention.store import plans, purge
from lineage_core.retention.tables import PolicyKind
from lineage_core.statements import named

AT_MOST = 20
"""Looks for what is to go. Each deletes what the one before has let go."""


_EDGE = ("job_uuid", "role", "name_uuid", "lineage_uuid", "since_event", "until_event")


@dataclass(frozen=True)
class _Horizon:
    kind: str
    namespace: str
    before: datetime


def purge_likewise(reading: Connection, new: Store) -> None:
    """Deletes of the new store what retention has deleted of the other one, by what that one still has.

    First as policies let it go, then as an emptied namespace does; last what has gone before a hold was placed.
    """
    horizons = every_row(reading, _Horizon, "carry_over/rebuild/horizons")
    if not horizons or {*_keyed_tables(), "job_edges"} - relations(reading):
        return
    with held_lease(new, WATERMARK) as lease, new.session("lineage_jobs") as connection:
        purge.prepare(connection)
        as_of = plans.moment(connection, None)
        for is_emptied, has_holds in ((False, True), (True, True), (False, False)):
            number = _plan(reading, connection, as_of)
            if number is None:
                break
            if not has_holds:
                kept_anew.without_holds(new)
            cutoffs = _cutoffs(horizons, as_of, is_emptied=is_emptied)
            for _ in range(AT_MOST):
                if not purge.find(connection, as_of, cutoffs, number).tables:
                    break
                connection.commit()
                for _gone in purge.chunks(connection, lease, _unreported):
                    pass
            run_script(connection, named("carry_over/rebuild/forget_plans"))
            connection.commit()
        _keep_ended_edges(reading, connection)


def _keep_ended_edges(reading: Connection, connection: Connection) -> None:
    """Which of these a hold has kept depends on when it was placed, so they are taken from the other store."""
    run_script(connection, named("carry_over/rebuild/make_ended_edges"))
    take = composed("carry_over/take_rows", columns=sql.SQL(", ").join(map(sql.Identifier, _EDGE)))
    _copy(reading, connection, composed("carry_over/rebuild/ended_edges"), take)
    execute(connection, "carry_over/rebuild/keep_ended_edges")
    connection.commit()


def _plan(reading: Connection, connection: Connection, as_of: datetime) -> int | None:
    """A plan of all that the new store has and the other one has not: its number, None if there is nothing."""
    number = one_value(connection, int, "retention/plans/add", {"as_of": as_of, "cutoffs": Jsonb([])})
    run_script(connection, named("carry_over/rebuild/make_kept_keys"))
    take = composed("carry_over/rebuild/take_kept_keys")
    _copy(reading, connection, composed("carry_over/rebuild/keys", kinds=_keys()), take)
    kinds = execute(connection, composed("carry_over/rebuild/plan_keys", plan=sql.Literal(number), kinds=_keys()))
    if not kinds:
        connection.rollback()
        return None
    connection.commit()
    return number


def _cutoffs(horizons: Collection[_Horizon], as_of: datetime, *, is_emptied: bool) -> list[Cutoff]:
    """Those that have moved the horizons. Jobs and datasets go with the last of their runs and versions."""
    found = [Cutoff(PolicyKind(one.kind), one.namespace, one.before, 0, is_emptied) for one in horizons]
    befores = {one.namespace: max(two.before for two in horizons if two.namespace == one.namespace) for one in horizons}
    found += [Cutoff(PolicyKind.ENTITIES, name, before, 0, is_emptied) for name, before in befores.items()]
    return [*found, Cutoff(PolicyKind.CONTENTS, "", as_of, 0)]


def _keyed_tables() -> set[str]:
    return {phase.table.name for phase in planned_phases()}


def _keys() -> sql.Composed:
    return sql.SQL("\nUNION ALL\n").join(map(_keys_of, planned_phases()))


def _keys_of(phase: Phase) -> sql.Composed:
    is_of_job_events = phase.kind == "job_events"
    return composed(
        "carry_over/rebuild/keys_of",
        kind=sql.Literal(phase.kind),
        key=composed("carry_over/rebuild/key_of_job_event")
        if is_of_job_events
        else sql.Identifier("stored", phase.found.column or phase.found.key),
        table=sql.Identifier("public", phase.table.name),
        chosen=composed("carry_over/rebuild/is_job_event") if is_of_job_events else sql.SQL("true"),
    )


def _copy(reading: Connection, connection: Connection, rows: sql.Composed, take: sql.Composed) -> None:
    with (
        reading.cursor() as out,
        connection.cursor() as target,
        out.copy(rows) as source,
        target.copy(take) as copied,
    ):
        for piece in source:
            copied.write(piece)


def _unreported(_gone: Counter[str]) -> None:
    """That is a report of the other store."""
