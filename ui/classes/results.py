"""What a class has answered: what of it may be shown, what to do next, and a table to keep. No Streamlit in here."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from physics.texts import harmless
from polls import rule, store
from polls.questions import IDS
from polls.questions import Question as Own
from ui.base.lesson import lessons
from ui.classes import questions
from ui.classes.questions import Asked

LETTERS = tuple(IDS.upper())
COLUMNS = ("lesson", "question", "vote", "votes", *LETTERS, "right answer", "share right", "rule of thumb", "answers")
COLUMNS += ("right and certain", "wrong and certain", "most chosen wrong answer", "learning gain", "voters")
VERDICTS = {"explain": "explain again", "discuss": "discuss and vote again", "go on": "go on"}
ADVICE = {
    "explain": "Below 35% right: explain it again.",
    "discuss": "Between 35 and 70% right: let them discuss and vote again.",
    "go on": "Above 70% right: go on.",
}
RULE = (
    "Rule of thumb, by the share of right answers: below 35% explain again; 35 to 70% let them discuss and vote "
    "again; above 70% go on."
)
ALL_RIGHT = "undefined, as all were right in the first vote"
NTH = {1: "first", 2: "second"}
Rounds = Mapping[int, Mapping[str, int]]


def called(number: int, simulated: bool) -> str:
    """Return what a round is called: "first vote", or "first simulated vote"."""
    return f"{NTH[number]} {'simulated ' if simulated else ''}vote"


class Part(NamedTuple):
    """What a round has of one answer."""

    answer: str  #: its id
    votes: int
    share: float  #: of the round's votes [1]
    sure: float  #: the same of votes for it whose voters were certain [1]


@dataclass(frozen=True)
class Outcome:
    """A question that a class was asked, and its votes by round and answer."""

    asked: Asked
    votes: Rounds
    certain: Rounds  #: those of them whose voters were certain
    fewest: int = rule.FEWEST  #: of a vote with fewer nothing is said
    simulated: bool = False

    @property
    def shown(self) -> Rounds:
        """The votes of which something is said."""
        return rule.shown(self.votes, self.fewest)

    @property
    def called(self) -> dict[int, str]:
        """What the votes of which something is said are called."""
        return {number: called(number, self.simulated) for number in self.shown}

    @property
    def right(self) -> Mapping[int, float]:
        """Share of right answers by round [1]; empty where no answer is called right."""
        right = self.asked.right
        return {number: votes.get(right, 0) / self.total(number) for number, votes in self.shown.items() if right}

    def total(self, number: int) -> int:
        """Return the number of votes in a round."""
        return sum(self.votes[number].values())

    def parts(self, number: int) -> list[Part]:
        """Return a round answer by answer."""
        votes, certain, total = self.votes[number], self.certain.get(number, {}), self.total(number)
        ids = self.asked.ids
        return [Part(one, votes.get(one, 0), votes.get(one, 0) / total, certain.get(one, 0) / total) for one in ids]

    @property
    def gain(self) -> float | str:
        """The learning gain, or in words why there is none; "" where no answer is called right."""
        if self.asked.right is None:
            return ""
        if len(self.right) < 2:
            return f"none, as it takes two votes of at least {self.fewest}"
        gain = rule.learning_gain(self.right[1], self.right[2])
        return ALL_RIGHT if gain is None else gain

    def wrong(self, number: int) -> tuple[str, ...]:
        """The wrong answers that most chose in a round: several in a tie, none where all were right."""
        votes = {one: count for one, count in self.shown[number].items() if one != self.asked.right}
        most = max(votes.values(), default=0)
        return tuple(one for one in self.asked.ids if most and votes.get(one) == most) if self.asked.right else ()

    def sure(self, number: int) -> tuple[int, int] | None:
        """How many were right and certain, and wrong and certain; None where nobody was asked."""
        if not self.asked.locks:
            return None
        certain = self.certain.get(number, {})
        right = certain.get(self.asked.right, 0)
        return right, sum(certain.values()) - right

    def advice(self, number: int) -> str:
        """What to do after a vote: "explain", "discuss" or "go on"."""
        return rule.advice(self.votes[number].get(self.asked.right, 0), self.total(number))

    def verdict(self, advise: bool = True) -> str:
        """The share of right answers in the last vote that may be shown, the one before it, and what to do next.

        Before a discussion of the first vote, which two answers to compare, without naming the right one.
        """
        shares = {number: f"{100 * share:.0f}%" for number, share in self.right.items()}
        last = max(shares)
        before = f"{shares[1]} right in the {self.called[1]}, " if last == 2 and 1 in shares else ""
        now = f"{shares[2]} in the second." if before else f"{shares[last]} right in the {self.called[last]}."
        told = f"{before}{now} **{ADVICE[self.advice(last)]}**" if advise else f"{before}{now}"
        pair = rule.rivals(self.votes[last], self.asked.right) if last == 1 and self.advice(1) == "discuss" else ()
        letters = sorted(map(self.asked.letter, pair))
        return f"{told} Compare {letters[0]} with {letters[1]}: what speaks for each?" if advise and pair else told

    def certainty(self) -> str:
        """Say how many of the right and of the wrong answers in the last vote were certain; "" if nobody was."""
        last = max(self.shown)
        if not self.certain or (sure := self.sure(last)) is None:
            return ""
        hits = self.votes[last].get(self.asked.right, 0)
        of = (("right", sure[0], hits), ("wrong", sure[1], self.total(last) - hits))
        return f"Certain: {', '.join(f'{n} of {total} {what} answers' for what, n, total in of if total)}."


def outcomes(
    found: Mapping[str, Rounds], certain: Mapping[str, Rounds], own: Mapping[str, Own], fewest: int = rule.FEWEST
) -> list[Outcome]:
    """List what a class has answered, from what `polls.store.results` returns: first its own questions."""
    asked = {name: questions.find(name, own) for name in questions.offered(own) if found.get(name)}
    return [Outcome(one, found[name], certain.get(name, {}), fewest) for name, one in asked.items() if one]


def table(answered: Sequence[Outcome], simulated: bool = False) -> str:
    """CSV with a row for each question and vote that has been revealed; counts of a vote too small to show are empty.

    The learning gain stands in the row of the second vote.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="")
    writer.writeheader()
    for one in answered:
        for number in sorted(one.votes):
            row = _row(one, number) | {"voters": "simulated" if simulated else "real"}
            writer.writerow({name: harmless(cell) if isinstance(cell, str) else cell for name, cell in row.items()})
    return text.getvalue()


