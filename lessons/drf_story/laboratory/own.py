"""DRF story: the visitor's own jobs, weights, and caps, in a table that links include."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from lessons.drf_story import log, pool
from lessons.drf_story.jobs import STORY, Job
from lessons.drf_story.laboratory.table import (
    AMOUNTS,
    COLUMNS,
    NAME_LENGTH,
    numbers,
    parse,
    read,
    write,
)
from lessons.drf_story.settings import Scenario, say
from ui.base import state
from ui.base.lesson import View
from ui.base.words import fill
from ui.knobs.widgets import Knobs

EDITOR = "drf_jobs"
HELD = "drf_table"  #: the table as text: what a preset sets, and what the editor leaves
BASE = "_drf_base"
DRAWN = "_drf_drawn"
EDITION = "_drf_edition"
#: Columns as they are shown: what most tables leave empty stands last.
SHOWN = ("name", "cpu", "mem", "gpu", "weight", "ceiling", "start_cpu", "start_mem")


def narrowed(scenario: Scenario) -> Scenario:
    """Return the scenario at its final step."""
    return replace(scenario, step=scenario.last)


def above(page) -> None:
    """Draw the table and store its text before the allocation is computed from it."""
    rows = [(job.name, *numbers(job)) for job in _base(page.knobs)]
    _check_edits(len(rows))
    frame = pd.DataFrame(rows, columns=list(COLUMNS)).astype(
        dict.fromkeys(AMOUNTS, float) | {"name": str}
    )
    frame.index.name = (
        f"edition {state.get(EDITION)}"  # another one makes the browser forget its edits
    )
    columns = {
        name: st.column_config.NumberColumn(title, min_value=low, max_value=high)
        for name, (title, low, high, _) in AMOUNTS.items()
    }
    columns["name"] = st.column_config.TextColumn("Job", max_chars=NAME_LENGTH)
    edited = st.data_editor(
        frame,
        key=EDITOR,
        num_rows="dynamic",
        hide_index=True,
        placeholder="–",
        column_order=SHOWN,
        column_config=columns,
    )
    jobs, complaints = read(edited.to_dict("records"))
    for sentence in complaints if jobs else [*complaints, say("no_rows", Scenario())]:
        st.warning(fill(sentence, {}), icon=":material/rule:")
    st.caption(say("table_help", Scenario()))
    text = write(jobs or STORY)
    state.put(HELD, text)
    state.put(DRAWN, text)


def _base(knobs: Knobs) -> tuple[Job, ...]:
    """Return the rows that the editor begins with; a new edition when the table was set elsewhere
    or comes back.
    """
    table = str(state.get(HELD, ""))
    if knobs.entered or table != state.get(DRAWN) or state.get(EDITOR) is None:
        state.drop(EDITOR)
        state.put(EDITION, int(state.get(EDITION, 0) or 0) + 1)
        state.put(BASE, table)
    return parse(str(state.get(BASE, "")))


def _check_edits(rows: int) -> None:
    """Forget edits that do not belong to this table: they come from outside, and may be
    anything.
    """
    edits = state.get(EDITOR) or {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
    try:
        fits = all(
            0 <= int(row) < rows and set(cells) <= set(COLUMNS)
            for row, cells in edits["edited_rows"].items()
        )
        fits &= all(set(dict(row)) <= {*COLUMNS, "_index"} for row in edits["added_rows"])
        fits &= all(isinstance(row, int) and 0 <= row < rows for row in edits["deleted_rows"])
    except (AttributeError, KeyError, TypeError, ValueError):
        fits = False
    if not fits:
        state.drop(EDITOR)


view = View(
    "jobs",
    figure=pool.figure,
    verdict=pool.verdict,
    below=log.below,
    above=above,
    narrowed=narrowed,
)
