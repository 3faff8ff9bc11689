"""The class archive: made by a real Spark, and read by the next."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lineage_core.local import java as making
from lineage_core.local.java import make_class_archive
from lineage_core.settings import inherited_environment
from lineage_core.submission import JVM_OPTIONS, class_archive, jvm_options, short_runs

MAPPED_BY_THE_JVM = """
from pathlib import Path
from lineage_core.spark.session import spark_session
with spark_session("archived", "local[1]") as session:
    process = session.sparkContext._jvm.java.lang.ProcessHandle.current().pid()
    print("spark-classes.jsa" in Path(f"/proc/{process}/maps").read_text())
"""


@pytest.mark.slow
def test_a_session_reads_the_archive_that_was_made(tmp_path: Path) -> None:
    home = tmp_path / "a home"  # a path with a space has to be quoted twice
    archive = make_class_archive(home)
    assert archive == class_archive(home)
    assert _is_mapped(home) == "True\n"
    assert {file.name for file in archive.parent.iterdir()} == {archive.name, "bin"}  # and nothing that was half made


@pytest.mark.slow
def test_an_archive_that_java_does_not_know_stops_nothing_and_is_no_output(tmp_path: Path) -> None:
    class_archive(tmp_path).parent.mkdir()
    class_archive(tmp_path).write_bytes(b"made by another Java")
    assert _is_mapped(tmp_path) == "False\n"


def test_a_run_learns_of_the_archive_once_it_is_there(tmp_path: Path) -> None:
    assert jvm_options(tmp_path) == JVM_OPTIONS
    class_archive(tmp_path).parent.mkdir()
    class_archive(tmp_path).touch()
    assert str(class_archive(tmp_path)) in short_runs(tmp_path)["spark.driver.extraJavaOptions"]


def test_an_archive_that_could_not_be_made_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class_archive(tmp_path).parent.mkdir()
    class_archive(tmp_path).write_bytes(b"before")
    monkeypatch.setattr(making, "_load_classes", lambda home, written: None)  # a Java that cannot writes no file
    assert make_class_archive(tmp_path) is None
    assert class_archive(tmp_path).read_bytes() == b"before"


def _is_mapped(home: Path) -> str:
    environment = inherited_environment() | {"LINEAGE_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", MAPPED_BY_THE_JVM], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout
