"""The I/O lesson driven as a script does: lock, knobs, presets, views, local drives, bad addresses."""

import pytest
from driving import all_text, charts, metrics, unlocked, visit

from lessons.io_bottleneck import LESSON
from physics.dataloading.mlperf import WORKLOADS

PAGE = "io_bottleneck"


def shown(app) -> dict[str, str]:
    return metrics(app)


@pytest.fixture
def app():
    return unlocked(PAGE)


def test_locked_the_page_shows_the_message_and_no_number_of_the_model():
    app = visit(PAGE)
    assert "10.2 GB/s" in all_text(app) and "11.9" not in all_text(app)
    assert not app.metric and not app.get("vega_lite_chart")


def test_from_the_prediction_to_the_reflection():
    app = visit(PAGE)
    app.radio(key="io_prediction").set_value("a").run()
    app.button(key="io_lock").click().run()
    assert not app.exception and shown(app)["Accelerator utilization"] == "11.9 %"
    app.slider(key="io_workers").set_value(8).run()
    assert shown(app)["Accelerator utilization"] == "80.1 %"
    app.radio(key="io_reflection").set_value("b").run()
    app.button(key="io_reflection_lock").click().run()
    record = app.session_state["ledger"]["io"]
    assert record["prediction"] == "a" and record["right"] is False and record["reflection_right"] is True
    assert record["settings"]["workers"] == 8
    assert record["results"]["Accelerator utilization"] == "80.1 %"


def test_the_headline_numbers_at_the_defaults(app):
    assert shown(app) == {
        "Accelerator utilization": "11.9 %",
        "Step time": "420 ms",
        "Data read": "1.22 GB/s",
        "Storage load": "0.18 %",
    }
    assert [m.delta for m in app.metric] == [
        "misses 80 % by 68.1 points",
        "50 ms of it computing",
        "of 10.2 GB/s needed",
        "1.5 % at full speed",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "key", "value", "utilization"),
    [
        ("slider", "io_workers", 4, "46.5 %"),
        ("slider", "io_workers", 8, "80.1 %"),
        ("slider", "io_workers", 9, "85.1 %"),
        ("number_input", "io_packing", 32, "84 %"),
        ("slider", "io_storage_nodes", 48, "11.9 %"),
        ("slider", "io_prefetch_depth", 64, "11.9 %"),
        ("slider", "io_prefetch_depth", 0, "10.6 %"),
        ("slider", "io_node_link", 100, "11.9 %"),
        ("number_input", "io_accelerators", 384, "11.9 %"),
    ],
)
def test_one_knob_at_a_time(app, kind, key, value, utilization):
    getattr(app, kind)(key=key).set_value(value).run()
    assert not app.exception and shown(app)["Accelerator utilization"] == utilization


def test_slow_decoding_is_a_preset_where_packing_hardly_helps(app):
    app.button(key="io_preset_decoding").click().run()
    assert shown(app)["Accelerator utilization"] == "11.9 %"
    assert "4 ms of it decoding." in all_text(app)
    app.number_input(key="io_packing").set_value(32).run()
    assert shown(app)["Accelerator utilization"] == "18.8 %"
    assert "the case is another one" in all_text(app)


@pytest.mark.slow
@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)
def test_mlperf_workloads_are_presets(app, workload):
    preset = next(name for name, one in LESSON.presets.items() if one.words == f"MLPerf: {workload.name}")
    app.button(key=f"io_preset_{preset}").click().run()
    assert not app.exception
    assert app.number_input(key="io_sample_size").value == pytest.approx(workload.sample_size / 1e3)
    assert app.number_input(key="io_batch").value == workload.batch_size
    assert app.number_input(key="io_compute_time").value == pytest.approx(workload.compute_time * 1e3)


def test_with_local_drives_the_knobs_without_effect_say_so(app):
    assert "No effect now: When the cache is full (nothing is cached)." in all_text(app)
    app.button(key="io_preset_local").click().run()
    captions = "\n".join(caption.value for caption in app.sidebar.caption)
    assert "No effect now: Storage nodes (the data are on the GPU nodes' own drives)." in captions
    assert "Link of a GPU node (GB/s) (local reads cross no link)" in captions
    before = shown(app)
    app.slider(key="io_storage_nodes").set_value(96).run()
    app.slider(key="io_node_link").set_value(1).run()
    assert shown(app) == before and not app.slider(key="io_node_link").proto.disabled


