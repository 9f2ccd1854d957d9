"""Drive the app as a script would: through app.py, with AppTest."""

import html
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from lessons import LESSONS
from ui.base.lesson import Lesson
from ui.base.words import load
from ui.knobs.declared import knobs_of, read
from ui.knobs.knob import Knob, as_in_query, tidy

#: Parts of a page that hold others and say nothing themselves.
LAYOUT = (
    None,
    "main",
    "sidebar",
    "vertical",
    "horizontal",
    "column",
    "flex_container",
    "transparent",
)
#: A browser asks for the page, which then leaves out what is folded.
BROWSER = {"_agent": "Mozilla/5.0"}
#: When a lock was made, or a prediction tested.
AT = "2026-03-01T10:00:00+00:00"
#: The lessons by id.
BY_ID = {lesson.id: lesson for lesson in LESSONS}
#: What stands beside a chart for those who do not see it.
UNSEEN = '<p class="unseen">(.*)</p>'
ROOT = Path(__file__).resolve().parent.parent
# Each new AppTest reads the metadata of every installed package in search of components, for three
# quarters of the time of a first run. What is installed does not change during a test run.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def each_lesson(heavy: str = "") -> pytest.MarkDecorator:
    """Try a test on every lesson; the one that simulates a whole fleet at each turn is marked as
    slow or nightly.
    """
    marks = {one.id: getattr(pytest.mark, heavy) if heavy and one.coarse else () for one in LESSONS}
    return pytest.mark.parametrize(
        "lesson", [pytest.param(one, id=one.page, marks=marks[one.id]) for one in LESSONS]
    )


#: Pictures, by lesson and view, that simulate for a second or more at each setting.
SIMULATED = {("stutter", "pieces"), ("stutter", "apart"), ("place", "stream")}


def each_picture() -> pytest.MarkDecorator:
    """Try a test on every picture of every lesson; those that simulate for seconds are nightly."""
    pictures = []
    for lesson in LESSONS:
        for view in lesson.pictures:
            is_long = (lesson.coarse and view.further) or (lesson.id, view.id) in SIMULATED
            marks = pytest.mark.nightly if is_long else ()
            pictures.append(pytest.param(lesson, view, marks=marks, id=f"{lesson.page}-{view.id}"))
    return pytest.mark.parametrize(("lesson", "view"), pictures)


def at_share(knob: Knob, share: float) -> object:
    """What a knob holds at a share of its range, SI or an id."""
    if knob.constant is None or knob.positions:
        values = knob.values({})
        return values[round(share * (len(values) - 1))]
    low, high = knob.bounds({})
    return tidy(knob.nearest(low + share * (high - low), {}) * knob.unit)


def quick(lesson: Lesson, changes: dict) -> object:
    """A lesson's settings with some changes; one that simulates at each turn does so three
    times.
    """
    settings = read(lesson.settings, changes)[0]
    if lesson.coarse:
        return replace(settings, replications=3)
    return settings


def in_address(knob: Knob, value: object) -> str:
    """What an address says of a knob's value, SI or an id."""
    held = knob.in_widget(value)
    if isinstance(held, str):
        return held
    return as_in_query(held)


def visit(page: str | Lesson, state: dict | None = None, **address: str) -> AppTest:
    """Open a lesson or a page by its name ("app" is home), with session state and address filled
    before.
    """
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in (state or {}).items():
        app.session_state[key] = value
    for key, value in address.items():
        app.query_params[key] = value
    if page != "app":
        app.switch_page(f"pages/{getattr(page, 'page', page)}.py")
    return app.run()


def unlocked(
    page: str | Lesson, state: dict | None = None, answer: str | None = None, **address: str
) -> AppTest:
    """Open a lesson whose prediction is already committed, as a script may do: the right answer
    unless told.
    """
    if isinstance(page, str):
        lesson = load(page)
    else:
        lesson = page
    answers = {lesson.id: answer or lesson.prediction.right}
    return visit(page, {"predictions": answers} | (state or {}), **address)


def after_the_test(lesson: Lesson) -> dict:
    """Session state of a browser in which the lesson's prediction has been tested: nothing that it
    asks for is held back.
    """
    return BROWSER | {"ledger": {lesson.id: {"steps": {"tested": AT}}}}


def click(app: AppTest, *keys: str) -> AppTest:
    """Press buttons, one after another; no page may fail at it."""
    for key in keys:
        app.button(key=key).click().run()
        assert not app.exception, app.exception[0].message
    return app


def put(app: AppTest, key: str, value: object) -> AppTest:
    """Set a widget of whatever kind to a value; no page may fail at it."""
    next(one for one in elements(app) if getattr(one, "key", None) == key).set_value(value).run()
    assert not app.exception, app.exception[0].message
    return app


def turn(app: AppTest, lesson: Lesson) -> AppTest:
    """Move the first slider in sight."""
    keys = [f"{lesson.id}_{name}" for name in knobs_of(lesson.settings)]
    slider = next(one for one in app.slider if one.key in keys)
    return put(
        app,
        slider.key,
        type(slider.value)(slider.max if slider.value != slider.max else slider.min),
    )


