"""A DAG over several stores on a real Airflow and a real Spark: a mapped task for each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lineage_core.ingest.store import insert_event
from lineage_core.local.airflow import Airflow
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.store_list import ListedStore, StoreList, write_store_list
from lineage_core.testing import named_job, run_event, to_json
from tests.airflow.conftest import Platform
from tests.support.stores import rows

pytestmark = [pytest.mark.airflow, pytest.mark.long]

DAG = "normalize_lineage"
GAMES = "several_games"


def _of_games(dsn: str) -> str:
    return f"{dsn.removesuffix('/lineage')}/{GAMES}"


@pytest.fixture
def games(platform: Platform) -> Iterator[str]:
    """A second store on the same server, by the DSN of the login that normalizes."""
    owner = _of_games(platform.logins.owner)
    platform.server.ensure_database(GAMES, "lineage")
    upgrade(Store(owner))
    yield _of_games(platform.logins.jobs)
    platform.server.run_sql(f"DROP DATABASE {GAMES} WITH (FORCE);")


@contextmanager
def _listing(platform: Platform, folder: Path, games: str) -> Iterator[None]:
    """Commands of Airflow know two stores meanwhile. No scheduler takes their tasks: the DAG is paused."""
    listed = StoreList(
        {"main": ListedStore("LINEAGE_DSN", "LINEAGE_INGEST_DSN"), "games": ListedStore("GAMES_DSN")},
        {"*": "main", "games": "games"},
    )
    write_store_list(folder / "stores.json", listed)
    known = platform.airflow.environment()
    several = known | {"LINEAGE_STORES": str(folder / "stores.json"), "GAMES_DSN": games}
    platform.api.pause(DAG)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Airflow, "environment", lambda _: several)
        yield
    platform.api.unpause(DAG)


def _jobs(store: Store) -> list[str]:
    return [name for (name,) in rows(store, "SELECT name FROM jobs WHERE starts_with(name, 'of the store')")]


def test_each_store_has_a_task_that_normalizes_it(platform: Platform, games: str, tmp_path: Path) -> None:
    platform.wait(lambda: platform.api.knows_dag(DAG), f"the DAG {DAG}")
    stores = {"main": Store(platform.logins.owner), "games": Store(_of_games(platform.logins.owner))}
    for name, store in stores.items():
        event = run_event("COMPLETE", job=named_job(f"of the store {name}", namespace=name))
        insert_event(store, to_json(event))
    with _listing(platform, tmp_path, games):
        assert platform.airflow.command(["dags", "test", DAG]) == 0
    assert {name: _jobs(store) for name, store in stores.items()} == {name: [f"of the store {name}"] for name in stores}
    states = platform.query_airflow(
        "SELECT string_agg(map_index || ' ' || rendered_map_index || ' ' || state, ',' ORDER BY map_index)"
        f" FROM task_instance WHERE dag_id = '{DAG}' AND rendered_map_index IS NOT NULL;"
    )
    assert states == "0 main success,1 games success"
