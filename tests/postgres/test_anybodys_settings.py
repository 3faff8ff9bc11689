"""What comes out does not depend on the settings of a role, a database or a session: we set what we rely on."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from lineage_core import namespaces, quarantine
from lineage_core.errors import NeedsOperator
from lineage_core.ingest import event_files
from lineage_core.ingest.ingestion import ingest
from lineage_core.ingest.store import insert_event, retry
from lineage_core.local.postgres import ROLE, Server
from lineage_core.long_migrations.store import end
from lineage_core.long_migrations.workers import migrate
from lineage_core.normalize.normalization import normalize
from lineage_core.operate import whole_store
from lineage_core.postgres import session_settings
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.session_settings import SETTINGS, set_for_transaction
from lineage_core.postgres.store import Store
from lineage_core.queries.store import answer
from lineage_core.reading.facets import facets_of_dataset_version, facets_of_job_version, facets_of_run
from lineage_core.tasks import SerialRunner, ThreadRunner
from lineage_core.testing import (
    TIME,
    Document,
    dataset,
    dataset_event,
    facet,
    job_event,
    named_job,
    parent,
    run_event,
    to_json,
    to_ndjson,
)
from tests.support.hostile_settings import HOSTILE, make_hostile
from tests.support.servers import jobs_login
from tests.support.stores import contents, differences, put, rows

pytestmark = [pytest.mark.postgres, pytest.mark.old_mapping]

STRANGE = "C:\\temp\\new \"€ 漢 𝕏\" 'quoted' NULL {a,b} %s"
"""What a client or a server with other settings would take for something else."""

RUN = "0190a0a0-0000-7000-8000-0000000000aa"


def events() -> Iterator[Document]:
    """Of all kinds, some of them late, with drift, parents, symlinks, labels, and lineage of columns."""
    for number in range(8):
        run = f"0190a0a0-0000-7000-8000-0000000001{number:02}"
        job = named_job(f"load {number % 3}", facets={"sql": facet(query=STRANGE), "tags": _tags("job")})
        begin = TIME + timedelta(hours=5 * number, microseconds=number)
        fields = [("id", "BIGINT"), (STRANGE, "DECIMAL(10,2)"), ("untyped", None)][: 1 + number % 3]
        read = dataset("orders", fields=fields, input_facets={"rows": facet(share=0.1 + number)})
        written = dataset(
            "sums",
            fields=[("id", "BIGINT")],
            facets={"columnLineage": _column_lineage(), "tags": _tags("table"), "symlinks": _symlink(number)},
        )
        yield run_event(
            "COMPLETE", run_id=run, job=job, time=begin + timedelta(minutes=3), inputs=[read], outputs=[written]
        )
        yield run_event("START", run_id=run, job=job, time=begin, facets=_run_facets(number) | parent(RUN, "daily"))
    yield job_event(named_job("declared"), time=TIME, inputs=[dataset("orders")], outputs=[dataset("sums")])
    yield dataset_event(dataset("orders", fields=[("id", "BIGINT", STRANGE)]), time=TIME)
    yield run_event("START", run_id="ahead", time="2999-01-01T00:00:00Z")


def _run_facets(number: int) -> dict[str, Document]:
    return {
        "nominalTime": facet(nominalStartTime=f"2026-01-0{number + 1}T23:30:00+05:30"),
        "custom": facet(number=1.1 * number, text=STRANGE, nothing=None),
        "spark.logicalPlan": facet(plan=[number]),
    }


def _tags(key: str) -> Document:
    return facet(tags=[{"key": key, "value": STRANGE}, {"key": "pii", "value": "true", "field": "id"}])


def _column_lineage() -> Document:
    column = {"namespace": "postgres://shop:5432", "name": "orders", "field": "id"}
    return facet(fields={"id": {"inputFields": [column], "transformationDescription": STRANGE}})


def _symlink(number: int) -> Document:
    return facet(identifiers=[{"namespace": "hive", "name": f"sums {number % 2}", "type": "TABLE"}])


BROKEN = (b"broken", to_json(run_event(job=named_job("nul \x00"))), b'{"eventTime": 1e999999}')


def all_that_a_store_does(database: Store, folder: Path) -> dict[str, Any]:
    """From an empty database on; what it holds and answers in the end."""
    whole_store.upgrade(database, with_old_mapping=True)
    documents = list(events())
    (folder / "events.ndjson").write_bytes(to_ndjson(documents[1::2]) + b"\n".join(BROKEN[:2]))
    summary = ingest(database, event_files.find([str(folder)]))
    insert_event(database, BROKEN[2])
    normalize(database, SerialRunner(2), slice_bytes=4_000)
    for document in documents[::2]:
        insert_event(database, to_json(document))
    waiting = _read(database)
    facets = migrate(database, "facets", ThreadRunner(), workers=2)
    normalized = normalize(database, SerialRunner(2))
    listed = [
        (entry.reason, entry.path, entry.size, entry.received_at.utcoffset()) for entry in quarantine.entries(database)
    ]
    _forget_schema_versions(database)
    versions = migrate(database, "schema-versions", ThreadRunner(), workers=2)
    removed = end.finalize(database, "schema-versions")
    verified = end.verify(database, "schema-versions")
    end.cut_over(database, "schema-versions")
    end.roll_back(database, "schema-versions")
    return {
        "differences": whole_store.differences(database),
        "ingested": (summary.events, summary.quarantined),
        "normalized": (normalized.events, normalized.quarantined),
        "quarantine": listed,
        "retried": [(tried.id, tried.refused and tried.refused.reason) for tried in retry(database)],
        "facets": (facets.state, facets.done, facets.total, facets.changed),
        "versions": (versions.state, versions.done, versions.total, versions.changed, removed, verified.is_good),
        "answers": [
            answer(database, query, {"dataset": "sums"}) for query in ("versions_of_a_dataset", "origins_of_columns")
        ],
        "owners": namespaces.owned_namespaces(database),
        "waiting": waiting,
        "read": _read(database),
        "contents": contents(database),
    }


def _forget_schema_versions(database: Store) -> None:
    """As in a store of an older Marquez."""
    with database.connect() as connection:
        connection.execute("UPDATE dataset_versions SET dataset_schema_version_uuid = NULL")
        connection.execute("DELETE FROM dataset_schema_versions")


def _read(database: Store) -> list[list[str]]:
    """The facets of everything that has some, of the tables and of events that wait."""
    readers = {
        "runs": facets_of_run,
        "job_versions": facets_of_job_version,
        "dataset_versions": facets_of_dataset_version,
    }
    return [
        [repr(facet) for facet in read(database, uuid)]
        for table, read in readers.items()
        for (uuid,) in rows(database, f"SELECT uuid FROM {table} ORDER BY uuid")
    ]


@pytest.fixture
def another_database(postgres_server: Server) -> Iterator[Store]:
    postgres_server.ensure_database("another", ROLE)
    yield Store(postgres_server.dsn(database="another"))
    postgres_server.run_sql("DROP DATABASE another WITH (FORCE);")


@pytest.mark.slow
@pytest.mark.parametrize("of", ["database", "role"])
def test_no_setting_of_a_role_or_a_database_changes_what_comes_out(
    postgres_server: Server, empty_database: Store, another_database: Store, of: str, tmp_path: Path
) -> None:
    make_hostile(postgres_server, _name(another_database), of=of)
    hostile = all_that_a_store_does(another_database, tmp_path)
    usual = all_that_a_store_does(empty_database, tmp_path)
    assert differences(hostile.pop("contents"), usual.pop("contents")) == {}
    assert hostile == usual
    assert usual["differences"] == []
    assert usual["ingested"] == (9, 2)
    assert usual["facets"][:2] == ("finished", 19)
    assert usual["versions"][0] == "finished"
    assert usual["versions"][3] > 10


def _name(database: Store) -> str:
    return str(conninfo_to_dict(database.dsn)["dbname"])


@pytest.mark.parametrize("of", ["database", "role"])
def test_every_setting_that_we_rely_on_is_ours_in_a_session_and_in_a_transaction(
    postgres_server: Server, another_database: Store, of: str
) -> None:
    make_hostile(postgres_server, _name(another_database), of=of)
    session = another_database.connect()
    transaction = another_database.connect_for_transactions()
    with session, transaction, transaction.transaction():
        set_for_transaction(transaction)
        found = [_shown(session), _shown(transaction)]
        read_only = [c.execute("SHOW transaction_read_only").fetchone() for c in (session, transaction)]
    ours = {setting.name: setting.value for setting in SETTINGS}
    assert [{name: value for name, value in shown.items() if value != ours[name]} for shown in found] == [{}, {}]
    assert all(len(shown) >= len(SETTINGS) - 2 for shown in found)
    assert read_only == [("off",), ("off",)]


def _shown(connection: Connection) -> dict[str, str]:
    return {
        setting.name: value
        for setting in SETTINGS
        for (value,) in connection.execute("SELECT current_setting(%s, true)", [setting.name])
        if value is not None
    }


def test_no_limit_of_time_of_a_role_ends_what_takes_long(postgres_server: Server, another_database: Store) -> None:
    make_hostile(postgres_server, _name(another_database), of="role")
    with another_database.connect() as connection, another_database.connect() as other:
        connection.execute("SELECT pg_sleep(1.2), pg_advisory_xact_lock(1)")
        with ThreadPoolExecutor() as pool:
            waiting = pool.submit(other.execute, "SELECT pg_advisory_xact_lock(1)")
            time.sleep(1.2)
            connection.commit()
            waiting.result()
        other.commit()
        time.sleep(1.2)
        assert [c.execute("SELECT 1").fetchone() for c in (connection, other)] == [(1,), (1,)]


def test_rows_that_a_policy_hides_are_an_error(postgres_server: Server, database: Store) -> None:
    """Tables that are made of half the events would be wrong, and no one would know."""
    jobs = jobs_login(postgres_server, database)
    put(database, [run_event()])
    with database.connect() as connection:
        connection.execute("ALTER TABLE lineage_events ENABLE ROW LEVEL SECURITY")
        connection.execute("CREATE POLICY half ON lineage_events USING (job_namespace = 'mine')")
    with pytest.raises(NeedsOperator, match="row-level security"):
        normalize(jobs, SerialRunner())
    assert normalize(database, SerialRunner()).events == 1


def test_a_session_that_takes_itself_for_a_replica_is_refused(postgres_server: Server, another_database: Store) -> None:
    """It would check no reference. Only a superuser may change it back."""
    postgres_server.run_sql("ALTER DATABASE another SET session_replication_role = replica;")
    with pytest.raises(NeedsOperator, match="session_replication_role"):
        another_database.connect()
    with connect(postgres_server.dsn("postgres", "another")) as connection:
        assert connection.execute("SHOW session_replication_role").fetchone() == ("origin",)


LEFT = {
    "application_name": "names a session for people",
    "client_min_messages": "what else a client hears",
    "createrole_self_grant": "a role's rights in the roles that it makes are granted by name",
    "default_tablespace": "where tables lie on disk",
    "default_text_search_config": "no text is searched by its words",
    "default_toast_compression": "how values lie on disk",
    "dynamic_library_path": "of the server",
    "escape_string_warning": "warns, and changes nothing",
    "event_triggers": "of the server",
    "extension_control_path": "of the server",
    "gin_pending_list_limit": "how an index is written",
    "icu_validation_level": "of new collations, of which there are none",
    "lc_messages": "the language of messages, which people read",
    "lc_monetary": "no amount of money is written",
    "lo_compat_privileges": "there are no large objects",
    "local_preload_libraries": "of the server",
    "session_preload_libraries": "of the server",
    "session_replication_role": "is refused where it is not as it should be",
    "synchronize_seqscans": "no order is taken for granted that a statement does not ask for",
    "temp_tablespaces": "where temporary tables lie on disk",
    "transaction_deferrable": "of one transaction",
    "transaction_isolation": "of one transaction",
    "transaction_read_only": "of one transaction",
    "xmlbinary": "there is no XML",
}
"""What stays as the operator has it, and why that changes nothing that comes out."""

OF_MEANING = (
    "Client Connection Defaults / Statement Behavior",
    "Client Connection Defaults / Locale and Formatting",
    "Client Connection Defaults / Other Defaults",
    "Client Connection Defaults / Shared Library Preloading",
    "Version and Platform Compatibility / %",
    "Error Handling",
)
"""Where Postgres lists settings that may change what a statement means; some of vacuum stand there, too. All others are
of speed, safety and logs."""


def test_every_setting_of_postgres_that_may_change_a_meaning_is_set_or_left_for_a_reason(database: Store) -> None:
    """A new version of Postgres may bring another one, to be judged."""
    found = rows(
        database,
        "SELECT lower(name) FROM pg_settings WHERE context IN ('user', 'superuser') AND category LIKE ANY (%s)"
        " AND name !~ '^vacuum'",
        [list(OF_MEANING)],
    )
    names = {name for (name,) in found}
    assert len(names) > 30
    ours = {setting.name for setting in SETTINGS}
    assert names - ours - LEFT.keys() == set()
    assert ours & LEFT.keys() == set()


def test_every_setting_that_is_ours_is_tried_with_another_value() -> None:
    values = {setting.name: setting.value for setting in SETTINGS}
    only_one = {"default_table_access_method", "lc_numeric", "lc_time"}
    """The server of the tests has but one value of these; and of row_security, ours is the unusual one."""
    assert values.keys() - HOSTILE.keys() == only_one | {"row_security"}
    assert {name for name, value in values.items() if HOSTILE.get(name) == value} == set()


@pytest.mark.slow
def test_statements_name_the_time_zone_that_they_mean(
    empty_database: Store, another_database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were a session not in UTC after all, the rows would still be the same."""
    usual = all_that_a_store_does(empty_database, tmp_path)["contents"]
    elsewhere = session_settings._VALUES | {"timezone": "Asia/Kolkata"}
    monkeypatch.setattr(session_settings, "_VALUES", elsewhere)
    moved = all_that_a_store_does(another_database, tmp_path)
    monkeypatch.undo()
    assert differences(contents(another_database), usual) == {}
    assert len(moved["contents"]) == len(usual)


