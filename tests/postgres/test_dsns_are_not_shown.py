"""Of a DSN nothing is shown but user, host, port and database: whatever fails, and wherever it is reported."""

from __future__ import annotations

import dataclasses
import importlib
import io
import logging
import pkgutil
import traceback
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

import lineage_core
from lineage_core.errors import LineageError, StoreUnavailable, WrongUsage
from lineage_core.local.logins import Logins
from lineage_core.local.postgres import Server
from lineage_core.long_migrations.workers import WorkerTask
from lineage_core.normalize.store.staging import StagingTask
from lineage_core.postgres.addresses import address, described, redacted
from lineage_core.postgres.connection import connect, connect_for_transactions
from lineage_core.postgres.store import Store
from lineage_core.settings import Dsn, ProjectSettings

pytestmark = pytest.mark.postgres

CANARY = "k4n4ry"
"""Part of everything that must not show."""

_around = st.text(st.sampled_from("aZ0@/:?#%&=+' \\\"é$,;[]"), max_size=4)
_secrets = st.builds(lambda before, after: f"{before}{CANARY}{after}", _around, _around)
_secret_options = (
    *("password", "sslpassword", "passfile", "sslkey", "sslrootcert", "options", "service", "krbsrvname"),
    *("sslmode", "connect_timeout", "channel_binding", "target_session_attrs", "keepalives", "require_auth"),
)
_hosts = st.sampled_from(("127.0.0.1:1", "127.0.0.1:1,[::1]:2", "nowhere.invalid", "", "/nowhere"))


def _written(secret: str, spelling: str) -> str:
    """A value as somebody may spell it: as it should be, or without a thought."""
    return {"raw": secret, "escaped": quote(secret, safe=""), "quoted": f"'{_escaped(secret)}'"}[spelling]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


@st.composite
def _uris(draw: st.DrawFn) -> str:
    spelling = draw(st.sampled_from(("raw", "escaped")))
    scheme = draw(st.sampled_from(("postgresql://", "postgres://", "postgresql+psycopg://", "jdbc:postgresql://", "")))
    user = f"me:{_written(draw(_secrets), spelling)}@" if draw(st.booleans()) else draw(st.sampled_from(("me@", "")))
    options = [
        f"{name}={_written(draw(_secrets), spelling)}"
        for name in draw(st.lists(st.sampled_from((*_secret_options, CANARY)), max_size=2))
    ]
    return f"{scheme}{user}{draw(_hosts)}/store{'?' if options else ''}{'&'.join(options)}"


@st.composite
def _keyword_dsns(draw: st.DrawFn) -> str:
    spelling = draw(st.sampled_from(("raw", "quoted")))
    words = ["host=127.0.0.1", "port=1", "user=me", "dbname=store"]
    words += [
        f"{name}={_written(draw(_secrets), spelling)}"
        for name in draw(st.lists(st.sampled_from((*_secret_options, CANARY)), min_size=1, max_size=2))
    ]
    return " ".join(draw(st.permutations(words)))


@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(_uris() | _keyword_dsns())
@example(f"postgresql://me:p@{CANARY}@127.0.0.1:1/store")
@example(f"postgresql://me:{CANARY}/x@127.0.0.1:1/store")
@example(f"postgresql://me:12/{CANARY}@127.0.0.1:1/store")
@example(f"postgresql://me@127.0.0.1:1/store?connect_timeout={CANARY}")
@example("postgresql://me@127.0.0.1:1/store?connect_timeout=inf")
@example(f"postgresql://me:{CANARY}\udcff@127.0.0.1:1/store")
@example(f"host=127.0.0.1 port=1 dbname=postgresql://me:{CANARY}@127.0.0.1/store")
@example(f"host=me:{CANARY}@127.0.0.1 port=1")
@example(f"host=127.0.0.1 port={CANARY}")
@example(f'host=127.0.0.1 port=1 user=me dbname=store service=0"{CANARY}')
@example(f"host=127.0.0.1 hostaddr={CANARY} port=1")
@example(CANARY)
def test_nothing_that_fails_before_there_is_a_connection_shows_a_secret(dsn: str) -> None:
    for attempt in (connect, connect_for_transactions):
        assert CANARY not in _all_output(attempt, Dsn(dsn, "LINEAGE_DSN"))
        assert CANARY not in _all_output(attempt, dsn)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"password": CANARY}, "authentication failed"),
        ({"dbname": "nowhere"}, 'database "nowhere" does not exist'),
        ({"user": "nobody"}, "authentication failed"),
        ({"passfile": f"/nowhere/{CANARY}", "password": ""}, "no password supplied"),
        ({"options": f"-c {CANARY}=1"}, "unrecognized configuration parameter"),
        ({"options": f"-c search_path= -c datestyle={CANARY}"}, "invalid value for parameter"),
        ({"options": CANARY}, "invalid command-line argument"),
        ({"sslmode": "verify-full", "sslrootcert": f"/{CANARY}"}, "does not"),
        ({"sslmode": CANARY}, "sslmode"),
        ({"port": "1"}, "Connection refused"),
        ({"connect_timeout": CANARY}, "connect_timeout"),
    ],
)
def test_what_is_wrong_with_a_connection_is_reported_in_one_line_with_its_setting(
    postgres_server: Server, change: dict[str, str | None], fault: str
) -> None:
    options = dict(conninfo_to_dict(postgres_server.dsn())) | {"password": postgres_server.password("lineage")} | change
    secret = str(options["password"] or CANARY)
    dsn = " ".join(f"{name}='{_escaped(str(value))}'" for name, value in options.items() if value is not None)
    with pytest.raises((StoreUnavailable, WrongUsage)) as failure:
        connect(Dsn(dsn, "LINEAGE_INGEST_DSN"))
    message = str(failure.value)
    assert fault in message
    assert "LINEAGE_INGEST_DSN" in message
    assert "\n" not in message
    for hidden in (CANARY, secret):
        assert hidden not in _all_output(connect, Dsn(dsn, "LINEAGE_INGEST_DSN"))


