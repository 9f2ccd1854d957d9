"""Sharing a GPU: two jobs that need memory, and the result if there is not enough."""

from lessons.gpu_sharing.settings import ALL, HALF, LINKS, Sharing, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.charts import axes, box, marks, picture, upright

NAMES = ("your job", "its neighbor")


@picture(
    say,
    "memory",
    "Where is the memory of each job?",
    axes.x("x:Q", "memory (GB)", [0, 2 * ALL / k.GB], values=list(range(0, 161, 20))),
    axes.y("y:Q", None, [2, 0], zero=False, axis=None),
    box("held", opacity={"expr": "datum.opacity"}),
    upright("full", "ink", ()),
)
def figure(pair: Sharing) -> list[marks.Row]:
    """Chart of each job's memory; the part that does not fit is pale."""
    rows = marks.limit("full", ALL / k.GB, 0.1, "the GPU's memory", short="GPU", dx=6, tone="ink")
    if pair.guard == "halves":
        rows += [{"kind": "full", "x": HALF / k.GB}]
    told = ("runs" if pair.runs["yours"] else "fails", pair.memory["fate"])
    for job, (need, runs) in enumerate(
        zip((pair.need, pair.other_need), pair.runs.values(), strict=True)
    ):
        begin = job * (HALF if pair.guard == "halves" else pair.need)
        middle = begin + (min(need, ALL - begin) if pair.guard in LINKS else need if runs else 0.0)
        for opacity, x, x2 in ((1.0, begin, middle), (0.4, middle, begin + need)):
            place = {"x": x / k.GB, "x2": x2 / k.GB, "y": job + 0.25, "y2": job + 0.8}
            if x2 > x:
                rows += [{"kind": "held", "tone": ("s0", "s3")[job], "opacity": opacity} | place]
        words = f"{NAMES[job]}: {f.data(need)}, {told[job]}"
        rows.append(marks.label(0, job + 0.1, words, bold=True, tone="ink" if runs else "bad"))
    return rows


def verdict(pair: Sharing) -> Verdict:
    """Return the verdict on which job fails, and why."""
    match pair.runs["yours"], pair.runs["other"]:
        case True, True:
            spills = pair.memory["spilled"] > 1
            if spills:
                name = "spills"
            elif pair.guard == "halves":
                name = "both_within"
            else:
                name = "both_fit"
            return Verdict(say(name, pair), None if spills else True)
        case False, False:
            name = "both_fail"
        case mine, _:
            if pair.guard == "none":
                name = "fails_last"
            elif mine:
                name = "other_fails"
            else:
                name = "yours_fails"
    return Verdict(say(name, pair), False)
