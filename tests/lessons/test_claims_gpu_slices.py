"""Every sentence of GPU slices that holds a number, quoted and proved."""

import math
import re
from dataclasses import fields, replace
from itertools import permutations

import pytest

from lessons.gpu_slices import LESSON, fragments, slots, values
from lessons.gpu_slices import gang as slices_gang
from lessons.gpu_slices import stream as slices_stream
from lessons.gpu_slices.settings import KINDS, MIXES, Slices
from physics import constants as k
from physics.slicing import PROFILES, layouts, occupied, placeable, room, stranded
from physics.slicing.gangs import expected_fragmentation, gang_start_probability
from physics.slicing.streams import serve
from ui.base import format as f
from ui.base.words import fill
from ui.knobs.declared import knobs_of, read

PRESETS = {preset.words: preset for preset in LESSON.presets.values()}
WORDS = values.live_values(Slices())
KINDS_OF = PROFILES["A100-80GB"]
STORY = ("3g.40gb", "3g.40gb", "1g.10gb")


def said(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, WORDS)


def reflected(option: str) -> str:
    return fill(LESSON.reflection.option(option).feedback, WORDS)


def test_the_message_and_the_knobs_tell_the_same_story():
    assert sorted(Slices().names) == sorted(STORY) and LESSON.prediction.right == "b"
    assert (k.SLICES_FREE, k.SLICES_NEEDED, k.SLICES_BLOCK) == (0.2, 64, 8)
    assert "two instances 3g.40gb" in LESSON.message and "one 1g.10gb" in LESSON.message


def test_seven_compute_slices_and_nine_memory_slices():
    kinds = PROFILES["A100-80GB"]
    assert sum(kinds[name].compute for name in STORY) == 7 and sum(kinds[name].memory for name in STORY) == 9
    assert "do add up: 7 of 7" in said("a") and "a 3g.40gb takes four, a 1g.10gb one. That makes 9." in said("a")
    assert (kinds["3g.40gb"].memory, kinds["1g.10gb"].memory) == (4, 1)
    assert "take all 8 memory slices and only six of the 7 compute slices" in said("b")
    assert "memory slice number 9" in said("b")
    left = stranded([[("3g.40gb", 0), ("3g.40gb", 4)]])
    assert (left.compute, left.free_memory) == (1, 0)
    assert not placeable(STORY)


def test_the_h100_is_no_different():
    assert PROFILES["H100-80GB"] == PROFILES["A100-80GB"] and not placeable(STORY, "H100-80GB")
    assert "Here too 9 memory slices are needed" in said("c")
    assert slots.metrics(Slices(gpu="H100-80GB")) == slots.metrics(Slices())


def can_be_created(order: tuple[str, ...], held: tuple[tuple[str, int], ...] = ()) -> bool:
    """Whether instances can be created one after another, each at any start that is free then."""
    if not order:
        return True
    mask, compute = occupied(held)
    return any(can_be_created(order[1:], (*held, (order[0], start))) for start in room(mask, compute, order[0]))


def test_no_order_helps_and_order_matters_among_sets_that_fit():
    assert not any(can_be_created(order) for order in permutations(STORY))
    small_first = Slices(one=2, two=1, three=1)
    assert small_first.fits and "3g.40gb" not in {place.profile for place in small_first.in_order}
    assert "two 1g, then a 2g, then a 3g ends with “Insufficient Resources” in NVIDIA's guide" in said("d")


def test_19_and_78_layouts():
    assert (WORDS["layouts_without"], WORDS["layouts_all"]) == ("19", "78")
    assert len(layouts(without=["1g.20gb"])) == 19 and len(layouts()) == 78


def test_the_starts_of_the_derivation_are_those_of_the_model():
    text = next(step.text for step in LESSON.derivation if step.title == "Starts")
    told = {
        "1g.10gb": "1g.10gb takes one memory slice and may begin at 0 to 6",
        "1g.20gb": "1g.20gb takes two, at 0, 2, 4 or 6",
        "2g.20gb": "2g.20gb two, at 0, 2 or 4",
        "3g.40gb": "3g.40gb four, at 0 or 4",
        "4g.40gb": "4g.40gb four, at 0 only",
        "7g.80gb": "7g.80gb all eight",
    }
    starts = {name: one.starts for name, one in PROFILES["A100-80GB"].items()}
    assert all(words in text for words in told.values())
    assert starts == {
        "1g.10gb": tuple(range(7)),
        "1g.20gb": (0, 2, 4, 6),
        "2g.20gb": (0, 2, 4),
        "3g.40gb": (0, 4),
        "4g.40gb": (0,),
        "7g.80gb": (0,),
    }


