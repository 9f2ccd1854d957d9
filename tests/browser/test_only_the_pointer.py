"""Only a visitor's pointer moves a setting through a chart: nothing computed or rebuilt does."""

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import streamlit
from browsing import chart, settle
from driving import BY_ID
from playwright.sync_api import expect

from lessons import LESSONS
from ui.base.lesson import Figure
from ui.charts import handle, levels
from ui.charts.look import Look
from ui.knobs.declared import knobs_of, read
from ui.page import figures

#: The file of the browser's part of Streamlit that holds Vega.
(VEGA,) = (Path(streamlit.__file__).parent / "static/static/js").glob("embed.*.js")
#: Draws a chart whose handle goes through these moments, and returns what is then drawn.
DRAWN = """async ([file, spec, moments]) => {
  const {t: embed} = await import(file)
  const box = document.body.appendChild(document.createElement("div"))
  const {view, finalize} = await embed(box, spec, {actions: false, renderer: "svg"})
  await view.runAsync()
  for (const held of moments) await view.signal("held", held).runAsync()
  box.querySelectorAll("path[d='M0,0']").forEach(unseen => unseen.remove())
  const drawn = box.querySelector("svg").outerHTML.replace(/clip\\d+/g, "clip")
    .replace(/-?\\d+\\.\\d{5,}/g, number => Number(number).toFixed(4))
  finalize()
  box.remove()
  return drawn
}"""
#: Ten places along the range of a knob, to and fro, as shares of it.
SHARES = (0.3, 0.45, 0.5, 0.95, 0.6, 0.05, 0.7, 0.3, 1.0, 0.0)
#: Five of them, its ends among them, where the server draws each one, too.
FEW = SHARES[1::2]
#: Lessons whose charts have handles; by eye, a coarse one has none.
PLAYED = [lesson.id for lesson in LESSONS if not lesson.coarse]
#: Those with pictures that are drawn where the pointer is before the server has answered.
FOLLOWING = ["fair", "notebooks", "autoscale", "place"]
#: One lesson of each kind of handle: along a curve, at values of its own, two lines up and down.
KINDS = ["trap", "fair", "autoscale"]


@cache
def handles_of(lesson: str) -> list[tuple[str, Figure]]:
    """The pictures of a lesson that have a handle, each with its view's id."""
    played = BY_ID[lesson]
    return [
        (view.id, figure)
        for view in played.pictures
        for figure in view.figures(played.settings(), Look())
        if figure.levels or figure.grab
    ]


def follows(figure: Figure) -> bool:
    return bool(figure.levels) or "told" in figure.rows.column_names


def drawn(page, figure: Figure, places: list[float], start: float | None = None) -> str:
    """Draw a chart that is held at these places one after the other."""
    rows = figure.rows
    if figure.levels:
        rows = levels.with_lines(rows, figure.levels, figures.NEVER)
    told = [row | {"told": figures.NEVER} for row in rows.to_pylist()]
    datasets = {"rows": told, handle.GRAB: handle.band_rows(()).to_pylist()}
    spec = figures.sent(figure, figures.NEVER) | {"datasets": datasets, "width": 700}
    moments = [
        {"start": at if start is None else start, "at": at, "off": 0, "when": count}
        for count, at in enumerate(places, 1)
    ]
    sent = json.loads(json.dumps(spec, default=str))
    return page.evaluate(DRAWN, [f"/static/js/{VEGA.name}", sent, moments])


@pytest.fixture(scope="module")
def blank(browser, server):
    """A page of the app in which charts are drawn without it."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{server.url}/_stcore/health")
    yield page
    context.close()


@pytest.mark.parametrize("lesson", PLAYED)
def test_a_chart_looks_the_same_however_its_handle_came_there(blank, lesson):
    for _, figure in handles_of(lesson):
        if figure.levels:
            low, high = 0.0, 1.0
        else:
            low, high = handle.axis_of(figure.spec)["scale"]["domain"]
        places = [max(low + share * (high - low), high / 1e4) for share in SHARES]
        for count in (2, 5, 10):
            now = places[:count]
            once = drawn(blank, figure, now[-1:], now[0])
            assert drawn(blank, figure, now) == once, (figure.name, now[-1])


def test_pictures_that_follow_the_pointer_are_those_that_are_compared_with_the_servers():
    followers = [lesson for lesson in PLAYED if any(follows(own) for _, own in handles_of(lesson))]
    assert set(followers) == set(FOLLOWING)


@pytest.mark.parametrize("lesson", FOLLOWING)
def test_a_picture_under_the_pointer_is_the_one_that_the_server_draws_there(blank, lesson):
    settings = BY_ID[lesson].settings()
    wrong = []
    for view, figure in handles_of(lesson):
        if follows(figure):
            picture = next(part for part in BY_ID[lesson].pictures if part.id == view)
            wrong += differences(blank, picture, figure, settings)
    assert not wrong


def differences(blank, picture, figure: Figure, settings) -> list[tuple[str, object]]:
    """Knobs and values at which the browser draws another picture than the server."""

    def differs(knob: str, value: object, at: float, start: float) -> bool:
        there = replace(settings, **{knob: value})
        answer = next(own for own in picture.figures(there, Look()) if own.name == figure.name)
        return drawn(blank, figure, [at], start) != drawn(blank, answer, [])

    wrong = []
    for line in figure.levels:
        for share in FEW:
            at = round(line.least + share * (line.most - line.least), 2)
            if differs(line.knob, at, at, line.value):
                wrong.append((line.knob, at))
    if figure.grab:
        declared = knobs_of(type(settings))[figure.grab.knob]
        values = declared.values(vars(settings))
        for share in FEW:
            value = values[round(share * (len(values) - 1))]
            at = place_of(figure, value)
            if differs(figure.grab.knob, value, at, at):
                wrong.append((figure.grab.knob, value))
    return wrong


def place_of(figure: Figure, value: object) -> float:
    """A place on the axis at which a knob takes this value."""
    if not figure.grab.choose:
        return value / figure.grab.unit
    low, high = handle.axis_of(figure.spec)["scale"]["domain"]
    tried = [low + share / 1000 * (high - low) for share in range(1001)]
    return next(at for at in tried if figure.grab.choose(at) == value)


@pytest.mark.parametrize("lesson", KINDS)
def test_after_a_press_a_knob_stays_where_the_last_hand_left_it(comes, lesson):
    view, figure = handles_of(lesson)[0]
    walk_the_hands(comes, lesson, view, figure)


@pytest.mark.nightly
@pytest.mark.parametrize("lesson", PLAYED)
def test_after_a_press_every_knob_stays_where_the_last_hand_left_it(comes, lesson):
    by_name = {figure.name: (view, figure) for view, figure in reversed(handles_of(lesson))}
    for view, figure in by_name.values():
        walk_the_hands(comes, lesson, view, figure)


def walk_the_hands(comes, lesson: str, view: str, figure: Figure) -> None:
    """A press, and after it everything else that moves a knob or draws the chart anew."""
    played = BY_ID[lesson]
    name = figure.levels[1].knob if figure.levels else figure.grab.knob
    declared = knobs_of(type(played.settings()))[name]
    waits = any(part.id == view and part.further for part in played.pictures)
    page = comes(f"?{lesson}_view={view}", lesson=played, reflected=waits)

    def value() -> object:
        """The knob's value in the address, once nothing more can come."""
        settle(page)
        page.wait_for_timeout(600)
        settle(page)
        raw = page.evaluate(
            "key => new URLSearchParams(location.search).get(key)", f"{lesson}_{name}"
        )
        defaults = vars(played.settings())
        return (
            declared.in_widget(defaults[name])
            if raw is None
            else declared.from_query(raw, defaults)
        )

    def meant(changes: dict) -> object:
        settings = read(type(played.settings()), changes)[0]
        return declared.in_widget(getattr(settings, name))

    def press(share: float) -> object:
        settle(page)
        page.mouse.click(*spot(page, figure, share))
        return value()

    def drawn_anew(there: object) -> None:
        for width, theme in ((1010, "dark"), (1280, "light")):
            page.set_viewport_size({"width": width, "height": 720})
            page.emulate_media(color_scheme=theme)
            assert value() == there, f"{width} px wide, {theme}"

    there = press(0.61)
    assert there != meant({}) or press(0.3) != meant({})
    there = value()
    drawn_anew(there)
    others = [
        one for one in knobs_of(type(played.settings())).values() if one.label != declared.label
    ]
    for other in others:
        slider = page.get_by_role("slider", name=other.label, exact=True)
        if slider.count() and slider.first.is_visible() and slider.first.is_enabled():
            slider.first.press("ArrowRight")
            assert value() == there, other.label
            break
    slider = page.get_by_role("slider", name=declared.label, exact=True)
    if slider.count():
        slider.first.press("Home")
        slider.first.press("ArrowRight")
        turned = value()
        assert turned != there
        drawn_anew(turned)
        again = press(0.61)
        assert again != turned and press(0.61) == again, "the same press twice"
    page.get_by_role("button", name="Presets").first.click()
    page.get_by_role("button", name="Reset settings").click()
    assert value() == meant({})
    page.keyboard.press("Escape")
    for share in (0.61, 0.3):
        there = press(share)
    page.reload()
    assert value() == there
    for preset in list(played.presets.values())[:1]:
        page.get_by_role("button", name="Presets").first.click()
        page.get_by_role("button", name=preset.words, exact=True).click()
        assert value() == meant(preset.changes), preset.words
        page.keyboard.press("Escape")
    start = page.get_by_role("button", name="Start the challenge")
    if played.challenge and start.count():
        start.first.click()
        started = value()
        assert started == meant(played.challenge.preset.changes)
        page.set_viewport_size({"width": 1010, "height": 720})
        assert value() == started
    assert not page.get_by_test_id("stException").count()


def spot(page, figure: Figure, share: float) -> tuple[float, float]:
    """A place on the page at this share of the axis that can be held."""
    bands = page.locator(".levels_marks path" if figure.levels else ".grab_marks path")
    expect(bands.last).to_be_attached()
    bands.last.scroll_into_view_if_needed()
    settle(page)
    first = bands.first.bounding_box()
    last = bands.last.bounding_box()
    if figure.levels:
        foot = first["y"] + first["height"]
        return first["x"] + 0.4 * first["width"], foot + share * (last["y"] - foot)
    right = last["x"] + last["width"]
    return first["x"] + share * (right - first["x"]), first["y"] + 0.4 * first["height"]


def test_while_a_handle_is_held_what_belongs_to_the_old_place_is_dimmed(comes):
    """Numbers and the sentence, until the server has answered; the other picture follows."""
    page = comes(lesson=BY_ID["spot"])
    _, figure = handles_of("spot")[0]
    number = page.get_by_test_id("stMetric").first
    chart(page)
    runs, cost = page.get_by_test_id("stVegaLiteChart").all()
    hints = cost.locator(".hint_marks text")
    expect(hints).not_to_have_css("opacity", "0")
    expect(hints).to_have_css("animation-name", "hinting")
    page.get_by_role("slider").first.press("ArrowRight")
    expect(hints).to_have_css("animation-name", "none")
    expect(hints).to_have_css("opacity", "0.8")
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.mouse.move(*spot(page, figure, 0.4))
    page.mouse.down()
    page.mouse.move(*spot(page, figure, 0.7), steps=3)
    expect(page.locator("#vg-tooltip-element")).to_contain_text(re.compile(r"[\d.]+ (min|h)$"))
    expect(number).to_have_css("opacity", "0.35")
    for part in (runs, cost):
        expect(part).to_have_css("opacity", "1")
    expect(page.locator("p[data-old]")).to_have_count(1)
    page.mouse.up()
    expect(number).to_have_css("opacity", "1")
    expect(hints).to_have_css("opacity", "0")
    page.reload()
    expect(hints).to_have_css("opacity", "0")


def test_spot_s_runs_follow_the_curve_and_release_draws_the_same(comes):
    """While the curve is held, the browser computes the bars; then the server sends them."""
    page = comes(lesson=BY_ID["spot"])
    _, figure = handles_of("spot")[0]
    chart(page)
    runs, _ = page.get_by_test_id("stVegaLiteChart").all()
    followed = runs.locator(".pointed_marks path")
    bars = runs.locator(".mark-rect path")  # of each run its work, then its checkpoints
    before = widths(bars)[:16:2]
    page.mouse.move(*spot(page, figure, 0.4))
    page.mouse.down()
    for share in (0.7, 0.5):
        page.mouse.move(*spot(page, figure, share), steps=3)
        expect(followed).to_have_count(8)
    held = widths(followed)
    page.mouse.up()
    settle(page)
    expect(followed).to_have_count(0)
    assert widths(bars)[:16:2] == pytest.approx(held, abs=1.0)
    assert before != pytest.approx(held, abs=1.0)


def widths(marks) -> list[float]:
    """Widths of marks on the page [px]."""
    return [mark.bounding_box()["width"] for mark in marks.all()]
