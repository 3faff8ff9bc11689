"""`lineage impact`: small cases, each for one rule."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest

from lineage_core.answers.impact.impact import impact_of
from lineage_core.answers.impact.model import SchemaToCome
from lineage_core.errors import WrongUsage
from lineage_core.evolution.dataset_history import DescribedField
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, dataset_event, facet, job_event, named_job
from tests.support.impact_runs import CLEAN, NAMESPACE, RAW, REPORT, SHOWN, by_names, drop, input_field, run
from tests.support.servers import Databases
from tests.support.stores import put, take_in

pytestmark = pytest.mark.postgres


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
        filtered["outputs"][0]["facets"]["columnLineage"]["dataset"] = [input_field("raw.a")]
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
