"""Fair queueing, second act: a team that returns, job by job under four rules, as a picture and as a film."""

from functools import lru_cache

import altair as alt

from lessons.fair_queueing import flows
from lessons.fair_queueing.memory import days
from lessons.fair_queueing.settings import Turns, written
from physics import constants as k
from physics.films import Film, film
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack
from ui.films import Kind, Showing

#: The stretch that is shown, in days from B's return on.
FIRST, LAST = -5.0, 40.0
#: What is written on a box of the film before its team.
SHORT = {"fifo": "FIFO", "fair": "Fair share", "banked": "Banked", "sfq": "SFQ"}
#: Places side by side that make a server of the film, so that there is room for words.
WIDE = 4
#: A team's jobs wait in a line for each rule.
KINDS = {
    f"{rule} {flow}": Kind(name, tone, line)
    for line, rule in enumerate(SHORT)
    for flow, name, tone in (("A", "A ran alone", "s0"), ("B", "B returns", "s1"))
}


@lru_cache(maxsize=32)
def _rows(turns: Turns) -> dict[str, list]:
    """The jobs in sight: rule, flow, start and end [days]."""
    held: dict[str, list] = {"rule": [], "flow": [], "start": [], "end": []}
    for rule, words in flows.RULES.items():
        for flow, start, end in flows.served(turns, rule).between(FIRST * k.DAY, LAST * k.DAY):
            job = (words, flow, max(FIRST, start / k.DAY), min(LAST, end / k.DAY))
            for name, value in zip(held, job, strict=True):
                held[name].append(value)
    return held


def figure(turns: Turns, look: Look, guess: str | None = None, told: bool = False) -> Figure:
    """Whose job runs when, under four rules."""
    rows = [marks.label(0, next(iter(flows.RULES.values())), "B returns", dx=5, dy=-24, tone="quiet")]
    for rule, words in flows.RULES.items():
        wait = flows.served(turns, rule).wait("B" if rule == "fifo" else "A")
        if wait / k.DAY > LAST - 1e-9 and rule != "fifo":
            rows.append(
                marks.label(
                    LAST, words, f"A starts on day {f.significant(wait / k.DAY)} →", align="right", dx=-4, bold=True
                )
            )
    jobs = {"kind": "job"} | _rows(turns)
    frame = stack([jobs, {"kind": "return", "start": 0.0}, *marks.renamed(rows, "start", "rule")])
    title = "B returns: whose job runs when?"
    return Figure("flows", title, frame, _spec(look), alt_text(turns))


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """A row for each rule, a box for each job."""
    x = axes.x(
        "start:Q", "days after B's return; every job takes one", [FIRST, LAST], values=[0, 10, 20, 30, 40], grid=False
    )
    y = axes.y(
        "rule:N",
        None,
        flows.RULES.values(),
        paddingInner=0.3,
        paddingOuter=0.4,
        sort=list(flows.RULES.values()),
        labelLimit=190,
        domain=False,
        ticks=False,
    )
    base = alt.Chart().encode(x=x, y=y)
    colors = alt.Scale(domain=["A", "B"], range=list(look.series[:2]))
    legend = alt.Legend(title=None, orient="top", offset=4)
    box = base.transform_filter(only("job")).mark_bar(stroke=look.paper, strokeWidth=1)
    letter = base.transform_filter(only("job")).mark_text(
        color=look.paper, fontSize=look.text_size - 2, fontWeight="bold"
    )
    middle = axes.x("middle:Q", ends=[FIRST, LAST])
    layers = [
        box.encode(
            x2="end:Q", color=alt.Color("flow:N", scale=colors, legend=legend), tooltip=["flow:N", "start:Q", "end:Q"]
        ),
        letter.transform_calculate(middle="(datum.start + datum.end) / 2").encode(
            x=middle, text=alt.value({"expr": "width < 560 ? '' : datum.flow"})
        ),
        alt.Chart().transform_filter(only("return")).mark_rule(color=look.ink, strokeDash=[4, 3]).encode(x="start:Q"),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, 270, halo=False)


