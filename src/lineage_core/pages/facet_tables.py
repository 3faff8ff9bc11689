"""Facets whose meaning is known, as tables. Events may put anything in any facet: what is not as it should be is shown
as it is, as JSON."""

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


def _numbers(content: Mapping[str, Any]) -> FacetTable | None:
    shown = {name: value for name, value in content.items() if not name.startswith("_")}
    return _table(("count", "number"), list(shown.items()))


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
    "inputStatistics": _numbers,
    "outputStatistics": _numbers,
}
