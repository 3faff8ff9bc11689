"""The receiver in a real Airflow's API server. test_normalize_lineage.py looks at what Airflow itself sent it."""

from __future__ import annotations

import httpx
import pytest

from lineage_core.postgres.store import Store
from lineage_core.receiver.store import create_token
from lineage_core.testing import named_job, run_event
from tests.airflow.conftest import Platform

pytestmark = [pytest.mark.airflow, pytest.mark.postgres]


def _stored(platform: Platform, job: str) -> str:
    query = (
        f"SELECT string_agg(DISTINCT event_type, ' ' ORDER BY event_type) FROM lineage_events WHERE job_name = '{job}'"
    )
    return platform.server.run_sql(f"{query};", "lineage", "lineage").strip()


def test_the_api_server_receives_events_of_who_has_a_token(platform: Platform) -> None:
    """A login to Airflow is of no use there, and no route answers who has no token."""
    url = f"http://127.0.0.1:{platform.api.port}/lineage/api/v1/lineage"
    token = create_token(Store(platform.logins.owner), "mounted", ["elsewhere"], None).text
    headers = {"Authorization": f"Bearer {token}"}
    event = run_event(job=named_job("posted", namespace="elsewhere"))
    assert httpx.post(url, json=event, headers=headers).status_code == 201
    assert _stored(platform, "posted") == "START"
    for path in ("", "/batch"):
        assert httpx.post(f"{url}{path}", json=event).status_code == 401
        assert httpx.post(f"{url}{path}", json=event, headers={"Authorization": "Bearer x"}).status_code == 401
    assert httpx.get(f"http://127.0.0.1:{platform.api.port}/lineage/readyz").text == "ready"