def _all_output(attempt: object, dsn: str) -> str:
    """Message, representation and traceback of what is raised, with all that is chained to it, and every log."""
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        attempt(dsn)  # type: ignore[operator]
    except LineageError as error:
        errors = [*_chain(error)]
        return "\n".join([*map(str, errors), *map(repr, errors), *traceback.format_exception(error), log.getvalue()])
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
    raise AssertionError("the connection should have failed")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if error.__context__ is not error.__cause__:
            yield from _chain(error.__context__)
        error = error.__cause__


@pytest.mark.parametrize(
    ("dsn", "shown"),
    [
        (
            "postgresql://me:secret@db.example.org:5433/store?passfile=/x&options=-c%20a%3Db",
            "me@db.example.org:5433/store",
        ),
        ("host=db.example.org dbname=store user=me password='a secret'", "me@db.example.org/store"),
        ("postgresql://me%40tenant:a%40b%2Fc@db/store", "me@tenant@db/store"),
        ("postgresql://me:secret@one:1,two:2/store", "me@one:1,two:2/store"),
        ("host=one,two port=5432", "one:5432,two:5432/"),
        ("postgresql://[2001:db8::1]:5432/my%20store", "[2001:db8::1]:5432/my store"),
        ("host=/var/run/postgresql dbname=store", "/var/run/postgresql/store"),
        ("service=mine", "/"),
    ],
)
def test_an_address_is_user_host_port_and_database(dsn: str, shown: str) -> None:
    assert str(address(dsn)) == shown
    assert described(Dsn(dsn, "LINEAGE_DSN")) == f"{shown}, by LINEAGE_DSN"


@pytest.mark.parametrize("secret", ["pass@word", "pass/word", "@", "/", "a:b@c", "12/34@"])
def test_a_password_that_is_not_escaped_in_a_uri_is_found_and_how_to_write_it_is_stated(secret: str) -> None:
    with pytest.raises(WrongUsage, match=r"LINEAGE_DSN .*%40"):
        connect(Dsn(f"postgresql://me:{secret}@127.0.0.1:1/store", "LINEAGE_DSN"))


def test_no_value_of_ours_that_holds_a_dsn_shows_it() -> None:
    dsn = f"postgresql://me:{CANARY}@127.0.0.1:1/store"
    held = [
        Dsn(dsn, "LINEAGE_DSN"),
        ProjectSettings(dsn=dsn, ingest_dsn=dsn, home=Path()),
        Logins(owner=dsn, ingest=dsn, jobs=dsn, reader=dsn),
        WorkerTask(Store(dsn), "facets"),
        StagingTask(Store(dsn), "staging", 1, 1, 0, "normalize/part_by_arrival", {}),
    ]
    assert [value for value in held if CANARY in repr(value)] == []


def test_every_dataclass_keeps_a_dsn_out_of_what_shows_it() -> None:
    shown = [
        f"{kind.__module__}.{kind.__name__}.{field.name}"
        for kind in _dataclasses()
        for field in dataclasses.fields(kind)
        if field.repr and field.name.endswith("dsn")
    ]
    assert shown == []


def _dataclasses() -> Iterator[type]:
    for module in pkgutil.walk_packages(lineage_core.__path__, "lineage_core."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == module.name:
                yield value


@settings(max_examples=100)
@given(_uris() | _keyword_dsns(), st.sampled_from(("{}", "failed: {}, again", "{{'dsn': '{}'}}")))
def test_an_error_that_is_stored_with_an_event_has_no_secret_of_a_dsn_that_is_ours(dsn: str, text: str) -> None:
    try:
        address(dsn)
    except WrongUsage:
        return
    hidden = redacted(text.format(dsn), dsn)
    for secret in _secrets_in(dsn):
        assert secret not in hidden


def _secrets_in(dsn: str) -> list[str]:
    return [str(value) for name, value in conninfo_to_dict(dsn).items() if "pass" in name and CANARY in str(value)]
