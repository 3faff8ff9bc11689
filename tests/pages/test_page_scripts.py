"""What the script of the pages does in a real browser: sliders in the server's time, keys, and no page that jumps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, expect

from lineage_core.postgres.store import Store
from tests.pages.test_in_a_browser import CHROMIUM, PATIENCE_MILLISECONDS, Watched, browser
from tests.pages.test_pages import ORDER_LINES
from tests.support.served_pages import listening
from tests.support.shop import shop_events
from tests.support.stores import take_in

__all__ = ["browser"]

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine"),
]

SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def test_sliders_keys_and_links_of_a_graph(browser: Browser, database: Store) -> None:
    """In one store, as each has to be filled: the reader is in another zone than the server."""
    take_in(database, shop_events())
    began = datetime(2025, 12, 26, tzinfo=UTC)
    context = browser.new_context(viewport={"width": 1280, "height": 900}, timezone_id="Asia/Kolkata", locale="en-GB")
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    with listening(database) as url:
        watched = Watched(context.new_page(), url)
        watched.page.add_init_script(SHIFTS)

        page = watched.open("/graph", ORDER_LINES | {"at": began.strftime("%Y-%m-%dT%H:%M")})
        shown = (began + timedelta(hours=5, minutes=30)).strftime("%-d Dec 2025, %H:%M")
        assert page.locator("#moment-at").inner_text() == shown
        assert page.locator("p.steps time").inner_text().startswith(shown)
        assert page.evaluate("window.shifted") < 0.02
        assert page.get_by_role("button", name="Fit").count() == 1

        page.get_by_label("Groups").select_option("namespace")
        page.locator("#graph .node.group").first.click()
        before = page.get_by_role("link", name="Before the last change").get_attribute("href") or ""
        assert "group=namespace" in before and "open=" in before
        assert page.locator("#history input[name=open]").count() == 1

        page = watched.open("/graph", ORDER_LINES)
        page.locator("#at").fill("junk")
        page.get_by_label("Compared with", exact=True).press("Home")
        expect(page.locator("#view")).to_contain_text("'junk' is not an ISO 8601 date and time")
        assert [one for one in watched.errors if "422" not in one] == []

        page = watched.open("/runs", {})
        field = page.get_by_role("searchbox", name="Search datasets and jobs")
        field.press_sequentially("order_l")
        suggested = page.locator("#suggested").get_by_role("link", name="order_lines")
        suggested.wait_for()
        field.press("ArrowDown")
        expect(suggested).to_be_focused()
        suggested.press("Escape")
        expect(field).to_be_focused()
        assert not page.locator("#suggested").is_visible()

        jobs = watched.open("/jobs", {"namespace": "shop", "name": "join_orders"})
        hints = jobs.locator("figure.plot title").evaluate_all("all => all.map(one => one.textContent)")
        assert hints and all("Dec 2025, " in one for one in hints)
    context.close()
