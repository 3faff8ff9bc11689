"""Policies and legal holds of retention in the store, and the history of both."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from uuid import UUID

import psycopg
import pytest

from lineage_core.cli import main
from lineage_core.errors import WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.postgres.store import Store
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import (
    HeldThing,
    add_hold,
    holds,
    policies,
    release_hold,
    remove_policy,
    set_policy,
)
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import named_job, run_event
from tests.support.servers import operators_login
from tests.support.stores import rows, take_in

DAY = timedelta(days=1)
HISTORIES = ("retention_policies", "retention_holds", "retention_hold_releases")


@pytest.fixture
def operator(postgres_server: Server, database: Store) -> Store:
    return operators_login(postgres_server, database)


def test_a_new_store_keeps_jobs_and_datasets_for_ever(database: Store) -> None:
    assert policies(database) == [
        Policy(PolicyKind.CONTENTS, "*", DAY, None),
        Policy(PolicyKind.QUARANTINE, "*", 90 * DAY, None),
        Policy(PolicyKind.RAW_EVENTS, "*", 30 * DAY, None),
        Policy(PolicyKind.RUNS, "*", 30 * DAY, None),
        Policy(PolicyKind.VERSIONS, "*", 30 * DAY, 10),
    ]


def test_the_narrower_policy_counts_first(database: Store) -> None:
    for kind, pattern in (
        (PolicyKind.EVERY, "shop"),
        (PolicyKind.RUNS, "shop"),
        (PolicyKind.RUNS, "*shop*"),
        (PolicyKind.RUNS, "sh*"),
        (PolicyKind.EVERY, "*"),
    ):
        set_policy(database, Policy(kind, pattern, DAY, None))
    about = [(one.kind.value, one.namespace_pattern) for one in policies(database)]
    assert [one for one in about if one[0] in ("runs", "*")] == [
        ("runs", "shop"), ("*", "shop"), ("runs", "*shop*"), ("runs", "sh*"), ("runs", "*"), ("*", "*"),
    ]  # fmt: skip


def test_a_policy_takes_the_place_of_the_one_before(operator: Store, database: Store) -> None:
    set_policy(operator, Policy(PolicyKind.RUNS, "*", None, 5))
    assert Policy(PolicyKind.RUNS, "*", None, 5) in policies(operator)
    remove_policy(operator, PolicyKind.RUNS, "*")
    assert not [one for one in policies(operator) if one.kind is PolicyKind.RUNS]
    history = "SELECT older_than, keep_last, is_removed FROM retention_policies WHERE kind = 'runs' ORDER BY id"
    assert rows(database, history) == [(30 * DAY, None, False), (None, 5, False), (None, 5, True)]


def test_a_policy_that_is_not_there_is_not_removed(database: Store) -> None:
    with pytest.raises(WrongUsage, match="There is no policy of runs for 'shop'"):
        remove_policy(database, PolicyKind.RUNS, "shop")


def test_a_hold_is_in_force_until_it_is_released(operator: Store) -> None:
    number = add_hold(operator, HeldThing("shop", run=UUID(int=1)), "a lawsuit", None)
    release_hold(operator, number, "it is over")
    (held,) = holds(operator)
    assert (held.run, held.why, held.released_because, held.is_in_force) == (
        UUID(int=1), "a lawsuit", "it is over", False,
    )  # fmt: skip
    assert held.placed_by == held.released_by != "lineage"
    with pytest.raises(WrongUsage, match="No hold"):
        release_hold(operator, number, "again")


def test_a_hold_ends_by_itself_at_its_time(operator: Store) -> None:
    ended = add_hold(operator, HeldThing("*"), "an audit", datetime(2020, 1, 1, tzinfo=UTC))
    lasting = add_hold(operator, HeldThing("*"), "an audit", datetime(9000, 1, 1, tzinfo=UTC))
    assert {hold.id: hold.is_in_force for hold in holds(operator)} == {ended: False, lasting: True}


@pytest.mark.parametrize("table", HISTORIES)
@pytest.mark.parametrize("change", ["UPDATE {} SET why = 'x'", "DELETE FROM {}", "TRUNCATE {} CASCADE"])
def test_no_one_edits_the_history_not_even_the_owner(database: Store, operator: Store, table: str, change: str) -> None:
    release_hold(operator, add_hold(operator, HeldThing("*"), "an audit", None), "it is over")
    statement = change.format(table).replace("why", "keep_last" if table == "retention_policies" else "why")
    statement = statement.replace("'x'", "1") if table == "retention_policies" else statement
    for dsn, refusal in (
        (database, psycopg.errors.ObjectNotInPrerequisiteState),
        (operator, psycopg.errors.InsufficientPrivilege),
    ):
        with dsn.connect() as connection, pytest.raises(refusal):
            connection.execute(statement.encode())


def test_no_one_signs_for_another(operator: Store) -> None:
    with operator.connect() as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("INSERT INTO retention_holds (namespace_pattern, why, placed_by) VALUES ('*', 'x', 'boss')")


@pytest.mark.parametrize(
    "values",
    [
        "('runs', '*', interval '36501 days', NULL)",
        "('runs', '*', interval '-1 day', NULL)",
        "('runs', '*', interval '1 month', NULL)",
        "('runs', '*', interval '2 years', NULL)",
        "('runs', ' ', interval '1 day', NULL)",
        "('quarantine', 'shop', interval '1 day', NULL)",
        "('entities', '*', interval '1 day', 1)",
        "('runs', '*', interval '1 day', -1)",
    ],
)
def test_sql_sets_no_policy_that_no_one_means(database: Store, values: str) -> None:
    columns = "retention_policies (kind, namespace_pattern, older_than, keep_last)"
    with database.connect() as connection, pytest.raises(psycopg.errors.CheckViolation):
        connection.execute(f"INSERT INTO {columns} VALUES {values}".encode())


def test_an_age_without_end_is_none(database: Store) -> None:
    """PostgreSQL 17 reads it as an interval, those before do not."""
    added = b"INSERT INTO retention_policies (kind, namespace_pattern, older_than) VALUES ('runs', '*', 'infinity')"
    refusals = (psycopg.errors.CheckViolation, psycopg.errors.DataError)
    with database.connect() as connection, pytest.raises(refusals):
        connection.execute(added)


@pytest.mark.parametrize(
    "given",
    [
        "(namespace_pattern, why) VALUES (' ', 'x')",
        "(namespace_pattern, why, until) VALUES ('*', 'x', 'infinity')",
        "(namespace_pattern, why, until) VALUES ('*', 'x', '-infinity')",
        "(namespace_pattern, why, events_since) VALUES ('*', 'x', '-infinity')",
        "(namespace_pattern, why, events_since, events_until) VALUES ('*', 'x', '2026-02-01', '2026-01-01')",
    ],
)
def test_sql_places_no_hold_that_no_one_means(database: Store, given: str) -> None:
    with database.connect() as connection, pytest.raises(psycopg.errors.CheckViolation):
        connection.execute(f"INSERT INTO retention_holds {given}".encode())


def test_what_has_no_effect_is_reported_when_it_is_set(
    database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def output(*words: str) -> str:
        monkeypatch.setenv("LINEAGE_DSN", database.dsn)
        monkeypatch.setattr("sys.argv", ["lineage", "retention", *words])
        with pytest.raises(SystemExit, match=r"^0$"):
            main()
        return capsys.readouterr().out

    everywhere = output("policy", "set", "--kind", "*", "--namespace", "*", "--older-than", "7d")
    assert "It decides nothing about runs: the policy of runs of * comes first." in everywhere
    assert "So it changes nothing." in everywhere
    finance = output("policy", "set", "--kind", "*", "--namespace", "finance", "--older-than", "never")
    assert "about runs" not in finance
    past = output("hold", "add", "--namespace", "shop", "--why", "x", "--until", "2020-01-01")
    assert "It has ended already" in past
    output("hold", "add", "--namespace", "shop", "--why", "x", "--until", "2999-01-01")
    assert "until 2999-01-01" in output("hold", "list")
    assert "until 2020-01-01 00:00:00+00:00  has ended" in output("hold", "list", "--all")


def test_what_decides_is_listed_by_namespace(
    database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in(database, [run_event(job=named_job(namespace="finance"))])
    set_policy(database, Policy(PolicyKind.EVERY, "fin*", None, None))
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    with pytest.raises(SystemExit):
        main(["retention", "policy", "list", "--by-namespace", "--json"])
    listed = json.loads(capsys.readouterr().out)
    assert listed["finance"]["runs"] == {"kind": "*", "namespace": "fin*", "older_than": "never", "keep_last": None}
    assert listed["default"]["versions"]["keep_last"] == 10
    assert "entities" not in listed["default"]
    with pytest.raises(SystemExit):
        main(["retention", "policy", "list", "--by-namespace"])
    assert "finance\n    raw-events  older than never, by fin*\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "is_known"),
    [
        ((), True),
        (("--job", "load"), True),
        (("--job", "lode"), False),
        (("--dataset", "orders"), False),
        (("--run", "0190a0a0-0000-7000-8000-00000000ffff"), False),
    ],
)
def test_a_hold_that_names_nothing_is_reported(
    operator: Store,
    database: Store,
    options: tuple[str, ...],
    is_known: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    take_in(database, [run_event()])
    monkeypatch.setenv("LINEAGE_DSN", operator.dsn)
    with pytest.raises(SystemExit):
        main(["retention", "hold", "add", "--namespace", "shop", "--why", "an audit", *options])
    assert ("know nothing of that name" in capsys.readouterr().out) is not is_known
    with pytest.raises(SystemExit):
        main(["retention", "hold", "list"])
    assert ("names nothing that the tables know" in capsys.readouterr().out) is not is_known
