"""The pages in a real Airflow: who may look, and where Airflow shows them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import sync_playwright

from lineage_core.local.airflow_environment import USER
from lineage_core.pages.page import all_pages
from tests.airflow.conftest import VIEWER, Platform

pytestmark = [pytest.mark.airflow, pytest.mark.postgres]


def _password(platform: Platform, user: str) -> str:
    return str(json.loads(platform.airflow.home.passwords.read_text())[user])


def _token(platform: Platform, user: str) -> str:
    body = {"username": user, "password": _password(platform, user)}
    answer = httpx.post(f"{platform.api.address}/auth/token", json=body)
    return str(answer.raise_for_status().json()["access_token"])


def _paths() -> Iterator[str]:
    for page in all_pages():
        yield page.address
        yield f"/api/{page.name}"
    yield from ("/api/openapi.json", "/static/lineage.js", "/static/lineage.css")


def test_no_page_is_for_who_has_not_logged_in_and_a_viewer_may_look(platform: Platform) -> None:
    """Some need to know of what: they say so, once it is known who asks."""
    tokens = {user: _token(platform, user) for user in (USER, VIEWER)}
    for path in _paths():
        url = f"{platform.api.address}/lineage{path}"
        assert (path, httpx.get(url).status_code) == (path, 401)
        for user, token in tokens.items():
            by_header = httpx.get(url, headers={"Authorization": f"Bearer {token}"}).status_code
            by_cookie = httpx.get(url, cookies={"_token": token}).status_code
            assert (path, user, by_header in (200, 404, 422)) == (path, user, True)
            assert by_cookie == by_header


def test_whoever_may_change_pools_acts_under_his_name(platform: Platform) -> None:
    """Others look; each process of the API server would know the form."""
    root = f"{platform.api.address}/lineage"
    for user, status in ((VIEWER, 403), (USER, 200)):
        with httpx.Client(
            cookies={"_token": _token(platform, user)}, headers={"Origin": platform.api.address}
        ) as browser:
            shown = browser.get(f"{root}/streams").raise_for_status().text
            assert ("/lineage/acts/streams" in shown) == (status == 200)
            form = {"do": "stop", "name": "owners", "token": browser.cookies.get("lineage_form", "")}
            assert browser.post(f"{root}/acts/streams", data=form).status_code == status
            other_site = browser.post(f"{root}/acts/streams", data=form, headers={"Origin": "https://evil.example"})
            assert other_site.status_code == 403
            done = browser.post(f"{root}/acts/streams", data=form | {"confirmed": "yes"})
            assert done.status_code == (303 if status == 200 else 403)
    assert httpx.post(f"{root}/acts/streams", data=form | {"confirmed": "yes"}).status_code == 401
    token = {"Authorization": f"Bearer {_token(platform, VIEWER)}"}
    acts = httpx.get(f"{root}/api/acts", headers=token).raise_for_status().json()["acts"]
    stopped = [
        (one["person"], one["login"]) for one in acts if (one["what"], one["subject"]) == ("stream stop", "owners")
    ]
    assert stopped == [(USER, "operator")]


def test_airflow_shows_the_pages_in_its_navigation_and_as_tabs(platform: Platform) -> None:
    headers = {"Authorization": f"Bearer {_token(platform, USER)}"}
    plugins = httpx.get(f"{platform.api.address}/api/v2/plugins", headers=headers).json()["plugins"]
    (ours,) = [plugin for plugin in plugins if plugin["name"] == "lineage_web"]
    assert [view["destination"] for view in ours["external_views"]] == ["nav", "dag", "dag_run"]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no Chromium on this machine")
def test_a_person_opens_them_within_airflow(platform: Platform) -> None:
    """By logging in and following the link; the frame has the session, too."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{platform.api.address}/auth/login")
        page.get_by_label("Username").fill(VIEWER)
        page.get_by_label("Password").fill(_password(platform, VIEWER))
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(lambda url: "/auth/login" not in url)
        page.goto(f"{platform.api.address}/plugin/lineage")
        frame = page.frame_locator("iframe")
        frame.get_by_role("heading", name="Overview").wait_for(timeout=60_000)
        frame.get_by_role("link", name="Datasets").click()
        frame.get_by_role("heading", name="Datasets").wait_for()
        browser.close()
