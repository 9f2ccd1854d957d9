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

import asyncio
import itertools
import json
import logging
import os
import platform
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks import first, options, versions
from benchmarks.server import ROOT, Server
from benchmarks.versions import empty_script, executable, median, names, path_of, ratio
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
        await asyncio.sleep(TIDYING)
        before = self.spent()
        for _ in range(BLOCK):
            if self.key:
                await self.visitor.set(self.key, next(self.values))
            else:
                await self.visitor.run()
        await asyncio.sleep(TIDYING)
        return Turn(*((self.spent() - before) / BLOCK).tolist())

    def spent(self) -> np.ndarray:
        """Return the processor time, messages and bytes so far."""
        return np.array([self.server.cpu, self.visitor.messages, self.visitor.bytes])

    def median(self) -> Turn:
        """Return the medians of the blocks."""
        return Turn(*np.median([astuple(block) for block in self.blocks], axis=0).tolist())


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
    plans = []

    def scripts(address: str) -> dict[str, str]:
        plans.extend(asyncio.run(_plans(address, pages)))
        return {plan.page: plan.empty for plan in plans}

    with versions.started(scripts, against) as servers:
        rows = asyncio.run(_turns(plans, servers, rounds))
        if keys and executable():
            for row, plan in zip(rows, plans, strict=True):
                if plan.label:
                    row.times = _in_browser(plan, servers, keys)
    return rows


async def _plans(address: str, pages: list[str]) -> list[Plan]:
    by_page = {lesson.page: lesson for lesson in COURSE}
    plans = []
    for page in pages:
        lesson = by_page.get(page)
        async with Visitor(address, path_of(page, "page")) as visitor:
            await _open(visitor, lesson)
            key = await moving_slider(visitor)
            label = visitor.widget(key)[1].label if key else None
            plans.append(Plan(page, lesson, key, label, empty_script(visitor)))
    return plans


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
    above, below = (
        int((abs(end - start) + 1e-9) / slider.step) for end in (slider.max, slider.min)
    )
    steps = min(WALK, max(above, below))
    step = slider.step if above >= min(WALK, below) else -slider.step
    there_and_back = [*range(1, steps + 1), *range(steps - 1, -1, -1)]
    yield from itertools.cycle([start + step * number for number in there_and_back])


async def moving_slider(visitor: Visitor) -> str | None:
    """Return the key of the first slider whose next value changes a metric, else a chart; None if
    there is none.
    """
    drawn = None
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
        if is_chart and not drawn:
            drawn = key
    return drawn


async def _turns(plans: list[Plan], servers: dict[str, Server], rounds: int) -> list[Row]:
    """Play every version of every page in turns, and take medians."""
    rows = []
    for plan in plans:
        async with AsyncExitStack() as stack:
            players = {}
            for version, server in servers.items():
                path = path_of(plan.page, version)
                visitor = await stack.enter_async_context(Visitor(server.url, path))
                key = plan.key
                lesson = plan.lesson
                if version == "empty":
                    lesson = None
                    key = key and f"slider_{key}"
                # Another version may lack the page or the knob.
                missing = [KeyError] if version == "before" else []
                with suppress(*missing):
                    await _open(visitor, lesson)
                    values = walk(visitor, key) if key and visitor.widget(key) else iter(())
                    players[version] = Player(visitor, server, key, values)
            for turn in range(1 + rounds):
                for player in players.values():
                    block = await player.block()
                    if turn:  # the first one warms up
                        player.blocks.append(block)
            row = Row(plan.page, {name: player.median() for name, player in players.items()})
            rows.append(row)
    return rows


def _in_browser(plan: Plan, servers: dict[str, Server], keys: int) -> dict[str, Times]:
    """Press keys on each version of a page in turns, and take medians."""
    with versions.chromium() as browser:
        tabs = {}
        times: dict[str, list[Times]] = {version: [] for version in servers}
        for version in times:
            tab = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
            tabs[version] = tab
            tab.add_init_script(path=PROBE)
            tab.goto(f"{servers[version].url}/{path_of(plan.page, version)}")
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
                pressed = _pressed(tab, plan.label, "ArrowLeft" if turn % 2 else "ArrowRight")
                if turn:
                    times[version].append(pressed)
    return {version: tuple(map(median, zip(*rows, strict=True))) for version, rows in times.items()}


def _wait_until_quiet(tab: Any) -> None:
    """Wait until the script has run to its end and nothing has moved for 250 ms."""
    for pause in (250, 0):
        tab.wait_for_selector(
            '[data-testid=stApp][data-test-script-state="notRunning"]', timeout=60_000
        )
        tab.wait_for_timeout(pause)


def _pressed(tab: Any, label: str, key: str) -> Times:
    """Press an arrow key on a slider; milliseconds to the new metric and to the last paint of a
    chart.
    """
    tab.locator(f"input[aria-label={json.dumps(label)}]").press(key)
    tab.wait_for_timeout(400)
    _wait_until_quiet(tab)
    probe = tab.evaluate("window.probe")
    return tuple(
        probe[name] - probe["key"] if probe[name] else None for name in ("metric", "chart")
    )


def table(rows: list[Row]) -> str:
    """Write the rows as a table."""
    heads = ["CPU ms", "÷ empty", "÷ before", "a core", "messages", "kB"]
    heads += ["metric", "÷ empty", "chart", "÷ before"]
    lines = [
        f"{'':<24}{'a turn on the server':^54}{'Chromium, key to … ms':^36}",
        versions.head("page", 24, heads),
    ]
    for row in rows:
        turn = row.turns["page"]
        cpu = {version: other.cpu for version, other in row.turns.items()}
        metric, chart = row.times.get("page", (None, None))
        empty, _ = row.times.get("empty", (None, None))
        _, chart_before = row.times.get("before", (None, None))
        cells = [
            (1e3 * turn.cpu, 1),
            (ratio(turn.cpu, cpu.get("empty")), 2),
            (ratio(turn.cpu, cpu.get("before")), 2),
        ]
        cells += [(THINK / turn.cpu, 0), (turn.messages, 0), (turn.bytes / 1e3, 1)]
        cells += [
            (metric, 0),
            (ratio(metric, empty), 2),
            (chart, 0),
            (ratio(chart, chart_before), 2),
        ]
        lines.append(versions.row(row.page, 24, cells))
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = options.parser("pages", __doc__)
    given = parser.parse_args()
    unknown = sorted(set(given.pages) - set(names()))
    if unknown:
        parser.error(f"there is no page {unknown[0]}; there are {', '.join(names())}")
    os.chdir(ROOT)  # where Streamlit looks for its settings
    logging.disable(logging.WARNING)
    usual = (20, 5) if given.first else (8, 15)
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
