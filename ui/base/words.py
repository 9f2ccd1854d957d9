"""Texts of the lessons: one TOML file per page, checked when it is read.

Staff edit `lessons/<page>/words.toml` without touching Python. A mistake in a file is one sentence
with the file, the table and the key. A `{placeholder}` in a text stands for a number that the page
computes; formulas are LaTeX and are not filled.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from physics.texts import toml_of
from ui.base.format import capital
from ui.base.questions import Choice, Option, Question, Transfer
from ui.base.records import LessonError, Locator, Table, Values

FOLDER = Path(__file__).resolve().parents[2] / "lessons"
#: Size of the largest accepted file [B]; the largest file of the app has a tenth of it.
LARGEST = 300_000
#: A number in a text: `{wait}`, or with a case and a format, `{story.wait:time}`; see
#: `ui.base.sentences`.
PLACEHOLDER = re.compile(
    r"\{((?:k\.[A-Z][A-Z0-9_]*(?:\.[a-z]+)?|(?:[a-z][a-z0-9_]*\.){0,2}[a-z][a-z0-9_]*)"
    r"(?::[a-z]+[0-9]*(?: [A-Za-z/ -]+)?)?)\}"
)
#: Tables of a lesson.toml.
DECLARED = ("start", "views", "presets", "cases", "results", "charts")
#: Largest number of steps of a tour.
MOST_STOPS = 4
#: The texts that the app shows, by page.
_IN_USE: dict[str, "Words"] = {}


@dataclass(frozen=True)
class Step:
    """Step of a derivation: a title, LaTeX or "", and text with live numbers."""

    title: str
    text: str
    formula: str = ""
    after: str = ""  #: "reflection" if it appears only after that lock


@dataclass(frozen=True)
class Guess:
    """Quick question before a further part opens, with values to choose from.

    Its texts may contain numbers of the settings with which the part opens.
    """

    text: str
    values: tuple[str, ...]  #: three of them, in the order of the page
    model: str  #: the model's number, written as one of the values
    found: str  #: explanation of the model's number in one or two sentences


@dataclass(frozen=True)
class Stop:
    """Step of the tour of a picture: the settings, the highlighted mark, and the reason."""

    settings: Values  #: {quantity: SI value or id} where it differs from the message's case
    text: str  #: one sentence: what to look at, and why it happens
    look: str  #: what is highlighted, see `ui.page.lesson.tour`
    view: str | None = None  #: the picture; None is the lesson's first
    ask: str = ""  #: what a lecturer asks before the numbers are shown


@dataclass(frozen=True)
class Correction:
    """Claim in the draft labs or notes, with the model's result that replaces it."""

    said: str
    found: str


@dataclass(frozen=True)
class Staff:
    """Advice for teaching a lesson: plans for 10 and 30 minutes, and students' usual answers."""

    ten: str
    thirty: str
    heard: tuple[str, ...]


@dataclass(frozen=True)
class Beat:
    """Step of a speaker's script: question, likely answer, actions in the app, and reply.

    Missing ones are "".
    """

    ask: str = ""
    hear: str = ""
    press: str = ""
    say: str = ""


@dataclass(frozen=True)
class Script:
    """Script for a lecture after the vote, with the reason why each wrong answer is tempting.

    A lesson with a tour has no steps here: the script quotes the tour's.
    """

    tempts: Mapping[str, str]  #: wrong option → why somebody chooses it
    steps: tuple[Beat, ...] = ()


@dataclass(frozen=True)
class Exemplar:
    """Ingredients of an exemplar report: an answer, winning settings, and texts."""

    prediction: str  #: id of the option; the reflection is answered right
    settings: Values  #: {quantity: SI value or id}, where they differ from the challenge's start
    note: str
    rejected: str
    doubts: str


@dataclass(frozen=True)
class KnobWords:
    """Texts of a setting; where one is empty, the text in the setting's declaration applies."""

    label: str = ""  #: with the unit in it
    help: str = ""  #: one sentence
    change: str = ""  #: text for a change of the setting, such as "buy {} GPUs"
    options: Mapping[str, str] = field(default_factory=dict)  #: of a choice, {id: label}


@dataclass(frozen=True)
class _Message:
    """Message with which a lesson begins."""

    sender: str
    text: str


