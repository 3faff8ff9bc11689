"""Plots: each value has its place, whatever the values are."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core.answers.explain.loading import LARGEST_NUMBER, numbers_of_facet
from lineage_core.pages.plots import HEIGHT, WIDTH, PlotPoint, bars, line, top_of
from lineage_core.pages.plotted import NamedPlot, durations, events_an_hour, over_time, written_rows
from lineage_core.testing import TIME

VALUES = st.lists(st.floats(0, 1e15), min_size=1, max_size=60)


def points(values: list[float]) -> list[PlotPoint]:
    return [PlotPoint(TIME + timedelta(hours=place), value, str(value)) for place, value in enumerate(values)]


@given(VALUES)
def test_bars_stand_beside_each_other_and_are_as_high_as_their_values(values: list[float]) -> None:
    plot = bars(points(values))
    assert plot is not None
    assert [mark.point.value for mark in plot.marks] == values
    for mark in plot.marks:
        assert mark.y + mark.height == pytest.approx(HEIGHT, abs=0.02)
        assert mark.height == pytest.approx(max(1, HEIGHT * mark.point.value / plot.top), abs=0.02)
        assert 0 <= mark.y <= HEIGHT
    for one, next_ in zip(plot.marks, plot.marks[1:], strict=False):
        assert one.x + one.width < next_.x
    last = plot.marks[-1]
    assert WIDTH * 0.9 < last.x + last.width <= WIDTH


@given(VALUES)
def test_a_line_runs_to_the_right_with_time_and_up_with_values(values: list[float]) -> None:
    plot = line(list(reversed(points(values))))
    assert plot is not None
    assert [mark.point.value for mark in plot.marks] == values
    places = [(float(x), float(y)) for x, _, y in (corner.partition(",") for corner in plot.line.split())]
    assert [x for x, _ in places] == pytest.approx([mark.x for mark in plot.marks])
    assert [y for _, y in places] == pytest.approx([mark.y for mark in plot.marks])
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    for (_, y), value in zip(places, values, strict=True):
        assert y == pytest.approx(HEIGHT * (1 - value / plot.top), abs=0.02)
    if len(values) > 1:
        assert (places[0][0], places[-1][0]) == (0, WIDTH)


@given(st.floats(0, 1e15))
def test_a_scale_ends_near_above_its_greatest_value(greatest: float) -> None:
    top = top_of(greatest)
    assert top >= greatest
    assert top <= max(2.5 * greatest, 1) * 1.000001
    assert f"{top:e}"[0] in "1259"  # 0.2 and the like may be a little less in binary


@pytest.mark.parametrize("value", [5e-324, 1e-200, LARGEST_NUMBER])
def test_numbers_at_the_ends_have_their_places(value: float) -> None:
    for plot in (bars(points([value, 0.0])), line(points([value, 0.0]))):
        assert plot is not None
        assert all(0 <= mark.y <= HEIGHT for mark in plot.marks)


def test_nothing_is_no_plot_and_a_moment_is_in_the_middle() -> None:
    assert bars([]) is None
    assert line([PlotPoint(None, 1, "one")]) is None
    alone = line(points([5]))
    assert alone is not None
    assert (alone.marks[0].x, alone.top) == (WIDTH / 2, 5)


def run(seconds: float | None, state: str = "COMPLETED", rows: float | None = None) -> dict[str, Any]:
    took = None if seconds is None else timedelta(seconds=seconds)
    return {"run": "r", "state": state, "started_at": TIME, "took": took, "rows_written": rows}


@pytest.mark.parametrize(
    ("longest", "top", "words"),
    [(0.4, "0.5 s", "0.4 s"), (90, "100 s", "90.0 s"), (600, "10 min", "10.0 min"), (9_000, "5 h", "2.5 h")],
)
def test_durations_are_in_the_unit_that_fits_the_longest(longest: float, top: str, words: str) -> None:
    plotted = durations([run(longest, "FAILED"), run(None), run(longest / 2)])
    assert plotted is not None
    assert plotted.top == top
    half, last = plotted.plot.marks  # the last run is given first, and stands last
    assert last.point.words == f"{words}, FAILED"
    assert (half.point.kind, last.point.kind) == ("completed", "failed")
    assert half.height == pytest.approx(last.height / 2, abs=0.02)
    assert durations([run(None), run(-18_000)]) is None


def test_rows_are_plotted_of_runs_that_count_them() -> None:
    plotted = written_rows([run(1, rows=1_500), run(1), run(1, rows=0)])
    assert plotted is not None
    assert [mark.point.words for mark in plotted.plot.marks] == ["0 rows", "1,500 rows"]
    assert (plotted.top, plotted.middle) == ("2,000", "1,000")
    assert written_rows([run(1)]) is None


def test_hours_without_a_failure_have_one_plot_and_each_number_has_its_own() -> None:
    hours = [{"hour": TIME, "complete": 3, "fail": 0}, {"hour": TIME + timedelta(hours=1), "complete": 5, "fail": 0}]
    assert [one.title for one in events_an_hour(hours)] == ["Runs that completed, an hour"]
    assert len(events_an_hour([hours[0] | {"fail": 1}])) == 2
    series = [{"name": name, "points": [{"at": TIME, "value": 1.0, "run": None}]} for name in ("rows", "id nullCount")]
    assert [one.title for one in over_time(series)] == ["rows", "id nullCount"]


def over_days(*values: float) -> NamedPlot:
    points = [
        {"at": TIME + timedelta(days=day), "value": value, "run": None, "series": "sum"}
        for day, value in enumerate(values)
    ]
    (plot,) = over_time([{"name": "amount sum", "points": points}])
    return plot


def heights(plot: NamedPlot) -> list[float]:
    return [mark.y for mark in plot.plot.marks]


def test_a_scale_goes_from_the_least_to_the_greatest() -> None:
    plot = over_days(-30, 0, 50)
    assert (plot.top, plot.middle, plot.bottom) == ("50", "0", "-50")
    assert heights(plot) == [HEIGHT * 0.8, HEIGHT / 2, 0.0]


def test_zero_is_the_upper_edge_of_what_is_all_below() -> None:
    plot = over_days(-10, -5)
    assert (plot.top, plot.middle, plot.bottom) == ("0", "-5", "-10")
    assert heights(plot) == [HEIGHT, HEIGHT / 2]


def test_zero_is_the_lower_edge_of_what_is_not() -> None:
    plot = over_days(0, 5)
    assert (plot.top, plot.middle, plot.bottom) == ("5", "2.5", "0")
    assert heights(plot) == [HEIGHT, 0.0]


def test_a_sum_below_zero_is_a_number_of_a_facet() -> None:
    assert list(numbers_of_facet({"columnMetrics": {"amount": {"sum": -30.5}}})) == [("amount sum", -30.5)]
