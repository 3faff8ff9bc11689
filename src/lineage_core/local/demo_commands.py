"""Commands that the demo runs as a person would."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from lineage_core.errors import NeedsOperator


def output_of(*words: str) -> str:
    """What `lineage` prints with these words. Raises NeedsOperator if it fails."""
    program = Path(sys.executable).with_name("lineage")
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise NeedsOperator(f"`lineage {shlex.join(words)}` failed: {done.stderr}")
    return done.stdout
