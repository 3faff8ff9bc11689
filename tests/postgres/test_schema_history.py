"""`lineage schema`: the history of a dataset's schema in the store, and what a new one would be."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from psycopg.conninfo import make_conninfo

from lineage_core.cli import main
from lineage_core.evolution import Verdict
from lineage_core.evolution.dataset_history import described_fields
from lineage_core.ingest.store import insert_event
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.reading.schema_history import judgement_of, schema_history
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, Document, dataset, dataset_event, facet, named_job, run_event, to_json
from tests.support import stores
from tests.support.event_sets import CLOCK_AHEAD

pytestmark = pytest.mark.postgres

NAMESPACE, NAME = "postgres://shop:5432", "public.orders"


def take_in(database: Store, *events: Document) -> None:
    for event in events:
        insert_event(database, to_json(event))
    normalize(database, SerialRunner())


def described(minutes: int, *fields: tuple[str, str | None], **more: Any) -> Document:
    return dataset_event(dataset(fields=fields, **more), time=TIME + timedelta(minutes=minutes))


def verdicts(database: Store) -> list[Verdict]:
    return [one.judgement.verdict for one in schema_history(database, NAMESPACE, NAME)]


class TestHistory:
    def test_it_is_that_of_the_versions_that_became_current_in_the_order_of_events(self, database: Store) -> None:
        take_in(
            database,
            described(4, ("b", "INT"), ("a", "INT")),
            described(1, ("a", "INT")),
            described(3, ("b", "INT"), ("c", "TEXT")),
            described(2, ("a", "INT"), ("b", "INT")),
        )
        found = schema_history(database, NAMESPACE, NAME)
        assert [one.current_from for one in found] == [TIME + timedelta(minutes=minutes) for minutes in (1, 2, 3, 4)]
        assert verdicts(database) == [Verdict.FIRST, Verdict.COMPATIBLE, Verdict.COMPATIBLE, Verdict.REFUSED]

    def test_a_version_without_a_schema_is_unknown(self, database: Store) -> None:
        without = dataset_event(dataset(), time=TIME + timedelta(minutes=2))
        take_in(database, described(1, ("a", "INT")), without, described(3, ("a", "TEXT")))
        assert verdicts(database) == [Verdict.FIRST, Verdict.UNKNOWN, Verdict.REFUSED]

    def test_what_a_reader_says_is_no_change(self, database: Store) -> None:
        reader = run_event("COMPLETE", time=TIME + timedelta(minutes=2), inputs=[dataset(fields=[("z", "INT")])])
        take_in(database, described(1, ("a", "INT")), reader, described(3, ("a", "INT"), ("b", "INT")))
        assert verdicts(database) == [Verdict.FIRST, Verdict.COMPATIBLE]

    def test_a_version_that_only_a_reader_made_is_none(self, database: Store) -> None:
        take_in(database, run_event("COMPLETE", inputs=[dataset(fields=[("z", "INT")])]))
        assert verdicts(database) == []

    def test_fields_within_fields_count_and_may_be_malformed(self, database: Store) -> None:
        def nested(minutes: int, *fields: Any) -> Document:
            schema = facet(fields=[{"name": "s", "type": "struct", "fields": list(fields)}])
            return run_event(
                "COMPLETE",
                run_id=f"0190a0a0-0000-7000-8000-00000000000{minutes}",
                time=TIME + timedelta(minutes=minutes),
                outputs=[dataset(facets={"schema": schema})],
            )

        take_in(database, nested(1, {"name": "x"}), nested(2, {"name": 3}), nested(3, {"name": "y"}))
        judgements = [one.judgement for one in schema_history(database, NAMESPACE, NAME)]
        assert [one.verdict for one in judgements] == [Verdict.FIRST, Verdict.UNCHANGED, Verdict.COMPATIBLE]
        assert [str(change.path) for change in judgements[-1].changes] == ["s.y", "s.x"]

    def test_a_run_that_turns_out_to_have_written_another_version_is_judged_by_that(self, database: Store) -> None:
        def written(kind: str, minutes: int, *outputs: Document) -> Document:
            return run_event(kind, time=TIME + timedelta(minutes=minutes), outputs=outputs)

        take_in(
            database,
            described(1, ("a", "INT")),
            written("START", 2, dataset(fields=[("a", "INT")])),
            written("COMPLETE", 4),
        )
        assert verdicts(database) == [Verdict.FIRST, Verdict.UNCHANGED]
        take_in(database, written("RUNNING", 3, dataset(fields=[("a", "TEXT")])))
        assert verdicts(database) == [Verdict.FIRST, Verdict.REFUSED]

    def test_what_retention_has_deleted_is_still_known_to_be_deleted(self, database: Store) -> None:
        day = 24 * 60
        take_in(
            database,
            described(0, ("a", "INT"), ("b", "INT")),
            described(day, ("b", "INT")),
            described(2 * day, ("b", "INT"), ("c", "INT")),
            described(9 * day, ("b", "INT"), ("c", "INT"), ("d", "INT")),
        )
        for kind in (PolicyKind.RUNS, PolicyKind.VERSIONS):
            set_policy(database, Policy(kind, "*", timedelta(days=1), None))
        retention.apply(database, retention.plan(database, TIME + timedelta(days=10)))
        assert verdicts(database) == [Verdict.COMPATIBLE, Verdict.COMPATIBLE]
        take_in(database, described(11 * day, ("a", "INT")))
        last = schema_history(database, NAMESPACE, NAME)[-1].judgement
        assert [refusal.path for refusal in last.refusals] == ["a"]
        next_one = judgement_of(database, NAMESPACE, NAME, described_fields([{"name": "b", "type": "INT"}]) or ())
        assert [refusal.path for refusal in next_one.refusals] == ["b"]

    def test_a_new_schema_comes_after_the_current_one_not_after_one_of_a_clock_that_was_ahead(
        self, database: Store
    ) -> None:
        ahead = described(2, ("z", "INT")) | {"producer": CLOCK_AHEAD}
        stores.take_in(database, [described(1, ("a", "INT")), ahead])
        assert verdicts(database) == [Verdict.FIRST, Verdict.COMPATIBLE]
        same = judgement_of(database, NAMESPACE, NAME, described_fields([{"name": "a", "type": "INT"}]) or ())
        assert same.verdict is Verdict.UNCHANGED


class TestReaders:
    """Who reads which columns is known by column lineage."""

    def report(self, minutes: int, column: str) -> Document:
        origin = {"namespace": NAMESPACE, "name": NAME, "field": column}
        lineage = facet(fields={"total": {"inputFields": [origin]}})
        return run_event(
            "COMPLETE",
            run_id=f"0190a0a0-0000-7000-8000-{minutes:012}",
            job=named_job("report"),
            time=TIME + timedelta(minutes=minutes),
            inputs=[dataset()],
            outputs=[dataset("public.totals", fields=[("total", "INT")], facets={"columnLineage": lineage})],
        )

    def fenced(self, database: Store) -> list[list[tuple[str, str]]]:
        history = schema_history(database, NAMESPACE, NAME)
        return [[(one.reader, one.refusal.path) for one in version.judgement.fenced] for version in history]

    def test_a_deleted_column_fences_who_reads_it_and_no_one_who_does_not(self, database: Store) -> None:
        take_in(
            database,
            described(1, ("a", "INT"), ("b", "INT")),
            self.report(2, "b"),
            described(3, ("b", "INT")),
            described(4, ("c", "INT")),
        )
        assert self.fenced(database) == [[], [], [("shop/report", "b")]]

    def test_who_has_read_the_changed_column_since_is_not_fenced_any_more(self, database: Store) -> None:
        take_in(database, described(1, ("a", "INT")), self.report(2, "a"), described(3, ("a", "TEXT")))
        assert self.fenced(database) == [[], [("shop/report", "a")]]
        take_in(database, self.report(4, "a"))
        assert self.fenced(database) == [[], []]

    def test_a_deleted_column_fences_each_job_that_writes_with_it(self, database: Store) -> None:
        """Also one whose output another job has written since."""
        second = self.report(3, "a")
        second["job"] = named_job("audit")
        take_in(database, described(1, ("a", "INT"), ("b", "INT")), self.report(2, "a"), second)
        fenced = judgement_of(database, NAMESPACE, NAME, described_fields([{"name": "b", "type": "INT"}]) or ()).fenced
        assert [(one.reader, one.is_known) for one in fenced] == [("shop/audit", True), ("shop/report", True)]

    @pytest.mark.parametrize(("field", "output"), [("maker.city", "total"), ("maker", "total.net"), ("maker", "total")])
    def test_who_names_a_column_within_a_column_is_fenced_by_that_one_alone(
        self, database: Store, field: str, output: str
    ) -> None:
        report = self.report(2, field)
        facets = report["outputs"][0]["facets"]
        facets["columnLineage"]["fields"] = {output: facets["columnLineage"]["fields"]["total"]}
        take_in(database, described(1, ("a", "INT"), ("maker", "struct<name:string,city:string>")), report)

        def fenced(*fields: tuple[str, str]) -> list[tuple[str, str, bool]]:
            schema = described_fields([{"name": name, "type": type_} for name, type_ in fields])
            found = judgement_of(database, NAMESPACE, NAME, schema or ()).fenced
            return [(one.reader, one.refusal.path, one.is_known) for one in found]

        assert fenced(("maker", "struct<name:string,city:string>")) == [], "no one reads a"
        assert fenced(("a", "INT")) == [("shop/report", "maker", True)]
        assert fenced(("a", "INT"), ("maker", "struct<name:string>")) == [("shop/report", "maker.city", True)]
        without_name = [] if field == "maker.city" else [("shop/report", "maker.name", True)]
        assert fenced(("a", "INT"), ("maker", "struct<city:string>")) == without_name

    def test_a_deleted_column_fences_who_does_not_say_what_it_reads(self, database: Store) -> None:
        export = run_event(
            "COMPLETE", job=named_job("export"), time=TIME + timedelta(minutes=2), inputs=[dataset()], outputs=[]
        )
        take_in(database, described(1, ("a", "INT"), ("b", "INT")), export, self.report(3, "b"))
        found = judgement_of(database, NAMESPACE, NAME, described_fields([{"name": "b", "type": "INT"}]) or ())
        assert [(one.reader, one.refusal.path, one.is_known) for one in found.fenced] == [("shop/export", "a", False)]
        added = [{"name": name, "type": "INT"} for name in ("a", "b", "c")]
        assert judgement_of(database, NAMESPACE, NAME, described_fields(added) or ()).fenced == ()
        take_in(database, described(4, ("b", "INT")))
        assert self.fenced(database) == [[], [("shop/export", "a")]]


class TestCommands:
    @pytest.fixture
    def store(self, database: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
        """Orders of three columns, of which a job reads one, and wrote another dataset with it."""
        origin = {"namespace": NAMESPACE, "name": NAME, "field": "b"}
        lineage = facet(fields={"total": {"inputFields": [origin]}})
        report = dataset("public.totals", fields=[("total", "INT")], facets={"columnLineage": lineage})
        take_in(
            database,
            described(1, ("a", "INT"), ("b", "INT")),
            run_event(
                "COMPLETE",
                job=named_job("report"),
                time=TIME + timedelta(minutes=2),
                inputs=[dataset()],
                outputs=[report],
            ),
            described(3, ("b", "INT"), ("c", "TEXT")),
        )
        monkeypatch.setenv("LINEAGE_DSN", database.dsn)
        return database

    def run(self, capsys: pytest.CaptureFixture[str], *words: str, code: int = 0, name: str = NAME) -> str:
        with pytest.raises(SystemExit) as exit:
            main(["schema", words[0], "--dataset", NAMESPACE, name, *words[1:]])
        captured = capsys.readouterr()
        assert exit.value.code == code, captured.err
        return captured.out or captured.err

    def check(self, capsys: pytest.CaptureFixture[str], file: Path, fields: Any, *words: str, code: int = 0) -> str:
        file.write_text(json.dumps(fields))
        return self.run(capsys, "check", str(file), *words, code=code)

    def test_history(self, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
        lines = self.run(capsys, "history").splitlines()
        assert [line.split()[-1] for line in lines if not line.startswith(" ")] == ["first", "compatible"]
        assert [line.strip() for line in lines if line.startswith(" ")] == ["added: c", "deleted: a"]
        first, second = json.loads(self.run(capsys, "history", "--json"))
        assert (first["verdict"], first["current_from"]) == ("first", "2026-01-01T00:01:00+00:00")
        assert (first["number"], second["number"]) == (1, 2)
        assert [line.split()[0] for line in lines if line.split()[-1] in {"first", "compatible"}] == ["1", "2"]
        assert second["changes"] == [{"kind": "added", "path": "c"}, {"kind": "deleted", "path": "a"}]

    def test_diff(self, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.run(capsys, "diff") == "compatible\n    added: c\n    deleted: a\n"
        assert self.run(capsys, "diff", "--from", "2", "--to", "1") == "compatible\n    added: a\n    deleted: c\n"
        assert json.loads(self.run(capsys, "diff", "--from", "1", "--to", "1", "--json"))["verdict"] == "unchanged"
        assert "There is no schema 3: the dataset has had 2" in self.run(capsys, "diff", "--to", "3", code=2)

    def test_diff_is_of_the_last_change_however_often_it_was_written_since(
        self, store: Store, capsys: pytest.CaptureFixture[str]
    ) -> None:
        again = [described(minutes, ("b", "INT"), ("c", "TEXT")) for minutes in (4, 5)]
        take_in(store, *again, dataset_event(dataset(), time=TIME + timedelta(minutes=6)))
        assert self.run(capsys, "diff") == "compatible\n    added: c\n    deleted: a\n"
        assert self.run(capsys, "diff", "--to", "1") == "unchanged\n"

    def test_check_permits(self, store: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        new = [{"name": "b", "type": "INT"}, {"name": "d", "type": "INT"}]
        for written in (new, {"fields": new}):
            out = self.check(capsys, tmp_path / "new.json", written, "--no-fencing")
            assert out == "compatible\n    added: d\n    deleted: c\n"

    def test_check_refuses_with_1(self, store: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        new = [{"name": "b", "type": "INT"}, {"name": "a", "type": "INT"}]
        out = self.check(capsys, tmp_path / "new.json", new, code=1)
        assert out.splitlines()[0] == "refused"
        assert "refused: a: A field was deleted under this name." in out

    def test_check_names_the_jobs_that_it_fences(
        self, store: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        new = [{"name": "c", "type": "TEXT"}]
        out = self.check(capsys, tmp_path / "new.json", new)
        assert out == "compatible\n    deleted: b\n    fences shop/report, which reads b\n"
        judged = json.loads(self.check(capsys, tmp_path / "new.json", new, "--no-fencing", "--json", code=1))
        assert [(one["reader"], one["refusal"]["path"]) for one in judged["fenced"]] == [("shop/report", "b")]

    def test_what_cannot_be_read_is_wrong_usage(
        self, store: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        file = tmp_path / "new.json"
        assert "has no fields" in self.check(capsys, file, {"a": 1}, code=2)
        assert "no list of fields" in self.check(capsys, file, [{"type": "INT"}], code=2)
        assert "is no file that can be read" in self.run(capsys, "check", str(tmp_path / "none.json"), code=2)
        assert "dataset 'other'" in self.run(capsys, "history", code=2, name="other")


def test_a_reader_of_the_store_may_read(database: Store, postgres_server: Server) -> None:
    postgres_server.ensure_role("analyst", "NOSUPERUSER")
    postgres_server.run_sql("GRANT lineage_reader TO analyst;")
    take_in(database, described(1, ("a", "INT")))
    assert len(schema_history(Store(make_conninfo(database.dsn, user="analyst")), NAMESPACE, NAME)) == 1
