"""What somebody may have meant who has named something that there is not."""

from __future__ import annotations

from lineage_core.nearest import nearest_name


def test_the_nearest_name_is_named() -> None:
    assert nearest_name("order", ["orders", "sums"], "Look.") == "The nearest name is 'orders'."
    assert nearest_name("order", ["sums"], "Look.") == "Look."


def test_a_name_is_never_the_nearest_to_itself() -> None:
    """It is there now, and was not at the moment that was asked about."""
    assert nearest_name("orders", ["orders"], "Look.") == "Look."
    assert nearest_name("orders", ["orders", "order"], "Look.") == "The nearest name is 'order'."