def alt_text(turns: Turns) -> str:
    """The picture in one sentence with its numbers."""
    waits = ", ".join(f"{words}: {_after(turns, rule)}" for rule, words in flows.RULES.items() if rule != "fifo")
    first = flows.served(turns, "fifo").wait("B")
    return (
        f"Jobs of two teams under four rules. Under FIFO B's first job starts after {days(first)}. A's next job after "
        f"B's return: {waits}."
    )


def _after(turns: Turns, rule: str) -> str:
    return days(flows.served(turns, rule).wait("A"))


def metrics(turns: Turns) -> list[Metric]:
    """Who waits under each rule."""
    first = flows.served(turns, "fifo").wait("B")
    return [
        Metric("FIFO: B waits", days(first), f"for A's {f.count(float(k.FAIR_QUEUED), 'waiting job')}"),
        Metric("Fair share: A waits", _after(turns, "fair"), f"half-life: {written(turns.remembered)}"),
        Metric("Banked: A waits", _after(turns, "banked"), "B has saved up its turns"),
        Metric("SFQ: A waits", _after(turns, "sfq"), "whoever is away saves nothing"),
    ]


def verdict(turns: Turns) -> Verdict:
    """Say what each rule remembers."""
    if turns.alone == 0:
        return Verdict(
            "A has not run alone, so there is nothing to bank or to forget: all rules but FIFO take turns at once.",
            None,
        )
    banked, fresh = (flows.served(turns, rule).wait("A") for rule in ("banked", "sfq"))
    if banked == fresh:
        return Verdict(
            f"B missed no more than one job of A: with banked turns as with SFQ A waits {days(banked)}.", None
        )
    return Verdict(
        f"With banked turns B catches up on all that it missed, and A waits {days(banked)}. SFQ remembers nothing of "
        f"it: A waits {days(fresh)}.",
        None,
    )


def words(turns: Turns) -> str:
    """What the rules are, in plain words."""
    text = (
        "FIFO serves in the order of arrival. Banked turns count what each team has been served over its weight, and "
        "serve the smaller count; whoever was away returns with an old, small count. SFQ (start-time fair queueing) "
        "lifts the count of whoever returns to where the others are. Fair share, on the cluster simulator, counts use "
        f"that fades with the half-life. A has {f.count(float(k.FAIR_QUEUED), 'more job')} waiting when B returns."
    )
    if turns.remembered < k.FAIR_FLOW_JOB and turns.weight_ratio != 1:
        text += (
            f" A half-life of {written(turns.remembered)} is shorter than a job here: all but the last job is nearly "
            "forgotten, and fair share no longer heeds the weights."
        )
    return text


@lru_cache(maxsize=16)
def _film(turns: Turns) -> Film:
    boxes, waiting = [], []
    first, last = -2 * k.DAY, (LAST - 10) * k.DAY
    for place, rule in enumerate(flows.RULES):
        found = flows.served(turns, rule)
        boxes += [
            (place * WIDE, place * WIDE + WIDE - 1, start, end, f"{rule} {flow}", f"{SHORT[rule]}: {flow}")
            for flow, start, end in found.between(first, last)
        ]
        waiting += [(WIDE, arrival, start, f"{rule} {flow}") for flow, arrival, start in found.waiting()]
    return film(len(flows.RULES) * WIDE, first, last, boxes, waiting)


def showing(turns: Turns) -> Showing:
    """The four servers, one below the other, and who waits before each, played in time."""
    order = ", ".join(flows.RULES.values())
    back = int(flows.served(turns, "fifo").flow.sum())
    return Showing(
        _film(turns),
        KINDS,
        caption=f"Four servers, from the top: {order}. Below, who waits before each, in order of arrival. The "
        f"film begins two days before B's return, and B comes with {f.count(back, 'job')}. It is computed from your "
        "settings; nothing in it is drawn by lot.",
        alt=f"A film of the same jobs on four servers: {order}. {alt_text(turns)}",
        columns=WIDE,
        tall=120,
        mark=12,
        unit=float(k.DAY),
        unit_name="days",
        lines=tuple(SHORT.values()),
    )
