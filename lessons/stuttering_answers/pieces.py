"""Stuttering answers, second picture: longest pause and first token by step size."""

from dataclasses import replace

from lessons.stuttering_answers.settings import PIECES, WHOLE, Chat, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab, View
from ui.charts import marks
from ui.charts.described import Rows, chart, curve

#: Ends of the axis of times [ms], and where whole prompts stand on that of tokens.
LOW = 4.0
TOP = 4000.0
AT_WHOLE = 8192
#: Kinds of rows with their tone and what is drawn.
DRAWN = (("stop", "bad", "longest pause"), ("first", "accent", "first token"))
PLACES = {WHOLE: AT_WHOLE} | {str(size): size for size in PIECES}


def nearest(place: float) -> str:
    """Return the option whose position on the axis is nearest."""
    return min(PLACES, key=lambda name: abs(PLACES[name] / place - 1))


@chart(say, "pieces", y=[LOW, TOP], grab=Grab("piece", choose=nearest))
def figure(chat: Chat, playing: bool = False) -> Rows:
    """Chart of time to first token and longest pause by number of tokens per step."""
    runs = {place: replace(chat, piece=piece).now for piece, place in PLACES.items()}
    place = PLACES[chat.piece]
    rows = []
    for kind, tone, name in DRAWN:
        times = {place: getattr(run, kind) * 1e3 for place, run in runs.items()}
        rows += curve(kind, times, TOP)
        words = f"{name} {f.duration(times[place] / 1e3)}"
        side = -12 if place > 1000 else 12
        dy = -14 if kind == "first" else 14
        rows += marks.here(place, times[place], words, top=TOP, fill=tone, dx=side, dy=dy)
    if playing:
        goals = (k.STUTTER_PAUSE_TARGET, k.STUTTER_FIRST_TARGET)
        for (kind, tone, _), goal in zip(DRAWN, goals, strict=True):
            words = f"goal: {f.duration(goal)}"
            rows += marks.limit(f"{kind} goal", 115, goal * 1e3, words, tone=tone, dx=4, dy=-8)
    return rows


view = View("pieces", figure=figure)
