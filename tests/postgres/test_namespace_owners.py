"""Owners of namespaces: set by people, kept by merges."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from psycopg.conninfo import make_conninfo

from lineage_core.cli import main
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.namespaces.store import OwnedNamespace, disown, own, owned_namespaces
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, facet, named_job, run_event
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

DEFAULT = OwnedNamespace("default", "anonymous")
OWNERSHIPS = (
    "SELECT owners.name, ended_at IS NULL, ended_at >= started_at FROM namespace_ownerships"
    " JOIN owners ON owners.uuid = owner_uuid ORDER BY 1"
)


@pytest.fixture
def store(database: Store) -> Store:
    """A store with the namespace `shop`."""
    take_in(database, [run_event()])
    return database


def test_no_one_owns_a_namespace_that_events_made(store: Store) -> None:
    assert owned_namespaces(store) == [DEFAULT, OwnedNamespace("shop", "anonymous")]


def test_one_owner_follows_the_other(store: Store) -> None:
    own(store, "shop", "ann")
    own(store, "shop", "team:shop")
    assert owned_namespaces(store) == [DEFAULT, OwnedNamespace("shop", "team:shop")]
    assert rows(store, OWNERSHIPS) == [("ann", False, True), ("team:shop", True, None)]
    own(store, "shop", "ann")
    assert rows(store, OWNERSHIPS) == [("ann", True, None), ("team:shop", False, True)]


def test_to_own_what_one_owns_changes_nothing(store: Store) -> None:
    own(store, "shop", "ann")
    before = rows(store, "SELECT * FROM namespace_ownerships")
    own(store, "shop", "ann")
    assert rows(store, "SELECT * FROM namespace_ownerships") == before


def test_an_ownership_ends(store: Store) -> None:
    own(store, "shop", "ann")
    disown(store, "shop")
    disown(store, "shop")
    assert owned_namespaces(store) == [DEFAULT, OwnedNamespace("shop", "anonymous")]
    assert rows(store, OWNERSHIPS) == [("ann", False, True)]


def test_no_event_touches_what_people_stated(store: Store) -> None:
    own(store, "shop", "ann")
    ownership = facet(owners=[{"name": "ann"}, {"name": "team:shop"}])
    earlier = run_event(job=named_job(facets={"ownership": ownership}), time=TIME - timedelta(days=1))
    take_in(store, [earlier])
    assert owned_namespaces(store) == [DEFAULT, OwnedNamespace("shop", "ann")]
    assert rows(store, OWNERSHIPS) == [("ann", True, None)]


@pytest.mark.parametrize("owner", ["", "anonymous", "x" * 2_401])
def test_an_owner_needs_a_name(store: Store, owner: str) -> None:
    with pytest.raises(WrongUsage, match="namespace disown"):
        own(store, "shop", owner)


def test_a_namespace_that_no_event_named_is_none(store: Store) -> None:
    with pytest.raises(WrongUsage, match=r"'elsewhere'. `lineage namespace list`"):
        own(store, "elsewhere", "ann")
    assert rows(store, "SELECT FROM owners") == []


def test_an_operator_does_it_with_his_own_role_and_a_reader_does_not(store: Store, postgres_server: Server) -> None:
    for name, group in (("operator", "lineage_operator"), ("bystander", "lineage_reader")):
        postgres_server.ensure_role(name, "NOSUPERUSER")
        postgres_server.run_sql(f"GRANT {group} TO {name};")
    own(Store(make_conninfo(store.dsn, user="operator")), "shop", "ann")
    disown(Store(make_conninfo(store.dsn, user="operator")), "shop")
    with pytest.raises(NeedsOperator, match="lineage_operator"):
        own(Store(make_conninfo(store.dsn, user="bystander")), "shop", "ann")
    assert owned_namespaces(Store(make_conninfo(store.dsn, user="bystander"))) == [
        DEFAULT,
        OwnedNamespace("shop", "anonymous"),
    ]


def test_the_command_line(store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LINEAGE_DSN", store.dsn)
    for arguments in (["own", "shop", "ann"], ["list"], ["list", "--json"], ["disown", "shop"]):
        with pytest.raises(SystemExit) as done:
            main(["namespace", *arguments])
        assert done.value.code == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed == [
        "ann owns shop.",
        "default  anonymous",
        "shop  ann",
        json.dumps([{"name": "default", "owner": "anonymous"}, {"name": "shop", "owner": "ann"}]),
        "shop has no owner.",
    ]
