"""DRF story: the editable table of jobs, kept while its visitor wanders about, and part of every shared link."""

from collections.abc import Mapping
from functools import lru_cache

import pandas as pd
import streamlit as st

from lessons.drf_story.jobs import COLUMNS, MOST_AMOUNT, NAME_LENGTH, WEIGHTS, Job, parse, read, story, write
from ui.base import state
from ui.base.words import fill
from ui.knobs.widgets import Knobs

EDITOR = "drf_jobs"
HELD = "drf_table"  #: the table as text: what a preset sets, and what the editor leaves
BASE, DRAWN, EDITION = "_drf_base", "_drf_drawn", "_drf_edition"
#: Columns as they are shown: what most tables leave empty stands last.
SHOWN = ("name", "cpu", "mem", "weight", "ceiling", "start_cpu", "start_mem", *(n for n in COLUMNS if "gpu" in n))
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


def draw(knobs: Knobs) -> None:
    """Draw the table and put its text into session state, before the hand-out is drawn from it."""
    base = _base(knobs)
    frame = _frame(base, int(state.get(EDITION, 0) or 0))
    _check_edits(len(frame))
    edited = st.data_editor(
        frame,
        key=EDITOR,
        num_rows="dynamic",
        hide_index=True,
        width="stretch",
        placeholder="–",
        column_order=SHOWN,
        column_config=_columns(),
    )
    found, complaints = read(edited.to_dict("records"))
    if not found:
        complaints.append("No row holds a usable job, so the message's three jobs are shown until one does.")
    for sentence in complaints:
        st.warning(fill(sentence, {}), icon=":material/rule:")
    st.caption(
        "Up to six jobs. What a job holds counts in its share; its cap is the most new executors that it may get, "
        "blank for none. Add a row at the end, or paste from a spreadsheet."
    )
    text = write(found or story())
    state.put(HELD, text)
    state.put(DRAWN, text)


def _base(knobs: Knobs) -> tuple[Job, ...]:
    """Return the rows that the editor begins with; a new edition when the table was set elsewhere or comes back."""
    held, drawn, edited = str(state.get(HELD, "")), state.get(DRAWN), state.get(EDITOR)
    if knobs.entered or held != drawn or edited is None:
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
            "Cap", min_value=0, max_value=MOST_AMOUNT, help="Most new executors; blank for none."
        ),
    }
