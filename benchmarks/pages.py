"""What a turn of a knob costs, beside an empty page with the same widgets: `python -m
benchmarks.pages`; with `--first`, what a newcomer's first page costs (`benchmarks.first`).

A visitor without a browser turns a knob on a real server: processor time of the server, messages
and bytes a turn, and so how many visitors with a knob every two seconds fill a core. In Chromium,
from the key press on a slider to the new metric and to the last paint of the chart. Beside it an
empty page with the same widgets and, with `--against REV`, another version of the app. They take
turns in one run, so that a busy machine slows all of them; the table quotes medians and ratios.

Aims: processor time at most 1.5 times that of the empty page; in Chromium the metric within 1.3
times the empty page, the chart within 100 ms.
"""

import argparse
import asyncio
import itertools
import json
import logging
import os
import platform
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from benchmarks import first
from benchmarks.server import ROOT, Server
from benchmarks.versions import (
    ARGS,
    checkout,
    empty_script,
    executable,
    names,
    path_of,
    ratio,
    twins,
)
from benchmarks.visitor import Visitor, sliders, unlock
from lessons import LESSONS as COURSE
from ui.base.lesson import Lesson

#: Seconds between two turns of one visitor.
THINK = 2.0
#: Turns up and then down again; the first time round fills caches, so that what is measured is the
#: page.
WALK = 4
#: Turns between two looks at the clock.
BLOCK = WALK * 2
#: A server that has drawn a page still tidies up [s].
TIDYING = 0.02
#: Milliseconds from a key to the metric and to the chart; None if it did not change.
Times = tuple[float | None, float | None]

#: Notes in the page when an arrow key was pressed, when a metric's text changed and when a chart
#: was last painted.
PROBE = Path(__file__).with_name("probe.js")


@dataclass(frozen=True)
class Turn:
    """The means of a block of turns, or their medians."""

    cpu: float  #: processor time of the server [s]
    messages: float
    bytes: float


@dataclass
class Player:
    """A visitor with one knob in hand; without one a turn is a plain run of the page."""

    visitor: Visitor
    server: Server
    key: str | None
    values: Iterator[float]
    blocks: list[Turn] = field(default_factory=list)

    async def block(self) -> Turn:
        """Turn the knob up and down again."""
        visitor = self.visitor
        await asyncio.sleep(TIDYING)
        before = self.server.cpu, visitor.messages, visitor.bytes
        for _ in range(BLOCK):
            await (visitor.set(self.key, next(self.values)) if self.key else visitor.run())
        await asyncio.sleep(TIDYING)
        after = self.server.cpu, visitor.messages, visitor.bytes
        return Turn(*((now - then) / BLOCK for now, then in zip(after, before, strict=True)))


@dataclass
class Row:
    """One page: a turn of each version of it, and Chromium's milliseconds to the metric and to the
    chart.
    """

    page: str
    turns: dict[str, Turn]  #: "page", "empty" and, with another version of the app, "before"
    times: dict[str, Times] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """How a page is played: the key and label of its knob, and the script of its empty twin."""

    page: str
    lesson: Lesson | None
    key: str | None
    label: str | None
    empty: str


def measure(pages: list[str], rounds: int, keys: int, against: str | None = None) -> list[Row]:
    """Measure pages on a real server and, with keys > 0 and a browser, in Chromium."""
    with ExitStack() as stack:
        servers = {"page": stack.enter_context(Server())}
        plans = asyncio.run(_plans(servers["page"].url, pages))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        made = {"empty": twins({plan.page: plan.empty for plan in plans}, folder / "empty")}
        if against:
            made["before"] = checkout(against, folder / "before")
        servers |= {
            version: stack.enter_context(Server(folder=one)) for version, one in made.items()
        }
        rows = asyncio.run(_turns(plans, servers, rounds))
        if keys and executable():
            for row, plan in zip(rows, plans, strict=True):
                if plan.label:
                    row.times = _in_browser(plan, servers, keys)
    return rows


async def _plans(address: str, pages: list[str]) -> list[Plan]:
    by_page = {lesson.page: lesson for lesson in COURSE}
    found = []
    for page in pages:
        async with Visitor(address, "" if page == "app" else page) as visitor:
            await _open(visitor, by_page.get(page))
            key = await moving_slider(visitor)
            if key:
                label = visitor.widget(key)[1].label
            else:
                label = None
            found.append(Plan(page, by_page.get(page), key, label, empty_script(visitor)))
    return found