CALLS = {
    "dataset_facet_type": "'schema'",
    "named_datasets": "run_uuid, NULL",
    "changed_fields": "ARRAY[run_uuid], ARRAY[run_uuid], ARRAY['ff000000-0000-0000-0000-000000000000'::uuid, run_uuid]",
    "crowded_event_times": "2",
    "ending_rank": "",
    "endings_of": "ARRAY[run_uuid]",
    "first_order_at": "event_time",
    "puts_in_force": "run_uuid, decode('01', 'hex'), false, event ->> 'eventType', true",
    "ends_itself": "'struct<a:int>'",
    "datasets_of_raw_event": "event",
    "event_identity": "event, event_time",
    "event_instant": "event ->> 'eventTime'",
    "event_key": "decode('ff', 'hex')",
    "event_kind": "event",
    "event_order": "decode('ff', 'hex'), is_ahead",
    "event_partitions": "",
    "schema_keys": "ARRAY[run_uuid], NULL",
    "schema_fields": """'[{"name": "a"}]', ARRAY[run_uuid], NULL""",
    "foreign_fields": "(SELECT min(uuid::text)::uuid FROM public.dataset_schema_versions)",
    "formatted_namespace": "event ->> 'producer'",
    "held_datasets": "",
    "held_jobs": "",
    "held_names": "",
    "held_runs": "ARRAY[run_uuid]",
    "holds_by_namespace": "",
    "ignoring_case": "event ->> 'producer'",
    "input_role": "",
    "instant": "1767225600000001",
    "is_ahead": "decode('02', 'hex')",
    "is_behind_horizon": "event, event_time",
    "is_earlier": "decode('01', 'hex'), NULL",
    "is_held": "event_time, job_namespace, job_name, run_uuid, event, public.held_names()",
    "is_newer": "NULL, decode('01', 'hex')",
    "is_restored": "event, event_time",
    "is_planned": "NULL, arrival_seq",
    "is_passed": "arrived_xid, arrival_seq, '1:9:', NULL, NULL, NULL",
    "judged_raw_events": "ARRAY['shop'], ARRAY['2030-01-01Z'::timestamptz], event_time, 'infinity'",
    "java_uuid": "event ->> 'producer'",
    "key_uuid": "'entity', NULL, event ->> 'producer'",
    "known_event_partitions": "",
    "lifecycle_rank": "event ->> 'eventType'",
    "microseconds": "event_time",
    "stream_instant": "event_time",
    "names_dataset": "event, ARRAY['sums']",
    "names_of_dataset": "(SELECT min(uuid::text)::uuid FROM public.datasets)",
    "names_of_raw_event": "event, job_namespace, job_name",
    "names_something": "1",
    "namespace_fits": "'s*p', job_namespace",
    "namespace_of_raw_event": "_event_type, job_namespace, event",
    "order_with_parent": "decode('02', 'hex')",
    "output_role": "",
    "run_uuid": "event #>> '{run,runId}'",
    "running_rank": "",
    "schema_version_uuid": "'shop', event ->> 'producer', ARRAY['a:b', 'c'], ARRAY['int', NULL]",
    "state_mentions": "",
    "utf16_order": "event ->> 'producer' || chr(57344) || chr(1114111)",
    "version_before": "(SELECT min(uuid::text)::uuid FROM public.datasets), decode('ff', 'hex')",
}
"""What each function is asked, of every raw event."""

