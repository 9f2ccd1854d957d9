"""Measure the cost of the first page that a visitor opens: `python -m benchmarks.pages --first`.

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
from collections.abc import Iterator

from benchmarks import versions
from benchmarks.server import Server
from benchmarks.versions import Costs, Row, compared, executable, path_of
from benchmarks.visitor import Visitor, opened

#: Home, three lessons, and the address that people type in a class.
PAGES = ("app", "utilization_trap", "scheduling_policy", "autoscaling", "class")
#: A server that has drawn a page still tidies up [s].
TIDYING = 0.02
#: What a visitor waits for, as a selector of the browser, by path; then of the empty twins, and of
#: the lessons.
MESSAGES = {
    "": "[data-testid=stMain] h2",
    "class": "[data-testid=stMain] h1",
}
EMPTY_MESSAGE = "[data-testid=stMetricValue]"
LESSON_MESSAGE = "[data-testid=stMain] blockquote"
HEADS = ["CPU ms", "÷ empty", "÷ before", "messages", "kB"]
HEADS += ["cold ms", "÷ empty", "÷ before", "warm ms", "÷ empty"]
HEADS += ["s", "÷ before", "CPU s", "÷ before"]
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


def measure(
    pages: list[str], newcomers: int, visits: int, starts: int, against: str | None = None
) -> dict[str, Row]:
    """Measure the cost of each page for new visitors, by page and version of the app.

    Of each newcomer `cpu` [s of the server], `messages` and `bytes`; to the message in Chromium
    `cold` and `warm` [ms]; from the process's start to the page `start` and `start_cpu` [s].
    """
    with versions.started(pages, against) as servers:
        rows = versions.unmeasured(pages, servers)
        asyncio.run(_come(rows, servers, newcomers))
        if visits and executable():
            _visit_in_browser(rows, servers, visits)
        for server in servers.values():
            server.stop()
        for _, server, path, costs in _turns(rows, servers, starts):
            _start(server, path, costs)
    return rows


def _turns(
    rows: dict[str, Row], servers: dict[str, Server], rounds: int
) -> Iterator[tuple[int, Server, str, Costs]]:
    """Yield each version of each page in turns: the round, its server, path and costs."""
    for page, row in rows.items():
        for number in range(rounds):
            for version, server in servers.items():
                yield number, server, path_of(page, version), row[version]


async def _come(rows: dict[str, Row], servers: dict[str, Server], newcomers: int) -> None:
    """Let newcomers open every version of every page in turns; the first one warms up."""
    for number, server, path, costs in _turns(rows, servers, 1 + newcomers):
        await asyncio.sleep(TIDYING)
        cpu = server.cpu
        visitor = await _first_page(server.url, path, TIDYING)
        if number:
            costs["cpu"].append(server.cpu - cpu)
            costs["messages"].append(visitor.messages)
            costs["bytes"].append(visitor.bytes)


def _visit_in_browser(rows: dict[str, Row], servers: dict[str, Server], visits: int) -> None:
    """Open every version of every page in Chromium, twice with one cache."""
    with versions.chromium() as window:
        for _, server, path, costs in _turns(rows, servers, visits):
            message = MESSAGES.get(path, LESSON_MESSAGE)
            if server is servers["empty"]:
                message = EMPTY_MESSAGE
            cache = window(PROBE % message)
            for name in ("cold", "warm"):
                tab = cache.new_page()
                tab.goto(f"{server.url}/{path}")
                tab.wait_for_function("window.drawn", timeout=60_000)
                costs[name].append(tab.evaluate("window.drawn"))
                tab.close()
            cache.close()


def _start(server: Server, path: str, costs: Costs) -> None:
    """Start a process, open one page of it, and end it."""
    start = time.monotonic()
    with server:
        asyncio.run(_first_page(server.url, path))
        costs["start"].append(time.monotonic() - start)
        costs["start_cpu"].append(server.cpu)


async def _first_page(address: str, path: str, stay: float = 0.0) -> Visitor:
    """Open a page, stay for some seconds, and return the visitor, who has left."""
    async with opened(address, path) as visitor:
        await asyncio.sleep(stay)
    return visitor


def table(rows: dict[str, Row]) -> str:
    """Write the rows as a table."""
    cells = {}
    for page, row in rows.items():
        numbers = compared(row, "cpu", 1, 1e-3)
        numbers += [compared(row, "messages", 0)[0], compared(row, "bytes", 1, 1e3)[0]]
        numbers += [*compared(row, "cold", 0), *compared(row, "warm", 0)[:2]]
        for name in ("start", "start_cpu"):
            seconds, _, before = compared(row, name, 2)
            numbers += [seconds, before]
        cells[page] = numbers
    over = f"{'':<20}{'a newcomer to the server':^45}{'Chromium, address to message':^45}"
    return versions.table(f"{over}{'start to first page':^36}", 20, HEADS, cells)
