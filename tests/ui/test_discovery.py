"""The flow of a page on which the explanation is earned: what opens it, what is sent before, and
what is kept.
"""

import json
import re

import pytest
from driving import (
    BROWSER,
    after_the_test,
    all_text,
    at_share,
    brought_back,
    click,
    each_lesson,
    elements,
    in_address,
    keys,
    metrics,
    put,
    turn,
    unlocked,
)

from lessons import LESSONS
from ui.base.words import fill
from ui.knobs.declared import default_of, knobs_of, quantities, read
from ui.record import ledger, local_storage


def explained(app, lesson) -> bool:
    """Whether the page has sent the feedback of every option, or of none."""
    values = lesson.values(lesson.settings())
    text = all_text(app)
    (sent,) = {fill(option.feedback, values) in text for option in lesson.prediction.options}
    return sent


def asked(app, key) -> str:
    """What the address says of a key."""
    found = app.query_params[key]
    if isinstance(found, str):
        return found
    return found[0]


@each_lesson()
def test_before_it_is_earned_nothing_is_sent_of_feedback_reflections_answer_or_fixes(lesson):
    app = unlocked(lesson, BROWSER)
    values = lesson.values(lesson.settings())
    held = [
        text
        for option in lesson.prediction.options
        for text in (option.feedback, option.test.found)
    ]
    held += [option.feedback for option in lesson.reflection.options] + [
        *lesson.takeaways,
        lesson.reply,
    ]
    sentences = {
        one
        for text in held
        if text
        for one in re.split(r"(?<=\.)\s", fill(text, values))
        if len(one) > 25
    }
    text = all_text(app)
    assert not app.exception and not [one for one in sentences if one in text]
    assert f"{lesson.id}_remedies" not in keys(app) and "How could you fix it?" not in text


@each_lesson("nightly")
def test_testing_a_prediction_sets_its_case_says_what_the_model_finds_and_earns_the_explanation(
    lesson,
):
    for option in lesson.prediction.options:
        app = unlocked(lesson, answer=option.id)
        click(app, f"{lesson.id}_test")
        assert explained(app, lesson)
        found = fill(option.test.found, lesson.values(lesson.settings()))
        assert found in all_text(app) and option.test.look in all_text(app)
        held = app.session_state["ledger"][lesson.id]
        assert held["right"] is option.right
        start = quantities(lesson.settings())
        for name, value in held["settings"].items():
            assert value == pytest.approx(option.test.settings.get(name, start[name]))
        assert set(held["steps"]) == set(ledger.STEPS)
        turn(app, lesson)
        assert option.test.look not in all_text(app) and found in all_text(app)


@each_lesson()
def test_a_turn_or_the_button_earns_the_explanation(lesson):
    assert explained(turn(unlocked(lesson), lesson), lesson)
    assert explained(click(unlocked(lesson), f"{lesson.id}_explain"), lesson)


def test_a_link_or_an_earlier_visit_earns_no_explanation():
    lesson = LESSONS[0]
    key = "trap_utilization"
    app = unlocked(lesson, trap_utilization="50")
    assert app.slider(key=key).value == 50 and not explained(app, lesson)
    app.switch_page("pages/glossary.py").run()
    app.query_params[key] = "60"
    app.switch_page(lesson.path).run()
    assert app.slider(key=key).value == 60 and not explained(app, lesson)


def test_on_a_projector_the_explanation_waits_for_the_lecturers_key():
    lesson = LESSONS[0]
    app = turn(unlocked(lesson.page, present="1"), lesson)
    assert not explained(app, lesson)
    assert explained(click(app, f"{lesson.id}_explain"), lesson)


