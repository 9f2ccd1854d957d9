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
from ui.classes.questions import Number
from ui.classes.results import TENTHS, Outcome

#: Characters in a line of an answer, by whether it is on a projector; and the most lines shown.
LINE_LENGTH = {False: 44, True: 50}
MAX_LINES = 3
#: Height of the chart [px]: what a screen of 720 px has left under the question and its answer.
HEIGHT = 345

#: Heights in a hall [px]: a bar, legend with margins, and the smallest chart. The screen enlarges
#: them by 1.95 at 1080 lines and by 1.3 at 720 lines.
STAGE_BAR = 32
STAGE_LEGEND = 92
STAGE_MIN_HEIGHT = 300
#: Share of the height between two answers in a hall [1].
STAGE_GAP = 0.12

#: Vega expression for an answer's label, line by line; a phone has room only for the letter.
_LABEL = "containerSize()[0] < 600 ? slice(datum.label, 0, 1) : split(datum.label, '\\n')"


class Drawing(NamedTuple):
    """Chart of the answers of a class."""

    spec: dict
    rows: pa.Table
    alt: str  #: description with the chart's numbers, in one sentence


def drawing(outcome: Outcome, reveal_answer: bool, look: Look, stage: bool) -> Drawing:
    """Return the chart of the rounds that may be shown, of numbers or of options."""
    rounds = tuple(round.called for round in outcome.shown_rounds)
    number = outcome.question.number
    if number:
        right = number.right if reveal_answer else None
        limits = _value_limits(outcome, right)
        return Drawing(
            tenths_spec(look, number.unit, limits, rounds, stage),
            _tenth_rows(outcome, number, right),
            _describe_tenths(outcome, number, right),
        )
    right_option = outcome.question.right if reveal_answer else None
    labels = tuple(
        label(outcome.question.letter(option), words, option == right_option, look)
        for option, words in outcome.question.words.items()
    )
    return Drawing(
        spec(look, labels, rounds, outcome.is_certain, stage),
        _share_rows(outcome, labels),
        _describe_shares(outcome, right_option),
    )


def _share_rows(outcome: Outcome, labels: tuple[str, ...]) -> pa.Table:
    """Return a row per round and answer with the answer's share of that round's votes [1].

    `sure` is the share of the round's votes that chose the answer and were certain [1].
    """
    return stack(
        {
            "answer": name,
            "round": round.called,
            "share": answer.share,
            "label": f"{100 * answer.share:.0f}%",
            "votes": answer.votes,
            "sure": answer.sure,
        }
        for round in outcome.shown_rounds
        for name, answer in zip(labels, round.answers, strict=True)
    )


def label(letter: str, words: str, right: bool, look: Look) -> str:
    """Return the letter and text of an answer, wrapped into lines and shortened if necessary."""
    start = letter
    if right:
        start = f"{letter} ✓ right:"
    fit: dict[str, Any] = {"break_on_hyphens": False, "max_lines": MAX_LINES, "placeholder": "…"}
    return "\n".join(textwrap.wrap(f"{start} {words}", LINE_LENGTH[look.present], **fit))


