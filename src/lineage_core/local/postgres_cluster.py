"""A data folder of PostgreSQL and the server of it: made, launched, found again, ended."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psutil

from lineage_core.errors import NeedsOperator, StoreUnavailable
from lineage_core.local.home import Passfile, write_secret
from lineage_core.local.ports import HOST, answers, remembered_port
from lineage_core.local.postgres_programs import ServerUser, installation
from lineage_core.postgres.addresses import redacted
from lineage_core.settings import inherited_environment

SUPERUSER = "postgres"
ROLE = "lineage"
DATABASE = "lineage"

SYSTEM_FOLDER = Path("/var/lib/lineage-core")
"""Where root puts data and programs when the server's user cannot reach LINEAGE_HOME (`/root/...`, say)."""

START_ATTEMPTS = 3
"""A port that was free may be taken before the server listens on it."""

SETTINGS = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
password_encryption = 'scram-sha-256'
shared_buffers = '512MB'
max_wal_size = '4GB'
timezone = 'UTC'
log_timezone = 'UTC'
"""

LZ4_SETTINGS = """
wal_compression = 'lz4'
default_toast_compression = 'lz4'
"""


@dataclass(frozen=True)
class Server:
    """A running server."""

    programs: Path
    port: int
    passfile: Path

    def dsn(self, role: str = ROLE, database: str = DATABASE) -> str:
        """A libpq URI without secret."""
        return f"postgresql://{role}@{HOST}:{self.port}/{database}?passfile={quote(str(self.passfile), safe='/')}"

    def password(self, role: str) -> str:
        """The password of a role, for clients that cannot read a password file."""
        return Passfile(self.passfile).password(HOST, role)

    def ensure_role(self, role: str, attributes: str = "") -> None:
        """Make the role if need be, and let its password be the one of the password file."""
        self.run_sql(
            f"\\set role {_quoted(role)}\n\\set password {_quoted(self.password(role))}\n"
            "SELECT format('CREATE ROLE %I', :'role') WHERE to_regrole(quote_ident(:'role')) IS NULL \\gexec\n"
            f"ALTER ROLE :\"role\" LOGIN {attributes} PASSWORD :'password';\n"
        )

    def grant(self, group: str, login: str) -> None:
        """Let a role have the rights of another."""
        self.run_sql(f'\\set group {_quoted(group)}\n\\set login {_quoted(login)}\nGRANT :"group" TO :"login";\n')

    def ensure_database(self, database: str, owner: str) -> None:
        """Make the database if need be."""
        self.run_sql(
            f"\\set database {_quoted(database)}\n\\set owner {_quoted(owner)}\n"
            "SELECT format('CREATE DATABASE %I OWNER %I', :'database', :'owner')\n"
            "WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \\gexec\n"
        )

    def run_sql(self, script: str, database: str = "postgres", role: str = SUPERUSER) -> str:
        """Run a psql script, given on its standard input so that nothing of it shows in a process list.

        Nor does the place of the passwords: psql gets it by a variable.
        """
        address = f"postgresql://{role}@{HOST}:{self.port}/{database}"
        done = subprocess.run(  # noqa: S603
            [self.programs / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align",
             "--set=ON_ERROR_STOP=1", f"--dbname={address}"],
            input=script, capture_output=True, text=True, check=False,
            env=inherited_environment() | {"PGPASSFILE": str(self.passfile)},
        )  # fmt: skip
        if done.returncode != 0:
            message = redacted(done.stderr.strip(), self.dsn(role, database))
            raise StoreUnavailable(f"The embedded Postgres refused a command: {message}")
        return done.stdout


@dataclass(frozen=True)
class Cluster:
    """The data folder of one version, with the programs that serve it."""

    folder: Path
    version: int
    programs: Path
    passfile: Passfile
    user: ServerUser

    @classmethod
    def below(cls, home: Path, version: int) -> Cluster:
        user = ServerUser.for_this_process()
        folder = _reachable_folder(home / "postgres", user)
        programs = _reachable_programs(version, folder, user)
        return cls(folder, version, programs, Passfile(home.resolve() / "pgpass"), user)

    @property
    def data(self) -> Path:
        return self.folder / f"data-{self.version}"

    @property
    def log(self) -> Path:
        return self.folder / f"log-{self.version}"

    @property
    def pid_file(self) -> Path:
        return self.data / "postmaster.pid"

    def is_made(self) -> bool:
        return self.data.exists()

    def make(self) -> None:
        """Make the data folder under another name first, so that one which exists is complete."""
        draft = self.folder / f"{self.data.name}-draft"
        shutil.rmtree(draft, ignore_errors=True)
        with self._password_file() as password_file:
            self._run(
                "initdb", "-D", draft, "-U", SUPERUSER, "--auth=scram-sha-256", f"--pwfile={password_file}",
                "--encoding=UTF8", "--no-locale",
            )  # fmt: skip
        with (draft / "postgresql.conf").open("a") as stream:
            stream.write("include 'lineage.conf'\n")
        draft.rename(self.data)

    def is_furnished(self) -> bool:
        """Whether the server has its own role and database; whoever started it may have been killed before that."""
        return self._furnished.exists()

    def note_furnished(self) -> None:
        self._furnished.touch()
        self.user.own(self._furnished)

    @property
    def _furnished(self) -> Path:
        return self.data / "lineage.furnished"

    def is_running(self) -> bool:
        """Whether our server runs; a pid file that a crash left behind is removed."""
        pid, port = self._noted_process()
        if pid is not None and self._is_ours(pid):
            return port is not None and answers(port)
        self.pid_file.unlink(missing_ok=True)
        return False

    def launch(self) -> None:
        self._write_settings()
        for attempt in range(1, START_ATTEMPTS + 1):
            port = remembered_port(self.folder / "port")
            done = self.user.run(
                [self.programs / "pg_ctl", "-D", self.data, "-l", self._fresh_log(), "-o", f"-p {port}", "-w", "start"]
            )
            if done.returncode == 0:
                return
            if attempt == START_ATTEMPTS or "could not bind" not in self.log.read_text():
                raise NeedsOperator(
                    f"The embedded Postgres below {self.folder} does not start. "
                    f"The end of {self.log}:\n{self._log_end()}"
                )

    def _write_settings(self) -> None:
        lz4 = "--with-lz4" in self.user.run([self.programs / "pg_config", "--configure"]).stdout
        file = self.data / "lineage.conf"
        file.write_text(SETTINGS + (LZ4_SETTINGS if lz4 else ""))
        self.user.own(file)

    def end(self) -> None:
        self._run("pg_ctl", "-D", self.data, "-m", "fast", "-w", "stop")

    def server(self) -> Server:
        _, port = self._noted_process()
        if port is None:
            raise StoreUnavailable(f"The embedded Postgres below {self.folder} ended; start it again.")
        return Server(self.programs, port, self.passfile.path)

    def _noted_process(self) -> tuple[int | None, int | None]:
        """Process id and port of the server, from lines 1 and 4 of the file that it keeps while it runs."""
        lines = self.pid_file.read_text().splitlines() if self.pid_file.exists() else []
        return _number(lines[0:1]), _number(lines[3:4])

    def _is_ours(self, pid: int) -> bool:
        """Whether the process is a server of this data folder, and not one that got the same id later."""
        try:
            return Path(psutil.Process(pid).cwd()) == self.data.resolve()
        except psutil.Error:
            return False

    def _run(self, program: str, *arguments: str | Path) -> None:
        done = self.user.run([self.programs / program, *arguments])
        if done.returncode != 0:
            raise NeedsOperator(f"{program} of the embedded Postgres failed below {self.folder}: {done.stdout.strip()}")

    def _fresh_log(self) -> Path:
        self.log.write_text("")
        self.user.own(self.log)
        return self.log

    def _log_end(self) -> str:
        return "\n".join(self.log.read_text().splitlines()[-15:])

    @contextmanager
    def _password_file(self) -> Iterator[Path]:
        """The superuser's password in a file that the server's user can read, for as long as initdb needs it."""
        file = self.folder / "initial-password"
        write_secret(file, self.passfile.password(HOST, SUPERUSER))
        self.user.own(file)
        try:
            yield file
        finally:
            file.unlink()


def _number(lines: Sequence[str]) -> int | None:
    return int(lines[0]) if lines else None


def _quoted(text: str) -> str:
    """`text` as an argument of psql's backslash commands."""
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


