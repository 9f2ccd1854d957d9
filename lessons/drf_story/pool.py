"""DRF story: the pool by resource, filled one executor at a time under two policies or by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

import altair as alt
import streamlit as st

from lessons.drf_story import log
from lessons.drf_story.hand import MOST
from lessons.drf_story.jobs import NAMES, STORY, UNITS
from lessons.drf_story.settings import Scenario, say
from physics.fairness import Allocation
from ui.base import format as f
from ui.base import state
from ui.base.lesson import Figure, Result, Taps, Verdict, View
from ui.charts import Look, axes, box, marks, span, specification, stack, upright
from ui.page import projector

#: Executors of Evaluation according to each answer of the prediction.
GUESSES = {"a": 4, "b": 6, "c": 8, "d": 5}
HEAD = 0.8  #: height of a policy's headline, in heights of a bar's lane
#: Heights in a bar's lane: the bar's upper edge, its middle, its lower edge, and the middle of the
#: gap below it, which has room for a line of text.
TOP = 0.06
MIDDLE = 0.31
FOOT = 0.56
BELOW = 0.81
ROOM = 0.75  #: share of the pool up to which there is room for a label behind a bar
NAMED = 0.36  #: share of the width that a headline leaves to the policy's name


def give(scenario: Scenario, rows: Sequence) -> Mapping[str, object]:
    """Return the settings after clicks on jobs, each of which gets one executor if it fits."""
    given = scenario.given
    for row in rows:
        if row in fitting_rows(replace(scenario, given=given)):
            given = (*given, row)
    return {"policy_two": "hand", "given": given}


def take_back(scenario: Scenario, rows: Sequence) -> Mapping[str, object]:
    """Return the settings without the executor that was allocated last."""
    return {"policy_two": "hand", "given": scenario.given[:-1]}


def empty(scenario: Scenario, rows: Sequence) -> Mapping[str, object]:
    """Return the settings for an empty pool that the visitor fills by hand."""
    return {"policy_two": "hand", "given": ()}


def fitting_rows(scenario: Scenario) -> list[int]:
    """List the rows of the jobs that can still get an executor by hand."""
    rows: list[int] = []
    if len(scenario.given) >= MOST:
        return rows
    steps = len(scenario.two.log)
    for row in range(1, len(scenario.table) + 1):
        with_one_more = replace(scenario, given=(*scenario.given, row))
        if len(with_one_more.two.log) > steps:
            rows.append(row)
    return rows


def figure(scenario: Scenario, look: Look, guess: str | None = None) -> Figure:
    """Chart of the used resources at the current step, in both halves of the pool."""
    lanes = len(scenario.pool)
    rows: list[marks.Row] = [{"kind": "full", "x": 1.0}]
    sentences = []
    for half, (policy, result) in enumerate(scenario.both):
        served = result.log[: scenario.at]
        top = half * (HEAD + lanes)
        words = f"{policy}, {len(served)}"
        if not scenario.by_hand:
            words += f" of {scenario.executors}"
        heads = _heads(scenario, served, top + HEAD / 2)
        rows += [marks.label(0, top + HEAD / 2, words, bold=True, short=policy), *heads]
        sentences.append(f"{words}: {', '.join(head['label'] for head in heads)}.")
        for resource in range(lanes):
            rows += _lane(scenario, served, resource, top + HEAD + resource)
    taps = None
    title = "How full is the pool, and which job got the executors?"
    if scenario.by_hand:
        title = "Tap a job in the lower half to give it an executor"
        taps = Taps("give", give)
        rows += _tap_frames(scenario, lanes)
    height = 128 * (HEAD + lanes) / (HEAD + 2)
    if look.present:
        height *= 1.22
    sized = spec(look, lanes) | {"height": round(2 * height)}
    rows += _guess_bracket(scenario, guess)
    return Figure("pool", title, stack(rows), sized, " ".join(sentences), taps=taps)


def _lane(scenario: Scenario, served: list[str], resource: int, lane: float) -> list[marks.Row]:
    """Draw one bar: what each job has of a resource, and what is free."""
    pieces = _pieces(scenario, served, resource, lane)
    end = pieces[-1]["high"] if pieces else 0.0
    name = NAMES[resource]
    remaining = round((1 - end) * scenario.pool[resource], 6)
    free = {"text": f"{f.significant(remaining)} {UNITS[resource]} free"}
    if remaining == 0:
        free = {"text": f"{name} used up", "tone": "bad"}
    if end < ROOM:
        free |= {"x": end, "y": lane + MIDDLE, "dx": 6}
    else:
        free |= {"x": 1, "y": lane + BELOW, "dx": -5}
    title = marks.label(0, lane + MIDDLE, name, dx=-6, short=name.replace("memory", "mem."))
    return [*pieces, title, marks.label(**free)]


def _heads(scenario: Scenario, served: list[str], y: float) -> list[marks.Row]:
    """Name each job in its color, with its new executors."""
    width = (1 - NAMED) / len(scenario.table)
    heads = []
    for i, job in enumerate(scenario.table):
        count = f"+{served.count(job.name)}"
        words = f"{job.name[: int(110 * width) - 4]} {count}"
        short = f"{job.name[:1]} {count}"
        heads.append(marks.label(NAMED + i * width, y, words, short=short, tone=f"s{i}", bold=True))
    return heads


def _tap_frames(scenario: Scenario, lanes: int) -> list[marks.Row]:
    """Draw a frame to tap around each job of the lower half, gray if it can get no executor."""
    width = (1 - NAMED) / len(scenario.table)
    top = HEAD + lanes
    fitting = fitting_rows(scenario)
    frame = {"kind": "touch", "y": top + 0.06, "bottom": top + HEAD - 0.06}
    frames = []
    for i in range(len(scenario.table)):
        left = NAMED + i * width - 0.012
        ends = {"x": left, "high": left + width - 0.01}
        tone = f"s{i}" if i + 1 in fitting else "faint"
        frames.append(frame | ends | {"give": i + 1, "tone": tone})
    return frames


def _pieces(scenario: Scenario, served: list[str], resource: int, lane: float) -> list[marks.Row]:
    """List the pieces of one bar: each job's initial allocation, pale, and then its executors.

    The latest executor has a rim.
    """
    end = 0.0
    pieces = []
    size = scenario.pool[resource]
    for i, job in enumerate(scenario.table):
        count = served.count(job.name)
        is_latest = len(served) == scenario.at and served[-1:] == [job.name]
        for number in range(count + 1):
            start = end
            style: marks.Row = {"tone": f"s{i}", "opacity": 1.0, "rim": "paper"}
            if number:
                end += job.takes[resource] / size
                words = f"{job.name} +{number}"
            else:
                end += job.holds[resource] / size
                words = f"{job.name} holds"
                style["opacity"] = 0.35
            if is_latest and number == count:
                style["rim"] = "ink"
            edges = {"x": start, "high": end, "y": lane + TOP, "bottom": lane + FOOT}
            if end > start:
                pieces.append({"kind": "bar", "label": words} | edges | style)
    return pieces


def _guess_bracket(scenario: Scenario, guess: str | None) -> list[marks.Row]:
    """Draw a bracket as long as the executors that the visitor predicts under DRF."""
    if scenario.by_hand or guess is None or (scenario.table, scenario.policy_one) != (STORY, "drf"):
        return []
    *others, evaluation = scenario.table
    served = scenario.one.log[: scenario.at]
    start = sum(served.count(job.name) * job.need[1] for job in others) / scenario.pool[1]
    end = start + GUESSES[guess] * evaluation.need[1] / scenario.pool[1]
    foot = HEAD + 1.7
    if end > 1:
        return []
    short = f"you said: {GUESSES[guess]}"
    mark = {"kind": "guess", "x": start, "high": end, "y": foot}
    words = f"{short} to Evaluation"
    return [mark, marks.label(end, foot + 0.18, words, short=short, dx=6, tone="quiet")]


@lru_cache(maxsize=16)
def spec(look: Look, lanes: int) -> dict:
    """Vega specification of the pool's stacked bars, with the line of its capacity."""
    edges = [4.6 * look.text_size, alt.ExprRef("width - 8")]
    quarters = [0, 0.25, 0.5, 0.75, 1]
    base = alt.Chart().encode(
        x=axes.x("x:Q", "share of the pool", [0, 1], range=edges, format=".0%", values=quarters),
        y=axes.y("y:Q", ends=[2 * (HEAD + lanes), 0], axis=None),
    )
    bars = box(
        "bar",
        x2="high:Q",
        y2="bottom:Q",
        stroke=marks.tone(look, "rim"),
        strokeWidth={"expr": "datum.rim === 'ink' ? 2.5 : 1"},
        opacity={"expr": "datum.opacity"},
        tooltip=[
            axes.tip("label:N", "job"),
            axes.tip("x:Q", "from", ".1%"),
            axes.tip("high:Q", "to", ".1%"),
        ],
    )
    frames = box(
        "touch",
        x2="high:Q",
        y2="bottom:Q",
        stroke=marks.tone(look),
        fillOpacity=0.12,
        cornerRadius=5,
        strokeWidth=1.5,
        cursor="pointer",
        tooltip=alt.value(None),
    )
    layers = [
        bars(base, look),
        upright("full", "bad", (6, 3))(base, look),
        span("guess", "quiet", (5, 3), x2="high:Q")(base, look),
        marks.labels(base, look),
        frames(base, look),
    ]
    return specification(alt.layer(*layers), look, 256)


def results(scenario: Scenario) -> list[Result]:
    """Headline numbers of the last step, for pins, records, and reports."""
    numbers = []
    for ordinal, (label, result) in zip(("first", "second"), scenario.both, strict=True):
        counts = ", ".join(f"{name} {count}" for name, count in result.executors.items())
        total = len(result.log)
        text = f"{label}: {counts}; in all {total}"
        numbers.append(Result(f"Executors, {ordinal} policy", total, text))
    return numbers


def draw(page, scenario: Scenario) -> None:
    """Draw the buttons that step through both allocations, or those that allocate by hand."""
    with page.hand, st.container(horizontal=True, key=f"{page.lesson.id}_stepper"):
        if scenario.by_hand:
            _draw_hand(page, scenario)
        else:
            _draw_steps(page, scenario)


def _draw_steps(page, scenario: Scenario) -> None:
    """Draw the buttons for the step before and the next one, on a projector with their keys."""
    prefix = page.lesson.id
    for name, label, key, by in (("previous", "Back", "b", -1), ("forward", "Next step", "f", 1)):
        step = scenario.step + by
        st.button(
            label,
            key=f"{prefix}_{name}",
            on_click=state.put,
            args=(f"{prefix}_step", step),
            disabled=not 0 <= step <= scenario.executors,
            shortcut=key if projector.on() else None,
        )
    _button(page, scenario, "Allocate by hand", "by_hand", empty)


