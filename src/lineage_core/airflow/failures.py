"""Errors of the project as Airflow's own, so that its retries go to what may pass by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from airflow.providers.common.compat.sdk import AirflowFailException

from lineage_core.errors import NeedsOperator


@contextmanager
def without_retries_for_a_person() -> Iterator[None]:
    """A task that needs a person fails at once, whatever its retries; any other error keeps them."""
    try:
        yield
    except NeedsOperator as error:
        raise AirflowFailException(str(error)) from error
