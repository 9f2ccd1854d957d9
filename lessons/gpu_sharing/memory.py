"""Sharing a GPU, going further: two jobs that need memory, and what happens if there is not enough."""

from lessons.gpu_sharing.settings import Sharing, longer, say
from physics import constants as k
from physics.gpu_sharing import fits
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import Look, axes, box, marks, plane, stack, upright

NAMES = ("your job", "its neighbor")
#: Rates at which a GPU reads host memory, by the way in which memory is shared [B/s].
LINKS = {"c2c": float(k.SHARE_C2C), "pcie": float(k.SHARE_PCIE)}
ALL, HALF = float(k.SHARE_MEMORY), float(k.SHARE_MEMORY) / 2


def running(pair: Sharing) -> tuple[bool, ...]:
    """Whether your job and its neighbor run; your job starts first, and in unified memory both do."""
    limits = {"halves": [HALF, HALF]}.get(pair.guard)
    return (True, True) if pair.guard in LINKS else fits([pair.need, pair.other_need], ALL, limits)


def excess(pair: Sharing) -> float:
    """Memory of the neighbor for which the GPU has no room [B]."""
    return max(0.0, pair.need + pair.other_need - ALL)


def spilled(pair: Sharing) -> float:
    """Time of the neighbor over its time with all memory on the GPU, if each step reads all of it once [1]."""
    link = LINKS.get(pair.guard, float(k.SHARE_BANDWIDTH))
    return 1 + excess(pair) / pair.other_need * (k.SHARE_BANDWIDTH / link - 1)


def states(pair: Sharing) -> list[str]:
    """What becomes of your job and of its neighbor."""
    found = ["runs" if runs else "fails" for runs in running(pair)]
    return [found[0], f"takes {longer(spilled(pair))}"] if spilled(pair) > 1 else found


def figure(pair: Sharing, look: Look) -> Figure:
    """Where each job's memory lies; pale is what does not fit."""
    rows = [{"kind": "full", "x": ALL / k.GB}, marks.label(ALL / k.GB, 0.1, "the GPU's memory", dx=6, short="GPU")]
    rows += [{"kind": "full", "x": HALF / k.GB}] if pair.guard == "halves" else []
    told, needs = states(pair), (pair.need, pair.other_need)
    for job, (need, runs) in enumerate(zip(needs, running(pair), strict=True)):
        begin = job * (HALF if pair.guard == "halves" else pair.need)
        middle = begin + (min(need, ALL - begin) if pair.guard in LINKS else need if runs else 0.0)
        for opacity, x, x2 in ((1.0, begin, middle), (0.4, middle, begin + need)):
            place = {"x": x / k.GB, "x2": x2 / k.GB, "y": job + 0.25, "y2": job + 0.8}
            rows += [{"kind": "bar", "tone": ("s0", "s3")[job], "opacity": opacity} | place] if x2 > x else []
        words = f"{NAMES[job]}: {f.data(need)}, {told[job]}"
        rows.append(marks.label(0, job + 0.1, words, bold=True, tone="ink" if runs else "bad"))
    words = say("memory_chart", pair, mine=told[0], theirs=told[1])
    return Figure("memory", "Where does each job's memory lie?", stack(rows), _spec(look), words)


@plane
def _spec(look: Look) -> tuple:
    """Memory of both jobs, on an axis that stands still."""
    x = axes.x("x:Q", "memory (GB)", [0, 2 * ALL / k.GB], values=list(range(0, 161, 20)))
    y, bars = axes.y("y:Q", None, [2, 0], zero=False, axis=None), box("bar", opacity={"expr": "datum.opacity"})
    return x, y, bars, upright("full", "ink", ())


def metrics(pair: Sharing) -> list[Metric]:
    """Memory that both need, and what becomes of each."""
    needed, each = pair.need + pair.other_need, zip(NAMES, states(pair), running(pair), strict=True)
    return [
        Metric("Memory needed", f.data(needed), f"of {f.data(ALL)}", needed <= ALL),
        *(
            Metric(name.capitalize(), state.removeprefix("takes ").removesuffix(" as long"), None, runs)
            for name, state, runs in each
        ),
    ]


def verdict(pair: Sharing) -> Verdict:
    """Say who fails, and why."""
    lost = [name for name, runs in zip(NAMES, running(pair), strict=True) if not runs]
    if not lost:
        name = "spills" if spilled(pair) > 1 else "both_within" if pair.guard == "halves" else "both_fit"
    else:
        name = "fails_last" if pair.guard == "none" else "both_fail" if len(lost) > 1 else "fails_limit"
    sizes = {"needed": pair.need + pair.other_need, "half": HALF, "left": ALL - pair.need, "excess": excess(pair)}
    found = {name: f.data(size) for name, size in sizes.items()} | {"spilled": longer(spilled(pair))}
    return Verdict(say(name, pair, who="".join(lost[:1]).capitalize(), **found), None if name == "spills" else not lost)
