"""How the schema of data may change over time, and what a change does to data and readers (seed 004).

Inside, the words of the seed stand: a *migration* takes data of earlier schemas to a later one, and a `MigrationType`
remembers which fields were deleted. Everywhere else that is a *schema change* (docs/glossary.md).
"""

from lineage_core.evolution.dataset_history import DatasetHistory, DescribedField, Judgement, Verdict
from lineage_core.evolution.migration_type import DataMigration, MigrationType
from lineage_core.evolution.rules import ChangeKind, EvolutionRule, Refusal, TypeChange

__all__ = [
    "ChangeKind",
    "DataMigration",
    "DatasetHistory",
    "DescribedField",
    "EvolutionRule",
    "Judgement",
    "MigrationType",
    "Refusal",
    "TypeChange",
    "Verdict",
]
