"""The animation of GPU slices is what both policies hold, refuse and strand, at every moment of the
stream.
"""

import pytest
from filmed import seen_at

from lessons.gpu_slices.laboratory import film
from lessons.gpu_slices.settings import MEMORY, MIXES, RULES, Slices, dead
from physics.slicing import PROFILES
from ui.charts.look import Look
from ui.films import message

SETTINGS = [Slices(mix=mix, gpus=gpus, draw=gpus) for mix in MIXES for gpus in (1, 4)] + [
    Slices(stay=30.0)
]


@pytest.mark.parametrize("wish", SETTINGS, ids=lambda wish: f"{wish.mix} {wish.gpus} {wish.stay:g}")
def test_the_film_shows_what_the_model_holds_refuses_and_strands_after_every_request(wish):
    shown = film.film_of(wish)
    found = wish.trial
    for moment in range(60):
        boxes, waiting = seen_at(shown, moment)
        for half, rule in enumerate(RULES):
            run = found.runs[rule]
            held = run.held(moment)
            first = half * wish.gpus * MEMORY
            expected = {
                (
                    first + gpu * 8 + one.start,
                    first + gpu * 8 + one.start + PROFILES["A100-80GB"][one.profile].memory - 1,
                )
                for gpu, placed in enumerate(held)
                for one in placed
            }
            mine = boxes[boxes["kind"] == f"instance {half}"]
            assert set(zip(mine["first"], mine["last"], strict=True)) == expected
            useless = boxes[boxes["kind"] == f"stranded {half}"]["first"].tolist()
            lost = [first + gpu * 8 + at for gpu, placed in enumerate(held) for at in dead(placed)]
            assert sorted(useless) == lost
            refused = [kind for kind in waiting["kind"] if kind.startswith(f"refused {half}")]
            served = run.served[moment]
            assert refused == [f"refused {half} {served.request.profile}"] * (served.device is None)
            assert all(film.BOX_KINDS[kind].words == served.request.profile for kind in refused)
    assert film.showing(wish).counted == ("refused just now", "nothing refused just now")
    refused = (
        f"first-fit refuses {found.refused['first']} and best-fit refuses {found.refused['best']}"
    )
    assert refused in film.showing(wish).caption
    assert message(film.showing(wish), Look())["boxes"]  # a heavier one is refused
