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

#: What a step can be, as the screens name it.
DOES = {
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
#: Steps with which a class is asked something anew, and those that go on with it.
ASKS = ("vote", "reflection")
GOES_ON = ("discussion", "second vote", "reveal")
#: Steps in which a class votes.
VOTES = (*ASKS, "second vote")
#: Steps that show a picture press by press: with its question, its numbers, its sentence.
PICTURES = ("picture", "tour")
#: Steps that take the whole screen.
SCENES = ("animation", *PICTURES)
#: Lectures that are shipped with a lesson of the core course [min].
SHIPPED = (10, 30)
#: Most steps, the longest step [min], title and notes [characters].
MOST = 60
LONGEST = 90
LONGEST_TITLE = 80
LONGEST_NOTES = 600
LONGEST_ASKS = 160
#: What a class may have of a playlist that has grown: each question that is started in its middle
#: adds four steps, and it is written with all that a presenter's file leaves out.
MOST_GROWN = 500
LARGEST_GROWN = 300_000
#: Time to discuss where no playlist says so [min].
DISCUSS = 2.0


@dataclass(frozen=True)
class Step:
    """Step of a playlist; `ask` is its question's id, and `lesson` is the lesson of its picture."""

    do: str
    ask: str = ""
    minutes: float = 0.0  #: 0 if nobody has said
    notes: str = ""
    lesson: str = ""
    view: str = ""
    preset: str = ""
    asks: str = ""  #: what the hall is asked before a picture shows its numbers

    @property
    def shows(self) -> bool:
        """Whether the step shows part of a lesson without a question to the class."""
        return self.do in ("question", *SCENES)

    @property
    def label(self) -> str:
        """Short name of the step."""
        if self.preset_words:
            return f"{DOES[self.do]}: {self.preset_words}"
        return DOES[self.do]

    @property
    def preset_words(self) -> str:
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
        name: str | None = self.view
        changes: Mapping[str, Any] = {}
        if self.do == "tour":
            name = lesson.tour[stop].view
            changes = lesson.tour[stop].settings
        elif self.preset:
            preset = lesson.presets[self.preset]
            name = name or preset.view
            changes = preset.changes
        view: View
        if self.do == "animation":
            view = next(picture for picture in lesson.pictures if isinstance(picture, Film))
        else:
            view = lesson.view(name or lesson.pictures[0].id)
        return lesson, view, declared.read(lesson.settings, changes)[0]


#: Longest texts of a step [characters]; others have 40.
_LONGEST = {"notes": LONGEST_NOTES, "asks": LONGEST_ASKS}
_KEYS = tuple(field.name for field in fields(Step))


@dataclass(frozen=True)
class Playlist:
    """Titled list of steps in the order of the lecture."""

    title: str
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, question: str) -> "Playlist":
        """Return the steps of one question: vote, discuss, vote again, reveal."""
        minutes = dict.fromkeys(("vote", *GOES_ON), 0.0) | {"discussion": DISCUSS}
        return cls("", tuple(Step(do, question, time) for do, time in minutes.items()))

    @property
    def minutes(self) -> float:
        """Planned duration of the playlist [min]."""
        return sum(step.minutes for step in self.steps)

    def stands(self, index: int, poll: Poll, voted: int = 2) -> Poll:
        """Return the state of a class at a step: the step's question and the phase after all
        earlier steps.

        `voted` is the last round on that question in which anybody has voted: a second vote that
        was left out is not revealed.
        """
        number = 1
        phase = WAITING
        for n in self._question_steps(index):
            do = self.steps[n].do
            if n > index:
                break
            if do in ASKS:
                number = 1
                phase = OPEN
            elif do == "second vote":
                number = 2
                phase = OPEN
            elif do == "reveal":
                if poll.lesson == self.steps[n].ask and self.last(n):
                    number = max(number, poll.round)
                number = min(number, max(1, voted))
                phase = REVEALED
            elif phase == OPEN:
                phase = CLOSED
        return replace(poll, lesson=self.steps[index].ask, round=number, phase=phase)

    def at(self, index: int, stands: Poll) -> int:
        """Return the step that matches the state of a class for the same question, or else
        `index`.
        """
        indices = [
            n
            for n in self._question_steps(index)
            if not self.steps[n].shows and self.stands(n, stands) == stands
        ]
        return min(indices, key=lambda n: (n < index, n), default=index)

    def skipped(self, start: int, end: int) -> str:
        """Return the name of the first vote that a jump between two steps would skip.

        The result is "" if there is none.
        """
        for step in self.steps[start:end]:
            if step.do in VOTES:
                return step.label.lower()
        return ""

    def begins(self, index: int) -> bool:
        """Return whether a step is the first one of its question."""
        votes = self._question_steps(index)
        return votes[0] == index or self.steps[index].do in ASKS

    def last(self, index: int) -> bool:
        """Return whether no second vote on a step's question follows."""
        return not any(
            n > index and self.steps[n].do == "second vote" for n in self._question_steps(index)
        )

    def then(self, index: int, question: str) -> "Playlist":
        """Return the playlist with another question inserted after a step.

        Of a question that is asked anew, what would have gone on with the old votes is left out.

        `ValueError` if it has no room for one more.
        """
        later = []
        open_again = False
        for step in self.steps[index + 1 :]:
            if step.ask == question and step.do in ASKS:
                open_again = True
            if step.ask != question or step.do not in GOES_ON or open_again:
                later.append(step)
        grown = replace(self, steps=(*self.steps[: index + 1], *self.of(question).steps, *later))
        if len(grown.steps) > MOST_GROWN or len(grown.write().encode()) > LARGEST_GROWN:
            raise ValueError("This playlist has no room for one more question; end it first.")
        return grown

    def _question_steps(self, index: int) -> list[int]:
        """Return the numbers of the steps of the question of a step, from when it is asked until it
        is asked anew.
        """
        question = self.steps[index].ask
        indices: list[int] = []
        for n, step in enumerate(self.steps):
            if step.ask == question:
                if step.do in ASKS and n > index:
                    break
                if step.do in ASKS:
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
    """Return the playlist of a class, or the steps of one question if the class has no readable
    playlist.
    """
    with suppress(ValueError):  # another version of the app has written it
        return _read(written.encode(), None, MOST_GROWN, LARGEST_GROWN)
    return Playlist.of(question)


