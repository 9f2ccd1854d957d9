"""Lecture as a list of steps, each with screen content, the class's task, and minutes.

No Streamlit.

```toml
title = "Utilization trap in 10 minutes"
lesson = "trap"

[[steps]]
do = "vote"            # question, vote, discussion, second vote, reveal, animation, picture,
                       # tour or reflection
minutes = 2
notes = "What only the remote shows."

[[steps]]
do = "picture"
preset = "purchase"    # of the lesson; may be missing
view = "wait"          # may be missing, too
asks = "What changes?" # what the hall sees before the numbers; may be missing
```
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial
from typing import Any

from polls.classes import CLOSED, OPEN, REVEALED, WAITING, Poll
from polls.questions import LARGEST_FILE, line, tables
from ui.base.lesson import Film, Lesson, View, lessons
from ui.base.words import FOLDER, Stop
from ui.classes import questions
from ui.knobs import declared

#: Names of all kinds of steps, as the screens show them.
STEP_NAMES = {
    "question": "The question",
    "vote": "Vote",
    "discussion": "Discussion",
    "second vote": "Second vote",
    "reveal": "Reveal",
    "animation": "Animation",
    "picture": "Picture",
    "tour": "Tour of the picture",
    "reflection": "Reflection",
}
#: Steps that ask a question for the first time, and those that continue with its votes.
FIRST_VOTES = ("vote", "reflection")
FOLLOW_UPS = ("discussion", "second vote", "reveal")
#: Steps in which the class votes.
VOTES = (*FIRST_VOTES, "second vote")
#: Steps that show a picture in three presses: its question, its numbers, its sentence.
PICTURES = ("picture", "tour")
#: Steps that take the whole screen.
SCENES = ("animation", *PICTURES)
#: Durations of the lectures that are shipped with each lesson of the core course [min].
SHIPPED = (10, 30)
#: Limits of a presenter's file: number of steps, and duration of a step [min].
MAX_STEPS = 60
MAX_MINUTES = 90
#: Longest texts [characters]; the texts without an entry have at most 40.
_MAX_CHARACTERS = {"title": 80, "notes": 600, "asks": 160}
#: Limits of a playlist during a class. They are wider than those of a file, because every question
#: started in the middle adds four steps, and because each step is written with all its fields.
MAX_GROWN_STEPS = 500
MAX_GROWN_BYTES = 300_000
#: Duration of a discussion without a playlist [min].
DISCUSSION_MINUTES = 2.0


@dataclass(frozen=True)
class Step:
    """Step of a playlist; the fields are the keys of its table in the file."""

    do: str  #: kind of step, a key of `STEP_NAMES`
    ask: str = ""  #: id of the question that the class votes on
    minutes: float = 0.0  #: planned duration; 0 if none is planned
    notes: str = ""  #: what only the remote shows
    lesson: str = ""  #: id of the lesson whose picture is shown
    view: str = ""  #: id of the picture in the lesson
    preset: str = ""  #: key of the lesson's preset
    asks: str = ""  #: question to the hall before a picture shows its numbers

    @property
    def has_no_vote(self) -> bool:
        """Whether the step only shows something, without a vote or its result."""
        return self.do in ("question", *SCENES)

    @property
    def label(self) -> str:
        """Short name of the step."""
        name = STEP_NAMES[self.do]
        if self.preset_title:
            return f"{name}: {self.preset_title}"
        return name

    @property
    def preset_title(self) -> str:
        """Name of the step's preset; "" if the step has none."""
        if not self.preset:
            return ""
        return _lessons()[self.lesson].presets[self.preset].words

    @property
    def tour(self) -> tuple[Stop, ...]:
        """Steps of the lesson's tour."""
        return _lessons()[self.lesson].tour

    def scene(self, stop: int = 0) -> tuple[Lesson, View, Any]:
        """Return the lesson, view, and settings of an animation, a picture, or a tour step."""
        lesson = _lessons()[self.lesson]
        view_id: str | None = self.view
        changes: Mapping[str, Any] = {}
        if self.do == "tour":
            view_id = lesson.tour[stop].view
            changes = lesson.tour[stop].settings
        elif self.preset:
            preset = lesson.presets[self.preset]
            view_id = view_id or preset.view
            changes = preset.changes
        view: View
        if self.do == "animation":
            view = next(picture for picture in lesson.pictures if isinstance(picture, Film))
        else:
            view = lesson.view(view_id or lesson.pictures[0].id)
        return lesson, view, declared.read(lesson.settings, changes)[0]


_KEYS = tuple(field.name for field in fields(Step))


