"""Python looks for circular garbage seldom while a part is staged, and as before behind it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest

from lineage_core.normalize.store import staging
from lineage_core.postgres.store import Store
from lineage_core.testing import dataset, dataset_event
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres


@pytest.mark.parametrize("fails", [False, True], ids=["a part that is staged", "one that is not"])
def test_collections_are_rare_for_as_long_as_a_part_is_staged(
    fails: bool, database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, meanwhile = gc.get_threshold(), list[tuple[int, int, int]]()
    read = staging._documents

    def documents(*given: Any) -> Iterator[tuple[bytes, bool]]:
        meanwhile.append(gc.get_threshold())
        if fails:
            raise KeyboardInterrupt
        return read(*given)

    monkeypatch.setattr(staging, "_documents", documents)
    with pytest.raises(KeyboardInterrupt) if fails else nullcontext():
        take_in(database, [dataset_event(dataset("orders"))])
    assert all(one[0] > 10 * before[0] for one in meanwhile)
    assert meanwhile
    assert gc.get_threshold() == before
