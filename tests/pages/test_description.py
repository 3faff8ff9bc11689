"""The description of the pages in OpenAPI: that of what they answer."""

from __future__ import annotations

import pytest

from lineage_core.local.ports import PAGES
from lineage_core.pages.page import all_pages
from lineage_core.postgres.store import Store
from tests.support.served_pages import client

pytestmark = pytest.mark.postgres


def test_every_address_for_programs_is_described_with_its_errors(database: Store) -> None:
    found = client(database).get("/api/openapi.json").raise_for_status().json()
    assert found["servers"] == [{"url": PAGES}]
    described = {(method, path) for path, methods in found["paths"].items() for method in methods}
    pages = {("get", f"/api/{page.name}") for page in all_pages()}
    assert described == pages | {("post", "/api/impact"), ("get", "/csv/impact"), ("get", "/csv/affected")}
    for methods in found["paths"].values():
        for operation in methods.values():
            answers = operation["responses"]
            assert set(answers) == {"200", "404", "409", "422", "500", "503"}
            assert "AnsweredError" in answers["422"]["content"]["application/json"]["schema"]["$ref"]
    assert found["components"]["schemas"].keys().isdisjoint({"HTTPValidationError", "ValidationError"})
    (form,) = found["paths"]["/api/impact"]["post"]["requestBody"]["content"].values()
    assert form["schema"]["properties"]["kind"]["enum"] == ["manifest", "contract", "schema"]
