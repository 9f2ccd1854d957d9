"""DRF story: the pool, resource by resource, as it fills one executor at a time under two policies."""

from functools import partial

import altair as alt
import streamlit as st

from lessons.drf_story.jobs import NAMES, UNITS, story
from lessons.drf_story.settings import Scenario, say
from lessons.drf_story.verdict import remedies, spread, verdict
from physics.fairness import Allocation
from ui.base import format as f
from ui.base import state
from ui.base.lesson import Figure, Metric, Result
from ui.charts import Look, axes, marks, only, plane, span, stack, upright
from ui.page import projector

__all__ = ["draw", "figure", "metrics", "remedies", "results", "verdict", "words"]

#: What each answer of the prediction gives to Evaluation.
GUESSES = {"a": 4, "b": 6, "c": 8, "d": 5}
HEAD = 0.8  #: height of a policy's headline, in heights of a bar's lane
BLOCK = HEAD + len(NAMES)  #: height of all that is drawn of a policy
#: In a bar's lane: the bar's edges and middle, and the middle of the gap below it, which has room for a line of text.
TOP, MIDDLE, FOOT, BELOW = 0.06, 0.31, 0.56, 0.81
ROOM = 0.75  #: share of the pool up to which there is room for a label behind a bar


def figure(scenario: Scenario, look: Look, guess: str | None = None) -> Figure:
    """How full the pool is at the shown step, under both policies."""
    rows, labels, said = [{"kind": "full", "low": 1.0}], [], []
    for which, result in enumerate(scenario.runs):
        policy, log, top = scenario.labels[which], result.log[: scenario.step], which * BLOCK
        counts = [f"+{log.count(job.name)}" for job in scenario.table]
        each = ", ".join(f"{job.name} {count}" for job, count in zip(scenario.table, counts, strict=True))
        long, short = (f"{policy}, {len(log)} of {scenario.executors}: {one}" for one in (each, " · ".join(counts)))
        labels.append(marks.label(0, top + HEAD / 2, long if len(long) < 90 else short, bold=True, short=short))
        parts = []
        for r, name in enumerate(NAMES):
            lane = top + HEAD + r
            at = _pieces(scenario, log, r, lane, rows)
            free = f"{f.significant(round((1 - at) * scenario.pool[r], 6))} {UNITS[r]} free"
            if at < ROOM:
                labels.append(marks.label(at, lane + MIDDLE, free, dx=6))
            else:
                labels.append(marks.label(1, lane + BELOW, free, dx=-5, align="right"))
            labels.append(
                marks.label(0, lane + MIDDLE, name, dx=-6, align="right", short=name.replace("memory", "mem."))
            )
            parts.append(f"{name} {f.share(at)} taken, {free}")
        said.append(f"The pool after {f.count(len(log), 'step')} of {policy}: {'; '.join(parts)}.")
    frame = stack([*rows, *_guessed(scenario, guess, labels), *marks.renamed(labels, "low", "top")])
    spec = _spec(look) | {"height": 310 if look.present else 255}
    return Figure("pool", "How full is the pool, and which job got the executors?", frame, spec, " ".join(said))


