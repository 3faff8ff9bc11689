"""DAGs over several stores: a task for each, which fails by itself, submitted with the store that it works on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from lineage_core.airflow import assets, metrics
from lineage_core.airflow.operators import MigrateOperator, NormalizeLineageOperator
from lineage_core.own_lineage.application import own_jobs
from lineage_core.settings import PROJECT, stated_store_from_environment
from lineage_core.store_list import ListedStore, StoreList, write_store_list

MAPPED = {
    "normalize_lineage": "normalize",
    "replay_lineage": "normalize",
    "publish_streams": "publish",
    "compact_streams": "compact",
}
"""DAGs that work on every store, and their task."""


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The DAG processor need not have the variables that the list names."""
    stores = {"main": ListedStore("MAIN_DSN"), "games": ListedStore("GAMES_DSN")}
    write_store_list(tmp_path / "stores.json", StoreList(stores, {"*": "main"}))
    monkeypatch.setenv("LINEAGE_STORES", str(tmp_path / "stores.json"))


def _dags() -> Mapping[str, Any]:
    from airflow.dag_processing.dagbag import DagBag

    bag = DagBag(str(PROJECT / "dags"), safe_mode=False)
    assert bag.import_errors == {}
    return cast("Mapping[str, Any]", bag.dags)


@pytest.mark.usefixtures("listed")
def test_there_is_one_task_for_each_store_with_all_that_the_task_of_one_has() -> None:
    from airflow.sdk.definitions.mappedoperator import MappedOperator

    dags = _dags()
    for name, task_id in MAPPED.items():
        (task,) = dags[name].tasks
        assert isinstance(task, MappedOperator)
        assert task.task_id == task_id
        assert task._get_specified_expand_input().value == {"store": ["main", "games"]}
        unmapped: Any = task.unmap({"store": "games"})
        assert unmapped.store == "games"
        assert (unmapped.retries, unmapped.owner) == (2, "lineage")
        assert list(task.outlets) == list(unmapped.outlets) == list(type(unmapped).announced)
    assert dags["normalize_lineage"].task_dict["normalize"].outlets == [assets.NORMALIZATION]
    assert dags["normalize_lineage"].task_dict["normalize"].pool == "lineage"


def test_without_a_list_the_tasks_are_what_they_were() -> None:
    from airflow.sdk.definitions.mappedoperator import MappedOperator

    dags = _dags()
    for name, task_id in MAPPED.items():
        (task,) = dags[name].tasks
        assert (task.task_id, task.store, isinstance(task, MappedOperator)) == (task_id, None, False)


@pytest.mark.usefixtures("listed")
def test_retention_has_a_dag_for_each_store_whose_job_works_on_it() -> None:
    dags = _dags()
    found = {name: dags[name].get_task("apply").store for name in dags if name.startswith("apply_retention")}
    assert found == {"apply_retention": None, "apply_retention_games": "games"}
    assert dags["apply_retention"].tasks[0] is not dags["apply_retention_games"].tasks[0]
    assert set(own_jobs("airflow", ()).dags) >= set(found)


@pytest.mark.parametrize("chosen", [None, "games"])
@pytest.mark.usefixtures("listed")
def test_the_form_of_a_long_migration_asks_for_the_store(chosen: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    dag = _dags()["migrate_facets"]
    assert dag.params.get_param("store").schema["enum"] == [None, "games"]
    asked = list[str | None]()
    monkeypatch.setattr(MigrateOperator, "_submit", lambda *_: None)
    monkeypatch.setattr(metrics, "report_store", lambda: asked.append(stated_store_from_environment()))
    operator = dag.get_task("migrate")
    operator.execute({"params": dag.params.dump() | {"store": chosen}})
    stores = [one for one in operator.application_args if one.startswith("--store")]
    assert (stores, asked) == ([] if chosen is None else [f"--store={chosen}"], [chosen])


def test_without_a_list_no_form_asks_for_a_store() -> None:
    dags = _dags()
    assert "store" not in dags["migrate_facets"].params
    assert [name for name in dags if name.startswith("apply_retention")] == ["apply_retention"]


def _submitted(monkeypatch: pytest.MonkeyPatch, store: str | None) -> list[str]:
    monkeypatch.setattr(NormalizeLineageOperator, "_submit", lambda *_: None)
    monkeypatch.setattr(NormalizeLineageOperator, "report", lambda *_: None)
    operator = NormalizeLineageOperator(task_id="normalize", store=store)
    run = SimpleNamespace(run_type=SimpleNamespace(value="scheduled"))
    operator.execute(cast("Any", {"dag_run": run, "params": {}}))
    return list(operator.application_args or ())


def test_a_job_is_submitted_with_its_store_first_and_else_as_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    alone, mapped = _submitted(monkeypatch, None), _submitted(monkeypatch, "games")
    assert mapped[0] == "--store=games"
    outcome = alone.index("--outcome-file") + 1  # a folder of its own each time
    assert [one for place, one in enumerate(mapped[1:]) if place != outcome] == [
        one for place, one in enumerate(alone) if place != outcome
    ]
    assert not any(one.startswith("--store") for one in alone)
