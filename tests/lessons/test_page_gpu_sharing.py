"""Sharing a GPU driven through AppTest: from the locked question to the pair, three ways, the puzzle and the film."""

import json

import pytest
from driving import all_text, charts, frame_of, keys, metrics, unlocked, visit

from lessons import GPU_SHARING as LESSON
from lessons.gpu_sharing import film, pair
from lessons.gpu_sharing.settings import Sharing
from ui.charts.look import Look
from ui.films import message


def test_from_the_locked_question_to_the_reflection():
    app = visit("gpu_sharing")
    assert not app.metric and app.select_slider(key="share_neighbor").proto.disabled
    app.radio(key="share_prediction").set_value("a").run()
    app.button(key="share_lock").click().run()
    assert not app.exception
    shown = metrics(app)
    assert shown["Each slower"] == "1.3 times" and shown["System throughput"] == "1.54"
    assert shown["Compute in use"] == "85.6 %" and shown["Memory bandwidth in use"] == "100 %"
    assert "130 % of the memory bandwidth. It is full, and each is 1.3 times slower: within" in all_text(app)
    app.select_slider(key="share_neighbor").set_value("32").run()
    assert metrics(app)["Each slower"] == "2 times" and "beyond the accepted 1.5 times" in all_text(app)
    assert "put it beside a neighbor of 600 FLOP/B" in all_text(app)
    app.radio(key="share_reflection").set_value("b").run()
    app.button(key="share_reflection_lock").click().run()
    record = app.session_state["ledger"]["share"]
    assert record["prediction"] == "a" and record["right"] is False and record["reflection_right"] is True
    assert record["settings"]["neighbor"] == 32 and record["results"]["Each slower"] == "2 times"


def test_the_answer_of_the_reflection_waits_for_its_lock():
    for view in LESSON.views:
        said = all_text(unlocked("gpu_sharing", {"share_view": view}))
        assert "any kernel runs" not in said.replace("It counts the time in which any kernel runs", ""), view
        assert "executing" not in said
    assert "was executing" in all_text(unlocked("gpu_sharing", {"reflections": {"share": "b"}}))


@pytest.mark.parametrize(
    ("guess", "words", "at"),
    [
        ("a", "2 times", 2),
        ("b", "1.3 times", 1.3),
        ("c", "not at all", 1),
        ("d", "5 times ↑", pytest.approx(pair.TOP, abs=0.1)),
    ],
)
def test_the_guess_is_on_the_chart_and_one_beyond_it_leaves_with_an_arrow(guess, words, at):
    rows = frame_of(unlocked("gpu_sharing", answer=guess), "Slowdown of each job")
    said = rows[rows.label == f"you said: {words}"]
    assert list(said.slowdown) == [at] and list(said.neighbor) == [1000]


@pytest.mark.parametrize(
    ("preset", "says"),
    [
        ("message", "each is 1.3 times slower: within the accepted 1.5 times"),
        ("alike", "200 % of the memory bandwidth. It is full, and each is 2 times slower: beyond"),
        ("trainings", "200 % of the compute. It is full"),
        ("large", "each is 1.87 times slower: beyond"),
        ("light", "each runs as fast as alone"),
        ("turns", "16.7 % of the time is useful; a job waits 22 ms"),
        ("puzzle", "System throughput 5.08, the chat 1.8 times slower"),
    ],
)
def test_presets_show_what_they_are_about(preset, says):
    app = unlocked("gpu_sharing")
    app.button(key=f"share_preset_{preset}").click().run()
    assert not app.exception and says in all_text(app)


def test_three_ways_side_by_side():
    rows = frame_of(unlocked("gpu_sharing", {"share_view": "ways"}), "Speed of your job")
    bars = rows[rows.kind == "bar"].set_index(["way", "job"]).speed
    assert bars["turns (time-slicing)", "your job"] == pytest.approx(1 / 3)
    assert bars["together (MPS)", "its neighbor"] == pytest.approx(1 / 1.295, rel=1e-3)
    assert bars["slices (MIG)", "its neighbor"] == pytest.approx(64 / 132)


def test_the_challenge_is_won_by_hand():
    app = unlocked("gpu_sharing", {"share_view": "puzzle"})
    assert "too little, and the chat is too slow" in all_text(app)
    for job, gpu in zip("abcdefgh", "12344213", strict=True):
        key = f"share_job_{job}"
        next(group for group in app.get("button_group") if group.key == key).set_value(gpu)
        app.run()
    assert not app.exception and "Won: system throughput 7.06, the chat as fast as alone" in all_text(app)


def test_all_jobs_on_one_gpu_leave_the_chart_with_an_arrow():
    app = unlocked("gpu_sharing", {"share_view": "puzzle"}, **{f"share_job_{job}": "2" for job in "abcdefgh"})
    rows = frame_of(app, "The puzzle's GPUs")
    assert not app.exception and any(label.endswith("↑") for label in rows.label.dropna())
    assert "GPU 2 has more than two jobs" in all_text(app) and list(rows.label).count("nothing runs") == 3


def test_specifications_stay_the_same_while_the_knobs_turn():
    look, other = Look(), Sharing(intensity=256, neighbor=8, accepted=2.0, job_a="4")
    for chart in (pair.figure, pair.device):
        assert chart(Sharing(), look).spec is chart(other, look).spec


def test_the_film_is_light_and_shows_both_jobs_only_after_the_lock():
    assert "share_film_turns" not in keys(visit("gpu_sharing", {"share_view": "film"}))
    app = unlocked("gpu_sharing", {"share_view": "film"})
    assert not app.exception and not charts(app)
    assert "In turns each job has the GPU to itself for 2 ms, then waits 4 ms" in all_text(app)
    for sharing in (Sharing(), Sharing(intensity=1, reach=0.05, switch=0.0), Sharing(quantum=0.03, switch=0.01)):
        sent = message(film.showing(sharing), Look())
        assert len(json.dumps(sent)) < 20_000 and sent["boxes"]