OF_CLIENTS = ("client_encoding", "statement_timeout", "restrict_nonsystem_relation_kind")
"""What a client chooses for itself: how texts come to it, how long it waits, and that it wants no views."""

WANTS_VIEWS = "SELECT set_config(name, '', false) FROM pg_settings WHERE name = 'restrict_nonsystem_relation_kind'"
"""As every session of ours: retention asks which legal holds are in force."""

TRIGGERS = {
    "capture_changes",
    "check_handed_in_event",
    "describe_arrival",
    "keep_uuid_in_use",
    "refuse_changes",
    "refuse_discarded",
    "refuse_writing",
}
"""Of the one that captures changes, tests/postgres/test_capture.py holds the same."""

OF_UPGRADES = {"capture_table"}
"""What only an upgrade calls, in a session of its own settings."""

RESTORED = """INSERT INTO public.retention_holds (namespace_pattern, manifest, events_since, why)
VALUES ('*', 'm', '2031-09-01Z', 'w')"""
"""A hold as it comes with restored events."""

CHANGES = {
    "take_in_pairs": "SELECT public.take_in_pairs(array_agg(pairs_uuid)) FROM public.column_pairs_to_move",
    "take_in_fields": "SELECT public.take_in_fields(array_agg(uuid)) FROM public.dataset_schema_versions",
    "keep_holds": "SELECT public.keep_holds()",
    "refresh_hourly_counts": "SELECT public.refresh_hourly_counts()",
    "record_act": "SELECT public.record_act('w', 's', 'o', NULL)",
    "lock_migration": "SELECT public.lock_migration('facets')",
    "steer_migration": "SELECT public.steer_migration(name, 'paused', 'pause') FROM public.migrations",
    "lock_document": "SELECT encode(held.raw, 'hex') FROM public.quarantine, public.lock_document(id) AS held",
    "take_in_document": "SELECT public.take_in_document(id, 0) FROM public.quarantine",
    "refuse_document_again": "SELECT public.refuse_document_again(id, reason, path) FROM public.quarantine",
    "discard_documents": "SELECT public.discard_documents(array_agg(id), 'w') FROM public.quarantine",
    "create_receiver_token": "SELECT public.create_receiver_token('a', sha256('a'), '{*}', NULL)",
    "judge_receiver_tokens": "SELECT public.judge_receiver_tokens(ARRAY[sha256('a')], '{shop}')",
    "revoke_receiver_token": "SELECT public.revoke_receiver_token('a')",
    "report_receiver": "SELECT public.report_receiver('0190a0a0-0000-7000-8000-000000000001', 'h', 1, false,"
    " '{accepted}', '{1}', '{1}', '{1}', '{1}')",
    "renumber_foreign_events": "SELECT public.renumber_foreign_events()",
    "guard_event_partitions": "SELECT public.guard_event_partitions()",
    "create_event_partition": "SELECT public.create_event_partition('2031-08-01Z', false)",
    "attach_event_partition": "SELECT public.attach_event_partition('2031-08-01Z', false)",
    "move_events": "SELECT public.move_events('-infinity', 'infinity')",
    "delete_archived_events": "SELECT public.delete_archived_events(array_agg(arrived_xid), array_agg(arrival_seq),"
    " array_agg(event_time)) FROM public.lineage_events",
    "restore_events": "SELECT public.restore_events((SELECT max(id) FROM public.retention_holds),"
    """ '{"{}"}', '{2031-08-02Z}', '{2031-08-02Z}', '{1}')""",
    "drop_event_partition": "SELECT public.drop_event_partition('lineage_events_2031_08', 1, 1)",
}
"""Functions that change something, in an order in which they can be called."""


