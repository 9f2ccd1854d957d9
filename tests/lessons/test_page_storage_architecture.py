"""The storage page, driven as a script would."""

import pytest
from driving import all_text, chart_frame, charts, metrics, texts, unlocked, visit

from lessons.storage_architecture import LESSON

PAGE = "storage_architecture"


def frame(app, index=0):
    return chart_frame(charts(app)[index])


def test_from_locked_through_knobs_and_challenge_to_the_reflection():
    app = visit(PAGE)
    assert not app.metric and app.slider(key="storage_accelerators").proto.disabled
    app.radio(key="storage_prediction").set_value("a").run()
    app.button(key="storage_lock").click().run()
    assert app.session_state["ledger"]["storage"]["right"] is False
    assert metrics(app)["Achieved"] == "20.3 %" and metrics(app)["Load of metadata"] == "492 %"
    app.slider(key="storage_metadata_servers").set_value(5).run()
    assert metrics(app)["Achieved"] == "100 %" and metrics(app)["Load of metadata"] == "98.3 %"
    app.selectbox(key="storage_organization").set_value("shards").run()
    app.slider(key="storage_storage_nodes").set_value(79).run()
    assert "Won" in all_text(app)
    app.radio(key="storage_reflection").set_value("b").run()
    app.button(key="storage_reflection_lock").click().run()
    record = app.session_state["ledger"]["storage"]
    assert record["reflection_right"] is True and record["results"]["Challenge"] == "won"
    assert record["settings"]["storage_nodes"] == 79
    assert not app.exception


def test_at_the_defaults_the_page_shows_the_numbers_of_the_message():
    sent = all_text(unlocked(PAGE))
    for words in ("246,000/s of 50,000/s", "328 GB/s of 1,344 GB/s", "834 GPUs", "bandwidth at 16,800 GPUs"):
        assert words in sent
    assert "15.7 million operations a second and 315 servers" in sent and "983" not in sent


def test_the_challenge_is_won_with_object_store_ranges_too_and_lost_one_prefix_short_or_with_idle_nodes():
    app = unlocked(PAGE)
    app.selectbox(key="storage_organization").set_value("objects").run()
    app.slider(key="storage_accelerators").set_value(16384).run()
    app.slider(key="storage_storage_nodes").set_value(14).run()
    app.number_input(key="storage_prefixes").set_value(49).run()
    assert "Not yet" in all_text(app)
    app.number_input(key="storage_prefixes").set_value(50).run()
    assert "Won" in all_text(app) and metrics(app)["Request fees in 30 days"] == "$170,000"
    app.slider(key="storage_storage_nodes").set_value(48).run()
    assert "exceeds \\$200,000" in all_text(app)
    app.slider(key="storage_storage_nodes").set_value(14).run()
    app.select_slider(key="storage_request_size").set_value(4.0).run()
    app.number_input(key="storage_prefixes").set_value(200).run()
    assert "exceeds \\$200,000" in all_text(app)


def test_the_challenge_is_won_with_shards_and_79_nodes_and_lost_with_78():
    app = unlocked(PAGE)
    app.selectbox(key="storage_organization").set_value("shards").run()
    for nodes, words in ((78, "Not yet"), (79, "Won")):
        app.slider(key="storage_storage_nodes").set_value(nodes).run()
        assert words in all_text(app)


def test_small_objects_need_954_prefixes_and_193_in_flight():
    app = unlocked(PAGE)
    app.button(key="storage_preset_objects").click().run()
    sent = all_text(app)
    assert "954 prefixes needed, 1 there" in sent and "193 in flight a GPU of 16" in sent
    app.button(key="storage_preset_ranges").click().run()
    sent = all_text(app)
    assert "8 prefixes needed, 8 there" in sent and "2.41 in flight a GPU of 16" in sent


def test_small_files_are_overload_and_not_clamped():
    app = unlocked(PAGE)
    app.button(key="storage_preset_small").click().run()
    assert metrics(app)["Load of metadata"] == "31,500 %" and metrics(app)["Achieved"] == "0.318 %"
    chart = frame(app)
    assert chart["y"].max() > 1000 and chart[chart["role"] == "here"]["load"].max() == pytest.approx(314.5728)


def test_the_chart_holds_what_the_story_is_about_and_on_request_all_four_limits_in_shares_of_capacity():
    app = unlocked(PAGE)
    chart = frame(app)
    assert set(chart[chart["kind"].isin(["used", "unused"])]["limit"]) == {"bandwidth", "metadata"}
    app.segmented_control(key="storage_view").set_value("all").run()
    chart = frame(app)
    lines = chart[chart["kind"].isin(["used", "unused"])]
    assert set(lines["limit"]) == {"bandwidth", "metadata", "requests", "connections"}
    here = chart[(chart["role"] == "here") & (chart["kind"] == "point")].set_index("limit")["load"]
    assert here["metadata"] == pytest.approx(4.9152) and here["bandwidth"] == pytest.approx(327.68 / 1344)
    full = chart[(chart["role"] == "full") & (chart["kind"] == "point")].set_index("limit")["x"]
    assert full["metadata"] == pytest.approx(833.33, abs=0.01)


