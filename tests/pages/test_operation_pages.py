"""What the pages of the quarantine and of the changelog streams show of one document, and of one stream."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_core import quarantine
from lineage_core.local.postgres import Server
from lineage_core.model.arrivals import RefusedDocument
from lineage_core.pages.routes import quarantine as quarantine_page
from lineage_core.postgres.store import Store
from lineage_core.streams import last_records
from lineage_core.streams.publication import publish
from lineage_core.streams.published_versions import published_version
from lineage_core.tasks import SerialRunner
from lineage_core.testing import run_event, to_json
from tests.support.changes import start_all
from tests.support.served_pages import client
from tests.support.servers import reader_login
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

HOSTILE = "<script>alert(1)</script>"


def shown_document(database: Store) -> str:
    (entry,) = quarantine.entries(database)
    return client(database).get("/quarantine", params={"document": entry.id}).text


def keep(database: Store, raw: bytes, path: str) -> None:
    with database.session("lineage_jobs") as connection:
        quarantine.put(connection, [RefusedDocument(raw, "a reason", path, "a file")])


def test_the_place_of_a_fault_is_marked_in_the_document(database: Store) -> None:
    take_in(database, [run_event() | {"job": {"namespace": HOSTILE}}])
    page = shown_document(database)
    assert '<mark id="fault">{&#34;namespace&#34;: &#34;&lt;script&gt;alert(1)&lt;/script&gt;&#34;}</mark>' in page
    assert '<a href="#fault">' in page
    assert HOSTILE not in page


def test_a_place_far_in_a_document_is_shown_with_what_is_around_it(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quarantine_page, "LONGEST", 50)
    keep(database, to_json({"first": "x" * 500, "run": {"runId": 5}}), "$.run.runId")
    page = shown_document(database)
    assert '<mark id="fault">5</mark>' in page
    assert "This is a part of it" in page
    assert "first" not in page.partition("<pre")[2].partition("</pre>")[0]


def test_a_document_without_a_place_is_shown_from_its_beginning(database: Store) -> None:
    keep(database, b'{"a": 1}', "$")
    page = shown_document(database)
    assert "<mark" not in page
    assert "{&#34;a&#34;: 1}</pre>" in page


@pytest.fixture
def published(database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("LINEAGE_STREAMS_URL", str(tmp_path))
    start_all(database)
    take_in(database, [run_event(job={"namespace": "shop", "name": HOSTILE})])
    publish(database, str(tmp_path), SerialRunner())
    return database


def test_a_stream_has_its_last_records_and_its_schemas(published: Store, postgres_server: Server) -> None:
    asking = client(reader_login(postgres_server, published))
    page = asking.get("/streams", params={"name": "jobs"}).text
    assert "+A" in page
    assert "<dt>Schema</dt><dd>0</dd>" in page
    assert "&lt;script&gt;" in page
    assert HOSTILE not in page
    answer = asking.get("/api/streams", params={"name": "jobs"}).json()
    (record,) = answer["last"]["records"]
    assert (record["offset"], record["operation"], record["values"]["name"]) == (0, "+A", HOSTILE)
    assert set(record["key"]) <= set(record["values"])
    assert record["key"]
    (schema,) = answer["schemas"]
    assert (schema["schema_id"], schema["changes"]) == (0, [])
    assert {column["name"] for column in schema["columns"]} == set(record["values"])


def test_the_last_records_come_newest_first_and_no_more_than_asked(published: Store, tmp_path: Path) -> None:
    version = published_version(published, "run_states")
    assert version.next_offset == 1
    take_in(published, [run_event("RUNNING", run_id=f"0190a0a0-0000-7000-8000-{number:012}") for number in range(9)])
    publish(published, str(tmp_path), SerialRunner())
    found = last_records.last_records(published, published_version(published, "run_states"), 4)
    assert [record.offset for record in found.records] == [9, 8, 7, 6]
    assert found.failure is None
    over_parts = last_records.last_records(published, published_version(published, "run_states"), 20)
    assert [record.offset for record in over_parts.records] == [*range(9, -1, -1)]


def test_records_that_cannot_be_read_here_say_why(
    published: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def page() -> str:
        return client(published).get("/streams", params={"name": "jobs"}).raise_for_status().text

    with monkeypatch.context() as patch:
        patch.setattr(last_records, "LARGEST", 1)
        assert "too large for this: run `lineage stream read jobs`" in page()
    with monkeypatch.context() as patch:
        patch.setenv("LINEAGE_STREAMS_URL", str(tmp_path / "elsewhere"))
        assert "They cannot be read here." in page()
    for part in tmp_path.rglob("*.parquet"):
        part.unlink()
    assert "it is not there" in page()


def test_a_stream_without_records_says_what_to_do(database: Store) -> None:
    page = client(database).get("/streams", params={"name": "jobs"}).text
    assert "lineage stream publish" in page


def test_a_large_quarantine_is_listed_in_pages(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with database.connect() as connection:
        refused = [RefusedDocument(b"%d" % number, "a reason", "$", "a file") for number in range(25)]
        quarantine.put(connection, refused)
    asking = client(database)
    found, after = list[int](), 0
    while after is not None:
        page = asking.get("/api/quarantine", params={"limit": 10, "after": after}).json()
        found += [one["id"] for one in page["documents"]]
        after = page["next"]
        assert page["complete"] == (after is None)
        assert [(one["documents"], page["has_all_reasons"]) for one in page["reasons"]] == [(25, True)]
    assert found == sorted(set(found))
    assert len(found) == 25
    shown = asking.get("/quarantine", params={"limit": 10}).text
    assert ("More documents" in shown, "These are the first" in shown) == (True, False)
    assert "Nothing is in quarantine" not in asking.get("/quarantine", params={"after": found[-1]}).text
    monkeypatch.setattr(quarantine_page, "COUNTED", 20)
    assert "These are the first 20 documents." in asking.get("/quarantine").text
