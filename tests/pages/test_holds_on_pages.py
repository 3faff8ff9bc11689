"""Legal holds that a page places, and those that it shows: until when they last."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from fastapi.testclient import TestClient

from lineage_core.cli import main
from lineage_core.local.postgres import Server
from lineage_core.pages.forms import COOKIE
from lineage_core.postgres.store import Store
from lineage_core.retention.store import policies
from tests.support.served_pages import client
from tests.support.servers import operators_login, reader_login

pytestmark = pytest.mark.postgres

PAST_ALL = ("9999-12-31T23:59:59-14:00", "0001-01-01T00:00+14:00")
"""Postgres has these moments; in UTC they are outside of the years 1 to 9999."""

PLACED = {"do": "place", "namespace": "shop", "why": "a dispute"}


@pytest.fixture
def asking(postgres_server: Server, database: Store) -> TestClient:
    return client(reader_login(postgres_server, database), acts=operators_login(postgres_server, database))


def place(asking: TestClient, until: str, *, confirmed: bool) -> tuple[int, str]:
    """Status and page of the answer to the form."""
    asking.get("/retention").raise_for_status()
    fields = PLACED | {"token": asking.cookies[COOKIE], "until": until}
    answer = asking.post(
        "/acts/retention",
        data=fields | ({"confirmed": "yes"} if confirmed else {}),
        headers={"Sec-Fetch-Site": "same-origin"},
    )
    return answer.status_code, answer.text


REFUSED = {until: "outside of the years 1 to 9999" for until in PAST_ALL} | {
    "2020-01-01T00:00Z": "has passed",
    "tomorrow": "is not an ISO 8601 date and time",
}


def test_a_hold_that_could_not_be_read_or_would_keep_nothing_is_not_placed(asking: TestClient, database: Store) -> None:
    for until, words in REFUSED.items():
        for confirmed in (False, True):
            status, page = place(asking, until, confirmed=confirmed)
            assert (until, status, words in page) == (until, 422, True)
            assert 'href="/lineage/retention">Back to the page' in page
    assert policies.holds(database) == []


def test_a_hold_that_ends_later_is_placed(asking: TestClient, database: Store) -> None:
    assert "It ends by itself at 9999-12-31 00:00:00+00:00." in place(asking, "9999-12-31", confirmed=False)[1]
    assert place(asking, "9999-12-31", confirmed=True)[0] == 200
    (hold,) = policies.holds(database)
    assert (hold.until, hold.is_in_force) == (datetime(9999, 12, 31, tzinfo=UTC), True)


def test_holds_of_moments_that_no_calendar_has_are_read_as_the_nearest(asking: TestClient, database: Store) -> None:
    """Earlier releases placed them."""
    with database.connect() as connection:
        for until in PAST_ALL:
            connection.execute(
                "INSERT INTO retention_holds (namespace_pattern, why, until) VALUES ('shop', 'x', %s::timestamptz)",
                [until],
            )
    late, early = policies.holds(database)
    assert (late.until, late.is_in_force) == (datetime.max.replace(tzinfo=UTC), True)
    assert (early.until, early.is_in_force) == (datetime.min.replace(tzinfo=UTC), False)
    assert asking.get("/retention").status_code == asking.get("/api/retention").status_code == 200


def test_the_command_places_no_hold_that_could_not_be_read(
    database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    for until in PAST_ALL:
        with pytest.raises(SystemExit, match=r"^2$"):
            main(["retention", "hold", "add", "--namespace", "shop", "--why", "a dispute", "--until", until])
        assert "outside of the years 1 to 9999" in capsys.readouterr().err
    assert policies.holds(database) == []
