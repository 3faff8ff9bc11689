"""What pages plot: how long runs took, what they wrote, and how a dataset's numbers were over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lineage_core.pages.plots import Plot, PlotPoint, bars, line

_UNITS = ((2 * 3_600, 3_600, "h"), (2 * 60, 60, "min"), (0, 1, "s"))
"""From how many seconds on a unit is used, how many seconds it has, and what it is called."""


@dataclass(frozen=True)
class NamedPlot:
    """title: what is plotted. top, middle, bottom: values of the scale in words."""

    title: str
    plot: Plot
    top: str
    middle: str
    bottom: str


def durations(runs: Sequence[Mapping[str, Any]]) -> NamedPlot | None:
    """How long runs took, given the last first; None if none has ended. A run whose events state its end before its
    begin is left out: how long it took is not known."""
    lasted = [(run, run["took"].total_seconds()) for run in reversed(runs) if run["took"] is not None]
    measured = [(run, seconds) for run, seconds in lasted if seconds >= 0]
    if not measured:
        return None
    longest = max(seconds for _, seconds in measured)
    _, size, unit = next(one for one in _UNITS if longest >= one[0])
    points = [
        _point(run, seconds / size, f"{seconds / size:,.1f} {unit}, {run['state'] or 'no state'}")
        for run, seconds in measured
    ]
    return _named("How long each run took", bars(points), unit)


def written_rows(runs: Sequence[Mapping[str, Any]]) -> NamedPlot | None:
    """The rows that runs wrote, given the last first; None if no event counts them."""
    counted = [run for run in reversed(runs) if run["rows_written"] is not None]
    points = [_point(run, run["rows_written"], f"{run['rows_written']:,.0f} rows") for run in counted]
    return _named("Rows that each run wrote", bars(points), "")


def over_time(series: Iterable[Mapping[str, Any]]) -> list[NamedPlot]:
    """Each of the numbers of a dataset."""
    plots = (_named(one["name"], line([_number(each) for each in one["points"]]), "") for one in series)
    return [one for one in plots if one is not None]


def events_an_hour(hours: Sequence[Mapping[str, Any]]) -> list[NamedPlot]:
    """How many events state that a run completed, and how many that it failed, in the order of the hours."""
    kinds = (("completed", "complete"), ("failed", "fail"))
    plots = (
        _named(
            f"Runs that {kind}, an hour",
            bars([PlotPoint(hour["hour"], hour[part], f"{hour[part]:,.0f} {kind}", kind) for hour in hours]),
            "",
        )
        for kind, part in kinds
        if any(hour[part] for hour in hours)
    )
    return [one for one in plots if one is not None]


def _number(point: Mapping[str, Any]) -> PlotPoint:
    return PlotPoint(point["at"], point["value"], f"{point['value']:,.10g}", "", point["run"])


def _point(run: Mapping[str, Any], value: float, words: str) -> PlotPoint:
    return PlotPoint(run["started_at"], value, words, (run["state"] or "unknown").lower(), run["run"])


def _named(title: str, plot: Plot | None, unit: str) -> NamedPlot | None:
    if plot is None:
        return None
    return NamedPlot(title, plot, *(_in_words(value, unit) for value in (plot.top, plot.middle, plot.bottom)))


def _in_words(value: float, unit: str) -> str:
    return f"{value:,.10g} {unit}".strip() if value else "0"
