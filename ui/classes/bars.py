"""Chart of both votes of a class: one labeled bar per answer. No Streamlit in here."""

import textwrap
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import altair as alt
import pyarrow as pa

from ui.base import format as f
from ui.charts import axes
from ui.charts.look import Look, specification, stack
from ui.classes import hall
from ui.classes.questions import Number, PollQuestion
from ui.classes.results import TENTHS, Outcome

#: Characters in a line of an answer, and the most lines that are shown: at a desk, and on the
#: projector.
LINE = {False: 44, True: 50}
LINES = 3
#: Height of the chart [px]: what a screen of 720 px has left under the question and its answer.
HEIGHT = 345

#: In a hall: a bar's height, that of legend and margins, and the least of the chart, before it is
#: enlarged by 1.95 at 1080 lines and by 1.3 at 720 [px]; the part of the height between answers
#: [1].
STAGE_BAR = 32
STAGE_LEGEND = 92
STAGE_LEAST = 300
STAGE_GAP = 0.12

#: Vega expression: the words of an answer, line by line; on a phone there is room for the letter
#: alone.
_WORDS = "containerSize()[0] < 600 ? slice(datum.label, 0, 1) : split(datum.label, '\\n')"


class Drawing(NamedTuple):
    """Chart of the answers of a class."""

    spec: dict
    rows: pa.Table
    alt: str  #: its numbers in one sentence


def drawing(outcome: Outcome, reveal_answer: bool, look: Look, stage: bool) -> Drawing:
    """Return the chart of the rounds that may be shown, of numbers or of options."""
    rounds = tuple(round.called for round in outcome.shown)
    number = outcome.question.number
    if number:
        ends = tenths_ends(outcome, number, reveal_answer)
        return Drawing(
            tenths_spec(look, number.unit, ends, rounds, stage),
            tenths_frame(outcome, number, reveal_answer),
            tenths_text(outcome, number, reveal_answer),
        )
    labels = names(outcome.question, reveal_answer, look)
    return Drawing(
        spec(look, labels, rounds, outcome.is_certain, stage),
        frame(outcome, labels),
        alt_text(outcome, reveal_answer),
    )


def names(poll_question: PollQuestion, reveal_answer: bool, look: Look) -> tuple[str, ...]:
    """Return the labels of the answers, with the right one marked if it may be revealed."""
    return tuple(
        label(
            poll_question.letter(name), words, reveal_answer and name == poll_question.right, look
        )
        for name, words in poll_question.words.items()
    )


def frame(outcome: Outcome, names: tuple[str, ...]) -> pa.Table:
    """Rows of the chart: one per round and answer, with the answer's share of that round's votes.

    `sure` is the share of the votes for it whose voters were certain, of the round's votes, too.
    """
    return stack(
        {
            "answer": name,
            "round": round.called,
            "share": answer.share,
            "label": f"{100 * answer.share:.0f}%",
        }
        | {"votes": answer.votes, "sure": answer.sure}
        for round in outcome.shown
        for name, answer in zip(names, round.answers, strict=True)
    )


def label(letter: str, words: str, right: bool, look: Look) -> str:
    """Letter and text of an answer, wrapped into lines and shortened if necessary."""
    start = letter
    if right:
        start = f"{letter} ✓ right:"
    fit: dict[str, Any] = {"break_on_hyphens": False, "max_lines": LINES, "placeholder": "…"}
    return "\n".join(textwrap.wrap(f"{start} {words}", LINE[look.present], **fit))


@lru_cache(maxsize=64)
def spec(
    look: Look,
    names: tuple[str, ...],
    rounds: tuple[str, ...],
    certain: bool = False,
    stage: bool = False,
) -> dict:
    """Return the chart of vote shares per answer: gray bars for the first vote, above the second.

    `rounds` are what the votes are called. Where somebody was `certain`, that part of a bar is full
    and the rest pale. On the `stage` of a hall all the height is the bars', which say their shares
    themselves.
    """
    base = alt.Chart().encode(
        y=axes.y(
            "answer:N",
            None,
            names,
            paddingInner=STAGE_GAP if stage else 0.25,
            sort=list(names),
            labelExpr=_WORDS,
            labelLimit=520 if look.present else 400,
            labelOverlap=False,
            ticks=False,
        ),
        yOffset=alt.YOffset("round:N", **_order(rounds)),
        x=_shares(stage),
    )
    tooltip: list[Any] = [
        "answer:N",
        "round:N",
        "label:N",
        "votes:Q",
        alt.Tooltip("sure:Q", format=".0%", title="certain"),
    ]
    bars = base.encode(color=_colors(look, rounds), tooltip=tooltip)
    layers = [bars.mark_bar(opacity=0.45 if certain else 1)]
    if certain:
        layers.append(bars.mark_bar(opacity=1).encode(x="sure:Q"))
    shares = base.mark_text(align="left", dx=5, color=look.ink, fontSize=look.text_size)
    layers.append(shares.encode(text="label:N"))
    # Many long answers take more: without the words of one its bar says nothing.
    lines = sum(name.count("\n") + 1.4 for name in names)
    height = max(HEIGHT, round((1.25 * lines + 6.5) * look.text_size))
    if stage:
        thick = STAGE_BAR * len(rounds) * len(names) / (1 - STAGE_GAP)
        height = max(STAGE_LEAST, round(thick) + STAGE_LEGEND)
    return _finished(layers, look, height, stage)


def _order(rounds: Sequence[str]) -> dict[str, Any]:
    """Return how bars of several rounds stand side by side."""
    return {"sort": list(rounds), "scale": alt.Scale(domain=list(rounds))}


