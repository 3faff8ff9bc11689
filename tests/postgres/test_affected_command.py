"""`lineage affected` as people and scripts ask it: what it prints, its errors, and the examples of its page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from lineage_core.errors import WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT
from tests.support.affected_runs import ran, run, task, written_by
from tests.support.asked_commands import exit_code, reader_dsn
from tests.support.servers import Databases
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

PAGE = PROJECT / "docs" / "how-to" / "find-what-a-bad-run-affected.md"


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
