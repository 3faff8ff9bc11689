"""`lineage impact`: small cases, each for one rule; the command, its exit codes, and what it shows of hostile names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from zlib import crc32

import jsonschema
import pytest

from lineage_core import statements
from lineage_core.answers.impact.comment import comment_lines
from lineage_core.answers.impact.impact import Impact, SchemaToCome, impact_of
from lineage_core.errors import WrongUsage
from lineage_core.evolution.dataset_history import DescribedField
from lineage_core.local.postgres import Server
from lineage_core.postgres.store import Store
from lineage_core.reading.store import snapshot
from lineage_core.settings import PROJECT
from lineage_core.testing import TIME, Document, dataset, dataset_event, facet, job_event, named_job, run_event
from tests.postgres.test_affected import exit_code, nodes, reader_dsn
from tests.support import sarif
from tests.support.servers import Databases
from tests.support.stores import put, take_in

pytestmark = pytest.mark.postgres

NAMESPACE = "shop"
FIELDS = [("a", "INT"), ("b", "INT")]
HOSTILE = "shop/[x](http://y) |@z\n# <b>`_c_`"
PAGE = PROJECT / "docs" / "how-to" / "see-the-impact-of-a-change.md"


def run(
    name: str,
    reads: str = "",
    writes: str = "",
    *,
    takes: Document | None = None,
    minute: int = 0,
    facets: Document | None = None,
) -> Document:
    """The COMPLETE of a run of a job. reads, writes: names of datasets.

    takes: of each dataset that it writes and of its columns, the columns that these are made of.
    """
    return run_event(
        "COMPLETE",
        run_id=f"0190a0a0-0000-7000-8000-{crc32(f'{name} {minute}'.encode()):012}",
        job=named_job(name, NAMESPACE, facets=facets),
        time=TIME + timedelta(minutes=minute),
        inputs=[dataset(one, NAMESPACE, fields=FIELDS) for one in reads.split()],
        outputs=[dataset(one, NAMESPACE, fields=FIELDS, facets=_lineage(one, takes)) for one in writes.split()],
    )


def _lineage(name: str, takes: Document | None) -> Document:
    if takes is None or name not in takes:
        return {}
    fields = {
        column: {"inputFields": [_input_field(word) for word in words.split()]} for column, words in takes[name].items()
    }
    return {"columnLineage": facet(fields=fields)}


def _input_field(word: str) -> Document:
    name, _, field = word.partition(".")
    return {"namespace": NAMESPACE, "name": name, "field": field}


def drop(store: Store, *columns: str, name: str = "raw", **options: Any) -> Impact:
    return impact_of(store, NAMESPACE, name, SchemaToCome(dropped=columns), **options)


def by_names(found: Impact) -> dict[tuple[str, str | None], tuple[str, tuple[str, ...], int]]:
    """By the names of job and dataset: verdict, columns, hops."""
    return {
        (one.job.removeprefix("shop/"), one.dataset and one.dataset.removeprefix("shop/")): (
            one.verdict.value,
            one.columns,
            one.hops,
        )
        for one in found.consumers
    }


RAW = run("load", writes="raw")
CLEAN = run("clean", "raw", "clean", takes={"clean": {"a": "raw.b", "b": "raw.a"}}, minute=1)
REPORT = run("report", "clean", "report", takes={"report": {"a": "clean.b"}}, minute=2)
SHOWN = run("show", "report", minute=3)


class TestWhoIsReached:
    def test_columns_are_followed_to_the_end(self, database: Store) -> None:
        take_in(database, [RAW, CLEAN, REPORT, SHOWN])
        found = drop(database, "a")
        assert by_names(found) == {
            ("clean", "clean"): ("broken", ("b",), 1),
            ("report", "report"): ("broken", ("a",), 2),
            ("show", None): ("unknown", (), 3),
        }
        assert (found.complete, found.next, found.changed) == (True, None, ("a",))
        assert (found.counts.broken, found.counts.unknown, found.counts.safe) == (2, 1, 0)

    def test_what_is_behind_the_safe_is_not_reached(self, database: Store) -> None:
        take_in(database, [RAW, CLEAN, REPORT, SHOWN])
        assert by_names(drop(database, "b")) == {
            ("clean", "clean"): ("broken", ("a",), 1),
            ("report", "report"): ("safe", (), 2),
        }

    def test_without_column_lineage_all_behind_is_unknown(self, database: Store) -> None:
        take_in(database, [RAW, run("clean", "raw", "clean", minute=1), REPORT])
        assert by_names(drop(database, "a")) == {
            ("clean", "clean"): ("unknown", (), 1),
            ("report", "report"): ("unknown", (), 2),
        }

    def test_lineage_that_does_not_speak_of_the_dataset_leaves_it_unknown(self, database: Store) -> None:
        other = run("clean", "raw goods", "clean", takes={"clean": {"a": "goods.a"}}, minute=1)
        take_in(database, [RAW, other])
        assert by_names(drop(database, "a")) == {("clean", "clean"): ("unknown", (), 1)}

    def test_a_job_that_tells_of_one_output_leaves_the_other_unknown(self, database: Store) -> None:
        take_in(database, [RAW, run("clean", "raw", "clean other", takes={"clean": {"a": "raw.b"}}, minute=1)])
        assert by_names(drop(database, "a")) == {
            ("clean", "clean"): ("safe", (), 1),
            ("clean", "other"): ("unknown", (), 1),
        }

    def test_lineage_of_another_output_does_not_speak_of_this_one(self, database: Store) -> None:
        takes = {"clean": {"a": "raw.a"}, "other": {"a": "goods.a"}}
        take_in(database, [RAW, run("clean", "raw goods", "clean other", takes=takes, minute=1)])
        assert by_names(drop(database, "a")) == {
            ("clean", "clean"): ("broken", ("a",), 1),
            ("clean", "other"): ("unknown", (), 1),
        }
        assert by_names(drop(database, "b")) == {
            ("clean", "clean"): ("safe", (), 1),
            ("clean", "other"): ("unknown", (), 1),
        }

    def test_what_only_column_lineage_names_is_read(self, database: Store) -> None:
        take_in(database, [RAW, run("clean", "", "clean", takes={"clean": {"a": "raw.a"}}, minute=1)])
        assert by_names(drop(database, "a")) == {("clean", "clean"): ("broken", ("a",), 1)}

    def test_a_filter_breaks_every_column(self, database: Store) -> None:
        filtered = run("clean", "raw", "clean", takes={"clean": {"a": "raw.b"}}, minute=1)
        filtered["outputs"][0]["facets"]["columnLineage"]["dataset"] = [_input_field("raw.a")]
        take_in(database, [RAW, filtered])
        assert by_names(drop(database, "a")) == {("clean", "clean"): ("broken", ("a", "b"), 1)}

    def test_a_circle_ends(self, database: Store) -> None:
        back = run("back", "clean", "raw", takes={"raw": {"b": "clean.b"}}, minute=2)
        take_in(database, [RAW, CLEAN, back])
        assert by_names(drop(database, "a")) == {
            ("clean", "clean"): ("broken", ("a", "b"), 1),
            ("back", "raw"): ("broken", ("b",), 2),
        }

    def test_what_no_longer_reads_is_not_reached(self, database: Store) -> None:
        take_in(database, [RAW, CLEAN, run("clean", "else", "clean", minute=5)])
        assert by_names(drop(database, "a")) == {}

    def test_a_dropped_dataset_is_read_by_no_one(self, database: Store) -> None:
        gone = dataset("raw", NAMESPACE, facets={"lifecycleStateChange": facet(lifecycleStateChange="DROP")})
        take_in(database, [RAW, CLEAN, dataset_event(gone, time=TIME + timedelta(minutes=9))])
        assert by_names(drop(database, "a")) == {}
        take_in(database, [run("clean", "raw", "clean", takes={"clean": {"b": "raw.a"}}, minute=10)])
        assert by_names(drop(database, "a")) == {("clean", "clean"): ("broken", ("b",), 1)}

    def test_any_name_of_the_dataset_will_do(self, database: Store) -> None:
        links = {"symlinks": facet(identifiers=[{"namespace": NAMESPACE, "name": "alias", "type": "TABLE"}])}
        read = run("clean", "alias", "clean", takes={"clean": {"a": "alias.a"}}, minute=1)
        take_in(database, [RAW, read, dataset_event(dataset("raw", NAMESPACE, facets=links), time=TIME)])
        for name in ("raw", "alias"):
            assert by_names(drop(database, "a", name=name)) == {("clean", "clean"): ("broken", ("a",), 1)}

    def test_columns_within_columns_meet(self, database: Store) -> None:
        raw = run("load", writes="raw")
        raw["outputs"][0]["facets"]["schema"] = facet(fields=[{"name": "a", "type": "struct<x:int,y:int>"}])
        take_in(
            database, [raw, run("clean", "raw", "clean", takes={"clean": {"a": "raw.a.x", "b": "raw.a.y"}}, minute=1)]
        )
        assert by_names(drop(database, "a"))["clean", "clean"][1] == ("a", "b")
        assert by_names(drop(database, "a.x"))["clean", "clean"][1] == ("a",)


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


def fields(*columns: tuple[str, str]) -> SchemaToCome:
    return SchemaToCome(tuple(DescribedField(name, type_) for name, type_ in columns))


@pytest.fixture(scope="module")
def one_reader(databases: Databases, _template: str) -> Iterator[Store]:
    with databases.copied(_template) as store:
        take_in(store, [RAW, run("clean", "raw", "clean", takes={"clean": {"b": "raw.a"}}, minute=1)])
        yield store


class TestWhatChanges:
    @pytest.mark.parametrize(
        ("change", "changed", "verdict"),
        [
            (fields(("a", "INT"), ("b", "INT")), (), "safe"),
            (fields(("b", "INT"), ("a", "int")), (), "safe"),
            (fields(("a", "INT"), ("b", "INT"), ("c", "INT")), (), "safe"),
            (fields(("a", "INT")), ("b",), "safe"),
            (fields(("b", "INT")), ("a",), "broken"),
            (fields(("a", "TEXT"), ("b", "INT")), ("a",), "broken"),
            (SchemaToCome(renamed=(("a", "z"),)), ("a",), "broken"),
            (SchemaToCome(dropped=("a",), renamed=(("b", "z"),)), ("a", "b"), "broken"),
        ],
    )
    def test_the_rules_of_schemas_say_what_breaks(
        self, one_reader: Store, change: SchemaToCome, changed: tuple[str, ...], verdict: str
    ) -> None:
        found = impact_of(one_reader, NAMESPACE, "raw", change)
        assert found.changed == changed
        assert [one.verdict for one in found.consumers] == [verdict]
        assert (not found.refused) == (change.fields is None or "TEXT" not in str(change))

    def test_a_name_that_was_used_is_refused(self, one_reader: Store) -> None:
        found = impact_of(one_reader, NAMESPACE, "raw", SchemaToCome(renamed=(("a", "b"),)))
        assert found.refused == ("b: a column had this name before",)

    def test_a_dataset_that_only_readers_describe_is_compared_with_what_they_stated(self, database: Store) -> None:
        take_in(database, [CLEAN])
        assert by_names(impact_of(database, NAMESPACE, "raw", fields(("b", "INT")))) == {
            ("clean", "clean"): ("broken", ("b",), 1)
        }

    def test_without_any_schema_all_is_unknown(self, database: Store) -> None:
        clean = json.loads(json.dumps(CLEAN))
        del clean["inputs"][0]["facets"]
        take_in(database, [clean, REPORT])
        found = impact_of(database, NAMESPACE, "raw", fields(("b", "INT")))
        assert not found.is_known
        assert [one.verdict for one in found.consumers] == ["unknown", "unknown"]
        assert by_names(drop(database, "a"))["clean", "clean"] == ("broken", ("b",), 1)

    @pytest.mark.parametrize(
        "change", [SchemaToCome(dropped=("z",)), SchemaToCome(), SchemaToCome(dropped=("b",), renamed=(("a", "a"),))]
    )
    def test_a_change_of_nothing_is_wrong_usage(self, one_reader: Store, change: SchemaToCome) -> None:
        with pytest.raises(WrongUsage):
            impact_of(one_reader, NAMESPACE, "raw", change)


class TestConsumers:
    def test_owner_and_last_read(self, database: Store) -> None:
        owned = {"ownership": facet(owners=[{"name": "team:b"}, {"name": "team:a"}])}
        first = run("clean", "raw", "clean", minute=1, facets=owned)
        take_in(
            database, [RAW, first, run("clean", "raw", "clean", minute=7, facets=owned), run("show", "raw", minute=2)]
        )
        found = {one.job: (one.owner, one.last_read) for one in drop(database, "a").consumers}
        assert found == {
            "shop/clean": ("team:a, team:b", TIME + timedelta(minutes=7)),
            "shop/show": (None, TIME + timedelta(minutes=2)),
        }

    def test_a_namespace_owns_what_no_one_else_does(self, database: Store) -> None:
        take_in(database, [RAW, run("show", "raw", minute=2)])
        with database.connect() as connection:
            connection.execute("UPDATE namespaces SET current_owner_name = 'ann'")
        assert [one.owner for one in drop(database, "a").consumers] == ["ann"]

    def test_what_waits_is_stated(self, database: Store) -> None:
        take_in(database, [RAW])
        assert drop(database, "a").waiting_since is None
        put(database, [run("late", "raw")])
        assert drop(database, "a").waiting_since is not None

    def test_a_declared_job_reads(self, database: Store) -> None:
        declared = job_event(named_job("plan", NAMESPACE), inputs=[dataset("raw", NAMESPACE)])
        take_in(database, [RAW, declared])
        assert by_names(drop(database, "a")) == {("plan", None): ("unknown", (), 1)}


class TestWhatIsCut:
    def test_pages_have_together_what_the_whole_has(self, database: Store) -> None:
        take_in(database, [RAW, CLEAN, REPORT, SHOWN, *(run(f"show {n}", "raw clean", minute=4) for n in range(5))])
        whole = drop(database, "a")
        page = drop(database, "a", limit=2)
        found = [*page.consumers]
        assert (page.complete, page.counts) == (False, whole.counts)
        while page.next:
            page = drop(database, "a", limit=2, after=page.next)
            found += page.consumers
        assert tuple(found) == whole.consumers
        assert not page.complete

    def test_what_lies_behind_the_depth_is_stated(self, database: Store) -> None:
        take_in(database, [RAW, CLEAN, REPORT])
        found = drop(database, "a", depth=1)
        assert (set(by_names(found)), found.complete, found.cut) == ({("clean", "clean")}, False, ("depth",))
        assert drop(database, "a", depth=2).complete

    def test_a_walk_that_is_too_long_is_stated(self, database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("lineage_core.answers.impact.impact.MOST_WALKED", 2)
        take_in(database, [RAW, *(run(f"show {number}", "raw", minute=4) for number in range(5))])
        found = drop(database, "a")
        assert (found.complete, found.cut) == (False, ("walk",))

    def test_a_cursor_of_another_answer_is_refused(self, one_reader: Store) -> None:
        with pytest.raises(WrongUsage, match="no cursor"):
            drop(one_reader, "a", after="nonsense")


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
    scanned = {node["Relation Name"] for node in nodes(plan[0]["Plan"]) if node["Node Type"] == "Seq Scan"}
    assert scanned & LARGE == set()
