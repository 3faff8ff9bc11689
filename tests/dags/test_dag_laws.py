"""What holds for every DAG: it parses, says what it is for, who owns it, and what to do when it fails."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lineage_core.airflow import assets, late_normalization
from lineage_core.errors import NeedsOperator
from lineage_core.long_migrations.declared import all_migrations, long_migration
from lineage_core.normalize.command import own_jobs_in
from lineage_core.own_lineage.application import EXAMPLES
from lineage_core.settings import PROJECT, ProjectSettings

MANY = "long_migrations"
"""The one file that makes more than one DAG."""

STEERED = {migration.dag_id: name for name, migration in all_migrations().items()}
"""DAGs of which one run steers another, and the long migration of each."""

DAGS = sorted({path.stem for path in (PROJECT / "dags").glob("*.py")} - {MANY} | STEERED.keys())


@pytest.fixture(scope="module")
def dags() -> Mapping[str, Any]:
    from airflow.dag_processing.dagbag import DagBag

    bag = DagBag(str(PROJECT / "dags"))
    assert bag.import_errors == {}
    return bag.dags


def test_each_file_is_the_dag_of_its_name_and_one_is_those_of_all_long_migrations(dags: Mapping[str, Any]) -> None:
    made = {name: Path(dag.fileloc).stem for name, dag in dags.items()}
    assert made == {name: MANY if name in STEERED else name for name in DAGS}
    assert {"migrate_facets", "migrate_schema_versions", "normalize_lineage"} <= set(DAGS)


def test_the_projects_own_jobs_are_its_dags_but_the_example(dags: Mapping[str, Any]) -> None:
    assert {*own_jobs_in("airflow").dags, *EXAMPLES} == dags.keys()
    assert EXAMPLES.isdisjoint(own_jobs_in("airflow").dags)


@pytest.mark.parametrize("name", DAGS)
def test_a_dag_says_what_it_does_and_what_to_do_when_it_fails(dags: Mapping[str, Any], name: str) -> None:
    assert dags[name].doc_md.startswith("# ")
    _, _, remedies = dags[name].doc_md.partition("\n## When it fails\n\n")
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", remedies, re.MULTILINE)]
    assert remedies.startswith("1. "), "a list, from the first thing to look at"
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 1


@pytest.mark.parametrize("name", DAGS)
def test_a_dag_has_tags_and_an_owner(dags: Mapping[str, Any], name: str) -> None:
    assert dags[name].tags
    assert {task.owner for task in dags[name].tasks}.isdisjoint({"airflow", ""})


@pytest.mark.parametrize("name", DAGS)
def test_runs_of_a_dag_do_not_overlap_or_pile_up(dags: Mapping[str, Any], name: str) -> None:
    assert dags[name].max_active_runs == (2 if name in STEERED else 1)
    assert not dags[name].catchup


TRIED_ONCE = {("match_scores_leaderboard", "update_leaderboard")}
"""The demo lets it fail, and explains that. A second try would fail as the first did."""


@pytest.mark.parametrize("name", DAGS)
def test_a_task_is_tried_again(dags: Mapping[str, Any], name: str) -> None:
    tried_once = {(name, task.task_id) for task in dags[name].tasks if task.retries == 0}
    assert tried_once == {one for one in TRIED_ONCE if one[0] == name}


@pytest.mark.parametrize("name", DAGS)
def test_a_form_explains_itself_and_its_defaults_are_valid(dags: Mapping[str, Any], name: str) -> None:
    params = dags[name].params
    params.validate()
    assert all(params.get_param(field).schema.get("title") for field in params)


@pytest.mark.parametrize("name", DAGS)
def test_the_list_of_dags_says_what_each_does(dags: Mapping[str, Any], name: str) -> None:
    description = dags[name].description
    assert description.endswith(".")
    assert 30 < len(description) <= 200


@pytest.mark.parametrize("name", DAGS)
def test_a_field_that_may_be_left_alone_has_no_star(dags: Mapping[str, Any], name: str) -> None:
    """Airflow's form puts one beside each field whose type is not null, too."""
    params = dags[name].params
    types = {field: params.get_param(field).schema.get("type", ["null"]) for field in params}
    assert [field for field, type_ in types.items() if "null" not in type_] == []


