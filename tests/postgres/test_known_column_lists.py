"""Lists of pairs of columns: of the version before where it is described alike, and the same as if made anew."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from lineage_core.normalize.store import merging
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, Document, dataset, dataset_event, facet, run_event
from tests.support.examples import numbers
from tests.support.stores import contents, differences, empty, rows, take_in

pytestmark = pytest.mark.postgres

COLUMNS = "abc"
SALES = facet(identifiers=[{"namespace": "shop", "name": "sales", "type": "TABLE"}])
LISTS = "SELECT count(*) FROM column_lineage_lists"


def made_of(columns: str, *inputs: str, how: str | None = None) -> Document:
    """Each column comes from those of its name."""
    ways = [{"type": "DIRECT", "subtype": "IDENTITY", "description": how}] if how else []
    origins = [{"namespace": "shop", "name": name, "transformations": ways} for name in inputs]
    return facet(fields={column: {"inputFields": [one | {"field": column} for one in origins]} for column in columns})


def ran(
    day: int,
    columns: str = "ab",
    *inputs: str,
    how: str | None = None,
    minutes: int = 0,
    read: str = COLUMNS,
    written: str = COLUMNS,
    **facets: Document,
) -> Document:
    """A run of that day, at least of its dataset `orders`, with these columns in what it reads and writes."""
    names = inputs or ("orders",)
    lineage = {"columnLineage": made_of(columns, *names, how=how)} if columns else {}
    return run_event(
        "COMPLETE",
        run_id=f"run {day}",
        time=TIME + timedelta(days=day, minutes=minutes),
        inputs=[
            dataset(name, namespace="shop", fields=[(column, "INT") for column in read], facets=facets)
            for name in names
        ],
        outputs=[dataset("sums", namespace="shop", fields=[(column, "INT") for column in written], facets=lineage)],
    )


@contextmanager
def known_lists() -> Iterator[list[int]]:
    """How many lists each merge has known meanwhile."""
    counts: list[int] = []
    run = merging._run

    def counted(connection: Connection, step: str, *rest: Any) -> None:
        run(connection, step, *rest)
        if step == "model/derive/column_lineage":
            known = connection.execute("SELECT count(pairs_uuid) FROM described_inputs").fetchone()
            assert known is not None
            counts.append(known[0])

    with patch.object(merging, "_run", counted):
        yield counts


def hold(store: Store, slices: Sequence[Sequence[Document]]) -> list[int]:
    """The lists that each merge knows. Fails unless one merge of all of them, which can know none, makes the same."""
    empty(store)
    with known_lists() as counts:
        for events in slices:
            take_in(store, events)
        one_by_one = contents(store)
        empty(store)
        take_in(store, [event for events in slices for event in events])
    assert counts.pop() == 0
    assert differences(one_by_one, contents(store)) == {}
    return counts


def test_a_run_that_is_described_as_the_one_before_has_its_list(database: Store) -> None:
    assert hold(database, [[ran(0)], [ran(1)], [ran(2), ran(3)]]) == [0, 1, 1]
    assert rows(database, LISTS) == [(1,)]


def test_what_stands_of_the_version_before_is_taken_as_it_is(database: Store) -> None:
    """Nothing is made of what the description says."""
    take_in(database, [ran(0)])
    with database.connect() as connection:
        connection.execute("UPDATE dataset_column_lineages SET pairs = '[]'")
    take_in(database, [ran(1)])
    assert rows(database, "SELECT count(*), count(DISTINCT pairs_uuid) FROM column_lineage_versions") == [(2, 1)]


def test_each_of_several_inputs_has_the_list_that_it_had(database: Store) -> None:
    inputs = ("orders", "returns")
    assert hold(database, [[ran(0, "ab", *inputs)], [ran(1, "ab", *inputs)]]) == [0, 2]


def test_a_list_is_made_beside_one_that_is_known(database: Store) -> None:
    inputs = ("orders", "returns")
    returns = dataset("returns", namespace="shop", fields=[("b", "INT")])
    written = dataset_event(returns, time=TIME + timedelta(hours=1))
    reading = ran(1, "ab", *inputs)
    reading["inputs"][1] = returns
    assert hold(database, [[ran(0, "ab", *inputs)], [written], [reading]]) == [0, 0, 1]
    assert rows(database, LISTS) == [(3,)]


MADE_ANEW = {
    "it is described otherwise": [[ran(0)], [ran(1, how="copied")]],
    "the input has another column": [[ran(0)], [ran(1, read="abcx")]],
    "the run before is judged anew": [[ran(0)], [ran(0, "b", minutes=5), ran(1)]],
    "two descriptions speak of the version before": [[ran(0, "a"), ran(0, "b", minutes=5)], [ran(1, "b")]],
    "two descriptions speak of this version": [[ran(0)], [ran(1), ran(1, "c", minutes=5)]],
    "the version before is described by none": [[ran(0), ran(1, "")], [ran(2)]],
    "the run comes late": [[ran(2)], [ran(1)]],
    "it reads another dataset": [[ran(0)], [ran(1, "ab", "sales")]],
}


@pytest.mark.parametrize("why", MADE_ANEW)
def test_a_list_is_made_anew_where(why: str, database: Store) -> None:
    assert hold(database, MADE_ANEW[why])[-1] == 0


def named(minutes: int) -> Document:
    """The event that says that `orders` is a name of `sales`."""
    return dataset_event(
        dataset("orders", namespace="shop", facets={"symlinks": SALES}), time=TIME + timedelta(minutes=minutes)
    )


def of_both(event: Document) -> Document:
    """The run reads `orders`, and describes a column of it and one of `sales`."""
    fields = {
        column: {"inputFields": [{"namespace": "shop", "name": name, "field": column}]}
        for column, name in (("a", "orders"), ("b", "sales"))
    }
    event["outputs"][0]["facets"]["columnLineage"] = facet(fields=fields)
    return event


def begun(event: Document) -> Document:
    """Its start, which describes no columns yet."""
    start = copy.deepcopy(event)
    del start["outputs"][0]["facets"]["columnLineage"]
    earlier = datetime.fromisoformat(event["eventTime"]) - timedelta(minutes=1)
    return start | {"eventType": "START", "eventTime": earlier.isoformat()}


RENAMED = {
    "before the next run": [[ran(0)], [named(30)], [ran(1)]],
    "in the next run": [[ran(0)], [ran(1, symlinks=SALES)], [ran(2, "ab", "sales")]],
    "of which the run before has described columns": [[begun(ran(0)), of_both(ran(0))], [named(30)], [of_both(ran(1))]],
}


@pytest.mark.parametrize("when", RENAMED)
def test_the_input_gains_a_name(when: str, database: Store) -> None:
    hold(database, RENAMED[when])


def test_two_inputs_were_of_one_version_before(database: Store) -> None:
    """Marquez joins namespace, source and name by `:`, so that these datasets have versions in common."""
    one, other = (
        dataset("orders", namespace=namespace, fields=[("a", "INT")], facets={"dataSource": facet(name=source)})
        for namespace, source in (("shop:old", "db"), ("shop", "old:db"))
    )
    origins = [{"namespace": each["namespace"], "name": each["name"], "field": "a"} for each in (one, other)]
    lineage = facet(fields={"a": {"inputFields": origins[:1]}, "b": {"inputFields": origins[1:]}})

    def run(day: int, *inputs: Document) -> Document:
        event = ran(day) | {"inputs": list(inputs)}
        event["outputs"][0]["facets"]["columnLineage"] = lineage
        return event

    assert hold(database, [[run(0, one, other)], [run(1, one)], [run(2, one)]]) == [0, 0, 1]
    assert hold(database, [[run(0, one, other)], [run(1, other)]]) == [0, 0]


def test_two_outputs_were_of_one_version_before(database: Store) -> None:
    """The list that stands is that of the dataset whose version it is, and not of the other."""
    one, other = (
        dataset("sums", namespace=namespace, fields=[("a", "INT")], facets={"dataSource": facet(name=source)})
        for namespace, source in (("shop:old", "db"), ("shop", "old:db"))
    )

    def run(day: int, *outputs: Document) -> Document:
        return ran(day) | {"outputs": [each | {"facets": each["facets"] | lineage} for each in outputs]}

    lineage = {"columnLineage": made_of("a", "orders")}
    assert hold(database, [[run(0, one, other)], [run(1, other)], [run(2, other)]]) == [0, 0, 1]
    assert hold(database, [[run(0, one, other)], [run(1, one)]]) == [0, 1]


def test_a_version_turns_out_to_be_that_of_a_dataset_which_its_run_does_not_name(database: Store) -> None:
    """An event without a run has, at the end of its lifecycle, what a run adds to it."""
    run_id = "0190a0a0-0000-7000-8000-000000000001"
    state = {"lifecycleStateChange": facet(lifecycleStateChange=f"DROP:{run_id}")}
    declared = dataset("sums", "shop", fields=[("a", "INT")], facets={"dataSource": facet(name="old:db")} | state)
    written = dataset(
        "sums",
        "shop:old",
        fields=[("a", "INT")],
        facets={
            "dataSource": facet(name="db"),
            "lifecycleStateChange": facet(lifecycleStateChange="DROP"),
            "columnLineage": made_of("a", "orders"),
        },
    )
    run = ran(1) | {"run": {"runId": run_id}, "outputs": [written]}
    hold(database, [[run], [dataset_event(declared)]])
    assert rows(database, "SELECT count(*) FROM dataset_versions") == [(2,)]
    hold(database, [[run], [dataset_event(declared, time=TIME + timedelta(days=2))]])


def of_a_city(day: int, name: str, *fields: Document) -> Document:
    """The run writes these fields, and describes one of that name."""
    event = ran(day)
    origin = {"namespace": "shop", "name": "orders", "field": "a"}
    lineage = facet(fields={name: {"inputFields": [origin]}})
    event["outputs"][0]["facets"] = {"schema": facet(fields=list(fields)), "columnLineage": lineage}
    return event


CITY = "address.city"
ADDRESS = {"name": "address", "type": "STRUCT", "fields": [{"name": "city", "type": "TEXT"}]}


def test_a_column_within_another_has_no_pairs_though_the_dataset_had_one_of_its_path(database: Store) -> None:
    """The dataset has a column without a type whose name is the path, but not in the schema of these runs."""
    within = [of_a_city(day, CITY, ADDRESS) for day in (0, 2, 3)]
    beside = of_a_city(1, CITY, {"name": CITY})
    assert hold(database, [[within[0]], [beside], within[1:]]) == [0, 0, 0]
    assert rows(database, "SELECT count(*) FROM column_lineage_versions") == [(1,)]


def _some_run(chooser: Random, day: int) -> Document:
    """Mostly as the runs before."""
    unlike = chooser.random() < 0.3
    return ran(
        day,
        chooser.choice(["a", "ab", "bc", ""]) if unlike else "ab",
        *(chooser.sample(["orders", "returns", "sales"], chooser.randint(1, 2)) if unlike else ["orders", "returns"]),
        how=chooser.choice([None, None, "copied"]) if unlike else None,
        minutes=chooser.randint(0, 3),
        read=chooser.choice(["abc", "ab", "bcd"]) if unlike else COLUMNS,
        written=chooser.choice(["abc", "ab"]) if unlike else COLUMNS,
        **({"symlinks": SALES} if chooser.random() < 0.05 else {}),
    )


def test_whatever_comes_has_the_lists_that_one_merge_of_all_makes(database: Store) -> None:
    known = 0
    for number in numbers(5):
        chooser = Random(number)
        events = [_some_run(chooser, chooser.randint(0, 9)) for _ in range(14)]
        known += sum(hold(database, [events[start : start + 2] for start in range(0, 14, 2)]))
    assert known > 8
