"""GPU slices driven through AppTest: from the locked question to the stream, the gang and the reflection."""

import json

import pytest
from driving import all_text, charts, frame_of, keys, metrics, texts, unlocked, visit

from lessons.gpu_slices import ACTS, challenge, slots
from lessons.gpu_slices.settings import Slices
from ui.charts.look import Look, filled

WON = [Slices(one=0, one_wide=1, two=1, three=0, four=1), Slices(one=0, one_wide=1, two=3, three=0)]
MOST = Slices(one=7, one_wide=4, two=4, three=3, four=2, seven=1)


def test_from_the_locked_question_to_the_reflection():
    app = visit("gpu_slices")
    assert not app.metric and app.slider(key="slices_three").proto.disabled
    app.radio(key="slices_prediction").set_value("a").run()
    app.button(key="slices_lock").click().run()
    assert not app.exception
    shown = metrics(app)
    assert shown["Fits on one GPU"] == "no" and shown["Compute slices asked"] == "7 of 7"
    assert shown["Memory slices asked"] == "9 of 8" and shown["Stranded"] == "1 compute"
    assert "Does not fit: they need 9 of 8 memory slices." in all_text(app)
    app.slider(key="slices_one").set_value(0).run()
    assert metrics(app)["Fits on one GPU"] == "yes"
    app.radio(key="slices_reflection").set_value("c").run()
    app.button(key="slices_reflection_lock").click().run()
    record = app.session_state["ledger"]["slices"]
    assert record["prediction"] == "a" and record["right"] is False and record["reflection_right"] is True
    assert record["settings"]["three"] == 2 and record["results"]["Fits on one GPU"] == "yes"


def test_the_h100_gives_the_same_answer():
    app = unlocked("gpu_slices", slices_gpu="H100-80GB")
    assert not app.exception and "of one H100" in all_text(app)
    for gpu in (app, unlocked("gpu_slices")):
        assert metrics(gpu)["Fits on one GPU"] == "no" and metrics(gpu)["Memory slices asked"] == "9 of 8"


def test_the_picture_shows_slots_instances_and_the_one_too_many():
    frame = frame_of(unlocked("gpu_slices"), "Slices of one A100")
    over = frame[frame.kind == "over"]
    assert list(zip(over.label, over.start, over.stop, strict=True)) == [("1g", 8, 9)]
    placed = frame[(frame.kind == "block") & frame.row.str.startswith("Placed")]
    assert sorted(zip(placed.label, placed.start, placed.stop, strict=True)) == [("3g.40gb", 0, 4), ("3g.40gb", 4, 8)]
    assert (frame.kind == "cell").sum() == 7 + 8 + 8 + 7  # 1g at 6 shuts out slice 7


def test_seven_small_instances_leave_a_memory_slice_that_is_marked():
    app = unlocked("gpu_slices")
    app.button(key="slices_preset_small").click().run()
    assert metrics(app)["Stranded"] == "1 memory"
    frame = frame_of(app, "Slices of one A100")
    assert list(frame[(frame.kind == "dead") & frame.row.str.startswith("Placed")].start) == [7]


@pytest.mark.parametrize(
    ("preset", "says"),
    [
        ("alone", "2 × 3g.40gb fits on one A100. Stranded beside it: 1 compute."),
        ("sevenths", "4g.40gb fits on one A100."),
        ("twice", "Does not fit: they need 8 of 7 compute slices."),
        ("message", "leave out one 1g.10gb"),
    ],
)
def test_presets_lead_to_each_failure_and_to_success(preset, says):
    app = unlocked("gpu_slices")
    app.button(key=f"slices_preset_{preset}").click().run()
    assert not app.exception and says in all_text(app)


