"""A slip in a lesson's code is refused, instead of losing a picture without a word."""

from dataclasses import replace
from types import ModuleType

import pyarrow as pa
import pytest
from driving import LESSONS, quick

from ui.base.lesson import Grab, Lesson, Preset, View
from ui.base.lesson.slips import check_figure, undrawn
from ui.base.words import LessonError
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


DRAWN = module(figure=lambda settings, look: None)


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


def test_a_function_that_no_view_may_define_and_nothing_uses_is_refused():
    with pytest.raises(LessonError, match="has a function speech, which no view may define"):
        View("wait", module(figure=lambda settings, look: None, speech=lambda settings: ""))


def test_helpers_that_the_module_uses_or_offers_are_no_slips(tmp_path):
    used = module(figure=lambda settings, look: None, curve=lambda settings: None)
    used.__file__ = str(tmp_path / "chart.py")
    (tmp_path / "chart.py").write_text("def curve(): ...\n\n\ndef figure(): return curve()\n")
    View("wait", used)
    offered = module(figure=lambda settings, look: None, curve=lambda settings: None)
    offered.__all__ = ["curve"]
    View("wait", offered)


@pytest.mark.parametrize("record", [Preset, Grab, View])
def test_an_unknown_field_is_refused(record):
    with pytest.raises(TypeError, match="unexpected keyword"):
        record(chnages={})


@pytest.mark.parametrize(
    "changes",
    [
        {"presets": {"more": Preset({"flet": 2048})}},
        {"start": Preset({"flet": 2048})},
        {"views": [View("fleet", DRAWN, ("flet",))]},
        {"views": [View("fleet", DRAWN, fixed={"flet": 8})]},
        {"views": [View("fleet", DRAWN, opens={"flet": 8})]},
    ],
    ids=["preset", "start", "knobs", "fixed", "opens"],
)
def test_a_quantity_that_the_settings_do_not_have_is_refused(changes):
    lesson = LESSONS[0]
    declared = [type(view)(view.id, DRAWN) for view in lesson.pictures]
    views = [*declared, *changes.get("views", [])]
    with pytest.raises(LessonError, match="flet, which is no setting; is it fleet"):
        Lesson.of(lesson.say, **changes | {"views": views})


def test_a_chart_that_moves_no_setting_or_loses_a_row_is_refused():
    lesson = LESSONS[0]
    figure = lesson.pictures[0].figures(lesson.settings(), Look())[0]
    lost = pa.table({"kind": ["curve", "curv"]})
    layers = {"layer": [{"transform": [{"filter": "datum.kind === 'curve'"}]}]}
    with pytest.raises(LessonError, match="no layer draws rows of kind curv"):
        check_figure(replace(figure, rows=lost, spec=layers), lesson.settings())
    with pytest.raises(LessonError, match="it moves flet, which is no setting"):
        check_figure(replace(figure, grab=Grab("flet")), lesson.settings())


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
