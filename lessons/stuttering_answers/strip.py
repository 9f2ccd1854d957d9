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

#: Length of the strip, how much of it comes before the marked stop, and the room for names [ms].
LENGTH = 1500.0
BEFORE = 400.0
NAMES = 170.0
#: Gaps between two tokens that are marked as stops [ms], and how far apart a phone writes two.
MARKED = 50.0
ROOM = 220.0
#: Heights of the conversations, of the steps' boxes, and of their names, from the foot.
ROWS = (8.0, 6.2, 4.4)
FOOT = 1.7
HEAD = 3.1
NAMED = 0.7
#: What each kind of step is called, and the tone of its boxes.
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
    shown, start = typical(served)
    rows = _steps(served, start)
    for number, request in enumerate(conversations(served, shown, start)):
        rows += _conversation(served, request, start, number)
    if playing:
        words = f"goal: longest pause at most {f.duration(k.STUTTER_PAUSE_TARGET)}, mean"
        rows.append(marks.label(LENGTH, 9.5, words, tone="good", align="right"))
    elif guess:
        words = f"you said: {say(f'said_{guess}', chat)}"
        style = {"tone": "quiet", "align": "right", "short": "you said"}
        rows.append(marks.label(LENGTH, 9.5, words, **style))
    return rows


def typical(served: Served) -> tuple[int, float]:
    """Return the answer with the most typical longest pause, and the strip's start [s]."""
    pauses = served.requests["pause"][SKIPPED:]
    shown = int((pauses - pauses.mean()).abs().idxmin())
    times = served.token_times(shown)
    stopped = times[np.argmax(np.diff(times))]
    return shown, float(stopped) - BEFORE / 1e3


def conversations(served: Served, shown: int, start: float) -> list[int]:
    """Return this answer and the two others written for the longest time during the strip."""
    requests = served.requests
    ends = requests["end"].clip(upper=start + LENGTH / 1e3)
    writing = (ends - requests["first_token"].clip(lower=start)).drop(shown)
    others = writing[writing > 0].nlargest(len(ROWS) - 1)
    return [shown, *others.index]


def kinds_of(served: Served) -> pd.Series:
    """Return the kind of each step of the GPU."""
    with_prompt = "prompt" if served.whole_prompts else "mixed"
    return (served.steps["prompt_tokens"] > 0).map({True: with_prompt, False: "writing"})


def _steps(served: Served, start: float) -> Rows:
    """Boxes of the steps during the strip, and what their tones mean."""
    steps = served.steps
    kinds = kinds_of(served)
    begin = (steps["start"] - start) * 1e3
    end = begin + steps["duration"] * 1e3
    seen = (end > 0) & (begin < LENGTH)
    rows = []
    x = 0.0
    for kind, (words, tone) in KINDS.items():
        drawn = seen & (kinds == kind)
        if not drawn.any():
            continue
        left = begin[drawn].clip(lower=0)
        right = end[drawn].clip(upper=LENGTH)
        gap = np.minimum(1.2, (right - left) / 4)
        rows.append({"kind": kind, "x": left, "x2": right - gap, "y": FOOT, "y2": HEAD})
        rows.append(marks.label(x, NAMED, words, short=SHORT[kind], tone=tone))
        x += LENGTH / 2
    return [*rows, marks.label(-NAMES, (FOOT + HEAD) / 2, "steps", tone="quiet")]


def _conversation(served: Served, request: int, start: float, number: int) -> Rows:
    """Dots of one answer's tokens, with its stops."""
    height = ROWS[number]
    times = (served.token_times(request) - start) * 1e3
    seen = times[(times >= 0) & (times <= LENGTH)]
    kind = "token" if number == 0 else "other token"
    rows = [marks.label(-NAMES, height, f"answer {number + 1}", short=f"{number + 1}")]
    if len(seen):
        rows.append({"kind": kind, "x": seen, "y": height})
    named = -ROOM
    for left, right in pairwise(times):
        if right - left > MARKED and right > 0 and left < LENGTH:
            ends = (max(left, 0.0), min(right, LENGTH))
            rows.append({"kind": "stop", "x": ends[0], "x2": ends[1], "y": height})
            words = f"{right - left:.0f} ms"
            style = {"align": "center", "tone": "bad", "bold": number == 0, "dy": -12}
            middle = sum(ends) / 2
            if middle - named < ROOM:
                style["short"] = ""
            else:
                named = middle
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
    if _more_can(chat):
        return "more_can", False
    return "won", True


def _more_can(chat: Chat) -> bool:
    """Return whether the next higher rate meets both goals with some size of the steps."""
    rate = chat.rate + k.STUTTER_RATE.step
    if rate > k.STUTTER_RATE.high:
        return False
    for piece in knobs_of(Chat)["piece"].choices({}):
        tried = Chat(piece, rate)
        if tried.calm and tried.prompt_answer:
            return True
    return False


view = View("strip", figure=figure, verdict=verdict, remedies=remedies)
