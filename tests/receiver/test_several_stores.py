"""A receiver of several stores: each event goes to one of them, and a token is one of the store that has made it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lineage_core.postgres.store import Store
from lineage_core.receiver import group_commit
from lineage_core.receiver.serving import RoutedStores, served_stores
from lineage_core.receiver.store import create_token, revoke_token
from lineage_core.testing import Document, named_job, run_event
from tests.support.receivers import BATCH, EVENT, quarantined, receiver
from tests.support.servers import Databases
from tests.support.several_stores import AWAY, TwoStores, printed, stored, two_stores

pytestmark = pytest.mark.postgres


@pytest.fixture
def two(
    database: Store, databases: Databases, _template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TwoStores]:
    with databases.copied(_template) as other:
        yield two_stores(database, other, tmp_path, monkeypatch)


def _served() -> RoutedStores:
    """As `lineage serve` has them."""
    served = served_stores()
    assert isinstance(served, RoutedStores)
    return served


def _without(name: str) -> RoutedStores:
    """While that store is away."""
    served = _served()
    return replace(served, stores={**served.stores, name: Store(AWAY)})


def _of(namespace: str, name: str) -> Document:
    return run_event(job=named_job(name, namespace))


def _documents(*named: Sequence[str]) -> list[Document]:
    return [_of(namespace, name) for namespace, name in named]


def test_each_event_goes_to_the_store_of_its_namespace_and_a_repeat_too(two: TwoStores) -> None:
    with receiver(_served(), needs_token=False) as listening, listening.client() as client:
        for _ in range(2):
            assert client.post(EVENT, json=_of("games", "one")).status_code == 201
        mixed = _documents(("a", "two"), ("prod-x", "three"), ("b", "four"))
        assert client.post(BATCH, json=mixed).status_code == 204
        assert client.get("/readyz").status_code == 200
    assert (stored(two.main), stored(two.games)) == (["two", "four"], ["one", "one", "three"])


def test_what_is_no_event_is_refused_and_in_the_quarantine_of_its_store(two: TwoStores) -> None:
    bad = [{"job": {"namespace": "games"}, "eventTime": "soon"}, {"eventTime": "soon"}]
    with receiver(_served(), needs_token=False) as listening, listening.client() as client:
        answer = client.post(BATCH, json=[bad[0], _of("games", "one"), bad[1]])
    assert answer.status_code == 200
    assert [one["index"] for one in answer.json()["failed_events"]] == [0, 2]
    assert (len(quarantined(two.main)), len(quarantined(two.games)), stored(two.games)) == (1, 1, ["one"])


def test_a_store_that_is_away_holds_up_no_other(two: TwoStores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_commit, "PATIENCE", 0.5)
    with receiver(_without("games"), needs_token=False) as listening, listening.client() as client:
        assert client.post(EVENT, json=_of("games", "one")).status_code == 503
        assert client.post(EVENT, json=_of("a", "two")).status_code == 201
        assert client.post(BATCH, json=_documents(("a", "three"), ("games", "four"))).status_code == 503
        assert client.get("/readyz").status_code == 200
    assert (stored(two.main), stored(two.games)) == (["two", "three"], [])


def test_what_a_store_does_not_take_waits_in_its_own_spool(
    two: TwoStores, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(group_commit, "PATIENCE_WITH_SPOOL", 0.2)
    away = _without("games")
    with receiver(away, needs_token=False, spool=two.spool) as listening, listening.client() as client:
        assert client.post(EVENT, json=_of("games", "one")).status_code == 201
        assert client.post(EVENT, json=_of("a", "two")).status_code == 201
    assert len(list((two.spool / "games").iterdir())) == 1
    assert (stored(two.main), stored(two.games)) == (["two"], [])
    code, summary, _ = printed(capsys, "ingest")
    assert (code, summary["spooled"], stored(two.games)) == (0, 1, ["one"])


def test_a_token_is_good_where_it_was_made_and_of_another_namespace_elsewhere(two: TwoStores) -> None:
    token = create_token(two.games, "them", ["*"], None).text
    with receiver(_served()) as listening, listening.client(token) as client:
        assert client.post(EVENT, json=_of("games", "one")).status_code == 201
        assert client.post(EVENT, json=_of("a", "two")).status_code == 403
        answer = client.post(BATCH, json=_documents(("a", "three"), ("games", "four")))
        assert [one["index"] for one in answer.json()["failed_events"]] == [0]
        assert client.post(EVENT, json={"eventTime": "soon"}).status_code == 403, (
            "its quarantine is the default store's"
        )
        revoke_token(two.games, "them")
        assert client.post(EVENT, json=_of("games", "five")).status_code == 401
    assert (stored(two.main), stored(two.games), quarantined(two.main)) == ([], ["one", "four"], [])


@pytest.mark.parametrize(("away", "status"), [(None, 401), ("games", 503)])
def test_a_token_that_no_store_knows_is_refused_once_all_were_asked(
    two: TwoStores, monkeypatch: pytest.MonkeyPatch, away: str | None, status: int
) -> None:
    monkeypatch.setattr(group_commit, "PATIENCE", 0.5)
    served: Any = _served() if away is None else _without(away)
    with receiver(served) as listening, listening.client("lineage_nonsense") as client:
        assert client.post(EVENT, json=_of("a", "one")).status_code == status
    assert stored(two.main) == []
