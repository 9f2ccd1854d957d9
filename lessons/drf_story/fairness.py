"""DRF story: both outcomes by anything that can be counted."""

from lessons.drf_story import bars
from lessons.drf_story.settings import MEASURES, Scenario, index, say
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts.look import Look


def figure(scenario: Scenario, look: Look) -> Figure:
    """What each job had before and has after the hand-out, in what is counted."""
    percent = scenario.measure != "executors"
    written = f.share if percent else f.significant
    start, one, two = scenario.counted(0, start=True), scenario.counted(0), scenario.counted(1)
    rows = [
        (
            job.name,
            tuple(
                (start[i], end[i], f"{label} {written(end[i])}")
                for end, label in zip((one, two), scenario.labels, strict=True)
            ),
        )
        for i, job in enumerate(scenario.jobs)
    ]
    parts = [f"{name}: {both[0][2]}, {both[1][2]}" for name, both in rows]
    title = f"{MEASURES[scenario.measure]}: which job has how much?"
    spec = bars.spec(look, f"{scenario.measured_words}, before (hollow) and after", percent)
    return Figure("ends", title, bars.rows(rows), spec, f"{MEASURES[scenario.measure]} at the end. {'; '.join(parts)}.")


def metrics(scenario: Scenario) -> list[Metric]:
    """Jain's index and the balance of both outcomes."""
    found = []
    for label, jain, least in zip(
        scenario.labels,
        (scenario.index_one, scenario.index_two),
        (scenario.balance_one, scenario.balance_two),
        strict=True,
    ):
        found += [
            Metric(f"Jain's index, {label}", index(jain), help=say("index_help", scenario)),
            Metric(f"Balance, {label}", index(least), help=say("balance_help", scenario)),
        ]
    return found


def verdict(scenario: Scenario) -> Verdict:
    """Say how equal the jobs are in what is counted."""
    return Verdict(say("fair", scenario))


def words(scenario: Scenario) -> str:
    """What the picture shows, and what the index does not see."""
    return say("fair_words", scenario)
