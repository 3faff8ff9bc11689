"""The mutants of the laws still change the scripts that they name."""

from __future__ import annotations

import pytest
from psycopg import sql

from lineage_core import statements
from tests.laws import test_ahead_of_receipt, test_migration_mutants, test_mutants

OF_MERGES = [
    *((mutant.path, mutant.old, mutant.new) for mutant in test_mutants.MUTANTS),
    *((path, old, new) for _, path, old, new in test_ahead_of_receipt.MUTANTS),
]
OF_A_MIGRATION = [
    (f"long_migrations/{test_migration_mutants.NAME}/{mutant.script}", mutant.old, mutant.new)
    for mutant in test_migration_mutants.MUTANTS
]


@pytest.mark.parametrize(("path", "old", "new"), [*OF_MERGES, *OF_A_MIGRATION])
def test_a_mutant_changes_its_script(path: str, old: str, new: str) -> None:
    assert old != new
    assert old in statements.named(path)


@pytest.mark.parametrize(("path", "old", "new"), OF_MERGES)
def test_a_mutant_leaves_the_place_of_the_staging_schema(path: str, old: str, new: str) -> None:
    """Else it would be told by the error of a merge that does not run."""
    changed = sql.SQL(statements.named(path).replace(old, new))
    assert "{" not in changed.format(staging=sql.Identifier("staging")).as_string()