@dataclass(frozen=True)
class Playlist:
    """Titled list of steps in the order of the lecture."""

    title: str
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, question: str) -> "Playlist":
        """Return the steps of one question: vote, discuss, vote again, reveal."""
        minutes = dict.fromkeys(("vote", *FOLLOW_UPS), 0.0) | {"discussion": DISCUSSION_MINUTES}
        return cls("", tuple(Step(do, question, time) for do, time in minutes.items()))

    @property
    def minutes(self) -> float:
        """Planned duration of the playlist [min]."""
        return sum(step.minutes for step in self.steps)

    def poll_at(self, index: int, poll: Poll, last_round: int = 2) -> Poll:
        """Return the state of a class at a step: question, round, and phase after earlier steps.

        `last_round` is the last round on that question in which anybody has voted: a second vote
        that was left out is not revealed.
        """
        number = 1
        phase = WAITING
        for n in self._question_steps(index):
            if n > index:
                break
            do = self.steps[n].do
            if do in VOTES:
                number = 2 if do == "second vote" else 1
                phase = OPEN
            elif do == "reveal":
                if poll.lesson == self.steps[n].ask and self.is_last_vote(n):
                    number = max(number, poll.round)
                number = min(number, max(1, last_round))
                phase = REVEALED
            elif phase == OPEN:
                phase = CLOSED
        return replace(poll, lesson=self.steps[index].ask, round=number, phase=phase)

    def index_for(self, poll: Poll, index: int) -> int:
        """Return the step of the question at `index` that fits a class's state; else `index`.

        Of several such steps, it is the next one from `index` on.
        """
        fitting = [
            n
            for n in self._question_steps(index)
            if not self.steps[n].has_no_vote and self.poll_at(n, poll) == poll
        ]
        return min(fitting, key=lambda n: (n < index, n), default=index)

    def skipped_vote(self, start: int, end: int) -> str:
        """Return the name of the first vote in steps `start` to `end - 1`; "" if there is none."""
        votes = (step for step in self.steps[start:end] if step.do in VOTES)
        return next((step.label.lower() for step in votes), "")

    def starts_question(self, index: int) -> bool:
        """Return whether a step is the first one of its question."""
        return self._question_steps(index)[0] == index or self.steps[index].do in FIRST_VOTES

    def is_last_vote(self, index: int) -> bool:
        """Return whether no second vote on a step's question follows the step."""
        following = (self.steps[n].do for n in self._question_steps(index) if n > index)
        return "second vote" not in following

    def with_question(self, index: int, question: str) -> "Playlist":
        """Return the playlist with the four steps of a question inserted after a step.

        Later steps that would continue with the question's earlier votes are left out.

        `ValueError` if the playlist would become too long.
        """
        later = []
        is_asked_again = False
        for step in self.steps[index + 1 :]:
            if step.ask == question and step.do in FIRST_VOTES:
                is_asked_again = True
            if step.ask != question or step.do not in FOLLOW_UPS or is_asked_again:
                later.append(step)
        new_steps = self.of(question).steps
        grown = replace(self, steps=(*self.steps[: index + 1], *new_steps, *later))
        if len(grown.steps) > MAX_GROWN_STEPS or len(grown.write().encode()) > MAX_GROWN_BYTES:
            raise ValueError("This playlist has no room for one more question; end it first.")
        return grown

    def _question_steps(self, index: int) -> list[int]:
        """Return the indices of the steps on a step's question, up to the next time it is asked."""
        question = self.steps[index].ask
        indices: list[int] = []
        for n, step in enumerate(self.steps):
            if step.ask == question:
                if step.do in FIRST_VOTES and n > index:
                    break
                if step.do in FIRST_VOTES:
                    indices.clear()
                indices.append(n)
        return indices

    def write(self) -> str:
        """Write the playlist as TOML in the format of `read`."""
        lines = [f"title = {json.dumps(self.title, ensure_ascii=False)}"]
        for step in self.steps:
            lines += ["", "[[steps]]"]
            for key in _KEYS:
                value = getattr(step, key)
                if value:
                    lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
        return "\n".join(lines) + "\n"


def shipped() -> dict[str, str]:
    """Return the app's own playlists as TOML by lesson and minutes: {"trap/10": …}."""
    paths = {
        f"{lesson.id}/{minutes}": FOLDER / lesson.page / f"lecture_{minutes}.toml"
        for lesson in lessons()
        for minutes in SHIPPED
    }
    return {name: path.read_text(encoding="utf-8") for name, path in paths.items() if path.exists()}


@lru_cache(maxsize=64)
def plan(written: str, question: str) -> Playlist:
    """Return the playlist of a class from its TOML text; if unreadable, the steps of a question."""
    with suppress(ValueError):  # no playlist, or one of another version of the app
        return _read(written.encode(), None, MAX_GROWN_STEPS, MAX_GROWN_BYTES)
    return Playlist.of(question)


