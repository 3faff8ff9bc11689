"""The pages in a real browser: no error to it or to axe, nothing that events say runs, and graphs are drawn."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Dialog, Page, expect, sync_playwright

from lineage_core.acts.store import last_acts
from lineage_core.local.postgres import Server
from lineage_core.long_migrations.store import records
from lineage_core.pages.page import all_pages
from lineage_core.postgres.store import Store
from lineage_core.testing import dataset, named_job, parent, run_event
from tests.pages.test_impact_of_documents import CONTRACT
from tests.pages.test_pages import ASKED, HOSTILE, ORDER_LINES
from tests.pages.test_run_pages import started, uuid, wrote
from tests.support.served_pages import listening
from tests.support.servers import operators_login
from tests.support.shop import DAYS, WAREHOUSE, moment, shop_events
from tests.support.stores import take_in

CHROMIUM = shutil.which("chromium")
PATIENCE_MILLISECONDS = 60_000
"""For what takes six seconds at most where nothing else runs."""

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@dataclass
class Watched:
    """A page, and all that the browser takes for an error, a dialog included."""

    page: Page
    url: str
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", self._dismiss)
        self.page.on("request", self._note_elsewhere)

    def open(self, path: str, asked: dict[str, Any]) -> Page:
        self.page.goto(f"{self.url}{path}?{urlencode(asked)}")
        self.page.wait_for_load_state("networkidle")
        return self.page

    def _dismiss(self, dialog: Dialog) -> None:
        self.errors.append(dialog.message)
        dialog.dismiss()

    def _note(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _note_elsewhere(self, request: Any) -> None:
        if not request.url.startswith(self.url):
            self.errors.append(f"asks {request.url}")


@pytest.fixture(params=[("light", 1280), ("dark", 390)], ids=["light-wide", "dark-narrow"])
def watched(
    request: pytest.FixtureRequest, browser: Browser, database: Store, postgres_server: Server
) -> Iterator[Watched]:
    scheme, width = request.param
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    take_in(database, [run_event() | {"run": {}}, *shop_events()])
    with listening(database, operators_login(postgres_server, database)) as url:
        yield Watched(context.new_page(), url)
    context.close()


def test_no_page_has_an_error_or_is_wider_than_the_window(watched: Watched) -> None:
    addresses = {page.name: page.address for page in all_pages()}
    for name, all_asked in ASKED.items():
        for asked in all_asked:
            page = watched.open(addresses[name], asked)
            found = Axe().run(page).response["violations"]
            violations = [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
            assert (name, asked, violations) == (name, asked, [])
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    assert watched.errors == []


def test_a_graph_is_drawn_searched_and_compared(watched: Watched) -> None:
    page = watched.open("/graph", ORDER_LINES | {"compare": moment(1).isoformat()})
    assert page.locator("#graph .node").count() == 9
    assert page.locator("#graph .node.root").get_attribute("href").endswith("name=order_lines")  # type: ignore[union-attr]
    assert page.locator("#graph .edge.came").count() == 1
    page.get_by_label("Find in the graph").fill("discount")
    assert page.locator("#graph .node.found").count() == 1
    page.get_by_role("link", name="Before the last change").click()
    page.wait_for_load_state("networkidle")
    assert "discounts" not in page.locator("main").inner_text()
    assert watched.errors == []


def test_search_answers_while_one_types(watched: Watched) -> None:
    page = watched.open("/search", {})
    page.get_by_label("A part of a name").press_sequentially("order_l")
    page.locator("#found").get_by_role("link", name="order_lines").wait_for()
    assert page.url.endswith("/search?q=order_l&kind=&facet=")
    field = page.get_by_role("searchbox", name="Search datasets and jobs")
    field.press_sequentially("leaderb")
    page.locator("#suggested").get_by_role("link", name="leaderboard").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    field.press("Escape")
    assert not page.locator("#suggested").is_visible()
    field.press_sequentially("o")
    page.locator("#suggested").get_by_role("link", name="leaderboard").click()
    page.wait_for_url("**/jobs?*")
    assert watched.errors == []


def test_edges_that_no_run_has_confirmed_for_long_are_drawn_so(watched: Watched) -> None:
    """For long before the moment that is shown, not before today."""
    assert watched.open("/graph", ORDER_LINES).locator("#graph .edge.stale").count() == 8
    at_its_time = watched.open("/graph", ORDER_LINES | {"at": moment(DAYS).isoformat()})
    assert at_its_time.locator("#graph .edge").count() == 8
    assert at_its_time.locator("#graph .edge.stale").count() == 0


def test_times_are_those_of_the_reader_with_utc_beside(watched: Watched) -> None:
    page = watched.open("/runs", {})
    shown = page.locator("time").first
    assert "UTC" in (shown.get_attribute("title") or "")
    assert "UTC" not in shown.inner_text()


def test_what_events_say_never_runs(watched: Watched, database: Store) -> None:
    made = dataset(HOSTILE, HOSTILE, fields=[(HOSTILE[:200], HOSTILE)])
    take_in(database, [run_event("COMPLETE", job=named_job(HOSTILE, HOSTILE), outputs=[made])])
    found = watched.page.request.get(f"{watched.url}/api/search?{urlencode({'q': 'alert', 'kind': 'dataset'})}").json()
    named = {"namespace": found["found"][0]["namespace"], "name": found["found"][0]["name"]}
    for path, asked in [("/", {}), ("/search", {"q": "alert"}), ("/datasets", named), ("/graph", named)]:
        page = watched.open(path, asked)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert "alert(1)" in page.locator("main").inner_text()
    assert watched.errors == []


def test_every_page_can_be_read_without_a_script(browser: Browser, database: Store) -> None:
    take_in(database, shop_events())
    context = browser.new_context(java_script_enabled=False)
    with listening(database) as url:
        page = context.new_page()
        page.goto(f"{url}/graph?{urlencode(ORDER_LINES)}")
        assert not page.locator("#graph").is_visible()
        assert "join_orders" in page.get_by_role("region", name="Edges").inner_text()
    context.close()


def test_a_slider_moves_the_graph_through_time_by_the_keyboard(watched: Watched) -> None:
    page = watched.open("/graph", ORDER_LINES)
    assert "discounts" in page.locator("#view").inner_text()
    slider = page.get_by_label("As of", exact=True)
    slider.focus()
    slider.press("Home")
    expect(page.locator("#view")).not_to_contain_text("discounts")
    assert "at=" in page.url
    assert page.locator("#graph .node").count() > 1
    assert slider.evaluate("element => element === document.activeElement")
    assert page.locator("#moments option").count() >= 2
    shown_at = page.locator("#moment-at").inner_text()
    page.reload()
    page.wait_for_load_state("networkidle")
    assert "discounts" not in page.locator("#view").inner_text()
    assert page.locator("#moment-at").inner_text() == shown_at
    slider.press("End")
    expect(page.locator("#view")).to_contain_text("discounts")
    assert "at=" not in page.url
    before = page.get_by_label("Compared with", exact=True)
    before.press("Home")
    page.locator("#graph .edge.came").first.wait_for(state="attached")
    assert "compare=" in page.url
    assert watched.errors == []


def test_groups_open_and_close_and_stand_in_the_address(watched: Watched, database: Store) -> None:
    lake = "s3://lake"
    steps = [
        run_event(
            "COMPLETE",
            run_id=f"0190a0a0-0000-7000-8000-{number:012}",
            job=named_job(f"nightly.{number}"),
            facets=parent("0190a0a0-0000-7000-8000-00000000abcd", "nightly"),
            inputs=[dataset("order_lines", WAREHOUSE)],
            outputs=[dataset(f"part {number}", lake)],
        )
        for number in range(5)
    ]
    take_in(database, steps)
    page = watched.open("/graph", ORDER_LINES | {"group": "parent"})
    group = page.get_by_role("button", name="Open the group nightly: 5 datasets, 5 jobs")
    group.focus()
    group.press("Enter")
    assert page.url.endswith("&open=nightly")
    assert page.locator("#graph .node.group").count() == 0
    assert page.locator("#graph .node.job").count() > 5
    watched.open("/graph", ORDER_LINES | {"group": "parent", "open": "nightly"})
    page.get_by_role("button", name="Close the group nightly").click()
    assert page.get_by_role("button", name="Open the group nightly: 5 datasets, 5 jobs").is_visible()
    page.get_by_label("Groups").select_option("namespace")
    assert "group=namespace" in page.url
    in_lake = page.get_by_role("button", name=f"Open the group {lake}: 5 datasets")
    page.get_by_label("Find in the graph").fill("part 3")
    assert "found" in (in_lake.get_attribute("class") or "")
    assert page.get_by_text("1 found").is_visible()
    assert watched.errors == []


def test_keys_follow_the_edges(watched: Watched) -> None:
    page = watched.open("/graph", ORDER_LINES)
    page.locator("#graph .node.root").focus()
    names = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
        names.append(page.evaluate("document.activeElement.querySelector('text').textContent"))
    assert names[:5] == ["leaderboard", "leaders", "leaderboard", "order_lines", "join_orders"]
    assert page.locator("#graph .node[tabindex='0']").count() == 1
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_url("**/datasets?*")
    assert watched.errors == []


def test_5000_nodes_are_drawn_and_are_searched(watched: Watched, database: Store) -> None:
    def made(number: int) -> Any:
        return dataset(f"copied {number}", f"mass {number % 50}")

    take_in(
        database,
        [
            run_event(
                "COMPLETE",
                run_id=f"0190a0a0-0000-7000-8001-{number:012}",
                job=named_job(f"copy {number}", "mass"),
                inputs=[made(number // 4) if number > 600 else dataset("all", "mass")],
                outputs=[made(number)],
            )
            for number in range(2_499)
        ],
    )
    root = {"namespace": "mass", "name": "all", "depth": 100, "limit": 5_000}
    page = watched.open("/graph", root | {"group": "none"})
    assert page.locator("#graph .node").count() == 4_999
    page.get_by_label("Find in the graph").fill("copied 2345")
    page.get_by_label("Find in the graph").press("Enter")
    assert page.get_by_text("1 of 1").is_visible()
    (found,) = page.locator("#graph .node.found").all()
    box, room = found.bounding_box(), page.locator("#graph").bounding_box()
    assert box is not None
    assert room is not None
    assert room["x"] < box["x"] < room["x"] + room["width"]
    assert room["y"] < box["y"] < room["y"] + room["height"]
    watched.open("/graph", root)
    # So many are grouped, if the reader does not say otherwise: 50 namespaces of datasets, all jobs, and the root.
    assert page.locator("#graph .node").count() == 52
    assert watched.errors == []


def test_a_document_is_sent_from_the_page(watched: Watched) -> None:
    page = watched.open("/impact", {})
    page.get_by_label("It is").select_option("contract")
    page.get_by_label("its datasets are of the namespace").fill(WAREHOUSE)
    page.get_by_label("File").set_input_files({"name": "c.yaml", "mimeType": "text/yaml", "buffer": CONTRACT.encode()})
    page.get_by_role("button", name="Show").last.click()
    page.get_by_role("region", name="Consumers").wait_for()
    assert "leaderboard" in page.locator("main").inner_text()
    assert Axe().run(page).response["violations"] == []
    assert watched.errors == []


ACTING = [
    ("/streams", {"name": "runs"}, "Start", {}),
    ("/migrations", {}, "Pause facets", {}),
    ("/quarantine", {"document": "1"}, "Discard", {"It is not needed, because": "a trial"}),
    ("/retention", {}, "Place", {"Namespaces, * is any characters": "shop", "because": "a dispute"}),
]
"""An address, the button there, and what is written before."""


def test_a_person_acts_once_asked(watched: Watched, database: Store) -> None:
    records.plan(database, "facets")
    for path, asked, button, written in ACTING:
        page = watched.open(path, asked)
        for label, text in written.items():
            page.get_by_label(label, exact=True).fill(text)
        page.get_by_role("button", name=button, exact=True).click()
        page.get_by_text("This is recorded with your name").wait_for()
        assert Axe().run(page).response["violations"] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        page.locator("form.bar button").click()
        page.get_by_role("status").get_by_text("Done: ").wait_for()
        found = [(one["id"], one["nodes"][0]["html"]) for one in Axe().run(page).response["violations"]]
        assert (path, found) == (path, [])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert len(last_acts(database, 10)) == len(ACTING)
    assert watched.errors == []


def test_a_person_acts_without_a_script(browser: Browser, database: Store, postgres_server: Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    with listening(database, operators_login(postgres_server, database)) as url:
        page = context.new_page()
        page.goto(f"{url}/streams")
        page.get_by_role("button", name="Start runs", exact=True).click()
        page.get_by_role("button", name="Start it").click()
        assert "Done: stream start, runs: on" in page.get_by_role("status").inner_text()
        page.reload()
        assert len(last_acts(database, 10)) == 1
    context.close()


def test_plots_and_trees_can_be_read_by_all(watched: Watched, database: Store) -> None:
    take_in(database, [wrote(day, rows=100 + day, nulls=day) for day in range(3)])
    take_in(database, [*started(11, "nightly", None), *started(12, "nightly.load", (11, "nightly"), "FAIL")])
    for path, asked, shown in (
        ("/datasets", {"namespace": WAREHOUSE, "name": "sums"}, "figure.plot polyline"),
        ("/jobs", {"namespace": "shop", "name": "sum"}, "figure.plot rect"),
        ("/runs", {"run": uuid(12)}, ".tree .tree"),
    ):
        page = watched.open(path, asked)
        assert page.locator(shown).count() >= 1
        assert Axe().run(page).response["violations"] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert watched.errors == []
