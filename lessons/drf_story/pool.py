"""DRF story: the pool, resource by resource, as it fills one executor at a time under two policies."""

from functools import partial

import altair as alt
import streamlit as st

from lessons.drf_story.jobs import NAMES, UNITS, Job, amounts, story
from lessons.drf_story.settings import Scenario, say
from physics.fairness import Allocation
from ui.base import format as f
from ui.base import state
from ui.base.lesson import Figure, Metric, Result, Verdict
from ui.charts import Look, axes, marks, only, plane, span, stack, upright
from ui.page import projector

#: What each answer of the prediction gives to Evaluation.
GUESSES = {"a": 4, "b": 6, "c": 8, "d": 5}
HEAD = 0.8  #: height of a policy's headline, in heights of a bar's lane
BLOCK = HEAD + len(NAMES)  #: height of all that is drawn of a policy
#: In a bar's lane: the bar's edges and middle, and the middle of the gap below it, which has room for a line of text.
TOP, MIDDLE, FOOT, BELOW = 0.06, 0.31, 0.56, 0.81
ROOM = 0.75  #: share of the pool up to which there is room for a label behind a bar
#: What each policy compares.
COMPARED = {
    "drf": "largest share",
    "asset": "sum of shares",
    "single:cpu": "share of CPU",
    "single:mem": "share of memory",
}


def figure(scenario: Scenario, look: Look, guess: str | None = None) -> Figure:
    """How full the pool is at the shown step, under both policies."""
    rows, labels, said = [{"kind": "full", "low": 1.0}], [], []
    for which, (policy, result) in enumerate(scenario.both):
        log, top = result.log[: scenario.step], which * BLOCK
        counts = [f"+{log.count(job.name)}" for job in scenario.table]
        each = ", ".join(f"{job.name} {count}" for job, count in zip(scenario.table, counts, strict=True))
        long, short = (f"{policy}, {len(log)} of {scenario.executors}: {one}" for one in (each, " · ".join(counts)))
        labels.append(marks.label(0, top + HEAD / 2, long if len(long) < 90 else short, bold=True, short=short))
        parts = []
        for r, name in enumerate(NAMES):
            lane = top + HEAD + r
            at = _pieces(scenario, log, r, lane, rows)
            free = f"{f.significant(round((1 - at) * scenario.pool[r], 6))} {UNITS[r]} free"
            x, y, dx = (at, MIDDLE, 6) if at < ROOM else (1, BELOW, -5)
            labels.append(marks.label(x, lane + y, free, dx=dx))
            labels.append(marks.label(0, lane + MIDDLE, name, dx=-6, short=name.replace("memory", "mem.")))
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
        if at - begin >= 0.06:
            words = job.name if at - begin > len(job.name) / 80 else job.name[:1]
            name = marks.label((begin + at) / 2, lane + MIDDLE, words, short=job.name[:1], align="center", tone="paper")
            rows += marks.renamed([name | {"kind": "name", "rim": f"s{i}"}], "low", "top")
    return at


def _guessed(scenario: Scenario, guess: str | None, labels: list[dict]) -> list[dict]:
    """What the visitor said that Evaluation gets: a bracket as long as so many of its executors, under DRF."""
    told = GUESSES.get(guess or "")
    if told is None or scenario.table != story() or scenario.policy_one != "drf":
        return []
    *others, mine = scenario.table
    log = scenario.one.log[: scenario.step]
    low = sum(log.count(job.name) * job.need[1] for job in others) / scenario.pool[1]
    high, foot = low + told * mine.need[1] / scenario.pool[1], HEAD + 1.7
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
    for label, result in scenario.both:
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
    for place, (label, result) in zip(("first", "second"), scenario.both, strict=True):
        each, total = ", ".join(f"{name} {count}" for name, count in result.executors.items()), len(result.log)
        found.append(Result(f"Executors, {place} policy", total, f"{label}: {each}; in all {total}"))
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


def verdict(scenario: Scenario) -> Verdict:
    """Say what stops the hand-outs; before their last step, who is served."""
    if scenario.step < scenario.last:
        if not scenario.step:
            return Verdict(say("before", scenario))
        policies = (scenario.policy_one, scenario.policy_two)
        one, two = (_served(scenario, policy, *each) for policy, each in zip(policies, scenario.both, strict=True))
        return Verdict(say("step", scenario, one=one, two=two))
    stopped = []
    for label, result in scenario.both:
        if result.stop != "max_steps":
            free = amounts(result.free.values()) or "nothing"
            handed = f.count(len(result.log), "executor")
            stopped.append(say(result.stop, scenario, policy=label, handed=handed, free=free))
    if stopped:
        return Verdict(" ".join(stopped), False)
    one, two = (spread(list(result.dominant_share.values())) for _, result in scenario.both)
    return Verdict(say("ended", scenario, one=one, two=two), True)


def _served(scenario: Scenario, policy: str, label: str, result: Allocation) -> str:
    """Who is served at the shown step by one policy, and why."""
    if scenario.step > len(result.log):
        return say("step_over", scenario, policy=label, handed=f.count(len(result.log), "executor"))
    row = result.history[scenario.step - 1]
    if policy == "round_robin":
        return say("step_turn", scenario, policy=label, who=row["name"])
    value = row["compared"][row["name"]]
    measure = COMPARED[policy] + (" ÷ weight" if len({job.weight for job in scenario.table}) > 1 else "")
    name = "step_lowest" if value == min(row["compared"].values()) else "step_lowest_left"
    return say(name, scenario, policy=label, who=row["name"], measure=measure, value=f.share(value))


def remedies(scenario: Scenario) -> str:
    """What would let a hand-out go on that has stopped early; "" where none has."""
    found = []
    for label, result in scenario.both:
        if result.stop == "no_fit":
            job, lacks = shortage(scenario, result)
            found.append(say("fix_pool", scenario, policy=label, job=job.name, more=lacks))
        elif result.stop == "all_at_ceiling":
            found.append(say("fix_cap", scenario, policy=label))
    return " ".join(found)


def shortage(scenario: Scenario, result: Allocation) -> tuple[Job, str]:
    """Return the job below its cap whose next executor is closest to fitting, and what it lacks."""
    found = []
    for job in scenario.table:
        if job.ceiling is None or result.executors[job.name] + 1 <= job.ceiling:
            lacks = [max(0.0, round(need - free, 9)) for need, free in zip(job.need, result.free.values(), strict=True)]
            worst = max(lack / size for lack, size in zip(lacks, scenario.pool, strict=True))
            found.append((worst, job.name, job, amounts(lacks)))
    return min(found)[2:]


def spread(values: list[float]) -> str:
    """Write shares as a range: one percent sign for both ends.

    >>> spread([0.1, 0.4, 0.4]), spread([0.2, 0.2])
    ('10 to 40 %', '20 %')
    """
    low, high = f.share(min(values)), f.share(max(values))
    return low if low == high else f"{low.removesuffix(' %')} to {high}"
