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
import time
from dataclasses import dataclass, field
from functools import partial

from benchmarks import versions
from benchmarks.server import Server
from benchmarks.versions import empty_script, executable, path_of, ratio
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

    def median(self, name: str, unit: float = 1.0) -> float | None:
        """Return the median of one of the lists times a unit; None if nothing was measured."""
        return versions.median(unit * value for value in getattr(self, name))


#: The costs of a page by version: "page", "empty" and, with another version, "before".
Row = dict[str, Cost]


def measure(
    pages: list[str], newcomers: int, visits: int, starts: int, against: str | None = None
) -> dict[str, Row]:
    """Measure the first page of each address; return its costs by version."""
    with versions.started(partial(_empty_scripts, pages), against) as servers:
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


def _empty_scripts(pages: list[str], address: str) -> dict[str, str]:
    """Write the empty twin of each page as a newcomer sees it."""
    visitors = {page: asyncio.run(_first_page(address, path_of(page, "page"))) for page in pages}
    return {page: empty_script(visitor) for page, visitor in visitors.items()}


async def _come(rows: dict[str, Row], servers: dict[str, Server], newcomers: int) -> None:
    """Let newcomers open every version of every page in turns; the first one warms up."""
    for page, row in rows.items():
        for number in range(1 + newcomers):
            for version, server in servers.items():
                await asyncio.sleep(TIDYING)
                cpu = server.cpu
                visitor = await _first_page(server.url, path_of(page, version), TIDYING)
                if number:
                    cost = row[version]
                    cost.cpu.append(server.cpu - cpu)
                    cost.messages.append(visitor.messages)
                    cost.bytes.append(visitor.bytes)


def _visit_in_browser(rows: dict[str, Row], servers: dict[str, Server], visits: int) -> None:
    """Open every version of every page in Chromium, twice with one cache."""
    with versions.chromium() as browser:
        for page, row in rows.items():
            for _ in range(visits):
                for version, server in servers.items():
                    kind = "empty" if version == "empty" else page
                    probe = PROBE % MESSAGES.get(kind, LESSON_MESSAGE)
                    window = browser.new_context(viewport={"width": 1280, "height": 720})
                    window.add_init_script(probe)
                    address = f"{server.url}/{path_of(page, version)}"
                    for times in (row[version].cold, row[version].warm):
                        tab = window.new_page()
                        tab.goto(address)
                        tab.wait_for_function("window.drawn", timeout=60_000)
                        times.append(tab.evaluate("window.drawn"))
                        tab.close()
                    window.close()


def _start(server: Server, path: str, cost: Cost) -> None:
    """Start a process, open one page of it, and end it."""
    begin = time.monotonic()
    with server:
        asyncio.run(_first_page(server.url, path))
        cost.start.append(time.monotonic() - begin)
        cost.start_cpu.append(server.cpu)


async def _first_page(address: str, path: str, stay: float = 0.0) -> Visitor:
    """Open a page, stay for some seconds, and return the visitor, who has left."""
    async with Visitor(address, path) as visitor:
        await visitor.run()
        await asyncio.sleep(stay)
    return visitor


def table(rows: dict[str, Row]) -> str:
    """Write the rows as a table."""
    heads = ["CPU ms", "÷ empty", "÷ before", "messages", "kB"]
    heads += ["cold ms", "÷ empty", "÷ before", "warm ms", "÷ empty"]
    heads += ["s", "÷ before", "CPU s", "÷ before"]
    lines = [
        f"{'':<20}{'a newcomer to the server':^45}{'Chromium, address to message':^45}{'start to first page':^36}",
        versions.head("page", 20, heads),
    ]
    for page, row in rows.items():
        here = row["page"]
        cells = _against(row, "cpu", 1, 1e3)
        cells += [(here.median("messages"), 0), (here.median("bytes", 1e-3), 1)]
        cells += [*_against(row, "cold", 0), *_against(row, "warm", 0)[:2]]
        for name in ("start", "start_cpu"):
            seconds, _, before = _against(row, name, 2)
            cells += [seconds, before]
        lines.append(versions.row(page, 20, cells))
    return "\n".join(lines)


def _against(row: Row, name: str, digits: int, unit: float = 1.0) -> list[tuple[float | None, int]]:
    """Return a median and its ratios to the empty page and the other version, with their digits."""
    medians = {version: cost.median(name, unit) for version, cost in row.items()}
    here = medians["page"]
    ratios = [(ratio(here, medians.get(version)), 2) for version in ("empty", "before")]
    return [(here, digits), *ratios]
