"""The laboratory and the parts under Going further: how many, how they open, what they ask
first.
"""

from urllib.parse import parse_qs

import pytest
from driving import (
    BROWSER,
    BY_ID,
    after_the_test,
    all_text,
    brought_back,
    charts,
    click,
    each_lesson,
    keys,
    metrics,
    unlocked,
    visit,
)

from lessons import LESSONS
from ui.base.words import fill
from ui.knobs.declared import quantities, read
from ui.laboratory import listing
from ui.page import parts

PARTS = [(lesson, view) for lesson in LESSONS for view in lesson.parts.values()]
GUESSED = [(lesson, view) for lesson, view in PARTS if view.id in lesson.guesses]
each_part = pytest.mark.parametrize(
    ("lesson", "view"), [pytest.param(*part, id=f"{part[0].page}-{part[1].id}") for part in PARTS]
)
each_guess = pytest.mark.parametrize(
    ("lesson", "view"), [pytest.param(*part, id=f"{part[0].page}-{part[1].id}") for part in GUESSED]
)


@pytest.fixture(scope="module")
def listed():
    """The page Laboratory, as a script finds it."""
    return visit("laboratory")


def links(app) -> dict[str, dict[str, str]]:
    """The addresses of the laboratory's links, by lesson and view."""
    found = {}
    for link in app.main.get("page_link"):
        query = {name: one[0] for name, one in parse_qs(link.proto.query_string).items()}
        for lesson in LESSONS:
            if f"{lesson.id}_view" in query:
                found[lesson.id, query[f"{lesson.id}_view"]] = query
    return found


def test_a_lesson_names_at_most_two_parts_and_the_others_are_in_the_laboratory():
    for lesson in LESSONS:
        named = [view for view in lesson.parts.values() if not view.laboratory]
        assert len(named) <= 2, lesson.id
        app = unlocked(lesson, BROWSER | {"reflections": {lesson.id: "a"}})
        shown = {key for key in keys(app) if key.startswith(f"{lesson.id}_part_")}
        assert shown == {f"{lesson.id}_part_{view.id}" for view in named}


def test_every_part_is_found_by_a_script_on_its_lesson_s_page_and_by_one_link_in_the_laboratory(
    listed,
):
    assert not listed.exception
    assert links(listed).keys() == {(lesson.id, view.id) for lesson, view in PARTS}
    text = all_text(listed)
    assert all(view.asks in text for _, view in PARTS)


def test_the_laboratory_is_sorted_by_theme_and_every_lesson_has_one():
    themes = listing.by_theme()
    assert [lesson for under in themes.values() for lesson in under if lesson.parts]
    assert all(themes) and sum(map(len, themes.values())) == len(LESSONS)


@each_part
def test_a_link_of_the_laboratory_holds_the_state_in_which_the_part_opens(lesson, view, listed):
    query = links(listed)[lesson.id, view.id]
    assert query == listing.address(lesson, view)
    if lesson.coarse or view.after:
        return
    app = unlocked(lesson, after_the_test(lesson), **query)
    assert not app.exception and "ignored" not in all_text(app)
    assert app.query_params[f"{lesson.id}_view"] in (view.id, [view.id])
    opened = quantities(read(lesson.settings, view.opens or {})[0])
    tried = app.session_state["ledger"][lesson.id].get("settings", opened)
    assert tried == opened


def leads_back(app) -> bool:
    """Whether the page has a link back to the laboratory."""
    return "Back to the laboratory" in [one.proto.label for one in app.main.get("page_link")]


def test_before_the_lock_a_link_leads_to_the_message_and_back_to_the_laboratory():
    for lesson in LESSONS[:2]:
        view = next(iter(lesson.parts.values()))
        app = visit("laboratory", BROWSER)
        for key, value in listing.address(lesson, view).items():
            app.query_params[key] = value
        app.switch_page(lesson.path).run()
        assert f"From {lesson.sender}" in all_text(app) and not metrics(app) and not charts(app)
        assert leads_back(app)


