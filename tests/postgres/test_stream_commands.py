"""`lineage stream`, as scripts use it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow.parquet as pq
import pytest

from lineage_core.cli import main
from lineage_core.local.postgres import Server
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT
from lineage_core.spark import application, session, tasks
from lineage_core.streams import publication
from lineage_core.streams.waiting import waiting_changes
from lineage_core.tasks import SerialRunner
from lineage_core.testing import facet, run_event
from tests.support.lakes import use_lake
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

TAG = "INSERT INTO tags (uuid, created_at, updated_at, name) VALUES (gen_random_uuid(), now(), now(), %s)"
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    monkeypatch.setenv("LINEAGE_STREAMS_URL", str(tmp_path / "streams"))

    def run(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["stream", *words])
        output = capsys.readouterr()
        return int(ended.value.code or 0), output.out + output.err

    return run


def _json(run: Run, *words: str) -> Any:
    code, output = run(*words)
    assert code == 0, output
    return json.loads(output)


def test_a_stream_is_started_published_described_and_replayed(run: Run, database: Store, tmp_path: Path) -> None:
    assert {"name": "tags", "table": "tags", "is_on": False} in _json(run, "list", "--json")
    assert _json(run, "describe", "tags", "--json") == {
        "name": "tags",
        "table": "tags",
        "key": ["uuid"],
        "schema_id": 0,
        "next_offset": 0,
        "published_upto": 0,
        "parts": [],
        "checkpoint": None,
    }
    assert run("start", "tags") == (0, "The stream tags is on.\n")
    assert run("start", "tags") == (0, "The stream tags was on already.\n")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
    published = _json(run, "publish", "--json")
    assert (published["records"], published["parts"], published["starting"]) == (1, 1, [])
    described = _json(run, "describe", "tags", "--json")
    (part,) = described["parts"]
    assert (described["next_offset"], described["published_upto"]) == (1, 1)
    assert (part["start"], part["end"], part["schema_id"]) == (0, 0, 0)
    assert Path(part["path"]).stat().st_size == part["bytes"]
    assert pq.read_table(part["path"]).column("name").to_pylist() == ["blue"]
    assert run("replay", "tags", "--to", str(tmp_path / "state.parquet"))[0] == 0
    assert pq.read_table(tmp_path / "state.parquet").column("name").to_pylist() == ["blue"]
    assert run("verify", "tags") == (0, "tags: 1 records in 1 parts, 0 faults\n")
    assert json.loads(run("read", "tags", "--wait-for", "0")[1])["op"] == 0
    assert json.loads(run("tail", "tags")[1])["name"] == "blue"
    assert run("stop", "tags") == (0, "The stream tags is off.\n")
    assert run("stop", "tags") == (0, "The stream tags was off already.\n")
    assert _json(run, "publish", "--json")["streams"] == []


def test_a_stream_is_compacted(run: Run, database: Store, tmp_path: Path) -> None:
    run("start", "tags")
    for name in ("blue", "red", "green"):
        with database.connect() as connection:
            connection.execute(TAG, [name])
        run("publish")
    assert _json(run, "compact", "runs", "--json")["streams"] == []
    assert _json(run, "compact", "tags", "--least-parts", "4", "--json")["bytes_before"] > 0, "of its checkpoint alone"
    before = _json(run, "describe", "tags", "--json")
    assert len(before["parts"]) == 3
    done = _json(run, "compact", "tags", "--json")
    (one,) = done["streams"]
    described = _json(run, "describe", "tags", "--json")
    assert (one["stream"], one["parts_before"], one["parts_after"], one["checkpoint"]) == ("tags", 3, 1, None)
    assert done["bytes_before"] == sum(part["bytes"] for part in before["parts"])
    assert done["bytes_after"] == described["parts"][0]["bytes"] < done["bytes_before"]
    assert described["checkpoint"] == before["checkpoint"]
    assert (described["checkpoint"]["rows"], described["checkpoint"]["is_ordered"]) == (3, True)
    assert "checkpoint at 3  schema 0  3 rows in order" in run("describe", "tags")[1]
    assert "0 bytes are 0, 3 files deleted, 0 new orphans" in run("compact", "--grace-hours", "0")[1]
    assert run("verify", "tags", "--from-start") == (0, "tags: 3 records in 1 parts, 0 faults\n")
    assert run("replay", "tags", "--at", "0", "--to", str(tmp_path / "state.parquet"))[0] == 0
    assert pq.read_table(tmp_path / "state.parquet").column("name").to_pylist() == ["blue"]
    with database.connect() as connection:
        connection.execute("UPDATE stream_checkpoints SET reordered_by = 0")
    assert "3 rows in order  reordered by schema 0" in run("describe", "tags")[1]
    assert run("replay", "tags", "--at", "3", "--to", str(tmp_path / "state.parquet"))[0] == 2


def test_a_stream_is_read_as_it_was_by_offset_and_by_time(run: Run, database: Store, tmp_path: Path) -> None:
    run("start", "tags")
    for name in ("blue", "red", "green"):
        with database.connect() as connection:
            connection.execute(TAG, [name])
        run("publish")

    def names(*span: str) -> list[str]:
        return [json.loads(line)["name"] for line in run("read", "tags", *span)[1].splitlines()]

    def names_at(at: str) -> list[str]:
        assert run("replay", "tags", "--to", str(tmp_path / "state.parquet"), "--at", at)[0] == 0
        return sorted(pq.read_table(tmp_path / "state.parquet").column("name").to_pylist())

    times = [json.loads(line)["system_time"] for line in run("read", "tags")[1].splitlines()]
    for is_compacted in (False, True):
        assert names("--from", "1") == names("--since", times[1]) == ["red", "green"]
        assert names("--to", "2") == names("--until", times[2]) == ["blue", "red"]
        assert names("--from", "1", "--to", "2") == names("--since", times[1], "--to", "2") == ["red"]
        assert names("--from", "2", "--to", "2") == names("--since", "2999-01-01") == names("--until", times[0]) == []
        assert names_at("1") == names_at(times[1]) == ["blue", "red"]
        assert names_at("2999-01-01") == ["blue", "green", "red"]
        assert is_compacted or run("compact", "tags")[0] == 0
    assert "--from and --since both say where it is" in run("read", "tags", "--from", "1", "--since", times[1])[1]
    assert "--until 'yesterday' is not an ISO 8601 date" in run("read", "tags", "--until", "yesterday")[1]
    assert "has no record of 2001-01-01" in run("replay", "tags", "--to", str(tmp_path / "x"), "--at", "2001-01-01")[1]


def test_a_stream_that_is_not_whole_fails_its_verification(run: Run, database: Store, tmp_path: Path) -> None:
    run("start", "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
    run("publish")
    assert "not compared" not in run("verify", "tags")[1]
    run("stop", "tags")
    code, output = run("verify", "tags")
    assert code == 0
    assert "not compared with its table: it is off" in output
    next(tmp_path.rglob("*.parquet")).unlink()
    code, output = run("verify", "tags")
    assert code == 1
    assert "not compared" not in output
    assert "it is not there" in output


def test_a_database_takes_the_place_of_another_by_a_command(run: Run, database: Store, tmp_path: Path) -> None:
    run("start", "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
    run("publish")
    (file,) = tmp_path.rglob("publisher.json")
    theirs = json.loads(file.read_text())
    theirs["database"]["oid"] = 1
    theirs["next_offsets"] = {"tags": 5}
    file.write_text(json.dumps(theirs))
    code, output = run("compact")
    assert (code, "`lineage stream adopt`" in output) == (1, True)
    assert "tags is at offset 1, and was at 5. Who has read it from there on has to begin anew." in run("adopt")[1]
    assert run("adopt", "--json") == (0, "[]\n")
    assert run("compact")[0] == 0


def test_what_cannot_be_is_reported(run: Run) -> None:
    assert run("start", "leases")[0] == 2
    assert run("compact", "leases")[0] == 2
    assert run("compact", "--least-parts", "1")[0] == 2
    code, output = run("replay", "tags", "--to", "no/folder/state.parquet")
    assert (code, "There is no folder for no/folder/state.parquet" in output) == (2, True)
    code, output = run("read", "tags", "--wait-for", "3", "--wait-seconds", "0")
    assert code == 1
    assert "none of offset 3 yet" in output


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The events of an application that a task has submitted, on a Spark that is this process."""
    events = list[dict[str, Any]]()
    submitted = {
        f"spark.openlineage.{kind}{word}": value
        for kind, number in (("parent", 1), ("rootParent", 2))
        for word, value in (("JobNamespace", "airflow"), ("JobName", "publish"), ("RunId", str(UUID(int=number))))
    }
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    monkeypatch.setattr(application, "answers", lambda _port: True)
    monkeypatch.setattr(application, "_submitted_settings", lambda: submitted)
    monkeypatch.setattr("lineage_core.own_lineage.application.deliver", lambda raw: events.append(json.loads(raw)))
    monkeypatch.setattr(session, "spark_context", lambda *_: nullcontext())
    monkeypatch.setattr(tasks, "SparkRunner", lambda _session: SerialRunner())
    return events


