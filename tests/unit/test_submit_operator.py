"""What becomes of a task when its job fails, by the code with which a program in the place of spark-submit exits."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from unittest.mock import MagicMock

import pytest
from airflow.providers.common.compat.sdk import (
    AirflowException,
    AirflowFailException,
    AirflowNotFoundException,
    BaseHook,
)

from lineage_core.airflow import metrics
from lineage_core.airflow.assets import PUBLICATION
from lineage_core.airflow.operators import PublishStreamsOperator, planned_text
from lineage_core.airflow.submit_operator import SubmitJobOperator
from lineage_core.errors import LeaseTaken, LineageError, NeedsOperator, SchemaDiffers, TryAgain, WrongUsage
from lineage_core.streams.publication import PublicationOutcome

if TYPE_CHECKING:
    from airflow.sdk import Context

NO_CONTEXT = cast("Context", {})


class Submitted(SubmitJobOperator):
    def job_arguments(self, context: Context) -> list[str]:
        return []


class Refused(SubmitJobOperator):
    def job_arguments(self, context: Context) -> list[str]:
        raise WrongUsage("The form contradicts itself")


@pytest.fixture(autouse=True)
def _spark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    def start(*arguments: Any, **options: Any) -> subprocess.Popen[str]:
        started.append(popen(*arguments, **options))
        return started[-1]

    popen, started = subprocess.Popen, list[subprocess.Popen[str]]()
    monkeypatch.setenv("AIRFLOW_CONN_SPARK_DEFAULT", '{"conn_type": "spark", "host": "local[1]"}')
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(subprocess, "Popen", start)
    yield
    for process in started:  # the provider's hook leaves the output of spark-submit open
        process.communicate()


def ending_with(folder: Path, code: int) -> SubmitJobOperator:
    program = folder / "spark-submit"
    program.write_text(f"#!/bin/sh\necho 'lineage: what is wrong'\necho 'spark: more'\nexit {code}\n")
    program.chmod(0o755)
    return Submitted(job="normalize_lineage", task_id="normalize")


def test_a_job_that_is_done_is_a_success(tmp_path: Path) -> None:
    ending_with(tmp_path, 0).execute(NO_CONTEXT)


@pytest.mark.parametrize("error", [NeedsOperator, WrongUsage, SchemaDiffers])
def test_a_job_that_needs_a_person_fails_without_retries(tmp_path: Path, error: type[LineageError]) -> None:
    with pytest.raises(AirflowFailException, match=r"^lineage: what is wrong$"):
        ending_with(tmp_path, error.exit_code).execute(NO_CONTEXT)


@pytest.mark.parametrize("code", [TryAgain.exit_code, LeaseTaken.exit_code, LineageError.exit_code, 137, 143])
def test_any_other_failure_keeps_its_retries(tmp_path: Path, code: int) -> None:
    with pytest.raises(AirflowException, match=r"^lineage: what is wrong$") as failed:
        ending_with(tmp_path, code).execute(NO_CONTEXT)
    assert not isinstance(failed.value, AirflowFailException)


def test_a_job_that_says_nothing_fails_with_what_airflow_says(tmp_path: Path) -> None:
    operator = ending_with(tmp_path, 9)
    (tmp_path / "spark-submit").write_text("#!/bin/sh\necho 'no such class'\nexit 9\n")
    with pytest.raises(AirflowException, match=r"Error code is: 9\.\nLast spark-submit output:\nno such class"):
        operator.execute(NO_CONTEXT)


def test_a_missing_connection_is_named_at_once_and_spark_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(connection: str) -> None:
        raise AirflowNotFoundException(connection)

    monkeypatch.setattr(BaseHook, "get_connection", find)
    with pytest.raises(AirflowFailException, match=r"no connection 'spark_default'.*`airflow connections add spark_"):
        ending_with(tmp_path, 0).execute(NO_CONTEXT)


def test_a_form_that_makes_no_sense_fails_without_retries() -> None:
    with pytest.raises(AirflowFailException, match="contradicts"):
        Refused(job="normalize_lineage", task_id="normalize").execute(NO_CONTEXT)


def test_a_task_that_works_in_airflow_fails_without_retries_likewise() -> None:
    with pytest.raises(AirflowFailException, match="LINEAGE_DSN is not set"):
        planned_text()


def test_a_publication_reports_what_its_job_says_it_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, reported = json.dumps(asdict(PublicationOutcome(records=3, parts=1))), list[object]()
    monkeypatch.setattr(metrics, "report_store", lambda: reported.append("store"))
    monkeypatch.setattr(metrics, "report_publication", reported.append)
    program = tmp_path / "spark-submit"
    program.write_text(f"""#!/bin/sh\nwhile [ "$1" != --outcome-file ]; do shift; done\necho '{outcome}' > "$2"\n""")
    program.chmod(0o755)
    PublishStreamsOperator(task_id="publish").execute(NO_CONTEXT)
    assert reported == ["store", json.loads(outcome)]


def test_a_driver_on_another_machine_reports_no_publication(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reported = list[object]()
    monkeypatch.setattr(metrics, "report_store", lambda: reported.append("store"))
    ending_with(tmp_path, 0)
    announced = MagicMock()
    PublishStreamsOperator(task_id="publish").execute(cast("Context", {"outlet_events": {PUBLICATION: announced}}))
    assert reported == ["store"]
    announced.add.assert_called_once()
