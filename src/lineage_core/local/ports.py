"""Free TCP ports of this machine, remembered so that an address stays the same between starts."""

from __future__ import annotations

import socket
from pathlib import Path

HOST = "127.0.0.1"


def remembered_port(file: Path) -> int:
    """The port written in `file` while nobody else uses it, else a new free one, which is then written there."""
    port = _written_port(file)
    if port is None or not is_free(port):
        port = _free_port()
        file.write_text(f"{port}\n")
    return port


def is_free(port: int) -> bool:
    """Whether a server could listen on `port` now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def answers(port: int) -> bool:
    """Whether a server listens on `port`."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0


def _written_port(file: Path) -> int | None:
    text = file.read_text().strip() if file.exists() else ""
    return int(text) if text.isdecimal() else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
