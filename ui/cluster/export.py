"""Your cluster: downloads of the report, and links to lessons with the log's numbers."""

import math
from collections.abc import Mapping, Sequence

import streamlit as st

from physics.cluster import (
    Difference,
    Happened,
    Kept,
    Needed,
    read_report,
    report,
    to_csv_zip,
    to_html,
    to_json,
)
from physics.cluster.trust.why import Waiting
from ui.base import device
from ui.base import format as f
from ui.base.lesson import lessons
from ui.base.words import literal
from ui.cluster.log_cache import Log, Study
from ui.cluster.sections import draw_section
from ui.knobs.declared import knobs_of
from ui.knobs.knob import Knob
from ui.page import shell


def take_along(
    log: Log,
    study: Study,
    differences: Mapping[str, Difference],
    price: float,
    answers: Sequence[Needed | Kept],
    why: Sequence[Waiting],
) -> None:
    """Draw the last section: the report, an upload of a report, and links to lessons."""
    device.heading("Export")
    attrs = log.attrs
    box = device.expander("Report: page, tables, data", "cluster_report", ":material/download:")
    if box:
        document = report(
            study.happened,
            study.calibration,
            differences,
            attrs["digest"],
            dated=attrs["dated"],
            price=price,
            needed=answers,
            promises=study.promises,
            why=why,
        )
        with box, device.row():
            for label, data, name in (
                ("Page (HTML)", to_html(document), "cluster-report.html"),
                ("Tables (CSV)", to_csv_zip(document), "cluster-tables.zip"),
                ("Data (JSON)", to_json(document), "cluster-report.json"),
            ):
                device.download(label, data, name, f"cluster_download_{name.rpartition('.')[2]}")
    box = device.expander("Import a report", "cluster_back", ":material/upload:")
    if box:
        with box:
            _import(log)
    box = device.expander(
        "Your fleet in the lessons", "cluster_lessons", ":material/arrow_forward:"
    )
    if box:
        with box:
            _links(study.happened)


def _links(happened: Happened) -> None:
    """Draw links to lessons with the log's numbers as their settings."""
    note = "These links pass on summary numbers of the log and nothing else from it."
    if happened.unit != "GPU":
        note += f" In the lessons, a GPU stands for a {happened.unit} of the log."
    st.caption(note)
    for lesson in lessons():
        if lesson.of_cluster is None:
            continue
        declared = knobs_of(lesson.settings)
        texts, beyond = _scenario(declared, lesson.of_cluster(happened))
        query = {f"{lesson.id}_{name}": text for name, text in texts.items()}
        shell.link(lesson.path, f"Your fleet in {lesson.title}", ":material/arrow_forward:", query)
        carried = ", ".join(declared[name].label for name in texts) or "nothing"
        note = ""
        if beyond:
            note = f" Out of range or not known, so left unchanged: {'; '.join(beyond)}."
        st.caption(f"Settings passed on: {carried}.{note}")


def _scenario(
    declared: Mapping[str, Knob], measured: Mapping[str, float]
) -> tuple[dict[str, str], list[str]]:
    """Return measured numbers as texts for a query string, and sentences on numbers left out.

    Numbers are rounded to the steps of their knobs. A number is left out if it is unknown or out
    of range.
    """
    texts = {}
    beyond = []
    for name, value in measured.items():
        knob = declared[name]
        low = knob.constant and knob.constant.low
        high = knob.constant and knob.constant.high
        if math.isnan(value) or low is None or high is None:
            beyond.append(f"{knob.label}: not known")
            continue
        rounded = round(value / knob.unit / knob.step) * knob.step
        # The factors allow for rounding errors at the ends of the range.
        if low / knob.unit <= rounded * (1 + 1e-9) and rounded <= high / knob.unit * (1 + 1e-9):
            texts[name] = f"{rounded:.12g}"
        else:
            beyond.append(f"{knob.label}: {f.significant(value / knob.unit)}")
    return texts, beyond


def _import(log: Log) -> None:
    """Draw the upload of a report, and the report's sections."""
    file = st.file_uploader("Report (JSON)", type=["json"], key="cluster_json", max_upload_size=5)
    if file is None:
        return
    try:
        report = read_report(file.getvalue())
    except ValueError as refusal:
        st.error(f"Not accepted: {literal(str(refusal))}.", icon=":material/block:")
        return
    same = report["log"]["digest"] == log.digest
    st.markdown(
        f"**{literal(report['title'])}**, of "
        + ("the log that is open here." if same else "another log than the one that is open here.")
    )
    for section in report["sections"]:
        st.markdown(f"**{literal(section['title'])}**")
        draw_section(section)
