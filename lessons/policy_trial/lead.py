"""Policy trial, first picture: be the lead. Eight weeks of A, eight weeks of B; which one do you
keep?
"""

from functools import lru_cache, partial
from typing import Any

import altair as alt
import numpy as np
import streamlit as st

from lessons.policy_trial import own as trials
from lessons.policy_trial.own import MOST, WEEKS, Played
from lessons.policy_trial.settings import Trial, say
from physics import constants as k
from ui.base import format as f
from ui.base import state
from ui.base.lesson import Figure, Grab, Verdict
from ui.charts import Look, axes, marks, only, specification, stack
from ui.record import ledger

#: Top of the chart [h]; no week is longer.
TOP = 400.0
TONES = {"A": "accent", "B": "s1"}
NAMES = {"strict": "strict priority", "easy": "EASY"}
RIGHT = ":green[:material/check_circle:]"
WRONG = ":red[:material/cancel:]"
OPEN = ":material/radio_button_unchecked:"
#: Own decisions after which the shorter mean may decide the others.
ENOUGH = 3


def shown(trial: Trial, played: list[Played]) -> Played | None:
    """Return which of the visitor's trials the picture shows; None if it has not been run."""
    if trial.number <= len(played):
        return played[trial.number - 1]
    return None


def places(way: str) -> dict[str, np.ndarray]:
    """Calendar weeks of each policy by letter."""
    first = np.arange(1, WEEKS + 1)
    if way == "turns":
        return {"A": 2 * first - 1, "B": 2 * first}
    return {"A": first, "B": first + WEEKS * (way == "after")}


def told(found: dict[str, np.ndarray]) -> dict[str, str]:
    """Mean of each letter in hours; two that differ never look alike."""
    a, b = (float(found[letter].mean()) / k.HOUR for letter in "AB")
    return {"A": f"{f.apart(a, b)} h", "B": f"{f.apart(b, a)} h"}


def figure(trial: Trial, look: Look, own: str = "") -> Figure:
    """Weekly means and running means of the trial in sight; the names are told once it is decided."""
    one = shown(trial, trials.read(own))
    title = "Which policy would you keep?"
    if one is None:
        words = say("not_run", trial)
        return Figure(
            "lead", title, stack([marks.label(0.7, 17, words)]), _spec(look, trial.way, 0), words
        )
    found = one.weeks(trial.way)
    rows = []
    means = told(found)
    at = places(trial.way)
    for letter, values in found.items():
        hours = values / k.HOUR
        rows.append({"kind": f"week {letter}", "x": at[letter], "y": hours})
        rows.append(
            {
                "kind": f"mean {letter}",
                "x": at[letter],
                "y": np.cumsum(hours) / np.arange(1, WEEKS + 1),
            }
        )
        rows.append(_label(one, letter, means[letter], at[letter][0] - 0.3))
    alt = say("lead_chart", trial, a=means["A"], b=means["B"])
    return Figure(
        "lead", title, stack(rows), _spec(look, trial.way, 0 if one.kept else trial.number), alt
    )


def _label(one: Played, letter: str, mean: str, x: float) -> dict[str, object]:
    """Name a policy at the top of its weeks: by its letter, and once the trial is decided by its
    name.
    """
    if one.kept:
        name = f"{letter} is {NAMES[one.names[letter]]}"
    else:
        name = f"Policy {letter}"
    if one.kept.upper() == letter:
        kept = ", kept"
    else:
        kept = ""
    if letter == "A":
        y = 360
    else:
        y = 210
    if one.kept:
        short = f"{letter}: {NAMES[one.names[letter]].split()[0]} {mean}"
    else:
        short = f"{letter}: {mean}"
    return marks.label(
        x, y, f"{name}{kept}: mean {mean}", short=short, tone=TONES[letter], bold=bool(kept)
    )


