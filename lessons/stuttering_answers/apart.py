"""Stuttering answers: some GPUs only compute prompts, and the others only write."""

from lessons.stuttering_answers.pieces import CURVES
from lessons.stuttering_answers.settings import GROWING, Chat, Means, apart_means, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, curve, marks

#: Ends of the axis of times [ms].
LOW = 4.0
TOP = 1000.0
#: Numbers of GPUs that compute prompts.
SPLITS = range(1, int(k.STUTTER_POOL))


def mixed(chat: Chat) -> Means:
    """Return the means if all GPUs compute prompts in chunks and write answers."""
    piece = str(int(k.STUTTER_PIECE))
    return Chat(piece, chat.rate, chat.prompt, chat.answer, chat.gpus).now


@chart(say, "apart", y=[LOW, TOP])
def figure(chat: Chat) -> Rows:
    """Chart of time to first token and longest pause for each split of the GPUs."""
    together = mixed(chat)
    rows = []
    for kind, tone, name in CURVES:
        times = {split: getattr(apart_means(chat, split), kind) * 1e3 for split in SPLITS}
        rows += curve(kind, times, TOP)
        for split, time in times.items():
            if time <= TOP:
                rows.append(marks.point(split, time, size=40, tone=tone))
        current = times[chat.prompt_gpus]
        words = f"{name} {f.duration(current / 1e3)}"
        if kind == "first" and chat.apart.grows:
            words = f"{name} grows"
        style = {"top": TOP, "fill": tone, "dx": 12, "dy": 14 if kind == "stop" else -14}
        rows += marks.here(chat.prompt_gpus, current, words, **style)
        time = getattr(together, kind) * 1e3
        if time <= TOP:
            style = {"tone": tone, "dx": 4, "dy": 11}
            words = f"all do both: {f.duration(time / 1e3)}"
            rows += marks.limit(f"mixed {kind}", 0.5, time, words, **style)
    return rows


@verdict_of(say)
def verdict(chat: Chat) -> Outcome:
    """Return the verdict on whether the split fits the load."""
    if chat.pool_load > 1:
        return "pool_grows", False
    if chat.apart.stop > GROWING:
        return "pool_full", False
    return "pool_fits", None, {"together": mixed(chat)}


view = View("apart", figure=figure, verdict=verdict)
