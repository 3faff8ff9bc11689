"""What the mutants of the laws change is still there: they take long, so that one which changes nothing went unseen."""

from __future__ import annotations

import pytest
from psycopg import sql

from lineage_core import statements
from lineage_core.settings import PROJECT
from tests.laws import (
    test_ahead_of_receipt,
    test_changelog_mutants,
    test_evolution_mutants,
    test_kill_mutants,
    test_migration_mutants,
    test_mutants,
    test_retention_mutants,
)
from tests.laws.test_kill_mutants import UNFENCED, WATERMARK_FIRST
from tests.laws.test_reading import IGNORED_LEDGER, IGNORED_TIMELINE
from tests.support.package_mutants import Mutant

OF_MERGES = tuple(
    (mutant.name, mutant.path, mutant.old, mutant.new)
    for mutant in (*test_mutants.MUTANTS, *test_ahead_of_receipt.MUTANTS)
)
CHANGES = (
    *OF_MERGES,
    *(
        (mutant.name, f"long_migrations/{test_migration_mutants.NAME}/{mutant.script}", mutant.old, mutant.new)
        for mutant in test_migration_mutants.MUTANTS
    ),
    *((mutant.name, mutant.path, mutant.old, mutant.new) for mutant in test_retention_mutants.MUTANTS),
    ("no event is in the ledger", *IGNORED_LEDGER),
    ("nothing was current before", *IGNORED_TIMELINE),
)


@pytest.mark.parametrize(("name", "path", "old", "new"), CHANGES, ids=[name for name, *_ in CHANGES])
def test_a_mutant_changes_its_statement(name: str, path: str, old: str, new: str) -> None:
    assert old in statements.named(path), name
    assert old != new


@pytest.mark.parametrize(("name", "path", "old", "new"), OF_MERGES, ids=[name for name, *_ in OF_MERGES])
def test_a_mutant_leaves_the_place_of_the_staging_schema(name: str, path: str, old: str, new: str) -> None:
    """Otherwise the error of a merge that does not run would kill it, and not the law."""
    changed = sql.SQL(statements.named(path).replace(old, new))
    assert "{" not in changed.format(staging=sql.Identifier("staging")).as_string(), name


@pytest.mark.parametrize("mutant", [WATERMARK_FIRST, UNFENCED], ids=lambda mutant: mutant.path)
def test_a_mutant_changes_its_module(mutant: test_kill_mutants.Mutant) -> None:
    assert mutant.old in (PROJECT / mutant.path).read_text()


@pytest.mark.parametrize(
    "mutant", [*test_evolution_mutants.MUTANTS, *test_changelog_mutants.MUTANTS], ids=lambda mutant: mutant.name
)
def test_a_mutant_changes_the_package(mutant: Mutant) -> None:
    assert mutant.old in (PROJECT / "src" / "lineage_core" / mutant.path).read_text()
    assert mutant.old != mutant.new
