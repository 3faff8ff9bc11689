"""The law of holds: what a legal hold is about, by any name and through any parent, reads the same before and after
whatever retention does while the hold is in force."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest

from lineage_core import statements
from lineage_core.openlineage.identity import dataset_uuid, job_uuid
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import add_hold, release_hold, set_policy
from lineage_core.retention.store.reports import RAW
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME
from tests.support.examples import numbers
from tests.support.held_histories import FOLLOWED, WAYS, HeldHistory, held_history, late_events, with_aliases
from tests.support.mutants import EXAMPLES_MET, Mutant, broken
from tests.support.stores import empty, rows, take_in

pytestmark = pytest.mark.postgres

EXAMPLES = WAYS
MANY = 45
DAY = timedelta(days=1)
NOW = TIME + 100 * DAY

READS = {
    "runs": "SELECT * FROM runs_view WHERE uuid = ANY (%(runs)s)",
    "run states": "SELECT * FROM run_states WHERE run_uuid = ANY (%(runs)s)",
    "facets of runs": "SELECT * FROM run_facets WHERE run_uuid = ANY (%(runs)s)",
    "facets of jobs by runs": "SELECT * FROM job_facets WHERE run_uuid = ANY (%(runs)s)",
    "facets of datasets by runs": "SELECT * FROM dataset_facets WHERE run_uuid = ANY (%(runs)s)",
    "what runs read": "SELECT * FROM runs_input_mapping WHERE run_uuid = ANY (%(runs)s)",
    "what runs wrote": "SELECT uuid, fields, run_uuid FROM dataset_versions WHERE run_uuid = ANY (%(runs)s)",
    "jobs": "SELECT * FROM jobs_view WHERE uuid = ANY (%(jobs)s)",
    "runs of jobs": "SELECT * FROM runs_view WHERE job_uuid = ANY (%(jobs)s)",
    "job versions": "SELECT * FROM job_versions WHERE job_uuid = ANY (%(jobs)s)",
    "what jobs read and write": "SELECT * FROM job_versions_io_mapping WHERE job_uuid = ANY (%(jobs)s)",
    "facets of jobs": "SELECT * FROM job_facets WHERE job_uuid = ANY (%(jobs)s)",
    "datasets": "SELECT * FROM datasets_view WHERE uuid = ANY (%(datasets)s)",
    "names of datasets": "SELECT * FROM dataset_symlinks WHERE dataset_uuid = ANY (%(datasets)s)",
    "fields": "SELECT * FROM dataset_fields WHERE dataset_uuid = ANY (%(datasets)s)",
    "dataset versions": "SELECT * FROM dataset_versions WHERE dataset_uuid = ANY (%(datasets)s)",
    "schema versions": "SELECT * FROM dataset_schema_versions WHERE dataset_uuid = ANY (%(datasets)s)",
    "facets of datasets": "SELECT * FROM dataset_facets WHERE dataset_uuid = ANY (%(datasets)s)",
    "writers": "SELECT run.* FROM runs_view AS run JOIN dataset_versions AS version ON version.run_uuid = run.uuid"
    " WHERE version.dataset_uuid = ANY (%(datasets)s)",
    "jobs of datasets": "SELECT * FROM job_versions_io_mapping WHERE dataset_uuid = ANY (%(datasets)s)",
    "column lineage": "SELECT lineage.* FROM column_lineage AS lineage JOIN dataset_versions AS version"
    " ON version.uuid IN (output_dataset_version_uuid, input_dataset_version_uuid)"
    " WHERE version.dataset_uuid = ANY (%(datasets)s)",
}
"""What a reader asks of what is held."""


def read(database: Store, about: dict[str, list[UUID]]) -> dict[str, list[str]]:
    with database.connect() as connection:
        return {
            name: sorted(
                text
                for (text,) in connection.execute(
                    f"SELECT to_jsonb(found)::text FROM ({query}) AS found".encode(), about
                )
            )
            for name, query in READS.items()
        }


def about(example: HeldHistory) -> dict[str, list[UUID]]:
    """What the hold is about, by uuid."""
    jobs = [UUID(bytes=job_uuid(*name)) for name in example.jobs()]
    datasets = [UUID(bytes=dataset_uuid(*name)) for name in with_aliases(example.tables())]
    return {"runs": sorted(example.runs()), "jobs": jobs, "datasets": datasets}


def prepare(database: Store, example: HeldHistory) -> None:
    empty(database)
    take_in(database, example.events)
    if example.is_symlinked:
        with database.connect() as connection:
            connection.execute(
                "UPDATE jobs SET symlink_target_uuid ="
                " (SELECT uuid FROM jobs WHERE (namespace_name, name) = ('shop', %s))"
                " WHERE (namespace_name, name) = ('shop', %s)",
                FOLLOWED,
            )


def hold(database: Store, number: int, met: Counter[str], archive: Path) -> None:
    """Fails if retention changes what the hold of the example of that number is about."""
    random = Random(number)
    example = held_history(random, number)
    prepare(database, example)
    emptied = random.choice((None, None, "*", example.held.namespace_pattern))
    held = add_hold(database, example.held, "an audit", None)
    about_it = about(example)
    before = read(database, about_it)
    planned = retention.plan(database, NOW, emptied)
    deleted = retention.apply(database, planned, archive=str(archive / str(number))).deleted
    after = read(database, about_it)
    lost = {name: sorted({*before[name]} ^ {*after[name]}) for name in before if before[name] != after[name]}
    assert lost == {}, (number, example.held, emptied, lost)
    raw = Counter(str(_as_stored(event)) for (event,) in rows(database, "SELECT event FROM lineage_events"))
    expected = Counter(str(_as_stored(event)) for event in example.raw_events())
    assert not expected - raw, (number, example.held, emptied)
    versions = [uuid for (uuid,) in rows(database, "SELECT uuid FROM dataset_versions")]
    horizons = {name for (name,) in rows(database, "SELECT namespace FROM retention_horizons WHERE kind = 'versions'")}
    taken = take_in(database, list(late_events(example)))
    came = rows(database, "SELECT namespace_name FROM dataset_versions WHERE NOT uuid = ANY (%s)", [versions])
    assert {name for (name,) in came} & horizons == set(), "what was deleted does not come back by another name"
    release_hold(database, held, "it is over")
    met.update(
        {
            "ways to name what is held": 1,
            "rows held": sum(map(len, before.values())),
            "runs that go": deleted.get("runs", 0),
            "versions that go": deleted.get("dataset_versions", 0),
            "raw events that go": deleted.get(RAW, 0),
            "raw events held": sum(expected.values()),
            "late events that are expired": taken.expired,
            "namespaces emptied": int(emptied is not None),
            "symlinks set by hand": int(example.is_symlinked),
            "raw events left": sum(raw.values()),
        }
    )


def _as_stored(event: Any) -> Any:
    """With members in one order."""
    if isinstance(event, dict):
        return {name: _as_stored(event[name]) for name in sorted(event)}
    return [_as_stored(one) for one in event] if isinstance(event, list) else event


FLOORS = {
    "rows held": 500,
    "runs that go": 12,
    "versions that go": 12,
    "raw events that go": 80,
    "raw events held": 40,
    "late events that are expired": 40,
    "namespaces emptied": 3,
    "symlinks set by hand": 3,
    "ways to name what is held": WAYS,
}
"""How often all examples together must have met what."""


@pytest.fixture
def store(database: Store) -> Store:
    """Whatever is older than thirty days goes."""
    set_policy(database, Policy(PolicyKind.EVERY, "*", 30 * DAY, 0))
    set_policy(database, Policy(PolicyKind.RUNS, "*", 30 * DAY, 0))
    set_policy(database, Policy(PolicyKind.VERSIONS, "*", 30 * DAY, 0))
    set_policy(database, Policy(PolicyKind.RAW_EVENTS, "*", 30 * DAY, None))
    set_policy(database, Policy(PolicyKind.ENTITIES, "*", 30 * DAY, None))
    return database


@pytest.mark.slow
def test_what_a_hold_is_about_reads_the_same_whatever_goes(store: Store, tmp_path: Path) -> None:
    met: Counter[str] = Counter()
    for number in numbers(EXAMPLES):
        hold(store, number, met, tmp_path)

    assert {situation: met[situation] for situation, floor in FLOORS.items() if met[situation] < floor} == {}


@pytest.mark.long
def test_so_it_does_for_holds_of_every_kind(store: Store, tmp_path: Path) -> None:
    for number in numbers(MANY, EXAMPLES):
        hold(store, number, Counter(), tmp_path)


MUTANTS = (
    Mutant(
        "runs of a held dataset go",
        "retention/find/holds",
        "SELECT run_uuid, events_since, events_until FROM mentions_held WHERE run_uuid IS NOT NULL",
        "SELECT run_uuid, events_since, events_until FROM mentions_held WHERE false",
    ),
    Mutant(
        "job events of what is held go",
        "retention/find/leaving/job_events",
        "WHERE held.event_order = ledger.event_order)",
        "WHERE false)",
    ),
    Mutant(
        "job events of a held job go",
        "retention/find/leaving/job_events",
        "WHERE held.uuid = job.uuid",
        "WHERE false",
    ),
    Mutant(
        "a hold means a namespace as the tables spell it",
        "retention/functions/namespace_fits",
        "'[^-a-zA-Z0-9:/_.@+*]'",
        "'[~]'",
    ),
    Mutant(
        "a job is held by its full name alone",
        "retention/functions/held_jobs",
        "held.job IN (job.name, job.simple_name)",
        "held.job = job.name",
    ),
    Mutant(
        "a dataset is held by its own name alone",
        "retention/functions/held_datasets",
        "symlink.name = held.dataset",
        "false",
    ),
    Mutant(
        "late events bring versions back",
        "retention/functions/is_behind_horizon",
        "SELECT 'versions', stated.namespace",
        "SELECT 'none', stated.namespace",
    ),
)


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_law_of_holds_fails_for(
    mutant: Mutant, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(mutant, monkeypatch)
    if mutant.path.startswith("retention/functions/"):
        with store.connect() as connection:
            connection.execute(statements.named(mutant.path).encode())
    met: Counter[str] = Counter()
    with pytest.raises(AssertionError):
        for number in range(mutant.example - 1, MANY):
            met[EXAMPLES_MET] = number + 1
            hold(store, number, met, tmp_path)
    print(f"{mutant.name}: fails at example {met[EXAMPLES_MET]}")  # noqa: T201
