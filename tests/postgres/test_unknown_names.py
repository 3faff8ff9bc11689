"""Who names something that the store does not know learns what is nearest to it."""

from __future__ import annotations

from uuid import UUID

import pytest

from lineage_core.answers.affected.question import affected_by_run
from lineage_core.answers.explain.explained_run import explain
from lineage_core.answers.graph.graph import graph_of
from lineage_core.answers.graph.model import NodeKind, Root
from lineage_core.cli import main
from lineage_core.errors import WrongUsage
from lineage_core.namespaces import own
from lineage_core.postgres.store import Store
from lineage_core.reading.schema_history import schema_history
from lineage_core.streams.registry import registered
from lineage_core.streams.store.switches import stream_named
from lineage_core.testing import dataset, run_event
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

RUN = UUID("0190a0a0-1111-7000-8000-000000000001")
FAR = UUID("5190a0a0-1111-7000-8000-000000000001")


@pytest.fixture
def store(database: Store) -> Store:
    """The job `load` of the namespace `shop`, which has written the dataset `orders`."""
    take_in(database, [run_event(run_id=str(uuid), outputs=[dataset("orders", "shop")]) for uuid in (RUN, FAR)])
    return database


@pytest.mark.parametrize(
    ("kind", "namespace", "name", "nearest"),
    [
        (NodeKind.DATASET, "shop", "order", "'orders'"),
        (NodeKind.DATASET, "shpo", "orders", "namespace 'shpo'. The nearest name is 'shop'"),
        (NodeKind.JOB, "shop", "laod", "'load'"),
    ],
)
def test_of_a_name_in_a_graph(store: Store, kind: NodeKind, namespace: str, name: str, nearest: str) -> None:
    with pytest.raises(WrongUsage, match=nearest):
        graph_of(store, Root(kind, namespace, name))


def test_of_a_dataset_whose_schemas_are_asked_for(store: Store) -> None:
    with pytest.raises(WrongUsage, match="The nearest name is 'orders'"):
        schema_history(store, "shop", "ordres")
    with pytest.raises(WrongUsage, match="`lineage search` finds"):
        schema_history(store, "shop", "xyz")


def test_of_a_namespace_that_is_to_have_an_owner(store: Store) -> None:
    with pytest.raises(WrongUsage, match="The nearest name is 'shop'"):
        own(store, "shops", "ann")


@pytest.mark.parametrize("command", ["run", "plan", "verify", "status"])
def test_of_a_migration(
    store: Store, command: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """In one line, also where another thread looks how far it is."""
    monkeypatch.setenv("LINEAGE_DSN", store.dsn)
    with pytest.raises(SystemExit) as ended:
        main(["migration", command, "schema-version"])
    assert ended.value.code == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert "no long migration 'schema-version'" in line
    assert "schema-versions" in line


@pytest.mark.parametrize("ask", [explain, affected_by_run])
def test_of_a_run_with_a_digit_that_is_wrong(store: Store, ask: object) -> None:
    assert callable(ask)
    for wrong in (UUID(int=RUN.int - 1), UUID(int=RUN.int + 0x7000)):
        with pytest.raises(WrongUsage, match=f"The run whose uuid is nearest is {RUN}"):
            ask(store, wrong)


def test_a_run_that_is_like_none_has_no_nearest(store: Store) -> None:
    with pytest.raises(WrongUsage) as refused:
        explain(store, UUID("9990a0a0-1111-7000-8000-000000000001"))
    assert "nearest" not in str(refused.value)


def test_of_a_stream(store: Store) -> None:
    with pytest.raises(WrongUsage, match="The nearest name is 'datasets'"):
        stream_named("dataset")
    with pytest.raises(WrongUsage, match="The nearest name is 'datasets'"):
        registered(store, "datset")
