"""What a lesson offers: its words, its settings, and pure functions of these. Report, staff page and tests go by it.

The app's lessons are enrolled once, by `lessons/__init__.py`; nothing in `ui` knows one by name.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import pandas as pd
import pyarrow as pa

from ui.base import own_words
from ui.base.words import Words

_COURSE: list["Lesson"] = []


@dataclass(frozen=True)
class Preset:
    """A named scenario: its words, {quantity: SI value or id} where it differs from the defaults, where to see it."""

    words: str
    changes: Mapping[str, object] = field(default_factory=dict)
    view: str | None = None  #: the further chart in which its effect is seen


@dataclass(frozen=True)
class Metric:
    """A headline number: label, value as text, a note in words, and whether it is good, bad or neither."""

    label: str
    value: str
    note: str | None = None
    good: bool | None = None
    help: str | None = None


@dataclass(frozen=True)
class Verdict:
    """One sentence that says what binds, and whether that is good, bad or neither."""

    text: str
    good: bool | None = None


@dataclass(frozen=True)
class Result:
    """A headline number to be pinned, kept and handed in: what it is called, its SI value, and how it is written."""

    label: str
    value: float
    text: str


@dataclass(frozen=True)
class Grab:
    """A chart's x axis as a handle of a knob."""

    knob: str  #: the quantity
    unit: float = 1.0  #: SI value of the knob for each unit of the axis


@dataclass(frozen=True)
class Reach:
    """How far a chart's values go on one axis, and where that ends, both in its unit."""

    value: float
    end: float
    farthest: float = 100.0  #: ends up to this many times the usual one are of use; on a log axis more


@dataclass(frozen=True)
class Figure:
    """A chart: its name in keys, the question it answers, rows, specification, and its numbers in a sentence."""

    name: str
    title: str
    rows: pa.Table | pd.DataFrame
    spec: Mapping
    alt: str
    lines: Sequence[str] = ()  #: kinds of rows that a pinned scenario leaves on the chart, beside its "here"
    grab: Grab | None = None  #: the knob that a press on the chart moves
    reach: Reach | None = None  #: of the axis that may follow what leaves the frame

    @property
    def frame(self) -> pd.DataFrame:
        """The rows as a pandas frame, for whoever wants to compute with them."""
        return self.rows if isinstance(self.rows, pd.DataFrame) else self.rows.to_pandas()


@dataclass(frozen=True)
class Challenge:
    """The way through a lesson: the task in words, and its judge."""

    task: Callable[[], str]
    judge: Callable[[Any], Verdict]  #: settings → what was reached; `good` is True when it is won


@dataclass(frozen=True)
class Lesson(Words):
    """A lesson: its words, and what its code offers as functions of its settings."""

    settings: Callable[[], Any] = object  #: frozen dataclass whose fields carry their knobs
    values: Callable[[Any], Mapping[str, str]] = field(default=lambda settings: {})  #: every number of the words
    results: Callable[[Any], Sequence[Result]] = field(default=lambda settings: ())  #: headline numbers, to be kept
    presets: Mapping[str, Preset] = field(default_factory=dict)  #: by id, in the order of the story
    main: str = ""  #: the quantity whose knob stands under the chart on a phone; by default the first in sight
    metrics: Callable[[Any], Sequence[Metric]] | None = None  #: at most four
    verdict: Callable[[Any], Verdict] | None = None  #: what binds
    remedies: Callable[[Any], str] | None = None  #: what would mend it, in words; "" where nothing has to be mended
    views: Mapping[str, str] = field(default_factory=dict)  #: further charts: {id: words}
    challenge: Challenge | None = None
    film: Callable[..., Any] | None = None  #: settings → what `ui.films.show` plays of them
    of_cluster: Callable[[Any], Mapping[str, float]] | None = None  #: what a log's `Happened` says → quantities in SI

    @classmethod
    def of(cls, page: str, **offers: Any) -> "Lesson":
        """Join the words of `lessons/<page>/words.toml`, and the course's own, with what the lesson's code offers."""
        words = own_words.over(page, lambda: offers["values"](offers["settings"]()).keys())
        return cls(**{one.name: getattr(words, one.name) for one in fields(Words)}, **offers)


def enroll(lessons: Sequence[Lesson]) -> tuple[Lesson, ...]:
    """Make these the app's lessons, in menu order, and return them."""
    ids = [lesson.id for lesson in lessons]
    if len(set(ids)) != len(ids):
        raise ValueError(f"every lesson needs an id of its own, got {', '.join(ids)}")
    _COURSE[:] = lessons
    own_words.look_around([lesson.page for lesson in lessons])
    return tuple(lessons)


def lessons() -> tuple[Lesson, ...]:
    """Return the app's lessons in menu order."""
    return tuple(_COURSE)
