"""The logins by which the parts come to the store: each may do its own work, and the owner only upgrades."""

from __future__ import annotations

from dataclasses import dataclass, field

from lineage_core.declare.database_names import INGEST, JOBS, OPERATORS, READER
from lineage_core.local.postgres import ROLE, Server
from lineage_core.postgres.store import Store
from lineage_core.settings import ProjectSettings

GROUPS = {"ingest": INGEST, "jobs": JOBS, "operator": OPERATORS, "reader": READER}
"""Logins of the embedded server, each with the one group role that says what it may do."""

WATCHES = ("jobs", ROLE)
"""Who sees the server's health, by which long migrations are held, and what `lineage doctor` looks at."""

MONITOR = "pg_monitor"
"""Postgres' own role for it."""


@dataclass(frozen=True, kw_only=True)
class Logins:
    """The DSN of each part, all of one store."""

    owner: str = field(repr=False)
    """Creates and upgrades it. A person works with this one."""
    ingest: str = field(repr=False)
    """Adds events."""
    jobs: str = field(repr=False)
    """Normalizes them."""
    reader: str = field(repr=False)
    """Reads the tables."""
    operator: str | None = field(default=None, repr=False)
    """Does what people ask for on the pages; None where they only look."""

    @classmethod
    def of(cls, settings: ProjectSettings, server: Server) -> Logins:
        """Those of the embedded server, made if need be; where the user brings a database, the logins are his too."""
        own = settings.dsn or server.dsn()
        if own == server.dsn():
            return cls._embedded(server)
        return cls(owner=own, ingest=settings.ingest_dsn or own, jobs=own, reader=own, operator=settings.operator_dsn)

    @classmethod
    def _embedded(cls, server: Server) -> Logins:
        for login in GROUPS:
            server.ensure_role(login, "NOSUPERUSER")
        return cls(owner=server.dsn(), **{login: server.dsn(login) for login in GROUPS})


def upgrade_with_logins(logins: Logins, server: Server) -> None:
    """Bring the store up to date, and let the logins of the embedded one do their work: an upgrade makes the groups."""
    from lineage_core.operate.whole_store import upgrade

    upgrade(Store(logins.owner))
    if logins.owner == server.dsn():
        granted = [*GROUPS.items(), *((login, MONITOR) for login in WATCHES)]
        for login, group in granted:
            server.grant(group, login)
