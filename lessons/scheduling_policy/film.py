"""Scheduling policy, the animation: days of the busiest week under two policies, on the same jobs."""

from dataclasses import replace
from functools import lru_cache

from lessons.scheduling_policy import queue, runs
from lessons.scheduling_policy.runs import CLASSES, FLEET
from lessons.scheduling_policy.settings import DAY, EASY, Scenario, say
from lessons.scheduling_policy.week import WEEK, week_of
from physics.films import Film, film
from physics.scheduling.schedule import busy_lanes
from ui.films import Kind, Showing
from ui.knobs.declared import knobs_of

#: GPUs of a place: of the smallest job.
PLACE = 8
#: Rows that a film holds at most, so that it stays light.
MOST = 2_200


def policies(scenario: Scenario) -> dict[str, Scenario]:
    """Return the two policies: FIFO above, below it the present one, or EASY where that is FIFO
    itself.
    """
    fifo = queue.fifo(scenario)
    if scenario.effective == fifo:
        plain = replace(fifo, **EASY).effective
    else:
        plain = scenario.effective
    chosen = (
        knobs_of(Scenario)[name].words(getattr(plain, name)) for name in ("order", "backfill")
    )
    return {"FIFO": fifo, ", ".join(chosen): plain}


@lru_cache(maxsize=8)
def _film(plain: Scenario, week: int) -> Film:
    begin = (week - 1) * WEEK
    finish = week * WEEK
    lanes = FLEET // PLACE
    boxes = []
    waiting = []
    for half, one in enumerate(map(runs.first, policies(plain).values())):
        kinds = (one.jobs["job_class"] + f" {half}").to_numpy()
        gpus = one.jobs["gpus"].to_numpy()
        pieces = busy_lanes(one, begin, finish)
        row = pieces["row"].to_numpy()
        first = pieces["low"] // PLACE + half * lanes
        last = pieces["high"] // PLACE - 1 + half * lanes
        words = [
            str(size) * (name == "training")
            for name, size in one.jobs[["job_class", "gpus"]].to_numpy()[row]
        ]
        boxes += list(
            zip(first, last, pieces["start"], pieces["end"], kinds[row], words, strict=True)
        )
        line = one.waits[(one.waits["begin"] < finish) & (one.waits["end"] > begin)]
        waiting += list(
            zip(
                gpus[line["row"]] // PLACE,
                line["begin"],
                line["end"],
                kinds[line["row"]],
                strict=True,
            )
        )
    starts = sorted([box[2] for box in boxes] + [one[1] for one in waiting])
    if starts:
        end = min(finish, max(begin + DAY / 2, starts[:MOST][-1]))
    else:
        end = finish
    return film(2 * lanes, begin, end, boxes, waiting)


def showing(scenario: Scenario) -> Showing:
    """The film of the week in which most jobs wait under FIFO, with its words."""
    plain = scenario.effective
    week = week_of(scenario)
    played = _film(plain, week)
    both = policies(plain)
    above, below = (
        runs.first(one).idle_beside_queue(played.begin, played.end) for one in both.values()
    )
    told = {"span": played.end - played.begin, "above": above, "below": below}
    return Showing(
        played,
        {
            f"{name} {half}": Kind(name, f"s{place}", half)
            for half in (0, 1)
            for place, name in enumerate(CLASSES)
        },
        caption=say("film_caption", scenario, **told),
        alt=say("film_chart", scenario, **told),
        columns=32,
        tall=220,
        unit=DAY,
        unit_name="d",
        digits=2,
        lines=tuple(both),
    )
