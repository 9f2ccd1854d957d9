"""Every sentence of Sharing a GPU that holds a number, quoted and proved; its sentences against own computations."""

import random
import re
from dataclasses import replace
from itertools import product

import pytest

from lessons import GPU_SHARING as LESSON
from lessons.gpu_sharing import film, pair, puzzle, verdict, ways
from lessons.gpu_sharing.settings import CUTS, INTENSITIES, LETTERS, TIE, Sharing, demand, multiprocessors
from physics import constants as k
from physics.gpu_sharing import corun
from physics.slicing import placeable
from ui.base.words import fill, load
from ui.knobs.declared import knobs_of, read

WORDS = LESSON.values(Sharing())
PI, BETA = 989e12, 3.35e12
RIDGE = PI / BETA
DECODING, TRAINING = (32 / RIDGE, 1.0), (1.0, RIDGE / 1000)
#: (intensity, share of the roofline) of the puzzle's jobs, as the knobs' labels say them.
JOBS = {"A": (32, 0.8), "B": (64, 1), "C": (128, 0.7), "D": (16, 0.9),
        "E": (1000, 1), "F": (600, 0.9), "G": (2000, 0.8), "H": (400, 0.4)}  # fmt: skip


def said(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, WORDS)


def own_demand(intensity: float, reach: float) -> tuple[float, float]:
    return reach * min(1, intensity / RIDGE), reach * min(1, RIDGE / intensity)


def own_slowdown(*jobs: tuple[float, float]) -> float:
    """What all ask for together of the fuller resource, at least 1: they stop at one speed."""
    return max(1.0, *(sum(job[number] for job in jobs) for number in range(2)))


def sampled(number: int) -> list[Sharing]:
    """Knob ends, presets, ties and some hundred random settings."""
    knobs, dice = knobs_of(Sharing), random.Random(7)
    found = [read(Sharing, preset.changes)[0] for preset in LESSON.presets.values()]
    for name, knob in knobs.items():
        found += [replace(Sharing(), **{name: value}) for value in (knob.values({})[0], knob.values({})[-1])]
    found += [Sharing(intensity=i, neighbor=j) for i, j in product((1, 300, 4000), repeat=2)]
    found += [Sharing(reach=0.5, neighbor_reach=0.5, intensity=i, neighbor=i) for i in (1, 32, 1000)]  # exactly full
    found += [
        replace(Sharing(), **{name: dice.choice(knob.values({})) for name, knob in knobs.items()})
        for _ in range(number)
    ]
    return found


SETTINGS = sampled(400)


def test_the_message_and_the_knobs_tell_the_same_story():
    assert "32 sequences at once" in LESSON.message and "up to 1.5 times as long" in LESSON.message
    assert (Sharing().intensity, Sharing().neighbor, Sharing().accepted) == (32, 1000, 1.5)
    assert (k.SHARE_PEAK, k.SHARE_BANDWIDTH) == (PI, BETA) and LESSON.prediction.right == "b"
    assert WORDS["story_peak"] == "989 TFLOP/s" and WORDS["story_bandwidth"] == "3.35 TB/s"


def test_decoding_beside_training_is_1_3_times_slower_and_alike_jobs_twice():
    assert round(own_slowdown(DECODING, TRAINING), 3) == 1.295
    assert "each is 1.3 times slower" in said("b") and "One GPU then does the work of 1.54 GPUs." in said("b")
    assert round(2 / own_slowdown(DECODING, TRAINING), 2) == 1.54
    assert own_slowdown(DECODING, DECODING) == own_slowdown(TRAINING, TRAINING) == 2
    assert "two that decode are 2 times slower, two trainings 2 times" in said("a")
    assert "uses 10.8 % of the compute, and training 29.5 % of the memory bandwidth" in said("a")
    assert "ask for 130 % of the fuller resource" in said("a")
    assert (round(DECODING[0], 3), round(TRAINING[1], 3)) == (0.108, 0.295)
    assert "reach only 50 % of the roofline each would run as fast as alone" in said("c")
    assert own_slowdown(*((job[0] / 2, job[1] / 2) for job in (DECODING, TRAINING))) == 1
    assert round(32 / RIDGE, 2) == 0.11 and "uses 11 % of the compute" in LESSON.reflection.text


