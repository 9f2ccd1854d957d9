"""Every sentence of Sharing a GPU that holds a number, quoted and proved against computations of
the test's own.
"""

import random
import re
from dataclasses import replace
from itertools import product

import pytest
from filmed import seen_at

from lessons import GPU_SHARING as LESSON
from lessons.gpu_sharing import board, neighbor, pair, puzzle, race, ways
from lessons.gpu_sharing.laboratory import memory
from lessons.gpu_sharing.settings import (
    ALIKE,
    CUTS,
    INTENSITIES,
    NAMES,
    TIE,
    Sharing,
    jobs,
    parse,
    say,
    write,
)
from physics import constants as k
from physics.gpu_sharing import corun
from physics.serving import kv_bytes_per_token
from physics.slicing import placeable
from ui.base.words import fill
from ui.charts.look import Look
from ui.knobs.declared import knobs_of, read

WORDS = LESSON.values(Sharing())
RIDGE = 989e12 / 3.35e12
DECODING = (32 / RIDGE, 1.0)
TRAINING = (1.0, RIDGE / 1000)
#: Intensity [FLOP/B], share of the roofline, and memory [GB] of the puzzle's jobs.
JOBS = {
    "A": (32, 0.8, 31),
    "B": (64, 1, 48),
    "C": (128, 0.7, 48),
    "D": (16, 0.9, 22),
    "E": (1000, 1, 40),
    "F": (600, 0.9, 28),
    "G": (2000, 0.8, 48),
    "H": (400, 0.4, 20),
}


def said(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, WORDS)


def own_demand(intensity: float, reach: float) -> tuple[float, float]:
    return reach * min(1, intensity / RIDGE), reach * min(1, RIDGE / intensity)


def own_slowdown(*both: tuple[float, float]) -> float:
    """What both demand of the busier resource, at least 1."""
    return max(1.0, *(sum(job[number] for job in both) for number in range(2)))


def sampled(number: int) -> list[Sharing]:
    """Presets, ends, ties and some settings at random."""
    knobs = {name: one for name, one in knobs_of(Sharing).items() if one.kind != "text"}
    dice = random.Random(7)
    found = [read(Sharing, preset.changes)[0] for preset in LESSON.presets.values()]
    found += [Sharing(intensity=i, neighbor=j) for i, j in product((1, 300, 4000), repeat=2)]
    found += [
        Sharing(reach=0.5, neighbor_reach=0.5, intensity=i, neighbor=i) for i in (1, 32, 1000)
    ]  # exactly full
    drawn = (
        {name: dice.choice(knob.values({})) for name, knob in knobs.items()} for _ in range(number)
    )
    return [*found, *(replace(Sharing(), **changes) for changes in drawn)]


SETTINGS = sampled(300)


def own_pairings(left: tuple[str, ...]):
    if not left:
        yield ()
        return
    for other in left[1:]:
        for rest in own_pairings(tuple(one for one in left[1:] if one != other)):
            yield (left[0] + other, *rest)


def own_speeds(two: str) -> dict[str, float]:
    """Both at one speed if they fit into 80 GB, otherwise the first one alone."""
    if sum(JOBS[one][2] for one in two) > 80:
        return {two[0]: 1.0, two[1]: 0.0}
    return dict.fromkeys(two, 1 / own_slowdown(*(own_demand(*JOBS[one][:2]) for one in two)))


def test_the_message_and_the_settings_tell_the_same_story():
    assert "32 sequences at once" in LESSON.message and "up to 1.5 times as long" in LESSON.message
    story = Sharing()
    assert (story.intensity, story.neighbor, story.accepted, story.together) == (
        32,
        1000,
        1.5,
        False,
    )
    assert (k.SHARE_PEAK, k.SHARE_BANDWIDTH, k.SHARE_MEMORY) == (989e12, 3.35e12, 80e9)
    assert f"{32 / RIDGE:.0%}" == "11%" and "uses 11% of the compute" in LESSON.reflection.text