def test_what_was_earned_comes_back_field_by_field_without_a_step_at_an_impossible_time():
    lesson = LESSONS[0]
    at = "2026-03-01T10:00:00+00:00"
    app = brought_back({"trap/tested": json.dumps(at), "trap/explained": json.dumps("soon")})
    assert app.session_state["told"]["steps"] == {"tested": at}
    assert app.session_state["kept"]["trap/tested"] == json.dumps(at)
    assert set(ledger.STEPS) <= set(local_storage._ONCE)
    for steps, comes in (({"tested": at, "explained": at}, True), ("nonsense", False)):
        app = unlocked(lesson, {"ledger": {lesson.id: {"steps": steps}}})
        assert not app.exception and explained(app, lesson) is comes
        assert ("Test again" in [button.label for button in app.button]) is comes


@each_lesson()
def test_how_to_fix_it_follows_the_reflection_or_the_won_challenge(lesson):
    assert "How could you fix it?" not in all_text(turn(unlocked(lesson, BROWSER), lesson))
    for earned in ({"reflections": {lesson.id: "a"}}, {"ledger": {lesson.id: {"won": {}}}}):
        assert "How could you fix it?" in all_text(unlocked(lesson, BROWSER | earned))


@each_lesson()
def test_a_challenge_takes_the_top_line_and_the_verdicts_place_until_it_is_left(lesson):
    app = unlocked(lesson, BROWSER)
    click(app, f"{lesson.id}_challenge")
    judged = lesson.challenge.judge(read(lesson.settings, lesson.challenge.preset.changes)[0]).text
    assert f"**Challenge:** {fill(lesson.challenge.task(), {})}" in all_text(app)
    assert (
        judged.startswith("Not yet: ")
        and fill(judged, {}) in all_text(app)
        and f"{lesson.id}_test" not in keys(app)
    )
    click(app, f"{lesson.id}_challenge_leave")
    assert f"{lesson.id}_test" in keys(app) and fill(judged, {}) not in all_text(app)


@each_lesson("nightly")
def test_a_part_takes_the_place_of_the_body_and_back_leads_to_the_lesson(lesson):
    for name, part in lesson.parts.items():
        state = BROWSER | {"reflections": {lesson.id: "a"}}
        if part.laboratory:
            app = unlocked(lesson, state, **{f"{lesson.id}_view": name})
        else:
            app = click(unlocked(lesson, state), f"{lesson.id}_part_{name}")
        shown = {key.removeprefix(f"{lesson.id}_") for key in keys(app)}
        assert (
            not app.exception
            and set(part.knobs) <= shown
            and asked(app, f"{lesson.id}_view") == name
        )
        assert not shown & {
            "test",
            "challenge",
            "reflection",
            "explain",
            "view",
        } and part.asks in all_text(app)
        click(app, f"{lesson.id}_back")
        assert f"{lesson.id}_test" in keys(app) and f"{lesson.id}_view" not in app.query_params


@each_lesson("nightly")
def test_knobs_out_of_sight_keep_their_values_from_a_link_and_are_named_where_they_move_the_picture(
    lesson,
):
    shown = lesson.pictures[0].knobs
    hidden = [
        (view.id, name) for view in lesson.pictures for name in view.knobs if name not in shown
    ]
    one_of_each_kind = {knobs_of(lesson.settings)[name].kind: (view, name) for view, name in hidden}
    one_of_each_kind.pop("text", None)  # a table's line has a test of its own
    for view, name in one_of_each_kind.values():
        lesson_key = f"{lesson.id}_{name}"
        declared = knobs_of(lesson.settings)[name]
        values = (at_share(declared, share) for share in (0, 1, 0.5))
        others = [one for one in values if one != default_of(lesson.settings, name)]
        first = others[0]
        last = others[-1]
        app = unlocked(lesson, **{lesson_key: in_address(declared, first)})
        assert asked(app, lesson_key) in written(declared, first)
        assert (f"Also set: {declared.label}: " in all_text(app)) == (
            name in lesson.pictures[0].also
        )
        put(app, f"{lesson.id}_view", view)
        assert drawn(app, lesson_key).value == declared.in_widget(first)
        put(app, lesson_key, declared.in_widget(last))
        put(app, f"{lesson.id}_view", next(iter(lesson.views)))
        assert asked(app, lesson_key) in written(declared, last) and lesson_key not in keys(app)
        click(app, f"{lesson.id}_reset")
        assert lesson_key not in app.query_params and "Also set" not in all_text(app)


