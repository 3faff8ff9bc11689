"""Facets whose meaning is known, as tables or as texts. Events may put anything in any facet: what is not as it should
be is shown as it is, as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

MOST_ROWS = 500


@dataclass(frozen=True)
class FacetTable:
    """Rows below their columns; a value is a text, a number, a truth, or None."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def facet_table(content: Any, name: str) -> FacetTable | None:
    """None for a facet that is not known, or is not as it should be, or says more than a table of it does."""
    read = _KNOWN.get(name)
    return read(content) if read is not None and isinstance(content, dict) else None


def _listed(member: str, *columns: str) -> Callable[[Mapping[str, Any]], FacetTable | None]:
    """Of a facet with a list of objects."""

    def read(content: Mapping[str, Any]) -> FacetTable | None:
        found = content.get(member)
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            return None
        return _table(columns, [tuple(one.get(column) for column in columns) for one in found])

    return read


def _by_column(content: Mapping[str, Any]) -> FacetTable | None:
    """Of the metrics of data quality: those of the whole dataset are the first row."""
    columns = ("column", "rowCount", "bytes", "nullCount", "distinctCount", "sum", "count", "min", "max")
    metrics = content.get("columnMetrics", {})
    if not isinstance(metrics, dict) or not all(isinstance(one, dict) for one in metrics.values()):
        return None
    rows = [("all", *(content.get(part) for part in columns[1:]))]
    rows += [(column, *(one.get(part) for part in columns[1:])) for column, one in metrics.items()]
    return _table(columns, rows)


def _members(first: str, second: str) -> Callable[[Mapping[str, Any]], FacetTable | None]:
    """Of a facet that is nothing but names and values."""

    def read(content: Mapping[str, Any]) -> FacetTable | None:
        return _table((first, second), [one for one in content.items() if not one[0].startswith("_")])

    return read


def _columns_made_of(content: Mapping[str, Any]) -> FacetTable | None:
    """Of column lineage: a row for each column that another is made of."""
    fields = content.get("fields")
    if not isinstance(fields, dict):
        return None
    rows = []
    for column, made in fields.items():
        inputs = made.get("inputFields") if isinstance(made, dict) else None
        if not isinstance(inputs, list) or not all(isinstance(one, dict) for one in inputs):
            return None
        rows += [(column, *(one.get(part) for part in ("namespace", "name", "field")), _kinds(one)) for one in inputs]
    return _table(("column", "namespace", "dataset", "made of", "how"), rows)


def _kinds(made: Mapping[str, Any]) -> Any:
    """What was done to a column. None where no event says so."""
    found = made.get("transformations")
    if not found:
        return None
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        return found
    kinds = [one.get("subtype") or one.get("type") for one in found]
    return ", ".join(kinds) if all(isinstance(kind, str) for kind in kinds) else found


def _table(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> FacetTable | None:
    if not rows or len(rows) > MOST_ROWS or not all(_is_plain(value) for row in rows for value in row):
        return None
    return FacetTable(columns, tuple(rows))


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


_KNOWN: Mapping[str, Callable[[Mapping[str, Any]], FacetTable | None]] = {
    "ownership": _listed("owners", "name", "type"),
    "tags": _listed("tags", "key", "value", "field", "source"),
    "dataQualityAssertions": _listed("assertions", "assertion", "column", "success", "severity"),
    "dataQualityMetrics": _by_column,
    "inputStatistics": _members("count", "number"),
    "outputStatistics": _members("count", "number"),
    "columnLineage": _columns_made_of,
    "dataSource": _members("member", "value"),
    "storage": _members("member", "value"),
    "jobType": _members("member", "value"),
    "nominalTime": _members("member", "value"),
    "processing_engine": _members("member", "value"),
    "sourceCodeLocation": _members("member", "value"),
    "environmentVariables": _listed("environmentVariables", "name", "value"),
}

_TEXTS: Mapping[str, tuple[str, ...]] = {
    "documentation": ("description",),
    "sql": ("query",),
    "sourceCode": ("sourceCode",),
    "errorMessage": ("message", "stackTrace"),
}
"""The members of a facet of which people read the first that it has, where all else is beside the point."""


def facet_text(content: Any, name: str) -> str | None:
    """What a facet says in words or code. None for one that is not known for that, or is not as it should be."""
    members = _TEXTS.get(name, ()) if isinstance(content, dict) else ()
    texts = (content[member] for member in members if member in content)
    return next((text for text in texts if isinstance(text, str) and text), None)
