"""A view: one picture of a lesson, and the module that draws it and says what it shows."""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import ModuleType
from typing import Any

from ui.base.lesson import names
from ui.base.lesson.curtain import CLOSED, Curtain
from ui.base.lesson.figure import Figure, Metric, Verdict
from ui.base.sentences import Sentences


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
    fixed: Mapping[str, Any] | None = None
    further: bool = False  #: whether it is a part, under Going further or in the laboratory
    laboratory: bool = False  #: whether it is a part of the laboratory
    #: {quantity: SI value or id} where a part opens in other settings than the message's
    opens: Mapping[str, Any] | None = None
    curtain: Curtain = CLOSED  #: what it holds back until the prediction is tested
    title: str = ""
    after: str = ""  #: the lock that it waits for, such as "reflection", where it tells that question's answer
    asks: str = ""  #: what a further part asks; it stands in `[asks]`
    #: What of `[says]` are its headline numbers, verdict and paragraph, where its module has none:
    #: `<id>_metrics` … A quantity may choose the sentence, as in "quotas_{quotas}".
    metrics: str = ""
    verdict: str = ""
    words: str = ""
    goals: str = ""  #: its headline numbers during the challenge, where the goals are others
    say: Sentences | None = None  #: the lesson's sentences

    def __post_init__(self) -> None:
        names.check(self.id, self.module)

    def shown(self, settings: Any) -> Any:
        """Return the settings that it shows."""
        if self.fixed is not None:
            kept = {name: getattr(settings, name) for name in (*self.knobs, *self.also)}
            return replace(self.say.settings(), **kept | self.fixed)
        if hasattr(self.module, "narrowed"):
            return self.module.narrowed(settings)
        return settings

    def speaker(self, function: str) -> Callable[..., Any] | None:
        """Return `metrics`, `goals`, `verdict` or `remedies` of its own; None where it has none."""
        own = getattr(self.module, function, None)
        if own:
            return lambda settings: once(own, self.shown(settings))
        name = getattr(self, function, "")
        read = {"metrics": listed, "goals": listed, "verdict": Verdict}
        if name:
            return lambda settings: read[function](self._said(name, settings))
        return None

    def paragraph(self, settings: Any) -> str:
        """Return the text below its picture; "" if there is none."""
        if hasattr(self.module, "words"):
            return once(self.module.words, self.shown(settings))
        if self.words:
            return self._said(self.words, settings)
        return ""

    def _said(self, name: str, settings: Any) -> str:
        shown = self.shown(settings)
        return once(self.say, self.say.filled(name, shown), shown)

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
            once(
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
    """The lesson's animation: `showing(settings)` of its module returns what `ui.films.show`
    plays.
    """

    name: str = ""  #: in its widgets' keys


@lru_cache(maxsize=1024)
def once(function: Callable[..., Any], *settings: Any, **known: Any) -> Any:
    """Return what a function makes of some settings, such as a chart: made once for all visitors
    who have the same.
    """
    return function(*settings, **known)


@lru_cache(maxsize=256)
def _arguments(function: Callable[..., Any]) -> Collection[str]:
    return inspect.signature(function).parameters.keys()


def listed(lines: str) -> list[Metric]:
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
