"""Your cluster: sections about a log, from its history to the report."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from physics import constants as k
from physics.cluster import Difference, report, verdict
from physics.cluster.change import ABOUT_A_CHANGE
from physics.cluster.report import CALIBRATION, HAPPENED, PROMISES, UNKNOWN
from physics.cluster.say import alike, counted, number, policy, time, together
from physics.cluster.trust.doubts import doubts
from ui.base import background, device, state
from ui.base import format as f
from ui.base.words import literal
from ui.charts.look import Look
from ui.cluster import change, charts, log_cache, pictures, widgets, work
from ui.cluster.log_cache import Log, Question, Study
from ui.page import shell

#: Maximum number of changes whose results the session keeps.
KEPT = 8
#: Maximum size of a table on the page; larger ones are only in the report.
MOST_ROWS = 60
MOST_COLUMNS = 16
#: Choice of the policy whose simulated waits are closest to the recorded ones.
CLOSEST = "closest"
_STUDY = "_cluster_study"
_TRIED = "_cluster_tried"


def question(log: Log) -> tuple[Question, float]:
    """Draw the settings that a log lacks; return size, target, and policy, and the price."""
    policies = {CLOSEST: CLOSEST}
    (key, *_), last_study = state.get(_STUDY, (("",), None))
    if last_study is not None and key == log.key:
        policies |= {name: name for name in last_study.calibration.policies}
    unit = log.attrs["unit"]
    with st.sidebar:
        gpus = widgets.field("gpus", unit=unit)
        target = widgets.field("target")
        price = widgets.field("price", unit=unit)
        policy = widgets.field("policy", options=policies)
    return Question(int(gpus) or None, 60.0 * target, None if policy == CLOSEST else policy), price


def study(log: Log, question: Question) -> Study | None:
    """Return the analysis of the log; None while it runs, with its progress on the page."""
    key = (log.key, question)
    study = widgets.stored_for(_STUDY, key)
    if study is not None:
        return study
    state.drop(_TRIED)
    analyze = partial(log_cache.study, log, question)
    outcome = background.obtain(key, "Comparing policies", analyze, "cluster_study")
    if isinstance(outcome, Study):
        state.put(_STUDY, (key, outcome))
        st.rerun()  # so that `question` can offer the policies that were compared
    return None


def answer(study: Study, differences: Mapping[str, Difference]) -> None:
    """Draw the summary: doubts about the log, and the report's first three sentences."""
    for doubt in doubts(study.happened):
        widgets.warn(doubt)
    sentences = verdict(study.happened, study.calibration, differences)
    for column, sentence in zip(st.columns(3, gap="medium"), sentences, strict=True):
        finding, _, numbers = sentence.partition(": ")
        column.markdown(f"**{literal(finding)}.** {literal(f.capital(numbers))}")


def what_happened(study: Study, tables: Mapping[str, Mapping], look: Look, dated: bool) -> None:
    """Draw the log's headline numbers, its utilization over time, and expanders with tables."""
    happened = study.happened
    device.heading("What happened")
    _metrics(_history(study), "cluster_numbers")
    if happened.recorded:
        pictures.draw(charts.over_time(happened, look, dated), look, study, {})
    label = "More of what happened: waits, widths, arrivals, users"
    box = device.expander(label, "cluster_tables", ":material/table:")
    if box:
        with box:
            pictures.draw(charts.arrivals(happened, look), look, study, {})
            draw_section(tables[HAPPENED])


