"""DAGs over several stores on a real Airflow and a real Spark: a mapped task for each, or a DAG."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from lineage_core.ingest.store import insert_event
from lineage_core.local.airflow import Airflow
from lineage_core.normalize.normalization import normalize
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import remove_policy, set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.store_list import ListedStore, StoreList, write_store_list
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, named_job, run_event, to_json
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
def _listing(platform: Platform, folder: Path, games: str, *paused: str) -> Iterator[None]:
    """Commands of Airflow know two stores meanwhile. No scheduler takes their tasks: the DAGs are paused."""
    listed = StoreList(
        {"main": ListedStore("LINEAGE_DSN", "LINEAGE_INGEST_DSN"), "games": ListedStore("GAMES_DSN")},
        {"*": "main", "games": "games"},
    )
    write_store_list(folder / "stores.json", listed)
    known = platform.airflow.environment()
    several = known | {"LINEAGE_STORES": str(folder / "stores.json"), "GAMES_DSN": games}
    for dag in paused:
        platform.api.pause(dag)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Airflow, "environment", lambda _: several)
        yield
    for dag in paused:
        platform.api.unpause(dag)


def _jobs(store: Store) -> list[str]:
    return [name for (name,) in rows(store, "SELECT name FROM jobs WHERE starts_with(name, 'of the store')")]


def test_each_store_has_a_task_that_normalizes_it(platform: Platform, games: str, tmp_path: Path) -> None:
    platform.wait(lambda: platform.api.knows_dag(DAG), f"the DAG {DAG}")
    stores = {"main": Store(platform.logins.owner), "games": Store(_of_games(platform.logins.owner))}
    for name, store in stores.items():
        event = run_event("COMPLETE", job=named_job(f"of the store {name}", namespace=name))
        insert_event(store, to_json(event))
    with _listing(platform, tmp_path, games, DAG):
        assert platform.airflow.command(["dags", "test", DAG]) == 0
    assert {name: _jobs(store) for name, store in stores.items()} == {name: [f"of the store {name}"] for name in stores}
    states = platform.query_airflow(
        "SELECT string_agg(map_index || ' ' || rendered_map_index || ' ' || state, ',' ORDER BY map_index)"
        f" FROM task_instance WHERE dag_id = '{DAG}' AND rendered_map_index IS NOT NULL;"
    )
    assert states == "0 main success,1 games success"


def test_each_store_has_a_dag_that_applies_its_retention(platform: Platform, games: str, tmp_path: Path) -> None:
    """The default store has a policy as well: what goes there goes by its own DAG. The last run of a job stays."""
    stores = {"main": Store(platform.logins.owner), "games": Store(_of_games(platform.logins.owner))}
    for store in stores.values():
        for days in (365, 300):
            job, time = named_job("expires", namespace="expires"), TIME - timedelta(days=days)
            insert_event(store, to_json(run_event("COMPLETE", run_id=f"run of {days}", job=job, time=time)))
        normalize(store, SerialRunner())
        set_policy(store, Policy(PolicyKind.RUNS, "expires", timedelta(days=30), keep_last=0))
    with _listing(platform, tmp_path, games):
        assert platform.airflow.command(["dags", "test", "apply_retention_games"]) == 0
    count = "SELECT count(*) FROM runs WHERE namespace_name = 'expires'"
    left = {name: rows(store, count) for name, store in stores.items()}
    remove_policy(stores["main"], PolicyKind.RUNS, "expires")
    assert left == {"main": [(2,)], "games": [(1,)]}
