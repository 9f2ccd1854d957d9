"""Effects of a presenter's presses: next step, state of the class, necessary confirmations.

No Streamlit.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from polls.stage import Stage
from polls.store import CLOSED, OPEN, REVEALED, WAITING, Poll
from ui.classes import questions
from ui.classes.playlist import PICTURES, VOTES, Playlist, Step
from ui.classes.questions import PollQuestion

#: States of a picture: with its question, with its numbers, with its sentence.
QUESTION, NUMBERS, SENTENCE = range(3)
PRESSES = 3
#: Steps whose minutes are counted down on the screens.
TIMED = ("vote", "second vote", "reflection", "discussion")
_REOPENS = "The class has moved on since this vote, so anyone who votes now has heard the others."
_SPOILS = "This would show the answer before the second vote."


@dataclass(frozen=True)
class Change:
    """Effect of a press, which needs a confirmation if it has the text `confirm`."""

    stage: Stage
    poll: Poll | None = None  #: new state of the class; None leaves it as it is
    drop: bool = False  #: whether the earlier votes on the question are deleted
    confirm: str = ""  #: sentence that says what would be lost


@dataclass(frozen=True)
class Screens:
    """State of a class and of its screens, as read from the database at one moment."""

    poll: Poll
    stage: Stage
    plan: Playlist  #: its playlist, or the steps of the current question
    index: int  #: of the current step in `plan`
    step: Step

    @classmethod
    def of(cls, poll: Poll, stage: Stage, plan: Playlist) -> Self:
        """Return the screens of a class from its poll, stage, and playlist."""
        index = min(stage.place, len(plan.steps) - 1)
        return cls(poll, stage, plan, index, plan.steps[index])

    @property
    def question(self) -> PollQuestion:
        """Question on all screens."""
        return questions.of_poll(self.poll)

    @property
    def presses(self) -> int:
        """Number of states of this step, each of which takes a press."""
        if self.step.do == "picture":
            return PRESSES
        if self.step.do == "tour":
            return PRESSES * len(self.step.tour)
        if (
            self.step.do == "reveal"
            and self.question.has_answer
            and self.plan.is_last_vote(self.index)
        ):
            return 2
        return 1

    @property
    def press(self) -> int:
        """Index of the current state of this step, from 0."""
        if self.step.do in PICTURES:
            return min(self.stage.plays, self.presses - 1)
        if self.step.do == "reveal":
            return int(self.shows_answer and self.presses > 1)
        return 0

    @property
    def shows_answer(self) -> bool:
        """Whether the right answer is shown, which takes a separate press."""
        return self.poll.phase == REVEALED and self.stage.told == self.poll.lesson

    @property
    def is_over(self) -> bool:
        """Whether the last state of the last step is shown."""
        return self.index + 1 == len(self.plan.steps) and self.press + 1 == self.presses

    @property
    def mark(self) -> list:
        """State of the screens that a key press must match to be accepted."""
        return [self.index, self.stage.plays, self.shows_answer]

    # Presses

    def next_change(self, last_rounds: Mapping[str, int]) -> Change | None:
        """Return the change that the next press makes.

        Here and below, `last_rounds` has the last round with votes by question id.
        """
        if self.step.do in VOTES and self.poll.phase == WAITING:
            return self.phase_change(OPEN)
        if self.step.do == "reveal" and self.poll.phase in (OPEN, CLOSED):
            # The class was resumed here, or votes again.
            return self.phase_change(REVEALED)
        if self.press + 1 < self.presses:
            if self.step.do == "reveal":
                return Change(replace(self.stage, told=self.poll.lesson))
            return Change(replace(self.stage, plays=self.press + 1))
        return self.step_change(self.index + 1, last_rounds)

    def previous_change(self, last_rounds: Mapping[str, int]) -> Change | None:
        """Return the change that the back button makes; None on the first step."""
        if self.step.do in PICTURES and self.press:
            return Change(replace(self.stage, plays=self.press - 1))
        return self.step_change(self.index - 1, last_rounds)

    def step_change(self, index: int, last_rounds: Mapping[str, int]) -> Change | None:
        """Return the change that shows another step; None if there is no such step.

        On the way back, a vote stays closed. A jump over a vote needs a confirmation. When a
        question comes up for the first time, its earlier votes are deleted, unless its vote is
        already open.
        """
        if not 0 <= index < len(self.plan.steps):
            return None
        step = self.plan.steps[index]
        poll = self.plan.poll_at(index, self.poll, last_rounds.get(step.ask, 0))
        is_new = index > self.stage.far
        if poll.phase == OPEN and not is_new:
            poll = replace(poll, phase=CLOSED)
        is_first_round = self.poll.lesson == poll.lesson and self.poll.round == 1
        is_being_voted = is_first_round and self.poll.may_vote
        drop = is_new and self.plan.starts_question(index) and not is_being_voted
        answer_shown = ""
        if poll.phase == REVEALED and not drop:
            answer_shown = self.stage.told
        confirm = ""
        skipped = self.plan.skipped_vote(max(self.index, self.stage.far) + 1, index)
        if skipped:
            confirm = f"This would skip a step: {skipped}."
        return Change(self._stage_at(index, plays=0, told=answer_shown), poll, drop, confirm)

    def phase_change(self, phase: str, number: int | None = None) -> Change:
        """Return the change that opens, closes, or reveals a round, with the matching step."""
        poll = replace(self.poll, round=number or self.poll.round, phase=phase)
        index = self.plan.index_for(poll, self.index)
        is_same_step = index == self.index
        confirm = ""
        if phase == OPEN and self.poll.phase != WAITING:
            is_second = poll.round == 2 and self.poll.round == 1
            if not is_second or (not is_same_step and index <= self.stage.far):
                confirm = _REOPENS
        plays = self.stage.plays if is_same_step else 0
        return Change(self._stage_at(index, plays=plays, told=""), poll, confirm=confirm)

    def _stage_at(self, index: int, **changes: Any) -> Stage:
        """Return the stage at another step, with further changes."""
        return replace(self.stage, place=index, far=max(index, self.stage.far), **changes)

    def answer_change(self) -> Change:
        """Return the change that shows the right answer next to the bars; none before a reveal."""
        if self.poll.phase != REVEALED:
            return Change(self.stage)
        confirm = ""
        if not self.plan.is_last_vote(self.index) and self.poll.round == 1:
            confirm = _SPOILS
        return Change(replace(self.stage, told=self.poll.lesson), confirm=confirm)

    def question_change(self, question: str, last_rounds: Mapping[str, int]) -> Change:
        """Return the change that asks another question; a playlist continues after it.

        `ValueError` if the playlist would become too long.
        """
        poll = replace(self.poll, lesson=question, round=1, phase=OPEN)
        stage = Stage()
        if self.stage.plan:
            index = self.index + 1
            grown = self.plan.with_question(self.index, question)
            far = index
            if self.stage.far > self.index:  # the presenter went back: those votes stay
                far = self.stage.far + len(grown.steps) - len(self.plan.steps)
            stage = Stage(grown.write(), index, far)
        return Change(stage, poll, True, _lost_votes([question], last_rounds))

    def playlist_change(
        self, plan: Playlist, written: str, last_rounds: Mapping[str, int]
    ) -> Change:
        """Return the change that starts a playlist from its parsed and its TOML form.

        The TOML text "" ends the current playlist, and the class stays on its question.
        """
        if not written:
            index = 0
            if self.poll.phase != WAITING:
                index = plan.index_for(self.poll, 1)
            return Change(Stage("", index, index, told=self.stage.told))
        opening = replace(self, stage=Stage(written, -1, -1), plan=plan, index=-1)
        change = opening.step_change(0, last_rounds)
        if change is None:
            raise ValueError("a playlist must have a first step")
        question_ids = {step.ask for step in plan.steps}
        if not change.drop:
            question_ids.discard(self.poll.lesson)
        return replace(change, confirm=_lost_votes(question_ids, last_rounds))


def _lost_votes(question_ids: Iterable[str], last_rounds: Mapping[str, int]) -> str:
    """Return a sentence that names the votes to be deleted; "" if there are none."""
    lost = sorted(question for question in question_ids if last_rounds.get(question))
    if not lost:
        return ""
    shipped = questions.offered({})
    titles = [shipped.get(question, questions.OWN.lower()) for question in lost]
    return f"This class has voted on {', '.join(titles)} before. Those votes would be deleted."
