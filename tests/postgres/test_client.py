"""The client for notebooks: tables with types, never without what they lack, and the page that shows it."""

from __future__ import annotations

import builtins
import json
import re
from datetime import UTC
from pathlib import Path
from typing import Any
from uuid import UUID
from xml.etree import ElementTree

import pyarrow
import pytest

from lineage_core.answers.graph.model import NodeKind
from lineage_core.client import Client, ClientAnswer
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT
from lineage_core.testing import TIME
from tests.postgres.test_graph import CHAIN, SHOP, at, ran, run_of
from tests.support.asked_commands import reader_dsn
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

CONTRACT = """
kind: DataContract
apiVersion: v3.0.2
schema: [{name: clean, properties: [{name: key, logicalType: integer}]}]
"""
MANIFEST = json.dumps(
    {"nodes": {"model.clean": {"name": "clean", "resource_type": "model", "columns": {"key": {"name": "key"}}}}}
)
CLEAN = (SHOP, "clean")
RUN = run_of("load", 0)
PAGE = PROJECT / "docs" / "how-to" / "ask-from-a-notebook.md"
DSN = '"postgresql://me@db.example/lineage"'
HOSTILE = "<script>alert(1)</script>\u202e&\"'"


@pytest.fixture
def client(database: Store, postgres_server: Server) -> Client:
    """By a login that has the role lineage_reader alone."""
    take_in(database, CHAIN)
    return Client(reader_dsn(postgres_server, database))


def test_the_page_runs_as_it_is_written(database: Store, postgres_server: Server) -> None:
    take_in(database, [ran("load", 0, "raw", "orders"), ran("sum", 1, "orders", "sums")])
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    code = "".join(blocks)
    assert DSN in code
    names: dict[str, Any] = {"run": RUN}
    exec(code.replace(DSN, repr(reader_dsn(postgres_server, database))), names)
    assert [one.name for one in names["found"]] == ["orders"]
    assert (names["edges"].num_rows, len(names["lasting"])) == (4, 4)
    assert names["broken"].column("job").to_pylist() == ["shop/sum"]
    assert names["runs"].column("run").to_pylist() == [run_of("sum", 1)]
    assert names["bad"].complete


def test_tables_have_the_rows_of_the_answer_and_say_whether_it_is_whole(client: Client) -> None:
    graph = client.graph(dataset=CLEAN, runs=True)
    tables = graph.to_arrow()
    assert tables["nodes"].column("id").to_pylist() == [node.id for node in graph.value.nodes]
    assert [edge["run"] for edge in tables["edges"].to_pylist()] == [edge.run for edge in graph.value.edges]
    assert tables["edges"].schema.field("since").type == pyarrow.timestamp("us", "UTC")
    assert tables["edges"].column("since").to_pylist()[0].tzinfo is not None
    cut = client.graph(dataset=CLEAN, limit=2)
    rest = json.loads(cut.to_arrow()["edges"].schema.metadata[b"lineage"])
    assert (rest["complete"], rest["next"]) == (False, cut.value.next)
    assert not cut.complete


def test_every_answer_has_tables_with_and_without_rows(client: Client) -> None:
    answers: list[tuple[ClientAnswer[Any], ClientAnswer[Any]]] = [
        (client.search("clean", kinds=["dataset", NodeKind.COLUMN]), client.search("no such name")),
        (client.graph(job=(SHOP, "sum"), directions=["up"]), client.graph(dataset=CLEAN, at=at(-5))),
        (client.graph_diff(at(0.5), at(1.5), dataset=CLEAN), client.graph_diff(at(3), at(4), dataset=CLEAN)),
        (client.impact(CLEAN, drop=["id"]), client.impact((SHOP, "sums"), rename={"id": "key"})),
        (client.explain(RUN), client.explain(UUID(RUN), limit=1)),
        (client.affected(run=RUN), client.affected(run=run_of("show", 2))),
    ]
    for full, empty in answers:
        filled, bare = full.to_arrow(), empty.to_arrow()
        assert {name: table.schema.remove_metadata() for name, table in filled.items()} == {
            name: table.schema.remove_metadata() for name, table in bare.items()
        }
        for name, table in filled.items():
            assert table.num_rows == len(full.document[name])
        assert {name: len(frame) for name, frame in full.to_pandas().items()} == {
            name: table.num_rows for name, table in filled.items()
        }


