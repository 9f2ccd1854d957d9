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
from physics.cluster.say import alike, number, time, together
from physics.cluster.trust.doubts import doubts
from ui.base import background, device, state
from ui.base import format as f
from ui.base.words import literal
from ui.charts.look import Look
from ui.cluster import change, charts, log_cache, widgets, work
from ui.cluster.log_cache import Log, Question, Study
from ui.page import figures, shell

#: Changes that are kept while the log is looked at.
KEPT = 8
#: Tables beyond this are charts on the page, and tables in the report only.
MOST_ROWS = 60
MOST_COLUMNS = 16
_STUDY = "_cluster_study"
_TRIED = "_cluster_tried"


def question(log: Log) -> tuple[Question, float]:
    """Draw and return the settings that a log lacks: size, target, policy, and price."""
    (key, *_), last = state.get(_STUDY, (("",), None))
    if last is not None and key == log.key:
        calibration = last.calibration
    else:
        calibration = None
    unit = log.attrs["unit"]
    with st.sidebar:
        gpus = widgets.number(
            f"{widgets.capital(unit)}s of the cluster (0: from the log)",
            0,
            10_000_000,
            0,
            8,
            "gpus",
            "0 takes the size from the log's header, or else the largest use at once, which may "
            "be too small.",
        )
        target = widgets.number(
            "Longest acceptable wait (min)",
            1,
            10_000,
            5,
            1,
            "target",
            "The page shows what share of jobs waits less than this.",
        )
        price = widgets.number(
            f"Price of a {unit}-hour",
            0.0,
            1000.0,
            1.0,
            0.5,
            "price",
            f"Price in any currency; at 1, costs are in {unit}-hours.",
        )
        policy = widgets.choice(
            "Policy that it had",
            ["closest", *(calibration.policies if calibration else ())],
            "policy",
            "The closest is the one whose simulated waits come nearest to the recorded ones.",
        )
    return Question(
        int(gpus) or None, 60.0 * target, None if policy == "closest" else policy
    ), price


def study(log: Log, question: Question) -> Study | None:
    """Return the analysis of the log; None while it runs, with its progress on the page."""
    what = (log.key, question)
    kept = widgets.kept(_STUDY, what)
    if kept is not None:
        return kept
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
    """Draw the summary: doubts about the log, and the three sentences that also begin the
    report.
    """
    for doubt in doubts(study.happened):
        st.warning(literal(doubt), icon=":material/warning:")
    sentences = verdict(study.happened, study.calibration, tried)
    for column, sentence in zip(st.columns(3, gap="medium"), sentences, strict=True):
        finding, _, numbers = sentence.partition(": ")
        column.markdown(f"**{literal(finding)}.** {literal(numbers[:1].upper() + numbers[1:])}")


def what_happened(study: Study, tables: Mapping[str, Mapping], look: Look, dated: bool) -> None:
    """Draw the history in the log."""
    happened = study.happened
    model = study.calibration
    st.header("What happened", anchor=False)
    unended = ((happened.running, "running"), (happened.still_waiting, "waiting"))
    unfinished = " and ".join(f"{many:,} {what}" for many, what in unended if many) or None
    utilization: tuple[str, str | None] = ("not known", None)
    wait: tuple[str, str | None] = ("not recorded", None)
    idle: tuple[str, str | None] = ("not known", None)
    if happened.recorded:
        utilization = f.share(happened.utilization), None
    if happened.knows_waits:
        row = model.waits.loc[model.baseline]
        under = f"under {model.baseline}"
        record, simulated = together((happened.wasted / k.HOUR, row["idle"] / k.HOUR))
        recorded_wait, simulated_wait = alike(happened.waits.loc["all", "mean"], row["mean"])
        wait = recorded_wait, f"{simulated_wait} {under}"
        idle = f"{record} {happened.unit}·h", f"{simulated} {under}"
    numbers = [
        ("Jobs", f.significant(happened.jobs), unfinished),
        (
            f"{widgets.capital(happened.unit)}s",
            f.significant(happened.gpus),
            None,
            f"{happened.size_source.capitalize()}.",
        ),
        ("Utilization", *utilization),
        ("Mean wait", *wait, "Mean over the jobs that have started."),
        ("Idle while jobs waited", *idle),
    ]
    _metrics(numbers, "cluster_numbers")
    if happened.recorded:
        figures.draw(charts.over_time(happened, look, dated), "cluster")
    label = "More of what happened: waits, widths, arrivals, users"
    box = device.expander(label, "cluster_tables", ":material/table:")
    if box:
        with box:
            figures.draw(charts.arrivals(happened, look), "cluster")
            draw_section(tables[HAPPENED])


