"""How long names may be: as long as an index of Postgres takes them."""

from __future__ import annotations

from lineage_core.errors import RejectedEvent

LONGEST_NAME = 2_400
"""Bytes of UTF-8 that a namespace and a name may have together: past some 2,700 no Postgres index takes them."""


def check_names(path: str, namespace: str, name: str) -> None:
    """Raises RejectedEvent if the two are too long for an index."""
    if len(namespace) + len(name) > LONGEST_NAME // 4 and len((namespace + name).encode()) > LONGEST_NAME:
        raise RejectedEvent(f"namespace and name have more than {LONGEST_NAME} bytes together", f"{path}.name")


def check_name(name: str, what: str, path: str) -> None:
    """Raises RejectedEvent if `what` is called by a name that is too long for an index."""
    if len(name) > LONGEST_NAME // 4 and len(name.encode()) > LONGEST_NAME:
        raise RejectedEvent(f"{what} has more than {LONGEST_NAME} bytes", path)
