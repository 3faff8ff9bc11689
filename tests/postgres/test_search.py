"""What has a text in its name: in which order, page by page, and never what is hidden."""

from __future__ import annotations

import json

import pytest

from lineage_core.answers.graph.model import NodeKind
from lineage_core.answers.search.search import FoundName, SearchAnswer, search
from lineage_core.cli import main
from lineage_core.errors import WrongUsage
from lineage_core.own_lineage.datasets import inputs
from lineage_core.postgres.store import Store
from lineage_core.testing import dataset, named_job, run_event
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

HERE = "postgres://shop:5432"
NAMES = ["Orders", "orders_of_today", "daily orders", "backorders", "customers"]


@pytest.fixture
def named(database: Store) -> Store:
    outputs = [dataset(name, HERE, fields=[("order_id", "INT"), ("name", "TEXT")]) for name in NAMES]
    take_in(database, [run_event("COMPLETE", job=named_job("load_orders"), outputs=outputs)])
    return database


def names(found: SearchAnswer) -> list[str]:
    return [one.column or one.name for one in found.found]


def test_what_is_named_so_comes_first_then_what_begins_so_then_where_a_word_begins_so(named: Store) -> None:
    found = search(named, "ORDERS", kinds=[NodeKind.DATASET])
    assert names(found) == ["Orders", "orders_of_today", "daily orders", "backorders"]
    assert found.complete


def test_jobs_and_columns_are_found_too(named: Store) -> None:
    found = search(named, "order", kinds=[*NodeKind])
    assert FoundName(NodeKind.JOB, "shop", "load_orders", None) in found.found
    assert FoundName(NodeKind.COLUMN, HERE, "customers", "order_id") in found.found
    assert names(search(named, "order", kinds=[NodeKind.JOB])) == ["load_orders"]


def test_pages_have_everything_once_and_in_the_same_order(named: Store) -> None:
    whole, after, pages = search(named, "order", kinds=[*NodeKind]), None, list[FoundName]()
    while True:
        page = search(named, "order", kinds=[*NodeKind], limit=2, after=after)
        pages += page.found
        after = page.next
        if after is None:
            break
        assert not page.complete
    assert pages == list(whole.found)
    assert len(set(pages)) == len(pages) == 10


def test_the_stores_own_tables_are_left_out_unless_they_are_asked_for(
    named: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = [one for one in inputs(named, ["lineage_events", "jobs"])]
    take_in(named, [run_event("COMPLETE", job=named_job("load_orders"), inputs=own)])
    for kinds in ([NodeKind.DATASET], [NodeKind.COLUMN]):
        assert names(search(named, "event", kinds=kinds)) == []
    assert [one.name for one in search(named, "event", own=True).found] == [own[0]["name"]]
    monkeypatch.setenv("LINEAGE_DSN", named.dsn)
    for words, is_shown in (([], False), (["--own"], True)):
        with pytest.raises(SystemExit):
            main(["search", "public.jobs", *words])
        assert ("lineage-store" in capsys.readouterr().out) is is_shown


def test_what_is_hidden_is_not_found(named: Store) -> None:
    with named.connect() as connection:
        connection.execute("UPDATE datasets SET is_hidden = true WHERE name = 'Orders'")
        connection.execute("UPDATE jobs SET is_hidden = true")
    found = search(named, "orders")
    assert names(found) == ["orders_of_today", "daily orders", "backorders"]
    assert "Orders" not in {one.name for one in search(named, "order_id", kinds=[NodeKind.COLUMN]).found}


def test_a_percent_sign_is_a_character_like_others(named: Store) -> None:
    assert search(named, "%").found == search(named, "orders_t").found == ()


@pytest.mark.parametrize("after", ["", "17", "[1]", '["a", 1, "b", "c", "d", "e"]', "no json"])
def test_a_cursor_that_no_answer_gave_is_refused(named: Store, after: str) -> None:
    with pytest.raises(WrongUsage, match="is no cursor"):
        search(named, "order", after=after)


def test_an_empty_text_is_refused(named: Store) -> None:
    with pytest.raises(WrongUsage, match="a part of a name"):
        search(named, "  ")


def test_the_command_says_what_it_found(
    named: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", named.dsn)

    def printed(*words: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["search", *words])
        assert ended.value.code == 0
        return capsys.readouterr().out

    found = json.loads(printed("orders", "--kind", "dataset", "--limit", "1", "--json"))
    assert found["found"] == [{"kind": "dataset", "namespace": HERE, "name": "Orders", "column": None}]
    assert not found["complete"]
    assert "orders_of_today" in printed("orders", "--after", found["next"])
    assert printed("nothing is named so") == "Nothing is named so.\n"
