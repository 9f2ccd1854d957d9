"""Policy trial, first picture: decide as the platform lead which of two policies to keep."""

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
#: Decisions after which the visitor may let the shorter mean decide the remaining trials.
ENOUGH = 3


def current_trial(trial: Trial, played: list[Played]) -> Played | None:
    """Return the visitor's trial in the picture; None before it is run."""
    if trial.number <= len(played):
        return played[trial.number - 1]
    return None


def calendar_weeks(way: str) -> dict[str, np.ndarray]:
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
    tried = current_trial(trial, trials.read(own))
    title = "Which policy would you keep?"
    if tried is None:
        text = say("not_run", trial)
        short = f"Trial {trial.number} has not been run yet."
        empty = stack([marks.label(0.7, 17, text, short=short)])
        return Figure("lead", title, empty, _spec(look, trial.way, 0), text)
    waits = tried.weeks(trial.way)
    means = written(waits)
    weeks = calendar_weeks(trial.way)
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
    undecided = 0 if tried.kept else trial.number
    alt_text = say("lead_chart", trial, a=means["A"], b=means["B"])
    return Figure("lead", title, stack(rows), _spec(look, trial.way, undecided), alt_text)


def _label(tried: Played, letter: str, mean: str, x: float) -> marks.Row:
    """Label of a policy's weeks: its letter, its mean, and its name once the trial is decided."""
    name = f"Policy {letter}"
    short = f"{letter}: {mean}"
    if tried.kept:
        policy = NAMES[tried.names[letter]]
        name = f"{letter} is {policy}"
        short = f"{letter}: {policy.split()[0]} {mean}"
    is_kept = tried.kept.upper() == letter
    if is_kept:
        name += ", kept"
    text = f"{name}: mean {mean}"
    return marks.label(x, HEIGHTS[letter], text, short=short, tone=TONES[letter], bold=is_kept)


@lru_cache(maxsize=16)
def _spec(look: Look, way: str, undecided: int) -> dict:
    """Specification: weeks as points, running means as lines, on an axis for calm and bad weeks.

    While the trial of the number `undecided` is not decided, its layers have names by which the
    page's style uncovers them week by week. The names of the next trial differ, so that the browser
    draws it anew. The number is 0 for a decided trial.
    """
    end = WEEKS if way == "replay" else 2 * WEEKS
    ticks = {"values": list(range(1, end + 1)), "format": "d", "grid": False}
    heights = {"type": "symlog", "constant": 5, "values": [0, 10, 30, 100, 300]}
    x = axes.x("x:Q", "week", [0.5, end + 0.5], **ticks)
    y = axes.y("y:Q", "mean wait (h)", [0, TOP], labelOverlap=False, **heights)
    tips = [alt.Tooltip("x:Q", title="week"), alt.Tooltip("y:Q", format=".1f", title="hours")]
    layers = []
    base = alt.Chart().encode(x=x, y=y)
    ordered = base.encode(tooltip=tips, order="x:Q")
    for letter, shape, turn in (("A", "circle", "first"), ("B", "triangle-up", "second")):
        color = look.color(TONES[letter])
        week = ordered.mark_point(filled=True, opacity=1, shape=shape, size=70, color=color)
        mean = ordered.mark_line(strokeWidth=look.stroke, color=color)
        when = turn if way == "after" else "both"
        for kind, layer in (("week", week), ("mean", mean)):
            layer = layer.transform_filter(only(f"{kind} {letter}"))
            if undecided:
                layer = layer.properties(name=f"filling_{when}_{kind}_{letter}_{undecided}")
            layers.append(layer)
    labels = marks.labels(base, look)
    if undecided:
        labels = labels.properties(name="filling_last")
    return specification(alt.layer(*layers, labels), look, height=240)


def remedies(trial: Trial) -> str:
    """Return the sentence on the kind of trial and the weeks that find the better policy."""
    return say("fix", trial)


def dots(played: list[Played], trial: Trial) -> str:
    """Write the trials as a row of dots with their count, and other kinds in a second row."""
    decided = [tried for tried in played if tried.kept]
    if not decided:
        return _dot_row("row_none", [], trial)
    text = _dot_row("row_kept", [tried.better(tried.kept) for tried in decided], trial)
    if len(decided) == MOST:
        text += f" {say('row_all', trial)}"
    if trial.way != "after":
        right = [tried.better(tried.shorter(trial.way)) for tried in decided]
        text += f"  \n{_dot_row(f'row_{trial.way}', right, trial)}"
    return text


