"""The description of the cluster: all its parts, each watched, no secret written down."""

from __future__ import annotations

import base64
import json
import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from lineage_core.local.airflow import COMMANDS
from lineage_core.local.postgres import VERSION
from lineage_core.normalize.followers import PATIENCE_SECONDS
from lineage_core.settings import PROJECT

COMPOSE_TEXT = (PROJECT / "docker-compose.yaml").read_text()
COMPOSE = yaml.safe_load(COMPOSE_TEXT)
EXAMPLE = (PROJECT / ".env.example").read_text()
OF_MARQUEZ = ("marquez-login", "marquez", "marquez-web")
OWN_DAGS = "${OWN_DAGS:-./own-dags}"
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


def test_all_parts_are_there() -> None:
    spark = {"spark-master", "spark-worker-1", "spark-worker-2"}
    assert set(SERVICES) == {"postgres", "initialize", *COMMANDS, *spark, "receiver", "follow-events", *OF_MARQUEZ}


def test_only_what_somebody_asks_for_is_off_by_default() -> None:
    off = {name: service["profiles"] for name, service in SERVICES.items() if "profiles" in service}
    assert off == {"follow-events": ["follow"], **{name: ["marquez"] for name in OF_MARQUEZ}}


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_what_a_part_waits_for_is_on_when_it_is(name: str) -> None:
    for other in SERVICES[name].get("depends_on", {}):
        assert set(SERVICES[other].get("profiles", [])) <= set(SERVICES[name].get("profiles", [])), other


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"initialize", "marquez-login"}))
def test_a_part_that_stays_up_is_watched(name: str) -> None:
    assert SERVICES[name]["healthcheck"]["test"][0] == "CMD"


def test_the_follower_is_asked_for_itself() -> None:
    """By the login that it has: another one may not see when it last looked."""
    follower = SERVICES["follow-events"]
    assert follower["command"][:3] == ["lineage", "normalize", "--follow"]
    assert follower["healthcheck"]["test"] == ["CMD", "lineage", "normalize", "--check-follower"]
    assert float(follower["healthcheck"]["timeout"].removesuffix("s")) > 2 * PATIENCE_SECONDS


def test_every_secret_comes_from_the_environment() -> None:
    assert all(list(secret) == ["environment"] for secret in COMPOSE["secrets"].values())


def test_the_example_of_its_environment_names_every_variable_that_it_reads() -> None:
    read = {*re.findall(r"\$\{(\w+)", COMPOSE_TEXT), *COMPOSE["x-image"]["build"]["args"]}
    off = re.findall(r"^# (\w+)=$", EXAMPLE, re.MULTILINE)
    assert {*_settings(EXAMPLE), *off} == {*read, *(secret["environment"] for secret in COMPOSE["secrets"].values())}
    assert set(off) == {name for name in read if name.endswith("_IMAGE")}, "a secret would be made for each other"


def test_secrets_are_made_once_and_each_is_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_secrets = runpy.run_path(str(PROJECT / "docker" / "make_secrets.py"))["main"]
    (tmp_path / ".env.example").write_text(EXAMPLE)
    make_secrets(tmp_path)
    written = (tmp_path / ".env").read_text()
    made = _settings(written)
    secrets = {made[secret["environment"]] for secret in COMPOSE["secrets"].values()}
    assert len(secrets) == len(COMPOSE["secrets"])
    assert all(re.fullmatch(r"[\w-]{43}=?", secret) for secret in secrets)
    assert len(base64.urlsafe_b64decode(made["AIRFLOW_FERNET_KEY"])) == 32
    assert made["AIRFLOW_PORT"] == _settings(EXAMPLE)["AIRFLOW_PORT"]
    assert (tmp_path / ".env").stat().st_mode & 0o777 == 0o600
    make_secrets(tmp_path)
    assert (tmp_path / ".env").read_text() == written
    assert not any(secret in capsys.readouterr().out for secret in secrets)


def _settings(environment: str) -> dict[str, str]:
    lines = [line for line in environment.splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_no_part_takes_all_memory(name: str) -> None:
    assert re.fullmatch(r"\dg", SERVICES[name]["mem_limit"])


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_own_dags_are_mounted_where_airflow_looks_for_them(name: str) -> None:
    bundles = json.loads(SERVICES[name]["environment"]["AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST"])
    paths = {bundle["name"]: bundle["kwargs"].get("path") for bundle in bundles}
    assert f"{OWN_DAGS}:{paths.pop('own')}:ro" in SERVICES[name]["volumes"]
    assert paths == {"dags-folder": None}, "the folder of AIRFLOW__CORE__DAGS_FOLDER"


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_a_part_names_secrets_by_file_only(name: str) -> None:
    service = SERVICES[name]
    assert set(service.get("secrets", [])) <= set(COMPOSE["secrets"])
    for variable, value in service.get("environment", {}).items():
        assert not re.search(r"://[^/@]*:[^/@]+@", str(value)), variable
        assert not re.search("PASSWORD$|SECRET|KEY", variable), variable


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"postgres", *OF_MARQUEZ}))
def test_only_the_upgrade_is_done_by_the_owner(name: str) -> None:
    login = SERVICES[name]["environment"]["LINEAGE_DSN"].removeprefix("postgresql://").partition("@")[0]
    assert login == {"initialize": "lineage", "receiver": "ingest"}.get(name, "jobs")
    assert ("lineage_password" in SERVICES[name]["secrets"]) == (name == "initialize")
    assert f"{login}_password" in SERVICES[name]["secrets"]


