"""A class as its screens show it, and what a presenter does with it: every button and key of all
screens ends here.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from polls import stage, store
from polls.questions import Question as Own
from polls.stage import Stage
from polls.store import Poll
from ui.base import state
from ui.classes import playlist, questions, rights
from ui.classes.playlist import Playlist, Step
from ui.classes.questions import Asked
from ui.classes.results import Outcome
from ui.record import polls

MOVED = "The class had moved on before this click, so nothing was changed."


@dataclass(frozen=True)
class Lecture:
    """A class and what is on its screens, as of one reading."""

    poll: Poll
    stage: Stage
    plan: Playlist  #: its playlist, or the steps of the question at hand
    place: int  #: of the step that is shown
    step: Step

    @classmethod
    def now(cls, poll: Poll) -> "Lecture":
        """Read what is on the screens of a class."""
        held = polls.ask(stage.read, poll.code)
        plan = playlist.plan(held.plan, poll.lesson)
        place = min(held.place, len(plan.steps) - 1)
        return cls(poll, held, plan, place, plan.steps[place])

    @property
    def shown(self) -> str:
        """Value that changes whenever something else is shown."""
        return (
            f"{self.poll.lesson} {self.poll.round} {self.poll.phase} {self.place} {self.plan.title}"
        )

    @property
    def over(self) -> bool:
        """Whether no step follows."""
        return self.place + 1 == len(self.plan.steps)

    @property
    def asked(self) -> Asked:
        """The question on the screen."""
        shown = self.step.do == "question"
        return questions.asked(
            replace(self.poll, lesson=self.step.ask, own=None) if shown else self.poll
        )

    @property
    def left(self) -> float | None:
        """Time that is left of a discussion [s]; None where none is running."""
        if self.step.do != "discussion" or not self.step.minutes or self.stage.age is None:
            return None
        return max(0.0, 60 * self.step.minutes - self.stage.age)

    @property
    def told(self) -> bool:
        """Whether the right answer is said with the bars: after the last vote, and before it if
        asked to.
        """
        over = bool(self.stage.plan) and self.plan.last(self.place)
        return self.poll.round == 2 or self.stage.told == self.poll.lesson or over

    def outcome(self, early: bool = False) -> Outcome:
        """Read what the class has answered; with `early` also what the hall has not been shown."""
        if early:
            poll = replace(self.poll, phase=store.REVEALED)
        else:
            poll = self.poll
        return Outcome(self.asked, *polls.ask(store.revealed, poll), poll.fewest, poll.rehearsal)

    # Callbacks

    def go(self, place: int) -> None:
        """Show another step, and put the class into the state that the step names."""
        if not 0 <= place < len(self.plan.steps):
            return
        stands = self.plan.stands(place, self.poll)
        asks = self.plan.steps[place].do in playlist.ASKS
        # A question that comes up for the first time begins without votes; on the way back and
        # forth they stay.
        self._show(place, stands, drop=asks and place > self.stage.far and stands != self.poll)

    def press(self) -> None:
        """Start or pause the animation, also where another screen has done so since this one was
        drawn.
        """
        now = self
        with suppress(polls.Gone):
            now = Lecture.now(self.poll)
        if now.place == self.place:
            seen = now.stage
        else:
            seen = self.stage
        self._do(stage.write, self.poll, seen, replace(seen, plays=seen.plays + 1))

    def move(self, phase: str, number: int | None = None) -> None:
        """Close or reveal the round, or open the second one."""
        stands = replace(self.poll, round=number or self.poll.round, phase=phase)
        self._show(self.plan.at(self.place, stands), stands)

    def ask(self) -> None:
        """Ask the question that is chosen, from its first vote; a playlist goes on after it."""
        question = str(state.get("class_lesson"))
        after = Stage()
        if self.stage.plan:
            place = self.place + 1
            try:
                grown = self.plan.then(self.place, question)
            except ValueError as full:
                rights.say(str(full))
                return
            far = place
            if self.stage.far > self.place:  # the presenter went back: those votes stay
                far = self.stage.far + len(grown.steps) - len(self.plan.steps)
            after = Stage(grown.write(), place, far)
        self._write(
            after, replace(self.poll, lesson=question, round=1, phase=store.OPEN), drop=True
        )

    def load(self, written: str) -> None:
        """Begin a playlist; "" ends it."""
        plan = playlist.plan(written, self.poll.lesson)
        if written:
            stands = plan.stands(0, self.poll)
        else:
            stands = None
        self._write(Stage(written), stands, drop=stands not in (None, self.poll))

    def begin(self, data: bytes) -> None:
        """Begin a playlist that a presenter has written, or say what is wrong with it."""
        plan = rights.attempt(
            lambda engine: playlist.read(data, store.own_questions(engine, self.poll.code))
        )
        if plan:
            self.load(plan.write())

    def tell(self) -> None:
        """Show the right answer already after the first vote."""
        self._write(replace(self.stage, told=self.poll.lesson))

    def key(self) -> None:
        """Do what a key asks for: the next step, the one before, or start and pause; a late press
        does nothing.
        """
        pressed = state.read("class_stage").get("key")
        if not isinstance(pressed, Mapping) or pressed.get("at") != [self.place, self.stage.plays]:
            return
        if pressed.get("go") == "play":
            self.press()
        elif way := {"next": 1, "back": -1}.get(pressed.get("go")):
            self.go(self.place + way)
        if state.get("_class_said") == MOVED:
            state.drop("_class_said")  # another screen was faster

    def end_rehearsal(self) -> None:
        """End the rehearsal, of which nothing stays but what was prepared: a playlist begins anew."""
        self._do(store.end_rehearsal, self.poll.code)
        with suppress(polls.Gone):
            if self.stage.plan and (poll := polls.latest(self.poll.code)) and not poll.rehearsal:
                Lecture.now(poll).load(self.stage.plan)

    def delete(self) -> None:
        """End the class and delete it."""
        state.drop("_class_end_asked")
        self._do(store.close_class, self.poll.code)
        rights.forget()

    def add(self, read: Callable[..., Sequence[Own]], *given: Any) -> bool:
        """Give the class the questions that are read, none if one is wrong, and return whether it
        has them.
        """
        if not rights.held(self.poll.code):
            return False
        ids = rights.attempt(
            lambda engine: store.add_questions(engine, self.poll.code, read(*given))
        )
        if ids:
            state.put("class_lesson", ids[0])
            if len(ids) == 1:
                number = "1 question is"
            else:
                number = f"{len(ids)} questions are"
            rights.say(f"{number} added: choose it under “Next question” and ask it.")
        return bool(ids)

    def _show(self, place: int, stands: Poll | None, drop: bool = False) -> None:
        self._write(
            replace(self.stage, place=place, far=max(place, self.stage.far), plays=0), stands, drop
        )

    def _write(self, after: Stage, stands: Poll | None = None, drop: bool = False) -> None:
        self._do(stage.write, self.poll, self.stage, after, stands, drop)

    def _do(self, act: Callable, *args: Any) -> None:
        """Change the class, if this session presents it; a database that is gone is said by the
        page.
        """
        if rights.held(self.poll.code) and rights.attempt(act, *args) is False:
            rights.say(MOVED)
