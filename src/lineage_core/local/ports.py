"""TCP ports of this machine: free ones, remembered so that an address stays the same between starts, and taken ones."""

from __future__ import annotations

import ipaddress
import socket
from pathlib import Path

from lineage_core.errors import NeedsOperator

HOST = "127.0.0.1"

PAGES = "/lineage"
"""The path below which the pages are, in Airflow and of `lineage pages`."""


def remembered_port(file: Path) -> int:
    """The port written in `file` while no one else uses it, else a new free one, which is then written there."""
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


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listening(host: str, port: int) -> socket.socket:
    """A socket for a server. Raises NeedsOperator if the address is none of this machine's, or the port is taken."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        taken = socket.socket(family, socket.SOCK_STREAM)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(address)
    except OSError as error:
        raise NeedsOperator(f"Nothing can listen on {host}, port {port}: {error.strerror or error}") from error
    taken.set_inheritable(True)
    return taken


def _written_port(file: Path) -> int | None:
    text = file.read_text().strip() if file.exists() else ""
    return int(text) if text.isdecimal() else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
