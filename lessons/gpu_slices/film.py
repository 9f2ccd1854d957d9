"""GPU slices, the film of the stream: instances come and go under both rules, some are refused, pieces are stranded."""

from functools import lru_cache

from lessons.gpu_slices import stream
from lessons.gpu_slices.settings import RULES, Slices
from lessons.gpu_slices.slots import dead, short
from physics import constants as k
from physics.films import Film
from physics.films import film as of_rows
from physics.slicing import PROFILES
from physics.slicing.streams import Run
from ui.base import format as f
from ui.films import Kind, Showing

#: Memory slices of a GPU: a row of the film.
SLICES = int(k.SLICES_MEMORY)
KINDS = {
    f"{name} {half}": Kind(words, tone, half)
    for half in range(len(RULES))
    for name, words, tone in (
        ("instance", "instance", "accent"),
        ("stranded", "free, but of use to no profile (×)", "quiet"),
        ("refused", "refused, and gone", "bad"),
    )
}


def showing(wish: Slices) -> Showing:
    """The stream under both rules, from the first request to the last."""
    found = stream.trial(wish)
    refused = " and ".join(f"{words.lower()} refuses {found.runs[rule].refused}" for rule, words in RULES.items())
    above, below = (words.lower() for words in RULES.values())
    return Showing(
        played(wish),
        KINDS,
        f"Above {above}, below {below}, on the same requests: stream {wish.draw} of {k.SLICES_DRAW.high:.0f}, one of "
        f"many. Each row is a GPU, each square one of its {SLICES} memory slices; a name is that of a profile. Of "
        f"{f.count(len(found.requests), 'request')} {refused}.",
        f"{f.count(len(found.requests), 'request')} for instances on {f.count(wish.gpus, 'GPU')}: {refused}.",
        columns=SLICES,
        tall=210,
        unit=1.0,
        unit_name="arrivals",
        digits=0,
        counted=("refused", "nothing refused"),
        lines=tuple(RULES.values()),
    )


@lru_cache(maxsize=32)
def played(wish: Slices) -> Film:
    """Both rules' records; at the moment n there is what they hold after request n + 1."""
    found = stream.trial(wish)
    boxes: list[tuple] = []
    waiting: list[tuple] = []
    for half, run in enumerate(found.runs.values()):
        first = half * wish.gpus * SLICES
        boxes += _instances(run, first, half) + _stranded(run, first, half)
        waiting += [
            (PROFILES[run.gpu][one.request.profile].memory, number, number + 1, f"refused {half}")
            for number, one in enumerate(run.served)
            if one.device is None
        ]
    return of_rows(len(RULES) * wish.gpus * SLICES, 0.0, float(len(found.requests)), boxes, waiting)


def _instances(run: Run, first: int, half: int) -> list[tuple]:
    rows = []
    for one in run.served:
        if one.device is not None and one.start is not None:
            at, size = first + one.device * SLICES + one.start, PROFILES[run.gpu][one.request.profile].memory
            times = float(one.request.number), float(one.request.ends)
            rows.append((at, at + size - 1, *times, f"instance {half}", short(one.request.profile)))
    return rows


def _stranded(run: Run, first: int, half: int) -> list[tuple]:
    """Each slice for as long as it is free and no further instance could take it."""
    since: dict[int, int] = {}
    rows = []
    for moment in range(len(run.served) + 1):
        held = run.held(moment) if moment < len(run.served) else ()
        now = {first + device * SLICES + at for device, placed in enumerate(held) for at in dead(placed, run.gpu)}
        rows += [(at, at, since.pop(at), moment, f"stranded {half}", "×") for at in sorted(set(since) - now)]
        since |= dict.fromkeys(now - set(since), moment)
    return rows
