"""The run that started a run, as its `parent` facet says it, and the names of jobs that follow (marquez-model, 2.4)."""

from __future__ import annotations

from dataclasses import dataclass

from lineage_core.model.meaning.run_descriptions import described_run
from lineage_core.openlineage.events import Event, JobMention, RunMention, check_names
from lineage_core.openlineage.facets.parent import Parent
from lineage_core.openlineage.identity import name_without_last_part


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
