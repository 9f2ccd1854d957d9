"""Your cluster: where the GPU hours go, from the visitor's estimate of utilization."""

import streamlit as st

from physics.cluster.trust.computing import what_computes
from ui.base import device, state
from ui.base.words import literal
from ui.cluster import widgets
from ui.cluster.log_cache import Study


def draw(study: Study) -> None:
    """Draw the fields for the utilization and, once they are filled in, the result."""
    unit = study.happened.unit
    label = "Where do the hours go? Occupied, computing, waiting for data"
    box = device.expander(label, "cluster_hours", ":material/hourglass_bottom:")
    if not box:
        return
    with box:
        row = widgets.row()
        stated = widgets.field("utilization", row, unit)
        reached = widgets.field("reached", row)
        if not stated:
            st.caption(
                f"A log tells which {unit}s are occupied, but not which ones compute. Enter the "
                "utilization to see what share computes, and how a higher one changes the wait."
            )
            return
        answer = what_computes(study.happened, study.calibration, stated / 100, reached / 100)
        st.markdown("\n".join(f"- {literal(sentence)}" for sentence in answer.sentences))
        speed = round(min(10.0, max(0.1, answer.speed)), 1)
        st.caption("The formula treats all jobs as average jobs. A replay uses the actual jobs.")
        device.button(
            f"Set speed to {speed:g} for a replay",
            "cluster_set_speed",
            state.put,
            "cluster_speed",
            speed,
            icon=":material/speed:",
        )
        if state.get("cluster_speed") == speed and speed != 1.0:
            st.caption("The speed is set under “What if”: try this change there.")
