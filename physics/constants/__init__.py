"""All constants of the app with value, unit, meaning, source, and kind, in one file per lesson.

A `Constant` is a float that knows where it comes from, so that a model uses it as a number and the Sources page shows
it as a row. `low`, `high` and `step` describe the knob that varies it. Values are SI: seconds, bytes, bytes per second,
fractions; prices are US dollars. 1 GB is 10⁹ B.

Kinds: "exact" by definition, "datasheet" from a maker's or standard's document, "measured" by somebody who published
it, "assumed" chosen for the lesson.
"""

from physics.constants.kinds import Constant, Kind

# In the order of the Sources page.
from physics.constants.units import *
from physics.constants.utilization_trap import *
from physics.constants.scheduling_policy import *
from physics.constants.io_bottleneck import *
from physics.constants.storage_architecture import *
from physics.constants.drf_story import *
from physics.constants.where_the_hours_go import *
from physics.constants.notebook_sharing import *
from physics.constants.autoscaling import *
from physics.constants.spot_training import *
from physics.constants.stuttering_answers import *
from physics.constants.last_answer import *
from physics.constants.failures_at_scale import *
from physics.constants.gpu_slices import *
from physics.constants.fair_queueing import *
from physics.constants.placement import *
from physics.constants.gpu_sharing import *
from physics.constants.policy_trial import *
from physics.constants.small_fleet import *

__all__ = ["Constant", "Kind", "table", *(name for name in dir() if isinstance(globals()[name], Constant))]


def table() -> list[dict[str, object]]:
    """List every constant as a row: name, symbol, value, unit, meaning, source, kind, low, high.

    >>> next(row for row in table() if row["name"] == "DAY")["value"]
    86400.0
    """
    fields = ("symbol", "unit", "meaning", "source", "kind", "low", "high")
    return [
        {"name": name, "value": float(value)} | {field: getattr(value, field) for field in fields}
        for name, value in globals().items()
        if isinstance(value, Constant)
    ]
