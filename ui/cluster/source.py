"""Your cluster: choose the source of the log."""

from collections.abc import Sequence

import streamlit as st
from streamlit.typing import UploadedFile

from physics.jobs.lines import MOST_BYTES
from ui.base import background, device, state
from ui.base import format as f
from ui.base.words import literal
from ui.cluster import columns, log_cache
from ui.cluster.log_cache import Log
from ui.cluster.widgets import field, row, stored_for
from ui.cluster.work import Table

#: Command that writes a log: in UTC, and without free text, which could break lines.
COMMAND = (
    "TZ=UTC sacct --allusers --allocations --duplicates --parsable2 "
    "--starttime=now-365days --endtime=now \\\n"
    "  --format=JobID,User,Account,Partition,QOS,Submit,Eligible,Start,End,"
    "ElapsedRaw,State,TimelimitRaw,AllocTRES,ReqTRES \\\n"
    "  | gzip > jobs.txt.gz"
)
#: Command that writes a node list.
NODES_COMMAND = (
    "TZ=UTC scontrol show node > nodes.txt\n"
    "TZ=UTC sacctmgr --parsable2 show event start=now-365days "
    "format=NodeName,TimeStart,TimeEnd >> nodes.txt"
)
#: Maximum length of a pasted node list [characters]; a browser's message is limited, too.
MOST_PASTED = 200_000
_LOG = "_cluster_log"
_FILE = "_cluster_sent"
_OPTIONS = "_cluster_parts"
_NODES = "_cluster_nodes"


def choose() -> Log | None:
    """Draw the choice of a log and return the log; None until there is one."""
    source = field("source")
    if source == "own":
        return _own_log()
    state.drop(_LOG)
    with st.spinner("Making the log…", show_time=True):
        log = log_cache.synthetic(str(source))
    origins = {
        "synthetic": "of a year on 1,024 GPUs, drawn from the mix of the lesson on scheduling "
        "policies. The “recorded” waits are those of EASY.",
        "kth": "of 333 days on 100 processors, drawn by what KTH’s SP2 ran in 1996. The “recorded” "
        "waits are simulated with rules that the log does not tell: see which of them are found.",
    }[str(source)]
    st.caption(f"Synthetic: {f.count(len(log), 'job')} {origins}")
    return log


def _own_log() -> Log | None:
    """Draw the upload of a log with its choices, and return the log; None until it is read."""
    _instructions()
    file = _upload()
    how = _choices(file.file_id if file is not None else "")
    if file is None:
        state.drop(_LOG)
        return None
    # The size is known before the content is read.
    if file.size > MOST_BYTES:
        st.error(
            f"The file has {f.data(file.size)}; at most {f.data(MOST_BYTES)} are taken.",
            icon=":material/block:",
        )
        return None
    key = (file.file_id, *how)
    log = stored_for(_LOG, key)
    if log is None:
        state.drop(_LOG)
        data = file.getvalue()
        session = device.session()
        log = background.obtain(
            key,
            "Reading the log",
            lambda progress: log_cache.read(data, file.name, *how, session=session),
            "cluster_reading",
        )
        if isinstance(log, Table):
            columns.store_table(file.file_id, log)
        if not isinstance(log, Log):
            columns.draw_form(file.file_id)
            return None
        state.put(_LOG, (key, log))
        options = {name: tuple(log.attrs.get(name, ())) for name in ("partitions", "gpu_types")}
        if stored_for(_OPTIONS, file.file_id) != options:
            state.put(_OPTIONS, (file.file_id, options))
            if any(len(names) > 1 for names in options.values()):
                st.rerun()  # so that `_choices` can offer them
    _summarize(log, how[0])
    columns.draw_form(file.file_id, log.attrs.get("as_read", ()))
    return log


def _instructions() -> None:
    """Draw an expander on how to get a log."""
    box = device.expander("How to get a log", "cluster_how", ":material/terminal:")
    if box:
        box.markdown(
            "On a cluster with Slurm, run this as a user who may see all users' jobs (others see "
            "only their own):"
        )
        box.code(COMMAND, language="bash", wrap_lines=True)
        box.markdown(
            "`sacct` is also read with another delimiter, as a table, and with `--json`. So are "
            "the accounting of PBS Pro, OpenPBS and Torque, logs in the Standard Workload Format "
            "(`.swf`), and any table with a column each for submission, start, end and GPUs."
        )
        box.markdown(
            "If the log must not leave your network, make the same report on the command line, "
            "without this page: `python -m physics.cluster jobs.txt.gz --what-if "
            "policy=priority,backfill=easy --out report`."
        )


def _upload() -> UploadedFile | None:
    """Draw the upload, and return the open file; None if there is none."""
    file = st.file_uploader(
        f"Log of sacct, PBS, SWF or a table, plain, gzip or zip, at most {f.data(MOST_BYTES)}",
        key="cluster_file",
        max_upload_size=20,
        on_change=state.drop,
        args=(_FILE,),
    )
    # A visit to another page empties the uploader, but the file stays open; if the visitor removes
    # the file in the uploader, `on_change` closes it.
    if file is None:
        file = state.get(_FILE)
        if file is not None:
            st.caption(f"Still open: {literal(file.name)}.")
            device.button("Remove log", "cluster_forget", _remove, icon=":material/delete:")
    else:
        state.put(_FILE, file)
    if file is None:
        st.caption(
            "The log is never stored, and it is gone when you leave. Users and accounts "
            "appear only as numbers."
        )
    return file


