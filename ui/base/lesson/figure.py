"""What a picture of a lesson consists of: numbers, a sentence, a chart, and what a hand may do with
it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import pyarrow as pa


@dataclass(frozen=True)
class Preset:
    """A named scenario: {quantity: SI value or id} where it differs from the defaults, and where to
    see it.
    """

    changes: Mapping[str, Any] = field(default_factory=dict)
    view: str | None = None  #: the further chart in which its effect is seen
    words: str = ""  #: its name, from `[presets]` of the lesson's words.toml


@dataclass(frozen=True)
class Metric:
    """A headline number: label, value as text, a note in words, and whether it is good, bad or
    neither.
    """

    label: str
    value: str
    note: str | None = None
    good: bool | None = None
    help: str | None = None


@dataclass(frozen=True)
class Verdict:
    """One sentence that names the bottleneck, and whether that is good, bad or neither."""

    text: str
    good: bool | None = None


@dataclass(frozen=True)
class Result:
    """A headline number that pins, records and reports keep: label, SI value, and text."""

    label: str
    value: float
    text: str


@dataclass(frozen=True)
class Grab:
    """The knob that a press on a chart's x axis moves."""

    knob: str  #: the quantity
    unit: float = 1.0  #: SI value of the knob for each unit of the axis
    #: of a knob that is a choice: place on the axis → option
    choose: Callable[[float], str] | None = None
    #: what the pointer says: the noun that the knob counts ("policy|policies"), words with {} for
    #: its number, or the knob's place on the axis → words; by default the knob's own words, or its
    #: number and its label's unit
    says: Callable[[float], str] | str = ""


@dataclass(frozen=True)
class Taps:
    """The marks of a chart's topmost layer that can be tapped, and what that changes."""

    field: str  #: column that tells the marks apart
    changes: Callable[
        [Any, Sequence], Mapping[str, Any] | None
    ]  #: settings, marks → {quantity: SI}; None: wait


@dataclass(frozen=True)
class Level:
    """A knob that is a line across a chart and is dragged up and down; in SI, the unit of the
    chart's y axis.
    """

    knob: str  #: the quantity
    value: float
    least: float  #: how far down it may be dragged
    most: float  #: how far up
    words: str  #: what is written beside it, before its value in percent
    short: str = ""  #: the same on a phone


@dataclass(frozen=True)
class Reach:
    """The largest value on an axis and where the axis ends, both in the axis' unit."""

    value: float
    end: float


@dataclass(frozen=True, eq=False)
class Figure:
    """A chart: its name in keys, the question it answers, rows, specification, and its numbers in a
    sentence.
    """

    name: str
    title: str
    rows: pa.Table
    spec: Mapping
    alt: str
    lines: Sequence[
        str
    ] = ()  #: kinds of rows that a pinned scenario leaves on the chart, in addition to its "here"
    grab: Grab | None = None  #: the knob that a press on the chart moves
    reach: Reach | None = None  #: of the axis that may follow what leaves the frame
    taps: Taps | None = None  #: what a tap on its marks changes
    levels: Sequence[
        Level
    ] = ()  #: the lower and the upper of two lines that are dragged, see `ui.charts.levels`

    @property
    def labels(self) -> list[str]:
        """What is written on the chart."""
        return [text for text in self.frame.get("label", ()) if isinstance(text, str)]

    @property
    def frame(self) -> pd.DataFrame:
        """The rows as a pandas frame."""
        return self.rows.to_pandas()
