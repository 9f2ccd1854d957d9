"""The storage page, driven as a script would."""

import pytest
from driving import all_text, chart_frame, charts, metrics, unlocked, visit

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
    for words in ("245,760/s of 50,000/s", "328 GB/s of 1,344 GB/s", "834 GPUs", "bandwidth at 16,800 GPUs"):
        assert words in sent
    assert "15.7 million operations a second and 315 servers" in sent and "983 a second" in sent


def test_the_challenge_is_won_with_object_store_ranges_too_and_lost_one_prefix_short():
    app = unlocked(PAGE)
    app.selectbox(key="storage_organization").set_value("objects").run()
    app.slider(key="storage_accelerators").set_value(16384).run()
    app.number_input(key="storage_prefixes").set_value(49).run()
    assert "Not yet" in all_text(app)
    app.number_input(key="storage_prefixes").set_value(50).run()
    assert "Won" in all_text(app) and metrics(app)["Request fees in 30 days"] == "$169,869"
    app.select_slider(key="storage_request_size").set_value(4.0).run()
    app.number_input(key="storage_prefixes").set_value(200).run()
    assert "exceed \\$200,000" in all_text(app)


def test_the_challenge_is_won_with_shards_and_79_nodes_and_lost_with_78():
    app = unlocked(PAGE)
    app.selectbox(key="storage_organization").set_value("shards").run()
    for nodes, words in ((78, "Not yet"), (79, "Won")):
        app.slider(key="storage_storage_nodes").set_value(nodes).run()
        assert words in all_text(app)


def test_small_objects_need_954_prefixes_and_193_in_flight():
    app = unlocked(PAGE)
    app.button(key="storage_preset_object_store_a_62_5_kb_object_a_sample").click().run()
    sent = all_text(app)
    assert "954 prefixes needed, 1 there" in sent and "193 in flight a GPU of 16" in sent
    app.button(key="storage_preset_object_store_ranges_of_8_mb").click().run()
    sent = all_text(app)
    assert "8 prefixes needed, 8 there" in sent and "2.41 in flight a GPU of 16" in sent


def test_small_files_are_overload_and_not_clamped():
    app = unlocked(PAGE)
    app.button(key="storage_preset_small_samples_62_5_kb_files").click().run()
    assert metrics(app)["Load of metadata"] == "31,457 %" and metrics(app)["Achieved"] == "0.318 %"
    assert frame(app)["load"].max() > 1000


def test_one_chart_holds_bandwidth_metadata_and_requests_in_shares_of_capacity():
    chart = frame(unlocked(PAGE))
    lines = chart[chart["kind"].isin(["used", "unused"])]
    assert set(lines["limit"]) == {"bandwidth", "metadata", "requests", "connections"}
    here = chart[chart["kind"] == "here"].set_index("limit")["load"]
    assert here["metadata"] == pytest.approx(4.9152) and here["bandwidth"] == pytest.approx(327.68 / 1344)
    full = chart[chart["kind"] == "full"].set_index("limit")["x"]
    assert full["metadata"] == pytest.approx(833.33, abs=0.01)


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
    assert len(app.get("vega_lite_chart")) == 2 and not frame(app, 1).empty


def test_a_knob_without_effect_says_so():
    app = unlocked(PAGE)
    said = " ".join(caption.value for caption in app.caption)
    assert "No effect now: size of one GET, prefixes." in said and "directory spread (with one server)" in said
    app.selectbox(key="storage_organization").set_value("objects").run()
    said = " ".join(caption.value for caption in app.caption)
    assert "No effect on reads now: file size, metadata servers, storage nodes." in said


def test_at_most_seven_knobs_are_in_sight():
    app = unlocked(PAGE)
    inside = {
        widget.key
        for box in app.sidebar.expander
        for kind in ("slider", "select_slider", "number_input")
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


def test_a_scenario_travels_in_the_address():
    app = unlocked(PAGE, storage_file_size="0.0625", storage_metadata_servers="5", storage_organization="files")
    assert metrics(app)["Load of metadata"] == "6,291 %"
