"""What both Python and SQL know, as SQL functions: each number, byte and word stands in Python once.

All are immutable and of one expression, so that Postgres puts the constant in place of the call when it plans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from lineage_core.model.tables.jobs import WITH_PARENT
from lineage_core.model.tables.parent_mentions import StateMention
from lineage_core.openlineage.events import AHEAD, ENDINGS, NOT_AHEAD, STARTING, Rank, Role
from lineage_core.openlineage.facets import DatasetFacetType, types_by_lower_case

RENDERED = "-- Rendered from "
"""How the first line of a rendered function begins."""


def rendered() -> dict[str, str]:
    """The text of each function, by its name."""
    return {name: render().strip() + "\n" for name, render in FUNCTIONS.items()}


def _dataset_facet_type() -> str:
    cases = "\n        ".join(
        f"WHEN public.ignoring_case(name) IN (\n            {_lines(_keys(kind))}\n        ) THEN '{kind.value}'"
        for kind in DatasetFacetType
        if kind is not DatasetFacetType.UNKNOWN
    )
    return f"""{_origin("openlineage/facets")}
-- What Marquez calls a facet of a dataset, by its name alone.
CREATE OR REPLACE FUNCTION dataset_facet_type(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE
        {cases}
        ELSE '{DatasetFacetType.UNKNOWN.value}'
    END
$$;"""


def _keys(kind: DatasetFacetType) -> list[str]:
    return sorted(key for key, found in types_by_lower_case().items() if found is kind)


def _lifecycle_rank() -> str:
    ranks = {STARTING: Rank.START} | dict.fromkeys(ENDINGS, Rank.ENDING)
    cases = "\n    ".join(f"WHEN '{event_type}' THEN {rank.value}" for event_type, rank in ranks.items())
    return f"""{_origin("openlineage/events.py")}
-- Where events of this type stand among those of the same instant: START first, endings last.
CREATE OR REPLACE FUNCTION lifecycle_rank(event_type text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE lower(event_type COLLATE "C")
    {cases}
    ELSE {Rank.RUNNING.value}
END;"""


def _event_order() -> str:
    return f"""{_origin("openlineage/events.py")}
-- The place of an event in the order of all: its verdict, whether it lay ahead of its receipt, and its identity (see
-- event_identity). So events that lay ahead come behind all others.
CREATE OR REPLACE FUNCTION event_order(identity bytea, is_ahead boolean) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN is_ahead THEN {_bytes(AHEAD)} ELSE {_bytes(NOT_AHEAD)} END || identity;"""


def _is_ahead() -> str:
    return f"""{_origin("openlineage/events.py")}
-- Whether the event with this place in the order lay ahead of its receipt (see event_order). Who asks for the last
-- event takes the last of those that did not, and of those that did only where there is no other; an index finds both.
CREATE OR REPLACE FUNCTION is_ahead(event_order bytea) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN event_order >= {_bytes(AHEAD)};"""


def _order_with_parent() -> str:
    return f"""{_origin("model/tables/jobs.py")}
-- jobs.parent_event of an event that names a parent.
CREATE OR REPLACE FUNCTION order_with_parent(event_order bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN {_bytes(WITH_PARENT)} || event_order;"""


def _state_mentions() -> str:
    values = ",\n        ".join(
        f"({kind.value}, {_word(kind.is_running)}, {_word(kind.is_ending)}, {_word(kind.is_ahead)})"
        for kind in StateMention
    )
    return f"""{_origin("model/tables/parent_mentions.py")}
-- What an event may say of the state of the run that it names as its parent, as parent_mentions.says has it.
CREATE OR REPLACE FUNCTION state_mentions()
RETURNS TABLE (says integer, is_running boolean, is_ending boolean, is_ahead boolean)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    VALUES
        {values}
$$;"""


def _number(name: str, value: int, source: str, doc: str) -> Callable[[], str]:
    """The function that gives a number."""
    return lambda: (
        f"""{_origin(source)}
-- {doc}
CREATE OR REPLACE FUNCTION {name}() RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN {value};"""
    )


_EVENTS = "openlineage/events.py"

FUNCTIONS: Mapping[str, Callable[[], str]] = {
    "dataset_facet_type": _dataset_facet_type,
    "lifecycle_rank": _lifecycle_rank,
    "event_order": _event_order,
    "is_ahead": _is_ahead,
    "order_with_parent": _order_with_parent,
    "state_mentions": _state_mentions,
    "input_role": _number("input_role", Role.INPUT.value, _EVENTS, "dataset_mentions.role of an input."),
    "output_role": _number("output_role", Role.OUTPUT.value, _EVENTS, "dataset_mentions.role of an output."),
    "running_rank": _number(
        "running_rank", Rank.RUNNING.value, _EVENTS, "lifecycle_rank() of what begins or ends no run."
    ),
    "ending_rank": _number("ending_rank", Rank.ENDING.value, _EVENTS, "lifecycle_rank() of an ending."),
}


def _origin(source: str) -> str:
    return f"{RENDERED}{source} by `lineage sql`: edit that file, not this one."


def _lines(words: Iterable[str]) -> str:
    return ",\n            ".join(f"'{word}'" for word in words)


def _bytes(value: bytes) -> str:
    return rf"'\x{value.hex()}'::bytea"


def _word(value: bool) -> str:
    return str(value).lower()
