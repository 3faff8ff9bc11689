"""Values of a chosen facet: whose events state them, last ones first, each thing once, and never silently in part."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from lineage_core.answers.search import facet_values as searching
from lineage_core.answers.search.facet_values import FacetBearer, FacetValues, facet_values
from lineage_core.cli import main
from lineage_core.errors import WrongUsage
from lineage_core.own_lineage.datasets import OWN_NAMESPACE
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, dataset_event, facet, job_event, named_job, run_event
from tests.support.served_pages import client
from tests.support.stores import rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

RUN = "0190a0a0-0000-7000-8000-{:012}"


def storage(layer: str, **more: Any) -> dict[str, Any]:
    return {"storage": facet(storageLayer=layer, **more)}


def loaded(number: int, layer: str, *, job: str = "load") -> dict[str, Any]:
    made = dataset(f"table_{number}", facets=storage(layer))
    time = TIME + timedelta(hours=number)
    return run_event("COMPLETE", run_id=RUN.format(number), time=time, job=named_job(job), outputs=[made])


def found(answer: FacetValues) -> list[tuple[str, str, str | None]]:
    return [(one.kind.value, one.name, one.value) for one in answer.found]


def test_values_are_found_whatever_bears_the_facet_and_wherever_in_it_they_are(database: Store) -> None:
    event = run_event(
        "COMPLETE",
        job=named_job("load", facets={"mark": facet(note="Gold of jobs")}),
        facets={"mark": facet(deep={"list": [{"note": "gold of runs"}]})},
        inputs=[dataset("raw", input_facets={"mark": facet(weight=7.5, gold="no")})],
        outputs=[dataset("made", facets={"mark": facet(note="goldfinch")}, output_facets={"mark": facet(gold=False)})],
    )
    take_in(
        database,
        [
            event,
            job_event(named_job("declared", facets={"mark": facet(note="GOLD")})),
            dataset_event(dataset("described", facets={"mark": facet(note="marigold")})),
        ],
    )
    answer = facet_values(database, "gold", "mark")
    assert sorted(found(answer)) == [
        ("dataset", "described", "marigold"),
        ("dataset", "made", "goldfinch"),
        ("job", "declared", "GOLD"),
        ("job", "load", "Gold of jobs"),
        ("run", "load", "gold of runs"),
    ]
    assert answer.complete
    assert (answer.events, answer.since) == (3, TIME)
    jobs = facet_values(database, "gold", "mark", kinds=[FacetBearer.JOB])
    assert sorted(found(jobs)) == [("job", "declared", "GOLD"), ("job", "load", "Gold of jobs")]
    assert found(facet_values(database, "7.5", "mark")) == [("dataset", "raw", "7.5")]
    assert found(facet_values(database, "fals", "mark")) == [("dataset", "made", "false")]


def test_neither_other_facets_nor_producers_nor_names_of_members_are_searched(database: Store) -> None:
    take_in(database, [loaded(1, "iceberg")])
    assert found(facet_values(database, "iceberg", "storag")) == []
    assert found(facet_values(database, "storageLayer", "storage")) == []
    assert found(facet_values(database, "http", "storage")) == []
    assert found(facet_values(database, "ICE", "storage")) == [("dataset", "table_1", "iceberg")]


def test_what_a_text_means_to_patterns_and_to_json_means_nothing(database: Store) -> None:
    take_in(database, [loaded(1, '50%_of "a\\b"\nü'), loaded(2, "50 of ab")])
    for text in ("50%_", '"a\\b"', "\\", "\nü"):
        assert [name for _, name, _ in found(facet_values(database, text, "storage"))] == ["table_1"]


def test_the_last_event_counts_and_the_last_ones_come_first(database: Store) -> None:
    take_in(database, [loaded(1, "iceberg"), loaded(2, "iceberg"), loaded(3, "iceberg")])
    changed = run_event("COMPLETE", run_id=RUN.format(9), time=TIME + timedelta(hours=9))
    take_in(database, [changed | {"outputs": [dataset("table_1", facets=storage("iceberg v2"))]}])
    answer = facet_values(database, "iceberg", "storage")
    assert found(answer) == [
        ("dataset", "table_1", "iceberg v2"),
        ("dataset", "table_3", "iceberg"),
        ("dataset", "table_2", "iceberg"),
    ]
    assert answer.found[0].event_time == TIME + timedelta(hours=9)


@pytest.mark.parametrize("at_once", [1, 2, 3, 100])
def test_pages_have_each_thing_that_one_event_states_once(
    database: Store, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(searching, "AT_ONCE", at_once)
    many = [dataset(f"part_{number}", facets=storage("delta")) for number in range(5)]
    wide = run_event("COMPLETE", run_id=RUN.format(50), time=TIME + timedelta(days=1), outputs=many)
    take_in(database, [*(loaded(number, "delta" if number % 2 else "csv") for number in range(8)), wide])
    names, after = list[str](), None
    while True:
        answer = facet_values(database, "delta", "storage", limit=2, after=after)
        assert len(answer.found) <= 2
        names += [one.name for one in answer.found]
        after = answer.next
        assert answer.complete is (after is None)
        if after is None:
            break
    assert sorted(names[:5]) == [f"part_{number}" for number in range(5)]
    assert names[5:] == ["table_7", "table_5", "table_3", "table_1"]


@pytest.mark.parametrize(("at_once", "limit"), [(1, 1), (2, 1), (3, 2), (5, 4), (100, 3), (4, 100)])
def test_however_events_are_looked_at_nothing_is_passed_over(
    database: Store, monkeypatch: pytest.MonkeyPatch, at_once: int, limit: int
) -> None:
    """Events name the same datasets again and again, so that an answer meets many that it has already."""
    monkeypatch.setattr(searching, "AT_ONCE", at_once)
    chance, last = Random(at_once), dict[str, int]()
    events = []
    for number in range(30):
        named = chance.sample(range(9), chance.randint(1, 6))
        layers = {f"table_{one}": chance.choice(["delta", "csv"]) for one in named}
        outputs = [dataset(name, facets=storage(layer)) for name, layer in layers.items()]
        time = TIME + timedelta(hours=number)
        events.append(run_event("COMPLETE", run_id=RUN.format(number), time=time, outputs=outputs))
        last |= {name: number for name, layer in layers.items() if layer == "delta"}
    take_in(database, events)
    met, after = dict[str, datetime](), None
    while True:
        answer = facet_values(database, "delta", "storage", limit=limit, after=after)
        names = [one.name for one in answer.found]
        assert len({*names}) == len(names) <= limit
        for one in answer.found:
            met.setdefault(one.name, one.event_time)
        if (after := answer.next) is None:
            break
    assert met == {name: TIME + timedelta(hours=number) for name, number in last.items()}


def test_an_answer_ends_after_some_events_and_goes_on_behind_them(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "AT_ONCE", 2)
    monkeypatch.setattr(searching, "MOST_EVENTS", 4)
    take_in(database, [loaded(number, "rare" if number == 0 else "csv") for number in range(6)])
    first = facet_values(database, "rare", "storage")
    assert (found(first), first.complete, first.events) == ([], False, 4)
    assert first.since == TIME + timedelta(hours=2)
    behind = facet_values(database, "rare", "storage", after=first.next)
    assert (found(behind), behind.complete, behind.events) == ([("dataset", "table_0", "rare")], True, 2)


def test_a_facet_that_is_too_large_is_named_and_the_answer_is_not_complete(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "LARGEST_SEARCHED", 500)
    large = dataset("large", facets=storage("iceberg", notes=[str(number) * 7 for number in range(900)]))
    take_in(database, [loaded(1, "iceberg"), run_event("COMPLETE", outputs=[large])])
    answer = facet_values(database, "iceberg", "storage")
    assert found(answer) == [("dataset", "table_1", "iceberg")]
    assert [one.name for one in answer.not_searched] == ["large"]
    assert (answer.complete, answer.next) == (False, None)


def test_a_plan_that_runs_keep_once_is_searched(database: Store) -> None:
    plan = {"spark.logicalPlan": facet(plan=[{"class": "SubqueryAlias"}])}
    take_in(database, [run_event("START", facets=plan), run_event("RUNNING", time=TIME + timedelta(hours=1))])
    assert found(facet_values(database, "subquery", "spark.logicalPlan")) == [("run", "load", "SubqueryAlias")]


def test_what_is_hidden_or_of_the_platform_itself_is_not_found(database: Store) -> None:
    own = dataset("runs", OWN_NAMESPACE, facets=storage("own"))
    take_in(database, [loaded(1, "own"), run_event("COMPLETE", run_id=RUN.format(2), outputs=[own])])
    assert found(facet_values(database, "own", "storage")) == [("dataset", "table_1", "own")]
    assert len(facet_values(database, "own", "storage", own=True).found) == 2
    with database.connect() as connection:
        connection.execute("UPDATE datasets SET is_hidden = true WHERE name = 'table_1'")
    assert found(facet_values(database, "own", "storage")) == []


def test_of_a_hidden_job_neither_it_nor_its_runs_are_found(database: Store) -> None:
    marked = {"mark": facet(note="gold")}
    take_in(database, [run_event("COMPLETE", job=named_job("secret", facets=marked), facets=marked)])
    assert [one[0] for one in found(facet_values(database, "gold", "mark"))] == ["job", "run"]
    with database.connect() as connection:
        connection.execute("UPDATE jobs SET is_hidden = true")
    assert found(facet_values(database, "gold", "mark")) == []


def test_a_renamed_job_has_its_present_name(database: Store) -> None:
    take_in(database, [job_event(named_job(name, facets={"mark": facet(note="gold")})) for name in ("old", "new")])
    with database.connect() as connection:
        connection.execute(
            "UPDATE jobs SET symlink_target_uuid = (SELECT uuid FROM jobs WHERE name = 'new') WHERE name = 'old'"
        )
    assert [name for _, name, _ in found(facet_values(database, "gold", "mark"))] == ["new", "new"]


def test_an_answer_that_is_cut_says_how_far_it_has_come(database: Store) -> None:
    take_in(database, [loaded(number, "iceberg") for number in range(30)])
    first = facet_values(database, "iceberg", "storage", limit=2)
    assert (first.events, first.since) == (2, TIME + timedelta(hours=28))
    second = facet_values(database, "iceberg", "storage", limit=2, after=first.next)
    assert [name for _, name, _ in found(second)] == ["table_27", "table_26"]
    assert second.since == TIME + timedelta(hours=26)


def test_a_thing_is_found_by_the_last_event_that_has_the_text(database: Store) -> None:
    take_in(database, [loaded(1, "iceberg"), loaded(2, "csv", job="other")])
    later = run_event("COMPLETE", run_id=RUN.format(9), time=TIME + timedelta(hours=9))
    take_in(database, [later | {"outputs": [dataset("table_1", facets=storage("csv"))]}])
    (one,) = facet_values(database, "iceberg", "storage").found
    assert (one.name, one.event_time) == ("table_1", TIME + timedelta(hours=1))


def test_an_empty_text_an_empty_facet_and_what_is_no_cursor_are_refused(database: Store) -> None:
    for text, key in (("", "storage"), (" ", "storage"), ("x", ""), ("x", " ")):
        with pytest.raises(WrongUsage, match="Say what to search for"):
            facet_values(database, text, key)
    for cursor in (
        "",
        "[]",
        "{}",
        '["zz", "run", "0"]',
        f'["ff", "table", "{RUN.format(1)}"]',
        "[" * 9_000,
        "[1, 2, 3]",
    ):
        with pytest.raises(WrongUsage, match="is no cursor"):
            facet_values(database, "x", "storage", after=cursor)


def test_the_command_shows_values_and_where_to_go_on(
    database: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(database, [loaded(1, "iceberg"), loaded(2, "iceberg")])
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)

    def printed(*words: str, status: int = 0) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["search", "ice", "--facet", "storage", *words])
        assert ended.value.code == status
        written = capsys.readouterr()
        return written.err if status else written.out

    answer = json.loads(printed("--limit", "1", "--json"))
    assert [(one["kind"], one["name"], one["value"], one["run"]) for one in answer["found"]] == [
        ("dataset", "table_2", "iceberg", None)
    ]
    assert "table_1: iceberg" in printed("--after", answer["next"])
    assert "Go on by --after" in printed("--limit", "1")
    assert "Leave out --kind" in printed("--kind", "column", status=2)
    assert "No value" in printed("--kind", "job")


def test_the_page_shows_values_links_to_what_has_them_and_goes_on(database: Store) -> None:
    take_in(
        database, [loaded(1, "iceberg <b>v2</b>"), run_event("COMPLETE", facets={"storage": facet(layer="iceberg")})]
    )
    asking = client(database)
    shown = asking.get("/search", params={"q": "iceberg", "facet": "storage", "limit": 1})
    assert shown.status_code == 200
    assert "iceberg &lt;b&gt;v2&lt;/b&gt;" in shown.text
    assert "name=table_1" in shown.text
    assert 'rel="next"' in shown.text
    whole = asking.get("/api/search", params={"q": "iceberg", "facet": "storage"}).json()
    assert [one["kind"] for one in whole["found"]] == ["dataset", "run"]
    assert f"run={whole['found'][1]['run']}" in asking.get("/search", params={"q": "iceberg", "facet": "storage"}).text
    of_jobs = asking.get("/api/search", params={"q": "iceberg", "facet": "storage", "kind": "job"}).json()
    assert of_jobs["found"] == []
    assert asking.get("/search", params={"q": "iceberg", "facet": "storage", "kind": "tag"}).status_code == 422
    invisible = asking.get("/search", params={"q": "iceberg", "facet": "stor\u200bage"}).text
    assert 'value="stor\u200bage"' in invisible
    nothing = asking.get("/search", params={"q": "parquet", "facet": "storage"}).text
    assert "No value of the facet" in nothing


def test_of_a_purged_run_nothing_is_found(database: Store) -> None:
    take_in(database, [loaded(1, "iceberg")])
    with database.connect() as connection:
        connection.execute("UPDATE event_ledger SET is_purged = true")
        connection.execute("UPDATE dataset_mentions SET is_purged = true")
    assert found(facet_values(database, "iceberg", "storage")) == []
    assert rows(database, "SELECT count(*) FROM facets WHERE name = 'storage'") == [(1,)]
