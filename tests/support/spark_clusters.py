"""A standalone Spark of a test's own: a master and two workers, each a process, on this machine only."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lineage_core.local.java import java_home
from lineage_core.local.ports import remembered_port
from lineage_core.settings import PROJECT, ProjectSettings, inherited_environment

HOST = "127.0.0.1"
WORKERS = ("127.0.0.2", "127.0.0.3")
"""Addresses of this machine, one a worker: Spark runs no second attempt on the host of the first."""
PATIENCE_SECONDS = 90.0
_BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class SparkCluster:
    master: str
    event_logs: Path

    def submit(
        self, program: str, *arguments: str, conf: Mapping[str, str] | None = None, **environment: str
    ) -> tuple[str, list[dict[str, Any]]]:
        """Submits a program in client mode, and waits for its end: what it printed, and what Spark logged."""
        before = set(self.event_logs.iterdir())
        settings = {
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": self.event_logs.as_uri(),
            "spark.eventLog.rolling.enabled": "false",
            "spark.eventLog.compress": "false",
            "spark.driver.host": HOST,
            "spark.driver.bindAddress": HOST,
            "spark.ui.enabled": "false",
            "spark.executor.memory": "512m",
            "spark.executor.cores": "1",
            "spark.cores.max": str(len(WORKERS)),
            "spark.scheduler.minRegisteredResourcesRatio": "1.0",
            "spark.locality.wait": "0s",
        } | dict(conf or {})
        options = [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
        done = subprocess.run(
            [_BIN / "spark-submit", "--master", self.master, *options, str(PROJECT / program), *arguments],
            env=_environment() | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        (log,) = set(self.event_logs.iterdir()) - before
        return done.stdout, [json.loads(line) for line in log.read_text().splitlines()]


@contextmanager
def spark_cluster(folder: Path) -> Iterator[SparkCluster]:
    event_logs = folder / "event-logs"
    event_logs.mkdir()
    port = remembered_port(folder / "port")
    master = f"spark://{HOST}:{port}"
    with ExitStack() as processes:
        log = folder / "master.log"
        words = ["--host", HOST, "--port", str(port), "--webui-port", "0"]
        processes.enter_context(_running("master.Master", words, log))
        _wait_for(log, "I have been elected leader", 1)
        for host in WORKERS:
            words = ["--host", host, "--cores", "1", "--memory", "1g", "--webui-port", "0"]
            words += ["--work-dir", str(folder / host), master]
            processes.enter_context(_running("worker.Worker", words, folder / f"{host}.log"))
        _wait_for(log, "Registering worker", len(WORKERS))
        yield SparkCluster(master, event_logs)


@contextmanager
def _running(part: str, arguments: list[str], log: Path) -> Iterator[None]:
    command = [str(_BIN / "spark-class"), f"org.apache.spark.deploy.{part}", *arguments]
    with (
        log.open("w") as stream,
        subprocess.Popen(command, env=_environment(), stdout=stream, stderr=subprocess.STDOUT) as process,
    ):
        try:
            yield
        finally:
            process.terminate()


def _environment() -> dict[str, str]:
    environment = inherited_environment()
    java = java_home(ProjectSettings.from_environment().home, environment.get("JAVA_HOME"), environment.get("PATH"))
    return environment | {"PYSPARK_PYTHON": sys.executable, "JAVA_HOME": str(java)}


def _wait_for(log: Path, message: str, times: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len(re.findall(message, log.read_text())) < times:
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.2)