def test_blocks_of_8_lift_3_percent_to_30_and_lower_98_to_81():
    assert LESSON.reflection.right == "c"
    assert "Eight of 32 blocks have to be free at once: 30 %, against 3 % for independent nodes" in reflected("c")
    assert "from 98 % down to 81 %" in reflected("c") and "The mean stays 51.2" in reflected("c")
    chances = [gang_start_probability(0.2, nodes, 64, block) for nodes in (256, 400) for block in (1, 8)]
    assert chances == pytest.approx([0.030, 0.302, 0.982, 0.810], abs=5e-4)
    by_hand = sum(math.comb(32, i) * 0.2**i * 0.8 ** (32 - i) for i in range(8, 33))
    assert chances[1] == pytest.approx(by_hand)
    assert "51.2 free nodes" in reflected("a")
    assert "With 400 nodes 80 are free on average, and blocks lower the chance from 98 % to 81 %" in reflected("b")
    assert "any one of them would do: 59 %" in reflected("d")
    assert pytest.approx(0.59, abs=5e-4) == 1 - 0.8**4


def test_the_corrections_say_what_the_models_say():
    found = " ".join(fill(row.found, WORDS) for row in LESSON.corrections)
    assert "3g + 3g + 1g adds up to 7/7 and does not fit: it needs 9 of 8 memory slices" in found
    assert "at 20 % free, 64 of them have a chance of 1.8 × 10⁻⁴⁵" in found
    assert "Any 64 of 256 nodes: 0.030; of 320: 0.52; of 400: 0.98" in found
    assert f"{0.2**64:.1e}" == "1.8e-45"


def test_the_staff_notes_say_what_the_models_say():
    staff = LESSON.staff
    assert staff and "7 of 7 compute slices, 9 of 8 memory slices" in fill(staff.ten, WORDS)
    assert "Seven sevenths: 4g + 2g + 1g" in staff.ten and "Seven sevenths: 4g + 2g + 1g" in PRESETS
    assert "“Order matters: 3g + 2g + 1g + 1g” and ask why the last row leaves out the 3g" in staff.ten
    assert "Order matters: 3g + 2g + 1g + 1g" in PRESETS
    assert "19 without 1g.20gb" in fill(staff.thirty, WORDS)
    assert "guesses between 1.8 × 10⁻⁴⁵ and 1, and show 0.52" in fill(staff.thirty, WORDS)


def test_another_number_of_the_stream_makes_best_fit_refuse_more_and_less():
    trials = [slices_stream.trial(Slices(draw=draw)).runs for draw in range(1, 21)]
    behind = [runs["best"].refused - runs["first"].refused for runs in trials]
    assert min(behind) < 0 < max(behind)


def test_scattered_gpus_leave_no_place_for_a_job_of_eight():
    lost = expected_fragmentation(0.2, 320, 8, 8)
    assert lost.jobs == pytest.approx(320 * 0.2**8) and lost.free == pytest.approx(512)
    assert fragments.packed(Slices()).jobs == 64


@pytest.mark.parametrize("wanted", PRESETS.values(), ids=list(PRESETS))
def test_every_cure_that_is_named_fits(wanted):
    wish, _ = read(Slices, wanted.changes)
    text = slots.remedies(wish)
    for name, profile in KINDS.items():
        if f"leave out one {profile}" in text:
            assert replace(wish, **{name: getattr(wish, name) - 1}).fits
    for small, large in (("one", "two"), ("one", "three"), ("two", "three"), ("three", "four"), ("four", "seven")):
        if f"take one {KINDS[small]} for one {KINDS[large]}" in text:
            change = {small: getattr(wish, small) + 1, large: getattr(wish, large) - 1}
            assert replace(wish, **change).fits
    assert wish.fits == ("Does not fit" not in slots.verdict(wish).text) == (not text)


@pytest.mark.parametrize("rule", ["first", "best"])
def test_what_is_said_of_the_next_request_is_what_becomes_of_it(rule):
    for moment in range(1, 60):
        wish = Slices(moment=moment, rule=rule)
        found = slices_stream.trial(wish)
        refused = found.runs[rule].served[moment].device is None
        assert ("is refused" in slices_stream.moment_words(wish)) is refused
        assert serve(found.requests, 2, rule) == found.runs[rule]


