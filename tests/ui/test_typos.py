"""A slip in a lesson's code is refused, instead of losing a picture without a word."""

from types import ModuleType

import pytest
from driving import LESSONS, quick

from ui.base.lesson import Grab, Preset, View
from ui.base.words import LessonError
from ui.charts.layers import undrawn
from ui.charts.look import Look

#: Kinds of rows that are in a chart for its table or its words alone.
UNSEEN = {"label", "point"}


def module(**functions) -> ModuleType:
    """A module of a view that defines these functions."""
    made = ModuleType("lessons.example.chart")
    for name, function in functions.items():
        function.__module__ = made.__name__
        setattr(made, name, function)
    return made


@pytest.mark.parametrize("slip", ["figur", "figrue", "Figure", "figure_"])
def test_a_picture_that_is_nearly_called_figure_is_refused(slip):
    with pytest.raises(LessonError, match="figure"):
        View("wait", module(**{slip: lambda settings, look: None}))


@pytest.mark.parametrize(
    ("slip", "meant"), [("verdcit", "verdict"), ("metric", "metrics"), ("remedys", "remedies")]
)
def test_a_sentence_that_is_nearly_called_so_is_refused(slip, meant):
    drawn = {"figure": lambda settings, look: None, slip: lambda settings: None}
    with pytest.raises(LessonError, match=f"is it {meant}"):
        View("wait", module(**drawn))


def test_a_module_that_draws_nothing_is_no_view():
    with pytest.raises(LessonError, match="draws nothing"):
        View("wait", module(total=lambda settings: None))


def test_helpers_with_names_of_their_own_are_no_slips():
    View("wait", module(figure=lambda settings, look: None, curve=lambda settings: None))


@pytest.mark.parametrize("record", [Preset, Grab, View])
def test_an_unknown_field_is_refused(record):
    with pytest.raises(TypeError, match="unexpected keyword"):
        record(chnages={})


def test_a_kind_that_no_layer_draws_is_found():
    filtered = {"transform": [{"filter": "datum.kind === 'curve' || datum.kind === 'here'"}]}
    assert undrawn({"layer": [filtered]}, {"curve", "curv"}) == {"curv"}
    assert undrawn({"layer": [filtered, {"mark": "bar"}]}, {"curv"}) == set()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.page)
def test_every_row_of_every_picture_has_a_layer_that_draws_it(lesson):
    settings = quick(lesson, {})
    for view in lesson.pictures:
        for figure in view.figures(settings, Look(), guess="a"):
            if "kind" in figure.rows.column_names:
                kinds = set(figure.rows["kind"].to_pylist()) - {None}
                assert undrawn(figure.spec, kinds) <= UNSEEN, (view.id, figure.name)