def test_functions_and_views_say_the_same_to_anybodys_session(
    postgres_server: Server, database: Store, another_database: Store
) -> None:
    """They are called by clients of any kind, which set nothing for us."""
    put(database, [*list(events())[:-1]])
    normalize(database, SerialRunner())
    put(database, [run_event(kind, run_id=RUN, facets=_run_facets(1)) for kind in ("START", "RUNNING")])
    functions = {name for (name,) in rows(database, _FUNCTIONS)}
    assert functions == CALLS.keys() | TRIGGERS | OF_UPGRADES | CHANGES.keys()
    queries = [
        "SELECT count(made), encode(sha256(string_agg(record_send(made), ''::bytea ORDER BY record_send(made))), 'hex')"
        f" FROM public.lineage_events CROSS JOIN LATERAL (SELECT * FROM public.{function}({arguments})) AS made"
        for function, arguments in CALLS.items()
    ]
    views = [f"SELECT count(*) FROM public.{view}" for (view,) in rows(database, _VIEWS)]
    usual = _asked(database, [*queries, *views])
    make_hostile(postgres_server, _name(database), of="role")
    postgres_server.run_sql(
        "".join(f"ALTER ROLE {ROLE} IN DATABASE {_name(database)} RESET {name};" for name in OF_CLIENTS)
    )
    for query, before, after in zip([*queries, *views], usual, _asked(database, [*queries, *views]), strict=True):
        assert after == before, query


