"""Effects of a presenter's presses: next step, state of the class, necessary confirmations. No
Streamlit.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from polls.stage import Stage
from polls.store import CLOSED, OPEN, REVEALED, WAITING, Poll
from ui.classes import questions
from ui.classes.playlist import PICTURES, VOTES, Playlist, Step
from ui.classes.questions import PollQuestion

#: Presses that a picture takes: with its question, with its numbers, with its sentence.
QUESTION, NUMBERS, SENTENCE = range(3)
PRESSES = 3
#: Steps whose minutes are counted down on the screens.
TIMED = ("vote", "second vote", "reflection", "discussion")
_REOPENS = "The class has moved on since this vote, so anyone who votes now has heard the others."
_SPOILS = "This would show the answer before the second vote."


@dataclass(frozen=True)
class Change:
    """Effect of a press, which needs the presenter's confirmation if it has a `confirm` text."""

    stage: Stage
    stands: Poll | None = None  #: how the class then stands; None leaves it as it is
    drop: bool = False  #: whether the earlier votes on the question go
    confirm: str = ""  #: what would be lost


@dataclass(frozen=True)
class Screens:
    """State of a class and of its screens, as read from the database at one moment."""

    poll: Poll
    stage: Stage
    plan: Playlist  #: its playlist, or the steps of the question at hand
    place: int  #: of the step that is shown
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
        """Number of presses in this step before the next step."""
        if self.step.do == "picture":
            return PRESSES
        if self.step.do == "tour":
            return PRESSES * len(self.step.tour)
        if self.step.do == "reveal" and self.question.answered and self.plan.last(self.place):
            return 2
        return 1

    @property
    def press(self) -> int:
        """Number of presses made in this step; showing the step counts as the first."""
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
    def over(self) -> bool:
        """Whether this is the last press of the last step."""
        return self.place + 1 == len(self.plan.steps) and self.press + 1 == self.presses

    @property
    def mark(self) -> list:
        """State of the screens that a key press must match to be accepted."""
        return [self.place, self.stage.plays, self.shows_answer]

    # Presses

    def onward(self, voted: Mapping[str, int]) -> Change | None:
        """Return the effect of the next press.

        `voted` has the last round with votes by question.
        """
        if self.step.do in VOTES and self.poll.phase == WAITING:
            return self.moved(OPEN)
        if self.press + 1 < self.presses:
            if self.step.do == "reveal":
                return Change(replace(self.stage, told=self.poll.lesson))
            return Change(replace(self.stage, plays=self.press + 1))
        return self.to(self.place + 1, voted)

    def backward(self, voted: Mapping[str, int]) -> Change | None:
        """Return the effect of the back button."""
        if self.step.do in PICTURES and self.press:
            return Change(replace(self.stage, plays=self.press - 1))
        return self.to(self.place - 1, voted)

    def to(self, index: int, voted: Mapping[str, int]) -> Change | None:
        """Return the change that shows another step; None if there is no such step.

        A vote that the class has left stays closed on the way back. A vote that would be left out
        asks first. A question that comes up for the first time begins without votes, except for
        those that are being cast on it.
        """
        if not 0 <= index < len(self.plan.steps):
            return None
        step = self.plan.steps[index]
        stands = self.plan.stands(index, self.poll, voted.get(step.ask, 0))
        new = index > self.stage.far
        if stands.phase == OPEN and not new:
            stands = replace(stands, phase=CLOSED)
        is_same = self.poll.lesson == stands.lesson and self.poll.round == 1
        drop = new and self.plan.begins(index) and not (is_same and self.poll.may_vote)
        shown_answer = ""
        if stands.phase == REVEALED and not drop:
            shown_answer = self.stage.told
        after = self._at(index, plays=0, told=shown_answer)
        skipped = self.plan.skipped(max(self.place, self.stage.far) + 1, index)
        confirm = ""
        if skipped:
            confirm = f"This would skip a step: {skipped}."
        return Change(after, stands, drop, confirm)

    def moved(self, phase: str, number: int | None = None) -> Change:
        """Return the change that opens, closes, or reveals a round, with the matching step."""
        stands = replace(self.poll, round=number or self.poll.round, phase=phase)
        index = self.plan.at(self.place, stands)
        confirm = ""
        if phase == OPEN and self.poll.phase != WAITING:
            is_second = stands.round == 2 and self.poll.round == 1
            if not is_second or (index != self.place and index <= self.stage.far):
                confirm = _REOPENS
        plays = self.stage.plays
        if index != self.place:
            plays = 0
        return Change(self._at(index, plays=plays, told=""), stands, False, confirm)

    def _at(self, index: int, **changes: Any) -> Stage:
        """Return the stage at another step, with further changes."""
        return replace(self.stage, place=index, far=max(index, self.stage.far), **changes)

    def telling(self) -> Change:
        """Return the change that shows the right answer next to the bars; none before a reveal."""
        if self.poll.phase != REVEALED:
            return Change(self.stage)
        confirm = ""
        if not self.plan.last(self.place) and self.poll.round == 1:
            confirm = _SPOILS
        return Change(replace(self.stage, told=self.poll.lesson), confirm=confirm)

    def asking(self, question: str, voted: Mapping[str, int]) -> Change:
        """Return the change that asks another question in its first round.

        A playlist continues after it.

        `ValueError` if the playlist has no room.
        """
        stands = replace(self.poll, lesson=question, round=1, phase=OPEN)
        after = Stage()
        if self.stage.plan:
            index = self.place + 1
            grown = self.plan.then(self.place, question)
            far = index
            if self.stage.far > self.place:  # the presenter went back: those votes stay
                far = self.stage.far + len(grown.steps) - len(self.plan.steps)
            after = Stage(grown.write(), index, far)
        return Change(after, stands, True, _loses([question], voted))

    def beginning(self, plan: Playlist, written: str, voted: Mapping[str, int]) -> Change:
        """Return the change that starts a playlist.

        An empty one keeps the current question's state.
        """
        if not written:
            index = plan.at(1, self.poll)
            if self.poll.phase == WAITING:
                index = 0
            return Change(Stage("", index, index, told=self.stage.told))
        opening = replace(self, stage=Stage(written, -1, -1), plan=plan, place=-1)
        change = opening.to(0, voted)
        if change is None:
            raise ValueError("a playlist must have a first step")
        question_ids = {step.ask for step in plan.steps}
        if not change.drop:
            question_ids.discard(self.poll.lesson)
        return replace(change, confirm=_loses(question_ids, voted))


def _loses(question_ids: Iterable[str], voted: Mapping[str, int]) -> str:
    """Say that a class loses votes which it has given; "" if there are none."""
    lost = sorted(question for question in question_ids if voted.get(question))
    if not lost:
        return ""
    shipped = questions.offered({})
    titles = [shipped.get(question, questions.OWN.lower()) for question in lost]
    return f"This class has voted on {', '.join(titles)} before. Those votes would be deleted."
