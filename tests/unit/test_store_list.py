"""The list of stores: what it is read from, what it refuses, and that a route follows from it and a namespace alone."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lineage_core.errors import WrongUsage
from lineage_core.namespace_format import formatted_namespace
from lineage_core.settings import (
    ProjectSettings,
    chosen_store_from_environment,
    dsns_in_environment,
    store_list_to_route_by,
    with_store,
)
from lineage_core.store_list import ListedStore, StoreList, read_store_list, write_store_list

MAIN = ListedStore("MAIN_DSN")
GAMES = ListedStore("GAMES_DSN", "GAMES_INGEST_DSN", "GAMES_READER_DSN", "GAMES_OPERATOR_DSN", "GAMES_STREAMS")
TWO = StoreList({"main": MAIN, "games": GAMES}, {"*": "main", "games": "games", "prod-*": "games", "prod-eu-*": "main"})
SECRET = "postgresql://me:k4n4ry@db/lineage"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That of a list of two stores, which the environment names."""
    file = tmp_path / "stores.json"
    write_store_list(file, TWO)
    monkeypatch.setenv("LINEAGE_STORES", str(file))
    return file


@pytest.mark.parametrize(
    ("namespace", "store"),
    [
        ("games", "games"),
        ("games-of-others", "main"),
        ("prod-", "games"),
        ("prod-us", "games"),
        ("prod-eu-west", "main"),
        ("prod-eu", "games"),
        ("prod", "main"),
        ("", "main"),
        ("*", "main"),
        ("prod-*", "games"),
        (None, "main"),
    ],
)
def test_an_exact_name_goes_first_and_then_the_longest_beginning(namespace: str | None, store: str) -> None:
    assert TWO.store_of(namespace) == store


names = st.text(alphabet="ab*-", max_size=6)


@given(st.dictionaries(names, st.sampled_from(["main", "games"]), max_size=8), names)
@example({"a*": "games", "ab": "main"}, "ab")
def test_a_route_is_that_of_a_plain_reading(routes: dict[str, str], namespace: str) -> None:
    listed = StoreList({"main": MAIN, "games": GAMES}, {"*": "main"} | routes)

    def plainly() -> str:
        if not namespace.endswith("*") and namespace in listed.routes:
            return listed.routes[namespace]
        for length in range(len(namespace), -1, -1):
            if namespace[:length] + "*" in listed.routes:
                return listed.routes[namespace[:length] + "*"]
        raise AssertionError

    assert listed.store_of(namespace) == plainly()


@given(
    st.dictionaries(
        st.from_regex(r"[a-z0-9:/\-_.@+]{0,9}\*?", fullmatch=True), st.sampled_from(["main", "games"]), max_size=8
    )
)
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, routes: dict[str, str]) -> None:
    file = tmp_path_factory.mktemp("list") / "stores.json"
    listed = StoreList(TWO.stores, {"*": "main"} | routes)
    write_store_list(file, listed)
    assert read_store_list(file) == listed
    assert [one.name for one in file.parent.iterdir()] == ["stores.json"]


@pytest.mark.parametrize(
    ("route", "namespace"),
    [("my games (eu)", "my games (eu)"), ("my games*", "my games of old"), ("spiel ü", "spiel ü")],
)
def test_a_route_that_is_written_by_hand_is_compared_as_namespaces_are(file: Path, route: str, namespace: str) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | {"routes": {"*": "main", route: "games"}}))
    assert read_store_list(file).store_of(formatted_namespace(namespace)) == "games"