@pytest.mark.parametrize("name", DAGS)
def test_a_dag_sends_no_reader_to_files_that_a_wheel_does_not_have(dags: Mapping[str, Any], name: str) -> None:
    assert "docs/" not in dags[name].doc_md


@pytest.mark.parametrize("name", STEERED)
def test_what_a_migration_advises_can_be_done_by_its_dag(dags: Mapping[str, Any], name: str) -> None:
    (task,) = dags[name].tasks
    advice = f"lineage: It is paused; `lineage migration resume {STEERED[name]}` makes it continue"
    assert task.in_airflow(advice) == f"{advice}. Here, trigger the DAG {name} with the command resume"
    other = f"lineage: Stay; `lineage migration accept {STEERED[name]} KEY`"
    assert task.in_airflow(other) == other


@pytest.mark.parametrize("name", DAGS)
def test_no_task_gets_a_secret(dags: Mapping[str, Any], name: str) -> None:
    for task in dags[name].tasks:
        shown = " ".join(str(getattr(task, field)) for field in task.template_fields)
        assert "password" not in shown
        assert "LINEAGE_DSN" not in shown


def test_a_late_normalization_is_reported_by_the_triggerer(dags: Mapping[str, Any]) -> None:
    """A callback of Airflow is stored by its path, and has to be found by it in another process."""
    from airflow._shared.module_loading import import_string

    (deadline,) = dags["normalize_lineage"].deadline
    assert deadline.interval == late_normalization.LATE_AFTER
    assert type(deadline.callback).__name__ == "AsyncCallback"
    assert import_string(deadline.callback.path) is late_normalization.report


@pytest.mark.parametrize("name", ["normalize_lineage", "replay_lineage"])
def test_who_normalizes_announces_what_has_changed(dags: Mapping[str, Any], name: str) -> None:
    (task,) = dags[name].tasks
    assert task.outlets == [assets.NORMALIZATION]


def test_normalization_runs_every_ten_minutes_in_its_pool(dags: Mapping[str, Any]) -> None:
    dag = dags["normalize_lineage"]
    assert dag.timetable.expression == "*/10 * * * *"
    assert type(dag.timetable).__name__ == "CronDataIntervalTimetable"
    assert [task.pool for task in dag.tasks] == ["lineage"]


@pytest.mark.parametrize("slice_bytes", [0, 1_048_575, 2**30 + 1, "many"])
def test_the_form_refuses_a_slice_that_makes_no_sense(dags: Mapping[str, Any], slice_bytes: object) -> None:
    from airflow.sdk.exceptions import ParamValidationError

    param = dags["normalize_lineage"].params.get_param("slice_bytes")
    with pytest.raises(ParamValidationError):
        param.resolve(slice_bytes)
    assert param.resolve(8 * 2**20) == 8 * 2**20


@pytest.mark.parametrize("name", STEERED)
def test_the_dag_of_a_long_migration_submits_the_job_with_its_name(dags: Mapping[str, Any], name: str) -> None:
    (task,) = dags[name].tasks
    params = {field: dags[name].params[field] for field in dags[name].params}
    assert (task.application, task.name) == (str(PROJECT / "spark_jobs" / "migrate.py"), name)
    assert task.job_arguments({"params": params}) == [STEERED[name], "run", "--workers", "2"]


@pytest.mark.parametrize("name", STEERED)
def test_the_page_of_a_long_migration_says_how_it_ends(dags: Mapping[str, Any], name: str) -> None:
    migration = long_migration(STEERED[name])
    assert dags[name].doc_md.partition("\n\n")[2].startswith(migration.doc)
    assert ("drop" in dags[name].doc_md) == (migration.replaces is not None)
    assert ("bad event" in dags[name].doc_md) == migration.normalizes


