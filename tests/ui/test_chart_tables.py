"""The tables under charts: data with names and units, and nothing of how a chart is drawn."""

import pandas as pd
import pytest
from driving import BY_ID, each_picture, quick

from lessons import LESSONS
from lessons.utilization_trap.settings import Fleet
from ui.base.lesson import Film
from ui.charts import tables
from ui.charts.look import Look

#: Columns that say how a row is drawn, and names that only the code has.
DRAWING = {"dx", "dy", "align", "baseline", "tone", "bold", "kind", "label", "short", "x", "y"}


@each_picture()
def test_a_table_has_names_and_units_and_no_drawing_coordinates(lesson, view):
    if isinstance(view, Film):
        return
    settings = quick(lesson, dict(view.opens or {}))
    for figure in view.figures(settings, Look()):
        data = tables.table(figure, lesson.labels["table"])
        assert len(data) and len(data.columns) > 1 and not DRAWING & set(data.columns)
        assert all(name[0].upper() == name[0] and "_" not in name for name in data.columns)
        assert all(data[tables.NAME].map(bool)) and not data.isna().all().any()


def test_the_traps_table_has_the_curve_the_target_and_the_present_wait():
    lesson = LESSONS[0]
    figure = lesson.view("wait").figures(lesson.settings(), Look())[0]
    data = tables.table(figure).set_index(tables.NAME)
    assert list(data.columns) == [
        "Utilization (busy share of the slots for jobs)",
        "Mean wait (hours)",
    ]
    assert set(data.index) == {"target 30 min", "Mean wait", "you are here"}
    here = data.loc["you are here"]
    assert here.iloc[0] == pytest.approx(0.95) and here.iloc[1] == pytest.approx(
        Fleet().wait / 3600, rel=1e-3
    )
    assert (data.loc["Mean wait"].iloc[:, 1] > 0).all()
    assert set(data.columns) & tables.percents(figure) == {data.columns[0]}


def test_a_bar_that_begins_at_zero_is_its_length_alone_and_one_that_does_not_has_both_ends():
    by_id = {lesson.id: lesson for lesson in LESSONS}
    io = by_id["io"].view("load").figures(by_id["io"].settings(), Look())[0]
    assert list(tables.table(io).columns) == [tables.NAME, "Load (% of capacity)"]
    drf = by_id["drf"].view("jobs").figures(by_id["drf"].settings(), Look())[0]
    data = tables.table(drf)
    assert list(data.columns)[1:] == ["Share of the pool, from", "Share of the pool, to"]
    assert (data.iloc[:, 2] > data.iloc[:, 1]).all()


def test_of_rows_that_wait_for_the_pointer_only_those_in_sight_are_in_the_table():
    lesson = next(one for one in LESSONS if one.id == "notebooks")
    figure = lesson.view("gantt").figures(lesson.settings(), Look())[0]
    assert len(tables.table(figure)) < 20 < len(figure.frame)
    assert isinstance(tables.table(figure), pd.DataFrame)


def test_a_chart_whose_values_are_all_infinite_has_an_empty_table():
    figure = BY_ID["trap"].view("order").figures(Fleet(utilization=1.2, scv=0.0), Look())[0]
    assert not len(figure.frame) and not len(tables.table(figure))
