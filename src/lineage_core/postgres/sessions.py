"""Whether a connection has a session of Postgres to itself, or a pooler gives each transaction another backend."""

from __future__ import annotations

import selectors
import time
from collections.abc import Callable
from contextlib import closing

import psycopg
from psycopg.rows import TupleRow

from lineage_core import statements
from lineage_core.postgres.typed_rows import one_value

ROUNDS = 3
"""In a pool that no one else uses, two tell. Others may take a backend between two looks, hardly three times."""

PATIENCE_SECONDS = 3.0
"""How long a second connection waits for a backend: in vain, where the first one has the last to itself."""


def is_pooled(connection: psycopg.Connection[TupleRow], another: Callable[[], psycopg.Connection[TupleRow]]) -> bool:
    """Whether transactions of the connection may meet several backends, or share theirs with other connections.

    `another` connects to the same pooler. One that gives out backends by the transaction gives the one that came back
    last, or the next in turn: so either another connection gets ours while it has nothing to do, or it gets another.
    The other asks once more in each round, as two that take turns at two backends would each meet the same one always.
    """
    mine = backend_of(connection)
    with closing(another()) as other:
        for round_number in range(1, ROUNDS + 1):
            for _ in range(round_number):
                others = _backend_soon(other)
                if others is None:
                    return backend_of(connection) != mine
                if others == mine:
                    return True
            if backend_of(connection) != mine:
                return True
    return False


def backend_of(connection: psycopg.Connection[TupleRow]) -> int:
    """The process of the server that the connection meets in this transaction."""
    return one_value(connection, int, "postgres/backend")


def _backend_soon(connection: psycopg.Connection[TupleRow]) -> int | None:
    """None if there is none for the connection for so long; then it is of no more use."""
    pgconn, deadline = connection.pgconn, time.monotonic() + PATIENCE_SECONDS
    pgconn.send_query(statements.named("postgres/backend").encode())
    with selectors.DefaultSelector() as selector:
        selector.register(pgconn.socket, selectors.EVENT_READ)
        while pgconn.is_busy():
            if not selector.select(max(deadline - time.monotonic(), 0)):
                return None
            pgconn.consume_input()
    results = list(iter(pgconn.get_result, None))
    value = results[0].get_value(0, 0) if results and results[0].ntuples else None
    if value is None:
        raise psycopg.OperationalError("the pooler gives no backend")
    return int(value)
