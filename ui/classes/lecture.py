"""State of a class and its presenter's actions, shared by the buttons and keys of all screens."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from polls import stage, store
from polls.questions import Question as Own
from polls.store import OVER, Poll
from ui.base import state
from ui.classes import playlist, rights, senders
from ui.classes.moves import TIMED, Change, Screens
from ui.classes.questions import PollQuestion
from ui.classes.results import Outcome
from ui.record import polls

#: In the session: a change that waits until the presenter has confirmed it.
CONFIRM = "_class_confirm"
MOVED = "The class had moved on before this click, so nothing was changed."


def answered(poll_question: PollQuestion, poll: Poll) -> Outcome:
    """Return the revealed votes of a class on the current question."""
    votes, certain = polls.ask(store.revealed, poll)
    numbers = {}
    if poll_question.number:
        numbers = polls.ask(store.numbers, poll, poll.lesson).get(poll.lesson, {})
    return Outcome(poll_question, votes, certain, poll.fewest, poll.rehearsal, numbers)


@dataclass(frozen=True)
class Lecture(Screens):
    """Class with the state of its screens and the actions of its presenter's buttons and keys."""

    @classmethod
    def now(cls, poll: Poll) -> "Lecture":
        """Read the current state of a class's screens."""
        screens = polls.ask(stage.read, poll.code)
        return cls.of(poll, screens, playlist.plan(screens.plan, poll.lesson))

    @property
    def content(self) -> str:
        """Text that changes whenever the content of the screens changes."""
        poll = f"{self.poll.lesson} {self.poll.round} {self.poll.phase} {self.shows_answer}"
        return f"{poll} {self.index} {self.press} {self.plan.title}"

    @property
    def time_left(self) -> float | None:
        """Time left of a vote or discussion [s], negative if overdue; None if none is running."""
        step = self.step
        if step.do not in TIMED or not step.minutes or self.stage.age is None:
            return None
        if step.do != "discussion" and self.poll.phase != store.OPEN:
            return None
        return 60 * step.minutes - self.stage.age

    def outcome(self, early: bool = False) -> Outcome:
        """Return the class's answers to the current question, with `early` also unrevealed ones."""
        poll = self.poll
        if early:
            poll = replace(poll, phase=store.REVEALED)
        return answered(self.question, poll)

    @property
    def pending(self) -> Change | None:
        """Change that waits for confirmation; None once the class has moved on."""
        content, change = state.get(CONFIRM) or ("", None)
        return change if content == self.content else None

    # Callbacks

    def next(self) -> None:
        """Advance the class by one press."""
        self._do(self.next_change(self._last_rounds()))

    def back(self) -> None:
        """Go back by one press."""
        self._do(self.previous_change(self._last_rounds()))

    def go(self, index: int) -> None:
        """Show another step, and set the class to the state that the step requires."""
        self._do(self.step_change(index, self._last_rounds()))

    def play(self) -> None:
        """Start or pause the animation, even if another screen has just done so."""
        latest = self.stage
        with suppress(polls.Gone):
            current = Lecture.now(self.poll)
            if current.index == self.index:
                latest = current.stage
        self._try(stage.write, self.poll, latest, replace(latest, plays=latest.plays + 1))

    def move(self, phase: str, number: int | None = None) -> None:
        """Open, close or reveal a round."""
        self._do(self.phase_change(phase, number))

    def tell(self) -> None:
        """Show the right answer next to the bars."""
        self._do(self.answer_change())

    def ask(self) -> None:
        """Ask the selected question in its first round; afterward, the playlist continues."""
        try:
            self._do(self.question_change(str(state.get("class_lesson")), self._last_rounds()))
        except ValueError as full:
            rights.say(str(full))

    def load(self, written: str) -> None:
        """Start a playlist from its text; "" ends the current one."""
        plan = playlist.plan(written, self.poll.lesson)
        self._do(self.playlist_change(plan, written, self._last_rounds()))

    def begin(self, data: bytes) -> None:
        """Start a playlist from a presenter's file, or show what is wrong with the file."""
        plan = rights.attempt(
            lambda engine: playlist.read(data, store.own_questions(engine, self.poll.code))
        )
        if plan:
            self.load(plan.write())

    def key(self) -> None:
        """Handle a key press: next, back, or start and pause.

        Ignore a press on an outdated screen.
        """
        pressed = state.read("class_stage").get("key")
        if not isinstance(pressed, Mapping) or pressed.get("at") != self.mark:
            return
        if pressed.get("go") in ("play", "next", "back"):
            getattr(self, pressed["go"])()
        if state.get("_class_said") == MOVED:
            state.drop("_class_said")  # another screen was faster

    def confirmed(self) -> None:
        """Carry out the change that the presenter has confirmed."""
        change = self.pending
        state.drop(CONFIRM)
        if change:
            self._do(replace(change, confirm=""))

    def end_rehearsal(self) -> None:
        """End the rehearsal, delete all but the prepared questions, and restart the playlist."""
        if not self._try(store.end_rehearsal, self.poll.code) or not self.stage.plan:
            return
        with suppress(polls.Gone):
            poll = polls.latest(self.poll.code)
            if poll is not None:
                Lecture.now(poll).load(self.stage.plan)

    def end(self) -> None:
        """End the class but keep its answers."""
        state.drop("_class_end_asked")
        self._try(stage.write, self.poll, self.stage, self.stage, replace(self.poll, phase=OVER))

    def resume(self) -> None:
        """Reopen a class that had ended, with its vote closed."""
        reopened = replace(self.poll, phase=store.CLOSED)
        self._try(stage.write, self.poll, self.stage, self.stage, reopened)

    def delete(self) -> None:
        """Delete the class with its votes."""
        state.drop("_class_delete_asked")
        self._try(store.close_class, self.poll.code)
        rights.forget()

    def add(self, read: Callable[[], Sequence[Own]]) -> bool:
        """Add questions to the class and return True; if one is invalid, add none."""
        if not rights.may_press(self.poll.code):
            return False
        ids = rights.attempt(lambda engine: store.add_questions(engine, self.poll.code, read()))
        if ids:
            state.put("class_lesson", ids[0])
            number = "1 question is"
            if len(ids) > 1:
                number = f"{len(ids)} questions are"
            rights.say(f"{number} added. To ask one, choose it under “Next question”.")
        return bool(ids)

    def _last_rounds(self) -> Mapping[str, int]:
        """Return the last round with votes by question id; empty if the database is gone."""
        return rights.attempt(store.rounds_voted, self.poll) or {}

    def _do(self, change: Change | None) -> None:
        """Make a change, or have it confirmed first."""
        if change is None:
            return
        if change.confirm:
            state.put(CONFIRM, (self.content, change))
            return
        new = change.poll
        done = self._try(stage.write, self.poll, self.stage, change.stage, new, change.drop)
        if done and change.drop and new is not None:
            senders.forget(new.code, new.lesson)

    def _try(self, act: Callable, *args: Any) -> bool:
        """Change the class if this session still presents it, or show why it was not changed.

        Return whether it was changed.
        """
        state.drop(CONFIRM)
        if not rights.may_press(self.poll.code):
            return False
        result = rights.attempt(act, *args)
        if result is False:
            rights.say(MOVED)
        return result is True
