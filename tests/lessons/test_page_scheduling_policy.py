"""The scheduling page, driven as a script would."""

import pytest
from driving import all_text, chart_frame, charts, metrics, texts, unlocked, visit
from recorded import KTH, needs_log

from lessons.scheduling_policy.settings import CLASSES
from lessons.scheduling_policy.values import four
from ui.base.words import load

PAGE = "scheduling_policy"
EASY = {"policy_order": "priority", "policy_backfill": "easy"}


def frame(app):
    return chart_frame(charts(app)[0])


def percent(text: str) -> float:
    return float(text.split("%")[0].split("±")[0])


@pytest.mark.slow
def test_from_locked_through_knobs_to_the_reflection():
    app = visit(PAGE)
    assert not app.metric and app.slider(key="policy_reserved").proto.disabled
    app.radio(key="policy_prediction").set_value("b").run()
    app.button(key="policy_lock").click().run()
    assert app.session_state["ledger"]["policy"]["right"] is False
    sent = all_text(app)
    for words in ("(a) FIFO", "(b) Strict priority", "(c) Priority with EASY", "(d) Three partitions", "±", "seed 1"):
        assert words in sent
    before = metrics(app)
    assert before["Offered load"] == "77.9 %" and percent(before["Interactive in 5 min"]) < 95
    app.button(key="policy_preset_slice").click().run()
    assert percent(metrics(app)["Interactive in 5 min"]) > 99
    app.radio(key="policy_reflection").set_value("c").run()
    app.button(key="policy_reflection_lock").click().run()
    record = app.session_state["ledger"]["policy"]
    assert record["reflection_right"] is True and record["settings"]["reserved"] == 40
    assert not app.exception


@pytest.mark.slow
def test_ten_trainings_a_day_are_215_percent_and_no_policy_has_a_steady_state():
    app = unlocked(PAGE)
    app.button(key="policy_preset_ten").click().run()
    assert metrics(app)["Offered load"] == "215 %"
    sent = all_text(app)
    for words in (
        "52,840 of 24,576 GPU-hours a day",
        "No policy has a steady state",
        "at least 28,264 GPU-hours a day",
    ):
        assert words in sent
    assert "fewer than 4.55 trainings a day" in sent and "more than 2,202 GPUs" in sent


@pytest.mark.slow
def test_a_policy_below_full_load_can_lack_a_steady_state_and_the_page_says_so():
    app = unlocked(PAGE, policy_order="arrival", policy_backfill="none", policy_training_rate="4")
    assert metrics(app)["Offered load"] == "88.4 %"
    assert "it has no steady state" in all_text(app)


def test_the_saturation_load_of_the_present_policy_is_shown():
    assert "policy carries about 91 %" in all_text(unlocked(PAGE, **EASY))


@pytest.mark.slow
@pytest.mark.parametrize("knobs", [{"policy_reserved": "32"}, {"policy_reserved": "40"}, {"policy_preemption": "true"}])
def test_the_challenge_is_won(knobs):
    app = unlocked(PAGE, **EASY, **knobs)
    app.button(key="policy_simulate").click().run(timeout=120)
    sent = all_text(app)
    assert "**Won.** Mean of 32 replications" in sent and not app.exception


@pytest.mark.slow
def test_the_challenge_is_lost_and_what_fails_and_mends_it_is_named():
    app = unlocked(PAGE, **EASY)
    app.button(key="policy_simulate").click().run(timeout=240)
    sent = all_text(app)
    assert "**Not yet: the condition on interactive jobs fails.**" in sent and "a slice of 8 GPUs" not in sent
    app.button(key="policy_search").click().run(timeout=240)
    sent = all_text(app)
    assert "of the policy: **a slice of 8 GPUs for interactive jobs**" in sent
    assert "of load or fleet: **a fleet of 1,216 GPUs**" in sent
    app.slider(key="policy_reserved").set_value(8).run()
    app.button(key="policy_simulate").click().run(timeout=120)
    assert "**Won.**" in all_text(app)


@pytest.mark.nightly
def test_four_hour_checkpoints_lose_the_challenge():
    app = unlocked(PAGE, **EASY, policy_preemption="true", policy_checkpoint_interval="4")
    app.button(key="policy_simulate").click().run(timeout=180)
    assert "the condition on lost GPU-hours fails" in all_text(app)
    app.button(key="policy_search").click().run(timeout=240)
    assert "**a checkpoint every" in all_text(app)


@pytest.mark.parametrize("view", ["waits", "week", "queue"])
def test_every_further_chart_is_drawn(view):
    app = unlocked(PAGE, {"policy_view": view}, policy_reserved="40")
    assert not app.exception and not frame(app).empty


def test_the_week_never_shows_more_gpus_than_there_are():
    drawn = frame(unlocked(PAGE, {"policy_view": "week"}, **EASY, policy_reserved="40"))
    area = (drawn["end"] - drawn["start"]) * (drawn["high"] - drawn["low"])
    assert area.sum() == pytest.approx(7 * 1024) and drawn["high"].max() <= 1024
    busy = drawn[drawn["state"].isin(CLASSES)]
    for day in (21.5, 23.2, 25.9, 27.1):
        now = busy[(busy["start"] <= day) & (busy["end"] > day)]
        assert (now["high"] - now["low"]).sum() <= 1024
    assert {"idle, reserved slice", "idle, kept for the head of the queue"} <= set(drawn["state"])


