"""Stuttering answers, second picture: longest pause and first token by tokens per step."""

import math
from dataclasses import replace

from lessons.stuttering_answers.settings import PIECES, WHOLE, Chat, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab, View
from ui.charts import Rows, chart, curve, marks

#: Ends of the axis of times [ms], and position of whole prompts on the axis of tokens.
LOW = 4.0
TOP = 4000.0
AT_WHOLE = 8192
#: Curves: the field of `Means`, which is also the rows' kind, with its color and its name.
CURVES = (("stop", "bad", "longest pause"), ("first", "accent", "first token"))
#: Position of each option on the axis [tokens].
PLACES = {WHOLE: AT_WHOLE} | {str(size): size for size in PIECES}


def nearest(x: float) -> str:
    """Return the option whose position on the axis is nearest, by ratio."""
    return min(PLACES, key=lambda name: abs(math.log(PLACES[name] / x)))


@chart(say, "pieces", y=[LOW, TOP], grab=Grab("piece", choose=nearest))
def figure(chat: Chat, playing: bool = False) -> Rows:
    """Chart of time to first token and longest pause by number of tokens per step."""
    runs = {x: replace(chat, piece=piece).now for piece, x in PLACES.items()}
    x = PLACES[chat.piece]
    rows = []
    for kind, tone, name in CURVES:
        times = {x: getattr(run, kind) * 1e3 for x, run in runs.items()}
        rows += curve(kind, times, TOP)
        words = f"{name} {f.duration(times[x] / 1e3)}"
        side = -12 if x > 1000 else 12
        dy = -14 if kind == "first" else 14
        rows += marks.here(x, times[x], words, top=TOP, fill=tone, dx=side, dy=dy)
    if playing:
        goals = (k.STUTTER_PAUSE_TARGET, k.STUTTER_FIRST_TARGET)
        for (kind, tone, _), goal in zip(CURVES, goals, strict=True):
            words = f"goal: {f.duration(goal)}"
            rows += marks.limit(f"{kind} goal", 115, goal * 1e3, words, tone=tone, dx=4, dy=-8)
    return rows


view = View("pieces", figure=figure)
