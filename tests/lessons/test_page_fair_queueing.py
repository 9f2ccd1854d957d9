"""Fair queueing driven through AppTest: from the locked question over four acts and a film to the reflection."""

import json

import pytest
from driving import all_text, chart_frame, charts, keys, metrics, unlocked, visit

from lessons.fair_queueing import LESSON, PRESETS, aging, flows, memory, runs
from lessons.fair_queueing.settings import Teams
from ui.charts.look import Look
from ui.films import film
from ui.knobs.declared import default_of, knobs_of

BROWSER = {"_agent": "Mozilla/5.0"}


def test_from_the_locked_question_to_the_reflection():
    app = visit("fair_queueing")
    assert not app.metric and app.slider(key="fair_alone").proto.disabled
    app.radio(key="fair_prediction").set_value("d").run()
    app.button(key="fair_lock").click().run()
    assert not app.exception and metrics(app)["A's next job starts"] == "6.74 days"
    assert metrics(app)["On the simulator"] == "6.75 days" and "The half-life binds" in all_text(app)
    frame = chart_frame(charts(app)[0])
    assert frame[frame.label == "you said: 30 days"].wait.tolist() == [30]
    app.selectbox(key="fair_half_life").set_value("never").run()
    assert metrics(app)["A's next job starts"] == "30 days" and "the time alone binds" in all_text(app)
    app.radio(key="fair_reflection").set_value("c").run()
    app.button(key="fair_reflection_lock").click().run()
    record = app.session_state["ledger"]["fair"]
    assert not app.exception and record["right"] is False and record["reflection_right"] is True
    assert record["settings"]["half_life"] == "never" and "Fair rules differ in their memory" in all_text(app)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_opens_the_act_in_which_it_acts_and_changes_what_is_said_there(preset):
    app = unlocked("fair_queueing")
    app.button(key=f"fair_preset_{preset}").click().run()
    assert not app.exception and app.session_state["fair_view"] == PRESETS[preset].view
    changed = Teams(**PRESETS[preset].changes)
    act = LESSON.view(PRESETS[preset].view).module
    assert {one.label: one.value for one in act.metrics(changed)} == metrics(app)
    if PRESETS[preset].changes:
        assert act.metrics(changed) != act.metrics(Teams())


def test_four_rules_serve_the_same_jobs_one_by_one():
    app = unlocked("fair_queueing", {"fair_view": "flows"})
    assert list(metrics(app).values()) == ["40 days", "7 days", "30 days", "1 day"]
    frame = chart_frame(charts(app)[0])
    jobs = frame[(frame.kind == "job") & (frame.start >= 0)].sort_values("start")
    order = {rule: "".join(rows.flow) for rule, rows in jobs.groupby("rule")}
    assert order["FIFO (by arrival)"] == "A" * 40
    assert order["Banked turns"].startswith("B" * 30 + "A")
    assert order["Fair share"].startswith("B" * 7 + "A")
    assert order["SFQ"] == "BA" * 20


def test_the_film_shows_the_jobs_of_the_picture_and_is_light_enough():
    app = unlocked("fair_queueing", {"fair_view": "film"})
    assert not app.exception and not charts(app) and "Four servers, from the top: FIFO" in all_text(app)
    assert "fair_film_turns" in keys(app)
    for teams in (Teams(), Teams(alone=0.0), Teams(half_life="never", weight_ratio=10.0, alone=60 * 86400.0)):
        sent = film.message(flows.showing(teams), Look())
        assert len(json.dumps(sent)) < 100_000 and sent["places"] == 16
    boxes, _ = flows.showing(Teams()).film.at(0.0)
    assert boxes.sort_values("first")["kind"].tolist() == ["fifo A", "fair B", "banked B", "sfq B"]


@pytest.mark.parametrize("teams", [Teams(), Teams(alone=0.0), Teams(half_life="never", weight_ratio=10.0)], ids=str)
def test_who_waits_in_the_film_are_the_jobs_that_have_come_and_not_started_under_each_rule(teams):
    played = flows.showing(teams).film
    for day in (-1.5, 0.0, 0.5, 7.2, 29.9):
        _, waiting = played.at(day * 86400)
        for rule in flows.RULES:
            found = teams.served(rule)
            waits = (found.arrival <= day * 86400) & (day * 86400 < found.start)
            for number, team in enumerate("AB"):
                shown = (waiting["kind"] == f"{rule} {team}").sum()
                assert shown == (waits & (found.flow == number)).sum(), (day, rule, team)


