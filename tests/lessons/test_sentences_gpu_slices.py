"""Sentences of GPU slices at the knobs' ends, the presets, ties and random settings, against an own count."""

import math
import random
import re
from dataclasses import replace
from itertools import permutations, product

import pytest

from lessons.gpu_slices import LESSON, fragments, slots, values
from lessons.gpu_slices import gang as slices_gang
from lessons.gpu_slices import stream as slices_stream
from lessons.gpu_slices.settings import KINDS, MIXES, RULES, Slices
from physics.slicing import PROFILES, layouts, placeable, stranded
from physics.slicing.gangs import gang_start_probability
from physics.slicing.streams import created
from ui.base.words import fill
from ui.knobs.declared import knobs_of, read

KNOBS = {name: one.constant for name, one in knobs_of(Slices).items() if one.constant is not None}
BLOCKS = [int(position) for position in knobs_of(Slices)["block"].positions]
#: Profile of each number that NVIDIA's guide uses; its A100 has 40 GB and the same slices.
NUMBERED = {19: "1g.10gb", 14: "2g.20gb", 9: "3g.40gb", 5: "4g.40gb"}


def preset(name: str) -> Slices:
    return read(Slices, LESSON.presets[name].changes)[0]


def starts(*numbers: int) -> list[int | None]:
    return [place and place.start for place in created([NUMBERED[number] for number in numbers])]


def test_the_examples_of_nvidias_guide_come_out_as_printed():
    assert starts(19, 14, 5) == [6, 4, 0]
    assert starts(19, 19, 14, 9)[-1] is None and None not in starts(19, 19, 14, 9)[:-1]
    assert starts(9, 19, 14, 19) == [4, 0, 2, 1]
    assert starts(14, 19, 19, 19, 19, 19) == [4, 6, 0, 1, 2, 3]


def test_of_3g_2g_1g_1g_just_the_orders_with_3g_first_find_room():
    for order in set(permutations((19, 19, 14, 9))):
        assert (None not in starts(*order)) == (order[0] == 9)


def sets() -> list[tuple[str, ...]]:
    """Every set of instances that fits on one GPU, smallest first."""
    found = product(range(8), range(5), range(4), range(3), range(2), range(2))
    names = [tuple(name for name, n in zip(KINDS.values(), counts, strict=True) for _ in range(n)) for counts in found]
    return [one for one in names if placeable(one)]


def test_every_set_that_fits_can_be_created_largest_first_as_the_page_says():
    fitting = sets()
    assert len(fitting) > 70
    for names in fitting:
        assert None not in created(names[::-1])


def test_order_is_said_to_matter_just_where_creating_smallest_first_fails():
    for names in sets():
        wish = Slices(**{field: names.count(profile) for field, profile in KINDS.items()})
        assert ("order of creation matters" in slots.verdict(wish).text) == (None in created(names))
        if found := re.search(r"only (\d+) of (\d+) find", slots.verdict(wish).text):
            assert (int(found[1]), int(found[2])) == (sum(place is not None for place in created(names)), len(names))


def test_4g_2g_1g_has_no_warning_and_3g_2g_1g_1g_has_one():
    assert "order" not in slots.verdict(preset("sevenths")).text
    assert "only 3 of 4 find a place" in slots.verdict(preset("order")).text


def test_what_is_stranded_beside_a_set_is_the_least_over_its_placements():
    cuts = layouts(maximal=False)
    for names in sets():
        wish = Slices(**{field: names.count(profile) for field, profile in KINDS.items()})
        same = [cut for cut in cuts if sorted(place.profile for place in cut) == sorted(names)]
        assert wish.placed in same
        wasted = [(left.compute, left.memory) for left in (stranded([cut]) for cut in same)]
        assert (wish.left.compute, wish.left.memory) == min(wasted)


def test_more_named_nodes_than_there_are_have_no_chance():
    wish = Slices(needed=70, nodes=64)
    assert "70 named nodes with 0 %" in slices_gang.gang_words(wish)
    assert values.live_values(wish)["gang_named"] == "0 %"
    frame = slices_gang.gang_frame(wish).to_pandas()
    assert frame[frame.kind.str.startswith("named") | frame.label.str.contains("named", na=False)].chance.tolist() == [
        0,
        0,
    ]
    assert "64 named nodes with 1.8 × 10" in slices_gang.gang_words(Slices(needed=64, nodes=64))


def test_blocks_lower_the_chance_of_a_gang_above_the_mean_and_lift_one_below_it():
    above = Slices(nodes=64, needed=14, block=64)
    assert above.needed > above.nodes * above.free
    assert above.chance() == pytest.approx(0.402, abs=5e-4) and above.chance(block=64) == pytest.approx(0.2)
    below = gang_start_probability(0.9, 8, 7), gang_start_probability(0.9, 8, 7, 8)
    assert 7 < 8 * 0.9 and below[1] == pytest.approx(0.9) and below[0] < 0.82
    words = fill(LESSON.takeaways[3], values.live_values(Slices()))
    assert "depends on its size" in words and "helps a gang that needs more" not in words
    assert "64 of 256 nodes from 3 % to 30 %" in words and "64 of 400 from 98 % to 81 %" in words


