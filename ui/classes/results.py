"""What a class has answered: what of it may be shown, what to do next, and a table and a page to
keep. No Streamlit.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

import pandas as pd

from physics.texts import harmless
from polls import rehearsal, rule, store
from polls.questions import IDS
from polls.questions import Question as Own
from polls.store import Poll
from ui.base.lesson import lessons
from ui.classes import questions
from ui.classes.questions import Asked
from ui.record import sheet

COLUMNS = (
    "lesson",
    "question",
    "vote",
    "votes",
    *IDS.upper(),
    "right answer",
    "share right",
    "rule of thumb",
    "answers",
)
COLUMNS += (
    "right and certain",
    "wrong and certain",
    "most chosen wrong answer",
    "learning gain",
    "voters",
)
VERDICTS = {"explain": "explain again", "discuss": "discuss and vote again", "go on": "go on"}
ADVICE = {
    "explain": "Below 35% right: explain it again.",
    "discuss": "Between 35 and 70% right: let them discuss and vote again.",
    "go on": "Above 70% right: go on.",
}
RULE = (
    "Rule of thumb, by the share of right answers: below 35% explain again; 35 to 70% let them "
    "discuss and vote "
    "again; above 70% go on."
)
ALL_RIGHT = "undefined, as all were right in the first vote"
NTH = {1: "first", 2: "second"}
SIMULATED = f"Rehearsal: all votes come from {rehearsal.VOTERS} simulated voters."
Rounds = Mapping[int, Mapping[str, int]]
_NOTES = (
    "Shares are of those who voted in that vote; not everybody votes in both. The learning gain is "
    "the normalized gain "
    "g = (share right after − share right before) ÷ (1 − share right before): the part of what "
    "could still be learned "
    "that was learned, and negative where the share fell (R. R. Hake, American Journal of Physics "
    "66, 64, 1998, who "
    "defined it for averages of whole tests)."
)
_STYLE = """
section{break-inside:avoid}table{width:100%;border-collapse:collapse;margin:.5rem 0}
th{font-weight:400;text-align:left;width:48%;padding:.25rem 1rem .25rem 0}.right th{font-weight:600}
td{padding:.25rem 0}tr{border-top:1px solid var(--line)}
.first{--bar:var(--first)}.second{--bar:var(--accent)}
.vote{display:flex;gap:.5rem;align-items:center;font-size:.85em;line-height:1.3;white-space:nowrap;padding-right:6.5rem}
.bar{flex:none;height:.7em;background:color-mix(in srgb,var(--bar) 45%,transparent)}
.bar i{display:block;height:100%;background:var(--bar)}
.key{display:inline-block;width:1.4em;height:.7em;background:var(--bar);margin:0 .4em 0 1em}
.key:first-child{margin-left:0}
@media screen and (max-width:40rem){th,td{display:block;width:auto}td{padding-top:0}}
@page{margin:12mm}
@media print{body{font-size:9pt}td,th{padding:.3mm 1mm .3mm 0}table{margin:1mm 0}h2{margin-top:3mm}p{margin:.5mm 0}}
"""


def called(number: int, simulated: bool) -> str:
    """Return what a round is called: "first vote", or "first simulated vote"."""
    return f"{NTH[number]} {'simulated ' if simulated else ''}vote"


class Part(NamedTuple):
    """What a round has of one answer."""

    letter: str
    votes: int
    share: float  #: of the round's votes [1]
    sure: float  #: the same of votes for it whose voters were certain [1]


class Round(NamedTuple):
    """One vote on a question."""

    number: int  #: 1 or 2
    called: str  #: "first vote", or "first simulated vote"
    votes: Mapping[str, int]  #: by answer
    total: int  #: of its votes
    right: float  #: share of right answers [1]
    parts: list[Part]  #: answer by answer
    wrong: list[
        Part
    ]  #: the wrong answers that most chose: several in a tie, none where all were right or no answer is
    certain: bool  #: whether anybody was
    #: how many were right and certain, and wrong and certain; None if nobody was asked
    sure: tuple[int, int] | None
    advice: str  #: what to do next: "explain", "discuss" or "go on"

    @property
    def nth(self) -> str:
        """The word "first" or "second"."""
        return NTH[self.number]


@dataclass(frozen=True)
class Outcome:
    """A question that a class was asked, and its votes by round and answer."""

    asked: Asked
    votes: Rounds
    certain: Rounds  #: those of them whose voters were certain
    fewest: int = rule.FEWEST  #: of a vote with fewer nothing is said
    simulated: bool = False

    @property
    def rounds(self) -> list[Round]:
        """The votes in their order."""
        return [self._round(number) for number in sorted(self.votes)]

    def _round(self, number: int) -> Round:
        asked = self.asked
        votes = self.votes[number]
        certain = self.certain.get(number, {})
        total = sum(votes.values())
        hits = votes.get(asked.right, 0)
        sure = certain.get(asked.right, 0)
        whole = total or 1
        parts = {
            one: Part(
                asked.letter(one),
                votes.get(one, 0),
                votes.get(one, 0) / whole,
                certain.get(one, 0) / whole,
            )
            for one in asked.ids
        }
        wrong = [part for one, part in parts.items() if asked.right not in (one, None)]
        most = max((part.votes for part in wrong), default=0)
        return Round(
            number=number,
            called=called(number, self.simulated),
            votes=votes,
            total=total,
            right=hits / whole,
            parts=list(parts.values()),
            wrong=[part for part in wrong if part.votes == most > 0],
            certain=bool(certain),
            sure=(sure, sum(certain.values()) - sure) if asked.locks else None,
            advice=rule.advice(hits, total),
        )

    @property
    def shown(self) -> list[Round]:
        """The votes of which something is said."""
        return [one for one in self.rounds if one.total >= self.fewest]

    @property
    def gain(self) -> float | str:
        """The learning gain, or in words why there is none; "" where no answer is called right."""
        if self.asked.right is None:
            return ""
        if len(self.shown) < 2:
            return f"none, as it takes two votes of at least {self.fewest}"
        gain = rule.learning_gain(*(one.right for one in self.shown))
        if gain is None:
            return ALL_RIGHT
        return gain

    def verdict(self, advise: bool = True) -> str:
        """The share of right answers in the last vote that may be shown, the one before it, and
        what to do next.

        Before a discussion of the first vote, which two answers to compare, without naming the
        right one.
        """
        *before, last = self.shown
        told = f"{100 * last.right:.0f}% right in the {last.called}."
        for first in before:
            told = f"{100 * first.right:.0f}% right in the {first.called}, {100 * last.right:.0f}% in the second."
        if not advise:
            return told
        told = f"{told} **{ADVICE[last.advice]}**"
        compared = last.number == 1 and last.advice == "discuss"
        if compared:
            letters = sorted(map(self.asked.letter, rule.rivals(last.votes, self.asked.right)))
        else:
            letters = ()
        if letters:
            return f"{told} Compare {letters[0]} with {letters[1]}: what speaks for each?"
        return told

    def certainty(self) -> str:
        """Say how many were certain and right, and certain and wrong, in each vote; "" if nobody
        was asked.
        """
        told = [
            f"{one.sure[0]} right and {one.sure[1]} wrong in the {one.nth} vote"
            for one in self.shown
            if one.sure
        ]
        if told:
            return f"Certain: {', '.join(told)}."
        return ""


def outcomes(
    found: Mapping[str, Rounds],
    certain: Mapping[str, Rounds],
    own: Mapping[str, Own],
    fewest: int = rule.FEWEST,
) -> list[Outcome]:
    """List what a class has answered, from what `polls.store.results` returns: first its own
    questions.
    """
    asked = {name: questions.find(name, own) for name in questions.offered(own) if found.get(name)}
    return [
        Outcome(one, found[name], certain.get(name, {}), fewest)
        for name, one in asked.items()
        if one
    ]


def progress(found: Mapping[str, Mapping[int, int]]) -> pd.DataFrame:
    """Table of how many are how far with each lesson, as `polls.store.progress` returns it; small
    numbers are words.
    """
    names = {store.PREDICTED: "predicted", store.FINISHED: "finished", store.WON: "challenge won"}
    counts = (
        pd.DataFrame([found.get(one.id, {}) for one in lessons()], columns=list(names))
        .fillna(0)
        .astype(int)
    )
    told = counts.map(
        lambda number: str(number) if number >= rule.FEWEST else f"fewer than {rule.FEWEST}"
    )
    told.insert(0, "lesson", [one.title for one in lessons()])
    return told.rename(columns=names)


def table(answered: Sequence[Outcome], simulated: bool = False) -> str:
    """CSV with a row for each question and vote that has been revealed; counts of a vote too small
    to show are empty.

    The learning gain stands in the row of the second vote.
    """
    rows = [
        {
            name: harmless(cell) if isinstance(cell, str) else cell
            for name, cell in _row(found, one).items()
        }
        | {"voters": "simulated" if simulated else "real"}
        for found in answered
        for one in found.rounds
    ]
    return pd.DataFrame(rows, columns=COLUMNS, dtype=object).to_csv(index=False)


def _row(found: Outcome, one: Round) -> dict[str, Any]:
    """Cells of a vote by `COLUMNS`; of one that is too small to show only how many took part."""
    asked = found.asked
    right = found.asked.right
    row = {"lesson": asked.title, "question": asked.plain, "vote": one.number, "votes": one.total}
    row["answers"] = "; ".join(
        f"{asked.letter(name)} {words}" for name, words in asked.words.items()
    )
    if right:
        row["right answer"] = asked.letter(right)
    else:
        row["right answer"] = ""
    if one.total < found.fewest:
        return row | {"rule of thumb": f"fewer than {found.fewest} votes"}
    row |= {part.letter: part.votes for part in one.parts}
    if right:
        row["rule of thumb"] = VERDICTS[one.advice]
    else:
        row["rule of thumb"] = "no answer is called right"
    if right:
        row["share right"] = f"{one.right:.4f}"
    else:
        row["share right"] = ""
    row |= zip(("right and certain", "wrong and certain"), one.sure or ("", ""), strict=True)
    row["most chosen wrong answer"] = " ".join(part.letter for part in one.wrong)
    if one.number == 2:
        if isinstance(found.gain, float):
            row["learning gain"] = round(found.gain, 4)
        else:
            row["learning gain"] = found.gain
    return row


def page(poll: Poll, answered: Sequence[Outcome], day: str) -> bytes:
    """Write a page that prints on a sheet or two: each question with both votes, the gain, and what
    remained wrong.
    """
    body = [f'<p class="quiet">Class {escape(poll.code)}, {escape(day)}.</p>']
    if poll.rehearsal:
        body.append(f'<p class="alert">{escape(SIMULATED)}</p>')
    if poll.rehearsal:
        kind = "simulated vote"
    else:
        kind = "vote"
    keys = "".join(f'<i class="key {nth}"></i>{nth} {kind}' for nth in NTH.values())
    if any(one.certain for one in answered):
        full = "; the solid part of a bar shows votes that were certain"
    else:
        full = ""
    body.append(f'<p class="quiet">{keys}{full}</p>')
    for one in answered:
        asked = f"<h2>{escape(one.asked.title)}</h2><p>{escape(one.asked.plain)}</p>"
        body.append(
            f"<section>{asked}{_bars(one)}<p>{escape(' '.join(sentences(one)))}</p></section>"
        )
    if poll.fewest > 1:
        notes = f"{_NOTES} A vote is shown only if at least {poll.fewest} people took part."
    else:
        notes = _NOTES
    body.append(f'<p class="quiet">{escape(notes)}</p>')
    return sheet.page("What the class answered", body, _STYLE)


def sentences(found: Outcome) -> Iterator[str]:
    """Say what both votes show: how many were right, what was learned, what stayed wrong, and who
    was certain of it.
    """
    for one in found.rounds:
        if one.total < found.fewest:
            yield f"{one.nth.capitalize()} vote: fewer than {found.fewest} votes, so its results are not shown."
    if not found.asked.right:
        yield "This question has no right answer."
        return
    if found.shown:
        shares = [
            f"{_share(one.right)} of {one.total} in the {one.nth} vote" for one in found.shown
        ]
        if isinstance(found.gain, float):
            gain = f"{found.gain:z.2f}".replace("-", "−")
        else:
            gain = found.gain
        yield f"Right: {', '.join(shares)}. Learning gain g: {gain}."
        yield f"Most chosen wrong answer: {', '.join(map(_wrong, found.shown))}."
    yield found.certainty()


def _wrong(one: Round) -> str:
    """What most of those who were wrong have chosen."""
    if not one.wrong:
        return f"none in the {one.nth} vote"
    share = f"{_share(one.wrong[0].share)}{' each' * (len(one.wrong) > 1)}"
    return f"{' and '.join(part.letter for part in one.wrong)} in the {one.nth} vote ({share})"


def _bars(found: Outcome) -> str:
    """Draw each answer with its share in both votes."""
    rows = []
    certain = bool(found.certain)
    votes = found.shown
    for name, *parts in zip(found.asked.ids, *(one.parts for one in votes), strict=True):
        right = name == found.asked.right
        bars = "".join(_bar(one.nth, part, certain) for one, part in zip(votes, parts, strict=True))
        head = f"<b>{found.asked.letter(name)}</b> {escape(found.asked.words[name])}{' ✓ right' if right else ''}"
        rows.append(
            f'<tr{" class=right" if right else ""}><th scope="row">{head}</th><td>{bars}</td></tr>'
        )
    return f"<table>{''.join(rows)}</table>"


def _bar(nth: str, part: Part, certain: bool) -> str:
    # Where nobody was asked how sure they are, or nobody was certain, a bar is full.
    if part.votes:
        full = f'<i style="width:{100 * part.sure / part.share if certain else 100:.1f}%"></i>'
    else:
        full = ""
    bar = f'<span class="bar" style="width:{100 * part.share:.1f}%">{full}</span>'
    return f'<div class="vote {nth}">{bar}{_share(part.share)} ({part.votes})</div>'


def _share(share: float) -> str:
    return f"{100 * share:.0f}\u00a0%"
