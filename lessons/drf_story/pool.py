"""DRF story: the pool, resource by resource, as it fills one executor at a time under two policies."""

import altair as alt
import streamlit as st

from lessons.drf_story.jobs import NAMES, STORY, UNITS
from lessons.drf_story.settings import Scenario, say
from physics.fairness import Allocation
from ui.base import format as f
from ui.base import state
from ui.base.lesson import Figure, Result, Verdict
from ui.charts import Look, axes, box, marks, plane, span, stack, upright
from ui.page import projector

#: What each answer of the prediction gives to Evaluation.
GUESSES = {"a": 4, "b": 6, "c": 8, "d": 5}
HEAD = 0.8  #: height of a policy's headline, in heights of a bar's lane
BLOCK = HEAD + len(NAMES)  #: height of all that is drawn of a policy
#: In a bar's lane: the bar's edges and middle, and the middle of the gap below it, which has room
#: for a line of text.
TOP = 0.06
MIDDLE = 0.31
FOOT = 0.56
BELOW = 0.81
ROOM = 0.75  #: share of the pool up to which there is room for a label behind a bar
NAMED = 0.36  #: share of the width that a headline leaves to the policy's name
Row = dict[str, object]


def figure(scenario: Scenario, look: Look, guess: str | None = None) -> Figure:
    """How full the pool is at the shown step, under both policies."""
    rows: list[Row] = [{"kind": "full", "x": 1.0}]
    said = []
    for which, (policy, result) in enumerate(scenario.both):
        log = result.log[: scenario.step]
        top = which * BLOCK
        heads = _heads(scenario, log, top + HEAD / 2)
        words = f"{policy}, {len(log)} of {scenario.executors}"
        rows += [marks.label(0, top + HEAD / 2, words, bold=True, short=policy), *heads]
        said.append(f"{words}: {', '.join(head['label'] for head in heads)}.")
        for r, name in enumerate(NAMES):
            lane = top + HEAD + r
            pieces = _pieces(scenario, log, r, lane)
            if pieces:
                at = pieces[-1]["high"]
            else:
                at = 0.0
            if at < ROOM:
                x = at
                y = MIDDLE
                dx = 6
            else:
                x = 1
                y = BELOW
                dx = -5
            free = f"{f.significant(round((1 - at) * scenario.pool[r], 6))} {UNITS[r]} free"
            named = marks.label(0, lane + MIDDLE, name, dx=-6, short=name.replace("memory", "mem."))
            rows += [*pieces, named, marks.label(x, lane + y, free, dx=dx)]
    spec = _spec(look) | {"height": 310 if look.present else 255}
    title = "How full is the pool, and which job got the executors?"
    alt = " ".join(said)
    return Figure("pool", title, stack([*rows, *_guessed(scenario, guess)]), spec, alt)


def _heads(scenario: Scenario, log: list[str], y: float) -> list[Row]:
    """Name each job in its color, with its new executors."""
    wide = (1 - NAMED) / len(scenario.table)
    heads = []
    for i, job in enumerate(scenario.table):
        count = f"+{log.count(job.name)}"
        words = f"{job.name[: int(110 * wide) - 4]} {count}"
        looks = {"short": f"{job.name[:1]} {count}", "tone": f"s{i}", "bold": True}
        heads.append(marks.label(NAMED + i * wide, y, words, **looks))
    return heads


def _pieces(scenario: Scenario, log: list[str], r: int, lane: float) -> list[Row]:
    """List the pieces of one bar: of each job what it holds, pale, and its executors; the latest
    one has a rim.
    """
    at = 0.0
    found = []
    for i, job in enumerate(scenario.table):
        count = log.count(job.name)
        for number in range(count + 1):
            low = at
            at = at + (job.need if number else job.start)[r] / scenario.pool[r]
            latest = 0 < number == count and len(log) == scenario.step and log[-1] == job.name
            looks = {
                "tone": f"s{i}",
                "opacity": 1.0 if number else 0.35,
                "rim": "ink" if latest else "paper",
            }
            if number:
                words = f"{job.name} +{number}"
            else:
                words = f"{job.name} holds"
            place = {"x": low, "high": at, "y": lane + TOP, "bottom": lane + FOOT}
            found += [{"kind": "bar", "label": words} | place | looks] * (at > low)
    return found


