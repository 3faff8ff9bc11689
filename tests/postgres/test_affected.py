"""`lineage affected`: small cases, each for one rule, and what retention has deleted."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from lineage_core.answers.affected import question
from lineage_core.answers.affected.command import _lines
from lineage_core.answers.affected.question import affected_by_run, affected_by_version
from lineage_core.answers.affected.reruns import airflow_commands
from lineage_core.errors import WrongUsage
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, facet, parent
from tests.support.affected_runs import CHAIN, DAY, NAMESPACE, from_column, ran, run, task, written_by
from tests.support.servers import Databases
from tests.support.stores import put, rows, take_in

pytestmark = pytest.mark.postgres


class TestWhatIsAffected:
    def test_readers_and_what_they_wrote_are_followed_to_the_end(self, database: Store) -> None:
        take_in(database, [*CHAIN, *ran(4, reads="else", writes="other")])
        found = affected_by_run(database, run(1))
        assert found.complete
        assert found.runs == (run(2), run(3))
        assert {*found.versions} == written_by(database, 1) | written_by(database, 2) | written_by(database, 3)
        assert [(one.run, one.version) for one in found.evidence] == [
            (run(2), *written_by(database, 1)),
            (run(3), *written_by(database, 2)),
        ]

    def test_of_a_version_the_others_of_its_run_are_not_bad(self, database: Store) -> None:
        take_in(database, [*ran(1, writes="one other"), *ran(2, reads="one"), *ran(3, reads="other")])
        ((version,),) = rows(database, "SELECT uuid FROM dataset_versions WHERE dataset_name = 'one'")
        found = affected_by_version(database, version)
        assert (found.runs, found.versions) == ((run(2),), ())
        assert [one.run for one in found.others] == [run(1), run(2)]

    def test_what_was_read_before_is_not_affected(self, database: Store) -> None:
        take_in(database, [*ran(1, writes="raw"), *ran(2, reads="raw"), *ran(3, writes="raw"), *ran(4, reads="raw")])
        assert affected_by_run(database, run(3)).runs == (run(4),)
        assert affected_by_run(database, run(1)).runs == (run(2),)

    def test_a_version_of_a_first_reader_names_no_run(self, database: Store) -> None:
        take_in(database, [*ran(1, reads="raw"), *ran(2, reads="raw", writes="clean")])
        assert affected_by_run(database, run(1)).runs == ()
        ((version,),) = rows(database, "SELECT uuid FROM dataset_versions WHERE dataset_name = 'raw'")
        found = affected_by_version(database, version)
        assert sorted(found.runs) == [run(1), run(2)]
        assert [one.run for one in found.others] == [run(1), run(2)]

    def test_a_version_that_never_became_current_is_listed(self, database: Store) -> None:
        take_in(database, ran(1, writes="raw", end="FAIL"))
        assert {*affected_by_run(database, run(1)).versions} == written_by(database, 1)

    def test_a_run_that_failed_has_read_what_it_read(self, database: Store) -> None:
        take_in(database, [*ran(1, writes="raw"), *ran(2, reads="raw", end="FAIL")])
        assert affected_by_run(database, run(1)).runs == (run(2),)

    def test_a_late_writer_takes_the_reader_from_the_one_before(self, database: Store) -> None:
        take_in(database, [*ran(1, writes="raw"), *ran(3, reads="raw")])
        assert affected_by_run(database, run(1)).runs == (run(3),)
        take_in(database, ran(2, writes="raw"))
        assert affected_by_run(database, run(1)).runs == ()
        assert affected_by_run(database, run(2)).runs == (run(3),)

    def test_runs_that_the_run_started_are_named(self, database: Store) -> None:
        started = ran(2, writes="raw", facets=parent(str(run(1)), "job 1", NAMESPACE))
        take_in(database, [*ran(1), *started])
        found = affected_by_run(database, run(1))
        assert (found.versions, found.started) == ((), (run(2),))

    def test_what_waits_is_stated(self, database: Store) -> None:
        take_in(database, CHAIN)
        assert affected_by_run(database, run(1)).waiting_since is None
        put(database, ran(5, reads="raw"))
        found = affected_by_run(database, run(1))
        assert found.waiting_since is not None
        assert found.waiting_since <= found.as_of


class TestColumns:
    def test_they_follow_column_lineage(self, database: Store) -> None:
        clean = ran(2, reads="raw", writes="clean", made_of={"b": from_column("raw", "a")})
        report = ran(3, reads="clean", writes="report", made_of={"a": from_column("clean", "b")})
        lucky = ran(4, reads="clean", writes="lucky", made_of={"a": from_column("clean", "a")})
        take_in(database, [*ran(1, writes="raw"), *clean, *report, *lucky])
        ((raw,),) = [*(tuple(written_by(database, 1)),)]
        found = affected_by_version(database, raw)
        assert {(one.version, one.column, one.is_stated) for one in found.columns} == {
            (*written_by(database, 2), "b", True),
            (*written_by(database, 3), "a", True),
        }
        assert written_by(database, 4) < {*found.versions}

    def test_where_a_version_states_nothing_every_column_may_be_bad(self, database: Store) -> None:
        report = ran(3, reads="clean", writes="report", made_of={"a": from_column("clean", "b")})
        take_in(database, [*ran(1, writes="raw"), *ran(2, reads="raw", writes="clean"), *report])
        found = affected_by_run(database, run(1))
        assert {(one.version, one.column, one.is_stated) for one in found.columns} == {
            (*written_by(database, 1), None, True),
            (*written_by(database, 2), None, False),
            (*written_by(database, 3), "a", False),
        }

    @pytest.mark.parametrize(("name", "column"), [("other", "a"), ("raw", "A")])
    def test_lineage_that_names_no_column_of_what_is_bad_says_nothing_of_it(
        self, database: Store, name: str, column: str
    ) -> None:
        """No column of `raw` has capitals, so no table knows the second pair."""
        clean = ran(3, reads="raw other", writes="clean", made_of={"b": from_column(name, column)})
        take_in(database, [*ran(1, writes="raw"), *ran(2, writes="other"), *clean])
        found = affected_by_run(database, run(1))
        assert {(one.version, one.column, one.is_stated) for one in found.columns} == {
            (*written_by(database, 1), None, True),
            (*written_by(database, 3), None, False),
        }

    def test_lineage_may_name_one_bad_input_of_two(self, database: Store) -> None:
        clean = ran(2, reads="one other", writes="clean", made_of={"b": from_column("one", "a")})
        take_in(database, [*ran(1, writes="one other"), *clean])
        found = affected_by_run(database, run(1))
        assert {(one.column, one.is_stated) for one in found.columns if one.version in written_by(database, 2)} == {
            (None, False)
        }


class TestReruns:
    def test_a_dag_run_stands_once_behind_what_feeds_it(self, database: Store) -> None:
        spark = ran(3, reads="raw", writes="clean", facets=parent(str(run(2)), "job 2", NAMESPACE))
        take_in(
            database,
            [
                *ran(1, writes="raw", facets=task("load", "manual 1")),
                *ran(2, reads="raw", facets=task("clean", "manual 2")),
                *spark,
                *ran(4, reads="clean", writes="sums"),
                *ran(5, reads="sums", facets=task("report", "it's")),
            ],
        )
        found = affected_by_run(database, run(1))
        named = [(one.dag, one.run, [(each.dag, each.run) for each in one.after]) for one in found.reruns]
        assert named == [
            ("load", "manual 1", []),
            ("clean", "manual 2", [("load", "manual 1")]),
            ("report", "it's", [("clean", "manual 2")]),
        ]
        assert [(one.run, one.namespace, one.job) for one in found.others] == [(run(4), NAMESPACE, "job 4")]

    def test_a_dag_run_is_known_by_its_own_facet(self, database: Store) -> None:
        own = {"airflowDagRun": facet(dag={"dag_id": "report"}, dagRun={"run_id": "scheduled 1"})}
        take_in(database, [*ran(1, writes="raw"), *ran(2, reads="raw", facets=own)])
        assert [(one.dag, one.run) for one in affected_by_run(database, run(1)).reruns] == [("report", "scheduled 1")]

    def test_dag_runs_that_feed_each_other_are_marked(self, database: Store) -> None:
        take_in(
            database,
            [
                *ran(1, writes="raw", facets=task("one", "1")),
                *ran(2, reads="raw", writes="clean", facets=task("two", "1")),
                *ran(3, reads="clean", writes="sums", facets=task("one", "1")),
                *ran(4, reads="sums", facets=task("three", "1")),
            ],
        )
        found = affected_by_run(database, run(1)).reruns
        assert [(one.dag, one.is_circular, [each.dag for each in one.after]) for one in found] == [
            ("one", True, []),
            ("two", True, ["one"]),
            ("three", False, ["one"]),
        ]

    def test_the_commands_wait_for_what_feeds(self, database: Store, tmp_path: Any) -> None:
        take_in(
            database,
            [
                *ran(1, writes="raw", facets=task("load", "$(touch made) 'x'")),
                *ran(2, reads="raw", writes="sums", facets=task("sum", "2")),
                *ran(3, reads="sums"),
            ],
        )
        stub = tmp_path / "airflow"
        stub.write_text('#!/bin/sh\nprintf "%s|" "$@" >> calls; echo >> calls; echo a warning; echo success\n')
        stub.chmod(0o755)
        script = "\n".join(airflow_commands(affected_by_run(database, run(1))))
        subprocess.run(["sh", "-c", script], cwd=tmp_path, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, check=True)
        assert (tmp_path / "calls").read_text().splitlines() == [
            "dags|clear|load|--run-id=$(touch made) 'x'|--yes|",
            "dags|state|load|$(touch made) 'x'|",
            "dags|clear|sum|--run-id=2|--yes|",
        ]
        assert not (tmp_path / "made").exists()
        assert f'# By other means: run {run(3)} of "shop job 3"' in script

    @pytest.mark.parametrize("answer", ["\n", ""])
    def test_the_commands_wait_for_what_airflow_cannot_do(self, database: Store, tmp_path: Any, answer: str) -> None:
        """At its place: behind the DAG run that it stands on, and before the first that stands on it."""
        take_in(
            database,
            [
                *ran(1, writes="raw", facets=task("load", "1")),
                *ran(2, reads="raw", writes="clean", job="job\n$(touch made)"),
                *ran(3, reads="clean", writes="sums"),
                *ran(4, reads="sums", facets=task("report", "1")),
                *ran(5, reads="clean", facets=task("show", "1")),
            ],
        )
        found = affected_by_run(database, run(1))
        report = ("shop", "report", "1")
        assert [
            (one.run, one.before and (one.before.namespace, one.before.dag, one.before.run)) for one in found.others
        ] == [
            (run(2), report),
            (run(3), report),
        ]
        stub = tmp_path / "airflow"
        stub.write_text('#!/bin/sh\nprintf "%s|" "$@" >> calls; echo >> calls; echo success\n')
        stub.chmod(0o755)
        ended = subprocess.run(
            ["sh", "-c", "\n".join(airflow_commands(found))],
            cwd=tmp_path,
            env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
            input=answer * 2,
            capture_output=True,
            text=True,
            check=False,
        )
        asked = [line for line in ended.stderr.splitlines() if line.startswith("Do run")]
        assert asked[0] == f'Do run {run(2)} of "shop job\\n$(touch made)" again by other means, then press Enter.'
        cleared = re.findall("clear[|]([a-z]*)", (tmp_path / "calls").read_text())
        if answer:
            assert (ended.returncode, len(asked), cleared) == (0, 2, ["load", "report", "show"])
        else:
            assert (ended.returncode, len(asked), cleared) == (1, 1, ["load"])
        assert not (tmp_path / "made").exists()

    def test_airflow_takes_these_commands(self) -> None:
        """By its own parser, so that a release which names them otherwise is seen."""
        cli_parser = pytest.importorskip("airflow.cli.cli_parser")
        parser = cli_parser.get_parser()
        cleared = parser.parse_args(["dags", "clear", "load", "--run-id=manual 1", "--yes"])
        assert (cleared.dag_id, cleared.run_id, cleared.yes) == ("load", "manual 1", True)
        assert parser.parse_args(["dags", "state", "load", "manual 1"]).dag_id == "load"


class TestWhatIsCut:
    def test_started_runs_that_are_too_many_are_counted_out(
        self, database: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(question, "MOST_STARTED", 2)
        started = [ran(number, facets=parent(str(run(1)), "job 1", NAMESPACE)) for number in (2, 3, 4)]
        take_in(database, [*ran(1), *started[0], *started[1]])
        assert affected_by_run(database, run(1)).complete
        take_in(database, started[2])
        found = affected_by_run(database, run(1))
        assert (found.complete, found.cut, found.started) == (False, ("started",), (run(2), run(3)))
        lines = [*_lines(found)]
        assert any(line.startswith("It started more than these 2") for line in lines)
        assert not any("--limit" in line for line in lines)
        assert "retention" not in "\n".join(airflow_commands(found))

    def test_a_page_names_where_to_go_on_and_what_it_lacks(self, database: Store) -> None:
        take_in(database, CHAIN)
        first = affected_by_run(database, run(1), limit=1)
        assert not first.complete
        assert first.cut == ("runs", "versions", "columns", "reruns", "others")
        assert (first.runs, first.next, first.reruns) == ((run(2),), str(run(2)), ())
        last = affected_by_run(database, run(1), limit=1, after=first.next)
        assert (last.runs, last.next, last.cut) == ((run(3),), None, ("columns", "reruns", "others"))
        whole = affected_by_run(database, run(1))
        assert sorted((*first.versions, *last.versions)) == sorted(whole.versions)

    @pytest.mark.parametrize("cursor", ["nonsense", str(run(9))])
    def test_a_cursor_of_another_answer_is_refused(self, database: Store, cursor: str) -> None:
        take_in(database, CHAIN)
        with pytest.raises(WrongUsage, match="no cursor"):
            affected_by_run(database, run(1), after=cursor)


@pytest.fixture(scope="module")
def purged(databases: Databases, _template: str) -> Iterator[Store]:
    """Runs 1 and 2 are deleted: later ones have run and written since. What they wrote is known by mentions."""
    old = [*ran(1, writes="raw", day=0, job="load"), *ran(2, reads="raw", writes="clean", day=1, job="clean")]
    new = [*ran(3, reads="clean", writes="report", day=90), *ran(4, reads="report", day=95)]
    last = [*ran(5, day=96, job="load"), *ran(6, day=97, job="clean"), *ran(7, writes="raw clean", day=98)]
    with databases.copied(_template) as store:
        take_in(store, [*old, *new, *last])
        for kind in (PolicyKind.RUNS, PolicyKind.VERSIONS):
            set_policy(store, Policy(kind, "*", 30 * DAY, 0))
        retention.apply(store, retention.plan(store, TIME + 100 * DAY))
        assert sorted(rows(store, "SELECT uuid FROM runs")) == [(run(number),) for number in (3, 4, 5, 6, 7)]
        yield store


class TestWhatIsPurged:
    def test_a_purged_run_is_followed_by_what_is_left_of_it(self, purged: Store) -> None:
        found = affected_by_run(purged, run(2))
        assert not found.complete
        assert found.runs == (run(3), run(4))
        assert found.purged.before == TIME + 70 * DAY
        assert [one.run for one in found.others] == [run(3), run(4)]

    def test_an_answer_about_what_is_gone_is_not_complete(self, purged: Store) -> None:
        assert not affected_by_run(purged, run(1)).complete

    def test_what_is_later_than_all_that_was_deleted_is_complete(self, purged: Store) -> None:
        found = affected_by_run(purged, run(3))
        assert (found.complete, found.runs, found.purged.before) == (True, (run(4),), None)

    def test_a_version_of_before_the_horizon_may_have_had_other_readers(self, purged: Store) -> None:
        ((version,),) = rows(
            purged, "SELECT uuid FROM dataset_versions WHERE dataset_name = 'clean' AND run_uuid IS NULL"
        )
        found = affected_by_version(purged, version)
        assert not found.complete
        assert found.runs == (run(3), run(4))
