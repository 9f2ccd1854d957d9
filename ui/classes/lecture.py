"""A class as its screens show it, and what a presenter does with it: every button and key of all
screens ends here.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from polls import stage, store
from polls.questions import Question as Own
from polls.store import OVER, Poll
from ui.base import state
from ui.classes import playlist, rights
from ui.classes.moves import TIMED, Change, Screens
from ui.classes.questions import Asked
from ui.classes.results import Outcome
from ui.record import polls

#: In the session: a change that waits until the presenter has confirmed it.
CONFIRM = "_class_confirm"
MOVED = "The class had moved on before this click, so nothing was changed."


def answered(asked: Asked, poll: Poll) -> Outcome:
    """Read what a class has answered to the question at hand, as far as it has been revealed."""
    votes, certain = polls.ask(store.revealed, poll)
    numbers = {}
    if asked.number:
        numbers = polls.ask(store.numbers, poll, poll.lesson).get(poll.lesson, {})
    return Outcome(asked, votes, certain, poll.fewest, poll.rehearsal, numbers)


@dataclass(frozen=True)
class Lecture(Screens):
    """A class and what is on its screens, with what its presenter's buttons and keys do."""

    @classmethod
    def now(cls, poll: Poll) -> "Lecture":
        """Read what is on the screens of a class."""
        screens = polls.ask(stage.read, poll.code)
        return cls.of(poll, screens, playlist.plan(screens.plan, poll.lesson))

    @property
    def shown(self) -> str:
        """Value that changes whenever something else is shown."""
        stands = f"{self.poll.lesson} {self.poll.round} {self.poll.phase} {self.told}"
        return f"{stands} {self.place} {self.press} {self.plan.title}"

    @property
    def left(self) -> float | None:
        """Time that is left of a vote or a discussion [s], negative when it is over; None where
        none is running.
        """
        step = self.step
        if step.do not in TIMED or not step.minutes or self.stage.age is None:
            return None
        if step.do != "discussion" and self.poll.phase != store.OPEN:
            return None
        return 60 * step.minutes - self.stage.age

    def outcome(self, early: bool = False) -> Outcome:
        """Read what the class has answered; with `early` also what the hall has not been shown."""
        if early:
            poll = replace(self.poll, phase=store.REVEALED)
        else:
            poll = self.poll
        return answered(self.asked, poll)

    @property
    def waiting(self) -> Change | None:
        """The change that waits until it is confirmed; none once the class has moved on."""
        shown, change = state.get(CONFIRM) or ("", None)
        if shown == self.shown:
            return change
        return None

    # Callbacks

    def next(self) -> None:
        """Make the next press."""
        self._do(self.onward(self._voted()))

    def back(self) -> None:
        """Take the way back."""
        self._do(self.backward(self._voted()))

    def go(self, index: int) -> None:
        """Show another step, and put the class into the state that the step names."""
        self._do(self.to(index, self._voted()))

    def play(self) -> None:
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
        self._try(stage.write, self.poll, seen, replace(seen, plays=seen.plays + 1))

    def move(self, phase: str, number: int | None = None) -> None:
        """Open, close or reveal a round."""
        self._do(self.moved(phase, number))

    def tell(self) -> None:
        """Show the right answer beside the bars."""
        self._do(self.telling())

    def ask(self) -> None:
        """Ask the question that is chosen, from its first vote; a playlist goes on after it."""
        try:
            self._do(self.asking(str(state.get("class_lesson")), self._voted()))
        except ValueError as full:
            rights.say(str(full))

    def load(self, written: str) -> None:
        """Begin a playlist; "" ends it."""
        plan = playlist.plan(written, self.poll.lesson)
        self._do(self.beginning(plan, written, self._voted()))

    def begin(self, data: bytes) -> None:
        """Begin a playlist that a presenter has written, or say what is wrong with it."""
        plan = rights.attempt(
            lambda engine: playlist.read(data, store.own_questions(engine, self.poll.code))
        )
        if plan:
            self.load(plan.write())

    def key(self) -> None:
        """Do what a key asks for: the next press, the way back, or start and pause; a late press
        does nothing.
        """
        pressed = state.read("class_stage").get("key")
        if not isinstance(pressed, Mapping) or pressed.get("at") != self.mark:
            return
        acts = {"play": self.play, "next": self.next, "back": self.back}
        act = acts.get(str(pressed.get("go")))
        if act:
            act()
        if state.get("_class_said") == MOVED:
            state.drop("_class_said")  # another screen was faster

    def confirmed(self) -> None:
        """Do what had to be confirmed first."""
        change = self.waiting
        state.drop(CONFIRM)
        if change:
            self._do(replace(change, confirm=""))

    def end_rehearsal(self) -> None:
        """End the rehearsal, of which nothing stays but what was prepared: a playlist begins
        anew.
        """
        self._try(store.end_rehearsal, self.poll.code)
        with suppress(polls.Gone):
            if self.stage.plan and (poll := polls.latest(self.poll.code)) and not poll.rehearsal:
                Lecture.now(poll).load(self.stage.plan)

    def end(self) -> None:
        """End the class; what it has answered stays."""
        state.drop("_class_end_asked")
        self._try(stage.write, self.poll, self.stage, self.stage, replace(self.poll, phase=OVER))

    def resume(self) -> None:
        """Go on with a class that was over, with its vote closed."""
        stands = replace(self.poll, phase=store.CLOSED)
        self._try(stage.write, self.poll, self.stage, self.stage, stands)

    def delete(self) -> None:
        """Delete the class with its votes."""
        state.drop("_class_delete_asked")
        self._try(store.close_class, self.poll.code)
        rights.forget()

    def add(self, read: Callable[..., Sequence[Own]], *given: Any) -> bool:
        """Give the class the questions that are read, none if one is wrong, and return whether it
        has them.
        """
        if not rights.may_press(self.poll.code):
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

    def _voted(self) -> Mapping[str, int]:
        """Read in which round of each question somebody has voted."""
        return rights.attempt(store.rounds_voted, self.poll) or {}

    def _do(self, change: Change | None) -> None:
        """Make a change, or have it confirmed first."""
        if change is None:
            return
        if change.confirm:
            state.put(CONFIRM, (self.shown, change))
            return
        self._try(stage.write, self.poll, self.stage, change.stage, change.stands, change.drop)

    def _try(self, act: Callable, *args: Any) -> None:
        """Change the class, if this session presents it still; a database that is gone is said by
        the page.
        """
        state.drop(CONFIRM)
        if rights.may_press(self.poll.code) and rights.attempt(act, *args) is False:
            rights.say(MOVED)