def _history(study: Study) -> list[tuple]:
    """List the headline numbers of a log for `_metrics`."""
    happened = study.happened
    model = study.calibration
    counts = ((happened.running, "running"), (happened.still_waiting, "waiting"))
    unfinished = " and ".join(f"{count:,} {what}" for count, what in counts if count) or None
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
    return [
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


def _metrics(numbers: Iterable[tuple], key: str | None = None) -> None:
    """Draw headline numbers side by side: label, value, note, and maybe a help text."""
    with device.row(key):
        for label, value, note, *help in numbers:
            st.metric(
                label,
                value,
                note,
                delta_color="gray",
                delta_arrow="off",
                width="stretch",
                help=help[0] if help else None,
            )


def trust(study: Study, tables: Mapping[str, Mapping], look: Look) -> None:
    """Draw expanders on promised starts and on theory against simulation, and the model's error."""
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
    """Draw the current change and the results of changes that were tried; return the results."""
    device.heading("What if")
    changes = change.knobs(log, study.calibration)
    results = state.read(_TRIED)
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
    elif (changes, price) not in results:
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
            results = dict(list(results.items())[-(KEPT - 1) :]) | {(changes, price): difference}
            state.put(_TRIED, results)
    by_change = _by_change(results, price)
    if by_change:
        choice = changes if changes in by_change else next(reversed(by_change))
        if len(by_change) > 1:
            index = list(by_change).index(choice)
            key = f"cluster_shown_{len(by_change)}_{choice}"
            choice = st.selectbox("Changes tried so far", list(by_change), index=index, key=key)
        _draw_difference(choice, by_change[choice], study, look, log.attrs["dated"])
    return by_change


def _by_change(
    results: Mapping[tuple[str, float], Difference], price: float
) -> dict[str, Difference]:
    """Return the results by change, with costs at the present price."""
    by_change = {}
    for (text, _), difference in results.items():
        cost = difference.costs["provided"] / k.HOUR * price
        by_change[text] = replace(difference, costs=difference.costs.assign(cost=cost))
    return by_change


def _draw_difference(
    text: str, difference: Difference, study: Study, look: Look, dated: bool
) -> None:
    """Draw the result of a change: headline numbers, charts, and an expander with tables."""
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
            tried = report(study.happened, None, {text: difference}, dated=dated)
            draw_section(tried["sections"][1])


def _numbers(difference: Difference) -> list[tuple[str, str, str]]:
    """List a difference's headline numbers for `_metrics`; waits only if jobs can be compared."""
    numbers = []
    if difference.compared:
        numbers = _waits(difference)
    cost = difference.costs["cost"]
    more = cost["difference"]
    note = "as before"
    if more:
        note = f"{number(abs(more))} {'more' if more > 0 else 'less'} than before"
    return [*numbers, (f"Cost of the {difference.unit}s", number(cost["changed"]), note)]


def _waits(difference: Difference) -> list[tuple[str, str, str]]:
    """List a difference's headline numbers on waits for `_metrics`."""
    total = difference.classes.loc["all"]
    if difference.unstarted:
        verb = "starts" if difference.unstarted == 1 else "start"
        verdict = f"not a solution, {counted(difference.unstarted, 'job')} never {verb}"
    elif difference.undecided:
        verdict = "undecided"
    elif total["difference"] < 0:
        verdict = "shorter"
    else:
        verdict = "longer"
    changed, baseline, recorded = alike(*total[["changed", "baseline", "record"]])
    before = f"baseline {baseline}"
    if not math.isnan(total["record"]):
        before = f"record {recorded}, {before}"
    gain, low, high = (number(total[name] / k.HOUR) for name in ("difference", "low", "high"))
    wait_range = f"estimated range: {low} to {high} h"
    if math.isnan(total["low"]):
        wait_range = "no range: log under 13 weeks"
    return [
        ("Mean wait", changed, before),
        ("Change in mean wait", f"{gain} h", f"{verdict}; {wait_range}"),
        ("Jobs that wait less", f.share(total["shorter"]), f"longer: {f.share(total['longer'])}"),
    ]


def draw_section(section: Mapping) -> None:
    """Draw a section's sentences, and its tables unless they are empty or too large."""
    bullet = "- " * (len(section["sentences"]) > 1)
    st.markdown("\n".join(f"{bullet}{literal(sentence)}" for sentence in section["sentences"]))
    for table in section["tables"]:
        if 0 < len(table["rows"]) <= MOST_ROWS and len(table["columns"]) <= MOST_COLUMNS:
            widgets.table(table)
