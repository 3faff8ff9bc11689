"""The environment that makes `airflow` ours: its own database, secrets, ports, connections and lineage transport."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

from lineage_core.local.home import kept_secret, write_secret
from lineage_core.local.logins import Logins
from lineage_core.local.ports import HOST
from lineage_core.local.postgres import Server
from lineage_core.settings import PROJECT
from lineage_core.submission import packaged_spark

ROLE = "airflow"
DATABASE = "airflow"
USER = "admin"
POOL = "lineage"
TRANSPORT = "lineage_core.transport.PostgresTransport"

GAMES = "games"
"""Role and database of the example pipeline: a stranger to the lineage store, as any source of lineage is."""


@dataclass(frozen=True, kw_only=True)
class AirflowHome:
    """Airflow's folder below LINEAGE_HOME."""

    path: Path

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    @property
    def passwords(self) -> Path:
        return self.path / "passwords.json"

    def secret(self, name: str) -> str:
        """A secret that is made up once; every process must know the same."""
        return kept_secret(self.path / name)

    def password(self) -> str:
        """The password of the one user of the pages."""
        if not self.passwords.exists():
            write_secret(self.passwords, json.dumps({USER: secrets.token_urlsafe(12)}))
        return str(json.loads(self.passwords.read_text())[USER])

    @property
    def port_file(self) -> Path:
        return self.path / "port"

    def port(self) -> int:
        """The port that the pages were last served on."""
        return int(self.port_file.read_text())


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What Airflow needs to know of the machine."""

    home: Path
    logins: Logins
    server: Server
    java_home: Path
    search_path: str


def environment(airflow_home: AirflowHome, surroundings: Surroundings, port: int) -> dict[str, str]:
    """Every variable that Airflow's processes, and the Spark jobs below them, get from us."""
    return (
        _core(airflow_home)
        | _api(airflow_home, port)
        | _database(surroundings.server)
        | _lineage(surroundings)
        | _connections(surroundings.server)
        | _programs(surroundings)
    )


def _core(airflow_home: AirflowHome) -> dict[str, str]:
    return {
        "AIRFLOW_HOME": str(airflow_home.path),
        "AIRFLOW__CORE__DAGS_FOLDER": str(PROJECT / "dags"),
        "AIRFLOW__CORE__PLUGINS_FOLDER": str(PROJECT / "plugins"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__EXECUTOR": "LocalExecutor",
        "AIRFLOW__CORE__PARALLELISM": "4",
        "AIRFLOW__CORE__FERNET_KEY": _fernet_key(airflow_home.secret("fernet-key")),
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": f"{USER}:admin",
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(airflow_home.passwords),
        "AIRFLOW__LOGGING__BASE_LOG_FOLDER": str(airflow_home.logs),
        "AIRFLOW__DAG_PROCESSOR__REFRESH_INTERVAL": "60",
    }


def _fernet_key(secret: str) -> str:
    """A Fernet key is 32 bytes in URL-safe base64."""
    return base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest()).decode()


def _api(airflow_home: AirflowHome, port: int) -> dict[str, str]:
    address = f"http://{HOST}:{port}"
    return {
        "AIRFLOW__API__HOST": HOST,
        "AIRFLOW__API__PORT": str(port),
        "AIRFLOW__API__WORKERS": "1",
        "AIRFLOW__API__BASE_URL": address,
        "AIRFLOW__API__SECRET_KEY": airflow_home.secret("api-secret-key"),
        "AIRFLOW__API_AUTH__JWT_SECRET": airflow_home.secret("jwt-secret"),
        "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"{address}/execution/",
    }


def _database(server: Server) -> dict[str, str]:
    # Both are stated: without the second Airflow takes asyncpg for its asynchronous half, which is not installed.
    address = server.dsn(ROLE, DATABASE).replace("postgresql://", "postgresql+psycopg://")
    return {
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": address,
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN_ASYNC": address,
    }


def _lineage(surroundings: Surroundings) -> dict[str, str]:
    return {
        "LINEAGE_HOME": str(surroundings.home),
        "LINEAGE_DSN": surroundings.logins.jobs,
        "LINEAGE_INGEST_DSN": surroundings.logins.ingest,
        "LINEAGE_READER_DSN": surroundings.logins.reader,
        **({"LINEAGE_OPERATOR_DSN": surroundings.logins.operator} if surroundings.logins.operator else {}),
        "AIRFLOW__OPENLINEAGE__TRANSPORT": json.dumps({"type": TRANSPORT}),
        "AIRFLOW__OPENLINEAGE__NAMESPACE": "airflow",
        "AIRFLOW__OPENLINEAGE__SPARK_INJECT_PARENT_JOB_INFO": "True",
    }


def _connections(server: Server) -> dict[str, str]:
    spark = {"conn_type": "spark", "host": "local[*,4]", "extra": {"deploy-mode": "client"}}
    games = {
        "conn_type": "generic",
        "host": HOST,
        "port": server.port,
        "schema": GAMES,
        "login": GAMES,
        "extra": {"passfile": str(server.passfile)},
    }
    return {"AIRFLOW_CONN_SPARK_DEFAULT": json.dumps(spark), "AIRFLOW_CONN_GAMES": json.dumps(games)}


def _programs(surroundings: Surroundings) -> dict[str, str]:
    """`spark-submit` and `lineage` of our environment first, and our Python for Spark's workers."""
    ours = Path(sys.executable).parent
    return {
        "PATH": f"{ours}:{surroundings.java_home / 'bin'}:{surroundings.search_path}",
        "JAVA_HOME": str(surroundings.java_home),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_HOME": str(packaged_spark()),
        # Spark would listen on every address of the machine.
        "SPARK_LOCAL_IP": HOST,
    }
