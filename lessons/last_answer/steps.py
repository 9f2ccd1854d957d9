"""The last answer, first picture: the GPUs' slots during one step, each with its answers."""

from dataclasses import replace

import numpy as np

from lessons.last_answer.settings import Rollout, play, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks
from ui.knobs.declared import knobs_of

#: Right end of the axis [min], and maximum number of slots in the chart.
END = 16.0
MAX_SLOTS = 64
#: On the y axis: foot and top of the slots, and height of the curve of busy slots.
FOOT = 24.0
TOP = 98.0
STRIP = 16.0
#: Busy share of the slots below which a step mostly waits [1].
WAITS = 0.3
#: Length of a step that each option of the prediction means [min].
GUESSES = {"a": 15.0, "b": 11.0, "c": 8.0, "d": 9.5}


@chart(say, "steps", x=[0, END])
def figure(rollout: Rollout, guess: str | None = None, playing: bool = False) -> Rows:
    """Chart of one simulated step: answers on up to 64 slots, and the busy share of all slots."""
    table = play(rollout)
    step = float(table["end"].max()) / k.MINUTE
    rows = [*_slots(rollout, step), *_share(rollout, step)]
    words = f"last answer: {f.significant(step, 2)} min"
    if step > END:
        words += " →"
    side = -6 if step > END / 2 else 6
    rows.append({"kind": "end", "x": min(step, END)})
    rows.append(marks.label(min(step, END), TOP + 4, words, dx=side, tone="accent", bold=True))
    if playing:
        goal = Rollout().step / k.MINUTE
        rows += marks.limit("goal", goal, TOP + 12, f"goal: {f.significant(goal)} min", dx=6)
    elif guess in GUESSES:
        minutes = GUESSES[guess]
        words = f"you said: {f.significant(minutes)} min"
        dx = -12 if minutes > END / 2 else 12
        rows += marks.guess(minutes, TOP + 12, words, size=120, dx=dx)
    return rows


def _slots(rollout: Rollout, step: float) -> Rows:
    """Return bars of the answers and of idle time on some slots, in the order of their ends."""
    table = play(rollout)
    slot_ends = np.zeros(rollout.places)
    ends = table.groupby("place")["end"].max()
    slot_ends[ends.index] = ends
    last_answer = table[table["kept"]]["end"].idxmax()
    # Among the slots that end with the step, this one is on top.
    slot_ends[table["place"][last_answer]] += 1e-6
    count = min(MAX_SLOTS, rollout.places)
    chosen = np.linspace(0, rollout.places - 1, count).round().astype(int)
    slots = np.argsort(slot_ends, kind="stable")[chosen]
    feet = FOOT + (TOP - FOOT) / count * np.arange(count)
    height = 0.8 * (TOP - FOOT) / count
    rows = []
    left = np.minimum(slot_ends[slots] / k.MINUTE, END)
    idle = left < min(step, END)
    if idle.any():
        edges = {"x": left[idle], "x2": min(step, END), "y": feet[idle], "y2": feet[idle] + height}
        rows.append({"kind": "idle"} | edges)
    table = table[table["place"].isin(slots) & (table["start"] / k.MINUTE < END)]
    is_last = table.index == last_answer
    kinds = {"answer": table["kept"] & ~is_last, "dropped": ~table["kept"], "last": is_last}
    for kind, mask in kinds.items():
        answers = table[mask]
        if len(answers):
            left = answers["start"] / k.MINUTE
            right = np.minimum(answers["end"] / k.MINUTE, END)
            gap = np.minimum(0.04, (right - left) / 2)
            low = answers["place"].map(dict(zip(slots, feet, strict=True)))
            edges = {"x": left, "x2": right - gap, "y": low, "y2": low + height}
            rows.append({"kind": kind} | edges)
    return rows


def _share(rollout: Rollout, step: float) -> Rows:
    """Return the curve of the busy slots from the start of the step to its end, and its label."""
    table = play(rollout)
    times = np.linspace(0, min(step, END), 121)
    starts = np.sort(table["start"].to_numpy() / k.MINUTE)
    ends = np.sort(table["end"].to_numpy() / k.MINUTE)
    started = np.searchsorted(starts, times, side="right")
    ended = np.searchsorted(ends, times, side="right")
    heights = STRIP * (started - ended) / rollout.places
    words = f"busy slots: {f.share(rollout.busy, 2)} on average"
    return [
        {"kind": "share", "x": times, "y": heights},
        marks.label(END, STRIP + 3, words, short="busy slots", align="right"),
    ]


@verdict_of(say)
def verdict(rollout: Rollout) -> Outcome:
    """Return the verdict on what determines the length of a step."""
    if rollout.cut_short:
        return "cuts", False
    if not rollout.long_enough:
        return "too_short", False
    if rollout.busy < WAITS:
        return "waits", False
    return "writes", True


def remedies(rollout: Rollout) -> str:
    """Return a sentence with the fix for the message's case, or "" if nothing needs fixing."""
    if rollout.busy >= WAITS and rollout.long_enough:
        return ""
    return say("fix", rollout)


@verdict_of(say)
def judge(rollout: Rollout) -> Outcome:
    """Return the verdict on the challenge: won, or the first goal that is missed."""
    if rollout != Rollout(rollout.gpus, extra=rollout.extra):
        return "changed", False
    if not rollout.in_time:
        return "too_slow", False
    if not rollout.long_enough:
        return "too_biased", False
    if _fewer_gpus_work(rollout):
        return "fewer_can", False
    return "won", True


def _fewer_gpus_work(rollout: Rollout) -> bool:
    """Return whether fewer GPUs meet both goals with some share of extra answers."""
    shares = knobs_of(Rollout)["extra"].values({})
    for gpus in knobs_of(Rollout)["gpus"].values({}):
        if gpus >= rollout.gpus:
            return False
        for extra in shares:
            tried = replace(rollout, gpus=gpus, extra=extra)
            if tried.in_time and tried.long_enough:
                return True
    return False


view = View("steps", figure=figure, verdict=verdict, remedies=remedies)
