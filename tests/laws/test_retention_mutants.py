"""The laws of retention fail when a rule of it is broken."""

from __future__ import annotations

from collections import Counter

import pytest

from lineage_core.postgres.store import Store
from tests.laws.test_retention import MANY, hold
from tests.support.moving_runs import chain_of_runs, runs_that_move, schemas_that_go
from tests.support.mutants import EXAMPLES_MET, Mutant, assert_law_fails

pytestmark = [pytest.mark.postgres, pytest.mark.long]

NOTHING_OF_IT = "WHERE false"

MUTANTS = (
    Mutant(
        "the last run of a state goes",
        "retention/find/old/runs",
        "'last run of its state' FROM last_of_states",
        "'last run of its state' FROM last_of_states WHERE false",
    ),
    Mutant(
        "the last run of a state is that of its present state",
        "retention/find/old/runs",
        "WHERE run.first_event IS NOT NULL\n    ORDER BY",
        "WHERE run.first_event IS NOT NULL AND run.current_run_state = state.state\n    ORDER BY",
    ),
    Mutant(
        "the current run goes",
        "retention/find/old/runs",
        "FROM jobs WHERE current_run_uuid IS NOT NULL",
        "FROM jobs WHERE false",
    ),
    Mutant("the parent of a run that stays goes", "retention/find/stays/parents", "WHERE stays IS NULL", "WHERE false"),
    Mutant(
        "a version that a run has read goes",
        "retention/find/leaving/old_versions",
        "AND NOT mention.is_purged\n              AND NOT EXISTS",
        "AND false AND NOT EXISTS",
    ),
    Mutant(
        "the version at the horizon goes",
        "retention/find/leaving/old_versions",
        "WHEN version.uuid IN (SELECT version_uuid FROM horizon_rows)",
        "WHEN false",
        42,
    ),
    Mutant(
        "the first moment of a version goes",
        "retention/find/leaving/job_versions",
        "ORDER BY job_uuid, job_version_uuid, event_order\n) AS first_moments",
        "ORDER BY job_uuid, job_version_uuid, event_order DESC\n) AS first_moments",
        75,
    ),
    Mutant(
        "the last moment of a version goes",
        "retention/find/old/job_versions",
        "ORDER BY job_uuid, job_version_uuid, is_ahead(event_order), event_order DESC;",
        "ORDER BY job_uuid, job_version_uuid, event_order;",
    ),
    Mutant(
        "the first that is stated of a made job goes",
        "retention/find/leaving/parent_mentions",
        "FROM job_reports ORDER BY local_job_uuid, event_order\n",
        "FROM job_reports ORDER BY local_job_uuid, event_order DESC\n",
    ),
    Mutant(
        "column lineage outlives the run that has stated it",
        "retention/find/leaving/column_lineage",
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
        "a schema version is as old as a version that is gone",
        "retention/delete/versions/name_first_versions",
        "IS DISTINCT FROM (first",
        "IS NULL AND false AND (stored.created_at, stored.dataset_uuid) IS DISTINCT FROM (first",
    ),
    Mutant(
        "contents that a set names go",
        "retention/find/leaving/contents",
        "CROSS JOIN LATERAL unnest(stored.facets) AS listed (uuid)",
        "JOIN LATERAL unnest(stored.facets) AS listed (uuid) ON false",
    ),
    Mutant(
        "a schema that a fact names goes",
        "retention/find/leaving/facet_sets",
        "WHERE going.number IS NULL",
        "WHERE going.number IS NULL AND leaving.uuid IS NULL",
    ),
    Mutant(
        "a version that only a job event names which goes stays",
        "retention/find/leaving/old_versions",
        "AND NOT EXISTS (SELECT FROM old_job_events AS old WHERE old.event_order = mention.event_order)",
        "",
    ),
    Mutant(
        "a job goes without one of its runs",
        "retention/find/stays/jobs",
        "WHERE named.job_uuid = job.uuid AND",
        "WHERE false AND",
    ),
    Mutant(
        "a dataset goes though a run that stays has named it",
        "retention/find/stays/datasets",
        "AND NOT mention.is_purged",
        "AND false",
    ),
    Mutant(
        "a dataset goes though a version of a job that stays names it",
        "retention/find/stays/datasets",
        "WHERE named.dataset_uuid = dataset.uuid",
        "WHERE false",
    ),
    Mutant(
        "a job that turns out to stay loses its last runs",
        "retention/find/stays/runs_of_jobs",
        "WHERE job.stays IS NOT NULL",
        "WHERE false",
    ),
    Mutant(
        "a job that turns out to stay loses its current version",
        "retention/find/stays/job_versions_of_jobs",
        "WHERE job.uuid = version.job_uuid",
        "WHERE false",
    ),
    Mutant(
        "who has written what stays goes with its job",
        "retention/find/stays/writers",
        "ELSE uuid IN (",
        "ELSE false AND uuid IN (",
    ),
    Mutant(
        "a made job has its namespace from a child that may be gone",
        "model/derive/made_parents",
        "LEFT JOIN jobs AS child ON child.uuid = made.child_job_uuid",
        "JOIN jobs AS child ON child.uuid = made.child_job_uuid",
    ),
)


