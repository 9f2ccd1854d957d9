"""Questions in a lesson's words file: prediction, reflection, and transfer questions."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ui.base.records import Values


@dataclass(frozen=True)
class Test:
    """Case that tests a prediction: settings, results in words, what to look at, and the view."""

    settings: Values  #: {quantity: SI value or id} where the case differs from the message's own
    said: str  #: the prediction's result in this case; the page writes "You said: " before it
    found: str  #: the model's result; the page writes "The model: " before it
    look: str  #: what to look at
    view: str | None = None  #: id of the picture; None is the visible one


@dataclass(frozen=True)
class Option:
    """Answer to a question: its id, text, feedback, whether it is right, and its test case."""

    id: str
    text: str
    feedback: str
    right: bool = False
    test: Test | None = None


@dataclass(frozen=True)
class Question:
    """Question with options "a" to "d" in the order shown; exactly one option is right."""

    text: str
    options: tuple[Option, ...]

    @property
    def right(self) -> str:
        """Id of the right option."""
        return self.answer.id

    @property
    def answer(self) -> Option:
        """The right option."""
        return next(option for option in self.options if option.right)

    @property
    def ids(self) -> tuple[str, ...]:
        """All option ids in order."""
        return tuple(option.id for option in self.options)

    def letter(self, option_id: str) -> str:
        """Return the letter of an option, "A" for the first; the page never shows its id."""
        return chr(ord("A") + self.ids.index(option_id))

    def option(self, option_id: str) -> Option:
        """Return the option with this id."""
        return next(option for option in self.options if option.id == option_id)


@dataclass(frozen=True)
class Choice:
    """Answer to a transfer question: its id, its text, and whether it is right."""

    id: str
    text: str
    right: bool = False


@dataclass(frozen=True)
class Transfer:
    """Question about another situation with the same model.

    Its placeholders are numbers of that situation.
    """

    id: str
    text: str
    options: tuple[Choice, ...]
    feedback: str  #: true for every variant; shown after the answer
    variants: tuple[Values, ...]  #: numbers of the situation, {quantity: SI value or id}
    cases: Mapping[str, Values] = field(default_factory=dict)  #: {name: numbers that differ}
    part: str = ""  #: id of the part that it is about; "" for the lesson's core idea