@pytest.mark.slow
def test_the_stream_shows_both_rules_the_bound_and_the_gpus():
    app = unlocked("gpu_slices", {"slices_view": "stream"})
    use = frame_of(app, "Compute slices in use")
    lines = {kind: list(use[use.kind == kind].slices) for kind in ("bound", "first", "best")}
    assert all(len(line) == 60 for line in lines.values())
    assert all(lines[rule][at] <= lines["bound"][at] <= 14 for rule in ("first", "best") for at in range(60))
    held = frame_of(app, "Slices of 2 GPUs under first-fit after request 30")
    app.slider(key="slices_moment").set_value(60).run()
    assert "It was the last request." in all_text(app)
    app.slider(key="slices_gpus").set_value(4).run()
    assert set(frame_of(app, "Slices of 4 GPUs").row) > set(held.row) and not app.exception
    assert "upper bound" in all_text(app)


def test_the_gang_of_64_on_256_320_and_400_nodes():
    locked = frame_of(unlocked("gpu_slices", {"slices_view": "gang"}), "Chance that a gang can start")
    assert "blocks" not in set(locked.kind)  # the curve of blocks tells the reflection's answer
    app = unlocked("gpu_slices", {"slices_view": "gang", "reflections": {"slices": "c"}})
    for nodes, says in ((256, "2.97 %"), (320, "52.2 %"), (400, "98.2 %")):
        app.slider(key="slices_nodes").set_value(nodes).run()
        assert f"Any 64 of {nodes} nodes free: a chance of {says}" in all_text(app)
    assert "1.8 × 10⁻⁴⁵" in all_text(app)
    frame = frame_of(app, "Chance that a gang can start")
    assert {"alone", "blocks", "named line", "point", "mean"} <= set(frame.kind)
    assert {"any 64 of 400: 98.2 %", "blocks of 8: 81 %"} <= set(frame.label)
    app.select_slider(key="slices_block").set_value(1).run()
    assert "blocks" not in set(frame_of(app, "Chance that a gang can start").kind)
    app.slider(key="slices_nodes").set_value(256).run()
    assert "For an even chance of the gang: " in all_text(app)
    assert all(words in all_text(app) for words in ("320 nodes", "a gang of 51", "25 % free"))


def test_fragmentation_names_the_free_gpus_that_a_job_cannot_use():
    app = unlocked("gpu_slices", {"slices_view": "free"})
    assert "Of 2,560 GPUs 512 are free on average" in all_text(app) and "99.999 % of them are stranded" in all_text(app)
    app.slider(key="slices_job").set_value(1).run()
    assert "0 % of them are stranded if they are scattered" in all_text(app)
    assert {"spread", "packed"} <= set(frame_of(app, "Free GPUs that the next job cannot use").kind)


def test_nothing_and_everything_can_be_asked_for():
    app = unlocked("gpu_slices", slices_one="0", slices_three="0")
    assert "Nothing is asked for" in all_text(app) and not app.exception
    most = {"one": 7, "one_wide": 4, "two": 4, "three": 3, "four": 2, "seven": 1}
    app = unlocked("gpu_slices", **{f"slices_{name}": str(value) for name, value in most.items()})
    assert not app.exception and metrics(app)["Memory slices asked"] == "51 of 8"


def test_a_gang_larger_than_the_cluster_never_starts():
    app = unlocked("gpu_slices", {"slices_view": "gang"}, slices_nodes="64", slices_needed="256")
    assert not app.exception and "free: a chance of 0 %" in all_text(app)


def test_bad_values_in_the_query_string_are_reported():
    app = unlocked("gpu_slices", slices_gpu="V100", slices_three="9", slices_block="3")
    assert not app.exception
    said = "\n".join(warning.value for warning in app.warning)
    assert all(key in said for key in ("slices_gpu", "slices_three", "slices_block"))
    assert app.slider(key="slices_three").value == 2


def test_at_most_seven_knobs_stand_outside_an_expander():
    app = visit("gpu_slices")
    folded = {e.key for box in app.expander for kind in (box.slider, box.select_slider, box.selectbox) for e in kind}
    outside = {key for key in keys(app) if any(key == w.key for w in app.slider)} - folded
    assert outside == {f"slices_{name}" for name in ("one", "one_wide", "two", "three", "four", "seven")}


