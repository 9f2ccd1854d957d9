"""Your cluster: guess the meaning of a table's columns from their names."""

import streamlit as st

from physics.jobs.readers.named import MEANINGS
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
READ = ["job", "submitted", "wait", "run time", "GPUs", "meaning"]
_TABLE = "_cluster_table"
_NAMED = "_cluster_named"


def hold(file: str, table: Table) -> None:
    """Store a file and its table in the session."""
    state.put(_TABLE, (file, table))


def chosen(file: str) -> tuple[str, str]:
    """Return the visitor's choice of a file's columns as text, and the time zone; "" before it."""
    return stored_for(_NAMED, file) or ("", "")


def form(file: str, as_read: tuple = ()) -> None:
    """Draw the form for a table's columns, with a guess filled in and the first three rows."""
    content = stored_for(_TABLE, file)
    if not isinstance(content, Table):
        return
    if not chosen(file)[0]:
        st.info(
            "This is a table. Say what each column contains. The first four are required, but a "
            "wait or a duration can replace a time.",
            icon=":material/table:",
        )
    options = [NOT_THERE, *content.names]
    named = {}
    with st.form("cluster_columns", border=True):
        form_columns = st.columns(4)
        for number, (meaning, label) in enumerate(LABELS.items()):
            guess = content.guess.get(meaning, NOT_THERE)
            named[meaning] = form_columns[number % 4].selectbox(
                label, options, options.index(guess), key=f"cluster_column_{meaning}"
            )
        timezone = st.text_input(
            "Time zone, if times have none",
            key="cluster_timezone",
            placeholder="UTC",
            max_chars=60,
            help="Name of a time zone, such as Europe/Berlin.",
        )
        is_submitted = st.form_submit_button("Read the table", key="cluster_read_table")
    rows = as_read or content.rows
    if rows:
        table({"title": "First rows as read", "columns": READ, "rows": rows})
    if is_submitted:
        text = ",".join(
            f"{meaning}={named[meaning]}"
            for meaning in MEANINGS
            if named.get(meaning, NOT_THERE) != NOT_THERE
        )
        state.put(_NAMED, (file, (text, timezone)))
        st.rerun()
