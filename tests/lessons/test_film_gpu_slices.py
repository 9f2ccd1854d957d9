"""The film of GPU slices is what both rules hold, refuse and strand, at every moment of the stream."""

import pytest
from driving import all_text, charts, keys, metrics, unlocked, visit

from lessons.gpu_slices import film, slots, stream
from lessons.gpu_slices.settings import MIXES, RULES, Slices
from physics.slicing import PROFILES
from ui.charts.look import Look
from ui.films import message

SETTINGS = [Slices(mix=mix, gpus=gpus, draw=gpus) for mix in MIXES for gpus in (1, 2, 4)] + [Slices(stay=30.0)]


@pytest.mark.parametrize("wish", SETTINGS, ids=str)
def test_the_film_shows_what_the_model_holds_refuses_and_strands_after_every_request(wish):
    shown, found = film.played(wish), stream.trial(wish)
    for moment in range(len(found.requests)):
        boxes, waiting = shown.at(moment)
        for half, rule in enumerate(RULES):
            run = found.runs[rule]
            held, first = run.held(moment), half * wish.gpus * film.SLICES
            expected = {
                (first + gpu * 8 + one.start, first + gpu * 8 + one.start + PROFILES[wish.gpu][one.profile].memory - 1)
                for gpu, placed in enumerate(held)
                for one in placed
            }
            mine = boxes[boxes["kind"] == f"instance {half}"]
            assert set(zip(mine["first"], mine["last"], strict=True)) == expected
            useless = boxes[boxes["kind"] == f"stranded {half}"]["first"].tolist()
            assert sorted(useless) == [
                first + gpu * 8 + at for gpu, placed in enumerate(held) for at in slots.dead(placed, wish.gpu)
            ]
            assert (waiting["kind"] == f"refused {half}").sum() == (run.served[moment].device is None)
    assert f"refuses {found.runs['first'].refused}" in film.showing(wish).caption
    assert message(film.showing(wish), Look())["boxes"]  # a heavier one is refused


def test_the_film_is_sent_only_after_the_lock_and_with_the_streams_numbers():
    assert "slices_film_stream" not in keys(visit("gpu_slices", {"slices_view": "film"}))
    app = unlocked("gpu_slices", {"slices_view": "film"})
    assert not app.exception and not charts(app) and "Above first-fit, below best-fit" in all_text(app)
    assert metrics(app)["First-fit refuses"] == str(stream.trial(Slices()).runs["first"].refused)
    assert "slices_film_stream" in keys(app)
