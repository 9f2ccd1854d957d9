"""GPU slices, laboratory: a stream of requests as an animation, under both policies."""

from functools import lru_cache

from lessons.gpu_slices.settings import KINDS, MEMORY, RULES, Slices, dead, say, short_name
from lessons.gpu_slices.stream import verdict
from physics import constants as k
from physics import films
from physics.slicing.streams import Run
from ui.base.lesson import Film
from ui.films import Kind, Showing

#: Kinds of boxes. The policies are two halves, numbered from 0; the box of a refused request has
#: its profile's name.
BOX_KINDS: dict[str, Kind] = {}
for _half in range(len(RULES)):
    BOX_KINDS[f"instance {_half}"] = Kind("instance", "accent", _half)
    BOX_KINDS[f"stranded {_half}"] = Kind("free, but no profile fits (×)", "quiet", _half)
    for _name in KINDS:
        BOX_KINDS[f"refused {_half} {_name}"] = Kind("refused and lost", "bad", _half, _name)


def showing(settings: Slices) -> Showing:
    """Return the animation of the stream under both policies."""
    return Showing(
        film_of(settings),
        BOX_KINDS,
        say("film", settings),
        say("film_shows", settings),
        columns=MEMORY,
        tall=210,
        unit=1.0,
        unit_name="requests",
        digits=0,
        counted=("refused just now", "nothing refused just now"),
        lines=tuple(RULES.values()),
    )


@lru_cache(maxsize=32)
def film_of(settings: Slices) -> films.Film:
    """Make the animation of both policies: at time n it shows the instances after request n + 1."""
    boxes = []
    waiting = []
    for half, run in enumerate(settings.trial.runs.values()):
        first = half * settings.gpus * MEMORY
        for served in run.served:
            request = served.request
            number = request.number
            size = KINDS[request.profile].memory
            if served.device is None:
                kind = f"refused {half} {request.profile}"
                waiting.append((size, number, number + 1, kind))
            else:
                start = first + served.device * MEMORY + served.start
                times = (float(number), float(request.ends))
                name = short_name(request.profile, size)
                boxes.append((start, start + size - 1, *times, f"instance {half}", name))
        boxes += _stranded(run, first, half)
    return films.film(len(RULES) * settings.gpus * MEMORY, 0.0, k.SLICES_REQUESTS, boxes, waiting)


def _stranded(run: Run, first: int, half: int) -> list[tuple]:
    """Return a box for each time in which a slice is free, but no further instance could use it."""
    starts: dict[int, int] = {}  # of the slices that are stranded now
    boxes = []
    for moment in range(len(run.served) + 1):
        stranded = set()
        if moment < len(run.served):
            for device, placed in enumerate(run.held(moment)):
                stranded.update(first + device * MEMORY + at for at in dead(placed))
        for at in sorted(starts.keys() - stranded):
            boxes.append((at, at, starts.pop(at), moment, f"stranded {half}", "×"))
        starts |= dict.fromkeys(stranded - starts.keys(), moment)
    return boxes


view = Film("film", showing=showing, verdict=verdict)
