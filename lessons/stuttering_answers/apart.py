"""Stuttering answers: some GPUs only compute prompts, and the others only write."""

from lessons.stuttering_answers.settings import (
    GROWING,
    Chat,
    Means,
    apart_means,
    say,
    simulated_means,
)
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab, Verdict
from ui.charts import axes, level, line, marks, picture

LOW = 4.0
TOP = 1000.0
GPUS = int(k.STUTTER_POOL)
SPLITS = range(1, GPUS)
#: Kinds of rows with their tone and what is drawn.
DRAWN = (("stop", "bad", "longest pause"), ("first", "accent", "first token"))


def mixed(chat: Chat) -> Means:
    """Return the means if all GPUs compute chunked prompts and write answers."""
    piece = str(int(k.STUTTER_PIECE))
    return simulated_means(Chat(piece, chat.rate, chat.prompt, chat.answer, chat.gpus))


@picture(
    say,
    "apart",
    "Is it better to use separate GPUs for prompts?",
    axes.x("gpus:Q", f"GPUs for prompts, of {GPUS}", [0.5, GPUS - 0.2], values=list(SPLITS)),
    axes.y("ms:Q", "milliseconds", [LOW, TOP], type="log", values=[5, 10, 25, 50, 100, 250, 500]),
    level("mixed stop", "bad"),
    level("mixed first", "accent"),
    line("stop", "bad"),
    line("first", "accent"),
    grab=Grab("prompt_gpus"),
)
def figure(chat: Chat) -> list[marks.Row]:
    """Chart of both times for each split, with dashed lines for GPUs that do both."""
    together = mixed(chat)
    rows = []
    for kind, tone, name in DRAWN:
        times = {split: getattr(apart_means(chat, split), kind) * 1e3 for split in SPLITS}
        inside = {split: time for split, time in times.items() if time <= TOP}
        rows.append({"kind": kind, "x": list(inside), "y": list(inside.values())})
        rows += [marks.point(split, time, size=40, tone=tone) for split, time in inside.items()]
        words = f"{name} {f.duration(times[chat.prompt_gpus] / 1e3)}"
        if kind == "first" and chat.apart.grows:
            words = f"{name} grows"
        looks = {"top": TOP, "fill": tone, "dx": 12, "dy": 14 if kind == "stop" else -14}
        rows += marks.here(chat.prompt_gpus, times[chat.prompt_gpus], words, **looks)
        time = getattr(together, kind) * 1e3
        if time <= TOP:
            looks = {"tone": tone, "dx": 4, "dy": 11}
            words = f"all do both: {f.duration(time / 1e3)}"
            rows += marks.limit(f"mixed {kind}", 0.5, time, words, **looks)
    return rows


def verdict(chat: Chat) -> Verdict:
    """Return the verdict on whether the split fits the load."""
    if chat.pool_load > 1:
        return Verdict(say("pool_grows", chat), False)
    if chat.apart.stop > GROWING:
        return Verdict(say("pool_full", chat), False)
    return Verdict(say("pool_fits", chat, together=mixed(chat)))