@pytest.mark.parametrize(
    ("preset", "view"), [("halves", "stream"), ("gang", "gang"), ("larger", "gang"), ("twice", "slots")]
)
def test_a_preset_opens_the_act_in_which_it_acts(preset, view):
    app = unlocked("gpu_slices", {"slices_view": "free"})
    before = (metrics(app), [drawn.alt for drawn in charts(app)])
    app.button(key=f"slices_preset_{preset}").click().run()
    assert app.session_state["slices_view"] == view
    shown = metrics(app), [drawn.alt for drawn in charts(app)]
    assert not app.exception and shown[0].keys() != before[0].keys() and shown[1] != before[1]


@pytest.mark.slow
def test_what_mends_it_and_the_answer_of_the_reflection_are_not_sent_before_they_are_asked_for():
    state = {"_agent": "Mozilla/5.0", "slices_derivation": True}
    for view in ACTS:
        said = all_text(unlocked("gpu_slices", state | {"slices_view": view}))
        assert "leave out one" not in said and "For an even chance" not in said
        assert "blocks lower the chance" not in said and "Nodes that come free in blocks" not in said
        assert "30 %" not in [text for text in texts(unlocked("gpu_slices", state)) if "about 30 %" not in text]
    opened = all_text(unlocked("gpu_slices", state | {"slices_remedies": True}))
    assert "leave out one 1g.10gb" in opened


def test_the_challenge_is_won_by_choosing_and_not_by_maxing():
    won = {wish for wish in WON if challenge.judge(wish).good}
    assert won == set(WON)
    for lost in (Slices(), Slices(one=0), Slices(one=0, three=1, four=1), MOST, Slices(one=7, three=0)):
        assert challenge.judge(lost).good is False
    app = unlocked("gpu_slices")
    for name in ("one", "three"):
        app.slider(key=f"slices_{name}").set_value(0).run()
    for name in ("one_wide", "two", "four"):
        app.slider(key=f"slices_{name}").set_value(1).run()
    assert "Won: 3 instances, and no slice of the GPU is idle." in all_text(app)


def test_turning_a_knob_keeps_each_specification():
    knobs = ({"one": 1}, {"free": 0.5}, {"nodes": 1024, "needed": 200}, {"draw": 3}, {"gpu": "H100-80GB"})
    for name in ("slots", "gang", "free"):
        specs = [json.dumps(figure.spec) for knob in knobs for figure in ACTS[name].figures(Slices(**knob), Look())]
        assert len(set(specs)) == 1, name


def test_a_larger_request_lengthens_the_axis_and_leaves_the_specification_as_it_is():
    requests = {8: Slices(one=1, three=0), 9: Slices(), 12: Slices(one=4)}
    drawn = {end: slots.figures(wish, Look())[0] for end, wish in requests.items()}
    sent = [filled(figure.spec, figure.rows) for figure in drawn.values()]
    assert all(one | {"datasets": {}} == sent[0] | {"datasets": {}} for one in sent)
    for end, figure in drawn.items():
        assert figure.rows.iloc[0].kind == "edge" and figure.rows.iloc[0].stop == end
        assert figure.rows.stop.max() == end  # nothing leaves the frame


@pytest.mark.parametrize(("answer", "row"), [("a", 0), ("b", 1), ("c", None), ("d", 3)])
def test_an_answer_that_has_a_place_stands_on_the_messages_request_and_on_no_other(answer, row):
    """Whether the sums add up, whether nine of eight, whether another order: each is said at its own row."""
    here, other = (slots.guessed(wish, answer) for wish in (Slices(), Slices(one=2)))
    assert "said" not in set(other["kind"])
    said = here[here["kind"] == "said"]
    assert [int(at) for at in said["top"]] == ([] if row is None else [row])
    assert said["label"].str.startswith("you said").all()
    # What is said is at the far end of the row that it is about, where its headline does not reach.
    assert (said["start"] == here.loc[here["kind"] == "edge", "stop"].iloc[0]).all()
