"""LINEAGE_HOME: the folder of all that this machine keeps; and files for secrets, which only their owner reads."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from lineage_core.errors import WrongUsage


def made_home(home: Path) -> Path:
    """The folder, made if need be. Raises WrongUsage if it cannot be made, or not be written."""
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUsage(_unusable(home, f"it cannot be made: {error.strerror} ({error.filename})")) from error
    if not os.access(home, os.W_OK | os.X_OK):
        raise WrongUsage(_unusable(home, "it cannot be written"))
    return home


def _unusable(home: Path, why: str) -> str:
    return f"{home} is no folder to work in, and LINEAGE_HOME says which one is used: {why}"


OWNER_ONLY = 0o600


def write_secret(file: Path, text: str) -> None:
    """Replace `file` by `text` at once, so that no reader ever sees half of it or a wider mode."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(text)
    draft.replace(file)


def kept_secret(file: Path) -> str:
    """The secret in `file`; made up and written there when there is none yet."""
    if not file.exists():
        write_secret(file, secrets.token_urlsafe(64))
    return file.read_text().strip()


@dataclass(frozen=True)
class Passfile:
    """libpq's password file, which a DSN names in place of a password.

    The port is left open in its entries, since the server may get another one at its next start.
    """

    path: Path

    def password(self, host: str, role: str) -> str:
        """The password of `role`; made up and added when the file has none yet."""
        start = f"{host}:*:*:{role}:"
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        for line in lines:
            if line.startswith(start):
                return line.removeprefix(start)
        # Letters, digits, - and _ only: nothing that this file's format, a URI or SQL would read as syntax.
        password = secrets.token_urlsafe(24)
        write_secret(self.path, "".join(f"{line}\n" for line in (*lines, start + password)))
        return password
