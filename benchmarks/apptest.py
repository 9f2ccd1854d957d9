"""Reruns through AppTest: a page of the app, and an empty page with the same widgets."""

import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from streamlit.testing.v1 import AppTest

from ui.base.lesson import Lesson

ROOT = Path(__file__).resolve().parent.parent
#: Reruns before the clock starts: imports, caches, chart specifications.
WARM_UP = 3


def open_page(page: str, lesson: Lesson | None) -> AppTest:
    """Open a page of the app by its name; a lesson with its prediction committed, "app" is home."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if lesson is not None:
        app.session_state["predictions"] = {lesson.id: lesson.prediction.right}
    app.run()
    return app if page == "app" else app.switch_page(f"pages/{page}.py").run()


def slider_values(slider) -> Iterator[float]:
    """Yield values that a slider can take, up and down from where it stands, without end."""
    low, high, step = slider.proto.min, slider.proto.max, slider.proto.step
    count = max(1, round((high - low) / step))
    at, direction, kind = round((slider.value - low) / step), 1, type(slider.value)
    while True:
        if not 0 <= at + direction <= count:
            direction = -direction
        at += direction
        yield kind(min(max(low + at * step, low), high))


def moving_slider(app: AppTest) -> str | None:
    """Key of the first slider of the page whose next value changes a metric; None if there is none."""
    for key in [slider.key for slider in app.slider]:
        before = [metric.value for metric in app.metric]
        slider = app.slider(key=key)
        start, values = slider.value, slider_values(slider)
        slider.set_value(next(values)).run()
        changed = before != [metric.value for metric in app.metric]
        app.slider(key=key).set_value(start).run()
        if changed and before:
            return key
    return None


def empty_script(app: AppTest) -> str:
    """Write a page with the same widgets as this one, and one metric that follows its sliders."""
    lines = ["import streamlit as st", "moved = []", "with st.sidebar:"]
    for number, slider in enumerate(app.slider):
        proto, kind = slider.proto, type(slider.value)
        bounds = ", ".join(repr(kind(value)) for value in (proto.min, proto.max, slider.value, proto.step))
        lines.append(f"    moved.append(st.slider({proto.label!r}, {bounds}, key='slider_{number}'))")
    for number, box in enumerate(app.number_input):
        lines.append(f"    st.number_input({box.proto.label!r}, value={box.value!r}, key='number_{number}')")
    for kind, call in (("selectbox", "selectbox"), ("select_slider", "select_slider"), ("radio", "radio")):
        for number, choice in enumerate(getattr(app, kind)):
            options = list(choice.proto.options)
            lines.append(f"    st.{call}({choice.proto.label!r}, {options!r}, key='{kind}_{number}')")
    for kind in ("toggle", "text_input", "text_area", "button"):
        for number, widget in enumerate(getattr(app, kind)):
            lines.append(f"    st.{kind}({widget.proto.label!r}, key='{kind}_{number}')")
    return "\n".join([*lines, "st.metric('Sum', repr(sum(moved)))", ""])


def open_empty(script: str) -> AppTest:
    """Open an empty page."""
    return AppTest.from_string(script, default_timeout=60).run()


def rerunner(app: AppTest, key: str | None) -> Callable[[], None]:
    """Return what one rerun is: the next value of the slider, or a plain run of a page without one."""
    if key is None:
        return lambda: app.run() and None
    values = slider_values(app.slider(key=key))
    return lambda: app.slider(key=key).set_value(next(values)).run() and None


def medians(reruns: list[Callable[[], None]], rounds: int) -> list[float]:
    """Milliseconds of each kind of rerun, taken in turns so that a busy machine slows all of them."""
    spent: list[list[float]] = [[] for _ in reruns]
    for turn in range(WARM_UP + rounds):
        for rerun, times in zip(reruns, spent, strict=True):
            begin = time.perf_counter()
            rerun()
            if turn >= WARM_UP:
                times.append((time.perf_counter() - begin) * 1e3)
    return [statistics.median(times) for times in spent]
