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

#: The moment of a press that never was.
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
    """Draw a chart.

    `grabbed` is called with the x position, `tapped` with a list of marks, `dragged` with a line's
    knob and value.

    `after` is called after each of them; `gives` is what `grabbed` makes of each of
    `handle.places_of`, in words.

    Streamlit builds a chart anew when its specification or its alternative text changes. So the
    text is the title, and the sentence with the numbers is beside the chart, out of sight. A column
    `told` of the rows is filled with the moment of the last press that the server has heard of: a
    chart that follows the pointer knows by it which is newer. Of marks that can be tapped it says
    whether the server has heard them as odd.
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
            state.drop(f"{key}_told")  # a chart that is drawn anew has flipped nothing yet
        last_press = frozenset(state.get(f"{key}_told") or ())
        selected = taps.TAP
        act = partial(touched, key, figure.taps.field, tapped)
    elif grabbed is not None:
        last_press = NEVER
        if "told" in figure.rows.column_names:  # else the picture does not ask for it
            last_press = _moment(key)
        act = partial(pressed, key, grabbed)
    # The height is said twice: the browser keeps the place while it still loads what draws charts.
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
    """Return a chart's specification with its data, the same for all visitors.

    `last_press` is the moment of the last press that the server has heard of, or the marks that it
    has heard as odd; None of a chart that cannot be touched.
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
        datasets[GRAB] = _travelling(gives)
    return filled(spec, rows) | {"datasets": datasets}


def _moves(figure: Figure) -> str:
    """Return the filter of the rows whose mark a press moves; "" if there are none."""
    roles = figure.roles
    for role in ("handle", "here"):
        if role in roles:
            return f"datum.role === '{role}'"
    return ""


@lru_cache(maxsize=64)
def _travelling(gives: tuple[str, ...]) -> bytes:
    """Return the data of a handle's bands as they travel."""
    return insides.arrow_bytes(band_rows(gives))


def table(
    figure: Figure,
    prefix: str,
    label: str = "Table",
    popover: bool = False,
    called: Mapping[str, str] = MappingProxyType({}),
) -> bool:
    """Draw a chart's table in an expander with the key `<prefix>_<name>_table`.

    Return whether it is open. `called` are names of kinds of rows, see `ui.charts.tables`.
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
    act()
    if after is not None:
        after()


def _press(key: str) -> Any:
    """Return the press on a chart that the server has heard as of the last run; None if none."""
    chart = state.get(key)
    if isinstance(chart, Mapping):
        return heard(chart.get("selection"))
    return None


def _moment(key: str) -> float:
    """Return when a chart was last pressed, as far as the server has heard."""
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