def _choices(file_id: str) -> tuple:
    """Draw how to read a log: jobs, classes, sizes, and nodes; return arguments for `work.read`."""
    options = stored_for(_OPTIONS, file_id) or {}
    with row():
        partition = _several("partition", options.get("partitions", ()))
        gpu_type = _one_or_all("gpu_type", options.get("gpu_types", ()))
        job_class = field("class")
        note = "How job sizes and waits are counted, and whether names are shown."
        with st.popover("More", icon=":material/tune:", help=note):
            resource = field("resource")
            submit = field("submit")
            names = field("names")
            cluster = field("cluster")
            shards = field("shards")
    how = (resource, job_class, submit, names, partition, gpu_type, _nodes(), cluster, shards)
    return (*how, *columns.chosen_columns(file_id))


def _nodes() -> tuple[bytes, ...]:
    """Draw the upload of node lists, and return those in use, also while the expander is closed."""
    files = state.read(_NODES)
    label = "Nodes: their number, and when they were down"
    box = device.expander(label, "cluster_nodes_fold", ":material/dns:")
    if box:
        with box:
            st.markdown(
                "Without this list, the size is the largest use in the log, and downtime counts as "
                "idle. The output of "
                '`sinfo -N -o "%N|%P|%c|%G|%T"` is read, too.'
            )
            st.code(NODES_COMMAND, language="bash", wrap_lines=True)
            st.file_uploader(
                "Node list (plain or gzip)",
                key="cluster_nodes",
                max_upload_size=20,
                on_change=_nodes_sent,
            )
            st.text_area("Or paste it", key="cluster_nodes_text", height=80, max_chars=MOST_PASTED)
            device.button("Use the pasted text", "cluster_nodes_use", _nodes_pasted)
            if files:
                names = " and ".join(
                    f"{literal(name)} ({f.data(len(data))})" for name, data in files.items()
                )
                st.caption(f"In use: {names}.")
                device.button(
                    "Remove", "cluster_nodes_remove", state.drop, _NODES, icon=":material/delete:"
                )
    return tuple(files.values())


def _nodes_sent() -> None:
    """Callback: use the uploaded node list, or none if it was removed."""
    file = device.uploaded("cluster_nodes")
    state.put(_NODES, {} if file is None else {file.name: file.getvalue()})


def _nodes_pasted() -> None:
    """Callback: use the pasted node list, and empty its field.

    The browser would send the text again with every change of a setting.
    """
    text = str(state.get("cluster_nodes_text", "")).strip()
    if text:
        files = dict(state.read(_NODES))
        files.pop("pasted", None)
        state.put(_NODES, {**files, "pasted": text.encode()})
        state.put("cluster_nodes_text", "")


def _several(name: str, options: Sequence[str]) -> tuple[str, ...]:
    """Draw a choice of several options and return the chosen ones; none for all of them.

    Nothing is drawn if there are fewer than two options.
    """
    if len(options) < 2:
        return ()
    key = f"cluster_{name}"
    chosen = state.get(key)
    if isinstance(chosen, list) and not set(chosen) <= set(options):
        state.put(key, [option for option in chosen if option in options])
    return tuple(field(name, options=options))


def _one_or_all(name: str, options: Sequence[str]) -> str:
    """Draw a choice of one option, or "" for all; nothing if there are fewer than two options."""
    if len(options) < 2:
        return ""
    if state.get(f"cluster_{name}") not in options:
        state.drop(f"cluster_{name}")
    return field(name, options={"": "all"} | {option: option for option in options})


def _remove() -> None:
    """Callback: close the open file."""
    background.stop()
    state.drop(_FILE)
    state.drop(_LOG)


def _summarize(log: Log, resource: str) -> None:
    """Draw what was read and left out; if hardly a job has GPUs, offer to count CPUs instead."""
    left_out = log.attrs.get("left_out", {})
    selection = log.attrs.get("part", "")
    skipped = ", ".join(
        f"{f.count(number, 'record')} ({reason})" for reason, number in left_out.items()
    )
    sentences = [
        f"{f.count(len(log), 'job')} read{' of ' * bool(selection)}{literal(selection)}; sizes "
        f"are {log.attrs['unit']}s."
    ]
    if skipped:
        sentences.append(f"Left out: {skipped}.")
    st.caption(" ".join([*sentences, *map(literal, log.attrs.get("remarks", ()))]))
    shards = left_out.get("shards", 0)
    if shards:
        st.warning(
            f"{f.count(shards, 'job')} on shards of GPUs {'is' if shards == 1 else 'are'} left "
            "out, because the log does not say how many shards a GPU has. Give that number under "
            "More; it is in gres.conf.",
            icon=":material/memory:",
        )
    if resource != "cpu" and left_out.get("no GPUs", 0) > len(log):
        st.warning(
            f"Only {f.count(len(log), 'job')} of {f.significant(len(log) + left_out['no GPUs'])} "
            f"{'has' if len(log) == 1 else 'have'} GPUs. Count CPUs instead?",
            icon=":material/memory:",
        )
        device.button("Count CPUs", "cluster_cpus", state.put, "cluster_resource", "cpu")
