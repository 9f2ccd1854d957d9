"""What a measured page is compared with: an empty page with the same widgets, and another version
of the app.
"""

import io
import itertools
import os
import shutil
import statistics
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.server import ROOT, Server
from benchmarks.visitor import Visitor

ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def names() -> list[str]:
    """Every page of the app, home first."""
    return ["app", *sorted(path.stem for path in (ROOT / "pages").glob("*.py"))]


def executable() -> str | None:
    """Path of an installed Chromium or Chrome."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


def empty_script(visitor: Visitor) -> str:
    """Write a page with the widgets that this visitor sees, and one metric that follows its
    sliders.
    """
    lines = ["import streamlit as st", "moved = []"]
    kinds = itertools.count()
    for element in visitor.elements.values():
        kind = element.WhichOneof("type")
        widget = getattr(element, kind)
        key = f"key='{kind}_{next(kinds)}'"
        if kind == "slider" and not widget.options:
            number = float if widget.data_type == widget.FLOAT else int
            bounds = [number(n) for n in (widget.min, widget.max, widget.default[0], widget.step)]
            key = f"key='slider_{widget.id.split('-', 2)[2]}'"
            lines.append(f"moved.append(st.sidebar.slider({widget.label!r}, *{bounds}, {key}))")
        elif kind == "slider":
            lines.append(
                f"st.sidebar.select_slider({widget.label!r}, {list(widget.options)!r}, {key})"
            )
        elif kind in ("selectbox", "radio"):
            lines.append(f"st.{kind}({widget.label!r}, {list(widget.options)!r}, {key})")
        elif kind == "button_group":
            options = [option.content for option in widget.options]
            lines.append(f"st.segmented_control('choice', {options!r}, {key})")
        elif kind in ("checkbox", "number_input", "text_input", "text_area", "button"):
            lines.append(f"st.{kind.replace('checkbox', 'toggle')}({widget.label!r}, {key})")
    return "\n".join([*lines, "st.metric('Sum', repr(sum(moved)))", ""])


def path_of(page: str, version: str) -> str:
    """Home's twin is a page of its own, since an app.py without a line is what a twin app opens
    with.
    """
    if page != "app":
        return page
    if version == "empty":
        return "app_"
    return ""


def twins(scripts: Mapping[str, str], folder: Path) -> Path:
    """Make an app of empty twins, from their scripts by page."""
    shutil.copytree(ROOT / ".streamlit", folder / ".streamlit")
    (folder / "app.py").write_text("import streamlit as st\nst.title('Empty')\n", encoding="utf-8")
    (folder / "pages").mkdir()
    for page, script in scripts.items():
        (folder / "pages" / f"{path_of(page, 'empty')}.py").write_text(script, encoding="utf-8")
    return folder


def checkout(revision: str, folder: Path) -> Path:
    """Unpack another version of the app."""
    packed = subprocess.run(
        ["git", "archive", revision], cwd=ROOT, check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


@contextmanager
def started(
    scripts: Callable[[str], Mapping[str, str]], against: str | None
) -> Iterator[dict[str, Server]]:
    """Start the app as "page", its twin as "empty" and another version, if there is one, as
    "before"; yield the servers.

    `scripts` returns the scripts of the empty twins by page, from the app's address.
    """
    with ExitStack() as stack:
        servers = {"page": stack.enter_context(Server())}
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folders = {"empty": twins(scripts(servers["page"].url), folder / "empty")}
        if against:
            folders["before"] = checkout(against, folder / "before")
        for version, path in folders.items():
            servers[version] = stack.enter_context(Server(folder=path))
        yield servers


@contextmanager
def chromium() -> Iterator[Any]:
    """Start Chromium and yield it, as Playwright drives it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable(), args=ARGS)
        yield browser
        browser.close()


def median(values: Iterable[float | None]) -> float | None:
    """Return the median of the values that were measured; None without any."""
    numbers = [value for value in values if value is not None]
    if numbers:
        return statistics.median(numbers)
    return None


def ratio(value: float | None, other: float | None) -> float | None:
    """Return a ratio; None unless both values were measured."""
    if value and other:
        return value / other
    return None


def row(name: str, width: int, cells: Iterable[tuple[float | None, int]]) -> str:
    """Write a row of a table: its name, and numbers with so many digits."""
    texts = ["–" if value is None else f"{value:.{digits}f}" for value, digits in cells]
    return head(name, width, texts)


def head(name: str, width: int, texts: Iterable[str]) -> str:
    """Write a name and texts in columns."""
    return f"{name:<{width}}" + "".join(f"{text:>9}" for text in texts)
