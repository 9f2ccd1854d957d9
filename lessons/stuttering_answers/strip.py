"""Stuttering answers, first picture: the steps of one GPU, and the tokens of three
conversations.
"""

from itertools import pairwise

import numpy as np
import pandas as pd

from lessons.stuttering_answers.settings import SKIPPED, WHOLE, Chat, say, simulate
from lessons.stuttering_answers.settings import simulated_means as means_of
from physics import constants as k
from physics.serving import Served
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.charts import axes, box, layer, marks, picture, span
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


@picture(
    say,
    "strip",
    "What does the GPU compute, and when do readers get a token?",
    axes.x(
        "ms:Q",
        "milliseconds",
        [-NAMES, LENGTH],
        values=[0, 250, 500, 750, 1000, 1250, 1500],
        grid=False,
    ),
    axes.y("row:Q", None, [0, 10], axis=None),
    *(box(kind, tone, stroke=None, strokeWidth=0) for kind, (_, tone) in KINDS.items()),
    layer("token", "circle", "accent", size=16, opacity=1),
    layer("other token", "circle", "quiet", size=12, opacity=1),
    span("stop", "bad", width=5, x2="x2:Q"),
)
def figure(chat: Chat, guess: str | None = None, playing: bool = False) -> list[marks.Row]:
    """Chart of the simulated GPU's steps around a typical pause, with the tokens of three
    conversations.
    """
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
        looks = {"tone": "quiet", "align": "right", "short": "you said"}
        rows.append(marks.label(LENGTH, 9.5, words, **looks))
    return rows


def typical(served: Served) -> tuple[int, float]:
    """Return the answer whose longest pause is nearest to the mean, and the start of the strip
    [s].
    """
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


def _steps(served: Served, start: float) -> list[marks.Row]:
    """Boxes of the steps during the strip, and what their tones mean."""
    steps = served.steps
    kinds = kinds_of(served)
    begin = (steps["start"] - start) * 1e3
    end = begin + steps["duration"] * 1e3
    seen = (end > 0) & (begin < LENGTH)
    rows = []
    place = 0.0
    for kind, (words, tone) in KINDS.items():
        drawn = seen & (kinds == kind)
        if not drawn.any():
            continue
        left = begin[drawn].clip(lower=0)
        right = end[drawn].clip(upper=LENGTH)
        gap = np.minimum(1.2, (right - left) / 4)
        rows.append({"kind": kind, "x": left, "x2": right - gap, "y": FOOT, "y2": HEAD})
        rows.append(marks.label(place, NAMED, words, short=SHORT[kind], tone=tone))
        place += LENGTH / 2
    return [*rows, marks.label(-NAMES, (FOOT + HEAD) / 2, "steps", tone="quiet")]


def _conversation(served: Served, request: int, start: float, number: int) -> list[marks.Row]:
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
            looks = {"align": "center", "tone": "bad", "bold": number == 0, "dy": -12}
            middle = sum(ends) / 2
            if middle - named < ROOM:
                looks["short"] = ""
            else:
                named = middle
            rows.append(marks.label(middle, height, words, **looks))
    return rows


def verdict(chat: Chat) -> Verdict:
    """Return the verdict on why an answer pauses while it is being written."""
    if chat.now.grows:
        return Verdict(say("grows", chat), False)
    if not chat.calm:
        return Verdict(say("stops_whole" if chat.piece == WHOLE else "stops_piece", chat), False)
    if not chat.prompt_answer:
        return Verdict(say("late", chat), False)
    return Verdict(say("steady", chat), True)


def remedies(chat: Chat) -> str:
    """Return the fix for the message's case."""
    if chat.calm and chat.prompt_answer:
        return ""
    return say("fix", chat)


def judge(chat: Chat) -> Verdict:
    """Judge the challenge: won, or the first goal that is missed."""
    expected = Chat(chat.piece, chat.rate, prompt_gpus=chat.prompt_gpus)
    misses = {
        "changed": chat != expected,
        "stopping": not chat.calm,
        "too_late": not chat.prompt_answer,
    }
    missed = next((name for name, missing in misses.items() if missing), "")
    if not missed and _more_can(chat):
        missed = "more_can"
    return Verdict(say(missed or "won", chat), not missed)


def _more_can(chat: Chat) -> bool:
    """Return whether the next higher rate meets both goals with some size of the steps."""
    rate = chat.rate + k.STUTTER_RATE.step
    if rate > k.STUTTER_RATE.high:
        return False
    for piece in knobs_of(Chat)["piece"].choices({}):
        tried = means_of(Chat(piece, rate))
        if tried.stop <= k.STUTTER_PAUSE_TARGET and tried.first <= k.STUTTER_FIRST_TARGET:
            return True
    return False
