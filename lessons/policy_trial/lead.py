"""Policy trial, first picture: decide as the platform lead.

Eight weeks of A, eight weeks of B; which one do you keep?
"""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import streamlit as st

from lessons.policy_trial import trials
from lessons.policy_trial.settings import Trial, say
from lessons.policy_trial.trials import MOST, WEEKS, Played
from physics import constants as k
from ui.base import format as f
from ui.base import state
from ui.base.lesson import Figure, View
from ui.charts import Look, axes, marks, only, specification, stack
from ui.record import ledger

#: Top of the chart [h]; no week is longer.
TOP = 400.0
TONES = {"A": "accent", "B": "s1"}
#: Heights of the policies' labels [h].
HEIGHTS = {"A": 360, "B": 210}
NAMES = {"strict": "strict priority", "easy": "EASY"}
RIGHT = ":green[:material/check_circle:]"
WRONG = ":red[:material/cancel:]"
OPEN = ":material/radio_button_unchecked:"
#: Own decisions after which the shorter mean may decide the others.
ENOUGH = 3


def shown(trial: Trial, played: list[Played]) -> Played | None:
    """Return the visitor's trial shown in the picture; None before it is run."""
    if trial.number <= len(played):
        return played[trial.number - 1]
    return None


def places(way: str) -> dict[str, np.ndarray]:
    """Calendar weeks of each policy, by letter."""
    first = np.arange(1, WEEKS + 1)
    if way == "turns":
        return {"A": 2 * first - 1, "B": 2 * first}
    return {"A": first, "B": first + WEEKS * (way == "after")}


def written(waits: dict[str, np.ndarray]) -> dict[str, str]:
    """Mean wait by the policy's letter, as text in hours with enough digits to differ."""
    a = float(waits["A"].mean()) / k.HOUR
    b = float(waits["B"].mean()) / k.HOUR
    return {"A": f"{f.apart(a, b)} h", "B": f"{f.apart(b, a)} h"}


def figure(trial: Trial, look: Look, own: str = "") -> Figure:
    """Chart of the current trial's weekly and running means."""
    tried = shown(trial, trials.read(own))
    title = "Which policy would you keep?"
    if tried is None:
        text = say("not_run", trial)
        short = f"Trial {trial.number} has not been run yet."
        empty = stack([marks.label(0.7, 17, text, short=short)])
        return Figure("lead", title, empty, _spec(look, trial.way, 0), text)
    waits = tried.weeks(trial.way)
    means = written(waits)
    weeks = places(trial.way)
    rows = []
    for letter, values in waits.items():
        hours = values / k.HOUR
        x = weeks[letter]
        running = np.cumsum(hours) / np.arange(1, WEEKS + 1)
        rows += [
            {"kind": f"week {letter}", "x": x, "y": hours},
            {"kind": f"mean {letter}", "x": x, "y": running},
            _label(tried, letter, means[letter], x[0] - 0.3),
        ]
    filling = 0 if tried.kept else trial.number
    alt_text = say("lead_chart", trial, a=means["A"], b=means["B"])
    return Figure("lead", title, stack(rows), _spec(look, trial.way, filling), alt_text)


def _label(tried: Played, letter: str, mean: str, x: float) -> dict[str, object]:
    """Name a policy at the top of its weeks: by its letter, and once the trial is decided by its
    name.
    """
    name = f"Policy {letter}"
    short = f"{letter}: {mean}"
    if tried.kept:
        policy = NAMES[tried.names[letter]]
        name = f"{letter} is {policy}"
        short = f"{letter}: {policy.split()[0]} {mean}"
    style = {"short": short, "tone": TONES[letter], "bold": tried.kept.upper() == letter}
    if style["bold"]:
        name += ", kept"
    return marks.label(x, HEIGHTS[letter], f"{name}: mean {mean}", **style)


@lru_cache(maxsize=16)
def _spec(look: Look, way: str, filling: int) -> dict:
    """Weeks as points, running means as lines, on an axis on which calm and bad weeks can both be
    read.

    While the trial of the number `filling` is undecided, its layers' names let the page's style
    uncover them week by week; the next one has other names, so that the browser draws it anew.
    """
    end = WEEKS if way == "replay" else 2 * WEEKS
    ticks = {"values": list(range(1, end + 1)), "format": "d", "grid": False}
    heights = {"type": "symlog", "constant": 5, "values": [0, 10, 30, 100, 300]}
    x = axes.x("x:Q", "week", [0.5, end + 0.5], **ticks)
    y = axes.y("y:Q", "mean wait (h)", [0, TOP], labelOverlap=False, **heights)
    tips = [alt.Tooltip("x:Q", title="week"), alt.Tooltip("y:Q", format=".1f", title="hours")]
    layers = []
    base = alt.Chart().encode(x=x, y=y)
    for letter, shape in (("A", "circle"), ("B", "triangle-up")):
        drawn = base.encode(tooltip=tips, order="x:Q")
        color = look.color(TONES[letter])
        week = drawn.mark_point(filled=True, opacity=1, shape=shape, size=70, color=color)
        mean = drawn.mark_line(strokeWidth=look.stroke, color=color)
        when = "both"
        if way == "after":
            when = {"A": "first", "B": "second"}[letter]
        for kind, layer in (("week", week), ("mean", mean)):
            layer = layer.transform_filter(only(f"{kind} {letter}"))
            if filling:
                layer = layer.properties(name=f"filling_{when}_{kind}_{letter}_{filling}")
            layers.append(layer)
    labels = marks.labels(base, look)
    if filling:
        labels = labels.properties(name="filling_last")
    return specification(alt.layer(*layers, labels), look, height=240)


