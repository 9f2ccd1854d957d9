"""Start what a page is compared with: an empty page with its widgets, and another app version."""

import asyncio
import io
import os
import shutil
import statistics
import subprocess
import tarfile
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.server import ROOT, Server
from benchmarks.visitor import Visitor, opened

#: What one version of a page has cost: what was measured, by name.
Costs = dict[str, list[float]]
#: The costs of a page by version: "page", "empty" and, with another version of the app, "before".
Row = dict[str, Costs]
#: A number of a table and its digits; None if nothing was measured.
Cell = tuple[float | None, int]
#: What a visitor does on a page, which is named too, before its twin is made.
Prepare = Callable[[Visitor, str], Awaitable[None]]
#: What draws a widget with options in a twin, by its kind.
CHOICES = {"slider": "sidebar.select_slider", "selectbox": "selectbox", "radio": "radio"}
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def names() -> list[str]:
    """Return the names of all pages of the app, home first."""
    return ["app", *sorted(path.stem for path in (ROOT / "pages").glob("*.py"))]


def executable() -> str | None:
    """Path of Chromium or Chrome, from `CHROMIUM` or as installed; None if there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


def empty_script(visitor: Visitor) -> str:
    """Write a page with this visitor's widgets, and one metric that depends on the sliders."""
    lines = ["import streamlit as st", "moved = []"]
    for number, element in enumerate(visitor.elements.values()):
        kind = element.WhichOneof("type")
        widget = getattr(element, kind)
        key = f"key='{kind}_{number}'"
        if kind == "slider" and not widget.options:
            of_kind = float if widget.data_type == widget.FLOAT else int
            bounds = [*map(of_kind, (widget.min, widget.max, widget.default[0], widget.step))]
            key = f"key='slider_{widget.id.split('-', 2)[2]}'"
            lines.append(f"moved.append(st.sidebar.slider({widget.label!r}, *{bounds}, {key}))")
        elif kind in CHOICES:
            lines.append(f"st.{CHOICES[kind]}({widget.label!r}, {[*widget.options]!r}, {key})")
        elif kind == "button_group":
            options = [option.content for option in widget.options]
            lines.append(f"st.segmented_control('choice', {options!r}, {key})")
        elif kind in ("checkbox", "number_input", "text_input", "text_area", "button"):
            lines.append(f"st.{kind.replace('checkbox', 'toggle')}({widget.label!r}, {key})")
    return "\n".join([*lines, "st.metric('Sum', repr(sum(moved)))", ""])


def path_of(page: str, version: str) -> str:
    """Return a page's path in a version of the app: "" for home, "app_" for home's empty twin."""
    if page != "app":
        return page
    if version == "empty":
        return "app_"
    return ""


def twins(scripts: Mapping[str, str], folder: Path) -> Path:
    """Write an app of empty pages from their scripts, by page; return its folder."""
    shutil.copytree(ROOT / ".streamlit", folder / ".streamlit")
    (folder / "app.py").write_text("import streamlit as st\nst.title('Empty')\n", encoding="utf-8")
    (folder / "pages").mkdir()
    for page, script in scripts.items():
        (folder / "pages" / f"{path_of(page, 'empty')}.py").write_text(script, encoding="utf-8")
    return folder


def checkout(revision: str, folder: Path) -> Path:
    """Unpack another revision of the app into a folder, and return the folder."""
    packed = subprocess.run(
        ["git", "archive", revision], cwd=ROOT, check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


@contextmanager
def started(
    pages: Iterable[str], against: str | None, prepare: Prepare | None = None
) -> Iterator[dict[str, Server]]:
    """Yield servers of the app ("page"), its twin ("empty"), and, if given, `against` ("before").

    A visitor opens each page and may prepare it; the twin gets the widgets that it has then.
    """
    with ExitStack() as stack:
        servers = {"page": stack.enter_context(Server())}
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        scripts = asyncio.run(_empty_scripts(servers["page"].url, pages, prepare))
        folders = {"empty": twins(scripts, folder / "empty")}
        if against:
            folders["before"] = checkout(against, folder / "before")
        for version, path in folders.items():
            servers[version] = stack.enter_context(Server(folder=path))
        yield servers


async def _empty_scripts(
    address: str, pages: Iterable[str], prepare: Prepare | None
) -> dict[str, str]:
    """Write an empty page for each page of a server, after a visitor has prepared it."""
    scripts = {}
    for page in pages:
        async with opened(address, path_of(page, "page")) as visitor:
            if prepare:
                await prepare(visitor, page)
            scripts[page] = empty_script(visitor)
    return scripts


@contextmanager
def chromium() -> Iterator[Callable[[str], Any]]:
    """Start Chromium and yield a function that opens a window and runs a script in its pages."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable(), args=ARGS)

        def window(script: str) -> Any:
            """Open a window that runs a script in each of its pages."""
            context = browser.new_context(viewport={"width": 1280, "height": 720})
            context.add_init_script(script)
            return context

        yield window
        browser.close()


def unmeasured(pages: Iterable[str], servers: Iterable[str]) -> dict[str, Row]:
    """Return empty rows, by page and version, for the measurements."""
    return {page: {version: defaultdict(list) for version in servers} for page in pages}


def median(costs: Costs, name: str) -> float | None:
    """Return the median of the costs of one name; None if nothing was measured."""
    if costs.get(name):
        return statistics.median(costs[name])
    return None


def compared(row: Row, name: str, digits: int, unit: float = 1.0) -> list[Cell]:
    """Return a page's median cost in `unit`, and its ratios to the empty page and other version."""
    cost = median(row["page"], name)
    cells = [(cost and cost / unit, digits)]
    for version in ("empty", "before"):
        other = median(row.get(version, {}), name)
        cells.append((cost / other if cost and other else None, 2))
    return cells


def table(over: str, width: int, heads: Iterable[str], cells: Mapping[str, list[Cell]]) -> str:
    """Write the cells of each page as a table, with line `over` above the column heads."""
    lines = [over, _line("page", width, heads)]
    for page, numbers in cells.items():
        texts = []
        for value, digits in numbers:
            texts.append("–" if value is None else f"{value:.{digits}f}")
        lines.append(_line(page, width, texts))
    return "\n".join(lines)


def _line(page: str, width: int, texts: Iterable[str]) -> str:
    """Write one line of a table."""
    return page.ljust(width) + "".join(text.rjust(9) for text in texts)
