"""Draw a chart from its cached specification, with its description and its table."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import streamlit as st

from ui.base import device, state
from ui.base.lesson import Figure, Level
from ui.charts import levels, tables, taps
from ui.charts.frames import screen_of
from ui.charts.handle import GRAB, HELD, band_rows, heard, with_handle
from ui.charts.labels import placed
from ui.charts.look import filled, titled
from ui.server import insides

#: Stands for the moment of the last press on a chart that nobody has pressed [ms].
NEVER = -1.0


def chart(
    figure: Figure,
    prefix: str,
    grabbed: Callable | None = None,
    tapped: Callable | None = None,
    dragged: Callable | None = None,
    after: Callable | None = None,
    gives: tuple[str, ...] = (),
) -> None:
    """Draw a chart that calls back when the visitor presses its handle, marks, or lines.

    `grabbed` is called with the x position of a press, `tapped` with a list of marks, `dragged`
    with a line's knob and value, and `after` after each of them. `gives` has the text that a
    handle shows at each of `handle.places_of`.

    Streamlit builds a chart anew when its specification or its alternative text changes. So the
    alternative text is the title, and the sentence with the numbers follows the chart, out of
    sight.

    A chart may draw a press in the browser before the server knows of it. Its rows then have a
    column `told`, which is filled with the moment of the last press that the server knows: the
    chart follows whichever press is newer. For marks that can be tapped, `told` says whether the
    server knows of an odd number of taps.
    """
    key = f"{prefix}_{figure.name}_chart"
    last_press: float | frozenset | None = None
    act: Callable | None = None
    selected = HELD
    if figure.levels and dragged is not None:
        last_press = _moment(key)
        act = partial(pulled, key, figure.levels, dragged)
    elif figure.taps is not None and tapped is not None:
        if not taps.flipped(state.get(key), figure.taps.field):
            state.drop(f"{key}_told")  # no mark of a chart that is drawn anew is flipped
        last_press = frozenset(state.get(f"{key}_told") or ())
        selected = taps.TAP
        act = partial(touched, key, figure.taps.field, tapped)
    elif grabbed is not None:
        last_press = NEVER
        if "told" in figure.rows.column_names:
            last_press = _moment(key)
        act = partial(pressed, key, grabbed)
    # The height is in the specification, too; here it keeps the page from moving while the browser
    # loads the code that draws charts.
    options = {"width": "stretch", "height": figure.spec.get("height", "content")}
    if act:
        on_select = partial(_both, act, after)
        options |= {"key": key, "on_select": on_select, "selection_mode": (selected,)}
    labeled = placed(figure, screen_of(figure.spec, device.on_phone()))
    st.vega_lite_chart(spec=dict(sent(labeled, last_press, gives)), alt=figure.title, **options)
    device.unseen(figure.alt)


@lru_cache(maxsize=128)
def sent(
    figure: Figure, last_press: float | frozenset | None, gives: tuple[str, ...] = ()
) -> Mapping:
    """Return a chart's specification with its data, made once for all visitors.

    `last_press` is the moment of the last press that the server knows, or the marks that it knows
    as flipped; None for a chart that cannot be touched.
    """
    rows = figure.rows
    spec = titled(figure.spec, figure.title)
    follows = "told" in rows.column_names
    column: list[Any] | None = None
    if figure.levels:
        moment = last_press if isinstance(last_press, float) else NEVER
        rows = levels.with_lines(rows, figure.levels, moment)
    elif figure.taps is not None and isinstance(last_press, frozenset):
        spec = taps.with_taps(spec, figure.taps.field)
        column = [mark in last_press for mark in rows[figure.taps.field].to_pylist()]
    elif last_press is not None:
        spec = with_handle(spec, figure.lines, _moves(figure), follows)
        column = [last_press] * rows.num_rows
    if column is not None and follows:
        rows = rows.set_column(rows.column_names.index("told"), "told", pa.array(column))
    datasets = {"rows": insides.arrow_bytes(rows)}
    if gives:
        datasets[GRAB] = _bands(gives)
    return filled(spec, rows) | {"datasets": datasets}


def _moves(figure: Figure) -> str:
    """Return the filter of the rows whose mark a press moves; "" if there are none."""
    for role in ("handle", "here"):
        if role in figure.roles:
            return f"datum.role === '{role}'"
    return ""


@lru_cache(maxsize=64)
def _bands(gives: tuple[str, ...]) -> bytes:
    """Return the rows of a handle's bands in the format in which they are sent."""
    return insides.arrow_bytes(band_rows(gives))


def table(
    figure: Figure,
    prefix: str,
    label: str = "Table",
    popover: bool = False,
    called: Mapping[str, str] = MappingProxyType({}),
) -> bool:
    """Draw a chart's table in an expander or popover, and return whether it is open.

    Its key is `<prefix>_<name of the chart>_table`. `called` names kinds of rows, see
    `ui.charts.tables`.
    """
    draw: Callable = st.expander
    style = {"type": "compact"}
    if popover:
        draw = st.popover
        style = {"icon": ":material/table:"}
    below = draw(label, key=f"{prefix}_{figure.name}_table", on_change="rerun", **style)
    if below.open:
        with below:
            data = tables.table(figure, called)
            percent = st.column_config.NumberColumn(format="percent")
            shares = {name: percent for name in tables.percents(figure) if name in data}
            st.dataframe(data, hide_index=True, column_config=shares)
    return bool(below.open)


def _both(act: Callable, after: Callable | None) -> None:
    """Callback: respond to a press, and call `after`."""
    act()
    if after is not None:
        after()


def _press(key: str) -> Any:
    """Return the last press on a chart that the browser has sent; None if there is none."""
    chart = state.get(key)
    if isinstance(chart, Mapping):
        return heard(chart.get("selection"))
    return None


def _moment(key: str) -> float:
    """Return the moment of the last press on a chart that the browser has sent."""
    press = _press(key)
    if press:
        return float(press.when)
    return NEVER


def pulled(key: str, lines: Sequence[Level], dragged: Callable) -> None:
    """Callback: pass the dragged line and its new value to `dragged`."""
    press = _press(key)
    if press:
        dragged(*levels.meant(lines, press))


def pressed(key: str, grabbed: Callable) -> None:
    """Callback: pass the pressed position to `grabbed` if the browser's data is valid."""
    press = _press(key)
    if press:
        grabbed(press.at)


def touched(key: str, field: str, tapped: Callable) -> None:
    """Callback: pass the clicked marks that `tapped` has not used yet to `tapped`."""
    marks = taps.flipped(state.get(key), field)
    if tapped(taps.tapped(marks, state.get(f"{key}_told") or ())):
        state.put(f"{key}_told", sorted(marks, key=str))
