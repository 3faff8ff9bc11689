"""`lineage impact` as pipelines ask it: formats, exit codes, documents, and what it shows of hostile names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lineage_core.answers.impact.comment import comment_lines
from lineage_core.errors import WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT
from lineage_core.testing import Document
from tests.support import sarif
from tests.support.asked_commands import exit_code, reader_dsn
from tests.support.impact_runs import CLEAN, NAMESPACE, RAW, REPORT, SHOWN, drop, run
from tests.support.servers import Databases
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

HOSTILE = "shop/[x](http://y) |@z\n# <b>`_c_`"
PAGE = PROJECT / "docs" / "how-to" / "see-the-impact-of-a-change.md"


def node(kind: str, name: str, *columns: str, **others: Any) -> Document:
    """A node of a manifest of dbt."""
    listed = {column: {"name": column, "data_type": "int"} for column in columns}
    return {"resource_type": kind, "name": name, "database": None, "schema": None, "columns": listed} | others


MANIFEST = {
    "metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json"},
    "nodes": {
        "model.p.clean": node("model", "clean_v2", "A", alias="clean"),
        "model.p.report": node("model", "report", alias="report"),
        "model.p.late": node("model", "late", "x", alias="late", database="db", schema="main"),
        "model.p.part": node("model", "raw", "x", alias="raw", config={"materialized": "ephemeral"}),
        "test.p.unique": node("test", "raw"),
    },
    "sources": {"source.p.raw": node("source", "raw", "b", identifier="not_asked_for")},
}

CONTRACT = """
apiVersion: v3.0.2
kind: DataContract
schema:
  - name: orders
    physicalName: raw
    properties: [COLUMNS]
  - name: no
    properties: [{name: x, logicalType: array, items: {logicalType: string}}]