async def _open(visitor: Visitor, lesson: Lesson | None) -> None:
    await visitor.run()
    if lesson is not None:
        await unlock(visitor, lesson)


def walk(visitor: Visitor, key: str) -> Iterator[float]:
    """Yield the slider's next values, a few steps one way and back, without end; the way is the one
    with more room.
    """
    slider = visitor.widget(key)[1]
    start = slider.default[0]
    step = slider.step
    above, below = (int((abs(end - start) + 1e-9) / step) for end in (slider.max, slider.min))
    steps = min(WALK, max(above, below))
    if not (above >= min(WALK, below)):
        step = -step
    yield from itertools.cycle(
        [start + step * n for n in [*range(1, steps + 1), *range(steps - 1, -1, -1)]]
    )


async def moving_slider(visitor: Visitor) -> str | None:
    """Return the key of the first slider whose next value changes a metric, else a chart; None if
    there is none.
    """
    drawn = None
    for key in sliders(visitor):
        start = visitor.widget(key)[1].default[0]
        before = (visitor.metrics(), visitor.charts())
        await visitor.set(key, next(walk(visitor, key)))
        after = visitor.metrics(), visitor.charts()
        await visitor.set(key, start)
        if before[0] and after[0] != before[0]:
            return key
        if after[1] != before[1]:
            drawn = drawn or key
    return drawn


async def _turns(plans: list[Plan], servers: dict[str, Server], rounds: int) -> list[Row]:
    """Play every version of every page in turns, and take medians."""
    rows = []
    for plan in plans:
        async with AsyncExitStack() as stack:
            players = {}
            for version, server in servers.items():
                visitor = await stack.enter_async_context(
                    Visitor(server.url, path_of(plan.page, version))
                )
                if version == "empty" and plan.key:
                    key = f"slider_{plan.key}"
                else:
                    key = plan.key
                with suppress(
                    *([KeyError] if version == "before" else [])
                ):  # it may lack the page or the knob
                    await _open(visitor, None if version == "empty" else plan.lesson)
                    if key and visitor.widget(key):
                        values = walk(visitor, key)
                    else:
                        values = iter(())
                    players[version] = Player(visitor, server, key, values)
            for turn in range(1 + rounds):
                for player in players.values():
                    found = await player.block()
                    # once round to warm up
                    if turn:
                        player.blocks += [found]
            measured = {
                name: Turn(
                    *(
                        statistics.median(getattr(one, part) for one in player.blocks)
                        for part in vars(found)
                    )
                )
                for name, player in players.items()
            }
            rows.append(Row(plan.page, measured))
    return rows


