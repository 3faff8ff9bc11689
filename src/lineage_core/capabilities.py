"""The capabilities of the platform: a new one is a line here.

Where several add to one group of commands, help shows their commands in this order; an upgrade does their steps in it.
"""

# ruff: noqa: F401, I001
from __future__ import annotations

import sys

from lineage_core.capability import Capability, Value
from lineage_core.declare.registry import values_in

from lineage_core.operate import CAPABILITY as OPERATE
from lineage_core.database import CAPABILITY as DATABASE
from lineage_core.carry_over import CAPABILITY as CARRY_OVER
from lineage_core.acts import CAPABILITY as ACTS
from lineage_core.quarantine import CAPABILITY as QUARANTINE
from lineage_core.ingest import CAPABILITY as INGEST
from lineage_core.receiver import CAPABILITY as RECEIVER
from lineage_core.stores import CAPABILITY as STORES
from lineage_core.normalize import CAPABILITY as NORMALIZE
from lineage_core.reading import CAPABILITY as READING
from lineage_core.queries import CAPABILITY as QUERIES
from lineage_core.answers import CAPABILITY as ANSWERS
from lineage_core.pages import CAPABILITY as PAGES
from lineage_core.schema_alerts import CAPABILITY as SCHEMA_ALERTS
from lineage_core.namespaces import CAPABILITY as NAMESPACES
from lineage_core.retention import CAPABILITY as RETENTION
from lineage_core.long_migrations import CAPABILITY as LONG_MIGRATIONS
from lineage_core.streams import CAPABILITY as STREAMS
from lineage_core.emission import CAPABILITY as EMISSION
from lineage_core.archive import CAPABILITY as ARCHIVE
from lineage_core.local import CAPABILITY as LOCAL

CAPABILITIES = values_in(sys.modules[__name__], Capability)


def for_operators(kind: type[Value]) -> tuple[Value, ...]:
    """What all of them declare of a kind, in their order."""
    return tuple(value for capability in CAPABILITIES for value in capability.for_operators(kind))