@dataclass(frozen=True)
class Words:
    """All texts of a lesson."""

    id: str  #: prefix of its widget keys, such as "trap"
    page: str  #: name of its page and file, such as "utilization_trap"
    title: str
    question: str  #: the one question that the lesson answers
    sender: str
    message: str
    prediction: Question
    reflection: Question
    derivation: tuple[Step, ...]
    takeaways: tuple[str, ...]
    sources: tuple[str, ...]
    origin: str = ""  #: the draft or notes that the corrections are about
    corrections: tuple[Correction, ...] = ()
    staff: Staff | None = None
    script: Script | None = None
    exemplar: Exemplar | None = None
    objective: str = ""  #: what a student can do after the lesson
    minutes: int = 0  #: how long it takes, roughly; 0 if not given
    theme: str = ""  #: of an elective; "" for a lesson of the core course
    #: main result of a core lesson in one sentence, for the home page and the closing page
    learned: str = ""
    topic: str = ""  #: theme of a core lesson's parts in the laboratory
    after: tuple[str, ...] = ()  #: ids of the lessons that should come first
    #: the answer to the message's sender, with the numbers of the message's own case
    reply: str = ""
    #: verdicts, captions and charts' sentences, by name
    says: Mapping[str, str] = field(default_factory=dict)
    knobs: Mapping[str, KnobWords] = field(default_factory=dict)  #: by quantity
    #: of "views" and of "presets", by id; of "table", by kind of rows
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tour: tuple[Stop, ...] = ()  #: at most four steps that explain the picture
    guesses: Mapping[str, Guess] = field(default_factory=dict)  #: by the id of the further part
    #: asked after the takeaways, and on a later day on the home page
    transfer: tuple[Transfer, ...] = ()

    @property
    def path(self) -> str:
        """Path of the page's file, in Streamlit's form."""
        return f"pages/{self.page}.py"

    @property
    def promise(self) -> str:
        """Objective and duration in one sentence; "" if neither is given."""
        aim = self.objective.removeprefix("You can ").removesuffix(".")
        parts = []
        if aim:
            parts.append(f"you will be able to {aim[:1].lower()}{aim[1:]}")
        if self.minutes:
            parts.append(f"about {self.minutes} minutes")
        sentence = "; ".join(parts)
        return f"{capital(sentence)}." if sentence else ""

    @property
    def texts_before_lock(self) -> tuple[str, ...]:
        """Texts shown before the prediction is locked in, in the order of the page."""
        texts = filter(None, (self.question, self.promise, self.sender, self.message))
        return (*texts, *_question_texts(self.prediction))

    @property
    def texts_after_lock(self) -> tuple[str, ...]:
        """Texts shown after the prediction is locked in, in the order of the page.

        Sources and corrections are left out.
        """
        texts = [option.feedback for option in self.prediction.options]
        for option in self.prediction.options:
            if option.test:
                texts += [option.test.said, option.test.found, option.test.look]
        texts += _question_texts(self.reflection)
        texts += [option.feedback for option in self.reflection.options]
        texts += [text for stop in self.tour for text in (stop.ask, stop.text) if text]
        texts.append(self.reply)
        texts += [text for step in self.derivation for text in (step.title, step.text)]
        return (*texts, *self.takeaways)

    def placeholders(self) -> set[str]:
        """Return the names of all placeholders in the lesson's texts."""
        texts = _texts(
            self.reply,
            self.derivation,
            self.takeaways,
            self.sources,
            self.corrections,
            self.prediction,
            self.reflection,
            self.staff,
            self.script,
            self.exemplar,
            self.guesses,
            *((stop.ask, stop.text) for stop in self.tour),
        )
        return {name for text in texts for name in PLACEHOLDER.findall(text)}


def literal(text: Any) -> str:
    """Escape an external text for Markdown, so that it appears verbatim, without markup or links.

    >>> print(literal("4.46 h ![x](http://a.b) <b>"))
    4.46 h !\\[x\\](http⁠://a.b) \\<b\\>
    """
    escaped = re.sub(r"([\\`*_\[\]<>~$&|])", r"\\\1", " ".join(str(text).split()))
    # A word joiner, which nobody sees, keeps addresses from becoming links.
    return re.sub(r"(?i)(https?|ftp|mailto|www|@)(?=[:.\w])", "\\1\N{WORD JOINER}", escaped)


def fill(text: str, values: Values = MappingProxyType({})) -> str:
    """Return a text with its placeholders filled in and its dollar signs escaped for Markdown.

    >>> fill("about {cost} for {jobs} jobs", {"cost": "$9", "jobs": 3})
    'about \\\\$9 for 3 jobs'
    """
    missing = sorted(set(PLACEHOLDER.findall(text)) - values.keys())
    if missing:
        raise LessonError(f"no value for {{{missing[0]}}} in “{text[:60].strip()}…”")
    filled = PLACEHOLDER.sub(lambda match: str(values[match[1]]), text)
    return filled.replace("\\$", "$").replace("$", "\\$")


@lru_cache(maxsize=64)
def load(page: str) -> Words:
    """Read `lessons/<page>/words.toml`."""
    return read(FOLDER / page / "words.toml", page)