def _colors(look: Look, rounds: Sequence[str]) -> alt.Color:
    """Return the colors of the rounds, with their legend."""
    # A single vote is what everybody looks at.
    colors = [look.quiet, look.accent][-len(rounds) :]
    scale = alt.Scale(domain=list(rounds), range=colors)
    legend = alt.Legend(title=None, orient="top", labelLimit=0)
    return alt.Color("round:N", scale=scale, legend=legend)


def _finished(layers: Sequence[alt.Chart], look: Look, height: int, stage: bool) -> dict:
    """Return the specification of a chart; on a stage it has the spacing of a hall."""
    chart = specification(alt.layer(*layers), look, height)
    if stage:
        return hall.spaced(chart)
    return chart


def _shares(stage: bool) -> alt.X:
    """Return the axis of the shares; in a hall nothing of it is drawn."""
    if stage:
        return axes.x("share:Q", None, [0, 1.15], axis=None)
    marks = [0, 0.25, 0.5, 0.75, 1]
    return axes.x("share:Q", "share of votes", [0, 1.08], format=".0%", values=marks)


def tenths_frame(outcome: Outcome, number: Number, reveal_answer: bool) -> pa.Table:
    """Rows of the chart of numeric answers: one per round and tenth of the answers, plus the right
    number if it may be revealed.
    """
    rows = []
    middles = outcome.tenths()
    for round in outcome.shown:
        for name, value in zip(TENTHS, middles.get(round.number, ()), strict=False):
            row = {"kind": "tenth", "tenth": name, "round": round.called, "value": value}
            rows.append(row | {"label": f.significant(value)})
    if reveal_answer and number.right is not None:
        words = f"right: {number.write(number.right)}"
        rows.append({"kind": "right", "value": number.right, "label": words})
    return stack(rows)


@lru_cache(maxsize=64)
def tenths_spec(
    look: Look, unit: str, ends: tuple[float, float], rounds: tuple[str, ...], stage: bool = False
) -> dict:
    """Return the chart of numeric answers: a bar for the median of each tenth, lowest first.

    `ends` are those of the numbers' axis, `rounds` what the votes are called; the last one's bars
    say their numbers.
    """
    tenths = alt.Chart().transform_filter("datum.kind === 'tenth'")
    base = tenths.encode(
        x=axes.x(
            "tenth:N",
            "tenths of the sorted answers",
            TENTHS,
            sort=list(TENTHS),
            paddingInner=STAGE_GAP,
            labelAngle=0,
            labelExpr="width < 500 ? replace(datum.label, 'est', '') : datum.label",
        ),
        xOffset=alt.XOffset("round:N", **_order(rounds)),
        y=axes.y("value:Q", unit or "answer", list(ends), tickCount=4),
    )
    tooltip = ["tenth:N", "round:N", "label:N"]
    bars = base.mark_bar().encode(color=_colors(look, rounds), tooltip=tooltip)
    # Both votes' words would lie on each other.
    last = base.transform_filter(alt.FieldEqualPredicate(field="round", equal=rounds[-1]))
    words = last.mark_text(baseline="bottom", dy=-3, color=look.ink, fontSize=look.text_size)
    right = alt.Chart().transform_filter("datum.kind === 'right'").encode(y="value:Q")
    line = right.mark_rule(color=look.good, strokeWidth=look.stroke)
    name = right.mark_text(
        align="left", baseline="bottom", dx=4, dy=-4, color=look.good, fontSize=look.text_size
    ).encode(x=alt.value(0), text="label:N")
    layers = (bars, words.encode(text="label:N"), line, name)
    return _finished(layers, look, STAGE_LEAST if stage else HEIGHT, stage)


def tenths_ends(outcome: Outcome, number: Number, reveal_answer: bool) -> tuple[float, float]:
    """Return the ends of the axis of numbers, which includes the right number only after it may be
    revealed. A label has room above.
    """
    values = [0.0]
    for middles in outcome.tenths().values():
        values += middles
    if reveal_answer and number.right is not None:
        values.append(number.right)
    lowest = min(values)
    room = 0.12 * (max(values) - lowest or 1.0)
    if lowest < 0:
        lowest -= room
    return lowest, max(values) + room


def tenths_text(outcome: Outcome, number: Number, reveal_answer: bool) -> str:
    """Describe the chart of numeric answers in one sentence."""
    middles = outcome.tenths()
    rounds = []
    for round in outcome.shown:
        listed = ", ".join(map(number.write, middles.get(round.number, ())))
        rounds.append(f"{round.called} of {round.total}: {listed}")
    ending = ""
    if reveal_answer and number.right is not None:
        ending = f" {number.write(number.right)} is right."
    return f"Middle answer of each tenth of the answers; {'; '.join(rounds)}.{ending}"


def alt_text(outcome: Outcome, reveal_answer: bool) -> str:
    """Describe the chart of votes in one sentence with its numbers."""
    poll_question = outcome.question
    rounds = []
    for round in outcome.shown:
        shares = ", ".join(f"{answer.letter} {100 * answer.share:.0f}%" for answer in round.answers)
        sure = ", ".join(
            f"{answer.letter} {100 * answer.sure:.0f}%" for answer in round.answers if answer.sure
        )
        if sure:
            shares += f"; certain: {sure}"
        rounds.append(f"{round.called} of {round.total}: {shares}")
    ending = ""
    if reveal_answer and poll_question.right:
        ending = f" {poll_question.letter(poll_question.right)} is right."
    return f"Share of votes by answer; {'; '.join(rounds)}.{ending}"
