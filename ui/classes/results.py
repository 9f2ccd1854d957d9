"""Answers of a class: which may be shown, and the recommended next step. No Streamlit."""

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
#: What the tenths of answers that are numbers are called.
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
    share: float  #: of the round's votes [1]
    sure: float  #: the same of votes for it whose voters were certain [1]


class Round(NamedTuple):
    """One round of votes on a question."""

    number: int  #: 1 or 2
    called: str  #: "first vote", or "first simulated vote"
    votes: Mapping[str, int]  #: by answer
    total: int  #: of its votes
    right: float  #: share of right answers [1]
    answers: list[AnswerVotes]  #: answer by answer
    #: the wrong answers that most chose: several in a tie, none where all or no answers are right
    wrong: list[AnswerVotes]
    certain: bool  #: whether anybody was
    #: how many were right and certain, and wrong and certain; None if nobody was asked
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
    certain: Rounds  #: those of them whose voters were certain
    fewest: int = rule.FEWEST  #: of a vote with fewer nothing is said
    simulated: bool = False
    #: what was answered with a number, by round, from the least
    numbers: Mapping[int, Sequence[float]] = field(default_factory=dict)

    @property
    def rounds(self) -> list[Round]:
        """Rounds of votes in their order."""
        return [self._round(number) for number in sorted(self.votes)]

    def _round(self, number: int) -> Round:
        poll_question = self.question
        right = poll_question.right
        votes = self.votes[number]
        certain = self.certain.get(number, {})
        total = sum(votes.values())
        whole = total or 1
        answers = {}
        for option in poll_question.ids:
            count = votes.get(option, 0)
            sure = certain.get(option, 0) / whole
            answers[option] = AnswerVotes(poll_question.letter(option), count, count / whole, sure)
        wrong = [answer for option, answer in answers.items() if right not in (option, None)]
        highest = max((answer.votes for answer in wrong), default=0)
        hits = votes.get(right or "", 0)
        sure_hits = certain.get(right or "", 0)
        return Round(
            number=number,
            called=called(number, self.simulated),
            votes=votes,
            total=total,
            right=hits / whole,
            answers=list(answers.values()),
            wrong=[answer for answer in wrong if answer.votes == highest > 0],
            certain=bool(certain),
            sure=(sure_hits, sum(certain.values()) - sure_hits) if poll_question.locks else None,
            advice=rule.advice(hits, total),
        )

    @property
    def shown(self) -> list[Round]:
        """Rounds with enough votes to be shown."""
        return [round for round in self.rounds if round.total >= self.fewest]

    @property
    def is_certain(self) -> bool:
        """Whether anybody was certain in a round that may be shown."""
        return any(round.certain for round in self.shown)

    @property
    def gain(self) -> float | str:
        """Learning gain, or the reason why there is none.

        The result is "" if the question has no right answer.
        """
        if self.question.right is None:
            return ""
        if len(self.shown) < 2:
            return f"none, as it takes two votes of at least {self.fewest}"
        gain = rule.learning_gain(*(round.right for round in self.shown))
        if gain is None:
            return ALL_RIGHT
        return gain

    def verdict(self, advise: bool = True) -> str:
        """Sentence with the share of right answers and the recommended next step.

        Before a discussion of the first vote, which two answers to compare, without naming the
        right one. Of numbers, their medians.
        """
        if self.question.number:
            return literal(self.medians(self.question.number))
        *before, last = self.shown
        sentence = f"{100 * last.right:.0f}% right in the {last.called}."
        for first in before:
            sentence = (
                f"{100 * first.right:.0f}% right in the {first.called}, {100 * last.right:.0f}% in "
                "the second."
            )
        if not advise:
            return sentence
        sentence = f"{sentence} **{ADVICE[last.advice]}**"
        if last.number == 1 and last.advice == "discuss" and self.question.right is not None:
            letters = sorted(
                map(self.question.letter, rule.rivals(last.votes, self.question.right))
            )
            if letters:
                sentence += (
                    f" Compare {letters[0]} with {letters[1]}: what are the reasons for each?"
                )
        return sentence

    def medians(self, number: Number) -> str:
        """Median of the numeric answers in each round that may be shown, as plain text.

        The result is "" if there is none.
        """
        middles = []
        for round in self.shown:
            values = self.numbers.get(round.number)
            if values:
                middle = number.write(statistics.median(values))
                middles.append(f"{middle} in the {round.called}")
        return _listed("Median", middles)

    def tenths(self) -> dict[int, tuple[float, ...]]:
        """Return the median of each tenth of the numeric answers, by round that may be shown."""
        numbers = [round.number for round in self.shown]
        return {n: rule.tenths(self.numbers[n]) for n in numbers if self.numbers.get(n)}

    def certainty(self) -> str:
        """Sentence with the numbers of certain right and certain wrong answers per round.

        The result is "" if nobody was asked.
        """
        counts = [
            f"{round.sure[0]} right and {round.sure[1]} wrong in the {round.nth} vote"
            for round in self.shown
            if round.sure
        ]
        return _listed("Certain", counts)


def _listed(head: str, items: Sequence[str]) -> str:
    """List items in a sentence; "" if there are none."""
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
    """List the results of a class from `polls.store.results` and `polls.store.numbers`, its own
    questions first.
    """
    answered = []
    for name in filter(votes.get, questions.offered(own)):
        poll_question = questions.find(name, own)
        if poll_question:
            rounds = (votes[name], certain.get(name, {}))
            values = numbers.get(name, {})
            answered.append(Outcome(poll_question, *rounds, fewest, numbers=values))
    return answered


def progress(steps: Mapping[str, Mapping[int, int]]) -> pd.DataFrame:
    """Table of the number of voters by lesson and step reached.

    Small numbers are replaced by words.
    """
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
