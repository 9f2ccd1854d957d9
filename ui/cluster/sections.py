"""Your cluster: sections about a log, from its history to the report."""

import math
from collections.abc import Iterable, Mapping

import streamlit as st

from physics import constants as k
from physics.cluster import (
    Difference,
    report,
    verdict,
)
from physics.cluster.change import ABOUT_A_CHANGE
from physics.cluster.report import CALIBRATION, HAPPENED, PROMISES, UNKNOWN
from physics.cluster.say import alike, number, policy, time, together
from physics.cluster.trust.doubts import doubts
from ui.base import background, device, state
from ui.base import format as f
from ui.base.words import literal
from ui.charts.look import Look
from ui.cluster import change, charts, log_cache, pictures, widgets, work
from ui.cluster.log_cache import Log, Question, Study
from ui.page import shell

#: Changes that are kept while the log is looked at.
KEPT = 8
#: Tables beyond this are charts on the page, and tables in the report only.
MOST_ROWS = 60
MOST_COLUMNS = 16
#: The choice of the policy whose simulated waits are nearest to the recorded ones.
CLOSEST = "closest"
_STUDY = "_cluster_study"
_TRIED = "_cluster_tried"


def question(log: Log) -> tuple[Question, float]:
    """Draw and return the settings that a log lacks: size, target, policy, and price."""
    policies = {CLOSEST: CLOSEST}
    (key, *_), last = state.get(_STUDY, (("",), None))
    if last is not None and key == log.key:
        policies |= {name: name for name in last.calibration.policies}
    unit = log.attrs["unit"]
    with st.sidebar:
        gpus = widgets.field("gpus", unit=unit)
        target = widgets.field("target")
        price = widgets.field("price", unit=unit)
        policy = widgets.field("policy", options=policies)
    return Question(int(gpus) or None, 60.0 * target, None if policy == CLOSEST else policy), price


def study(log: Log, question: Question) -> Study | None:
    """Return the analysis of the log; None while it runs, with its progress on the page."""
    what = (log.key, question)
    study = widgets.stored_for(_STUDY, what)
    if study is not None:
        return study
    state.drop(_TRIED)
    outcome = background.obtain(
        what,
        "Comparing policies",
        lambda progress: log_cache.study(log, question, progress),
        "cluster_study",
    )
    if isinstance(outcome, Study):
        state.put(_STUDY, (what, outcome))
        st.rerun()  # the policies that were tried are choices now
    return None


def answer(study: Study, tried: Mapping[str, Difference]) -> None:
    """Draw the summary: doubts about the log, and the report's first three sentences."""
    for doubt in doubts(study.happened):
        widgets.warn(doubt)
    sentences = verdict(study.happened, study.calibration, tried)
    for column, sentence in zip(st.columns(3, gap="medium"), sentences, strict=True):
        finding, _, numbers = sentence.partition(": ")
        column.markdown(f"**{literal(finding)}.** {literal(f.capital(numbers))}")


def what_happened(study: Study, tables: Mapping[str, Mapping], look: Look, dated: bool) -> None:
    """Draw the history in the log."""
    happened = study.happened
    model = study.calibration
    device.heading("What happened")
    unended = ((happened.running, "running"), (happened.still_waiting, "waiting"))
    unfinished = " and ".join(f"{many:,} {what}" for many, what in unended if many) or None
    utilization = "not known"
    wait: tuple[str, str | None] = ("not recorded", None)
    idle: tuple[str, str | None] = ("not known", None)
    if happened.recorded:
        utilization = f.share(happened.utilization)
    if happened.knows_waits:
        row = model.waits.loc[model.baseline]
        under = f"under {policy(model.baseline)}"
        record, simulated = together((happened.wasted / k.HOUR, row["idle"] / k.HOUR))
        recorded_wait, simulated_wait = alike(happened.waits.loc["all", "mean"], row["mean"])
        wait = recorded_wait, f"{simulated_wait} {under}"
        idle = f"{record} {happened.unit}·h", f"{simulated} {under}"
    numbers = [
        ("Jobs", f.significant(happened.jobs), unfinished),
        (
            f"{f.capital(happened.unit)}s",
            f.significant(happened.gpus),
            None,
            f"{happened.size_source.capitalize()}.",
        ),
        ("Utilization", utilization, None),
        ("Mean wait", *wait, "Mean wait of the jobs that have started."),
        ("Idle while jobs waited", *idle),
    ]
    _metrics(numbers, "cluster_numbers")
    if happened.recorded:
        pictures.draw(charts.over_time(happened, look, dated), look, study, {})
    label = "More of what happened: waits, widths, arrivals, users"
    box = device.expander(label, "cluster_tables", ":material/table:")
    if box:
        with box:
            pictures.draw(charts.arrivals(happened, look), look, study, {})
            draw_section(tables[HAPPENED])


def _metrics(numbers: Iterable[tuple], key: str | None = None) -> None:
    """Draw headline numbers side by side: label, value, note, and maybe a help."""
    with device.row(key):
        for label, value, note, *about in numbers:
            st.metric(
                label,
                value,
                note,
                delta_color="gray",
                delta_arrow="off",
                width="stretch",
                help=about[0] if about else None,
            )


