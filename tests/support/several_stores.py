"""Two stores on one server, a list of them, and what of either is there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lineage_core import cli
from lineage_core.postgres.store import Store
from lineage_core.store_list import ListedStore, StoreList, write_store_list
from tests.support.stores import rows

AWAY = "postgresql://somebody:k4n4ry@127.0.0.1:1/lineage"
"""No server listens there."""


@dataclass(frozen=True)
class TwoStores:
    """`main` is the default store; what begins with `prod-`, and `games`, goes to `games`."""

    main: Store
    games: Store
    file: Path
    spool: Path
    environment: pytest.MonkeyPatch

    @contextmanager
    def away(self, name: str) -> Iterator[None]:
        """While a store cannot be reached."""
        with self.environment.context() as moved:
            moved.setenv(f"{name.upper()}_DSN", AWAY)
            yield


def two_stores(main: Store, games: Store, folder: Path, environment: pytest.MonkeyPatch) -> TwoStores:
    """As the environment names them."""
    listed = StoreList(
        {"main": ListedStore("MAIN_DSN"), "games": ListedStore("GAMES_DSN")},
        {"*": "main", "games": "games", "prod-*": "games"},
    )
    write_store_list(folder / "stores.json", listed)
    environment.setenv("LINEAGE_STORES", str(folder / "stores.json"))
    environment.setenv("LINEAGE_SPOOL", str(folder / "spool"))
    environment.setenv("MAIN_DSN", main.dsn)
    environment.setenv("GAMES_DSN", games.dsn)
    return TwoStores(main, games, folder / "stores.json", folder / "spool", environment)


def stored(store: Store) -> list[str]:
    """The names of jobs of raw events, in their order of arrival; of a dataset event that of its dataset."""
    query = """
    SELECT coalesce(event -> 'job' ->> 'name', event -> 'dataset' ->> 'name') FROM lineage_events ORDER BY arrival_seq
    """
    return [name for (name,) in rows(store, query)]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Any, Any, str]:
    """Exit code, what a command prints as JSON, and its standard error."""
    with pytest.raises(SystemExit) as ended:
        cli.main([*arguments, "--json"])
    written = capsys.readouterr()
    return ended.value.code, json.loads(written.out) if written.out else None, written.err
