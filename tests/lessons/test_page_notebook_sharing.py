"""The page on notebook sharing through AppTest: what it shows, how it fails, what waits for the second answer."""

import json

import pytest
from driving import all_text, chart_frame, charts, keys, metrics, texts, unlocked, visit

from ui.base.words import load

PAGE, LESSON = "notebook_sharing", load("notebook_sharing")
FOUR = {"notebooks_combination": "ABCD", "notebooks_loss": "20"}


def chart(app, words):
    """Specification and data of the chart whose description holds these words."""
    found = next(chart for chart in charts(app) if words in chart.alt)
    return json.loads(found.spec), chart_frame(found)


def verdict(app):
    return next(text for text in texts(app) if "material/warning" in text or "material/check_circle" in text)


def remedies(app):
    """What would mend it: a script finds the fold open."""
    sent = texts(app)
    return sent[sent.index("How could you fix it?") + 1]


def test_from_the_locked_question_to_the_end():
    app = visit(PAGE)
    assert not app.metric and not charts(app)
    app.radio(key="notebooks_prediction").set_value("b").run()
    app.button(key="notebooks_lock").click().run()
    assert metrics(app)["Mean slowdown (ANTT)"] == "1.5" and metrics(app)["Throughput (STP)"] == "1.5"
    assert "Naive: ANTT 2, last one ends 2 min" in all_text(app)
    app.selectbox(key="notebooks_scheduler").set_value("naive").run()
    assert metrics(app)["Mean slowdown (ANTT)"] == "2" and metrics(app)["Throughput (STP)"] == "1"
    app.radio(key="notebooks_prediction_2").set_value("c").run()
    app.button(key="notebooks_lock_2").click().run()
    assert app.session_state["predictions"] == {"notebooks": "b", "notebooks_2": "c"}
    app.radio(key="notebooks_reflection").set_value("b").run()
    app.button(key="notebooks_reflection_lock").click().run()
    assert not app.exception
    record = app.session_state["ledger"]["notebooks"]
    assert record["prediction"] == "b" and record["right"] is True and record["reflection_right"] is True
    assert record["settings"]["scheduler"] == "naive" and record["results"]["ANTT"] == "2"


def test_what_pauses_do_waits_for_the_second_answer():
    reflected = {"reflections": {"notebooks": LESSON.reflection.right}}  # the takeaways wait for it
    before = unlocked(PAGE)
    after = unlocked(PAGE, {"predictions": {"notebooks": "b", "notebooks_2": "a"}} | reflected)
    hidden = ["78.8 %", "5.8 s", "assumed mixture", "Pauses: the greatest median", "Pauses: a mean says little"]
    for words in hidden:
        assert words not in all_text(before) and words in all_text(after), words
    assert len(charts(before)) == 1 and len(charts(after)) == 2
    assert "notebooks_lock_2" in keys(before) and "notebooks_lock_2" not in keys(after)
    for option in LESSON.predictions["2"].options:
        assert option.feedback[:30] not in all_text(before) and option.feedback[:30] in all_text(after)
    assert before.radio(key="notebooks_prediction_2").options[0] == "15 s."


def test_the_second_answer_cannot_be_changed_and_needs_a_choice():
    app = unlocked(PAGE)
    app.button(key="notebooks_lock_2").click().run()
    assert any("Choose one of the answers first" in info.value for info in app.info)
    app.radio(key="notebooks_prediction_2").set_value("d").run()
    app.button(key="notebooks_lock_2").click().run()
    app.session_state["notebooks_prediction_2"] = "c"
    app.run()
    assert app.radio(key="notebooks_prediction_2").value == "d"
    assert app.session_state["predictions"]["notebooks_2"] == "d"


def test_the_gantt_chart_shows_the_same_cells_under_three_schedulers():
    _, frame = chart(unlocked(PAGE, **FOUR), "Gantt chart")
    bars = frame[frame["kind"] == "cell"]
    assert set(bars["scheduler"]) == {"Naive", "Partitioned", "Dynamic"}
    assert {(s, n) for s, n in zip(bars["scheduler"], bars["notebook"], strict=True)} == {
        (s, n) for s in ("Naive", "Partitioned", "Dynamic") for n in "ABCD"
    }
    # Core-minutes under the bars are the work: the same for all but the one that loses some.
    area = bars.assign(area=bars["cores"] * (bars["stop"] - bars["start"])).groupby("scheduler")["area"].sum()
    assert area["Partitioned"] == pytest.approx(area["Dynamic"]) and area["Naive"] > area["Dynamic"]


def test_the_heat_map_marks_the_best_scheduler_of_every_combination():
    spec, frame = chart(unlocked(PAGE, {"notebooks_view": "combinations"}, **FOUR), "combinations")
    assert spec["layer"]
    cells = frame[frame["kind"].isin(["value", "best"])]
    assert len(cells) == 15 * 3 * 2 and list(cells["combination"].unique()) == [
        *"ABCD", "AB", "AC", "AD", "BC", "BD", "CD", "ABC", "ABD", "ACD", "BCD", "ABCD"
    ]  # fmt: skip
    for (_, measure), group in cells.groupby(["combination", "measure"]):
        best = group["value"].min() if measure == "ANTT" else group["value"].max()
        assert (group[group["kind"] == "best"]["value"] - best).abs().max() < 1e-9
        assert (group["kind"] == "best").any()


