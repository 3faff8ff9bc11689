"""The description of the cluster: all its parts, each watched, no secret written down."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
import yaml

from lineage_core.local.airflow import COMMANDS
from lineage_core.settings import PROJECT

COMPOSE = yaml.safe_load((PROJECT / "docker-compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


def test_all_parts_are_there() -> None:
    spark = {"spark-master", "spark-worker-1", "spark-worker-2"}
    assert set(SERVICES) == {"postgres", "initialize", *COMMANDS, *spark, "receiver", "follow-events"}


def test_only_what_somebody_asks_for_is_off_by_default() -> None:
    assert [name for name, service in SERVICES.items() if "profiles" in service] == ["follow-events"]


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"initialize"}))
def test_a_part_that_stays_up_is_watched(name: str) -> None:
    assert SERVICES[name]["healthcheck"]["test"][0] == "CMD"


def test_every_secret_comes_from_the_environment() -> None:
    assert all(list(secret) == ["environment"] for secret in COMPOSE["secrets"].values())


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_a_part_names_secrets_by_file_only(name: str) -> None:
    service = SERVICES[name]
    assert set(service["secrets"]) <= set(COMPOSE["secrets"])
    for variable, value in service.get("environment", {}).items():
        assert not re.search(r"://[^/@]*:[^/@]+@", str(value)), variable
        assert not re.search("PASSWORD$|SECRET|KEY", variable), variable


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"postgres"}))
def test_only_the_upgrade_is_done_by_the_owner(name: str) -> None:
    login = SERVICES[name]["environment"]["LINEAGE_DSN"].removeprefix("postgresql://").partition("@")[0]
    assert login == {"initialize": "lineage", "receiver": "ingest"}.get(name, "jobs")
    assert ("lineage_password" in SERVICES[name]["secrets"]) == (name == "initialize")
    assert f"{login}_password" in SERVICES[name]["secrets"]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_airflow_adds_events_as_who_may_do_no_more(name: str) -> None:
    assert SERVICES[name]["environment"]["LINEAGE_INGEST_DSN"].startswith("postgresql://ingest@")
    assert "ingest_password" in SERVICES[name]["secrets"]


@pytest.mark.parametrize("name", [*sorted(COMMANDS), "spark-worker-1", "spark-worker-2"])
def test_streams_are_where_all_who_write_or_read_them_find_them(name: str) -> None:
    root = SERVICES[name]["environment"]["LINEAGE_STREAMS_URL"]
    assert f"lineage-streams:{root}" in SERVICES[name]["volumes"]
    assert root in DOCKERFILE


def test_pages_and_receiver_are_served_to_this_machine_only() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert list(published) == ["api-server", "receiver"]
    assert all(port.startswith("127.0.0.1:") for ports in published.values() for port in ports)


DOCKERFILE = (PROJECT / "Dockerfile").read_text()
BUILD, IMAGE = DOCKERFILE.split("\nFROM ")[1:]
"""The stage that builds the wheel, and the one that installs it."""


def _copied(stage: str) -> list[str]:
    lines = re.findall(r"^COPY (?:--\S+ )*(.+) \S+$", stage, re.MULTILINE)
    return [path for line in lines for path in line.split()]


def test_the_wheel_of_the_image_is_built_of_all_that_belongs_to_it() -> None:
    wheel = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert set(_copied(BUILD)) == {"pyproject.toml", "LICENSE", *(path.split("/")[0] for path in wheel["only-include"])}


def test_the_image_has_the_wheel_and_nothing_of_the_checkout_that_it_holds() -> None:
    assert _copied(IMAGE) == ["requirements.txt", "/build/wheels", "docker/entrypoint"]
    assert {path for service in SERVICES.values() for path in _mounted(service)} == {"./docker/initialize-postgres"}


def _mounted(service: dict[str, Any]) -> set[str]:
    return {volume.partition(":")[0] for volume in service.get("volumes", []) if volume.startswith((".", "/"))}


def test_what_the_image_is_built_of_is_there_and_sent_to_the_builder() -> None:
    copied = [path for path in _copied(DOCKERFILE) if not path.startswith("/")]
    assert all((PROJECT / path).is_file() or any((PROJECT / path).iterdir()) for path in copied)
    wanted = (PROJECT / ".dockerignore").read_text().splitlines()
    assert all(f"!{path.partition('/')[0]}" in wanted for path in copied)
