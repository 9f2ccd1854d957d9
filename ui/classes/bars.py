"""Both votes of a class, answer by answer, each bar labeled with its answer. No Streamlit in here."""

import textwrap
from collections.abc import Mapping
from functools import lru_cache
from string import ascii_uppercase

import altair as alt
import pandas as pd

from polls.store import Poll
from ui.charts import axes
from ui.charts.look import Look, specification

ROUNDS = {1: "first vote", 2: "second vote"}
#: The same in a rehearsal.
SIMULATED = {1: "first simulated vote", 2: "second simulated vote"}
#: Characters in a line of an answer, and the most lines that are shown: at a desk, and on the projector.
LINE, LINES = {False: 44, True: 50}, 3
#: Height of the chart [px]: what a screen of 720 px has left under the question and its answer.
HEIGHT = 345

#: Vega expression: the words of an answer, line by line; on a phone there is room for the letter alone.
_WORDS = "containerSize()[0] < 600 ? slice(datum.label, 0, 1) : split(datum.label, '\\n')"


def called(poll: Poll) -> Mapping[int, str]:
    """Return what the rounds of a class are called."""
    return SIMULATED if poll.rehearsal else ROUNDS


def frame(
    votes: Mapping[int, Mapping[str, int]],
    words: Mapping[str, str],
    right: str | None,
    look: Look,
    certain: Mapping[int, Mapping[str, int]] | None = None,
    called: Mapping[int, str] = ROUNDS,
) -> pd.DataFrame:
    """Rows of the chart: one for each round and answer, with the share of that round's votes and a label.

    `sure` is the share of the votes for it whose voters were certain, of the round's votes, too.
    """
    rows, letters = [], dict(zip(words, ascii_uppercase, strict=False))
    for number, counted in votes.items():
        total = sum(counted.values())
        for one, text in words.items():
            share = counted.get(one, 0) / total
            name = label(letters[one], text, one == right, look)
            sure = (certain or {}).get(number, {}).get(one, 0) / total
            rows.append((name, called[number], share, f"{100 * share:.0f} %", counted.get(one, 0), sure))
    return pd.DataFrame(rows, columns=["answer", "round", "share", "label", "votes", "sure"])


def label(letter: str, words: str, right: bool, look: Look) -> str:
    """Letter and words of an answer, broken into lines; what does not fit ends in an ellipsis."""
    start = f"{letter} ✓ right:" if right else letter
    width = LINE[look.present]
    lines = textwrap.wrap(f"{start} {words}".replace(" %", "\u00a0%"), width, break_on_hyphens=False)
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], f"{lines[LINES - 1][: width - 1].rstrip()}…"]
    return "\n".join(lines)


@lru_cache(maxsize=64)
def spec(
    look: Look, names: tuple[str, ...], rounds: tuple[int, ...], certain: bool = False, simulated: bool = False
) -> dict:
    """Answers against their share of votes; the first vote is a quiet bar, the second one under it in the accent.

    Where somebody was `certain`, that part of a bar is full and the rest pale.
    """
    words = [(SIMULATED if simulated else ROUNDS)[number] for number in rounds]
    inks = {1: look.quiet, 2: look.accent}
    # A single vote is what everybody looks at.
    colors = [look.accent] if len(rounds) == 1 else [inks[number] for number in rounds]
    base = alt.Chart().encode(
        y=axes.y(
            "answer:N",
            None,
            names,
            paddingInner=0.25,
            sort=list(names),
            labelExpr=_WORDS,
            labelLimit=520 if look.present else 400,
            labelOverlap=False,
            ticks=False,
        ),
        yOffset=alt.YOffset("round:N", sort=words, scale=alt.Scale(domain=words)),
        x=axes.x("share:Q", "share of votes", [0, 1.08], format=".0%", values=[0, 0.25, 0.5, 0.75, 1]),
    )
    scale = alt.Scale(domain=words, range=colors)
    color = alt.Color("round:N", scale=scale, legend=alt.Legend(title=None, orient="top", labelLimit=0))
    tooltip = ["answer:N", "round:N", "label:N", "votes:Q", alt.Tooltip("sure:Q", format=".0%", title="certain")]
    bars = base.mark_bar(opacity=0.45 if certain else 1).encode(color=color, tooltip=tooltip)
    full = [base.mark_bar(opacity=1).encode(x="sure:Q", color=color, tooltip=tooltip)] if certain else []
    shares = base.mark_text(align="left", dx=5, color=look.ink, fontSize=look.text_size).encode(text="label:N")
    # Many long answers take more: without the words of one its bar says nothing.
    lines = sum(name.count("\n") + 1.4 for name in names)
    height = max(HEIGHT, round((1.25 * lines + 6.5) * look.text_size))
    return specification(alt.layer(bars, *full, shares), look, height, halo=False)


def alt_text(
    votes: Mapping[int, Mapping[str, int]],
    words: Mapping[str, str],
    right: str | None,
    certain: Mapping[int, Mapping[str, int]] | None = None,
    called: Mapping[int, str] = ROUNDS,
) -> str:
    """The chart in one sentence with its numbers."""
    parts, letters = [], dict(zip(words, ascii_uppercase, strict=False))
    for number, counted in votes.items():
        total = sum(counted.values())
        shares = ", ".join(f"{letters[one]} {100 * counted.get(one, 0) / total:.0f} %" for one in words)
        sure = {one: votes for one, votes in (certain or {}).get(number, {}).items() if one in words}
        told = ", ".join(f"{letters[one]} {100 * votes / total:.0f} %" for one, votes in sorted(sure.items()))
        parts.append(f"{called[number]} of {total}: {shares}" + (f"; certain: {told}" if told else ""))
    ending = f" {letters[right]} is right." if right else ""
    return f"Share of votes by answer; {'; '.join(parts)}.{ending}"
