"""Your cluster: build a change from settings, and write it as on the command line."""

import re
from collections.abc import Sequence
from functools import partial

import streamlit as st

from physics.arguments import MANY
from physics.cluster import Calibration, parse_change
from physics.cluster.change import quota_warning
from physics.cluster.machine.changed import LISTED
from physics.cluster.spec import quoted
from physics.cluster.trust.habits import in_words
from physics.scheduling.floor import MOST_ON_NODE
from ui.cluster import widgets
from ui.cluster.work import Log

#: Choices of the fields: as in the log; a class that is moved away; no class.
SAME = "same"
AWAY = "away"
NOBODY = "–"


def knobs(log: Log, calibration: Calibration) -> str:
    """Draw the settings of a change in the sidebar, and return the change as text; "" for none."""
    field = partial(widgets.field, unit=calibration.unit)
    classes = {NOBODY: "none"} | {name: name for name in log.classes}
    gpus = calibration.gpus
    with st.sidebar:
        st.subheader("What if", anchor=False)
        order = field("order")
        backfill = field("backfill")
        more = field("more", range=[-gpus + 1, 10 * gpus, 0, 8])
        arrivals = field("arrivals")
        reserved = field("reserved", range=[0, gpus, 0, 8])
        with st.expander("More settings for the change", key="cluster_more_knobs"):
            stop = field("preemption")
            estimates = field("estimates")
            hours = {SAME: "as it is", "no": "never"}
            emptied_in_log = calibration.habits.emptied
            if emptied_in_log is not None:
                hours[str(emptied_in_log)] = in_words(emptied_in_log)
            emptied = field("emptied", options=hours)
            moved = field("moved", options=classes)
            to = field("moved_to", options=classes | {AWAY: "away"})
            capped = field("capped", options=classes)
            cap = field("cap", range=[1, gpus, min(8, gpus), 1])
            sharers = field("share_by")
            user_limit = field("user_limit", range=[0, MANY, 0, 8])
            account_limit = field("account_limit", range=[0, MANY, 0, 8])
            per_node = field("per_node", range=[0, MOST_ON_NODE, 0, 1])
            is_listed = bool(log.attrs.get("node_sizes", ())) and field("nodes_listed")
            fit = field("fit")
            speed = field("speed")
            quotas = field("quotas")
    move = ""
    if NOBODY not in (moved, to) and moved != to:
        move = f"{quoted(moved)}:{quoted(to)}"
    items = {
        "policy": order,
        "backfill": backfill,
        "preemption": stop,
        "emptied": emptied,
        "reserved": reserved,
        "quotas": tight(quotas),
        "gpus": f"{more:+d}" if more else 0,
        "arrivals": "" if arrivals == 100 else f"{arrivals / 100:g}",
        "estimates": "" if estimates == "requested" else estimates,
        "share_by": sharers,
        "user_limit": user_limit,
        "account_limit": account_limit,
        "gpus_per_node": 0 if is_listed else per_node,
        "nodes": LISTED if is_listed else "",
        "fit": fit if per_node or is_listed else "",
        "speed": "" if speed == 1 else f"{speed:g}",
        "move": move,
        "cap": "" if capped == NOBODY else f"{quoted(capped)}:{cap}",
    }
    return ",".join(f"{key}={value}" for key, value in items.items() if value and value != SAME)


def tight(quotas: str) -> str:
    """Return quotas without spaces around their signs; a class's name may hold spaces.

    >>> tight(" user 1: 8 + user 2: 4")
    'user 1:8+user 2:4'
    """
    return re.sub(r"\s*([:+])\s*", r"\1", quotas.strip())


def warning(text: str, calibration: Calibration, classes: Sequence[str]) -> str:
    """Return a warning if quotas leave out some classes; "" if there is nothing to warn about."""
    try:
        change = parse_change(text, calibration.policy, calibration.gpus)
    except ValueError:  # shown when the change is tried
        return ""
    return quota_warning(change, classes)
