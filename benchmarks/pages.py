"""What a turn of a knob costs, beside an empty page with the same widgets: `python -m benchmarks.pages`.

A visitor without a browser turns a knob on a real server: processor time of the server, messages and bytes a turn, and
so how many visitors with a knob every two seconds fill a core. In Chromium, from the key press on a slider to the new
metric and to the last paint of the chart. Pages and their empty twins, and with `--against REV` another version of the
app, take turns in one run, so that a busy machine slows all of them; the table quotes medians and ratios.

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
from dataclasses import dataclass
from pathlib import Path

from benchmarks import chromium, turns
from benchmarks.turns import ROOT, Player, Turn
from benchmarks.visitor import Visitor
from lessons import LESSONS as COURSE
from ui.base.lesson import Lesson

CPU_AIM, METRIC_AIM, CHART_AIM = 1.5, 1.3, 100.0
#: Seconds between two turns of one visitor.
THINK = 2.0


@dataclass
class Row:
    """One page: a turn of it, of its empty twin and of the other version; Chromium's milliseconds."""

    page: str
    turn: Turn
    empty: Turn
    before: Turn | None = None
    metric: float | None = None
    empty_metric: float | None = None
    chart: float | None = None

    @property
    def misses(self) -> str:
        """Which aims are missed, in words."""
        found = [("processor", self.turn.cpu > CPU_AIM * self.empty.cpu)]
        found.append(("metric", (self.metric or 0) > METRIC_AIM * (self.empty_metric or 0)))
        found.append(("chart", (self.chart or 0) > CHART_AIM))
        return ", ".join(name for name, missed in found if missed)


@dataclass(frozen=True)
class Plan:
    """How a page is played: the key and label of its knob, and the empty page with the same widgets."""

    page: str
    lesson: Lesson | None
    key: str | None
    label: str | None
    twin: str


def names() -> list[str]:
    """Every page of the app, home first."""
    return ["app", *sorted(path.stem for path in (ROOT / "pages").glob("*.py"))]


def measure(pages: list[str], rounds: int, keys: int, against: str | None = None) -> list[Row]:
    """Measure pages on a real server and, with keys > 0 and a browser, in Chromium."""
    with ExitStack() as stack:
        ours = stack.enter_context(chromium.server(ROOT))
        plans = asyncio.run(_plans(ours, pages))
        bare = stack.enter_context(chromium.server(stack.enter_context(_twins(plans))))
        old = stack.enter_context(chromium.server(stack.enter_context(_checkout(against)))) if against else None
        rows = asyncio.run(_turns(plans, [ours, bare, *([old] if old else [])], rounds))
        if keys and chromium.missing() is None:
            for row, plan in zip(rows, plans, strict=True):
                if plan.label:
                    _in_browser(row, plan, ours, bare, keys)
    return rows


async def _plans(address: str, pages: Iterable[str]) -> list[Plan]:
    by_page = {lesson.page: lesson for lesson in COURSE}
    found = []
    for page in pages:
        async with Visitor(address, "" if page == "app" else page) as visitor:
            await _open(visitor, by_page.get(page))
            key = await turns.moving_slider(visitor)
            label = visitor.widget(key)[1].label if key else None
            found.append(Plan(page, by_page.get(page), key, label, turns.empty_script(visitor)))
    return found


async def _open(visitor: Visitor, lesson: Lesson | None) -> None:
    await visitor.run()
    if lesson is not None:
        await turns.unlock(visitor, lesson)


async def _turns(plans: list[Plan], servers: list[str], rounds: int) -> list[Row]:
    """Play every page on our server, on the one of empty pages, and on that of the other version."""
    rows = []
    for plan in plans:
        async with AsyncExitStack() as stack:
            players = []
            for number, address in enumerate(servers):
                empty, page = number == 1, "" if plan.page == "app" else plan.page
                visitor = await stack.enter_async_context(Visitor(address, "app_" if empty and not page else page))
                key = f"slider_{plan.key}" if empty and plan.key else plan.key
                with suppress(*([KeyError] if number == 2 else [])):  # another version may lack the page or the knob
                    await _open(visitor, None if empty else plan.lesson)
                    values = turns.walk(visitor, key) if key and visitor.widget(key) else iter(())
                    players.append(Player(visitor, turns.process_of(address), key, values))
            rows.append(Row(plan.page, *await turns.measure(players, rounds)))
    return rows


@contextmanager
def _twins(plans: list[Plan]) -> Iterator[Path]:
    """Make an app of the empty pages."""
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder)
        shutil.copytree(ROOT / ".streamlit", empty / ".streamlit")
        (empty / "app.py").write_text("import streamlit as st\nst.title('Empty')\n", encoding="utf-8")
        (empty / "pages").mkdir()
        for plan in plans:
            name = "app_" if plan.page == "app" else plan.page
            (empty / "pages" / f"{name}.py").write_text(plan.twin, encoding="utf-8")
        yield empty


@contextmanager
def _checkout(revision: str) -> Iterator[Path]:
    """Unpack another version of the app."""
    packed = subprocess.run(["git", "archive", revision], cwd=ROOT, check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
        yield Path(folder)


def _in_browser(row: Row, plan: Plan, ours: str, bare: str, keys: int) -> None:
    answer = plan.lesson.prediction.ids.index(plan.lesson.prediction.right) if plan.lesson else None
    with chromium.browser() as running:
        tab = chromium.open_tab(running, f"{ours}/{row.page}", answer)
        twin = chromium.open_tab(running, f"{bare}/{row.page}")
        pair = [(tab, plan.label), (twin, plan.label)]
        (row.metric, row.chart), (row.empty_metric, _) = chromium.medians(pair, keys)


def table(rows: list[Row]) -> str:
    """Write the rows as a table."""
    heads = ("CPU ms", "÷ empty", "÷ before", "a core", "messages", "kB", "metric", "÷ empty", "chart")
    lines = [
        f"{'':<24}{'a turn on the server':^54}{'Chromium, key to … ms':^27}",
        f"{'page':<24}" + "".join(f"{head:>9}" for head in heads) + "  misses the aim for",
    ]
    for row in rows:
        turn, before = row.turn, row.turn.cpu / row.before.cpu if row.before else None
        ratio = row.metric / row.empty_metric if row.metric and row.empty_metric else None
        cells = [1e3 * turn.cpu, turn.cpu / row.empty.cpu, before, THINK / turn.cpu, turn.messages, turn.bytes / 1e3]
        digits = (1, 2, 2, 0, 0, 1, 0, 2, 0)
        shown = zip([*cells, row.metric, ratio, row.chart], digits, strict=True)
        written = ("–" if cell is None else f"{cell:.{n}f}" for cell, n in shown)
        lines.append(f"{row.page:<24}" + "".join(f"{text:>9}" for text in written) + f"  {row.misses or '–'}")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", help="names of pages, such as utilization_trap (default: all)")
    parser.add_argument("--rounds", type=int, default=8, help=f"rounds of {turns.BLOCK} turns (default 8)")
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
    counted = f"medians of {given.rounds} rounds of {turns.BLOCK} turns and of {given.keys} keys"
    print(f"Python {platform.python_version()}{load}; {counted}; a core: visitors with a knob every {THINK:g} s")
    if given.keys and chromium.missing():
        print(f"Chromium was left out: {chromium.missing()}")
    print(table(rows))


if __name__ == "__main__":
    main()
