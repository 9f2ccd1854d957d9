"""Your cluster: build a change from settings, and write it as on the command line."""

from collections.abc import Sequence

import streamlit as st

from physics.arguments import MANY
from physics.cluster import Calibration, parse_change
from physics.cluster.change import classes_without_quota
from physics.cluster.explain import quota_sentence
from physics.cluster.machine.changed import LISTED
from physics.cluster.spec import quoted
from physics.cluster.trust.habits import in_words
from physics.scheduling.floor import MOST_ON_NODE
from ui.cluster.widgets import capital, choice, number
from ui.cluster.work import Log

SAME = "same"
ORDERS = {
    SAME: "as it is",
    "arrival": "arrival",
    "priority": "priority",
    "fair_share": "fair share",
    "shortest": "shortest first",
}
BACKFILLS = {SAME: "as it is", "none": "none", "easy": "EASY", "conservative": "conservative"}
STOPS = {SAME: "as it is", "no": "off", "3600:600": "on"}
ESTIMATES = {
    "requested": "as in the log",
    "perfect": "perfect",
    "1.5": "1.5 × runtime",
    "3": "3 × runtime",
    "10": "10 × runtime",
}
AWAY = "away"
NOBODY = "–"
SHARERS = {SAME: "as it is", "class": "classes", "user": "users", "account": "accounts"}
FITS = {"best": "fullest with enough room", "first": "first with enough room", "worst": "emptiest"}


def knobs(log: Log, calibration: Calibration) -> str:
    """Draw the settings of a change in the sidebar, and return the change as text; "" for none."""
    units = f"{calibration.unit}s"
    same = {NOBODY: "none"} | {name: name for name in log.classes}
    first = capital(units)
    gpus = calibration.gpus
    with st.sidebar:
        st.subheader("What if", anchor=False)
        order = choice(
            "Order of the queue",
            ORDERS,
            "order",
            "By priority, classes that waited less in the log go first.",
        )
        backfill = choice(
            "Backfill",
            BACKFILLS,
            "backfill",
            "Rule for jobs that may start before the first in the queue.",
        )
        more = number(
            f"{first} more or fewer",
            -gpus + 1,
            10 * gpus,
            0,
            8,
            "more",
            f"Number of {units} added to the whole cluster, or taken away if it is negative.",
        )
        arrivals = st.slider(
            "Jobs (% of the log)",
            25,
            300,
            100,
            5,
            key="cluster_arrivals",
            persist_state="session",
            help="Below 100, some jobs are left out at random; above 100, jobs from randomly drawn weeks are added.",
        )
        reserved = number(
            f"{first} for the first class only",
            0,
            gpus,
            0,
            8,
            "reserved",
            "A slice that only the class of highest priority may use.",
        )
        with st.expander("More of the change", key="cluster_more_knobs"):
            stop = choice(
                "Preemption",
                STOPS,
                "preemption",
                "Jobs may be stopped: they write hourly checkpoints, and a restart takes ten "
                "minutes.",
            )
            estimates = choice(
                "Estimated run times",
                ESTIMATES,
                "estimates",
                "Run times that the scheduler plans with.",
            )
            shown = calibration.habits.emptied  # hours that the log shows, if it does
            hours = {SAME: "as it is", "no": "never"} | (
                {} if shown is None else {str(shown): in_words(shown)}
            )
            emptied = choice(
                "Emptied hours", hours, "emptied", "Times at which nothing runs, week by week."
            )
            moved = choice(
                "Move a class",
                same,
                "moved",
                "This class's jobs follow another class's rules, or leave the cluster.",
            )
            to = choice(
                "… to",
                same | {AWAY: "away"},
                "moved_to",
                "Class whose rules the moved jobs follow.",
            )
            capped = choice(
                "Cap a class",
                same,
                "capped",
                f"This class's jobs ask for fewer {units} and run longer.",
            )
            cap = number(
                f"… at this many {units} per job",
                1,
                gpus,
                min(8, gpus),
                1,
                "cap",
                "The work of a job stays the same, which is a best case.",
            )
            sharers = choice(
                "Fair share among",
                SHARERS,
                "share_by",
                "Who shares the machine when the order is by fair share.",
            )
            user_limit = number(
                f"Maximum {units} per user",
                0,
                MANY,
                0,
                8,
                "user_limit",
                f"A user's jobs that run hold at most so many {units} together; 0 sets no limit.",
            )
            account_limit = number(
                f"Maximum {units} per account",
                0,
                MANY,
                0,
                8,
                "account_limit",
                f"An account's jobs that run hold at most so many {units} together; 0 sets no "
                "limit.",
            )
            per_node = number(
                f"{first} per node",
                0,
                MOST_ON_NODE,
                0,
                1,
                "per_node",
                "A job runs on one node, or on whole ones if it is larger; with 0 places do not "
                "matter.",
            )
            listed = log.attrs.get("node_sizes", ())
            as_listed = len(listed) > 0 and st.toggle(
                "Nodes as listed",
                key="cluster_nodes_listed",
                persist_state="session",
                help="A job runs on one of the nodes that you gave, or on whole ones if it is larger.",
            )
            fit = choice("… and a job goes to the", FITS, "fit", "Which node a job is given.")
            speed = number(
                "Speed of all jobs",
                0.1,
                10.0,
                1.0,
                0.1,
                "speed",
                "Run times and time limits are divided by this number.",
            )
            quotas = st.text_input(
                "Quotas",
                key="cluster_quotas",
                placeholder="training:512+interactive:64",
                max_chars=500,
                persist_state="session",
                help=f"Number of {units} for each class, as on the command line; idle ones are lent to other classes.",
            )
    if NOBODY in (moved, to) or moved == to:
        move = ""
    else:
        move = f"{quoted(moved)}:{quoted(to)}"
    items = {
        "policy": order,
        "backfill": backfill,
        "preemption": stop,
        "emptied": emptied,
        "reserved": reserved,
        "quotas": quotas.replace(" ", ""),
        "gpus": f"{more:+d}" if more else 0,
        "arrivals": "" if arrivals == 100 else f"{arrivals / 100:g}",
        "estimates": "" if estimates == "requested" else estimates,
        "share_by": sharers,
        "user_limit": user_limit,
        "account_limit": account_limit,
        "gpus_per_node": 0 if as_listed else per_node,
        "nodes": LISTED if as_listed else "",
        "fit": fit if per_node or as_listed else "",
        "speed": "" if speed == 1 else f"{speed:g}",
        "move": move,
        "cap": "" if capped == NOBODY else f"{quoted(capped)}:{cap}",
    }
    return ",".join(f"{key}={value}" for key, value in items.items() if value and value != SAME)


def warning(text: str, calibration: Calibration, classes: Sequence[str]) -> str:
    """Return a warning if quotas leave out some classes; "" if there is nothing to warn about."""
    try:
        change = parse_change(text, calibration.policy, calibration.gpus)
    except ValueError:  # the run says it
        return ""
    names = classes_without_quota(change, classes)
    if not names or change.policy is None:
        return ""
    return quota_sentence(names, change.policy.borrowing)
