"""DRF story: the complete log of both allocations, with the reason and effect of each step."""

import pandas as pd
import streamlit as st

from lessons.drf_story.settings import Scenario, say, signed
from physics.fairness import Allocation
from ui.base import format as f


def table(result: Allocation) -> pd.DataFrame:
    """Table of all steps of an allocation: served job, reason, and dominant shares."""
    rows = []
    for step in result.history:
        cells = {"Step": step["step"], "Served": step["name"], "Why": f"{step['reason']}."}
        rows.append(cells | shares(step["share_before"], step["share_after"]))
    return pd.DataFrame(rows)


def totals(scenario: Scenario, result: Allocation) -> pd.DataFrame:
    """Table of each job's dominant share before and after the whole allocation."""
    rows = []
    for job in scenario.table:
        amounts = zip(job.holds, scenario.pool, strict=False)
        before = max(amount / size for amount, size in amounts)
        cells = {"Job": job.name, "Executors": result.executors[job.name]}
        rows.append(cells | shares(before, result.dominant_share[job.name]))
    return pd.DataFrame(rows)


def shares(before: float, after: float) -> dict[str, str]:
    """Write a dominant share before and after a step, and its change.

    >>> shares(0.1, 0.125)["Change"], shares(0.5, 0.25)["Change"]
    ('+2.5%', '−25%')
    """
    change = signed(round(after - before, 9), f.share)
    return {"Before": f.share(before), "After": f.share(after), "Change": change}


def below(page, scenario: Scenario) -> None:
    """Draw the complete log in an expander that loads when it is opened."""
    expander = page.fold("All steps and reasons", "log", ":material/list_alt:")
    if expander is None:
        return
    with expander:
        st.caption(say("log_words", scenario))
        for label, result in scenario.both:
            st.markdown(f"**{label}**")
            st.table(totals(scenario, result).set_index("Job"))
            if result.history:
                st.table(table(result).set_index("Step"))
