"""Fair queueing, second act: a team that returns, job by job under four rules, as a picture and as a film."""

from functools import lru_cache

import altair as alt

from lessons.fair_queueing.runs import JOB, QUEUED
from lessons.fair_queueing.settings import Teams, days, half_life, say
from physics import constants as k
from physics.films import Film, film
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack
from ui.films import Kind, Showing

#: Rules in the order of the picture, and what is written on a box of the film before its team.
RULES = {"fifo": "FIFO (by arrival)", "fair": "Fair share", "banked": "Banked turns", "sfq": "SFQ"}
SHORT = RULES | {"fifo": "FIFO", "banked": "Banked"}
#: The stretch that is shown, in days from B's return on.
FIRST, LAST = -5.0, 40.0
#: Places side by side that make a server of the film, so that there is room for words.
WIDE = 4
#: A team's jobs wait in a line for each rule.
KINDS = {
    f"{rule} {flow}": Kind(name, tone, line)
    for line, rule in enumerate(SHORT)
    for flow, name, tone in (("A", "A ran alone", "s0"), ("B", "B returns", "s1"))
}


@lru_cache(maxsize=32)
def _rows(teams: Teams) -> dict[str, list]:
    """The jobs in sight: rule, flow, start and end [days]."""
    jobs = [
        (words, flow, max(FIRST, start / k.DAY), min(LAST, end / k.DAY))
        for rule, words in RULES.items()
        for flow, start, end in teams.served(rule).between(FIRST * k.DAY, LAST * k.DAY)
    ]
    return dict(zip(("rule", "flow", "start", "end"), map(list, zip(*jobs, strict=True)), strict=True))


def figure(teams: Teams, look: Look, guess: str | None = None, told: bool = False) -> Figure:
    """Whose job runs when, under four rules."""
    rows = [marks.label(0, RULES["fifo"], "B returns", dx=5, dy=-24, tone="quiet")]
    for rule, words in list(RULES.items())[1:]:
        if (day := teams.served(rule).wait("A") / k.DAY) > LAST - 1e-9:
            late = f"A starts on day {f.significant(day)} →"
            rows.append(marks.label(LAST, words, late, align="right", dx=-4, bold=True))
    jobs, back = {"kind": "job"} | _rows(teams), {"kind": "return", "start": 0.0}
    frame = stack([jobs, back, *marks.renamed(rows, "start", "rule")])
    return Figure("flows", "B returns: whose job runs when?", frame, _spec(look), alt_text(teams))


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """A row for each rule, a box for each job."""
    x = axes.x(
        "start:Q", "days after B's return; every job takes one", [FIRST, LAST], values=[0, 10, 20, 30, 40], grid=False
    )
    rows = {"paddingInner": 0.3, "paddingOuter": 0.4, "labelLimit": 190, "domain": False, "ticks": False}
    y = axes.y("rule:N", None, RULES.values(), sort=list(RULES.values()), **rows)
    base = alt.Chart().encode(x=x, y=y)
    colors = alt.Scale(domain=["A", "B"], range=list(look.series[:2]))
    whose = alt.Color("flow:N", scale=colors, legend=alt.Legend(title=None, orient="top", offset=4))
    job, middle = base.transform_filter(only("job")), axes.x("middle:Q", ends=[FIRST, LAST])
    letter = alt.value({"expr": "width < 560 ? '' : datum.flow"})
    layers = [
        job.mark_bar(stroke=look.paper, strokeWidth=1).encode(
            x2="end:Q", color=whose, tooltip=["flow:N", "start:Q", "end:Q"]
        ),
        job.transform_calculate(middle="(datum.start + datum.end) / 2")
        .mark_text(color=look.paper, fontSize=look.text_size - 2, fontWeight="bold")
        .encode(x=middle, text=letter),
        alt.Chart().transform_filter(only("return")).mark_rule(color=look.ink, strokeDash=[4, 3]).encode(x="start:Q"),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, 270, halo=False)


def _after(teams: Teams) -> dict[str, str]:
    """What A waits under each rule but FIFO, and B under FIFO."""
    return {rule: days(teams.served(rule).wait("B" if rule == "fifo" else "A")) for rule in RULES}


def alt_text(teams: Teams) -> str:
    """The picture in one sentence with its numbers."""
    return say("flows_chart", teams, **_after(teams))


def metrics(teams: Teams) -> list[Metric]:
    """Who waits under each rule."""
    after = _after(teams)
    return [
        Metric("FIFO: B waits", after["fifo"], f"for A's {f.count(QUEUED, 'waiting job')}"),
        Metric("Fair share: A waits", after["fair"], f"half-life: {half_life(teams.remembered)}"),
        Metric("Banked: A waits", after["banked"], "B has saved up its turns"),
        Metric("SFQ: A waits", after["sfq"], "whoever is away saves nothing"),
    ]


def verdict(teams: Teams) -> Verdict:
    """Say what each rule remembers."""
    if teams.alone == 0:
        return Verdict(say("flows_not_alone", teams))
    return Verdict(say("flows_alike" if teams.banked == teams.fresh else "flows", teams))


def words(teams: Teams) -> str:
    """What the rules are, in plain words."""
    short = teams.remembered < JOB and teams.weight_ratio != 1
    return f"{say('flows_words', teams)} {say('flows_short_memory', teams) if short else ''}".strip()


@lru_cache(maxsize=16)
def _film(teams: Teams) -> Film:
    boxes, waiting = [], []
    first, last = -2 * k.DAY, (LAST - 10) * k.DAY
    for place, rule in enumerate(RULES):
        found = teams.served(rule)
        boxes += [
            (place * WIDE, place * WIDE + WIDE - 1, start, end, f"{rule} {flow}", f"{SHORT[rule]}: {flow}")
            for flow, start, end in found.between(first, last)
        ]
        waiting += [(WIDE, arrival, start, f"{rule} {flow}") for flow, arrival, start in found.waiting()]
    return film(len(RULES) * WIDE, first, last, boxes, waiting)


def showing(teams: Teams) -> Showing:
    """The four servers, one below the other, and who waits before each, played in time."""
    caption, words = say("film", teams), f"{say('film_shows', teams)} {alt_text(teams)}"
    looks = {"columns": WIDE, "tall": 120, "mark": 12, "unit": float(k.DAY), "unit_name": "days"}
    return Showing(_film(teams), KINDS, caption=caption, alt=words, lines=tuple(SHORT.values()), **looks)
