"""What a page costs, beside an empty page with the same widgets: `python -m benchmarks.pages`.

Through AppTest, one rerun after a slider has moved. In Chromium, on a real server, from the key press on a slider to
the new metric and to the last paint of the chart. Pages and their empty twins take turns, so that a busy machine
slows both; the table quotes medians. Aims: AppTest at most 10 ms; in Chromium the metric within 1.5 times the empty
page, the chart within 100 ms.
"""

import argparse
import logging
import os
import platform
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks import apptest, chromium
from lessons import LESSONS as COURSE
from ui.base.lesson import Lesson

APPTEST_AIM, METRIC_AIM, CHART_AIM = 10.0, 1.5, 100.0


@dataclass
class Row:
    """One page: milliseconds of the page and of its empty twin."""

    page: str
    rerun: float
    empty_rerun: float
    metric: float | None = None
    empty_metric: float | None = None
    chart: float | None = None

    @property
    def misses(self) -> str:
        """Which aims are missed, in words."""
        ratio = self.metric / self.empty_metric if self.metric and self.empty_metric else 0
        found = [("AppTest", self.rerun > APPTEST_AIM), ("metric", ratio > METRIC_AIM)]
        found.append(("chart", (self.chart or 0) > CHART_AIM))
        return ", ".join(name for name, missed in found if missed)


def names() -> list[str]:
    """Every page of the app, home first."""
    return ["app", *sorted(path.stem for path in (apptest.ROOT / "pages").glob("*.py"))]


def measure(pages: list[str], rounds: int, keys: int) -> list[Row]:
    """Measure pages through AppTest and, with keys > 0 and a browser, in Chromium."""
    by_page = {lesson.page: lesson for lesson in COURSE}
    rows, twins = [], {}
    for page in pages:
        app = apptest.open_page(page, by_page.get(page))
        moved, script = apptest.moving_slider(app), apptest.empty_script(app)
        empty = apptest.open_empty(script)
        labels = [slider.label for slider in app.slider]
        twin = f"slider_{[slider.key for slider in app.slider].index(moved)}" if moved else None
        reruns = [apptest.rerunner(app, moved), apptest.rerunner(empty, twin)]
        rows.append(Row(page, *apptest.medians(reruns, rounds)))
        if moved:
            twins[page] = (script, labels[[slider.key for slider in app.slider].index(moved)])
    if keys and twins and chromium.missing() is None:
        _measure_in_browser([row for row in rows if row.page in twins], twins, by_page, keys)
    return rows


def _measure_in_browser(rows: list[Row], twins: dict, by_page: dict[str, Lesson], keys: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder)
        shutil.copytree(apptest.ROOT / ".streamlit", empty / ".streamlit")
        (empty / "app.py").write_text("import streamlit as st\nst.title('Empty')\n", encoding="utf-8")
        (empty / "pages").mkdir()
        for page, (script, _) in twins.items():
            (empty / "pages" / f"{page}.py").write_text(script, encoding="utf-8")
        with chromium.server(apptest.ROOT) as ours, chromium.server(empty) as bare, chromium.browser() as running:
            for row in rows:
                lesson, label = by_page.get(row.page), twins[row.page][1]
                answer = lesson.prediction.ids.index(lesson.prediction.right) if lesson else None
                tab = chromium.open_tab(running, f"{ours}/{row.page}", answer)
                twin = chromium.open_tab(running, f"{bare}/{row.page}")
                (row.metric, row.chart), (row.empty_metric, _) = chromium.medians([(tab, label), (twin, label)], keys)
                tab.context.close()
                twin.context.close()


def table(rows: list[Row]) -> str:
    """Write the rows as a table."""
    heads = ("AppTest", "empty", "metric", "empty", "ratio", "chart")
    lines = [
        f"{'':<24}{'rerun through AppTest, ms':^24}{'Chromium, key to … ms':^44}",
        f"{'page':<24}" + "".join(f"{head:>10}" for head in heads) + "  misses the aim for",
    ]
    for row in rows:
        ratio = row.metric / row.empty_metric if row.metric and row.empty_metric else None
        cells = (row.rerun, row.empty_rerun, row.metric, row.empty_metric, ratio, row.chart)
        digits = (1, 1, 0, 0, 2, 0)
        written = ("–" if cell is None else f"{cell:.{n}f}" for cell, n in zip(cells, digits, strict=True))
        lines.append(f"{row.page:<24}" + "".join(f"{text:>10}" for text in written) + f"  {row.misses or '–'}")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", help="names of pages, such as utilization_trap (default: all)")
    parser.add_argument("--rounds", type=int, default=30, help="reruns through AppTest (default 30)")
    parser.add_argument("--keys", type=int, default=15, help="key presses in Chromium; 0 for none (default 15)")
    given = parser.parse_args()
    if unknown := sorted(set(given.pages) - set(names())):
        parser.error(f"there is no page {unknown[0]}; there are {', '.join(names())}")
    os.chdir(apptest.ROOT)  # where Streamlit looks for its settings
    logging.disable(logging.WARNING)
    rows = measure(given.pages or names(), max(1, given.rounds), max(0, given.keys))
    load = f", load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores" if hasattr(os, "getloadavg") else ""
    print(f"Python {platform.python_version()}{load}; medians of {given.rounds} reruns and {given.keys} keys")
    if given.keys and chromium.missing():
        print(f"Chromium was left out: {chromium.missing()}")
    print(table(rows))


if __name__ == "__main__":
    main()
