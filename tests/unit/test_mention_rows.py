"""Mentions that events share, and their rows: only the first and the last event can win a column."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lineage_core.declare.tables import all_tables
from lineage_core.declare.vocabulary import Row, Table
from lineage_core.errors import RejectedEvent
from lineage_core.model.arrivals import check_rows
from lineage_core.model.folding import Fold, RowMaker
from lineage_core.model.mention_rows import RowsOfMentions, Sightings
from lineage_core.openlineage.events import Event
from lineage_core.openlineage.parsing import parse
from lineage_core.testing import TIME, Document, dataset, facet, named_job, run_event, to_json
from tests.support.event_sets import events

OF_MENTIONS = [table for table in all_tables() if isinstance(table.rows, RowsOfMentions)]
GIVEN = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
STAMPED = st.tuples(events, st.booleans())
"""A document, and whether its time was ahead of its receipt."""


def event(document: Document, is_ahead: bool = False) -> Event:
    return parse(to_json(document), is_ahead=is_ahead)


def described(uri: str, name: str = "orders") -> Document:
    return dataset(name, facets={"dataSource": facet(name="warehouse", uri=uri)})


def folded(table: Table, rows: Sequence[Row]) -> list[Row]:
    fold = Fold(table)
    for row in rows:
        fold.add(row)
    names = {column.name for column in table.staged} | {group.order for group in table.groups}
    return sorted(({name: row.get(name) for name in sorted(names)} for row in fold.rows()), key=repr)


def made_of_all(table: Table, met: Sequence[Event]) -> list[Row]:
    return [row for one in met for row in RowMaker(table).rows(one)]


def made_once(table: Table, met: Sequence[Event]) -> list[Row]:
    """As staging makes them."""
    maker, sightings = RowMaker(table), Sightings()
    made: list[Row] = []
    for one in met:
        unseen = [mention for mention in one.mentions if not sightings.know(mention)]
        made += maker.rows(one, unseen)
        sightings.note(one)
    left = [(mention, moment) for mention, moment in sightings.drain() if isinstance(mention, maker.kinds)]
    return made + [row for mention, moment in left for row in maker.of_mention(mention, moment)]


def test_tables_of_what_events_say_again_are_made_of_mentions() -> None:
    """Else the law below asks nothing."""
    assert {"datasets", "facets", "sources"} & {table.name for table in OF_MENTIONS} == {"facets", "sources"}
    assert len(OF_MENTIONS) >= 10


TIES = [
    (run_event(inputs=[described("postgres://b", "b")], outputs=[described("postgres://first", "a")]), False),
    (run_event(inputs=[described("postgres://a", "a")], outputs=[described("postgres://last", "b")]), False),
]
"""Two mentions of one event differ in what they say of the source, and the later of them is met before the earlier."""


@GIVEN
@given(st.lists(STAMPED, max_size=12))
@example(TIES)
@example(TIES[::-1])
@example([(run_event("START", outputs=[described("postgres://x")]), False)] * 2)
@example([(run_event("START", outputs=[described("postgres://x")]), ahead) for ahead in (False, True)])
def test_rows_of_the_first_and_the_last_event_fold_to_what_those_of_all_do(
    stamped: Sequence[tuple[Document, bool]],
) -> None:
    met = [event(document, is_ahead) for document, is_ahead in stamped]
    for table in OF_MENTIONS:
        assert folded(table, made_once(table, met)) == folded(table, made_of_all(table, met)), table.name


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_mentions_in_one_event_the_place_decides_and_not_which_was_met_first(turned: bool) -> None:
    one, other = described("postgres://one", "a"), described("postgres://other", "b")
    late = run_event(inputs=[one], outputs=[other], time=TIME.replace(year=2027))
    early = [run_event(inputs=[one]), run_event(inputs=[described("postgres://x", "c")], outputs=[other])]
    met = [event(document) for document in (*(early[::-1] if turned else early), late)]
    (sources,) = (table for table in OF_MENTIONS if table.name == "sources")
    (row,) = folded(sources, made_once(sources, met))
    assert row["connection_url"] == "postgres://other"
    assert folded(sources, made_of_all(sources, met)) == [row]


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_mentions_in_the_first_event_the_earlier_place_wins(turned: bool) -> None:
    symlinks = facet(identifiers=[{"namespace": dataset()["namespace"], "name": "b", "type": "TABLE"}])
    linking, linked = dataset("a", facets={"symlinks": symlinks}), dataset("b")
    first = run_event(inputs=[linking], outputs=[linked], time=TIME.replace(year=2020))
    late = [run_event(inputs=[linking]), run_event(inputs=[dataset("c")], outputs=[linked])]
    met = [event(document) for document in (*(late[::-1] if turned else late)[:1], first)]
    (symlinks_table,) = (table for table in OF_MENTIONS if table.name == "dataset_symlinks")
    (row,) = (row for row in folded(symlinks_table, made_once(symlinks_table, met)) if row["name"] == "b")
    assert (row["type"], row["is_primary"]) == ("TABLE", False)


def test_events_that_say_the_same_of_a_thing_share_its_mention() -> None:
    first, second = (event(run_event(kind, outputs=[described("postgres://x")])) for kind in ("START", "COMPLETE"))
    assert first.job is second.job
    assert first.datasets[0] is second.datasets[0]
    assert first.run is not second.run


def test_a_mention_in_another_place_or_role_or_of_another_text_is_another() -> None:
    one = described("postgres://x")
    places = event(run_event(inputs=[one, one], outputs=[one]))
    assert len({id(mention) for mention in places.datasets}) == 3
    other = event(run_event(inputs=[described("postgres://y")]))
    assert other.datasets[0] is not places.datasets[0]
    assert [mention.path for mention in places.datasets] == ["$.inputs[0]", "$.inputs[1]", "$.outputs[0]"]


def test_what_is_large_is_shared_by_no_events() -> None:
    large = dataset(facets={"own": facet(text="x" * 20_000)})
    first, second = (event(run_event(kind, outputs=[large])) for kind in ("START", "COMPLETE"))
    assert first.datasets[0] is not second.datasets[0]
    sightings = Sightings()
    sightings.note(first)
    assert not sightings.know(first.datasets[0])


def test_a_mention_that_no_table_takes_is_refused_each_time() -> None:
    for kind in ("START", "COMPLETE"):
        broken = event(run_event(kind, job=named_job("same"), outputs=[dataset(fields=[("x" * 300, "INT")])]))
        with pytest.raises(RejectedEvent, match="more than 255 characters"):
            check_rows(broken)


@pytest.mark.parametrize("member", ["inputs", "dataset", "job"])
def test_a_member_that_the_event_does_not_need_must_be_readable_all_the_same(member: str) -> None:
    document = (
        run_event() if member == "dataset" else run_event() | {"schemaURL": "x/DatasetEvent", "dataset": dataset()}
    )
    broken = document | {member: [{"name": 1}] if member == "inputs" else {"name": 1}}
    with pytest.raises(RejectedEvent) as rejected:
        event(broken)
    assert rejected.value.path.startswith(f"$.{member}")


@pytest.mark.parametrize("member", ["inputs", "dataset", "job"])
def test_a_name_that_the_event_does_not_need_may_be_of_any_length(member: str) -> None:
    document = (
        run_event() if member == "dataset" else run_event() | {"schemaURL": "x/DatasetEvent", "dataset": dataset()}
    )
    long = {"namespace": "n", "name": "x" * 3_000}
    assert event(document | {member: [long] if member == "inputs" else long}).kind
