"""A receiver of the test, and a client that may write all namespaces."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from lineage_core.local.postgres import Server
from lineage_core.postgres.store import Store
from lineage_core.receiver.store import create_token
from tests.support.receivers import Listening, receiver
from tests.support.servers import ingest_login


@pytest.fixture
def listening(database: Store, postgres_server: Server) -> Iterator[Listening]:
    """By the login that only adds events."""
    with receiver(ingest_login(postgres_server, database)) as found:
        yield found


@pytest.fixture
def client(database: Store, listening: Listening) -> Iterator[httpx.Client]:
    with listening.client(create_token(database, "everything", ["*"], None).text) as made:
        yield made
