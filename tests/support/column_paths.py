"""Columns within others, and columns of their own whose names are the paths of those.

A description names a column within another by its path, as `address.city`, and without a type. Another schema of the
dataset may have a column of that name.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Any

from lineage_core.testing import TIME, dataset, dataset_event, facet, named_job, run_event

Document = dict[str, Any]

PATH = "address.city"
_ADDRESS: Document = {"name": "address", "type": "STRUCT"}
_WITHIN: Document = {"fields": [{"name": "city", "type": "TEXT"}]}
_SCHEMAS: Sequence[list[Document]] = (
    [_ADDRESS | _WITHIN],
    [_ADDRESS | _WITHIN],
    [{"name": "address"} | _WITHIN],
    [{"name": PATH}],
    [{"name": PATH}, _ADDRESS],
    [{"name": PATH}, _ADDRESS | _WITHIN],
    [{"name": PATH, "type": "TEXT"}, _ADDRESS | _WITHIN],
)
_PEOPLE, _GUESTS = ("people", "people", "people", "persons"), ("guests",)
"""Names of two datasets."""
_PERSONS = {"symlinks": facet(identifiers=[{"namespace": "shop", "name": "persons", "type": "TABLE"}])}


def of_paths(chosen: Random) -> list[Document]:
    """Some runs that write the one dataset and read the other; events that describe it without them, or name it.

    What is read is described before, and often alike: else each run would have all others judged again.
    """
    read = chosen.choice(((chosen.choice(_SCHEMAS),), _SCHEMAS))
    described = dataset_event(_described(chosen, _GUESTS, _SCHEMAS), time=TIME - timedelta(minutes=1))
    named = dataset_event(dataset("people", "shop", facets=_PERSONS), time=_time(chosen))
    return [
        described,
        *(_run_event(chosen, read) for _ in range(chosen.randint(3, 4))),
        dataset_event(_described(chosen, _PEOPLE, _SCHEMAS), time=_time(chosen)),
        *chosen.choice(([], [], [named])),
    ]


def _run_event(chosen: Random, read: Sequence[list[Document]]) -> Document:
    return run_event(
        chosen.choice(("START", "COMPLETE", "COMPLETE")),
        run_id=f"0190a0a0-0000-7000-8000-0000000005{chosen.randint(0, 5):02}",
        job=named_job("greet", "shop"),
        time=_time(chosen),
        inputs=[_described(chosen, _GUESTS, read)],
        outputs=[_described(chosen, _PEOPLE, _SCHEMAS, columnLineage=_made_of(chosen))],
    )


def _described(chosen: Random, names: Sequence[str], schemas: Sequence[list[Document]], **facets: Document) -> Document:
    schema = facet(fields=chosen.choice(schemas))
    return dataset(chosen.choice(names), "shop", facets={"schema": schema} | facets)


def _made_of(chosen: Random) -> Document:
    origin = {"namespace": "shop", "name": "guests", "field": chosen.choice((PATH, PATH, "address"))}
    made_of = {"inputFields": [origin]} | chosen.choice(({}, {}, {"transformationType": "MASKED"}))
    return facet(
        fields={chosen.choice((PATH, PATH, PATH, "address")): made_of}, dataset=chosen.choice(([], [], [origin]))
    )


def _time(chosen: Random) -> Any:
    return TIME + timedelta(minutes=chosen.randint(0, 9))
