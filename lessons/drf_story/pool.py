"""DRF story: the pool by resource, filled one executor at a time under two policies or by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

import altair as alt
import streamlit as st

from lessons.drf_story import log
from lessons.drf_story.jobs import NAMES, STORY, UNITS
from lessons.drf_story.settings import Scenario, say
from physics.fairness import Allocation
from ui.base import format as f
from ui.base import state
from ui.base.lesson import Figure, Result, Taps, Verdict, View
from ui.charts import Look, axes, box, marks, span, specification, stack, upright
from ui.charts.axes import tip
from ui.page import projector

#: What each answer of the prediction gives to Evaluation.
GUESSES = {"a": 4, "b": 6, "c": 8, "d": 5}
HEAD = 0.8  #: height of a policy's headline, in heights of a bar's lane
#: In a bar's lane: the bar's edges and middle, and the middle of the gap below it, which has room
#: for a line of text.
TOP = 0.06
MIDDLE = 0.31
FOOT = 0.56
BELOW = 0.81
ROOM = 0.75  #: share of the pool up to which there is room for a label behind a bar
NAMED = 0.36  #: share of the width that a headline leaves to the policy's name
Row = dict[str, object]


def tapped(scenario: Scenario, rows: Sequence) -> Mapping[str, object]:
    """Return the settings after clicks on jobs, each of which gets one executor if it fits."""
    given = scenario.given
    for row in rows:
        if row in room(replace(scenario, given=given)):
            given = (*given, row)
    return {"policy_two": "hand", "given": given}


def taken_back(scenario: Scenario, rows: Sequence) -> Mapping[str, object]:
    """Return the settings without the executor that was allocated last."""
    return {"policy_two": "hand", "given": scenario.given[:-1]}


def emptied(scenario: Scenario, rows: Sequence) -> Mapping[str, object]:
    """Return the settings for an empty pool that the visitor fills by hand."""
    return {"policy_two": "hand", "given": ()}


def room(scenario: Scenario) -> list[int]:
    """List the rows of the jobs that can still get an executor by hand."""
    given = scenario.given
    steps = len(scenario.two.log)
    able = []
    for row in range(1, len(scenario.table) + 1):
        more = replace(scenario, given=(*given, row))
        if len(more.two.log) > steps:
            able.append(row)
    return able


def figure(scenario: Scenario, look: Look, guess: str | None = None) -> Figure:
    """Chart of the used resources at the current step, in both halves of the pool."""
    lanes = len(scenario.pool)
    rows: list[Row] = [{"kind": "full", "x": 1.0}]
    said = []
    for half, (policy, result) in enumerate(scenario.both):
        served = result.log[: scenario.at]
        top = half * (HEAD + lanes)
        words = f"{policy}, {len(served)}"
        if not scenario.by_hand:
            words += f" of {scenario.executors}"
        heads = _heads(scenario, served, top + HEAD / 2)
        rows += [marks.label(0, top + HEAD / 2, words, bold=True, short=policy), *heads]
        said.append(f"{words}: {', '.join(str(head['label']) for head in heads)}.")
        for resource in range(lanes):
            rows += _lane(scenario, served, resource, top + HEAD + resource)
    taps = None
    title = "How full is the pool, and which job got the executors?"
    if scenario.by_hand:
        title = "Tap a job in the lower half to give it an executor"
        taps = Taps("give", tapped)
        rows += _touch(scenario, lanes)
    height = 128 * (HEAD + lanes) / (HEAD + 2)
    if look.present:
        height *= 1.22
    drawn = dict(spec(look, lanes)) | {"height": round(2 * height)}
    rows += _guessed(scenario, guess)
    return Figure("pool", title, stack(rows), drawn, " ".join(said), taps=taps)


def _lane(scenario: Scenario, served: list[str], resource: int, lane: float) -> list[Row]:
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
    named = marks.label(0, lane + MIDDLE, name, dx=-6, short=name.replace("memory", "mem."))
    return [*pieces, named, marks.label(**free)]


def _heads(scenario: Scenario, served: list[str], y: float) -> list[Row]:
    """Name each job in its color, with its new executors."""
    width = (1 - NAMED) / len(scenario.table)
    heads = []
    for i, job in enumerate(scenario.table):
        count = f"+{served.count(job.name)}"
        words = f"{job.name[: int(110 * width) - 4]} {count}"
        short = f"{job.name[:1]} {count}"
        heads.append(marks.label(NAMED + i * width, y, words, short=short, tone=f"s{i}", bold=True))
    return heads


def _touch(scenario: Scenario, lanes: int) -> list[Row]:
    """Draw a frame that can be tapped around each job of the lower half; gray once it cannot get
    another executor.
    """
    width = (1 - NAMED) / len(scenario.table)
    top = HEAD + lanes
    able = room(scenario)
    frame = {"kind": "touch", "y": top + 0.06, "bottom": top + HEAD - 0.06}
    frames = []
    for i in range(len(scenario.table)):
        left = NAMED + i * width - 0.012
        ends = {"x": left, "high": left + width - 0.01}
        tone = f"s{i}" if i + 1 in able else "faint"
        frames.append(frame | ends | {"give": i + 1, "tone": tone})
    return frames


def _pieces(scenario: Scenario, served: list[str], resource: int, lane: float) -> list[Row]:
    """List the pieces of one bar: of each job what it holds, pale, and its executors; the latest
    one has a rim.
    """
    end = 0.0
    pieces = []
    size = scenario.pool[resource]
    for i, job in enumerate(scenario.table):
        count = served.count(job.name)
        is_latest = len(served) == scenario.at and served[-1:] == [job.name]
        for number in range(count + 1):
            start = end
            style: Row = {"tone": f"s{i}", "opacity": 1.0, "rim": "paper"}
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


def _guessed(scenario: Scenario, guess: str | None) -> list[Row]:
    """What the visitor said that Evaluation gets: a bracket as long as so many of its executors,
    under DRF.
    """
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
        tooltip=[tip("label:N", "job"), tip("x:Q", "from", ".1%"), tip("high:Q", "to", ".1%")],
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
    kept = []
    for ordinal, (label, result) in zip(("first", "second"), scenario.both, strict=True):
        counts = ", ".join(f"{name} {count}" for name, count in result.executors.items())
        total = len(result.log)
        text = f"{label}: {counts}; in all {total}"
        kept.append(Result(f"Executors, {ordinal} policy", total, text))
    return kept


def draw(page, scenario: Scenario) -> None:
    """Draw the buttons that step through both allocations, or those that allocate by hand."""
    with page.hand, st.container(horizontal=True, key=f"{page.lesson.id}_stepper"):
        if scenario.by_hand:
            _draw_hand(page, scenario)
        else:
            _draw_steps(page, scenario)


def _draw_steps(page, scenario: Scenario) -> None:
    """Draw a button for each way of a step; on a projector each also has a key."""
    prefix = page.lesson.id
    for name, label, by in (("previous", "Back", -1), ("forward", "Next step", 1)):
        step = scenario.step + by
        st.button(
            label,
            key=f"{prefix}_{name}",
            on_click=state.put,
            args=(f"{prefix}_step", step),
            disabled=not 0 <= step <= scenario.executors,
            shortcut={-1: "b", 1: "f"}[by] if projector.on() else None,
        )
    _button(page, scenario, "Allocate by hand", "by_hand", emptied)


def _draw_hand(page, scenario: Scenario) -> None:
    """Draw a button for each job, and what takes an executor back or all of them."""
    able = room(scenario)
    for row, job in enumerate(scenario.table, 1):
        _button(page, scenario, f"+ {job.name}", f"give_{row}", tapped, [row], row in able)
    is_begun = bool(scenario.given)
    _button(page, scenario, "Undo last step", "take_back", taken_back, enabled=is_begun)
    _button(page, scenario, "Empty the pool", "empty", emptied, enabled=is_begun)


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
        one, two = (_served(scenario, *labeled) for labeled in scenario.both)
        return Verdict(say("step", scenario, one=one, two=two))
    stopped = _stopped(scenario)
    if stopped:
        return Verdict(stopped, False)
    return Verdict(say("ended", scenario), True)


def smallest(result: Allocation) -> tuple[str, float]:
    """Return the job whose dominant share is smallest, and that share [1]."""
    return min(result.dominant_share.items(), key=lambda item: item[1])


def _by_hand(scenario: Scenario) -> Verdict:
    """Say what the latest executor has changed; once none fits, what is scarce."""
    result = scenario.two
    if not result.log:
        return Verdict(say("hand_before", scenario))
    who, least = smallest(result)
    rival = smallest(scenario.one)[1]
    if result.stop == "no_fit":
        scarce = [name for name, free in result.free.items() if free == 0]
        words = {"scarce": f.listed(scarce), "who": who, "least": least, "rival": rival}
        name = "hand_stuck"
        if scarce:
            name = "hand_full"
        return Verdict(say(name, scenario, **words), least >= rival)
    last = result.history[-1]
    return Verdict(say("hand_step", scenario, **last, who=who, least=least))


def remedies(scenario: Scenario) -> str:
    """Return a sentence on how to continue an allocation that has ended early, or ""."""
    return _stopped(scenario, "fix_")


def _stopped(scenario: Scenario, prefix: str = "") -> str:
    """Say of each hand-out that has stopped early what stops it, or what the sentences with a
    prefix say.
    """
    sentences = []
    for label, result in scenario.both:
        if result.stop != "max_steps":
            sentences.append(say(prefix + result.stop, scenario, policy=label, result=result))
    return " ".join(sentences)


def _served(scenario: Scenario, label: str, result: Allocation) -> str:
    """Who is served at the shown step, as the model gives its reason."""
    if scenario.step > len(result.log):
        return say("step_over", scenario, policy=label, result=result)
    return f"{label}: {result.history[scenario.step - 1]['reason']}."


view = View("pool", figure=figure, draw=draw, verdict=verdict, remedies=remedies, below=log.below)
gpus = replace(view, id="gpus")