def test_decoding_and_training_take_1_3_times_as_long_and_jobs_of_one_kind_twice():
    assert round(own_slowdown(DECODING, TRAINING), 3) == 1.295 and round(2 / 1.2954, 2) == 1.54
    assert "each takes 1.3 times as long, and one GPU does the work of 1.54 GPUs" in said("b")
    assert own_slowdown(DECODING, DECODING) == own_slowdown(TRAINING, TRAINING) == 2
    assert (
        "Two decoding jobs each take 2 times as long together, and so do two training jobs"
        in said("a")
    )
    assert (round(DECODING[0], 3), round(TRAINING[1], 3)) == (0.108, 0.295)
    assert (
        "uses only 10.8% of the compute, and training only 29.5% of the memory bandwidth"
        in said("a")
    )
    assert "demand 130% of the busier resource" in said("a")
    assert own_slowdown(*((job[0] / 2, job[1] / 2) for job in (DECODING, TRAINING))) == 1
    assert "only 50% of the roofline would take as long as alone" in said("c")
    assert (
        "Two decoding jobs each take 2 times as long, and decoding and training each take 1.3 times"
        in fill(LESSON.takeaways[1], WORDS)
    )
    assert "such as 29.5% of 3.35 TB/s" in fill(LESSON.corrections[1].found, WORDS)


def test_what_an_answer_says_is_where_the_picture_draws_it():
    assert pair.GUESSES == {"a": 2.0, "b": 1.3, "c": 1.0, "d": 5.0}
    for option, words in (
        ("a", "Twice"),
        ("b", "About 1.3 times"),
        ("c", "No longer"),
        ("d", "Five times"),
    ):
        assert LESSON.prediction.option(option).text.startswith(words)
        rows = pair.figure(Sharing(), Look(), option).rows.to_pylist()
        at = [row["x"] for row in rows if row["kind"] == "said"]
        assert at == ([] if option == "d" else [pair.GUESSES[option]])
        assert any(
            "you said" in (row["label"] or "") and row["label"].endswith("→") == (option == "d")
            for row in rows
        )


def test_two_jobs_within_the_roofline_never_take_more_than_twice_as_long():
    values = [own_demand(i, reach) for i in INTENSITIES for reach in (0.05, 0.5, 1)]
    assert (
        max(max(1 / speed for speed in corun([one, other])) for one in values for other in values)
        == 2
    )
    assert (
        "at most twice as long" in said("d")
        and max(max(neighbor.curve(i, 1, 1)[1]) for i in INTENSITIES) < 2.3
    )


def test_both_run_at_one_speed_and_it_is_the_closed_form_at_every_setting():
    for s in SETTINGS:
        mine = own_demand(s.intensity, s.reach)
        theirs = own_demand(s.neighbor, s.neighbor_reach)
        assert s.slowdown == pytest.approx(own_slowdown(mine, theirs), rel=1e-9)
        assert corun([s.yours, s.other]) == pytest.approx([1 / s.slowdown] * 2)
    x, y = neighbor.curve(32, 1, 1)
    assert y == pytest.approx([own_slowdown(DECODING, own_demand(one, 1)) for one in x])


def test_the_verdict_names_the_bottleneck_and_is_never_at_odds_with_its_own_numbers():
    for s in SETTINGS:
        demands = own_demand(s.intensity, s.reach), own_demand(s.neighbor, s.neighbor_reach)
        both = [sum(job[number] for job in demands) for number in range(2)]
        slow = own_slowdown(*demands)
        found = pair.verdict(replace(s, together=True))
        assert found.good == (slow <= s.accepted + TIE)
        for name, share in zip(("compute", "memory bandwidth"), both, strict=True):
            assert (name in found.text) == (share > max(both) - TIE), s
        assert ("as long as alone" in found.text) == (slow <= 1 + TIE), s
        if slow > 1 + TIE:
            told = re.search(
                r"takes ([\d.]+) times as long, .*\. This is (within|more than) the "
                r"([\d.]+) times that you accept",
                found.text,
            )
            assert float(told[1]) == pytest.approx(slow, rel=6e-3) and float(told[1]) > 1
            assert (told[2] == "within") == (float(told[1]) <= float(told[3])), found.text
        assert pair.verdict(replace(s, together=False)).good is None


def test_the_smallest_changes_that_are_named_do_fix_it():
    words = {"neighbor": "pair it with a neighbor of", "intensity": "run a job of"}
    tried = 0
    for s in [one for one in SETTINGS if not one.accepts][:60]:
        text = LESSON.remedies(s)
        for name, start in words.items():
            match = re.search(rf"{start} ([\d,]+) FLOP/B", text)
            if match:
                value = int(match[1].replace(",", ""))
                tried = tried + 1
                assert replace(s, **{name: value}).accepts
                nearer = [
                    i
                    for i in INTENSITIES
                    if min(value, getattr(s, name)) < i < max(value, getattr(s, name))
                ]
                assert not any(replace(s, **{name: i}).accepts for i in nearer)
            elif "No single change" in text:
                assert not any(replace(s, **{name: i}).accepts for i in INTENSITIES)
    assert tried > 20 and all(LESSON.remedies(s) == "" for s in SETTINGS if s.accepts)


