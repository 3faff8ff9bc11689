"""LINEAGE_HOME: the folder of all that this machine keeps."""

from __future__ import annotations

import os
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
