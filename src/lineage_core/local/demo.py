"""The demo: all parts started on this machine, an example pipeline run, its lineage normalized, the result shown."""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shlex import quote
from urllib.parse import urlencode

from rich.console import Console

from lineage_core.errors import NeedsOperator
from lineage_core.interrupts import leaves
from lineage_core.local import postgres
from lineage_core.local.airflow import Airflow
from lineage_core.local.airflow_api import ENDED, AirflowApi, log_end
from lineage_core.local.airflow_environment import GAMES, Surroundings
from lineage_core.local.demo_bonuses import BONUSES, IN_WORDS, USUAL, award
from lineage_core.local.demo_report import LEADERBOARD, ReportLine, Steps, Story, report
from lineage_core.local.demo_story import remember, remembered
from lineage_core.local.home import write_secret
from lineage_core.local.java import java_home, make_class_archive
from lineage_core.local.logins import Logins, upgrade_with_logins
from lineage_core.local.ports import HOST, PAGES
from lineage_core.local.postgres import Server
from lineage_core.postgres.addresses import address
from lineage_core.postgres.store import Store
from lineage_core.settings import ProjectSettings, inherited_environment
from lineage_core.submission import class_archive

EXAMPLE, NORMALIZE = "match_scores_leaderboard", "normalize_lineage"

ROUNDS: tuple[dict[str, object], ...] = (
    {"round": 1},
    {"round": 2, "bonuses": True},
    {"round": 3, "bonuses": True},
)
"""Between the first two the job changes; before the last, what it reads does."""

PARSE_SECONDS = 120.0
RUN_SECONDS = 900.0
POLL_SECONDS = 0.5


@dataclass(frozen=True)
class Demo:
    """The demo below one LINEAGE_HOME."""

    settings: ProjectSettings
    console: Console

    @property
    def airflow(self) -> Airflow:
        return Airflow.below(self.settings.home)

    @property
    def _event(self) -> Path:
        """An event that was sent by hand."""
        return self.settings.home / "own-event.json"

    @property
    def _story(self) -> Path:
        return self.settings.home / "demo-story.json"

    @leaves("Servers that were started keep running: `make demo` continues from there, `make down` stops them.")
    def up(self, *, again: bool = False) -> None:
        """Bring everything up, run the example and the normalization, and show what came out.

        An example that has run before does not run again, unless it has changed, or `again` says so.
        """
        steps = Steps(self.console)
        with steps.step("Postgres"):
            server = postgres.start(self.settings.home)
            logins = Logins.of(self.settings, server)
        with steps.step("Lineage tables, Airflow's database and processes"):
            api = self._start_all(server, logins)
        with steps.step("Airflow healthy") as show:
            self.airflow.wait_until_healthy(show)
            _wait_for_dags(api, show)
        story = None if again else remembered(self._story, Store(logins.reader))
        if story is not None:
            words = "The example has run before, and is the same: `make demo AGAIN=1` runs it once more."
            self.console.print(words, highlight=False, soft_wrap=True)
        else:
            with steps.step(
                f"Example pipeline: {len(ROUNDS)} rounds of matches, with lineage; the last is to fail"
            ) as show:
                story = self._run_example(api, server, show)
            with steps.step("Normalization on Spark") as show:
                self._normalize(api, show)
            remember(self._story, story)
        report(self.console, Store(logins.reader), story, steps.seconds)
        self._note_access(api, logins.owner, story)

    @leaves("`make down` again stops what still runs.")
    def down(self) -> None:
        """Stop everything; what was stored stays."""
        stopped = [name for name, ran in (("Airflow", self.airflow.stop()), ("Postgres", self._stop_postgres())) if ran]
        self.console.print(f"Stopped: {', '.join(stopped)}." if stopped else "Nothing was running.")
        if self.settings.home.exists():
            words = f"What was stored stays in {self.settings.home}: `make demo` goes on from there."
            self.console.print(
                f"{words} To remove it, delete the folder.", highlight=False, soft_wrap=True, markup=False
            )

    def run_airflow(self, words: list[str]) -> int:
        """Run an `airflow` command, which needs the database of the demo's Airflow; gives its exit code."""
        if postgres.running(self.settings.home) is None:
            raise NeedsOperator(f"Nothing of the demo below {self.settings.home} is running; run `make demo` first.")
        return self.airflow.command(words)

    def _stop_postgres(self) -> bool:
        return postgres.stop_server(self.settings.home)

    def _start_all(self, server: Server, logins: Logins) -> AirflowApi:
        """The slow preparations side by side."""
        with ThreadPoolExecutor() as pool:
            upgraded = pool.submit(upgrade_with_logins, logins, server)
            archived = pool.submit(_make_class_archive, self.settings.home)
            _prepare_games(server)
            api = self.airflow.start(self._surroundings(server, logins))
            upgraded.result()
            archived.result()
        return api

    def _surroundings(self, server: Server, logins: Logins) -> Surroundings:
        inherited = inherited_environment()
        search_path = inherited.get("PATH", "")
        java = java_home(self.settings.home, inherited.get("JAVA_HOME"), search_path)
        return Surroundings(
            home=self.settings.home, logins=logins, server=server, java_home=java, search_path=search_path
        )

    def _run_example(self, api: AirflowApi, server: Server, show: ReportLine) -> Story:
        """One run after another; the moments between them tell the graphs before and after the job changed."""
        award(server, USUAL, self._event)
        first, second, last = ROUNDS
        self._run(api, EXAMPLE, [api.trigger(EXAMPLE, first)], show)
        before = datetime.now(UTC)
        self._run(api, EXAMPLE, [api.trigger(EXAMPLE, second)], show)
        after = datetime.now(UTC)
        award(server, IN_WORDS, self._event)
        self._run(api, EXAMPLE, [api.trigger(EXAMPLE, last)], show, ends="failed")
        return Story(f"postgres://{HOST}:{server.port}", before, after)

    def _normalize(self, api: AirflowApi, show: ReportLine) -> None:
        # Airflow makes a scheduled run at once when a DAG is unpaused; ours goes before it.
        before_scheduled = datetime.now(UTC) - timedelta(hours=1)
        self._run(api, NORMALIZE, [api.trigger(NORMALIZE, {}, before_scheduled)], show)

    def _run(self, api: AirflowApi, dag: str, runs: list[str], show: ReportLine, *, ends: str = "success") -> None:
        """Wait for runs that were triggered; one that ends in another state than is meant ends the demo."""
        api.unpause(dag)
        deadline = time.monotonic() + RUN_SECONDS
        for number, run in enumerate(runs, start=1):
            while (state := api.run_state(dag, run)) not in ENDED:
                show(f"run {number} of {len(runs)}: {_tasks(api, dag, run)}")
                self.airflow.refuse_ended_processes()
                if time.monotonic() > deadline:
                    raise NeedsOperator(f"{dag} has not ended after {RUN_SECONDS:.0f} s; see {api.address}/dags/{dag}.")
                time.sleep(POLL_SECONDS)
            if state != ends:
                raise NeedsOperator(f"{dag} has ended as {state}.\n{log_end(self.airflow.home.logs, dag, run)}")

    def _note_access(self, api: AirflowApi, dsn: str, story: Story) -> None:
        asked = {"namespace": story.namespace, "name": LEADERBOARD, "compare": story.before.isoformat()}
        lineage = f"{api.address}{PAGES}/graph?{urlencode(asked)}"
        access = {"address": api.address, "user": api.user, "password": api.password, "dsn": dsn}
        file = self.settings.home / "demo.json"
        write_secret(file, json.dumps(access, indent=2) + "\n")
        database = "that of LINEAGE_DSN" if dsn == self.settings.dsn else address(dsn)
        words = (
            f"\nPages     {api.address}\nLogin     {api.user} / {api.password}"
            f"\nLineage   {lineage}"
            f"\nDatabase  {database}\nAgain in  {file}"
            f"\nAsk       .venv/bin/lineage query users_of_a_dataset --dataset {LEADERBOARD}"
            f"\n          .venv/bin/lineage impact --dataset {story.namespace} {BONUSES} --drop points"
            f"\n          .venv/bin/lineage graph --dataset {story.namespace} {LEADERBOARD} --draw mermaid"
            f"\nSend      .venv/bin/lineage ingest {quote(str(self._event))}, or an event of your own like it;"
            "\n          then .venv/bin/lineage normalize"
            "\nStop      make down"
        )
        self.console.print(words, highlight=False, soft_wrap=True, markup=False)


