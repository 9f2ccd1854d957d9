"""Stray input: whatever is pressed, moved, typed, linked or imported, no visitor sees a traceback
or an odd text.
"""

from functools import cache

import pytest
from driving import ROOT, click, each_lesson, texts, unlocked, visit
from grade_reports import written
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st_
from odd_texts import odd

from lessons import LESSONS as COURSE

LESSONS = {lesson.page: lesson for lesson in COURSE}
PLAIN = sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem not in LESSONS)
PAGES = [*LESSONS, *PLAIN, "app"]
#: Simulates a whole fleet at each turn: its walk is nightly, its addresses are not.
HEAVY = "scheduling_policy"
STEADY = {
    "suppress_health_check": list(HealthCheck),
    "phases": [Phase.generate],
    "report_multiple_bugs": False,
}
#: What people and programs put where a value belongs.
ODD = [
    *("", "NaN", "-inf", "1e308", "-1e308", "0x1F", "½", "٣", "🙂", "\x00", "../../etc/passwd"),
    *(
        "<script>alert(1)</script>",
        "[1, 2]",
        '{"a": 1}',
        "true",
        "null",
        "'; drop table x; --",
        "${7*7}",
        "{fleet}",
    ),
    "x" * 100_000,
]
WORDS = st_.sampled_from(ODD) | st_.text(max_size=30)
GARBAGE = (
    st_.none() | st_.booleans() | st_.integers() | st_.floats() | WORDS
    | st_.lists(st_.integers(), max_size=3)
    | st_.dictionaries(st_.text(max_size=5), st_.floats(), max_size=3)
)  # fmt: skip


def odd_texts(app, typed: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """Kind and surroundings of every odd text that the app itself has sent; formulas, code and
    typed words aside.
    """
    # ids, which a browser is not sent
    found = []
    chosen = {widget.value for widget in (*app.selectbox, *app.radio)}
    for text in texts(app):
        if text in chosen or any(words and words in text for words in typed):
            continue
        found += odd(text)
    return found


def sound(app, where: str) -> None:
    """No exception is shown, and the page can be left."""
    assert not app.exception, f"{where}: {app.exception[0].message}"


def widgets(app) -> list[tuple[str, str]]:
    """Kind and key of everything that can be operated now."""
    kinds = (
        "slider",
        "select_slider",
        "number_input",
        "selectbox",
        "button_group",
        "toggle",
        "button",
        "radio",
    )
    found = [
        (kind, widget)
        for kind in (*kinds, "text_area", "text_input")
        for widget in getattr(app, kind)
    ]
    return [(kind, widget.key) for kind, widget in found if widget.key and not widget.disabled]


def operate(app, kind: str, key: str, part: float, words: str) -> None:
    """Operate one widget as a visitor may: to some part of its range, to one of its options, with
    some words.
    """
    widget = getattr(app, kind)(key=key)
    if kind == "button":
        widget.click()
    elif kind == "toggle":
        widget.set_value(not widget.value)
    elif kind in ("slider", "number_input"):
        low = widget.proto.min
        high = widget.proto.max
        widget.set_value(type(widget.value)(low + part * (high - low)))
    elif kind == "radio":
        if key.endswith(("_prediction", "_reflection")):
            widget.set_value("abcd"[min(int(part * 4), 3)])
    elif kind in ("button_group", "selectbox", "select_slider"):
        words = widget.options[min(int(part * len(widget.options)), len(widget.options) - 1)]
        # Their values are ids; `format_func` is a dictionary's own `get`, or lets words stand for
        # themselves.
        if kind != "select_slider":
            ids = getattr(widget.format_func, "__self__", {})
        else:
            ids = {}
        widget.set_value(next((one for one in ids if ids[one] == words), words))
    else:
        widget.set_value(words[:2000])


@cache
def keys_of(page: str) -> list[str]:
    """Names that an address of this page may hold."""
    if page in LESSONS:
        return [key for kind, key in widgets(unlocked(page)) if kind != "button"]
    return ["wat"]


STEP = st_.tuples(st_.integers(0, 200), st_.floats(0, 1), WORDS)


def wander(page: str, steps: list[tuple[int, float, str]], onward: str) -> None:
    """Operate whatever a page offers, step by step, then leave it and come back."""
    if page in LESSONS:
        app = unlocked(page)
    else:
        app = visit(page)
    for which, part, words in steps:
        offered = widgets(app)
        if not offered:
            break
        kind, key = offered[which % len(offered)]
        operate(app, kind, key, part, words)
        app.run()
        sound(app, f"{page}, {kind} {key} at {part}")
        assert page not in LESSONS or not odd_texts(app, (words, *ODD)), (
            f"{page}, {kind} {key} at {part}"
        )
    for where in (onward, page):
        app.switch_page("app.py" if where == "app" else f"pages/{where}.py").run()
        sound(app, f"{page}, then {where}")


def open_with(page: str, address: dict[str, str], state: dict[str, object]) -> None:
    """Open a page with an address and a session that may hold anything, and leave it."""
    if page in LESSONS:
        app = unlocked(page, state, **address)
    else:
        app = visit(page, state, **address)
    sound(app, f"{page} with {list(address)} and {list(state)}")
    app.switch_page("app.py").run()
    sound(app, f"home after {page}")


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [pytest.param(p, marks=pytest.mark.nightly) if p == HEAVY else p for p in PAGES]
)
def test_any_walk_over_a_page_s_widgets_stays_sound_and_can_be_left(page):
    @settings(max_examples=2, **STEADY)
    @given(st_.lists(STEP, min_size=3, max_size=5), st_.sampled_from(PAGES))
    def walk(steps, onward):
        wander(page, steps, onward)

    walk()


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_any_address_and_any_session_open_a_page_that_can_be_left(page):
    names = [key for key in keys_of(page) if not key.endswith(("_lock", "_pin"))]
    books = [
        "predictions",
        "reflections",
        "ledger",
        "pins",
        "_notices",
        "_me_name",
        "_present",
        "keep",
    ]
    prefix = f"{LESSONS[page].id if page in LESSONS else ''}_"
    quantities = st_.sampled_from([name.removeprefix(prefix) for name in names]) | st_.text(
        max_size=5
    )

    @settings(max_examples=2, **STEADY)
    @given(
        st_.dictionaries(
            st_.sampled_from(names) | st_.text("abz_é", min_size=1, max_size=6), WORDS, max_size=5
        ),
        st_.dictionaries(st_.sampled_from(books + names), GARBAGE, max_size=5),
        st_.dictionaries(quantities, GARBAGE, max_size=8),
    )
    def opened(address, state, wanted):
        open_with(page, address, state | {"_wanted": {prefix[:-1]: wanted}})

    opened()


