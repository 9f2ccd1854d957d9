"""A slip in a lesson's code is refused, instead of losing a picture without a word."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from driving import LESSONS, quick

import lessons
from ui.base.lesson import Film, Grab, Lesson, Preset, View
from ui.base.lesson.slips import check_figure, undrawn
from ui.base.words import LessonError
from ui.charts.look import Look

#: Kinds of rows that are in a chart for its table or its words alone.
UNSEEN = {"label", "point"}
LESSONS_FOLDER = Path(lessons.__file__).parent


def draw_nothing(settings, look):
    """Stands for a view's picture."""


DRAWN = View("fleet", figure=draw_nothing)


@pytest.mark.parametrize("slip", ["figur", "verdcit", "metric", "remedys"])
def test_a_view_refuses_a_function_that_is_nearly_called_so(slip):
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{slip}'"):
        View("wait", figure=draw_nothing, **{slip: lambda settings: None})


def test_a_view_that_draws_nothing_is_refused():
    with pytest.raises(LessonError, match="“wait” draws nothing"):
        View("wait", verdict=lambda settings: None)
    with pytest.raises(TypeError, match="showing"):
        Film("film", name="run")


def named(tree: ast.Module) -> Iterator[str]:
    """The names that a module uses, those of other modules as they are written."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                yield name
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                yield f"{owner}.{name}"
            case ast.ImportFrom(module=str(module), names=aliases):
                owner = module.split(".")[-1]
                yield from (f"{owner}.{alias.name}" for alias in aliases)


def forgotten(folder: Path) -> list[str]:
    """List the public functions of a lesson that neither it nor a benchmark uses or hands over."""
    modules = [*folder.rglob("*.py"), *(LESSONS_FOLDER.parent / "benchmarks").glob("*.py")]
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in modules}
    uses = {path: set(named(tree)) for path, tree in trees.items()}
    everywhere = set().union(*uses.values())
    return [
        f"{path.stem}.{node.name}"
        for path, tree in trees.items()
        if path.is_relative_to(folder)
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and node.name not in uses[path]
        and f"{path.stem}.{node.name}" not in everywhere
    ]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.page)
def test_a_lesson_hands_over_every_public_function(lesson):
    assert forgotten(LESSONS_FOLDER / lesson.page) == []


def test_a_verdict_that_no_view_gets_is_found(tmp_path):
    shown = 'def figure(): ...\n\n\ndef verdict(): ...\n\n\nview = View("wait", figure=figure)\n'
    (tmp_path / "chart.py").write_text(shown)
    assert forgotten(tmp_path) == ["chart.verdict"]


@pytest.mark.parametrize("record", [Preset, Grab, View])
def test_an_unknown_field_is_refused(record):
    with pytest.raises(TypeError, match="unexpected keyword"):
        record(chnages={})


@pytest.mark.parametrize(
    "changes",
    [
        {"presets": {"more": Preset({"flet": 2048})}},
        {"start": Preset({"flet": 2048})},
        {"views": [replace(DRAWN, knobs=("flet",))]},
        {"views": [replace(DRAWN, fixed={"flet": 8})]},
        {"views": [replace(DRAWN, opens={"flet": 8})]},
    ],
    ids=["preset", "start", "knobs", "fixed", "opens"],
)
def test_a_quantity_that_the_settings_do_not_have_is_refused(changes):
    lesson = LESSONS[0]
    views = [*lesson.pictures, *changes.get("views", [])]
    with pytest.raises(LessonError, match="flet, which is not a setting; did you mean fleet"):
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
