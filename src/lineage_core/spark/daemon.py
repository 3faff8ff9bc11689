"""The daemon of Spark's Python workers, which forks them: PySpark's own, of the modules that are installed.

Spark runs it as `python -m`, for `spark.python.daemon.module`.
"""

from __future__ import annotations

from lineage_core.submission import prefer_installed_pyspark


def main() -> None:
    prefer_installed_pyspark()
    from pyspark.daemon import manager

    manager()


if __name__ == "__main__":
    main()