def test_nothing_that_a_file_says_is_read_as_markdown_or_html():
    evil = "![x](http://evil.example/x.png) <img src=x> [y](javascript:z) :red[q] www.evil.example"
    pin = {"settings": {evil: evil}, "results": {"Mean wait": [1.0, evil]}}
    record = {
        "prediction": "a",
        "note": ODD[11],
        "results": {"Mean wait": evil, evil: "1"},
        "pins": [pin],
    }
    app = visit("report")
    data = written(lessons={"trap": record}, name="N <b>")
    app.file_uploader(key="report_import").upload("../<b>r.json", data, "application/json")
    click(app.run(), "report_take")
    (shown,) = [
        element.proto.body for element in app.run().get("html") if "evil" in element.proto.body
    ]
    assert "&lt;img src" in shown and "<img" not in shown and "<a" not in shown
    app.switch_page("pages/utilization_trap.py").run()
    sound(app, "trap")
    (text,) = [text for text in app.markdown.values if "evil" in text]
    assert "![" not in text and "http:" not in text and "<img" not in text.replace("\\<img", "")
    assert "www." not in text and "[q" not in text.replace("\\[q", "")
    assert not any(element.proto.allow_html for element in app.markdown)


@pytest.mark.slow
@each_lesson()
def test_a_page_opens_with_all_knobs_at_an_end_and_no_word_of_it_is_odd(lesson):
    app = unlocked(lesson, {"reflections": {lesson.id: "a"}})
    ranged = [one for one in widgets(app) if one[0] in ("slider", "number_input", "select_slider")]
    assert ranged
    for end in (0, 1):
        for kind, key in ranged:
            operate(app, kind, key, end, "")
        sound(app.run(), f"{lesson.id} at {end}")
        assert not odd_texts(app)
        assert set(ranged) <= set(widgets(app))
