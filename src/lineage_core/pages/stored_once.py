"""What storing once has saved: how often events state what the store keeps once, by samples of its rows."""

from __future__ import annotations

from typing_extensions import TypedDict

from lineage_core.pages.rows import every
from lineage_core.postgres.connection import Connection

MOST = 400
"""Rows of each table that are looked at."""

_WHOLE = 100.0
"""Per cent of a table."""

_TABLES = {
    "of_events": "event_ledger",
    "of_mentions": "dataset_mentions",
    "of_kept_once": "run_facets_kept_once",
    "of_versions": "dataset_versions",
    "of_schemas": "dataset_schema_versions",
}


class StoredOnceRows(TypedDict):
    """what: facets, or columns of dataset versions. stated: how many rows there would be with one for each event or
    version that has it; of a facet that a run keeps once, one for the run. kept: how many there are. stated_bytes: of
    facets, as they are stated."""

    what: str
    stated: int
    kept: int
    stated_bytes: int | None


class _TableRows(TypedDict):
    name: str
    rows: int


class _SampledFacets(TypedDict):
    name: str
    sampled: int
    facets: int
    bytes: int


class _SampledColumns(TypedDict):
    name: str
    sampled: int
    columns: int


def stored_once(connection: Connection) -> list[StoredOnceRows]:
    """All are estimates. Empty while nothing is counted."""
    counted = every(
        connection, _TableRows, "rows_about", tables=[f"public.{name}" for name in (*_TABLES.values(), "facets")]
    )
    rows = {one["name"]: one["rows"] for one in counted}
    # Of a table of which nothing is counted, nothing: it may be large.
    shares = {part: min(_WHOLE, _WHOLE * MOST / rows[name]) if rows[name] else 0 for part, name in _TABLES.items()}
    found = [_facets(connection, rows, shares), _columns(connection, rows, shares)]
    return [one for one in found if one["kept"]]


def _facets(connection: Connection, rows: dict[str, int], shares: dict[str, float]) -> StoredOnceRows:
    sampled = every(
        connection,
        _SampledFacets,
        "facets_as_stated",
        most=MOST,
        **_parts(shares, "of_events", "of_mentions", "of_kept_once"),
    )
    stated = sum(rows[one["name"]] * one["facets"] / one["sampled"] for one in sampled)
    stated_bytes = sum(rows[one["name"]] * one["bytes"] / one["sampled"] for one in sampled)
    kept = rows["facets"]
    return {"what": "facets", "stated": max(round(stated), kept), "kept": kept, "stated_bytes": round(stated_bytes)}


def _columns(connection: Connection, rows: dict[str, int], shares: dict[str, float]) -> StoredOnceRows:
    sampled = every(
        connection,
        _SampledColumns,
        "columns_as_listed",
        most=MOST,
        **_parts(shares, "of_versions", "of_schemas"),
    )
    about = {one["name"]: round(rows[one["name"]] * one["columns"] / one["sampled"]) for one in sampled}
    kept = about.get("dataset_schema_versions", 0)
    stated = max(about.get("dataset_versions", 0), kept)
    return {"what": "columns of dataset versions", "stated": stated, "kept": kept, "stated_bytes": None}


def _parts(shares: dict[str, float], *names: str) -> dict[str, float]:
    return {name: shares[name] for name in names}
