"""The columns of runs, as statements list them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

Took = Annotated[timedelta, WithJsonSchema({"type": "string", "examples": ["PT300S", "PT0.25S"]})]
"""In an answer it is text (`results.iso_8601_duration`). The format `duration` of JSON Schema has no fractions."""


class RunOfJob(TypedDict):
    """A run of a job that is known. state: as of its last event."""

    run: UUID
    state: str | None
    started_at: datetime | None
    ended_at: datetime | None
    took: Took | None


class ListedRun(RunOfJob):
    """A run, with the namespace and the name of its job."""

    namespace: str | None
    name: str | None


class LastRun(ListedRun):
    """created_at: as of its first event; lists are in the order of it."""

    created_at: datetime


class DescendantRun(ListedRun):
    """A run that another started, itself or by others. steps: 1 of those that it started itself."""

    parent_run: UUID | None
    steps: int


class WholeRun(ListedRun):
    """All that the row of a run has. nominal_start, nominal_end: the span for which it works."""

    created_at: datetime
    nominal_start: datetime | None
    nominal_end: datetime | None
    location: str | None
    job_version: UUID | None
    parent_run: UUID | None
    parent_name: str | None


class LastOfJob(TypedDict):
    """The last run of a job; null of one without any. last_at: when its state last changed."""

    run: UUID | None
    state: str | None
    last_at: datetime | None


class ListedJob(LastOfJob):
    """A job, with its last run."""

    namespace: str | None
    name: str
