"""A real server and a real Chromium for the browser tests."""

import os
import shutil
from pathlib import Path

import pytest
from browsing import DESK, forget, locked, settle
from playwright.sync_api import expect

#: A busy machine is slow, not wrong: what takes a moment here may take a minute there [ms].
PATIENCE = 90_000
expect.set_options(timeout=PATIENCE)

#: Offline and root-safe: no calls home, no sandbox that a container forbids.
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items):
    """Browser tests start a server and a browser: all of them are slow, and each may fail once
    (docs/decisions.md).
    """
    for item in items:
        if "browser" in Path(str(item.fspath)).parts:
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.flaky(reruns=1))


def chromium() -> str | None:
    """Path of an installed Chromium or Chrome."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    path = chromium()
    if path is None:
        pytest.skip(
            "no Chromium here: install the system's package `chromium`, or set CHROMIUM to its path"
        )
    return browser_type_launch_args | {"executable_path": path, "args": ARGS}


@pytest.fixture(scope="session")
def browser(browser):
    """The browser, patient in every window."""
    new_context = browser.new_context

    def patient(**options):
        context = new_context(**options)
        context.set_default_timeout(PATIENCE)
        return context

    browser.new_context = patient
    return browser


@pytest.fixture(scope="session")
def window(browser):
    """One window for all tests that need no other: what it has loaded is not loaded again."""
    context = browser.new_context(**DESK)
    yield context
    context.close()


@pytest.fixture
def context(window, server):
    """The window of all tests without its pages and without what it has kept."""
    for page in window.pages:
        page.close()
    blank = window.new_page()
    forget(blank, server)
    blank.close()
    return window


@pytest.fixture
def comes(browser, server):
    """Open a page as somebody with a browser of their own, or beside the page of somebody who is
    here.

    With a lesson it is that lesson's, whose prediction this browser has locked, and the address is
    its query; `reflected` answers its second question and its parts' guesses, too.
    """
    contexts = []

    def go(address: str = "", window: dict = DESK, lesson=None, beside=None, reflected=False):
        if not beside:
            contexts.append(browser.new_context(**window))
        if beside:
            context = beside.context
        else:
            context = contexts[-1]
        if lesson:
            locked(context, lesson, reflected)
        page = context.new_page()
        page.goto(f"{server.url}/{lesson.page if lesson else ''}{address}")
        settle(page)
        return page

    yield go
    for context in contexts:
        context.close()


@pytest.fixture
def open_at(page, server):
    """Open an address of the app in a new page and wait until it has been drawn."""

    def go(path: str):
        page.goto(f"{server.url}/{path}")
        settle(page)
        return page

    return go
