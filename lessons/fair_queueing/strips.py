"""Fair queueing, first picture: whose job runs on each day, and what of past use still counts."""

from functools import lru_cache
from itertools import pairwise

import altair as alt
import numpy as np

from lessons.fair_queueing.settings import HALF_LIVES, JOB, Teams, days, half_life, say
from lessons.fair_queueing.turns import SHOWN
from physics import constants as k
from ui.base.lesson import Figure, Grab, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack
from ui.knobs import remedies as search

#: Top of the axis of use, and the foot and the top of the strip of jobs above it [days].
TOP, FOOT, HEAD = 62.0, 46.0, 54.0
#: Days from B's return at which a half-life is held; one that never ends is held at the edge.
PLACES = {name: min(one / k.DAY, SHOWN - 1.0) for name, one in HALF_LIVES.items()}
#: Days after B's return on which A's next job starts, by the options of the message's question.
GUESSES = {"a": 1, "c": 7, "b": 15, "d": 30}
#: Number of the half-life whose rows are drawn: the one under the pointer until the server has heard of it.
_BETWEEN = [(one + other) / 2 for one, other in pairwise(PLACES.values())]
POINTED = " + ".join(f"(abs(grab.at[0]) < {place!r})" for place in _BETWEEN)
HELD = f"(isValid(grab.at) && grab.at[0] !== datum.told ? {POINTED} : datum.now)"


def nearest(at: float) -> str:
    """Return the half-life that is held at a number of days before, or after, B's return."""
    return min(PLACES, key=lambda name: abs(PLACES[name] - abs(at)))


def figure(teams: Teams, look: Look, guess: str | None = None) -> Figure:
    """The days before and after B's return; the rows hold them for every half-life, and the browser picks one's."""
    parts = [*_rows(teams.alone, teams.weight_ratio), *marks.renamed(_said(guess), "day", "use")]
    held = {"now": list(HALF_LIVES).index(teams.half_life), "told": 0.0}
    rows, title = stack([part | held for part in parts]), "When does A's next job start? Drag the half-life."
    grab = Grab("half_life", choose=nearest)
    return Figure("strips", title, rows, _spec(look), say("strips_chart", teams), grab=grab)


def _said(guess: str | None) -> list[dict[str, object]]:
    """The day that the visitor has said, under the strip."""
    if guess not in GUESSES:
        return []
    day = GUESSES[guess]
    words, looks = f"you said: day {day}", {"short": "you said", "align": "left", "dx": 9, "dy": 11}
    return [
        marks.point(day, FOOT - 2.6, shape="triangle-up", size=90, tone="paper", rim="quiet", rim_width=2),
        marks.label(day, FOOT, words, tone="quiet", **looks),
    ]


@lru_cache(maxsize=64)
def _rows(alone: float, ratio: float) -> list[dict[str, object]]:
    """The rows of all half-lives, each with the number of its own."""
    drawn = [(number, Teams(alone, name, ratio)) for number, name in enumerate(HALF_LIVES)]
    return [part | {"half_life": number} for number, teams in drawn for part in (*_past(teams), *_future(teams))]


def _past(teams: Teams) -> list[dict[str, object]]:
    """A's jobs before B's return, the growth of what they count as, and the mark of the half-life."""
    place, back = -PLACES[teams.half_life], round(teams.alone / JOB)
    words = "nothing is forgotten" if teams.half_life == "never" else f"half-life: {half_life(teams.remembered)}"
    side = {"align": "left", "dx": 10} if place < -20 else {"align": "right", "dx": -10}
    mark = marks.point(place, FOOT - 2.6, shape="triangle-up", size=170, tone="ink")
    rows = [mark, marks.label(place, FOOT, words, dy=13, bold=True, **side)]
    if not back:
        return marks.renamed(rows, "day", "use")
    count, days_before, grown = teams.counts_as / k.DAY, np.arange(-back, 0), np.linspace(-back, 0, 21)
    rows.append(marks.label(0, HEAD, "A ran alone", align="right", dx=-6, dy=-11, tone="s0"))
    rows.append(marks.label(0, count, "A's use", align="right", dx=-6, dy=-11, tone="s0"))
    jobs = {"day": days_before, "end": days_before + 1, "counts": _counts(teams, -days_before - 0.5)}
    use = {"kind": "use", "team": "A", "day": grown, "use": _used(teams, grown + back)}
    return [{"kind": "job", "team": "A"} | jobs, use, *marks.renamed(rows, "day", "use")]