def test_a_list_that_cannot_be_written_stays_what_it_was(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(WrongUsage, match="cannot be written"):
        write_store_list(file, StoreList(TWO.stores, {"*": "main", "\ud800": "main"}))
    assert file.read_bytes() == before
    assert [one.name for one in file.parent.iterdir()] == ["stores.json"]


def test_who_may_read_the_file_stays_and_a_link_stays_a_link(file: Path) -> None:
    file.chmod(0o640)
    link = file.with_name("link.json")
    link.symlink_to(file)
    write_store_list(link, TWO)
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def _document(**changed: Any) -> dict[str, Any]:
    return {"stores": {"main": {"dsn_variable": "MAIN_DSN"}}, "routes": {"*": "main"}} | changed


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "Expecting"),
        ("[]", "no JSON object"),
        ('"' + "x" * 10, "Unterminated"),
        (json.dumps(_document(default="main")), "'default'"),
        (json.dumps(_document(routes={"a": "main"})), "no route '\\*'"),
        (json.dumps(_document(routes={"*": "main", "a": "other"})), "'a' leads to no store"),
        (json.dumps(_document(routes={"*": ["main"]})), "leads to no store"),
        (json.dumps(_document(stores={})), "leads to no store"),
        (json.dumps(_document(routes={"*": "main", "a*b": "main"})), "'a\\*b' is no route"),
        (json.dumps(_document(routes={"*": "main", "a**": "main"})), "is no route"),
        (json.dumps(_document(routes={"*": "main", "a b": "main", "a_b": "main"})), "'a_b' is there twice"),
        (json.dumps(_document(stores={"Main": {"dsn_variable": "X"}})), "small letters"),
        (json.dumps(_document(stores={"../main": {"dsn_variable": "X"}})), "small letters"),
        (json.dumps(_document(stores={"main": {}})), "no dsn_variable"),
        (json.dumps(_document(stores={"main": {"dsn_variable": SECRET}})), "Put the DSN into a variable"),
        (json.dumps(_document(stores={"main": {"dsn_variable": None}})), "environment variable"),
        (json.dumps(_document(stores={"main": {"dsn": SECRET, "dsn_variable": "X"}})), "has a member 'dsn'"),
        ('{"stores": {"a": {"dsn_variable": "X"}}, "routes": {"*": "a", "b": "a", "b": "a"}}', "'b' is there twice"),
    ],
)
def test_what_is_no_list_is_refused_without_a_secret_in_the_message(file: Path, text: str, fault: str) -> None:
    file.write_text(text)
    with pytest.raises(WrongUsage, match=fault) as refused:
        ProjectSettings.from_environment()
    assert str(file) in str(refused.value)
    assert "k4n4ry" not in str(refused.value)


def test_a_file_that_is_not_there_names_the_command_that_makes_it(file: Path) -> None:
    file.unlink()
    with pytest.raises(WrongUsage, match="`lineage store add`"):
        ProjectSettings.from_environment()


def test_a_store_has_the_logins_that_the_list_names(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("MAIN_DSN", *GAMES.variables().values()):
        monkeypatch.setenv(variable, f"postgresql://{variable.lower()}@db/x")
    monkeypatch.setenv("LINEAGE_DSN", "postgresql://elsewhere/x")
    monkeypatch.setenv("LINEAGE_OPERATOR_DSN", "postgresql://operator@elsewhere/x")
    monkeypatch.setenv("LINEAGE_SPOOL", str(file.parent))
    main = ProjectSettings.from_environment()
    assert (main.dsn, main.ingest_dsn, main.reader_dsn) == (*["postgresql://main_dsn@db/x"] * 2, None)
    assert main.operator_dsn is None, "who acts must not do so elsewhere"
    assert main.spool == file.parent / "main"
    with with_store("games"):
        games = ProjectSettings.from_environment()
    assert games.dsn == "postgresql://games_dsn@db/x"
    assert games.ingest_dsn == "postgresql://games_ingest_dsn@db/x"
    assert games.reader_dsn == "postgresql://games_reader_dsn@db/x"
    assert games.operator_dsn == "postgresql://games_operator_dsn@db/x"
    assert games.streams_url == "postgresql://games_streams@db/x"
    assert ProjectSettings.from_environment() == main, "the choice ends with its block"
    assert set(dsns_in_environment()) >= {"postgresql://games_ingest_dsn@db/x", "postgresql://main_dsn@db/x"}


@pytest.mark.parametrize("value", [None, "", " "])
def test_a_variable_that_is_lost_is_named_with_its_store(
    file: Path, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    """To fall back to another database would be to write elsewhere."""
    monkeypatch.setenv("LINEAGE_DSN", "postgresql://elsewhere/x")
    if value is not None:
        monkeypatch.setenv("MAIN_DSN", value)
    with pytest.raises(WrongUsage, match=r"MAIN_DSN leads to the store main, but MAIN_DSN is (not set|empty)"):
        ProjectSettings.from_environment()


def test_a_store_that_is_not_in_the_list_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEAGE_STORE", "gmaes")
    with pytest.raises(WrongUsage, match=r"no store 'gmaes' in the list: it has main, games"):
        ProjectSettings.from_environment()
    monkeypatch.delenv("LINEAGE_STORES")
    with pytest.raises(WrongUsage, match="no list of stores"):
        ProjectSettings.from_environment()
    with pytest.raises(WrongUsage, match="no list of stores"):
        store_list_to_route_by()


def test_what_takes_events_in_is_given_no_store(file: Path) -> None:
    assert store_list_to_route_by() == TWO
    with with_store("games"), pytest.raises(WrongUsage, match="leave out --store"):
        store_list_to_route_by()
    assert chosen_store_from_environment() == "main"
