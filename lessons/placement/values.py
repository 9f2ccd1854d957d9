"""Placement: the lesson's numbers in words."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from lessons.placement.chart import hours
from lessons.placement.settings import NODE, Training
from lessons.placement.stream import JOBS, NODES, run
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Result


def results(training: Training) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    completion = run(training).completion
    return [
        Result("Start now: done after", training.now_ends, hours(training.now_ends)),
        Result("Wait: done after", training.later_ends, hours(training.later_ends)),
        Result("Worth waiting up to", training.break_even, hours(training.break_even)),
        Result("Mean completion of the stream", completion, f.duration(completion)),
    ]


@lru_cache(maxsize=1)
def _story() -> dict[str, str]:
    """The numbers of the message's own case, whatever the knobs say."""
    own = Training()
    small, half, four = replace(own, parameters=0.35e9), replace(own, overlap=0.5), replace(own, spread=4)
    late = replace(own, wait=10 * k.HOUR)
    return {
        "story_gradient": f.data(own.gradient),
        "story_links": f.times(own.inside / own.between),
        "story_near_talk": f.duration(own.near),
        "story_far_talk": f.duration(own.far),
        "story_near": f.duration(own.step(own.near)),
        "story_far": f.duration(own.step(own.far)),
        "story_ratio": f.times(own.ratio, 3),
        "story_runtime": hours(own.runtime),
        "story_now": hours(own.now_ends),
        "story_even": hours(own.break_even),
        "story_after_one": hours(own.runtime + k.HOUR),
        "story_after_ten": hours(late.later_ends),
        "story_saved_one": hours(own.now_ends - own.runtime - k.HOUR),
        "story_day": hours(own.runtime + k.DAY),
        "half_even": hours(half.break_even),
        "four_even": hours(four.break_even),
        "small_gradient": f.data(small.gradient),
        "small_far_talk": f.duration(small.far),
        "small_near_talk": f.duration(small.near),
        "small_even": hours(small.break_even),
        "small_share": f.share(small.ratio - 1, 2),
        "story_share": f.share(own.ratio - 1, 2),
    }


def live_values(training: Training) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    found = run(training)
    near, far = training.step(training.near), training.step(training.far)
    return _story() | {
        "gradient": f.data(training.gradient),
        "near_talk": f.duration(training.near),
        "far_talk": f.duration(training.far),
        "inside": f.data_rate(training.inside),
        "between": f.data_rate(training.between, 4),
        "spread_words": f"{f.count(training.nodes, 'node')} with {f.count(training.spread, 'GPU')} each",
        "compute": f.duration(training.compute),
        "overlap": f.share(training.overlap),
        "hidden": f.duration(training.hidden(training.far)),
        "near": f.duration(near, 4),
        "far": f.duration(far, 4),
        "ratio": f.times(training.ratio, 3),
        "runtime": hours(training.runtime),
        "even": hours(training.break_even),
        "fleet_words": f"{NODES} nodes of {NODE} GPUs",
        "stream_jobs": f"{JOBS}",
        "unusable": f.significant(float(found.unusable.mean()), 2),
        "free": f.significant(float(found.free.sum(axis=1).mean())),
        "chance": f.share(found.chance),
        "completion": f.duration(found.completion),
    }