def read(data: bytes, own: Mapping[str, Any] | None = None) -> Playlist:
    """Parse a playlist; `own` has the class's own questions by id, or None to accept any id.

    `ValueError` says in one sentence what is wrong, and with which step.
    """
    return _read(data, own, MAX_STEPS, LARGEST_FILE)


def _read(data: bytes, own: Mapping[str, Any] | None, max_steps: int, max_bytes: int) -> Playlist:
    """Parse a playlist of at most so many steps and bytes."""
    top = ("title", "lesson")
    step = partial(_step, own)
    header, steps = tables(data, "The playlist", "Step", max_steps, _KEYS, top, step, max_bytes)
    return Playlist(_text(header, "title"), tuple(steps))


def _text(table: Mapping, key: str) -> str:
    """Return a text of a table as one line; "" if it is missing."""
    return line(table.get(key, ""), key, _MAX_CHARACTERS.get(key, 40))


def _step(own: Mapping[str, Any] | None, table: Mapping, steps: list[Step], top: Mapping) -> Step:
    """Parse a step; lesson and question are those of the step before unless the table says so."""
    lesson = _text(top, "lesson")
    before = Step("", ask=lesson, lesson=lesson)
    if steps:
        before = steps[-1]
    texts: dict[str, Any] = {key: _text(table, key) for key in _KEYS if key != "minutes"}
    do = texts["do"]
    lesson = texts["lesson"] or before.lesson
    _check_choice("do", do, STEP_NAMES)
    question = lesson
    if do in (*FOLLOW_UPS, *SCENES):
        question = before.ask
    elif do == "reflection" and lesson:
        question = f"{lesson}/reflection"
    texts |= {"lesson": lesson, "ask": texts["ask"] or question}
    step = Step(**texts, minutes=_minutes(table))
    if not (step.lesson if do in SCENES else step.ask):
        raise ValueError("it must say which lesson is meant.")
    if step.lesson:
        _check_choice("lesson", step.lesson, _lessons())
    if do in SCENES:
        _check_scene(step)
    elif step.view or step.preset:
        raise ValueError("only an animation or a picture has a view or a preset.")
    elif step.asks:
        raise ValueError("only a picture has a question in asks.")
    elif own is None and step.ask.startswith("own/"):
        pass  # a question of some class, which cannot be checked here
    elif questions.find(step.ask, own or {}) is None:
        raise ValueError(f"there is no question {step.ask!r}.")
    _check_order(step, steps)
    return step


def _check_order(step: Step, before: list[Step]) -> None:
    """Raise ValueError if a step has no earlier vote to continue with, or is a third vote."""
    if step.do not in FOLLOW_UPS:
        return
    votes = [earlier.do for earlier in before if earlier.do in VOTES and earlier.ask == step.ask]
    if not votes:
        raise ValueError(f"before a {step.do} the class must vote on the question.")
    if step.do == votes[-1] == "second vote":
        raise ValueError("a question has two votes at most.")


def _check_scene(step: Step) -> None:
    """Raise ValueError if a lesson lacks the animation, picture, tour, or preset of a step."""
    lesson = _lessons()[step.lesson]
    if step.preset and step.preset not in lesson.presets:
        raise ValueError(
            f"{lesson.id} has no preset {step.preset!r}; it has {', '.join(lesson.presets)}."
        )
    if step.do == "animation" and lesson.film is None:
        raise ValueError(f"{lesson.id} has no animation.")
    if step.do == "tour":
        if not lesson.tour:
            raise ValueError(f"{lesson.id} has no tour.")
        if step.view or step.preset:
            raise ValueError("a tour has no view and no preset, because it brings its own.")
    if step.asks and step.do != "picture":
        raise ValueError("only a picture has a question in asks.")
    pictures = [
        picture.id
        for picture in lesson.pictures
        if picture.figure is not None or picture.charts is not None
    ]
    if step.do == "picture" and (step.view or step.scene()[1].id) not in pictures:
        raise ValueError(f"{lesson.id} has no picture {step.view!r}; it has {', '.join(pictures)}.")


def _lessons() -> dict[str, Lesson]:
    """Return all lessons by id."""
    return {lesson.id: lesson for lesson in lessons()}


def _check_choice(key: str, value: str, choices: Iterable[str]) -> None:
    """Raise ValueError if a value is not one of the choices."""
    if value not in choices:
        raise ValueError(f"{key} must be one of {', '.join(choices)}, got {value!r}.")


def _minutes(table: Mapping) -> float:
    """Return the checked duration of a step [min]; 0 if it is missing."""
    value = table.get("minutes", 0)
    if type(value) not in (int, float) or not 0 <= value <= MAX_MINUTES:
        raise ValueError(
            f"minutes must be a number from 0 to {MAX_MINUTES}, got {str(value)[:40]!r}."
        )
    return float(value)
