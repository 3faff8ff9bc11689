"""The scripts that containers of docker-compose.yaml run, with their secrets in a folder of the test's own."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lineage_core.settings import PROJECT, inherited_environment


@dataclass(frozen=True)
class Container:
    """Where a script runs: `folder` is its working folder, and has its secrets."""

    folder: Path

    def hold(self, secret: str, value: str) -> None:
        """As compose mounts it."""
        (self.folder / secret).write_text(value)

    def run(
        self, command: Sequence[str], environment: Mapping[str, str], changes: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """command: the program, and the script below `docker/`. changes: what stands in it otherwise here."""
        *program, name = command
        script = (PROJECT / "docker" / name).read_text().replace("/run/secrets", str(self.folder))
        for there, here in (changes or {}).items():
            assert there in script
            script = script.replace(there, here)
        file = self.folder / Path(name).name
        file.write_text(script)
        return subprocess.run(
            [*program, str(file)],
            env=inherited_environment() | dict(environment),
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
