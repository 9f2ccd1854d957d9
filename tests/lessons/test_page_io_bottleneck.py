"""The I/O lesson driven as a script does: lock, settings, presets, parts, links from before."""

import pytest
from driving import all_text, charts, metrics, unlocked, visit

from lessons.io_bottleneck import LESSON

PAGE = "io_bottleneck"


def test_from_the_prediction_to_the_reflection():
    app = visit(PAGE)
    assert "10.2 GB/s" in all_text(app) and "11.9" not in all_text(app) and not app.metric
    app.radio(key="io_prediction").set_value("a").run()
    app.button(key="io_lock").click().run()
    assert not app.exception and metrics(app) == {
        "Accelerator utilization": "11.9 %",
        "Step time": "420 ms",
        "Data read": "1.22 GB/s",
        "Storage load": "0.18 %",
    }
    assert charts(app)[0].title == "How is one batch read?"
    app.button(key="io_test").click().run()
    assert "with 48 storage nodes instead of 24, the GPUs stay 11.9 % busy" in all_text(app)
    assert charts(app)[0].title == "Which stage is full?"
    app.slider(key="io_workers").set_value(8).run()
    app.radio(key="io_reflection").set_value("b").run()
    app.button(key="io_reflection_lock").click().run()
    record = app.session_state["ledger"]["io"]
    assert record["prediction"] == "a" and record["right"] is False and record["reflection_right"] is True
    assert record["settings"]["workers"] == 8 and record["results"]["Accelerator utilization"] == "95.2 %"


@pytest.mark.parametrize(("preset", "title"), [("decoding", "How is one batch read?"), ("epoch", "What does a cache")])
def test_a_preset_whose_effect_is_elsewhere_opens_that_part(preset, title):
    app = unlocked(PAGE)
    app.button(key=f"io_preset_{preset}").click().run()
    assert not app.exception and charts(app)[0].title.startswith(title)
    assert app.session_state["io_view"] == LESSON.presets[preset].view


def test_the_published_figures_are_two_tables():
    app = unlocked(PAGE, {"io_view": "field"})
    text = "\n".join(str(frame.value) for frame in app.dataframe)
    assert not app.exception and "3.177 GB/s" in text and "+3.0 %" in text and not charts(app)


@pytest.mark.parametrize("link", [{"io_view": "timeline"}, {"io_batch": "8"}, {"io_context": "local"}])
def test_a_link_from_before_opens_the_lesson(link):
    app = unlocked(PAGE, **link)
    assert not app.exception and metrics(app)["Accelerator utilization"] == "11.9 %"


@pytest.mark.parametrize("link", [{"io_workers": "0"}, {"io_packing": "1e400"}, {"io_latency": "<script>"}])
def test_nonsense_in_the_address_is_reported_and_the_default_kept(link):
    app = unlocked(PAGE, **link)
    assert not app.exception and metrics(app)["Accelerator utilization"] == "11.9 %"
    assert any(next(iter(link)) in warning.value for warning in app.warning)
