"""`lineage affected`: small cases, each for one rule; the command, its errors, and what retention has deleted."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from psycopg.conninfo import make_conninfo

from lineage_core import statements
from lineage_core.answers.affected import question
from lineage_core.answers.affected.command import _lines
from lineage_core.answers.affected.question import affected_by_run, affected_by_version
from lineage_core.answers.affected.reruns import airflow_commands
from lineage_core.cli import main
from lineage_core.errors import WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.postgres.store import Store
from lineage_core.reading.store import snapshot
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.settings import PROJECT
from lineage_core.testing import TIME, Document, dataset, dataset_event, facet, named_job, parent, run_event
from tests.support.servers import Databases
from tests.support.stores import put, rows, take_in

pytestmark = pytest.mark.postgres

NAMESPACE = "shop"
FIELDS = [("a", "INT"), ("b", "INT")]
DAY = timedelta(days=1)
PAGE = PROJECT / "docs" / "how-to" / "find-what-a-bad-run-affected.md"


def run(number: int) -> UUID:
    return UUID(f"0190a0a0-0000-7000-8000-{number:012}")


def ran(
    number: int,
    *,
    reads: str = "",
    writes: str = "",
    end: str = "COMPLETE",
    facets: Document | None = None,
    made_of: Document | None = None,
    day: float | None = None,
    job: str | None = None,
) -> list[Document]:
    """A run of `job N` that starts at minute N: `reads` and `writes` are names of datasets, one word each."""
    lineage = {"columnLineage": facet(fields=made_of)} if made_of is not None else {}
    outputs = [dataset(name, NAMESPACE, fields=FIELDS, facets=lineage) for name in writes.split()]
    inputs = [dataset(name, NAMESPACE, fields=FIELDS) for name in reads.split()]
    return [
        run_event(
            kind,
            run_id=str(run(number)),
            job=named_job(job or f"job {number}", NAMESPACE),
            time=TIME + (timedelta(minutes=number) if day is None else day * DAY) + timedelta(seconds=seconds),
            inputs=inputs,
            outputs=outputs,
            facets=facets,
        )
        for seconds, kind in enumerate(("START", end))
    ]


def task(dag: str, dag_run: str) -> Document:
    return {"airflow": facet(dag={"dag_id": dag}, dagRun={"run_id": dag_run, "dag_id": dag}, task={}, taskUuid="")}


def from_column(name: str, column: str) -> Document:
    return {"inputFields": [{"namespace": NAMESPACE, "name": name, "field": column}]}


def written_by(store: Store, number: int) -> set[UUID]:
    return {one for (one,) in rows(store, "SELECT uuid FROM dataset_versions WHERE run_uuid = %s", [run(number)])}


CHAIN = [*ran(1, writes="raw"), *ran(2, reads="raw", writes="clean"), *ran(3, reads="clean", writes="report")]


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


@pytest.fixture(scope="module")
def chains(databases: Databases, _template: str) -> Iterator[Store]:
    """Two, of which the second has two readers."""
    first = [
        *ran(1, writes="raw", facets=task("load", "manual 1")),
        *ran(2, reads="raw", writes="clean", facets=task("clean", "manual 2")),
    ]
    second = [*ran(11, writes="goods"), *ran(12, reads="goods"), *ran(13, reads="goods")]
    with databases.copied(_template) as store:
        take_in(store, [*first, *second])
        yield store


class TestTheCommand:
    @pytest.fixture
    def reader(self, chains: Store, postgres_server: Server, monkeypatch: pytest.MonkeyPatch) -> Store:
        """Whoever reads with the role lineage_reader alone."""
        monkeypatch.setenv("LINEAGE_DSN", reader_dsn(postgres_server, chains))
        return chains

    def test_json_has_what_scripts_need(self, reader: Store, capsys: pytest.CaptureFixture[str]) -> None:
        assert exit_code(["affected", "--run", str(run(1)), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["complete"], found["runs"]) == (True, [str(run(2))])
        assert {*found["versions"]} == {str(one) for one in written_by(reader, 1) | written_by(reader, 2)}
        assert [(one["dag"], one["run"], one["after"]) for one in found["reruns"]] == [
            ("load", "manual 1", []),
            ("clean", "manual 2", [{"namespace": "shop", "dag": "load", "run": "manual 1"}]),
        ]

    def test_people_see_what_to_do_again(self, reader: Store, capsys: pytest.CaptureFixture[str]) -> None:
        assert exit_code(["affected", "--run", str(run(1))]) == 0
        shown = capsys.readouterr().out
        assert "again 1  load  manual 1" in shown
        assert f"run {run(2)}  read " in shown

    def test_commands_are_printed_alone_or_beside_the_answer(
        self, reader: Store, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert exit_code(["affected", "--run", str(run(1)), "--airflow"]) == 0
        script = capsys.readouterr().out
        assert "airflow dags clear clean '--run-id=" not in script
        assert "airflow dags clear clean --run-id='manual 2' --yes" in script
        assert exit_code(["affected", "--run", str(run(1)), "--airflow", "--json"]) == 0
        assert "\n".join(json.loads(capsys.readouterr().out)["commands"]) == script.rstrip("\n")

    @pytest.mark.parametrize(
        ("arguments", "advice"),
        [
            ([], "Name a run"),
            (["--run", str(run(1)), "--version", str(run(1))], "and not both"),
            (["--run", str(run(77))], "lineage normalize"),
            (["--version", str(run(77))], "versions_of_a_dataset"),
            (["--run", str(run(1)), "--after", "x"], "no cursor"),
        ],
    )
    def test_what_cannot_be_answered_is_wrong_usage(
        self, reader: Store, capsys: pytest.CaptureFixture[str], arguments: list[str], advice: str
    ) -> None:
        assert exit_code(["affected", *arguments]) == WrongUsage.exit_code
        assert advice in capsys.readouterr().err

    def test_no_commands_are_made_of_a_part(self, reader: Store, capsys: pytest.CaptureFixture[str]) -> None:
        assert exit_code(["affected", "--run", str(run(11)), "--airflow", "--limit", "1"]) == WrongUsage.exit_code
        assert "--limit" in capsys.readouterr().err

    def test_the_examples_of_the_page_run(self, reader: Store, capsys: pytest.CaptureFixture[str]) -> None:
        examples = re.findall(r"^\.venv/bin/lineage (affected [^|#>\n]+)", PAGE.read_text(), re.MULTILINE)
        assert len(examples) > 3
        (version,) = written_by(reader, 1)
        for example in examples:
            words = example.replace("RUN", str(run(1))).replace("VERSION", str(version)).replace("CURSOR", str(run(2)))
            assert exit_code(words.split()) == 0, capsys.readouterr().err


def exit_code(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return int(ended.value.code or 0)


def reader_dsn(server: Server, store: Store) -> str:
    """Of a login that has the role lineage_reader, and owns nothing."""
    server.ensure_role("reader_of_answers", "NOSUPERUSER")
    server.run_sql("GRANT lineage_reader TO reader_of_answers;")
    return make_conninfo(store.dsn, user="reader_of_answers")


LARGE = {
    "column_lineage_lists",
    "column_pairs_to_move",
    "column_lineage_versions",
    "dataset_fields",
    "dataset_mentions",
    "dataset_versions",
    "event_ledger",
    "facet_sets",
    "facets",
    "runs",
    "runs_input_mapping",
}
"""Tables that grow with the events, so that no question may read them whole."""


@pytest.fixture(scope="module")
def filled(databases: Databases, _template: str) -> Iterator[Store]:
    """So many rows that the planner has a reason to choose."""
    made_of = {"a": from_column("raw", "a")}
    some = [one for number in range(1, 400) for one in ran(number, reads="raw", writes="raw", made_of=made_of)]
    with databases.copied(_template) as store:
        take_in(store, [*some, dataset_event(dataset("raw", NAMESPACE, fields=FIELDS))])
        with store.connect(autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        yield store


@pytest.mark.parametrize("statement", statements.names("answers/affected"))
def test_every_lookup_is_by_index(filled: Store, statement: str) -> None:
    with snapshot(filled) as connection:
        keys = [one for (one,) in connection.execute("SELECT uuid FROM runs LIMIT 3")]
        lists = ("runs", "versions", "lists", "columns")
        parameters = dict.fromkeys(lists, keys) | dict.fromkeys(("run", "version"), keys[0])
        explained = f"EXPLAIN (FORMAT JSON) {statements.named(f'answers/affected/{statement}')}"
        ((plan,),) = connection.execute(explained.encode(), parameters | {"most": 3, "since": TIME}).fetchall()
    scanned = {node["Relation Name"] for node in nodes(plan[0]["Plan"]) if node["Node Type"] == "Seq Scan"}
    assert scanned & LARGE == set()


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for below in node.get("Plans", ()):
        yield from nodes(below)
