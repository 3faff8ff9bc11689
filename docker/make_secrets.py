"""Writes `.env` beside `.env.example`, with a secret behind each name that has none there. Leaves one that is there."""

from __future__ import annotations

import base64
import os
import secrets
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent

FERNET = "AIRFLOW_FERNET_KEY"
"""A Fernet key is 32 bytes in URL-safe base64, with its padding."""


def main(folder: Path = PROJECT) -> None:
    """Say what was done. Whoever has the old secrets in a database needs them: no file is overwritten."""
    try:
        file = os.open(folder / ".env", os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode=0o600)
    except FileExistsError:
        sys.stdout.write(".env is there already, and stays as it is.\n")
        return
    with os.fdopen(file, "w") as written:
        written.writelines(f"{_filled(line)}\n" for line in (folder / ".env.example").read_text().splitlines())
    sys.stdout.write("Wrote .env, for you alone to read. `docker compose up --build --detach` starts all parts.\n")


def _filled(line: str) -> str:
    name, has_value, value = line.partition("=")
    return line if value or not has_value or line.startswith("#") else f"{line}{_secret(name)}"


def _secret(name: str) -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode() if name == FERNET else secrets.token_urlsafe(32)


if __name__ == "__main__":
    main()
