"""What producers should not send, among what they should: each document ends where it belongs, and costs no other."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import psycopg
import pytest

from lineage_core import quarantine
from lineage_core.cli import main
from lineage_core.normalize.normalization import NormalizationOutcome, normalize
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import to_json
from tests.support.hostile_documents import Hostile, good_events, must_normalize, must_quarantine
from tests.support.stores import contents, empty, rows

pytestmark = pytest.mark.postgres

GOOD = [Hostile("good", to_json(event)) for event in good_events(1_000)]
NORMALIZED = must_normalize()
QUARANTINED = must_quarantine()

IN_TABLES = (
    "substr(sha256(convert_to(event::text, 'UTF8')), 1, 16) IN (SELECT substr(event_order, 11) FROM event_ledger)"
)
IN_QUARANTINE = "sha256(convert_to(event::text, 'UTF8')) IN (SELECT digest FROM quarantine)"


def mixed(*groups: Sequence[Hostile]) -> list[Hostile]:
    every = [hostile for group in groups for hostile in group]
    random.Random(4).shuffle(every)
    return every


def ingest(documents: Sequence[Hostile], folder: Path) -> None:
    file = folder / "events.ndjson"
    file.write_bytes(b"".join(document.raw + b"\n" for document in documents))
    with pytest.raises(SystemExit) as ended:
        main(["ingest", str(file)])
    assert ended.value.code == 0


def insert(store: Store, documents: Sequence[Hostile]) -> list[Hostile]:
    """Writes documents as another writer would; those that jsonb takes."""
    taken = []
    with store.connect() as connection:
        for document in documents:
            try:
                with connection.transaction():
                    connection.execute(
                        "INSERT INTO lineage_events (event_time, event, created_at)"
                        " VALUES ('2026-01-01Z', convert_from(%b, 'UTF8')::jsonb, '2026-06-01Z')",
                        [document.raw],
                    )
            except (psycopg.DataError, psycopg.errors.StatementTooComplex):
                continue
            taken.append(document)
    return taken


def run(store: Store) -> NormalizationOutcome:
    return normalize(store, SerialRunner(2), slice_bytes=1 << 20)


def kept(store: Store) -> dict[bytes, quarantine.QuarantinedDocument]:
    return {quarantine.raw(store, entry.id): entry for entry in quarantine.entries(store)}


def test_the_set_is_as_large_as_it_should_be() -> None:
    assert len(NORMALIZED) >= 200
    assert len(QUARANTINED) >= 200
    assert len({document.raw for document in mixed(GOOD, NORMALIZED, QUARANTINED)}) == sum(
        map(len, (GOOD, NORMALIZED, QUARANTINED))
    )


@pytest.mark.slow
def test_each_ingested_document_ends_where_it_belongs(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    ingest(mixed(GOOD, NORMALIZED), tmp_path)
    assert run(database).quarantined == 0
    wanted = contents(database)
    empty(database)
    ingest(mixed(GOOD, NORMALIZED, QUARANTINED), tmp_path)
    outcome = run(database)
    assert (outcome.events, outcome.quarantined) == (len(GOOD) + len(NORMALIZED), 0)
    assert contents(database) == wanted
    assert rows(database, f"SELECT count(*) FROM lineage_events WHERE NOT {IN_TABLES}") == [(0,)]
    found = kept(database)
    assert found.keys() == {document.raw for document in QUARANTINED}
    misplaced = {
        document.name: found[document.raw].path
        for document in QUARANTINED
        if found[document.raw].path != document.path or not found[document.raw].reason
    }
    assert misplaced == {}


@pytest.mark.slow
def test_each_document_of_another_writer_ends_where_it_belongs(database: Store) -> None:
    taken = insert(database, mixed(GOOD, NORMALIZED))
    assert len(taken) == len(GOOD) + len(NORMALIZED)
    run(database)
    wanted = contents(database)
    empty(database)
    taken = insert(database, mixed(GOOD, NORMALIZED, QUARANTINED))
    refused = {document.name for document in QUARANTINED} & {document.name for document in taken}
    assert len(refused) >= 200
    outcome = run(database)
    assert (outcome.events, outcome.quarantined) == (len(GOOD) + len(NORMALIZED), len(refused))
    assert contents(database) == wanted
    assert rows(database, f"SELECT count(*) FROM lineage_events WHERE ({IN_TABLES}) = ({IN_QUARANTINE})") == [(0,)]
    wrong = "sha256(raw) <> digest OR reason = '' OR path !~ '^[$]'"
    assert rows(database, f"SELECT path, reason FROM quarantine WHERE {wrong}") == []


def test_what_is_quarantined_can_be_listed_shown_and_tried_again(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    some = QUARANTINED[::25]
    ingest(some, tmp_path)
    capfdbinary.readouterr()
    listed = json.loads(_printed(capfdbinary, "quarantine", "list", "--json"))
    shown = {_printed(capfdbinary, "quarantine", "show", "--raw", str(entry["id"])): entry["path"] for entry in listed}
    assert shown == {document.raw: document.path for document in some}
    assert all(entry["reason"] in _printed(capfdbinary, "quarantine", "list").decode() for entry in listed)
    assert json.loads(_printed(capfdbinary, "quarantine", "retry", "--all", "--json")) == {
        "ingested": 0,
        "kept": len(some),
    }
    with database.connect() as connection:
        connection.execute("UPDATE quarantine SET raw = %b WHERE id = %s", [GOOD[0].raw, listed[0]["id"]])
    assert b"1 ingested, 0 kept." in _printed(capfdbinary, "quarantine", "retry", str(listed[0]["id"]))
    assert run(database).events == 1


def _printed(capture: pytest.CaptureFixture[bytes], *arguments: str) -> bytes:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    return capture.readouterr().out
