"""Scheduling policy: a recorded workload replayed, its simulated waits beside those that were recorded.

What a visitor uploads is read as numbers, wholly or not at all, and is kept in that visitor's session alone.
"""

import hashlib
from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from physics import constants as k
from physics.jobs import read_swf
from physics.scheduling import Policy, class_table, simulate
from physics.swf import MOST_PROCESSORS
from ui import format as f
from ui import state
from ui.words import literal

POLICIES = {"fcfs": "FIFO", "easy": "EASY", "conservative": "Conservative", "fair_share": "Fair share of queues, EASY"}
ESTIMATES = {"requested": "as requested", "exact": "exact"}
#: Conservative backfill looks at the whole queue at each event: larger traces would take minutes.
MOST_CONSERVATIVE = 10_000
#: Jobs that a replay takes some seconds for.
MOST_JOBS = 300_000
ALL = "all jobs"


def policy_of(name: str) -> Policy:
    """One of the offered policies."""
    return {
        "fcfs": Policy(),
        "easy": Policy(backfill="easy"),
        "conservative": Policy(backfill="conservative"),
        "fair_share": Policy(order="fair_share", backfill="easy"),
    }[name]


def replay(jobs: pd.DataFrame, processors: int, policy: str, estimates: str) -> pd.DataFrame:
    """Simulate a trace: one row a queue and one for all jobs, with the recorded waits of the same jobs beside."""
    own = jobs.assign(estimate=jobs["runtime"]) if estimates == "exact" else jobs
    run = simulate(own, processors, policy_of(policy))
    table = class_table(run)
    total = class_table(type(run)(run.jobs.assign(job_class=ALL), run.capacity, run.policy, run._runs))
    both = pd.concat([total, table]) if len(table) > 1 else total
    recorded = {name: jobs.loc[jobs["job_class"] == name, "recorded_wait"] for name in table.index}
    recorded[ALL] = jobs["recorded_wait"]
    both["recorded_mean"] = [_mean(recorded[name]) for name in both.index]
    both["recorded_median"] = [float(recorded[name].median()) for name in both.index]
    both["recorded_within"] = [
        float((recorded[name].dropna() <= k.INTERACTIVE_TARGET).mean()) if recorded[name].notna().any() else np.nan
        for name in both.index
    ]
    return both


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


def draw(lesson_id: str) -> None:
    """Draw the upload, the choice of machine and policy, and the replay."""
    with st.expander("Replay a real trace", icon=":material/history:"):
        st.markdown(
            "Upload a log in the Standard Workload Format (`.swf`, plain or packed with gzip, at most 20 MB), such as "
            "those of the Parallel Workloads Archive. It stays in your visit. A simulator knows no outages, no node "
            "types and no rules of the house: the gap to the recorded waits measures what it leaves out and proves "
            "nothing. (KTH-SP2's log of 1996 and 1997 on its own 100 processors: recorded mean wait 4.25 h, EASY "
            "1.91 h, FIFO 108 h. The machine's rules on long jobs by the clock, its outages and node types explain "
            "much of it.)"
        )
        sent = st.file_uploader("SWF file", key=f"{lesson_id}_trace", max_upload_size=20)
        if sent is None:
            state.drop(f"_trace/{lesson_id}")
            state.drop(f"_replays/{lesson_id}")
            return
        # The size is known before the content is read.
        if sent.size > k.POLICY_TRACE_BYTES:
            st.error(f"The file has {f.data(sent.size)}; at most {f.data(k.POLICY_TRACE_BYTES)} are taken.")
            return
        try:
            jobs, digest = _read(lesson_id, sent.getvalue())
        except ValueError as refusal:
            # The sentence quotes the file.
            st.error(f"Not taken: {literal(str(refusal))}.".replace("..", "."), icon=":material/block:")
            return
        if len(jobs) > MOST_JOBS:
            state.drop(f"_trace/{lesson_id}")
            st.error(f"Not taken: {f.count(len(jobs), 'job')} would take minutes; at most {f.count(MOST_JOBS, 'job')}.")
            return
        _replay(lesson_id, jobs, digest)


