"""Notebook sharing: four unlike notebooks on one node, under three schedulers."""

from functools import lru_cache

import pyarrow as pa

from lessons.notebook_sharing import timeline
from lessons.notebook_sharing.settings import SCHEDULERS, TIE, Study, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import Look, stack

#: Ends of the time axis [min]; it ends at the first that holds the last cell.
ENDS = (5, 10, 20, 40, 80, 160)
#: Height of a scheduler's band, in heights of its node.
BAND = 1.36
NAMES = {name: f"s{place}" for place, name in enumerate("ABCD")}


def figure(study: Study, look: Look) -> Figure:
    """Cores over time under the three schedulers, one above another."""
    last = max(one.last for one in study.outcomes.values()) / k.MINUTE
    end = next(end for end in ENDS if last <= end)
    drawn = timeline.spec(look, "minutes", end, 3 * BAND, 400 if look.present else 330)
    each = "; ".join(f"{SCHEDULERS[name].lower()} {f.significant(one.antt)}" for name, one in study.outcomes.items())
    return Figure("mix", "Who holds the cores, and when?", _rows(study, end), drawn, say("mix_chart", study, each=each))


@lru_cache(maxsize=32)
def _rows(study: Study, end: float) -> pa.Table:
    rows: list[timeline.Row] = []
    names = {name: NAMES[name] for name in study.combination}
    for place, (name, words) in enumerate(SCHEDULERS.items()):
        top, overhead = place * BAND + 0.3, study.overhead if name == "dynamic" else 0.0
        held = list(timeline.spans(study.outcomes[name].run.cells, study.cores, names, top, float(k.MINUTE), overhead))
        rows += [timeline.label(0, top - 0.14, words, bold=True), timeline.rule(0, top, 0, top + 1, "quiet", "solid")]
        rows += [*held, *timeline.named(held, 0.014 * end, 0.03 * end)]
    return stack(rows)


def metrics(study: Study) -> list[Metric]:
    """Mean slowdown and throughput by scheduler."""
    best = min(outcome.antt for outcome in study.outcomes.values()) * (1 + TIE)
    most, help = len(study.combination), say("antt_help", study)
    return [
        Metric(
            f"ANTT: {words.lower()}",
            f.significant(one.antt),
            f"STP {f.significant(one.stp)} of at most {most}",
            True if one.antt <= best else None,
            help,
        )
        for words, one in zip(SCHEDULERS.values(), study.outcomes.values(), strict=True)
    ]


def verdict(study: Study) -> Verdict:
    """Say which scheduler has the lowest mean slowdown."""
    best = min(outcome.antt for outcome in study.outcomes.values())
    names = [SCHEDULERS[name].lower() for name, one in study.outcomes.items() if one.antt <= best * (1 + TIE)]
    if len(names) == len(SCHEDULERS):
        return Verdict(say("mix_equal", study, antt=f.significant(best)))
    return Verdict(say("mix_best", study, names=" and ".join(names), antt=f.significant(best)))
