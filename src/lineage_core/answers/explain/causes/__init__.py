"""Every kind of cause that is looked for: a file each, which compares a run with the good runs of its job before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lineage_core.answers.explain.causes import (
    code_change,
    edge_change,
    engine_version,
    error_message,
    input_late,
    input_missing,
    input_version,
    parameters,
    schema_change,
    upstream_runs,
    volume,
)
from lineage_core.answers.explain.described_runs import ComparedRun
from lineage_core.answers.explain.difference import Difference

CAUSES: tuple[Callable[[ComparedRun], Iterator[Difference]], ...] = (
    input_missing.found,
    input_late.found,
    input_version.found,
    schema_change.found,
    code_change.found,
    engine_version.found,
    parameters.found,
    volume.found,
    upstream_runs.found,
    edge_change.found,
    error_message.found,
)
"""Each is pure: what it needs of the store is described already."""
