"""Sentences of a lesson from `[says]` in its words.toml, with numbers computed from the settings.

A placeholder names a quantity and how it is written. `{locked_out:days}` is that property of the
present settings, `{story.locked_out:days}` that of the message's own case,
`{never.locked_out:days}` that of another named case, `{copy.opening:time}` a field of a quantity
that has fields, `{k.FAIR_SERVICE:time}` a constant, and `{k.PLACE_DRAW.high:number}` the end of its
range. A digit after a format is its number of significant digits, as in `{spread:share2}`;
`{draws:count draw}` counts draws, and `{n:count query/queries}` gives the plural too. Of a quantity
that is true or false, `{in_time:either meets/misses}` chooses the word.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType, SimpleNamespace
from typing import Any

from physics import constants
from ui.base import format as f
from ui.base.words import (
    PLACEHOLDER,
    LessonError,
    Option,
    Question,
    Transfer,
    Values,
    declared,
    in_use,
)

#: Formats that every lesson has; `Sentences.formats` adds a lesson's own.
FORMATS: Mapping[str, Callable[..., str]] = {
    "text": str,
    "number": f.significant,
    "about": f.rounded,
    "share": f.share,
    "time": f.duration,
    "times": f.times,
    # Where times are compared they share a unit.
    "seconds": lambda seconds, digits=3: f"{f.significant(seconds, digits)} s",
    "minutes": lambda seconds, digits=3: f"{f.significant(seconds / constants.MINUTE, digits)} min",
    "days": lambda seconds: f.count(seconds / constants.DAY, "day"),
    "money": f.money,
    "data": f.data,
    "rate": f.data_rate,
}

#: How `[cases]` of a lesson's lesson.toml is read.
CASES = Mapping[str, Values]


@dataclass(frozen=True, eq=False)
class Sentences:
    """Sentences of a lesson, as a callable: a name and settings give one sentence with numbers."""

    settings: type[Any]  #: the lesson's settings; their defaults are the message's own case
    formats: Mapping[str, Callable[..., str]] = field(default_factory=dict)  #: the lesson's own
    #: {name: what differs from the message}; by default `[cases]` of the lesson's lesson.toml
    cases: CASES | None = None

    def __post_init__(self) -> None:
        if self.cases is None:
            cases = declared(self.settings.page, "cases", CASES)
            object.__setattr__(self, "cases", cases)

    def __call__(self, name: str, settings: Any, /, **values: Any) -> str:
        """Return a sentence of `[says]`; `values` fill placeholders that are no quantities."""
        return self.filled(in_use(self.settings.page).says[name], settings, **values)

    def filled(self, text: str, settings: Any, /, **values: Any) -> str:
        """Return a text with the numbers of these settings filled in."""
        return PLACEHOLDER.sub(lambda match: self.written(match[1], settings, values), text)

    def elsewhere(self, question: Transfer, variant: int, model: Callable) -> Question:
        """Return a transfer question with one variant's numbers and the model's results."""
        bare = replace(self, cases={})
        situation = Elsewhere(model, question.variants[variant], question.cases)
        feedback = bare.filled(question.feedback, situation)
        options = (
            Option(option.id, bare.filled(option.text, situation), feedback, option.right)
            for option in question.options
        )
        return Question(bare.filled(question.text, situation), tuple(options))

    def live(self, settings: Any) -> Mapping[str, str]:
        """Return all numbers that the lesson's texts may use, by placeholder.

        Each is computed on first use.
        """
        return Live(self, settings)

    def written(
        self, placeholder: str, settings: Any, values: Values = MappingProxyType({})
    ) -> str:
        """Return the text for a placeholder such as "story.spread:share2".

        `values` override the settings.

        Raises
        ------
        LessonError
            If there is no such quantity, case or format, or the quantity cannot be written in it.
        """
        format_name, _, noun = placeholder.partition(":")[2].partition(" ")
        name = format_name.rstrip("0123456789")
        digits = format_name.removeprefix(name)
        value = self.value(placeholder, settings, values)
        where = f"{self.settings.page}: {{{placeholder}}}"
        if name == "either":
            choices = noun.split("/")
            if len(choices) != 2 or not all(choices):
                raise LessonError(f"{where} must name two words, such as yes/no")
            return choices[not value]
        try:
            if noun:
                return f.count(value, *noun.split("/"))
            write = {**FORMATS, **self.formats}[name or "text"]
            if digits:
                return write(value, int(digits))
            return write(value)
        except (TypeError, ValueError, ArithmeticError, LookupError):
            raise LessonError(f"{where} asks for a format that does not fit") from None

    def value(self, placeholder: str, settings: Any, values: Values = MappingProxyType({})) -> Any:
        """Return the quantity named by a placeholder, in SI units."""
        first, *path = placeholder.partition(":")[0].split(".")
        try:
            if not PLACEHOLDER.fullmatch(f"{{{placeholder}}}"):
                raise KeyError(placeholder)
            if first in values:
                value = values[first]
            elif path and first in self._cases:
                value = self._cases[first]
            else:
                value = getattr(settings, first)
            for name in path:
                value = value[name] if isinstance(value, Mapping) else getattr(value, name)
            return value
        except (AttributeError, KeyError):
            raise LessonError(f"{self.settings.page}: no value for {{{placeholder}}}") from None

    @cached_property
    def _cases(self) -> dict[str, Any]:
        """Objects with numbers by the first name of a placeholder: constants, settings of cases."""
        story = self.settings()
        changes = self.cases or {}
        cases = {name: replace(story, **values) for name, values in changes.items()}
        return {"k": constants, "story": story} | cases


class Elsewhere:
    """Numbers of a transfer question as attributes: given ones, cases', and the model's results."""

    def __init__(self, model: Callable, numbers: Values, cases: Mapping[str, Values]):
        self._model = model
        self._numbers = numbers
        self._cases = cases

    def __getattr__(self, name: str) -> Any:
        if name in self._cases:
            return Elsewhere(self._model, {**self._numbers, **self._cases[name]}, {})
        if name in self._numbers:
            return self._numbers[name]
        return getattr(self._outcome, name)

    @cached_property
    def _outcome(self) -> Any:
        """The model's results as an object with attributes."""
        outcome = self._model(**self._numbers)
        if isinstance(outcome, dict):
            return SimpleNamespace(**outcome)
        return outcome


class Live(Mapping[str, str]):
    """Mapping from placeholder to text at some settings.

    It accepts any valid placeholder and lists those in use.
    """

    def __init__(self, say: Sentences, settings: Any):
        self._say = say
        self._settings = settings
        self._texts: dict[str, str] = {}  # by placeholder

    def __getitem__(self, placeholder: str) -> str:
        if placeholder not in self._texts:
            try:
                self._texts[placeholder] = self._say.written(placeholder, self._settings)
            except LessonError:
                raise KeyError(placeholder) from None
        return self._texts[placeholder]

    def __iter__(self) -> Iterator[str]:
        words = in_use(self._say.settings.page)
        return iter(sorted(words.placeholders()))

    def __len__(self) -> int:
        return sum(1 for _ in self)
