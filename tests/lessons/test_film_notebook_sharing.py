"""The film of notebook sharing is the three runs: who holds how many cores, who waits and who pauses."""

import numpy as np
import pytest
from driving import all_text, charts, keys, unlocked, visit

from lessons.notebook_sharing import PRESETS, film
from lessons.notebook_sharing.settings import SCHEDULERS, Study
from ui.charts.look import Look
from ui.films import message

CROWD = Study(combination="ABCD", copies=5, think="overnight", cull=900.0)
SETTINGS = {
    **{name: Study(**preset.changes) for name, preset in PRESETS.items()},
    "crowd": CROWD,
    "wide": Study(combination="ABCD", copies=5, cores=64, loss=0.3),
    "narrow": Study(combination="ABCD", copies=3, cores=3, think="attentive", overhead=4.5),
    "stuck": Study(endless=8),
    "lost": Study(combination="ABCD", loss=1.0),
}


def held(cell, moment: float) -> float:
    """Cores that a cell holds at a moment."""
    return [cores for since, cores in cell.steps if since <= moment][-1] if cell.start <= moment < cell.end else 0.0


@pytest.mark.parametrize("name", SETTINGS)
def test_the_film_shows_what_the_runs_say_of_every_moment(name):
    study = SETTINGS[name]
    shown, squares = film.played(study), film.parts(study)
    for moment in np.random.default_rng(1).uniform(shown.begin, shown.end, 12):
        boxes, waiting = shown.at(moment)
        for band, scheduler in enumerate(SCHEDULERS):
            cells = study.outcomes[scheduler].run.cells
            mine = boxes[boxes["kind"].str.endswith(f" {band}")]
            sizes = (mine["last"] - mine["first"] + 1).groupby(mine["words"]).sum()
            for notebook, label in enumerate(study.labels):
                cores = sum(held(cell, moment) for cell in cells if cell.notebook == notebook)
                # Both ends of a box are rounded to a square.
                assert sizes.get(label, 0) == pytest.approx(cores * squares, abs=1 + 1e-6)
            assert sizes.sum() == round(sum(held(cell, moment) for cell in cells) * squares)
            line = waiting[waiting["kind"].str.endswith(f" {band}")]["kind"]
            assert (line != f"pause {band}").sum() == sum(cell.ready <= moment < cell.start for cell in cells)
            after = {(cell.notebook, cell.place): cell for cell in cells}
            assert (line == f"pause {band}").sum() == sum(
                cell.end <= moment < after[cell.notebook, cell.place + 1].ready
                for cell in cells
                if (cell.notebook, cell.place + 1) in after
            )


@pytest.mark.parametrize("name", SETTINGS)
def test_a_film_can_be_sent_at_every_setting_and_says_where_it_is_cut(name):
    shown = film.showing(SETTINGS[name])
    assert message(shown, Look())["boxes"]  # a heavier one is refused
    assert ("The first " in shown.caption) == (name in ("crowd", "narrow"))
    assert ("one of many" in shown.caption) == (SETTINGS[name].pauses[0] != "none")


def test_while_the_overhead_lasts_a_cell_holds_cores_and_is_drawn_as_not_working():
    study = SETTINGS["overhead"]
    cell = study.outcomes["dynamic"].run.cells[0]
    for moment, kind in ((cell.start + study.overhead / 2, "overhead 2"), (cell.start + study.overhead + 0.1, "0 2")):
        boxes, _ = film.played(study).at(moment)
        first = boxes[(boxes["words"] == "A") & (boxes["first"] // (study.cores * film.parts(study)) == 2)]
        assert first["kind"].tolist() == [kind]


def test_a_scheduler_under_which_a_notebook_never_ends_is_said_to_never_end():
    said = film.showing(SETTINGS["stuck"]).alt
    assert "Dynamic never ends" in said and "without limit" not in said and "Naive takes 3 min" in said


def test_the_film_is_sent_only_after_the_lock():
    assert "notebooks_film_node" not in keys(visit("notebook_sharing", {"notebooks_view": "film"}))
    app = unlocked("notebook_sharing", {"notebooks_view": "film"})
    assert not app.exception and not charts(app) and "Each row is the node" in all_text(app)
    assert "notebooks_film_node" in keys(app)
