"""Which store a command works on, and by which login of the embedded Postgres."""

from __future__ import annotations

import getpass
import os
import socket
from enum import StrEnum
from typing import TYPE_CHECKING

from lineage_core.settings import Dsn, ProjectSettings

if TYPE_CHECKING:
    from lineage_core.postgres.store import Store


def chosen_store() -> Store:
    """The store of `LINEAGE_DSN`, or the embedded one, started if need be."""
    from lineage_core.local import postgres
    from lineage_core.postgres.store import Store

    settings = ProjectSettings.from_environment()
    dsn = settings.dsn or Dsn(postgres.start(settings.home).dsn(), "the embedded Postgres")
    return Store(dsn, person=who_works_here())


def who_works_here() -> str:
    """The user of this machine, and the machine; a container may have no name for its user."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = f"user {os.getuid()}"
    return f"{user} on {socket.gethostname()}"


def chosen_ingest_store() -> Store:
    """The store that events are added to, by the login of `LINEAGE_INGEST_DSN` where there is one."""
    from lineage_core.postgres.store import Store

    dsn = ProjectSettings.from_environment().ingest_dsn
    return chosen_store() if dsn is None else Store(dsn)


def chosen_reader_store() -> Store:
    """The store that is only read, by the login of `LINEAGE_READER_DSN` where there is one."""
    from lineage_core.postgres.store import Store

    dsn = ProjectSettings.from_environment().reader_dsn
    return chosen_store() if dsn is None else Store(dsn)


def chosen_operator_store() -> Store | None:
    """The store by the login of `LINEAGE_OPERATOR_DSN`, by which pages act; None where there is none."""
    from lineage_core.postgres.store import Store

    dsn = ProjectSettings.from_environment().operator_dsn
    return None if dsn is None else Store(dsn)


class EmbeddedLogin(StrEnum):
    """`OWNER` upgrades the store; each other has one group role."""

    OWNER = "owner"
    INGEST = "ingest"
    JOBS = "jobs"
    OPERATOR = "operator"
    READER = "reader"