def read(data: bytes, own: Mapping[str, Any] | None = None) -> Playlist:
    """Parse a playlist; `own` has the class's own questions by id, or None to accept any id.

    `ValueError` says in one sentence what is wrong, and with which step.
    """
    return _read(data, own, MOST, LARGEST_FILE)


def _read(data: bytes, own: Mapping[str, Any] | None, max_steps: int, max_bytes: int) -> Playlist:
    """Read a playlist with at most so many steps and bytes."""
    top = ("title", "lesson")
    step = partial(_step, own)
    header, steps = tables(data, "The playlist", "Step", max_steps, _KEYS, top, step, max_bytes)
    return Playlist(line(header.get("title", ""), "title", LONGEST_TITLE), tuple(steps))


def _step(own: Mapping[str, Any] | None, table: Mapping, steps: list[Step], top: Mapping) -> Step:
    """Read a step; what it does not say of lesson and question is as it was before."""
    lesson = line(top.get("lesson", ""), "lesson")
    before = Step("", ask=lesson, lesson=lesson)
    if steps:
        before = steps[-1]
    texts: dict[str, Any] = {
        key: line(table.get(key, ""), key, _LONGEST.get(key, 40))
        for key in _KEYS
        if key != "minutes"
    }
    does = texts["do"]
    lesson = texts["lesson"] or before.lesson
    _check_choice("do", does, DOES)
    ask = lesson
    if does in (*GOES_ON, *SCENES):
        ask = before.ask
    elif does == "reflection" and lesson:
        ask = f"{lesson}/reflection"
    texts |= {"lesson": lesson, "ask": texts["ask"] or ask}
    step = Step(**texts, minutes=_minutes(table))
    if not (step.lesson if does in SCENES else step.ask):
        raise ValueError("it must say which lesson is meant.")
    if step.lesson:
        _check_choice("lesson", step.lesson, _lessons())
    if does in SCENES:
        _check_scene(step)
    elif step.view or step.preset:
        raise ValueError("only an animation or a picture has a view or a preset.")
    elif step.asks:
        raise ValueError("only a picture has a question in asks.")
    elif own is None and step.ask.startswith("own/"):
        pass  # of a class that is not there to be asked
    elif questions.find(step.ask, own or {}) is None:
        raise ValueError(f"there is no question {step.ask!r}.")
    _check_order(step, steps)
    return step


def _check_order(step: Step, before: list[Step]) -> None:
    """Refuse what goes on with a question that has not been asked."""
    if step.do not in GOES_ON:
        return
    votes = [earlier.do for earlier in before if earlier.do in VOTES and earlier.ask == step.ask]
    if not votes:
        raise ValueError(f"before a {step.do} the class must vote on the question.")
    if step.do == votes[-1] == "second vote":
        raise ValueError("a question has two votes at most.")


def _check_scene(step: Step) -> None:
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
    return {lesson.id: lesson for lesson in lessons()}


def _check_choice(key: str, value: str, choices: Iterable[str]) -> None:
    if value not in choices:
        raise ValueError(f"{key} must be one of {', '.join(choices)}, got {value!r}.")


def _minutes(table: Mapping) -> float:
    value = table.get("minutes", 0)
    if type(value) not in (int, float) or not 0 <= value <= LONGEST:
        raise ValueError(f"minutes must be a number from 0 to {LONGEST}, got {str(value)[:40]!r}.")
    return float(value)
