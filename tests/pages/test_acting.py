"""Pages that act: each asks once, does what it has asked, and records who it was. No viewer acts, nor another site."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from lineage_core import quarantine
from lineage_core.acts.store import last_acts
from lineage_core.errors import WrongUsage
from lineage_core.local.chosen_store import who_works_here
from lineage_core.local.ports import PAGES
from lineage_core.local.postgres import Server
from lineage_core.long_migrations.store import records
from lineage_core.model.arrivals import RefusedDocument
from lineage_core.pages import acted as acted_pages
from lineage_core.pages.acting import all_acts
from lineage_core.pages.acts import retention as acts_on_retention
from lineage_core.pages.forms import COOKIE, LARGEST
from lineage_core.pages.page import all_pages
from lineage_core.pages.serving import serve
from lineage_core.postgres.store import Store
from lineage_core.retention.store import policies
from lineage_core.streams import reading
from lineage_core.testing import named_job, run_event, to_json
from tests.support.served_pages import client
from tests.support.servers import operators_login, reader_login
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

ANN, BOB = "ann", "bob"
HOSTILE = "<script>alert(1)</script>\u202e\"'><img src=x onerror=alert(2)>"
FROM_HERE = {"Sec-Fetch-Site": "same-origin"}
FORMS: dict[str, dict[str, str]] = {
    "migrations": {"do": "pause", "name": "facets"},
    "quarantine": {"do": "discard", "documents": "1", "why": "a trial"},
    "retention": {"do": "place", "namespace": "shop", "job": "load", "why": "a dispute"},
    "streams": {"do": "start", "name": "runs"},
}
"""For each page that acts, something that it can do in the store of these tests."""


@dataclass
class Person:
    """Somebody at a browser."""

    asking: TestClient

    def page(self, page: str, **asked: Any) -> str:
        """As shown; the browser has the token then."""
        return self.asking.get(f"/{page}", params=asked).raise_for_status().text

    def send(self, page: str, fields: dict[str, str], **headers: str) -> Any:
        """A form of the page, with the token that it had."""
        token = {"token": self.asking.cookies.get(COOKIE, "")}
        return self.asking.post(
            f"/acts/{page}", data=token | fields, headers=FROM_HERE | headers, follow_redirects=False
        )

    def does(self, page: str, fields: dict[str, str]) -> str:
        """Asks, says yes by the form that comes back, and follows to what is shown then."""
        self.page(page)
        question = self.send(page, fields)
        assert question.status_code == 200, question.text
        done = self.send(page, fields_of(question.text))
        assert done.status_code == 303, done.text
        return self.asking.get(done.headers["location"].removeprefix(PAGES)).raise_for_status().text


def fields_of(page: str) -> dict[str, str]:
    """What the form of a question holds, as a browser would send it."""
    (form,) = re.findall(r'<form method="post".*?</form>', page, re.DOTALL)
    hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form)
    return {name: html.unescape(value) for name, value in hidden}


@pytest.fixture
def filled(database: Store) -> Store:
    take_in(database, [run_event("COMPLETE", job=named_job("load", "shop"))])
    with database.connect() as connection:
        found = [RefusedDocument(raw, "not JSON: it", "$", "a file") for raw in (b"one", b"two", to_json(run_event()))]
        quarantine.put(connection, found)
    records.plan(database, "facets")
    return database


@pytest.fixture
def operators(postgres_server: Server, filled: Store) -> Store:
    return operators_login(postgres_server, filled)


@pytest.fixture
def reader(postgres_server: Server, filled: Store) -> Store:
    return reader_login(postgres_server, filled)


@pytest.fixture
def person(reader: Store, operators: Store) -> Callable[[str], Person]:
    """Somebody whom a proxy names. Of all, only ann may act."""

    def named(name: str) -> Person:
        asking = client(reader, "X-User", operators, [ANN])
        asking.headers["X-User"] = name
        return Person(asking)

    return named


def acted(store: Store) -> list[tuple[str | None, str, str, str]]:
    return [(one.person, one.what, one.subject, one.outcome) for one in reversed(last_acts(store, 100))]


def test_each_page_that_acts_is_tried_here() -> None:
    assert FORMS.keys() == all_acts().keys()


def test_every_route_is_for_those_whom_it_is_for(reader: Store, operators: Store, filled: Store) -> None:
    """No route is open by default: without a name none is answered. A viewer gets all that only look, and no other."""
    made = client(reader, "X-User", operators, [ANN])
    routes = {(method, route.path) for route in pages_of(made) for method in route.methods}
    expected = {("GET", one.address) for one in all_pages()} | {("GET", f"/api/{one.name}") for one in all_pages()}
    assert routes >= expected
    acts = {("POST", one.address) for one in all_acts().values()}
    posts = {("POST", path) for path in ("/impact", "/api/impact")}
    assert {route for route in routes if route[0] == "POST"} == acts | posts
    for method, path in sorted(routes):
        address = path.replace("{name}", "lineage.js")
        answers = {
            name: made.request(method, address, headers=FROM_HERE | ({"X-User": name} if name else {}))
            for name in ("", BOB, ANN)
        }
        codes = {name: answer.status_code for name, answer in answers.items()}
        assert (path, codes[""]) == (path, 401)
        if (method, path) in acts:
            assert (path, codes[BOB], "Only an operator" in answers[BOB].text) == (path, 403, True)
            assert (path, codes[ANN], "bear the token" in answers[ANN].text) == (path, 403, True)
        else:
            assert (path, codes[BOB] in (200, 404, 413, 422)) == (path, True)
            assert codes[ANN] == codes[BOB]
    assert acted(filled) == []


def pages_of(asking: TestClient) -> list[Any]:
    """The routes of the mounted pages."""
    (mounted,) = [route for route in asking.app.routes if getattr(route, "path", "") == PAGES]  # type: ignore[attr-defined]
    return list(mounted.app.routes)


@pytest.mark.parametrize("page", FORMS)
def test_a_viewer_has_no_form_and_does_nothing(page: str, person: Callable[[str], Person], filled: Store) -> None:
    bob, ann = person(BOB), person(ANN)
    assert f"/acts/{page}" not in bob.page(page)
    assert "Who is an operator may act here" in bob.page(page)
    one = {"quarantine": {"document": "1"}, "streams": {"name": "runs"}}.get(page, {})
    for asked in ({}, one):
        assert f"{PAGES}/acts/{page}" not in bob.page(page, **asked)
        assert f"{PAGES}/acts/{page}" in ann.page(page, **asked)
    bob.asking.cookies.update(ann.asking.cookies)
    for fields in (FORMS[page], FORMS[page] | {"confirmed": "yes"}):
        answer = bob.send(page, fields)
        assert (answer.status_code, "Only an operator may act" in answer.text) == (403, True)
    assert acted(filled) == []


@pytest.mark.parametrize("page", FORMS)
def test_what_no_page_here_has_sent_is_refused(page: str, person: Callable[[str], Person], filled: Store) -> None:
    """Though the browser sends its cookie along: neither from another site, nor without the token of this browser."""
    ann = person(ANN)
    ann.page(page)
    confirmed = FORMS[page] | {"confirmed": "yes"}
    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "", "Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "", "Origin": "null"},
        {"Sec-Fetch-Site": ""},
    ):
        answer = ann.send(page, confirmed, **headers)
        assert (headers, answer.status_code) == (headers, 403)
        assert "not sent by a page of this site" in answer.text
    for token in ("", "x" * 43, ann.asking.cookies[COOKIE][:-1], "\u00fc" * 43):
        answer = ann.send(page, confirmed | {"token": token})
        assert (token, answer.status_code) == (token, 403)
        assert "does not bear the token" in answer.text
    token = ann.asking.cookies[COOKIE]
    ann.asking.cookies.clear()
    assert ann.send(page, confirmed | {"token": token}).status_code == 403
    ann.asking.cookies.set(COOKIE, "short")
    assert ann.send(page, confirmed | {"token": "short"}).status_code == 403
    assert acted(filled) == []
    ann.asking.cookies.clear()
    ann.page(page)
    assert ann.send(page, FORMS[page], **{"Sec-Fetch-Site": "", "Origin": "http://127.0.0.1"}).status_code == 200


def test_a_token_is_for_scripts_and_other_sites_out_of_reach(person: Callable[[str], Person]) -> None:
    ann = person(ANN)
    given = ann.asking.get("/streams").headers["set-cookie"].lower()
    assert all(part in given for part in ("httponly", "samesite=lax", f"path={PAGES}"))
    assert "set-cookie" not in ann.asking.get("/streams").headers
    assert "set-cookie" not in person(BOB).asking.get("/streams").headers
    assert "unsafe" not in ann.asking.get("/streams").headers["content-security-policy"]


@pytest.mark.parametrize("page", FORMS)
def test_a_question_changes_nothing(page: str, person: Callable[[str], Person], filled: Store) -> None:
    ann = person(ANN)
    ann.page(page)
    question = ann.send(page, FORMS[page])
    assert question.status_code == 200
    assert "This is recorded with your name: ann" in question.text
    assert acted(filled) == []


def test_a_stream_is_started_and_stopped(person: Callable[[str], Person], filled: Store) -> None:
    ann = person(ANN)
    assert "Done: stream start, runs: on" in ann.does("streams", {"do": "start", "name": "runs"})
    assert [one.name for one in reading.list_streams(filled) if one.is_on] == ["runs"]
    assert "was on already" in ann.does("streams", {"do": "start", "name": "runs"})
    assert "Done: stream stop, runs: off" in ann.does("streams", {"do": "stop", "name": "runs"})
    assert [what for _, what, _, _ in acted(filled)] == ["stream start", "stream start", "stream stop"]
    assert {who for who, _, _, _ in acted(filled)} == {ANN}
    assert ann.send("streams", {"do": "start", "name": "no such stream"}).status_code == 422
    assert ann.send("streams", {"do": "publish", "name": "runs"}).status_code == 422


def test_documents_are_read_again_and_discarded(person: Callable[[str], Person], filled: Store) -> None:
    ann = person(ANN)
    one, two, event = (entry.id for entry in quarantine.entries(filled))
    shown = ann.page("quarantine")
    assert "3: not JSON: it" in shown
    question = ann.send("quarantine", {"do": "retry", "reason": "not JSON: it"})
    assert f"3 documents, {6 + len(to_json(run_event()))} bytes together: {one}, {two}, {event}." in question.text
    shown = ann.does("quarantine", {"do": "retry", "reason": "not JSON: it"})
    assert f"quarantine retry, 1 document: {event}: ingested" in shown
    assert shown.count("<p>Done: ") == 3
    assert [entry.id for entry in quarantine.entries(filled)] == [one, two]
    asked = ann.send("quarantine", {"do": "discard", "documents": str(one)})
    assert (asked.status_code, "reason why the documents are not needed is missing" in asked.text) == (422, True)
    ann.does("quarantine", {"do": "discard", "documents": str(one), "why": HOSTILE})
    assert rows(filled, "SELECT document, why, discarded_by FROM discarded_documents") == [(one, HOSTILE, "operator")]
    assert acted(filled)[-1] == (ANN, "quarantine discard", f"1 document: {one}", f"discarded: {HOSTILE}")
    again = ann.send("quarantine", {"do": "discard", "documents": f"{one},{two}", "why": "w", "confirmed": "yes"})
    assert (again.status_code, "Nothing in quarantine has the number" in again.text) == (422, True)
    assert [entry.id for entry in quarantine.entries(filled)] == [two]


def test_what_comes_after_the_question_is_not_discarded(person: Callable[[str], Person], filled: Store) -> None:
    ann = person(ANN)
    ann.page("quarantine")
    fields = fields_of(ann.send("quarantine", {"do": "discard", "reason": "not JSON: it", "why": "w"}).text)
    with filled.connect() as connection:
        quarantine.put(connection, [RefusedDocument(b"another", "not JSON: it", "$", "a file")])
    assert ann.send("quarantine", fields).status_code == 303
    assert [quarantine.raw(filled, entry.id) for entry in quarantine.entries(filled)] == [b"another"]


def test_a_hold_is_placed_and_released(
    person: Callable[[str], Person], filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = person(ANN)
    ann.page("retention")
    question = ann.send("retention", FORMS["retention"] | {"until": "2099-01-01"})
    assert "the tables know 1 job, 0 datasets and 1 run now" in question.text
    assert "ends by itself at 2099-01-01" in re.sub("<[^>]+>", "", question.text)
    monkeypatch.setattr(acts_on_retention, "_MANY", 0)
    question = ann.send("retention", FORMS["retention"])
    assert "the tables know more than 0 jobs, 0 datasets and more than 0 runs now" in question.text
    ann.does("retention", FORMS["retention"] | {"why": HOSTILE, "until": "2099-01-01"})
    (hold,) = policies.holds(filled)
    assert f" by {ANN}</td>" in ann.page("retention")
    assert (hold.namespace_pattern, hold.job, hold.why, hold.placed_by) == ("shop", "load", HOSTILE, "operator")
    ann.does("retention", {"do": "release", "hold": str(hold.id), "why": "settled"})
    assert [one.released_because for one in policies.holds(filled)] == ["settled"]
    assert [(who, what) for who, what, _, _ in acted(filled)] == [
        (ANN, "retention hold add"),
        (ANN, "retention hold release"),
    ]
    for fields in (
        {"do": "place", "namespace": "shop", "job": "a", "run": "b", "why": "w"},
        {"do": "place", "namespace": "shop", "run": "no uuid", "why": "w"},
        {"do": "place", "namespace": "shop", "until": "soon", "why": "w"},
        {"do": "place", "namespace": "shop"},
        {"do": "place", "why": "w"},
        {"do": "release", "hold": str(hold.id), "why": "w"},
        {"do": "release", "hold": "1e3", "why": "w"},
        {"do": "place", "namespace": "sh\0op", "why": "w"},
    ):
        assert (fields, ann.send("retention", fields).status_code) == (fields, 422)


def test_a_migration_is_paused_resumed_and_cancelled(person: Callable[[str], Person], filled: Store) -> None:
    ann = person(ANN)
    ann.page("migrations")
    question = ann.send("migrations", FORMS["migrations"])
    assert "facets is planned: 0 of" in question.text
    for command, state in (("pause", "paused"), ("resume", "running"), ("cancel", "cancelled")):
        shown = ann.does("migrations", {"do": command, "name": "facets"})
        assert f"Done: migration {command}, facets: {state}" in shown
        assert records.status(filled, "facets").state == state
    late = ann.send("migrations", {"do": "resume", "name": "facets", "confirmed": "yes"})
    assert (late.status_code, "facets&#39; is cancelled; resume does nothing" in late.text) == (409, True)
    assert ann.send("migrations", {"do": "resume", "name": "facets"}).status_code == 409
    assert "This was not done" in late.text


def test_what_people_say_is_text(reader: Store, operators: Store, filled: Store) -> None:
    asking = client(reader, "X-User", operators, [HOSTILE])
    asking.headers.encoding = "utf-8"  # as proxies write it
    asking.headers["X-User"] = HOSTILE
    hostile = Person(asking)
    hostile.page("retention")
    fields = {"do": "place", "namespace": HOSTILE, "job": HOSTILE, "why": HOSTILE}
    question = hostile.send("retention", fields)
    sent_again = fields_of(question.text)
    assert (sent_again["namespace"], sent_again["why"]) == (HOSTILE, HOSTILE)
    done = hostile.does("retention", fields)
    for shown in (question.text, done, hostile.page("acts"), hostile.page("streams")):
        assert [part for part in ("<script>alert", "<img src=x") if part in shown] == []
        assert "\u202e" not in re.sub(r'value="[^"]*"', "", shown)
    assert "alert(1)" in hostile.page("acts")


def test_on_this_machine_it_is_who_started_the_pages(reader: Store, operators: Store, filled: Store) -> None:
    Person(client(reader, acts=operators)).does("streams", FORMS["streams"])
    assert acted(filled) == [(who_works_here(), "stream start", "runs", "on")]


def test_without_a_login_that_acts_the_pages_only_look(reader: Store, filled: Store) -> None:
    here = Person(client(reader))
    for page, fields in FORMS.items():
        assert "LINEAGE_OPERATOR_DSN" in here.page(page)
        assert "/acts/" not in here.page(page)
        answer = here.send(page, fields | {"confirmed": "yes"})
        assert (answer.status_code, "LINEAGE_OPERATOR_DSN" in answer.text) == (403, True)
    assert acted(filled) == []


@pytest.mark.parametrize("login", ["owner", "reader"])
def test_a_page_acts_by_the_role_of_operators_alone(login: str, reader: Store, filled: Store) -> None:
    """The owner could do more than operators may, a reader does nothing."""
    here = Person(client(reader, acts=filled if login == "owner" else reader))
    here.page("streams")
    answer = here.send("streams", FORMS["streams"] | {"confirmed": "yes"})
    assert (answer.status_code, "role lineage_operator" in answer.text) == (409, True)
    assert acted(filled) == []


def test_what_was_done_is_listed_by_pages(
    person: Callable[[str], Person], filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = person(ANN)
    for command in ("start", "stop", "start"):
        ann.does("streams", {"do": command, "name": "runs"})
    first = ann.asking.get("/api/acts", params={"limit": 2}).json()
    assert (first["complete"], [one["what"] for one in first["acts"]]) == (False, ["stream start", "stream stop"])
    rest = ann.asking.get("/api/acts", params={"limit": 2, "before": first["next"]}).json()
    assert (rest["complete"], [one["what"] for one in rest["acts"]]) == (True, ["stream start"])
    assert "Earlier acts" in ann.page("acts", limit=2)
    assert "Done: stream start, runs" in ann.page("streams", acts="1-1")
    assert "Done:" not in person(BOB).page("streams", acts="1-1")
    assert "Done:" not in ann.page("retention", acts="1-1")
    monkeypatch.setattr(acted_pages, "JUST_NOW", timedelta(0))
    assert "Done:" not in ann.page("streams", acts="1-1")
    assert ann.asking.get("/streams", params={"acts": "<b>done</b>"}).status_code == 422


def test_too_much_is_refused(person: Callable[[str], Person], filled: Store) -> None:
    ann = person(ANN)
    ann.page("quarantine")
    assert ann.send("quarantine", {"do": "discard", "documents": "1", "why": "x" * LARGEST}).status_code == 413
    many = ",".join(map(str, range(1, 502)))
    assert ann.send("quarantine", {"do": "retry", "documents": many}).status_code == 422
    assert ann.send("quarantine", {"do": "retry", "documents": "1;2"}).status_code == 422


def test_operators_are_named_only_where_a_proxy_names_people(database: Store) -> None:
    with pytest.raises(WrongUsage, match="--user-header"):
        serve(database, "127.0.0.1", 0, None, None, [ANN])