def declared(page: str, kind: str, hint: Any) -> Any:
    """Return one kind of table in `lessons/<page>/lesson.toml`, parsed as the type `hint`.

    The result is {} if there is none.
    """
    top = _declarations(page)
    if kind not in top.raw:
        return {}
    return top.value(kind, hint)


@lru_cache(maxsize=64)
def _declarations(page: str) -> Table:
    """Read `lessons/<page>/lesson.toml`; a LessonError refuses a table that no lesson has."""
    path = FOLDER / page / "lesson.toml"
    name = f"{page}/{path.name}"
    top = Table(name, "", parsed(path, name) if path.exists() else {})
    for key in sorted(top.raw.keys() - set(DECLARED)):
        raise top.error(key, "is not a key of this table")
    return top


def use(words: Words) -> None:
    """Register the texts of a lesson: the app's own, or with custom texts merged over them."""
    _IN_USE[words.page] = words


def in_use(page: str) -> Words:
    """Return the registered texts of a lesson, or the app's own if none are registered."""
    return _IN_USE.get(page) or load(page)


def read(path: Path, page: str = "") -> Words:
    """Read one lesson's file and check it.

    Raises
    ------
    LessonError
        One sentence with the file, the table and the key.
    """
    name = f"{page}/{path.name}" if page else path.name
    return checked(name, page or path.stem, parsed(path, name))


def parsed(path: Path, name: str) -> dict[str, Any]:
    """Parse a TOML file into a dict; error messages call the file by `name`."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        return toml_of(data, f"{name}: it", LARGEST)
    except FileNotFoundError:
        raise LessonError(f"{name}: there is no such file in lessons/") from None
    except OSError as error:
        raise LessonError(f"{name}: the file cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise LessonError(str(error).replace(": it is not valid", ": not valid")) from None


def checked(name: str, page: str, raw: Values, locate: Locator | None = None) -> Words:
    """Check a lesson's parsed file and return its texts.

    `locate` finds a key's line for error messages.
    """
    top = Table(name, "", raw, locate)
    kinds = ("views", "asks", "presets", "table")
    message = top.table("message").record(_Message)
    lesson = top.record(
        Words,
        other_keys=("message", *kinds),
        page=page,
        sender=message.sender,
        message=message.text,
        labels={kind: top.value(kind, Mapping[str, str]) if kind in raw else {} for kind in kinds},
    )
    _check_options(top.table("prediction"), lesson.prediction.options)
    _check_options(top.table("reflection"), lesson.reflection.options)
    ids = [question.id for question in lesson.transfer]
    for number, question in enumerate(lesson.transfer):
        table = top.tables("transfer")[number]
        _check_options(table, question.options)
        if not re.fullmatch(r"[a-z]+", question.id) or ids.count(question.id) > 1:
            why = "must be a word in lowercase letters that no other question has"
            raise table.error("id", f"{why}, found {question.id!r}")
    for table, step in zip(top.tables("derivation"), lesson.derivation, strict=True):
        if step.after not in ("", "reflection"):
            raise table.error("after", f"must be reflection, found {step.after!r}")
    if len(lesson.tour) > MOST_STOPS:
        raise top.error("tour", f"has at most {MOST_STOPS} steps, found {len(lesson.tour)}")
    for option in sorted(lesson.script.tempts if lesson.script else ()):
        if option not in lesson.prediction.ids:
            tempts = top.table("script").table("tempts")
            raise tempts.error(option, "is not an option of the prediction")
    # A live number on the page before the lock could reveal the answer.
    early = (lesson.question, lesson.objective, lesson.message)
    for text in (*early, *_question_texts(lesson.prediction)):
        for number in PLACEHOLDER.findall(text):
            raise LessonError(
                f"{name}: {{{number}}} appears in a text that is shown before the lock"
            )
    return lesson


def _check_options(table: Table, options: Sequence[Option | Choice]) -> None:
    """Refuse a question unless it has options "a", "b" and so on, one of them right."""
    ids = sorted(option.id for option in options)
    if ids != list("abcd")[: len(ids)] or len(ids) < 2:
        raise table.error("options", f"ids must be a, b, c, d, each once, found {', '.join(ids)}")
    right = sum(option.right for option in options)
    if right != 1:
        raise table.error("options", f"exactly one option must have right = true, found {right}")


def _question_texts(question: Question) -> list[str]:
    """Return a question's text and the texts of its options."""
    return [question.text, *(option.text for option in question.options)]


def _texts(*parts: Any) -> Iterator[str]:
    """Yield all texts in parts of a lesson; formulas are not filled."""
    for value in parts:
        if isinstance(value, str):
            yield value
        elif is_dataclass(value):
            yield from _texts({**vars(value), "formula": ""})
        elif isinstance(value, Mapping):
            yield from _texts(*value.values())
        elif isinstance(value, tuple):
            yield from _texts(*value)
