"""Tables in public that have the names of a merge's temporary ones: none stands in for one of them."""

from __future__ import annotations

import pytest
from psycopg import sql

from lineage_core.model.derivations import all_derivations
from lineage_core.postgres.store import Store
from lineage_core.testing import dataset, named_job, run_event
from tests.support.stores import contents, empty, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

NAMES = [made.name for derivation in all_derivations() for made in derivation.makes]
EVENTS = [
    run_event("START", run_id="one", inputs=[dataset("orders", fields=[("id", "INT")])]),
    run_event("COMPLETE", run_id="one", outputs=[dataset("sums", fields=[("total", "INT")])]),
    run_event("COMPLETE", run_id="two", job=named_job("reader"), inputs=[dataset("sums", fields=[("total", "INT")])]),
]


def test_a_merge_sees_its_own_tables_whatever_stands_in_public(database: Store) -> None:
    take_in(database, EVENTS)
    undisturbed = contents(database)
    empty(database)
    with database.connect() as connection:
        for name in NAMES:
            connection.execute(
                sql.SQL("CREATE TABLE public.{} AS SELECT 'theirs' AS theirs").format(sql.Identifier(name))
            )
    assert take_in(database, EVENTS).events == len(EVENTS)
    assert contents(database) == undisturbed
    with database.connect() as connection:
        for name in NAMES:
            found = connection.execute(sql.SQL("SELECT * FROM public.{}").format(sql.Identifier(name))).fetchall()
            assert found == [("theirs",)]
