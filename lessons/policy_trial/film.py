"""Policy trial, the film: one trial week by week, each week's mean as it comes in, and who is ahead."""

from collections.abc import Iterator

from lessons.policy_trial import choices
from lessons.policy_trial.settings import WAYS, Trial, weeks
from lessons.policy_trial.single import TONES, kept, weekly
from lessons.policy_trial.weeks import NAMES
from physics import constants as k
from physics.experiments import WEEK
from physics.films import Film, film
from ui.base import format as f
from ui.films import Kind, Showing

#: Kind of the first row as long as the means do not say who is ahead.
OPEN = "open"


def calendar(trial: Trial) -> Iterator[tuple[int, str, int]]:
    """Yield each week that is run: which one of the trial, under which policy, its how manieth; all from 0."""
    names = choices.names(trial)
    for number in range(trial.weeks):
        for place, name in enumerate(names):
            at = {"after": place * trial.weeks + number, "turns": number * len(names) + place, "replay": number}
            yield at[trial.way], name, number


def played(trial: Trial) -> Film:
    """Draw a row for who is ahead and one for each policy; a week is a place, filled when the week is over."""
    found, names = weekly(trial), choices.names(trial)
    run = sorted(calendar(trial))
    length = run[-1][0] + 2
    boxes = [
        (
            (1 + names.index(name)) * trial.weeks + number,
            (1 + names.index(name)) * trial.weeks + number,
            (at + 1) * WEEK,
            length * WEEK,
            name,
            f.significant(found[name][number] / k.HOUR, 2),
        )
        for at, name, number in run
    ]
    for now in sorted({at for at, _, _ in run}):
        seen = {name: [found[name][number] for at, one, number in run if one == name and at <= now] for name in names}
        means = {name: sum(values) / len(values) for name, values in seen.items() if values}
        lowest = [name for name, mean in means.items() if mean == min(means.values())]
        kind = lowest[0] if len(means) == len(names) and len(lowest) == 1 else OPEN
        words = " : ".join(choices.hours(means[name], 2) for name in names if name in means)
        boxes.append((0, trial.weeks - 1, (now + 1) * WEEK, (now + 2) * WEEK, kind, words))
    return film((1 + len(names)) * trial.weeks, 0.0, length * WEEK, boxes)


def showing(trial: Trial) -> Showing:
    """The film with its words."""
    shown, chosen, names = played(trial), kept(trial), choices.names(trial)
    end = f"{choices.label(chosen)} has the lowest mean" if chosen else "the lowest mean is shared"
    order = ", ".join(NAMES[name] for name in names)
    return Showing(
        shown,
        {name: Kind(NAMES[name], TONES[name]) for name in names} | {OPEN: Kind("nobody is ahead yet", "ink")},
        caption=f"First row: means so far, in the order {order}, in the color of whoever is ahead. Below, in the same "
        f"order, a place is a week with its mean wait of training in hours, there when the week is over. Trial "
        f"{trial.number} of {choices.RUNS}, {WAYS[trial.way].lower()}; every number of a trial is another film.",
        alt=f"{weeks(trial.weeks)} of each of {order} come in one by one; at the end {end}.",
        columns=trial.weeks,
        tall=190,
        unit=float(WEEK),
        unit_name="weeks",
        queue=False,
    )
