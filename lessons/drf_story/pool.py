"""DRF story: the pool, resource by resource, as it fills one executor at a time under two policies."""

from functools import lru_cache

import altair as alt
import pyarrow as pa
import streamlit as st

from lessons.drf_story.jobs import NAMES, RESOURCES, amount, story
from lessons.drf_story.settings import Scenario, index, say
from lessons.drf_story.verdict import remedies, spread, verdict
from physics.fairness import Allocation
from ui.base import format as f
from ui.base import state
from ui.base.lesson import Figure, Metric, Reach, Result
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack
from ui.page import projector

__all__ = ["INDEXES", "colors", "draw", "figure", "metrics", "remedies", "short", "verdict", "words"]

INDEXES = ["0", "1", "2", "3", "4", "5"]
#: What each answer of the prediction gives to Evaluation.
GUESSES = {"a": 4, "b": 6, "c": 8, "d": 5}
HEAD = 0.8  #: height of a policy's headline, in heights of a bar's lane
ROOM = 0.72  #: share of the pool up to which there is room for a label behind a bar
TOP = 1.06  #: share of the pool at which the chart ends; what is held beyond it is said at its edge


def colors(look: Look) -> list[str]:
    """Six colors, one a job, each at least 3 to 1 on the page."""
    return [*look.series, "#e8dc6a" if look.dark else "#7a5c00"]


def figure(scenario: Scenario, look: Look, guess: str | None = None, end: float = TOP) -> Figure:
    """How full the pool is at the shown step, under both policies, up to a share of it."""
    return pool_figure(scenario, look, scenario.used, guess, end)


def pool_figure(scenario: Scenario, look: Look, resources: list[int], guess: str | None, end: float) -> Figure:
    """The same for the resources that are given."""
    title, spec = "How full is the pool, and which job got the executors?", pool_spec(look, len(resources), end)
    alt_text = " ".join(pool_alt(scenario, which, resources) for which in (0, 1))
    reach = Reach(max(_taken(scenario, which, r) for which in (0, 1) for r in resources), end)
    return Figure("pool", title, pool_rows(scenario, resources, guess, end), spec, alt_text, reach=reach)


def metrics(scenario: Scenario) -> list[Metric]:
    """Executors and largest shares of both policies at the shown step."""
    found = []
    for label, result in zip(scenario.labels, scenario.runs, strict=True):
        counts, shares = so_far(scenario, result)
        note = f"after {f.count(sum(counts), 'step')}"
        found += [
            Metric(f"Executors, {label}", counts_words(counts), note, help=say("counts_help", scenario)),
            Metric(f"Largest shares, {label}", shares_words(shares), note, help=say("shares_help", scenario)),
        ]
    return found


def results(scenario: Scenario) -> list[Result]:
    """The headline numbers at the end, to be pinned, kept and handed in."""
    found = []
    jain, balance = (scenario.index_one, scenario.index_two), (scenario.balance_one, scenario.balance_two)
    for which, place in enumerate(("first", "second")):
        result = scenario.runs[which]
        each = ", ".join(f"{name} {count}" for name, count in result.executors.items())
        text = f"{scenario.labels[which]}: {each}; in all {len(result.log)}"
        found.append(Result(f"Executors, {place} policy", len(result.log), text))
        found.append(Result(f"Jain's index, {place} policy", jain[which], index(jain[which])))
        found.append(Result(f"Balance, {place} policy", balance[which], index(balance[which])))
    return found


def so_far(scenario: Scenario, result: Allocation) -> tuple[list[int], list[float]]:
    """New executors and dominant share of each job at the shown step."""
    log = result.log[: scenario.step]
    shares = result.history[len(log)]["shares"] if len(log) < len(result.history) else result.dominant_share
    return [log.count(job.name) for job in scenario.jobs], [shares[job.name] for job in scenario.jobs]


def counts_words(counts: list[int]) -> str:
    """Write executors in table order; only their range when there are many jobs."""
    if len(counts) <= 4:
        return " · ".join(f.significant(count, 6) for count in counts)
    return f"{f.significant(min(counts), 6)} to {f.significant(max(counts), 6)}"


def shares_words(shares: list[float]) -> str:
    """Write shares in table order; only their range when there are many jobs."""
    if len(shares) > 4:
        return spread(shares)
    return " · ".join(f.share(share).removesuffix(" %") for share in shares) + " %"


def words(scenario: Scenario) -> str:
    """What an executor of each job takes."""
    return say("jobs_words_held" if any(any(job.start) for job in scenario.jobs) else "jobs_words", scenario)


def draw(page, scenario: Scenario) -> None:
    """Draw the buttons that walk both hand-outs; on a projector each also has a key."""
    key, last = f"{page.lesson.id}_step", max(1, scenario.executors)
    with page.hand, st.container(horizontal=True, key=f"{page.lesson.id}_stepper"):
        for name, label, by, letter in (("previous", "Back", -1, "b"), ("forward", "Next step", 1, "f")):
            to = min(max(scenario.step + by, 0), last)
            stays = to == scenario.step
            st.button(
                label,
                key=f"{page.lesson.id}_{name}",
                on_click=state.put,
                args=(key, to),
                disabled=stays,
                shortcut=letter if projector.on() else None,
            )


def short(name: str, length: int = 17) -> str:
    return name if len(name) <= length else name[: length - 1] + "…"


def _fitting(name: str, length: int) -> str:
    """Return a name, its first word or its letter: the longest that fits, and nothing of it cut.

    >>> [_fitting("Light evaluation", length) for length in (16, 8, 4)]
    ['Light evaluation', 'Light', 'L']
    """
    return next((one for one in (name, name.partition(" ")[0]) if len(one) <= length), name[:1])


def _taken(scenario: Scenario, which: int, r: int) -> float:
    """What is taken of a resource at the shown step under one policy, as a share of the pool."""
    log = scenario.runs[which].log[: scenario.step]
    return sum(job.start[r] + log.count(job.name) * job.need[r] for job in scenario.jobs) / scenario.pool[r]


def pool_rows(scenario: Scenario, resources: list[int], guess: str | None = None, end: float = TOP) -> pa.Table:
    """Rows of the pool: a bar a resource and policy, what is held pale, then each new executor in its order."""
    rows: list[dict] = []
    labels: list[dict] = []
    block = HEAD + len(resources)
    for which, result in enumerate(scenario.runs):
        log, top = result.log[: scenario.step], which * block
        counts = [f"+{log.count(job.name)}" for job in scenario.jobs]
        each = ", ".join(f"{short(job.name)} {count}" for job, count in zip(scenario.jobs, counts, strict=True))
        words = f"{scenario.labels[which]}, {_after(len(log))}"
        headline = f"{words}: {each}" if len(counts) < 5 else f"{words}: {', '.join(counts)}"
        labels.append(
            marks.label(0, top + HEAD / 2, headline, bold=True, short=f"{scenario.labels[which]}: {' · '.join(counts)}")
        )
        for place, r in enumerate(resources):
            at, middle = _pieces(scenario, log, r, top + HEAD + place, rows, labels, end)
            labels.append(_free(scenario, r, at, top + HEAD + place, middle, end))
            name = _title(NAMES[RESOURCES[r]])
            labels.append(marks.label(0, middle, name, align="right", dx=-6, short=name.replace("memory", "mem.")))
    return stack([*rows, *_guessed(scenario, guess), *marks.renamed(labels, "low", "top")])


def _free(scenario: Scenario, r: int, at: float, lane: float, middle: float, end: float) -> dict:
    """The label of what is left: behind the bar, or under the end of the pool where there is no room."""
    free = round((1 - at) * scenario.pool[r], 6)
    said = f"{amount(free, r)} free" if free >= 0 else f"{amount(-free, r)} too many{' →' if at > end else ''}"
    if at * TOP / end < ROOM:
        return marks.label(at, middle, said, dx=6)
    return marks.label(1.0, lane + 0.8, said, dx=-5, align="right")


def _after(steps: int) -> str:
    return f"after {f.count(steps, 'step')}" if steps else "before the first step"


def _pieces(
    scenario: Scenario, log: list[str], r: int, lane: float, rows: list[dict], labels: list[dict], end: float
) -> tuple[float, float]:
    """Add the pieces of one bar, job by job; return where it ends, as a share of the pool, and its middle."""
    size, at, ends = scenario.pool[r], 0.0, (lane + 0.06, lane + 0.62)
    middle = sum(ends) / 2

    def piece(i: int, wide: float, held: bool, words: str, latest: bool = False) -> None:
        nonlocal at
        if wide and at < end:
            looks = {"job": str(i), "opacity": 0.35 if held else 1.0, "rim": "ink" if latest else "paper"}
            place = {"low": at, "high": min(at + wide, end), "top": ends[0], "bottom": ends[1]}
            rows.append({"kind": "bar", "label": words} | place | looks)
        at += wide

    for i, job in enumerate(scenario.jobs):
        begin, count, one = at, log.count(job.name), job.need[r] / size
        piece(i, job.start[r] / size, True, f"{job.name} holds")
        # Of a long hand-out all executors of a job are drawn as one piece.
        parts = [1] * count if len(log) <= 60 else [count] * bool(count)
        for number, several in enumerate(parts, 1):
            latest = number == len(parts) and len(log) == scenario.step and log[-1] == job.name
            piece(i, several * one, False, f"{job.name} +{several}", latest)
        room = (at - begin) * TOP / end
        if room >= 0.04 and at < end:
            name = job.name[:1] if room < 0.3 else _fitting(job.name, 9)
            words = _fitting(job.name, int(room * 80))
            place = {"kind": "name", "low": (begin + at) / 2, "top": middle, "tone": "paper" if count else "ink"}
            rows.append(place | {"label": words, "short": name})
    return at, middle


