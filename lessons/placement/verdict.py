"""Placement: what binds, and the smallest changes that make the place matter less."""

from lessons.placement.chart import hours
from lessons.placement.settings import Training
from ui.base import format as f
from ui.base.lesson import Metric, Verdict
from ui.knobs import remedies as search

#: Ends that differ by less than this are the same [1].
TIE = 1e-9
#: Times longer at which a scattered run is called as good as one on a node.
CLOSE = 1.1


def verdict(training: Training) -> Verdict:
    """Say what makes a scattered step slow, and which start ends first."""
    return Verdict(f"{_step_words(training)} {_ends_words(training)}")


def _step_words(training: Training) -> str:
    far = training.step(training.far)
    seen = far - training.compute
    if seen <= TIE * far:
        return "Computing hides all communication: a step takes as long scattered as on one node."
    return (
        f"A scattered step takes {f.duration(far)}, {f.times(training.ratio, 3)} that on one node: for "
        f"{f.duration(seen)} of it the GPUs wait for communication {_links(training)}."
    )


def _links(training: Training) -> str:
    """The links that the sum crosses."""
    between = f"over links of {f.data_rate(training.between, 4)}"
    return between if training.spread == 1 else f"{between} between nodes and {f.data_rate(training.inside, 4)} inside"


def _ends_words(training: Training) -> str:
    now, later = training.now_ends, training.later_ends
    if abs(now - later) <= TIE * now:
        return "Both starts end at the same time."
    if not training.wait:
        return f"A node is free at once: the run ends {hours(now - later)} earlier on it."
    if later < now:
        return f"Waiting {hours(training.wait)} for a node ends {hours(now - later)} earlier."
    return f"Starting now ends {hours(later - now)} earlier than waiting {hours(training.wait)}."


def metrics(training: Training) -> list[Metric]:
    """The four headline numbers."""
    near, far = training.step(training.near), training.step(training.far)
    return [
        Metric("Start now: done after", hours(training.now_ends), f"on {f.count(training.nodes, 'node')}"),
        Metric(
            "Wait: done after",
            hours(training.later_ends),
            f"{hours(training.wait)} of it waiting" if training.wait else "no wait",
        ),
        Metric("Worth waiting up to", hours(training.break_even), "then both end together"),
        Metric("Scattered step", f.duration(far), f"{f.duration(near)} on one node"),
    ]


def remedies(training: Training) -> str:
    """List the smallest change of each knob that makes a scattered run almost as fast as one on a node."""
    if training.ratio <= CLOSE:
        return ""
    aim = f"at most {f.share(CLOSE - 1)} longer than on one node"
    names = ("between", "spread", "overlap", "parameters", "compute")
    found = search.remedies(training, lambda one: one.ratio <= CLOSE, names)
    if not found:
        return f"No single knob on this page was found to make the scattered run {aim}; turn two of them."
    return f"A scattered run {aim}: {search.listed(found)}."