@pytest.mark.parametrize(("nodes", "needed"), [(256, 64), (128, 30), (1008, 220)])
def test_the_cures_for_a_gang_give_it_an_even_chance(nodes, needed):
    wish = Slices(nodes=nodes, needed=needed)
    cure = slices_gang.remedies(wish).split("For an even chance of the gang, counted node by node: ")[1].rstrip(".")
    assert not slices_gang.verdict(wish).good
    for part in cure.split("; or "):
        if part.startswith("a gang of "):
            smaller = int(part.removeprefix("a gang of "))
            assert replace(wish, needed=smaller).chance() >= 0.5 > replace(wish, needed=smaller + 1).chance()
        elif part.endswith(" % free"):
            percent = int(part.removesuffix(" % free"))
            assert replace(wish, free=percent / 100).chance() >= 0.5 > replace(wish, free=(percent - 1) / 100).chance()
        else:
            larger = int(part.removesuffix(" nodes"))
            assert wish.chance(larger) >= 0.5 > wish.chance(larger - 16)


def test_unknown_choices_and_numbers_are_refused_in_one_sentence():
    for wrong, sentence in (
        ({"gpu": "V100"}, "gpu must be one of A100-80GB, H100-80GB, got 'V100'"),
        ({"rule": "worst"}, "rule must be one of first, best"),
        ({"one": "two"}, "one must be a number, got 'two'"),
        ({"free": math.nan}, "free must be a number, got 'nan'"),
    ):
        with pytest.raises(ValueError, match=sentence):
            read(Slices, wrong)


def test_every_number_has_its_constant():
    knobs = knobs_of(Slices)
    assert set(knobs) == {field.name for field in fields(Slices)}
    assert {name for name, one in knobs.items() if one.constant is None} == {"gpu", "rule", "mix"}


def test_a_gang_that_blocks_hurt_is_not_told_that_its_chance_is_even():
    wish = Slices(nodes=64, needed=1, block=32, free=0.28)
    assert wish.chance() > 0.99 and 0.5 > wish.chance(block=32) == pytest.approx(1 - 0.72**2)
    said = slices_gang.verdict(wish)
    assert said.good and said.text.endswith("as long as nodes come free one by one, and less in blocks.")
    assert slices_gang.verdict(replace(wish, block=1)).text.endswith("That is an even chance or better.")


@pytest.mark.parametrize("mix", ["mixed", "small", "halves", "memory"])
def test_fragmentation_beside_each_gpu_adds_up_and_by_counts_it_is_that_of_the_lesson_on_placement(mix):
    shown = 0
    for moment in (1, 20, 40, 60):
        wish = Slices(mix=mix, moment=moment, gpus=3, rule="first")
        held = slices_stream.trial(wish).runs["first"].held(moment - 1)
        found = sum(slices_stream.fragments(wish, [placed]) for placed in held)
        free = [7 - sum(KINDS_OF[place.profile].compute for place in placed) for placed in held]
        weights = {name: n for name, n in zip(KINDS.values(), MIXES[mix][1], strict=True) if n}
        counted = sum(
            n / sum(weights.values()) * sum(one for one in free if one < KINDS_OF[name].compute)
            for name, n in weights.items()
        )
        assert slices_stream.counted(wish, held) == pytest.approx(counted) and found >= counted - 1e-9
        words = slices_stream.moment_words(wish)
        assert f"counting slices alone, {f.significant(counted)}." in words
        assert f"Fragmentation F = {f.significant(found)}: the compute" in words
        heads = slices_stream.held_frame(wish).query("kind == 'head'").label
        assert heads.str.contains("; F = ").all()
        shown += found > counted + 1e-9
    assert shown or mix == "small"


def test_what_is_short_is_no_although():
    said = {
        (moment, rule): slices_stream.moment_words(Slices(moment=moment, rule=rule, gpus=1, stay=20))
        for moment in range(1, 60)
        for rule in ("first", "best")
    }
    refused = {at: text for at, text in said.items() if "is refused" in text}
    for text in refused.values():
        kind = KINDS_OF[re.search(r"asks for (\S+) and", text)[1]]
        free = re.search(r"(since only|although) (\d+) compute slices? and (\d+) memory", text)
        enough = int(free[2]) >= kind.compute and int(free[3]) >= kind.memory
        assert enough == (free[1] == "although")
    assert {"since only" in text for text in refused.values()} == {True, False}


def test_what_is_stranded_node_by_node_is_a_number_of_the_page():
    step = next(step for step in LESSON.derivation if step.title.startswith("Free GPUs"))
    # 36 of 40 GPUs of 5 nodes, node by node: four nodes and half of one; a job of 5 leaves 3 and 4 of them.
    wish = Slices(nodes=5, free=0.9, job=5)
    assert fill(step.text, values.live_values(wish)).endswith("leaves whole nodes free: then it is 44.4 %.")
    assert pytest.approx(0.444, abs=5e-4) == (4 * 3 + 4) / 36