MUTANTS_OF_MOVING = (
    Mutant(
        "a run counts for the job of its first event alone",
        "retention/find/old/runs",
        "WHERE run_uuid IS NOT NULL AND job_uuid IS NOT NULL AND NOT is_purged",
        NOTHING_OF_IT,
    ),
    Mutant(
        "a run that stays as a parent keeps its own parent",
        "retention/find/stays/parents",
        "AND (old.uuid IS NULL OR old.stays <> 'parent of a run that stays')",
        "AND (old.uuid IS NULL OR old.stays IS NOT NULL)",
    ),
    Mutant(
        "what stands for the parent of a parent goes",
        "retention/find/stays/parents",
        "AND (old.uuid IS NULL OR old.stays IS NOT NULL)",
        "AND (old.uuid IS NULL OR old.stays <> 'parent of a run that stays')",
    ),
    Mutant(
        "a run goes along with its parent",
        "retention/delete/runs/unname_parents",
        "AND stored.parent_run_uuid",
        "AND false AND stored.parent_run_uuid",
    ),
    Mutant(
        "the run of a current version is a parent alone",
        "retention/find/stays/writers",
        "OR stays = 'parent of a run that stays'",
        "OR false",
    ),
)

MUTANTS_OF_SCHEMAS = (
    Mutant(
        "a column names a schema that is gone",
        "retention/delete/dataset_schemas/leave_descriptions",
        "AND (field.schema_uuid = schema.uuid",
        "AND (false",
    ),
    Mutant(
        "a column forgets the event of a schema that is gone",
        "retention/delete/dataset_schemas/leave_descriptions",
        "latest_event = described.latest_event",
        "latest_event = NULL",
    ),
)


@pytest.mark.parametrize("mutant", MUTANTS_OF_MOVING, ids=lambda mutant: mutant.name)
def test_the_law_of_what_moves_fails_for(mutant: Mutant, database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def hold_from(met: Counter[str], first: int) -> None:
        for number in range(first - 1, 20):
            met[EXAMPLES_MET] = number + 2
            for make in (chain_of_runs, runs_that_move):
                hold(database, number, Counter(), make)

    assert_law_fails(mutant, hold_from, monkeypatch)


@pytest.mark.parametrize("mutant", MUTANTS_OF_SCHEMAS, ids=lambda mutant: mutant.name)
def test_the_law_of_schemas_that_go_fails_for(mutant: Mutant, database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def hold_from(met: Counter[str], first: int) -> None:
        for number in range(first - 1, 20):
            met[EXAMPLES_MET] = number + 2
            hold(database, number, Counter(), schemas_that_go)

    assert_law_fails(mutant, hold_from, monkeypatch)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_law_of_purges_fails_for(mutant: Mutant, database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def hold_from(met: Counter[str], first: int) -> None:
        for number in range(first - 1, MANY):
            met[EXAMPLES_MET] = number + 2
            hold(database, number, Counter())

    assert_law_fails(mutant, hold_from, monkeypatch)
