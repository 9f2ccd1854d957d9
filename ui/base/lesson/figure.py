"""Contents of a lesson's picture: numbers, a sentence, a chart, and the chart's drag handles."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any

import pandas as pd
import pyarrow as pa

from ui.base.records import Values


@dataclass(frozen=True)
class Preset:
    """Named scenario: the quantities that differ from the defaults, in SI or as ids, and a view."""

    changes: Values = field(default_factory=dict)
    view: str | None = None  #: the further chart in which its effect is seen
    words: str = ""  #: its name, from `[presets]` of the lesson's words.toml


@dataclass(frozen=True)
class Metric:
    """Headline number: label, value as text, note, and whether it is good, bad, or neither."""

    label: str
    value: str
    note: str | None = None
    good: bool | None = None
    help: str | None = None


@dataclass(frozen=True)
class Verdict:
    """Sentence that names the bottleneck, and whether the state is good, bad, or neither."""

    text: str
    good: bool | None = None


#: Key of a sentence in `[says]`, whether the state is good, bad, or neither, and possibly values
#: for placeholders of the sentence that are no quantities.
Outcome = tuple[str, bool | None] | tuple[str, bool | None, Mapping[str, Any]]


def verdict_of(
    say: Callable[..., str],
) -> Callable[[Callable[[Any], Outcome]], Callable[[Any], Verdict]]:
    """Decorate a function that names a sentence, so that it returns the verdict."""
    return partial(_worded, say)


def _worded(say: Callable[..., str], judge: Callable[[Any], Outcome]) -> Callable[[Any], Verdict]:
    """Return a function that puts the outcome of `judge` into a sentence of the lesson."""

    @wraps(judge)
    def verdict(settings: Any) -> Verdict:
        """Judge these settings."""
        name, good, *values = judge(settings)
        return Verdict(say(name, settings, **dict(*values)), good)

    return verdict


@dataclass(frozen=True)
class Result:
    """Headline number saved in pins, records, and reports: label, SI value, and text."""

    label: str
    value: float
    text: str


@dataclass(frozen=True)
class Grab:
    """Setting that a drag along a chart's x axis changes."""

    knob: str  #: the quantity
    unit: float = 1.0  #: SI value of the knob for each unit of the axis
    #: for a choice: position on the axis → option id
    choose: Callable[[float], str] | None = None
    #: text next to the pointer: the noun that the knob counts ("policy|policies"), a text with {}
    #: for the number, or position on the axis → text; by default the knob's own words, or its
    #: number and its label's unit
    says: Callable[[float], str] | str = ""


@dataclass(frozen=True)
class Taps:
    """Marks of a chart's top layer that can be clicked, and the setting that a click changes."""

    field: str  #: column that identifies a mark
    #: settings, clicked marks → {quantity: SI value or id}, or None if a second click must follow
    changes: Callable[[Any, Sequence], Values | None]


@dataclass(frozen=True)
class Level:
    """Setting, in the SI unit of the y axis, drawn as a horizontal line that can be dragged."""

    knob: str  #: the quantity
    value: float
    least: float  #: lowest value to which it may be dragged
    most: float  #: highest value to which it may be dragged
    words: str  #: label beside the line, before its value in percent
    short: str = ""  #: label on a phone


@dataclass(frozen=True)
class Reach:
    """Largest value on an axis and the end of the axis, in the axis' unit."""

    value: float
    end: float


@dataclass(frozen=True, eq=False)
class Figure:
    """Chart: name for widget keys, question as title, rows, specification, and description."""

    name: str
    title: str
    rows: pa.Table
    spec: Mapping
    alt: str
    #: kinds of rows that stay on the chart when the scenario is pinned, in addition to its "here"
    lines: Sequence[str] = ()
    grab: Grab | None = None  #: the knob that a press on the chart moves
    reach: Reach | None = None  #: largest value on the axis that "Fit axes" may extend
    taps: Taps | None = None  #: what a tap on its marks changes
    #: the lower and the upper of two draggable lines, see `ui.charts.levels`
    levels: Sequence[Level] = ()

    @property
    def labels(self) -> list[str]:
        """Texts written on the chart."""
        return [text for text in self.frame.get("label", ()) if isinstance(text, str)]

    @property
    def frame(self) -> pd.DataFrame:
        """Rows of the chart as a pandas frame."""
        return self.rows.to_pandas()

    @property
    def cells(self) -> list[dict[str, Any]]:
        """Rows of the chart as dicts, without missing values."""
        return [
            {name: value for name, value in row.items() if value is not None}
            for row in self.rows.to_pylist()
        ]

    @property
    def roles(self) -> list[str | None]:
        """Roles of the chart's rows, such as "here"; [] if its rows have none."""
        if "role" in self.rows.column_names:
            return self.rows["role"].to_pylist()
        return []