def _dot_row(name: str, right: list[bool], trial: Trial) -> str:
    """Write a dot for each decision, right or wrong, and the sentence that counts wrong ones."""
    icons = "".join(RIGHT if is_right else WRONG for is_right in right)
    count = f.count(len(right), "trial")
    sentence = say(name, trial, bad=str(right.count(False)), n=count)
    return f"{icons}{OPEN * (MOST - len(right))} {sentence}"


def draw(page: Any, trial: Trial) -> None:
    """Draw the decision, its result, and a row of all trials so far."""
    name = page.lesson.id
    played = trials.read(ledger.own(name))
    controls = Controls(page, trial, played, page.earning())
    with st.container(horizontal=True, vertical_alignment="center", key=f"{name}_lead_line"):
        st.markdown(_status(trial, played), width="stretch")
        for button in controls.buttons():
            look = {"type": button.type, "icon": button.icon}
            st.button(button.label, key=f"{name}_{button.key}", on_click=button.act, **look)
    with st.container(key=f"{name}_dots"):
        st.markdown(dots(played, trial))


def _status(trial: Trial, played: list[Played]) -> str:
    """Return the sentence on what to do with the trial in the picture, or on the decision."""
    tried = current_trial(trial, played)
    if tried is None:
        return say("run_next", trial)
    if not tried.kept:
        return say("decide", trial)
    name = "kept_right" if tried.better(tried.kept) else "kept_wrong"
    text = say(name, trial, letter=tried.kept.upper())
    if trial.way != "after":
        text += f" {say('here', trial, letter=tried.shorter(trial.way))}"
    return text


class Button(NamedTuple):
    """A button under the picture."""

    label: str
    key: str
    act: Callable[[], None]
    type: str = "secondary"
    icon: str | None = None


class Controls(NamedTuple):
    """Buttons under the picture, and what a press on each of them does."""

    page: Any
    trial: Trial
    played: list[Played]
    earn: Callable[[], None] | None  #: unlocks the explanation

    def buttons(self) -> list[Button]:
        """Return the buttons for the trial in the picture."""
        number = len(self.played)
        if self.played and not self.played[-1].kept:
            if self.trial.number != number:
                back = partial(self.save, self.played, number)
                return [Button(f"Back to trial {number}", "run", back)]
            return [
                Button("Keep A", "keep_a", partial(self.decide, "a")),
                Button("Keep B", "keep_b", partial(self.decide, "b")),
            ]
        if number == MOST:
            buttons = [Button("Run ten new trials", "again", self.start_over, "tertiary")]
            if self.trial.way != "replay":
                look = ("primary", ":material/replay:")
                buttons.append(Button("Replay in a simulator", "replay", self.replay, *look))
            return buttons
        buttons = []
        if number >= ENOUGH:
            label = f"Decide {f.count(MOST - number, 'more trial')} by mean"
            buttons.append(Button(label, "rest", self.decide_rest))
        look = ("primary", ":material/play_arrow:")
        return [*buttons, Button(f"Run trial {number + 1}", "run", self.run_next, *look)]

    def save(self, played: list[Played], number: int) -> None:
        """Save trials and show one of them; all of them together unlock the explanation."""
        ledger.update(self.page.lesson.id, own=trials.write(played))
        state.put(f"{self.page.lesson.id}_number", number)
        self.page.lift()
        # The next trial is no change of a setting.
        self.page.hold(last=None)
        if self.earn and len(played) == MOST and played[-1].kept:
            self.earn()

    def decide(self, letter: str) -> None:
        """Keep the policy of this letter in the latest trial."""
        *others, latest = self.played
        self.save([*others, Played(latest.seed, letter)], len(self.played))

    def run_next(self) -> None:
        """Run a new trial."""
        self.save([*self.played, trials.draw()], len(self.played) + 1)

    def decide_rest(self) -> None:
        """Run all remaining trials, and keep the policy with the shorter mean in each."""
        played = [*self.played]
        while len(played) < MOST:
            drawn = trials.draw()
            played.append(Played(drawn.seed, drawn.shorter(self.trial.way)))
        self.save(played, MOST)

    def start_over(self) -> None:
        """Forget all trials, and run a first one with the policies one after the other."""
        state.put(f"{self.page.lesson.id}_way", "after")
        self.save([trials.draw()], 1)

    def replay(self) -> None:
        """Show the trials as a simulator would replay them."""
        state.put(f"{self.page.lesson.id}_way", "replay")


view = View("lead", figure=figure, draw=draw, remedies=remedies)