def _in_browser(plan: Plan, servers: dict[str, Server], keys: int) -> dict[str, Times]:
    """Press keys on the page and on its empty twin in turns, and take medians."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=executable(), args=ARGS)
        tabs = {}
        found = {"page": [], "empty": []}
        for version in found:
            tab = tabs[version] = running.new_context(
                viewport={"width": 1280, "height": 720}
            ).new_page()
            tab.add_init_script(path=PROBE)
            tab.goto(f"{servers[version].url}/{path_of(plan.page, version)}")
            _wait_until_quiet(tab)
            if plan.lesson and version == "page":
                answer = plan.lesson.prediction.ids.index(plan.lesson.prediction.right)
                tab.get_by_test_id("stMain").get_by_role("radio").nth(answer).check(force=True)
                _wait_until_quiet(tab)
                tab.get_by_role("button", name="Lock in my prediction").click()
                _wait_until_quiet(tab)
        for turn in range(1 + keys):
            for version, tab in tabs.items():
                times = _pressed(tab, plan.label, "ArrowLeft" if turn % 2 else "ArrowRight")
                if turn:
                    found[version] += [times]
        running.close()
    return {
        version: tuple(map(_median, zip(*times, strict=True))) for version, times in found.items()
    }


def _wait_until_quiet(tab) -> None:
    """Wait until the script has run to its end and nothing has moved for 250 ms."""
    tab.wait_for_selector(
        '[data-testid=stApp][data-test-script-state="notRunning"]', timeout=60_000
    )
    tab.wait_for_timeout(250)
    tab.wait_for_selector(
        '[data-testid=stApp][data-test-script-state="notRunning"]', timeout=60_000
    )


def _pressed(tab, label: str, key: str) -> Times:
    """Press an arrow key on a slider; milliseconds to the new metric and to the last paint of a
    chart.
    """
    tab.locator(f"input[aria-label={json.dumps(label)}]").press(key)
    tab.wait_for_timeout(400)
    _wait_until_quiet(tab)
    found = tab.evaluate("window.probe")
    return tuple(
        found[name] - found["key"] if found[name] else None for name in ("metric", "chart")
    )


def _median(values: tuple[float | None, ...]) -> float | None:
    known = [value for value in values if value is not None]
    if known:
        return statistics.median(known)
    return None


def table(rows: list[Row]) -> str:
    """Write the rows as a table."""
    heads = (
        "CPU ms",
        "÷ empty",
        "÷ before",
        "a core",
        "messages",
        "kB",
        "metric",
        "÷ empty",
        "chart",
    )
    lines = [
        f"{'':<24}{'a turn on the server':^54}{'Chromium, key to … ms':^27}",
        f"{'page':<24}" + "".join(f"{head:>9}" for head in heads),
    ]
    for row in rows:
        turn = row.turns["page"]
        (metric, chart), (empty, _) = (
            row.times.get(name, (None, None)) for name in ("page", "empty")
        )
        empty_cpu, before_cpu = (
            row.turns[name].cpu if name in row.turns else None for name in ("empty", "before")
        )
        cells = [
            (1e3 * turn.cpu, 1),
            (ratio(turn.cpu, empty_cpu), 2),
            (ratio(turn.cpu, before_cpu), 2),
        ]
        cells += [(THINK / turn.cpu, 0), (turn.messages, 0), (turn.bytes / 1e3, 1)]
        cells += [(metric, 0), (ratio(metric, empty), 2), (chart, 0)]
        written = ("–" if cell is None else f"{cell:.{digits}f}" for cell, digits in cells)
        lines.append(f"{row.page:<24}" + "".join(f"{text:>9}" for text in written))
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.pages", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "pages", nargs="*", help="names of pages, such as utilization_trap (default: all)"
    )
    parser.add_argument(
        "--first",
        action="store_true",
        help="a newcomer's first page instead of a turn (default: home, three lessons, class)",
    )
    parser.add_argument(
        "--rounds",
        type=int,
        help=f"rounds of {BLOCK} turns (default 8); with --first, newcomers (default 20)",
    )
    parser.add_argument(
        "--keys",
        type=int,
        help="key presses in Chromium (default 15); with --first, visits (default 5); 0 for none",
    )
    parser.add_argument(
        "--starts", type=int, default=3, help="with --first, starts of the process (default 3)"
    )
    parser.add_argument(
        "--against", metavar="REV", help="a version of the app, such as a commit, beside this one"
    )
    given = parser.parse_args()
    unknown = sorted(set(given.pages) - set(names()))
    if unknown:
        parser.error(f"there is no page {unknown[0]}; there are {', '.join(names())}")
    os.chdir(ROOT)  # where Streamlit looks for its settings
    logging.disable(logging.WARNING)
    if given.first:
        usual = (20, 5)
    else:
        usual = (8, 15)
    rounds = max(1, usual[0] if given.rounds is None else given.rounds)
    keys = max(0, usual[1] if given.keys is None else given.keys)
    if given.first:
        pages = given.pages or list(first.PAGES)
        text = first.table(first.measure(pages, rounds, keys, given.starts, given.against))
        counted = f"medians of {rounds} newcomers, {keys} visits and {given.starts} starts"
    else:
        text = table(measure(given.pages or names(), rounds, keys, given.against))
        counted = f"medians of {rounds} rounds of {BLOCK} turns and of {keys} keys"
        counted += f"; a core: visitors with a knob every {THINK:g} s"
    load = f"load {psutil.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"Python {platform.python_version()}, {load}; {counted}")
    if keys and not executable():
        print("There is no Chromium here: install the system's package chromium, or set CHROMIUM")
    print(text)


if __name__ == "__main__":
    main()