def test_turns_of_2_ms_and_the_switch_of_the_notes():
    assert "turns of 2 ms and switches of 10 ms each is 12 times slower" in said("d")
    assert 2 * (2 + 10) / 2 == 12
    found = fill(LESSON.corrections[0].found, WORDS)
    assert "66.7 % with turns of 2 ms and a switch of 1 ms, 16.7 % with 10 ms" in found
    assert (round(2 / 3, 3), round(2 / 12, 3)) == (0.667, 0.167)
    assert fill(LESSON.staff.thirty, WORDS).count("3 times slower") == 1 and 2 * (2 + 1) / 2 == 3


def test_a_utilization_has_no_unit():
    found = fill(LESSON.corrections[1].found, WORDS)
    assert "0.989 TB/s of 3.35 TB/s are 29.5 %, a pure number" in found
    assert round(TRAINING[1] * 3.35, 3) == 0.989 and round(0.989 / 3.35, 3) == 0.295


def test_two_jobs_within_the_roofline_are_never_more_than_twice_as_slow():
    values = [demand(i, reach) for i in INTENSITIES for reach in (0.05, 0.5, 1)]
    assert max(max(1 / s for s in corun([one, other])) for one in values for other in values) == 2
    assert max(max(pair.curve(i, 1, 1)[1]) for i in INTENSITIES) < pair.TOP
    assert "at most twice what there is" in said("d") and "at most 2 times" in LESSON.corrections[2].found


def test_both_run_at_one_speed_and_it_is_the_closed_form_at_every_setting():
    for s in SETTINGS:
        mine, theirs = own_demand(s.intensity, s.reach), own_demand(s.neighbor, s.neighbor_reach)
        assert s.slowdown == pytest.approx(own_slowdown(mine, theirs), rel=1e-9)
        assert corun([s.yours, s.other]) == pytest.approx([1 / s.slowdown] * 2)
        curve = dict(zip(*pair.curve(s.intensity, s.reach, s.neighbor_reach), strict=True))
        for at in (1.0, 4000.0):
            near = min(curve, key=lambda x: abs(x - at))
            assert curve[near] == pytest.approx(own_slowdown(mine, own_demand(near, s.neighbor_reach)))


def test_the_verdict_says_what_is_full_and_is_never_at_odds_with_its_own_numbers():
    for s in SETTINGS:
        asked = [
            one + two
            for one, two in zip(own_demand(s.intensity, s.reach), own_demand(s.neighbor, s.neighbor_reach), strict=True)
        ]
        found, slow = LESSON.verdict(s), max(1.0, *asked)
        assert found.good == (slow <= s.accepted + 1e-9)
        for name, share in zip(("compute", "memory bandwidth"), asked, strict=True):
            assert (name in found.text) == (share > max(asked) - TIE), s
        assert ("as fast as alone" in found.text) == (slow <= 1 + TIE), s
        if slow > 1 + TIE:
            told, bound = map(
                float, re.search(r"each is ([\d.]+) times slower: \w+ the accepted ([\d.]+) times", found.text).groups()
            )
            assert told == pytest.approx(slow, rel=6e-3) and told > 1 and bound == pytest.approx(s.accepted)
            assert ("within" in found.text) == (told <= bound), found.text
        used = dict(zip(("Compute in use", "Memory bandwidth in use"), s.used, strict=True))
        shown = {one.label: one.value for one in LESSON.metrics(s)}
        for label, share in used.items():
            assert float(shown[label].removesuffix(" %")) == pytest.approx(100 * share, rel=6e-3)
        assert max(s.used) == pytest.approx(min(1, max(asked)))


