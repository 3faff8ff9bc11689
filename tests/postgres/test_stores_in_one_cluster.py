"""Stores in one cluster, whose roles they share unless they have names of their own: who comes in, and what he may."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from lineage_core.declare.database_names import ROLES
from lineage_core.errors import StoreUnavailable, WrongUsage
from lineage_core.ingest.store import insert_event
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.operate import whole_store
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import dataset, run_event, to_json
from tests.support.servers import server_of_its_own
from tests.support.stores import rows

pytestmark = [pytest.mark.postgres, pytest.mark.slow]


@pytest.fixture(scope="module")
def server(pytestconfig: pytest.Config) -> Iterator[Server]:
    """One in which no one has made a store yet."""
    with server_of_its_own(pytestconfig.getoption("--postgres")) as own:
        yield own


@pytest.fixture
def one(server: Server) -> Iterator[Store]:
    yield from _database(server, "one")


@pytest.fixture
def other(server: Server) -> Iterator[Store]:
    yield from _database(server, "other")


def _database(server: Server, name: str) -> Iterator[Store]:
    server.ensure_database(name, "lineage")
    yield Store(server.dsn(database=name))
    server.run_sql(f"DROP DATABASE {name} WITH (FORCE);")


def _login(server: Server, name: str, group: str, database: Store) -> Store:
    server.ensure_role(name, "NOSUPERUSER")
    server.run_sql(f"GRANT {group} TO {name};")
    return Store(make_conninfo(database.dsn, user=name))


def _may_connect(database: Store) -> bool:
    try:
        database.connect().close()
    except StoreUnavailable as error:
        assert "permission denied for database" in str(error)
        return False
    return True


def test_only_the_owner_and_the_roles_of_a_store_come_into_its_database(server: Server, one: Store) -> None:
    stranger = _login(server, "stranger", "pg_monitor", one)
    assert _may_connect(stranger)
    _, note = whole_store.upgrade(one)
    assert "no longer open to every login" in note
    assert not _may_connect(stranger)
    assert all(_may_connect(_login(server, f"member_of_{role}", role, one)) for role in ROLES)
    assert whole_store.upgrade(one) == []


def test_stores_whose_roles_have_names_of_their_own_are_closed_to_each_others_logins(
    server: Server, one: Store, other: Store
) -> None:
    whole_store.upgrade(one)
    whole_store.upgrade(other, "other_")
    ours = _login(server, "our_producer", "lineage_ingest", one)
    theirs = _login(server, "their_producer", "other_lineage_ingest", other)
    assert (_may_connect(ours), _may_connect(theirs)) == (True, True)
    for stranger, database in ((ours, other), (theirs, one)):
        user = conninfo_to_dict(stranger.dsn)["user"]
        assert not _may_connect(Store(make_conninfo(database.dsn, user=user)))
    assert whole_store.differences(other) == []


def test_a_login_that_comes_in_by_a_role_of_another_store_may_do_nothing(
    server: Server, one: Store, other: Store
) -> None:
    whole_store.upgrade(one)
    whole_store.upgrade(other, "other_")
    for database, group in ((one, "other_lineage_jobs"), (other, "lineage_jobs")):
        with database.connect(role=group) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT FROM public.leases")


def test_a_second_store_with_the_same_roles_learns_what_to_do_and_stays_as_it_is(
    server: Server, one: Store, other: Store
) -> None:
    whole_store.upgrade(one)
    stranger = _login(server, "stranger", "pg_monitor", other)
    _, note = whole_store.upgrade(other)
    assert "are those of another store, too, in one" in note
    assert "--role-prefix" in note
    assert _may_connect(stranger)


def test_who_does_not_own_the_database_learns_what_its_owner_has_to_do(server: Server, one: Store) -> None:
    server.ensure_role("tenant", "NOSUPERUSER CREATEROLE")
    server.run_sql("GRANT CREATE ON DATABASE one TO tenant;")
    server.run_sql("GRANT CREATE ON SCHEMA public TO tenant;", "one")
    _, note = whole_store.upgrade(Store(make_conninfo(one.dsn, user="tenant")), "tenants_")
    assert 'only its owner lineage can change that: REVOKE CONNECT ON DATABASE "one" FROM PUBLIC' in note
    server.run_sql(note.split("change that: ")[1] + ";")
    assert not _may_connect(_login(server, "stranger", "pg_monitor", one))
    assert _may_connect(_login(server, "tenants_producer", "tenants_lineage_ingest", one))


def test_a_prefix_is_kept_until_another_is_given_and_then_the_old_roles_lose_their_rights(
    server: Server, one: Store
) -> None:
    whole_store.upgrade(one)
    producer = _login(server, "old_producer", "lineage_ingest", one)
    whole_store.upgrade(one, "new_")
    whole_store.upgrade(one)
    assert whole_store.differences(one) == []
    assert rows(one, "SELECT name FROM group_roles WHERE purpose = 'jobs'") == [("new_lineage_jobs",)]
    assert not _may_connect(producer)
    for group in ROLES:
        with one.connect(role=group) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT FROM public.jobs")


def test_roles_with_a_prefix_do_the_whole_work(server: Server, one: Store) -> None:
    whole_store.upgrade(one, "a_")
    logins = {
        group: _login(server, f"a_{group}_login", f"a_lineage_{group}", one) for group in ("ingest", "jobs", "reader")
    }
    insert_event(logins["ingest"], to_json(run_event("COMPLETE", outputs=[dataset("sums")])))
    assert normalize(logins["jobs"], SerialRunner()).events == 1
    assert rows(logins["reader"], "SELECT name FROM datasets_view") == [("sums",)]


@pytest.mark.parametrize("prefix", ["pg_", "A_", "a-", "1_", "_", 'a"; DROP TABLE jobs; --', "a" * 42])
def test_what_cannot_stand_before_a_role_is_refused_before_anything_is_done(
    server: Server, one: Store, prefix: str
) -> None:
    with pytest.raises(WrongUsage, match="cannot be a prefix of roles"):
        whole_store.upgrade(one, prefix)
    assert rows(one, "SELECT FROM pg_class WHERE relname = 'jobs'") == []


def test_no_one_else_may_put_anything_beside_the_tables(server: Server, one: Store) -> None:
    """As in databases that were made before PostgreSQL 15."""
    server.run_sql("GRANT CREATE ON SCHEMA public TO PUBLIC;", "one")
    whole_store.upgrade(one)
    reader = _login(server, "a_reader", "lineage_reader", one)
    with reader.connect() as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("CREATE TABLE public.new_events ()")
