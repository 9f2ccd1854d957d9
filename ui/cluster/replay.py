"""Your cluster: a recorded workload replayed under one policy, its simulated waits next to the recorded ones.

What a visitor uploads is read as numbers, wholly or not at all, and is kept in that visitor's session alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.typing import UploadedFile

from physics import constants as k
from physics.jobs.swf import MOST_PROCESSORS
from physics.replay import MOST_QUEUES, Trace, read_trace, replay
from physics.scheduling import Policy
from ui.base import format as f
from ui.base import state, time_slices, worker_pool
from ui.base.words import literal

POLICIES = {"fcfs": "FIFO", "easy": "EASY", "conservative": "Conservative", "fair_share": "Fair share of queues, EASY"}
ESTIMATES = {"requested": "as requested", "exact": "exact"}
#: Jobs that reading and a replay with EASY take some seconds for.
MOST_JOBS = 300_000
#: Of the widgets' keys: those that scripts have used since a lesson drew this.
PREFIX = "policy"
NO_MEMORY = "The server has too little memory for it"


@dataclass(frozen=True, eq=False)
class Sent:
    """A file that was sent: its content, or the reason why it was refused."""

    file: str  #: what Streamlit calls the upload
    trace: Trace | None = None
    refusal: str = ""


def policy_of(name: str) -> Policy:
    """One of the offered policies."""
    return {
        "fcfs": Policy(),
        "easy": Policy(backfill="easy"),
        "conservative": Policy(backfill="conservative"),
        "fair_share": Policy(order="fair_share", backfill="easy"),
    }[name]


def table_words(table: pd.DataFrame) -> str:
    """The scoreboard of a trace, Markdown: simulated beside recorded."""
    rows = [
        "| | Jobs | Mean wait | recorded | Median | recorded | In 5 min | recorded | P95 | Above 48 h | Never start |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, row in table.iterrows():
        cells = [
            str(name),
            f.significant(row["count"]),
            _time(row["mean_wait"]),
            _time(row["recorded_mean"]),
            _time(row["median_wait"]),
            _time(row["recorded_median"]),
            _share(row["share_within_target"]),
            _share(row["recorded_within"]),
            _time(row["p95_wait"]),
            _share(row["share_above_limit"]),
            f.significant(row["never_started"]),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def draw() -> None:
    """Draw the upload, the choice of machine and policy, and the replay."""
    with st.expander("Replay a log under one policy", icon=":material/history:"):
        st.markdown(
            "Upload a log in the Standard Workload Format (`.swf`, plain or packed with gzip, at most 20 MB), such as "
            "those of the Parallel Workloads Archive. It stays in your visit. A simulator knows no outages, no node "
            "types and no rules of the house: the gap to the recorded waits measures what it leaves out and proves "
            "nothing. (KTH-SP2's log of 1996 and 1997 on its own 100 processors: recorded mean wait 4.25 h, EASY "
            "1.91 h, FIFO 108 h. The machine's rules on long jobs by the clock, its outages and node types explain "
            "much of it.)"
        )
        sent = st.file_uploader("SWF file", key=f"{PREFIX}_trace", max_upload_size=20)
        if sent is None:
            state.drop(f"_trace/{PREFIX}")
            state.drop(f"_replays/{PREFIX}")
            return
        # The size is known before the content is read.
        if sent.size > k.POLICY_TRACE_BYTES:
            st.error(f"The file has {f.data(sent.size)}; at most {f.data(k.POLICY_TRACE_BYTES)} are taken.")
            return
        held = _read(sent)
        if held.trace is None:
            st.error(held.refusal, icon=":material/block:")
        else:
            _replay(held.trace)


def _read(sent: UploadedFile) -> Sent:
    """Read a file once for as long as it stays uploaded, whether it is taken or refused."""
    held = state.get(f"_trace/{PREFIX}")
    if isinstance(held, Sent) and held.file == sent.file_id:
        return held
    state.drop(f"_trace/{PREFIX}")
    with st.spinner("Reading the file; changing a setting stops it…"):
        held = _taken(sent.file_id, sent.getvalue())
    state.put(f"_trace/{PREFIX}", held)
    return held


def _taken(file: str, data: bytes) -> Sent:
    """Read a file, or say why it is not taken."""
    try:
        return Sent(file, worker_pool.compute(read_trace, data, MOST_JOBS))
    except ValueError as refusal:
        # The sentence quotes the file.
        return Sent(file, refusal=f"Not taken: {literal(str(refusal))}.".replace("..", "."))
    except MemoryError:
        return Sent(file, refusal=f"Not taken. {NO_MEMORY}.")
    except time_slices.TooLong:
        return Sent(file, refusal=f"Not taken: reading it takes too long. {time_slices.given_up()}")


def _replay(trace: Trace) -> None:
    digest = trace.digest
    first, second, third = st.columns(3)
    processors = first.number_input(
        "Processors of the machine",
        1,
        MOST_PROCESSORS,
        machine_size(trace.widest, trace.header),
        key=f"{PREFIX}_trace_processors_{digest[:8]}",
        help="From the log's header if it says so, otherwise the widest job.",
    )
    policy = second.segmented_control(
        "Policy",
        list(POLICIES),
        default="easy",
        format_func=POLICIES.get,
        required=True,
        key=f"{PREFIX}_trace_policy",
    )
    estimates = third.segmented_control(
        "Estimates",
        list(ESTIMATES),
        default="requested",
        format_func=ESTIMATES.get,
        required=True,
        key=f"{PREFIX}_trace_estimates",
    )
    key = (digest, int(processors), policy, estimates)
    found = state.read(f"_replays/{PREFIX}")
    if key not in found:
        with st.spinner(f"Replaying {f.count(trace.count, 'job')}; changing a setting stops it…"):
            table = _replayed(trace, int(processors), str(policy), str(estimates))
        found = dict(list(found.items())[-7:]) | {key: table}
        state.put(f"_replays/{PREFIX}", found)
    table = found[key]
    if isinstance(table, str):
        st.warning(table, icon=":material/timer_off:")
        return
    st.markdown(table_words(table))
    load = trace.work / int(processors) / trace.span
    skipped = "; ".join(f"{f.significant(count)} with {reason}" for reason, count in trace.left_out.items())
    listed = f" The first {MOST_QUEUES} of {f.count(trace.queues, 'queue')} are listed."
    few = listed if trace.queues > MOST_QUEUES else ""
    st.caption(
        f"{f.count(trace.count, 'job')} over {f.duration(trace.span)}, offered load about {f.share(load)}."
        + (f" Left out: {skipped}." if skipped else "")
        + few
        + " Jobs wider than the machine never start: they count as missed and are left out of the means."
    )


def _replayed(trace: Trace, processors: int, policy: str, estimates: str) -> pd.DataFrame | str:
    """The table of a replay, or one sentence why there is none."""
    try:
        return worker_pool.compute(replay, trace.jobs, processors, policy_of(policy), estimates == "exact")
    except time_slices.TooLong:
        other = "Choose EASY" if policy != "easy" else "Send a part of the log"
        return f"No result. {time_slices.given_up()} {other}."
    except MemoryError:
        return f"No result. {NO_MEMORY}."
    except ValueError as refusal:
        return f"No result: {literal(str(refusal))}."


def machine_size(widest: int, header: Mapping[str, str]) -> int:
    """Processors that the header names, or else the widest job's."""
    for name in ("MaxProcs", "MaxNodes"):
        words = header.get(name, "").split()
        if words and words[0].isdecimal() and 1 <= int(words[0]) <= MOST_PROCESSORS:
            return int(words[0])
    return int(min(MOST_PROCESSORS, widest))


def _time(seconds: float) -> str:
    if np.isnan(seconds):
        return "–"
    return f.duration(seconds) if seconds < k.HOUR else f"{f.significant(seconds / k.HOUR)} h"


def _share(share: float) -> str:
    return "–" if np.isnan(share) else f.share(share)