def progress(found: Mapping[str, Mapping[int, int]]) -> pd.DataFrame:
    """Table of how many are how far with each lesson, as `polls.store.progress` returns it; small numbers are words."""
    names = {store.PREDICTED: "predicted", store.FINISHED: "finished", store.WON: "challenge won"}
    rows = []
    for lesson in lessons():
        numbers = {name: found.get(lesson.id, {}).get(step, 0) for step, name in names.items()}
        shown = {name: str(n) if n >= rule.FEWEST else f"fewer than {rule.FEWEST}" for name, n in numbers.items()}
        rows.append({"lesson": lesson.title} | shown)
    return pd.DataFrame(rows)


def _row(one: Outcome, number: int) -> dict[str, object]:
    """Cells of a vote by `COLUMNS`; of one that is too small to show only how many took part."""
    asked, right = one.asked, one.asked.right
    row = {"lesson": asked.title, "question": asked.plain, "vote": number, "votes": one.total(number)}
    row["answers"] = "; ".join(f"{asked.letter(name)} {words}" for name, words in asked.words.items())
    row["right answer"] = asked.letter(right) if right else ""
    if number not in one.shown:
        return row | {"rule of thumb": f"fewer than {one.fewest} votes"}
    row |= {asked.letter(part.answer): part.votes for part in one.parts(number)}
    row["rule of thumb"] = VERDICTS[one.advice(number)] if right else "no answer is called right"
    row["share right"] = f"{one.right[number]:.4f}" if right else ""
    row |= zip(("right and certain", "wrong and certain"), one.sure(number) or ("", ""), strict=True)
    row["most chosen wrong answer"] = " ".join(map(asked.letter, one.wrong(number)))
    if number == 2:
        row["learning gain"] = round(one.gain, 4) if isinstance(one.gain, float) else one.gain
    return row