def _read(lesson_id: str, data: bytes) -> tuple[pd.DataFrame, str]:
    """Read a trace once for as long as it stays uploaded."""
    digest = hashlib.sha256(data).hexdigest()
    held = state.get(f"_trace/{lesson_id}")
    if not isinstance(held, tuple) or held[0] != digest:
        held = (digest, read_swf(data))
        state.put(f"_trace/{lesson_id}", held)
    return held[1], digest


def _replay(lesson_id: str, jobs: pd.DataFrame, digest: str) -> None:
    header: Mapping[str, str] = jobs.attrs.get("header", {})
    left_out = jobs.attrs.get("left_out", {})
    first, second, third = st.columns(3)
    processors = first.number_input(
        "Processors of the machine",
        1,
        MOST_PROCESSORS,
        machine_size(jobs, header),
        key=f"{lesson_id}_trace_processors_{digest[:8]}",
        help="From the log's header if it says so, otherwise the widest job.",
    )
    policy = second.segmented_control(
        "Policy",
        list(POLICIES),
        default="easy",
        format_func=POLICIES.get,
        required=True,
        key=f"{lesson_id}_trace_policy",
    )
    estimates = third.segmented_control(
        "Estimates",
        list(ESTIMATES),
        default="requested",
        format_func=ESTIMATES.get,
        required=True,
        key=f"{lesson_id}_trace_estimates",
    )
    if policy == "conservative" and len(jobs) > MOST_CONSERVATIVE:
        st.info(
            f"Conservative backfill on {f.significant(len(jobs))} jobs would take minutes here; up to "
            f"{f.significant(MOST_CONSERVATIVE)} are taken. Choose EASY.",
            icon=":material/hourglass:",
        )
        return
    key = (digest, int(processors), policy, estimates)
    found = state.read(f"_replays/{lesson_id}")
    if key not in found:
        with st.spinner(f"Replaying {f.significant(len(jobs))} jobs; a knob stops it…"):
            table = replay(jobs, int(processors), str(policy), str(estimates))
        found = dict(list(found.items())[-7:]) | {key: table}
        state.put(f"_replays/{lesson_id}", found)
    table = found[key]
    st.markdown(table_words(table.head(12)))
    span = float(jobs["submit"].max() - jobs["submit"].min()) + float(jobs["runtime"].mean())
    load = float((jobs["gpus"] * jobs["runtime"]).sum()) / int(processors) / span
    skipped = "; ".join(f"{f.significant(count)} with {reason}" for reason, count in left_out.items())
    few = f" The first {min(len(table) - 1, 11)} of {len(table) - 1} queues are listed." if len(table) > 12 else ""
    st.caption(
        f"{f.count(len(jobs), 'job')} over {f.duration(span)}, offered load about {f.share(load)}."
        + (f" Left out: {skipped}." if skipped else "")
        + few
        + " Jobs wider than the machine never start: they count as missed and are left out of the means."
    )


def machine_size(jobs: pd.DataFrame, header: Mapping[str, str]) -> int:
    """Processors that the header names, or else the widest job's."""
    for name in ("MaxProcs", "MaxNodes"):
        words = header.get(name, "").split()
        if words and words[0].isdecimal() and 1 <= int(words[0]) <= MOST_PROCESSORS:
            return int(words[0])
    return int(min(MOST_PROCESSORS, jobs["gpus"].max()))


def _mean(waits: pd.Series) -> float:
    return float(waits.mean()) if waits.notna().any() else np.nan


def _time(seconds: float) -> str:
    if np.isnan(seconds):
        return "–"
    return f.duration(seconds) if seconds < k.HOUR else f"{f.significant(seconds / k.HOUR)} h"


def _share(share: float) -> str:
    return "–" if np.isnan(share) else f.share(share)
