"""Questions in a lesson's words file: prediction, reflection, and transfer questions."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ui.base.records import Values


@dataclass(frozen=True)
class Test:
    """Case that tests a prediction: settings, results in words, what to look at, and the view."""

    settings: Values  #: {quantity: SI value or id} where the case differs from the message's own
    said: str  #: what the prediction means in this case, after "You said: "
    found: str  #: what the model says, after "The model: "
    look: str  #: what to look at
    view: str | None = None  #: the picture; None is the one in sight


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
        """Return the letter of an option by its position; the option's id is shown nowhere."""
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
    feedback: str  #: holds at every variant, and is sent once the question is answered
    variants: tuple[Values, ...]  #: numbers of the place, {quantity: SI value or id}
    cases: Mapping[str, Values] = field(default_factory=dict)  #: {name: what differs}
    part: str = ""  #: the part that it is about, if that is not the lesson's core idea