def exact(free: float, nodes: int, needed: int, block: int) -> float:
    """Chance that enough nodes are free, term by term in logarithms."""
    blocks, rest = divmod(nodes, block)
    total = []
    for k, last in product(range(blocks + 1), (0, 1) if rest else (0,)):
        if k * block + last * rest >= needed:
            choices = math.lgamma(blocks + 1) - math.lgamma(k + 1) - math.lgamma(blocks - k + 1)
            chance = math.exp(choices + k * math.log(free) + (blocks - k) * math.log1p(-free))
            total.append(chance * ((free if last else 1 - free) if rest else 1))
    return math.fsum(total)


def wish_of(rng: random.Random) -> Slices:
    """Random settings; each knob stands at its default, at an end or anywhere."""
    values = {}
    for name, knob in KNOBS.items():
        low, high = float(knob.low), float(knob.high)
        values[name] = rng.choice([getattr(Slices(), name), low, high, round(rng.uniform(low, high))])
    values["free"] = rng.choice([0.01, 0.2, 0.5, rng.randint(1, 99) / 100])
    values["block"], values["nodes"] = rng.choice(BLOCKS), 16 * rng.randint(1, 64)
    few = rng.choice([1, 0.3])
    values |= {name: int(few * values[name]) for name in KINDS}
    values |= {name: int(value) for name, value in values.items() if name != "free"}
    return Slices(**values, gpu=rng.choice(list(PROFILES)))


def check(wish: Slices) -> None:
    """Compare every kind of sentence with a count of its own."""
    words, live = f"{slots.verdict(wish).text} {slots.remedies(wish)}", values.placed_words(wish)
    assert wish.fits == ("Does not fit" not in words) and ("do not fit" in live) == (not wish.fits)
    for field, profile in KINDS.items():
        if f"leave out one {profile}" in words:
            assert placeable(replace(wish, **{field: getattr(wish, field) - 1}).names)
    gang, good = f"{slices_gang.verdict(wish).text} {slices_gang.remedies(wish)}", slices_gang.verdict(wish).good
    alone, together = (exact(wish.free, wish.nodes, wish.needed, block) for block in (1, wish.block))
    assert wish.chance() == pytest.approx(alone, rel=1e-6, abs=1e-9)
    assert wish.chance(block=wish.block) == pytest.approx(together, rel=1e-6, abs=1e-9)
    assert good == (wish.chance() >= 0.5) == ("even chance or better" in gang)
    if "That is too few" in gang:
        assert wish.nodes * wish.free < wish.needed
    if "named nodes with 0 %" in gang or "named node with 0 %" in gang:
        assert wish.nodes < wish.needed
    for text in re.findall(r"(?:: |or )(\d+ nodes|a gang of \d+|\d+ % free)", gang.partition("For an even chance")[2]):
        number = int(re.search(r"\d+", text)[0])
        change = (
            {"nodes": number} if "nodes" in text else {"needed": number} if "gang" in text else {"free": number / 100}
        )
        assert replace(wish, **change).chance() >= 0.5
    lost = fragments.spread(wish)
    size = 8
    by_hand = math.fsum(
        math.comb(size, free) * wish.free**free * (1 - wish.free) ** (size - free) * (free % wish.job)
        for free in range(size + 1)
    )
    assert lost.stranded == pytest.approx(wish.nodes * by_hand, abs=1e-6)


@pytest.mark.parametrize("name", list(LESSON.presets))
def test_no_sentence_of_a_preset_is_contradicted(name):
    check(preset(name))


def test_no_sentence_at_random_settings_is_contradicted():
    rng = random.Random(20250302)
    for _ in range(60):
        check(wish_of(rng))


@pytest.mark.parametrize("name", list(KNOBS))
@pytest.mark.parametrize("end", ["low", "high"])
def test_no_sentence_at_the_end_of_a_knob_is_contradicted(name, end):
    value = float(getattr(KNOBS[name], end))
    if name == "free":
        value = min(max(value, 0.01), 0.99)
    check(replace(Slices(), **{name: value if name in ("free", "stay") else int(value)}))


def test_a_chance_of_just_one_half_counts_as_even():
    wish = Slices(nodes=1, needed=1, free=0.5, block=1)
    assert wish.chance() == 0.5 and slices_gang.verdict(wish).good


def test_no_rule_holds_more_than_the_bound_that_is_named():
    for draw, mix in product((1, 2), MIXES):
        found = slices_stream.trial(Slices(draw=draw, mix=mix))
        assert all(used <= bound for rule in RULES for used, bound in zip(found.used[rule], found.bound, strict=True))


def test_one_free_slice_is_and_several_are():
    step = next(one for one in LESSON.derivation if one.title.startswith("Fragmentation"))
    seen = set()
    for draw, moment, rule in product((3, 8), range(20, 41), RULES):
        wish = Slices(draw=draw, moment=moment, rule=rule)
        text = fill(step.text, values.live_values(wish))
        free = int(re.search(r"(\d+) compute slices? (?:is|are) free and F is", text)[1])
        assert (f"{free} compute slice is free" in text) == (free == 1)
        seen.add(free == 1)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("changes", "value", "note"),
    [
        ({"one": 1, "three": 1}, "none", "what is free can be used"),
        ({"one": 0, "three": 0, "seven": 1}, "none", "no slice is free"),
        ({"one": 0, "three": 2}, "1 compute", "free, and of use to no profile"),
    ],
)
def test_the_note_under_stranded_slices_is_about_those_that_there_are(changes, value, note):
    shown = next(one for one in slots.metrics(Slices(**changes)) if one.label == "Stranded")
    assert (shown.value, shown.note) == (value, note)