@pytest.mark.parametrize(("answer", "words"), [("a", "you said: bandwidth at 16,800 GPUs →"), ("b", "metadata at 834")])
def test_a_guess_that_names_a_limit_is_drawn_where_that_limit_saturates(answer, words):
    labels = frame(unlocked(PAGE, answer=answer))["label"].dropna()
    assert any("you said" in label and words in label for label in labels)


def test_the_axes_stand_still_and_the_chart_is_updated_whatever_is_turned():
    app = unlocked(PAGE)
    specs = {charts(app)[0].spec}
    app.button(key="storage_preset_small").click().run()
    specs.add(charts(app)[0].spec)
    app.slider(key="storage_accelerators").set_value(16384).run()
    app.selectbox(key="storage_organization").set_value("objects").run()
    specs.add(charts(app)[0].spec)
    assert len(specs) == 1


def test_what_mends_it_waits_in_a_browser_until_it_is_asked_for():
    app = unlocked(PAGE, {"_agent": "Mozilla/5.0"})
    sent = all_text(app)
    assert metrics(app)["Achieved"] == "20.3 %" and LESSON.remedies(LESSON.settings()) not in sent
    assert not any("5 metadata servers" in text for text in texts(app) if "Small samples" not in text)


def test_the_later_acts_wait_for_the_reflection_unless_a_preset_opens_one():
    def views(app):
        return [option.content for group in app.get("button_group") for option in group.proto.options]

    app = unlocked(PAGE, {"_agent": "Mozilla/5.0"})
    first = views(app)
    assert LESSON.views["size"] in first and not any("Part" in view for view in first)
    app = unlocked(PAGE, {"_agent": "Mozilla/5.0", "reflections": {"storage": "c"}})
    assert [view for view in views(app) if "Part" in view] == [LESSON.views["checkpoint"], LESSON.views["distance"]]
    app = unlocked(PAGE, {"_agent": "Mozilla/5.0", "storage_presets": True})
    app.button(key="storage_preset_checkpoint").click().run()
    assert "What does a checkpoint do" in charts(app)[0].title


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ("checkpoint", "A checkpoint of 2.45 TB takes 3.65 s"),
        ("distance", "Moving 100 TB costs \\$9,000"),
        ("size", "How does the size of a read"),
    ],
)
@pytest.mark.parametrize("organization", ["files", "shards", "objects"])
def test_every_further_chart_is_drawn_for_every_organization(chosen, words, organization):
    app = unlocked(PAGE, {"storage_view": chosen}, storage_organization=organization)
    assert not app.exception and words in all_text(app)
    assert len(charts(app)) == 1 and not frame(app).empty


def test_a_knob_without_effect_says_so():
    app = unlocked(PAGE)
    said = " ".join(caption.value for caption in app.caption)
    assert "No effect now: Size of one GET (MB), Object store prefixes (no object store)." in said
    assert "Directory spread (%) (one metadata server)" in said
    app.selectbox(key="storage_organization").set_value("objects").run()
    said = " ".join(caption.value for caption in app.caption)
    assert "File size (MB), Metadata servers, Storage nodes (on reads, which come from objects)." in said


def test_at_most_seven_knobs_are_in_sight():
    app = unlocked(PAGE)
    inside = {
        widget.key
        for box in app.sidebar.expander
        for kind in ("slider", "select_slider", "number_input", "selectbox")
        for widget in getattr(box, kind)
    }
    every = {
        widget.key
        for kind in ("slider", "select_slider", "number_input", "selectbox")
        for widget in getattr(app.sidebar, kind)
    }
    assert len(every - inside) == 7


def test_a_bad_address_opens_on_valid_values_and_says_so():
    app = unlocked(
        PAGE, storage_organization="tape", storage_file_size="five", storage_accelerators="1e9", storage_x="1"
    )
    assert not app.exception and metrics(app)["Achieved"] == "20.3 %"
    said = " ".join(warning.value for warning in app.warning)
    for key in ("storage_organization", "storage_file_size", "storage_accelerators", "storage_x"):
        assert key in said


def test_a_scenario_travels_in_the_query_string():
    app = unlocked(PAGE, storage_file_size="0.0625", storage_metadata_servers="5", storage_organization="files")
    assert metrics(app)["Load of metadata"] == "6,290 %"
