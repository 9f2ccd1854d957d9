"""Results of a class's votes: which may be shown, and the recommended next step. No Streamlit."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from polls import rehearsal, rule, store
from polls.questions import Question as Own
from ui.base.lesson import lessons
from ui.base.words import literal
from ui.classes import questions
from ui.classes.questions import Number, PollQuestion

ADVICE = {
    "explain": "Below 35% right: explain the idea again.",
    "discuss": "Between 35 and 70% right: let students discuss and vote again.",
    "go on": "Above 70% right: continue.",
}
RULE = (
    "Rule of thumb, by the share of right answers: below 35% explain again; 35 to 70% let them "
    "discuss and vote again; above 70% continue."
)
ALL_RIGHT = "undefined, as all were right in the first vote"
NTH = {1: "first", 2: "second"}
#: Names of the tenths of the sorted numeric answers.
TENTHS = ("lowest", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "highest")
SIMULATED = f"Rehearsal: all votes come from {rehearsal.VOTERS} simulated voters."
Rounds = Mapping[int, Mapping[str, int]]


def called(number: int, simulated: bool) -> str:
    """Return the name of a round: "first vote" or "first simulated vote"."""
    return f"{NTH[number]} {'simulated ' if simulated else ''}vote"


class AnswerVotes(NamedTuple):
    """Votes for one answer in one round."""

    letter: str
    votes: int
    share: float  #: share of the round's votes [1]
    sure: float  #: share of the round's votes that chose this answer and were certain [1]


class Round(NamedTuple):
    """One round of votes on a question."""

    number: int  #: 1 or 2
    called: str  #: "first vote", or "first simulated vote"
    votes: Mapping[str, int]  #: number of votes by option id
    total: int  #: number of all votes
    right: float  #: share of right answers [1]
    answers: list[AnswerVotes]  #: all answers in order
    #: most chosen wrong answers: several in a tie; none if all votes are right or no answer is
    wrong: list[AnswerVotes]
    certain: bool  #: whether anybody was certain
    #: numbers of votes that are right and certain, and wrong and certain; None if not asked
    sure: tuple[int, int] | None
    advice: str  #: what to do next: "explain", "discuss" or "go on"

    @property
    def nth(self) -> str:
        """Ordinal of the round: "first" or "second"."""
        return NTH[self.number]


@dataclass(frozen=True)
class Outcome:
    """Question of a class with its votes by round and answer."""

    question: PollQuestion
    votes: Rounds
    certain: Rounds  #: those of the votes whose voters were certain
    fewest: int = rule.FEWEST  #: a round with fewer votes is not shown
    simulated: bool = False  #: whether the votes come from a rehearsal
    #: numeric answers by round, sorted
    numbers: Mapping[int, Sequence[float]] = field(default_factory=dict)

    @property
    def rounds(self) -> list[Round]:
        """All rounds with votes, in order."""
        return [self._round(number) for number in sorted(self.votes)]

    def _round(self, number: int) -> Round:
        """Count the votes of one round."""
        poll_question = self.question
        right = poll_question.right
        votes = self.votes[number]
        certain = self.certain.get(number, {})
        total = sum(votes.values())
        divisor = total or 1
        answers = {}
        for option in poll_question.ids:
            count = votes.get(option, 0)
            sure = certain.get(option, 0) / divisor
            answers[option] = AnswerVotes(
                poll_question.letter(option), count, count / divisor, sure
            )
        wrong = [answer for option, answer in answers.items() if right not in (option, None)]
        highest = max((answer.votes for answer in wrong), default=0)
        hits = votes.get(right or "", 0)
        sure_hits = certain.get(right or "", 0)
        return Round(
            number=number,
            called=called(number, self.simulated),
            votes=votes,
            total=total,
            right=hits / divisor,
            answers=list(answers.values()),
            wrong=[answer for answer in wrong if answer.votes == highest > 0],
            certain=bool(certain),
            sure=(sure_hits, sum(certain.values()) - sure_hits) if poll_question.locks else None,
            advice=rule.advice(hits, total),
        )

    @property
    def shown_rounds(self) -> list[Round]:
        """Rounds with enough votes to be shown."""
        return [round for round in self.rounds if round.total >= self.fewest]

    @property
    def is_certain(self) -> bool:
        """Whether anybody was certain in a round that may be shown."""
        return any(round.certain for round in self.shown_rounds)

    @property
    def gain(self) -> float | str:
        """Learning gain, or the reason why there is none; "" if no answer is right."""
        if self.question.right is None:
            return ""
        if len(self.shown_rounds) < 2:
            return f"none, as it takes two votes of at least {self.fewest}"
        gain = rule.learning_gain(*(round.right for round in self.shown_rounds))
        if gain is None:
            return ALL_RIGHT
        return gain

    def verdict(self, advise: bool = True) -> str:
        """Return a sentence with the share of right answers and the recommended next step.

        Before a discussion, it also names two answers to compare, but not which is right. For
        numeric answers, it has their medians instead.
        """
        if self.question.number:
            return literal(self.medians(self.question.number))
        *before, last = self.shown_rounds
        sentence = f"{100 * last.right:.0f}% right in the {last.called}."
        if before:
            sentence = (
                f"{100 * before[0].right:.0f}% right in the {before[0].called}, "
                f"{100 * last.right:.0f}% in the second."
            )
        if not advise:
            return sentence
        sentence = f"{sentence} **{ADVICE[last.advice]}**"
        right = self.question.right
        if last.number == 1 and last.advice == "discuss" and right is not None:
            letters = sorted(map(self.question.letter, rule.rivals(last.votes, right)))
            if letters:
                sentence += (
                    f" Compare {letters[0]} with {letters[1]}: what are the reasons for each?"
                )
        return sentence

    def medians(self, number: Number) -> str:
        """Return the median of each round that may be shown, as plain text; "" if there is none."""
        medians = []
        for round in self.shown_rounds:
            values = self.numbers.get(round.number)
            if values:
                median = number.write(statistics.median(values))
                medians.append(f"{median} in the {round.called}")
        return _listed("Median", medians)

    def tenths(self) -> dict[int, tuple[float, ...]]:
        """Return the median of each tenth of the numeric answers, by round that may be shown."""
        numbers = [round.number for round in self.shown_rounds]
        return {n: rule.tenths(self.numbers[n]) for n in numbers if self.numbers.get(n)}

    def certainty(self) -> str:
        """Return a sentence with the numbers of certain right and wrong votes; "" if not asked."""
        counts = [
            f"{round.sure[0]} right and {round.sure[1]} wrong in the {round.nth} vote"
            for round in self.shown_rounds
            if round.sure
        ]
        return _listed("Certain", counts)


def _listed(head: str, items: Sequence[str]) -> str:
    """Return a sentence that lists items after a heading; "" if there are none."""
    if not items:
        return ""
    return f"{head}: {', '.join(items)}."


def outcomes(
    votes: Mapping[str, Rounds],
    certain: Mapping[str, Rounds],
    own: Mapping[str, Own],
    fewest: int = rule.FEWEST,
    numbers: Mapping[str, Mapping[int, Sequence[float]]] = MappingProxyType({}),
) -> list[Outcome]:
    """List the results of a class's questions with votes, its own questions first.

    The arguments are what `polls.store.results`, `own_questions`, and `numbers` return.
    """
    answered = []
    for name in filter(votes.get, questions.offered(own)):
        poll_question = questions.find(name, own)
        if poll_question:
            outcome = Outcome(
                poll_question,
                votes[name],
                certain.get(name, {}),
                fewest,
                numbers=numbers.get(name, {}),
            )
            answered.append(outcome)
    return answered


def progress(steps: Mapping[str, Mapping[int, int]]) -> pd.DataFrame:
    """Return a table of the numbers of voters by lesson and step; words hide small numbers."""
    names = {store.PREDICTED: "predicted", store.FINISHED: "finished", store.WON: "challenge won"}
    rows = []
    for lesson in lessons():
        counts = steps.get(lesson.id, {})
        row = {"lesson": lesson.title} | dict.fromkeys(names.values(), f"fewer than {rule.FEWEST}")
        for step, name in names.items():
            if counts.get(step, 0) >= rule.FEWEST:
                row[name] = str(counts[step])
        rows.append(row)
    return pd.DataFrame(rows)
