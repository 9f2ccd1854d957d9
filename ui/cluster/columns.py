"""Your cluster: guess the meaning of a table's columns from their names."""

from collections.abc import Sequence

import streamlit as st

from ui.base import state
from ui.cluster.widgets import stored_for, table
from ui.cluster.work import Table

#: Choice for a meaning that no column has.
NOT_THERE = "–"
#: Labels of the meanings, in the order of the form.
LABELS = {
    "submit": "Submitted",
    "start": "Started",
    "end": "Ended",
    "gpus": "GPUs",
    "job": "Job",
    "user": "User",
    "account": "Account",
    "queue": "Queue",
    "state": "State",
    "wait": "Wait instead of start",
    "duration": "Duration instead of end",
    "limit": "Time limit",
}
#: Headings of the first rows as they were read.
ROW_COLUMNS = ["job", "submitted", "wait", "run time", "GPUs", "meaning"]
_TABLE = "_cluster_table"
_CHOICE = "_cluster_named"


def store_table(file: str, file_table: Table) -> None:
    """Store a file and its table in the session."""
    state.put(_TABLE, (file, file_table))


def chosen_columns(file: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """Return the visitor's choice for a file: pairs of a meaning and a column, and the time zone.

    Both are empty before a choice.
    """
    return stored_for(_CHOICE, file) or ((), "")


def draw_form(file: str, as_read: Sequence[Sequence[str]] = ()) -> None:
    """Draw the form for a table's columns, filled in with the choice or a guess.

    The first rows are drawn below it: `as_read` or, before a choice, as they are read with the
    guess. Store the choice when it is submitted, and rerun.
    """
    file_table = stored_for(_TABLE, file)
    if not isinstance(file_table, Table):
        return
    columns, chosen_timezone = chosen_columns(file)
    if not columns:
        st.info(
            "This is a table. Say what each column contains. The first four are required, but a "
            "wait or a duration can replace a time.",
            icon=":material/table:",
        )
    options = [NOT_THERE, *file_table.names]
    defaults = dict(columns) or file_table.guess
    names = {}
    with st.form("cluster_columns", border=True):
        containers = st.columns(4)
        for number, (meaning, label) in enumerate(LABELS.items()):
            default = defaults.get(meaning, NOT_THERE)
            index = options.index(default) if default in options else 0
            names[meaning] = containers[number % 4].selectbox(
                label, options, index, key=f"cluster_column_{meaning}"
            )
        timezone = st.text_input(
            "Time zone, if times have none",
            chosen_timezone,
            key="cluster_timezone",
            placeholder="UTC",
            max_chars=60,
            help="Name of a time zone, such as Europe/Berlin.",
        )
        is_submitted = st.form_submit_button("Read the table", key="cluster_read_table")
    rows = as_read or file_table.rows
    if rows:
        table({"title": "First rows as read", "columns": ROW_COLUMNS, "rows": rows})
    if is_submitted:
        columns = tuple((meaning, name) for meaning, name in names.items() if name != NOT_THERE)
        state.put(_CHOICE, (file, (columns, timezone)))
        st.rerun()
