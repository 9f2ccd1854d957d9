"""Notebook sharing: ANTT and STP of every combination of A to D as a heat map."""

import math
from dataclasses import replace
from functools import lru_cache

import altair as alt
import pandas as pd

from lessons.notebook_sharing.settings import SCHEDULERS, Study, table
from physics import constants as k
from physics.notebooks.study import COMBINATIONS
from ui.base import format as f
from ui.charts import axes
from ui.charts.look import Look, only, specification

#: The loss of the presets, to compare with none.
CROWDED = 0.2


def combination_frame(study: Study) -> pd.DataFrame:
    """Rows of the heat map: ANTT and STP of every combination and scheduler, and how far each is behind the best."""
    return _combination_frame(replace(study, combination="ABCD", scheduler="dynamic", bound=1.5))


@lru_cache(maxsize=64)
def _combination_frame(study: Study) -> pd.DataFrame:
    rows: list[tuple] = []
    for block, measure in enumerate(("ANTT", "STP")):
        left = 0.8 + block * 3.4
        rows.append(("measure", "", "", measure, math.nan, 0.0, left + 1.5, -1.55, _measure_words(measure)))
        for column, words in enumerate(SCHEDULERS.values()):
            rows.append(("head", "", words, measure, math.nan, 0.0, left + column + 0.5, -0.6, words))
        for place, (names, found) in enumerate(table(study).items()):
            values = {name: measures[measure.lower()] for name, measures in found.items()}
            best = min(values.values()) if measure == "ANTT" else max(values.values())
            if not block:
                rows.append(("row", names, "", "", math.nan, 0.0, 0.7, place + 0.5, names))
            for column, (name, value) in enumerate(values.items()):
                behind = _behind(value, best) if measure == "ANTT" else _behind(best, value)
                kind = "best" if behind < 1e-9 else "value"
                at = (left + column + 0.5, place + 0.5)
                rows.append((kind, names, SCHEDULERS[name], measure, value, min(behind, 1.0), *at, f"{value:.2f}"))
    columns = ["kind", "combination", "scheduler", "measure", "value", "behind", "x", "y", "label"]
    frame = pd.DataFrame(rows, columns=columns)
    frame["label"] = frame["label"].str.replace("inf", "∞")
    return frame


def _behind(worse: float, better: float) -> float:
    return 0.0 if worse == better else worse / better - 1 if better > 0 else math.inf


def _measure_words(measure: str) -> str:
    return "ANTT, lower is better" if measure == "ANTT" else "STP, higher is better"


@lru_cache(maxsize=8)
def combination_spec(look: Look) -> dict:
    """A heat map with its numbers; the best scheduler of each combination is framed and bold."""
    rows = len(COMBINATIONS)
    across = {"ends": [0, 7.3], "axis": None}
    # Below the last row, at the left, stands the word that opens the table.
    down = {"ends": [rows + 1.2, -2], "axis": None}
    base = alt.Chart().encode(x=axes.x("x:Q", **across), y=axes.y("y:Q", **down))
    tips = [alt.Tooltip(f"{name}:N") for name in ("combination", "scheduler", "measure", "label")]
    shade = alt.Opacity("behind:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.6], clamp=True), legend=None)

    def text(kind: str, **options: object) -> alt.Chart:
        size = look.text_size if kind in ("measure", "head", "row") else look.text_size - 1
        mark = base.transform_filter(only(kind)).mark_text(color=look.ink, fontSize=size, **options)
        return mark.encode(text="label:N")

    # On a phone there is room for the first letters only.
    narrow = {"expr": "width < 480 ? slice(datum.label, 0, 4) + '.' : datum.label"}

    box = base.transform_calculate(x1="datum.x - 0.48", x9="datum.x + 0.48", y1="datum.y - 0.46", y9="datum.y + 0.46")
    area = {"x": axes.x("x1:Q", **across), "x2": "x9:Q", "y": axes.y("y1:Q", **down), "y2": "y9:Q"}
    layers = [
        box.transform_filter(only("value"))
        .mark_rect(color=look.bad, tooltip=True)
        .encode(**area, opacity=shade, tooltip=tips),
        box.transform_filter(only("best"))
        .mark_rect(fill=look.paper, stroke=look.good, strokeWidth=2, tooltip=True)
        .encode(**area, tooltip=tips),
        text("value"),
        text("best", fontWeight="bold"),
        text("row", align="right"),
        base.transform_filter(only("head")).mark_text(color=look.ink, fontSize=look.text_size, text=narrow),
        text("measure", fontWeight="bold"),
    ]
    return specification(alt.layer(*layers), look, 405, halo=False)


@lru_cache(maxsize=8)
def ahead(loss: float, scheduler: str, cores: int = int(k.NOTEBOOK_CORES)) -> int:
    """Number of combinations of more than one notebook in which a scheduler has the lowest ANTT [1]."""
    several = [row for names, row in table(Study(loss=loss, cores=cores)).items() if len(names) > 1]
    return sum(row[scheduler]["antt"] <= min(one["antt"] for one in row.values()) * (1 + 1e-9) for row in several)


def combination_words(study: Study) -> str:
    """Say in how many combinations each scheduler is best."""
    rows = combination_frame(study)
    many = rows[rows["combination"].str.len() > 1]
    parts = []
    for measure in ("ANTT", "STP"):
        best = many[(many["kind"] == "best") & (many["measure"] == measure)]["scheduler"].value_counts()
        said = ", ".join(f"{words.lower()} in {best.get(words, 0)}" for words in SCHEDULERS.values())
        parts.append(f"{measure} is best under {said}")
    count = many["combination"].nunique()
    return (
        f"On your {study.cores} cores, with {f.duration(study.overhead)} of overhead per cell under dynamic and "
        f"{f.share(study.loss)} of oversubscription loss under naive: of the {count} combinations of more than one "
        f"notebook, {'; '.join(parts)} (ties count for each)."
    )
