"""Chromium without a window, started the same way by every test that needs a browser."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",  # nothing on a page has to be waited for
)
NAMES = ("chromium", "chromium-browser")


def found(*names: str) -> str | None:
    """The first of some programs that is installed."""
    return next(filter(None, map(shutil.which, names)), None)


def missing() -> str:
    """What a browser test lacks on this machine, nothing when all is there."""
    if found(*NAMES) is None:
        return "Chromium is not installed"
    return "" if found("chromedriver") else "Chromium's driver is not installed"


def program() -> str:
    """Where Chromium is; skips the test where it is not installed."""
    path = found(*NAMES)
    if path is None:
        pytest.skip("Chromium is not installed")
    return path


@contextmanager
def chromium(
    profile: Path, language: str = "en", traffic: bool = False
) -> Iterator[webdriver.Chrome]:
    """A browser with a fresh profile; `traffic`: what it sends and receives is logged."""
    options = webdriver.ChromeOptions()
    options.binary_location = program()
    for flag in (*FLAGS, f"--user-data-dir={profile}", f"--lang={language}"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    logs = {"browser": "ALL", **({"performance": "ALL"} if traffic else {})}
    options.set_capability("goog:loggingPrefs", logs)
    driver = webdriver.Chrome(options, Service(found("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()
