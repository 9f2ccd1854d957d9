"""Results to keep after a class: a table and a printable page of the revealed votes.

No Streamlit.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import pandas as pd

from physics.texts import harmless
from polls.questions import IDS
from polls.store import Poll
from ui.classes.questions import Number
from ui.classes.results import NTH, SIMULATED, TENTHS, Outcome, Round, called
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
    "right and certain",
    "wrong and certain",
    "most chosen wrong answer",
    "learning gain",
    "voters",
)
VERDICTS = {"explain": "explain again", "discuss": "discuss and vote again", "go on": "continue"}
_NOTES = (
    "Shares are of those who voted in that vote; not everybody votes in both. The learning gain is "
    "the normalized gain g = (share right after − share right before) ÷ (1 − share right before): "
    "the part of what could still be learned that was learned, and negative where the share fell "
    "(R. R. Hake, American Journal of Physics 66, 64, 1998, who defined it for averages of whole "
    "tests)."
)
_STYLE = """
section{break-inside:avoid}table{width:100%;border-collapse:collapse;margin:.5rem 0}
th{font-weight:400;text-align:left;width:48%;padding:.25rem 1rem .25rem 0}.right th{font-weight:600}
td{padding:.25rem 0}tr{border-top:1px solid var(--line)}
.first{--bar:var(--first)}.second{--bar:var(--accent)}
.vote{display:flex;gap:.5rem;align-items:center;font-size:.85em;line-height:1.3;white-space:nowrap;
padding-right:6.5rem}
.bar{flex:none;height:.7em;background:color-mix(in srgb,var(--bar) 45%,transparent)}
.bar i{display:block;height:100%;background:var(--bar)}
.key{display:inline-block;width:1.4em;height:.7em;background:var(--bar);margin:0 .4em 0 1em}
.key:first-child{margin-left:0}
@media screen and (max-width:40rem){th,td{display:block;width:auto}td{padding-top:0}}
@page{margin:12mm}
@media print{body{font-size:9pt}td,th{padding:.3mm 1mm .3mm 0}table{margin:1mm 0}
h2{margin-top:3mm}p{margin:.5mm 0}}
"""


def table(answered: Sequence[Outcome], simulated: bool = False) -> str:
    """Return a CSV with a row per question and revealed vote; very small votes have no counts.

    The learning gain is in the row of the second vote.
    """
    rows = []
    for outcome in answered:
        for vote_round in outcome.rounds:
            row = _row(outcome, vote_round) | {"voters": "simulated" if simulated else "real"}
            for name, cell in row.items():
                if isinstance(cell, str):
                    row[name] = harmless(cell)
            rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS, dtype=object).to_csv(index=False)


def _row(outcome: Outcome, vote_round: Round) -> dict[str, Any]:
    """Return the cells of a vote by `COLUMNS`; a very small vote has only its number of voters."""
    poll_question = outcome.question
    number = poll_question.number
    row: dict[str, Any] = {
        "lesson": poll_question.title,
        "question": poll_question.plain,
        "vote": vote_round.number,
        "votes": vote_round.total,
        "answers": "; ".join(
            f"{poll_question.letter(name)} {words}" for name, words in poll_question.words.items()
        ),
        "rule of thumb": "no answer is marked as right",
    }
    medians = outcome.tenths().get(vote_round.number)
    if number and medians:
        row["answers"] = f"middles of the tenths: {', '.join(map(number.write, medians))}"
    if number:
        row["rule of thumb"] = "the answer is a number"
    if number and number.right is not None:
        row["right answer"] = number.write(number.right)
    if poll_question.right:
        row["right answer"] = poll_question.letter(poll_question.right)
        row["rule of thumb"] = VERDICTS[vote_round.advice]
    if vote_round.total < outcome.fewest:
        return row | {"rule of thumb": f"fewer than {outcome.fewest} votes"}
    if poll_question.right:
        row["share right"] = f"{vote_round.right:.4f}"
    row |= {answer.letter: answer.votes for answer in vote_round.answers}
    if vote_round.sure:
        row["right and certain"], row["wrong and certain"] = vote_round.sure
    row["most chosen wrong answer"] = " ".join(answer.letter for answer in vote_round.wrong)
    if vote_round.number == 2:
        row["learning gain"] = outcome.gain
        if isinstance(outcome.gain, float):
            row["learning gain"] = round(outcome.gain, 4)
    return row


def page(poll: Poll, answered: Sequence[Outcome], day: str) -> bytes:
    """Return a printable page: each question with both votes, the gain, and the wrong answers."""
    body = [f'<p class="quiet">Class {escape(poll.code)}, {escape(day)}.</p>']
    if poll.rehearsal:
        body.append(f'<p class="alert">{escape(SIMULATED)}</p>')
    keys = "".join(
        f'<i class="key {nth}"></i>{called(number, poll.rehearsal)}' for number, nth in NTH.items()
    )
    if any(outcome.is_certain for outcome in answered):
        keys += "; the solid part of a bar shows votes that were certain"
    body.append(f'<p class="quiet">{keys}</p>')
    for outcome in answered:
        heading = (
            f"<h2>{escape(outcome.question.title)}</h2><p>{escape(outcome.question.plain)}</p>"
        )
        text = f"<p>{escape(' '.join(sentences(outcome)))}</p>"
        body.append(f"<section>{heading}{_bars(outcome)}{text}</section>")
    notes = _NOTES
    if poll.fewest > 1:
        notes += f" A vote is shown only if at least {poll.fewest} people took part."
    body.append(f'<p class="quiet">{escape(notes)}</p>')
    return sheet.page("What the class answered", body, _STYLE)


def sentences(outcome: Outcome) -> Iterator[str]:
    """Yield sentences on both votes: right answers, learning gain, errors, and certainty."""
    for round in outcome.rounds:
        if round.total < outcome.fewest:
            nth = round.nth.capitalize()
            yield f"{nth} vote: fewer than {outcome.fewest} votes, so its results are not shown."
    number = outcome.question.number
    if number:
        yield outcome.medians(number)
        if number.right is not None:
            yield f"Right: {number.write(number.right)}."
        return
    if not outcome.question.right:
        yield "This question has no right answer."
        return
    if outcome.shown_rounds:
        shares = [
            f"{_share(round.right)} of {round.total} in the {round.nth} vote"
            for round in outcome.shown_rounds
        ]
        gain = outcome.gain
        if isinstance(gain, float):
            gain = f"{gain:z.2f}".replace("-", "−")
        yield f"Right: {', '.join(shares)}. Learning gain g: {gain}."
        yield f"Most chosen wrong answer: {', '.join(map(_wrong, outcome.shown_rounds))}."
    yield outcome.certainty()


def _wrong(round: Round) -> str:
    """Return the most chosen wrong answers of a round in words."""
    if not round.wrong:
        return f"none in the {round.nth} vote"
    letters = " and ".join(answer.letter for answer in round.wrong)
    share = _share(round.wrong[0].share)
    if len(round.wrong) > 1:
        share += " each"
    return f"{letters} in the {round.nth} vote ({share})"


def _bars(outcome: Outcome) -> str:
    """Return an HTML table of bars: each answer with its share in both votes."""
    if outcome.question.number:
        return _tenths(outcome, outcome.question.number)
    rows = ""
    for position, (name, words) in enumerate(outcome.question.words.items()):
        head = f"<b>{outcome.question.letter(name)}</b> {escape(words)}"
        kind = ""
        if name == outcome.question.right:
            head += " ✓ right"
            kind = " class=right"
        bars = ""
        for round in outcome.shown_rounds:
            answer = round.answers[position]
            # Without any certain vote, a pale bar would only confuse.
            full = 100.0
            if outcome.is_certain and answer.votes:
                full = 100 * answer.sure / answer.share
            bars += _bar(round.nth, answer.share, full, f"{_share(answer.share)} ({answer.votes})")
        rows += f'<tr{kind}><th scope="row">{head}</th><td>{bars}</td></tr>'
    return f"<table>{rows}</table>"


def _tenths(outcome: Outcome, number: Number) -> str:
    """Return an HTML table of bars from zero: the median of each tenth of the numeric answers."""
    medians = outcome.tenths()
    largest = max((abs(value) for row in medians.values() for value in row), default=0) or 1
    rows = ""
    for tenth, name in enumerate(TENTHS):
        bars = ""
        for round_number, values in medians.items():
            words = escape(number.write(values[tenth]))
            bars += _bar(NTH[round_number], abs(values[tenth]) / largest, 100.0, words)
        rows += f'<tr><th scope="row">{name} tenth of the answers</th><td>{bars}</td></tr>'
    return f"<table>{rows}</table>"


def _bar(nth: str, share: float, full: float, words: str) -> str:
    """Return the HTML of a bar of a share [1] with its solid part [%], and the words after it."""
    bar = f'<span class="bar" style="width:{100 * share:.1f}%"><i style="width:{full:.1f}%"></i>'
    return f'<div class="vote {nth}">{bar}</span>{words}</div>'


def _share(share: float) -> str:
    """Return a share [1] as a percentage."""
    return f"{100 * share:.0f}\u00a0%"
