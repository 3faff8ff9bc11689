"""Each law fails when the rule that it holds is broken: mutants of the code, and the law that must fail.

They take long, so `make test-long` runs them. Examples come in the same order each time, so each mutant names one at
which the law fails, which is tried first. When the generator of events has changed, the law fails at another one, and
the test takes minutes, not seconds: `make test-long PYTEST="-rP -k law_1_fails"` prints the numbers to write down.
"""

from __future__ import annotations

import pytest

from lineage_core.postgres.store import Store
from tests.laws.test_order_free import hold
from tests.support.mutants import Mutant, assert_law_fails

pytestmark = [pytest.mark.postgres, pytest.mark.long, pytest.mark.old_mapping]

EXAMPLES = 150

MUTANTS = (
    Mutant(
        "the newest event does not win",
        "model/merge/jobs",
        "is_newer(made.latest_event,",
        "is_earlier(made.latest_event,",
    ),
    Mutant(
        "the last to arrive wins",
        "model/merge/dataset_names",
        "is_newer(made.latest_event, stored.latest_event)",
        "true",
    ),
    Mutant(
        "the first to arrive stays", "model/merge/runs", "is_earlier(made.first_event, stored.first_event)", "false"
    ),
    Mutant(
        "created_at is that of the first to arrive",
        "model/merge/jobs",
        "is_earlier(made.first_event, stored.first_event)",
        "false",
    ),
    Mutant("a later start reopens a run", "model/merge/runs", "is_newer(made.state_event, stored.state_event)", "true"),
    Mutant(
        "a repeat counts again",
        "model/derive/new_events",
        "event_ledger.event_order = staged.event_order AND NOT event_ledger.is_purged",
        "false",
    ),
    Mutant(
        "a name stays with the first to arrive",
        "model/merge/dataset_names",
        "is_earlier(made.first_claim, stored.first_claim)",
        "false",
    ),
    Mutant(
        "what was written under a name stays where it was",
        "model/derive/moved_datasets",
        "WHERE mention.dataset_uuid = changed.old_uuid AND mention.name_uuid = changed.name_uuid",
        "WHERE false",
        example=3,
    ),
    Mutant(
        "names do not follow a symlink that becomes another dataset's",
        "model/derive/changed_names",
        "ON follower.claimed_by = doubtful.uuid AND follower.claimed_by <> follower.uuid",
        "ON false",
        example=100,
    ),
    Mutant(
        "a schema keeps the id of the name under which it was described",
        "model/derive/dataset_schemas",
        "WHERE stored.uuid = renamed.uuid",
        "WHERE false",
        example=3,
    ),
    Mutant(
        "a dataset that became a symlink stays",
        "model/derive/unreferenced",
        "WHERE leaving.uuid <> changed.new_uuid;",
        "WHERE false;",
        example=3,
    ),
    Mutant(
        "job versions ignore that a version read has another name",
        "model/derive/event_ledger",
        "WHERE (read.namespace_name, read.dataset_name) IS DISTINCT FROM",
        "WHERE false AND (read.namespace_name, read.dataset_name) IS DISTINCT FROM",
        example=34,
    ),
    Mutant(
        "a field keeps its first description",
        "model/derive/dataset_fields",
        "(stored.schema_uuid, stored.updated_at) IS DISTINCT FROM (made.schema_uuid, made.updated_at)",
        "false",
        example=7,
    ),
    Mutant(
        "a field has the description of the last to arrive",
        "model/derive/dataset_fields",
        "ORDER BY coalesce(schema.latest_event, newest.latest_event) DESC NULLS LAST, newest.place",
        "ORDER BY newest.place",
        example=3,
    ),
    Mutant(
        "a field that has its schema gets no older with it",
        "model/derive/dataset_fields",
        "AND field.updated_at = schema.created_at",
        "",
        example=92,
    ),
    Mutant(
        "late outputs do not move the pointer",
        "model/derive/dataset_version_timeline",
        "event_ledger.event_order >= first_written.event_order",
        "false",
        example=2,
    ),
    Mutant(
        "the first reader is the first to arrive",
        "model/derive/dataset_version_timeline",
        "OR first_written.event_order >= first_read.event_order",
        "",
        example=9,
    ),
    Mutant(
        "inputs that were read stay where they were",
        "model/derive/inputs_read",
        "SELECT * FROM resolved_reads WHERE NOT is_new;",
        "SELECT * FROM resolved_reads WHERE false;",
    ),
    Mutant(
        "a version keeps the schema of its first to arrive",
        "model/derive/dataset_versions",
        "    fields = made.fields,\n",
        "",
        example=23,
    ),
    Mutant(
        "versions that nothing makes stay",
        "model/derive/unreferenced",
        "WHERE stored.uuid = unmade.version_uuid",
        "WHERE false",
    ),
    Mutant(
        "the old mapping keeps what readers took along",
        "model/derive/dataset_versions_field_mapping",
        "WHERE mapped.dataset_version_uuid = described.version_uuid",
        "WHERE false",
        example=3,
    ),
    Mutant(
        "drift stays with the version that was read no more",
        "model/derive/dataset_schema_versions",
        "SELECT old_version_uuid FROM moved_reads\n    UNION\n",
        "SELECT old_version_uuid FROM moved_reads WHERE false\n    UNION\n",
        example=3,
    ),
    Mutant(
        "drift is seen of new events only",
        "model/derive/dataset_schema_versions",
        "SELECT version_uuid, schema_uuid FROM moved_reads\n",
        "SELECT version_uuid, schema_uuid FROM moved_reads WHERE false\n",
        example=3,
    ),
    Mutant(
        "of two drifted readers the last to arrive counts",
        "model/derive/dataset_schema_versions",
        "WHERE version_uuid = described.version_uuid AND schema_uuid > described.schema_uuid",
        "WHERE false",
        example=31,
    ),
    Mutant(
        "a version keeps the schema version that it was made with",
        "model/derive/dataset_versions",
        "WHERE stored.uuid = described.version_uuid",
        "WHERE false",
        example=3,
    ),
    Mutant(
        "a run stays mapped to what it did not read",
        "model/derive/runs_input_mapping",
        "WHERE mapped.run_uuid = left_behind.run_uuid",
        "WHERE false",
        example=3,
    ),
    Mutant(
        "job versions ignore late inputs",
        "model/derive/event_ledger",
        "AND stored.event_order >= decode(named.since, 'hex')",
        "AND false",
        example=2,
    ),
    Mutant(
        "job versions see datasets of later events",
        "model/derive/event_ledger",
        "CROSS JOIN LATERAL named_datasets(touched.run_uuid, touched.event_orders) AS named;",
        "CROSS JOIN LATERAL unnest(touched.event_orders) AS moment (event_order)"
        " CROSS JOIN LATERAL (SELECT moment.event_order, named.role, named.dataset_uuid, named.name_uuid,"
        " named.lineage_uuid, named.namespace_name, named.dataset_name FROM named_datasets(touched.run_uuid,"
        " ARRAY[CASE WHEN touched.run_uuid IS NULL THEN moment.event_order ELSE '\\xff' END]) AS named) AS named;",
        example=19,
    ),
    Mutant(
        "the last job version to arrive is current",
        "model/derive/job_versions",
        "ORDER BY job_uuid, is_ahead(event_order), event_order DESC\n) AS current",
        "ORDER BY job_uuid, job_version_uuid IN (SELECT version_uuid FROM moments) DESC,"
        " is_ahead(event_order), event_order DESC\n) AS current",
        example=3,
    ),
    Mutant(
        "a late moment of the current job version is not the one since when it is current",
        "model/derive/job_versions",
        "      AND late.event_time AT TIME ZONE 'UTC' < mapped.made_current_at\n",
        "      AND false\n",
    ),
    Mutant(
        "a job version is current since its first moment behind the versions of the slice",
        "model/derive/job_versions",
        "greatest(since.event_time AT TIME ZONE 'UTC', before.made_current_at) AS made_current_at",
        "since.event_time AT TIME ZONE 'UTC' AS made_current_at",
    ),
    Mutant(
        "the job version that was current before stays so",
        "model/derive/job_versions",
        "    UNION\n    SELECT touched.version_before\n",
        "",
    ),
    Mutant(
        "the plan of the first event to arrive stays",
        "model/derive/run_facets_kept_once",
        "WHERE excluded.first_event < stored.first_event",
        "WHERE false",
        example=5,
    ),
    Mutant(
        "of the plans of a slice any is kept",
        "model/derive/run_facets_kept_once",
        'ORDER BY run_uuid, name COLLATE "C", first_event',
        'ORDER BY run_uuid, name COLLATE "C"',
        example=5,
    ),
    Mutant(
        "the contents of plans that no run keeps stay",
        "model/derive/run_facets_kept_once",
        "WHERE stored.uuid = doubtful.facet_uuid",
        "WHERE false AND stored.uuid = doubtful.facet_uuid",
        example=5,
    ),
    Mutant(
        "the plan of a run goes with that of another run",
        "model/derive/run_facets_kept_once",
        "AND NOT EXISTS (SELECT FROM run_facets_kept_once AS kept WHERE kept.facet_uuid = stored.uuid)",
        "AND true",
        example=1,
    ),
    Mutant(
        "tags that the last facet leaves out stay",
        "model/derive/dataset_tags",
        "WHERE stored.dataset_uuid = labelled.dataset_uuid",
        "WHERE false",
        example=7,
    ),
    Mutant(
        "a column that is known late bears no tag",
        "model/derive/dataset_tags",
        "JOIN dataset_schemas AS described USING (uuid)",
        "JOIN dataset_schemas AS described ON false",
        example=19,
    ),
    Mutant(
        "the last tags to arrive count",
        "model/merge/job_labels",
        "is_newer(made.tags_event, stored.tags_event)",
        "true",
        example=5,
    ),
    Mutant(
        "an owner who is named no more stays",
        "model/derive/job_ownerships",
        "WHERE stored.job_uuid = labelled.job_uuid",
        "WHERE false",
        example=64,
    ),
    Mutant(
        "a parent keeps what its children stated when it reports",
        "model/derive/now_reported",
        "WHERE runs.uuid = runs_before.uuid AND runs_before.is_made",
        "WHERE false",
        example=5,
    ),
    Mutant(
        "a parent that reports does not settle its children anew",
        "model/derive/parent_mentions",
        "WHERE runs_before.is_made OR runs.job_uuid IS DISTINCT FROM runs_before.job_uuid",
        "WHERE false",
        example=3,
    ),
    Mutant(
        "the first child to arrive makes the parent",
        "model/derive/parent_mentions",
        "touched.is_changed OR coalesce(first_mention.is_new, false) AS is_whole",
        "touched.is_changed AS is_whole",
        example=3,
    ),
    Mutant(
        "a job made from children stays when nothing says it any more",
        "model/derive/made_parents",
        "  AND made.child_job_uuid IS NULL\n",
        "  AND false\n",
        example=75,
    ),
    Mutant(
        "states that children lent to their parent stay",
        "model/derive/made_parents",
        "WHERE stored.uuid = settled.state_uuid AND settled.made_run_uuid IS NULL AND settled.old_run_uuid IS NOT NULL",
        "WHERE false",
        example=5,
    ),
    Mutant(
        "columns forget what earlier slices stated of them",
        "model/derive/column_lineage",
        "JOIN dataset_mentions AS mention\n        ON mention.run_uuid = touched.run_uuid",
        "JOIN slice_mentions AS mention\n        ON mention.run_uuid = touched.run_uuid",
    ),
    Mutant(
        "columns stay with the version that was read no more",
        "model/derive/column_lineage",
        "SELECT run_uuid FROM moved_reads WHERE run_uuid IS NOT NULL",
        "SELECT run_uuid FROM moved_reads WHERE false",
    ),
    Mutant(
        "columns are dated from the first event to arrive",
        "model/derive/column_lineage",
        "created_at = made.created_at,",
        "created_at = stored.created_at,",
        example=20,
    ),
    Mutant(
        "columns that are no longer true stay",
        "model/derive/column_lineage",
        "WHERE touched.has_rows",
        "WHERE false",
    ),
    Mutant(
        "pairs of columns that hold nowhere stay",
        "model/derive/column_lineage",
        "WHERE stored.pairs_uuid = doubtful.pairs_uuid",
        "WHERE false AND stored.pairs_uuid = doubtful.pairs_uuid",
        example=1,
    ),
    Mutant(
        "pairs of columns that hold elsewhere go, too",
        "model/derive/column_lineage",
        "WHERE versions.pairs_uuid = doubtful.pairs_uuid",
        "WHERE false",
        example=1,
    ),
    Mutant(
        "the path of a column within another is any column of that name",
        "model/derive/column_lineage",
        "WHERE pair.output_type IS NOT NULL OR untyped.name IS NOT NULL;",
        "WHERE true;",
        example=13,
    ),
    Mutant(
        "arguments are those of the first to arrive with their checksum",
        "model/merge/run_args",
        "is_earlier(made.first_event, stored.first_event)",
        "false",
    ),
    Mutant(
        "a version that two datasets have is that of the first to arrive",
        "model/derive/dataset_versions",
        "    dataset_uuid = made.dataset_uuid,\n",
        "",
        example=3,
    ),
    Mutant(
        "a version keeps the lifecycle state of the first to arrive",
        "model/derive/dataset_versions",
        "    lifecycle_state = made.lifecycle_state,\n",
        "",
        example=5,
    ),
    Mutant(
        "a late mention of another dataset makes a version no other",
        "model/derive/made_versions",
        "OR making.first_event < stored.first_event",
        "",
    ),
    Mutant(
        "job versions ignore that a version has another name",
        "model/derive/event_ledger",
        "FROM renamed_versions AS renamed",
        "FROM (SELECT * FROM renamed_versions WHERE false) AS renamed",
        example=24,
    ),
    Mutant(
        "a schema version that two datasets have has the fields of the first to arrive",
        "model/derive/dataset_schema_versions",
        "WHERE stored.dataset_uuid IS DISTINCT FROM version.dataset_uuid",
        "WHERE stored.dataset_uuid IS NULL",
        example=10,
    ),
    Mutant(
        "the old mapping has the fields of all datasets that have the schema version",
        "model/derive/dataset_versions_field_mapping",
        "field.uuid = mapped.dataset_field_uuid AND field.dataset_uuid = described.dataset_uuid",
        "field.uuid = mapped.dataset_field_uuid",
        example=12,
    ),
    Mutant(
        "a schema version stays with the dataset of the first to arrive",
        "model/derive/unreferenced",
        "    dataset_uuid = first_version.dataset_uuid\n",
        "    dataset_uuid = stored.dataset_uuid\n",
        example=10,
    ),
    Mutant(
        "a dataset that shares a schema version with one that moves stays",
        "model/derive/moved_datasets",
        "        WHERE other.dataset_uuid <> moved.uuid",
        "        WHERE false",
        example=7,
    ),
    Mutant(
        "a job version stays with the job of the first to arrive",
        "model/derive/job_versions",
        "    job_uuid = jobs.uuid,\n",
        "",
    ),
    Mutant(
        "a job version keeps the place of the first to arrive",
        "model/derive/job_versions",
        "    location = made.location,\n",
        "",
        example=2,
    ),
    Mutant(
        "of the jobs with one version any tells its datasets",
        "model/derive/job_versions",
        "    WHERE job_uuid = touched.job_uuid AND job_version_uuid = touched.version_uuid\n",
        "    WHERE job_version_uuid = touched.version_uuid\n",
        example=27,
    ),
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_law_1_fails(mutant: Mutant, database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_law_fails(mutant, lambda met, first: hold(database, EXAMPLES, met, first=first), monkeypatch)
