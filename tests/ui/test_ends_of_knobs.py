"""Knobs at their ends, all at once: the page opens, and no word of it is odd."""

import re

import pytest
from driving import each_lesson, keys, texts, unlocked

#: "1 jobs", "1 metadata servers": one thing with the noun of many. Units, and what merely follows a 1, are none.
ONE_OF_MANY = re.compile(
    r"(?<![\w.,:×–−/÷=+-])1 (?:[a-z]+ )?(?:GPU|node|server|worker|sample|operation|job|core|notebook|replica|instance|"
    r"request|file|shard|slice|hour|run|replication|batch|executor|prefix|step|task|interruption|connection)e?s\b(?!')"
)
UNFILLED = re.compile(r"\bnan\b|\bNone\b|\{[a-z_]+\}|-0\b")


def ranged(app) -> list[tuple[str, str]]:
    """Kind and key of the knobs on a page that are numbers."""
    return [(kind, one.key) for kind in ("slider", "number_input", "select_slider") for one in getattr(app, kind)]


def places(widget) -> list[object]:
    """Both ends of a knob, as AppTest sets them."""
    if widget.type == "select_slider":
        return [widget.options[0], widget.options[-1]]
    return [type(widget.value)(at) for at in (widget.proto.min, widget.proto.max)]


@pytest.mark.slow
@each_lesson()
def test_a_page_opens_with_all_knobs_at_an_end(lesson):
    app = unlocked(lesson, {"reflections": {lesson.id: "a"}})
    names = ranged(app)
    assert names
    for end in (0, 1):
        for kind, key in names:
            widget = getattr(app, kind)(key=key)
            widget.set_value(places(widget)[end])
        app.run()
        assert not app.exception
        words = [text for text in texts(app) if not text.startswith("$$")]
        plain = re.sub(r"\$\$.*?\$\$", "", "\n".join(words), flags=re.S)
        assert not UNFILLED.search(plain) and not [hit[0] for hit in map(ONE_OF_MANY.search, words) if hit]
        assert {key for _, key in names} <= keys(app)
        assert not any(getattr(app, kind)(key=key).proto.disabled for kind, key in names)