def test_what_changes_events_does_the_same_in_anybodys_session(
    postgres_server: Server, database: Store, another_database: Store
) -> None:
    """Triggers run in the session of whoever adds an event."""
    whole_store.upgrade(another_database, with_old_mapping=True)
    make_hostile(postgres_server, _name(another_database), of="database")
    given = [document for document in events() if document["eventTime"] < "2999"]
    found = []
    for one in (database, another_database):
        with psycopg.connect(_as_loader(postgres_server, one)) as loader:
            loader.execute("SET transaction_read_only = off; SET client_encoding = 'UTF8'")
            loader.execute("SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'")
            for place, document in enumerate(given):
                time = document["eventTime"] if place else "2026-01-01T00:00:00.5Z"
                loader.execute(
                    "INSERT INTO public.lineage_events (event_time, event) VALUES (%s, %s)",
                    [datetime.fromisoformat(time), json.dumps(document)],
                )
        refused = rows(one, "SELECT reason, path, raw, source FROM quarantine")
        with psycopg.connect(one.dsn) as owner:
            owner.execute("SET transaction_read_only = off; SET client_encoding = 'UTF8'; SET exit_on_error = off")
            owner.execute(WANTS_VIEWS)
            owner.execute(RESTORED)
            changed = [owner.execute(query.encode()).fetchall() for query in CHANGES.values()]
        stored = rows(
            one,
            "SELECT to_jsonb(e) - '{created_at,arrived_xid}'::text[] FROM lineage_events AS e ORDER BY arrival_seq",
        )
        found.append((stored, changed, refused))
    usual, hostile = found
    assert hostile == usual
    assert [len(usual[0]), len(usual[2])] == [len(given) - 1 + 1, 1], "one is in quarantine, and one was restored"


def _as_loader(server: Server, database: Store) -> str:
    """For a login that may hand in events, and no more."""
    server.ensure_role("loader", "NOSUPERUSER")
    server.run_sql("GRANT lineage_ingest TO loader;")
    return make_conninfo(database.dsn, user="loader")


_FUNCTIONS = "SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'"
_VIEWS = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v' ORDER BY relname"


def _asked(database: Store, queries: list[str]) -> list[Any]:
    """By a client that knows nothing of us."""
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        return [connection.execute(query.encode()).fetchall() for query in queries]