def written(declared, value) -> tuple[str, ...]:
    """What the address may say of a value: the id or the words of a choice, a number."""
    return (
        in_address(declared, value),
        *([declared.choices({})[value]] if declared.options else []),
    )


def drawn(app, key):
    """The widget with this key, of whatever kind."""
    return next(one for one in elements(app) if getattr(one, "key", None) == key)


def test_first_screens_have_few_words_few_folds_and_few_numbers():
    for lesson in LESSONS:
        app = unlocked(lesson.page, BROWSER)
        folds = [box for box in app.main.get("expander")]
        words = sum(len(re.findall(r"\w[\w'’.,%-]*", text)) for text in seen(app))
        assert len(folds) <= 5 and len(metrics(app)) <= 4, lesson.id
        assert len([view for view in lesson.pictures if not view.further]) <= 3
        assert all(len(view.knobs) <= 6 for view in lesson.pictures if not view.further)
        assert words <= 350, (lesson.id, words)


def seen(app) -> list[str]:
    """What a reader sees of the main column with folds closed: no helps, no words for screen
    readers.
    """
    kinds = [
        "markdown",
        "caption",
        "title",
        "header",
        "subheader",
        "button",
        "metric",
        "radio",
        "text_area",
        "info",
    ]
    shown = [element for kind in kinds for element in app.main.get(kind)]
    found = [
        getattr(one, name)
        for one in shown
        for name in ("label", "value", "delta")
        if name in dir(one)
    ]
    return [
        str(words or "")
        for words in (*found, *(words for one in shown for words in getattr(one, "options", [])))
    ]


@each_lesson()
def test_how_to_fix_it_answers_for_the_messages_case_whatever_is_set(lesson):
    if lesson.remedies is None:
        return
    fix = fill(lesson.fix(), {})
    assert len(fix) > 30 and fix.endswith(".")
    state = {"reflections": {lesson.id: "a"}}
    assert fix in all_text(turn(unlocked(lesson, state), lesson)).replace("\u00a0", " ")


def test_presets_close_after_a_choice_and_a_won_challenge_can_be_played_again_where_it_stands():
    app = unlocked(LESSONS[0], BROWSER | {"trap_presets": True})
    click(app, "trap_preset_small_jobs")
    assert app.session_state["trap_presets"] is False and "trap_preset_one_job" not in keys(app)
    click(app, "trap_challenge")
    assert app.button(key="trap_challenge").disabled
    put(app, "trap_gpus_per_job", 64)
    put(app, "trap_utilization", 90.5)
    again = app.button(key="trap_challenge")
    assert again.label == "Play again" and not again.disabled
    click(app, "trap_challenge")
    assert app.slider(key="trap_gpus_per_job").value != 64


@each_lesson()
def test_no_preset_wins_the_challenge(lesson):
    for preset in lesson.presets.values():
        settings = read(lesson.settings, preset.changes)[0]
        assert not lesson.challenge.judge(settings).good, preset.words


PHONE = {"_agent": "Mozilla/5.0 (Phone) Mobile"}


@each_lesson()
def test_a_phone_has_all_knobs_of_the_picture_in_the_page_and_none_in_the_drawer(lesson):
    view = lesson.pictures[0]
    state = after_the_test(lesson) | PHONE
    app = unlocked(lesson, state)
    names = {f"{lesson.id}_{name}" for name in view.knobs}
    drawer = {getattr(one, "key", None) for one in app.sidebar}
    assert names <= keys(app) and not names & drawer
