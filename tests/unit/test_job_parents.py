"""Names of jobs, and of the runs that started theirs."""

from __future__ import annotations

from uuid import UUID

import pytest

from lineage_core.errors import RejectedEvent
from lineage_core.model.meaning.job_descriptions import JobName, job_name
from lineage_core.model.tables import parent_mentions
from lineage_core.openlineage.events import Event
from lineage_core.openlineage.identity import conflicting_run_uuid, parent_run_uuid
from lineage_core.openlineage.name_limits import LONGEST_NAME
from lineage_core.openlineage.parsing import parse
from lineage_core.testing import TIME, job_event, named_job, parent, run_event, to_json

RUN = "0190a0a0-0000-7000-8000-0000000000aa"


def child(name: str, of: str, namespace: str = "shop") -> Event:
    return parse(to_json(run_event(job=named_job(name), facets=parent(RUN, of, namespace))))


@pytest.mark.parametrize(
    ("name", "of", "expected"),
    [
        ("task", "dag", JobName("dag.task", "task")),
        ("dag.task", "dag", JobName("dag.task", "task")),
        ("dag.group.task", "dag", JobName("dag.group.task", "group.task")),
        ("team.dag.task", "team.dag", JobName("team.dag.task", "task")),
        ("dagger", "dag", JobName("dag.dagger", "dagger")),
        ("dag.task", "dag.task", JobName("dag.task", "task")),
        ("team.dag.task", "team.dag.task", JobName("team.dag.task", "task")),
        ("load", "load", JobName("load.load", "load")),
        ("app", "dag.task", JobName("dag.task.app", "app")),
        ("dag", "dag.task", JobName("dag.task.dag", "dag")),
        ("dag.", "dag", JobName("dag.", "")),
        (".task", ".task", JobName(".task", "task")),
        ("task", "", JobName(".task", "task")),
    ],
)
def test_a_child_is_named_after_its_parent(name: str, of: str, expected: JobName) -> None:
    assert job_name(child(name, of)) == expected


def test_a_job_without_parent_has_its_own_name() -> None:
    assert job_name(parse(to_json(run_event(job=named_job("dag.task"))))) == JobName("dag.task", "dag.task")
    assert job_name(parse(to_json(job_event(named_job("dag.task"))))) == JobName("dag.task", "dag.task")


def test_a_name_that_is_too_long_with_its_parents_is_refused() -> None:
    with pytest.raises(RejectedEvent) as refused:
        job_name(child("t" * (LONGEST_NAME // 2), "d" * (LONGEST_NAME // 2)))
    assert refused.value.path == "$.run.facets.parent.job.name"


def test_a_parent_run_is_that_of_its_uuid() -> None:
    assert parent_run_uuid("shop", "dag.task", RUN.upper()) == UUID(RUN).bytes
    assert parent_run_uuid("shop", "dag", "1-1-1-1-1") == UUID("00000001-0001-0001-0001-000000000001").bytes


def test_a_parent_run_id_that_is_no_uuid_is_hashed_with_the_name_of_the_dag() -> None:
    named = parent_run_uuid("shop", "dag.task", "manual__1")
    assert named == parent_run_uuid("shop", "dag.other", "manual__1") == parent_run_uuid("shop", "dag", "manual__1")
    assert UUID(bytes=named) == UUID("2716eaea-e143-3234-997e-6644e7c5a545")


def test_a_run_that_is_another_jobs_is_hashed_with_the_name_of_the_parent() -> None:
    assert UUID(bytes=conflicting_run_uuid("shop", "dag.task", UUID(RUN).bytes)) == UUID(
        "d83a2a36-0cd7-38d4-b400-96c7e44248bf"
    )


@pytest.mark.parametrize(
    ("event_type", "is_ahead", "says"),
    [
        (None, False, 0),
        ("START", False, 1),
        ("abort", False, 2),
        (None, True, 3),
        ("OTHER", True, 4),
        ("FAIL", True, 5),
    ],
)
def test_a_mention_says_whether_its_run_goes_on(event_type: str | None, is_ahead: bool, says: int) -> None:
    document = run_event(event_type, time=TIME, facets=parent(RUN, "dag"))
    (row,) = parent_mentions.rows(parse(to_json(document), is_ahead=is_ahead))
    assert row["says"] == says
