"""Spark for this project's jobs: its context, which runs tasks, and a session for who has DataFrames, too."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from py4j.protocol import Py4JError
from pyspark import SparkConf, SparkContext
from pyspark.accumulators import AccumulatorTCPServer, AccumulatorUnixServer
from pyspark.sql import SparkSession
from pyspark.sql.types import NumpyArrayConverter, NumpyScalarConverter

from lineage_core.interrupts import keeping_handlers
from lineage_core.local.java import java_home
from lineage_core.settings import ProjectSettings, export, inherited_environment
from lineage_core.submission import WORKERS_DAEMON, jvm_options, packaged_spark


@contextmanager
def spark_context(name: str, master: str | None = None) -> Iterator[SparkContext]:
    """A context that ends with the block, on the Spark that spark-submit names, or on `master`.

    It runs tasks. A session starts Spark's SQL besides, which takes a JVM longer than all else.
    """
    _find_python_and_java()
    _silence_accumulators()
    _load_no_pandas()
    with keeping_handlers(), _in_silence():
        context = SparkContext.getOrCreate(_settings(name, master))
    try:
        yield context
    except KeyboardInterrupt:
        with suppress(Py4JError, OSError):
            context.setLogLevel("OFF")  # it would tell of each task that now breaks off
        raise
    finally:
        with suppress(Py4JError, OSError):  # its JVM is gone, and with it all that there was to stop
            context.stop()


def _settings(name: str, master: str | None) -> SparkConf:
    """Beside those of spark-submit, which its JVM knows: a `SparkConf` that is made before PySpark has found that JVM
    is empty, and what is set in it comes before what people gave."""
    if master is None:
        SparkContext._ensure_initialized()
    conf = SparkConf().setAppName(name).setIfMissing("spark.python.daemon.module", WORKERS_DAEMON)
    return conf if master is None else _started_here(conf, master)


@contextmanager
def spark_session(name: str, master: str | None = None) -> Iterator[SparkSession]:
    """A session on such a context."""
    with spark_context(name, master):
        session = SparkSession.builder.getOrCreate()
        try:
            yield session
        finally:
            with suppress(Py4JError, OSError):
                session.stop()


@contextmanager
def _in_silence() -> Iterator[None]:
    """Without messages of Python libraries, and so to the end of the process if it is interrupted here.

    For a moment PySpark has a handler of SIGINT of its own. It breaks off a call, and Py4J tells of that at length.
    """
    logging.disable()
    try:
        yield
    except Exception:
        logging.disable(logging.NOTSET)
        raise
    logging.disable(logging.NOTSET)


def _silence_accumulators() -> None:
    """No job of ours has any, but PySpark serves them, and would print a traceback when a JVM ends in the middle."""
    for server in (AccumulatorTCPServer, AccumulatorUnixServer):
        server.handle_error = lambda *_: None  # type: ignore[method-assign]


def _load_no_pandas() -> None:
    """Each value for the JVM is asked whether it is one of numpy. PySpark 4.2 imports its test utilities to answer, and
    with them pandas, which takes as long as the context. Where numpy is not loaded there is no value of it."""
    NumpyScalarConverter.can_convert = _is_scalar  # type: ignore[method-assign, assignment]
    NumpyArrayConverter.can_convert = _is_array  # type: ignore[method-assign, assignment]


def _is_scalar(_converter: NumpyScalarConverter, value: object) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic)


def _is_array(_converter: NumpyArrayConverter, value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray) and value.ndim == 1


def _find_python_and_java() -> None:
    """Spark looks in the environment alone, and takes whatever `python3` is first on PATH if it says nothing."""
    environment = inherited_environment()
    java = java_home(ProjectSettings.from_environment().home, environment.get("JAVA_HOME"), environment.get("PATH"))
    pythons = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    export(pythons | {"JAVA_HOME": str(java), "SPARK_HOME": str(packaged_spark())})


def _started_here(conf: SparkConf, master: str) -> SparkConf:
    """Without what Spark does for people who watch long runs; on this machine, reachable from nowhere else."""
    conf = conf.setMaster(master).set("spark.ui.enabled", "false").set("spark.ui.showConsoleProgress", "false")
    conf = conf.set("spark.driver.extraJavaOptions", jvm_options(ProjectSettings.from_environment().home))
    if master.startswith("local"):
        conf = conf.set("spark.driver.host", "127.0.0.1").set("spark.driver.bindAddress", "127.0.0.1")
    return conf
