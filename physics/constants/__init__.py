"""Every constant of the app: value, unit, meaning, source and kind, declared once.

A `Constant` is a float that knows where it comes from, so that a model uses it as a number and the Sources page shows
it as a row. `low` and `high` bound the knob that varies it. Values are SI: seconds, bytes, bytes per second, fractions;
prices are US dollars. 1 GB is 10⁹ B.

Kinds: "exact" by definition, "datasheet" from a maker's or standard's document, "measured" by somebody who published
it, "assumed" chosen for the lesson.
"""

from physics.constants import (
    autoscaling,
    drf,
    fair,
    home,
    io,
    notebooks,
    place,
    policy,
    share,
    slices,
    spot,
    storage,
    trap,
    trial,
    units,
)
from physics.constants.autoscaling import *
from physics.constants.drf import *
from physics.constants.fair import *
from physics.constants.home import *
from physics.constants.io import *
from physics.constants.kinds import Constant
from physics.constants.kinds import Kind as Kind
from physics.constants.notebooks import *
from physics.constants.place import *
from physics.constants.policy import *
from physics.constants.share import *
from physics.constants.slices import *
from physics.constants.spot import *
from physics.constants.storage import *
from physics.constants.trap import *
from physics.constants.trial import *
from physics.constants.units import *

#: In the order of the Sources page.
TOPICS = (
    units,
    trap,
    policy,
    io,
    storage,
    drf,
    notebooks,
    autoscaling,
    spot,
    slices,
    fair,
    place,
    share,
    trial,
    home,
)


def table() -> list[dict[str, object]]:
    """List every constant as a row: name, symbol, value, unit, meaning, source, kind, low, high.

    >>> next(row for row in table() if row["name"] == "DAY")["value"]
    86400.0
    """
    fields = ("symbol", "unit", "meaning", "source", "kind", "low", "high")
    return [
        {"name": name, "value": float(value)} | {field: getattr(value, field) for field in fields}
        for topic in TOPICS
        for name, value in vars(topic).items()
        if isinstance(value, Constant)
    ]
