"""Labels: the tags and owners that an event gives its datasets and its job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from lineage_core.declare.vocabulary import BOOLEAN, DERIVED, Column, Newest
from lineage_core.openlineage.events import DatasetMention, JobMention, Moment, RawFacets
from lineage_core.openlineage.facets.ownership import FACET as OWNERSHIP
from lineage_core.openlineage.facets.tags import FACET as TAGS

LATEST_TAGS = Newest("tags_event")
LATEST_OWNERS = Newest("owners_event")

IS_REPORTED = Column(
    "is_reported",
    BOOLEAN,
    DERIVED,
    "Whether it comes from events. What people put there stays until people take it away.",
    nullable=False,
    default="false",
)
"""Of a tag that a dataset, a column or a job bears."""


class Tag(NamedTuple):
    """`field` is the column that bears it, None for the dataset or job itself."""

    name: str
    field: str | None


class Owner(NamedTuple):
    """`type` is the empty text where the event says none."""

    name: str
    type: str


def tags(facets: RawFacets, path: str) -> list[Tag] | None:
    """The set of tags that the facet says, in order; None without the facet, or where it cannot be read."""
    facet = TAGS.read(facets, path)
    if facet is None:
        return None
    named = {Tag(tag.name, tag.field or None) for tag in facet.tags or () if tag.key}
    return sorted(named, key=lambda tag: (tag.name, tag.field or ""))


def owners(facets: RawFacets, path: str) -> list[Owner] | None:
    """The set of owners that the facet says, in order; None without the facet, or where it cannot be read."""
    facet = OWNERSHIP.read(facets, path)
    if facet is None:
        return None
    return sorted({Owner(owner.name, owner.type or "") for owner in facet.owners or () if owner.name})


def label_columns(mention: JobMention | DatasetMention, moment: Moment) -> Mapping[str, Any]:
    """The columns of `dataset_labels` and `job_labels` that its facets fill; none without labels.

    An event may name one dataset twice: the later mention is the newer, so the order tells the place.
    """
    columns: dict[str, Any] = {}
    path = f"{mention.path}.facets"
    order = moment.newest_order + mention.place.to_bytes(4)
    if (reported_tags := tags(mention.facets, path)) is not None:
        columns |= {"tags": _json(reported_tags), "tags_reported_at": moment.time, LATEST_TAGS.order: order}
    if (reported_owners := owners(mention.facets, path)) is not None:
        columns |= {"owners": _json(reported_owners), "owners_reported_at": moment.time, LATEST_OWNERS.order: order}
    return columns


def _json(labels: Iterable[Tag] | Iterable[Owner]) -> bytes:
    return msgspec.json.encode([one._asdict() for one in labels])
