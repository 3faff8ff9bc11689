"""What `lineage affected` asks of the store is found by index, however large the store is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lineage_core import statements
from lineage_core.postgres.store import Store
from lineage_core.reading.store import snapshot
from lineage_core.testing import TIME, dataset, dataset_event
from tests.support.affected_runs import FIELDS, NAMESPACE, from_column, ran
from tests.support.query_plans import tables_read_whole
from tests.support.servers import Databases
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

LARGE = {
    "column_lineage_lists",
    "column_pairs_to_move",
    "column_lineage_versions",
    "dataset_fields",
    "dataset_mentions",
    "dataset_versions",
    "event_ledger",
    "facet_sets",
    "facets",
    "runs",
    "runs_input_mapping",
}
"""Tables that grow with the events, so that no question may read them whole."""


@pytest.fixture(scope="module")
def filled(databases: Databases, _template: str) -> Iterator[Store]:
    """So many rows that the planner has a reason to choose."""
    made_of = {"a": from_column("raw", "a")}
    some = [one for number in range(1, 400) for one in ran(number, reads="raw", writes="raw", made_of=made_of)]
    with databases.copied(_template) as store:
        take_in(store, [*some, dataset_event(dataset("raw", NAMESPACE, fields=FIELDS))])
        with store.connect(autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        yield store


@pytest.mark.parametrize("statement", statements.names("answers/affected"))
def test_every_lookup_is_by_index(filled: Store, statement: str) -> None:
    with snapshot(filled) as connection:
        keys = [one for (one,) in connection.execute("SELECT uuid FROM runs LIMIT 3")]
        lists = ("runs", "versions", "lists", "columns")
        parameters = dict.fromkeys(lists, keys) | dict.fromkeys(("run", "version"), keys[0])
        explained = f"EXPLAIN (FORMAT JSON) {statements.named(f'answers/affected/{statement}')}"
        ((plan,),) = connection.execute(explained.encode(), parameters | {"most": 3, "since": TIME}).fetchall()
    assert tables_read_whole(plan) & LARGE == set()