def test_a_publication_on_spark_states_what_it_read_and_wrote(
    run: Run, database: Store, tmp_path: Path, reported: list[dict[str, Any]]
) -> None:
    """As OpenLineage events: each table as an input, each stream as an output, with how many records."""
    for name in ("tags", "run_facets"):
        assert run("start", name)[0] == 0
    take_in(database, [run_event(facets={"first": facet(hour=1)})])
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
        connection.execute(TAG, ["red"])
    outcome_file = tmp_path / "outcome.json"
    assert run("publish", "--on-submitted-spark", "--outcome-file", str(outcome_file))[0] == 0
    assert json.loads(outcome_file.read_text())["records"] == 3
    assert [event["eventType"] for event in reported] == ["START", "COMPLETE"]
    stated = reported[-1]
    read = {one["name"].rpartition(".")[2] for one in stated["inputs"]}
    assert {"tags", "facets"} <= read  # run_facets is a view of facets
    written = {one["name"]: one["outputFacets"]["outputStatistics"]["rowCount"] for one in stated["outputs"]}
    assert {one["namespace"] for one in stated["outputs"]} == {"file"}
    assert written == {f"{tmp_path}/streams/run_facets": 1, f"{tmp_path}/streams/tags": 2}
    assert stated["run"]["facets"]["parent"]["run"]["runId"] == str(UUID(int=1))


