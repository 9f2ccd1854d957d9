"""The last answer, first picture: the GPUs' slots during one step, each with its answers."""

from dataclasses import replace

import numpy as np

from lessons.last_answer.settings import Rollout, play, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks
from ui.knobs.declared import knobs_of

#: Right end of the axis [min], and how many places are drawn at most.
END = 16.0
DRAWN = 64
#: Heights of the places' foot and top, and of the strip of the share that writes.
FOOT = 24.0
TOP = 98.0
STRIP = 16.0
#: Share of the places' time below which a step mostly waits [1].
WAITS = 0.3
#: Minutes that each option of the prediction says.
SAID = {"a": 15.0, "b": 11.0, "c": 8.0, "d": 9.5}


@chart(say, "steps", x=[0, END])
def figure(rollout: Rollout, guess: str | None = None, playing: bool = False) -> Rows:
    """Chart of one simulated step: answers on up to 64 slots, and the busy share of all slots."""
    table = play(rollout)
    step = float(table["end"].max()) / k.MINUTE
    rows = [*_places(rollout, step), *_share(rollout, step)]
    words = f"last answer: {f.significant(step, 2)} min"
    if step > END:
        words += " →"
    side = -6 if step > END / 2 else 6
    rows.append({"kind": "end", "x": min(step, END)})
    rows.append(marks.label(min(step, END), TOP + 4, words, dx=side, tone="accent", bold=True))
    if playing:
        goal = Rollout().step / k.MINUTE
        rows += marks.limit("goal", goal, TOP + 12, f"goal: {f.significant(goal)} min", dx=6)
    elif guess in SAID:
        said = SAID[guess]
        words = f"you said: {f.significant(said)} min"
        dx = -12 if said > END / 2 else 12
        rows += marks.guess(said, TOP + 12, words, size=120, dx=dx)
    return rows


def _places(rollout: Rollout, step: float) -> Rows:
    """Bars of the answers on some of the places, sorted by when a place has nothing left."""
    table = play(rollout)
    done = np.zeros(rollout.places)
    ends = table.groupby("place")["end"].max()
    done[ends.index] = ends
    finisher = table[table["kept"]]["end"].idxmax()
    done[table["place"][finisher]] += 1e-6  # of those that end with the step it is drawn on top
    order = np.argsort(done, kind="stable")
    count = min(DRAWN, rollout.places)
    drawn = order[np.linspace(0, rollout.places - 1, count).round().astype(int)]
    tall = (TOP - FOOT) / count
    heights = {int(answer): FOOT + tall * number for number, answer in enumerate(drawn)}
    table = table[table["place"].isin(heights)]
    foot = table["place"].map(heights)
    start = table["start"] / k.MINUTE
    end = table["end"] / k.MINUTE
    last = table.index == finisher
    kinds = {"answer": table["kept"] & ~last, "dropped": ~table["kept"], "last": last}
    rows = []
    for kind, chosen in kinds.items():
        chosen &= start < END
        left = start[chosen]
        low = foot[chosen]
        if len(left):
            right = np.minimum(end[chosen], END)
            gap = np.minimum(0.04, (right - left) / 2)
            edges = {"x": left, "x2": right - gap, "y": low, "y2": low + 0.8 * tall}
            rows.append({"kind": kind} | edges)
    left = np.array([min(done[answer] / k.MINUTE, END) for answer in heights])
    stands = left < min(step, END)
    low = np.array(list(heights.values()))
    if stands.any():
        idle = {"x": left[stands], "x2": min(step, END), "y": low[stands]}
        rows.insert(0, {"kind": "idle", "y2": low[stands] + 0.8 * tall} | idle)
    return rows


def _share(rollout: Rollout, step: float) -> Rows:
    """Share of all places that write, from the start of the step to its end."""
    table = play(rollout)
    times = np.linspace(0, min(step, END), 121)
    starts = np.sort(table["start"].to_numpy() / k.MINUTE)
    ends = np.sort(table["end"].to_numpy() / k.MINUTE)
    begun = np.searchsorted(starts, times, side="right")
    over = np.searchsorted(ends, times, side="right")
    heights = STRIP * (begun - over) / rollout.places
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
    if _fewer_can(rollout):
        return "fewer_can", False
    return "won", True


def _fewer_can(rollout: Rollout) -> bool:
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
