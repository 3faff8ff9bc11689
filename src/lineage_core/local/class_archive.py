"""The class archive: Spark's classes as one file that a JVM maps, where else it reads and checks each.

Java calls it Application Class-Data Sharing, and writes it when a JVM ends that was told so.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from lineage_core.errors import NeedsOperator
from lineage_core.local.home import made_home
from lineage_core.local.java import java_home
from lineage_core.settings import PROJECT, inherited_environment
from lineage_core.submission import JVM_OPTIONS, class_archive

_SECONDS = 600


def make_class_archive(home: Path) -> Path | None:
    """Makes it, in place of any other, by a run that loads what every job loads; None if this Java has no such thing.

    A JVM that finds half a file dies of it, so the file gets its name when it is whole. Raises NeedsOperator if Spark
    does not run.
    """
    archive = class_archive(made_home(home))
    archive.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="spark-classes-", dir=archive.parent) as folder:
        written = Path(folder) / archive.name
        _load_classes(home, written)
        if not written.exists():
            return None
        return written.replace(archive)


def _load_classes(home: Path, written: Path) -> None:
    environment = inherited_environment()
    java = java_home(home, environment.get("JAVA_HOME"), environment.get("PATH"))
    options = f'{JVM_OPTIONS} "-XX:ArchiveClassesAtExit={written}"'
    done = subprocess.run(  # noqa: S603
        [
            Path(sys.executable).with_name("spark-submit"),
            *("--master", "local[2]", "--conf", "spark.ui.enabled=false"),
            *("--conf", f"spark.driver.extraJavaOptions={options}"),
            PROJECT / "spark_jobs" / "load_classes.py",
        ],
        env=environment | {"JAVA_HOME": str(java), "PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
        timeout=_SECONDS,
    )
    if done.returncode:
        raise NeedsOperator(f"Spark does not run, so that no class archive can be made.\n{done.stderr[-4000:]}")