def test_the_smallest_changes_that_are_named_do_mend_it():
    knobs = {"neighbor": "put it beside a neighbor of", "intensity": "run a job of"}
    tried = 0
    for s in [one for one in SETTINGS if not one.accepts][:60]:
        words = LESSON.remedies(s)
        for name, start in knobs.items():
            if match := re.search(rf"{start} ([\d,]+) FLOP/B", words):
                value, tried = int(match[1].replace(",", "")), tried + 1
                assert replace(s, **{name: value}).accepts
                nearer = [i for i in INTENSITIES if min(value, getattr(s, name)) < i < max(value, getattr(s, name))]
                assert not any(replace(s, **{name: i}).accepts for i in nearer)
            elif "No single knob" in words:
                assert not any(replace(s, **{name: i}).accepts for i in INTENSITIES)
    assert tried > 20
    assert all(LESSON.remedies(s) == "" for s in SETTINGS if s.accepts)


def test_turns_and_slices_are_those_of_the_derivation_at_every_setting():
    for s in SETTINGS:
        turns, _, slices = ways.speeds(s).values()
        assert turns[0] == turns[1] == pytest.approx(s.quantum / (s.quantum + s.switch) / 2)
        assert max(turns) <= 0.5
        for speed, (c, m), name in zip(
            slices,
            (own_demand(s.intensity, s.reach), own_demand(s.neighbor, s.neighbor_reach)),
            CUTS[s.cut],
            strict=True,
        ):
            compute = {"2g": 32, "3g": 60, "4g": 64}[name[:2]] / 132
            memory = {"2g": 2, "3g": 4, "4g": 4}[name[:2]]
            assert speed == pytest.approx(min(1, compute / c, memory / 8 / m))
    assert all(placeable(cut, "H100-80GB") for cut in CUTS.values())
    assert WORDS["story_slices"] == "0.5 and 0.485" and round(64 / 132, 3) == 0.485
    derived = next(one for one in load("gpu_sharing").derivation if one.title.startswith("Slices"))
    assert "C / 132" in derived.formula and "132 multi" in derived.text
    assert "A 2g has 32 multiprocessors, a 3g 60, and a 4g 64" in derived.text


def test_alike_jobs_take_twice_as_long_only_if_each_fills_a_resource():
    takeaway = load("gpu_sharing").takeaways[1]
    assert "Two that each fill the same resource take twice as long" in takeaway
    for intensity in (1, 32, 128, 600, 4000):
        full = Sharing(intensity=intensity, neighbor=intensity)
        assert full.slowdown == pytest.approx(2)
        assert replace(full, reach=0.5, neighbor_reach=0.5).slowdown == pytest.approx(1)
    assert Sharing(intensity=16, neighbor=4000).slowdown < 1.1


def test_no_cut_of_an_h100_has_more_than_all_of_it():
    for cut in CUTS:
        instances = Sharing(cut=cut).instances
        assert sum(multiprocessors(one) for one in instances) <= k.SHARE_MULTIPROCESSORS
        assert sum(one.memory for one in instances) <= k.SLICES_MEMORY


def test_the_puzzle_s_labels_say_what_its_constants_are():
    knobs = knobs_of(Sharing)
    for letter, (intensity, reach) in JOBS.items():
        assert puzzle.jobs()[letter] == pytest.approx(own_demand(intensity, reach))
        label = knobs[f"job_{letter.lower()}"].label
        assert label.startswith(f"{letter}: ") and f"({intensity:,}" in label and f"{100 * reach:.0f} %)" in label


def own_pairings(left: tuple[str, ...]):
    if not left:
        yield ()
        return
    for other in left[1:]:
        for rest in own_pairings(tuple(one for one in left[1:] if one != other)):
            yield ((left[0], other), *rest)


