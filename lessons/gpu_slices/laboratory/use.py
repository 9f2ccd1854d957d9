"""GPU slices: a stream of requests under first-fit and best-fit, with an upper bound for any
policy.
"""

from lessons.gpu_slices.settings import RULES, Slices, say
from physics import constants as k
from ui.charts import axes, line, marks, picture

LAST = int(k.SLICES_REQUESTS)
#: Names of the lines, and their tones.
NAMES = {"bound": "Upper bound"} | RULES
TONES = {"bound": "quiet", "first": "s1", "best": "accent"}


@picture(
    say,
    "use",
    "What share of the GPUs is in use?",
    axes.x("x:Q", "requests so far", [1, 1.3 * LAST], values=list(range(0, LAST + 1, 10))),
    axes.y("y:Q", "compute slices in use", [0, 1.05], format=".0%", values=[0, 0.25, 0.5, 0.75, 1]),
    line("bound", "quiet", (2, 2)),
    line("first", "s1", (7, 3), 2),
    line("best"),
    told="use_chart",
)
def figure(wish: Slices) -> list[marks.Row]:
    """Chart of compute slices in use after each request, for both policies, the bound, and the
    total.
    """
    held = {"bound": wish.trial.bound} | wish.trial.used
    shares = {kind: [number / wish.capacity for number in used] for kind, used in held.items()}
    heights = marks.apart([share[-1] for share in shares.values()], 0.075, 1)
    names = [
        marks.label(
            LAST, height, NAMES[kind], short=NAMES[kind].split()[-1], dx=6, tone=TONES[kind]
        )
        for kind, height in zip(shares, heights, strict=True)
    ]
    return [
        *names,
        *({"kind": kind, "x": range(1, LAST + 1), "y": share} for kind, share in shares.items()),
    ]
