"""What a first page costs: `python -m benchmarks.pages --first`.

Newcomers without a browser come one after the other, each to a page of their own: processor time of
the server, messages and bytes. In Chromium, from the address to the drawn message, with an empty
cache and with what the first visit has left in it. And from the start of the process, which nobody
has visited yet. Beside the page stand an empty one with the same widgets and, with `--against REV`,
another version of the app; they take turns in one run, so that a busy machine slows all of them.

Aims: a lesson at most twice the empty page's processor time, home at most three times and 60
messages; 1.2 s from the start of the process.
"""

import asyncio
import statistics
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.server import Server
from benchmarks.versions import ARGS, checkout, empty_script, executable, path_of, ratio, twins
from benchmarks.visitor import Visitor

#: Home, three lessons, and the address that people type in a class.
PAGES = ("app", "utilization_trap", "scheduling_policy", "autoscaling", "class")
#: A server that has drawn a page still tidies up [s].
TIDYING = 0.02
#: What a visitor waits for, as a selector of the browser; other pages are there with their title.
MESSAGES = {
    "app": "[data-testid=stMain] h2",
    "class": "[data-testid=stMain] h1",
    "empty": "[data-testid=stMetricValue]",
}
LESSON_MESSAGE = "[data-testid=stMain] blockquote"
#: Notes in the page when the message was drawn [ms after the address was opened].
PROBE = """
(() => {
  const look = () => {
    if (document.querySelector(%r)) requestAnimationFrame(() => window.drawn = performance.now())
    else requestAnimationFrame(look)
  }
  look()
})()
"""


@dataclass
class Cost:
    """What each newcomer to one version of a page has cost."""

    cpu: list[float] = field(default_factory=list)  #: processor time of the server [s]
    messages: list[float] = field(default_factory=list)
    bytes: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)  #: to the message, with an empty cache [ms]
    warm: list[float] = field(default_factory=list)  #: the same at the second visit [ms]
    start: list[float] = field(default_factory=list)  #: from the process's start to the page [s]
    start_cpu: list[float] = field(default_factory=list)  #: processor time until then [s]

    def median(self, name: str) -> float | None:
        """Return the median of one of the lists; None if nothing was measured."""
        values = getattr(self, name)
        if values:
            return statistics.median(values)
        return None


#: The costs of a page by version: "page", "empty" and, with another version, "before".
Row = dict[str, Cost]


def measure(
    pages: list[str], newcomers: int, visits: int, starts: int, against: str | None = None
) -> dict[str, Row]:
    """Measure the first page of each address; return its costs by version."""
    with ExitStack() as stack:
        here = stack.enter_context(Server())
        scripts = asyncio.run(_empty_scripts(here.url, pages))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = {"page": here, "empty": Server(folder=twins(scripts, folder / "empty"))}
        if against:
            servers["before"] = Server(folder=checkout(against, folder / "before"))
        for version in servers.keys() - {"page"}:
            stack.enter_context(servers[version])
        rows = {page: {version: Cost() for version in servers} for page in pages}
        asyncio.run(_come(rows, servers, newcomers))
        if visits and executable():
            _visit_in_browser(rows, servers, visits)
        for server in servers.values():
            server.stop()
        for page, row in rows.items():
            for _ in range(starts):
                for version, server in servers.items():
                    _start(server, path_of(page, version), row[version])
    return rows


async def _empty_scripts(address: str, pages: list[str]) -> dict[str, str]:
    """Write the empty twin of each page as a newcomer sees it."""
    scripts = {}
    for page in pages:
        async with Visitor(address, path_of(page, "page")) as visitor:
            await visitor.run()
            scripts[page] = empty_script(visitor)
    return scripts


async def _come(rows: dict[str, Row], servers: dict[str, Server], newcomers: int) -> None:
    """Let newcomers open every version of every page in turns; the first one warms up."""
    for page, row in rows.items():
        for number in range(1 + newcomers):
            for version, server in servers.items():
                await asyncio.sleep(TIDYING)
                cpu = server.cpu
                async with Visitor(server.url, path_of(page, version)) as visitor:
                    await visitor.run()
                    await asyncio.sleep(TIDYING)
                if number:
                    cost = row[version]
                    cost.cpu.append(server.cpu - cpu)
                    cost.messages.append(visitor.messages)
                    cost.bytes.append(visitor.bytes)


def _visit_in_browser(rows: dict[str, Row], servers: dict[str, Server], visits: int) -> None:
    """Open every version of every page in Chromium, twice with one cache."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=executable(), args=ARGS)
        for page, row in rows.items():
            for _ in range(visits):
                for version, server in servers.items():
                    kind = "empty" if version == "empty" else page
                    probe = PROBE % MESSAGES.get(kind, LESSON_MESSAGE)
                    window = running.new_context(viewport={"width": 1280, "height": 720})
                    window.add_init_script(probe)
                    address = f"{server.url}/{path_of(page, version)}"
                    for times in (row[version].cold, row[version].warm):
                        tab = window.new_page()
                        tab.goto(address)
                        tab.wait_for_function("window.drawn", timeout=60_000)
                        times.append(tab.evaluate("window.drawn"))
                        tab.close()
                    window.close()
        running.close()


def _start(server: Server, path: str, cost: Cost) -> None:
    """Start a process, open one page of it, and end it."""
    begin = time.monotonic()
    with server:
        asyncio.run(_first_page(server.url, path))
        cost.start.append(time.monotonic() - begin)
        cost.start_cpu.append(server.cpu)


async def _first_page(address: str, path: str) -> None:
    async with Visitor(address, path) as visitor:
        await visitor.run()


def table(rows: dict[str, Row]) -> str:
    """Write the rows as a table."""
    heads = ["CPU ms", "÷ empty", "÷ before", "messages", "kB"]
    heads += ["cold ms", "÷ empty", "÷ before", "warm ms", "÷ empty"]
    heads += ["s", "÷ before", "CPU s", "÷ before"]
    lines = [
        f"{'':<20}{'a newcomer to the server':^45}{'Chromium, address to message':^45}"
        f"{'start to first page':^36}",
        f"{'page':<20}" + "".join(f"{head:>9}" for head in heads),
    ]
    for page, row in rows.items():
        cells = [*_against(row, "cpu", 1e3, 1), (row["page"].median("messages"), 1, 0)]
        cells += [(row["page"].median("bytes"), 1e-3, 1)]
        cells += [*_against(row, "cold", 1, 0), *_against(row, "warm", 1, 0)[:2]]
        for name in ("start", "start_cpu"):
            seconds, _, before = _against(row, name, 1, 2)
            cells += [seconds, before]
        texts = ["–" if value is None else f"{value * unit:.{d}f}" for value, unit, d in cells]
        lines.append(f"{page:<20}" + "".join(f"{text:>9}" for text in texts))
    return "\n".join(lines)


def _against(
    row: Row, name: str, unit: float, digits: int
) -> list[tuple[float | None, float, int]]:
    """Return a median with its unit and digits, and its ratios to the empty page and the other
    version.
    """
    medians = {version: cost.median(name) for version, cost in row.items()}
    here = medians["page"]
    ratios = [ratio(here, medians.get(version)) for version in ("empty", "before")]
    return [(here, unit, digits), *((value, 1, 2) for value in ratios)]
