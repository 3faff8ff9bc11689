"""The Spark of a job: it starts when there is work for it, and ends with the job."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from lineage_core.interrupts import end_with_parent
from lineage_core.local.ports import answers
from lineage_core.settings import inherited_environment
from lineage_core.tasks import DeferredRunner, TaskRunner

if TYPE_CHECKING:
    from pyspark import SparkContext

_GATEWAY = "PYSPARK_GATEWAY_PORT"
"""The variable by which spark-submit tells a job where its JVM is."""


def _end_with_spark_submit() -> None:
    """Let SIGTERM come when the JVM that has started this process ends, or now if it has ended already.

    Who has lost its parent before it looks sees another one. The port of the JVM tells.
    """
    end_with_parent()
    port = inherited_environment().get(_GATEWAY)
    if port is not None and not answers(int(port)):
        signal.raise_signal(signal.SIGTERM)


@contextmanager
def spark_application(name: str, master: str | None, *, is_submitted: bool = False) -> Iterator[Application]:
    """An application on `master`, or on the Spark that spark-submit named if it has started this process. What was
    started ends with the block, and the process with spark-submit."""
    if is_submitted:
        _end_with_spark_submit()
    with ExitStack() as ending:
        yield Application(name, None if is_submitted else master, ending)


class Application:
    """Made by `spark_application`."""

    def __init__(self, name: str, master: str | None, ending: ExitStack) -> None:
        self.name = name
        self._master = master
        self._ending = ending
        self._followers: list[Callable[[], None]] = []

    @cached_property
    def context(self) -> SparkContext:
        """Its context, which starts now."""
        from lineage_core.spark.session import spark_context

        context = self._ending.enter_context(spark_context(self.name, self._master))
        for follow in self._followers:
            follow()
        return context

    @cached_property
    def runner(self) -> TaskRunner:
        """Who does work as tasks of this Spark, which starts when there is work."""

        def make() -> TaskRunner:
            from lineage_core.spark.tasks import SparkRunner

            return SparkRunner(self.context)

        return DeferredRunner(make)

    def when_started(self, follow: Callable[[], None]) -> None:
        """Calls a function once the session has started."""
        self._followers.append(follow)

    def submitted_settings(self) -> dict[str, str] | None:
        """Spark's settings, from the JVM that spark-submit has started, whether it runs anything or not; None where
        there is none."""
        return _submitted_settings() if _GATEWAY in inherited_environment() else None


def _submitted_settings() -> dict[str, str]:
    from pyspark import SparkConf

    return dict(SparkConf().getAll())
