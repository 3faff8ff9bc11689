"""Which login each part of the demo gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_core.local.logins import Logins
from lineage_core.local.postgres import Server
from lineage_core.settings import ProjectSettings

BROUGHT, BROUGHT_FOR_EVENTS = "postgresql://me@host/store", "postgresql://loader@host/store"


@pytest.fixture
def server(tmp_path: Path) -> Server:
    """One that nothing may be asked of: it has no programs."""
    return Server(tmp_path / "bin", 5599, tmp_path / "pgpass")


def test_who_brings_a_database_brings_its_logins(server: Server, tmp_path: Path) -> None:
    settings = ProjectSettings(dsn=BROUGHT, ingest_dsn=BROUGHT_FOR_EVENTS, home=tmp_path)
    expected = Logins(owner=BROUGHT, ingest=BROUGHT_FOR_EVENTS, jobs=BROUGHT, reader=BROUGHT)
    assert Logins.of(settings, server) == expected


@pytest.mark.parametrize("brought", [False, True])
def test_the_embedded_server_has_a_login_for_each(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, brought: bool
) -> None:
    made: list[tuple[str, str]] = []
    monkeypatch.setattr(Server, "ensure_role", lambda _server, role, attributes: made.append((role, attributes)))
    dsn = server.dsn() if brought else None
    logins = Logins.of(ProjectSettings(dsn=dsn, ingest_dsn=dsn, home=tmp_path), server)
    assert made == [(role, "NOSUPERUSER") for role in ("ingest", "jobs", "operator", "reader")]
    assert logins.owner == server.dsn()
    assert {logins.ingest, logins.jobs, logins.operator, logins.reader} == {server.dsn(role) for role, _ in made}
