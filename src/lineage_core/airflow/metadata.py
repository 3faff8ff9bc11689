"""Airflow's metadata database, which commands of people read. Tasks may not: they ask the API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from lineage_core.errors import NeedsOperator
from lineage_core.settings import inherited_environment

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_SETTINGS = {"AIRFLOW_HOME", "AIRFLOW_CONFIG", "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN"}
"""Without one of them, to import Airflow would make a folder of settings in the home of the user."""


def is_set_up() -> bool:
    """Whether this process has the settings of an Airflow, and its package."""
    return bool(_SETTINGS & inherited_environment().keys()) and find_spec("airflow") is not None


@contextmanager
def metadata() -> Iterator[Session]:
    """A session, to read by. Raises NeedsOperator if the database cannot be read, or is not one of Airflow."""
    from airflow.utils.session import create_session
    from sqlalchemy.exc import DBAPIError

    try:
        with create_session() as session:
            yield session
    except DBAPIError as error:
        reason = str(error.orig).strip().partition("\n")[0]
        raise NeedsOperator(f"Airflow's metadata database cannot be read: {reason}") from error
