"""What all charts have in common."""

import altair as alt

from ui.charts import Look, only, specification


def test_the_layers_of_a_chart_are_no_pictures_of_their_own_to_a_screen_reader():
    layer = alt.Chart().transform_filter(only("x")).mark_rect().encode(x="a:Q")
    spec = specification(alt.layer(layer), Look())
    assert spec["config"]["mark"]["aria"] is False and "aria" not in spec["config"]
    assert "data" not in spec and "data" not in spec["layer"][0]
