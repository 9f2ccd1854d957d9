"""Measure what moving a setting costs, compared with an empty page with the same widgets.

`python -m benchmarks.pages` measures it; with `--first`, what a newcomer's first page costs
(`benchmarks.first`).

A visitor without a browser turns a knob on a real server: processor time of the server, messages
and bytes a turn, and so how many visitors with a knob every two seconds fill a core. In Chromium,
from the key press on a slider to the new metric and to the last paint of the chart. Beside it an
empty page with the same widgets and, with `--against REV`, another version of the app. They take
turns in one run, so that a busy machine slows all of them; the table quotes medians and ratios.

Aims: processor time at most 1.5 times that of the empty page; in Chromium the metric within 1.3
times the empty page, the chart within 100 ms.
"""

import asyncio
import itertools
import json
import logging
import os
import platform
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from benchmarks import first, options, versions
from benchmarks.server import ROOT, Server
from benchmarks.versions import Costs, Row, compared, executable, names, path_of
from benchmarks.visitor import Visitor, opened, sliders, unlock
from lessons import LESSONS as COURSE
from ui.base.lesson import Lesson

#: Seconds between two turns of one visitor.
THINK = 2.0
#: Turns up and then down again; the first time round fills caches, so that what is measured is the
#: page.
WALK = 4
#: Turns between two looks at the clock.
BLOCK = WALK * 2
LESSONS_BY_PAGE = {lesson.page: lesson for lesson in COURSE}
HEADS = ["CPU ms", "÷ empty", "÷ before", "a core", "messages", "kB"]
HEADS += ["metric", "÷ empty", "chart", "÷ before"]
#: Notes in the page when an arrow key was pressed, when a metric's text changed and when a chart
#: was last painted.
PROBE = Path(__file__).with_name("probe.js")


@dataclass
class Player:
    """Visitor who moves one setting; without a setting, the visitor just reruns the page."""

    visitor: Visitor
    server: Server
    key: str | None
    values: Iterator[float]

    async def block(self) -> dict[str, float]:
        """Move the setting up and down for one block; return the mean costs per move by name."""
        await asyncio.sleep(first.TIDYING)
        before = self.spent()
        for _ in range(BLOCK):
            if self.key:
                await self.visitor.set(self.key, next(self.values))
            else:
                await self.visitor.run()
        await asyncio.sleep(first.TIDYING)
        return {name: (spent - before[name]) / BLOCK for name, spent in self.spent().items()}

    def spent(self) -> dict[str, float]:
        """Return processor time [s], messages, and bytes so far."""
        visitor = self.visitor
        return {"cpu": self.server.cpu, "messages": visitor.messages, "bytes": visitor.bytes}


@dataclass(frozen=True)
class Plan:
    """How to measure a page: its lesson, and the key and label of the slider to move."""

    lesson: Lesson | None
    key: str | None
    label: str | None


def measure(pages: list[str], rounds: int, keys: int, against: str | None = None) -> dict[str, Row]:
    """Measure pages on a real server and, with keys > 0 and a browser, in Chromium.

    Of each block of turns `cpu` [s of the server], `messages` and `bytes`; in Chromium `metric`
    and `chart` [ms from the key].
    """
    plans: dict[str, Plan] = {}
    with versions.started(pages, against, partial(_plan, plans)) as servers:
        rows = versions.unmeasured(pages, servers)
        for page, row in rows.items():
            asyncio.run(_turns(page, plans[page], servers, rounds, row))
        if keys and executable():
            for page, row in rows.items():
                if plans[page].label:
                    _in_browser(page, plans[page], servers, keys, row)
    return rows


async def _plan(plans: dict[str, Plan], visitor: Visitor, page: str) -> None:
    """Unlock the page's lesson, if it has one, and plan which slider to move."""
    lesson = LESSONS_BY_PAGE.get(page)
    if lesson:
        await unlock(visitor, lesson)
    key = await moving_slider(visitor)
    plans[page] = Plan(lesson, key, visitor.widget(key)[1].label if key else None)


def walk(visitor: Visitor, key: str) -> Iterator[float]:
    """Yield a slider's values forever: a few steps toward the end with more room, and back."""
    slider = visitor.widget(key)[1]
    start = slider.default[0]
    above = int((slider.max - start + 1e-9) / slider.step)
    below = int((start - slider.min + 1e-9) / slider.step)
    steps = min(WALK, max(above, below))
    step = slider.step if above >= min(WALK, below) else -slider.step
    for number in itertools.cycle([*range(1, steps + 1), *range(steps - 1, -1, -1)]):
        yield start + step * number


async def moving_slider(visitor: Visitor) -> str | None:
    """Return the key of the first slider that changes a metric, else a chart; None if none does."""
    chart_key = None
    for key in sliders(visitor):
        start = visitor.widget(key)[1].default[0]
        metrics = visitor.metrics()
        charts = visitor.charts()
        await visitor.set(key, next(walk(visitor, key)))
        is_metric = metrics and visitor.metrics() != metrics
        is_chart = visitor.charts() != charts
        await visitor.set(key, start)
        if is_metric:
            return key
        if is_chart and not chart_key:
            chart_key = key
    return chart_key


