"""Stuttering answers, first picture: one GPU's steps and three conversations."""

from itertools import pairwise

import numpy as np
import pandas as pd

from lessons.stuttering_answers.settings import SKIPPED, WHOLE, Chat, say, simulate
from physics import constants as k
from physics.serving import Served
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks
from ui.knobs.declared import knobs_of

#: Length of the strip, time before the typical pause, and room for names at the left [ms].
LENGTH = 1500.0
BEFORE = 400.0
NAMES = 170.0
#: Longest time between two tokens that is no pause, and time between labels on a phone [ms].
PAUSE = 50.0
ROOM = 220.0
#: On the y axis: heights of the answers, foot and top of the steps' boxes, height of the legend.
ROWS = (8.0, 6.2, 4.4)
FOOT = 1.7
TOP = 3.1
LEGEND = 0.7
#: Text in the legend, and color, of each kind of step.
KINDS = {
    "prompt": ("■ whole prompts", "accent"),
    "mixed": ("■ prompt tokens and one token per answer", "good"),
    "writing": ("■ one token per answer", "quiet"),
}
SHORT = {"prompt": "■ prompts", "mixed": "■ both", "writing": "■ answers"}


@chart(say, "strip", x=[-NAMES, LENGTH])
def figure(chat: Chat, guess: str | None = None, playing: bool = False) -> Rows:
    """Chart of the simulated GPU's steps around a typical pause, with three conversations."""
    served = simulate(chat)
    request, start = typical(served)
    rows = _steps(served, start)
    for number, other in enumerate(conversations(served, request, start)):
        rows += _conversation(served, other, start, number)
    if playing:
        words = f"goal: longest pause at most {f.duration(k.STUTTER_PAUSE_TARGET)}, mean"
        rows.append(marks.label(LENGTH, 9.5, words, tone="good", align="right"))
    elif guess:
        words = f"you said: {say(f'said_{guess}', chat)}"
        style = {"tone": "quiet", "align": "right", "short": "you said"}
        rows.append(marks.label(LENGTH, 9.5, words, **style))
    return rows


def typical(served: Served) -> tuple[int, float]:
    """Return the request whose longest pause is nearest to the mean, and the strip's start [s]."""
    pauses = served.requests["pause"][SKIPPED:]
    request = int((pauses - pauses.mean()).abs().idxmin())
    times = served.token_times(request)
    pause_start = times[np.argmax(np.diff(times))]
    return request, float(pause_start) - BEFORE / 1e3


def conversations(served: Served, request: int, start: float) -> list[int]:
    """Return a request and the two others whose answers are written longest during the strip."""
    requests = served.requests
    ends = requests["end"].clip(upper=start + LENGTH / 1e3)
    writing = (ends - requests["first_token"].clip(lower=start)).drop(request)
    others = writing[writing > 0].nlargest(len(ROWS) - 1)
    return [request, *others.index]


def kinds_of(served: Served) -> pd.Series:
    """Return the kind of each step of the GPU, a key of `KINDS`."""
    with_prompt = "prompt" if served.whole_prompts else "mixed"
    return (served.steps["prompt_tokens"] > 0).map({True: with_prompt, False: "writing"})


def _steps(served: Served, start: float) -> Rows:
    """Return the boxes of the steps during the strip, and the legend of their kinds."""
    steps = served.steps
    kinds = kinds_of(served)
    starts = (steps["start"] - start) * 1e3
    ends = starts + steps["duration"] * 1e3
    inside = (ends > 0) & (starts < LENGTH)
    rows = []
    x = 0.0
    for kind, (words, tone) in KINDS.items():
        of_kind = inside & (kinds == kind)
        if not of_kind.any():
            continue
        left = starts[of_kind].clip(lower=0)
        right = ends[of_kind].clip(upper=LENGTH)
        gap = np.minimum(1.2, (right - left) / 4)
        rows.append({"kind": kind, "x": left, "x2": right - gap, "y": FOOT, "y2": TOP})
        rows.append(marks.label(x, LEGEND, words, short=SHORT[kind], tone=tone))
        x += LENGTH / 2
    return [*rows, marks.label(-NAMES, (FOOT + TOP) / 2, "steps", tone="quiet")]


def _conversation(served: Served, request: int, start: float, number: int) -> Rows:
    """Return a dot for each token of an answer, and a labeled line for each pause."""
    height = ROWS[number]
    times = (served.token_times(request) - start) * 1e3
    inside = times[(times >= 0) & (times <= LENGTH)]
    kind = "token" if number == 0 else "other token"
    rows = [marks.label(-NAMES, height, f"answer {number + 1}", short=f"{number + 1}")]
    if len(inside):
        rows.append({"kind": kind, "x": inside, "y": height})
    last_label = -ROOM
    for left, right in pairwise(times):
        if right - left > PAUSE and right > 0 and left < LENGTH:
            ends = (max(left, 0.0), min(right, LENGTH))
            rows.append({"kind": "stop", "x": ends[0], "x2": ends[1], "y": height})
            words = f"{right - left:.0f} ms"
            style = {"align": "center", "tone": "bad", "bold": number == 0, "dy": -12}
            middle = sum(ends) / 2
            if middle - last_label < ROOM:
                style["short"] = ""
            else:
                last_label = middle
            rows.append(marks.label(middle, height, words, **style))
    return rows


@verdict_of(say)
def verdict(chat: Chat) -> Outcome:
    """Return the verdict on why an answer pauses while it is being written."""
    if chat.now.grows:
        return "grows", False
    if not chat.calm and chat.piece == WHOLE:
        return "stops_whole", False
    if not chat.calm:
        return "stops_piece", False
    if not chat.prompt_answer:
        return "late", False
    return "steady", True


def remedies(chat: Chat) -> str:
    """Return a sentence with the fix for the message's case, or "" if nothing needs fixing."""
    if chat.calm and chat.prompt_answer:
        return ""
    return say("fix", chat)


@verdict_of(say)
def judge(chat: Chat) -> Outcome:
    """Return the verdict on the challenge: won, or the first goal that is missed."""
    if chat != Chat(chat.piece, chat.rate, prompt_gpus=chat.prompt_gpus):
        return "changed", False
    if not chat.calm:
        return "stopping", False
    if not chat.prompt_answer:
        return "too_late", False
    if _higher_rate_works(chat):
        return "more_can", False
    return "won", True


def _higher_rate_works(chat: Chat) -> bool:
    """Return whether the next higher rate meets both goals with some option of `piece`."""
    rate = chat.rate + k.STUTTER_RATE.step
    if rate > k.STUTTER_RATE.high:
        return False
    for piece in knobs_of(Chat)["piece"].choices({}):
        tried = Chat(piece, rate)
        if tried.calm and tried.prompt_answer:
            return True
    return False


view = View("strip", figure=figure, verdict=verdict, remedies=remedies)
