"""The graph as it was known at a moment is that of a store which was given only the events published until then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core.answers.graph.graph import graph_snapshot
from lineage_core.answers.graph.known import TABLES, KnownAt, shown_as_known
from lineage_core.changelog.replay import offset_at
from lineage_core.postgres.store import Store
from lineage_core.streams.compaction import compact
from lineage_core.streams.publication import publish
from lineage_core.streams.store import known_tables, switches
from tests.laws.test_graph import renaming
from tests.support.event_sets import Arrival, arrivals
from tests.support.examples import drawn
from tests.support.graphs_by_hand import history, of_connection, of_tables
from tests.support.stores import empty, take_in
from tests.support.stream_replay import last_known

pytestmark = pytest.mark.postgres

EXAMPLES = 6
FLOORS = {"publications": 8, "edges": 100, "known otherwise": 20, "unpublished": 2}


@dataclass
class _Published:
    """When it was, and the graphs of that store, by moments."""

    at: datetime
    graphs: dict[datetime | None, Any] = field(default_factory=dict)


def hold(store: Store, folder: Path, met: Counter[str]) -> None:
    """Fails where a graph as it was known is not what the tables gave when it was published."""

    @drawn(EXAMPLES)
    @given(arrival=arrivals(), seed=st.integers(0, 2**32))
    def law(arrival: Arrival, seed: int) -> None:
        met["examples"] += 1
        root, random = str(folder / str(met["examples"])), Random(seed)
        empty(store)
        started(store)
        published = list[_Published]()
        for events in arrival.slices:
            take_in(store, [renaming(event, number) for number, event in enumerate(events)])
            if random.random() < 0.7:
                published.append(_publish(store, root))
            else:
                met["unpublished"] += 1
            if random.random() < 0.3:
                compact(store, root, grace=timedelta(0))
        for one in published:
            met["publications"] += 1
            for moment, graph in one.graphs.items():
                found = as_known(store, KnownAt(one.at, root), moment)
                assert found == graph, moment
                met["edges"] += len(found)
                met["known otherwise"] += found != of_tables(store, moment)

    law()


def started(store: Store) -> None:
    with store.connect() as connection:
        connection.execute("TRUNCATE stream_publications")
    for table in TABLES:
        switches.start(store, table.name)


def _publish(store: Store, root: str) -> _Published:
    publish(store, root)
    with store.connect() as connection:
        at = last_known(connection)
    turns = sorted({span.since for spans in history(store).spans.values() for span in spans})
    return _Published(at, {moment: of_tables(store, moment) for moment in [*turns[::3], None]})


def as_known(store: Store, known: KnownAt, moment: datetime | None) -> Any:
    with graph_snapshot(store, known) as connection, shown_as_known(connection, known):
        return of_connection(connection, moment, is_as_known=True)


@pytest.mark.slow
def test_the_graph_as_known_is_that_of_what_was_published_by_then(database: Store, tmp_path: Path) -> None:
    met: Counter[str] = Counter()
    hold(database, tmp_path, met)
    assert {kind: met[kind] for kind, floor in FLOORS.items() if met[kind] < floor} == {}, met


def _forgetting(*_: Any, **__: Any) -> Iterator[Any]:
    return iter(())


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "broken"),
    [("_changes", _forgetting), ("offset_at", lambda moment, parts, times: offset_at(moment, parts, times) + 1)],
    ids=["published changes are not undone", "one record too few is undone"],
)
def test_it_can_fail(
    name: str, broken: Callable[..., Any], database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_tables, name, broken)
    with pytest.raises(AssertionError):
        hold(database, tmp_path, Counter())
