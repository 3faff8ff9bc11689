"""Reading facets, from tables and from raw events that are not normalized: what the fall-back covers, and what not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from lineage_core import reading
from lineage_core.cli import main
from lineage_core.ingest.store import insert_event
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.openlineage.parsing import parse
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.reading import store as stored
from lineage_core.reading.store import FacetsOf
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, Document, dataset, dataset_event, facet, job_event, named_job, run_event, to_json
from tests.support.hostile_documents import must_quarantine
from tests.support.stores import rows

pytestmark = pytest.mark.postgres

RUN = UUID("0190a0a0-0000-7000-8000-000000000001")


def after(minutes: int) -> str:
    return (TIME + timedelta(minutes=minutes)).isoformat()


def arrive(store: Store, *events: Document) -> None:
    for event in events:
        insert_event(store, to_json(event))


def take_in(store: Store, *events: Document) -> None:
    arrive(store, *events)
    normalize(store, SerialRunner())


def facts(facets: Iterator[reading.FoundFacet]) -> list[tuple[str, object, bool]]:
    """Name, the one member `x`, and whether it is from a raw event."""
    return [(one.name, json.loads(one.facet)[one.name].get("x"), one.from_raw) for one in facets]


class TestRuns:
    def test_a_run_half_done_has_the_facets_of_all_its_events(self, database: Store) -> None:
        take_in(database, run_event("RUNNING", time=after(2), facets={"mine": facet(x=2)}))
        arrive(database, run_event("COMPLETE", time=after(3), facets={"mine": facet(x=3)}))
        arrive(database, run_event("START", time=after(1), facets={"mine": facet(x=1), "also": facet(x=0)}))
        found = [("also", 0, True), ("mine", 1, True), ("mine", 2, False), ("mine", 3, True)]
        assert facts(reading.facets_of_run(database, RUN)) == found
        normalize(database, SerialRunner())
        assert facts(reading.facets_of_run(database, RUN)) == [(name, x, False) for name, x, _ in found]

    def test_a_run_that_no_one_knows_has_none(self, database: Store) -> None:
        assert list(reading.facets_of_run(database, RUN)) == []

    def test_a_normalized_run_without_facets_is_not_searched_for(
        self, database: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        take_in(database, run_event("START"))
        monkeypatch.setattr(stored, "text", None)
        assert list(reading.facets_of_run(database, RUN)) == []

    def test_a_repeat_that_waits_adds_nothing(self, database: Store) -> None:
        event = run_event("START", facets={"mine": facet(x=1)})
        take_in(database, event)
        arrive(database, event, event)
        assert facts(reading.facets_of_run(database, RUN)) == [("mine", 1, False)]

    def test_of_plans_that_wait_and_one_that_is_stored_the_first_counts(self, database: Store) -> None:
        plans = [{"spark.logicalPlan": facet(x=number)} for number in range(4)]
        take_in(database, run_event("OTHER", time=after(2), facets=plans[2]))
        arrive(database, run_event("COMPLETE", time=after(3), facets=plans[3]))
        assert facts(reading.facets_of_run(database, RUN)) == [("spark.logicalPlan", 2, False)]
        arrive(database, run_event("START", time=after(1), facets=plans[1]))
        assert facts(reading.facets_of_run(database, RUN)) == [("spark.logicalPlan", 1, True)]

    def test_an_event_that_normalization_will_refuse_has_no_facets(self, database: Store) -> None:
        refused = run_event("START", facets={"mine": facet(x=1)}, outputs=[dataset(fields=[("x" * 256, "INT")])])
        with database.connect() as connection:
            connection.execute(
                "INSERT INTO lineage_events (event_time, event, run_uuid) VALUES (%s, %s, %s)",
                [after(0), to_json(refused).decode(), RUN],
            )
        assert list(reading.facets_of_run(database, RUN)) == []

    def test_a_merge_that_commits_meanwhile_doubles_nothing(self, database: Store) -> None:
        arrive(database, *(run_event("OTHER", time=after(x), facets={"mine": facet(x=x)}) for x in range(3)))
        facets = reading.facets_of_run(database, RUN)
        first = next(facets)
        normalize(database, SerialRunner())
        assert facts(iter([first, *facets])) == [("mine", x, True) for x in range(3)]


class TestJobVersions:
    def job(self, x: int) -> Document:
        return named_job(facets={"mine": facet(x=x)})

    def version(self, store: Store) -> UUID:
        ((uuid,),) = rows(store, "SELECT uuid FROM job_versions")
        assert isinstance(uuid, UUID)
        return uuid

    def test_an_event_that_waits_belongs_to_what_its_run_has_made(self, database: Store) -> None:
        take_in(database, run_event("COMPLETE", time=after(1), job=self.job(1)))
        arrive(database, run_event("START", job=self.job(0)))
        facets = facts(reading.facets_of_job_version(database, self.version(database)))
        assert facets == [("mine", 0, True), ("mine", 1, False)]

    def test_a_run_that_waits_as_a_whole_belongs_to_it_when_it_is_normalized(self, database: Store) -> None:
        take_in(database, run_event("COMPLETE", job=self.job(1)))
        arrive(database, run_event("COMPLETE", run_id=str(UUID(int=7)), time=after(1), job=self.job(2)))
        version = self.version(database)
        assert facts(reading.facets_of_job_version(database, version)) == [("mine", 1, False)]
        normalize(database, SerialRunner())
        assert facts(reading.facets_of_job_version(database, version)) == [("mine", 1, False), ("mine", 2, False)]


class TestDatasetVersions:
    def described(self, x: int) -> Document:
        return dataset("orders", facets={"mine": facet(x=x)})

    def version(self, store: Store) -> UUID:
        ((uuid,),) = rows(store, "SELECT current_version_uuid FROM datasets")
        assert isinstance(uuid, UUID)
        return uuid

    def test_an_output_that_waits_belongs_to_the_version_that_it_makes(self, database: Store) -> None:
        take_in(database, run_event("COMPLETE", time=after(1), outputs=[self.described(1)]))
        arrive(database, run_event("START", outputs=[self.described(0), dataset("others")]))
        arrive(database, run_event("START", run_id=str(UUID(int=7)), outputs=[self.described(7)]))
        facets = facts(reading.facets_of_dataset_version(database, self.version(database)))
        assert facets == [("mine", 0, True), ("mine", 1, False)]

    def test_an_input_that_waits_belongs_to_the_version_that_was_current(self, database: Store) -> None:
        take_in(database, dataset_event(self.described(1), time=after(1)))
        arrive(database, run_event("START", time=after(2), inputs=[self.described(2)]))
        arrive(database, run_event("START", time=after(0), inputs=[self.described(0)]))
        facets = facts(reading.facets_of_dataset_version(database, self.version(database)))
        assert facets == [("mine", 1, False), ("mine", 2, True)]

    def test_a_write_that_waits_moves_no_reader(self, database: Store) -> None:
        take_in(database, dataset_event(self.described(1), time=after(1)))
        version = self.version(database)
        arrive(database, run_event("COMPLETE", time=after(2), outputs=[self.described(2)]))
        arrive(database, job_event(time=after(3), inputs=[self.described(3)]))
        assert facts(reading.facets_of_dataset_version(database, version)) == [("mine", 1, False), ("mine", 3, True)]
        normalize(database, SerialRunner())
        assert facts(reading.facets_of_dataset_version(database, version)) == [("mine", 1, False)]


class TestCommand:
    def test_lines_for_people(
        self, database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        take_in(database, run_event("START", facets={"mine": facet(x=1)}))
        arrive(database, run_event(None, time=after(1), facets={"other\x1b": facet(x=2)}))
        assert self.run(database, monkeypatch, capsys, "run", str(RUN)) == (
            "2026-01-01T00:00:00+00:00  START  mine  (148 bytes)\n"
            "2026-01-01T00:01:00+00:00  -  other\\x1b  (155 bytes, not normalized)\n"
        )

    def test_json_for_programs(
        self, database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        take_in(database, run_event("COMPLETE", job=named_job(facets={"a": facet(x=1)}), outputs=[dataset()]))
        ((version,),) = rows(database, "SELECT uuid FROM job_versions")
        (line,) = self.run(database, monkeypatch, capsys, "job-version", str(version), "--json").splitlines()
        assert json.loads(line) == {
            "name": "a",
            "lineage_event_time": "2026-01-01T00:00:00+00:00",
            "lineage_event_type": "COMPLETE",
            "type": None,
            "from_raw": False,
            "facet": {"a": facet(x=1)},
        }
        ((version,),) = rows(database, "SELECT uuid FROM dataset_versions")
        assert self.run(database, monkeypatch, capsys, "dataset-version", str(version)) == ""

    def run(
        self, store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
    ) -> str:
        monkeypatch.setenv("LINEAGE_DSN", store.dsn)
        with pytest.raises(SystemExit) as exit:
            main(["facets", *words])
        assert exit.value.code == 0
        return capsys.readouterr().out


def test_a_reader_may_read(database: Store, postgres_server: Server) -> None:
    postgres_server.ensure_role("analyst", "NOSUPERUSER")
    postgres_server.run_sql("GRANT lineage_reader TO analyst;")
    take_in(database, run_event("START", facets={"mine": facet(x=1)}))
    arrive(database, run_event("COMPLETE", time=after(1), facets={"mine": facet(x=2)}, outputs=[dataset()]))
    store = Store(make_conninfo(database.dsn, user="analyst"))
    assert len(list(reading.facets_of_run(store, RUN))) == 2
    assert list(reading.facets_of_job_version(store, RUN)) == []
    assert list(reading.facets_of_dataset_version(store, RUN)) == []


@pytest.fixture
def connection(database: Store) -> Iterator[Connection]:
    with database.connect() as opened:
        yield opened


EVENTS = [
    *(run_event(type_, time="2026-01-01T00:00:00.123456Z") for type_ in ("START", "complete", "OTHER", "Fail", None)),
    job_event(time="1960-01-01T00:00:00Z") | {"eventType": "START"},
    job_event() | {"eventType": "COMPLETE"},
    dataset_event(time="9999-12-31T23:59:59.999999Z"),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: f"{event.get('eventType')} at {event['eventTime']}")
def test_sql_knows_the_place_of_an_event(connection: Connection, event: Document) -> None:
    query = "SELECT event_identity(%(event)s, %(time)s), event_kind(%(event)s), %(event)s::jsonb::text"
    parameters = {"event": json.dumps(event), "time": event["eventTime"]}
    identity, kind, text = connection.execute(query, parameters).fetchone() or ("", "", "")
    parsed = parse(text.encode())
    assert (identity, kind) == (parsed.identity, parsed.kind.value)


@pytest.mark.parametrize("is_ahead", [False, True])
def test_sql_knows_the_order_of_an_event_and_whether_it_lay_ahead(connection: Connection, is_ahead: bool) -> None:
    event = parse(to_json(EVENTS[0]), is_ahead=is_ahead)
    query = "SELECT made, is_ahead(made) FROM event_order(%s, %s) AS made"
    assert connection.execute(query, [event.identity, is_ahead]).fetchone() == (event.order, is_ahead)


def test_what_is_hostile_is_passed_over(database: Store) -> None:
    """Documents that somebody has put in without `lineage ingest`, as far as Postgres takes them."""
    with database.connect() as connection:
        taken = sum(_is_taken(connection, document.raw) for document in must_quarantine())
    assert taken > 50
    for kind in ("run", "job_version", "dataset_version"):
        assert list(getattr(reading, f"facets_of_{kind}")(database, RUN)) == []


def _is_taken(connection: Connection, document: bytes) -> bool:
    try:
        with connection.transaction():
            connection.execute(
                "INSERT INTO lineage_events (event_time, event, run_uuid)"
                " VALUES (now(), convert_from(%s, 'UTF8')::jsonb, %s)",
                [document, RUN],
            )
    except psycopg.DataError:
        return False
    return True


class TestWhatIsShortAndWrittenLong:
    """50 of them come at a time, so a few stored bytes that are megabytes of text are loaded one by one."""

    def long_event(self) -> Document:
        return run_event(run_id=str(RUN), facets={"long": facet(x=1, numbers=["@"]), "short": facet(x=2)})

    def insert(self, store: Store) -> None:
        numbers = b",".join([b"1e131071"] * 4)
        with store.connect() as connection:
            connection.execute(
                "INSERT INTO lineage_events (event_time, event, run_uuid)"
                " VALUES (%s, convert_from(%b, 'UTF8')::jsonb, %s)",
                [TIME, to_json(self.long_event()).replace(b'"@"', numbers), RUN],
            )

    def test_a_raw_event_comes_without_its_text(self, database: Store) -> None:
        self.insert(database)
        with stored.snapshot(database) as connection:
            (waiting,) = stored.waiting_events(connection, FacetsOf.RUN, RUN)
            assert waiting.text is None
            assert len(stored.text(connection, waiting)) > 4 * 131_072

    def test_a_stored_facet_comes_without_its_content(self, database: Store) -> None:
        self.insert(database)
        normalize(database, SerialRunner())
        with stored.snapshot(database) as connection:
            found = list(stored.stored_facets(connection, FacetsOf.RUN, RUN))
            assert [(one.name, one.content is None) for one in found] == [("long", True), ("short", False)]
            assert len(stored.content(connection, found[0])) > 4 * 131_072