def _pieces(scenario: Scenario, log: list[str], r: int, lane: float, rows: list[dict]) -> float:
    """Add the pieces of one bar: of each job what it holds, pale, and its executors; return where the bar ends."""
    at = 0.0
    for i, job in enumerate(scenario.table):
        held, one = job.start[r] / scenario.pool[r], job.need[r] / scenario.pool[r]
        begin, count = at, log.count(job.name)
        for number in range(count + 1):
            low, at = at, at + (one if number else held)
            if at > low:
                latest = 0 < number == count and len(log) == scenario.step and log[-1] == job.name
                looks = {"tone": f"s{i}", "opacity": 1.0 if number else 0.35, "rim": "ink" if latest else "paper"}
                words = f"{job.name} +{number}" if number else f"{job.name} holds"
                place = {"low": low, "high": at, "top": lane + TOP, "bottom": lane + FOOT}
                rows.append({"kind": "bar", "label": words} | place | looks)
        # The name stands on the pale part or on the middle one of the executors, whichever is wider.
        room, spot, tone = max((held, begin + held / 2, "ink"), (count * one, at - (count // 2 + 0.5) * one, "paper"))
        if room >= 0.06:
            words = job.name if room > len(job.name) / 80 else job.name[:1]
            name = marks.label(spot, lane + MIDDLE, words, short=job.name[:1], align="center", tone=tone)
            rim = f"s{i}" if tone == "paper" else None  # among the executors the lines between them spare it
            rows += marks.renamed([name | {"kind": "name", "rim": rim}], "low", "top")
    return at


def _guessed(scenario: Scenario, guess: str | None, labels: list[dict]) -> list[dict]:
    """What the visitor said that Evaluation gets: a bracket as long as so many of its executors, under DRF."""
    told = GUESSES.get(guess or "")
    if told is None or scenario.table != story() or scenario.policy_one != "drf":
        return []
    counts = so_far(scenario, scenario.one)[0][:-1]
    others = zip(counts, scenario.table, strict=False)
    low = sum(count * job.need[1] for count, job in others) / scenario.pool[1]
    high, foot = low + told * story()[-1].need[1] / scenario.pool[1], HEAD + 1.7
    if high > 1:
        return []
    words = f"you said: {told} to Evaluation"
    labels.append(marks.label(high, foot + 0.18, words, short=f"you said: {told}", dx=6, tone="quiet"))
    return [{"kind": "guess", "low": low, "high": high, "top": foot, "bottom": foot}]


@plane
def _spec(look: Look) -> tuple:
    """Stacked bars of the pool: what is held from the start pale, each new executor full, and the capacity line."""
    edges = [4.6 * look.text_size, alt.ExprRef("width - 8")]
    x = axes.x("low:Q", "share of the pool", [0, 1], range=edges, format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    guess, names = span("guess", "quiet", (5, 3), x2="high:Q"), partial(marks.labels, rim="rim", kind="name")
    return x, axes.y("top:Q", ends=[2 * BLOCK, 0], axis=None), _bars, upright("full", "bad", (6, 3)), guess, names


def _bars(base: alt.Chart, look: Look) -> alt.Chart:
    tips = [alt.Tooltip("label:N", title="job"), *(alt.Tooltip(f"{end}:Q", format=".1%") for end in ("low", "high"))]
    return (
        base.transform_filter(only("bar"))
        .mark_rect(
            opacity={"expr": "datum.opacity"},
            fill=marks.tone(look),
            stroke=marks.tone(look, "rim"),
            strokeWidth={"expr": "datum.rim === 'ink' ? 2.5 : 1"},
        )
        .encode(x2="high:Q", y2="bottom:Q", tooltip=tips)
    )


def metrics(scenario: Scenario) -> list[Metric]:
    """Executors and largest shares of both policies at the shown step."""
    found = []
    for label, result in zip(scenario.labels, scenario.runs, strict=True):
        counts, shares = so_far(scenario, result)
        executors = " · ".join(f.significant(count, 6) for count in counts)
        each = (
            spread(shares) if len(shares) > 3 else " · ".join(f.share(one).removesuffix(" %") for one in shares) + " %"
        )
        found += [
            Metric(f"Executors, {label}", executors, help=say("counts_help", scenario)),
            Metric(f"Shares, {label}", each, help=say("shares_help", scenario)),
        ]
    return found


def so_far(scenario: Scenario, result: Allocation) -> tuple[list[int], list[float]]:
    """New executors and dominant share of each job at the shown step."""
    log = result.log[: scenario.step]
    shares = result.history[len(log)]["shares"] if len(log) < len(result.history) else result.dominant_share
    return [log.count(job.name) for job in scenario.table], list(shares.values())


def results(scenario: Scenario) -> list[Result]:
    """The headline numbers at the end, to be pinned, kept and handed in."""
    found = []
    for place, label, result in zip(("first", "second"), scenario.labels, scenario.runs, strict=True):
        each = ", ".join(f"{name} {count}" for name, count in result.executors.items())
        text = f"{label}: {each}; in all {len(result.log)}"
        found.append(Result(f"Executors, {place} policy", len(result.log), text))
    return found


def words(scenario: Scenario) -> str:
    """What an executor of each job takes."""
    return say("jobs_words_held" if any(any(job.start) for job in scenario.table) else "jobs_words", scenario)


def draw(page, scenario: Scenario) -> None:
    """Draw the buttons that walk both hand-outs; on a projector each also has a key."""
    key = f"{page.lesson.id}_step"
    with page.hand, st.container(horizontal=True, key=f"{page.lesson.id}_stepper"):
        for name, label, by, letter in (("previous", "Back", -1, "b"), ("forward", "Next step", 1, "f")):
            to = scenario.step + by
            st.button(
                label,
                key=f"{page.lesson.id}_{name}",
                on_click=state.put,
                args=(key, to),
                disabled=not 0 <= to <= scenario.executors,
                shortcut=letter if projector.on() else None,
            )
