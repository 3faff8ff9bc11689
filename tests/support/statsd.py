"""The server's side of StatsD: a socket that receives figures."""

from __future__ import annotations

import socket


class StatsD:
    """Listens on a free port of this machine."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.settimeout(0.2)

    @property
    def settings(self) -> dict[str, str]:
        """Airflow's, by which it sends here."""
        return {
            "AIRFLOW__METRICS__STATSD_ON": "True",
            "AIRFLOW__METRICS__STATSD_HOST": "127.0.0.1",
            "AIRFLOW__METRICS__STATSD_PORT": str(self._socket.getsockname()[1]),
        }

    def received(self) -> dict[str, str]:
        """What each figure was last since the last call, with its type: `12|g`."""
        found = dict[str, str]()
        try:
            while True:
                for line in self._socket.recv(65_536).decode().splitlines():
                    name, _, value = line.partition(":")
                    found[name] = value
        except TimeoutError:
            return found

    def close(self) -> None:
        self._socket.close()
