"""View: one picture of a lesson, with the functions that draw and explain it."""

import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache, partial
from typing import Any

from ui.base.lesson.curtain import CLOSED, Curtain
from ui.base.lesson.figure import Figure, Metric, Verdict
from ui.base.lesson.slips import check_figure
from ui.base.sentences import Sentences
from ui.base.words import LessonError, Values


@dataclass(frozen=True)
class View:
    """Picture of a lesson: the functions that draw and explain it, and its data from lesson.toml.

    docs/adding-a-lesson.md says what each function is for. A view needs one that draws. Without
    metrics or a verdict of its own, a view has those of the lesson's first view.
    """

    id: str  #: key of its title in `[views]` of the lesson's words.toml
    _: KW_ONLY
    figure: Callable[..., Figure] | None = None  #: settings, look, and arguments of `figures`
    charts: Callable[[Any, Any], Sequence[Figure]] | None = None  #: settings, look; side by side
    draw: Callable[[Any, Any], None] | None = None  #: page, settings
    beside: Callable[[Any, Any], None] | None = None  #: page, settings
    #: Functions of the settings, or keys of `[says]`; `<id>_metrics`, `<id>_verdict` and so on are
    #: the defaults. A quantity may choose the sentence, as in "quotas_{quotas}".
    metrics: str | Callable[[Any], Sequence[Metric]] = ""
    goals: str | Callable[[Any], Sequence[Metric]] = ""  #: metrics during the challenge
    verdict: str | Callable[[Any], Verdict] = ""
    words: str | Callable[[Any], str] = ""
    remedies: Callable[[Any], str] | None = None
    pinned: Callable[[Any, Any], Figure | None] | None = None  #: settings, look
    below: Callable[[Any, Any], None] | None = None  #: page, settings
    above: Callable[[Any], None] | None = None  #: page
    narrowed: Callable[[Any], Any] | None = None  #: settings → the settings that it shows
    findings: Callable[[Any], Any] | None = None  #: settings → what the visitor has found out
    knobs: Sequence[str] = ()  #: quantities whose knobs stand beside it, in order
    also: Sequence[str] = ()  #: quantities that change it, but whose knobs are hidden
    #: quantities that differ from the message's case, which the view shows except for its knobs
    fixed: Values | None = None
    further: bool = False  #: whether it is a part, under Going further or in the laboratory
    laboratory: bool = False  #: whether it is a part of the laboratory
    #: quantities that differ from the message's case when the part is opened
    opens: Values | None = None
    curtain: Curtain = CLOSED  #: what it hides until the prediction is tested
    title: str = ""
    after: str = ""  #: question whose answer it reveals, so that it waits for this lock
    asks: str = ""  #: question of a further part, from `[asks]` of words.toml
    say: Sentences | None = None  #: the lesson's sentences

    def __post_init__(self) -> None:
        draws = (self.figure, self.charts, self.draw, self.beside)
        if not isinstance(self, Film) and not any(draws):
            raise LessonError(
                f"the view “{self.id}” draws nothing; it needs figure, charts, draw or beside."
            )

    def shown(self, settings: Any) -> Any:
        """Return the settings that the view shows."""
        if self.fixed is not None:
            values = {name: getattr(settings, name) for name in (*self.knobs, *self.also)}
            return replace(in_use_by(self.say, self.id).settings(), **{**values, **self.fixed})
        if self.narrowed is not None:
            return self.narrowed(settings)
        return settings

    def speaker(self, kind: str) -> Callable | None:
        """Return the view's own function `metrics`, `goals`, `verdict`, or `remedies`, or None."""
        return partial(self._speak, kind) if getattr(self, kind) else None

    def paragraph(self, settings: Any) -> str:
        """Return the text below the view's picture; "" if there is none."""
        return self._speak("words", settings) if self.words else ""

    def _speak(self, kind: str, settings: Any) -> Any:
        """Return the result of the view's function or sentence of a kind, such as "verdict"."""
        source = getattr(self, kind)
        settings = self.shown(settings)
        if callable(source):
            return once(source, settings)
        say = in_use_by(self.say, self.id)
        text = once(say, say.filled(source, settings), settings)
        if kind == "words":
            return text
        return Verdict(text) if kind == "verdict" else listed(text)

    def figures(self, settings: Any, look: Any, **extra: Any) -> list[Figure]:
        """Return the view's charts.

        Its function gets those arguments of `extra`, such as the guess, that it accepts. A chart
        must depend on these arguments only, because it is drawn once for all visitors. Data of one
        visitor, such as a simulation, is the argument `found`, which `findings` returns.
        """
        settings = self.shown(settings)
        if self.findings is not None:
            extra["found"] = self.findings(settings)
        if self.figure is not None:
            accepted = {name: value for name, value in extra.items() if self.knows(name)}
            return [once(_checked, self.figure, settings, look, **accepted)]
        if self.charts is None:
            return []
        figures = list(self.charts(settings, look))
        for figure in figures:
            check_figure(figure, settings)
        return figures

    def knows(self, argument: str) -> bool:
        """Return whether the view's `figure` function accepts this argument."""
        figure = self.figure
        return figure is not None and argument in _arguments(figure)


@dataclass(frozen=True, kw_only=True)
class Film(View):
    """Animation of a lesson."""

    showing: Callable[[Any], Any]  #: settings → what `ui.films.show` plays
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
    """Return the names of a function's parameters."""
    return inspect.signature(function).parameters.keys()


def listed(lines: str) -> list[Metric]:
    """Parse headline numbers, one per line: label | value | note | help | True, False or empty.

    Cells at the end of a line may be missing.
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
