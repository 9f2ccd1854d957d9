"""Your cluster: draw a chart, its table, and the buttons that save it."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from ui import saving
from ui.base import device
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts.look import Look
from ui.cluster.work import Study
from ui.page import figures


def draw(figure: Figure, look: Look, study: Study, settings: Mapping[str, str]) -> None:
    """Draw a chart of a log, with its table and save buttons below.

    `settings` has by label what the chart depends on, in addition to the log and its size.
    """
    figures.chart(figure, "cluster")
    key = f"cluster_{figure.name}"
    with device.row(f"{key}_table_and_files"):
        figures.table(figure, "cluster")
        saving.offer(f"{key}_save", partial(_files, figure, look, study, settings))


def _files(figure: Figure, look: Look, study: Study, settings: Mapping[str, str]) -> list[dict]:
    """Return the chart as the only file for `saving.offer`, with what the chart depends on."""
    happened = study.happened
    facts = {
        "Jobs in the log": f.significant(happened.jobs),
        f"{f.capital(happened.unit)}s": f.significant(happened.gpus),
    }
    link = (st.context.url or "/your_cluster").partition("?")[0]
    title = f"Your cluster: {figure.title}"
    words = saving.Words(title, figure.alt, facts | dict(settings), link, opens="Your cluster")
    return [saving.chart("your-cluster", words, figure, look, {})]
