"""What a command does at SIGINT and SIGTERM: it ends, with all that it started, and says what stays and how to go on.

The first signal raises Interrupted in the main thread, so that everything on its way is closed. Whatever comes of that,
the processes below are ended, one line is written, and the exit code is 128 plus the signal. Signals that follow change
nothing. Should the main thread not come to its end in time, another one ends the process.
"""

from __future__ import annotations

import ctypes
import functools
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import ParamSpec, TypeVar

SIGNALS = (signal.SIGINT, signal.SIGTERM)

GRACE_SECONDS = 15.0
"""How long the main thread may take to close what it has open."""

CHILDREN_SECONDS = 5.0
"""How long the processes below may take to end before they are killed."""

POLL_SECONDS = 0.5

WAKE_SECONDS = 0.5
"""Between two attempts to wake the main thread; psycopg looks for signals when it has waited for 0.1 s undisturbed."""

NOTHING_CHANGED = "Nothing was changed."
"""Of a command that only reads, or has not begun."""

_PR_SET_CHILD_SUBREAPER = 36

P = ParamSpec("P")
R = TypeVar("R")


class Interrupted(KeyboardInterrupt):
    """A signal asked to end. It is a KeyboardInterrupt, which libraries know: psycopg cancels what the server does."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


class Interruption:
    """The signal that a command got, if it got one, and the message about it."""

    def __init__(self) -> None:
        self.number: int | None = None
        self.what_stays = NOTHING_CHANGED
        self._is_armed = False
        self._is_raised = False

    def handle(self, number: int, _frame: FrameType | None) -> None:
        """The handler of the signals. Only the first one counts, and it is raised only where it is caught."""
        self.number = self.number or number
        self._raise_if_armed()

    def raise_again(self) -> None:
        """At the next signal: Python has dropped what was raised, as that was while an object was finalized, or in a
        callback of a weak reference."""
        self._is_raised = False

    @property
    def is_awaited(self) -> bool:
        """Whether the main thread has yet to raise it, or to find that one has come."""
        return self.number is None or (self._is_armed and not self._is_raised)

    @contextmanager
    def armed(self, is_armed: bool = True) -> Iterator[None]:
        """Where signals are raised, one that has come before included, or where they wait."""
        before, self._is_armed = self._is_armed, is_armed
        try:
            self._raise_if_armed()
            yield
        finally:
            self._is_armed = before
        self._raise_if_armed()

    def _raise_if_armed(self) -> None:
        if self._is_armed and self.number is not None and not self._is_raised:
            self._is_raised = True
            logging.disable()  # libraries tell at length of what now breaks off
            raise Interrupted(self.number)

    def end(self, number: int) -> None:
        """End all processes below, and say what stays. Nothing that fails here may keep the process from its end."""
        from lineage_core.processes import descendants, end_processes  # with psutil, which few commands need

        end_processes(descendants, CHILDREN_SECONDS)
        with suppress(OSError, ValueError):
            print(f"lineage: interrupted by {signal.Signals(number).name}. {self.what_stays}", file=sys.stderr)  # noqa: T201
            sys.stderr.flush()


_current = Interruption()


def all_or_nothing(shown_by: str) -> str:
    """Of a command that changes something in one transaction, and of the command that shows it."""
    return f"It took effect whole or not at all; `{shown_by}` says which."


def leaves(what_stays: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Of a command: what it says when it is interrupted. A sentence or two: what was kept, and how to go on."""

    def decorate(command: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(command)
        def run(*arguments: P.args, **options: P.kwargs) -> R:
            _current.what_stays = what_stays
            return command(*arguments, **options)

        run.what_stays = what_stays  # type: ignore[attr-defined]
        return run

    return decorate


@contextmanager
def interruptible() -> Iterator[None]:
    """Around all that a command does. Raises SystemExit in place of whatever an interrupt has led to.

    The process is expected to end then. Signals are ignored from there on: how it ends is settled.
    """
    global _current  # noqa: PLW0603 - there is one command in a process
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _current = interruption = Interruption()
    with _handled(interruption), _adopting():
        try:
            with interruption.armed():
                yield
        except BaseException as error:
            number = interruption.number or (signal.SIGINT if _is_by_interrupt(error) else None)
            if number is None:
                raise
            interruption.number = number
            interruption.end(number)
            raise SystemExit(128 + number) from error


@contextmanager
def uninterrupted() -> Iterator[None]:
    """For a few steps that belong together: a signal that comes meanwhile is raised behind them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with _current.armed(is_armed=False):
        yield


def interruption_point() -> None:
    """Within `uninterrupted`: a place where the work may end, so that a signal which has come is raised here."""
    if threading.current_thread() is threading.main_thread():
        with _current.armed():
            pass


@contextmanager
def keeping_handlers() -> Iterator[None]:
    """For code that sets handlers of its own, as PySpark does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def leaving_signals_to_others() -> Iterator[None]:
    """For a server that ends by itself at a signal, in its own time, and raises the signal again when it has."""
    before = signal.set_wakeup_fd(-1)
    try:
        with keeping_handlers():
            yield
    finally:
        signal.set_wakeup_fd(before, warn_on_full_buffer=False)


def end_with_parent() -> None:
    """Let SIGTERM come when the process that started this one has ended, as a killed spark-submit does."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(POLL_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="lineage ends with its parent", daemon=True).start()


def _is_by_interrupt(error: BaseException) -> bool:
    """Whether a KeyboardInterrupt lies behind it: for a moment PySpark has a handler of its own."""
    return any(isinstance(one, KeyboardInterrupt) for one in _behind(error))


def _behind(error: BaseException) -> Iterator[BaseException]:
    """The error and all that led to it, each once: libraries make errors that name each other in a circle."""
    met = set[int]()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and id(one) not in met:
            met.add(id(one))
            yield one
            waiting += (one.__context__, one.__cause__)


@contextmanager
def _handled(interruption: Interruption) -> Iterator[None]:
    """Handlers of the signals, but of those that whoever started us has us ignore."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    watching = threading.Thread(target=_watch, args=(interruption, reading), name="lineage ends", daemon=True)
    watching.start()
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, interruption.handle)
    try:
        with _noticing_what_is_dropped(interruption):
            yield
    finally:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        signal.set_wakeup_fd(-1)
        os.close(writing)


