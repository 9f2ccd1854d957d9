"""View: one picture of a lesson, and the module that draws and explains it."""

import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from types import ModuleType
from typing import Any

from ui.base.lesson.curtain import CLOSED, Curtain
from ui.base.lesson.figure import Figure, Metric, Verdict
from ui.base.lesson.functions import Functions
from ui.base.lesson.slips import check_figure
from ui.base.sentences import Sentences
from ui.base.words import LessonError, Values


@dataclass(frozen=True)
class View:
    """Picture of a lesson, and the module that draws and explains it.

    What the module may have is listed in docs/adding-a-lesson.md, such as `figure(settings, look)`,
    `metrics(settings)` and `verdict(settings)`; where it lacks one of the last two, the first
    view's stands with the picture.
    """

    id: str  #: its title stands in `[views]` of the lesson's words.toml
    module: ModuleType
    #: those that stand beside it, in their order; each does something in it
    knobs: Sequence[str] = ()
    also: Sequence[str] = ()  #: those out of sight that do something in it, too
    #: of all but those knobs it then shows the message's, with this changed
    fixed: Values | None = None
    further: bool = False  #: whether it is a part, under Going further or in the laboratory
    laboratory: bool = False  #: whether it is a part of the laboratory
    #: {quantity: SI value or id} where a part opens in other settings than the message's
    opens: Values | None = None
    curtain: Curtain = CLOSED  #: what it holds back until the prediction is tested
    title: str = ""
    #: the lock that it waits for, such as "reflection", where it tells that question's answer
    after: str = ""
    asks: str = ""  #: what a further part asks; it stands in `[asks]`
    #: What of `[says]` are its headline numbers, verdict and paragraph, where its module has none:
    #: `<id>_metrics` … A quantity may choose the sentence, as in "quotas_{quotas}".
    metrics: str = ""
    verdict: str = ""
    words: str = ""
    goals: str = ""  #: its headline numbers during the challenge, where the goals are others
    say: Sentences | None = None  #: the lesson's sentences
    #: what its module defines, each function under its declared name
    functions: Functions = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "functions", Functions.of(self.id, self.module))

    def shown(self, settings: Any) -> Any:
        """Return the settings that the view shows."""
        if self.fixed is not None:
            values = {name: getattr(settings, name) for name in (*self.knobs, *self.also)}
            return replace(in_use_by(self.say, self.id).settings(), **{**values, **self.fixed})
        if self.functions.narrowed is not None:
            return self.functions.narrowed(settings)
        return settings

    def speaker(self, function: str) -> Callable | None:
        """Return the view's own `metrics`, `goals`, `verdict`, or `remedies` function; None if it
        has none.
        """
        computed = getattr(self.functions, function)
        if computed is not None:
            return lambda settings: once(computed, self.shown(settings))
        if getattr(self, function, ""):
            return partial(self._written, function)
        return None

    def _written(self, function: str, settings: Any) -> Any:
        """Return what a line of `[says]` says of the settings that it shows."""
        text = self._said(getattr(self, function), settings)
        if function == "verdict":
            return Verdict(text)
        return listed(text)

    def paragraph(self, settings: Any) -> str:
        """Return the text below the view's picture; "" if there is none."""
        if self.functions.words is not None:
            return once(self.functions.words, self.shown(settings))
        if self.words:
            return self._said(self.words, settings)
        return ""

    def _said(self, name: str, settings: Any) -> str:
        shown = self.shown(settings)
        say = in_use_by(self.say, self.id)
        return once(say, say.filled(name, shown), shown)

    def figures(self, settings: Any, look: Any, **extra: Any) -> list[Figure]:
        """Return the view's charts; its function gets those arguments of `extra`, such as the
        guess, that it accepts.

        A chart must follow from these arguments alone: it is drawn once for all visitors. What a
        visitor has found out, such as a simulation of their own, is `found` by the module's
        `held(settings)`.
        """
        settings = self.shown(settings)
        if self.functions.held is not None:
            extra["found"] = self.functions.held(settings)
        if self.functions.figure is not None:
            accepted = {name: value for name, value in extra.items() if self.knows(name)}
            return [once(_checked, self.functions.figure, settings, look, **accepted)]
        if self.functions.figures is None:
            return []
        drawn = list(self.functions.figures(settings, look))
        for figure in drawn:
            check_figure(figure, settings)
        return drawn

    def knows(self, argument: str) -> bool:
        """Return whether the view's `figure` function accepts this argument."""
        figure = self.functions.figure
        return figure is not None and argument in _arguments(figure)


@dataclass(frozen=True)
class Film(View):
    """Animation of a lesson: its module's `showing(settings)` returns what `ui.films.show`
    plays.
    """

    name: str = ""  #: in its widgets' keys


def in_use_by(say: Sentences | None, name: str) -> Sentences:
    """Return the sentences of a lesson or a view; raise LessonError if there are none."""
    if say is None:
        raise LessonError(f"{name}: there are no sentences; a view gets them from its lesson")
    return say


@lru_cache(maxsize=1024)
def once(function: Callable, *settings: Any, **options: Any) -> Any:
    """Cache a function of settings, such as a chart, for all visitors with the same settings."""
    return function(*settings, **options)


def _checked(draw: Callable[..., Figure], settings: Any, look: Any, **extra: Any) -> Figure:
    """Return the chart that a function draws, or raise LessonError for a slip in it."""
    figure = draw(settings, look, **extra)
    check_figure(figure, settings)
    return figure


@lru_cache(maxsize=256)
def _arguments(function: Callable) -> Collection[str]:
    return inspect.signature(function).parameters.keys()


def listed(lines: str) -> list[Metric]:
    """Parse headline numbers, one per line: label | value | note | help | truth value; missing
    parts are omitted.
    """
    names = ("label", "value", "note", "help", "good")
    truths = {"True": True, "False": False}
    metrics = []
    for line in lines.strip().splitlines():
        texts = [text.strip() for text in line.split("|")]
        cells: dict = {"value": ""}
        cells |= {name: text for name, text in zip(names, texts, strict=False) if text}
        cells["good"] = truths.get(cells.get("good", ""))
        metrics.append(Metric(**cells))
    return metrics
