"""Where the database has pg_trgm, names are found by index: the same names, and similar ones where there are none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from lineage_core.answers.graph.model import NodeKind
from lineage_core.answers.search import similar
from lineage_core.answers.search.place import SearchPlace
from lineage_core.answers.search.search import MOST_USES, PUT_IN_ORDER, SearchAnswer, found_statement, search
from lineage_core.cli import main
from lineage_core.local.postgres import Server
from lineage_core.local.postgres_cluster import SUPERUSER
from lineage_core.operate import whole_store
from lineage_core.own_lineage.datasets import OWN_NAMESPACE
from lineage_core.postgres.connection import connect
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.store import Store
from lineage_core.postgres.trigrams import INDEXES, MAKING, pattern_of
from lineage_core.reading.store import snapshot
from lineage_core.testing import dataset, named_job, run_event
from tests.support.served_pages import client
from tests.support.servers import reader_login
from tests.support.stores import rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.other_server]

HERE = "postgres://shop:5432"
NAMES = ["public.customers", "Public.Orders", "daily_orders", "back%orders", "back_orders", "back\\orders", "ΟΔΟΣΑ.ord"]
NAMES += ["Århus_orders", "İzmir.ORDERS", "straße_ord", "or", "ord", "a-b_c.d", "日本語_orders"]
COLUMNS = [("customer_id", "INT"), ("Customer_ID", "TEXT"), ("order%", "INT"), ("ΣΑΣ", "INT")]
TEXTS = ["ord", "ORDERS", "or", "o", "k%o", "k_orders", "k\\ord", "%", "_", "\\", "a-b", "-b_", "ΟΔΟΣ", "οδοσ", "Σ"]
TEXTS += [
    "izmir",
    "İzmir",
    "ıZMIR",
    "ße_ord",
    "日本語",
    "本語_orders",
    "århus",
    "public.",
    "c.d",
    "cust",
    "ID",
    "zebra",
]
TEXTS += ["'", "{}", "order%", "s" * 300]


@pytest.fixture(autouse=True)
def _server_has_trigrams(postgres_server: Server) -> None:
    if "pg_trgm" not in postgres_server.run_sql("SELECT name FROM pg_available_extensions;"):
        pytest.skip("The server has no pg_trgm; the second version of the tests has it")


@pytest.fixture
def named(database: Store) -> Store:
    _name_things(database)
    return database


@pytest.fixture
def found_by_index(named: Store) -> Store:
    _make_trigrams(named)
    return named


def _name_things(store: Store) -> None:
    read = [dataset(name, HERE) for name in NAMES[::2]]
    made = [dataset(name, HERE, fields=COLUMNS) for name in NAMES]
    own = dataset("public.customers", OWN_NAMESPACE, fields=[("orddrs", "INT")])
    take_in(store, [run_event("COMPLETE", job=named_job(f"load.{name}"), inputs=read, outputs=made) for name in NAMES])
    take_in(store, [run_event("COMPLETE", job=named_job("own"), inputs=[own])])


def _make_trigrams(store: Store, *, schema: str = "public") -> list[str]:
    """The extension as the owner of the database makes it, and the upgrade behind it."""
    with store.connect() as connection:
        connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"'.encode())
        connection.execute(f'CREATE EXTENSION pg_trgm SCHEMA "{schema}"'.encode())
    return _upgraded(store)


def _upgraded(store: Store) -> list[str]:
    """What an upgrade says of trigrams; and not of the roles that all stores of the tests share."""
    return [sentence for sentence in whole_store.upgrade(store) if "trigram" in sentence]


def _drop(store: Store, index: str) -> None:
    with store.connect() as connection:
        connection.execute(f"DROP INDEX {index}".encode())


def _indexes(store: Store) -> set[str]:
    found = rows(store, "SELECT indexrelid::regclass::text FROM pg_index WHERE indisvalid")
    return {name for (name,) in found} & INDEXES.keys()


def test_an_upgrade_makes_the_indexes_once_where_the_extension_is(named: Store) -> None:
    assert _indexes(named) == set()
    assert whole_store.differences(named) == _upgraded(named) == []
    made = _make_trigrams(named)
    assert [sentence for sentence in made if all(name in sentence for name in INDEXES)] == made
    assert _indexes(named) == INDEXES.keys()
    assert whole_store.differences(named) == _upgraded(named) == []


def test_a_missing_or_half_built_index_is_named_and_the_upgrade_makes_it_again(
    found_by_index: Store, postgres_server: Server
) -> None:
    _drop(found_by_index, "jobs_trigram_index")
    database = rows(found_by_index, "SELECT current_database()")[0][0]
    with connect(postgres_server.dsn(SUPERUSER, database)) as connection:
        half = "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'dataset_fields_trigram_index'::regclass"
        connection.execute(half.encode())
    found = whole_store.differences(found_by_index)
    assert [difference.split()[1] for difference in found] == ["jobs_trigram_index", "dataset_fields_trigram_index"]
    assert "lineage db upgrade" in whole_store.what_helps(found_by_index)
    assert not search(found_by_index, "orders").by_trigrams
    assert len(_upgraded(found_by_index)) == 1
    assert whole_store.differences(found_by_index) == []
    assert _indexes(found_by_index) == INDEXES.keys()


def test_what_another_makes_is_left_to_it(found_by_index: Store) -> None:
    _drop(found_by_index, "jobs_trigram_index")
    with held_lease(found_by_index, MAKING):
        assert _upgraded(found_by_index) == []
    assert "jobs_trigram_index" not in _indexes(found_by_index)
    assert len(_upgraded(found_by_index)) == 1


def test_another_index_under_the_name_is_a_difference(found_by_index: Store) -> None:
    _drop(found_by_index, "jobs_trigram_index")
    with found_by_index.connect() as connection:
        connection.execute("CREATE INDEX jobs_trigram_index ON jobs (description)")
    (found,) = whole_store.differences(found_by_index)
    assert found.startswith("index jobs_trigram_index is CREATE INDEX jobs_trigram_index ON jobs USING btree (desc")


def test_the_indexes_go_with_the_extension(found_by_index: Store) -> None:
    with found_by_index.connect() as connection:
        connection.execute("DROP EXTENSION pg_trgm CASCADE")
    assert _indexes(found_by_index) == set()
    assert whole_store.differences(found_by_index) == _upgraded(found_by_index) == []
    assert not search(found_by_index, "orders").by_trigrams
    assert search(found_by_index, "custmers").similar == ()


def test_the_extension_may_be_in_another_schema(named: Store, postgres_server: Server) -> None:
    _make_trigrams(named, schema='other "Place'.replace('"', '""'))
    assert _indexes(named) == INDEXES.keys()
    assert whole_store.differences(named) == _upgraded(named) == []
    assert search(named, "custmers", kinds=[NodeKind.DATASET]).similar[0].name == "public.customers"
    reader = reader_login(postgres_server, named)
    found = search(reader, "orders")
    assert found.found == search(named, "orders").found
    assert found.by_trigrams
    assert search(reader, "custmers").similar == ()
    with named.connect() as connection:
        connection.execute('GRANT USAGE ON SCHEMA "other ""Place" TO lineage_reader')
    assert search(reader, "custmers").similar == search(named, "custmers").similar != ()


def test_answers_are_the_same_by_index(named: Store, localized_databases: dict[str, Store]) -> None:
    for store in localized_databases.values():
        _name_things(store)
    assert {"da-DK", "tr-TR"} <= localized_databases.keys()
    for store in (named, *localized_databases.values()):
        without = {text: [*_pages(store, text)] for text in TEXTS}
        _make_trigrams(store)
        for text in TEXTS:
            by_index = [*_pages(store, text)]
            assert all(page.by_trigrams for page in by_index)
            assert [replace(page, by_trigrams=False, similar=()) for page in by_index] == without[text]
        assert sum(page.found != () for pages in without.values() for page in pages) > len(TEXTS)


def _pages(store: Store, text: str) -> Iterator[SearchAnswer]:
    after = None
    while True:
        page = search(store, text, kinds=[*NodeKind], limit=11, after=after, own=True)
        yield page
        if (after := page.next) is None:
            break


@pytest.mark.parametrize(("text", "is_used"), [("ord", True), ("ORDERS", True), ("or", False), ("o_r", False)])
def test_the_index_is_used_for_three_characters_and_not_for_two(
    found_by_index: Store, text: str, is_used: bool
) -> None:
    asked = SearchPlace().parameters() | {
        "text": text,
        "pattern": pattern_of(text),
        "kinds": [kind.value for kind in NodeKind],
        "left_out": OWN_NAMESPACE,
        "window": PUT_IN_ORDER,
        "most_uses": MOST_USES,
        "most": 51,
    }
    explained = f"EXPLAIN (FORMAT JSON) {found_statement(pattern_of(text)).as_string()}"
    with snapshot(found_by_index) as connection:
        ((plan,),) = connection.execute(explained.encode(), asked).fetchall()
    used = {name for name in INDEXES if f'"{name}"' in json.dumps(plan)}
    assert used == (INDEXES.keys() if is_used else set())


def _similar(answer: SearchAnswer) -> list[tuple[str, str, str | None]]:
    return [(one.kind.value, one.name, one.column) for one in answer.similar]


def test_similar_names_are_given_where_nothing_has_the_text(found_by_index: Store) -> None:
    dataset_and_job = [("dataset", "public.customers", None), ("job", "load.public.customers", None)]
    assert _similar(search(found_by_index, "Custmers")) == dataset_and_job
    assert _similar(search(found_by_index, "custmers", kinds=[NodeKind.JOB])) == dataset_and_job[1:]
    by_column = _similar(search(found_by_index, "custommer_id", kinds=[NodeKind.COLUMN]))
    assert len(by_column) == 5
    assert {(kind, column and column.lower()) for kind, _, column in by_column} == {("column", "customer_id")}
    assert _similar(search(found_by_index, "customers")) == []
    assert _similar(search(found_by_index, "qz")) == _similar(search(found_by_index, "zebra")) == []
    assert len(search(found_by_index, "ordres").similar) == 5


def test_what_is_most_similar_comes_first(found_by_index: Store) -> None:
    assert _similar(search(found_by_index, "dayly_orders"))[0] == ("dataset", "daily_orders", None)


MISSPELLED = (
    "custmers",
    "ordres",
    "dayly_orders",
    "costumer_id",
    "publik.customers",
    "pblic.ordrs",
    "zustomers",
    "orderrs",
)


@pytest.mark.parametrize("text", MISSPELLED)
def test_to_look_for_the_most_similar_first_changes_no_answer(
    text: str, found_by_index: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = _similar(search(found_by_index, text))
    monkeypatch.setattr(similar, "LIKENESS", similar.LIKENESS[-1:])
    assert usual == _similar(search(found_by_index, text))


def test_the_misspelled_texts_have_few_similar_names_and_many(
    found_by_index: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that each threshold is the one that counts for some."""
    monkeypatch.setattr(similar, "LIKENESS", similar.LIKENESS[:1])
    found = [len(search(found_by_index, text).similar) for text in MISSPELLED]
    assert min(found) < similar.MOST_SIMILAR
    assert max(found) == similar.MOST_SIMILAR


