"""Stuttering answers, second picture: longest pause and time to first token against tokens per
step.
"""

from dataclasses import replace

from lessons.stuttering_answers.settings import PIECES, WHOLE, Chat, say, simulated_means
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab
from ui.charts import axes, level, line, marks, picture

#: Ends of the axis of times [ms], and where whole prompts stand on that of tokens.
LOW = 4.0
TOP = 4000.0
AT_WHOLE = 8192
PLACES = {WHOLE: AT_WHOLE} | {str(size): size for size in PIECES}


def nearest(place: float) -> str:
    """Return the option whose position on the axis is nearest."""
    return min(PLACES, key=lambda name: abs(PLACES[name] / place - 1))


@picture(
    say,
    "pieces",
    "What do smaller steps cost?",
    axes.x(
        "tokens:Q",
        "maximum tokens per step, or whole prompts",
        [110, 9600],
        type="log",
        values=[128, 256, 512, 1024, 2048, 4096, 8192],
        labelExpr=f"datum.value > {AT_WHOLE - 1} ? 'whole' : format(datum.value, ',d')",
    ),
    axes.y("ms:Q", "milliseconds", [LOW, TOP], type="log", values=[5, 10, 25, 50, 150, 500, 1500]),
    level("stop goal", "bad"),
    level("first goal", "accent"),
    line("stop", "bad"),
    line("first", "accent"),
    grab=Grab("piece", choose=nearest),
)
def figure(chat: Chat, playing: bool = False) -> list[marks.Row]:
    """Chart of both times for each number of tokens, with the current one marked."""
    runs = {place: simulated_means(replace(chat, piece=piece)) for piece, place in PLACES.items()}
    rows = []
    for kind, tone, name in (("stop", "bad", "longest pause"), ("first", "accent", "first token")):
        times = {place: getattr(run, kind) * 1e3 for place, run in runs.items()}
        inside = {place: time for place, time in times.items() if time <= TOP}
        if inside:
            rows.append({"kind": kind, "x": list(inside), "y": list(inside.values())})
        place = PLACES[chat.piece]
        words = f"{name} {f.duration(times[place] / 1e3)}"
        side = -12 if place > 1000 else 12
        dy = -14 if kind == "first" else 14
        rows += marks.here(place, times[place], words, top=TOP, fill=tone, dx=side, dy=dy)
    if playing:
        for kind, goal in (
            ("stop", k.STUTTER_PAUSE_TARGET),
            ("first", k.STUTTER_FIRST_TARGET),
        ):
            tone = "bad" if kind == "stop" else "accent"
            words = f"goal: {f.duration(goal)}"
            rows += marks.limit(f"{kind} goal", 115, goal * 1e3, words, tone=tone, dx=4, dy=-8)
    return rows
