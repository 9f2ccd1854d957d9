"""The named settings of a lesson, in a popover above its knobs."""

from collections.abc import Mapping

import streamlit as st

from ui.base import device
from ui.base.lesson import Preset
from ui.knobs.widgets import Knobs


def offer(knobs: Knobs, presets: Mapping[str, Preset]) -> None:
    """Draw a button for each preset, by id, and a reset; what a preset leaves out is its default."""
    lesson, off = knobs.lesson, not knobs.enabled
    box, wanted = device.popover("Presets", f"{lesson}_presets", ":material/bookmark:", disabled=off)
    if not wanted:
        return
    reset = {"key": f"{lesson}_reset", "icon": ":material/restart_alt:", "args": (Preset("Reset"),)}
    with box:
        for name, preset in presets.items():
            key = f"{lesson}_preset_{name}"
            st.button(preset.words, key=key, on_click=knobs.apply, args=(preset,), width="stretch", disabled=off)
        st.button("Reset settings", on_click=knobs.apply, width="stretch", disabled=off, **reset)
