"""Who a change to come of a dataset's schema reaches, directly or not: `lineage impact`."""

from lineage_core.answers.impact.impact import (
    MOST_CONSUMERS,
    Consumer,
    Impact,
    ImpactCounts,
    ImpactVerdict,
    SchemaToCome,
    impact_of,
)

__all__ = [
    "MOST_CONSUMERS",
    "Consumer",
    "Impact",
    "ImpactCounts",
    "ImpactVerdict",
    "SchemaToCome",
    "impact_of",
]