def test_the_challenge_binds_on_both_sides_and_a_few_of_105_pairings_win_it():
    found = {}
    for ways_to_pair in own_pairings(tuple(LETTERS)):
        slow = {two: own_slowdown(*(own_demand(*JOBS[one]) for one in two)) for two in ways_to_pair}
        total = sum(2 / one for one in slow.values())
        chat = next(one for two, one in slow.items() if "A" in two)
        placed = {f"job_{letter.lower()}": str(gpu) for gpu, two in enumerate(ways_to_pair, 1) for letter in two}
        judged = LESSON.challenge.judge(Sharing(**placed))
        assert judged.good == (chat <= 1.05 and total >= 7)
        found[ways_to_pair] = (total, chat, judged.good)
    totals = [total for total, _, _ in found.values()]
    assert len(found) == 105 and sum(good for _, _, good in found.values()) == 2
    best = max(found.values())
    assert best[0] > 7 and best[1] > 1.05  # the most work leaves the chat too slow
    assert any(chat == 1 and total < 7 for total, chat, _ in found.values())  # and a fast chat may leave too little
    assert [WORDS[f"puzzle_{name}"] for name in ("worst", "random")] == [
        f"{value:.3g}" for value in (min(totals), sum(totals) / 105)
    ]
    assert WORDS["puzzle_start"] == f"{puzzle.throughput(Sharing()):.3g}" == "5.08"


def test_three_on_a_gpu_never_win():
    dice = random.Random(1)
    for _ in range(300):
        placed = {f"job_{letter.lower()}": dice.choice("1234") for letter in LETTERS}
        s = Sharing(**placed)
        judged = puzzle.judge(s)
        if any(len(on) > 2 for on in s.placed.values()):
            assert not judged.good and "more than two jobs" in judged.text
        total = sum(puzzle.speeds(s).values())
        told = float(re.search(r"ystem throughput ([\d.]+),", judged.text)[1])
        assert told == pytest.approx(total, rel=5e-3) and (told >= 7) == (total >= 7)


def test_the_film_shows_what_the_models_say_at_every_setting():
    for s in SETTINGS[::5]:
        shown = film.showing(s).film
        boxes, waiting = shown.at(0.0)
        assert set(waiting["kind"]) == {"neighbor"} and len(waiting) == 1
        for row, share in enumerate(s.yours):
            on = boxes[(boxes["first"] == row * 20) & (boxes["kind"] == "yours")]
            assert (on["last"] - on["first"] + 1).sum() == round(share * 20)
        if s.switch:
            boxes, waiting = shown.at(s.quantum + s.switch / 2)
            assert (boxes["kind"] == "switch").sum() == 2 and len(waiting) == 2
        assert (shown.boxes["last"] < 120).all() and shown.end == pytest.approx(6 * (s.quantum + s.switch))


def test_a_slowdown_never_looks_like_a_limit_that_it_is_not():
    assert verdict.times(1.5000004, 1.5) != verdict.times(1.5) and verdict.times(1.0000004) != "1 times"
    near = replace(Sharing(), intensity=256, accepted=1.85)
    assert near.slowdown > 1.85 and "beyond" in verdict.verdict(near).text


def test_the_puzzle_names_the_gpu_that_is_asked_for_most_and_counts_those_beyond_100_percent():
    for s in SETTINGS:
        asked = {
            gpu: [sum(own_demand(*JOBS[one])[number] for one in on) for number in range(2)]
            for gpu, on in s.placed.items()
        }
        text = puzzle.verdict(s).text
        gpu, share, name = re.search(r"more than GPU (\d), ([\d.]+) % of its ([a-z ]+):", text).groups()
        most = max(max(both) for both in asked.values())
        number = ("compute", "memory bandwidth").index(name)
        assert asked[gpu][number] == pytest.approx(most) == pytest.approx(float(share) / 100, rel=6e-3)
        shown = {one.label: one.value for one in puzzle.metrics(s)}
        beyond = sum(max(both) > 1 + TIE for both in asked.values())
        assert shown["GPUs beyond 100 %"] == f"{beyond} of 4" and ("nothing is full" in text) == (beyond == 0)
