"""What retention would delete, as a value that can be looked at, approved and then carried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from lineage_core.errors import WrongUsage


@dataclass(frozen=True)
class RetentionPlan:
    """Rows that go, for each table; bytes that they take by the mean of their tables; rows that stay, by reason.

    emptied: a pattern of namespaces that are emptied; None where the policies decide what goes.
    """

    as_of: datetime
    tables: Mapping[str, int]
    bytes: int
    protected: Mapping[str, int]
    emptied: str | None = None

    def to_json(self) -> dict[str, Any]:
        written = {
            "as_of": self.as_of.isoformat(),
            "tables": dict(sorted(self.tables.items())),
            "bytes": self.bytes,
            "protected": dict(sorted(self.protected.items())),
        }
        return written if self.emptied is None else {**written, "emptied": self.emptied}

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> RetentionPlan:
        """As `to_json` writes it. Raises WrongUsage."""
        try:
            return cls(
                datetime.fromisoformat(written["as_of"]),
                {str(table): int(rows) for table, rows in written["tables"].items()},
                int(written["bytes"]),
                {str(reason): int(rows) for reason, rows in written["protected"].items()},
                str(written["emptied"]) if "emptied" in written else None,
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise WrongUsage("This is no retention plan; `lineage retention plan --json` writes one") from error

    def with_rows(self, table: str, rows: int, size: int, protected: Mapping[str, int]) -> RetentionPlan:
        """The same, and rows of one table more, with the bytes that they take."""
        tables = {**self.tables, table: rows} if rows else self.tables
        kept = dict(Counter(self.protected) + Counter(protected))
        return replace(self, tables=tables, bytes=self.bytes + size, protected=kept)

    def without(self, table: str) -> RetentionPlan:
        """The same, but for the number of rows of one table: to be compared, not to be shown."""
        return replace(self, tables={name: rows for name, rows in self.tables.items() if name != table})

    def moved_on(self, now: RetentionPlan) -> dict[str, tuple[int, int]]:
        """Tables of which other numbers of rows go now than were planned: planned and now."""
        names = sorted({*self.tables, *now.tables})
        both = {name: (self.tables.get(name, 0), now.tables.get(name, 0)) for name in names}
        return {name: (planned, found) for name, (planned, found) in both.items() if planned != found}
