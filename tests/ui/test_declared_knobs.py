"""A knob is declared once: defaults, bounds, reading back and the values to search all come from
its field.
"""

import re
from dataclasses import dataclass

import pytest
from driving import each_lesson
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import odd

from physics import constants as k
from ui.knobs import choice, knob, text, toggle
from ui.knobs.declared import default_of, knobs_of, quantities, read
from ui.knobs.remedies import listed, remedies, worded


@dataclass(frozen=True)
class Room:
    """Settings as a lesson declares them."""

    fleet: int = knob(k.TRAP_FLEET, step=8)
    gpus_per_job: int = knob(k.TRAP_GPUS_PER_JOB, step=1, high="fleet")
    job_length: float = knob(k.TRAP_JOB_LENGTH, unit=k.HOUR, step=0.1)
    order: str = choice({"fifo": "First come", "short": "Shortest first"})
    backfill: bool = toggle()

    @property
    def places(self) -> int:
        """Jobs that fit at once."""
        return self.fleet // self.gpus_per_job


def test_defaults_are_the_constants_and_whole_where_the_widget_is():
    assert Room() == Room(1024, 256, 3600.0, "fifo", False)
    assert isinstance(Room().fleet, int) and isinstance(Room().job_length, float)


def test_what_is_missing_takes_its_default_and_is_named():
    room, missing = read(Room, {"fleet": 512, "backfill": True})
    assert room == Room(fleet=512, backfill=True)
    assert missing == ("gpus_per_job", "job_length", "order")


@given(fleet=st.integers(-10, 10**6), size=st.integers(-10, 10**6))
def test_a_number_from_outside_is_clamped_to_its_range_and_to_the_knob_that_bounds_it(fleet, size):
    room, _ = read(Room, {"fleet": fleet, "gpus_per_job": size})
    assert k.TRAP_FLEET.low <= room.fleet <= k.TRAP_FLEET.high
    assert k.TRAP_GPUS_PER_JOB.low <= room.gpus_per_job <= room.fleet


@pytest.mark.parametrize(
    ("quantities", "sentence"),
    [
        ({"order": "longest"}, "order must be one of fifo, short, got 'longest'"),
        ({"fleet": "many"}, "fleet must be a number, got 'many'"),
        ({"fleet": float("nan")}, "fleet must be a number, got 'nan'"),
        ({"backfill": 1}, "backfill must be one of false, true, got '1'"),
    ],
)
def test_nonsense_from_outside_is_refused_in_one_sentence(quantities, sentence):
    with pytest.raises(ValueError, match=sentence):
        read(Room, quantities)


def test_a_knob_lists_the_values_that_its_widget_can_take():
    declared = knobs_of(Room)
    sizes = declared["gpus_per_job"].values({"fleet": 512})
    assert sizes[0] == 1 and sizes[-1] == 512
    hours = declared["job_length"].values({})
    assert hours[1] - hours[0] == pytest.approx(360.0)
    assert declared["order"].values({}) == ["fifo", "short"] and declared["backfill"].values(
        {}
    ) == [False, True]


def test_the_smallest_change_is_the_smallest_of_all_values_of_each_knob():
    found = {change.name: change for change in remedies(Room(), lambda room: room.places >= 7)}
    every = knobs_of(Room)["fleet"].values({})
    assert found["fleet"].value == min(value for value in every if value // 256 >= 7)
    assert found["gpus_per_job"].value == 1024 // 7
    assert set(found) == {"fleet", "gpus_per_job"}
    assert found["fleet"].words == " → 1,792"  # a class without a lesson has no labels


def test_a_choice_and_a_switch_are_tried_too():
    found = remedies(Room(), lambda room: room.backfill or room.order == "short")
    assert {change.name for change in found} == {"order", "backfill"}
    assert listed(found) == " → Shortest first; or  → on"


def test_nothing_is_listed_where_no_single_change_meets_the_aim():
    assert remedies(Room(), lambda room: room.places >= 8 and room.backfill) == []


@each_lesson()
def test_no_change_to_an_end_of_a_knob_is_worded_oddly(lesson):
    settings = lesson.settings()
    before = vars(settings)
    for name, declared in knobs_of(lesson.settings).items():
        ends = [position * declared.unit for position in declared.positions]
        if not ends and declared.constant is not None:
            ends = [*declared.bounds(before)]
        for end in ends:
            words = worded(settings, name, type(default_of(lesson.settings, name))(end))
            assert not odd(words) and not re.search(r"(?<![\d.])1 [a-z ]{2,}s\b", words), words


@each_lesson()
def test_every_lesson_reads_its_own_defaults_back(lesson):
    kept = quantities(lesson.settings())
    again, missing = read(lesson.settings, kept)
    assert again == lesson.settings() and missing == ()
    for name, declared in knobs_of(lesson.settings).items():
        assert len(declared.label) <= 32, f"{name}: a longer label takes two lines"
        assert declared.help.endswith("."), name
        if declared.constant is not None:
            low, high = declared.bounds(kept)
            assert low <= default_of(lesson.settings, name) <= high, name


@each_lesson()
def test_presets_name_knobs_values_and_views_that_exist(lesson):
    for preset in lesson.presets.values():
        assert preset.view in (None, *lesson.views)
        settings, _ = read(lesson.settings, quantities(lesson.settings()) | dict(preset.changes))
        for name, value in preset.changes.items():
            assert quantities(settings)[name] == value, (preset.words, name)


def _whole_numbers(written: str) -> tuple[int, ...]:
    if written:
        return tuple(int(part) for part in written.split(","))
    return (1, 2)


@dataclass(frozen=True)
class Shelf:
    """Settings of which one is edited by the page itself and travels as a text."""

    books: tuple[int, ...] = text(
        (1, 2), parse=_whole_numbers, write=lambda value: ",".join(map(str, value))
    )
    chosen: str = choice(
        lambda before: {str(place): "" for place, _ in enumerate(before.get("books", (1, 2)))}
    )


def test_a_text_is_read_before_the_choices_that_depend_on_it_and_kept_as_a_text():
    shelf, missing = read(Shelf, {"books": "5,6,7", "chosen": "2"})
    assert shelf == Shelf((5, 6, 7), "2") and missing == ()
    assert quantities(shelf) == {"books": "5,6,7", "chosen": "2"}
    assert read(Shelf, {})[0] == Shelf((1, 2), "0")
    with pytest.raises(ValueError, match="chosen must be one of 0, 1, got"):
        read(Shelf, {"chosen": "2"})
    with pytest.raises(ValueError, match="books cannot be read"):
        read(Shelf, {"books": "five"})
    assert remedies(Shelf(), lambda other: other.chosen == "1") and not remedies(
        Shelf(), lambda other: False
    )
