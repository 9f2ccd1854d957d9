"""All constants of the app with value, unit, meaning, source, and kind, in one file per lesson.

A `Constant` is a float that knows where it comes from, so that a model uses it as a number and the
Sources page shows it as a row. `low`, `high`, `step`, and `positions` describe the knob that varies
it. Values are SI: seconds, bytes, bytes per second, fractions; prices are US dollars. 1 GB is 10⁹
B.

Kinds: "exact" by definition, "datasheet" from a maker's or standard's document, "measured" by
somebody who published it, "assumed" chosen for the lesson.

The constants are tables of the TOML files in this folder; a comment `# = 24 * HOUR` behind a number
says how it is computed. `python -m lessons` writes their names for type checkers into
`__init__.pyi`.
"""

from pathlib import Path

from physics.constants.kinds import Constant, Kind
from physics.constants.reading import read_files

#: The files, in the order of the Sources page.
FILES = (
    "units",
    "utilization_trap",
    "scheduling_policy",
    "io_bottleneck",
    "storage_architecture",
    "drf_story",
    "where_the_hours_go",
    "notebook_sharing",
    "autoscaling",
    "spot_training",
    "stuttering_answers",
    "last_answer",
    "failures_at_scale",
    "gpu_slices",
    "fair_queueing",
    "placement",
    "gpu_sharing",
    "policy_trial",
    "small_fleet",
)
CONSTANTS = read_files(Path(__file__).with_name(f"{name}.toml") for name in FILES)
globals().update(CONSTANTS)

__all__ = ["Constant", "Kind", "table", *CONSTANTS]


def table() -> list[dict[str, object]]:
    """List every constant as a row: name, symbol, value, unit, meaning, source, kind, low, high.

    >>> next(row for row in table() if row["name"] == "DAY")["value"]
    86400.0
    """
    fields = ("symbol", "unit", "meaning", "source", "kind", "low", "high")
    return [
        {"name": name, "value": float(constant)}
        | {field: getattr(constant, field) for field in fields}
        for name, constant in CONSTANTS.items()
    ]
