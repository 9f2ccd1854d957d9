"""Notebook sharing: four unlike notebooks on one node, under three schedulers."""

from functools import lru_cache

import pyarrow as pa

from lessons.notebook_sharing import timeline
from lessons.notebook_sharing.settings import SCHEDULERS, Study, say
from physics import constants as k
from ui.base.lesson import Figure
from ui.charts import Look, marks, stack

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
    return Figure("mix", "Who holds the cores, and when?", _rows(study, end), drawn, say("mix_chart", study))


@lru_cache(maxsize=32)
def _rows(study: Study, end: float) -> pa.Table:
    rows: list[timeline.Row] = []
    names = {name: NAMES[name] for name in study.combination}
    for place, (name, words) in enumerate(SCHEDULERS.items()):
        top, overhead = place * BAND + 0.3, study.overhead if name == "dynamic" else 0.0
        held = list(timeline.spans(study.outcomes[name].run.cells, study.cores, names, top, float(k.MINUTE), overhead))
        rows += [marks.label(0, top - 0.14, words, bold=True), timeline.rule(0, top, 0, top + 1, "quiet")]
        rows += [*held, *timeline.named(held, 0.014 * end, 0.03 * end)]
    return stack(rows)
