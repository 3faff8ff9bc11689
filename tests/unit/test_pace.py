"""The size of a long migration's transactions, in simulation."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from lineage_core.long_migrations.decisions.pace import Bounds, Pace

TARGET = 0.1
BOUNDS = Bounds(seconds=TARGET, smallest=100, largest=1_000_000)
OVERHEAD = 0.002
"""What a transaction takes beside its rows."""


def simulated(
    seconds: Callable[[int, int], float], chunks: int, *, start: int = 1_000, bounds: Bounds = BOUNDS
) -> list[float]:
    """What each transaction takes, where `seconds(number, rows)` says it."""
    pace, rows, taken = Pace(), start, []
    for number in range(chunks):
        taken.append(seconds(number, rows))
        pace = pace.after(rows, rows, taken[-1], bounds)
        rows = pace.next_rows(rows, bounds)
    return taken


def steady(rate: float) -> Callable[[int, int], float]:
    return lambda _number, rows: OVERHEAD + rows / rate


@pytest.mark.parametrize("rate", [2_000, 20_000, 200_000, 2_000_000])
def test_a_steady_rate_reaches_the_target_within_three_chunks_and_stays(rate: float) -> None:
    taken = simulated(steady(rate), 20)
    assert all(0.7 * TARGET < seconds < 1.05 * TARGET for seconds in taken[3:])
    assert max(taken[1:]) < 1.5 * TARGET
    assert taken[-1] > 0.95 * TARGET


@pytest.mark.parametrize("start", [100, 10_000, 1_000_000])
def test_the_first_size_makes_no_difference_after_three_chunks(start: int) -> None:
    taken = simulated(steady(50_000), 10, start=start)
    assert all(0.7 * TARGET < seconds < 1.05 * TARGET for seconds in taken[3:])


@pytest.mark.parametrize("seed", range(50))
def test_noise_leads_neither_to_large_chunks_nor_to_small_ones(seed: int) -> None:
    noise = random.Random(seed)
    taken = simulated(lambda _number, rows: (OVERHEAD + rows / 50_000) * noise.uniform(0.7, 1.3), 60)
    assert max(taken[1:]) < 1.5 * TARGET
    assert 0.7 * TARGET < sum(taken[3:]) / len(taken[3:]) < 1.05 * TARGET


def test_what_becomes_ten_times_slower_is_followed_at_once_and_comes_back_soon() -> None:
    slow = range(20, 26)
    rate = 50_000

    def seconds(number: int, rows: int) -> float:
        return OVERHEAD + rows / (rate / 10 if number in slow else rate)

    taken = simulated(seconds, 60)
    assert taken[20] > 5 * TARGET, "no one foresees the first slow one"
    assert all(one < 1.5 * TARGET for one in taken[21:])
    assert taken[36] > 0.8 * TARGET
    assert taken[59] > 0.95 * TARGET


def test_tiny_transactions_do_not_keep_the_first_size() -> None:
    """There is no dead zone: what is far too fast to measure well grows all the same."""
    taken = simulated(steady(1_000_000), 6, start=100)
    assert taken[0] < TARGET / 40
    assert taken[3] > 0.7 * TARGET


def test_the_end_of_a_range_says_nothing() -> None:
    pace = Pace().after(10_000, 10_000, 0.1, BOUNDS)
    assert pace.after(10_000, 7, 0.004, BOUNDS) == pace


def test_the_end_of_a_range_that_took_too_long_does_count() -> None:
    pace = Pace().after(10_000, 10_000, 0.1, BOUNDS)
    assert pace.after(10_000, 7, 0.4, BOUNDS).next_rows(10_000, BOUNDS) < 1_000


def test_nothing_goes_below_the_floor_or_above_the_ceiling() -> None:
    narrow = Bounds(seconds=TARGET, smallest=500, largest=2_000)
    assert simulated(steady(100), 5, bounds=narrow)[-1] == pytest.approx(OVERHEAD + 5)
    assert simulated(steady(10_000_000), 5, bounds=narrow)[-1] == pytest.approx(OVERHEAD + 0.0002)


def test_before_the_first_measurement_the_size_stays() -> None:
    assert Pace().next_rows(1_000, BOUNDS) == 1_000
    assert Pace().rate is None


def test_a_transaction_that_was_cut_short_halves_the_next() -> None:
    pace = Pace().after(10_000, 10_000, 0.1, BOUNDS)
    assert pace.cut_short().next_rows(10_000, BOUNDS) == pytest.approx(pace.next_rows(10_000, BOUNDS) / 2, abs=1)