def _reachable_folder(wanted: Path, user: ServerUser) -> Path:
    """`wanted` itself, or what it links to where the server's user cannot reach it."""
    if not wanted.exists():
        wanted.mkdir(parents=True)
        if not user.reaches(wanted):
            wanted.rmdir()
            wanted.symlink_to(_system_folder())
        user.own(wanted.resolve())
    return wanted.resolve()


def _system_folder() -> Path:
    SYSTEM_FOLDER.mkdir(mode=0o755, parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="postgres-", dir=SYSTEM_FOLDER))
    os.chmod(folder, 0o755)  # noqa: PTH101, S103
    return folder


def _reachable_programs(version: int, folder: Path, user: ServerUser) -> Path:
    """The programs of a version, copied into `folder` where the server's user cannot reach them."""
    original = installation(version)
    if user.reaches(original / "bin" / "postgres"):
        return original / "bin"
    copy = folder / "programs" / original.parent.name / original.name
    if not copy.exists():
        _copy_with_libraries(original, copy)
    return copy / "bin"


def _copy_with_libraries(original: Path, copy: Path) -> None:
    """Copy an installation of the wheel, and its libraries, which its programs seek beside the package."""
    libraries = f"{original.parent.name}.libs"
    shutil.copytree(original.parents[1] / libraries, copy.parents[1] / libraries, dirs_exist_ok=True)
    shutil.copytree(original, copy, symlinks=True)
