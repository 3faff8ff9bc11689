"""A hop of a lineage graph looks at what it leads to, however much leads the other way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lineage_core import statements
from lineage_core.answers.graph.model import NodeKind, Root
from lineage_core.answers.graph.orders import END
from lineage_core.answers.graph.store import root_place
from lineage_core.openlineage.events import Role
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import composed, execute
from lineage_core.reading.store import snapshot
from tests.support.impact_runs import NAMESPACE, run
from tests.support.query_plans import plan_nodes
from tests.support.servers import Databases
from tests.support.stores import take_in

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

READERS = 400


@pytest.fixture(scope="module")
def filled(databases: Databases, _template: str) -> Iterator[Store]:
    """A dataset that one job writes and very many read, beside as many others."""
    others = [run(f"copy {number}", f"from {number}", f"to {number}") for number in range(READERS)]
    readers = [run(f"read {number}", "popular") for number in range(READERS)]
    with databases.copied(_template) as store:
        take_in(store, [run("load", writes="popular"), *readers, *others])
        with store.connect(autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        yield store


@pytest.mark.parametrize(("role", "most"), [(Role.OUTPUT, 1), (Role.INPUT, READERS)])
def test_who_wrote_a_dataset_is_found_without_a_look_at_who_reads_it(filled: Store, role: Role, most: int) -> None:
    with snapshot(filled) as connection:
        execute(connection, "answers/graph/settings")
        place = root_place(connection, Root(NodeKind.DATASET, NAMESPACE, "popular"))
        statement = composed("answers/graph/edges", stored=composed("answers/graph/of_datasets"))
        asked: dict[str, Any] = {"asked": [place.uuid], "role": role.value, "before": END, "most": 1000}
        explained = b"EXPLAIN (ANALYZE, FORMAT JSON) " + statement.as_bytes(connection)
        ((plan,),) = connection.execute(explained, asked).fetchall()
    looked_at = sum(
        (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
        for node in plan_nodes(plan)
        if node.get("Relation Name") == "job_edges"
    )
    assert looked_at == most


@pytest.mark.parametrize("statement", ["earlier_names", "stated_names", "called_otherwise"])
def test_spans_of_a_name_are_asked_for_by_role(filled: Store, statement: str) -> None:
    """Without it the index would be read from the first span that the name ever had."""
    with snapshot(filled) as connection:
        execute(connection, "answers/graph/settings")
        place = root_place(connection, Root(NodeKind.DATASET, NAMESPACE, "popular"))
        asked: dict[str, Any] = {"since": END, "until": END}
        asked["asked"] = place.uuid if statement == "earlier_names" else [place.uuid]
        explained = f"EXPLAIN (FORMAT JSON) {statements.named(f'answers/graph/{statement}')}"
        ((plan,),) = connection.execute(explained.encode(), asked).fetchall()
    scans = [node["Index Cond"] for node in plan_nodes(plan) if node.get("Index Name") == "job_edges_name_index"]
    assert scans
    assert all("role = " in scan and "until_event >= " in scan for scan in scans)
