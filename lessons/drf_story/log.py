"""DRF story: the complete log of both allocations, with the reason and effect of each step."""

import pandas as pd
import streamlit as st

from lessons.drf_story.settings import Scenario, say, signed
from physics.fairness import Allocation
from ui.base import format as f


def table(result: Allocation) -> pd.DataFrame:
    """Table of all steps of an allocation: served job, reason, and dominant shares."""
    rows = []
    for row in result.history:
        what = {"Step": row["step"], "Served": row["name"], "Why": f"{row['reason']}."}
        rows.append(what | shares(row["share_before"], row["share_after"]))
    return pd.DataFrame(rows)


def totals(scenario: Scenario, result: Allocation) -> pd.DataFrame:
    """Table of each job's dominant share before and after the whole allocation."""
    rows = []
    for job in scenario.table:
        amounts = zip(job.holds, scenario.pool, strict=False)
        before = max(amount / size for amount, size in amounts)
        what = {"Job": job.name, "Executors": result.executors[job.name]}
        rows.append(what | shares(before, result.dominant_share[job.name]))
    return pd.DataFrame(rows)


def shares(before: float, after: float) -> dict[str, str]:
    """Write a dominant share before and after a step, and its change.

    >>> shares(0.1, 0.125)["Change"], shares(0.5, 0.25)["Change"]
    ('+2.5%', '−25%')
    """
    gained = signed(round(after - before, 9), f.share)
    return {"Before": f.share(before), "After": f.share(after), "Change": gained}


def below(page, scenario: Scenario) -> None:
    """Draw the complete log in an expander that loads when it is opened."""
    box = page.fold("All steps and reasons", "log", ":material/list_alt:")
    if box is None:
        return
    with box:
        st.caption(say("log_words", scenario))
        for label, result in scenario.both:
            st.markdown(f"**{label}**")
            st.table(totals(scenario, result).set_index("Job"))
            if result.history:
                st.table(table(result).set_index("Step"))
