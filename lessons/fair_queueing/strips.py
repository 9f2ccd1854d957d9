"""Fair queueing, first picture: whose job runs on each day, and how much past use still counts."""

from functools import lru_cache
from itertools import pairwise

import altair as alt
import numpy as np

from lessons.fair_queueing.settings import HALF_LIVES, SHOWN, Teams, days, half_life, say
from physics import constants as k
from ui.base.lesson import Figure, Grab, Outcome, View, verdict_of
from ui.charts import Look, axes, box, line, marks, plane, stack, upright
from ui.charts.handle import HELD, NEWS
from ui.knobs import remedies as search

DAY = float(k.DAY)
#: Top of the axis, and lower and upper edge of the strip of jobs above the lines of use [days].
TOP = 62.0
FOOT = 46.0
HEAD = 54.0
#: Position of each half-life's handle [days from B's return]; an infinite one is at the edge.
PLACES = {name: min(half_life / DAY, SHOWN - 1.0) for name, half_life in HALF_LIVES.items()}
#: Days after B's return on which A's next job starts according to each answer, and their names.
GUESSES = {"a": 852, "c": 7, "b": 30, "d": 3650}
GUESS_WORDS = {"a": "more than 2 years →", "c": "a week", "b": "a month", "d": "10 years →"}
#: Most use that has room below the strip of jobs [days].
MOST_USE = 44.0
#: Number of the half-life whose rows the browser draws: the one under the pointer, until the server
#: has its value.
_BETWEEN = [(left + right) / 2 for left, right in pairwise(PLACES.values())]
POINTED = " + ".join(f"(abs({HELD}.at) < {middle!r})" for middle in _BETWEEN)
VISIBLE = f"({NEWS} ? {POINTED} : datum.now)"
FILTER = f"!isValid(datum.half_life) || datum.half_life === {VISIBLE}"
OF_ONE = {"transform": [{"filter": FILTER}]}


def nearest(at: float) -> str:
    """Return the half-life whose handle is nearest to this number of days from B's return."""
    return min(PLACES, key=lambda name: abs(PLACES[name] - abs(at)))


def figure(teams: Teams, look: Look, guess: str | None = None) -> Figure:
    """Chart of the days around B's return, with rows for every half-life."""
    common: list[dict] = [{"kind": "return", "x": 0}]
    if guess in GUESSES:
        x = min(GUESSES[guess] + 0.5, SHOWN - 1)
        mark = {"shape": "triangle-up", "tone": "paper", "rim": "quiet", "rim_width": 2}
        text = {"short": "you said", "tone": "quiet", "dx": -13 if x > 20 else 13, "dy": 11}
        common.append(marks.point(x, FOOT - 2.6, **mark))
        common.append(marks.label(x, FOOT, f"you said: {GUESS_WORDS[guess]}", **text))
    rows = [*_rows(teams.alone, teams.weight_ratio), *marks.renamed(common, "day", "use")]
    handle = {"now": list(HALF_LIVES).index(teams.half_life), "told": -1.0}
    return Figure(
        "strips",
        "When does A's next job start? Drag the half-life.",
        stack([row | handle for row in rows]),
        _spec(look) | OF_ONE,
        say("strips_chart", teams),
        grab=Grab("half_life", choose=nearest),
    )


def pinned(teams: Teams, look: Look) -> Figure:
    """Chart of a pinned setting: the mark above A's next job."""
    rows = stack(marks.renamed([_next_job(teams)], "day", "use"))
    return Figure("strips", "", rows, _spec(look) | OF_ONE, say("strips_chart", teams))


@lru_cache(maxsize=64)
def _rows(alone: float, ratio: float) -> list[dict[str, object]]:
    """Rows for all half-lives, each row with the number of its half-life."""
    rows = []
    for number, name in enumerate(HALF_LIVES):
        teams = Teams(alone, name, ratio)
        of_half_life = [*_use_and_jobs(teams), *marks.renamed(_labels(teams), "day", "use")]
        rows += [row | {"half_life": number} for row in of_half_life]
    return rows


def _use_and_jobs(teams: Teams) -> list[dict[str, object]]:
    """Rows of the jobs on each day, and of remembered use until B has caught up with A."""
    alone = teams.alone / DAY
    past = np.arange(-min(alone, SHOWN), 0)
    growth = np.linspace(-min(alone, SHOWN), 0, 21)
    until = np.linspace(0, min(teams.locked_out / DAY, SHOWN - 1), 13)
    use_of_a = teams.counts_as * teams.kept(until * DAY)
    return [
        _jobs("A" * len(past), past) | {"counts": teams.kept((-past - 0.5) * DAY)},
        _jobs(teams.order()[:SHOWN], np.arange(SHOWN)),
        _use("A", growth, teams.counted((growth + alone) * DAY) / DAY),
        _use("A", until, use_of_a / DAY),
        _use("B", until, _use_of_b(teams, until * DAY) / DAY),
    ]