def _draw_hand(page, scenario: Scenario) -> None:
    """Draw a button for each job, one that undoes the last step, and one that empties the pool."""
    fitting = fitting_rows(scenario)
    for row, job in enumerate(scenario.table, 1):
        _button(page, scenario, f"+ {job.name}", f"give_{row}", give, [row], row in fitting)
    is_begun = bool(scenario.given)
    _button(page, scenario, "Undo last step", "take_back", take_back, enabled=is_begun)
    _button(page, scenario, "Empty the pool", "empty", empty, enabled=is_begun)


def _button(page, scenario, label, name, change, rows=(), enabled=True) -> None:
    """Draw a button that does what a tap on these rows would do."""
    press = partial(page.knobs.tap, Taps("give", change), scenario, rows)
    st.button(label, key=f"{page.lesson.id}_{name}", on_click=press, disabled=not enabled)


def verdict(scenario: Scenario) -> Verdict:
    """Return the verdict: what ends the allocations, or which job gets the next executor."""
    if scenario.by_hand:
        return _by_hand(scenario)
    if scenario.step == 0 < scenario.last:
        return Verdict(say("before", scenario))
    if scenario.step < scenario.last:
        one, two = (_served_text(scenario, *labeled) for labeled in scenario.both)
        return Verdict(say("step", scenario, one=one, two=two))
    stops = _stop_sentences(scenario)
    if stops:
        return Verdict(stops, False)
    return Verdict(say("ended", scenario), True)


def smallest(result: Allocation) -> tuple[str, float]:
    """Return the job whose dominant share is smallest, and that share [1]."""
    return min(result.dominant_share.items(), key=lambda item: item[1])


def _by_hand(scenario: Scenario) -> Verdict:
    """Return the verdict on the latest executor, or on the full pool once no executor fits."""
    result = scenario.two
    if not result.log:
        return Verdict(say("hand_before", scenario))
    who, least = smallest(result)
    if result.stop != "no_fit":
        return Verdict(say("hand_step", scenario, **result.history[-1], who=who, least=least))
    rival = smallest(scenario.one)[1]
    scarce = [name for name, free in result.free.items() if free == 0]
    name = "hand_full" if scarce else "hand_stuck"
    text = say(name, scenario, scarce=f.listed(scarce), who=who, least=least, rival=rival)
    return Verdict(text, least >= rival)


def remedies(scenario: Scenario) -> str:
    """Return a sentence on how to continue an allocation that has ended early, or ""."""
    return _stop_sentences(scenario, "fix_")


def _stop_sentences(scenario: Scenario, prefix: str = "") -> str:
    """Return a sentence for each allocation that has ended early.

    Without a prefix it says what has ended the allocation; with "fix_", how to continue.
    """
    sentences = []
    for label, result in scenario.both:
        if result.stop != "max_steps":
            sentences.append(say(prefix + result.stop, scenario, policy=label, result=result))
    return " ".join(sentences)


def _served_text(scenario: Scenario, label: str, result: Allocation) -> str:
    """Return the model's reason for the job that is served at the current step."""
    if scenario.step > len(result.log):
        return say("step_over", scenario, policy=label, result=result)
    return f"{label}: {result.history[scenario.step - 1]['reason']}."


view = View("pool", figure=figure, draw=draw, verdict=verdict, remedies=remedies, below=log.below)
gpus = replace(view, id="gpus")