def test_a_moment_without_a_zone_is_in_utc(client: Client) -> None:
    moment = TIME.astimezone(UTC)
    for given in (moment, moment.replace(tzinfo=None), moment.replace(tzinfo=None).isoformat()):
        assert client.graph(dataset=CLEAN, at=given).value.at == moment


def test_a_contract_or_a_manifest_is_given_as_a_file_or_as_its_text(client: Client, tmp_path: Path) -> None:
    dropped = client.impact(CLEAN, drop=["id"]).document["consumers"]
    for option, text in (("contract", CONTRACT), ("dbt_manifest", MANIFEST)):
        file = tmp_path / option
        file.write_text(text)
        given: dict[str, Any]
        for given in ({option: text}, {option: file}):
            assert client.impact(**given, namespace=SHOP).document["consumers"] == dropped


def test_what_does_not_fit_together_is_refused(client: Client) -> None:
    with pytest.raises(WrongUsage, match="Name one thing"):
        client.graph(dataset=CLEAN, job=CLEAN)
    with pytest.raises(WrongUsage, match="directions are up, down"):
        client.graph(dataset=CLEAN, directions=["sideways"])
    with pytest.raises(WrongUsage, match="is no uuid"):
        client.explain("no uuid")
    with pytest.raises(WrongUsage, match="Say what changes"):
        client.impact(CLEAN)
    with pytest.raises(WrongUsage, match="Say what changes"):
        client.impact(CLEAN, drop=["id"], contract=CONTRACT)
    with pytest.raises(WrongUsage, match="with the namespace"):
        client.impact(contract=CONTRACT)
    with pytest.raises(WrongUsage, match="The text is no manifest"):
        client.impact(dbt_manifest="{}", namespace=SHOP)
    with pytest.raises(WrongUsage, match="not both"):
        client.affected()
    with pytest.raises(WrongUsage, match=r"drop=\['key'\]"):
        client.impact(CLEAN, drop="key")


def test_numbers_that_are_too_small_are_wrong_usage(client: Client) -> None:
    with pytest.raises(WrongUsage, match="limit 0"):
        client.impact(CLEAN, drop=["key"], limit=0)
    with pytest.raises(WrongUsage, match="depth 0"):
        client.impact(CLEAN, drop=["key"], depth=0)
    with pytest.raises(WrongUsage, match="limit 0"):
        client.affected(run=RUN, limit=0)
    with pytest.raises(WrongUsage, match="limit 0"):
        client.explain(RUN, limit=0)
    with pytest.raises(WrongUsage, match="hops -1"):
        client.explain(RUN, hops=-1)


def test_without_pandas_the_error_names_what_else_there_is(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return imported(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(NeedsOperator, match="to_arrow"):
        client.search("clean").to_pandas()


def test_a_graph_draws_itself_and_shows_names_as_text(database: Store, client: Client) -> None:
    take_in(database, [ran("odd", 3, "clean", "x")])
    with database.connect() as connection:
        connection.execute("UPDATE datasets SET name = %s WHERE name = 'x'", [HOSTILE])
    graph = client.graph(dataset=CLEAN)
    for drawn in (graph._repr_svg_(), graph._repr_html_()):
        assert "<script" not in drawn
        assert "\u202e" not in drawn
        assert "&lt;script&gt;" in drawn
        ElementTree.fromstring(drawn)
    shown = ElementTree.fromstring(graph._repr_svg_())
    assert len(shown.findall(".//{*}rect")) == len(graph.value.nodes)
    assert len(shown.findall(".//{*}path")) == len(graph.value.edges)
    assert "not complete" not in graph._repr_html_()
    assert "not complete" in client.graph(dataset=CLEAN, limit=2)._repr_svg_()
