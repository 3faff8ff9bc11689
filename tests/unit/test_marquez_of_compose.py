"""How Marquez' server starts in docker-compose.yaml, and how it is watched."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from lineage_core.settings import PROJECT
from tests.support.compose_scripts import Container
from tests.support.serving import free_port

SECRET = "a-Secret_1"
ENTRYPOINT = '#!/bin/bash\necho "$MARQUEZ_DB_PASSWORD $#"\ntr "\\0" " " < /proc/$$/cmdline\n'
SETTINGS = (PROJECT / "docker" / "marquez" / "marquez.yml").read_text()


@pytest.fixture
def container(tmp_path: Path) -> Container:
    return Container(tmp_path)


def test_its_entrypoint_gets_the_secret_as_a_variable_that_its_settings_name(container: Container) -> None:
    container.hold("marquez_password", SECRET)
    (container.folder / "entrypoint.sh").write_text(ENTRYPOINT)
    (container.folder / "entrypoint.sh").chmod(0o755)
    done = container.run(["sh", "marquez/start"], {})
    first, command = done.stdout.splitlines()
    assert (done.returncode, first) == (0, f"{SECRET} 0")
    assert SECRET not in command
    assert re.findall(r"\$\{(\w+)\}", SETTINGS) == ["MARQUEZ_DB_PASSWORD"]


def test_without_its_secret_it_says_where_that_comes_from(container: Container) -> None:
    container.hold("marquez_password", "")
    done = container.run(["sh", "marquez/start"], {})
    assert done.returncode == 1
    assert "The secret marquez_password is empty; see .env.example." in done.stderr


@contextmanager
def _answering(status: int) -> Iterator[int]:
    """The port of a server whose health checks come to that."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/healthcheck" else 404)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        yield server.server_port
        server.shutdown()
        serving.join()


@pytest.mark.parametrize(("status", "code"), [(200, 0), (500, 1)])
def test_it_is_well_if_its_own_health_checks_are(container: Container, status: int, code: int) -> None:
    with _answering(status) as port:
        done = container.run(["bash", "marquez/health"], {}, {"/5001": f"/{port}"})
    assert done.returncode == code
    assert f" {status} " in done.stdout


def test_it_is_ill_while_it_does_not_listen(container: Container) -> None:
    assert container.run(["bash", "marquez/health"], {}, {"/5001": f"/{free_port()}"}).returncode == 1
