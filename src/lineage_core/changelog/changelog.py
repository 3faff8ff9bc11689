"""The library as one object, which knows what the system columns of its streams are called."""

from __future__ import annotations

from lineage_core.changelog.forms import Conversions
from lineage_core.changelog.migrated_records import MigratedRecords
from lineage_core.changelog.parts import WrittenParts
from lineage_core.changelog.replay import Replays
from lineage_core.changelog.strategies import Merges


class Changelog(Merges, Replays, Conversions, MigratedRecords, WrittenParts):
    """All that the library does with streams whose system columns have the names of a vocabulary."""


STANDARD = Changelog()
"""For streams with the names of ODF."""