def test_back_returns_to_where_the_visitor_came_from():
    app = unlocked("fair_queueing", after_the_test(BY_ID["fair"]))
    click(app, "fair_part_flows")
    assert app.button(key="fair_back").label == "Back to the lesson"
    click(app, "fair_back")
    assert "fair_test" in keys(app)
    app = visit("laboratory", after_the_test(BY_ID["fair"]) | {"predictions": {"fair": "a"}})
    app.query_params["fair_view"] = "lottery"
    app.switch_page("pages/fair_queueing.py").run()
    assert leads_back(app) and "fair_back" not in keys(app) and "fair_test" not in keys(app)
    app.switch_page("pages/laboratory.py").run()
    app.query_params.clear()  # as a link does
    app.switch_page("pages/fair_queueing.py").run()
    assert "fair_test" in keys(app)


@each_lesson("nightly")
def test_a_part_opens_in_the_state_that_it_declares(lesson):
    for name, view in lesson.parts.items():
        if view.opens is None or view.laboratory:
            continue
        app = unlocked(lesson, BROWSER | {"reflections": {lesson.id: "a"}})
        click(app, f"{lesson.id}_part_{name}")
        if name in lesson.guesses:
            click(app, f"{lesson.id}_guess_{name}_0")
        opened = quantities(read(lesson.settings, view.opens)[0])
        shown = app.session_state["ledger"][lesson.id]["settings"]
        assert shown.keys() == opened.keys()
        for quantity, value in opened.items():
            # a widget keeps eleven digits of a number that it shows in another unit
            if isinstance(value, float):
                value = pytest.approx(value, rel=1e-10)
            assert shown[quantity] == value, quantity


def test_what_a_visitor_has_set_stays_when_a_part_opens_until_its_guess_sets_the_case():
    app = unlocked(
        "utilization_trap", after_the_test(BY_ID["trap"]), trap_gpus_per_job="64", trap_scv="4"
    )
    click(app, "trap_part_knee")
    assert app.slider(key="trap_gpus_per_job").value == 64
    click(app, "trap_guess_knee_1")
    assert app.slider(key="trap_gpus_per_job").value == 8
    assert app.slider(key="trap_scv").value == 1


@each_guess
def test_a_guess_has_three_values_one_of_which_is_the_model_s(lesson, view):
    guess = parts.fill_guess(lesson, view)
    assert len(set(guess.values)) == 3 and guess.values.count(guess.model) == 1
    assert guess.model not in guess.text
    assert len(guess.text) <= 300 and guess.text.endswith("?")


@each_guess
def test_before_the_guess_a_part_shows_no_number_of_the_model_and_after_it_both(lesson, view):
    reflected = {"reflections": {lesson.id: "a"}} if view.after else {}
    if view.laboratory:  # a link of the laboratory opens it
        app = unlocked(lesson, after_the_test(lesson) | reflected, **{f"{lesson.id}_view": view.id})
    else:
        app = unlocked(lesson, after_the_test(lesson) | reflected)
        click(app, f"{lesson.id}_part_{view.id}")
    guess = parts.fill_guess(lesson, view)
    assert guess.text in all_text(app).replace("\u00a0", " ")
    assert not metrics(app) and not charts(app) and guess.found not in all_text(app)
    wrong = next(n for n, value in enumerate(guess.values) if value != guess.model)
    click(app, f"{lesson.id}_guess_{view.id}_{wrong}")
    said = f"**You said:** {guess.values[wrong]}. **The model:** {guess.model}. {guess.found}"
    assert said in all_text(app) and (charts(app) or "|---|" in all_text(app))
    # Some parts have no headline numbers.
    assert metrics(app) or not lesson.speaker(view, "metrics")(lesson.settings())
    assert f"{lesson.id}_guess_{view.id}_0" not in keys(app)


def test_a_guess_is_kept_by_the_browser_and_a_made_up_one_is_not():
    kept = {"trap/prediction": {"answer": "c", "at": "2026-03-01T10:00:00+00:00"}}
    app = brought_back(kept | {"trap/guesses": {"knee": 1, "order": 7, "nothing": 0}})
    assert app.session_state["told"]["guesses"] == {"knee": 1}
    assert app.session_state["kept"]["trap/guesses"] == '{"knee": 1}'


def test_every_guess_belongs_to_a_part_of_its_lesson():
    for lesson in LESSONS:
        assert lesson.guesses.keys() <= lesson.parts.keys()
        for guess in lesson.guesses.values():
            values = lesson.values(lesson.settings())
            assert fill(guess.found, values)
