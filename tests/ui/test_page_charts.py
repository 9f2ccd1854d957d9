"""Every chart of every view, for those who cannot see it: a sentence with the page's numbers, and a
table with rows.
"""

import json
import math
import re

import pyarrow as pa
import pytest
from driving import charts as charts_of
from driving import each_lesson, metrics, put, texts, undescribed, unlocked
from driving import keys as keys_of

pytestmark = pytest.mark.slow

NUMBER = r"\d[\d,]*(?:\.\d+)?"
#: What a figure in words may be the multiple of: shares in percent, times in minutes, hours and
#: days, decimal prefixes.
SCALES = [1, 0.01, 1e3, 1e6, 1e9, 1e12, 24, 60, 3600, 86400]
#: Combinations of two or more of the four notebooks: no chart's data holds their number.
ELSEWHERE = {2.0**4 - 4 - 1}
#: Charts whose words add rows up: sums that stand in no row and nowhere else on the page.
SUMS = {"A week, GPU by GPU", "One job's hours", "The pool", "Your own jobs"}


def numbers(text: str) -> set[float]:
    return {float(found.replace(",", "")) for found in re.findall(NUMBER, text)}


def rows_of(chart):
    """The frame that a chart is drawn from."""
    return pa.ipc.open_stream(
        chart.proto.data.data or chart.proto.datasets[0].data.data
    ).read_pandas()


def drawn(chart) -> list[float]:
    """All numbers of a chart's data, and how many rows and kinds of anything it has."""
    frame = rows_of(chart)
    values = [value for column in frame.select_dtypes("number") for value in frame[column]]
    counts = [len(frame), *(frame[column].nunique() for column in frame)]
    return [float(value) for value in [*values, *counts] if math.isfinite(value)]


#: Columns that rows have only beside a pinned scenario or a guess.
WHEN_PINNED = {"pin", "said"}


def strangers(chart) -> set[str]:
    """Fields that a chart's specification names and neither its rows nor its own transforms
    have.
    """
    named = set()
    made = set(rows_of(chart).columns)
    parts = [json.loads(chart.spec)]
    while parts:
        part = parts.pop()
        if isinstance(part, dict) and part.get("name") not in (
            "ring",
            "grab",
        ):  # a ring makes its curve's fields anew, and bands have rows of their own
            if isinstance(part.get("field"), str):
                named |= {part["field"]}
            else:
                named |= set()
            also = part.get("as", [])
            if isinstance(also, str):
                made |= {also}
            else:
                made |= set(also)
            parts += [one for name, one in part.items() if name != "datasets"]
        elif isinstance(part, list):
            parts += part
    return named - made - WHEN_PINNED


def players(app) -> list:
    """The players of films on a page, as the page sent them."""
    return [element.proto for element in app.get("bidi_component")]


def folds(app) -> list:
    """What opens on a page: expanders and popovers."""
    return [*app.expander, *app.get("popover")]


@each_lesson()
def test_every_chart_of_every_view_says_its_numbers_and_has_a_table_with_rows(lesson):
    app = unlocked(
        lesson, {"reflections": {lesson.id: lesson.reflection.right}}
    )  # nothing is held back
    offered = app.segmented_control(key=f"{lesson.id}_view").options
    assert len(offered) >= 2
    for view in offered:
        put(app, f"{lesson.id}_view", view)
        assert not undescribed(keys_of(app), lesson.id)
        if not app.get(
            "vega_lite_chart"
        ):  # a film, tables, or a simulation to be started instead of a chart
            tabled = app.dataframe or any("|---" in text for text in texts(app))
            tabled = tabled or any((button.key or "").endswith("_run") for button in app.button)
            assert any("_film_" in player.id for player in players(app)) or tabled, view
            continue
        keys = [box.key or "" for box in folds(app)]
        tables = [key for key in keys if key.endswith("_table") and "_film_" not in key]
        for key in tables:
            app.session_state[key] = True
        app.run()
        assert not app.exception
        charts = charts_of(app)
        assert len(charts) == len(set(tables)) >= 1, view
        shown = [box.get("dataframe")[0].value for box in folds(app) if box.key in tables]
        assert len(shown) == len(charts) and all(
            len(rows) > 0 and len(rows.columns) > 1 for rows in shown
        ), view
        headlines = numbers(
            " ".join(metrics(app).values()) + " ".join(metric.delta or "" for metric in app.metric)
        )
        alts = [chart.alt for chart in charts]
        assert len(set(alts)) == len(alts)
        if view == offered[0]:
            assert numbers(alts[0]) & headlines, (
                f"the main chart says none of {headlines}: {alts[0]}"
            )
        said = set().union(*(numbers(text) for text in texts(app) if text not in alts))
        for chart, alt in zip(charts, alts, strict=True):
            assert not strangers(chart), view
            data = drawn(chart)
            true = {n for n in numbers(alt) if n in said or any(_same(n, value) for value in data)}
            true |= numbers(alt) & ELSEWHERE
            assert true - {0.0, 1.0} or numbers(alt) == {0.0}, (
                f"{view}: no number of the page or of the chart in {alt}"
            )
            assert view in SUMS or true == numbers(alt), (
                f"{view}: {numbers(alt) - true} is nowhere, in {alt}"
            )


def _same(number: float, value: float) -> bool:
    """Whether a figure of three digits is a value of the data in some unit."""
    return any(math.isclose(number * scale, value, rel_tol=5e-3) for scale in SCALES)


@each_lesson()
def test_a_projectors_picture_with_numbers_beside_it_is_half_as_high_as_wide(lesson):
    # It is 724 px wide there.
    first = lesson.pictures[0]
    heights = [
        json.loads(chart.spec)["height"] for chart in charts_of(unlocked(lesson.page, present="1"))
    ]
    assert heights
    if first.beside is None:
        assert 0.48 < heights[0] / 724 < 0.6
