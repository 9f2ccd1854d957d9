"""What is left of a class: its votes as a table, and as a page that prints on a sheet or two."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from html import escape

import streamlit as st

from polls import store
from polls.store import Poll
from ui.base import device
from ui.classes import screen
from ui.classes.results import NTH, Outcome, Part, outcomes, table
from ui.record import polls, sheet

_NOTES = (
    "Shares are of those who voted in that vote; not everybody votes in both. The learning gain is the normalized gain "
    "g = (share right after − share right before) ÷ (1 − share right before): the part of what could still be learned "
    "that was learned, and negative where the share fell (R. R. Hake, American Journal of Physics 66, 64, 1998, who "
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


def keep(poll: Poll) -> None:
    """Offer the revealed votes of all questions of this class: they are deleted with it."""
    own = polls.ask(store.own_questions, poll.code)
    answered = outcomes(*polls.ask(store.results, poll), own, poll.fewest)
    today = datetime.now(UTC).date().isoformat()
    name = f"{'simulated-' if poll.rehearsal else ''}votes-of-class-{poll.code}-{today}"
    written, drawn = table(answered, poll.rehearsal), page(poll, answered, today)
    none = not answered
    told = "All votes revealed so far, with one row per question and vote. They are deleted with the class."
    bars = "Both votes on each question as bars, what was learned, and what remained wrong."
    with st.container(horizontal=True):
        label, key = "Results of this class (CSV)", "class_results"
        device.download(label, written, f"{name}.csv", key, help=told, disabled=none)
        label, key = "Results to print (HTML)", "class_page"
        device.download(label, drawn, f"{name}.html", key, help=bars, disabled=none)


def page(poll: Poll, answered: Sequence[Outcome], day: str) -> bytes:
    """Write the page: each question with both votes, the learning gain, and what remained wrong."""
    body = [f'<p class="quiet">Class {escape(poll.code)}, {escape(day)}.</p>']
    if poll.rehearsal:
        body.append(f'<p class="alert">{escape(screen.SIMULATED)}</p>')
    kind = "simulated vote" if poll.rehearsal else "vote"
    keys = "".join(f'<i class="key {nth}"></i>{nth} {kind}' for nth in NTH.values())
    full = "; the solid part of a bar shows votes that were certain" if any(one.certain for one in answered) else ""
    body.append(f'<p class="quiet">{keys}{full}</p>')
    for one in answered:
        asked = f"<h2>{escape(one.asked.title)}</h2><p>{escape(one.asked.plain)}</p>"
        body.append(f"<section>{asked}{_bars(one)}<p>{escape(' '.join(sentences(one)))}</p></section>")
    notes = f"{_NOTES} A vote is shown only if at least {poll.fewest} people took part." if poll.fewest > 1 else _NOTES
    body.append(f'<p class="quiet">{escape(notes)}</p>')
    return sheet.page("What the class answered", body, _STYLE)


def sentences(one: Outcome) -> Iterator[str]:
    """Say what both votes show: how many were right, what was learned, what stayed wrong, and who was certain of it."""
    for number in one.votes:
        if number not in one.shown:
            yield f"{NTH[number].capitalize()} vote: fewer than {one.fewest} votes, so its results are not shown."
    if not one.asked.right:
        yield "This question has no right answer."
        return
    gain = f"{one.gain:z.2f}" if isinstance(one.gain, float) else one.gain
    shares = [f"{_share(one.right[number])} of {one.total(number)} in the {NTH[number]} vote" for number in one.right]
    if shares:
        yield f"Right: {', '.join(shares)}. Learning gain g: {gain.replace('-', '−')}."
        yield f"Most chosen wrong answer: {', '.join(_wrong(one, number) for number in one.shown)}."
    sure = {NTH[number]: one.sure(number) for number in one.shown}
    certain = [f"{found[0]} right and {found[1]} wrong in the {nth} vote" for nth, found in sure.items() if found]
    if certain:
        yield f"Certain: {', '.join(certain)}."


def _wrong(one: Outcome, number: int) -> str:
    """What most of those who were wrong have chosen."""
    wrong, nth = one.wrong(number), f"in the {NTH[number]} vote"
    if not wrong:
        return f"none {nth}"
    share = _share(one.votes[number][wrong[0]] / one.total(number))
    return f"{' and '.join(map(one.asked.letter, wrong))} {nth} ({share}{' each' * (len(wrong) > 1)})"


def _bars(one: Outcome) -> str:
    """Draw each answer with its share in both votes."""
    rows = []
    for name, *parts in zip(one.asked.ids, *map(one.parts, one.shown), strict=True):
        right = name == one.asked.right
        bars = "".join(
            _bar(NTH[number], part, bool(one.certain)) for number, part in zip(one.shown, parts, strict=True)
        )
        head = f"<b>{one.asked.letter(name)}</b> {escape(one.asked.words[name])}{' ✓ right' if right else ''}"
        rows.append(f'<tr{" class=right" if right else ""}><th scope="row">{head}</th><td>{bars}</td></tr>')
    return f"<table>{''.join(rows)}</table>"


def _bar(nth: str, part: Part, certain: bool) -> str:
    # Where nobody was asked how sure they are, or nobody was certain, a bar is full.
    full = f'<i style="width:{100 * part.sure / part.share if certain else 100:.1f}%"></i>' if part.votes else ""
    bar = f'<span class="bar" style="width:{100 * part.share:.1f}%">{full}</span>'
    return f'<div class="vote {nth}">{bar}{_share(part.share)} ({part.votes})</div>'


def _share(share: float) -> str:
    return f"{100 * share:.0f}\u00a0%"
