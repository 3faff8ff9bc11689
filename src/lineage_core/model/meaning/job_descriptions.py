"""What an event says of its job and its run: their names, the run's parent (marquez-model, 2.4), and all else."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import msgspec

from lineage_core.openlineage.events import Event, JobMention, RunMention, check_names
from lineage_core.openlineage.facets.documentation import FACET as DOCUMENTATION
from lineage_core.openlineage.facets.job_type import FACET as JOB_TYPE
from lineage_core.openlineage.facets.nominal_time import FACET as NOMINAL_TIME
from lineage_core.openlineage.facets.nominal_time import NominalTime
from lineage_core.openlineage.facets.parent import FACET as PARENT
from lineage_core.openlineage.facets.parent import Parent
from lineage_core.openlineage.facets.source_code_location import FACET as SOURCE_CODE_LOCATION
from lineage_core.openlineage.identity import ignoring_case, job_uuid, name_without_last_part
from lineage_core.openlineage.instants import java_zoned_text, parse_instant

RUN_FACETS = "$.run.facets"


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


def is_streaming(event: Event) -> bool:
    """Marquez asks the event's own jobType facet; upper and lower case are alike."""
    facet = JOB_TYPE.read(event.job.facets, _JOB_FACETS) if event.job else None
    return facet is not None and ignoring_case(facet.processing_type or "") == "streaming"


def mentioned_job(event: Event) -> bytes | None:
    """Key of the event's job."""
    name = job_name(event)
    return job_uuid(event.job.formatted, name.full) if event.job and name else None


def location(event: Event) -> str | None:
    """Where the job's source code lies."""
    facet = SOURCE_CODE_LOCATION.read(event.job.facets, _JOB_FACETS) if event.job else None
    return facet.url if facet else None


def description(event: Event) -> str | None:
    facet = DOCUMENTATION.read(event.job.facets, _JOB_FACETS) if event.job else None
    return facet.description if facet else None


def nominal_times(run: RunMention) -> dict[str, int | None]:
    """Columns for the interval that a run works for; none if it names no interval."""
    nominal = described_run(run).nominal_time
    if nominal is None:
        return {}
    path = f"{RUN_FACETS}.nominalTime"
    written = {"nominal_start_time": nominal.nominal_start_time, "nominal_end_time": nominal.nominal_end_time}
    return {column: parse_instant(text, path) if text else None for column, text in written.items()}


def run_arguments(run: RunMention) -> dict[str, str]:
    """The arguments that Marquez keeps of a run, in its order: nominal times, then the parent (marquez-model, 2.2)."""
    arguments = {}
    nominal = described_run(run).nominal_time
    if nominal and nominal.nominal_start_time:
        arguments["nominal_start_time"] = java_zoned_text(nominal.nominal_start_time, f"{RUN_FACETS}.nominalTime")
    if nominal and nominal.nominal_end_time:
        arguments["nominal_end_time"] = java_zoned_text(nominal.nominal_end_time, f"{RUN_FACETS}.nominalTime")
    named = parent_of(run)
    if named:
        arguments |= {"run_id": named.run.run_id, "name": named.job.name, "namespace": named.job.namespace}
    return arguments


def arguments_text(arguments: dict[str, str]) -> str:
    return msgspec.json.encode(arguments).decode()


def arguments_checksum(arguments: dict[str, str]) -> str:
    """SHA-256 of `key=value` joined by `#`, in order."""
    return hashlib.sha256("#".join(f"{key}={value}" for key, value in arguments.items()).encode()).hexdigest()