async def _turns(page: str, plan: Plan, servers: dict[str, Server], rounds: int, row: Row) -> None:
    """Play every version of a page in turns."""
    async with AsyncExitStack() as stack:
        players = {}
        for version, server in servers.items():
            path = path_of(page, version)
            key = plan.key
            lesson = plan.lesson
            if version == "empty":
                lesson = None
                key = key and f"slider_{key}"
            # Another version may lack the page or the knob.
            missing = [KeyError] if version == "before" else []
            with suppress(*missing):
                visitor = await stack.enter_async_context(opened(server.url, path, lesson))
                values = walk(visitor, key) if key and visitor.widget(key) else iter(())
                players[version] = Player(visitor, server, key, values)
        for turn in range(1 + rounds):
            for version, player in players.items():
                block = await player.block()
                if turn:  # the first one warms up
                    _note(row[version], block)


def _note(costs: Costs, measured: dict[str, float]) -> None:
    """Append each measured cost to the costs of its name."""
    for name, value in measured.items():
        costs[name].append(value)


def _in_browser(page: str, plan: Plan, servers: dict[str, Server], keys: int, row: Row) -> None:
    """Press keys on each version of a page in turns."""
    with versions.chromium() as window:
        tabs = {}
        for version, server in servers.items():
            tab = window(PROBE.read_text(encoding="utf-8")).new_page()
            tabs[version] = tab
            tab.goto(f"{server.url}/{path_of(page, version)}")
            _wait_until_quiet(tab)
            if plan.lesson and version != "empty":
                answer = plan.lesson.prediction.ids.index(plan.lesson.prediction.right)
                tab.get_by_test_id("stMain").get_by_role("radio").nth(answer).check(force=True)
                _wait_until_quiet(tab)
                tab.get_by_role("button", name="Lock in my prediction").click()
                _wait_until_quiet(tab)
                # The first change of a setting also reveals the numbers that were asked for.
                test = tab.get_by_role("button", name="Test my prediction")
                if test.count():
                    test.first.click()
                    _wait_until_quiet(tab)
        for turn in range(1 + keys):
            for version, tab in tabs.items():
                times = _pressed(tab, plan.label, "ArrowLeft" if turn % 2 else "ArrowRight")
                if turn:  # the first key press warms up
                    _note(row[version], times)


def _wait_until_quiet(tab: Any) -> None:
    """Wait until the script has run to its end and nothing has moved for 250 ms."""
    for pause in (250, 0):
        tab.wait_for_selector(
            '[data-testid=stApp][data-test-script-state="notRunning"]', timeout=60_000
        )
        tab.wait_for_timeout(pause)


def _pressed(tab: Any, label: str, key: str) -> dict[str, float]:
    """Press an arrow key on a slider; return the milliseconds to what it changed.

    That is the new text of a metric, and the last paint of a chart.
    """
    tab.locator(f"input[aria-label={json.dumps(label)}]").press(key)
    tab.wait_for_timeout(400)
    _wait_until_quiet(tab)
    probe = tab.evaluate("window.probe")
    return {name: probe[name] - probe["key"] for name in ("metric", "chart") if probe[name]}


def table(rows: dict[str, Row]) -> str:
    """Write the rows as a table."""
    cells = {}
    for page, row in rows.items():
        numbers = compared(row, "cpu", 1, 1e-3)
        numbers.append((THINK / versions.median(row["page"], "cpu"), 0))
        numbers += [compared(row, "messages", 0)[0], compared(row, "bytes", 1, 1e3)[0]]
        chart, _, chart_before = compared(row, "chart", 0)
        numbers += [*compared(row, "metric", 0)[:2], chart, chart_before]
        cells[page] = numbers
    over = f"{'':<24}{'a turn on the server':^54}{'Chromium, key to … ms':^36}"
    return versions.table(over, 24, HEADS, cells)


def main() -> None:
    """Run the measurement and print the table."""
    parser = options.parser("pages", __doc__)
    args = parser.parse_args()
    unknown = sorted(set(args.pages) - set(names()))
    if unknown:
        parser.error(f"there is no page {unknown[0]}; there are {', '.join(names())}")
    os.chdir(ROOT)  # where Streamlit looks for its settings
    logging.disable(logging.WARNING)
    rounds, keys = (20, 5) if args.first else (8, 15)
    if args.rounds is not None:
        rounds = max(1, args.rounds)
    if args.keys is not None:
        keys = max(0, args.keys)
    if args.first:
        pages = args.pages or list(first.PAGES)
        text = first.table(first.measure(pages, rounds, keys, args.starts, args.against))
        samples = f"medians of {rounds} newcomers, {keys} visits and {args.starts} starts"
    else:
        text = table(measure(args.pages or names(), rounds, keys, args.against))
        samples = f"medians of {rounds} rounds of {BLOCK} turns and of {keys} keys"
        samples += f"; a core: visitors with a knob every {THINK:g} s"
    load = f"load {psutil.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"Python {platform.python_version()}, {load}; {samples}")
    if keys and not executable():
        print("There is no Chromium here: install the system's package chromium, or set CHROMIUM")
    print(text)


if __name__ == "__main__":
    main()