def trust(study: Study, tables: Mapping[str, Mapping], look: Look) -> None:
    """Draw two expanders: how well promised starts are met, and theory against simulation."""
    calibration = study.calibration
    box = device.expander(PROMISES, "cluster_promises", ":material/schedule:")
    if box:
        with box:
            draw_section(tables[PROMISES])
    box = device.expander(
        "Can I trust it? Theory, simulation, record", "cluster_classes", ":material/fact_check:"
    )
    if box:
        with box:
            settings = {"Policy": calibration.baseline}
            pictures.draw(charts.calibration(calibration, look), look, study, settings)
            draw_section(tables[CALIBRATION])
            st.markdown(f"**{UNKNOWN}**")
            draw_section(tables[UNKNOWN])
    st.sidebar.metric(
        "Calibration gap",
        "not known" if math.isnan(calibration.gap) else f.share(calibration.gap),
        help=f"Difference between the waits simulated under {policy(calibration.baseline)} and the "
        "recorded ones, relative to the recorded ones.",
    )


def what_if(log: Log, study: Study, price: float, look: Look) -> dict[str, Difference]:
    """Draw a change tried on the same jobs; return the results of all changes tried."""
    device.heading("What if")
    changes = change.knobs(log, study.calibration)
    tried = state.read(_TRIED)
    st.markdown(
        f"Here, the same jobs run under {policy(study.calibration.baseline)} and with a change "
        "that you set under “What if”. A difference is undecided if it is below the "
        f"unexplained time ({time(study.calibration.unexplained)}), if its estimated range "
        "contains zero, or if it has no range."
    )
    if not changes:
        st.info(
            f"Nothing has changed yet: change a setting under “What if” {shell.where_knobs()}.",
            icon=":material/tune:",
        )
    elif (changes, price) not in tried:
        st.code(changes, language=None, wrap_lines=True)
        widgets.warn(change.warning(changes, study.calibration, log.classes))
        difference = widgets.answer(
            st.button(
                "Try this change", key="cluster_try", type="primary", icon=":material/science:"
            ),
            (log.key, study.question, changes, price),
            "Replaying the log",
            lambda progress: log_cache.answer(
                log, study, progress, work.difference, changes, price
            ),
            "cluster_trying",
        )
        if difference is not None:
            tried = dict(list(tried.items())[-(KEPT - 1) :]) | {(changes, price): difference}
            state.put(_TRIED, tried)
    named = {text: difference for (text, _), difference in tried.items()}
    if named:
        latest = changes if changes in named else next(reversed(named))
        if len(named) > 1:
            at = list(named).index(latest)
            key = f"cluster_shown_{len(named)}_{latest}"
            latest = st.selectbox("Changes tried so far", list(named), index=at, key=key)
        _draw_difference(latest, named[latest], study, look, log.attrs["dated"])
    return named


def _draw_difference(
    text: str, difference: Difference, study: Study, look: Look, dated: bool
) -> None:
    widgets.warn(study.calibration.grade.doubt(ABOUT_A_CHANGE))
    _metrics(_numbers(difference))
    settings = {"Policy before the change": study.calibration.baseline, "Change": text}
    if difference.compared:
        pictures.draw(charts.difference(difference, look), look, study, settings)
    if not difference.used.empty:
        used = charts.use_with_change(difference, study.happened, look, dated)
        pictures.draw(used, look, study, settings)
    title = f"Limits, waits by class and week, {difference.unit} time, and cost"
    box = device.expander(title, "cluster_change_tables", ":material/table:")
    if box:
        with box:
            draw_section(report(study.happened, None, {text: difference})["sections"][1])


def _numbers(difference: Difference) -> list[tuple[str, str, str]]:
    """Name, value and note of a difference's headline numbers; waits only where jobs can be
    compared.
    """
    numbers = []
    whole = difference.classes.loc["all"]
    if difference.compared:
        if difference.unstarted:
            verdict = f"not a solution, {difference.unstarted:,} jobs never start"
        elif difference.undecided:
            verdict = "undecided"
        elif whole["difference"] < 0:
            verdict = "shorter"
        else:
            verdict = "longer"
        changed, baseline, recorded = alike(*whole[["changed", "baseline", "record"]])
        before = f"baseline {baseline}"
        if not math.isnan(whole["record"]):
            before = f"record {recorded}, {before}"
        gain, low, high = (number(whole[name] / k.HOUR) for name in ("difference", "low", "high"))
        weeks = f"estimated range: {low} to {high} h"
        if math.isnan(whole["low"]):
            weeks = "no range: log under 13 weeks"
        longer = f"longer: {f.share(whole['longer'])}"
        numbers = [
            ("Mean wait", changed, before),
            ("Change in mean wait", f"{gain} h", f"{verdict}; {weeks}"),
            ("Jobs that wait less", f.share(whole["shorter"]), longer),
        ]
    cost = difference.costs["cost"]
    more = cost["difference"]
    note = "as before"
    if more:
        note = f"{number(abs(more))} {'more' if more > 0 else 'less'} than before"
    return [*numbers, (f"Cost of the {difference.unit}s", number(cost["changed"]), note)]


def draw_section(section: Mapping) -> None:
    """Draw a section's sentences, and its tables unless they are empty or too large."""
    point = "- " * (len(section["sentences"]) > 1)
    st.markdown("\n".join(f"{point}{literal(sentence)}" for sentence in section["sentences"]))
    for table in section["tables"]:
        if 0 < len(table["rows"]) <= MOST_ROWS and len(table["columns"]) <= MOST_COLUMNS:
            widgets.table(table)  # the downloads have the others
