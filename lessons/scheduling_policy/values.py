"""Scheduling policy: the numbers that the lesson's words need, computed when they are asked for."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from lessons.scheduling_policy.measures import USERS
from lessons.scheduling_policy.runs import FOUR, board, saturation
from lessons.scheduling_policy.settings import CLASSES, DAY, Scenario, feasible_rate
from lessons.scheduling_policy.verdict import factors, gpu_hours, hours, percent
from physics import constants as k
from physics.jobs import JobClass
from physics.metrics import balance, fragmentation, jain
from physics.queueing import priority_waits
from physics.slicing.gangs import gang_start_probability
from ui.base import format as f

#: Loads at which the corrections look at FIFO.
FIFO_LOADS = {"52": 0.52, "59": 0.59, "67": 0.67}


class Values(Mapping[str, str]):
    """Texts by name, in groups that are computed when one of them is read: simulations are not run in vain."""

    def __init__(self, groups: Mapping[Callable[[], Mapping[str, str]], tuple[str, ...]]) -> None:
        self.places = {name: group for group, names in groups.items() for name in names}

    def __getitem__(self, name: str) -> str:
        return self.places[name]()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


def live_values(scenario: Scenario) -> Values:
    """Every number that the lesson's words need, at these settings."""
    return Values(
        {
            four: (
                *(f"{name}_{answer}" for name in ("share", "wait", "short_wait") for answer in FOUR),
                "easy_points", "easy_less",
            ),
            corrected: (
                "fifo_52", "fifo_59", "fifo_67", "cut_67", "cut_story",
                "fifo_limit", "priority_limit", "easy_limit",
            ),
            message: (
                "ten_load", "ten_asked", "ten_have", "ten_grows", "ten_feasible", "story_load",
                "named_64", "any_320", "any_400", "interactive_share_of_work", "half_hour", "part_gpus", "part_never",
                "split_fragmentation", "balance_users", "balance_jain", "balance_least",
            ),
            lambda: present(replace(scenario.effective, replications=scenario.replications)): (
                "cobham_waits", "cobham_simulated", "load", "estimate_words", "half_life", "weights_words",
                "factor_words", "nodes", "free", "gang_nodes", "named", "any", "order_words",
            ),
        }
    )  # fmt: skip


@lru_cache(maxsize=1)
def four() -> dict[str, str]:
    """The four answers on the message's jobs, seed 1."""
    boards = {answer: board(Scenario(), answer=answer) for answer in FOUR}
    found: dict[str, str] = {}
    for answer, one in boards.items():
        columns = {
            "share": ("interactive", "share_within_target", percent),
            "wait": ("training", "mean_wait", hours),
            "short_wait": ("interactive", "mean_wait", hours),
        }
        for name, (job_class, column, write) in columns.items():
            found[f"{name}_{answer}"] = write(one.mean(job_class, column))
    strict, easy = boards["b"], boards["c"]
    points = 100 * (strict.mean("interactive", "share_within_target") - easy.mean("interactive", "share_within_target"))
    less = 1 - easy.mean("training", "mean_wait") / strict.mean("training", "mean_wait")
    return found | {
        "easy_points": f"{f.significant(points, 2)} points",
        "easy_less": f.share(less, 2),
    }


@lru_cache(maxsize=1)
def corrected() -> dict[str, str]:
    """FIFO at lower loads, and the load that each policy can carry."""
    fifo = Scenario()
    found = {}
    for name, load in FIFO_LOADS.items():
        one = board(replace(fifo, training_rate=feasible_rate(fifo, load)))
        found[f"fifo_{name}"] = hours(one.mean("interactive", "mean_wait"))
    for name, load in (("cut_67", FIFO_LOADS["67"]), ("cut_story", fifo.load)):
        plain = replace(fifo, training_rate=feasible_rate(fifo, load))
        without, easy = (
            board(one).mean("interactive", "mean_wait") for one in (plain, replace(plain, backfill="easy"))
        )
        found[name] = f.times(without / easy)
    limits = {
        "fifo_limit": fifo,
        "priority_limit": Scenario(order="priority"),
        "easy_limit": Scenario(order="priority", backfill="easy"),
    }
    return found | {name: f.share(saturation(one) or 0.0, 2) for name, one in limits.items()}