def test_time_slices_and_instances_are_those_of_the_derivation_at_every_setting():
    for s in SETTINGS:
        assert (
            s.turns["speed"] == pytest.approx(s.quantum / (s.quantum + s.switch) / 2)
            and s.turns["speed"] <= 0.5
        )
        demands = own_demand(s.intensity, s.reach), own_demand(s.neighbor, s.neighbor_reach)
        for found, (c, m), name in zip(
            (s.your_slice, s.other_slice), demands, CUTS[s.cut], strict=True
        ):
            compute, memory = {"2g": (32, 2), "3g": (60, 4), "4g": (64, 4)}[name[:2]]
            assert found["speed"] == pytest.approx(min(1, compute / 132 / c, memory / 8 / m))
    assert all(placeable(cut, "H100-80GB") for cut in CUTS.values())
    for s in (Sharing(cut=cut) for cut in CUTS):
        both = s.your_slice, s.other_slice
        assert (
            sum(one["multiprocessors"] for one in both) <= 132
            and sum(one["memory"] for one in both) <= 8
        )
    step = next(one for one in LESSON.derivation if one.title.startswith("Slices"))
    assert (
        "C / 132" in step.formula
        and "A 2g instance has 32 multiprocessors, a 3g has 60, and a 4g has 64" in step.text
    )
    mig = fill(step.text, WORDS)
    assert "your job runs at 50% of its speed alone" in mig
    assert "its neighbor runs at 48.5%" in mig
    assert "time slices of 2 ms and switches of 10 ms, each job takes 12 times as long" in said("d")
    assert 2 * (2 + 10) / 2 == 12 and 2 * (2 + 1) / 2 == 3
    found = fill(LESSON.corrections[0].found, WORDS)
    assert "1 ms, the useful share is 66.7%; with switches of 10 ms, it is 16.7%" in found


def test_the_progress_bars_are_full_after_the_work_alone_and_the_slowdown():
    for s in SETTINGS[::5]:
        shown = race.showing(race.narrowed(s)).film
        for bar, time in enumerate((10, 10 * s.slowdown, 10, 10 * s.slowdown)):
            for share in (0.26, 0.74, 1.001):
                boxes, _ = seen_at(shown, share * time)
                done = boxes[(boxes["first"] == 2 * bar * 40) & (boxes["kind"] != "open")]
                squares = (done["last"] - done["first"] + 1).sum()
                assert squares == int(min(share, 1) * 40 + 1e-9), (bar, share)
        assert 10 * s.slowdown < shown.end
    text = race.showing(Sharing()).alt
    assert "Alone, each job is done after 10 s. On one shared GPU, each is done after 13 s" in text
    assert Sharing().race_end == pytest.approx(10 * own_slowdown(DECODING, TRAINING))


def test_the_bars_of_each_way_are_as_long_as_the_model_says():
    for s in SETTINGS[::5]:
        frame = ways.figure(s, Look()).frame
        bars = frame[frame["kind"] == "bar"]["x2"].tolist()
        turns = s.turns["slowdown"]
        slots = [s.your_slice["takes"], s.other_slice["takes"]]
        lengths = [turns, turns, s.slowdown, s.slowdown, *slots]
        assert bars == pytest.approx([min(length, 6) for length in lengths])
        slices = frame[frame["kind"] == "slice"]
        if turns <= 6:
            # Six time slices for each job, which together are its time alone; never two at once.
            assert len(slices) == 12
            assert (slices["x2"] - slices["x"]).sum() == pytest.approx(2)
            ordered = slices.sort_values("x")
            assert (ordered["x2"][:-1].to_numpy() <= ordered["x"][1:].to_numpy() + 1e-9).all()


def test_a_touched_job_shows_what_it_demands_and_a_seam_parts_two_jobs():
    alike = Sharing(together=True, neighbor=32)
    frame = pair.figure(alike, Look()).frame
    seams = frame[frame["kind"] == "seam"]
    assert seams["x"].tolist() == pytest.approx([DECODING[0], 1.0])
    assert frame[frame["kind"] == "bar"]["tone"].nunique() == 1
    demands = frame[frame["kind"] == "demand"]
    assert demands["label"].tolist() == ["10.8%", "10.8%", "100%", "100%"]
    assert demands["job"].tolist() == ["your job", "neighbor"] * 2
    assert (pair.figure(Sharing(), Look()).frame["kind"] != "seam").all()
    spec = str(pair.figure(alike, Look()).spec)
    assert board.TOUCHED in spec


