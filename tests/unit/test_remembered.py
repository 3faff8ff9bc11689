"""What is remembered takes no more bytes than it may, whatever the arguments are, and is what the function gives."""

from __future__ import annotations

import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core.remembered import footprint, remembered

MOST = 100_000
LONG = "x" * 5_000


class Counted:
    """A function, and how often it was really asked."""

    def __init__(self, most_bytes: int = MOST) -> None:
        self.asked: list[str] = []
        self.ask = remembered(most_bytes)(self._work_out)

    def forgotten(self, texts: list[str]) -> list[str]:
        """Those of the texts that are worked out again when they are asked for."""
        self.asked.clear()
        for text in texts:
            self.ask(text)
        return self.asked

    def _work_out(self, text: str, more: int = 0) -> bytes | None:
        self.asked.append(text)
        return text.encode() * 2 if text != "nothing" else None


def test_what_was_asked_before_is_not_worked_out_again() -> None:
    counted = Counted()
    assert [counted.ask("a"), counted.ask("b"), counted.ask("a"), counted.ask("nothing"), counted.ask("nothing")] == [
        b"aa",
        b"bb",
        b"aa",
        None,
        None,
    ]
    assert counted.asked == ["a", "b", "nothing"]


def test_what_is_asked_for_again_and_again_is_not_forgotten() -> None:
    counted = Counted()
    for number in range(1_000):
        counted.ask("often")
        counted.ask(f"{number} {'x' * 1_000}")
    assert counted.asked.count("often") == 1
    counted.ask(f"0 {'x' * 1_000}")
    assert counted.asked[-1].startswith("0 ")


def test_what_comes_once_does_not_push_out_what_returns() -> None:
    counted = Counted()
    returning = [f"{number} returns" for number in range(50)]
    for text in returning * 2:
        counted.ask(text)
    for number in range(1_000):
        counted.ask(f"{number} {'x' * 1_000}")
    assert counted.forgotten(returning) == []


def test_what_returns_after_many_others_is_remembered_from_its_second_time_on() -> None:
    """As datasets do of which each slice has one event: by then what came once is long forgotten."""
    counted = Counted()
    texts = [f"{number} {'x' * 200}" for number in range(60)]
    for text in texts * 2:
        counted.ask(text)
    assert counted.forgotten(texts) == []


def test_what_is_no_longer_asked_for_makes_room() -> None:
    counted = Counted()
    for day in range(2):
        texts = [f"{day} {number} {'x' * 200}" for number in range(60)]
        for text in texts * 3:
            counted.ask(text)
        assert counted.forgotten(texts) == []


def test_what_comes_once_takes_a_small_part_of_the_memory() -> None:
    most = 4 << 20
    ask = remembered(most)(lambda number: bytes(1_000))
    tracemalloc.start()
    for number in range(100_000):
        ask(number)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken < most / 3


def test_what_is_large_is_not_remembered_and_nothing_is_forgotten_for_it() -> None:
    counted = Counted()
    counted.ask("small")
    for _ in range(3):
        counted.ask("x" * MOST)
    counted.ask("small")
    assert [len(text) for text in counted.asked] == [5, MOST, MOST, MOST]


def test_a_named_argument_counts() -> None:
    counted = Counted()
    counted.ask("a")
    counted.ask("a", more=1)
    counted.ask("a", more=1)
    assert len(counted.asked) == 3


@given(lengths=st.lists(st.integers(0, 20_000), min_size=20, max_size=200))
def test_it_takes_no_more_than_it_may(lengths: list[int]) -> None:
    """Whatever is still known was asked for a short while ago: all that is, and the arguments, fits."""
    counted = Counted()
    texts = [f"{number} {'x' * length}" for number, length in enumerate(lengths)]
    for text in texts:
        counted.ask(text)
    before = len(counted.asked)
    known = []
    for text in reversed(texts):
        counted.asked.clear()
        counted.ask(text)
        if counted.asked:
            break
        known.append(text)
    assert before == len(texts)
    assert sum(footprint((text, text.encode() * 2)) for text in known) <= MOST


def test_threads_that_ask_at_the_same_time_get_what_is_right() -> None:
    counted = Counted(20_000)
    texts = [f"{number % 100} {'x' * (number % 300)}" for number in range(5_000)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(counted.ask, texts)) == [text.encode() * 2 for text in texts]


@dataclass(frozen=True, slots=True)
class Pair:
    one: str
    other: bytes | None


@pytest.mark.parametrize(
    "value",
    [(LONG,), [LONG], {LONG: None}, {1: LONG.encode()}, Pair("", LONG.encode()), [Pair(LONG, None)]],
    ids=["a tuple", "a list", "a key", "a value", "a member", "a member of a member"],
)
def test_all_that_a_value_consists_of_counts(value: object) -> None:
    assert 5_000 < footprint(value) < 6_000


def test_raw_json_counts_with_its_text() -> None:
    """Python's own count of it is of no use."""
    text = b'{"a": "' + b"x" * 1_000 + b'"}'
    assert len(text) <= footprint(msgspec.Raw(text)) <= len(text) + 100
    (read,) = msgspec.json.decode(b"[" + text + b"]", type=list[msgspec.Raw])
    assert footprint(read) == footprint(msgspec.Raw(text))


def test_a_footprint_that_is_known_takes_the_place_of_a_look_into_all() -> None:
    asked = list[str]()

    def work_out(text: str) -> str:
        asked.append(text)
        return text

    ask = remembered(40_000, lambda key, found: len(key[0]) + len(found) + 1_000)(work_out)
    for text in ("a", "a", *map(str, range(60)), "0"):
        ask(text)
    assert asked.count("a") == 1
    assert asked.count("0") == 2
