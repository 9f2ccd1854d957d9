"""Sharing a GPU driven through AppTest: from the locked question to the pair, its neighbors, the
puzzle and slices.
"""

import pytest
from driving import all_text, charts, frame_of, metrics, unlocked

from lessons.gpu_sharing import puzzle
from lessons.gpu_sharing.settings import Sharing
from ui.charts.look import Look


def test_the_puzzle_is_played_by_list_boxes_and_won():
    app = unlocked("gpu_sharing", {"_agent": "Mozilla/5.0"})
    app.button(key="share_challenge").click().run()
    assert (
        "Not yet: the chat takes 1.8 times as long, and the jobs do the work of 5.08 GPUs"
        in all_text(app)
    )
    assert any(
        str(label).startswith("goal: A at most 1.05")
        for label in frame_of(app, "GPU 1: each takes").label
    )
    for one, other in ("BG", "DH", "BE"):
        app.selectbox(key="share_swap_one").set_value(one)
        app.selectbox(key="share_swap_other").set_value(other).run()
        app.button(key="share_swap").click().run()
    assert not app.exception and app.query_params["share_pairs"] == "AG-CH-BF-ED"
    assert (
        "Won: the chat takes as long as alone, and the jobs do the work of 7.06 GPUs"
        in all_text(app)
    )
    assert "won" in app.session_state["ledger"]["share"]


@pytest.mark.parametrize("gpu", range(4))
def test_the_goal_stands_beside_the_bars_that_slow_the_chat(gpu):
    pairs = ("CD", "EF", "GH")
    rows = puzzle.figure(
        Sharing(pairs=(*pairs[:gpu], "AB", *pairs[gpu:])), Look(), playing=True
    ).frame
    goal = rows[rows.kind == "goal"].iloc[0]
    chat = rows[rows.job == "A"].iloc[0]
    assert (goal.y, goal.y2) == pytest.approx(
        (chat.y - 0.1, chat.y + 2)
    )  # of three bars the last one is memory
    label = rows[rows.label.fillna("").str.startswith("goal: A")].iloc[0]
    assert label.y == rows[rows.label.fillna("").str.startswith(f"GPU {gpu + 1}:")].iloc[0].y


def test_a_pairing_comes_by_link_and_what_is_none_is_said_once():
    app = unlocked("gpu_sharing", {"share_view": "puzzle"}, share_pairs="ag-bf-ch-de")
    assert (
        metrics(app)["System throughput"] == "7.06"
        and app.query_params["share_pairs"] == "AG-BF-CH-DE"
    )
    for brought in ({"address": {"share_pairs": "AB-CD"}}, {"state": {"share_pairs": "AB-CD"}}):
        app = unlocked(
            "gpu_sharing",
            {"share_view": "puzzle"} | brought.get("state", {}),
            **brought.get("address", {}),
        )
        text = all_text(app)
        assert (
            text.count("it must name each job from A to H once, two per GPU, such as AE-BF-CG-DH.")
            == 1
        )
        assert not app.exception and metrics(app)["System throughput"] == "5.08"


def test_a_tapped_job_is_held_and_a_chart_that_comes_back_has_heard_no_taps():
    puzzled = {"share_view": "puzzle", "share_puzzle_chart_told": ["A", "B"]}
    for bits, heard in (([], []), ([{"job": "A"}], ["A", "B"])):
        app = unlocked(
            "gpu_sharing", puzzled | {"share_puzzle_chart": {"selection": {"tap": bits}}}
        )
        rows = frame_of(app, "GPU 1: each takes")
        told = rows[rows.told == True]  # noqa: E712
        assert not app.exception and sorted(told.job.unique()) == heard
    assert "stroke" in charts(app)[0].spec and "datum.told" in charts(app)[0].spec