def _metrics(numbers: Iterable[tuple], key: str | None = None) -> None:
    """Draw headline numbers side by side: label, value, note, and maybe a help."""
    with st.container(horizontal=True, key=key):
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
    """Draw two expanders: how well promised starts are met, and theory compared with simulation and
    record.
    """
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
            figures.draw(charts.calibration(calibration, look), "cluster")
            draw_section(tables[CALIBRATION])
            st.markdown(f"**{UNKNOWN}**")
            draw_section(tables[UNKNOWN])
    st.sidebar.metric(
        "Calibration gap",
        "not known" if math.isnan(calibration.gap) else f.share(calibration.gap),
        help=(
            f"Difference between the simulated waits of {calibration.baseline} and the recorded ones, "
            "relative to the "
            "recorded ones."
        ),
    )


def what_if(log: Log, study: Study, price: float, look: Look) -> dict[str, Difference]:
    """Draw a change tried on the same jobs; return the results of all changes tried."""
    st.header("What if", anchor=False)
    changes = change.knobs(log, study.calibration)
    tried = state.read(_TRIED)
    st.markdown(
        f"Here the same jobs run under {study.calibration.baseline} and with a change that you "
        "set under “What if”. A "
        "difference is undecided if it is below the time left unexplained "
        f"({time(study.calibration.unexplained)}), "
        "if its range from the weeks contains zero, or if it has no range."
    )
    if not changes:
        st.info(
            f"Nothing has changed yet: change a setting under “What if” {shell.where_knobs()}.",
            icon=":material/tune:",
        )
    elif (changes, price) not in tried:
        st.code(changes, language=None, wrap_lines=True)
        warning = change.warning(changes, study.calibration, log.classes)
        if warning:
            st.warning(literal(warning), icon=":material/warning:")
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
        if changes in named:
            latest = changes
        else:
            latest = next(reversed(named))
        if len(named) > 1:
            at = list(named).index(latest)
            key = f"cluster_shown_{len(named)}_{latest}"
            latest = st.selectbox("Changes that were tried", list(named), index=at, key=key)
        _draw_difference(latest, named[latest], study, look, log.attrs["dated"])
    return named


def _draw_difference(
    text: str, difference: Difference, study: Study, look: Look, dated: bool
) -> None:
    doubt = study.calibration.grade.doubt(ABOUT_A_CHANGE)
    if doubt:
        st.warning(literal(doubt), icon=":material/warning:")
    _metrics(_numbers(difference))
    if difference.compared:
        figures.draw(charts.difference(difference, look), "cluster")
    if not difference.used.empty:
        figures.draw(charts.use_with_change(difference, study.happened, look, dated), "cluster")
    title = f"What limits this; by class and week, {difference.unit} time and cost"
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
            verdict = f"no answer, {difference.unstarted:,} jobs never start"
        elif difference.undecided:
            verdict = "undecided"
        elif whole["difference"] < 0:
            verdict = "shorter"
        else:
            verdict = "longer"
        low, high = (number(end / k.HOUR) for end in (whole["low"], whole["high"]))
        changed, baseline, recorded = alike(*whole[["changed", "baseline", "record"]])
        if math.isnan(whole["record"]):
            record = ""
        else:
            record = f"record {recorded}, "
        numbers = [
            ("Mean wait", changed, f"{record}baseline {baseline}"),
            (
                "Change of the mean wait",
                f"{number(whole['difference'] / k.HOUR)} h",
                f"{verdict}; "
                + (
                    "no range: under 13 weeks"
                    if math.isnan(whole["low"])
                    else f"range from the weeks: {low} to {high} h"
                ),
            ),
            (
                "Jobs that wait less",
                f.share(whole["shorter"]),
                f"longer: {f.share(whole['longer'])}",
            ),
        ]
    cost = difference.costs["cost"]["changed"]
    more = difference.costs["cost"]["difference"]
    if more:
        note = f"{number(abs(more))} {'more' if more > 0 else 'less'} than before"
    else:
        note = "as before"
    return [*numbers, (f"Cost of the {difference.unit}s", number(cost), note)]


def draw_section(section: Mapping) -> None:
    """Draw a section's sentences, and its tables unless charts show them."""
    point = "- " * (len(section["sentences"]) > 1)
    st.markdown("\n".join(f"{point}{literal(sentence)}" for sentence in section["sentences"]))
    for table in section["tables"]:
        if 0 < len(table["rows"]) <= MOST_ROWS and len(table["columns"]) <= MOST_COLUMNS:
            widgets.table(table)  # the downloads have the others
