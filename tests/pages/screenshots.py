"""Pictures of pages for the docs, over a shop's pipeline: `make screenshots`."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from lineage_core.errors import NeedsOperator
from lineage_core.local import postgres
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT
from tests.support.served_pages import listening
from tests.support.shop import WAREHOUSE, moment, shop_events
from tests.support.stores import take_in

FOLDER = PROJECT / "docs" / "pictures"
ORDER_LINES = {"namespace": WAREHOUSE, "name": "order_lines"}
PICTURES: dict[str, tuple[str, dict[str, str], Literal["light", "dark"]]] = {
    "graph": ("/graph", ORDER_LINES | {"at": moment(4).isoformat(), "compare": moment(1).isoformat()}, "light"),
    "dataset": ("/datasets", ORDER_LINES, "dark"),
}


def main() -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        raise NeedsOperator("There is no Chromium on this machine: install it, such as by `apt-get install chromium`")
    home = Path(tempfile.mkdtemp())
    home.chmod(0o711)
    try:
        store = Store(postgres.start(home).dsn())
        upgrade(store)
        take_in(store, shop_events())
        take(store, chromium)
    finally:
        postgres.stop_server(home)
        shutil.rmtree(home)


def take(store: Store, chromium: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    with listening(store) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (path, asked, scheme) in PICTURES.items():
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.emulate_media(color_scheme=scheme)
            page.goto(f"{url}{path}?{urlencode(asked)}")
            page.wait_for_load_state("networkidle")
            page.screenshot(path=FOLDER / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
