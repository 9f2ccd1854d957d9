"""Your cluster: where the log comes from."""

import streamlit as st

from physics.jobs.sacct import MOST_BYTES
from ui.base import background, device, state
from ui.base import format as f
from ui.base.words import literal
from ui.cluster import log_cache
from ui.cluster.log_cache import Log

#: Asks for no free text, so that no name or command can break a line, and for times that mean the same everywhere.
COMMAND = """TZ=UTC sacct --allusers --allocations --duplicates --parsable2 --starttime=now-365days --endtime=now \\
  --format=JobID,User,Account,Partition,QOS,Submit,Eligible,Start,End,ElapsedRaw,State,TimelimitRaw,AllocTRES,ReqTRES \\
  | gzip > jobs.txt.gz"""
SOURCES = {"synthetic": "A synthetic log", "own": "My own log"}
_LOG, _SENT = "_cluster_log", "_cluster_sent"


def choose() -> Log | None:
    """Draw the choice of a log and return it; None while there is none."""
    source = st.segmented_control(
        "Log", list(SOURCES), default="synthetic", format_func=SOURCES.get, required=True, key="cluster_source",
        persist_state="session",
    )  # fmt: skip
    if source == "own":
        return _own()
    state.drop(_LOG)
    log = log_cache.synthetic()
    st.caption(
        f"Synthetic: {f.count(len(log), 'job')} of a year, drawn from the mix of the lesson on scheduling policies, "
        "on 1,024 GPUs. Its “recorded” waits are those of EASY, simulated. So that you see what comes out of a log."
    )
    return log


def _own() -> Log | None:
    box, wanted = device.expander("How to get a log", "cluster_how", ":material/terminal:")
    if wanted:
        box.markdown(
            "On a cluster with Slurm, as somebody who may see all users' jobs (others see their own). Or take a log in "
            "the Standard Workload Format (`.swf`), such as those of the Parallel Workloads Archive."
        )
        box.code(COMMAND, language="bash", wrap_lines=True)
        box.markdown(
            "If the log must not leave your network, the same from the command line, without this page: "
            "`python -m physics.cluster jobs.txt.gz --what-if policy=priority,backfill=easy --out report`."
        )
    sent = st.file_uploader(
        f"Log of sacct or SWF, plain or gzip, at most {f.data(MOST_BYTES)}", key="cluster_file", max_upload_size=20,
        on_change=state.drop, args=(_SENT,),
    )  # fmt: skip
    # A look at another page empties the uploader, and must not lose what is under way; taking the file away does.
    if sent is None:
        sent = state.get(_SENT)
        if sent is not None:
            st.caption(f"Still open: {literal(sent.name)}.")
            st.button("Remove log", key="cluster_forget", icon=":material/delete:", on_click=_forget)
    else:
        state.put(_SENT, sent)
    st.caption(
        "The log stays in this visit: it is never stored, and gone when you leave. Users and accounts are numbered."
    )
    first, second, third, fourth = st.columns(4, vertical_alignment="bottom")
    sizes = {"auto": "GPUs if any job has one", "gpu": "GPUs", "cpu": "CPUs"}
    resource = first.selectbox(
        "Size of a job", list(sizes), format_func=sizes.get, key="cluster_resource", persist_state="session"
    )
    job_class = second.selectbox(
        "Class of a job", ["partition", "account", "user", "qos"], key="cluster_class",
        persist_state="session",
    )  # fmt: skip
    waits = {"Submit": "submission", "Eligible": "eligibility"}
    submit = third.selectbox(
        "Waits begin at", list(waits), format_func=waits.get, key="cluster_submit",
        persist_state="session",
    )  # fmt: skip
    names = fourth.toggle("Show names", key="cluster_names", persist_state="session",
                          help="Of users and accounts, instead of numbers.")  # fmt: skip
    if sent is None:
        state.drop(_LOG)
        return None
    # The size is known before the content is read.
    if sent.size > MOST_BYTES:
        st.error(f"The file has {f.data(sent.size)}; at most {f.data(MOST_BYTES)} are taken.", icon=":material/block:")
        return None
    what = (sent.file_id, resource, job_class, submit, names)
    kept = state.get(_LOG)
    if isinstance(kept, tuple) and kept[0] == what:
        log = kept[1]
    else:
        state.drop(_LOG)
        data, session = sent.getvalue(), device.session()
        log = background.obtain(
            what,
            "Reading the log",
            lambda progress: log_cache.read(data, sent.name, *what[1:], session=session),
            "cluster_reading",
        )
        if not isinstance(log, Log):
            return None
        state.put(_LOG, (what, log))
    _say(log, resource)
    return log


def _forget() -> None:
    background.stop()
    state.drop(_SENT)
    state.drop(_LOG)


def _say(log: Log, resource: str) -> None:
    """Say what was read and what was not, and offer CPUs where hardly a job has a GPU."""
    left_out = log.attrs.get("left_out", {})
    skipped = "; ".join(f"{f.significant(number)} {reason}" for reason, number in left_out.items())
    st.caption(
        f"{f.count(len(log), 'job')} read; sizes are {log.attrs['unit']}s."
        + (f" Left out: {skipped}." if skipped else "")
    )
    if resource != "cpu" and left_out.get("no GPUs", 0) > len(log):
        st.warning(
            f"Only {f.count(len(log), 'job')} of {f.significant(len(log) + left_out['no GPUs'])} "
            f"{'has' if len(log) == 1 else 'have'} GPUs. "
            "Count CPUs instead?",
            icon=":material/memory:",
        )
        st.button("Count CPUs", key="cluster_cpus", on_click=state.put, args=("cluster_resource", "cpu"))