"""


@pytest.fixture(scope="module")
def chain(databases: Databases, _template: str) -> Iterator[Store]:
    hostile = run(HOSTILE.removeprefix("shop/"), "raw", minute=4)
    with databases.copied(_template) as store:
        take_in(store, [RAW, CLEAN, REPORT, SHOWN, hostile])
        yield store


class TestTheCommand:
    @pytest.fixture(autouse=True)
    def _reader(self, chain: Store, postgres_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whoever reads with the role lineage_reader alone."""
        monkeypatch.setenv("LINEAGE_DSN", reader_dsn(postgres_server, chain))

    RAW = ("impact", "--dataset", NAMESPACE, "raw")

    def test_json_has_what_scripts_need(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert exit_code([*self.RAW, "--drop", "a", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["complete"] is True
        assert [
            tuple(one[member] for member in ("job", "dataset", "columns", "verdict", "hops", "owner", "last_read"))
            for one in found["consumers"]
        ][:2] == [
            ("shop/clean", "shop/clean", ["b"], "broken", 1, None, "2026-01-01T00:01:00+00:00"),
            ("shop/report", "shop/report", ["a"], "broken", 2, None, "2026-01-01T00:02:00+00:00"),
        ]

    def test_people_see_who_breaks(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert exit_code([*self.RAW, "--rename", "a", "b", "--rename", "b", "z"]) == 0
        shown = capsys.readouterr().out
        assert "2 broken, 2 unknown, 0 safe" in shown
        assert "broken  shop/clean -> shop/clean  a, b  (hop 1; read 2026-01-01T00:01:00+00:00; no owner)" in shown
        assert "Refused: b: a column had this name before" in shown

    @pytest.mark.parametrize(
        ("name", "fail_on", "code"),
        [("raw", "broken", 1), ("raw", "unknown", 1), ("clean", "broken", 0), ("clean", "unknown", 0)],
    )
    def test_it_fails_as_it_is_asked(self, name: str, fail_on: str, code: int) -> None:
        assert exit_code(["impact", "--dataset", NAMESPACE, name, "--drop", "a", "--fail-on", fail_on]) == code

    def test_the_unknown_fails_only_if_asked(self) -> None:
        asked = ["impact", "--dataset", NAMESPACE, "report", "--drop", "a", "--fail-on"]
        assert [exit_code([*asked, verdict]) for verdict in ("broken", "unknown")] == [0, 1]

    def test_what_is_cut_by_its_depth_fails(self) -> None:
        asked = [*self.RAW, "--drop", "b", "--depth", "1", "--fail-on", "broken"]
        assert exit_code(asked) == 1

    def test_a_comment_shows_names_as_they_are(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert exit_code([*self.RAW, "--drop", "a", "--format", "markdown"]) == 0
        shown = capsys.readouterr().out
        assert "| broken | <code>shop&#47;clean</code> | <code>shop&#47;clean</code> | <code>b</code> | 1 |  |" in shown
        (hostile,) = [line for line in shown.splitlines() if line.startswith("| unknown") and "http" in line]
        assert re.sub(r"<code>[\w &#;?]*</code>", "", hostile).count("|") == 8
        assert set("[]()@`_*") & set(hostile) == set()

    def test_a_format_is_json_too(self, capsys: pytest.CaptureFixture[str]) -> None:
        for option in (["--json"], ["--format", "json"], ["--format", "json", "--json"]):
            assert exit_code([*self.RAW, "--drop", "a", *option]) == 0
            assert json.loads(capsys.readouterr().out)["counts"]["broken"] == 2

    def test_a_comment_is_bounded_and_counts_what_it_leaves_out(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("lineage_core.answers.impact.comment.MOST_BYTES", 800)
        assert exit_code([*self.RAW, "--drop", "a", "--format", "markdown"]) == 0
        shown = capsys.readouterr().out
        assert len(shown.encode()) <= 800
        assert shown.count("| broken |") == 2
        assert "2 more consumers do not fit into this comment" in shown

    def test_a_long_name_is_cut_in_a_comment(self, chain: Store) -> None:
        shown = "\n".join(comment_lines(drop(chain, "a"), "x" * 100_000))
        assert f"<code>{'x' * 200}&#8230;</code>" in shown

    def test_findings_are_for_code_scanning(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "new schema.json"
        file.write_text(json.dumps([{"name": "b", "type": "INT"}]))
        assert exit_code([*self.RAW, "--schema", str(file), "--limit", "4", "--format", "sarif"]) == 0
        found = json.loads(capsys.readouterr().out)
        jsonschema.validate(found, sarif.ESSENTIALS)
        (run_,) = found["runs"]
        results = {one["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]: one for one in run_["results"]}
        assert {name: (one["ruleId"], one["level"]) for name, one in results.items()} == {
            "shop/clean": ("broken", "error"),
            "shop/report": ("broken", "error"),
            "shop/show": ("unknown", "warning"),
            HOSTILE: ("unknown", "warning"),
        }
        assert r"\[x\](http" in results[HOSTILE]["message"]["text"]
        assert "new%20schema.json" in str(results["shop/clean"]["locations"])

    def test_a_cut_answer_is_a_notification_for_code_scanning(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert exit_code([*self.RAW, "--drop", "b", "--depth", "1", "--format", "sarif"]) == 0
        (run_,) = json.loads(capsys.readouterr().out)["runs"]
        assert run_["properties"]["complete"] is False
        (invocation,) = run_["invocations"]
        assert "Not complete" in str(invocation["toolExecutionNotifications"])

    def test_a_manifest_of_dbt_says_what_its_models_will_be(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "manifest.json"
        file.write_text(json.dumps(MANIFEST))
        asked = ["impact", "--dbt-manifest", str(file), "--namespace", NAMESPACE]
        assert exit_code([*asked, "--json", "--fail-on", "broken"]) == 1
        found = json.loads(capsys.readouterr().out)
        assert {one["dataset"]: one["changed"] for one in found["datasets"]} == {"shop/raw": ["a"], "shop/clean": ["b"]}
        assert found["changed"] == ["a", "b"]
        assert (found["unnamed"], found["undescribed"]) == (["shop/db.main.late"], ["shop/report"])
        consumers = {(one["job"], one["verdict"], one["hops"]) for one in found["consumers"]}
        assert consumers >= {("shop/clean", "broken", 1), ("shop/report", "broken", 1)}
        assert exit_code(asked) == 0
        assert "Changed in shop/clean: b" in capsys.readouterr().out

    @pytest.mark.parametrize(("columns", "broken"), [("{name: b}", 2), ("{name: B}, {name: a, physicalType: int}", 0)])
    def test_a_contract_says_what_its_objects_will_be(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], columns: str, broken: int
    ) -> None:
        file = tmp_path / "contract.yaml"
        file.write_text(CONTRACT.replace("COLUMNS", columns))
        assert exit_code(["impact", "--contract", str(file), "--namespace", NAMESPACE, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["counts"]["broken"] == broken
        assert found["unnamed"] == ["shop/no"]

    @pytest.mark.parametrize(
        ("option", "text", "advice"),
        [
            ("--dbt-manifest", "[]", "no manifest"),
            ("--dbt-manifest", json.dumps({"nodes": {}}), "Check the namespace"),
            ("--contract", "a: [", "no data contract"),
            ("--contract", "{kind: DataContract, apiVersion: v2.2.2}", "version 3"),
            ("--contract", "&a [*a]", "no data contract"),
        ],
    )
    def test_a_file_that_says_nothing_is_wrong_usage(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, text: str, advice: str
    ) -> None:
        file = tmp_path / "file"
        file.write_text(text)
        assert exit_code(["impact", option, str(file), "--namespace", NAMESPACE]) == WrongUsage.exit_code
        assert advice in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("arguments", "advice"),
        [
            ([], "--contract FILE"),
            (["--contract", "x", "--dbt-manifest", "y", "--namespace", "z"], "--contract FILE"),
            (["--contract", "x"], "--namespace"),
            (["--dataset", "x", "y", "--drop", "a", "--namespace", "z"], "--namespace"),
            (["--contract", "x", "--namespace", "z", "--drop", "a"], "--dataset alone"),
        ],
    )
    def test_one_thing_is_asked_of(self, capsys: pytest.CaptureFixture[str], arguments: list[str], advice: str) -> None:
        assert exit_code(["impact", *arguments]) == WrongUsage.exit_code
        assert advice in capsys.readouterr().err

    def test_a_schema_may_be_a_file(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "new-schema.json"
        file.write_text(json.dumps({"fields": [{"name": "b", "type": "INT"}]}))
        assert exit_code([*self.RAW, "--schema", str(file), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["counts"]["broken"] == 2

    @pytest.mark.parametrize(
        ("arguments", "advice"),
        [
            ([], "--schema"),
            (["--drop", "a", "--schema", "x.json"], "--schema"),
            (["--schema", "there-is-none.json"], "no file"),
            (["--drop", "z"], "'z'"),
            (["--rename", "a"], "two names"),
            (["--drop", "a", "--after", "x"], "no cursor"),
            (["--drop", "a", "--format", "sarif", "--json"], "not both"),
            (["--rename", "a", "a"], "keeps its name"),
            (["--rename", "a", "--drop", "b"], "--drop is no name"),
            (["--rename", "--drop", "b"], "--drop is no name"),
        ],
    )
    def test_what_cannot_be_answered_is_wrong_usage(
        self, capsys: pytest.CaptureFixture[str], arguments: list[str], advice: str
    ) -> None:
        assert exit_code([*self.RAW, *arguments]) == WrongUsage.exit_code
        assert advice in capsys.readouterr().err

    def test_the_examples_of_the_page_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "new-schema.json").write_text(json.dumps([{"name": "b", "type": "INT"}]))
        (tmp_path / "target").mkdir()
        (tmp_path / "target" / "manifest.json").write_text(json.dumps(MANIFEST))
        (tmp_path / "contract.yaml").write_text(CONTRACT.replace("COLUMNS", "{name: b}"))
        examples = re.findall(r"^\.venv/bin/lineage (impact [^|#>\n]+)", PAGE.read_text(), re.MULTILINE)
        assert len(examples) > 8
        for example in examples:
            words = example.replace("NAMESPACE NAME", "shop raw").replace("NAMESPACE", "shop")
            words = words.replace("COLUMN NEW", "a z").replace("COLUMN", "a")
            code = exit_code(words.replace("OTHER", "b").split())
            assert code == ("--fail-on" in example), capsys.readouterr().err

    def test_a_line_break_in_a_name_begins_no_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert exit_code([*self.RAW, "--drop", "a"]) == 0
        shown = capsys.readouterr().out
        assert r"|@z\n# <b>" in shown
        assert not any(line.startswith("#") for line in shown.splitlines())

    def test_what_is_wrong_in_a_contract_is_one_line(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "contract.yaml"
        file.write_text("kind: DataContract\n  schema: [")
        assert exit_code(["impact", "--contract", str(file), "--namespace", NAMESPACE]) == WrongUsage.exit_code
        (line,) = capsys.readouterr().err.splitlines()
        assert "line 2, column 9" in line

    def test_an_unknown_dataset_is_wrong_usage(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert exit_code(["impact", "--dataset", NAMESPACE, "rawe", "--drop", "a"]) == WrongUsage.exit_code
        assert "'raw'" in capsys.readouterr().err
