"""The Spark of a job: it starts when there is work for it, and reports itself if a task of Airflow submitted it."""

from __future__ import annotations

import json
import logging
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from lineage_core.errors import LineageError
from lineage_core.ingest.delivery import deliver
from lineage_core.interrupts import end_with_parent
from lineage_core.local.ports import answers
from lineage_core.own_lineage.application import ApplicationRun
from lineage_core.own_lineage.datasets import Dataset
from lineage_core.settings import inherited_environment
from lineage_core.tasks import DeferredRunner, TaskRunner

if TYPE_CHECKING:
    from pyspark import SparkContext

_GATEWAY = "PYSPARK_GATEWAY_PORT"
"""The variable by which spark-submit tells a job where its JVM is."""

_log = logging.getLogger(__name__)


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
        self._name = name
        self._master = master
        self._ending = ending
        self._is_reported = False
        self._inputs: Sequence[Dataset] = ()
        self._outputs: Sequence[Dataset] = ()

    @cached_property
    def context(self) -> SparkContext:
        """Its context, which starts now."""
        from lineage_core.spark.session import spark_context

        context = self._ending.enter_context(spark_context(self._name, self._master))
        self._report_from_now_on()
        return context

    @cached_property
    def runner(self) -> TaskRunner:
        """Who does work as tasks of this Spark, which starts when there is work."""

        def make() -> TaskRunner:
            from lineage_core.spark.tasks import SparkRunner

            return SparkRunner(self.context)

        return DeferredRunner(make)

    def state(self, inputs: Sequence[Dataset], outputs: Sequence[Dataset]) -> None:
        """What the job has read and changed, which it reports when the block ends; also if it needed no Spark."""
        self._inputs, self._outputs = inputs, outputs
        if outputs:
            self._report_from_now_on()

    def _report_from_now_on(self) -> None:
        """A job is reported once, and only if a task has submitted it."""
        if self._is_reported or _GATEWAY not in inherited_environment():
            return
        self._is_reported = True
        run = ApplicationRun.of(_submitted_settings(), self._name, version("pyspark"))
        if run is not None:
            self._ending.enter_context(self._reporting(run))

    @contextmanager
    def _reporting(self, run: ApplicationRun) -> Iterator[None]:
        _report(run.started())
        try:
            yield
        except BaseException as error:
            _report(run.failed(f"{type(error).__name__}: {error}"))
            raise
        _report(run.completed(self._inputs, self._outputs))


def _submitted_settings() -> dict[str, str]:
    """Spark's settings, from the JVM that spark-submit has started, whether it runs anything or not."""
    from pyspark import SparkConf

    return dict(SparkConf().getAll())


def _report(event: dict[str, Any]) -> None:
    """Delivers it. Work that is done does not fail for want of its event: Airflow's provider does the same."""
    try:
        deliver(json.dumps(event).encode())
    except LineageError as error:
        _log.error("The lineage of this application is not complete. %s", error)