def test_each_step_of_the_tour_shows_its_cause():
    steps = [replace(Sharing(), **stop.settings) for stop in LESSON.tour]
    alone, both, alike, better = steps
    assert alone.yours.memory == 1 > alone.yours.compute and alone.other.compute == 1
    assert both.demanded.memory > 1 and both.slowdown == pytest.approx(1.295, abs=1e-3)
    assert alike.demanded.memory == 2 and alike.demanded.compute < 0.22
    assert better.other.memory < both.other.memory and better.slowdown < 1.15


def test_the_guesses_are_the_models_numbers():
    far = Sharing(neighbor=4000)
    assert far.neighbor == 4 * Sharing().neighbor
    assert far.bottleneck["name"] == "compute"
    assert far.slowdown == pytest.approx(1 + DECODING[0])
    assert Sharing().turns["slowdown"] == 3


def test_the_puzzle_s_jobs_have_the_memory_that_their_sources_add_up_to():
    cache = 2 * 32 * 32 * 128 * 2  # keys and values of 32 layers and 32 heads of 128 values of 2 B
    sequences = {"A": (32, 1000), "B": (64, 1000), "C": (128, 500), "D": (16, 1000)}
    parameters = {"E": (2e9, 8), "F": (1.25e9, 8), "G": (2.5e9, 8), "H": (1e9, 4)}
    needs = {name: 14e9 + n * length * cache for name, (n, length) in sequences.items()}
    needs |= {name: 16 * size + rest * 1e9 for name, (size, rest) in parameters.items()}
    for letter, (intensity, reach, size) in JOBS.items():
        assert jobs()[letter].demand == pytest.approx(own_demand(intensity, reach))
        assert jobs()[letter].memory == size * 1e9 == round(needs[letter], -9)
    assert kv_bytes_per_token(32, 32, 128) == cache == 524_288
    cached = "KV cache, which takes 524 kB per token in a model of 7 billion parameters"
    assert any(cached in step.text for step in LESSON.derivation)
    assert all(
        jobs()["A"].memory + job.memory <= 80e9 for job in jobs().values()
    )  # the chat always runs


def test_one_of_105_pairings_wins_and_the_challenge_binds_on_three_sides():
    found = []
    for pairs in own_pairings(tuple(NAMES)):
        speeds = {name: speed for two in pairs for name, speed in own_speeds(two).items()}
        total = sum(speeds.values())
        fits = all(speeds.values())
        in_time = speeds["A"] * 1.05 >= 1
        judged = puzzle.judge(Sharing(pairs=pairs))
        assert judged.good == (in_time and total >= 7) == judged.text.startswith("Won: ")
        found.append((total, in_time, fits, pairs))
    assert len(found) == 105 and [one[3] for one in found if one[0] >= 7 and one[1]] == [
        ("AG", "BF", "CH", "DE")
    ]
    assert any(
        total >= 7 and not in_time for total, in_time, _, _ in found
    )  # most work, but the chat is too slow
    assert any(
        in_time and total < 7 and fits for total, in_time, fits, _ in found
    )  # a fast chat, too little work
    # Without a limit of memory another pairing would win, too.
    slow = [
        own_slowdown(*(own_demand(*JOBS[one][:2]) for one in two))
        for two in ("AG", "BE", "CH", "DF")
    ]
    assert (
        slow[0] <= 1.05 and sum(2 / one for one in slow) >= 7 and JOBS["B"][2] + JOBS["E"][2] > 80
    )
    mean = sum(total for total, *_ in found) / 105
    which = next(one for one in LESSON.derivation if one.title.startswith("Which jobs"))
    assert f"the system throughput is {mean:.3g}" in fill(which.text, WORDS)
    paired = "If similar jobs are paired, the puzzle's eight jobs do the work of 5.08 GPUs on four"
    assert paired in fill(LESSON.takeaways[2], WORDS)
    assert sum(speed for two in ALIKE for speed in own_speeds(two).values()) == pytest.approx(
        5.08, abs=5e-3
    )