@lru_cache(maxsize=64)
def spec(
    look: Look,
    labels: tuple[str, ...],
    rounds: tuple[str, ...],
    certain: bool = False,
    stage: bool = False,
) -> dict:
    """Return the chart of vote shares per answer: gray bars for the first vote, above the second.

    `rounds` are the names of the votes. If anybody was `certain`, the bars are pale except for the
    part of the certain votes. On the `stage` of a hall, the chart has no axis of shares, so that
    the bars can use all its height.
    """
    base = alt.Chart().encode(
        y=axes.y(
            "answer:N",
            None,
            labels,
            paddingInner=STAGE_GAP if stage else 0.25,
            sort=list(labels),
            labelExpr=_LABEL,
            labelLimit=520 if look.present else 400,
            labelOverlap=False,
            ticks=False,
        ),
        yOffset=alt.YOffset("round:N", **_side_by_side(rounds)),
        x=_share_axis(stage),
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
    # Many long answers need more height, because Vega drops labels that overlap.
    lines = sum(name.count("\n") + 1.4 for name in labels)
    height = max(HEIGHT, round((1.25 * lines + 6.5) * look.text_size))
    if stage:
        bars_height = STAGE_BAR * len(rounds) * len(labels) / (1 - STAGE_GAP)
        height = max(STAGE_MIN_HEIGHT, round(bars_height) + STAGE_LEGEND)
    return _layered(layers, look, height, stage)


def _side_by_side(rounds: Sequence[str]) -> dict[str, Any]:
    """Return the options of an offset channel that puts the bars of several rounds side by side."""
    return {"sort": list(rounds), "scale": alt.Scale(domain=list(rounds))}


def _colors(look: Look, rounds: Sequence[str]) -> alt.Color:
    """Return the colors of the rounds, with their legend; the last round has the accent color."""
    colors = [look.quiet, look.accent][-len(rounds) :]
    scale = alt.Scale(domain=list(rounds), range=colors)
    legend = alt.Legend(title=None, orient="top", labelLimit=0)
    return alt.Color("round:N", scale=scale, legend=legend)


def _layered(layers: Sequence[alt.Chart], look: Look, height: int, stage: bool) -> dict:
    """Return the specification of layers; on a stage it has the spacing of a hall."""
    chart = specification(alt.layer(*layers), look, height)
    if stage:
        return hall.spaced(chart)
    return chart


def _share_axis(stage: bool) -> alt.X:
    """Return the x channel of the shares; in a hall its axis is not drawn."""
    if stage:
        return axes.x("share:Q", None, [0, 1.15], axis=None)
    marks = [0, 0.25, 0.5, 0.75, 1]
    return axes.x("share:Q", "share of votes", [0, 1.08], format=".0%", values=marks)


def _tenth_rows(outcome: Outcome, number: Number, right: float | None) -> pa.Table:
    """Return a row per round and tenth of the numeric answers, and one for the right number."""
    rows = []
    medians = outcome.tenths()
    for round in outcome.shown_rounds:
        for name, value in zip(TENTHS, medians.get(round.number, ()), strict=False):
            row = {"kind": "tenth", "tenth": name, "round": round.called, "value": value}
            rows.append(row | {"label": f.significant(value)})
    if right is not None:
        rows.append({"kind": "right", "value": right, "label": f"right: {number.write(right)}"})
    return stack(rows)


@lru_cache(maxsize=64)
def tenths_spec(
    look: Look, unit: str, limits: tuple[float, float], rounds: tuple[str, ...], stage: bool = False
) -> dict:
    """Return the chart of numeric answers: a bar for the median of each tenth, lowest first.

    `limits` are the ends of the axis of numbers, and `rounds` the names of the votes. Only the bars
    of the last vote are labeled, because the labels of two votes would overlap.
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
        xOffset=alt.XOffset("round:N", **_side_by_side(rounds)),
        y=axes.y("value:Q", unit or "answer", list(limits), tickCount=4),
    )
    tooltip = ["tenth:N", "round:N", "label:N"]
    bars = base.mark_bar().encode(color=_colors(look, rounds), tooltip=tooltip)
    last = base.transform_filter(alt.FieldEqualPredicate(field="round", equal=rounds[-1]))
    words = last.mark_text(baseline="bottom", dy=-3, color=look.ink, fontSize=look.text_size)
    right = alt.Chart().transform_filter("datum.kind === 'right'").encode(y="value:Q")
    line = right.mark_rule(color=look.good, strokeWidth=look.stroke)
    name = right.mark_text(
        align="left", baseline="bottom", dx=4, dy=-4, color=look.good, fontSize=look.text_size
    ).encode(x=alt.value(0), text="label:N")
    layers = (bars, words.encode(text="label:N"), line, name)
    return _layered(layers, look, STAGE_MIN_HEIGHT if stage else HEIGHT, stage)


def _value_limits(outcome: Outcome, right: float | None) -> tuple[float, float]:
    """Return the ends of the axis of numbers, with room for a label above."""
    values = [0.0]
    for medians in outcome.tenths().values():
        values += medians
    if right is not None:
        values.append(right)
    lowest = min(values)
    room = 0.12 * (max(values) - lowest or 1.0)
    if lowest < 0:
        lowest -= room
    return lowest, max(values) + room


def _describe_tenths(outcome: Outcome, number: Number, right: float | None) -> str:
    """Describe the chart of numeric answers in one sentence."""
    medians = outcome.tenths()
    rounds = []
    for round in outcome.shown_rounds:
        listed = ", ".join(map(number.write, medians.get(round.number, ())))
        rounds.append(f"{round.called} of {round.total}: {listed}")
    ending = ""
    if right is not None:
        ending = f" {number.write(right)} is right."
    return f"Middle answer of each tenth of the answers; {'; '.join(rounds)}.{ending}"


def _describe_shares(outcome: Outcome, right: str | None) -> str:
    """Describe the chart of votes in one sentence with its numbers."""
    rounds = []
    for round in outcome.shown_rounds:
        shares = ", ".join(f"{answer.letter} {100 * answer.share:.0f}%" for answer in round.answers)
        sure = ", ".join(
            f"{answer.letter} {100 * answer.sure:.0f}%" for answer in round.answers if answer.sure
        )
        if sure:
            shares += f"; certain: {sure}"
        rounds.append(f"{round.called} of {round.total}: {shares}")
    ending = ""
    if right:
        ending = f" {outcome.question.letter(right)} is right."
    return f"Share of votes by answer; {'; '.join(rounds)}.{ending}"
