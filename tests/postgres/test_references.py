"""References that merges and retention keep without a foreign key: what breaks one by hand is found."""

from __future__ import annotations

import pytest

from lineage_core.cli import main
from lineage_core.database.references import broken_references, kept_references
from lineage_core.postgres.store import Store
from tests.support.shop import shop_events
from tests.support.stores import take_in

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]


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
