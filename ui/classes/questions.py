"""Questions for a class: predictions and reflections of lessons, and questions written by staff.

A question's id is `<lesson>` for a prediction, `<lesson>/reflection` for a reflection, and
`own/<name>` for a question of staff. No Streamlit.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from polls.questions import Question as Own
from polls.store import Poll
from ui.base import format as f
from ui.base.lesson import Lesson, menu, with_page
from ui.base.words import Question, Words, fill, literal

OWN = "Question of this class"
#: Second part of a reflection's id.
REFLECTION = "reflection"
MISSING = "This version of the app does not have the question of this class."


@dataclass(frozen=True)
class Number:
    """Numeric answer of a question: the right value and its unit."""

    right: float | None  #: right number; None for an opinion
    unit: str = ""  #: as plain text

    def write(self, value: float) -> str:
        """Write a number with its unit, as plain text."""
        return f"{f.significant(value)} {self.unit}".rstrip()


@dataclass(frozen=True)
class PollQuestion:
    """Question for a class; `words` are plain text, `text` and `options` are Markdown."""

    id: str
    title: str
    text: str
    options: Mapping[str, str]  #: by id, in order
    words: Mapping[str, str]  #: the options as plain text, for charts and tables
    right: str | None  #: id of the right option; None for an opinion or a number
    plain: str  #: the question as plain text
    lesson: Lesson | None = None  #: lesson that has the question; None if staff have written it
    locks: bool = False  #: whether a first vote becomes the lesson's locked prediction
    number: Number | None = None  #: the answer if it is a number instead of an option
    reason: str = ""  #: staff's sentence on why the right answer is right

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the question's options in order."""
        return tuple(self.options)

    def letter(self, option: str) -> str:
        """Return the letter that voters, projector, and tables show for an option."""
        return chr(ord("A") + self.ids.index(option))

    @property
    def has_answer(self) -> bool:
        """Whether the question has a right answer."""
        if self.number:
            return self.number.right is not None
        return self.right is not None

    def text_of(self, answer: str | float) -> str:
        """Return an answer as Markdown, from an option's id or a number."""
        if self.number:
            return literal(self.number.write(float(answer)))
        return self.options[str(answer)]

    def right_answer(self) -> str:
        """Return the right answer as Markdown; "" if the question has none."""
        if self.number and self.number.right is not None:
            return f"**{self.text_of(self.number.right)}**"
        if self.right:
            return f"**{self.letter(self.right)}** {self.text_of(self.right)}"
        return ""

    def why(self) -> str:
        """Return one sentence that explains the right answer; "" if there is none."""
        if self.reason:
            return literal(self.reason)
        if self.lesson is None or not self.right:
            return ""
        feedback = self.source(self.lesson).option(self.right).feedback
        sentence = re.split(r"(?<=[.!?])\s", feedback)[0]
        return fill(sentence, self.lesson.values(self.lesson.settings()))

    def source(self, lesson: Lesson) -> Question:
        """Return the prediction or reflection of a lesson that this question asks the class."""
        if self.locks:
            return lesson.prediction
        return lesson.reflection

    @property
    def message(self) -> str:
        """Message that a voter reads before the question, if the question refers to it."""
        if self.lesson is None or not self.locks:
            return ""
        message = "\n".join(f"> {line}" for line in self.lesson.message.splitlines())
        return fill(f"From {self.lesson.sender}:\n\n{message}", {})


def of_poll(poll: Poll) -> PollQuestion:
    """Return the current question of a class; without options if this app version lacks it."""
    poll_question = find(poll.lesson, {poll.lesson: poll.own} if poll.own else {})
    return poll_question or PollQuestion(poll.lesson, OWN, MISSING, {}, {}, None, MISSING)


def find(question: str, own: Mapping[str, Own]) -> PollQuestion | None:
    """Find a question by its id among the lessons' and the staff's questions."""
    if question in own:
        return _own(question, own[question])
    for words in menu():
        if question in (words.id, f"{words.id}/{REFLECTION}"):
            return _shipped(with_page(words.page), question)
    return None


def offered(own: Mapping[str, Own]) -> dict[str, str]:
    """Return the titles of all available questions by id, staff's own first.

    It imports no lesson's code, so a newcomer to the class page does not wait for that.
    """
    titles = {
        name: f"{own_question.name or OWN}: {own_question.text[:60]}"
        for name, own_question in own.items()
    }
    titles |= {words.id: words.title for words in menu()}
    return titles | {f"{words.id}/{REFLECTION}": _reflection_title(words) for words in menu()}


def _reflection_title(words: Words) -> str:
    """Return the title of a lesson's reflection."""
    return f"{words.title}: reflection"


def _shipped(lesson: Lesson, name: str) -> PollQuestion:
    """Return a lesson's prediction, or its reflection if `name` is the reflection's id."""
    question = lesson.prediction
    title = lesson.title
    if name != lesson.id:
        question = lesson.reflection
        title = _reflection_title(lesson)
    return PollQuestion(
        name,
        title,
        fill(question.text, {}),
        {option.id: fill(option.text, {}) for option in question.options},
        # A chart cannot render Markdown.
        {option.id: re.sub(r"[*`\\]", "", option.text) for option in question.options},
        question.right,
        question.text,
        lesson,
        locks=name == lesson.id,
    )


def _own(name: str, question: Own) -> PollQuestion:
    """Return a question that staff have written."""
    words = dict(zip(question.ids, question.options, strict=True))
    options = {option: literal(text) for option, text in words.items()}
    right = None
    number = None
    if isinstance(question.right, str):
        right = question.right
    elif question.number:
        number = Number(question.right, question.unit)
    return PollQuestion(
        name,
        question.name or OWN,
        literal(question.text),
        options,
        words,
        right,
        question.text,
        number=number,
        reason=question.why,
    )