@lru_cache(maxsize=1)
def message() -> dict[str, str]:
    """What follows from the message by arithmetic."""
    ten, story = Scenario(training_rate=float(k.POLICY_TEN_A_DAY)), Scenario()
    part = story.fleet // int(k.POLICY_PARTITIONS)
    sizes = [int(k.TRAINING_GPUS_STEP) * n for n in range(1, 9)]
    return {
        "ten_load": f.share(ten.load),
        "ten_asked": gpu_hours(ten.work_rate * DAY),
        "ten_have": gpu_hours(ten.fleet * DAY),
        "ten_grows": gpu_hours((ten.work_rate - ten.fleet) * DAY),
        "ten_feasible": f.significant(feasible_rate(ten, 1.0) * DAY),
        "story_load": f.share(story.load),
        "named_64": f.significant(gang_start_probability(0.2, 64, 64), 2),
        "any_320": f.significant(gang_start_probability(0.2, 320, 64), 2),
        "any_400": f.significant(gang_start_probability(0.2, 400, 64), 2),
        "interactive_share_of_work": f.share(story.mix[0].arrival_rate * story.mix[0].gpu_seconds / story.fleet, 2),
        "half_hour": f.duration(k.INTERACTIVE_RUNTIME),
        "split_fragmentation": f.share(fragmentation([4, 4], {8: 1.0})),
        "balance_users": f.significant(USERS),
        "balance_jain": f.significant(jain([0.0, *[1.0] * (USERS - 1)]), 2),
        "balance_least": f.significant(balance([0.0, *[1.0] * (USERS - 1)])),
        "part_gpus": f.significant(part),
        "part_never": f"{sum(size > part for size in sizes)} of {len(sizes)}",
    }


@lru_cache(maxsize=64)
def present(plain: Scenario) -> dict[str, str]:
    """What depends on the knobs."""
    found = board(plain)
    nodes, gang = plain.fleet // int(k.POLICY_NODE), math.ceil(plain.training_size / k.POLICY_NODE)
    free = max(0.0, 1 - plain.load)
    weights = [getattr(plain, f"weight_{name}") for name in CLASSES]
    shares = [weight / sum(weights) for weight in weights]
    exponents = factors(plain)
    simulated = [hours(found.mean(name, "mean_wait")) if found.mean(name, "count") > 0 else "–" for name in CLASSES]
    return {
        "cobham_waits": _listed(cobham_waits(plain)),
        "cobham_simulated": _listed(simulated),
        "load": f.share(plain.load),
        "order_words": _order_words(plain),
        "estimate_words": "exact" if plain.estimates == 1 else f"{f.times(plain.estimates, 3)} the runtime",
        "half_life": f.count(plain.half_life / DAY, "day"),
        "weights_words": _listed([f.share(share) for share in shares]),
        "factor_words": _listed([f.significant(2.0 ** -exponents[name], 2) for name in CLASSES]),
        "nodes": f.count(nodes, "node"),
        "free": f.share(free),
        "gang_nodes": f.count(gang, "node"),
        "named": f.significant(gang_start_probability(free, gang, gang), 2),
        "any": f.significant(gang_start_probability(free, nodes, gang), 2),
    }


def _order_words(plain: Scenario) -> str:
    if plain.order != "priority":
        return "Your order is not priority, so the formula is not yours."
    if plain.quotas != "none":
        return (
            "Your order is priority, but what fits into its class's quota goes first, which the formula does not know."
        )
    if plain.preemption:
        return "Your order is priority, but you stop running jobs, which the formula does not do."
    return "The formula is for your order, priority."


def cobham_waits(plain: Scenario) -> list[str]:
    """Waits of the classes if the fleet ran one job at a time, each spread over all its GPUs."""
    mix = [one for one in plain.mix if one.arrival_rate > 0]
    waits = priority_waits(
        [one.arrival_rate for one in mix],
        [one.gpu_seconds / plain.fleet for one in mix],
        [work_scv(one) for one in mix],
    )
    named = dict(zip([one.name for one in mix], waits, strict=True))
    return [f.duration(named[name]) if name in named else "–" for name in CLASSES]


def work_scv(one: JobClass) -> float:
    """Squared coefficient of variation of a job's work, gpus × runtime, the two being independent [1].

    (1 + SCV of the width) (1 + SCV of the runtime) − 1.
    """
    sizes = getattr(one.gpus, "values", None)
    width = 1.0 if sizes is None else sum(v * v for v in sizes) / len(sizes) / one.gpus.mean**2
    low, high = getattr(one.runtime, "low", None), getattr(one.runtime, "high", None)
    length = 2.0 if low is None else 1 + (high - low) ** 2 / 12 / one.runtime.mean**2
    return width * length - 1


def _listed(texts: list[str]) -> str:
    return f"{texts[0]} (interactive), {texts[1]} (search), {texts[2]} (training)"
