"""What has a text in its name: in which order, page by page, and never what is hidden."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from lineage_core import statements
from lineage_core.answers.graph.model import NodeKind
from lineage_core.answers.search.search import FoundName, SearchAnswer, found_statement, search
from lineage_core.cli import main
from lineage_core.errors import WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.operate import whole_store
from lineage_core.own_lineage.datasets import inputs
from lineage_core.postgres.store import Store
from lineage_core.postgres.trigrams import pattern_of
from lineage_core.testing import TIME, dataset, dataset_event, named_job, run_event
from tests.support.served_pages import client
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
    assert FoundName(NodeKind.JOB, "shop", "load_orders", None, TIME, 1) in found.found
    assert FoundName(NodeKind.COLUMN, HERE, "customers", "order_id", TIME, 0) in found.found
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


@pytest.fixture
def _server_has_no_trigrams(postgres_server: Server) -> None:
    if "pg_trgm" in postgres_server.run_sql("SELECT name FROM pg_available_extensions;"):
        pytest.skip("The server has pg_trgm: test_trigrams.py")


@pytest.mark.usefixtures("_server_has_no_trigrams")
def test_without_trigrams_there_are_no_similar_names_and_the_command_and_the_page_say_so(
    named: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = search(named, "custmers")
    assert (answer.by_trigrams, answer.similar, answer.complete) == (False, (), True)
    assert whole_store.differences(named) == []
    monkeypatch.setenv("LINEAGE_DSN", named.dsn)
    with pytest.raises(SystemExit):
        main(["search", "custmers"])
    assert capsys.readouterr().out.splitlines() == [
        "Nothing is named so.",
        "Similar names are found only in a database with the extension pg_trgm.",
    ]
    assert "with the extension pg_trgm" in client(named).get("/search", params={"q": "custmers"}).text
    assert "pg_trgm" not in client(named).get("/search", params={"q": "customers"}).text


def test_without_trigrams_every_name_is_compared_with_the_text_alone() -> None:
    by_text = statements.named("answers/search/named").format(fits=HAS_TEXT)
    assert found_statement(None).as_string() == statements.named("answers/search/found").format(named=by_text)
    by_index = found_statement("%order%").as_string()
    assert by_index.count("LIKE %(pattern)s") == by_index.count(HAS_TEXT.strip()) == 3


HAS_TEXT = 'strpos(lower(name COLLATE "C"), (SELECT text FROM sought)) > 0\n'


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("ord", "%ord%"),
        ("Public.ORDERS", "%public.orders%"),
        ("50%_a\\bcd", "%50\\%\\_a\\\\bcd%"),
        ("straße_ord", "%e\\_ord%"),
        ("or", None),
        ("a_b.c-d", None),
        ("ΟΔΟΣ", None),
        ("", None),
        ("x" * 101, f"%{'x' * 100}%"),
    ],
)
def test_what_is_looked_up_by_trigrams_is_ascii_with_three_letters_or_digits_in_a_row(
    text: str, pattern: str | None
) -> None:
    assert pattern_of(text) == pattern


def test_a_percent_sign_is_a_character_like_others(named: Store) -> None:
    assert search(named, "%").found == search(named, "orders_t").found == ()


def test_what_had_an_event_last_comes_first_and_of_one_day_what_is_used_most(database: Store) -> None:
    names_of_day = {"orders_1": 0, "orders_2": 3, "orders_3": 3, "orders_44": 3, "my_orders": 5}
    take_in(
        database,
        [
            dataset_event(
                dataset(name, HERE, fields=[("order_id", "INT")]), time=TIME + timedelta(days=day, minutes=-at)
            )
            for at, (name, day) in enumerate(names_of_day.items())
        ],
    )
    take_in(database, [_reading("a", "orders_3", 0), _reading("b", "orders_44", 0), _reading("c", "orders_44", 1)])
    found = search(database, "orders", kinds=[NodeKind.DATASET])
    assert [(one.name, one.uses) for one in found.found] == [
        ("orders_44", 2),
        ("orders_3", 1),
        ("orders_2", 0),
        ("orders_1", 0),
        ("my_orders", 0),
    ]
    columns = search(database, "order_id", kinds=[NodeKind.COLUMN]).found
    assert [one.name for one in columns] == ["my_orders", "orders_44", "orders_3", "orders_2", "orders_1"]


def _reading(job: str, name: str, minutes: int) -> dict[str, Any]:
    read = dataset(name, HERE)
    run = f"0190a0a0-0000-7000-8000-00000000000{job}"
    return run_event("COMPLETE", run_id=run, time=TIME + timedelta(minutes=minutes), job=named_job(job), inputs=[read])


def _goes_on(within: list[Any]) -> str:
    until = [0, "dataset", "0190a0a0-0000-7000-8000-000000000001", "b"]
    return json.dumps({"behind": None, "until": until, "within": within})


@pytest.mark.parametrize(
    "after",
    [
        "",
        "17",
        "[1]",
        "no json",
        "{}",
        '{"behind": null, "within": null}',
        '{"behind": null, "until": null, "within": [0]}',
        '{"behind": null, "until": null, "within": [0, 0, 1, "dataset", "b", "c", ""]}',
        _goes_on([0, 0, 99999999999, "dataset", "b", "c", ""]),
        _goes_on([0, 0, True, "dataset", "b", "c", ""]),
        _goes_on([0, 0, 1, "dataset", "b", "a\0", ""]),
        _goes_on([0, 0, 1, "dataset", "b", "a\ud800", ""]),
        '{"behind": [0, "dataset", "no uuid", "b"], "until": null, "within": null}',
    ],
)
def test_a_cursor_that_no_answer_gave_is_refused(named: Store, after: str) -> None:
    with pytest.raises(WrongUsage, match="is no cursor"):
        search(named, "order", after=after)


def test_a_cursor_from_before_an_upgrade_says_that_it_is_one(named: Store) -> None:
    with pytest.raises(WrongUsage, match=r"of an earlier release.*Search anew"):
        search(named, "order", after='[1, 16, "orders_of_today", "dataset", "postgres://shop:5432", "orders_of_today"]')


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
    of_it = {"kind": "dataset", "namespace": HERE, "name": "Orders", "column": None}
    assert found["found"] == [of_it | {"updated_at": TIME.isoformat(), "uses": 0}]
    assert found["in_one_order"]
    assert not found["complete"]
    assert "orders_of_today" in printed("orders", "--after", found["next"])
    assert printed("nothing is named so").splitlines()[0] == "Nothing is named so."
