"""What every command does at SIGINT and SIGTERM, shown on small ones: it ends, whole, with one line and its code."""

from __future__ import annotations

import signal
import sys
import textwrap
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import islice

import pytest
import typer

from lineage_core.cli.application import application
from lineage_core.interrupts import SIGNALS, _behind
from tests.support.interrupted_commands import Command, Ended, running, wait_until

BOTH = pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)

BEGINNING = """
import subprocess, sys, time
from lineage_core import interrupts
from lineage_core.interrupts import interruptible, leaves, uninterrupted

def say(word):
    print(word, flush=True)

def start(script):
    return subprocess.Popen(["/bin/sh", "-c", script], stdout=subprocess.PIPE, text=True)
"""


def _interrupted(script: str, *numbers: signal.Signals) -> Ended:
    """How a script ends that gets signals after its first line of output."""
    with _scripted(script) as command:
        assert command.process.stdout
        assert command.process.stdout.readline() == "ready\n"
        for number in numbers:
            command.send(number)
        return command.ended()


def _scripted(script: str) -> AbstractContextManager[Command]:
    return running([sys.executable, "-c", BEGINNING + textwrap.dedent(script)], {}, is_awaited=False)


def _line(number: signal.Signals, what_stays: str = "Nothing was changed.") -> str:
    return f"lineage: interrupted by {number.name}. {what_stays}\n"


@BOTH
def test_it_ends_with_one_line_and_128_plus_the_signal(number: signal.Signals) -> None:
    ended = _interrupted(
        """
        @leaves("What was merged stays.")
        def work():
            say("ready")
            time.sleep(60)

        with interruptible():
            work()
        """,
        number,
    )
    assert ended == Ended(128 + number, "", _line(number, "What was merged stays."), [])


@BOTH
def test_nothing_below_it_goes_on_be_it_deaf_or_orphaned(number: signal.Signals) -> None:
    ended = _interrupted(
        """
        with interruptible():
            interrupts.CHILDREN_SECONDS = 0.5
            deaf = start("trap '' TERM INT; echo up; while :; do sleep 60; done")
            deaf.stdout.readline()
            start("(trap '' TERM INT; echo up; sleep 60; sleep 60) & wait").stdout.readline()
            start("sh -c 'echo up; sleep 60' & :").stdout.readline()
            say("ready")
            time.sleep(60)
        """,
        number,
    )
    assert ended == Ended(128 + number, "", _line(number), [])


def test_what_was_given_a_session_of_its_own_goes_on() -> None:
    with _scripted(
        """
        with interruptible():
            server = subprocess.Popen(
                ["sleep", "60"], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            say(f"{server.pid}")
            time.sleep(60)
        """
    ) as command:
        assert command.process.stdout
        server = command.process.stdout.readline().strip()
        command.send(signal.SIGTERM)
        assert [left.split()[0] for left in command.ended().left] == [server]


@BOTH
def test_what_becomes_of_the_interrupt_on_its_way_does_not_matter(number: signal.Signals) -> None:
    """Libraries turn it into errors and exits of their own."""
    ended = _interrupted(
        """
        with interruptible():
            try:
                say("ready")
                time.sleep(60)
            except KeyboardInterrupt:
                raise RuntimeError("Spark went away")
        """,
        number,
    )
    assert ended == Ended(128 + number, "", _line(number), [])


def test_an_interrupt_that_others_have_handled_is_one() -> None:
    """PySpark sets a handler of its own, and Typer makes an exit of what that raises."""
    ended = _interrupted(
        """
        import signal
        with interruptible():
            signal.signal(signal.SIGINT, signal.default_int_handler)
            try:
                say("ready")
                time.sleep(60)
            except KeyboardInterrupt as interrupt:
                raise SystemExit(130) from interrupt
        """,
        signal.SIGINT,
    )
    assert ended == Ended(130, "", _line(signal.SIGINT), [])


def test_an_error_of_ours_that_an_interrupt_has_led_to_is_not_reported_besides() -> None:
    ended = _interrupted(
        """
        from lineage_core import cli
        from lineage_core.errors import TryAgain

        def run(arguments):
            try:
                say("ready")
                time.sleep(60)
            except KeyboardInterrupt as interrupt:
                raise TryAgain("Spark went away") from interrupt

        cli._parse_and_run = run
        cli.main()
        """,
        signal.SIGINT,
    )
    assert ended == Ended(130, "", _line(signal.SIGINT), [])


@BOTH
def test_further_signals_do_not_disturb_the_end(number: signal.Signals) -> None:
    ended = _interrupted(
        """
        with interruptible():
            try:
                say("ready")
                time.sleep(60)
            finally:
                time.sleep(0.5)
                say("closed")
        """,
        number,
        *SIGNALS,
        *SIGNALS,
    )
    assert ended.written == "closed\n"
    assert ended.code in {128 + one for one in SIGNALS}
    assert ended.errors.count("lineage: interrupted by") == 1


@BOTH
def test_one_that_python_drops_comes_again(number: signal.Signals) -> None:
    """What is raised while an object is finalized goes nowhere."""
    ended = _interrupted(
        """
        class Finalized:
            def __del__(self):
                say("ready")
                time.sleep(60)

        with interruptible():
            try:
                Finalized()
                time.sleep(60)
            finally:
                say("closed")
        """,
        number,
    )
    assert ended == Ended(128 + number, "closed\n", _line(number), [])


@BOTH
def test_one_that_does_not_come_to_its_end_is_ended(number: signal.Signals) -> None:
    ended = _interrupted(
        """
        with interruptible():
            interrupts.GRACE_SECONDS = 0.5
            start("sleep 60")
            while True:
                try:
                    say("ready")
                    time.sleep(60)
                except BaseException:
                    pass
        """,
        number,
    )
    assert (ended.code, ended.errors, ended.left) == (128 + number, _line(number), [])


@BOTH
def test_a_thread_that_waits_for_a_process_below_keeps_nothing_up(number: signal.Signals) -> None:
    """As the one that waits for Spark: an interpreter waits for its threads at its end."""
    ended = _interrupted(
        """
        from concurrent.futures import ThreadPoolExecutor
        with interruptible():
            waiting = ThreadPoolExecutor(1).submit(start("sleep 60").wait)
            say("ready")
            waiting.result()
        """,
        number,
    )
    assert ended == Ended(128 + number, "", _line(number), [])


def test_steps_that_belong_together_are_not_torn() -> None:
    ended = _interrupted(
        """
        with interruptible():
            with uninterrupted():
                say("ready")
                time.sleep(0.5)
                say("whole")
            say("further")
        """,
        signal.SIGTERM,
    )
    assert ended == Ended(143, "whole\n", _line(signal.SIGTERM), [])


def test_a_command_that_is_done_is_done() -> None:
    """A signal in the last moments of the process does not change how it ends."""
    ended = _interrupted(
        """
        with interruptible():
            pass
        say("ready")
        time.sleep(0.5)
        """,
        *SIGNALS,
    )
    assert ended == Ended(0, "", "", [])


def test_a_signal_that_was_to_be_ignored_is() -> None:
    """As SIGINT in a shell's background."""
    ended = _interrupted(
        """
        import signal
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with interruptible():
            say("ready")
            time.sleep(0.5)
            say("done")
        """,
        signal.SIGINT,
    )
    assert ended == Ended(0, "done\n", "", [])


def _commands(group: typer.Typer) -> Iterator[object]:
    for command in group.registered_commands:
        yield command.callback
    for below in group.registered_groups:
        assert below.typer_instance
        yield from _commands(below.typer_instance)


def test_every_command_says_what_stays_and_how_to_go_on() -> None:
    texts = {command: getattr(command, "what_stays", "") for command in _commands(application())}
    assert len(texts) > 60
    assert {command: text for command, text in texts.items() if not text.endswith(".") or "\n" in text} == {}


def test_a_command_can_be_interrupted_before_it_has_read_what_it_needs() -> None:
    """Python's own beginning aside, in which nothing of ours runs."""
    with running([sys.executable, "-m", "lineage_core.local", "down"], {}) as command:
        command.send(signal.SIGTERM)
        ended = command.ended()
    assert (ended.code, ended.left) == (143, [])
    assert ended.errors in (_line(signal.SIGTERM), _line(signal.SIGTERM, "`make down` again stops what still runs."))
    wait_until(lambda: not command.family())


def test_errors_that_name_each_other_do_not_keep_a_command_from_ending() -> None:
    """As an error of psycopg and the one of SQLAlchemy that wraps it may."""
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__cause__ = second, first
    assert [*islice(_behind(first), 3)] == [first, second]
    second.__context__ = KeyboardInterrupt()
    assert any(isinstance(error, KeyboardInterrupt) for error in islice(_behind(first), 4))
