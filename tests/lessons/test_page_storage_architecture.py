"""The storage page, driven as a script would; its animation is its model: same times, same shares."""

import re

import pytest
from driving import chart_frame, charts, unlocked
from filmed import seen_at

from lessons.storage_architecture import film as opens
from lessons.storage_architecture.settings import Design
from physics.storage.demands import tandem
from ui.charts.look import Look
from ui.films import message

PAGE = "storage_architecture"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("a", "you said: bandwidth first →"),
        ("b", "you said: metadata servers first"),
        ("c", "nothing gets up here"),
    ],
)
def test_a_guess_is_drawn_where_its_limit_is_reached(answer, words):
    assert any(
        words in label
        for label in chart_frame(charts(unlocked(PAGE, answer=answer))[0])["label"].dropna()
    )


def test_the_goal_is_drawn_while_the_challenge_is_on():
    app = unlocked(PAGE)
    assert "goal" not in set(chart_frame(charts(app)[0])["kind"])
    app.button(key="storage_challenge").click().run()
    chart = chart_frame(charts(app)[0])
    assert chart[chart["kind"] == "goal"]["y"].tolist() == [0.8]
    assert chart[chart["kind"] == "fleet"]["x"].tolist() == [8192]


DESIGNS = [
    Design(),
    Design(file_size=1e9),
    Design(file_size=1e9, storage_nodes=12),
    Design(file_size=4e3, accelerators=16384),
]


@pytest.mark.parametrize("design", DESIGNS)
def test_the_storage_animation_is_the_model_of_two_stages(design):
    shown = opens.played(design)
    step = design.file_size / (design.accelerators * 80e6)
    assert shown.end == pytest.approx(opens.READS * step)
    rows = tandem(design.loads.metadata, design.loads.bandwidth, opens.READS) * step
    for part in (0.1, 0.37, 0.5, 0.93):
        now = part * shown.end
        boxes, line = seen_at(shown, now)
        for kind, begin, end in (("first", "opens", "opened"), ("second", "sends", "sent")):
            assert (
                (boxes["kind"] == kind).sum()
                == ((rows[begin] <= now) & (now < rows[end])).sum()
                <= 1
            )
        for kind, begin, end in (("first", "asked", "opens"), ("second", "opened", "sends")):
            assert (line["kind"] == kind).sum() == ((rows[begin] <= now) & (now < rows[end])).sum()


@pytest.mark.parametrize(("first", "second"), [(0.2, 0.5), (4.9, 0.24), (0.3, 3.0), (2.0, 2.5)])
def test_two_stages_let_through_what_the_higher_load_lets_through(first, second):
    rows = tandem(first, second, 5000)
    pace = (rows["sent"].iloc[-1] - rows["sent"].iloc[1000]) / 3999
    assert 1 / pace == pytest.approx(1 / max(1, first, second), rel=1e-9)
    assert (rows["opens"] >= rows["asked"]).all() and (rows["sends"] >= rows["opened"]).all()
    if max(first, second) < 1:
        assert rows["opens"].tolist() == rows["asked"].tolist()


@pytest.mark.parametrize("design", DESIGNS)
def test_what_is_said_of_the_storage_animation_is_in_its_rows(design):
    """The storage nodes' load is what is asked of them; behind slow metadata servers they work
    less.
    """
    shown = opens.played(design)
    caption = opens.showing(design).caption
    assert message(opens.showing(design), Look())["boxes"]  # what is too heavy is refused
    said = re.search(
        r"metadata servers work ([\d.]+)% of the time and the storage nodes ([\d.]+)%", caption
    ).groups()
    for share, first in zip(said, (0, opens.SQUARES), strict=True):
        own = shown.boxes[shown.boxes["first"] == first]
        assert float(share) / 100 == pytest.approx(
            (own["end"] - own["begin"]).sum() / shown.end, rel=6e-3
        )
