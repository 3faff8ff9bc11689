"""Histories of runs with noise, in which faults are planted up to five hops away from the runs that are asked about.

Pipelines of six stages run each day. A stage reads what the stage before wrote, a reference that is seldom written, and
one of them reads another pipeline, too. On some days something goes wrong at one stage, and one stage behind it is
asked about. Everything else that differs from day to day is noise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from lineage_core.answers.explain.explanation import CauseKind
from lineage_core.testing import Document, dataset, facet, named_job, run_event

START = datetime(2026, 1, 1, tzinfo=UTC)
STAGES = 6
FIRST_TRIAL = 13
BETWEEN_TRIALS = 6
"""Days: so many good runs lie between two faults of a pipeline that one is not taken for the other."""

LAKE = "s3://lake"
COLUMNS = [(f"c{number}", "BIGINT") for number in range(6)]
GENERIC_ERRORS = (
    "Executor {} exited with code 137",
    "Lost connection to 10.0.{}.7:7337 after {} ms",
    "Job aborted: stage {} was cancelled",
)


@dataclass(frozen=True)
class Trial:
    """A fault of a kind, at one stage of a pipeline on a day; the run that is asked about is so many hops behind."""

    kind: CauseKind
    pipeline: int
    day: int
    stage: int
    hops: int

    @property
    def asked_stage(self) -> int:
        return self.stage + self.hops


@dataclass(frozen=True)
class PlantedFault:
    """A trial, the run to ask about, and which kind and subject the first cause should have."""

    trial: Trial
    run: UUID
    kind: CauseKind
    subjects: frozenset[str]


@dataclass
class Execution:
    """One run that is to become events; a fault changes it before that."""

    job: str
    run: UUID
    began: datetime
    ended: datetime
    inputs: dict[str, float]
    outputs: dict[str, float]
    sql: str
    commit: str
    engine: str
    conf: dict[str, Any]
    nominal: datetime
    properties: dict[str, str] = field(default_factory=dict)
    columns: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    ending: str | None = "COMPLETE"
    error: str | None = None
    is_dropping: bool = False
    is_absent: bool = False
    host: str = ""
    adapter: str = "1.30.0"


class History:
    """All events of some pipelines and days, with the faults that are in them."""

    def __init__(self, pipelines: int, days: int, seed: int) -> None:
        self.random = Random(seed)
        self.pipelines, self.days = pipelines, days
        self.trials = {(one.pipeline, one.day): one for one in self._trials()}
        self.planted: list[PlantedFault] = []
        self.executions: list[Execution] = []
        self._runs = 0
        self._sql = dict[str, int]()
        self._engines = dict[str, str]()
        self._commits = dict[int, int]()
        self._columns = dict[str, int]()
        self._rows = dict[str, float]()
        self._bumped = self.random.randrange(FIRST_TRIAL, max(days, FIRST_TRIAL + 1))
        for pipeline in range(pipelines):
            for stage in range(STAGES):
                self._write_reference(pipeline, stage, START - timedelta(days=1, minutes=7 * stage))
        for day in range(days):
            self._side_jobs(day)
            for pipeline in range(pipelines):
                self._day(pipeline, day)

    def events(self) -> list[Document]:
        """In no order, some of them twice."""
        found = [event for one in self.executions for event in events_of(one)]
        found += self.random.sample(found, len(found) // 50)
        self.random.shuffle(found)
        return found

    @property
    def runs(self) -> int:
        return len(self.executions)

    def _trials(self) -> Iterator[Trial]:
        """All kinds in turn, each as often at each distance."""
        places = [
            (pipeline, day)
            for pipeline in range(self.pipelines)
            for day in range(FIRST_TRIAL + pipeline % 2 * (BETWEEN_TRIALS // 2), self.days, BETWEEN_TRIALS)
        ]
        kinds = list(CauseKind)
        for number, (pipeline, day) in enumerate(places):
            kind = kinds[number % len(kinds)]
            first = 1 if kind in FROM_STAGE_BEFORE else 0
            hops = min((number // len(kinds)) % STAGES, STAGES - 1 - first)
            yield Trial(kind, pipeline, day, self.random.randrange(first, STAGES - hops), hops)

    def _day(self, pipeline: int, day: int) -> None:
        random, trial = self.random, self.trials.get((pipeline, day))
        if random.random() < 0.1:
            self._commits[pipeline] = self._commits.get(pipeline, 0) + 1
        runs = [self._execution(pipeline, stage, day) for stage in range(STAGES)]
        if trial is None:
            self._noise(pipeline, day, runs)
        else:
            subjects = PLANT[trial.kind](self, trial, runs)
            self._show_effect(trial, runs)
            asked = runs[trial.asked_stage].run
            self.planted.append(PlantedFault(trial, asked, trial.kind, frozenset(subjects)))
        self.executions += runs

    def _execution(self, pipeline: int, stage: int, day: int) -> Execution:
        random, job = self.random, job_name(pipeline, stage)
        began = START + timedelta(days=day, hours=stage + 1, minutes=random.uniform(0, 5))
        output = output_name(pipeline, stage)
        source = source_name(pipeline, stage)
        if random.random() < 0.03:
            self._columns[output] = self._columns.get(output, 0) + 1
        inputs = {source: self.volume(source), reference_name(pipeline, stage): self.volume("reference", 1.0)}
        if stage == 3:
            other = output_name(self._read_by(pipeline), 1)
            inputs[other] = self.volume(other)
        return Execution(
            job=job,
            run=self.new_run(),
            began=began,
            ended=began + timedelta(minutes=random.uniform(20, 40)),
            inputs=inputs,
            outputs={output: self.volume(output)},
            sql=f"INSERT INTO {output} SELECT * FROM {source} WHERE v > {self._sql.get(job, 0)}",
            commit=f"{self._commits.get(pipeline, 0):040x}",
            engine=self._engines.get(job, "3.4.1"),
            conf={"mode": "daily", "region": "eu"},
            nominal=START + timedelta(days=day - 1),
            columns={output: self.columns_of(output)},
            host=f"worker-{random.randrange(1000)}",
            adapter="1.30.0" if day < self._bumped else "1.31.0",
        )

    def _read_by(self, pipeline: int) -> int:
        """The other pipeline that a pipeline reads. Its faults are on other days."""
        return (pipeline + 1) % self.pipelines

    def _is_calm(self, pipeline: int, stage: int, day: int) -> bool:
        """Whether a stage is upstream of a fault that is asked about: there is only one fault then."""
        reader = (pipeline - 1) % self.pipelines
        return (pipeline, day) in self.trials or (stage < 2 and (reader, day) in self.trials)

    def _noise(self, pipeline: int, day: int, runs: list[Execution]) -> None:
        """Days without a fault that is asked about have their troubles, too."""
        random = self.random
        for stage, run in enumerate(runs):
            if self._is_calm(pipeline, stage, day):
                continue
            if random.random() < 0.02:
                fail(run, generic_error(random))
            elif random.random() < 0.02:
                again = self._execution(pipeline, stage, 0)
                again.began, again.ended = run.began - timedelta(minutes=40), run.began - timedelta(minutes=10)
                again.nominal = run.nominal
                fail(again, generic_error(random))
                self.executions.append(again)
            elif random.random() < 0.01 and not self._is_calm(pipeline, stage, day + 1):
                self._sql[run.job] = self._sql.get(run.job, 0) + 1
            elif random.random() < 0.005:
                self._write_reference(pipeline, stage, run.began - timedelta(minutes=15))

    def _side_jobs(self, day: int) -> None:
        """Jobs that have nothing to do with the pipelines, of which some fail each day."""
        for number in range(6):
            began = START + timedelta(days=day, hours=number, minutes=self.random.uniform(0, 50))
            run = self.simple(f"side.job{number}", began, {}, {f"side/out{number}": 10.0})
            if self.random.random() < 0.15:
                fail(run, generic_error(self.random))
            self.executions.append(run)

    def simple(
        self, job: str, began: datetime, inputs: dict[str, float], outputs: dict[str, float], minutes: float = 5
    ) -> Execution:
        """A run of a job outside of the pipelines."""
        ended = began + timedelta(minutes=minutes)
        columns = {name: self.columns_of(name) for name in outputs}
        return Execution(
            job, self.new_run(), began, ended, inputs, outputs, f"-- {job}", "0" * 40, "3.4.1", {}, began, {}, columns
        )

    def _write_reference(self, pipeline: int, stage: int, began: datetime, dropping: bool = False) -> Execution:
        name = reference_name(pipeline, stage)
        run = self.simple(f"reference.load{pipeline}", began, {}, {name: self.volume("reference", 1.0)})
        run.is_dropping = dropping
        self.executions.append(run)
        return run

    def _show_effect(self, trial: Trial, runs: list[Execution]) -> None:
        """The run that is asked about failed or wrote something else; those between show it or do not."""
        random = self.random
        first = trial.stage + (trial.kind is CauseKind.VOLUME)
        for stage in range(first, trial.asked_stage):
            run = runs[stage]
            if run.ending == "COMPLETE" and random.random() < 0.5:
                scale(run.outputs, random.choice((0.15, 0.3, 3.0)))
        asked = runs[trial.asked_stage]
        if asked.ending != "COMPLETE":
            return
        needs_output = trial.kind in SHOWN_BY_OUTPUT and not trial.hops
        if not needs_output and trial.kind is not CauseKind.VOLUME and random.random() < 0.5:
            fail(asked, f"Validation failed: {random.randrange(1, 90)} of {random.randrange(100, 999)} checks")
        elif trial.hops or trial.kind is not CauseKind.VOLUME:
            scale(asked.outputs, random.choice((0.15, 0.3, 3.0)))

    def volume(self, of: str, spread: float = 1.0) -> float:
        usual = self._rows.setdefault(of, float(self.random.randrange(1_000, 1_000_000)))
        return round(usual * self.random.uniform(1 - 0.2 * spread, 1 + 0.2 * spread))

    def columns_of(self, name: str) -> list[tuple[str, str]]:
        return COLUMNS + [(f"added{number}", "TEXT") for number in range(self._columns.get(name, 0))]

    def new_run(self) -> UUID:
        self._runs += 1
        return UUID(f"0190a0a0-0000-7000-8000-{self._runs:012}")

    # What goes wrong. Each gives the subjects of which one should be that of the first cause.

    def plant_input_missing(self, trial: Trial, runs: list[Execution]) -> set[str]:
        run, name = runs[trial.stage], reference_name(trial.pipeline, trial.stage)
        if self.random.random() < 0.5:
            del run.inputs[name]
        else:
            self._write_reference(trial.pipeline, trial.stage, run.began - timedelta(minutes=15), dropping=True)
            self._write_reference(trial.pipeline, trial.stage, run.began + timedelta(hours=12))
        return {subject(name)}

    def plant_input_late(self, trial: Trial, runs: list[Execution]) -> set[str]:
        before = runs[trial.stage - 1]
        before.began = runs[trial.stage].began + timedelta(minutes=self.random.uniform(-10, 10))
        before.ended = before.began + timedelta(minutes=self.random.uniform(15, 60))
        return {subject(output_name(trial.pipeline, trial.stage - 1))}

    def plant_input_version(self, trial: Trial, runs: list[Execution]) -> set[str]:
        run = runs[trial.stage]
        if trial.stage > 0 and self.random.random() < 0.5:
            name = output_name(trial.pipeline, trial.stage - 1)
            repair = self.simple("adhoc.repair", run.began - timedelta(minutes=12), {}, {name: self.volume(name)})
            self.executions.append(repair)
            return {subject(name)}
        self._write_reference(trial.pipeline, trial.stage, run.began - timedelta(minutes=15))
        return {subject(reference_name(trial.pipeline, trial.stage))}

    def plant_schema_change(self, trial: Trial, runs: list[Execution]) -> set[str]:
        name = output_name(trial.pipeline, trial.stage)
        columns = runs[trial.stage].columns[name]
        place = self.random.randrange(len(COLUMNS))
        runs[trial.stage].columns[name] = (
            columns[:place] + columns[place + 1 :]
            if self.random.random() < 0.5
            else [*columns[:place], (columns[place][0], "TEXT"), *columns[place + 1 :]]
        )
        return {subject(name)}

    def plant_code_change(self, trial: Trial, runs: list[Execution]) -> set[str]:
        run = runs[trial.stage]
        self._sql[run.job] = self._sql.get(run.job, 0) + 1
        run.sql = run.sql.replace("SELECT *", "SELECT DISTINCT *")
        return {f"etl/{run.job}"}

    def plant_engine_version(self, trial: Trial, runs: list[Execution]) -> set[str]:
        run = runs[trial.stage]
        if self.random.random() < 0.7:
            run.engine = self._engines[run.job] = self.random.choice(("3.5.0", "4.0.1", "3.4.2"))
        else:
            run.properties["spark.sql.ansi.enabled"] = "true"
        return {f"etl/{run.job}"}

    def plant_parameters(self, trial: Trial, runs: list[Execution]) -> set[str]:
        run = runs[trial.stage]
        if self.random.random() < 0.6:
            run.conf["mode" if self.random.random() < 0.5 else "region"] = "another"
        else:
            run.nominal -= timedelta(days=self.random.choice((30, 3, 365)), hours=self.random.choice((0, 5)))
        return {f"etl/{run.job}"}

    def plant_volume(self, trial: Trial, runs: list[Execution]) -> set[str]:
        run, factor = runs[trial.stage], self.random.choice((0.0, 0.03, 0.2, 5.0, 20.0))
        scale(run.outputs, factor)
        subjects = {subject(name) for name in run.outputs}
        if trial.stage == 0:
            scale(run.inputs, factor, only=source_name(trial.pipeline, 0))
            subjects.add(subject(source_name(trial.pipeline, 0)))
        for stage in range(trial.stage + 1, trial.asked_stage + 1):
            scale(runs[stage].inputs, factor, only=source_name(trial.pipeline, stage))
        return subjects

    def plant_upstream_failed(self, trial: Trial, runs: list[Execution]) -> set[str]:
        failed = runs[trial.stage - 1]
        fail(failed, generic_error(self.random) if self.random.random() < 0.5 else None)
        self._leave_out(trial, runs)
        return {f"etl/{failed.job}"}

    def _leave_out(self, trial: Trial, runs: list[Execution]) -> None:
        """A scheduler may not start what waits for a run that failed or is open."""
        if self.random.random() < 0.5:
            for stage in range(trial.stage, trial.asked_stage):
                runs[stage].is_absent = True

    def plant_upstream_open(self, trial: Trial, runs: list[Execution]) -> set[str]:
        runs[trial.stage - 1].ending = None
        self._leave_out(trial, runs)
        return {f"etl/{runs[trial.stage - 1].job}"}

    def plant_edge_change(self, trial: Trial, runs: list[Execution]) -> set[str]:
        run = runs[trial.stage]
        if self.random.random() < 0.7:
            run.inputs[f"stray/{trial.pipeline}"] = 500.0
        else:
            run.outputs[f"stray/out{trial.pipeline}"] = 500.0
        return {f"etl/{run.job}"}

    def plant_error_message(self, trial: Trial, runs: list[Execution]) -> set[str]:
        """Others have it, too, since the hour before."""
        what = self.random.choice(("Metastore", "Vault", "Broker", "Gateway", "Registry"))
        message = f"{what} refused ticket '{{}}' of pool {trial.pipeline} ({{}})"
        run = runs[trial.stage]
        fail(run, message.format(self.random.randrange(10**6), self.random.randrange(100)))
        for number in range(3):
            began = run.ended - timedelta(minutes=self.random.uniform(20, 50))
            other = self.simple(f"side.tick{trial.pipeline}x{number}", began, {}, {})
            fail(other, message.format(self.random.randrange(10**6), self.random.randrange(100)))
            self.executions.append(other)
        return {f"etl/{run.job}"}


PLANT: dict[CauseKind, Callable[[History, Trial, list[Execution]], set[str]]] = {
    kind: getattr(History, f"plant_{kind.replace('-', '_')}") for kind in CauseKind
}
SHOWN_BY_OUTPUT = {CauseKind.SCHEMA_CHANGE, CauseKind.EDGE_CHANGE}
"""A run that fails writes nothing."""
FROM_STAGE_BEFORE = {CauseKind.INPUT_LATE, CauseKind.UPSTREAM_FAILED, CauseKind.UPSTREAM_OPEN}


def job_name(pipeline: int, stage: int) -> str:
    return f"p{pipeline}.stage{stage}"


def output_name(pipeline: int, stage: int) -> str:
    return f"p{pipeline}/table{stage}"


def source_name(pipeline: int, stage: int) -> str:
    return output_name(pipeline, stage - 1) if stage else f"p{pipeline}/source"


def reference_name(pipeline: int, stage: int) -> str:
    return f"p{pipeline}/reference{stage}"


def subject(name: str) -> str:
    return f"{LAKE}/{name}"


def fail(run: Execution, message: str | None) -> None:
    run.ending, run.error, run.outputs = "FAIL", message, {}


def scale(rows: dict[str, float], factor: float, only: str | None = None) -> None:
    rows.update({name: round(usual * factor) for name, usual in rows.items() if only in (None, name)})


def generic_error(random: Random) -> str:
    return random.choice(GENERIC_ERRORS).format(random.randrange(200), random.randrange(9_000))


def events_of(run: Execution) -> Iterator[Document]:
    """A START, and an ending if it has one; nothing of a run that did not happen."""
    if run.is_absent:
        return
    job = named_job(run.job, "etl", facets=_job_facets(run))
    facets = _run_facets(run)
    inputs = [_input(name, rows) for name, rows in run.inputs.items()]
    yield run_event("START", run_id=str(run.run), job=job, time=run.began, inputs=inputs, facets=facets)
    if run.ending is None:
        return
    if run.error:
        facets["errorMessage"] = facet(message=run.error, programmingLanguage="SCALA")
    outputs: Sequence[Document] = [_output(run, name, rows) for name, rows in run.outputs.items()]
    yield run_event(
        run.ending, run_id=str(run.run), job=job, time=run.ended, inputs=inputs, outputs=outputs, facets=facets
    )


def _job_facets(run: Execution) -> dict[str, Document]:
    place = facet(type="git", url=f"https://git.example/etl/{run.job}.py", version=run.commit, branch="main")
    return {"sql": facet(query=run.sql), "sourceCodeLocation": place}


def _run_facets(run: Execution) -> dict[str, Document]:
    end = run.nominal + timedelta(days=1)
    spark = {"spark.app.id": f"application_{run.run.int % 10**9}", "spark.executor.cores": "4"} | run.properties
    variables = [{"name": "HOST", "value": run.host}, {"name": "TZ", "value": "UTC"}]
    airflow = {"dagRun": {"run_id": f"scheduled__{run.nominal.isoformat()}", "conf": run.conf}, "task": {"retries": 2}}
    return {
        "processing_engine": facet(version=run.engine, name="spark", openlineageAdapterVersion=run.adapter),
        "nominalTime": facet(nominalStartTime=run.nominal.isoformat(), nominalEndTime=end.isoformat()),
        "spark_properties": facet(properties=spark),
        "environmentVariables": facet(environmentVariables=variables),
        "airflow": facet(**airflow),
    }


def _input(name: str, rows: float) -> Document:
    return dataset(name, LAKE, input_facets={"inputStatistics": facet(rowCount=int(rows), size=int(rows) * 80)})


def _output(run: Execution, name: str, rows: float) -> Document:
    counted = {"outputStatistics": facet(rowCount=int(rows), size=int(rows) * 80)}
    dropped = {"lifecycleStateChange": facet(lifecycleStateChange="DROP")} if run.is_dropping else None
    return dataset(name, LAKE, fields=run.columns.get(name, COLUMNS), facets=dropped, output_facets=counted)
