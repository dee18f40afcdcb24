"""One server and one Chromium for the tests of the page that need nothing special."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import chromium, missing
from selenium.webdriver import Chrome

sys.path.insert(0, str(Path(__file__).parent.parent / "server"))

from serving import Process, free_port, spawn
from table import Table


@pytest.fixture(scope="session", autouse=True)
def _needs_chromium() -> None:
    if reason := missing():
        pytest.skip(reason)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """`solwaris serve` with the built-in opponents."""
    folder = tmp_path_factory.mktemp("server")
    process = spawn(folder / "duels.sqlite", free_port(), folder / "log")
    yield process
    process.kill()


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """A browser for all tests of a worker."""
    with chromium(tmp_path_factory.mktemp("profile"), traffic=True) as running:
        yield running


@pytest.fixture
def table(server: Process, driver: Chrome) -> Iterator[Table]:
    """The page as a newcomer finds it; at the end nothing may have gone wrong in it."""
    table = Table(driver, server.address)
    table.clear()
    yield table
    table.leave()
    assert table.faults() == []