@lru_cache(maxsize=16)
def _spec(look: Look, way: str, filling: int) -> dict:
    """Weeks as points, running means as lines, on an axis on which calm and bad weeks can both be
    read.

    While the trial of the number `filling` is undecided, its layers' names let the page's style
    uncover them week by week; the next one has other names, so that the browser draws it anew.
    """
    if way == "replay":
        end = WEEKS
    else:
        end = 2 * WEEKS
    x = axes.x(
        "x:Q", "week", [0.5, end + 0.5], values=list(range(1, end + 1)), format="d", grid=False
    )
    y = axes.y(
        "y:Q",
        "mean wait (h)",
        [0, TOP],
        type="symlog",
        constant=5,
        values=[0, 10, 30, 100, 300],
        labelOverlap=False,
    )
    tips = [alt.Tooltip("x:Q", title="week"), alt.Tooltip("y:Q", format=".1f", title="hours")]
    layers = []
    base = alt.Chart().encode(x=x, y=y)
    for letter, shape in (("A", "circle"), ("B", "triangle-up")):
        drawn = base.encode(tooltip=tips, order="x:Q")
        color = look.color(TONES[letter])
        week = drawn.mark_point(filled=True, opacity=1, shape=shape, size=70, color=color)
        mean = drawn.mark_line(strokeWidth=look.stroke, color=color)
        if way != "after":
            when = "both"
        elif letter == "A":
            when = "first"
        else:
            when = "second"
        for kind, layer in (("week", week), ("mean", mean)):
            layer = layer.transform_filter(only(f"{kind} {letter}"))
            layers.append(
                layer.properties(name=f"filling_{when}_{kind}_{letter}_{filling}")
                if filling
                else layer
            )
    labels = marks.labels(base, look)
    layers.append(labels.properties(name="filling_last") if filling else labels)
    return specification(alt.layer(*layers), look, height=240)


def verdict(trial: Trial) -> Verdict:
    """Say what both policies have in common in such a trial."""
    return Verdict(say(f"lead_{trial.way}", trial))


def remedies(trial: Trial) -> str:
    """Say which way and how many weeks find the better policy as often as the challenge asks."""
    return say("fix", trial)


def row(played: list[Played], trial: Trial) -> str:
    """Write the trials as a row of dots with their count; run in another way than one after the
    other, a second row.
    """
    done = [one for one in played if one.kept]

    def told(name: str, right: list[bool]) -> str:
        dots = "".join(RIGHT if one else WRONG for one in right) + OPEN * (MOST - len(done))
        return (
            f"{dots} {say(name, trial, bad=str(right.count(False)), n=f.count(len(done), 'trial'))}"
        )

    text = told("row_kept" if done else "row_none", [one.better(one.kept) for one in done])
    if len(done) == MOST:
        text += f" {say('row_all', trial)}"
    if trial.way != "after" and done:
        text += (
            f"  \n{told(f'row_{trial.way}', [one.better(one.shorter(trial.way)) for one in done])}"
        )
    return text


def draw(page: Any, trial: Trial) -> None:
    """Draw the decision, what it was, and the row of all trials so far."""
    name = page.lesson.id
    played = trials.read(ledger.own(name))
    one = shown(trial, played)
    earn = page.earning()

    def keep(found: list[Played], number: int) -> None:
        ledger.update(name, own=trials.write(found))
        page.knobs.turn(Grab("number"), trial, number)

    def decide(letter: str) -> None:
        keep([*played[:-1], Played(played[-1].seed, letter)], len(played))
        if earn:
            earn()

    def by_mean() -> None:
        more = [trials.draw() for _ in range(MOST - len(played))]
        keep([*played, *(Played(new.seed, new.shorter(trial.way)) for new in more)], MOST)

    def again() -> None:
        state.put(f"{name}_way", "after")
        keep([trials.draw()], 1)

    more = MOST - len(played)
    words = say("decide" if one else "run_next", trial)
    if one and one.kept:
        if one.better(one.kept):
            who = "kept_right"
        else:
            who = "kept_wrong"
        if trial.way != "after":
            here = f" {say('here', trial, letter=one.shorter(trial.way))}"
        else:
            here = ""
        words = say(who, trial, letter=one.kept.upper()) + here
    if one and not one.kept:
        acts = [
            (f"Keep {letter.upper()}", f"keep_{letter}", partial(decide, letter), {})
            for letter in "ab"
        ]
    elif played and not played[-1].kept:
        acts = [(f"Back to trial {len(played)}", "run", partial(keep, played, len(played)), {})]
    elif more:
        act = partial(keep, [*played, trials.draw()], len(played) + 1)
        looks = {"icon": ":material/play_arrow:"}
        acts = [(f"Let the shorter mean decide {more} more", "rest", by_mean, {})] * (
            len(played) >= ENOUGH
        )
        acts.append((f"Run trial {len(played) + 1}", "run", act, looks | {"type": "primary"}))
    else:
        same = partial(state.put, f"{name}_way", "replay")
        looks = {"icon": ":material/replay:", "type": "primary"}
        acts = [("Run ten new trials", "again", again, {"type": "tertiary"})]
        acts += [("Replay the same weeks", "replay", same, looks)] * (trial.way != "replay")
    with st.container(horizontal=True, vertical_alignment="center", key=f"{name}_lead_line"):
        st.markdown(words, width="stretch")
        for label, key, act, looks in acts:
            st.button(label, key=f"{name}_{key}", on_click=act, **looks)
    with st.container(key=f"{name}_dots"):
        st.markdown(row(played, trial))
