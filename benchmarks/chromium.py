"""From a slider key to the new metric and to the new chart, in Chromium on a real server."""

import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: Notes in the page when an arrow key was pressed, when a metric's text changed and when a chart was last painted.
PROBE = """
(() => {
  const probe = window.probe = {key: 0, metric: 0, chart: 0, before: ""};
  const words = () => [...document.querySelectorAll('[data-testid=stMetricValue]')].map(n => n.textContent).join('|');
  document.addEventListener('keydown', event => {
    if (event.key.startsWith('Arrow')) {
      Object.assign(probe, {key: performance.now(), metric: 0, chart: 0, before: words()});
    }
  }, true);
  new MutationObserver(changes => {
    if (probe.key && !probe.metric && words() !== probe.before) probe.metric = performance.now();
    if (changes.some(c => c.target.closest && c.target.closest('[data-testid=stVegaLiteChart] svg'))) {
      probe.chart = performance.now();
    }
  }).observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
  const clear = CanvasRenderingContext2D.prototype.clearRect;
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    if (this.canvas.closest && this.canvas.closest('[data-testid=stVegaLiteChart]')) probe.chart = performance.now();
    return clear.apply(this, box);
  };
})();
"""
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


def missing() -> str | None:
    """Say what is not installed, or None if a browser can be driven."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "Playwright is not installed: pip install -r requirements-dev.txt"
    return None if executable() else "no Chromium here: install the system's package chromium, or set CHROMIUM"


def executable() -> str | None:
    """Path of an installed Chromium or Chrome."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Run Streamlit on the app.py of a folder, and give its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = {"headless": "true", "address": "127.0.0.1", "port": str(port), "fileWatcherType": "none"}
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    command += [part for name, value in options.items() for part in (f"--server.{name}", value)]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


@contextmanager
def browser() -> Iterator[object]:
    """Run Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=executable(), args=ARGS)
        yield running
        running.close()


def open_tab(running, address: str, answer: int | None = None):
    """Open an address in a window of its own; with an answer, choose that option and lock it in."""
    tab = running.new_context(viewport={"width": 1280, "height": 720}).new_page()
    tab.add_init_script(PROBE)
    tab.goto(address)
    wait_until_quiet(tab)
    if answer is not None:
        tab.get_by_test_id("stMain").get_by_role("radio").nth(answer).check(force=True)
        wait_until_quiet(tab)
        tab.get_by_role("button", name="Lock in my prediction").click()
        wait_until_quiet(tab)
    return tab


def wait_until_quiet(tab) -> None:
    """Wait until the script has run to its end and nothing has moved for 250 ms."""
    tab.wait_for_selector('[data-testid=stApp][data-test-script-state="notRunning"]', timeout=60_000)
    tab.wait_for_timeout(250)
    tab.wait_for_selector('[data-testid=stApp][data-test-script-state="notRunning"]', timeout=60_000)


def press(tab, label: str, key: str) -> tuple[float | None, float | None]:
    """Press an arrow key on a slider; milliseconds to the new metric and to the last paint of a chart."""
    tab.locator(f"input[aria-label={json.dumps(label)}]").press(key)
    tab.wait_for_timeout(400)
    wait_until_quiet(tab)
    found = tab.evaluate("window.probe")
    return tuple(found[name] - found["key"] if found[name] else None for name in ("metric", "chart"))


def medians(tabs: list[tuple[object, str]], rounds: int) -> list[tuple[float | None, float | None]]:
    """Milliseconds to metric and chart of each tab, pressed in turns so that a busy machine slows all of them."""
    found: list[list[tuple[float | None, float | None]]] = [[] for _ in tabs]
    for turn in range(1 + rounds):
        for (tab, label), times in zip(tabs, found, strict=True):
            one = press(tab, label, "ArrowLeft" if turn % 2 else "ArrowRight")
            if turn:
                times.append(one)
    return [(_median([t[0] for t in times]), _median([t[1] for t in times])) for times in found]


def _median(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None