def lock(app: AppTest, lesson: Lesson, answer: str = "a", question: str = "") -> AppTest:
    """Choose an answer of a lesson and lock it in: of the prediction, or of the question that is
    named.
    """
    put(app, f"{lesson.id}_{question or 'prediction'}", answer)
    return click(app, f"{lesson.id}_{question}_lock" if question else f"{lesson.id}_lock")


def brought_back(*handed: dict[str, object], **state: object) -> AppTest:
    """Let a page take what a browser hands over, once or again; its session says what is `kept`
    then, and `told`.
    """

    def script():
        import streamlit as st

        from lessons import LESSONS
        from ui.record import ledger, local_storage, report

        for fields in st.session_state.pop("handed", []):
            local_storage.restore(fields)
        local_storage.start_over()
        st.session_state["kept"] = local_storage.fields(None)
        st.session_state["kept_in_a_lesson"] = local_storage.fields(LESSONS[0])
        st.session_state["told"] = ledger.record("trap") | {
            "steps": ledger.steps("trap"),
            "sure": ledger.sure("trap"),
        }
        st.session_state["report"] = report.document()

    app = AppTest.from_function(script)
    written = [
        {k: v if isinstance(v, str | None) else json.dumps(v) for k, v in one.items()}
        for one in handed
    ]
    for key, value in (state | {"handed": written}).items():
        app.session_state[key] = value
    app.run()
    assert not app.exception, app.exception[0].message
    return app


def sent(app: AppTest) -> str:
    """Everything that has gone to the browser, as its messages hold it."""
    return "\n".join(str(getattr(element, "proto", "")) for element in elements(app))


def elements(app: AppTest) -> Iterator[object]:
    """Yield every element that the page has sent to the browser, sidebar included."""
    stack = [app.main, app.sidebar]
    while stack:
        node = stack.pop(0)
        children = getattr(node, "children", None)
        if children:
            stack[0:0] = list(children.values())
        if getattr(node, "type", None) not in LAYOUT:
            yield node


def saved_files(app: AppTest) -> list[dict]:
    """Files that a page offers to save."""
    sent = [element.proto for element in elements(app) if element.type == "bidi_component"]
    lists = [json.loads(proto.json)["files"] for proto in sent if "_save_files" in proto.id]
    return [file for files in lists for file in files]


def texts(app: AppTest) -> list[str]:
    """List all words that the page has sent: labels, values, options, helps, notes and alternative
    texts.
    """
    found = []
    for element in elements(app):
        proto = getattr(element, "proto", None)
        for name in ("body", "label", "help", "value", "delta", "alt", "placeholder", "caption"):
            for source in (element, proto):
                text = getattr(source, name, None)
                if isinstance(text, str) and text:
                    words = re.fullmatch(UNSEEN, text)
                    found.append(html.unescape(words[1]) if words else text)
        found += [option for option in getattr(proto, "options", []) if isinstance(option, str)]
    return list(dict.fromkeys(text.replace("\u00a0", " ") for text in found))


def keys(app: AppTest) -> set[str]:
    """Collect the keys of all widgets on the page."""
    return {element.key for element in elements(app) if getattr(element, "key", None)}


def undescribed(found: Iterable[str], lesson: str = "") -> list[str]:
    """Widget keys that docs/driving-pages.md does not name; what every lesson has is there once, as
    `<lesson>_pin`.
    """
    document = (ROOT / "docs" / "driving-pages.md").read_text(encoding="utf-8")
    ways = {
        key: {f"`{key}`", f"`{key.replace(f'{lesson or key}_', '<lesson>_', 1)}`"} for key in found
    }
    return [key for key, names in ways.items() if not any(name in document for name in names)]


def metrics(app: AppTest) -> dict[str, str]:
    """Map the labels of the page's metrics to their values."""
    return {metric.label: metric.value for metric in app.metric}


def all_text(app: AppTest) -> str:
    """Join everything that the page says."""
    return "\n".join(texts(app))


class Drawn:
    """A chart as the page sent it, with the sentence beside it that says its numbers."""

    def __init__(self, proto: object, alt: str):
        self.proto = proto
        self.alt = alt
        self.title = proto.alt
        self.spec = proto.spec
        self.datasets = proto.datasets


def charts(app: AppTest) -> list[Drawn]:
    """List the charts of the page: `spec`, `datasets`, the question as `title`, the numbers in
    words as `alt`.
    """
    found = []
    for element in elements(app):
        if element.type == "vega_lite_chart":
            found.append(Drawn(element.proto, ""))
        elif (
            element.type == "html" and found and (words := re.fullmatch(UNSEEN, element.proto.body))
        ):
            found[-1].alt = html.unescape(words[1])
    return found


def chart_frame(chart: object) -> pd.DataFrame:
    """Read the frame that a chart is drawn from."""
    return pa.ipc.open_stream(chart.datasets[0].data.data).read_pandas()


def frame_of(app: AppTest, start: str) -> pd.DataFrame:
    """Read the frame of the one chart whose words begin like this."""
    found = [chart for chart in charts(app) if chart.alt.startswith(start)]
    assert len(found) == 1, [chart.alt for chart in charts(app)]
    return chart_frame(found[0])
