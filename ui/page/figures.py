"""Draw a chart from its kept specification, its numbers as words for those who do not see it, and its table."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pyarrow as pa
import streamlit as st

from ui.base import device, state
from ui.base.lesson import Figure, Level
from ui.charts import levels, taps
from ui.charts.handle import heard, selections, with_handle
from ui.charts.look import filled, titled


def draw(figure: Figure, prefix: str) -> None:
    """Draw a chart and below it, folded, its table."""
    chart(figure, prefix)
    table(figure, prefix)


def chart(
    figure: Figure,
    prefix: str,
    grabbed: Callable[[float], None] | None = None,
    tapped: Callable[[list], bool] | None = None,
    dragged: Callable[[str, float], None] | None = None,
    after: Callable[[], None] | None = None,
) -> None:
    """Draw a chart; `grabbed` gets the pressed place on the x axis, `tapped` the marks, `dragged` a line and its place.

    `after` is called after each of them.

    Streamlit builds a chart anew when its specification or its alternative text changes. So the text is the title, and
    the sentence with the numbers is beside the chart, out of sight. A column `told` of the rows is filled with the
    place of the last press that the server has heard of: a chart that follows the pointer knows by it which is newer.
    Of marks that can be tapped it says whether the server has heard them as odd.
    """
    rows = figure.rows
    spec = titled(figure.spec, figure.title)
    # The height is said twice: the browser keeps the place while it still loads what draws charts.
    height = figure.spec.get("height", "content")
    key, told, asked = f"{prefix}_{figure.name}_chart", None, {}
    if figure.levels:
        before = heard(_selected(key), levels.PRESS)
        rows = levels.with_lines(rows, figure.levels, before[1] if before else -1.0)
        asked = {"on_select": partial(pulled, key, figure.levels, dragged), "selection_mode": levels.SELECTIONS}
    if tapped is not None:
        if not taps.flipped(state.get(key), figure.taps.field):
            state.drop(_told(key))  # a chart that is drawn anew has flipped nothing yet
        asked = {"on_select": partial(touched, key, figure.taps.field, tapped), "selection_mode": (taps.TAP,)}
        spec, odd = taps.with_taps(spec, figure.taps.field), set(state.get(_told(key)) or ())
        told = [mark in odd for mark in rows[figure.taps.field].to_pylist()]
    if grabbed is not None:
        asked = {"on_select": partial(pressed, key, grabbed), "selection_mode": selections(spec)}
        spec, before = with_handle(spec, figure.lines), heard(_selected(key))
        told = [before[1] if before else -1.0] * rows.num_rows
    if told is not None and "told" in rows.column_names:
        rows = rows.set_column(rows.column_names.index("told"), "told", pa.array(told))
    if asked:
        asked |= {"key": key, "on_select": partial(_both, asked["on_select"], after)}
    st.vega_lite_chart(spec=filled(spec, rows), alt=figure.title, width="stretch", height=height, **asked)
    device.unseen(figure.alt)


def table(figure: Figure, prefix: str, label: str = "Table", popover: bool = False) -> bool:
    """Draw a chart's table, folded, with the key `<prefix>_<name>_table`, and say whether it is open."""
    key = f"{prefix}_{figure.name}_table"
    if popover:
        below = st.popover(label, icon=":material/table:", key=key, on_change="rerun")
    else:
        below = st.expander(label, key=key, on_change="rerun", type="compact")
    if below.open:
        with below:
            st.dataframe(figure.rows, hide_index=True)
    return bool(below.open)


def _both(act: Callable[[], None], after: Callable[[], None] | None) -> None:
    act()
    if after is not None:
        after()


def _selected(key: str) -> object:
    """Return what is selected in a chart as of the last run; None if that cannot be told."""
    found = state.get(key)
    return found.get("selection") if isinstance(found, Mapping) else None


def pulled(key: str, lines: Sequence[Level], dragged: Callable[[str, float], None]) -> None:
    """Hand on which line was dragged, and where to."""
    if found := heard(_selected(key), levels.PRESS):
        dragged(*levels.meant(lines, *found))


def pressed(key: str, grabbed: Callable[[float], None]) -> None:
    """Hand on the place that is held, if what the browser sent is one."""
    if found := heard(_selected(key)):
        grabbed(found[1])


def touched(key: str, field: str, tapped: Callable[[list], bool]) -> None:
    """Hand on the marks that were tapped since the last time; what waits for more is handed on again with it."""
    now = taps.flipped(state.get(key), field)
    if tapped(taps.tapped(now, state.get(_told(key)) or ())):
        state.put(_told(key), sorted(now, key=str))


def _told(key: str) -> str:
    return f"{key}_told"
