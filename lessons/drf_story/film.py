"""DRF story, the film: executors drop into the bars of the pool's resources, one a step, under both policies."""

from functools import lru_cache
from itertools import pairwise

from lessons.drf_story.jobs import NAMES, RESOURCES
from lessons.drf_story.settings import Scenario, listed, say
from physics.fairness import Allocation
from physics.films import Film, film
from ui.base import format as f
from ui.films import Kind, Showing

#: So many squares, in two rows, are all that the pool has of one resource.
SQUARES = 100
TONES = ("s0", "s1", "s2", "s3", "s4", "ink")


def showing(scenario: Scenario) -> Showing:
    """Both hand-outs from what the jobs hold to the last executor."""
    names = [job.name for job in scenario.jobs]
    rows = listed([NAMES[RESOURCES[r]] for r in scenario.used])
    one, two = (
        f"{label} hands out {f.count(len(result.log), 'executor')}"
        for label, result in zip(scenario.labels, scenario.runs, strict=True)
    )
    caption = say("film", scenario, one=one, two=two, rows=rows, square=f.share(1 / SQUARES))
    over = any(_over(scenario, result) for result in scenario.runs)
    return Showing(
        played(scenario),
        {f"{row} {half}": Kind(name, TONES[row], half) for half in (0, 1) for row, name in enumerate(names)},
        f"{caption} {say('film_over', scenario)}" if over else caption,
        say("film_shows", scenario, rows=rows, handed=f"{one}; {two}"),
        columns=SQUARES // 2,
        tall=220,
        unit=1.0,
        unit_name="steps",
        digits=0,
        queue=False,
        lines=scenario.labels,
    )


def held(scenario: Scenario, which: int, step: int) -> list[list[tuple[int, float]]]:
    """For each resource in use the pieces of its row after a step, in order: row of the job and share of the pool."""
    order = {job.name: row for row, job in enumerate(scenario.jobs)}
    served = [order[name] for name in scenario.runs[which].log[:step]]
    return [
        [(row, job.start[r] / scenario.pool[r]) for row, job in enumerate(scenario.jobs)]
        + [(row, scenario.jobs[row].need[r] / scenario.pool[r]) for row in served]
        for r in scenario.used
    ]


@lru_cache(maxsize=16)
def played(scenario: Scenario) -> Film:
    """A box for each start and each executor that is seen in a row; at step n there is what is held after it."""
    last = max(len(result.log) for result in scenario.runs)
    starts, boxes = len(scenario.jobs), []
    for which, result in enumerate(scenario.runs):
        for place, pieces in enumerate(held(scenario, which, len(result.log))):
            first = (which * len(scenario.used) + place) * SQUARES
            total, reached = 0.0, [0]
            for _, share in pieces:
                total += share
                reached.append(min(SQUARES, round(total * SQUARES)))
            for number, ((row, _), (low, high)) in enumerate(zip(pieces, pairwise(reached), strict=True)):
                if high > low:
                    words = scenario.jobs[row].name if number < starts else str(number - starts + 1)
                    begin = float(max(0, number - starts + 1))
                    boxes.append((first + low, first + high - 1, begin, last + 1.0, f"{row} {which}", words))
    return film(2 * len(scenario.used) * SQUARES, 0.0, last + 1.0, boxes)


def _over(scenario: Scenario, result: Allocation) -> bool:
    """Whether the jobs hold more of a resource than there is."""
    return any(result.free[RESOURCES[r]] < 0 for r in scenario.used)
