"""An Iceberg catalog on this machine, as docs/how-to/export-a-stream-to-iceberg.md configures it."""

from __future__ import annotations

from pathlib import Path

import pytest


def use_lake(folder: Path, environment: pytest.MonkeyPatch) -> None:
    """Makes `lake` a catalog of pyiceberg: a file of SQLite."""
    from pyiceberg.utils.config import Config

    environment.setenv("PYICEBERG_CATALOG__LAKE__URI", f"sqlite:///{folder}/lake.db")
    environment.setenv("PYICEBERG_CATALOG__LAKE__WAREHOUSE", f"file://{folder}/lake")
    # It reads the environment once, when it is imported.
    environment.setattr("pyiceberg.catalog._ENV_CONFIG", Config())
