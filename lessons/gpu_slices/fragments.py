"""GPU slices: which share of the free slices the next request cannot use, by what it asks for."""

from functools import lru_cache

import altair as alt

from lessons.gpu_slices.settings import NAMES, RULES, Slices, say
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, only, specification, stack
from ui.charts.layers import halo_of


def figure(wish: Slices, look: Look) -> Figure:
    """Share of the free compute slices that a request for each profile cannot use, under both policies."""
    rows: list[dict] = []
    for rule, words in RULES.items():
        lost = [wish.trial.useless(rule, name) for name in NAMES]
        rows.append({"kind": rule, "rule": words, "profile": list(NAMES), "lost": lost})
        rows.append({"kind": "asked", "rule": words, "profile": wish.asked, "lost": wish.lost[rule]})
        rows[-1]["label"] = f.share(wish.lost[rule], 2)
    title = "What share of the free slices can the next request not use?"
    return Figure("fragments", title, stack(rows), _spec(look), say("fragments_chart", wish))


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Two bars a profile, the numbers at those of the profile that is asked for."""
    x = axes.x("lost:Q", "free slices that are of no use", [0, 1.08], format=".0%", tickCount=5)
    y = axes.y("profile:N", "next request", list(NAMES), sort=None, labelOverlap=False)
    words, tones = list(RULES.values()), [look.series[1], look.accent]
    color = alt.Color("rule:N", scale=alt.Scale(domain=words, range=tones), legend=alt.Legend(title=None, orient="top"))
    base = alt.Chart().encode(x=x, y=y, yOffset=alt.YOffset("rule:N", sort=words))
    bars = base.transform_filter(only(*RULES)).mark_bar().encode(color=color)
    looks = {"align": "left", "dx": 5, "fontSize": look.text_size, "color": look.ink} | halo_of(look.paper)
    text = base.transform_filter(only("asked")).mark_text(**looks)
    return specification(alt.layer(bars, text.encode(text="label:N")), look, 280)
