"""Long work shows itself alike: one line that is drawn anew on a terminal, one a minute elsewhere, none with JSON."""

from __future__ import annotations

import io
import sys

import pytest

from lineage_core.command_line.progress import MEGABYTES, Unit, duration, progress, progress_line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def _work(clock: Clock, *, seconds: float, as_json: bool = False, total: float | None = 12_000) -> None:
    """1,000 events in so many seconds, ten times."""
    with progress("normalize", Unit("events"), total, as_json=as_json, clock=clock) as shown:
        for number in range(1, 11):
            clock.now += seconds
            shown(1_000 * number)


def test_a_terminal_has_one_line_with_what_is_done_its_rate_and_what_is_left(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", out := Terminal())
    _work(clock, seconds=2)
    drawn = out.getvalue().split("\r\x1b[K")
    assert drawn[1] == "normalize: 1,000 of 12,000 events, 500 a second, 22 s left"
    assert len(drawn) == 1 + 10 + 1
    assert "\n" not in out.getvalue()
    assert drawn[-1] == "", "the line is gone when the work is done"


def test_a_terminal_is_not_drawn_faster_than_it_can_be_read(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", out := Terminal())
    _work(clock, seconds=0.125)
    assert out.getvalue().count("normalize: ") == 5


@pytest.mark.parametrize(("seconds", "asked"), [(2, 0), (70, 1)], ids=["no line", "several lines"])
def test_what_is_left_is_asked_once_and_only_if_a_line_is_shown(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, seconds: float, asked: int
) -> None:
    monkeypatch.setattr(sys, "stderr", out := io.StringIO())
    questions = list[None]()

    def left() -> float:
        questions.append(None)
        return 11_000

    with progress("normalize", Unit("events"), left, as_json=False, clock=clock) as shown:
        for number in range(1, 4):
            clock.now += seconds
            shown(1_000 * number)
    assert len(questions) == asked
    assert all(" of 12,000 events, " in line for line in out.getvalue().splitlines())
    assert bool(out.getvalue()) is bool(asked)


def test_elsewhere_there_is_a_line_a_minute(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", out := io.StringIO())
    _work(clock, seconds=25)
    assert out.getvalue().splitlines() == [
        "normalize: 3,000 of 12,000 events, 40 a second, 4 min left",
        "normalize: 6,000 of 12,000 events, 40 a second, 2 min left",
        "normalize: 9,000 of 12,000 events, 40 a second, 75 s left",
    ]


def test_short_work_says_nothing_elsewhere(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", out := io.StringIO())
    _work(clock, seconds=5)
    assert out.getvalue() == ""


@pytest.mark.parametrize("out", [Terminal, io.StringIO])
def test_json_has_no_such_line(clock: Clock, monkeypatch: pytest.MonkeyPatch, out: type[io.StringIO]) -> None:
    monkeypatch.setattr(sys, "stderr", made := out())
    _work(clock, seconds=100, as_json=True)
    assert made.getvalue() == ""


def test_without_a_total_what_is_left_is_unknown(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", out := io.StringIO())
    _work(clock, seconds=100, total=None)
    assert out.getvalue().splitlines()[0] == "normalize: 1,000 events, 10 a second"


def test_bytes_are_shown_as_megabytes(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", out := Terminal())
    with progress("ingest", MEGABYTES, 40e6, as_json=False, clock=clock) as shown:
        clock.now += 1
        shown(12_340_000)
    assert "ingest: 12.3 of 40.0 MB, 12.3 a second, 2 s left" in out.getvalue()


def test_a_line_cannot_control_the_terminal(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", out := Terminal())
    with progress_line(as_json=False, clock=clock) as line:
        line.show(lambda: "a\x1b[31m\nb")
    assert "\x1b[31m" not in out.getvalue()
    assert "\n" not in out.getvalue()


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (119, "119 s"), (121, "2 min"), (7_100, "118 min"), (9_000, "2.5 h")]
)
def test_durations_are_short(seconds: float, text: str) -> None:
    assert duration(seconds) == text
