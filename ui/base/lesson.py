"""The form of a lesson: its words, its settings, and pure functions of these; pages, reports and
tests use it.

The app's lessons are enrolled once, by `lessons/__init__.py`; nothing in `ui` knows one by name.
"""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from types import MappingProxyType, ModuleType
from typing import Any

import pandas as pd
import pyarrow as pa

from ui.base import own_words
from ui.base.sentences import Sentences
from ui.base.words import LessonError, Question, Words, fill, use

_COURSE: list["Lesson"] = []


@dataclass(frozen=True)
class Preset:
    """A named scenario: {quantity: SI value or id} where it differs from the defaults, and where to
    see it.
    """

    changes: Mapping[str, object] = field(default_factory=dict)
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


@dataclass(frozen=True)
class Taps:
    """The marks of a chart's topmost layer that can be tapped, and what that changes."""

    field: str  #: column that tells the marks apart
    changes: Callable[
        [Any, Sequence], Mapping[str, object] | None
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


@dataclass(frozen=True)
class Challenge:
    """A task that a lesson sets, and the function that judges settings."""

    task: Callable[[], str]
    judge: Callable[[Any], Verdict]  #: settings → what was reached; `good` is True when it is won
    preset: Preset  #: where it starts


@dataclass(frozen=True)
class Drafted:
    """The ledger of the draft lab that a lesson retells: its chapter, and its entries under the
    draft's own keys.
    """

    chapter: str
    entries: Callable[
        [Any, str, bool], Mapping[str, object]
    ]  #: settings, locked answer or "", whether it is right


@dataclass(frozen=True)
class View:
    """One picture of a lesson, and the module that draws it and says what it shows.

    What the module may have is listed in docs/adding-a-lesson.md, such as `figure(settings, look)`,
    `metrics(settings)` and `verdict(settings)`; where it lacks one of the last two, the first
    view's stands with the picture.
    """

    id: str  #: its title stands in `[views]` of the lesson's words.toml
    module: ModuleType
    knobs: Sequence[
        str
    ] = ()  #: those that stand beside it, in their order; each does something in it
    also: Sequence[str] = ()  #: those out of sight that do something in it, too
    #: of all but those knobs it then shows the message's, with this changed
    fixed: Mapping[str, object] | None = None
    further: bool = False  #: whether it is a part, under Going further or in the laboratory
    laboratory: bool = False  #: whether it is a part of the laboratory
    #: {quantity: SI value or id} where a part opens in other settings than the message's
    opens: Mapping[str, object] | None = None
    title: str = ""
    after: str = ""  #: the lock that it waits for, such as "reflection", where it tells that question's answer
    asks: str = ""  #: what a further part asks; it stands in `[asks]`
    #: What of `[says]` are its headline numbers, verdict and paragraph, where its module has none:
    #: `<id>_metrics` … A quantity may choose the sentence, as in "quotas_{quotas}".
    metrics: str = ""
    verdict: str = ""
    words: str = ""
    say: Sentences | None = None  #: the lesson's sentences

    def shown(self, settings: Any) -> Any:
        """Return the settings that it shows."""
        if self.fixed is not None:
            kept = {name: getattr(settings, name) for name in (*self.knobs, *self.also)}
            return replace(self.say.settings(), **kept | self.fixed)
        if hasattr(self.module, "narrowed"):
            return self.module.narrowed(settings)
        return settings

    def speaker(self, function: str) -> Callable[..., Any] | None:
        """Return `metrics`, `verdict` or `remedies` of its own; None where it has none."""
        own = getattr(self.module, function, None)
        if own:
            return lambda settings: _once(own, self.shown(settings))
        name = getattr(self, function, "")
        read = {"metrics": _listed, "verdict": Verdict}
        if name:
            return lambda settings: read[function](self._said(name, settings))
        return None

    def paragraph(self, settings: Any) -> str:
        """Return the text below its picture; "" if there is none."""
        if hasattr(self.module, "words"):
            return _once(self.module.words, self.shown(settings))
        if self.words:
            return self._said(self.words, settings)
        return ""

    def _said(self, name: str, settings: Any) -> str:
        shown = self.shown(settings)
        return _once(self.say, self.say.filled(name, shown), shown)

    def figures(self, settings: Any, look: Any, **known: Any) -> list[Figure]:
        """Return its charts; of `known`, such as the guess, the module's function gets the
        arguments that it has.

        A chart must follow from these arguments alone: it is drawn once for all visitors. What a
        visitor has found out, such as a simulation of their own, is `found` by the module's
        `held(settings)`.
        """
        settings = self.shown(settings)
        if hasattr(self.module, "held"):
            known["found"] = self.module.held(settings)
        if not hasattr(self.module, "figure"):
            if hasattr(self.module, "figures"):
                return list(self.module.figures(settings, look))
            return []
        return [
            _once(
                self.module.figure,
                settings,
                look,
                **{n: one for n, one in known.items() if self.knows(n)},
            )
        ]

    def knows(self, argument: str) -> bool:
        """Return whether its `figure` takes this argument."""
        return hasattr(self.module, "figure") and argument in _arguments(self.module.figure)


@dataclass(frozen=True)
class Film(View):
    """The lesson's animation: `showing(settings)` of its module returns what `ui.films.show` plays."""

    name: str = ""  #: in its widgets' keys


@dataclass(frozen=True)
class Lesson(Words):
    """A lesson: its words, and what its code offers as functions of its settings."""

    settings: Callable[[], Any] = object  #: frozen dataclass whose fields carry their knobs
    values: Callable[[Any], Mapping[str, str]] = lambda settings: {}  #: every number of the words
    #: headline numbers, to be kept
    results: Callable[[Any], Sequence[Result]] = lambda settings: ()
    presets: Mapping[str, Preset] = field(default_factory=dict)  #: by id, in the order of the story
    challenge: Challenge | None = None
    pictures: Sequence[View] = ()  #: the views with their modules, in the order of the page
    #: settings → the same computed from ever more, first numbers
    coarse: Callable[[Any], Iterator[Any]] | None = None
    #: a log's `Happened` → quantities in SI
    of_cluster: Callable[[Any], Mapping[str, float]] | None = None
    drafted: Drafted | None = None  #: what the draft lab that it retells kept in its ledger
    say: Sentences | None = None  #: its sentences, and how they write numbers
    places: Mapping[str, Callable[..., Any]] = field(
        default_factory=dict
    )  #: {transfer question: its model}
    _asked: dict[tuple[str, int], Question] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        say: Sentences,
        *,
        views: Sequence[View],
        further: Sequence[View] = (),
        laboratory: Sequence[View] = (),
        results: Mapping[str, str] | Callable[[Any], Sequence[Result]] = MappingProxyType({}),
        presets: Mapping[str, Preset] = MappingProxyType({}),
        challenge: Callable[[Any], Verdict] | None = None,
        start: Preset = Preset(),
        **offers: Any,
    ) -> "Lesson":
        """Join the words of `lessons/<page>/words.toml`, and the course's own, with what the
        lesson's code offers.

        The views, the parts of Going `further`, at most two, and those of the `laboratory` stand in
        the order of the page; the first view gives the lesson's metrics, verdict and remedies.
        `results` is {label: placeholder} or a function, `challenge` judges settings; its task is
        `task` of `[says]`, and it begins at `start`. `offers` are other fields of the lesson.
        """
        settings = say.settings

        def kept(now: Any) -> list[Result]:
            return [
                Result(label, say.value(one, now), say.written(one, now))
                for label, one in results.items()
            ]

        words = own_words.over(settings.page, lambda: say.live(settings()).keys())
        use(words)
        _once.cache_clear()
        return cls(
            **{one.name: getattr(words, one.name) for one in fields(Words)},
            settings=settings,
            say=say,
            values=partial(_once, say.live),
            results=partial(_once, results if callable(results) else kept),
            presets={
                name: replace(one, words=_label(words, "presets", name))
                for name, one in presets.items()
            },
            challenge=challenge
            and Challenge(lambda: say("task", settings()), partial(_once, challenge), start),
            pictures=tuple(
                _worded(view, words, say)
                for view in (
                    *views,
                    *(replace(view, further=True) for view in further),
                    *(replace(view, further=True, laboratory=True) for view in laboratory),
                )
            ),
            **offers,
        )

    @property
    def views(self) -> dict[str, str]:
        """The titles of its pictures, by id, in the order of the page."""
        return {view.id: view.title for view in self.pictures}

    @property
    def metrics(self) -> Callable[[Any], Sequence[Metric]]:
        """Settings → headline numbers, at most four."""
        return self.pictures[0].speaker("metrics")

    @property
    def verdict(self) -> Callable[[Any], Verdict]:
        """Settings → the bottleneck in one sentence."""
        return self.pictures[0].speaker("verdict")

    @property
    def remedies(self) -> Callable[[Any], str] | None:
        """Settings → the changes that would fix it, "" where nothing needs fixing; None where that
        is not asked.
        """
        return self.pictures[0].speaker("remedies")

    @property
    def film(self) -> Callable[..., Any] | None:
        """Settings → what `ui.films.show` plays of them."""
        return next((view.module.showing for view in self.pictures if isinstance(view, Film)), None)

    @property
    def parts(self) -> dict[str, View]:
        """The views under Going further and in the laboratory, by id."""
        return {view.id: view for view in self.pictures if view.further}

    def view(self, name: str) -> View:
        """Return the view with this id."""
        return next(view for view in self.pictures if view.id == name)

    def speaker(self, view: View, function: str) -> Callable[..., Any]:
        """Return `metrics` or `verdict` of a view, or the lesson's where its module has none."""
        return view.speaker(function) or getattr(self, function)

    def transferred(self, name: str, variant: int) -> Question:
        """Return a transfer question with the numbers of one of its variants, as `places` or the
        settings find them.
        """
        if (name, variant) not in self._asked:
            asked = next(one for one in self.transfer if one.id == name)
            self._asked[name, variant] = self.say.elsewhere(
                asked, variant, self.places.get(name, self.settings)
            )
        return self._asked[name, variant]

    def sentences(self, settings: Any, look: Any) -> list[str]:
        """List everything that the page can say at these settings, with its numbers, for every
        answer; each once.

        What a view's own `draw` and `below` say is left out. `look` is a `ui.charts.look.Look`.
        """
        return list(dict.fromkeys(filter(None, self._sentences(settings, look))))

    def _sentences(self, settings: Any, look: Any) -> Iterator[str]:
        values = self.values(settings)
        yield from (fill(text, values) for text in (*self.asked, *self.answered, *self.sources))
        yield from (
            fill(text, values) for one in self.corrections for text in (one.said, one.found)
        )
        for result in self.results(settings):
            yield f"{result.label}: {result.text}"
        for view in self.pictures:
            yield from self._sentences_of(view, settings, look)
        if self.remedies is not None:
            yield self.remedies(settings)
        if self.challenge is not None:
            yield self.challenge.task()
            yield self.challenge.judge(settings).text

    def _sentences_of(self, view: View, settings: Any, look: Any) -> Iterator[str]:
        for metric in self.speaker(view, "metrics")(settings):
            yield f"{metric.label}: {metric.value} {metric.note or ''}".strip()
            yield metric.help or ""
        yield self.speaker(view, "verdict")(settings).text
        yield view.paragraph(settings)
        if isinstance(view, Film):
            shown = view.module.showing(settings)
            yield from (shown.caption, shown.alt)
            return
        for guess in (None, *self.prediction.ids):
            for figure in view.figures(settings, look, guess=guess, told=guess is not None):
                yield from (figure.title, figure.alt)
                yield from figure.labels
            if not view.knows("guess"):
                return


