"""What a turn of a knob costs, beside an empty page with the same widgets: `python -m benchmarks.pages`.

A visitor without a browser turns a knob on a real server: processor time of the server, messages and bytes a turn, and
so how many visitors with a knob every two seconds fill a core. In Chromium, from the key press on a slider to the new
metric and to the last paint of the chart. Beside it: an empty page with the same widgets; a replay, which sends the
page's own messages out of a file and computes nothing, so that what is above it is the script's and what is below it
is the price of what the page shows; with `--against REV` another version of the app. They take turns in one run, so
that a busy machine slows all of them; the table quotes medians and ratios.

Aims: processor time at most 1.5 times that of the empty page; in Chromium the metric within 1.3 times the empty page,
the chart within 100 ms.
"""

import argparse
import asyncio
import io
import logging
import os
import platform
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import chromium, knob_turns
from benchmarks.knob_turns import ROOT, Player, Turn
from benchmarks.visitor import Visitor
from lessons import LESSONS as COURSE
from ui.base.lesson import Lesson

CPU_AIM, METRIC_AIM, CHART_AIM = 1.5, 1.3, 100.0
#: Seconds between two turns of one visitor.
THINK = 2.0


@dataclass
class Row:
    """One page: a turn of each version of it, and Chromium's milliseconds to the metric and to the chart."""

    page: str
    turns: dict[str, Turn]  #: "page", "empty", "replay" and, with another version of the app, "before"
    times: dict[str, tuple[float | None, float | None]] = field(default_factory=dict)

    def cpu(self, version: str) -> float | None:
        """Ratio of the page's processor time to a version's."""
        return self.turns["page"].cpu / self.turns[version].cpu if version in self.turns else None

    def time(self, which: int, version: str) -> float | None:
        """Ratio of the page's milliseconds to a version's: 0 is the metric, 1 the chart."""
        ours, other = (self.times.get(name, (None, None))[which] for name in ("page", version))
        return ours / other if ours and other else None

    @property
    def misses(self) -> str:
        """Which aims are missed, in words."""
        found = [("processor", self.cpu("empty") > CPU_AIM), ("metric", (self.time(0, "empty") or 0) > METRIC_AIM)]
        found.append(("chart", (self.times.get("page", (0, 0))[1] or 0) > CHART_AIM))
        return ", ".join(name for name, missed in found if missed)


@dataclass(frozen=True)
class Plan:
    """How a page is played: the key and label of its knob, and the scripts of its twins by version."""

    page: str
    lesson: Lesson | None
    key: str | None
    label: str | None
    twins: dict[str, str]


def names() -> list[str]:
    """Every page of the app, home first."""
    return ["app", *sorted(path.stem for path in (ROOT / "pages").glob("*.py"))]


def measure(pages: list[str], rounds: int, keys: int, against: str | None = None) -> list[Row]:
    """Measure pages on a real server and, with keys > 0 and a browser, in Chromium."""
    with ExitStack() as stack:
        servers = {"page": stack.enter_context(chromium.server(ROOT))}
        plans = asyncio.run(_plans(servers["page"], pages))
        for version in ("empty", "replay"):
            servers[version] = stack.enter_context(chromium.server(stack.enter_context(_twins(plans, version))))
        if against:
            servers["before"] = stack.enter_context(chromium.server(stack.enter_context(_checkout(against))))
        rows = asyncio.run(_turns(plans, servers, rounds))
        if keys and chromium.missing() is None:
            for row, plan in zip(rows, plans, strict=True):
                if plan.label:
                    row.times = _in_browser(plan, servers, keys)
    return rows


async def _plans(address: str, pages: Iterable[str]) -> list[Plan]:
    by_page = {lesson.page: lesson for lesson in COURSE}
    found = []
    for page in pages:
        async with Visitor(address, "" if page == "app" else page) as visitor:
            await _open(visitor, by_page.get(page))
            key = await knob_turns.moving_slider(visitor)
            label = visitor.widget(key)[1].label if key else None
            twins = {"empty": knob_turns.empty_script(visitor), "replay": await knob_turns.replay_script(visitor, key)}
            found.append(Plan(page, by_page.get(page), key, label, twins))
    return found


async def _open(visitor: Visitor, lesson: Lesson | None) -> None:
    await visitor.run()
    if lesson is not None:
        await knob_turns.unlock(visitor, lesson)


