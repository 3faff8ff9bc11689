"""`lineage query` answers as psql does, by the same files, and `lineage psql` opens the store."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
from collections.abc import Iterator

import psycopg
import pytest

from lineage_core import namespaces
from lineage_core.cli import main
from lineage_core.command_line.found_rows import FoundRows
from lineage_core.errors import WrongUsage
from lineage_core.local import postgres
from lineage_core.local.postgres import Server
from lineage_core.postgres.addresses import without_password
from lineage_core.postgres.store import Store
from lineage_core.queries.store import NamedQuery, answer, named_queries
from lineage_core.settings import PROJECT
from lineage_core.testing import dataset, facet, job_event, named_job, run_event
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

FAILED = "0190a0a0-0000-7000-8000-000000000f01"
GIVEN = {"dataset": "sums", "since": "2020-01-01T00:00:00Z"}

ORDERS = dataset("orders", fields=[("id", "INT")])
SUMS = dataset(
    "sums",
    fields=[("total", "INT")],
    facets={
        "columnLineage": facet(
            fields={"total": {"inputFields": [{"namespace": "postgres://shop:5432", "name": "orders", "field": "id"}]}}
        )
    },
)
OWNED = {"ownership": facet(owners=[{"name": "team:books", "type": "MAINTAINER"}])}


@pytest.fixture(scope="module")
def asked(postgres_server: Server, _template: str) -> Iterator[Store]:
    name = "named_queries"
    postgres_server.run_sql(f"CREATE DATABASE {name} OWNER {postgres.ROLE} TEMPLATE {_template};")
    store = Store(postgres_server.dsn(database=name))
    take_in(
        store,
        [
            run_event("START", inputs=[ORDERS], time="2026-01-01T00:00:00Z"),
            run_event("COMPLETE", inputs=[ORDERS], outputs=[SUMS], time="2026-01-01T00:01:00Z"),
            run_event("FAIL", run_id=FAILED, job=named_job("broken"), time="2026-01-02T00:00:00Z"),
            job_event(job=named_job("report", facets=OWNED), inputs=[dataset("orders")], outputs=[dataset("left")]),
        ],
    )
    namespaces.own(store, "postgres://shop:5432", "team:data")
    yield store
    postgres_server.run_sql(f"DROP DATABASE {name} WITH (FORCE);")


def answered(store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    monkeypatch.setenv("LINEAGE_DSN", store.dsn)
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["query", *arguments])
    return capsys.readouterr().out


def options(*, optional: bool = False) -> dict[str, dict[str, str]]:
    """The options of each query, by its name."""
    return {
        query.name: {name: GIVEN[name] for name in query.parameters} | ({"namespace": ""} if optional else {})
        for query in named_queries()
    }


def by_psql(server: Server, store: Store, query: str, given: dict[str, str]) -> str:
    address, _ = without_password(store.dsn)
    variables = [f"--set={name}={value}" for name, value in given.items()]
    file = PROJECT / "sql" / "queries" / f"{query}.sql"
    strict = ["--no-psqlrc", "--csv", "--set=ON_ERROR_STOP=1"]
    command = [str(server.programs / "psql"), *strict, *variables, f"--file={file}", address]
    return subprocess.run(command, capture_output=True, text=True, check=True, env={"PGTZ": "UTC"}).stdout


def as_psql(cell: str) -> str:
    """Times, truth values and structures, which each writes in a form of its own, as psql does."""
    if cell.startswith(("[", "{")):
        return json.dumps(json.loads(cell), sort_keys=True)
    written = re.sub(r"^(\d{4}-\d\d-\d\d)T(.*)\+00:00$", r"\1 \2+00", cell)
    written = re.sub(r"^0(?=\d:\d\d:\d\d$)", "", written)  # an interval
    return {"True": "t", "False": "f"}.get(written, written)


def test_psql_gives_the_same_rows(
    postgres_server: Server, asked: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, given in options().items():
        words = [word for option, value in given.items() for word in (f"--{option}", value)]
        ours = list(csv.reader(io.StringIO(answered(asked, monkeypatch, capsys, name, "--csv", *words))))
        theirs = list(csv.reader(io.StringIO(by_psql(postgres_server, asked, name, given))))
        assert [[as_psql(cell) for cell in row] for row in ours] == [
            [as_psql(cell) for cell in row] for row in theirs
        ], name


def test_each_question_has_an_answer(asked: Store) -> None:
    """On events for which none is empty but the one about what was lost."""
    found = {name: answer(asked, name, given) for name, given in options().items()}
    assert {name for name, one in found.items() if not one.rows} == {"not_taken_in"}
    assert {row[:3] for row in found["users_of_a_dataset"].rows} == {("writes", "shop", "load")}
    assert {row[1] for row in found["jobs_without_owner"].rows} == {"broken", "load"}
    assert {row[1] for row in found["unread_datasets"].rows} == {"left", "sums"}
    assert [row[1] for row in found["failed_runs"].rows] == ["FAILED"]
    assert found["origins_of_columns"].rows[0][:2] == ("total", "orders.id")
    assert {row[3] for row in found["owners"].rows} == {"team:books", "team:data"}
    assert [row[:2] for row in found["upstream_of_a_dataset"].rows] == [(1, "sums"), (2, "orders")]
    assert [row[2] for row in found["schemas_of_a_dataset"].rows] == ["first"]


def test_a_namespace_narrows_the_answer(asked: Store) -> None:
    for name, given in options().items():
        if name != "not_taken_in":
            assert answer(asked, name, {**given, "namespace": "elsewhere"}).rows == (), name


def test_json_has_the_names_of_the_columns(
    asked: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (run,) = json.loads(answered(asked, monkeypatch, capsys, "failed_runs", "--since", "2026-01-01", "--json"))
    assert (run["ended_at"], run["job"]) == ("2026-01-02T00:00:00+00:00", "broken")


def test_a_cut_is_stated(asked: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LINEAGE_DSN", asked.dsn)
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["query", "unread_datasets", "--limit", "1", "--json"])
    printed = capsys.readouterr()
    assert len(json.loads(printed.out)) == 1
    assert "more than 1 rows" in printed.err


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["unread_dataset"], "did you mean unread_datasets"),
        (["owners", "--dataset", "sums"], "has no --dataset; it has [--namespace]"),
        (["failed_runs"], "needs --since"),
        (["failed_runs", "--since", "someday"], "cannot use a parameter"),
        ([], "Name a question"),
        (["owners", "--json", "--csv"], "exclude each other"),
    ],
)
def test_a_wrong_question_is_answered_by_what_to_do(
    asked: Store,
    arguments: list[str],
    advice: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", asked.dsn)
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["query", *arguments])
    assert advice in capsys.readouterr().err


def test_a_value_is_never_a_part_of_the_statement(asked: Store) -> None:
    assert answer(asked, "users_of_a_dataset", {"dataset": "'; DROP TABLE runs; --", "namespace": "%s :'x'"}).rows == ()


@pytest.mark.parametrize(
    ("statement", "refused"),
    [
        ("DELETE FROM runs RETURNING uuid", psycopg.errors.SyntaxError),
        ("SELECT lo_create(0)", psycopg.errors.ReadOnlySqlTransaction),
    ],
)
def test_a_query_cannot_write(
    asked: Store, monkeypatch: pytest.MonkeyPatch, statement: str, refused: type[psycopg.Error]
) -> None:
    monkeypatch.setattr(NamedQuery, "statement", statement)
    with pytest.raises(refused):
        answer(asked, "not_taken_in", {})


def test_of_a_long_answer_no_more_is_read_than_is_shown(asked: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NamedQuery, "statement", "SELECT 10 / (4 - row) AS share FROM generate_series(1, 9) AS row")
    assert answer(asked, "not_taken_in", {}, limit=2) == FoundRows(("share",), ((3,), (5,)), is_complete=False)


def test_an_address_has_no_password() -> None:
    address, password = without_password("postgresql://me:secret@h:1/store")
    assert password == "secret"
    assert "secret" not in address
    with pytest.raises(WrongUsage):
        without_password("postgresql://me:se@cret@h:1/store")
