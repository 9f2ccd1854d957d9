"""GPU slices, animation of the stream: instances start and stop, and some requests are refused."""

from functools import lru_cache

from lessons.gpu_slices.settings import KINDS, MEMORY, RULES, Slices, dead, named, say
from lessons.gpu_slices.stream import verdict
from physics import constants as k
from physics import films
from physics.slicing.streams import Run
from ui.base.lesson import Film
from ui.films import Kind, Showing

BOXES = {
    f"{name} {half}": Kind(words, tone, half)
    for half in range(len(RULES))
    for name, words, tone in (
        ("instance", "instance", "accent"),
        ("stranded", "free, but no profile fits (×)", "quiet"),
    )
}
#: A refused request, which says its profile where it is drawn.
REFUSED = {
    f"refused {half} {name}": Kind("refused and lost", "bad", half, name)
    for half in range(len(RULES))
    for name in KINDS
}
LOOKS = BOXES | REFUSED


def showing(wish: Slices) -> Showing:
    """Return the animation of the stream under both policies."""
    return Showing(
        played(wish),
        LOOKS,
        say("film", wish),
        say("film_shows", wish),
        columns=MEMORY,
        tall=210,
        unit=1.0,
        unit_name="requests",
        digits=0,
        counted=("refused just now", "nothing refused just now"),
        lines=tuple(RULES.values()),
    )


@lru_cache(maxsize=32)
def played(wish: Slices) -> films.Film:
    """Animation of both policies; at time n it shows the instances after request n + 1."""
    boxes = []
    waiting = []
    for half, run in enumerate(wish.trial.runs.values()):
        first = half * wish.gpus * MEMORY
        for served in run.served:
            request = served.request
            number = request.number
            size = KINDS[request.profile].memory
            if served.device is None:
                kind = f"refused {half} {request.profile}"
                waiting.append((size, number, number + 1, kind))
            else:
                at = first + served.device * MEMORY + served.start
                times = (float(number), float(request.ends))
                name = named(request.profile, size)
                boxes.append((at, at + size - 1, *times, f"instance {half}", name))
        boxes += _stranded(run, first, half)
    return films.film(len(RULES) * wish.gpus * MEMORY, 0.0, k.SLICES_REQUESTS, boxes, waiting)


def _stranded(run: Run, first: int, half: int) -> list[tuple]:
    """Each slice for as long as it is free and no further instance could take it."""
    since: dict[int, int] = {}
    rows = []
    for moment in range(len(run.served) + 1):
        now = set()
        if moment < len(run.served):
            for device, placed in enumerate(run.held(moment)):
                start = first + device * MEMORY
                now.update(start + at for at in dead(placed))
        for at in sorted(since.keys() - now):
            rows.append((at, at, since.pop(at), moment, f"stranded {half}", "×"))
        since |= dict.fromkeys(now - since.keys(), moment)
    return rows


view = Film("film", showing=showing, verdict=verdict)
