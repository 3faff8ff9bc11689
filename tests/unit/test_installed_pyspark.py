"""Spark's zips give way to the package that they are of, and nothing imports pandas to hand a text to the JVM."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lineage_core.cli import main_of_job
from lineage_core.settings import inherited_environment
from lineage_core.submission import packaged_spark, prefer_installed_pyspark

ZIPS = ("pyspark.zip", "py4j-0.10.9.9-src.zip")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of packages with a PySpark in it."""
    made = tmp_path / "site-packages"
    (made / "pyspark" / "python" / "lib").mkdir(parents=True)
    return made


def zips(site: Path) -> list[str]:
    return [str(site / "pyspark" / "python" / "lib" / name) for name in ZIPS]


def test_zips_of_the_installed_package_are_left_out(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other_way = site.parent / "link"
    other_way.symlink_to(site)
    monkeypatch.setattr(sys, "path", ["", "jobs", *zips(site), "missing", str(other_way)])
    prefer_installed_pyspark()
    assert sys.path == ["", "jobs", "missing", str(other_way)]


def test_zips_of_another_spark_stay(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine where Spark was unpacked, and none is installed, or another one."""
    unpacked = tmp_path / "opt" / "pyspark" / "python" / "lib" / "pyspark.zip"
    nowhere = "/nowhere/pyspark/python/lib/pyspark.zip"
    whole = [
        "jobs",
        str(tmp_path),
        *zips(site),
        str(unpacked),
        nowhere,
        str(tmp_path / "spark-4" / "python" / "lib" / "pyspark.zip"),
    ]
    monkeypatch.setattr(sys, "path", whole)
    prefer_installed_pyspark()
    assert sys.path == whole


def test_jobs_leave_them_out_before_they_import_pyspark(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed = str(packaged_spark() / "python" / "lib" / "pyspark.zip")
    monkeypatch.setattr(sys, "path", [installed, *sys.path])
    with pytest.raises(SystemExit):
        main_of_job(["paths", "dags"])
    assert installed not in sys.path
    assert capsys.readouterr().out


VALUES = """
import sys
from pyspark.sql.types import NumpyArrayConverter, NumpyScalarConverter
from lineage_core.spark import session
session._load_no_pandas()
scalar, array = NumpyScalarConverter().can_convert, NumpyArrayConverter().can_convert
assert not scalar("a text") and not array(["a text"])
assert not {"pandas", "numpy", "pyspark.testing"} & sys.modules.keys()
import numpy
assert scalar(numpy.int64(1)) and not scalar(1) and not scalar(numpy.array([1]))
assert array(numpy.array([1])) and not array([1]) and not array(numpy.array([[1]]))
"""


def test_values_for_the_jvm_are_those_of_numpy_without_loading_pandas() -> None:
    subprocess.run([sys.executable, "-c", VALUES], env=inherited_environment(), check=True)
