"""Normalization that stays: it looks often whether something has arrived, and then runs as any other run does."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable
from typing import NoReturn

from lineage_core.errors import LeaseTaken, StoreUnavailable
from lineage_core.interrupts import uninterrupted
from lineage_core.normalize.store.event_choices import has_arrived
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import explained
from lineage_core.postgres.store import Store

LOOK_SECONDS = 0.2
"""Between two looks at a store in which nothing waits."""

PATIENCE_SECONDS = 2.0
"""How long a run waits for another one that holds the lease, before it looks again."""

RETRY_SECONDS = 5.0
"""How long to wait for a store that is away."""

FOLLOWS = "lineage follows on "
"""What its session calls itself, before the name of its machine: so others see that it follows."""

LONGEST_SESSION_NAME = 63
"""Bytes that Postgres keeps of it."""

_log = logging.getLogger(__name__)


def follow(store: Store, run: Callable[[], object]) -> NoReturn:
    """Runs whenever something has arrived, until the process is interrupted: between two runs at once, and within a run
    where the run itself lets it (`interrupts.interruption_point`).

    Others may run, or follow, meanwhile: whoever has the lease works. A store that goes away is waited for. Raises what
    else a run raises.
    """
    name = session_name(socket.gethostname())
    is_away = False
    _log.info("Normalizes from now on whatever arrives, until it is interrupted.")
    while True:
        try:
            with explained("lineage_jobs"), store.connect(application_name=name, autocommit=True) as connection:
                if is_away:
                    _log.warning("The store can be reached again.")
                    is_away = False
                _follow_while_it_is_there(connection, run)
        except LeaseTaken as taken:
            _log.info("%s", taken)
        except StoreUnavailable as away:
            _log.warning("%s. Looking again in %.0f s.", away, RETRY_SECONDS)
            is_away = True
            time.sleep(RETRY_SECONDS)


def session_name(machine: str) -> str:
    """What the session of whoever follows on that machine calls itself."""
    return f"{FOLLOWS}{machine}"[:LONGEST_SESSION_NAME]


def _follow_while_it_is_there(connection: Connection, run: Callable[[], object]) -> NoReturn:
    while True:
        if has_arrived(connection):
            with uninterrupted():
                run()
        else:
            time.sleep(LOOK_SECONDS)
