"""Why a run failed, or why its output differs from that of the last good run: ranked causes with their evidence."""

from lineage_core.answers.explain.explained_run import explain
from lineage_core.answers.explain.explanation import Cause, CauseKind, Evidence, EvidenceKind, Explanation

__all__ = ["Cause", "CauseKind", "Evidence", "EvidenceKind", "Explanation", "explain"]
