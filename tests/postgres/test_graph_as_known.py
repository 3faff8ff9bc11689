"""`lineage graph --known-at`: what late events have changed, and the moments of which nothing says what was known."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from lineage_core.answers.graph.difference import graph_difference
from lineage_core.answers.graph.graph import graph_of
from lineage_core.answers.graph.known import TABLES, KnownAt
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.postgres.store import Store
from lineage_core.streams.publication import publish
from lineage_core.streams.store import moments, switches
from tests.postgres.test_graph import at, dataset_named, edges, ran
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres


def published(store: Store, root: Path) -> datetime:
    publish(store, str(root))
    with store.connect() as connection:
        return moments.publications(connection)[-1].known_until


def test_a_late_event_changes_the_past_and_not_what_was_known_of_it(database: Store, tmp_path: Path) -> None:
    take_in(database, [ran("load", 0, "old", "clean"), ran("load", 4, "old", "clean")])
    clean = dataset_named("clean")
    with pytest.raises(NeedsOperator, match="lineage stream start identity_map"):
        graph_of(database, clean, known=KnownAt(at(9), str(tmp_path)))
    for table in TABLES:
        switches.start(database, table.name)
    before = published(database, tmp_path)
    take_in(database, [ran("load", 2, "new", "clean")])
    known = KnownAt(before, str(tmp_path))
    for _ in ("waits to be published", "is published"):
        assert edges(graph_of(database, clean, at=at(3))) == {"new > load", "load > clean"}
        assert edges(graph_of(database, clean, at=at(3), known=known)) == {"old > load", "load > clean"}
        changed = graph_difference(database, clean, at(3), at(3), from_known=known)
        assert [len(changed.came), len(changed.went)] == [1, 1]
        after = published(database, tmp_path)
    assert edges(graph_of(database, clean, at=at(3), known=KnownAt(after, str(tmp_path)))) == {
        "new > load",
        "load > clean",
    }
    for moment, says in ((before - timedelta(days=1), "is known from"), (after + timedelta(days=1), "stream publish")):
        with pytest.raises(WrongUsage, match=says):
            graph_of(database, clean, known=KnownAt(moment, str(tmp_path)))
    switches.stop(database, "jobs")
    gap = published(database, tmp_path)
    take_in(database, [ran("load", 5, "newer", "clean")])
    switches.start(database, "jobs")
    published(database, tmp_path)
    with pytest.raises(WrongUsage, match="is known from"):
        graph_of(database, clean, known=KnownAt(gap, str(tmp_path)))
    assert edges(graph_of(database, clean, known=known)) == {"old > load", "load > clean"}
