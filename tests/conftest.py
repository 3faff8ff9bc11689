"""Fixtures of all tests: a real Postgres of the asked version, and a fresh, upgraded database in it."""

from __future__ import annotations

import logging
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from lineage_core import interrupts
from lineage_core.local import postgres
from lineage_core.local.postgres import Server
from lineage_core.local.postgres_cluster import SUPERUSER
from lineage_core.postgres.store import Store
from tests.support.examples import Draw
from tests.support.servers import Databases, databases_of, other_locales, reachable_folder

TEMPLATE = "lineage_template"

# A change is judged by the same examples each time, so more of them would only find again what they found before;
# `--hypothesis-profile explore` draws new ones, and `--draw` for laws over sets of events. `unshrunk` is for mutants:
# it is enough to know that a law fails. None has a deadline: an example that waits for a busy machine fails no test.
settings.register_profile(
    "same", derandomize=True, deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("unshrunk", derandomize=True, deadline=None, phases=[Phase.explicit, Phase.generate])
settings.register_profile("explore", derandomize=False, deadline=None, max_examples=400)
settings.load_profile("same")

# Hypothesis draws constants that it finds in the modules that are imported, and those are others in each test process:
# an example would depend on which tests ran before, and on every number and text in the product.
NO_CONSTANTS = Constants()
pytest.MonkeyPatch().setattr(providers, "_get_local_constants", lambda: NO_CONSTANTS)

# A crash of the machine may cost a test its database; fsync would only cost time.
FOR_TESTS = """
ALTER SYSTEM SET fsync = off;
ALTER SYSTEM SET full_page_writes = off;
ALTER SYSTEM SET shared_buffers = '128MB';
ALTER SYSTEM SET max_wal_size = '512MB';
SELECT pg_reload_conf();
"""

# Passwords are well hidden by 4,096 rounds of a hash, which cost a twentieth of the time of the tests that connect.
FEW_ROUNDS = "ALTER SYSTEM SET scram_iterations = 1; SELECT pg_reload_conf();"
KNOWS_ROUNDS = 16


def pytest_configure(config: pytest.Config) -> None:
    """Let no test see the lineage store, or write the Airflow folder, of whoever runs it."""
    Draw.number = config.getoption("--draw")
    environment = pytest.MonkeyPatch()
    config.add_cleanup(environment.undo)
    for name in (
        "LINEAGE_DSN",
        "LINEAGE_INGEST_DSN",
        "LINEAGE_HOME",
        "LINEAGE_SPOOL",
        "LINEAGE_STREAMS_URL",
        "LINEAGE_STORES",
        "LINEAGE_STORE",
        "PGPASSFILE",
        "PGSERVICEFILE",
        "PYTHONPATH",
    ):
        environment.delenv(name, raising=False)
    airflow_home = tempfile.mkdtemp(prefix="lineage-airflow-")
    config.add_cleanup(lambda: shutil.rmtree(airflow_home))
    environment.setenv("AIRFLOW_HOME", airflow_home)
    environment.setenv("AIRFLOW__CORE__LOAD_EXAMPLES", "False")
    environment.setenv("AIRFLOW__OPENLINEAGE__DISABLED", "True")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--postgres",
        type=int,
        default=postgres.VERSION,
        help="PostgreSQL version to test on: 18 or 16 (embedded), or one that Debian installed, such as 15",
    )
    parser.addoption("--draw", type=int, default=0, help="a number: laws draw other examples, others for each number")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Laws first: each may take minutes, and as the last test of all it would leave the other processes idle."""
    items.sort(key=lambda item: item.path.parent.name != "laws")


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """A command that a test runs in its own process expects that to end, and leaves signals ignored."""
    before = {number: signal.getsignal(number) for number in interrupts.SIGNALS}
    yield
    interrupts._current = interrupts.Interruption()
    logging.disable(logging.NOTSET)
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="session")
def postgres_server(pytestconfig: pytest.Config) -> Iterator[Server]:
    """A server of its own for each session, so that parallel sessions do not share roles."""
    version: int = pytestconfig.getoption("--postgres")
    home = reachable_folder()
    server = postgres.start(home, version)
    server.run_sql(FOR_TESTS)
    if version >= KNOWS_ROUNDS:
        server.run_sql(FEW_ROUNDS)
        for role in (SUPERUSER, postgres.ROLE):
            server.ensure_role(role)
    yield server
    postgres.stop_server(home, version)
    shutil.rmtree(home)


@pytest.fixture(scope="session")
def _template(postgres_server: Server) -> str:
    """A database that was upgraded once; each test gets a copy."""
    from lineage_core.operate.whole_store import upgrade

    postgres_server.ensure_database(TEMPLATE, postgres.ROLE)
    upgrade(Store(postgres_server.dsn(database=TEMPLATE)))
    return TEMPLATE


@pytest.fixture(scope="session")
def databases(postgres_server: Server) -> Iterator[Databases]:
    with databases_of(postgres_server) as made:
        yield made


@pytest.fixture(scope="session")
def _template_with_old_mapping(postgres_server: Server) -> str:
    from lineage_core.operate.whole_store import upgrade

    name = f"{TEMPLATE}_old"
    postgres_server.ensure_database(name, postgres.ROLE)
    upgrade(Store(postgres_server.dsn(database=name)), with_old_mapping=True)
    return name


@pytest.fixture
def database(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Store]:
    """The store in a fresh database, as `lineage db upgrade` makes it, for its owner; with the old mapping, for tests
    that are marked `old_mapping`."""
    has_old_mapping = request.node.get_closest_marker("old_mapping") is not None
    with databases.copied(
        request.getfixturevalue("_template_with_old_mapping" if has_old_mapping else "_template")
    ) as store:
        yield store


@pytest.fixture(scope="session")
def _localized_templates(postgres_server: Server) -> dict[str, str]:
    """As the template, of databases in other locales that the server has; every other one with the old mapping."""
    from lineage_core.operate.whole_store import upgrade

    names: dict[str, str] = {}
    for locale, options in other_locales(postgres_server).items():
        names[locale] = f"{TEMPLATE}_{len(names) + 1}"
        postgres_server.run_sql(
            f"CREATE DATABASE {names[locale]} OWNER {postgres.ROLE} TEMPLATE template0 ENCODING 'UTF8' {options};"
        )
        upgrade(Store(postgres_server.dsn(database=names[locale])), with_old_mapping=len(names) % 2 == 1)
    return names


@pytest.fixture
def localized_databases(databases: Databases, _localized_templates: dict[str, str]) -> Iterator[dict[str, Store]]:
    """By locale, the store in a fresh database in which texts sort, or change their case, in another way than by bytes.

    Empty if the server can do none: the embedded builds are without ICU, and before 18 without another provider.
    """
    with ExitStack() as stack:
        yield {
            locale: stack.enter_context(databases.copied(template)) for locale, template in _localized_templates.items()
        }


@pytest.fixture
def empty_database(databases: Databases) -> Iterator[Store]:
    """As a store, a database without anything, for its owner."""
    with databases.copied("template1") as store:
        yield store
