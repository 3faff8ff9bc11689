"""What `lineage impact` asks of the store is found by index, however long a chain of datasets is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lineage_core import statements
from lineage_core.postgres.store import Store
from lineage_core.reading.store import snapshot
from tests.support.impact_runs import drop, run
from tests.support.query_plans import tables_read_whole
from tests.support.servers import Databases
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

LARGE = {"column_lineage_inputs", "dataset_column_lineages", "dataset_fields", "dataset_versions", "job_edges"} | {
    "job_version_timeline",
    "jobs",
}
"""Tables that grow with the events, so that no question may read them whole."""


@pytest.fixture(scope="module")
def filled(databases: Databases, _template: str) -> Iterator[Store]:
    """So many rows that the planner has a reason to choose."""
    some = [
        run(f"job {number}", f"d{number}", f"d{number + 1}", takes={f"d{number + 1}": {"a": f"d{number}.a"}})
        for number in range(300)
    ]
    with databases.copied(_template) as store:
        take_in(store, some)
        with store.connect(autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        yield store


def test_a_long_chain_is_walked_whole(filled: Store) -> None:
    found = drop(filled, "a", name="d240")
    assert (found.complete, found.counts.broken, max(one.hops for one in found.consumers)) == (True, 60, 60)


@pytest.mark.parametrize("statement", statements.names("answers/impact"))
def test_every_lookup_is_by_index(filled: Store, statement: str) -> None:
    with snapshot(filled) as connection:
        datasets = [one for (one,) in connection.execute("SELECT uuid FROM datasets LIMIT 3")]
        jobs = [one for (one,) in connection.execute("SELECT uuid FROM jobs LIMIT 3")]
        asked = {"datasets": datasets, "jobs": jobs, "dataset": datasets[0], "column": "a", "most": 1000}
        explained = f"EXPLAIN (FORMAT JSON) {statements.named(f'answers/impact/{statement}')}"
        ((plan,),) = connection.execute(explained.encode(), asked).fetchall()
    assert tables_read_whole(plan) & LARGE == set()
