"""psql on the store: by which login, and which program."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from typing import NoReturn

from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.local import postgres
from lineage_core.local.chosen_store import EmbeddedLogin
from lineage_core.local.logins import GROUPS
from lineage_core.local.postgres import Server
from lineage_core.postgres.addresses import without_password
from lineage_core.settings import ProjectSettings, inherited_environment


def address_of_store(settings: ProjectSettings, login: EmbeddedLogin | None) -> tuple[str, str]:
    """A DSN that psql takes, and the password that is left out of it, empty if it had none.

    login: one of the embedded Postgres. Raises WrongUsage where `LINEAGE_DSN` names the login already.
    """
    if settings.dsn is None:
        return _embedded(postgres.start(settings.home), login or EmbeddedLogin.OWNER), ""
    if login is not None:
        raise WrongUsage("--role names a login of the embedded Postgres, but LINEAGE_DSN is set, and names its own")
    return without_password(settings.dsn)


def run_psql(settings: ProjectSettings, login: EmbeddedLogin | None, arguments: Sequence[str]) -> NoReturn:
    """Become psql, with these arguments. Raises NeedsOperator if there is no psql on this machine."""
    address, password = address_of_store(settings, login)
    program = _program(settings)
    # The password stays out of the arguments, which every user of the machine can list.
    environment = inherited_environment() | ({"PGPASSWORD": password} if password else {})
    os.execvpe(program, [program, f"--dbname={address}", *arguments], environment)  # noqa: S606


def _embedded(server: Server, login: EmbeddedLogin) -> str:
    if login is EmbeddedLogin.OWNER:
        return server.dsn()
    group = GROUPS[login]
    if not server.run_sql(f"SELECT 1 FROM pg_roles WHERE rolname = '{group}';").strip():  # noqa: S608
        raise NeedsOperator(f"The role {group} does not exist yet; `lineage db upgrade` makes it")
    server.ensure_role(login, "NOSUPERUSER")
    server.grant(group, login)
    return server.dsn(login)


def _program(settings: ProjectSettings) -> str:
    embedded = postgres.running(settings.home) if settings.dsn is None else None
    if embedded is not None:
        return str(embedded.programs / "psql")
    found = shutil.which("psql")
    if found is None:
        raise NeedsOperator("There is no psql on this machine; install Debian's package postgresql-client, or another")
    return found