@lru_cache(maxsize=1024)
def _once(function: Callable[..., Any], *settings: Any, **known: Any) -> Any:
    """Return what a function makes of some settings, such as a chart: made once for all visitors
    who have the same.
    """
    return function(*settings, **known)


@lru_cache(maxsize=256)
def _arguments(function: Callable[..., Any]) -> Collection[str]:
    return inspect.signature(function).parameters.keys()


def _worded(view: View, words: Words, say: Sentences) -> View:
    """Return a view with its title, what it asks, and what of `[says]` are its paragraph, verdict
    and numbers.
    """
    usual = {one: f"{view.id}_{one}" for one in ("words", "verdict", "metrics")}
    own = {
        one: getattr(view, one) or (name if name in words.says else "")
        for one, name in usual.items()
    }
    asks = words.labels.get("asks", {}).get(view.id, "")
    title = _label(words, "views", view.id)
    return replace(view, title=title, asks=asks, say=say, **own)


def _listed(lines: str) -> list[Metric]:
    """Read headline numbers, one a line: label | value | note | help | a truth value; what is
    missing is left out.
    """
    fields = ("label", "value", "note", "help", "good")
    truths = {"True": True, "False": False}
    split = ([part.strip() for part in line.split("|")] for line in lines.strip().splitlines())
    found = (
        {name: part for name, part in zip(fields, parts, strict=False) if part} for parts in split
    )
    return [
        Metric(**{"value": ""} | one | {"good": truths.get(one.get("good", ""))}) for one in found
    ]


def _label(words: Words, kind: str, name: str) -> str:
    if name not in words.labels.get(kind, {}):
        raise LessonError(f"{words.page}/words.toml: table [{kind}], key {name}: is missing")
    return words.labels[kind][name]


def enroll(lessons: Sequence[Lesson]) -> tuple[Lesson, ...]:
    """Make these the app's lessons, in menu order, and return them."""
    if len(ids := [lesson.id for lesson in lessons]) != len(set(ids)):
        raise ValueError(f"every lesson needs an id of its own, got {', '.join(ids)}")
    _COURSE[:] = lessons
    own_words.look_around([lesson.page for lesson in lessons])
    return tuple(lessons)


def lessons() -> tuple[Lesson, ...]:
    """Return the app's lessons in menu order."""
    return tuple(_COURSE)
