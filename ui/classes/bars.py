"""Both votes of a class side by side, answer by answer. No Streamlit in here."""

from collections.abc import Mapping
from functools import lru_cache

import altair as alt
import pandas as pd

from ui.charts.look import Look, specification

ROUNDS = {1: "first vote", 2: "second vote"}


def frame(votes: Mapping[int, Mapping[str, int]], ids: tuple[str, ...], right: str | None) -> pd.DataFrame:
    """Rows of the chart: one for each round and answer, with the share of that round's votes and a label."""
    rows = []
    for number, counted in votes.items():
        total = sum(counted.values())
        for one in ids:
            share = counted.get(one, 0) / total
            rows.append((_name(one, right), ROUNDS[number], share, f"{100 * share:.0f} %", counted.get(one, 0)))
    return pd.DataFrame(rows, columns=["answer", "round", "share", "label", "votes"])


@lru_cache(maxsize=64)
def spec(look: Look, ids: tuple[str, ...], right: str | None, rounds: tuple[int, ...]) -> dict:
    """Share of votes against answer; the first vote is a quiet bar, the second one beside it in the accent."""
    names = [_name(one, right) for one in ids]
    words = [ROUNDS[number] for number in rounds]
    inks = {1: look.quiet, 2: look.accent}
    base = alt.Chart().encode(
        x=alt.X("answer:N", title=None, sort=names, scale=alt.Scale(domain=names), axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("round:N", sort=words, scale=alt.Scale(domain=words)),
        y=alt.Y(
            "share:Q",
            title="share of votes",
            scale=alt.Scale(domain=[0, 1.08]),
            axis=alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1]),
        ),
    )
    colors = alt.Scale(domain=words, range=[inks[number] for number in rounds])
    bars = base.mark_bar().encode(
        color=alt.Color("round:N", scale=colors, legend=alt.Legend(title=None, orient="top")),
        tooltip=["answer:N", "round:N", "label:N", "votes:Q"],
    )
    labels = base.mark_text(baseline="bottom", dy=-4, color=look.ink, fontSize=look.text_size).encode(text="label:N")
    return specification(alt.layer(bars, labels), look, 225 if look.present else 250, rims=False)


def alt_text(votes: Mapping[int, Mapping[str, int]], right: str | None) -> str:
    """The chart in one sentence with its numbers."""
    parts = []
    for number, counted in votes.items():
        total = sum(counted.values())
        shares = ", ".join(f"{one.upper()} {100 * count / total:.0f} %" for one, count in counted.items())
        parts.append(f"{ROUNDS[number]} of {total}: {shares}")
    ending = f" {right.upper()} is right." if right else ""
    return f"Share of votes by answer; {'; '.join(parts)}.{ending}"


def _name(option: str, right: str | None) -> str:
    return f"{option.upper()} ✓ right" if option == right else option.upper()
