"""A long migration is a declaration and scripts: one of other tables and of another key ends as ours do."""

from __future__ import annotations

import json

import pytest

from lineage_core import cli, statements
from lineage_core.errors import NeedsOperator
from lineage_core.long_migrations import declared
from lineage_core.long_migrations.declared import Comparison, LongMigration, Replacement
from lineage_core.long_migrations.store import end, records
from lineage_core.long_migrations.workers import migrate
from lineage_core.model.vocabulary import DeclarationError
from lineage_core.postgres.store import Store
from lineage_core.tasks import ThreadRunner
from tests.support.stores import rows

pytestmark = pytest.mark.postgres

NAME = "prices"

PRICES = LongMigration(
    name=NAME,
    doc="Keeps prices as numbers of cents.",
    table="toy_amounts",
    key="id",
    key_type="bigint",
    writes=("toy_prices",),
    replaces=Replacement(
        "toy_amounts",
        by=("toy_prices",),
        compared=Comparison(
            "prices",
            sums=("prices", "old_cents", "new_cents"),
            sentences="{prices:,} prices are {old_cents:,} cents as texts, and {new_cents:,} as numbers",
        ),
    ),
)

SCRIPTS = {
    "session": "SELECT",
    "forget": "SELECT",
    "step": """
WITH chosen AS (
    SELECT id, amount
    FROM toy_amounts
    WHERE (%(after)s::bigint IS NULL OR id > %(after)s::bigint) AND id <= %(until)s::bigint
    ORDER BY id
    LIMIT %(rows)s
),
made AS (
    INSERT INTO toy_prices (id, cents)
    SELECT id, amount::numeric * 100
    FROM chosen
    ON CONFLICT DO NOTHING
    RETURNING id
)
SELECT max(id)::text AS last, count(*) AS looked_at, (SELECT count(*) FROM made) AS changed FROM chosen
""",
    "tidy": "SELECT NULL::text AS last, 0 AS removed",
    "verify": """
SELECT
    max(id)::text AS last,
    count(*) AS prices,
    coalesce(sum(amount::numeric * 100), 0) AS old_cents,
    coalesce(sum(cents), 0) AS new_cents,
    0 AS in_quarantine,
    0 AS accepted,
    count(*) FILTER (WHERE differs) AS unexplained,
    array_agg(id::text ORDER BY id) FILTER (WHERE differs) AS examples
FROM (
    SELECT id, amount, cents, cents IS DISTINCT FROM amount::numeric * 100 AS differs
    FROM toy_amounts
    LEFT JOIN toy_prices USING (id)
    WHERE %(after)s::bigint IS NULL OR id > %(after)s::bigint
    ORDER BY id
    LIMIT %(rows)s
) AS compared
""",
    "drop": """
DROP TABLE toy_amounts;
CREATE VIEW toy_amounts AS SELECT id, round(cents / 100.0, 2)::text AS amount FROM toy_prices
""",
}


@pytest.fixture
def finalized(database: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Forty prices as numbers, compared in chunks of seven: the texts of keys have another order than keys."""
    of_ours = statements.named
    monkeypatch.setattr(declared, "all_migrations", lambda: {NAME: PRICES})
    scripts = {f"long_migrations/{NAME}/{name}": text for name, text in SCRIPTS.items()}
    monkeypatch.setattr(statements, "named", lambda name: scripts.get(name) or of_ours(name))
    monkeypatch.setattr(end, "VERIFIED", 7)
    with database.connect() as connection:
        connection.execute("CREATE TABLE toy_amounts (id bigint PRIMARY KEY, amount text)")
        connection.execute("CREATE TABLE toy_prices (id bigint PRIMARY KEY, cents bigint)")
        connection.execute("GRANT SELECT, INSERT ON toy_amounts, toy_prices TO lineage_jobs")
        connection.execute("INSERT INTO toy_amounts SELECT id, id || '.50' FROM generate_series(1, 40) AS id")
    migrate(database, NAME, ThreadRunner())
    end.finalize(database, NAME)
    return database


def test_it_is_verified_by_what_it_declares(finalized: Store) -> None:
    found = end.verify(finalized, NAME)
    assert found.is_good
    assert found.sums == {"prices": 40, "old_cents": 84_000, "new_cents": 84_000}
    assert found.sentences == "40 prices are 84,000 cents as texts, and 84,000 as numbers"
    kept = records.status(finalized, NAME).verification
    assert kept == {**found.sums, "in_quarantine": 0, "accepted": 0, "unexplained": 0, "examples": []}


def test_it_is_switched_over_and_what_it_replaces_is_dropped(finalized: Store) -> None:
    before = rows(finalized, "SELECT id, amount FROM toy_amounts ORDER BY id")
    end.verify(finalized, NAME)
    end.cut_over(finalized, NAME)
    end.drop(finalized, NAME)
    assert rows(finalized, "SELECT id, amount FROM toy_amounts ORDER BY id") == before
    assert rows(finalized, "SELECT relkind FROM pg_class WHERE relname = 'toy_amounts'") == [("v",)]


def test_what_differs_is_named_by_its_own_words(
    finalized: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with finalized.connect() as connection:
        connection.execute("UPDATE toy_prices SET cents = 1 WHERE id IN (9, 10)")
    monkeypatch.setenv("LINEAGE_DSN", finalized.dsn)
    with pytest.raises(SystemExit):
        cli.main(["migration", "verify", NAME, "--json"])
    printed = capsys.readouterr()
    assert json.loads(printed.out)["new_cents"] == 84_000 - 950 - 1_050 + 2
    assert "2 prices differ, such as 9, 10, and" in printed.err
    with pytest.raises(NeedsOperator, match="not verified"):
        end.cut_over(finalized, NAME)


def test_a_script_that_counts_something_else_is_refused(finalized: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = statements.named
    monkeypatch.setattr(statements, "named", lambda name: ours(name).replace("AS prices", "AS rows"))
    with pytest.raises(DeclarationError, match=r"gives new_cents, old_cents, rows, and .* compares .*, prices"):
        end.verify(finalized, NAME)


def test_a_sentence_about_what_is_not_counted_is_refused() -> None:
    with pytest.raises(DeclarationError, match="'cents'"):
        Comparison("prices", sums=("prices",), sentences="{prices} prices are {cents} cents")
