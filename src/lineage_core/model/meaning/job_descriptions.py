"""What an event says of its job and its run, beyond their names."""

from __future__ import annotations

import hashlib

import msgspec

from lineage_core.model.meaning.job_parents import job_name, parent_of
from lineage_core.model.meaning.run_descriptions import RUN_FACETS, described_run
from lineage_core.openlineage.events import Event, RunMention
from lineage_core.openlineage.facets.documentation import FACET as DOCUMENTATION
from lineage_core.openlineage.facets.job_type import FACET as JOB_TYPE
from lineage_core.openlineage.facets.source_code_location import FACET as SOURCE_CODE_LOCATION
from lineage_core.openlineage.identity import ignoring_case, job_uuid
from lineage_core.openlineage.instants import java_zoned_text, parse_instant

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
