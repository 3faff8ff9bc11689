"""What an event says of its job and its run: their names, the run's parent (marquez-model, 2.4), and all else."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import msgspec

from lineage_core.openlineage.events import Event, JobMention, RunMention
from lineage_core.openlineage.facets.documentation import FACET as DOCUMENTATION
from lineage_core.openlineage.facets.job_type import FACET as JOB_TYPE
from lineage_core.openlineage.facets.nominal_time import FACET as NOMINAL_TIME
from lineage_core.openlineage.facets.nominal_time import NominalTime
from lineage_core.openlineage.facets.parent import FACET as PARENT
from lineage_core.openlineage.facets.parent import Parent
from lineage_core.openlineage.facets.source_code_location import FACET as SOURCE_CODE_LOCATION
from lineage_core.openlineage.identity import ignoring_case, job_uuid, name_without_last_part, run_args_uuid
from lineage_core.openlineage.instants import java_zoned_text, parse_instant
from lineage_core.openlineage.name_limits import check_names

RUN_FACETS = "$.run.facets"


class RunArguments:
    """The arguments that Marquez keeps of a run, in its order: nominal times, then the parent (marquez-model, 2.2)."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self.values = values

    @property
    def text(self) -> str:
        return msgspec.json.encode(self.values).decode()

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of `key=value` joined by `#`, in order."""
        return hashlib.sha256("#".join(f"{key}={value}" for key, value in self.values.items()).encode()).hexdigest()

    @cached_property
    def uuid(self) -> bytes:
        """Key of the arguments."""
        return run_args_uuid(self.checksum)


class RunDescription:
    """What a mention says of its run. Each property raises RejectedEvent where that cannot be read."""

    def __init__(self, run: RunMention) -> None:
        self._facets = run.facets

    @cached_property
    def nominal_time(self) -> NominalTime | None:
        """The interval that the run works for."""
        return NOMINAL_TIME.read(self._facets, RUN_FACETS)

    @cached_property
    def parent(self) -> Parent | None:
        """The run that started it."""
        return PARENT.read(self._facets, RUN_FACETS)

    @cached_property
    def nominal_times(self) -> Mapping[str, int | None]:
        """Columns for the interval; none if it names no interval."""
        nominal = self.nominal_time
        if nominal is None:
            return {}
        path = f"{RUN_FACETS}.nominalTime"
        written = {"nominal_start_time": nominal.nominal_start_time, "nominal_end_time": nominal.nominal_end_time}
        return {column: parse_instant(text, path) if text else None for column, text in written.items()}

    @cached_property
    def arguments(self) -> RunArguments:
        arguments: dict[str, str] = {}
        nominal = self.nominal_time
        if nominal and nominal.nominal_start_time:
            arguments["nominal_start_time"] = java_zoned_text(nominal.nominal_start_time, f"{RUN_FACETS}.nominalTime")
        if nominal and nominal.nominal_end_time:
            arguments["nominal_end_time"] = java_zoned_text(nominal.nominal_end_time, f"{RUN_FACETS}.nominalTime")
        named = self.parent
        if named:
            arguments |= {"run_id": named.run.run_id, "name": named.job.name, "namespace": named.job.namespace}
        return RunArguments(arguments)


def described_run(run: RunMention) -> RunDescription:
    """What the mention says, worked out once however many tables ask."""
    return run.described_by(RunDescription)


@dataclass(frozen=True, slots=True)
class JobName:
    """What a job is called: `full` has its parent's name in front, `simple` has not."""

    full: str
    simple: str


def parent_of(run: RunMention | None) -> Parent | None:
    """The parent that a run names, None if it names none."""
    return described_run(run).parent if run else None


def job_name(event: Event) -> JobName | None:
    """What the event's job is called.

    Raises RejectedEvent if namespace and full name are too long for an index.
    """
    if event.job is None:
        return None
    facet = parent_of(event.run)
    return _child_name(event.job, parent_job_name(event.job, facet)) if facet else _own_name(event.job)


def parent_job_name(child: JobMention, facet: Parent) -> str:
    """The facet's, but for an old Airflow, which put the task's own name there: `dag.task` then stands for `dag`."""
    return name_without_last_part(facet.job.name) if facet.job.name == child.name else facet.job.name


def _own_name(job: JobMention) -> JobName:
    return JobName(job.name, job.name)


def _child_name(child: JobMention, parent_name: str) -> JobName:
    prefix = f"{parent_name}."
    simple = child.name.removeprefix(prefix)
    check_names("$.run.facets.parent.job", child.formatted, prefix + simple)
    return JobName(prefix + simple, simple)


_JOB_FACETS = "$.job.facets"


class JobDescription:
    """What a mention says of its job."""

    def __init__(self, job: JobMention) -> None:
        self._facets = job.facets

    @cached_property
    def is_streaming(self) -> bool:
        """Marquez asks the event's own jobType facet; upper and lower case are alike."""
        facet = JOB_TYPE.read(self._facets, _JOB_FACETS)
        return facet is not None and ignoring_case(facet.processing_type or "") == "streaming"

    @cached_property
    def location(self) -> str | None:
        """Where the job's source code lies."""
        facet = SOURCE_CODE_LOCATION.read(self._facets, _JOB_FACETS)
        return facet.url if facet else None

    @cached_property
    def description(self) -> str | None:
        facet = DOCUMENTATION.read(self._facets, _JOB_FACETS)
        return facet.description if facet else None


def is_streaming(event: Event) -> bool:
    return event.job is not None and event.job.described_by(JobDescription).is_streaming


def mentioned_job(event: Event) -> bytes | None:
    """Key of the event's job."""
    name = job_name(event)
    return job_uuid(event.job.formatted, name.full) if event.job and name else None


def location(event: Event) -> str | None:
    """Where the job's source code lies."""
    return event.job.described_by(JobDescription).location if event.job else None


def description(event: Event) -> str | None:
    return event.job.described_by(JobDescription).description if event.job else None