def test_all_four_rules_serve_the_same_jobs():
    for teams in (Teams(), Teams(alone=0.0), Teams(half_life="1d", weight_ratio=0.25), Teams(weight_ratio=10.0)):
        first, *others = [sorted(zip(one.flow, one.arrival, strict=True)) for one in _served(teams)]
        assert all(other == first for other in others)


def _served(teams: Teams) -> list[runs.Served]:
    return [teams.served(rule) for rule in flows.RULES]


def test_before_the_lock_there_is_no_film_and_no_choice_of_views():
    app = visit("fair_queueing", {"fair_view": "film"})
    assert "fair_film_turns" not in keys(app) and "fair_view" not in keys(app)


def test_the_reflections_answer_waits_for_its_lock():
    for view in LESSON.views:
        app = unlocked("fair_queueing", BROWSER | {"fair_view": view, "fair_derivation": True})
        said = all_text(app) + "".join(chart_frame(chart).to_csv() for chart in charts(app))
        assert (
            not app.exception and "about 3,500" not in said and "3,458" not in said and "Draws for a tenth" not in said
        )
        assert "square root" not in said.lower() and "with a half-life of 1 day" not in said
    told = unlocked("fair_queueing", BROWSER | {"fair_view": "lottery", "reflections": {"fair": "a"}})
    labels = set(chart_frame(charts(told)[0]).label.dropna())
    assert "within a tenth from about 3,500 on" in labels and "about 3,500 draws" in all_text(told)


def test_what_would_mend_it_is_said_on_request_and_does():
    words = memory.remedies(Teams())
    assert words == "A's next job starts within 1 day: with A alone for 1 day; or with a half-life of 1 day."
    day = 86400.0
    for mended, missed in (({"alone": day}, {"alone": 2 * day}), ({"half_life": "1d"}, {"half_life": "2d"})):
        assert Teams(**mended).locked_out <= day < Teams(**missed).locked_out
    assert memory.remedies(Teams(half_life="1d")) == ""


def test_the_challenge_is_won_by_two_ratios_at_the_highest_load_and_by_no_knobs_end():
    knobs = knobs_of(Teams)
    loads, ratios = knobs["load"].values({}), knobs["aging_ratio"].values({})
    won = {(load, ratio) for load in loads for ratio in ratios if aging.judge(Teams(load=load, aging_ratio=ratio)).good}
    assert won == {(0.85, 15.0), (0.85, 20.0)}
    assert aging.judge(Teams()).good is False
    for load in loads:  # neither end of the ratio wins at any load, nor either end of the load at any ratio
        assert not {(load, ratios[0]), (load, ratios[-1])} & won
    assert not {load for load, _ in won} & {loads[0], loads[-1]}
    tight = [aging.judge(Teams(load=0.85, aging_ratio=ratio)).text for ratio in (10.0, 30.0)]
    assert "urgent jobs wait too long" in tight[0] and "patient jobs wait too long" in tight[1]


def test_the_challenge_is_won_on_the_page():
    app = unlocked("fair_queueing", {"fair_view": "aging"})
    app.slider(key="fair_load").set_value(85).run()
    app.select_slider(key="fair_aging_ratio").set_value(15.0).run()
    assert not app.exception and "Won: 85 % load, aging 15 to 1." in all_text(app)


def test_turning_a_knob_keeps_each_specification():
    knobs = ({"alone": 0.0}, {"half_life": "never", "weight_ratio": 10.0}, {"draws": 10_000}, {"load": 0.95})
    for view in LESSON.pictures[:-1]:
        specs = {json.dumps(view.module.figure(Teams(**knob), Look(), "c", True).spec) for knob in knobs}
        assert len(specs) == 1


def test_seven_knobs_are_in_sight_and_presets_are_settings_that_the_knobs_can_take():
    knobs = knobs_of(Teams)
    assert sum(knob.place({}) is None for knob in knobs.values()) == 7
    for preset in PRESETS.values():
        for name, value in preset.changes.items():
            assert value in knobs[name].values({}) and type(value) is type(default_of(Teams, name))
    assert LESSON.presets.keys() == PRESETS.keys()
