"""Streams that fail, each by itself: the others go on, and the end of the run says which failed, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from lineage_core.errors import LeaseLost, LineageError, NeedsOperator, TryAgain, traceback_text
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import may_pass

FailureKind = Literal["try again", "needs a person", "unforeseen"]


@dataclass(frozen=True)
class FailedStream:
    """A stream that failed: whether to try again, and why.

    where: of an unforeseen error, where in the code it happened; empty otherwise.
    """

    stream: str
    kind: FailureKind
    why: str
    where: str = ""


class StreamFailures:
    """The streams of a run that have failed so far. What stops the run itself is none of them."""

    def __init__(self, connection: Connection) -> None:
        """connection: of the run. Once it is lost, no stream can go on."""
        self._connection = connection
        self._found: dict[str, FailedStream] = {}

    def __contains__(self, stream: str) -> bool:
        return stream in self._found

    def add(self, failed: FailedStream) -> None:
        """The first failure of a stream counts: what comes behind it may only follow from it."""
        self._found.setdefault(failed.stream, failed)

    @contextmanager
    def of(self, stream: str) -> Iterator[None]:
        """Where a failure is that of one stream, and the run goes on behind the block."""
        try:
            yield
        except LeaseLost:
            raise
        except Exception as error:
            if self._connection.closed:
                raise
            self.add(failed_stream(stream, error))

    def all(self) -> tuple[FailedStream, ...]:
        """In the order of their names."""
        return tuple(sorted(self._found.values(), key=lambda one: one.stream))


def failed_stream(stream: str, error: Exception) -> FailedStream:
    """What an error says of a stream."""
    if isinstance(error, TryAgain) or may_pass(error):
        return FailedStream(stream, "try again", _in_one_line(error))
    if isinstance(error, NeedsOperator):
        return FailedStream(stream, "needs a person", _in_one_line(error))
    why, _, where = traceback_text(error).partition("\n")
    return FailedStream(stream, "unforeseen", why, where)


def refuse_failed(failed: Sequence[FailedStream], what: str) -> None:
    """Raises one error for all: TryAgain if that helps any of them, then NeedsOperator if each needs a person.

    what: was done with the streams, as `published`. The first line says all: Airflow shows no more of it.
    """
    if not failed:
        return
    each = "; ".join(f"{one.stream} ({one.kind}): {one.why.rstrip('.')}" for one in failed)
    places = "".join(f"\n{one.stream}: {one.where}" for one in failed if one.where)
    raise _error({one.kind for one in failed})(
        f"{len(failed)} {'stream was' if len(failed) == 1 else 'streams were'} not {what}. {each}. All others were"
        f" {what}{places}"
    )


def _error(kinds: set[FailureKind]) -> type[LineageError]:
    if "try again" in kinds:
        return TryAgain
    return LineageError if "unforeseen" in kinds else NeedsOperator


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
