"""Mutants of the package: a copy of it with one change, for which a law has to fail."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from lineage_core.settings import PROJECT, inherited_environment
from tests.support.mutants import changed


@dataclass(frozen=True)
class Mutant:
    """One change of one file of the package, `old` becomes `new`, and the tests of which one breaks."""

    name: str
    path: str
    old: str
    new: str
    law: str


def assert_its_law_fails(mutant: Mutant, folder: Path) -> None:
    """Runs its tests on a copy of the package in a folder."""
    shutil.copytree(PROJECT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    file = folder / "src" / "lineage_core" / mutant.path
    file.write_text(changed(file.read_text(), mutant.old, mutant.new, mutant.name, mutant.path))
    words = ["-q", "-x", "-p", "no:cacheprovider", "-m", "not long", "--hypothesis-profile", "unshrunk"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, *mutant.law.split()],
        cwd=PROJECT,
        env=inherited_environment() | {"PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout
