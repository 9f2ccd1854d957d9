"""What every lesson promises, tried on each of them: the lock, the knobs, the address, the way to
the end.
"""

import json
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
from driving import (
    BROWSER,
    BY_ID,
    after_the_test,
    all_text,
    at_share,
    chart_frame,
    charts,
    click,
    each_lesson,
    elements,
    in_address,
    keys,
    lock,
    metrics,
    put,
    texts,
    undescribed,
    unlocked,
    visit,
)

from lessons import LESSONS
from ui import films
from ui.base.words import PLACEHOLDER, fill
from ui.films import small_fleet
from ui.knobs.declared import knobs_of, quantities, read
from ui.page import home
from ui.record import recall

#: What a locked page may be made of; none of it holds a derived quantity.
BEFORE = {"title", "header", "markdown", "radio", "button", "slider", "select_slider",
          "number_input", "selectbox", "checkbox", "toggle", "button_group", "caption", "expander",
          "popover", "page_link", "imgs", "bidi_component", "segmented_control", "pills",
          "text_input", "dataframe"}  # fmt: skip


def knobs(app):
    kinds = (app.slider, app.select_slider, app.number_input, app.selectbox, app.toggle)
    return [widget for kind in kinds for widget in kind]


@each_lesson()
def test_before_the_lock_a_lesson_says_what_it_teaches_and_nothing_of_the_answer(lesson):
    app = visit(lesson)
    assert not app.exception
    (said,) = [
        caption.value for caption in app.caption if caption.value.startswith("You will be able to ")
    ]
    assert said == lesson.promise and said.endswith(f"; about {lesson.minutes} minutes.")
    assert 5 <= lesson.minutes <= 30 and len(said) <= 170
    assert {element.type for element in elements(app)} <= BEFORE
    assert not app.metric and not app.get("vega_lite_chart") and not app.latex
    assert all(
        frame.proto.editing_mode for frame in app.dataframe
    )  # a table of inputs is a knob, not a result
    allowed = {
        lesson.title,
        lesson.promise,
        fill(lesson.question, {}),
        fill(lesson.prediction.text, {}),
    }
    allowed |= {fill(option.text, {}) for option in lesson.prediction.options}
    message = fill("  \n".join(f"> {line}" for line in lesson.message.splitlines()), {})
    for element in elements(app):
        if element.type in ("markdown", "caption") and element.value not in allowed:
            in_sidebar = any(element is other for other in app.sidebar)
            assert in_sidebar or message in element.value or not re.search(r"\d", element.value), (
                element.value
            )
    sent = all_text(app)
    for question in (lesson.prediction, lesson.reflection):
        for option in question.options:
            assert option.feedback[:40] not in sent


@each_lesson()
def test_without_a_choice_nothing_is_locked_and_a_locked_prediction_cannot_be_changed(lesson):
    app = visit(lesson)
    key = f"{lesson.id}_prediction"
    assert "Choose one of the answers first" in click(app, f"{lesson.id}_lock").info[0].value
    assert not app.metric and "predictions" not in app.session_state
    assert not app.run().info
    lock(app, lesson, "b")
    app.session_state[key] = "a"
    app.run()
    assert app.session_state["predictions"] == {lesson.id: "b"}
    assert app.session_state["ledger"][lesson.id]["prediction"] == "b"
    assert app.radio(key=key).value == "b" and app.radio(key=key).proto.disabled
    assert f"{lesson.id}_lock" not in keys(app)
    assert f"**You said:** {fill(lesson.prediction.option('b').text, {})}" in all_text(app)


@pytest.mark.parametrize(
    "nonsense", [{"x": "c"}, {"trap": "z"}, {"trap": 3}, {"trap": ["c"]}, "c", None, [1]]
)
def test_a_lock_that_is_no_answer_opens_nothing_and_gives_way_to_one(nonsense):
    app = visit("utilization_trap", {"predictions": nonsense})
    assert not app.exception and not app.metric
    lock(app, BY_ID["trap"])
    assert app.session_state["predictions"]["trap"] == "a" and app.metric


def test_who_looks_without_predicting_is_told_of_every_answer_and_was_neither_right_nor_wrong():
    lesson = BY_ID["trap"]
    app = click(unlocked(lesson, answer="skipped"), "trap_explain")
    assert all(
        re.split(r"[{$*]", option.feedback)[0][:40] in all_text(app)
        for option in lesson.prediction.options
    )
    assert app.session_state["ledger"]["trap"]["right"] is None


@pytest.mark.slow
@each_lesson()
def test_takeaways_and_reply_wait_until_the_reflection_is_locked_which_finishes_the_lesson(lesson):
    app = unlocked(lesson)
    key = f"{lesson.id}_reflection"
    assert "Takeaways" not in all_text(app) and "write your own reply" in all_text(app)
    click(app, f"{key}_lock")
    assert any("Choose one of the answers first" in info.value for info in app.info)
    lock(app, lesson, lesson.reflection.right, "reflection")
    record = app.session_state["ledger"][lesson.id]
    assert record["reflection"] == lesson.reflection.right and record["reflection_right"] is True
    assert (
        record["settings"]
        and record["results"]
        and record["predicted_at"]
        and record["reflected_at"]
    )
    assert app.radio(key=key).proto.disabled
    assert "Takeaways" in all_text(app) and "write your own reply" not in all_text(app)
    assert all(re.split(r"[{$*]", text)[0][:40] in all_text(app) for text in lesson.takeaways)
    (fold,) = [box for box in app.expander if box.label == "Our reply"]
    (reply,) = fold.markdown
    assert reply.value.startswith(re.split(r"[{$*]", lesson.reply)[0].strip()[:40])
    assert not PLACEHOLDER.search(reply.value) and re.search(r"\d", reply.value)
    app.switch_page("app.py").run()
    labels = [link.proto.label for link in app.get("page_link") if lesson.page in link.proto.page]
    assert any(label.endswith("finished]") for label in labels)


@each_lesson()
def test_a_nonsensical_address_opens_the_page_and_is_reported_once(lesson):
    first = next(widget for widget in visit(lesson).slider)
    address = {first.key: "1e308", f"{lesson.id}_nonsense": "1", "wat": "<b>`x`</b>"}
    app = unlocked(lesson, **address)
    assert not app.exception and app.slider(key=first.key).value == first.value
    said = "\n".join(warning.value for warning in app.warning)
    assert first.key in said and f"{lesson.id}_nonsense" in said and "wat" in said
    click(app, "dismiss_notices")
    assert not any("address" in warning.value for warning in app.warning)


@each_lesson()
def test_the_documentation_names_every_widget(lesson):
    found = keys(visit(lesson)) | keys(unlocked(lesson)) | keys(visit(lesson, present="1"))
    assert not undescribed(found, lesson.id)


def test_three_results_can_be_pinned_and_compared():
    app = unlocked("utilization_trap")
    click(app, *["trap_pin"] * 3)
    assert app.button(key="trap_pin").proto.disabled
    assert "Pinned 3" in all_text(app)
    assert "Pinned 1" not in all_text(click(app, "trap_unpin"))


@pytest.mark.slow
@each_lesson("nightly")
def test_a_preset_sets_every_knob_whatever_was_set_before_and_the_reset_takes_all_back(lesson):
    """Streamlit fills a widget that comes into sight from the query string, which still holds what
    was set before.
    """
    declared = knobs_of(lesson.settings)
    for name, preset in lesson.presets.items():
        settings = read(lesson.settings, preset.changes)[0]
        wanted = quantities(settings)
        shown = lesson.view(preset.view or next(iter(lesson.views))).knobs
        before = min(lesson.pictures, key=lambda one: len({*one.knobs} & {*shown}))
        address = {f"{lesson.id}_view": before.id}
        for quantity in shown:
            knob = declared[quantity]
            if knob.kind != "text" and quantity not in before.knobs:
                other = next(
                    value
                    for value in (at_share(knob, 0), at_share(knob, 1))
                    if value != wanted[quantity]
                )
                address[f"{lesson.id}_{quantity}"] = in_address(knob, other)
        app = click(unlocked(lesson, **address), f"{lesson.id}_preset_{name}")
        assert app.session_state["ledger"][lesson.id]["settings"] == near(wanted), name
        view = lesson.view(app.session_state[f"{lesson.id}_view"])
        assert view.id == (preset.view or before.id)
        assert {
            one.label: one.value for one in lesson.speaker(view, "metrics")(settings)
        } == metrics(app), name
    click(app, f"{lesson.id}_reset")
    assert app.session_state["ledger"][lesson.id]["settings"] == near(quantities(lesson.settings()))


def near(wanted: dict) -> dict:
    """The same settings up to rounding in the widget's unit."""
    return {
        key: pytest.approx(value) if isinstance(value, float) else value
        for key, value in wanted.items()
    }


@pytest.mark.slow
@each_lesson("slow")
def test_a_shared_link_opens_the_same_knobs_and_tells_no_answers(lesson):
    app = unlocked(lesson, {f"{lesson.id}_share": True})
    slider = app.slider[0]
    put(app, slider.key, type(slider.value)(slider.proto.min + slider.proto.step))
    link = app.code[0].value
    assert (
        lesson.prediction.text not in link and "prediction" not in link and "reflection" not in link
    )
    query = dict(parse_qsl(link.split("?")[1]))
    opened = visit(lesson, **query)
    assert not opened.exception and not opened.warning
    # A bound that depends on another knob may have moved some; what the link opens is what was
    # there.
    declared = {f"{lesson.id}_{name}" for name in knobs_of(lesson.settings)}
    shown, sent = (
        {w.key: w.value for w in knobs(one) if w.key in declared} for one in (opened, app)
    )
    assert shown == sent and sent


@pytest.mark.slow
@each_lesson()
def test_a_browser_gets_what_is_folded_when_it_is_opened_and_a_script_at_once(lesson, monkeypatch):
    monkeypatch.setattr(
        recall, "own", lambda one: f"{one.transfer[0].id}/0"
    )  # each visitor draws another question
    # What waits for the second lock is kept from a browser until then, and from no script.
    locked = {"reflections": {lesson.id: lesson.reflection.right}}
    browser = locked | BROWSER
    step = f"**{lesson.derivation[0].title}**"
    at_once = unlocked(lesson, locked)
    folded = unlocked(lesson, browser)
    folds = dict.fromkeys(keys_of_folds(folded), True)
    opened = unlocked(lesson, browser | folds)
    # A fold that is inside another one.
    folds |= dict.fromkeys(keys_of_folds(opened), True)
    opened = unlocked(lesson, browser | folds)
    assert not at_once.exception and not folded.exception and not opened.exception
    assert step in all_text(at_once) and step not in all_text(folded) and step in all_text(opened)
    # a script finds the further parts in it, a browser that has one picture has none
    choice = f"{lesson.id}_view"
    # and those of the laboratory among its entries
    laboratory = {
        f"{lesson.id}_part_{name}" for name, view in lesson.parts.items() if view.laboratory
    }
    # The browser makes the files of a saved picture.
    files = f"{lesson.id}_save_files"
    extra = {*folds, choice, *laboratory, files}
    assert keys(opened) - extra == keys(at_once) - extra
    assert keys(folded) - set(folds) < keys(at_once)
    parts = {
        "Pictures",
        *lesson.views,
        *lesson.views.values(),
        *(view.asks for view in lesson.parts.values()),
    }  # a script finds them in the choice of pictures, too
    assert set(texts(at_once)) - set(texts(opened)) - parts == set()


def keys_of_folds(app) -> set[str]:
    """Keys of the folds and popovers on a page that are opened by a click; a chart's table is not
    for this.
    """
    kinds = ("expander", "expandable", "popover", "status")
    return {
        one.key
        for one in elements(app)
        if one.type in kinds and one.key and not one.key.endswith(("_table", "menu", "_share"))
    }


def test_home_lists_every_lesson_with_progress_and_leads_to_the_next_one():
    def links(app):
        return [link.proto.label for link in app.get("page_link")]

    assert "**Start: Utilization trap**" in links(visit("app"))
    app = visit("app", {"predictions": {"trap": "c"}})
    assert ["15 min · predicted]" in label for label in links(app)].count(True) == 1
    assert "**Continue: Utilization trap**" in links(app)
    listed = [label for label in links(app) if any(one.title in label for one in LESSONS)][1:]
    by_theme = sorted(LESSONS, key=lambda one: bool(one.theme))
    titles = [label.split("**")[1].split(". ")[-1] for label in listed]
    assert titles == [one.title for one in by_theme]
    app = visit("app", {"predictions": {"trap": "c"}, "reflections": {"trap": "c"}})
    assert "**Next: Scheduling policy**" in links(app)
    assert f"1 of {len(LESSONS)} lessons finished." in all_text(app)


def test_the_menu_begins_and_ends_projector_mode():
    app = visit("utilization_trap", {"menu": True})
    for asked in "10":
        click(app, "projector_mode")
        assert app.query_params["present"] in (asked, [asked]) and ("trap_skip" in keys(app)) == (
            asked == "1"
        )


def test_the_fleet_of_the_home_page_plays_by_itself_only_for_newcomers(monkeypatch):
    played = []
    monkeypatch.setattr(films, "play", lambda key, sent, plays, look: played.append((key, plays)))
    visit("app")
    visit("app", {"predictions": {"trap": "c"}})
    assert played == [("home_film_fleet", True), ("home_film_fleet", False)]
    assert len(json.dumps(small_fleet.sent(plays=True))) < 5_000


def test_the_line_on_the_home_page_grows_while_no_gpu_is_kept_from_a_job():
    run = small_fleet.run()
    start, end = run[1:]
    line = small_fleet.waiting(run)
    last = len(small_fleet.waiting(run)) - 1
    running = np.array([((start <= now) & (now < end)).sum() for now in range(last + 1)])
    assert running.max() == small_fleet.SERVERS and (running[line > 0] == small_fleet.SERVERS).all()
    # Of four stretches as long, each has a longer line than the one before.
    assert (np.diff([part.mean() for part in np.array_split(line, 4)]) > 0).all() and line[0] == 0
    assert f"from none to {line[-1]}." in small_fleet.sent(plays=True)["label"]
    # The animation has a place for each job that runs, and none twice.
    lanes = np.array(small_fleet.sent(plays=True)["jobs"][0])
    assert ((lanes >= 0) == (start < last)).all()


def test_in_three_of_five_runs_of_the_small_fleet_the_line_reaches_eight_jobs():
    long = np.array(
        [
            small_fleet.waiting(small_fleet.run.__wrapped__(seed)).max() >= 8
            for seed in range(1, 401)
        ]
    )
    off = 2.58 * np.sqrt(0.6 * 0.4 / len(long))
    assert abs(long.mean() - 0.6) < off and "three of five runs, the line reaches 8" in home.CAPTION


def test_what_a_lesson_needs_first_comes_before_it():
    at = {lesson.id: number for number, lesson in enumerate(LESSONS)}
    assert all(at[before] < at[lesson.id] for lesson in LESSONS for before in lesson.after)


#: What a lesson's reflection asks for, as the names of numbers that its feedback has; where it is
#: words there are none.
ASKED = {
    "notebooks": ["story.four_ordered.antt:times"],
    "autoscale": ["story.limit_pairs:share"],
    "spot": ["fast.best.interval:hours"],
    "fair": ["story.luck.needed:about"],
    "place": ["small.break_even:hours"],
    "trial": ["long.wrong:share2"],
}


def told(app) -> str:
    """All that the page sends to a browser, but the reflection's own question: elements, charts'
    rows, tables.
    """
    others = [one for one in elements(app) if "_reflection" not in str(getattr(one, "key", ""))]
    parts = [
        one.proto.SerializeToString() for one in others if getattr(one, "proto", None) is not None
    ]
    parts = [part.decode("utf-8", "ignore").replace("\u00a0", " ") for part in parts]
    return "\n".join(
        [*parts, *(chart_frame(chart).to_csv() for chart in charts(app) if chart.datasets)]
    )


@pytest.mark.slow
@each_lesson()
def test_no_view_of_a_lesson_sends_the_reflections_answer_before_its_lock(lesson):
    values = lesson.values(lesson.settings())
    answers = [values[name].replace("$", "") for name in ASKED.get(lesson.id, [])]
    starts = [
        re.split(r"[{$*]", option.feedback)[0].strip()[:40] for option in lesson.reflection.options
    ]
    app = unlocked(lesson, after_the_test(lesson) | {f"{lesson.id}_derivation": True})
    shown = [group for group in app.get("button_group") if group.key == f"{lesson.id}_view"]
    for view in shown[0].options if shown else [None]:
        said = told(put(app, f"{lesson.id}_view", view) if view else app)
        for answer in answers:
            assert not re.search(rf"(?<![\d.,]){re.escape(answer)}(?![\d])", said), (
                f"{view}: {answer}"
            )
        assert not [start for start in starts if len(start) > 12 and start in said], view