def test_at_most_seven_knobs_are_in_sight():
    app = unlocked(PAGE)
    kinds = ("slider", "select_slider", "number_input", "selectbox", "toggle")
    inside = {w.key for box in app.sidebar.expander for kind in kinds for w in getattr(box, kind)}
    every = {w.key for kind in kinds for w in getattr(app.sidebar, kind)}
    assert len(every - inside) == 7


@pytest.mark.slow
def test_a_knob_without_effect_says_so_and_changes_nothing():
    app = unlocked(PAGE)
    assert "Checkpoint interval (h) (nothing is stopped)" in all_text(app)
    before = metrics(app)
    app.slider(key="policy_checkpoint_interval").set_value(6.0).run()
    assert metrics(app) == before
    app.toggle(key="policy_preemption").set_value(True).run()
    assert "Checkpoint interval (h) (nothing is stopped)" not in all_text(app)


def test_a_seed_gives_the_same_numbers_again_and_another_one_others():
    first = metrics(unlocked(PAGE))
    other = unlocked(PAGE, policy_seed="2")
    assert metrics(other)["Mean training wait"] != first["Mean training wait"]
    other.number_input(key="policy_seed").set_value(1).run()
    assert metrics(other) == first


def test_classes_without_jobs_are_said_to_have_none():
    app = unlocked(PAGE, policy_interactive_rate="0")
    assert metrics(app)["Interactive in 5 min"] == "no such jobs" and not app.exception


def test_the_first_chart_is_the_four_policies_with_the_visitors_own_marked():
    chart = charts(unlocked(PAGE, answer="b"))[0]
    drawn = chart_frame(chart)
    labels = drawn.loc[drawn["kind"] == "label", "label"].tolist()
    assert "(b) Strict priority: you said" in labels and "(a) FIFO" in labels and "you are here" in labels
    assert sum("you said" in label for label in labels) == 1
    # The page opens on the message's own policy, (a).
    here, first = (
        drawn[(drawn["kind"] == "label") & (drawn["label"] == words)] for words in ("you are here", "(a) FIFO")
    )
    assert here[["wait", "share"]].to_numpy().tolist() == first[["wait", "share"]].to_numpy().tolist()
    for words in ("(a) FIFO 32 % and 21.9 h", "(b) Strict priority, which you chose,", "(c) Priority with EASY 89.6 %"):
        assert words in chart.alt


@pytest.mark.parametrize("view", ["four", "waits"])
def test_axes_stand_still_and_the_chart_is_updated_in_place(view):
    plain, other = (
        charts(unlocked(PAGE, {"policy_view": view}, **knobs))[0]
        for knobs in ({}, {"policy_fleet": "4096", "policy_order": "shortest", "policy_replications": "4"})
    )
    assert plain.spec == other.spec and plain.title == other.title


def test_the_reflections_answer_is_not_sent_before_its_lock():
    less = four()["easy_less"]
    app = unlocked(PAGE)
    options = {option.text for option in load(PAGE).reflection.options}
    sent = [text for text in texts(app) if text not in options]
    assert not [text for text in sent if f"{less} less" in text or "a third less" in text or "gives up" in text]
    app.radio(key="policy_reflection").set_value("a").run()
    app.button(key="policy_reflection_lock").click().run()
    assert f"{less} less" in all_text(app)


def test_knobs_of_order_of_longest_wait_and_of_memory_are_there():
    app = unlocked(PAGE, policy_order="fair_share", policy_half_life="1", policy_max_wait="24")
    sent = all_text(app)
    assert "past use counts half after 1 day, so a team" in sent and "goes last for 24 h" in sent
    assert app.selectbox(key="policy_order").options[-1] == "Shortest first"
    assert not app.exception


LINE = "{} {} 10 60 {} -1 -1 {} 120 -1 1 7 1 -1 {} -1 -1 -1\n"


def test_a_trace_is_replayed_beside_its_recorded_waits():
    data = "; MaxProcs: 8\n" + "".join(LINE.format(i, 30 * i, 4, 4, i % 2) for i in range(1, 21))
    app = unlocked(PAGE)
    app.file_uploader(key="policy_trace").upload("a.swf", data.encode(), "text/plain")
    app.run()
    sent = all_text(app)
    assert "| all jobs | 20 | 0 s | 10 s |" in sent and "queue 1" in sent and not app.exception
    number = next(widget for widget in app.number_input if widget.key.startswith("policy_trace_processors"))
    assert number.value == 8
    number.set_value(4).run()
    assert "| all jobs | 20 | 0 s |" not in all_text(app) and not app.exception
    number.set_value(2).run()
    assert "| all jobs | 20 | – |" in all_text(app) and not app.exception


@pytest.mark.parametrize("data", [b"hello", b"", b"\x1f\x8b broken", b"1 2 3\n", b"\x00" * 500, "é".encode("latin-1")])
def test_anything_but_a_trace_is_refused_in_one_sentence(data):
    app = unlocked(PAGE)
    app.file_uploader(key="policy_trace").upload("a.swf", data, "application/octet-stream")
    app.run()
    assert not app.exception and len(app.error) == 1 and app.error[0].value.startswith("Not taken:")
    assert "\n" not in app.error[0].value.strip()


@pytest.mark.slow
@needs_log
def test_the_kth_log_gives_the_figures_that_the_page_quotes():
    app = unlocked(PAGE)
    app.file_uploader(key="policy_trace").upload("kth.swf.gz", KTH.read_bytes(), "application/gzip")
    app.run(timeout=120)
    assert "| 1.91 h | 4.25 h |" in all_text(app)
    app.session_state["policy_trace_policy"] = "fcfs"
    app.run(timeout=120)
    assert "| 108 h | 4.25 h |" in all_text(app)
