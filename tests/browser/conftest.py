"""A real server and a real Chromium for the browser tests."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from browsing import settle
from playwright.sync_api import expect

#: A busy machine is slow, not wrong.
expect.set_options(timeout=20_000)

ROOT = Path(__file__).resolve().parent.parent.parent
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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Browser tests start a server and a browser: all of them are slow, and one worker runs them."""
    for item in items:
        if "browser" in Path(str(item.fspath)).parts:
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.xdist_group("browser"))


def chromium() -> str | None:
    """Path of an installed Chromium or Chrome."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    path = chromium()
    if path is None:
        pytest.skip("no Chromium here: install the system's package `chromium`, or set CHROMIUM to its path")
    return browser_type_launch_args | {"executable_path": path, "args": ARGS}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A Streamlit server on the loopback that can be stopped and started again on the same port."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
        address = ["--server.address", "127.0.0.1", "--server.port", str(self.port), "--server.fileWatcherType", "none"]
        self.process = subprocess.Popen(
            command + address, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2):
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the server did not start within 60 s")

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(timeout=20)
            self.process = None


@pytest.fixture(scope="session")
def server():
    """One server for all browser tests."""
    running = Server()
    running.start()
    yield running
    running.stop()


@pytest.fixture
def open_at(page, server):
    """Open an address of the app in a new window and wait until it has been drawn."""

    def go(path: str):
        page.goto(f"{server.url}/{path}")
        settle(page)
        return page

    return go
