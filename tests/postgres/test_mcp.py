"""`lineage mcp`: each answer as a tool, bounded, and never cut without saying so."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent

from lineage_core.answers.affected.question import affected_by_run
from lineage_core.answers.explain.explained_run import explain
from lineage_core.answers.graph.difference import graph_difference
from lineage_core.answers.graph.document import difference_document, graph_document
from lineage_core.answers.graph.graph import graph_of
from lineage_core.answers.graph.model import NodeKind, Root
from lineage_core.answers.impact.impact import impact_of
from lineage_core.answers.impact.model import SchemaToCome
from lineage_core.answers.mcp.fitting import MOST_CHARACTERS
from lineage_core.answers.mcp.server import server_of
from lineage_core.answers.search.document import search_document
from lineage_core.answers.search.search import search
from lineage_core.command_line.results import json_text
from lineage_core.local.postgres import Server
from lineage_core.postgres.reader_store import ReaderStore
from lineage_core.postgres.store import Store
from lineage_core.settings import inherited_environment
from tests.postgres.test_client import CONTRACT, MANIFEST
from tests.postgres.test_graph import CHAIN, SHOP, at, ran, run_of
from tests.support.asked_commands import reader_dsn
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

READERS = 300
"""Jobs that read one dataset: too many for one answer."""

RUN = run_of("load", 0)
CLEAN = {"kind": "dataset", "namespace": SHOP, "name": "clean"}
MOMENTS = {"earlier": at(0.5).isoformat(), "later": at(1.5).isoformat()}
OF_ONE_MOMENT = {"at", "as_of"}
"""Members that differ each time that somebody asks."""

Asked = Callable[[Client], Coroutine[Any, Any, Any]]


@pytest.fixture
def reader(database: Store, postgres_server: Server) -> ReaderStore:
    """By a login that has the role lineage_reader alone."""
    take_in(database, CHAIN)
    return ReaderStore(reader_dsn(postgres_server, database), "lineage mcp")


def asked(server: object, ask: Asked) -> Any:
    async def within() -> Any:
        async with Client(server) as client:  # type: ignore[arg-type]
            return await ask(client)

    return asyncio.run(within())


def called(store: ReaderStore, tool: str, **arguments: Any) -> CallToolResult:
    found = asked(server_of(store), lambda client: client.call_tool(tool, arguments))
    assert isinstance(found, CallToolResult)
    return found


def text_of(found: CallToolResult) -> str:
    (content,) = found.content
    assert isinstance(content, TextContent)
    return content.text


def answer(store: ReaderStore, tool: str, **arguments: Any) -> dict[str, Any]:
    found = called(store, tool, **arguments)
    assert not found.is_error, text_of(found)
    assert len(text_of(found)) <= MOST_CHARACTERS
    document: dict[str, Any] = json.loads(text_of(found))
    assert {"complete", "next", "cut"} <= document.keys()
    return document


def failure(store: ReaderStore, tool: str, **arguments: Any) -> str:
    found = called(store, tool, **arguments)
    assert found.is_error
    return text_of(found)


def plain(document: Mapping[str, Any]) -> dict[str, Any]:
    """As `--json` prints it."""
    found: dict[str, Any] = {"next": None} | json.loads(json_text(document))
    return {name: value for name, value in found.items() if name not in OF_ONE_MOMENT}


def test_every_tool_only_reads_and_says_what_it_is_for(reader: ReaderStore) -> None:
    tools = asked(server_of(reader), lambda client: client.list_tools()).tools
    assert {tool.name for tool in tools} == {"search", "graph", "graph_diff", "impact", "explain", "affected"}
    for tool in tools:
        assert tool.annotations.read_only_hint
        assert tool.description
        assert "self" not in tool.input_schema["properties"]


def test_a_tool_gives_what_the_command_prints(reader: ReaderStore) -> None:
    root = Root(NodeKind.DATASET, SHOP, "clean")
    dropped = SchemaToCome(dropped=("id",))
    expected: dict[str, tuple[dict[str, Any], Mapping[str, Any]]] = {
        "search": ({"text": "clean"}, search_document(search(reader, "clean"))),
        "graph": (CLEAN | {"runs": True}, graph_document(graph_of(reader, root, with_runs=True), with_runs=True)),
        "graph_diff": (CLEAN | MOMENTS, difference_document(graph_difference(reader, root, at(0.5), at(1.5)))),
        "impact": (
            {"namespace": SHOP, "name": "clean", "drop": ["id"]},
            asdict(impact_of(reader, SHOP, "clean", dropped)),
        ),
        "explain": ({"run": RUN}, asdict(explain(reader, UUID(RUN)))),
        "affected": ({"run": RUN}, asdict(affected_by_run(reader, UUID(RUN)))),
    }
    for tool, (arguments, document) in expected.items():
        found = answer(reader, tool, **arguments)
        assert {name: value for name, value in found.items() if name not in {*OF_ONE_MOMENT, "cut"}} == {
            name: value for name, value in plain(document).items() if name != "cut"
        }, tool
        assert found["cut"] == list(document.get("cut", ())), tool


def test_pages_of_a_hub_together_are_the_whole(database: Store, reader: ReaderStore) -> None:
    take_in(database, [ran(f"reader {number}", 3 + number / 1_000, "clean", "") for number in range(READERS)])
    whole = graph_of(database, Root(NodeKind.DATASET, SHOP, "clean"))
    nodes, edges, after, pages = list[str](), list[tuple[str, str]](), None, 0
    while pages == 0 or after is not None:
        page = answer(reader, "graph", **CLEAN, limit=1_000, after=after, depth=20)
        assert not page["complete"]
        nodes += [node["id"] for node in page["nodes"]]
        edges += [(edge["from"], edge["to"]) for edge in page["edges"]]
        after = page["next"]
        pages += 1
    assert pages > 1
    assert sorted(nodes) == sorted(node.id for node in whole.nodes)
    assert sorted(edges) == sorted((edge.from_, edge.to) for edge in whole.edges)


def test_an_answer_without_pages_says_what_it_lacks(database: Store, reader: ReaderStore) -> None:
    take_in(database, [ran(f"reader {number}", 3 + number / 1_000, "clean", "") for number in range(READERS)])
    moments = {"earlier": at(2).isoformat(), "later": at(4).isoformat()}
    found = answer(reader, "graph_diff", **CLEAN, **moments, limit=1_000)
    assert not found["complete"]
    assert any(f"came: only the first {len(found['came'])} of {READERS}" in one for one in found["cut"])


def test_what_all_runs_decide_is_not_lost_by_pages_of_fewer(database: Store, reader: ReaderStore) -> None:
    take_in(database, [ran(f"reader {number}", 3 + number / 100, "clean", f"copy {number}") for number in range(100)])
    whole = answer(reader, "affected", run=RUN, limit=200)
    assert [UUID(one) for one in whole["runs"]] == list(affected_by_run(reader, UUID(RUN)).runs)
    assert (len(whole["runs"]), whole["next"], whole["complete"]) == (102, None, False)
    assert any("columns: only the first" in one for one in whole["cut"])
    page = answer(reader, "affected", run=RUN, limit=10)
    assert (len(page["runs"]), page["columns"], page["complete"]) == (10, [], False)
    assert "reruns" in page["cut"]


def test_a_contract_or_a_manifest_is_given_by_its_text(reader: ReaderStore) -> None:
    by_name = answer(reader, "impact", namespace=SHOP, name="clean", drop=["id"])
    for option, text in (("contract", CONTRACT), ("dbt_manifest", MANIFEST)):
        found = answer(reader, "impact", namespace=SHOP, **{option: text})
        assert found["consumers"] == by_name["consumers"] != []


def test_errors_of_ours_reach_the_agent_by_their_message(reader: ReaderStore) -> None:
    assert "The nearest name is 'clean'" in failure(reader, "graph", **CLEAN | {"name": "claen"})
    assert "is no cursor" in failure(reader, "graph", **CLEAN, after="nowhere")
    assert "Give `column`" in failure(reader, "graph", **CLEAN, column="id")
    assert "not an ISO 8601" in failure(reader, "graph", **CLEAN, at="yesterday")
    assert "Say what changes" in failure(reader, "impact", namespace=SHOP, name="clean")
    assert "Say what changes" in failure(reader, "impact", namespace=SHOP, name="clean", drop=["id"], contract="")
    assert "no data contract" in failure(reader, "impact", namespace=SHOP, contract="kind: none")
    assert "Name a run" in failure(reader, "affected")
    assert "Unknown tool" in failure(reader, "drop_everything")
    assert "run" in failure(reader, "explain", run="no uuid")


def test_what_fails_otherwise_shows_nothing_of_itself(reader: ReaderStore, caplog: pytest.LogCaptureFixture) -> None:
    assert failure(reader, "search", text="a\0b") == "Error executing tool search"


def test_a_store_that_cannot_be_reached_shows_no_secret() -> None:
    store = ReaderStore("postgresql://ann:hidden-word@127.0.0.1:1/nowhere", "lineage mcp")
    found = failure(store, "search", text="clean")
    assert "127.0.0.1" in found
    assert "hidden-word" not in found


def test_a_client_starts_the_command_and_talks_to_it(reader: ReaderStore, tmp_path: Path) -> None:
    command = str(Path(sys.executable).with_name("lineage"))
    environment = inherited_environment() | {"LINEAGE_READER_DSN": reader.dsn, "LINEAGE_DSN": reader.dsn}
    parameters = StdioServerParameters(command=command, args=["mcp"], env=environment, cwd=tmp_path)

    async def ask(client: Client) -> tuple[Any, Any, Any]:
        listed = await client.list_tools()
        return listed, await client.call_tool("graph", CLEAN), await client.call_tool("graph", CLEAN | {"name": "x"})

    listed, found, missing = asked(parameters, ask)
    assert len(listed.tools) == 6
    assert json.loads(text_of(found))["complete"]
    assert missing.is_error
    assert "Traceback" not in text_of(missing)