def _make_class_archive(home: Path) -> None:
    """Once: a run after that starts sooner."""
    if not class_archive(home).exists():
        make_class_archive(home)


def _prepare_games(server: Server) -> None:
    server.ensure_role(GAMES)
    server.ensure_database(GAMES, GAMES)
    server.run_sql("CREATE SCHEMA IF NOT EXISTS example;", GAMES, GAMES)


def _wait_for_dags(api: AirflowApi, show: ReportLine) -> None:
    deadline = time.monotonic() + PARSE_SECONDS
    for dag in (EXAMPLE, NORMALIZE):
        while not api.knows_dag(dag):
            show(f"waiting for the DAG {dag}")
            if time.monotonic() > deadline:
                raise NeedsOperator(f"Airflow does not find the DAG {dag}; see {api.address} for import errors.")
            time.sleep(POLL_SECONDS)


def _tasks(api: AirflowApi, dag: str, run: str) -> str:
    return ", ".join(f"{task} {state}" for task, state in api.task_states(dag, run).items()) or "queued"


def _console() -> Console:
    """Standard output; wide enough for the tables where it is no terminal."""
    console = Console()
    return console if console.is_terminal else Console(width=140)


@leaves("The airflow command was ended.")
def _run_airflow(demo: Demo, words: list[str]) -> int:
    return demo.run_airflow(words)


def main() -> int:
    """The exit code. Raises a LineageError when something failed; everything is left as it is then, to be looked at."""
    parser = argparse.ArgumentParser(prog="python -m lineage_core.local", description=__doc__)
    parser.add_argument("action", choices=("up", "down", "airflow"))
    parser.add_argument("--again", action="store_true", help="run the example again that has run before")
    parser.add_argument("words", nargs=argparse.REMAINDER, help="of an `airflow` command")
    arguments = parser.parse_args()
    demo = Demo(ProjectSettings.from_environment(), _console())
    if arguments.action == "airflow":
        return _run_airflow(demo, arguments.words)
    demo.up(again=arguments.again) if arguments.action == "up" else demo.down()
    return 0