def test_what_is_hidden_or_the_stores_own_is_not_similar(found_by_index: Store) -> None:
    for text, kind in (("custmers", NodeKind.DATASET), ("ordrs", NodeKind.COLUMN)):
        found = search(found_by_index, text, kinds=[kind])
        with_own = search(found_by_index, text, kinds=[kind], own=True)
        assert {one.namespace for one in found.similar} == {HERE}
        assert len(found.similar) == 1 or kind is NodeKind.COLUMN
        assert OWN_NAMESPACE in {one.namespace for one in with_own.similar}
    with found_by_index.connect() as connection:
        connection.execute("UPDATE datasets SET is_hidden = true WHERE name = 'public.customers'")
        connection.execute("UPDATE jobs SET is_hidden = true WHERE name = 'load.public.customers'")
    assert search(found_by_index, "custmers").similar == ()


def test_settings_of_a_database_change_no_answer(found_by_index: Store, postgres_server: Server) -> None:
    usual = search(found_by_index, "custmers")
    (name,) = rows(found_by_index, "SELECT current_database()")[0]
    postgres_server.run_sql(f"ALTER DATABASE {name} SET pg_trgm.word_similarity_threshold = 1;")
    assert rows(found_by_index, "SHOW pg_trgm.word_similarity_threshold") == [("1",)]
    assert search(found_by_index, "custmers") == usual
    assert usual.similar


def test_the_command_and_the_page_show_similar_names(
    found_by_index: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", found_by_index.dsn)
    with pytest.raises(SystemExit):
        main(["search", "custmers"])
    assert capsys.readouterr().out.splitlines() == [
        "Nothing is named so. Similar names:",
        f"dataset {HERE}  public.customers",
        "job     shop  load.public.customers",
    ]
    asking = client(found_by_index)
    document = asking.get("/api/search", params={"q": "custmers"}).json()
    assert document["similar"][0] == {"kind": "dataset", "namespace": HERE, "name": "public.customers", "column": None}
    shown = asking.get("/search", params={"q": "custmers"}).text
    assert "Similar names" in shown
    assert "name=public.customers" in shown
    assert "pg_trgm" not in shown