def _guessed(scenario: Scenario, guess: str | None) -> list[Row]:
    """What the visitor said that Evaluation gets: a bracket as long as so many of its executors,
    under DRF.
    """
    if guess is None or (scenario.table, scenario.policy_one) != (STORY, "drf"):
        return []
    *others, mine = scenario.table
    log = scenario.one.log[: scenario.step]
    low = sum(log.count(job.name) * job.need[1] for job in others) / scenario.pool[1]
    high = low + GUESSES[guess] * mine.need[1] / scenario.pool[1]
    foot = HEAD + 1.7
    if high > 1:
        return []
    words = f"you said: {GUESSES[guess]} to Evaluation"
    short = f"you said: {GUESSES[guess]}"
    mark = {"kind": "guess", "x": low, "high": high, "y": foot}
    return [mark, marks.label(high, foot + 0.18, words, short=short, dx=6, tone="quiet")]


@plane
def _spec(look: Look) -> tuple:
    """Stacked bars of the pool: what is held from the start pale, each new executor full, and the
    capacity line.
    """
    edges = [4.6 * look.text_size, alt.ExprRef("width - 8")]
    x = axes.x(
        "x:Q",
        "share of the pool",
        [0, 1],
        range=edges,
        format=".0%",
        values=[0, 0.25, 0.5, 0.75, 1],
    )
    ends = (
        alt.Tooltip("x:Q", format=".1%", title="from"),
        alt.Tooltip("high:Q", format=".1%", title="to"),
    )
    looks = {
        "stroke": marks.tone(look, "rim"),
        "strokeWidth": {"expr": "datum.rim === 'ink' ? 2.5 : 1"},
    }
    looks |= {
        "opacity": {"expr": "datum.opacity"},
        "tooltip": [alt.Tooltip("label:N", title="job"), *ends],
    }
    bars = box("bar", x2="high:Q", y2="bottom:Q", **looks)
    guess = span("guess", "quiet", (5, 3), x2="high:Q")
    return (
        x,
        axes.y("y:Q", ends=[2 * BLOCK, 0], axis=None),
        bars,
        upright("full", "bad", (6, 3)),
        guess,
    )


def results(scenario: Scenario) -> list[Result]:
    """The headline numbers at the end, to be pinned, kept and handed in."""
    found = []
    for place, (label, result) in zip(("first", "second"), scenario.both, strict=True):
        each = ", ".join(f"{name} {count}" for name, count in result.executors.items())
        total = len(result.log)
        found.append(
            Result(f"Executors, {place} policy", total, f"{label}: {each}; in all {total}")
        )
    return found


def draw(page, scenario: Scenario) -> None:
    """Draw the buttons that walk both hand-outs; on a projector each also has a key."""
    key = f"{page.lesson.id}_step"
    with page.hand, st.container(horizontal=True, key=f"{page.lesson.id}_stepper"):
        for name, label, by, letter in (
            ("previous", "Back", -1, "b"),
            ("forward", "Next step", 1, "f"),
        ):
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
    """Say what stops the hand-outs; before their last step, who is served and why."""
    if scenario.step == 0 < scenario.last:
        return Verdict(say("before", scenario))
    if scenario.step < scenario.last:
        one, two = (_served(scenario, label, result) for label, result in scenario.both)
        return Verdict(say("step", scenario, one=one, two=two))
    stopped = _stopped(scenario)
    if stopped:
        return Verdict(stopped, False)
    return Verdict(say("ended", scenario), True)


def remedies(scenario: Scenario) -> str:
    """Say what lets a hand-out go on that has stopped early; "" where none has."""
    return _stopped(scenario, "fix_")


def _stopped(scenario: Scenario, prefix: str = "") -> str:
    """Say of each hand-out that has stopped early what stops it, or what the sentences with a
    prefix say.
    """
    early = [(label, result) for label, result in scenario.both if result.stop != "max_steps"]
    return " ".join(
        say(prefix + result.stop, scenario, policy=label, result=result) for label, result in early
    )


def _served(scenario: Scenario, label: str, result: Allocation) -> str:
    """Who is served at the shown step, as the model gives its reason."""
    if scenario.step > len(result.log):
        return say("step_over", scenario, policy=label, result=result)
    return f"{label}: {result.history[scenario.step - 1]['reason']}."
