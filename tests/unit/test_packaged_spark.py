"""Where the Spark lies that is installed with this project."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lineage_core.settings import inherited_environment
from lineage_core.submission import packaged_spark


def test_it_has_the_scripts_and_classes_of_spark() -> None:
    assert (packaged_spark() / "bin" / "spark-submit").is_file()
    assert any((packaged_spark() / "jars").glob("spark-core_*.jar"))


@pytest.mark.parametrize(
    ("spark_home", "is_found"),
    [
        pytest.param({}, False, id="unless it is named"),
        pytest.param({"SPARK_HOME": str(packaged_spark())}, True, id="if it is named"),
    ],
)
def test_the_scripts_find_it_by_a_python_whose_path_has_a_space(
    tmp_path: Path, spark_home: dict[str, str], is_found: bool
) -> None:
    """The first case is why it is named everywhere. This Java only shows that it was reached."""
    python = tmp_path / "a folder" / "python3"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text('#!/bin/sh\necho "reached" >&2\n')
    java.chmod(0o755)
    asked = {name: value for name, value in inherited_environment().items() if not name.startswith("SPARK")}
    asked |= {"PYSPARK_PYTHON": str(python), "JAVA_HOME": str(tmp_path)} | spark_home
    script = Path(sys.executable).with_name("spark-submit")
    found = subprocess.run([script, "--version"], env=asked, capture_output=True, text=True, check=False)
    assert ("reached" in found.stderr) is is_found, found.stderr