@contextmanager
def _noticing_what_is_dropped(interruption: Interruption) -> Iterator[None]:
    """Python prints what it cannot raise, and goes on."""
    print_it = sys.unraisablehook

    def notice(dropped: sys.UnraisableHookArgs) -> None:
        if isinstance(dropped.exc_value, Interrupted):
            interruption.raise_again()
        else:
            print_it(dropped)

    sys.unraisablehook = notice
    try:
        yield
    finally:
        sys.unraisablehook = print_it


def _watch(interruption: Interruption, reading: int) -> None:
    """Ends the process if a signal has come and the main thread does not end it in time."""
    with os.fdopen(reading, "rb", buffering=0) as signals:
        number = _first(signals.read)
        if number is None:
            return
        _wake_main_thread(interruption, number, time.monotonic() + GRACE_SECONDS)
    if interruption is _current:
        interruption.end(number)
        os._exit(128 + number)


def _wake_main_thread(interruption: Interruption, number: int, until: float) -> None:
    """Python runs handlers in the main thread alone, between two steps of its own. A signal that came just before that
    thread fell asleep, or that another one got, would have to wait until it wakes. What Python has dropped comes again.
    """
    main_thread = threading.main_thread().ident
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(WAKE_SECONDS, left))
        if interruption is _current and interruption.is_awaited and main_thread:
            signal.pthread_kill(main_thread, number)


def _first(read: Callable[[int], bytes]) -> int | None:
    """The first signal that asks to end; None when the command has ended before."""
    while byte := read(1):
        if byte[0] in SIGNALS:
            return byte[0]
    return None


@contextmanager
def _adopting() -> Iterator[None]:
    """Lets processes whose parent has ended become our children, so that `descendants` finds them; on Linux alone."""
    _set_subreaper(1)
    try:
        yield
    finally:
        _set_subreaper(0)


def _set_subreaper(value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, value, 0, 0, 0)
