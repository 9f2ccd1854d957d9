"""Sharing a GPU: two jobs that need memory, and the result if there is not enough."""

from lessons.gpu_sharing.settings import ALL, HALF, LINKS, Sharing, say
from lessons.gpu_sharing.ways import NAMES, TONES
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks


@chart(say, "memory", x=[0, 2 * ALL / k.GB])
def figure(pair: Sharing) -> Rows:
    """Chart of each job's memory; the part that does not fit is pale."""
    rows = marks.limit("full", ALL / k.GB, 0.1, "the GPU's memory", short="GPU", dx=6, tone="ink")
    if pair.guard == "halves":
        rows.append({"kind": "full", "x": HALF / k.GB})
    fates = ("runs" if pair.runs["yours"] else "fails", pair.memory["fate"])
    needs = (pair.need, pair.other_need)
    for job, (need, runs, fate) in enumerate(zip(needs, pair.runs.values(), fates, strict=True)):
        start = job * (HALF if pair.guard == "halves" else pair.need)
        on_gpu = start + need * runs
        if pair.guard in LINKS:
            on_gpu = min(on_gpu, ALL)
        for opacity, x, x2 in ((1.0, start, on_gpu), (0.4, on_gpu, start + need)):
            edges = {"x": x / k.GB, "x2": x2 / k.GB, "y": job + 0.25, "y2": job + 0.8}
            if x2 > x:
                rows.append({"kind": "held", "tone": TONES[job], "opacity": opacity} | edges)
        words = f"{NAMES[job]}: {f.data(need)}, {fate}"
        rows.append(marks.label(0, job + 0.1, words, bold=True, tone="ink" if runs else "bad"))
    return rows


@verdict_of(say)
def verdict(pair: Sharing) -> Outcome:
    """Return the verdict on which job fails, and why."""
    runs = pair.runs
    if not any(runs.values()):
        return "both_fail", False
    if all(runs.values()):
        if pair.memory["spilled"] > 1:
            return "spills", None
        if pair.guard == "halves":
            return "both_within", True
        return "both_fit", True
    if pair.guard == "none":
        return "fails_last", False
    if runs["yours"]:
        return "other_fails", False
    return "yours_fails", False


view = View("memory", figure=figure, verdict=verdict)
