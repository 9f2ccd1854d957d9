"""What a lesson declares in its lesson.toml is read as from Python, and slips are refused."""

import pytest
from driving import LESSONS

from lessons.last_answer import gpus, steps
from lessons.last_answer.settings import Rollout, say
from ui.base import words
from ui.base.lesson import Curtain, Lesson, Preset, Verdict, View, verdict_of
from ui.base.sentences import Sentences
from ui.base.words import LessonError
from ui.charts import Look, axes, level, line, picture
from ui.charts.described import curve

PAGE = "utilization_trap"
TRAP = LESSONS[0]
WAIT = View("wait", figure=lambda settings, look: None)


@pytest.fixture
def declare(tmp_path, monkeypatch):
    """Write the trap's lesson.toml into another folder of lessons, with its own words beside it."""
    shipped = words.FOLDER / PAGE / "words.toml"
    (tmp_path / PAGE).mkdir()
    (tmp_path / PAGE / "words.toml").write_bytes(shipped.read_bytes())
    monkeypatch.setattr(words, "FOLDER", tmp_path)
    words._declarations.cache_clear()
    yield (tmp_path / PAGE / "lesson.toml").write_text
    words._declarations.cache_clear()


def made(**offers):
    """A lesson with the trap's words and settings."""
    return Lesson.of(TRAP.say, **{"views": [WAIT]} | offers)


def test_views_presets_start_and_results_are_read_from_the_file(declare):
    declare(
        """
        [start]
        changes = { fleet = 512 }
        [views.wait]
        knobs = ["utilization", "added"]
        also = ["fleet"]
        curtain = { tiles = [1], stays = ["curve"] }
        [presets.one_job]
        changes = { gpus_per_job = 1 }
        view = "wait"
        [results]
        "GPUs" = "fleet:number"
        """
    )
    lesson = made(challenge=lambda settings: Verdict(""))
    (view,) = lesson.pictures
    assert (view.knobs, view.also) == (("utilization", "added"), ("fleet",))
    assert view.curtain == Curtain([1], ["curve"])
    assert lesson.challenge.preset == Preset({"fleet": 512})
    assert lesson.presets["one_job"].changes == {"gpus_per_job": 1}
    (result,) = lesson.results(lesson.settings())
    assert (result.label, result.text) == ("GPUs", "1,024")


def test_what_python_gives_replaces_the_file(declare):
    declare("[presets.one_job]\nchanges = { gpus_per_job = 1 }")
    lesson = made(presets={"one_job": Preset({"gpus_per_job": 2})})
    assert lesson.presets["one_job"].changes == {"gpus_per_job": 2}


def test_cases_are_those_of_the_file_unless_others_are_given(declare):
    declare("[cases]\ndouble = { fleet = 2048 }")
    assert Sentences(TRAP.settings).value("double.fleet", TRAP.settings()) == 2048
    assert Sentences(TRAP.settings, cases={}).cases == {}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[views.wiat]\nknobs = []", "there is no such view"),
        ("[views.wait]\nknob = []", "key knob: is not a key of this table"),
        ("[views.wait]\nfigure = 'curve'", "key figure: is not a key of this table"),
        ("[case]\ndouble = {}", "key case: is not a key of this table"),
        ("[presets.one_job]\nchange = {}", "key change: is not a key of this table"),
        (
            "[presets.one_job]\nchanges = { flet = 8 }",
            "flet, which is not a setting; did you mean fleet",
        ),
    ],
    ids=["view", "field", "function", "table", "preset", "setting"],
)
def test_a_slip_in_the_file_is_refused(declare, text, why):
    declare(text)
    with pytest.raises(LessonError, match=why):
        made()


def test_a_described_chart_is_the_picture_with_the_same_axes_and_layers():
    @picture(
        say,
        "gpus",
        "How long is a step on fewer GPUs?",
        axes.x(
            "gpus:Q", "GPUs, 16 slots on each", [0, 66], values=[4, 8, 16, 24, 32, 40, 48, 56, 64]
        ),
        axes.y("minutes:Q", "minutes per step", [0, gpus.TOP], tickCount=5),
        line("work", "quiet", (6, 4), thick=True),
        level("longest", "accent"),
        line("step", "accent"),
        level("goal", "good"),
    )
    def by_hand(rollout):
        return []

    described = gpus.figure(Rollout(), Look())
    assert described.spec == by_hand(Rollout(), Look()).spec
    assert described.title == "How long is a step on fewer GPUs?" and described.grab.knob == "gpus"


def test_false_in_the_file_is_an_axis_that_is_not_drawn():
    channel = steps.figure(Rollout(), Look()).spec["layer"][0]["encoding"]["y"]
    assert channel["axis"] is None and channel["title"] is None


def test_a_curve_ends_at_the_top_of_its_chart():
    assert curve("step", {1: 9.0, 2: 4.0, 3: 5.0}, 5.0) == [
        {"kind": "step", "x": [2, 3], "y": [4.0, 5.0]}
    ]
    assert curve("step", {1: 9.0}, 5.0) == []


def test_an_outcome_becomes_the_verdict_with_its_sentence():
    judged = verdict_of(lambda name, settings: f"{name} at {settings}")(
        lambda load: ("busy", False)
    )
    assert judged(0.9) == Verdict("busy at 0.9", False)
