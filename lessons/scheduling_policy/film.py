"""Scheduling policy, animation: the fleet under FIFO and under the current policy.

Each job is one piece: training jobs are on the left, the others on the right, idle GPUs between.
"""

from functools import lru_cache

from lessons.scheduling_policy import runs, tried
from lessons.scheduling_policy.runs import CLASSES, FLEET
from lessons.scheduling_policy.settings import DAY, Scenario, say
from physics import films
from physics.scheduling.boards import board_pieces
from ui.base.lesson import Film
from ui.films import Kind, Showing

#: GPUs of a cell, which are those of the smallest job, and cells of a board.
CELL = 8
CELLS = FLEET // CELL
#: Time before and after the moment that the animation shows first [s], and that moment as a share.
BEFORE = DAY / 4
AFTER = 3 * DAY / 4
OPENS = BEFORE / (BEFORE + AFTER)
IDLE = "idle while jobs wait"
#: Classes that are packed at the left of a board.
LEFT = ("training",)


def policies(scenario: Scenario) -> dict[str, Scenario]:
    """Return FIFO, and the current policy if it is different, by name."""
    plain = scenario.effective
    fifo = runs.fifo(plain)
    by_name = {"FIFO": fifo}
    if plain != fifo:
        by_name[tried.name_of(plain)] = plain
    return by_name


def showing(scenario: Scenario) -> Showing:
    """Return the animation around the time at which FIFO blocks most, with its captions."""
    plain = scenario.effective
    animation = _film(plain)
    by_name = policies(plain)
    span = (animation.begin, animation.end)
    idle = [runs.first(policy).idle_beside_queue(*span) for policy in by_name.values()]
    blocked = scenario.blocked
    values = {"span": span[1] - span[0], "above": idle[0], "below": idle[-1], "blocked": blocked}
    if blocked["behind"] < 1:
        sentence = "film_quiet"
    elif len(by_name) > 1:
        sentence = "film_boards"
    else:
        sentence = "film_board"
    kinds = {}
    for board in range(len(by_name)):
        for index, name in enumerate(CLASSES):
            kinds[f"{name} {board}"] = Kind(name, f"s{index}", board)
        kinds[f"idle {board}"] = Kind(IDLE, "quiet", board)
    return Showing(
        animation,
        kinds,
        caption=say(sentence, scenario, **values),
        alt=say("film_chart", scenario, **values),
        columns=CELLS,
        tall=195,
        lines=tuple(by_name),
        boards=True,
    )


@lru_cache(maxsize=16)
def _film(plain: Scenario) -> films.Film:
    """Return the film of one board above the other, with the waiting jobs."""
    moment = runs.moment(plain)
    begin = moment - BEFORE
    end = moment + AFTER
    schedules = [runs.first(scenario) for scenario in policies(plain).values()]
    boxes = []
    waiting = []
    for board, schedule in enumerate(schedules):
        jobs = schedule.jobs
        kinds = (jobs["job_class"] + f" {board}").to_numpy()
        sizes = (jobs["gpus"] // CELL).to_numpy()
        shift = board * CELLS
        for first, last, start, stop, row in board_pieces(schedule, LEFT, CELL, begin, end):
            kind = f"idle {board}"
            words = f"{(last - first + 1) * CELL} idle"
            if row is not None:
                kind = kinds[row]
                words = str(int(sizes[row]) * CELL)
            boxes.append((first + shift, last + shift, start, stop, kind, words))
        line = schedule.waits.query("begin < @end and end > @begin")
        line = line.sort_values("begin", kind="stable")
        for row, start, stop in line.itertuples(index=False, name=None):
            waiting.append((sizes[row], start, stop, kinds[row]))
    return films.film(len(schedules) * CELLS, begin, end, boxes, waiting)


view = Film("film", showing=showing)
