"""Scheduling policy, animation: the fleet under FIFO and under the current policy.

Each job is one piece: training lies at the left, the other jobs at the right, what is idle between.
"""

from functools import lru_cache

from lessons.scheduling_policy import runs, tried
from lessons.scheduling_policy.runs import CLASSES, FLEET
from lessons.scheduling_policy.settings import DAY, Scenario, say
from physics import films
from physics.scheduling.boards import board_pieces
from ui.base.lesson import Film
from ui.films import Kind, Showing

#: GPUs of a place: of the smallest job.
PLACE = 8
PLACES = FLEET // PLACE
#: How long it plays before and after its moment [s], and the moment as a share of that.
BEFORE = DAY / 4
AFTER = 3 * DAY / 4
OPENS = BEFORE / (BEFORE + AFTER)
IDLE = "idle while jobs wait"
#: What closes up at the left of a board.
LARGE = ("training",)


def policies(scenario: Scenario) -> dict[str, Scenario]:
    """Return the policies shown: FIFO, and the current policy if it is different."""
    plain = scenario.effective
    fifo = runs.fifo(plain)
    shown = {"FIFO": fifo}
    if plain != fifo:
        shown[tried.name_of(plain)] = plain
    return shown


def showing(scenario: Scenario) -> Showing:
    """Return the animation around the moment at which FIFO blocks most, with its captions."""
    plain = scenario.effective
    moment = runs.moment(plain)
    played = _film(plain, moment)
    shown = policies(plain)
    span = (played.begin, played.end)
    idle = [runs.first(policy).idle_beside_queue(*span) for policy in shown.values()]
    blocked = runs.blocked(runs.fifo(plain))
    values = {"span": span[1] - span[0], "above": idle[0], "below": idle[-1], "blocked": blocked}
    if blocked["behind"] < 1:
        words = "film_quiet"
    elif len(shown) > 1:
        words = "film_boards"
    else:
        words = "film_board"
    kinds = {}
    for board in range(len(shown)):
        for index, name in enumerate(CLASSES):
            kinds[f"{name} {board}"] = Kind(name, f"s{index}", board)
        kinds[f"idle {board}"] = Kind(IDLE, "quiet", board)
    return Showing(
        played,
        kinds,
        caption=say(words, scenario, **values),
        alt=say("film_chart", scenario, **values),
        columns=PLACES,
        tall=195,
        lines=tuple(shown),
        boards=True,
    )


@lru_cache(maxsize=16)
def _film(plain: Scenario, moment: float) -> films.Film:
    """Return one board above the other, with what waits."""
    begin = moment - BEFORE
    end = moment + AFTER
    shown = [runs.first(scenario) for scenario in policies(plain).values()]
    boxes = []
    waiting = []
    for board, schedule in enumerate(shown):
        jobs = schedule.jobs
        kinds = (jobs["job_class"] + f" {board}").to_numpy()
        sizes = (jobs["gpus"] // PLACE).to_numpy()
        pieces = board_pieces(schedule, LARGE, PLACE, begin, end)
        for first, last, start, stop, row in pieces:
            kind = f"idle {board}"
            words = f"{(last - first + 1) * PLACE} idle"
            if row is not None:
                kind = kinds[row]
                words = str(int(sizes[row]) * PLACE)
            shift = board * PLACES
            boxes.append((first + shift, last + shift, start, stop, kind, words))
        line = schedule.waits.query("begin < @end and end > @begin")
        line = line.sort_values("begin", kind="stable")
        for row, since, until in line.itertuples(index=False, name=None):
            waiting.append((sizes[row], since, until, kinds[row]))
    return films.film(len(shown) * PLACES, begin, end, boxes, waiting)


view = Film("film", showing=showing)
