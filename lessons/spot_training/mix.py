"""Spot training, third act: replicas on machines that vanish, alone or in blocks, beside some that never do."""

from dataclasses import dataclass
from functools import lru_cache

import altair as alt
import pyarrow as pa

from physics import constants as k
from physics.checkpointing import replicas_for
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

#: Top of the chart, as a multiple of the price of all replicas on demand.
TOP = 2.0


@dataclass(frozen=True)
class Mix:
    """A service that needs so many replicas; prices a replica and hour."""

    needed: int
    base: int
    up: float
    target: float
    block: int
    price: float
    on_demand_price: float

    @property
    def held(self) -> int:
        """Replicas on demand: no more than are needed."""
        return min(self.base, self.needed)

    def spot(self, held: int) -> int:
        """Spot replicas asked for beside so many on demand, in whole blocks."""
        rest = self.needed - held
        return replicas_for(rest, self.up, self.target, self.block) if rest else 0

    def cost(self, held: int) -> float:
        """Expected price an hour [$/h]: a spot replica that is away costs nothing."""
        return held * self.on_demand_price + self.spot(held) * self.up * self.price

    @property
    def safe(self) -> float:
        """Price of all on demand [$/h]."""
        return self.needed * self.on_demand_price


def figure(mix: Mix, look: Look) -> Figure:
    """Price against the number on demand."""
    return Figure("mix", "What does the mixed fleet cost?", frame(mix), spec(look), alt_words(mix))


@lru_cache(maxsize=64)
def frame(mix: Mix) -> pa.Table:
    """Rows of the chart: share on demand, price (multiple of all on demand), labels and points."""
    prices = [(held / mix.needed, mix.cost(held) / mix.safe) for held in range(mix.needed + 1)]
    inside = [(share, price) for share, price in prices if price <= TOP]
    x, price = mix.held / mix.needed, mix.cost(mix.held) / mix.safe
    side = {"align": "right", "dx": -10} if x > 0.5 else {"dx": 10}
    words = f"you: {mix.held} + {mix.spot(mix.held)}, {f.money(mix.cost(mix.held))} an hour"
    over = price > TOP
    rows = [
        marks.point(x, min(price, TOP), shape="triangle-up" if over else "circle", size=140),
        marks.label(x, min(price, TOP), f"{words} ↑" if over else words, bold=True, dy=14, short="you", **side),
        marks.label(0.5, 1, f"all on demand: {f.money(mix.safe)} an hour", align="center", dy=-10, tone="bad"),
    ]
    return stack(
        [
            {"kind": "each", "share": [share for share, _ in inside], "price": [price for _, price in inside]},
            {"kind": "demand", "price": 1.0},
            *marks.renamed(rows, "share", "price"),
        ]
    )


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Price of a mixed fleet against the share that is on demand."""
    x = axes.x("share:Q", "replicas on demand ÷ needed", [-0.03, 1.03], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    y = axes.y("price:Q", "price ÷ all on demand", [0, TOP], format=".0%", values=[0, 0.5, 1, 1.5, 2])
    base = alt.Chart().encode(x=x, y=y)
    each = base.transform_filter(only("each"))
    layers = [
        marks.level(base, "demand", color=look.bad, strokeDash=[8, 4], strokeWidth=1.5),
        each.mark_line(color=look.accent, strokeWidth=1, opacity=0.5).encode(order="share:Q"),
        each.mark_point(color=look.accent, filled=True, size=35, opacity=1),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def alt_words(mix: Mix) -> str:
    """The chart in one sentence with its numbers."""
    return (
        f"Price against replicas on demand: {f.money(mix.cost(mix.held))} an hour with {mix.held}; all on demand "
        f"costs {f.money(mix.safe)} an hour."
    )


def answers(mix: Mix) -> list[str]:
    """How many replicas are asked for, and what they cost."""
    spot, target = mix.spot(mix.held), f.share(mix.target, 5)
    together = f"in blocks of {mix.block} that vanish together" if mix.block > 1 else "each alone"
    if not spot:
        return [f"All on demand, {f.count(mix.needed, 'replica')} for {f.money(mix.safe)} an hour: nothing vanishes."]
    alone = replicas_for(mix.needed - mix.held, mix.up, mix.target)
    said = [
        f"**Ask for {f.count(spot, 'spot replica')}**, {together}, beside {mix.held} on demand: then at least "
        f"{f.count(mix.needed, 'replica')} {'is' if mix.needed == 1 else 'are'} up for {target} of the time.",
        f"That costs {f.money(mix.cost(mix.held))} an hour on average, against {f.money(mix.safe)} on demand. "
        "What is on demand is taken to be always up; a spot replica that is away costs nothing.",
    ]
    if mix.block > 1:
        said.insert(1, f"Were they to vanish each alone, {alone} would do.")
    return said


def mix_values(mix: Mix) -> dict[str, str]:
    """Numbers of the third act that the lesson's words need."""
    story = Mix(8, 0, 0.95, 0.999, 1, float(k.SPOT_PRICE), float(k.SPOT_ON_DEMAND_PRICE))
    blocks = Mix(8, 0, 0.95, 0.999, 4, float(k.SPOT_PRICE), float(k.SPOT_ON_DEMAND_PRICE))
    return {
        "mix_spot": f.count(mix.spot(mix.held), "spot replica"),
        "mix_held": str(mix.held),
        "mix_needed": f.count(mix.needed, "replica"),
        "mix_cost": f.money(mix.cost(mix.held), 4),
        "mix_safe": f.money(mix.safe, 4),
        "mix_target": f.share(mix.target, 5),
        "story_mix_alone": str(story.spot(0)),
        "story_mix_blocks": str(blocks.spot(0)),
        "story_mix_cost": f.money(story.cost(0)),
        "story_mix_blocks_cost": f.money(blocks.cost(0)),
        "story_mix_safe": f.money(story.safe),
    }