def _future(teams: Teams) -> list[dict[str, object]]:
    """Whose job runs on each day, both counts of use until they meet, and when A's next job starts."""
    order, wait, met = teams.order()[:SHOWN], teams.wait / JOB, teams.locked_out / k.DAY
    until, title = np.linspace(0, min(met, SHOWN), 13), f"A's next job: after {days(teams.wait)}"
    use = {"kind": "use", "day": until}
    parts = [
        {"kind": "job", "team": list(order), "day": range(SHOWN), "end": range(1, SHOWN + 1), "counts": 1.0},
        use | {"team": "A", "use": teams.counts_as / k.DAY * _counts(teams, until)},
        use | {"team": "B", "use": _used(teams, until) / teams.weight_ratio},
    ]
    side = {"align": "right", "dx": -9} if wait > 20 else {"align": "left", "dx": 11}
    short = title.removeprefix("A's next job: ")
    rows = [_next(teams), marks.label(min(wait, SHOWN), HEAD, title, short=short, dy=-11, bold=True, tone="s0", **side)]
    if 0 < met < SHOWN:
        count = teams.at_the_meeting / k.DAY
        rows.append(marks.point(met, count, size=60, tone="ink"))
        rows.append(marks.label(met, count, "B's use is as large", short="B's use", dx=10, dy=-8, tone="s1"))
    if 4 <= wait < SHOWN:
        rows.append(marks.label(wait / 2, HEAD, "B", align="center", dy=-11, bold=True, tone="s1"))
    return [*parts, *marks.renamed(rows, "day", "use")]


def _next(teams: Teams) -> dict[str, object]:
    """The mark above A's next job, at the edge where that is out of sight."""
    return marks.point(min(teams.wait / JOB + 0.5, SHOWN), HEAD + 2.8, shape="triangle-down", tone="s0", role="here")


def pinned(teams: Teams, look: Look) -> Figure:
    """What a pinned scenario leaves on the picture: the mark above A's next job."""
    rows = stack(marks.renamed([_next(teams)], "day", "use"))
    return Figure("strips", "", rows, _spec(look), say("strips_chart", teams))


def _counts(teams: Teams, age: np.ndarray) -> np.ndarray:
    """Share of use of this age [days] that still counts [1]."""
    return 2.0 ** (-age * k.DAY / teams.remembered)


def _used(teams: Teams, time: np.ndarray) -> np.ndarray:
    """What a stretch of use counts as at its end, both in days."""
    return np.array([teams.counted(one * k.DAY) / k.DAY for one in time])


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """A strip of jobs over the two counts of use; of all rows those of one half-life are drawn."""
    ticks = {"values": [-40, -30, -20, -10, 0, 10, 20, 30, 40], "grid": False}
    x = axes.x("day:Q", "days after B's return; every job takes one day", [-SHOWN, SHOWN], **ticks)
    y = axes.y("use:Q", "use that counts (days)", [0, TOP], values=[0, 10, 20, 30, 40], grid=False)
    base = alt.Chart().encode(x=x, y=y)
    team = alt.Color("team:N", scale=alt.Scale(domain=["A", "B"], range=list(look.series[:2])), legend=None)
    counts = alt.Opacity("counts:Q", scale=alt.Scale(domain=[0, 1], range=[0.12, 1]), legend=None)
    tips = [alt.Tooltip("team:N"), alt.Tooltip("day:Q"), alt.Tooltip("counts:Q", format=".0%", title="still counts")]
    job = base.transform_filter(only("job")).mark_bar(stroke=look.paper, strokeWidth=1)
    use = base.transform_filter(only("use")).mark_line(strokeWidth=look.stroke)
    back = alt.Chart().mark_rule(color=look.ink, strokeDash=[4, 3]).encode(x=alt.datum(0))
    layers = [
        job.encode(x2="end:Q", y=alt.datum(FOOT), y2=alt.datum(HEAD), color=team, opacity=counts, tooltip=tips),
        back,
        use.encode(color=team, order="day:Q"),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    drawn = alt.layer(*layers).transform_filter(f"!isValid(datum.half_life) || datum.half_life === {HELD}")
    return specification(drawn, look, 300, halo=False)


def metrics(teams: Teams) -> list[Metric]:
    """The headline numbers of the first part."""
    return [
        Metric("A's next job starts", days(teams.wait), "after B's return"),
        Metric("A's use counts as", days(teams.counts_as), f"of {days(teams.alone)} alone"),
        Metric("B's use is as large", days(teams.locked_out), "after B's return"),
    ]


def verdict(teams: Teams) -> Verdict:
    """Say what decides when A's next job starts."""
    if teams.alone == 0:
        return Verdict(say("not_alone", teams))
    if teams.half_life == "never":
        return Verdict(say("never_forgotten", teams))
    if teams.remembered < JOB:
        return Verdict(say("short_memory", teams))
    return Verdict(say("half_life_decides" if teams.locked_out > 0.75 * teams.longest else "both_count", teams))


def words(teams: Teams) -> str:
    """What the picture shows."""
    return say("strips_words", teams, weighted="" if teams.weight_ratio == 1 else say("weighted", teams))


def remedies(teams: Teams) -> str:
    """The smallest change of each knob by which A's next job starts in time."""
    if teams.wait <= k.FAIR_WANTED:
        return ""
    found = search.remedies(teams, lambda tried: tried.wait <= k.FAIR_WANTED, ("half_life", "alone"))
    return say("remedies", teams, found=search.listed(found)) if found else say("no_remedy", teams)
