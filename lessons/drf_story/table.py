"""DRF story: the editable table of jobs, kept while its visitor wanders about, and part of every shared link."""

from collections.abc import Mapping
from functools import lru_cache

import pandas as pd
import streamlit as st

from lessons.drf_story.jobs import COLUMNS, MOST_AMOUNT, NAME_LENGTH, WEIGHTS, Job, parse, read, story, write
from lessons.drf_story.verdict import amount
from ui.base import state
from ui.base.words import fill
from ui.knobs.widgets import Knobs

EDITOR = "drf_jobs"
HELD = "drf_table"  #: the table as text: what a preset sets, and what the editor leaves
BASE, DRAWN, EDITION = "_drf_base", "_drf_drawn", "_drf_edition"
GPU_COLUMNS = ("start_gpu", "start_gpu_mem", "gpu", "gpu_mem")
LABELS = {
    "start_cpu": "Holds vCPU",
    "start_mem": "Holds GB",
    "start_gpu": "Holds GPUs",
    "start_gpu_mem": "Holds GPU GB",
    "cpu": "Executor vCPU",
    "mem": "Executor GB",
    "gpu": "Executor GPUs",
    "gpu_mem": "Executor GPU GB",
}


def jobs(knobs: Knobs) -> tuple[Job, ...]:
    """Draw the table and return its jobs; the story's own as long as none of its rows can be used."""
    with st.expander("The jobs", icon=":material/table_rows:"):
        gpus = knobs.toggle("gpus", "GPU columns", help="They also show when a job of the table uses GPUs.")
        base = _base(knobs, gpus)
        frame = _frame(base, int(state.get(EDITION, 0) or 0))
        _check_edits(len(frame))
        edited = st.data_editor(
            frame,
            key=EDITOR,
            num_rows="dynamic",
            hide_index=True,
            width="stretch",
            placeholder="–",
            disabled=not knobs.enabled,
            column_order=[name for name in COLUMNS if gpus or uses_gpus(base) or name not in GPU_COLUMNS],
            column_config=_columns(),
        )
        found, complaints = read(edited.to_dict("records"))
        if not found:
            complaints.append("No row holds a usable job: the story's three jobs are shown until one does.")
        for sentence in complaints:
            st.warning(fill(sentence, {}), icon=":material/rule:")
        st.caption(
            "Up to six jobs. What a job holds counts in its share; its ceiling is the most new executors it "
            "may get, blank for none. Add a row at the end; paste from a spreadsheet if you like."
        )
    text = write(found or story())
    state.put(HELD, text)
    state.put(DRAWN, text)
    knobs.carry("table", text, "; ".join(_in_words(job) for job in found) if text else "the message's jobs")
    return found or story()


def _in_words(job: Job) -> str:
    """One row for a reader: what an executor needs, and what is not as in most tables."""
    parts = [amount(need, r) for r, need in enumerate(job.need) if need]
    parts += [f"holds {amount(held, r)}" for r, held in enumerate(job.start) if held]
    parts += [f"weight {job.weight:g}"] if job.weight != 1 else []
    parts += [f"ceiling {job.ceiling:g}"] if job.ceiling is not None else []
    return f"{job.name}: {', '.join(parts)}"


def uses_gpus(table: tuple[Job, ...]) -> bool:
    """Say whether a job holds or needs GPUs or GPU memory."""
    return any(job.need[2] or job.need[3] or job.start[2] or job.start[3] for job in table)


def gpu_words(table: tuple[Job, ...]) -> str:
    """Say whether the pool's GPUs have an effect."""
    if uses_gpus(table):
        return "The GPU columns of the table are in use."
    return "No job of the table uses GPUs: these two have no effect at the moment."


def _base(knobs: Knobs, gpus: bool) -> tuple[Job, ...]:
    """Return the rows that the editor begins with; a new edition when somebody else has set the table."""
    held, drawn = str(state.get(HELD, "")), state.get(DRAWN)
    brought = knobs.carried("table")
    if brought is not None:
        try:
            held = write(parse(brought))
        except ValueError as refusal:
            state.notify(f"The table of jobs in the address was ignored: {refusal}.")
    layout = f"{knobs.entered}/{gpus}/{knobs.enabled}"
    if knobs.entered or held != drawn or layout != state.get("_drf_layout"):
        state.put("_drf_layout", f"False/{gpus}/{knobs.enabled}")
        edited = state.get(EDITOR)
        fresh = drawn is None and isinstance(edited, Mapping)  # a script filled in its edits before the first run
        if not fresh:
            state.drop(EDITOR)
        state.put(EDITION, int(state.get(EDITION, 0) or 0) + 1)
        state.put(BASE, held)
    try:
        return parse(str(state.get(BASE, "")))
    except ValueError:
        return story()


def _check_edits(rows: int) -> None:
    """Forget edits that do not belong to this table: they come from outside, and may be anything."""
    edits = state.get(EDITOR)
    if edits is None:
        return
    try:
        fits = all(0 <= int(row) < rows and set(cells) <= set(COLUMNS) for row, cells in edits["edited_rows"].items())
        fits &= all(isinstance(row, Mapping) and set(row) <= {*COLUMNS, "_index"} for row in edits["added_rows"])
        fits &= all(isinstance(row, int) and 0 <= row < rows for row in edits["deleted_rows"])
    except (AttributeError, KeyError, TypeError, ValueError):
        fits = False
    if not fits:
        state.drop(EDITOR)


@lru_cache(maxsize=64)
def _frame(table: tuple[Job, ...], edition: int) -> pd.DataFrame:
    """The table as the editor takes it; another edition makes the browser forget its edits. Not to be changed."""
    rows = [(job.name, *job.start, *job.need, job.weight, job.ceiling) for job in table]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame = frame.astype({name: float for name in COLUMNS if name != "name"} | {"name": str})
    frame.index.name = f"edition {edition}"
    return frame


@lru_cache(maxsize=1)
def _columns() -> dict:
    amounts = {
        name: st.column_config.NumberColumn(label, min_value=0, max_value=MOST_AMOUNT) for name, label in LABELS.items()
    }
    return {
        "name": st.column_config.TextColumn("Job", max_chars=NAME_LENGTH, help="Letters, digits and ' ( ) & + - _."),
        **amounts,
        "weight": st.column_config.NumberColumn(
            "Weight",
            min_value=WEIGHTS[0],
            max_value=WEIGHTS[1],
            default=1.0,
            help="Twice the weight is owed twice the share.",
        ),
        "ceiling": st.column_config.NumberColumn(
            "Ceiling", min_value=0, max_value=MOST_AMOUNT, help="Most new executors; blank for none."
        ),
    }
