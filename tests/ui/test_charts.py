"""What all charts have in common."""

import json
import math
import tomllib

import altair as alt
import numpy as np
import pytest
from contrast import contrast
from driving import ROOT

from ui.charts import marks
from ui.charts.layers import only
from ui.charts.look import Look, filled, specification, stack, titled


def test_the_layers_of_a_chart_are_no_pictures_of_their_own_to_a_screen_reader():
    layer = alt.Chart().transform_filter(only("x")).mark_rect().encode(x="a:Q")
    spec = specification(alt.layer(layer), Look())
    assert spec["config"]["mark"]["aria"] is False and "aria" not in spec["config"]
    assert "data" not in spec and "data" not in spec["layer"][0]


@pytest.mark.parametrize("dark", [False, True])
def test_every_color_that_a_chart_writes_in_is_readable_on_the_page(dark):
    assert (
        contrast("#000000", "#ffffff") == pytest.approx(21) and contrast("#777777", "#ffffff") < 4.5
    )
    look = Look(dark=dark)
    for color in (look.ink, look.quiet, look.accent, look.bad, look.good, *look.series):
        assert contrast(color, look.paper) >= 4.5, color


def test_charts_and_configuration_agree_on_the_colors():
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))[
        "theme"
    ]
    for name, look in (("light", Look()), ("dark", Look(dark=True))):
        assert tuple(theme[name]["chartCategoricalColors"]) == look.series
        assert (
            theme[name]["backgroundColor"] == look.paper
            and theme[name]["primaryColor"] == look.accent
        )


def test_labels_have_a_rim_in_the_page_s_color_that_the_style_sheet_shows_below_them():
    base = alt.Chart().encode(x="x:Q", y="y:Q")
    both = alt.layer(marks.labels(base, Look()), marks.labels(base, Look(), halo=False))
    mark, plain = (layer["mark"] for layer in specification(both, Look())["layer"])
    assert mark["stroke"] == Look().paper and "stroke" not in plain
    assert mark["strokeOpacity"] == 0, "a saved picture is drawn without the style sheet"
    rule = 'text[stroke-opacity="0"] { paint-order: stroke; stroke-opacity: 1; }'
    assert rule in (ROOT / "ui/page/style.css").read_text()


def test_an_axis_has_a_name_no_longer_than_itself_and_a_title_fits_its_chart():
    name = "randomness (1 − rank correlation)"
    title = "Does the queue settle, or does it grow? " * 3
    plot = alt.layer(alt.Chart().mark_line().encode(x="x:Q", y=alt.Y("y:Q", title=name)))
    for look, most, wide in ((Look(), 30, 120), (Look(present=True), 18, 85)):
        spec = specification(plot, look)
        lines = spec["layer"][0]["encoding"]["y"]["title"]
        assert " ".join(lines) == name and max(map(len, lines)) <= most
        rows = json.loads(titled(spec, title.strip())["title"]["text"]["expr"].rpartition(" : ")[2])
        assert " ".join(rows) == title.strip() and max(map(len, rows)) <= wide


def test_stacked_parts_share_one_frame_and_what_a_part_lacks_is_missing():
    parts = [
        {"kind": "a", "x": np.array([1.0, 2.0])},
        {"kind": "b", "label": "here"},
        {"kind": "none", "x": []},
    ]
    found = stack([*parts, {"kind": "c", "x": math.nan}]).to_pydict()
    assert found["kind"] == ["a", "a", "b", "c"]
    assert found["x"] == [1.0, 2.0, None, None]
    assert found["label"] == [None, None, "here", None]
    with pytest.raises(ValueError, match="equally long"):
        stack([{"x": [1, 2], "y": [1, 2, 3]}])


def test_a_filled_chart_holds_its_frame_and_leaves_out_layers_without_a_row():
    base = alt.Chart().encode(x=alt.X("x:Q", title="the axis"), y="y:Q")
    layers = [base.transform_filter(only(kind)) for kind in ("a", "b", "c")]
    spec = specification(
        alt.layer(layers[0].mark_point(), layers[1].mark_bar(), layers[2].mark_rule()), Look()
    )
    rows = stack([{"kind": ["a", "c"], "x": [1.0, 2.0], "y": [2.0, 3.0]}])
    found = filled(spec, rows)
    assert found["datasets"][found["data"]["name"]] is rows
    assert [layer["mark"]["type"] for layer in found["layer"]] == ["point", "rule"]
    assert len(spec["layer"]) == 3 and "data" not in spec
    assert filled(spec, rows.drop_columns("kind"))["layer"] == spec["layer"]


def test_a_chart_whose_axes_are_fixed_keeps_its_layers_so_that_the_browser_only_takes_new_rows():
    fixed = {axis: alt.Scale(domain=[0, 1]) for axis in ("x", "y")}
    base = alt.Chart().encode(x=alt.X("x:Q", scale=fixed["x"]), y=alt.Y("y:Q", scale=fixed["y"]))
    points = base.transform_filter(only("a")).mark_point()
    bars = base.transform_filter(only("b")).mark_bar()
    rows = stack([{"kind": "a", "x": 0.1, "y": 0.2}])
    spec = specification(alt.layer(points, bars), Look())
    assert filled(spec, rows)["layer"] == spec["layer"]
    free = specification(alt.layer(*(one.encode(size="size:Q") for one in (points, bars))), Look())
    assert len(filled(free, rows)["layer"]) == 1, "a size whose domain is asked of no row"
