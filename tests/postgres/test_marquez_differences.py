"""Where the store differs from Marquez: a test for each difference in docs/marquez-differences.md."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.reading.store import unreadable_facets
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, dataset, dataset_event, facet, job_event, named_job, parent, run_event, to_json
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

OTHER_RUN = "0190a0a0-0000-7000-8000-000000000002"
STREAMING = named_job(facets={"jobType": facet(processingType="STREAMING", integration="FLINK")})
DESCRIBE_JOBS = ("documentation", "sourceCodeLocation", "tags", "ownership", "lineage")
DESCRIBE_DATASETS = ("documentation", "columnLineage", "tags", "ownership", "lineage")
_MEMBERS = ("description", "url", "tags", "owners", "nominalStartTime", "fields", "inputs", "entries")
MALFORMED: dict[str, Any] = {member: [{"key": {}, "name": []}] for member in _MEMBERS}
"""Members that these facets have, of another type than theirs."""
ORDERS, REPORT = dataset("public.orders", fields=[("id", "INT")]), dataset("public.report", fields=[("total", "INT")])


def after(minutes: int) -> datetime:
    return TIME + timedelta(minutes=minutes)


def only(database: Store, query: str) -> Any:
    """The one row that the query gives."""
    (row,) = rows(database, query)
    return row


class TestRuns:
    def test_a_late_start_does_not_reopen_a_run(self, database: Store) -> None:
        take_in(database, [run_event("START"), run_event("COMPLETE", time=after(5)), run_event("START", time=after(9))])
        assert only(database, "SELECT current_run_state, ended_at::text FROM runs") == (
            "COMPLETED",
            "2026-01-01 00:05:00",
        )

    def test_a_running_event_does_not_move_the_start(self, database: Store) -> None:
        take_in(database, [run_event("START"), run_event("RUNNING", time=after(5))])
        assert only(database, "SELECT started_at::text FROM runs") == ("2026-01-01 00:00:00",)

    def test_nominal_times_are_kept_with_the_run(self, database: Store) -> None:
        nominal = {"nominalTime": facet(nominalStartTime="2026-01-01T02:00:00+02:00")}
        take_in(database, [run_event(facets=nominal)])
        assert only(database, "SELECT nominal_start_time::text, nominal_end_time FROM runs") == (
            "2026-01-01 00:00:00",
            None,
        )

    def test_an_event_without_type_may_have_run_facets(self, database: Store) -> None:
        outcome = take_in(database, [run_event(None, facets={"mine": facet(a=1)}, inputs=[ORDERS])])
        assert outcome.quarantined == 0
        assert only(database, "SELECT current_run_state FROM runs") == (None,)
        assert only(database, "SELECT lineage_event_type, name FROM run_facets") == ("", "mine")
        assert len(rows(database, "SELECT FROM runs_input_mapping")) == 1

    def test_a_repeat_writes_nothing(self, database: Store) -> None:
        event = run_event(facets={"mine": facet(a=1)}, outputs=[ORDERS])
        take_in(database, [event])
        take_in(database, [event, event])
        for table in ("run_states", "run_facets", "event_ledger"):
            assert len(rows(database, f"SELECT FROM {table}")) == 1, table
        assert len(rows(database, "SELECT FROM lineage_events")) == 3

    def test_an_event_that_arrives_late_overwrites_nothing_newer(self, database: Store) -> None:
        take_in(database, [run_event(job=_described("new"), time=after(5))])
        take_in(database, [run_event(job=_described("old"))])
        assert only(database, "SELECT description, updated_at FROM jobs") == ("new", after(5))

    def test_an_event_ahead_of_its_receipt_wins_nothing(self, database: Store) -> None:
        take_in(database, [run_event(job=_described("now"))])
        take_in(database, [run_event(job=_described("of the future"), time="2030-01-01T00:00:00Z")])
        assert only(database, "SELECT description, updated_at FROM jobs") == ("now", TIME)
        assert len(rows(database, "SELECT FROM run_states")) == 2


def _described(words: str) -> dict[str, Any]:
    return named_job(facets={"documentation": facet(description=words)})


class TestParents:
    DAG_RUN = "0190a0a0-0000-7000-8000-0000000000aa"

    def test_a_parent_that_reports_owes_nothing_to_its_children(self, database: Store) -> None:
        child = run_event("COMPLETE", facets=parent(self.DAG_RUN, "dag"))
        report = run_event("START", run_id=self.DAG_RUN, job=named_job("dag"), time=after(5))
        take_in(database, [child, report])
        found = only(database, "SELECT created_at::text, current_run_state, ended_at FROM runs WHERE job_name = 'dag'")
        assert found == ("2026-01-01 00:05:00+00", "RUNNING", None)
        assert only(database, "SELECT created_at::text FROM jobs WHERE name = 'dag'") == ("2026-01-01 00:05:00+00",)

    def test_a_silent_run_of_a_job_that_reports_changes_nothing_of_the_job(self, database: Store) -> None:
        report = run_event(run_id=OTHER_RUN, job=named_job("dag"), inputs=[ORDERS])
        take_in(database, [report, run_event(time=after(5), facets=parent(self.DAG_RUN, "dag"))])
        found = only(database, "SELECT current_run_uuid::text, current_inputs FROM jobs WHERE name = 'dag'")
        assert found == (OTHER_RUN, [{"name": "public.orders", "namespace": "postgres://shop:5432"}])

    def test_the_first_event_that_names_a_parent_tells_it(self, database: Store) -> None:
        take_in(database, [run_event(), run_event("COMPLETE", time=after(5), facets=parent(self.DAG_RUN, "dag"))])
        found = only(database, "SELECT parent_run_uuid::text FROM runs WHERE uuid <> '" + self.DAG_RUN + "'")
        assert found == (self.DAG_RUN,)

    def test_the_current_run_of_a_child_is_its_own(self, database: Store) -> None:
        take_in(database, [run_event(run_id=OTHER_RUN, facets=parent(self.DAG_RUN, "dag"))])
        assert only(database, "SELECT current_run_uuid::text FROM jobs WHERE name = 'dag.load'") == (OTHER_RUN,)

    def test_a_name_and_the_parent_in_it_come_from_one_event(self, database: Store) -> None:
        job = named_job("dag.group.load")
        first = run_event(job=job, facets=parent(self.DAG_RUN, "dag"))
        take_in(database, [first, run_event(job=job, time=after(5), facets=parent(OTHER_RUN, "dag.group"))])
        assert only(database, "SELECT simple_name FROM jobs WHERE name = 'dag.group.load'") == ("group.load",)

    def test_a_parent_in_a_namespace_of_any_characters_is_found(self, database: Store) -> None:
        report = run_event(run_id=self.DAG_RUN, job=named_job("dag", "the shop"))
        take_in(database, [report, run_event(time=after(5), facets=parent(self.DAG_RUN, "dag", "the shop"))])
        assert sorted(rows(database, "SELECT namespace_name, name FROM jobs")) == [
            ("shop", "dag.load"),
            ("the_shop", "dag"),
        ]

    def test_a_parent_without_state_has_no_time_of_it(self, database: Store) -> None:
        take_in(database, [run_event(None, facets=parent(self.DAG_RUN, "dag"))])
        assert rows(database, "SELECT current_run_state, transitioned_at FROM runs") == [(None, None), (None, None)]

    def test_empty_arguments_are_there_for_every_parent(self, database: Store) -> None:
        nominal = {"nominalTime": facet(nominalStartTime="2026-01-01T00:00:00Z")}
        report = run_event(run_id=self.DAG_RUN, job=named_job("dag"), facets=nominal)
        take_in(database, [report, run_event(facets=parent(self.DAG_RUN, "dag"))])
        assert only(database, "SELECT count(*) FROM run_args WHERE args = '{}'") == (1,)


class TestJobs:
    def test_an_event_without_datasets_leaves_the_mapping(self, database: Store) -> None:
        first = run_event("COMPLETE", inputs=[ORDERS], outputs=[REPORT])
        take_in(database, [first, run_event("START", run_id=OTHER_RUN, time=after(5))])
        current = "SELECT io_type FROM job_versions_io_mapping WHERE is_current_job_version ORDER BY 1"
        assert rows(database, current) == [("INPUT",), ("OUTPUT",)]

    def test_every_event_of_a_streaming_job_counts_for_its_version(self, database: Store) -> None:
        take_in(database, [run_event("START", job=STREAMING, outputs=[REPORT])])
        second: dict[str, Any] = {"job": STREAMING, "run_id": OTHER_RUN, "outputs": [REPORT]}
        take_in(database, [run_event("START", time=after(5), **second), run_event("FAIL", time=after(9), **second)])
        version = only(database, "SELECT uuid FROM job_versions")[0]
        assert only(database, "SELECT updated_at, latest_run_uuid::text FROM job_versions") == (after(9), OTHER_RUN)
        assert rows(database, "SELECT DISTINCT job_version_uuid FROM runs") == [(version,)]
        assert rows(database, "SELECT DISTINCT job_version_uuid FROM job_facets") == [(version,)]

    def test_a_job_event_dates_the_version_that_it_makes(self, database: Store) -> None:
        take_in(database, [run_event("START"), job_event(outputs=[REPORT], time=after(5))])
        take_in(database, [job_event(outputs=[REPORT], time=after(9))])
        assert only(database, "SELECT created_at FROM jobs") == (TIME,)
        assert only(database, "SELECT created_at, updated_at FROM job_versions") == (after(5), after(9))

    def test_a_long_location_is_kept(self, database: Store) -> None:
        url = "https://git.example/" + "deep/" * 100
        take_in(
            database, [run_event("COMPLETE", job=named_job(facets={"sourceCodeLocation": facet(type="git", url=url)}))]
        )
        assert only(database, "SELECT location FROM job_versions") == (url,)


class TestDatasets:
    def test_an_untyped_field_is_one_row(self, database: Store) -> None:
        untyped = dataset(fields=[("id", None)])
        take_in(database, [run_event("START", outputs=[untyped]), run_event("COMPLETE", outputs=[untyped])])
        assert only(database, "SELECT name, type FROM dataset_fields") == ("id", None)

    def test_a_schema_version_without_versions_goes(self, database: Store) -> None:
        """The two events differ in the case of a type: for Marquez the same dataset version, of two schema versions."""
        lower, upper = dataset(fields=[("id", "int")]), dataset(fields=[("id", "INT")])
        take_in(database, [run_event("START", outputs=[lower]), run_event("COMPLETE", outputs=[upper], time=after(5))])
        stored = only(database, "SELECT uuid FROM dataset_schema_versions")
        assert only(database, "SELECT dataset_schema_version_uuid FROM dataset_versions") == stored

    @pytest.mark.parametrize(
        ("run", "role"), [("another run", "inputs"), ("run", "outputs")], ids=["read", "written again"]
    )
    def test_a_version_described_by_other_fields_has_another_schema_version(
        self, database: Store, run: str, role: str
    ) -> None:
        """For Marquez types that differ in case make no other version, so the run that writes twice makes one."""
        lower, upper = dataset(fields=[("id", "int")]), dataset(fields=[("id", "INT")])
        first = run_event("COMPLETE", run_id="run", outputs=[lower])
        take_in(database, [first])
        (before,) = only(database, "SELECT dataset_schema_version_uuid FROM dataset_versions")
        named: dict[str, Any] = {role: [upper]}
        take_in(database, [run_event("COMPLETE", run_id=run, time=after(5), **named)])
        (behind,) = only(database, "SELECT dataset_schema_version_uuid FROM dataset_versions")
        assert behind != before
        of_version = rows(database, "SELECT dataset_field_uuid FROM dataset_versions_field_mapping ORDER BY 1")
        of_schema = rows(database, "SELECT dataset_field_uuid FROM dataset_schema_versions_field_mapping ORDER BY 1")
        assert len(of_schema) == 2
        assert of_version == of_schema
        assert only(database, "SELECT fields -> 0 ->> 'type' FROM dataset_versions") == ("int",)

    def test_a_column_without_a_name_is_a_column(self, database: Store) -> None:
        columns: list[tuple[str, str | None]] = [("", "INT"), ("id", "INT")]
        outcome = take_in(database, [run_event("COMPLETE", outputs=[dataset(fields=columns)])])
        assert (outcome.events, outcome.quarantined) == (1, 0)
        listed = "SELECT fields -> 0 ->> 'name', fields -> 1 ->> 'name' FROM dataset_versions"
        assert rows(database, listed) == [("", "id")]

    def test_columns_within_a_column_are_kept_with_it(self, database: Store) -> None:
        within = [{"name": "row", "type": "int", "scale": 1.0}, {"name": "col", "fields": [{"name": "x"}]}]
        columns = [{"name": "place", "type": "struct", "fields": within}]
        take_in(database, [run_event("COMPLETE", outputs=[dataset(facets={"schema": facet(fields=columns)})])])
        assert only(database, "SELECT fields -> 0 -> 'fields' FROM dataset_versions") == (within,)
        assert only(database, "SELECT name FROM dataset_fields") == ("place",)

    @pytest.mark.parametrize("role", ["inputs", "outputs"])
    def test_a_namespace_of_any_characters_is_formatted(self, database: Store, role: str) -> None:
        named: dict[str, Any] = {role: [dataset("orders", "a b!")]}
        outcome = take_in(database, [run_event("COMPLETE", **named)])
        assert outcome.quarantined == 0
        assert only(database, "SELECT namespace_name FROM datasets") == ("a_b_",)
        assert only(database, "SELECT namespace_name FROM dataset_versions") == ("a b!",)
        assert len(rows(database, "SELECT FROM job_versions")) == 1

    def test_a_late_symlink_makes_one_dataset_of_two(self, database: Store) -> None:
        take_in(database, [run_event("COMPLETE", outputs=[ORDERS], time=after(5))])
        alias = {"symlinks": facet(identifiers=[{"namespace": ORDERS["namespace"], "name": ORDERS["name"]}])}
        take_in(database, [run_event("COMPLETE", run_id=OTHER_RUN, outputs=[dataset("lake/orders", facets=alias)])])
        assert rows(database, "SELECT name, physical_name FROM datasets") == [("lake/orders", "public.orders")]
        versions = (
            "SELECT v.dataset_name, d.name FROM dataset_versions AS v JOIN datasets AS d ON d.uuid = dataset_uuid"
        )
        assert sorted(rows(database, versions)) == [("lake/orders", "lake/orders"), ("public.orders", "lake/orders")]

    def test_a_source_may_have_any_address_and_no_name(self, database: Store) -> None:
        odd = dataset(facets={"dataSource": facet(name="odd", uri="no such host:5432/orders")})
        nameless = dataset("public.other", facets={"dataSource": facet(uri="postgres://shop:5432")})
        assert take_in(database, [run_event(outputs=[odd, nameless])]).quarantined == 0
        stored = rows(database, "SELECT name, connection_url FROM sources ORDER BY name")
        assert stored == [("default", ""), ("odd", "http://no such host:5432/orders")]

    def test_what_a_person_has_hidden_stays_hidden(self, database: Store) -> None:
        take_in(database, [run_event(outputs=[ORDERS])])
        with database.connect() as connection:
            for table in ("namespaces", "jobs", "datasets"):
                connection.execute(f"UPDATE {table} SET is_hidden = true")
        take_in(database, [run_event("COMPLETE", outputs=[ORDERS], time=after(5))])
        for table in ("namespaces", "jobs", "datasets"):
            assert rows(database, f"SELECT DISTINCT is_hidden FROM {table}") == [(True,)], table


class TestFacets:
    def test_null_members_of_facets_stay(self, database: Store) -> None:
        take_in(database, [run_event(facets={"mine": facet(a=None, b={"c": None})})])
        (stored,) = only(database, "SELECT facet FROM run_facets")
        assert stored == {"mine": facet(a=None, b={"c": None})}

    def test_times_in_facets_stay_as_they_were_written(self, database: Store) -> None:
        nominal = {"nominalTime": facet(nominalStartTime="2026-01-01T02:00:00+02:00")}
        take_in(database, [run_event(facets=nominal)])
        assert only(database, "SELECT facet FROM run_facets") == (nominal,)

    def test_a_logical_plan_is_that_of_the_first_event_which_has_it(self, database: Store) -> None:
        plans = [{"spark.logicalPlan": facet(plan=[number])} for number in range(3)]
        take_in(database, [run_event("COMPLETE", facets=plans[2], time=after(5))])
        take_in(database, [run_event("START", facets=plans[0])])
        take_in(database, [run_event("RUNNING", facets=plans[1], time=after(2)), run_event("START", time=after(-1))])
        assert only(database, "SELECT facet FROM run_facets") == (plans[0],)

    def test_spark_unknown_is_left_out_everywhere(self, database: Store) -> None:
        facets = {"spark_unknown": facet(), "mine": facet()}
        event = run_event(facets=facets, job=named_job(facets=facets), outputs=[dataset(facets=facets)])
        take_in(database, [event])
        for table in ("run_facets", "job_facets", "dataset_facets"):
            assert rows(database, f"SELECT name FROM {table}") == [("mine",)], table

    def test_a_facet_without_producer_is_kept(self, database: Store) -> None:
        nominal = {"nominalTime": {"nominalStartTime": "2026-01-01T00:00:00Z"}}
        assert take_in(database, [run_event(facets=nominal)]).quarantined == 0
        assert only(database, "SELECT facet FROM run_facets") == (nominal,)


def made_of(field: str = "id", *steps: dict[str, Any]) -> dict[str, Any]:
    """One column of the orders, as an input of a column."""
    named = {"namespace": ORDERS["namespace"], "name": ORDERS["name"], "field": field}
    return named | ({"transformations": list(steps)} if steps else {})


FILTER = {"type": "INDIRECT", "subtype": "FILTER", "description": "paid"}
COPY = {"type": "DIRECT", "subtype": "IDENTITY"}
SUM = {"type": "DIRECT", "subtype": "AGGREGATION", "description": "sum"}


def report(lineage: dict[str, Any], key: str = "columnLineage") -> dict[str, Any]:
    return dataset("public.report", fields=[("total", "INT"), ("day", "DATE")], facets={key: lineage})


def column_lineage(database: Store) -> list[tuple[Any, ...]]:
    query = """
        SELECT written.name, read.name, transformation_type, transformation_description
        FROM column_lineage
        JOIN dataset_fields AS written ON written.uuid = output_dataset_field_uuid
        JOIN dataset_fields AS read ON read.uuid = input_dataset_field_uuid
        ORDER BY 1, 2
    """
    return rows(database, query)


class TestColumnLineage:
    def test_transformations_are_kept_with_the_columns(self, database: Store) -> None:
        described = facet(fields={"total": {"inputFields": [made_of("id", SUM, FILTER)]}})
        take_in(database, [run_event(inputs=[ORDERS], outputs=[report(described)])])
        assert column_lineage(database) == [("total", "id", "DIRECT:AGGREGATION, INDIRECT:FILTER", "sum; paid")]

    def test_a_filter_has_a_part_in_every_column(self, database: Store) -> None:
        described = facet(fields={}, dataset=[made_of("id", FILTER)])
        take_in(database, [run_event(inputs=[ORDERS], outputs=[report(described)])])
        assert [row[:2] for row in column_lineage(database)] == [("day", "id"), ("total", "id")]

    def test_what_has_a_part_in_the_whole_output_is_not_direct(self, database: Store) -> None:
        described = facet(fields={"total": {"inputFields": [made_of("id", COPY)]}}, dataset=[made_of("id", COPY)])
        take_in(database, [run_event(inputs=[ORDERS], outputs=[report(described)])])
        assert [row[:3] for row in column_lineage(database)] == [
            ("day", "id", "INDIRECT"),
            ("total", "id", "DIRECT:IDENTITY, INDIRECT"),
        ]

    def test_stated_lineage_makes_rows(self, database: Store) -> None:
        stated = facet(fields={"total": {"inputs": [{"type": "DATASET", **made_of("id", SUM)}, {"type": "JOB"}]}})
        take_in(database, [run_event(inputs=[ORDERS], outputs=[report(stated, "lineage")])])
        assert column_lineage(database) == [("total", "id", "DIRECT:AGGREGATION", "sum")]

    def test_a_late_input_adds_its_columns(self, database: Store) -> None:
        described = facet(fields={"total": {"inputFields": [made_of()]}})
        take_in(database, [run_event("COMPLETE", time=after(5), outputs=[report(described)])])
        assert column_lineage(database) == []
        take_in(database, [run_event("START", inputs=[ORDERS])])
        assert column_lineage(database) == [("total", "id", None, None)]

    def test_a_transformation_that_no_column_takes_is_not_read(self, database: Store) -> None:
        described = facet(fields={"total": {"inputFields": [made_of()], "transformationType": "x" * 256}})
        assert take_in(database, [run_event(outputs=[report(described)])]).unreadable_facets == 1
        place = "$.outputs[0].facets.columnLineage.fields.total.transformationType"
        assert only(database, "SELECT path FROM unreadable_facets") == (place,)
        assert rows(database, "SELECT FROM column_lineage") == []


class TestRefusals:
    def test_a_refused_event_leaves_no_row(self, database: Store) -> None:
        outcome = take_in(database, [run_event("COMPLETE", outputs=[dataset(fields=[("x" * 256, "INT")])])])
        assert (outcome.events, outcome.quarantined) == (0, 1)
        assert only(database, "SELECT path FROM quarantine") == ("$.outputs[0].facets.schema.fields[0].name",)
        assert only(database, "SELECT name FROM namespaces") == ("default",)
        for table in ("jobs", "runs", "datasets", "dataset_symlinks", "event_ledger"):
            assert rows(database, f"SELECT FROM {table}") == [], table

    def test_a_name_that_no_index_takes_is_refused(self, database: Store) -> None:
        assert take_in(database, [dataset_event(dataset("x" * 3_000))]).quarantined == 1
        assert only(database, "SELECT path FROM quarantine") == ("$.dataset.name",)

    @pytest.mark.parametrize(
        ("event", "path"),
        [
            (run_event() | {"run": {"runId": 7}}, "$.run.runId"),
            (run_event(job={"namespace": "shop", "name": 7}), "$.job.name"),
            (run_event(inputs=[{"namespace": 7, "name": "orders"}]), "$.inputs[0].namespace"),
            (run_event(outputs=[{"namespace": "shop", "name": True}]), "$.outputs[0].name"),
            (
                dataset_event(dataset(facets={"schema": facet(fields=[{"name": 7}])})),
                "$.dataset.facets.schema.fields[0].name",
            ),
        ],
    )
    def test_a_number_is_no_name(self, database: Store, event: dict[str, Any], path: str) -> None:
        assert take_in(database, [event]).quarantined == 1
        assert only(database, "SELECT path FROM quarantine") == (path,)

    def test_a_day_that_does_not_exist_is_no_time(self, database: Store) -> None:
        insert = "INSERT INTO lineage_events (event_time, event) VALUES ('2026-03-01Z', %s::jsonb)"
        nominal = {"nominalTime": facet(nominalStartTime="2026-02-30T00:00:00Z")}
        with database.connect() as connection:
            for event in (run_event(time="2026-02-30T00:00:00Z"), run_event(facets=nominal)):
                connection.execute(insert, [to_json(event).decode()])
        outcome = normalize(database, SerialRunner())
        assert (outcome.quarantined, outcome.unreadable_facets) == (1, 1)
        assert only(database, "SELECT path FROM quarantine") == ("$.eventTime",)
        assert only(database, "SELECT path FROM unreadable_facets") == ("$.run.facets.nominalTime",)


class TestTagsAndOwners:
    def test_tags_facets_make_tags(self, database: Store) -> None:
        facets = {"tags": facet(tags=[{"key": "tier", "value": "1"}, {"key": "pii", "value": "true", "field": "id"}])}
        tagged = dataset("public.orders", fields=[("id", "INT")], facets=facets)
        take_in(database, [run_event(facets=facets, job=named_job(facets=facets), outputs=[tagged])])
        mapped = "SELECT name FROM {} JOIN tags ON tags.uuid = tag_uuid ORDER BY 1"
        assert rows(database, mapped.format("datasets_tag_mapping")) == [("tier:1",)]
        assert rows(database, mapped.format("dataset_fields_tag_mapping")) == [("pii",)]
        assert rows(database, mapped.format("jobs_tag_mapping")) == [("pii",), ("tier:1",)]
        take_in(database, [run_event("COMPLETE", outputs=[ORDERS], time=after(5))])
        assert rows(database, mapped.format("datasets_tag_mapping")) == [("tier:1",)]

    def test_ownership_facets_make_owners(self, database: Store) -> None:
        facets = {"ownership": facet(owners=[{"name": "team:shop", "type": "STEWARD"}])}
        take_in(database, [run_event(job=named_job(facets=facets), outputs=[dataset(facets=facets)])])
        for table in ("dataset_ownerships", "job_ownerships"):
            found = only(database, f"SELECT name, type FROM {table} JOIN owners ON owners.uuid = owner_uuid")
            assert found == ("team:shop", "STEWARD"), table

    def test_a_long_name_of_an_owner_is_kept(self, database: Store) -> None:
        long = "urn:team:" + "x" * 2_000
        take_in(database, [run_event(job=named_job(facets={"ownership": facet(owners=[{"name": long}])}))])
        assert only(database, "SELECT name FROM owners") == (long,)

    @pytest.mark.parametrize(
        "malformed", [[1], "x", 7, True, MALFORMED], ids=["list", "text", "number", "boolean", "members"]
    )
    def test_a_facet_that_only_describes_never_costs_its_event(self, database: Store, malformed: Any) -> None:
        event = run_event(
            "COMPLETE",
            facets=dict.fromkeys(("nominalTime",), malformed),
            job=named_job(facets=dict.fromkeys(DESCRIBE_JOBS, malformed)),
            inputs=[dataset("read", facets=dict.fromkeys(DESCRIBE_DATASETS, malformed))],
            outputs=[dataset("written", facets=dict.fromkeys(DESCRIBE_DATASETS, malformed), fields=[("id", "INT")])],
        )
        outcome = take_in(database, [event])
        facets = 1 + len(DESCRIBE_JOBS) + 2 * len(DESCRIBE_DATASETS)
        assert (outcome.events, outcome.quarantined, outcome.unreadable_facets) == (1, 0, facets)
        assert sum(found.facets for found in unreadable_facets(database)) == facets
        for table in ("tags", "owners", "column_lineage", "dataset_labels", "job_labels"):
            assert rows(database, f"SELECT FROM {table}") == [], table
        assert only(database, "SELECT description, current_location FROM jobs") == (None, None)
        assert only(database, "SELECT nominal_start_time, current_run_state FROM runs") == (None, "COMPLETED")
        assert rows(database, "SELECT DISTINCT description FROM datasets") == [(None,)]
        kept = "SELECT count(*) FROM {} WHERE name = ANY (%s)"
        assert rows(database, kept.format("job_facets"), [list(DESCRIBE_JOBS)]) == [(len(DESCRIBE_JOBS),)]
        assert rows(database, kept.format("dataset_facets"), [list(DESCRIBE_DATASETS)]) == [
            (2 * len(DESCRIBE_DATASETS),)
        ]


class TestTimes:
    def test_no_time_of_a_row_comes_from_a_clock(self, database: Store) -> None:
        facets = {"mine": facet(a=1)}
        event = run_event("COMPLETE", job=named_job(facets=facets), facets=facets, outputs=[dataset(facets=facets)])
        take_in(database, [event])
        for table in ("jobs", "datasets", "job_versions"):
            assert only(database, f"SELECT updated_at FROM {table}") == (TIME,), table
        for table in ("run_facets", "job_facets", "dataset_facets"):
            assert only(database, f"SELECT created_at FROM {table}") == (TIME,), table
        assert only(database, "SELECT made_current_at FROM job_versions_io_mapping") == (TIME.replace(tzinfo=None),)

    def test_a_column_is_as_old_as_the_schema_that_describes_it(self, database: Store) -> None:
        for minutes in (0, 5):
            time = TIME + timedelta(minutes=minutes)
            take_in(database, [run_event("COMPLETE", time=time, outputs=[dataset(fields=[("id", "INT")])])])
        assert only(database, "SELECT updated_at FROM dataset_fields") == (TIME,)
        assert only(database, "SELECT updated_at FROM dataset_schemas") == (TIME + timedelta(minutes=5),)

    def test_a_time_without_zone_is_utc(self, database: Store) -> None:
        take_in(database, [run_event(time="2026-01-01T12:00:00")])
        assert only(database, "SELECT created_at FROM runs") == (datetime(2026, 1, 1, 12, tzinfo=UTC),)