def test_the_job_that_starts_last_fails_and_the_verdict_says_which_and_why():
    for pairs, lost, runs in (
        (("BE", "AG", "CH", "DF"), "E", "B"),
        (("EB", "AG", "CH", "DF"), "B", "E"),
    ):
        s = Sharing(pairs=pairs)
        assert s.speeds[lost] == 0 and s.speeds[runs] == 1
        why = f"{lost} fails, because {runs} starts first and together they need 88 GB, but"
        assert puzzle.verdict(s).text.startswith(why)
        rows = puzzle.figure(s, Look()).rows.to_pylist()
        assert f"GPU 1: no memory for {lost}" in [row["label"] for row in rows]
        assert [row["job"] for row in rows if row["kind"] == "card" and row["opacity"] < 1] == [
            lost
        ]
    worst = puzzle.verdict(Sharing()).text
    assert (
        "E and F slow down most: each takes 1.9 times as long, because together they demand "
        "190% of the compute" in worst
    )


def running(pair: Sharing) -> tuple[bool, ...]:
    return tuple(pair.runs.values())


def test_the_last_to_start_fails_without_limits_and_whoever_exceeds_its_half_with_them():
    cases = (
        (31, 40, (1, 1), (1, 1)),
        (48, 40, (1, 0), (0, 1)),
        (40, 48, (1, 0), (1, 0)),
        (48, 41, (1, 0), (0, 0)),
        (48, 32, (1, 1), (0, 1)),
    )
    for need, other, alone, halved in cases:
        s = Sharing(need=need * 1e9, other_need=other * 1e9)
        assert running(s) == alone and running(replace(s, guard="halves")) == halved
        assert all(running(replace(s, guard="pcie")))
        for one in (s, replace(s, guard="halves")):
            text = memory.verdict(one).text
            runs = running(one)
            assert memory.verdict(one).good == all(runs) and ("fail" in text) == (not all(runs))
            assert text.startswith(
                "Both" if len(set(runs)) == 1 else "The other job" if runs[0] else "Your job"
            )


def test_memory_of_the_host_is_read_over_the_link_once_in_each_step():
    for guard, link, times in (("c2c", 450e9, "2.29 times"), ("pcie", 64e9, "11.3 times")):
        s = Sharing(need=48e9, guard=guard)
        own = (32e9 / 3.35e12 + 8e9 / link) / (40e9 / 3.35e12)
        assert (
            s.memory["spilled"] == pytest.approx(own)
            and f"takes {times} as long" in memory.verdict(s).text
        )
        assert "8 GB of its 40 GB is in host memory" in memory.verdict(s).text
        assert (
            Sharing(guard=guard).memory["spilled"] == 1
            and memory.verdict(Sharing(guard=guard)).good
        )


def test_the_text_of_a_pairing_is_read_back_and_nonsense_is_refused_in_one_clause():
    for pairs in list(own_pairings(tuple(NAMES)))[::10]:
        assert parse(write(pairs)) == pairs
    for text in (
        "AB",
        "AB-CD-EF-GG",
        "ABC-DEF-GH",
        "AB-CD-EF-GHI",
        "AB-CD-EF-G!",
        "AB CD EF GH",
        "-" * 50,
    ):
        with pytest.raises(ValueError, match="it must name each job from A to H once, two per GPU"):
            parse(text)


def test_tapped_jobs_change_places_and_one_alone_waits():
    start = Sharing()
    assert puzzle.swapped(start, ["B"]) is None and puzzle.swapped(start, ["B", "<x>"]) is None
    assert puzzle.swapped(start, ["B", "G"]) == {"pairs": ("AG", "CD", "EF", "BH")}
    assert puzzle.swapped(start, ["B", "A"]) == {"pairs": ("BA", "CD", "EF", "GH")}
    put = [
        pair.put(start, tapped)["together"]
        for tapped in (["yours"], ["neighbor"], ["neighbor", "yours"])
    ]
    assert put == [True, True, False]
    assert "at least 7 GPUs" in say("task", start)


def test_a_neighbor_in_the_memory_of_the_host_is_good_only_within_the_accepted_time():
    for guard in ("c2c", "pcie"):
        for need in (20, 60, 80):
            shown = Sharing(guard=guard, need=need * 1e9, other_need=60e9)
            row = LESSON.speaker(LESSON.view("memory"), "metrics")(shown)[2]
            assert row.good == (shown.memory["spilled"] <= shown.accepted), row
    slow = Sharing(guard="pcie", need=80e9, other_need=80e9)
    assert slow.memory["spilled"] > 20 and not slow.memory["good"]


def test_a_job_below_the_roofline_is_not_said_to_be_held_up_by_a_resource():
    low = Sharing(reach=0.3)
    assert max(low.yours) == pytest.approx(0.3)  # neither resource is full
    assert "held up" not in say("pair_words", low)
    assert "if its kernels leave no gaps" in say("ways", low)