def test_local_drives_grow_with_the_gpu_nodes(app):
    app.selectbox(key="io_context").set_value("local").run()
    one = shown(app)["Storage load"]
    app.number_input(key="io_accelerators").set_value(256).run()
    assert shown(app)["Storage load"] == one


@pytest.mark.slow
@pytest.mark.parametrize("chosen", ["load", "sample", "workers", "timeline", "jitter", "field"])
def test_every_view_is_drawn(app, chosen):
    app.session_state["io_view"] = chosen
    app.run()
    assert not app.exception
    assert len(app.get("vega_lite_chart")) == (0 if chosen == "field" else 1)
    if chosen == "field":
        text = "\n".join(str(frame.value) for frame in app.dataframe)
        assert "3.177 GB/s" in text and "+3.0 %" in text


def test_a_deeper_buffer_lifts_the_headline_and_leaves_the_mean_value_figure(app):
    app.slider(key="io_workers").set_value(12)
    app.session_state["io_view"] = "jitter"
    app.run()
    assert "simulated" in charts(app)[0].alt
    assert "depth of 8, against 5 in the simulation" in all_text(app)
    assert shown(app)["Accelerator utilization"] == "94.1 %" and "100 % without jitter" in all_text(app)
    app.slider(key="io_prefetch_depth").set_value(8).run()
    assert shown(app)["Accelerator utilization"] == "99.9 %" and "100 % without jitter" in all_text(app)


@pytest.mark.slow
@pytest.mark.parametrize(
    "address",
    [
        {"io_workers": "0"},
        {"io_workers": "nan"},
        {"io_packing": "1e400"},
        {"io_packing": "-inf"},
        {"io_batch": "inf"},
        {"io_sample_size": "-3"},
        {"io_context": "tape"},
        {"io_compute_time": "0"},
        {"io_latency": "<script>"},
    ],
)
def test_nonsense_in_the_query_string_is_reported_and_the_default_kept(address):
    app = unlocked(PAGE, **address)
    assert not app.exception and shown(app)["Accelerator utilization"] == "11.9 %"
    assert any(next(iter(address)) in warning.value for warning in app.warning)


def test_a_scenario_in_the_query_string():
    app = unlocked(PAGE, io_workers="4", io_context="local", io_sample_size="62.5")
    assert not app.exception and shown(app)["Accelerator utilization"] == "46.5 %"
    assert app.selectbox(key="io_context").value == "local"


def test_what_mends_it_and_the_reflections_answer_are_not_sent_to_a_browser_before_they_are_due():
    app = unlocked(PAGE, {"_agent": "Mozilla/5.0", "io_view": "workers"}, answer="a")
    sent = all_text(app) + "".join(str(chart.datasets[0].data.data) for chart in charts(app))
    assert "11.9 %" in sent and "How could you fix it?" in sent
    for early in ("Reaches 80 %", "84 %", "24 samples", "8 workers\\x", "change nothing", "Packing samples"):
        assert early not in sent, early
    app.session_state["io_remedies"] = True
    app.run()
    assert "Reaches 80 %" in all_text(app)


def test_a_preset_whose_effect_is_elsewhere_opens_that_view(app):
    assert charts(app)[0].title == "Which stage is full?"
    app.button(key="io_preset_decoding").click().run()
    assert charts(app)[0].title == "Where does one sample's time go?"
    app.button(key="io_preset_jitter").click().run()
    assert charts(app)[0].title == "How deep a buffer absorbs the jitter?"


def test_the_challenge_is_judged_on_the_page(app):
    assert "Not yet: 128 GPUs of 384" in all_text(app)
    app.number_input(key="io_accelerators").set_value(384)
    app.slider(key="io_workers").set_value(2)
    app.number_input(key="io_packing").set_value(16)
    app.slider(key="io_storage_nodes").set_value(2).run()
    assert "Won: 384 GPUs" in all_text(app)
