"""What retention would delete, as a value that can be looked at, approved and then carried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from lineage_core.errors import WrongUsage


@dataclass(frozen=True)
class RawEventsPlan:
    """How many raw events would go, their bytes as they are stored, and how many stay though they are old enough, by
    the reason: `waiting`, `open run` or `legal hold`; and those that are `in the future`."""

    rows: int
    bytes: int
    protected: Mapping[str, int]


@dataclass(frozen=True)
class RetentionPlan:
    """Rows that go, for each table; bytes that they take by the mean of their tables; rows that stay, by reason.

    raw_events: what goes of them where there is an archive. unwritten: versions that stay and lose their run, with its
    facets and its column lineage. emptied: a pattern of namespaces that are emptied; None
    where the policies decide what goes. number: under which the store keeps the keys of what goes; None if it was only
    looked at. digest: of these keys.
    """

    as_of: datetime
    tables: Mapping[str, int]
    bytes: int
    protected: Mapping[str, int]
    raw_events: RawEventsPlan
    unwritten: int = 0
    emptied: str | None = None
    number: int | None = None
    digest: str | None = None

    def to_json(self) -> dict[str, Any]:
        written = {
            "as_of": self.as_of.isoformat(),
            "tables": dict(sorted(self.tables.items())),
            "bytes": self.bytes,
            "protected": dict(sorted(self.protected.items())),
            "unwritten": self.unwritten,
            "raw_events": {
                "rows": self.raw_events.rows,
                "bytes": self.raw_events.bytes,
                "protected": dict(sorted(self.raw_events.protected.items())),
            },
        }
        others = {"emptied": self.emptied, "plan": self.number, "digest": self.digest}
        return written | {name: value for name, value in others.items() if value is not None}

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> RetentionPlan:
        """As `to_json` writes it. Raises WrongUsage."""
        try:
            raw = written["raw_events"]
            return cls(
                datetime.fromisoformat(written["as_of"]),
                _counts(written["tables"]),
                int(written["bytes"]),
                _counts(written["protected"]),
                RawEventsPlan(int(raw["rows"]), int(raw["bytes"]), _counts(raw["protected"])),
                int(written["unwritten"]),
                str(written["emptied"]) if "emptied" in written else None,
                int(written["plan"]),
                str(written["digest"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise WrongUsage("This is no retention plan; `lineage retention plan --json` writes one") from error


def _counts(written: Mapping[str, Any]) -> dict[str, int]:
    return {str(name): int(rows) for name, rows in written.items()}
