"""The laws of retention fail when a rule of it is broken."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.laws.test_retention import MANY, hold
from tests.support.mutants import EXAMPLES_MET, Mutant, assert_law_fails

pytestmark = [pytest.mark.postgres, pytest.mark.long]

NOTHING = "false"

MUTANTS = (
    Mutant(
        "the last run of a state goes",
        "retention/find/runs",
        "run.uuid IN (SELECT run_uuid FROM last_of_states)",
        NOTHING,
    ),
    Mutant(
        "the last run of a state is that of its present state",
        "retention/find/runs",
        "WHERE run.first_event IS NOT NULL\n    ORDER BY",
        "WHERE run.first_event IS NOT NULL AND run.current_run_state = state.state\n    ORDER BY",
    ),
    Mutant("the current run goes", "retention/find/runs", "run.uuid IN (SELECT run_uuid FROM current)", NOTHING),
    Mutant("the parent of a run that stays goes", "retention/find/parents", "WHERE stays IS NULL", "WHERE false"),
    Mutant(
        "a current version goes",
        "retention/find/versions",
        "version.uuid IN (SELECT current_version_uuid FROM datasets",
        "NULL IN (SELECT current_version_uuid FROM datasets",
    ),
    Mutant(
        "a version that a run has read goes",
        "retention/find/versions",
        "AND NOT mention.is_purged\n              AND NOT EXISTS",
        "AND false AND NOT EXISTS",
    ),
    Mutant(
        "the version at the horizon goes",
        "retention/find/versions",
        "WHEN version.uuid IN (SELECT version_uuid FROM horizon_rows)",
        "WHEN false",
    ),
    Mutant(
        "the first moment of a version goes",
        "retention/find/job_versions",
        "ORDER BY job_uuid, job_version_uuid, event_order\n) AS first_moments",
        "ORDER BY job_uuid, job_version_uuid, event_order DESC\n) AS first_moments",
    ),
    Mutant(
        "the last moment of a version goes",
        "retention/find/job_versions",
        "ORDER BY job_uuid, job_version_uuid, is_ahead(event_order), event_order DESC;",
        "ORDER BY job_uuid, job_version_uuid, event_order;",
    ),
    Mutant(
        "the version before the current one goes",
        "retention/find/job_versions",
        "version.uuid IN (SELECT version_before FROM current_versions WHERE version_before IS NOT NULL)",
        NOTHING,
    ),
    Mutant(
        "the moment since when a version is current goes",
        "retention/find/job_versions",
        "AND event_order > current.event_before\n    ORDER BY event_order",
        "AND event_order > current.event_before\n    ORDER BY event_order DESC",
    ),
    Mutant(
        "the first mention of a version goes",
        "retention/find/mentions",
        "WHERE version.first_event = mention.event_order || int4send(mention.place)",
        "WHERE false",
    ),
    Mutant(
        "what gives a version its fields goes",
        "retention/find/mentions",
        "ORDER BY said.version_uuid, said.schema_uuid, said.event_order, said.place",
        "ORDER BY said.version_uuid, said.schema_uuid, said.event_order DESC, said.place",
    ),
    Mutant(
        "the first mention of a parent goes",
        "retention/find/parent_mentions",
        "ORDER BY parent_run_uuid, event_order\n) AS first_named",
        "ORDER BY parent_run_uuid, event_order DESC\n) AS first_named",
    ),
    Mutant(
        "the first that is said of a made run goes",
        "retention/find/parent_mentions",
        "FROM said ORDER BY made_run_uuid, says, event_order\n",
        "FROM said ORDER BY made_run_uuid, says, event_order DESC\n",
    ),
    Mutant(
        "the last that is said of a made run goes",
        "retention/find/parent_mentions",
        "FROM said\n    ORDER BY made_run_uuid, says, event_order DESC",
        "FROM said\n    ORDER BY made_run_uuid, says, event_order",
    ),
    Mutant(
        "the first that is said of a made job goes",
        "retention/find/parent_mentions",
        "FROM said_of_jobs ORDER BY local_job_uuid, event_order\n",
        "FROM said_of_jobs ORDER BY local_job_uuid, event_order DESC\n",
    ),
    Mutant(
        "the last that is said of a made job goes",
        "retention/find/parent_mentions",
        "ORDER BY local_job_uuid, is_ahead(event_order), event_order DESC\n",
        "ORDER BY local_job_uuid, is_ahead(event_order), event_order\n",
    ),
    Mutant(
        "column lineage outlives the run that has said it",
        "retention/find/column_lineage",
        "AND mention.role = output_role()\n)",
        "AND false\n)",
    ),
    Mutant(
        "a purged run names its versions",
        "retention/delete/runs/unname_runs",
        "AND stored.run_uuid",
        "AND false AND stored.run_uuid",
    ),
    Mutant(
        "a job version names a purged run",
        "retention/delete/runs/name_other_runs",
        "AND stored.latest_run_uuid",
        "AND false AND stored.latest_run_uuid",
    ),
    Mutant(
        "a job version may be of a purged run",
        "derive/job_versions",
        "AND run_uuid IS NOT NULL AND NOT is_purged",
        "AND run_uuid IS NOT NULL",
    ),
    Mutant(
        "purged runs have named no datasets", "derive/job_versions", "WHERE moment.is_purged IS NOT TRUE", "WHERE true"
    ),
    Mutant(
        "a schema version is as old as a version that is gone",
        "retention/delete/versions/name_first_versions",
        "IS DISTINCT FROM (first",
        "IS NULL AND false AND (stored.created_at, stored.dataset_uuid) IS DISTINCT FROM (first",
    ),
    Mutant(
        "contents that a set names go",
        "retention/find/contents",
        "CROSS JOIN LATERAL unnest(stored.facets) AS listed (uuid)",
        "CROSS JOIN LATERAL unnest(stored.facets) AS listed (uuid) WHERE false",
    ),
    Mutant(
        "a schema that a fact names goes",
        "retention/find/contents",
        "WHERE going.number IS NULL",
        "WHERE going.number IS NULL AND leaving.uuid IS NULL",
    ),
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_law_of_purges_fails_for(mutant: Mutant, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def hold_from(met: Counter[str], first: int) -> None:
        for number in range(first - 1, MANY):
            met[EXAMPLES_MET] = number + 2
            hold(database, number, Counter())

    assert_law_fails(mutant, hold_from, monkeypatch)
