"""Real producers send the events of a real run with the lines that their pages give, and these make rows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pyspark
import pytest

from lineage_core.local.java import java_home
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.receiver.store import create_token
from lineage_core.settings import PROJECT, inherited_environment
from lineage_core.tasks import SerialRunner
from lineage_core.testing import run_event
from tests.support.how_tos import blocks, lines_for, page
from tests.support.serving import serving
from tests.support.stores import rows

pytestmark = pytest.mark.postgres

BESIDE_PYTHON = str(Path(sys.executable).parent)
SPARK_HOME = Path(pyspark.__file__).parent


def run(script: str, folder: Path, variables: Mapping[str, str] | None = None) -> None:
    """As a person would run it, with the programs of this environment."""
    inherited = inherited_environment()
    path = {"PATH": os.pathsep.join([BESIDE_PYTHON, inherited["PATH"]])}
    done = subprocess.run(
        ["sh", "-ec", script],
        cwd=folder,
        env=inherited | path | dict(variables or {}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def states(store: Store) -> dict[str, list[str]]:
    """Of each job that the events made, the event types that came."""
    normalize(store, SerialRunner())
    return dict(
        rows(
            store,
            "SELECT name, array_agg(DISTINCT event_type ORDER BY event_type)"
            " FROM jobs JOIN lineage_events ON job_name = simple_name AND job_namespace = namespace_name GROUP BY name",
        )
    )


EMIT = """
from openlineage.client import OpenLineageClient, event_v2
run, job = event_v2.Run(runId="00000000-0000-0000-0000-000000000007"), event_v2.Job(namespace="scheduler", name="daily")
client = OpenLineageClient()
for state in (event_v2.RunState.START, event_v2.RunState.COMPLETE):
    client.emit(event_v2.RunEvent(eventTime="2026-01-01T00:00:00Z", run=run, job=job, eventType=state))
client.close()
"""


@pytest.mark.parametrize("transport", ["http", "async_http"])
def test_python(transport: str, database: Store, tmp_path: Path) -> None:
    (tmp_path / "emit.py").write_text(EMIT)
    with serving(database) as (url, _):
        lines = lines_for("python", url, create_token(database, "python", ["scheduler"], None).text)
        run(f"{lines}OPENLINEAGE__TRANSPORT__TYPE={transport} python emit.py", tmp_path)
    assert states(database) == {"daily": ["COMPLETE", "START"]}


def test_python_without_a_port(database: Store, tmp_path: Path) -> None:
    (tmp_path / "emit.py").write_text(EMIT)
    (setting,) = re.findall(r"^export (OPENLINEAGE__TRANSPORT__TYPE=\S+)$", page("without-a-port"), re.MULTILINE)
    store = {"LINEAGE_DSN": database.dsn, "LINEAGE_INGEST_DSN": database.dsn, "LINEAGE_HOME": str(tmp_path)}
    run(f"{setting} python emit.py", tmp_path, store)
    assert states(database) == {"daily": ["COMPLETE", "START"]}


def test_curl(database: Store, tmp_path: Path) -> None:
    (tmp_path / "event.json").write_text(json.dumps(run_event()))
    with serving(database) as (url, _):
        run(lines_for("curl", url, create_token(database, "curl", ["*"], None).text), tmp_path)
    assert rows(database, "SELECT event FROM lineage_events") == [(run_event(),)]


def test_a_tee_goes_on_while_marquez_is_away(database: Store, tmp_path: Path) -> None:
    (tmp_path / "emit.py").write_text(EMIT)
    with serving(database) as (url, _):
        tee = (
            blocks("../come-from-marquez")[0]
            .replace("http://127.0.0.1:5000", url)
            .replace("http://marquez.example:5000", "http://127.0.0.1:9")
        )
        tee = tee.replace("TOKEN", create_token(database, "tee", ["*"], None).text)
        run(f"{tee}OPENLINEAGE__TRANSPORT__TRANSPORTS__MARQUEZ__RETRY__TOTAL=0 python emit.py", tmp_path)
    assert states(database) == {"daily": ["COMPLETE", "START"]}


def test_files_of_the_client_are_ingested(database: Store, tmp_path: Path) -> None:
    (tmp_path / "emit.py").write_text(EMIT)
    write, ingest = (block.replace("/shared/events", str(tmp_path / "events")) for block in blocks("kafka")[:2])
    (tmp_path / "events").mkdir()
    run(f"{write}python emit.py\n{ingest}", tmp_path, {"LINEAGE_DSN": database.dsn})
    assert states(database) == {"daily": ["COMPLETE", "START"]}


JOB = """
from pyspark.sql import SparkSession
with SparkSession.builder.appName("daily_orders").getOrCreate() as spark:
    spark.range(3).withColumnRenamed("id", "n").write.parquet("orders")
    spark.read.parquet("orders").selectExpr("n + 1 AS m").write.parquet("totals")
