"""DRF story: the four properties, which policy has which, and a pool for each that breaks one."""

from functools import lru_cache

import streamlit as st

from lessons.drf_story.jobs import RESOURCES, UNITS, Job
from lessons.drf_story.presets import COUNTEREXAMPLES
from lessons.drf_story.settings import Scenario, capacity, say
from physics.fairness import check_properties
from ui.base import format as f
from ui.base.lesson import Metric, Verdict
from ui.base.words import fill

#: What the literature and the tests of `physics.fairness` say of divisible executors without starts and limits.
PROPERTIES = {
    "DRF": (True, True, True, True),
    "Asset fairness": (False, True, True, True),
    "CEEI": (True, True, True, False),
    "One resource only": (False, True, True, True),
    "Round-robin": (False, False, True, False),
}
CHECKED = {"drf": "DRF", "asset": "Asset fairness", "ceei": "CEEI", "round_robin": "Round-robin"}
HEADS = ("Sharing incentive", "Envy-freeness", "Pareto efficiency", "Strategy-proofness")
GLOSSES = ("sharing_incentive", "envy_freeness", "pareto_efficiency", "strategy_proofness")


def metrics(scenario: Scenario) -> list[Metric]:
    """None: a property holds or not."""
    return []


def verdict(scenario: Scenario) -> Verdict:
    """Say what sets DRF apart."""
    return Verdict(say("properties", scenario))


def draw(page, scenario: Scenario) -> None:
    """Draw the table, what its heads mean, and a button for each counterexample."""
    wide_table(property_table())
    st.caption(say("properties_for", scenario))
    st.markdown("\n".join(f"- {say(name, scenario)}" for name in GLOSSES))
    st.markdown(say("counterexamples", scenario))
    with st.container(horizontal=True):
        for name in COUNTEREXAMPLES:
            preset, key = page.lesson.presets[name], f"{page.lesson.id}_case_{name}"
            st.button(preset.words, key=key, on_click=page.knobs.apply, args=(preset,))


def property_table() -> str:
    """Which policy has which property, as a Markdown table."""
    rows = [[policy, *map(_mark, holds)] for policy, holds in PROPERTIES.items()]
    return _table(rows)


@lru_cache(maxsize=32)
def checked(jobs: tuple[Job, ...], pool: tuple[float, ...]) -> str:
    """Check the properties on these very jobs, executors divisible, as a Markdown table. Takes a second or two."""
    rows = []
    for policy, label in CHECKED.items():
        found = check_properties([job.claimant() for job in jobs], capacity(pool), policy)
        less = "" if found.sharing_incentive else f": {', '.join(found.short_of_slice)} gets less"
        envy = "" if found.envy_freeness else f": {found.envious[0][0]} envies {found.envious[0][1]}"
        gain = ""
        if found.best_lie is not None:
            claim = ", ".join(f"{f.significant(found.best_lie[r])} {UNITS[r]}" for r in RESOURCES if found.best_lie[r])
            gain = f": {found.best_liar} gains {f.significant(found.best_lie_gain)} executors claiming {claim}"
        rows.append(
            [
                label,
                _mark(found.sharing_incentive) + less,
                _mark(found.envy_freeness) + envy,
                _mark(found.pareto_efficiency),
                _mark(found.best_lie is None) + gain,
            ]
        )
    return _table(rows)


def _table(rows: list[list[str]]) -> str:
    head = ["| Policy | " + " | ".join(HEADS) + " |", "|---" * (1 + len(HEADS)) + "|"]
    return "\n".join([*head, *("| " + " | ".join(row) + " |" for row in rows)])


def _mark(holds: bool) -> str:
    return ":green[:material/check: yes]" if holds else ":red[:material/close: no]"


def wide_table(text: str) -> None:
    """Draw a Markdown table whose short cells stay on one line; wider than the screen, it scrolls by itself."""
    lines = [
        "|".join(cell.strip().replace(" ", "\u00a0") if len(cell) < 24 else cell for cell in line.split("|"))
        for line in text.splitlines()
    ]
    st.markdown(fill("\n".join(lines), {}))