def remedies(trial: Trial) -> str:
    """Return which kind of trial, and how many weeks, find the better policy."""
    return say("fix", trial)


def row(played: list[Played], trial: Trial) -> str:
    """Write the trials as a row of dots with their count, and other kinds in a second row."""
    decided = [tried for tried in played if tried.kept]
    if not decided:
        return _dots("row_none", [], trial)
    text = _dots("row_kept", [tried.better(tried.kept) for tried in decided], trial)
    if len(decided) == MOST:
        text += f" {say('row_all', trial)}"
    if trial.way != "after":
        right = [tried.better(tried.shorter(trial.way)) for tried in decided]
        text += f"  \n{_dots(f'row_{trial.way}', right, trial)}"
    return text


def _dots(name: str, right: list[bool], trial: Trial) -> str:
    """Write a dot for each decision, right or wrong, and how many are wrong."""
    dots = "".join(RIGHT if is_right else WRONG for is_right in right)
    count = f.count(len(right), "trial")
    counted = say(name, trial, bad=str(right.count(False)), n=count)
    return f"{dots}{OPEN * (MOST - len(right))} {counted}"


def draw(page: Any, trial: Trial) -> None:
    """Draw the decision, its result, and a row of all trials so far."""
    name = page.lesson.id
    played = trials.read(ledger.own(name))
    with st.container(horizontal=True, vertical_alignment="center", key=f"{name}_lead_line"):
        st.markdown(_told(trial, played), width="stretch")
        for button in _buttons(page, trial, played):
            look = {"type": button.type, "icon": button.icon}
            st.button(button.label, key=f"{name}_{button.key}", on_click=button.act, **look)
    with st.container(key=f"{name}_dots"):
        st.markdown(row(played, trial))


class Button(NamedTuple):
    """A button under the picture."""

    label: str
    key: str
    act: Callable[[], None]
    type: str = "secondary"
    icon: str | None = None


def _told(trial: Trial, played: list[Played]) -> str:
    """Say what to do with the trial in sight, or what was done."""
    tried = shown(trial, played)
    if tried is None:
        return say("run_next", trial)
    if not tried.kept:
        return say("decide", trial)
    name = "kept_right" if tried.better(tried.kept) else "kept_wrong"
    text = say(name, trial, letter=tried.kept.upper())
    if trial.way != "after":
        text += f" {say('here', trial, letter=tried.shorter(trial.way))}"
    return text


def _buttons(page: Any, trial: Trial, played: list[Played]) -> list[Button]:
    """Return what may be done with the trial in sight."""
    earn = page.earning()

    def keep(kept: list[Played], number: int) -> None:
        """Keep the trials and show one; only all of them together earn the explanation."""
        ledger.update(page.lesson.id, own=trials.write(kept))
        state.put(f"{page.lesson.id}_number", number)
        page.lift()
        # To go on to the next trial is no turn of a knob.
        page.hold(last=None)
        if earn and len(kept) == MOST and kept[-1].kept:
            earn()

    def decide(letter: str) -> None:
        keep([*played[:-1], Played(played[-1].seed, letter)], len(played))

    def run_next() -> None:
        keep([*played, trials.draw()], len(played) + 1)

    def decide_rest() -> None:
        rest = []
        for _ in range(MOST - len(played)):
            drawn = trials.draw()
            rest.append(Played(drawn.seed, drawn.shorter(trial.way)))
        keep([*played, *rest], MOST)

    def again() -> None:
        state.put(f"{page.lesson.id}_way", "after")
        keep([trials.draw()], 1)

    def replay() -> None:
        state.put(f"{page.lesson.id}_way", "replay")

    if played and not played[-1].kept:
        number = len(played)
        if trial.number != number:
            return [Button(f"Back to trial {number}", "run", partial(keep, played, number))]
        return [
            Button("Keep A", "keep_a", partial(decide, "a")),
            Button("Keep B", "keep_b", partial(decide, "b")),
        ]
    buttons = []
    more = MOST - len(played)
    if more and len(played) >= ENOUGH:
        buttons.append(Button(f"Decide {f.count(more, 'more trial')} by mean", "rest", decide_rest))
    if more:
        label = f"Run trial {len(played) + 1}"
        buttons.append(Button(label, "run", run_next, "primary", ":material/play_arrow:"))
        return buttons
    buttons.append(Button("Run ten new trials", "again", again, "tertiary"))
    if trial.way != "replay":
        icon = ":material/replay:"
        buttons.append(Button("Replay in a simulator", "replay", replay, "primary", icon))
    return buttons


view = View("lead", figure=figure, draw=draw, remedies=remedies)