def _guessed(scenario: Scenario, guess: str | None) -> list[dict]:
    """What the visitor said that Evaluation gets: a bracket as long as so many of its executors, under DRF."""
    told = GUESSES.get(guess or "")
    if told is None or scenario.jobs != story() or "drf" not in scenario.policies:
        return []
    which = scenario.policies.index("drf")
    lane = which * (HEAD + len(scenario.used)) + HEAD + 1  # memory
    counts, _ = so_far(scenario, scenario.runs[which])
    shares = [count * job.need[1] / scenario.pool[1] for job, count in zip(scenario.jobs, counts, strict=True)]
    start = sum(shares[:-1])
    stop = start + told * scenario.gains[-1]
    if stop > TOP:
        return []
    bracket = {"kind": "guess", "low": start, "high": stop, "top": lane + 0.7, "bottom": lane + 0.7}
    words = f"you said: {told} to Evaluation"
    label = marks.label(stop, lane + 0.88, words, short=f"you said: {told}", dx=6, tone="quiet")
    return [bracket, *marks.renamed([label], "low", "top")]


def _title(words: str) -> str:
    return words[:1].upper() + words[1:]


@lru_cache(maxsize=32)
def pool_spec(look: Look, resources: int, end: float = TOP) -> dict:
    """Stacked bars of the pool: what is held from the start pale, each new executor full, and the capacity line."""
    size = look.text_size
    y = axes.y("top:Q", ends=[2 * (HEAD + resources), 0], zero=False, axis=None)
    names = 6.8 * size if resources > 2 else 4.6 * size
    edges = [names, alt.ExprRef("width - 8")]
    ticks = {"values": [0, 0.25, 0.5, 0.75, 1]} if end == TOP else {}
    x = axes.x("low:Q", "share of the pool", [0, end], range=edges, format=".0%", **ticks)
    base = alt.Chart().encode(x=x, y=y)
    hue = alt.Color("job:N", scale=alt.Scale(domain=INDEXES, range=colors(look)), legend=None)
    tips = [
        alt.Tooltip("label:N", title="job"),
        alt.Tooltip("low:Q", format=".1%"),
        alt.Tooltip("high:Q", format=".1%"),
    ]
    bars = base.transform_filter(only("bar")).mark_rect(
        opacity={"expr": "datum.opacity"},
        stroke=marks.tone(look, "rim"),
        strokeWidth={"expr": "datum.rim === 'ink' ? 2.5 : 1"},
        tooltip=True,
    )
    guess = base.transform_filter(only("guess")).mark_rule(color=look.quiet, strokeWidth=2, strokeDash=[5, 3])
    full = alt.Chart().mark_rule(color=look.bad, strokeWidth=2, strokeDash=[6, 3])
    layers = [
        bars.encode(x2="high:Q", y2="bottom:Q", color=hue, tooltip=tips),
        full.encode(x=alt.datum(1.0)),
        guess.encode(x2="high:Q", y2="bottom:Q"),
        marks.labels(base, look),
        # Names stand on full color, so they have no halo.
        base.transform_filter(only("name"))
        .mark_text(baseline="middle", fontSize=look.text_size, color=marks.tone(look))
        .encode(text=marks.TEXT),
    ]
    lane = 36 if resources > 2 else 40 if look.present else 32
    height = round(lane * 2 * (HEAD + resources) + 6 * size)
    return specification(alt.layer(*layers), look, height, halo=False)


def pool_alt(scenario: Scenario, which: int, resources: list[int]) -> str:
    """How full the pool is at the shown step under one policy, in one sentence with its numbers."""
    log = scenario.runs[which].log[: scenario.step]
    parts = []
    for r in resources:
        taken = _taken(scenario, which, r)
        free = round((1 - taken) * scenario.pool[r], 6)
        left = f"{amount(free, r)} free" if free >= 0 else f"{amount(-free, r)} too many"
        parts.append(f"{NAMES[RESOURCES[r]]} {f.share(taken)} taken, {left}")
    return f"The pool after {f.count(len(log), 'step')} of {scenario.labels[which]}: {'; '.join(parts)}."