"""


@pytest.mark.slow
@pytest.mark.spark
def test_spark(database: Store, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(JOB)
    (tmp_path / "openlineage.properties").write_text(blocks("spark", "properties")[0])
    inherited = inherited_environment()
    variables = {
        "JAVA_HOME": str(java_home(tmp_path, inherited.get("JAVA_HOME"), inherited["PATH"])),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_HOME": str(SPARK_HOME),
    }
    with serving(database) as (url, _):
        run(lines_for("spark", url, create_token(database, "spark", ["etl"], None).text), tmp_path, variables)
    found = states(database)
    assert found["daily_orders"] == ["COMPLETE", "START"]
    edges = rows(
        database,
        "SELECT io_type, regexp_replace(datasets.name, '.*/', '') FROM job_versions_io_mapping"
        " JOIN datasets ON datasets.uuid = dataset_uuid WHERE is_current_job_version ORDER BY 1, 2",
    )
    assert {("INPUT", "orders"), ("OUTPUT", "orders"), ("OUTPUT", "totals")} <= set(edges)


@pytest.mark.slow
def test_dbt(database: Store, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    (project / "models").mkdir(parents=True)
    (project / "dbt_project.yml").write_text('name: shop\nversion: "1.0"\nprofile: shop\n')
    (project / "profiles.yml").write_text("shop: {target: dev, outputs: {dev: {type: duckdb, path: shop.duckdb}}}\n")
    (project / "models" / "orders.sql").write_text("SELECT 1 AS id")
    (project / "models" / "totals.sql").write_text("SELECT count(*) AS n FROM {{ ref('orders') }}")
    programs = _dbt(tmp_path / "dbt")
    with serving(database) as (url, _):
        lines = lines_for("dbt", url, create_token(database, "dbt", ["dbt"], None).text)
        run(f"PATH={programs}:$PATH\n{lines}", project)
    found = states(database)
    assert {name.rpartition(".shop.")[2] for name in found} == {"dbt-run-shop", "orders", "totals"}
    assert all(types == ["COMPLETE", "START"] for types in found.values())
    assert ("totals",) in rows(database, "SELECT regexp_replace(name, '.*[.]', '') FROM datasets")


def _dbt(folder: Path) -> Path:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    requirements = PROJECT / "tests" / "receiver" / "requirements-dbt.txt"
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "-q", "--no-compile"]
    subprocess.run([*pip, "--only-binary", ":all:", "--requirement", requirements], check=True)
    return folder / "bin"


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.skipif(shutil.which("javac") is None, reason="the program of the page takes a JDK, this is none")
def test_java(database: Store, tmp_path: Path) -> None:
    """The libraries come as a build tool would bring them, by the Ivy that Spark has with it."""
    (tmp_path / "Emit.java").write_text(blocks("java", "java")[0])
    fetch = (
        f"java -cp '{SPARK_HOME}/jars/*' org.apache.ivy.Main -dependency io.openlineage openlineage-java 1.53.0"
        " -m2compatible -confs default -retrieve 'lib/[artifact]-[revision].[ext]'"
    )
    with serving(database) as (url, _):
        lines = lines_for("java", url, create_token(database, "java", ["java"], None).text)
        run(f"{fetch}\n{lines}java -cp 'lib/*' Emit.java", tmp_path)
    assert states(database) == {"daily": ["COMPLETE"]}