@pytest.mark.parametrize("view", ["gantt", "combinations", "overhead", "fit", "idle"])
@pytest.mark.parametrize("think", ["none", "attentive", "overnight"])
def test_every_further_chart_is_drawn_in_every_case(view, think):
    app = unlocked(PAGE, {"notebooks_view": view}, notebooks_think=think, **FOUR)
    assert not app.exception and f"notebooks_{view}_table" in keys(app)
    drawn = charts(app)
    assert len(drawn) == 1 and drawn[0].title and drawn[0].alt


def test_a_rigid_request_behind_a_cell_that_never_ends_waits_for_ever_and_moldable_mends_it():
    app = unlocked(PAGE, notebooks_moldable="false", notebooks_endless="1")
    assert metrics(app)["Last one ends"] == "without limit" and metrics(app)["Throughput (STP)"] == "0"
    assert "A rigid request waits for ever: 2 of 2 notebooks never end" in verdict(app)
    _, frame = chart(app, "Gantt chart")
    assert "for ever" in set(frame["label"])
    app.toggle(key="notebooks_moldable").set_value(True).run()
    assert "waits for ever" not in verdict(app) and "without limit" not in metrics(app).values()
    app.slider(key="notebooks_endless").set_value(8).run()
    assert "holds all 8 cores" in verdict(app) and not app.exception


def test_overhead_above_the_gain_is_named_with_the_overhead_that_pays():
    app = unlocked(PAGE, notebooks_overhead="21")
    assert "Overhead above the gain" in verdict(app) and "It pays below 20 s a cell" in remedies(app)
    assert "pays below" not in verdict(app)
    app.slider(key="notebooks_overhead").set_value(19.0).run()
    assert "Overhead above the gain" not in verdict(app)
    app.selectbox(key="notebooks_combination").set_value("A").run()
    assert "not ahead even without overhead" in remedies(app)


def test_a_cull_that_costs_state_is_named_with_the_time_out_that_loses_nothing():
    app = unlocked(PAGE, notebooks_think="overnight", notebooks_cull="1", **FOUR)
    assert "The cull costs state: 4 of 4 notebooks lose it" in verdict(app)
    hours = int(remedies(app).split("A time-out of ")[1].split(" hour")[0])
    app.slider(key="notebooks_cull").set_value(float(hours)).run()
    assert "cull costs state" not in verdict(app)
    app.slider(key="notebooks_cull").set_value(float(hours - 1)).run()
    assert "cull costs state" in verdict(app)


def test_a_missed_bound_names_single_knobs_that_meet_it_and_they_do():
    app = unlocked(PAGE, **FOUR)
    said = remedies(app)
    assert "misses the accepted 1.5" in verdict(app) and "cores" not in verdict(app)
    assert "take a node of 11 cores" in said and "leave out C" in said
    for cores, met in ((10, False), (11, True)):
        app.slider(key="notebooks_cores").set_value(cores).run()
        assert ("stays within" in verdict(app)) is met
    app.slider(key="notebooks_cores").set_value(8).run()
    app.selectbox(key="notebooks_combination").set_value("ABD").run()
    assert "stays within" in verdict(app)


def test_a_better_scheduler_is_named_even_when_the_bound_is_met():
    app = unlocked(PAGE, notebooks_combination="AB")
    assert "stays within the accepted 1.5." in verdict(app) and "Naive would do better here" in remedies(app)


def test_a_bad_address_opens_the_page_and_is_reported():
    app = unlocked(PAGE, notebooks_combination="ABCDE", notebooks_cores="1", notebooks_moldable="perhaps")
    assert not app.exception and metrics(app)["Mean slowdown (ANTT)"] == "1.5"
    said = "\n".join(warning.value for warning in app.warning)
    assert all(key in said for key in ("notebooks_combination", "notebooks_cores", "notebooks_moldable"))
    assert not visit(PAGE, notebooks_combination="A + C").warning


def test_the_forty_users_of_the_message_are_counted_in_nodes():
    app = unlocked(PAGE, {"notebooks_view": "fit"}, **FOUR)
    assert "naive 2, partitioned 2, dynamic 2; 40 such users, placed in order, need 20 nodes instead of 40" in all_text(
        app
    )
    app = unlocked(PAGE, {"notebooks_view": "fit"}, notebooks_think="overnight", **FOUR)
    assert "dynamic all 40; 40 such users, placed in order, need 1 node instead of 40" in all_text(app)


def test_a_node_each_is_shown_with_and_without_the_cull():
    app = unlocked(PAGE, {"notebooks_view": "idle"}, notebooks_think="overnight", notebooks_cull="1", **FOUR)
    _, frame = chart(app, "core-hours idle")
    idle = dict(zip(frame["arrangement"], frame["idle"], strict=True))
    assert idle["a node each"] > idle["one node, dynamic"] > idle["a node each, culled"] > 0
    assert len(idle) == 5


def test_five_copies_of_four_notebooks_of_a_night_are_drawn():
    app = unlocked(PAGE, notebooks_think="overnight", notebooks_copies="5", notebooks_cores="64", **FOUR)
    assert not app.exception and "Lanes from the top: A1, B1, … D5." in all_text(app)
