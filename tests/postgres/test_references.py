"""References that merges and retention keep without a foreign key: what breaks one by hand is found."""

from __future__ import annotations

from datetime import timedelta

import pytest

from lineage_core.cli import main
from lineage_core.database.references import broken_references, kept_references
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, facet, named_job, parent, run_event
from tests.support.shop import shop_events
from tests.support.stores import rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

PARENT = "0190a0a0-0000-7000-8000-0000000000aa"
READ = dataset("orders", fields=[("id", "INT")])


@pytest.fixture
def filled(database: Store) -> Store:
    take_in(database, shop_events())
    return database


def _run_by_hand(store: Store, *statements: str) -> None:
    with store.connect() as connection:
        for statement in statements:
            connection.execute(statement)


def test_a_merge_breaks_none(filled: Store) -> None:
    assert broken_references(filled) == []


def test_each_is_looked_at(filled: Store) -> None:
    """No foreign key keeps anybody from writing what is not there."""
    _run_by_hand(
        filled,
        *(f"UPDATE {table.name} SET {column.name} = gen_random_uuid()" for table, column, _ in kept_references()),
    )
    found = broken_references(filled)
    assert len(found) == len(list(kept_references())) > 10
    for table, column, to in kept_references():
        ending = f" rows of {table.name} name {to.table} that are not there, by {column.name}"
        assert [one for one in found if one.endswith(ending)], ending


def test_the_check_names_them_if_it_is_asked_to(
    filled: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", filled.dsn)
    _run_by_hand(filled, "UPDATE dataset_fields SET dataset_uuid = gen_random_uuid()")
    assert _check(capsys) == (0, "The store is what the declarations say.\n", "")
    code, found, refusal = _check(capsys, "--references")
    assert code == 1
    assert found.endswith(" rows of dataset_fields name datasets that are not there, by dataset_uuid\n")
    assert "References that are broken: 1. " in refusal
    assert "`lineage db rebuild`" in refusal


def _check(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[object, str, str]:
    """Exit code, and what it printed."""
    with pytest.raises(SystemExit) as ended:
        main(["db", "check", *options])
    printed = capsys.readouterr()
    return ended.value.code, printed.out, printed.err


def test_a_made_run_of_which_nothing_is_stated_any_more_takes_what_others_made_of_it(database: Store) -> None:
    """The parent reports another job than its child says; its first report, of that job, comes late."""
    child = run_event("COMPLETE", facets=parent(PARENT, "dag"))
    other = run_event(
        "COMPLETE", run_id=PARENT, job=named_job("other"), inputs=[READ], time=TIME + timedelta(minutes=5)
    )
    take_in(database, [child, other])
    [(made,)] = rows(database, "SELECT uuid::text FROM runs WHERE first_event IS NULL")
    _run_by_hand(
        database,
        f"INSERT INTO run_states (uuid, transitioned_at, run_uuid, state)"
        f" VALUES (gen_random_uuid(), now(), '{made}', 'RUNNING')",
        f"INSERT INTO runs_input_mapping SELECT '{made}', dataset_version_uuid FROM runs_input_mapping",
    )
    take_in(database, [run_event(run_id=PARENT, job=named_job("dag"), time=TIME - timedelta(minutes=5))])
    assert rows(database, "SELECT FROM runs WHERE first_event IS NULL") == []
    assert broken_references(database) == []


def test_a_dataset_that_becomes_another_takes_what_others_made_of_it(database: Store) -> None:
    take_in(database, [run_event(inputs=[READ])])
    [(dataset_uuid,)] = rows(database, "SELECT uuid::text FROM datasets")
    _run_by_hand(
        database,
        f"INSERT INTO dataset_fields (uuid, created_at, updated_at, dataset_uuid, name)"
        f" VALUES (gen_random_uuid(), now(), now(), '{dataset_uuid}', 'theirs')",
        f"INSERT INTO dataset_versions (uuid, created_at, dataset_uuid, version)"
        f" VALUES (gen_random_uuid(), now(), '{dataset_uuid}', gen_random_uuid())",
        f"INSERT INTO job_versions_io_mapping (job_version_uuid, dataset_uuid, io_type, job_uuid)"
        f" SELECT NULL, '{dataset_uuid}', 'INPUT', uuid FROM jobs",
    )
    alias = {"symlinks": facet(identifiers=[{"namespace": READ["namespace"], "name": READ["name"], "type": "TABLE"}])}
    named = dataset("people", facets=alias)
    take_in(database, [run_event(outputs=[named], time=TIME - timedelta(minutes=5))])
    assert dataset_uuid not in {uuid for (uuid,) in rows(database, "SELECT uuid::text FROM datasets")}
    assert broken_references(database) == []


def test_a_dataset_that_only_others_have_made_goes_with_what_it_has(database: Store) -> None:
    """It becomes a name of another, and no event has stated anything of it."""
    take_in(database, [run_event(inputs=[READ])])
    [(theirs,)] = rows(database, "SELECT gen_random_uuid()::text")
    _run_by_hand(
        database,
        f"INSERT INTO datasets (uuid, type, created_at, updated_at, namespace_uuid, source_uuid, namespace_name,"
        f" source_name, name, physical_name) SELECT '{theirs}', type, created_at, updated_at, namespace_uuid,"
        f" source_uuid, namespace_name, source_name, 'theirs', 'theirs' FROM datasets",
        f"INSERT INTO dataset_versions (uuid, created_at, dataset_uuid, version)"
        f" VALUES (gen_random_uuid(), now(), '{theirs}', gen_random_uuid())",
        f"INSERT INTO dataset_fields (uuid, created_at, updated_at, dataset_uuid, name)"
        f" VALUES (gen_random_uuid(), now(), now(), '{theirs}', 'id')",
    )
    alias = {"symlinks": facet(identifiers=[{"namespace": READ["namespace"], "name": "theirs", "type": "TABLE"}])}
    take_in(database, [run_event(outputs=[dataset("people", facets=alias)], time=TIME - timedelta(minutes=5))])
    assert theirs not in {uuid for (uuid,) in rows(database, "SELECT uuid::text FROM datasets")}
    assert broken_references(database) == []
