"""What the mutants of the laws change is still there: they take long, so that one which changes nothing went unseen."""

from __future__ import annotations

import pytest
from psycopg import sql

from lineage_core import statements
from lineage_core.settings import PROJECT
from tests.golden import test_golden_mutants
from tests.laws import (
    test_ahead_of_receipt,
    test_changelog_mutants,
    test_evolution_mutants,
    test_migration_mutants,
    test_mutants,
    test_retention_mutants,
    test_stream_mutants,
)
from tests.laws.test_kill_mutants import UNFENCED, WATERMARK_FIRST
from tests.laws.test_reading import IGNORED_LEDGER, IGNORED_TIMELINE
from tests.laws.test_stream_mutants import CAPTURE
from tests.support.mutants import changed

OF_MERGES = (
    *test_mutants.MUTANTS,
    *test_ahead_of_receipt.MUTANTS,
    *(mutant for mutant, _ in test_golden_mutants.MUTANTS),
)
OF_STATEMENTS = (
    *((one.name, one.path, one.old, one.new) for one in (*OF_MERGES, *test_retention_mutants.MUTANTS)),
    *((one.name, one.path, one.old, one.new) for one in test_stream_mutants.STATEMENTS),
    *(
        (one.name, f"long_migrations/{test_migration_mutants.NAME}/{one.script}", one.old, one.new)
        for one in test_migration_mutants.MUTANTS
    ),
    *((one.name, CAPTURE, one.old, one.new) for one in test_stream_mutants.CAPTURES),
    IGNORED_LEDGER,
    IGNORED_TIMELINE,
)


def test_every_mutant_of_a_statement_changes_it() -> None:
    for name, path, old, new in OF_STATEMENTS:
        changed(statements.named(path), old, new, name, path)


def test_every_mutant_of_a_module_changes_it() -> None:
    package = PROJECT / "src" / "lineage_core"
    for one in (*test_evolution_mutants.MUTANTS, *test_changelog_mutants.MUTANTS):
        changed((package / one.path).read_text(), one.old, one.new, one.name, one.path)
    for other in (WATERMARK_FIRST, UNFENCED):
        changed((PROJECT / other.path).read_text(), other.old, other.new, other.name, other.path)


def test_no_mutant_takes_the_place_of_the_staging_schema() -> None:
    """Otherwise the error of a merge that does not run would kill it, and not the law."""
    for mutant in OF_MERGES:
        text = changed(statements.named(mutant.path), mutant.old, mutant.new, mutant.name, mutant.path)
        assert "{" not in sql.SQL(text).format(staging=sql.Identifier("staging")).as_string(), mutant.name


def test_a_mutant_that_no_longer_applies_is_named_with_its_place() -> None:
    with pytest.raises(pytest.fail.Exception, match="'a rule is broken' no longer applies at derive/jobs"):
        changed("SELECT true", "WHERE true", "WHERE false", "a rule is broken", "derive/jobs")
