"""Projector mode: larger type, fewer page elements, and keys for a lecturer's next step.

It changes styles, never numbers. `?present=1` in the query string turns it on for the visit, and
`?present=0` turns it off.
"""

from collections.abc import Mapping

import streamlit as st

from physics.texts import text_beside
from ui.base import state
from ui.base.device import button
from ui.base.device import on_projector as on
from ui.base.lesson import Preset
from ui.knobs.widgets import Knobs

#: Additional style in projector mode, and for the stage screen of a class with two screens.
STYLE, STAGE = (
    f"<style>{text_beside(__file__, name)}</style>" for name in ("projector.css", "stage.css")
)
#: Component that returns the keyboard to the page after a slider was dragged.
_KEYBOARD = st.components.v2.component(
    "fleet_what_if_lets_go",
    html='<div class="keys"></div>',
    js=text_beside(__file__, "projector.js"),
)


def let_go() -> None:
    """Move the focus away from a dragged slider, so that a lecturer's keys keep working."""
    if on():
        _KEYBOARD(key="projector_keys", height="content")


def switch() -> None:
    """Draw the button that switches projector mode on or off.

    It is no link, because Streamlit marks a link to the open page as the current page.
    """
    label = "End projector mode" if on() else "Start projector mode"
    button(label, "projector_mode", _turn, icon=":material/present_to_all:", width="stretch")


def controls(knobs: Knobs, steps: Mapping[str, Preset]) -> None:
    """Draw the lecturer's button for the next preset in the order of the story; its key is N.

    The other keys are P, which pins a result, and V, which skips the prediction.
    """
    if not steps:
        return
    position = int(state.get(f"_{knobs.lesson}_step", 0) or 0) + 1
    position %= len(steps)
    preset = list(steps.values())[position]
    button(
        f"Next: {preset.words}",
        f"{knobs.lesson}_next",
        _step,
        knobs,
        preset,
        position,
        icon=":material/skip_next:",
        shortcut="n",
    )


def _turn() -> None:
    """Callback: switch projector mode on or off."""
    st.query_params["present"] = "0" if on() else "1"


def _step(knobs: Knobs, preset: Preset, position: int) -> None:
    """Callback: apply the preset at a position."""
    knobs.apply(preset)
    state.put(f"_{knobs.lesson}_step", position)
