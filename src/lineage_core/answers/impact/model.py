"""What the answer to a change to come consists of, and what the change may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from lineage_core.answers.graph.model import DatasetElsewhere
from lineage_core.evolution.dataset_history import DescribedField


class ImpactVerdict(StrEnum):
    """What a change is to a consumer."""

    BROKEN = "broken"
    """It takes a column that is dropped, renamed or of another type then, or one that is made of such a column."""
    UNKNOWN = "unknown"
    """It reads what changes, and no column lineage says which columns it takes."""
    SAFE = "safe"
    """It reads what changes, and by its column lineage takes nothing of that."""


@dataclass(frozen=True)
class SchemaToCome:
    """A change that somebody means to make: all fields as they will be, or else what is dropped and renamed.

    renamed: the name now, and the name then. ignores_case: whether a field is the one that is stored even if capitals
    are written otherwise, as databases have it.
    """

    fields: tuple[DescribedField, ...] | None = None
    dropped: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    ignores_case: bool = False


@dataclass(frozen=True)
class DatasetToCome:
    """What is to change of one dataset, by any name of it."""

    namespace: str
    name: str
    change: SchemaToCome


@dataclass(frozen=True)
class DatasetsToCome:
    """What a file says of several datasets. undescribed: those, as `namespace/name`, of which it lists no columns."""

    datasets: tuple[DatasetToCome, ...]
    undescribed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Consumer:
    """A job that reads the dataset, or something that is made of it, and one dataset that it makes.

    job, dataset: `namespace/name`; dataset is None of a job that makes none. columns: those of the dataset that are
    affected, empty unless it is broken. hops: jobs on the shortest way from the dataset that changes, this one among
    them. owner: of the job, else of its dataset, else of its namespace; several with commas between; None if no owner
    is known. last_read: the last event that has put a version of the job in force.
    job_uuid, dataset_uuid: as in `jobs` and `datasets`, as text.
    """

    job: str
    dataset: str | None
    columns: tuple[str, ...]
    verdict: ImpactVerdict
    hops: int
    owner: str | None
    last_read: datetime | None
    job_uuid: str
    dataset_uuid: str | None


@dataclass(frozen=True)
class ImpactCounts:
    """Consumers of each verdict, of all pages together."""

    broken: int
    unknown: int
    safe: int


@dataclass(frozen=True)
class ChangedDataset:
    """What changes of one dataset, `namespace/name`: the members are those of Impact."""

    dataset: str
    changed: tuple[str, ...]
    refused: tuple[str, ...]
    is_known: bool
    dataset_uuid: str
    """As in `datasets`, as text."""


@dataclass(frozen=True)
class Impact:
    """Who a change reaches: the broken first, then the nearest.

    complete: whether all consumers are here. Else `next` is where the next page begins, and `cut` says what no page
    has: `depth`, what lies behind the hops that were asked for; `walk`, what lies behind the limit of the walk.
    as_of: the moment of the snapshot. waiting_since: when the first raw event arrived that is in no table yet.
    changed: paths of the columns that whoever takes them loses. refused: what the rules of schemas refuse of the
    change, whoever reads. is_known: whether any event gives a schema that a new one can be compared with; else
    everything is unknown. Of several datasets, these three are of all together; `datasets` says which it is of.
    unnamed: datasets of a file that no event has named, so that no job is known to read them. undescribed: those of
    which it lists no columns, so that it says nothing of them. elsewhere: datasets that are reached, and that jobs of
    other stores read; None where there is one store. unasked_stores: those that could not be asked, and why.
    """

    complete: bool
    as_of: datetime
    waiting_since: datetime | None
    next: str | None
    cut: tuple[str, ...]
    changed: tuple[str, ...]
    refused: tuple[str, ...]
    is_known: bool
    counts: ImpactCounts
    consumers: tuple[Consumer, ...]
    datasets: tuple[ChangedDataset, ...] = ()
    unnamed: tuple[str, ...] = ()
    undescribed: tuple[str, ...] = ()
    elsewhere: tuple[DatasetElsewhere, ...] | None = None
    unasked_stores: Mapping[str, str] = field(default_factory=dict)

    def has(self, worst: ImpactVerdict) -> bool:
        """Whether a consumer is so, or worse; or may be, as the answer is cut in a way that no page makes good, or goes
        on in another store."""
        asked = self.counts.broken + (self.counts.unknown if worst is not ImpactVerdict.BROKEN else 0)
        return asked > 0 or bool(self.cut or self.elsewhere or self.unasked_stores)
