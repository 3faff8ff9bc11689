"""Serving the receiver by uvicorn: in this process, or in several that share the port."""

from __future__ import annotations

import resource
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from lineage_core.errors import WrongUsage
from lineage_core.ingest.spool import Spool
from lineage_core.local.ports import is_loopback, listening
from lineage_core.postgres.store import Store
from lineage_core.receiver.application import Receiver, application
from lineage_core.receiver.connections import BoundedConnection, ReceiverLimits
from lineage_core.receiver.group_commit import GroupCommit
from lineage_core.receiver.routed_commits import RoutedCommits
from lineage_core.receiver.spooling import AllowedSpool
from lineage_core.settings import ingest_dsn_from_environment, ingest_dsn_of_store, store_list_to_route_by
from lineage_core.store_list import StoreList

GRACE_SECONDS = 20
"""For requests that are on their way when the receiver is asked to end."""

IDLE_SECONDS = 75
"""After which a connection without a request is closed."""

MOST_FILES = 16_384
"""Open at a time, connections among them, if the machine allows it: its default may be less than our connections."""


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {
        "uvicorn": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "lineage_core": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
    },
}
"""A line for each request is ours: uvicorn's has the query, in which somebody may send a secret."""


@dataclass(frozen=True)
class RoutedStores:
    """The stores of a list, by the logins that add events."""

    listed: StoreList
    stores: Mapping[str, Store]


def served_stores() -> Store | RoutedStores | None:
    """Those that the environment names: one, or those of its list. None where it names none.

    Raises WrongUsage as all settings do, also where one of several cannot be known.
    """
    listed = store_list_to_route_by()
    if listed is not None:
        return RoutedStores(listed, {name: Store(ingest_dsn_of_store(name)) for name in listed.stores})
    dsn = ingest_dsn_from_environment()
    return None if dsn is None else Store(dsn)


@dataclass(frozen=True)
class ServedReceiver:
    """Makes the application in each process that serves it. They get it as a value, never on a command line."""

    stores: Store | RoutedStores
    needs_token: bool = True
    limits: ReceiverLimits = field(default_factory=ReceiverLimits)
    spool: Path | None = None
    """The folder in which events wait for a store that is away, each of several stores in its own; None: they are
    refused."""

    def __call__(self) -> FastAPI:
        return application(Receiver(self._commits(), self.limits, self.needs_token))

    def _commits(self) -> GroupCommit | RoutedCommits:
        if isinstance(self.stores, Store):
            return _commits_into(self.stores, self.spool)
        each = {
            name: _commits_into(store, None if self.spool is None else self.spool / name)
            for name, store in self.stores.stores.items()
        }
        return RoutedCommits(self.stores.listed, each)


def _commits_into(store: Store, spool: Path | None) -> GroupCommit:
    return GroupCommit(store, None if spool is None else AllowedSpool(Spool(spool)))


def serve(served: ServedReceiver, host: str, port: int, workers: int) -> None:
    """Serves until a signal asks to end; then what is on its way is answered first.

    Raises WrongUsage for a receiver without tokens that others could reach, NeedsOperator if the port is not free.
    """
    if not served.needs_token and not is_loopback(host):
        raise WrongUsage(f"--without-tokens takes a loopback address, such as 127.0.0.1: others can reach {host}.")
    config = configuration(served, host, port, workers=workers, log_config=LOGGING)
    _allow_files()
    taken = listening(host, port)
    if workers == 1:
        uvicorn.Server(config).run(sockets=[taken])
    else:
        Multiprocess(config, sockets=[taken]).run()


def configuration(served: ServedReceiver, host: str, port: int, **others: Any) -> uvicorn.Config:
    """How uvicorn serves it."""
    options: dict[str, Any] = {
        "factory": True,
        "host": host,
        "port": port,
        "http": partial(BoundedConnection, limits=served.limits),
        "timeout_keep_alive": IDLE_SECONDS,
        "timeout_graceful_shutdown": GRACE_SECONDS,
        "server_header": False,
        "access_log": False,
        "ws": "none",
        "lifespan": "on",
    }
    return uvicorn.Config(served, **(options | others))


def _allow_files() -> None:
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(MOST_FILES, most)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