PLANNED = SimpleNamespace(xcom_pull=lambda task_ids: f"of {task_ids}")
"""A task that finds what others have given."""


def test_retention_submits_the_plan_that_was_made(dags: Mapping[str, Any]) -> None:
    task = dags["apply_retention"].get_task("apply")
    assert task.application == str(PROJECT / "spark_jobs" / "apply_retention.py")
    asked = {"params": {"archive": None}, "ti": PLANNED}
    assert task.job_arguments(asked) == ["--yes", "--plan", "of plan"]
    archived = asked | {"params": {"archive": "s3://events"}}
    assert task.job_arguments(archived) == ["--yes", "--plan", "of plan", "--archive", "s3://events"]


def test_an_archive_with_a_secret_in_its_address_is_refused(dags: Mapping[str, Any]) -> None:
    task = dags["apply_retention"].get_task("apply")
    with pytest.raises(NeedsOperator, match="holds a user or a secret"):
        task.job_arguments(
            {"params": {"archive": "ftp://a:b@host"}, "ti": SimpleNamespace(xcom_pull=lambda task_ids: "")}
        )


def test_retention_asks_a_person_only_if_its_form_says_so(dags: Mapping[str, Any]) -> None:
    choose = dags["apply_retention"].get_task("choose")
    assert [choose.python_callable(params={"ask": ask}) for ask in (True, False)] == ["approve", "apply"]
    assert dags["apply_retention"].get_task("apply").trigger_rule == "none_failed_min_one_success"
    assert dags["apply_retention"].get_task("approve").defaults == ["Reject"]


def test_streams_are_published_after_a_normalization_and_each_hour(dags: Mapping[str, Any]) -> None:
    dag = dags["publish_streams"]
    (task,) = dag.tasks
    assert task.outlets == [assets.PUBLICATION]
    assert [*dag.timetable.asset_condition.objects] == [assets.NORMALIZED]
    assert dag.timetable.timetable.expression == "35 * * * *"
    assert task.application == str(PROJECT / "spark_jobs" / "publish_streams.py")
    assert task.job_arguments({})[0] == "--outcome-file"


def test_streams_are_compacted_each_hour(dags: Mapping[str, Any]) -> None:
    """Eight parts of one size: an hour of publications does not have its records written anew each hour."""
    (task,) = dags["compact_streams"].tasks
    assert dags["compact_streams"].timetable.expression == "8 * * * *"
    assert task.application == str(PROJECT / "spark_jobs" / "compact_streams.py")
    assert task.job_arguments({}) == ["--least-parts", "8"]


def test_a_replay_is_begun_by_a_backfill_or_by_hand(dags: Mapping[str, Any]) -> None:
    """No run by schedule takes a date from it."""
    import pendulum
    from airflow.timetables.base import TimeRestriction

    dag = dags["replay_lineage"]
    assert {kind.value for kind in dag.allowed_run_types} == {"scheduled", "backfill", "manual"}
    assert {"from", "to", "namespaces"} <= {*dag.params}
    first = pendulum.datetime(2026, 11, 17)
    scheduled, backfilled = (
        dag.timetable.next_dagrun_info(
            last_automated_data_interval=None, restriction=TimeRestriction(first, latest, catchup=True)
        )
        for latest in (None, first)
    )
    assert scheduled is None
    assert backfilled.data_interval == (first, first.add(days=1))


def test_the_leaderboards_task_states_that_it_writes_its_stream(dags: Mapping[str, Any]) -> None:
    from airflow.providers.openlineage.utils.utils import translate_airflow_asset

    (stream,) = dags["match_scores_leaderboard"].get_task("update_leaderboard").outlets
    dataset = translate_airflow_asset(stream, None)
    assert dataset is not None
    folder = ProjectSettings.from_environment().streams_url
    assert (dataset.namespace, dataset.name) == ("file", f"{folder}/games/leaderboard")
