"""Placement driven through AppTest: from the locked question to the waiting bar, the challenge and
the reflection.
"""

from dataclasses import replace

import pyarrow as pa
import pytest
from driving import frame_of, unlocked

from lessons.placement import chart, step
from lessons.placement.settings import Training
from ui.charts.look import Look
from ui.page import figures


@pytest.mark.parametrize(
    ("answer", "words", "hours"),
    [("a", "not at all", 0), ("b", "1 h", 1), ("c", "10 h", 10), ("d", "as long", 48)],
)
def test_what_you_said_is_drawn_where_it_means_something(answer, words, hours):
    rows = chart.figure(Training(), Look(), answer).frame
    said = rows[rows.label.fillna("").str.startswith(f"you said: {words}")]
    assert list(said.x) == [hours]


def test_bars_end_where_the_runs_end_and_a_pin_keeps_both_ends():
    rows = frame_of(unlocked("placement"), "Two bars on a time axis").set_index("kind")
    assert (rows.x["slow"], rows.x2["slow"]) == pytest.approx((0, 22.5), abs=0.05)
    assert set(rows.held) == {6} and rows.x2["run"] == 12
    kept = rows[rows.role == "here"]
    assert list(kept.x) == pytest.approx([22.5, 18], abs=0.05)


def test_both_bars_are_strips_of_equally_many_steps_with_the_same_computing():
    """What is not computing is the wait for links, and it makes the whole difference."""
    for training in (Training(), Training(parameters=0.35e9), Training(spread=4, overlap=0.5)):
        rows = chart.figure(training, Look()).frame
        pieces = rows[rows.kind == "computing"]
        lengths = pieces.x2 - pieces.x
        far = lengths[pieces.y == chart.NOW]
        near = lengths[pieces.y == chart.LATER]
        assert len(far) == len(near) == chart.STEPS
        assert list(far) == pytest.approx(list(near))
        waits = training.steps["far"] - training.steps["near"]
        apart = float(rows.x2[rows.kind == "slow"].iloc[0] - rows.x2[rows.kind == "run"].iloc[0])
        step = float(near.iloc[0]) / training.compute
        assert apart == pytest.approx(chart.STEPS * step * waits)


def test_what_leaves_the_frame_is_an_arrow_at_its_edge_with_its_number():
    far = replace(Training(), between=1.25e9)
    frame = chart.figure(far, Look()).frame
    assert frame.x.max() == chart.END and (frame.x2.dropna() <= chart.END).all()
    assert (frame["shape"] == "triangle-right").sum() == 1
    assert frame.label.fillna("").str.contains("done after 234 h").any()
    taken = step.figure(far, Look()).frame
    assert (
        taken[["x", "x2"]].max().max() == step.END
        and (taken["shape"] == "triangle-right").sum() == 1
    )


def test_the_waiting_bar_follows_the_pointer_until_the_server_has_heard_of_the_press(monkeypatch):
    """The browser draws the place at which the chart is held while that differs from what the rows
    say was heard.
    """
    sent = {"selection": {"held": {"start": 6, "at": 9.87, "off": 0, "when": 1764288000000}}}
    for heard, told in ((None, -1), (sent, 1764288000000)):
        monkeypatch.setattr(figures.state, "get", lambda key, heard=heard: heard)
        drawn = {}
        monkeypatch.setattr(
            figures.st, "vega_lite_chart", lambda drawn=drawn, **given: drawn.update(given)
        )
        figures.chart(chart.figure(Training(), Look()), "place", lambda at: None)
        rows = pa.ipc.open_stream(drawn["spec"]["datasets"]["rows"]).read_all()
        assert set(rows["told"].to_pylist()) == {told}
    moved = [step["as"] for step in drawn["spec"]["transform"] if "held.at" in step["calculate"]]
    assert moved == ["at", "moved", "x2", "label"]
    begins, ends = rows.select(["begins", "ends"]).to_pydict().values()
    # the run, its end's words, the dot twice, and both bars; the steps of the run move with it
    assert begins.count(True) == 4 + chart.STEPS
    assert ends.count(True) == 2 + chart.STEPS
