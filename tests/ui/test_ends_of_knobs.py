"""Knobs at their ends: every function of a lesson answers there, its page opens, and no word of either is odd."""

import re

import pytest
from driving import each_lesson, keys, texts, unlocked
from odd_texts import odd

from ui.base.lesson import Lesson
from ui.knobs.declared import Knob, knobs_of, quantities, read

#: "1 jobs", "1 metadata servers": one thing with the noun of many. Units, and what merely follows a 1, are none.
ONE_OF_MANY = re.compile(
    r"(?<![\w.,:×–−/÷=+-])1 (?:[a-z]+ )?(?:GPU|node|server|worker|sample|operation|job|core|notebook|replica|instance|"
    r"request|file|shard|slice|hour|run|replication|batch|executor|prefix|step|task|interruption|connection)e?s\b(?!')"
)
UNFILLED = re.compile(r"\bnan\b|\bNone\b|\{[a-z_]+\}|-0\b")


def ends(knob: Knob, before: dict, name: str) -> list[object]:
    """Both ends of a knob that is a number, and 1 where it may stand there [SI]."""
    if knob.kind not in ("slider", "number", "steps"):
        return []
    low, high = (
        (knob.positions[at] for at in (0, -1)) if knob.positions else (e / knob.unit for e in knob.bounds(before))
    )
    at = [low, high, *([1] if low < 1 < high and (not knob.positions or 1 in knob.positions) else [])]
    return [type(before[name])(value * knob.unit) for value in at]


def said(lesson: Lesson, settings: object) -> list[str]:
    """All that a lesson's functions say at some settings."""
    found = [*lesson.values(settings).values(), *(result.text for result in lesson.results(settings))]
    found += [text for metric in lesson.metrics(settings) for text in (metric.value, metric.note or "")]
    found += [lesson.verdict(settings).text, lesson.challenge.judge(settings).text]
    if not lesson.coarse:  # that looks for what mends it only when asked to
        found.append(lesson.remedies(settings) if lesson.remedies else "")
    return found


def odd_words(words: list[str]) -> list[object]:
    """What must not be said."""
    plain = re.sub(r"\$\$.*?\$\$", "", "\n".join(words), flags=re.S)  # formulas are not filled
    return [hit[0] for hit in map(ONE_OF_MANY.search, words) if hit] + UNFILLED.findall(plain) + odd(plain)


@pytest.mark.slow
@each_lesson("nightly")
def test_at_both_ends_of_every_knob_a_lesson_says_its_numbers(lesson):
    found = []
    start = quantities(lesson.settings())
    for low in (False, True):  # one knob at a time, then all of them lower and lower
        at = dict(start)
        for name, knob in knobs_of(lesson.settings).items():
            values = ends(knob, at, name)
            for value in values[:1] if low else values:
                tried = at | {name: value}
                found += [
                    f"{name} = {value}: {one}" for one in odd_words(said(lesson, read(lesson.settings, tried)[0]))
                ]
            if low and values:
                at[name] = values[0]
    assert not found, "\n".join(dict.fromkeys(found))


def ranged(app) -> list[tuple[str, str]]:
    """Kind and key of the knobs on a page that are numbers."""
    return [(kind, one.key) for kind in ("slider", "number_input", "select_slider") for one in getattr(app, kind)]


def places(widget) -> list[object]:
    """Both ends of a knob, and 1 where it may stand there: as AppTest sets them."""
    if widget.type == "select_slider":
        return [widget.options[0], widget.options[-1], *(option for option in widget.options if option == "1")]
    low, high = widget.proto.min, widget.proto.max
    return [type(widget.value)(at) for at in (low, high, *([1] if low < 1 < high else []))]


def assert_sound(app, names: list[tuple[str, str]], where: str) -> None:
    app.run()
    assert not app.exception, where
    words = [text for text in texts(app) if not text.startswith("$$")]
    plain = re.sub(r"\$\$.*?\$\$", "", "\n".join(words), flags=re.S)
    assert not UNFILLED.search(plain), where
    assert not [hit[0] for hit in map(ONE_OF_MANY.search, words) if hit], where
    assert {key for _, key in names} <= keys(app), where
    assert not any(getattr(app, kind)(key=key).proto.disabled for kind, key in names), where


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
        assert_sound(app, names, f"all at end {end}")