async def _turns(plans: list[Plan], servers: dict[str, str], rounds: int) -> list[Row]:
    """Play every version of every page."""
    rows = []
    for plan in plans:
        async with AsyncExitStack() as stack:
            players = {}
            for version, address in servers.items():
                visitor = await stack.enter_async_context(Visitor(address, _path(plan.page, version)))
                key = f"slider_{plan.key}" if version == "empty" and plan.key else plan.key
                with suppress(*([KeyError] if version == "before" else [])):  # it may lack the page or the knob
                    await _open(visitor, None if version in plan.twins else plan.lesson)
                    values = knob_turns.walk(visitor, key) if key and visitor.widget(key) else iter(())
                    players[version] = Player(visitor, knob_turns.process_of(address), key, values)
            measured = await knob_turns.measure(list(players.values()), rounds)
            rows.append(Row(plan.page, dict(zip(players, measured, strict=True))))
    return rows


def _path(page: str, version: str) -> str:
    """Home's twins are pages of their own, since an app.py without a line is what a twin app opens with."""
    if page != "app":
        return page
    return "app_" if version in ("empty", "replay") else ""


@contextmanager
def _twins(plans: list[Plan], version: str) -> Iterator[Path]:
    """Make an app of one kind of twins."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / ".streamlit", folder / ".streamlit")
        (folder / "app.py").write_text("import streamlit as st\nst.title('Empty')\n", encoding="utf-8")
        (folder / "pages").mkdir()
        for plan in plans:
            (folder / "pages" / f"{_path(plan.page, version)}.py").write_text(plan.twins[version], encoding="utf-8")
        yield folder


@contextmanager
def _checkout(revision: str) -> Iterator[Path]:
    """Unpack another version of the app."""
    packed = subprocess.run(["git", "archive", revision], cwd=ROOT, check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
        yield Path(folder)


def _in_browser(plan: Plan, servers: dict[str, str], keys: int) -> dict[str, tuple[float | None, float | None]]:
    answer = plan.lesson.prediction.ids.index(plan.lesson.prediction.right) if plan.lesson else None
    with chromium.browser() as running:
        tabs = {
            version: chromium.open_tab(
                running, f"{address}/{_path(plan.page, version)}", *([answer] * (version == "page"))
            )
            for version, address in servers.items()
            if version != "before"
        }
        found = chromium.medians([(tab, plan.label) for tab in tabs.values()], keys)
        return dict(zip(tabs, found, strict=True))


def table(rows: list[Row]) -> str:
    """Write the rows as a table."""
    heads = ("CPU ms", "÷ empty", "÷ replay", "÷ before", "a core", "messages", "kB")
    heads += ("metric", "÷ empty", "÷ replay", "chart", "÷ replay")
    lines = [
        f"{'':<24}{'a turn on the server':^63}{'Chromium, key to … ms':^45}",
        f"{'page':<24}" + "".join(f"{head:>9}" for head in heads) + "  misses the aim for",
    ]
    for row in rows:
        turn, (metric, chart) = row.turns["page"], row.times.get("page", (None, None))
        cells = [(1e3 * turn.cpu, 1), *((row.cpu(version), 2) for version in ("empty", "replay", "before"))]
        cells += [(THINK / turn.cpu, 0), (turn.messages, 0), (turn.bytes / 1e3, 1)]
        cells += [(metric, 0), (row.time(0, "empty"), 2), (row.time(0, "replay"), 2), (chart, 0)]
        cells += [(row.time(1, "replay"), 2)]
        written = ("–" if cell is None else f"{cell:.{digits}f}" for cell, digits in cells)
        lines.append(f"{row.page:<24}" + "".join(f"{text:>9}" for text in written) + f"  {row.misses or '–'}")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", help="names of pages, such as utilization_trap (default: all)")
    parser.add_argument("--rounds", type=int, default=8, help=f"rounds of {knob_turns.BLOCK} turns (default 8)")
    parser.add_argument("--keys", type=int, default=15, help="key presses in Chromium; 0 for none (default 15)")
    parser.add_argument(
        "--against", metavar="REV", help="another version of the app, such as a commit, beside this one"
    )
    given = parser.parse_args()
    if unknown := sorted(set(given.pages) - set(names())):
        parser.error(f"there is no page {unknown[0]}; there are {', '.join(names())}")
    os.chdir(ROOT)  # where Streamlit looks for its settings
    logging.disable(logging.WARNING)
    rows = measure(given.pages or names(), max(1, given.rounds), max(0, given.keys), given.against)
    load = f", load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores" if hasattr(os, "getloadavg") else ""
    counted = f"medians of {given.rounds} rounds of {knob_turns.BLOCK} turns and of {given.keys} keys"
    print(f"Python {platform.python_version()}{load}; {counted}; a core: visitors with a knob every {THINK:g} s")
    if given.keys and chromium.missing():
        print(f"Chromium was left out: {chromium.missing()}")
    print(table(rows))


if __name__ == "__main__":
    main()
