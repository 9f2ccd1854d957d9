"""Draw a chart from its kept specification, its numbers as words for those who do not see it, and its table."""

import html

import streamlit as st

from ui.base.lesson import Figure
from ui.charts.look import filled, titled


def draw(figure: Figure, prefix: str) -> None:
    """Draw a chart, and below it, folded, its table under the key `<prefix>_<name>_table`.

    Streamlit builds a chart anew when its specification or its alternative text changes. So the text is the title, and
    the sentence with the numbers is beside the chart, out of sight.
    """
    spec = titled(figure.spec, figure.title)
    # The height is said twice: the browser keeps the place while it still loads what draws charts.
    height = figure.spec.get("height", "content")
    st.vega_lite_chart(spec=filled(spec, figure.rows), alt=figure.title, width="stretch", height=height)
    st.html(f'<p class="unseen">{html.escape(figure.alt)}</p>')
    below = st.expander("Table", key=f"{prefix}_{figure.name}_table", on_change="rerun", type="compact")
    if below.open:
        with below:
            st.dataframe(figure.rows, hide_index=True)
