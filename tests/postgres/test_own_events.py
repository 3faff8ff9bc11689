"""The platform's own events are taken in without Spark, and an idle day adds little, and always the same."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

import pytest

from lineage_core.normalize import normalization
from lineage_core.normalize.normalization import normalize
from lineage_core.own_lineage.application import ApplicationRun, own_jobs
from lineage_core.own_lineage.datasets import inputs, published_streams
from lineage_core.postgres.store import Store
from lineage_core.tasks import DeferredRunner, SerialRunner, TaskRunner
from lineage_core.testing import TIME, Document, facet, named_job, parent, run_event
from tests.support.stores import put, rows

pytestmark = pytest.mark.postgres

OWN = own_jobs("airflow", ["migrate_facets"])
DAG = "normalize_lineage"


class SparkStarted(Exception):
    """The runner was asked for."""


def _no_spark() -> TaskRunner:
    raise SparkStarted


def _events_of_a_run(number: int) -> list[Document]:
    """What Airflow reports of a scheduled run of the DAG: the DAG run and its task, begun and ended."""
    begun = TIME + timedelta(minutes=10 * number)
    return [
        _event(event_type, job, number, begun + timedelta(seconds=second))
        for second, (event_type, job) in enumerate(
            (("START", DAG), ("START", f"{DAG}.normalize"), ("COMPLETE", f"{DAG}.normalize"), ("COMPLETE", DAG))
        )
    ]


def _event(event_type: str, job: str, number: int, time: datetime) -> Document:
    facets = {
        "nominalTime": facet(nominalStartTime=(TIME + timedelta(minutes=10 * number)).isoformat()),
        "airflow": facet(dag={"dag_id": DAG}, dagRun={"run_id": f"scheduled__{number}"}),
    }
    if "." in job:
        facets |= parent(_run_id(DAG, number), DAG, "airflow")
    run_id = _run_id(job, number)
    return run_event(event_type, run_id=run_id, job=named_job(job, "airflow"), time=time, facets=facets)


def _run_id(job: str, number: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{job} {number}"))


def _take_in_own(database: Store) -> int:
    return normalize(database, DeferredRunner(_no_spark), own=OWN).events


def test_a_run_in_which_only_our_own_events_wait_starts_no_spark(database: Store) -> None:
    put(database, _events_of_a_run(0))
    assert _take_in_own(database) == 4
    assert rows(database, "SELECT count(*) FROM runs") == [(2,)]


def test_a_run_says_whether_it_took_in_nothing_but_our_own(database: Store) -> None:
    put(database, _events_of_a_run(0))
    assert normalize(database, DeferredRunner(_no_spark), own=OWN).is_own
    put(database, [*_events_of_a_run(1), run_event("COMPLETE", run_id=_run_id("other", 0), job=named_job("orders"))])
    assert not normalize(database, SerialRunner(), own=OWN).is_own


@pytest.mark.parametrize(
    "other",
    [
        named_job("orders", "airflow"),
        named_job(f"{DAG}_of_ours.normalize", "airflow"),
        named_job(DAG, "another"),
        named_job("match_scores_leaderboard.load", "airflow"),
    ],
    ids=["another job", "a longer name", "another Airflow", "the example"],
)
def test_one_event_of_others_among_ours_starts_spark(database: Store, other: Document) -> None:
    put(database, [*_events_of_a_run(0), run_event("COMPLETE", run_id=_run_id("other", 0), job=other)])
    with pytest.raises(SparkStarted):
        _take_in_own(database)


def test_a_run_that_no_one_informs_of_our_jobs_starts_spark(database: Store) -> None:
    put(database, _events_of_a_run(0))
    with pytest.raises(SparkStarted):
        normalize(database, DeferredRunner(_no_spark))


def test_many_of_our_own_events_are_work_for_spark(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(normalization, "FEW_ROWS", 4)
    put(database, _events_of_a_run(0))
    assert _take_in_own(database) == 4
    put(database, [*_events_of_a_run(1), *_events_of_a_run(2)])
    with pytest.raises(SparkStarted):
        _take_in_own(database)


def test_what_an_interrupted_run_left_of_others_is_not_taken_for_ours(database: Store) -> None:
    put(database, [run_event("COMPLETE", run_id=_run_id("other", 0), job=named_job("orders"))])
    with pytest.raises(SparkStarted):
        _take_in_own(database)
    put(database, _events_of_a_run(0))
    with pytest.raises(SparkStarted):
        _take_in_own(database)


@pytest.mark.slow
def test_an_idle_day_adds_its_events_and_runs_and_nothing_else(database: Store) -> None:
    """A run of the DAG every ten minutes, each of which finds what the one before has reported.

    Three hours are gone through; the third adds as many rows as the second, so a day is 24 times that.
    """
    hours = [_idle_hour(database, hour) for hour in range(3)]
    assert hours[2] == hours[1]
    added = hours[1]
    nothing = dict.fromkeys(("dataset_versions", "datasets", "job_versions", "jobs"), 0)
    assert added | nothing | {"lineage_events": 24, "runs": 12} == added
    assert sum(added.values()) < 250, added


@pytest.mark.slow
def test_an_idle_hour_with_streams_adds_the_report_of_one_publication_more(database: Store) -> None:
    """Each hour has as many changes to publish as the hour before: a report leads to one report, not to two.

    The two runs more are the application's, and that of its task, which it names as its parent.
    """
    hours = [_idle_hour(database, hour, publishes=True) for hour in range(4)]
    assert hours[3] == hours[2]
    added = hours[3]
    nothing = dict.fromkeys(("datasets", "jobs", "dataset_schema_versions"), 0)
    assert added | nothing | {"lineage_events": 26, "runs": 14, "dataset_versions": 1} == added


def _publication(number: int) -> list[Document]:
    """What a publication of a few changes reports of itself."""
    named = {"JobNamespace": "airflow", "JobName": "publish_streams.publish", "RunId": _run_id("publish", number)}
    settings = {f"spark.openlineage.parent{word}": value for word, value in named.items()}
    run = ApplicationRun.of(settings, "publish_streams", "4.2.0")
    assert run is not None
    dsn = "postgresql://db/store"
    return [
        run.started(),
        run.completed(inputs(Store(dsn), ["runs"]), published_streams(Store(dsn), "/data", {"runs": 3})),
    ]


def _idle_hour(database: Store, hour: int, *, publishes: bool = False) -> dict[str, int]:
    """Rows that an hour adds, by table."""
    before = _rows_by_table(database)
    if publishes:
        put(database, _publication(hour))
        assert _take_in_own(database) == 2
    for number in range(6 * hour, 6 * hour + 6):
        put(database, _events_of_a_run(number))
        assert _take_in_own(database) == 4
    return {table: now - before[table] for table, now in _rows_by_table(database).items()}


def _rows_by_table(database: Store) -> dict[str, int]:
    names = rows(
        database,
        "SELECT c.oid::regclass::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace"
        " WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition",
    )
    return {name: rows(database, f"SELECT count(*) FROM {name}")[0][0] for (name,) in names}