def test_the_server_of_marquez_has_a_login_of_its_own() -> None:
    """Which the owner makes, in a part that ends before it starts."""
    assert {name: SERVICES[name].get("secrets", []) for name in OF_MARQUEZ} == {
        "marquez-login": ["lineage_password", "marquez_password"],
        "marquez": ["marquez_password"],
        "marquez-web": [],
    }
    assert SERVICES["marquez-login"]["environment"]["PGUSER"] == "lineage"
    assert SERVICES["marquez"]["depends_on"] == {"marquez-login": {"condition": "service_completed_successfully"}}
    settings = yaml.safe_load((PROJECT / "docker" / "marquez" / "marquez.yml").read_text())
    assert settings["db"]["user"] == "marquez"
    assert settings["migrateOnStartup"] is False


def test_the_pages_of_marquez_ask_its_server() -> None:
    web = SERVICES["marquez-web"]["environment"]
    settings = yaml.safe_load((PROJECT / "docker" / "marquez" / "marquez.yml").read_text())
    (connector,) = settings["server"]["applicationConnectors"]
    (admin,) = settings["server"]["adminConnectors"]
    assert (web["MARQUEZ_HOST"], web["MARQUEZ_PORT"]) == ("marquez", str(connector["port"]))
    assert f"/dev/tcp/127.0.0.1/{admin['port']}\n" in (PROJECT / "docker" / "marquez" / "health").read_text()


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
    assert list(published) == ["api-server", "receiver", "marquez-web"]
    assert all(port.startswith("127.0.0.1:") for ports in published.values() for port in ports)


DOCKERFILE = (PROJECT / "Dockerfile").read_text()
BUILD, IMAGE = DOCKERFILE.split("\nFROM ")[1:]
"""The stage that builds the wheel, and the one that installs it."""


PINNED = r"[a-z/-]+:(\d+\.\d+(?:\.\d+)?)[a-z-]*@sha256:[0-9a-f]{64}"
"""A version without a gap, which no later image takes over, and its bytes."""


def _version(of: str) -> str:
    """Of the image that a variable names by default."""
    found = re.search(rf"(?:\$\{{{of}:-|^ARG {of}=){PINNED}(?:\}}|$)", f"{COMPOSE_TEXT}\n{DOCKERFILE}", re.MULTILINE)
    assert found is not None, of
    return found[1]


def test_every_image_is_pinned_and_can_be_another() -> None:
    others = {service["image"] for service in SERVICES.values()} - {"lineage-core:local"}
    assert len(others) == 3
    assert all(re.fullmatch(rf"\$\{{[A-Z_]+_IMAGE:-{PINNED}\}}", image) for image in others)
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["${PYTHON_IMAGE}"] * 2
    assert COMPOSE["x-image"]["build"]["args"] == ["PYTHON_IMAGE"]


def test_the_images_are_of_the_releases_that_are_tested() -> None:
    assert int(_version("POSTGRES_IMAGE").partition(".")[0]) == VERSION
    assert f"/python{'.'.join(_version('PYTHON_IMAGE').split('.')[:2])}/site-packages" in DOCKERFILE
    assert _version("MARQUEZ_IMAGE") == _version("MARQUEZ_WEB_IMAGE") == "0.51.1"
    assert "Tried with Marquez 0.51.1" in (PROJECT / "docs" / "how-to" / "let-marquez-read-the-store.md").read_text()


def _copied(stage: str) -> list[str]:
    lines = re.findall(r"^COPY (?:--\S+ )*(.+) \S+$", stage, re.MULTILINE)
    return [path for line in lines for path in line.split()]


def test_the_wheel_of_the_image_is_built_of_all_that_belongs_to_it() -> None:
    wheel = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert set(_copied(BUILD)) == {"pyproject.toml", "LICENSE", *(path.split("/")[0] for path in wheel["only-include"])}


def test_the_image_has_the_wheel_and_nothing_of_the_checkout_that_it_holds() -> None:
    assert _copied(IMAGE) == ["requirements.txt", "/build/wheels", "docker/entrypoint"]
    assert {path for service in SERVICES.values() for path in _mounted(service)} == {
        "./docker/initialize-postgres",
        "./docker/marquez",
        OWN_DAGS,
    }


def _mounted(service: dict[str, Any]) -> set[str]:
    return {volume.rpartition(":/")[0] for volume in service.get("volumes", []) if volume.startswith((".", "/", "$"))}


def test_what_the_image_is_built_of_is_there_and_sent_to_the_builder() -> None:
    copied = [path for path in _copied(DOCKERFILE) if not path.startswith("/")]
    assert all((PROJECT / path).is_file() or any((PROJECT / path).iterdir()) for path in copied)
    wanted = (PROJECT / ".dockerignore").read_text().splitlines()
    assert all(f"!{path.partition('/')[0]}" in wanted for path in copied)
