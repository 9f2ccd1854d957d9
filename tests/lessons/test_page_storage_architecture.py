"""The storage page, driven as a script would."""

import pytest
from driving import all_text, chart_frame, charts, metrics, unlocked, visit

from lessons.storage_architecture import LESSON

PAGE = "storage_architecture"


def test_from_the_lock_through_the_test_and_the_challenge_to_the_reflection():
    app = visit(PAGE)
    assert not app.metric and app.slider(key="storage_accelerators").proto.disabled
    app.radio(key="storage_prediction").set_value("c").run()
    app.button(key="storage_lock").click().run()
    assert metrics(app)["Reads that get through"] == "20.3 %" and metrics(app)["Load of metadata servers"] == "492 %"
    app.button(key="storage_test").click().run()
    assert metrics(app)["Load of bandwidth"] == "12.2 %" and "20.3 % with 96" in all_text(app)
    app.button(key="storage_challenge").click().run()
    assert "Not yet: the load of the metadata servers is 983 %" in all_text(app)
    app.slider(key="storage_metadata_servers").set_value(15).run()
    app.slider(key="storage_storage_nodes").set_value(34).run()
    assert "Won: 8,192 GPUs" in all_text(app)
    app.radio(key="storage_reflection").set_value("b").run()
    app.button(key="storage_reflection_lock").click().run()
    record = app.session_state["ledger"]["storage"]
    assert not app.exception and record["right"] is False and record["reflection_right"] is True
    assert record["settings"]["storage_nodes"] == 34 and "won" in record
    assert "A data rate is also a rate of opens" in all_text(app)


@pytest.mark.parametrize(
    ("answer", "words"),
    [("a", "you said: bandwidth first →"), ("b", "you said: metadata servers first"), ("c", "nothing gets up here")],
)
def test_a_guess_is_drawn_where_its_limit_is_reached(answer, words):
    assert any(words in label for label in chart_frame(charts(unlocked(PAGE, answer=answer))[0])["label"].dropna())


def test_the_goal_is_drawn_while_the_challenge_is_on():
    app = unlocked(PAGE)
    assert "goal" not in set(chart_frame(charts(app)[0])["kind"])
    app.button(key="storage_challenge").click().run()
    chart = chart_frame(charts(app)[0])
    assert chart[chart["kind"] == "goal"]["y"].tolist() == [0.8]
    assert chart[chart["kind"] == "fleet"]["x"].tolist() == [8192]


def test_small_files_are_overload_and_stand_as_an_arrow_at_the_edge():
    app = unlocked(PAGE)
    app.button(key="storage_preset_small").click().run()
    assert metrics(app)["Load of metadata servers"] == "31,500 %"
    labels = chart_frame(charts(app)[0])["label"].dropna().tolist()
    assert "metadata servers 31,500 % ↑" in labels


@pytest.mark.parametrize("preset", [name for name, one in LESSON.presets.items() if one.view])
def test_a_preset_of_a_further_part_opens_it(preset):
    app = unlocked(PAGE)
    app.button(key=f"storage_preset_{preset}").click().run()
    view = LESSON.view(LESSON.presets[preset].view)
    settings = LESSON.settings(**LESSON.presets[preset].changes)
    assert not app.exception and app.session_state["storage_view"] == view.id
    assert metrics(app) == {one.label: one.value for one in view.module.metrics(settings)}


def test_old_links_open_without_what_is_gone():
    app = unlocked(PAGE, storage_organization="shards", storage_view="all", storage_accelerators="8192")
    assert not app.exception and app.slider(key="storage_accelerators").value == 8192
    assert app.session_state["storage_view"] == "loads"
