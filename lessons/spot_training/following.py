"""Spot training: the eight runs redrawn by the browser while the visitor drags the cost curve.

An interruption comes at the same time whatever the interval, so the rows hold the stretches between
interruptions, and the browser computes what is saved and lost in each of them by the rules of
`physics.checkpointing.play_run`. Rows for every interval would be 30 times as many.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pyarrow as pa

from lessons.spot_training.runs import DUMPS, END, HALF, LOST, MOST, PARTS, RIGHT, RUNS, SEED, WORK
from lessons.spot_training.runs import figure as still
from lessons.spot_training.settings import INTERVALS, Plan
from lessons.spot_training.settings import WORK as LENGTH
from physics import constants as k
from ui.base.lesson import Figure
from ui.charts import Look, only, stack
from ui.charts.handle import POINTED, axis_of

HOURS = float(LENGTH / k.HOUR)
#: Vega expressions: whether the other chart is held, the interval there [h], and the text at a
#: run's end.
IS_HELD = f"isValid({POINTED})"
_PLACES = " + ".join(
    f"({POINTED} > {math.sqrt(low * high)!r})" for low, high in pairwise(INTERVALS)
)
INTERVAL = f"{[minutes / 60 for minutes in INTERVALS]}[{_PLACES}]"
BILL = f"datum.finish <= {END} ? '$' + format(datum.price * datum.finish, ',.0f') : '→'"
#: What follows for each stretch, in the order in which it is computed; times in hours. Segments are
#: kept whole unless a notice saves them, and the last one may be shorter.
STEPS = {
    "works": "datum.until - datum.x - datum.rest",
    "interval": INTERVAL,
    "segment": "datum.interval + datum.dump",
    "whole": f"floor({HOURS} / datum.interval + 1e-9)",
    "tail": f"{HOURS} - datum.whole * datum.interval",
    "total": "datum.whole * datum.segment + (datum.tail > 1e-6 ? datum.tail + datum.dump : 0)",
    "most": "datum.safe ? datum.total : datum.whole * datum.segment",
    "fits": "datum.safe ? datum.works : floor(datum.works / datum.segment + 1e-9) * datum.segment",
}
AFTER = {
    "before": "min(datum.most, datum.added - datum.fits)",
    "needs": "datum.total - datum.before",
    "ends": "datum.needs <= datum.works + 1e-9 ? datum.x + datum.rest + datum.needs : null",
}
LAST = {
    "bar": f"min({END}, isValid(datum.finish) ? datum.finish : datum.last)",
    "kept": "min(datum.fits, datum.most - datum.before)",
    "lost": "isValid(datum.ends) ? datum.until : datum.until - (datum.works - datum.kept)",
}


def _computed(steps: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the transforms that compute columns by Vega expressions."""
    return [{"calculate": how, "as": name} for name, how in steps.items()]


CHAIN = [
    {"filter": only("stretch")},
    {"filter": IS_HELD},
    *_computed(STEPS),
    {
        "window": [{"op": "sum", "field": "fits", "as": "added"}],
        "sort": [{"field": "x"}],
        "groupby": ["y"],
    },
    *_computed(AFTER),
    {
        "joinaggregate": [
            {"op": "min", "field": "ends", "as": "finish"},
            {"op": "max", "field": "until", "as": "last"},
        ],
        "groupby": ["y"],
    },
    {"filter": "!(datum.x >= datum.finish)"},
    *_computed(LAST),
]
ONE_A_RUN = {"filter": "datum.x === 0"}


@lru_cache(maxsize=64)
def figure(plan: Plan, look: Look) -> Figure:
    """Chart of the eight runs, with the data for redrawing them at another interval."""
    drawn = still(plan, look)
    drawn_from = stretches(replace(plan, interval=float(LENGTH)))  # the same for every interval
    rows = pa.concat_tables([drawn.rows, drawn_from], promote_options="default")
    return replace(drawn, rows=rows, spec=_spec(look))


@lru_cache(maxsize=64)
def stretches(plan: Plan) -> pa.Table:
    """Stretches between interruptions of each run: start, restart time, and end [h]."""
    rows = []
    dump = plan.dump / k.HOUR
    for number in range(RUNS):
        rng = np.random.default_rng([SEED, number])
        gaps = rng.exponential(plan.gang_mtbf, MOST) / k.HOUR
        rest = np.minimum(plan.restart / k.HOUR, gaps)
        rest[0] = 0.0
        extra = (gaps > rest) * plan.saved_by_notice * dump
        ends = np.cumsum(gaps + extra)
        since = np.append(0.0, ends[:-1])
        seen = since < END
        rows.append(
            {
                "kind": "stretch",
                "x": since[seen],
                "until": (since + gaps)[seen],
                "rest": rest[seen],
                "y": number + 1.0,
                "dump": dump,
                "price": plan.price,
                "safe": plan.saved_by_notice,
            }
        )
    return stack(rows)


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """The picture of the runs, which gives way while the other chart is held."""
    spec = dict(still(Plan(), look).spec)
    x = axis_of(spec)
    y = next(layer["encoding"]["y"] for layer in spec["layer"] if "y2" in layer["encoding"])
    hidden = {"opacity": {"expr": f"{IS_HELD} ? 0 : 1"}}
    layers = [layer | {"mark": layer["mark"] | hidden} for layer in spec["layer"]]

    foot = f"datum.y + {HALF}"

    def part(name: str, left: str, right: str, top: str, *only_one: dict) -> dict:
        """Draw one part of the runs' time, from one time to another."""
        edges = {"left": left, "right": f"min({END}, {right})", "top": top, "foot": foot}
        return {
            "transform": [*CHAIN, *only_one, *_computed(edges)],
            "mark": {"type": "rect", "color": look.series[PARTS[name]]},
            "encoding": {
                "x": x | {"field": "left"},
                "x2": {"field": "right"},
                "y": y | {"field": "top"},
                "y2": {"field": "foot"},
            },
        }

    top = f"datum.y - {HALF}"
    strip = f"{foot} - {2 * HALF} * datum.dump / datum.segment"
    layers += [
        part(WORK, "0", "datum.bar", top, ONE_A_RUN) | {"name": POINTED},
        part(DUMPS, "0", "datum.bar", strip, ONE_A_RUN),
        part(LOST, "datum.lost", "datum.until", top),
        part(LOST, "datum.x", "datum.x + datum.rest", top),
        {
            "transform": [*CHAIN, ONE_A_RUN],
            "mark": {"type": "text", "align": "right", "dx": -2, "color": look.ink},
            "encoding": {
                "x": {name: value for name, value in x.items() if name != "field"}
                | {"datum": RIGHT},
                "y": y,
                "text": {"value": {"expr": BILL}},
            },
        },
    ]
    params = [*spec.get("params", ()), {"name": POINTED, "value": None}]
    return spec | {"layer": layers, "params": params}
