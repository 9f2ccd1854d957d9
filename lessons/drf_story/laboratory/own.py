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

# Keys of the session state.
EDITOR = "drf_jobs"  #: the editor's widget
TABLE = "drf_table"  #: the table as text, set by a preset or by the editor
BASE = "_drf_base"  #: the table as text before the editor's edits
DRAWN = "_drf_drawn"  #: the table as text when the page was last drawn
EDITION = "_drf_edition"  #: how often the editor has begun with a new table
#: Columns in the order of the editor; those that most tables leave empty come last.
COLUMN_ORDER = ("name", "cpu", "mem", "gpu", "weight", "ceiling", "start_cpu", "start_mem")


def narrowed(scenario: Scenario) -> Scenario:
    """Return the scenario at its final step."""
    return replace(scenario, step=scenario.last)


def above(page) -> None:
    """Draw the table and store its text before the allocation is computed from it."""
    rows = [(job.name, *numbers(job)) for job in _base(page.knobs)]
    _check_edits(len(rows))
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame = frame.astype(dict.fromkeys(AMOUNTS, float) | {"name": str})
    # A new name of the index makes the browser forget its edits.
    frame.index.name = f"edition {state.get(EDITION)}"
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
        column_order=COLUMN_ORDER,
        column_config=columns,
    )
    jobs, complaints = read(edited.to_dict("records"))
    for sentence in complaints if jobs else [*complaints, say("no_rows", Scenario())]:
        st.warning(fill(sentence, {}), icon=":material/rule:")
    st.caption(say("table_help", Scenario()))
    text = write(jobs or STORY)
    state.put(TABLE, text)
    state.put(DRAWN, text)


def _base(knobs: Knobs) -> tuple[Job, ...]:
    """Return the jobs that the editor begins with.

    A new edition begins when the table was set elsewhere, or when the editor is drawn again.
    """
    table = str(state.get(TABLE, ""))
    if knobs.entered or table != state.get(DRAWN) or state.get(EDITOR) is None:
        state.drop(EDITOR)
        state.put(EDITION, int(state.get(EDITION, 0) or 0) + 1)
        state.put(BASE, table)
    return parse(str(state.get(BASE, "")))


def _check_edits(rows: int) -> None:
    """Forget edits that do not fit this table: they come from the browser and may be anything."""
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
