"""The connections of docs/how-to/deploy.md and install.md name the Spark that they say."""

from __future__ import annotations

import json
import shlex
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.how_tos import blocks

LINES = [
    line
    for page in ("install", "deploy")
    for block in blocks(f"../{page}")
    for line in block.replace("\\\n", " ").splitlines()
    if line.startswith("airflow connections add spark_default ")
]

SUBMITTED: dict[str, list[str]] = {
    "local[*,4]": ["--master", "local[*,4]"],
    "spark://spark.example": ["--master", "spark://spark.example:7077"],
    "yarn": ["--master", "yarn", "--queue", "lineage"],
    "k8s://https://kubernetes.example": ["--master", "k8s://https://kubernetes.example:6443"],
}
"""The host of each connection, and what spark-submit gets of it beside the mode."""


def _options(line: str) -> dict[str, str]:
    words = shlex.split(line)[4:]
    return dict(zip(words[::2], words[1::2], strict=True))


def test_there_is_one_for_each_kind_of_cluster() -> None:
    assert [_options(line)["--conn-host"] for line in LINES] == list(SUBMITTED)


@pytest.mark.parametrize("line", LINES, ids=list(SUBMITTED))
def test_spark_submit_gets_what_the_connection_says(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from airflow.models.connection import Connection
    from airflow.providers.apache.spark.hooks import spark_submit

    options = _options(line)
    port = options.get("--conn-port")
    connection = Connection(
        conn_id="spark_default",
        conn_type=options["--conn-type"],
        host=options["--conn-host"],
        port=int(port) if port else None,
        extra=options["--conn-extra"],
    )
    monkeypatch.setattr(spark_submit, "kube_client", Mock(), raising=False)
    monkeypatch.setattr(spark_submit.SparkSubmitHook, "get_connection", lambda *_: connection)
    hook: Any = spark_submit.SparkSubmitHook()
    command = hook._build_spark_submit_command("job.py")
    words = SUBMITTED[options["--conn-host"]]
    assert [word for word in command if word in words] == words
    assert command[command.index("--deploy-mode") + 1] == "client"
    namespace = json.loads(options["--conn-extra"]).get("namespace")
    assert namespace is None or f"spark.kubernetes.namespace={namespace}" in command
