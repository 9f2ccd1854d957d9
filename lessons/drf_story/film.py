"""DRF story, the film: executors drop into the bars of the pool's resources, one a step, under both
policies.
"""

from functools import lru_cache
from itertools import pairwise

from lessons.drf_story import pool
from lessons.drf_story.jobs import NAMES
from lessons.drf_story.settings import Scenario, at_end, say
from physics.films import Film, film
from ui.films import Kind, Showing

#: So many squares, in two rows, are all that the pool has of one resource.
SQUARES = 100
#: Beside it stands the end of both hand-outs.
narrowed = at_end
verdict = pool.verdict


def showing(scenario: Scenario) -> Showing:
    """Both hand-outs from what the jobs hold to the last executor."""
    return Showing(
        played(scenario),
        {
            f"{i} {half}": Kind(job.name, f"s{i}", half)
            for half in (0, 1)
            for i, job in enumerate(scenario.table)
        },
        say("film", scenario),
        say("film_shows", scenario),
        columns=SQUARES // 2,
        tall=220,
        unit=1.0,
        unit_name="steps",
        digits=0,
        queue=False,
        lines=tuple(label for label, _ in scenario.both),
    )


@lru_cache(maxsize=16)
def played(scenario: Scenario) -> Film:
    """A box for each start and each executor that is seen in a row; at step n there is what is held
    after it.
    """
    order = {job.name: i for i, job in enumerate(scenario.table)}
    end = scenario.last + 1.0
    boxes = []
    for which, (_, result) in enumerate(scenario.both):
        pieces = [(i, 0, job.name, job.start) for i, job in enumerate(scenario.table)]
        for step, name in enumerate(result.log, 1):
            pieces.append((order[name], step, str(step), scenario.table[order[name]].need))
        for r, size in enumerate(scenario.pool):
            first = (which * len(NAMES) + r) * SQUARES
            total = 0.0
            reached = [0]
            for *_, amount in pieces:
                total += amount[r] / size
                reached.append(round(total * SQUARES))
            for (i, step, words, _), (low, high) in zip(pieces, pairwise(reached), strict=True):
                if high > low:
                    boxes.append(
                        (first + low, first + high - 1, float(step), end, f"{i} {which}", words)
                    )
    return film(2 * len(NAMES) * SQUARES, 0.0, end, boxes)