def _use_of_b(teams: Teams, time: np.ndarray) -> np.ndarray:
    """B's remembered use ÷ its weight at times after its return, all in seconds."""
    return teams.counted(time) / teams.weight_ratio


def _labels(teams: Teams) -> list[marks.Row]:
    """Points and labels: the handle of the half-life, both teams, and A's next job."""
    x = -PLACES[teams.half_life]
    wait = teams.wait / DAY
    words = f"half-life: {half_life(teams.remembered)}"
    if teams.half_life == "never":
        words = "nothing is forgotten"
    use = teams.counts_as / DAY
    alone_words = ""
    use_words = ""
    if teams.alone:
        alone_words = "A ran alone"
        use_words = "A's use"
    if use > MOST_USE:
        use_words = f"A's use: {days(teams.counts_as)} ↑"
    start = f"after {days(teams.wait)}"
    style = {"dy": -11, "tone": "s0"}
    next_style = {"short": start, "dx": -9 if wait > 20 else 17, "bold": True}
    rows = [
        marks.point(x, FOOT - 2.6, shape="triangle-up", size=170, tone="ink", role="handle"),
        marks.label(x, FOOT, words, dx=26 if x < -20 else -26, dy=13, bold=True),
        marks.label(0, HEAD, alone_words, dx=-6, **style),
        marks.label(0, min(use, MOST_USE - 4), use_words, dx=-6, **style),
        _next_job(teams),
        marks.label(min(wait, SHOWN), HEAD, f"A's next job: {start}", **next_style, **style),
    ]
    if wait >= 4:
        rows.append(marks.label(0, HEAD, "B", dx=6, bold=True, dy=-11, tone="s1"))
    met = teams.locked_out / DAY
    if 0 < met < SHOWN:
        side = {"dx": 10, "dy": -8}
        if met > 25:
            side = {"dx": -8, "dy": -12}
        y = _use_of_b(teams, np.array(min(met, SHOWN - 1)) * DAY) / DAY
        rows.append(marks.point(met, y, size=60, tone="ink"))
        rows.append(marks.label(met, y, "B has caught up", short="caught up", tone="s1", **side))
    return rows


def _use(team: str, days_from_return: np.ndarray, use: np.ndarray) -> dict[str, object]:
    """Row of the line of a team's remembered use [days], as far as there is room for it."""
    inside = use <= MOST_USE
    return {"kind": f"use of {team}", "day": days_from_return[inside], "use": use[inside]}


def _next_job(teams: Teams) -> marks.Row:
    """Mark above A's next job, at the edge of the picture if the job is outside."""
    # A mark beyond the edge would move the plot.
    x = min(teams.wait / DAY + 0.5, SHOWN - 1)
    return marks.point(x, HEAD + 2.8, shape="triangle-down", tone="s0", role="here")


def _jobs(order: str, day: np.ndarray) -> dict[str, object]:
    """Row of the boxes of one job per day, which count in full."""
    tones = ["s0" if team == "A" else "s1" for team in order]
    row = {"kind": "job", "team": list(order), "tone": tones, "day": day}
    return row | {"end": day + 1, "counts": 1.0}


@plane
def _spec(look: Look) -> tuple:
    """Specification: a strip of jobs above the lines of both teams' remembered use."""
    ticks = {"values": [-40, -30, -20, -10, 0, 10, 20, 30, 40], "grid": False}
    x = axes.x("day:Q", "days after B's return; every job takes one day", [-SHOWN, SHOWN], **ticks)
    y = axes.y("use:Q", "remembered use (days)", [0, TOP], values=[0, 10, 20, 30], grid=False)
    jobs = box(
        "job",
        x2="end:Q",
        y=alt.datum(FOOT),
        y2=alt.datum(HEAD),
        tooltip=["team:N", "day:Q", axes.tip("counts:Q", "share that counts", ".0%")],
        opacity={"expr": "0.12 + 0.88 * datum.counts"},
        stroke=look.paper,
        strokeWidth=1,
    )
    return x, y, jobs, upright("return", "ink"), line("use of A", "s0"), line("use of B", "s1")


@verdict_of(say)
def verdict(teams: Teams) -> Outcome:
    """Return the verdict on what determines the start of A's next job."""
    if teams.alone == 0:
        return "not_alone", None
    if teams.half_life == "never":
        return "never_forgotten", None
    if teams.locked_out > 0.75 * teams.longest:
        return "half_life_decides", None
    return "both_count", None


def remedies(teams: Teams) -> str:
    """Return a sentence with the smallest change of each setting that lets A start in time."""
    names = ("half_life", "weight_ratio")
    return search.fix_sentence(say, teams, lambda tried: tried.wait <= k.FAIR_WANTED, names)


view = View("strips", figure=figure, verdict=verdict, remedies=remedies, pinned=pinned)