def test_few_changes_are_published_without_spark_and_stated_all_the_same(
    run: Run, database: Store, tmp_path: Path, reported: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A publication or a compaction that finds nothing states nothing."""
    run("start", "tags")
    run("publish")
    assert waiting_changes(database) == {"tags": 0}
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
    assert waiting_changes(database) == {"tags": 1}
    monkeypatch.setattr(session, "spark_session", _refuse)
    assert run("publish", "--on-submitted-spark")[0] == 0
    assert waiting_changes(database) == {"tags": 0}
    (stream,) = reported[-1]["outputs"]
    assert stream["outputFacets"]["outputStatistics"]["rowCount"] == 1
    columns = [one["name"] for one in stream["facets"]["schema"]["fields"]]
    assert columns[:5] == ["offset", "op", "system_time", "event_time", "uuid"]
    (origin,) = stream["facets"]["columnLineage"]["fields"]["name"]["inputFields"]
    assert (origin["name"].rpartition(".")[2], origin["field"]) == ("tags", "name")
    assert [one["subtype"] for one in origin["transformations"]] == ["IDENTITY"]
    assert run("compact", "--on-submitted-spark")[0] == 0
    compacted = reported[-1]
    assert compacted["job"]["name"].endswith(".compact_streams")
    assert compacted["inputs"] == compacted["outputs"]
    assert [one["name"] for one in compacted["outputs"]] == [f"{tmp_path}/streams/tags"]
    assert [one["eventType"] for one in reported] == ["START", "COMPLETE"] * 2
    assert run("publish", "--on-submitted-spark")[0] == run("compact", "--on-submitted-spark")[0] == 0
    assert len(reported) == 4


def _refuse(*_: object) -> None:
    raise AssertionError("Spark was started for a few changes")


def test_what_has_not_begun_is_not_counted_as_waiting(
    run: Run, database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publication, "SETTLING_SECONDS", 0.0)
    with database.connect() as before:
        before.execute(TAG, ["blue"])
        run("start", "tags")
        assert _json(run, "publish", "--json")["starting"] == ["tags"]
        assert waiting_changes(database) == {}


def test_a_stream_is_exported_to_iceberg_as_the_page_says(
    run: Run, database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_lake(tmp_path, monkeypatch)
    words = ("export", "tags", "--to-iceberg", "lineage.tags", "--catalog", "lake")
    run("start", "tags")
    assert run(*words) == (0, "0 records of tags exported to lineage.tags\n")
    for name in ("blue", "red"):
        with database.connect() as connection:
            connection.execute(TAG, [name])
        run("publish")
        output = {"stream": "tags", "table": "lineage.tags"}
        upto = {"blue": 1, "red": 2}[name]
        assert _json(run, *words, "--json") == output | {"records": 1, "exported_upto": upto}
        assert _json(run, *words, "--json") == output | {"records": 0, "exported_upto": upto}
    with database.connect() as connection:
        connection.execute("UPDATE tags SET name = 'sky', created_at = 'infinity' WHERE name = 'blue'")
        connection.execute("DELETE FROM tags WHERE name = 'red'")
    run("publish")
    assert _json(run, *words, "--json")["records"] == 3
    page = (PROJECT / "docs" / "how-to" / "export-a-stream-to-iceberg.md").read_text()
    (example,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    names = dict[str, Any]()
    exec(example, names)
    assert names["now"] == ["sky"]
    code, answer = run("export", "tags", "--to-iceberg", "tags", "--catalog", "lake")
    assert (code, "takes NAMESPACE.TABLE" in answer) == (2, True)


def test_what_a_catalog_in_postgres_refused_is_exported_once_its_login_may(
    run: Run, database: Store, postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgres_server.run_sql("DROP DATABASE IF EXISTS lake;")
    postgres_server.run_sql("DROP ROLE IF EXISTS lake_writer; CREATE ROLE lake_writer LOGIN PASSWORD 'planted';")
    postgres_server.run_sql("CREATE DATABASE lake OWNER lake_writer;")
    use_lake(tmp_path, monkeypatch, f"postgresql+psycopg://lake_writer:planted@127.0.0.1:{postgres_server.port}/lake")
    words = ("export", "tags", "--to-iceberg", "lineage.tags", "--catalog", "lake")
    run("start", "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
    run("publish")
    assert run(*words) == (0, "1 records of tags exported to lineage.tags\n")
    postgres_server.run_sql("REVOKE UPDATE ON iceberg_tables FROM lake_writer;", database="lake")
    with database.connect() as connection:
        connection.execute(TAG, ["red"])
    run("publish")
    code, output = run(*words)
    assert (code, "planted" in output) == (1, False)
    assert "lineage.tags refuses the export: permission denied for table iceberg_tables" in output
    postgres_server.run_sql("GRANT UPDATE ON iceberg_tables TO lake_writer;", database="lake")
    assert run(*words) == (0, "1 records of tags exported to lineage.tags\n")


def test_the_json_and_the_exit_code_say_which_stream_failed(run: Run, database: Store, tmp_path: Path) -> None:
    with database.connect() as connection:
        connection.execute(TAG, ["a"])
        connection.execute("INSERT INTO streams (name, started_xid) VALUES ('moons', 1)")
    run("start", "tags")
    code, output = run("publish", "--json")
    first, _, error = output.partition("\n")
    outcome = json.loads(first)
    assert code == 1
    assert [one["stream"] for one in outcome["streams"]] == ["tags"]
    assert [(one["stream"], one["kind"]) for one in outcome["failed"]] == [("moons", "needs a person")]
    assert error.startswith("lineage: 1 stream was not published. moons (needs a person): This release has no stream")
