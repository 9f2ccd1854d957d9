"""Your cluster: replay a recorded workload under one policy, and compare the waits.

An uploaded file is read as numbers, all or nothing, and is kept only in the visitor's session.
"""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from physics import constants as k
from physics.cluster.report import as_table
from physics.jobs.swf import MOST_PROCESSORS
from physics.scheduling import Policy
from ui.base import format as f
from ui.base import state, time_slices, worker_pool
from ui.base.words import literal
from ui.cluster import widgets
from ui.cluster.work import MOST_QUEUES, Log, read_trace, replay

#: Label and policy of each choice, by its id.
POLICIES = {
    "fcfs": ("FIFO", Policy()),
    "easy": ("EASY", Policy(backfill="easy")),
    "conservative": ("Conservative", Policy(backfill="conservative")),
    "fair_share": ("Fair share of queues, EASY", Policy(order="fair_share", backfill="easy")),
}
#: Label of each choice of the jobs' estimated run times, by its id.
ESTIMATES = {"requested": "as requested", "exact": "exact"}
#: Maximum number of jobs; reading them and a replay with EASY take some seconds.
MOST_JOBS = 300_000
_TRACE = "_trace/policy"
_REPLAYS = "_replays/policy"


def draw() -> None:
    """Draw the upload, the choice of machine and policy, and the replay."""
    with st.expander("Replay a log under one policy", icon=":material/history:"):
        st.markdown(
            "Upload a log in the Standard Workload Format (`.swf`, plain or packed with gzip, at "
            "most 20 MB), such as those of the Parallel Workloads Archive. It is deleted when you "
            "leave. The simulator knows no outages, node types, or local rules, so a gap to the "
            "recorded waits only measures what the simulator leaves out. (For KTH-SP2's log of "
            "1996 and 1997 on its 100 processors, the recorded mean wait is 4.25 h; EASY gives "
            "1.91 h, and FIFO 108 h. Outages, node types, and the hours at which long jobs "
            "could run explain much of the gap.)"
        )
        file = st.file_uploader("SWF file", key="policy_trace", max_upload_size=20)
        if file is None:
            state.drop(_TRACE)
            state.drop(_REPLAYS)
        # The size is known before the content is read.
        elif file.size > k.POLICY_TRACE_BYTES:
            st.error(
                f"The file has {f.data(file.size)}; the limit is {f.data(k.POLICY_TRACE_BYTES)}."
            )
        else:
            slow = f": reading it takes too long. {time_slices.given_up()}"
            trace = _once(
                _TRACE,
                file.file_id,
                1,
                "Reading the file",
                "Not accepted",
                slow,
                lambda: (read_trace, file.getvalue(), MOST_JOBS),
            )
            if isinstance(trace, str):
                st.error(trace, icon=":material/block:")
            else:
                _replay(trace)


def _choices(attrs: Mapping[str, Any]) -> tuple[int, str, str]:
    """Draw and return the choices of a replay: processors, policy, and estimates."""
    columns = st.columns(3)
    processors = columns[0].number_input(
        "Processors in the machine",
        1,
        MOST_PROCESSORS,
        attrs["size"],
        key=f"policy_trace_processors_{attrs['digest'][:8]}",
        help="Taken from the log's header or, if it has none, from the widest job.",
    )
    policy = columns[1].segmented_control(
        "Policy",
        list(POLICIES),
        default="easy",
        format_func=lambda name: POLICIES[name][0],
        required=True,
        key="policy_trace_policy",
    )
    estimates = columns[2].segmented_control(
        "Estimates",
        list(ESTIMATES),
        default="requested",
        format_func=ESTIMATES.__getitem__,
        required=True,
        key="policy_trace_estimates",
    )
    return processors, policy, estimates


def _replay(trace: Log) -> None:
    """Draw the choices of a replay, its result, and what was left out."""
    attrs = trace.attrs
    processors, policy, estimates = _choices(attrs)
    jobs = f.count(len(trace), "job")
    slow = (
        f". {time_slices.given_up()} "
        f"{'Choose EASY' if policy != 'easy' else 'Upload a part of the log'}."
    )
    table = _once(
        _REPLAYS,
        (attrs["digest"], processors, policy, estimates),
        8,
        f"Replaying {jobs}",
        "No result",
        slow,
        lambda: (replay, trace.jobs, processors, POLICIES[policy][1], estimates == "exact"),
    )
    if isinstance(table, str):
        st.warning(table, icon=":material/timer_off:")
        return
    widgets.table(as_table("replay", table))
    load = attrs["work"] / processors / attrs["span"]
    skipped = "; ".join(
        f"{f.significant(count)} with {reason}" for reason, count in attrs["left_out"].items()
    )
    queues = len(trace.classes)
    sentences = [
        f"{jobs} over {f.duration(attrs['span'])}; the offered load is about {f.share(load)}."
    ]
    if skipped:
        sentences.append(f"Left out: {skipped}.")
    if queues > MOST_QUEUES:
        sentences.append(f"The first {MOST_QUEUES} of {f.count(queues, 'queue')} are listed.")
    sentences.append(
        "Jobs wider than the machine never start: they count as missed and are left out of the "
        "means."
    )
    st.caption(" ".join(sentences))


def _once(
    key: str,
    question: Any,
    max_results: int,
    doing: str,
    failed: str,
    slow: str,
    work: Callable[[], tuple],
) -> Any:
    """Return the result of long work, or a sentence on why there is none; cached in the session.

    Parameters
    ----------
    key:
        Session key of the last `max_results` results.
    question:
        Identifies the result.
    doing, failed, slow:
        Texts: the work that is under way, the start of a sentence about a failure, and its end if
        the work takes too long.
    work:
        Returns a function and its arguments for a worker process.
    """
    results = state.read(key)
    if question not in results:
        with st.spinner(f"{doing}; changing a setting stops it…"):
            try:
                new = worker_pool.compute(*work())
            except ValueError as refusal:
                new = f"{failed}: {literal(str(refusal))}.".replace("..", ".")  # it quotes the file
            except MemoryError:
                new = f"{failed}. The server has too little memory for it."
            except time_slices.TooLong:
                new = failed + slow
        results = dict(list(results.items())[max(0, len(results) + 1 - max_results) :]) | {
            question: new
        }
        state.put(key, results)
    return results[question]
