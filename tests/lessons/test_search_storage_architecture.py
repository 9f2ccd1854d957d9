"""A search for a false sentence on the storage page: knob ends, presets, exact ties and random settings by own sums."""

import itertools
import math
import random
import re
from dataclasses import fields, replace
from fractions import Fraction

import pytest

from lessons.storage_architecture import PRESETS, burst, capacity, distance, film, values
from lessons.storage_architecture import loads as main
from lessons.storage_architecture import local as copied
from lessons.storage_architecture import verdict as judged
from lessons.storage_architecture.settings import COPIES, FILE_MB, ORGANIZATIONS, REQUEST_MB, SHARD_MB, Design
from ui.base import format as f
from ui.knobs.declared import knobs_of

RANDOM = 60
KNOBS = {name: one.constant for name, one in knobs_of(Design).items() if one.constant is not None}
SIZES = {"file_size": FILE_MB, "shard_size": SHARD_MB, "request_size": REQUEST_MB}
SIZE = {"files": "file_size", "shards": "shard_size", "objects": "request_size", "local": "file_size"}
BEST = {  # the best value of every knob that reading depends on, the fleet and its demand apart
    "file_size": 1e9, "shard_size": 10e9, "request_size": 1e9, "metadata_servers": 256, "prefixes": 10_000,
    "storage_nodes": 512, "operations_per_file": 1.0, "directory_spread": 1.0, "server_rate": 200_000.0,
    "connections": 256, "first_byte": 0.1, "connection_bandwidth": 90e6,
    "local_drives": 8, "local_copy": "share",
}  # fmt: skip
#: Addresses that once had a false sentence, and exact ties.
FOUND = [
    {"organization": "objects", "request_size": 62.5e3, "accelerators": 16384, "demand": 400e6, "storage_nodes": 512},
    {"accelerators": 16384, "demand": 500e6, "directory_spread": 0.0},
    {"accelerators": 3200, "demand": 250e6, "metadata_servers": 12},
    {"accelerators": 1750, "demand": 160e6, "organization": "shards", "storage_nodes": 10},
    {"metadata_servers": 5},
    {"accelerators": 128, "file_size": 4e3, "demand": 500e6},
    {"organization": "shards", "shard_size": 10e9, "demand": 10e6, "server_rate": 200_000.0},
    {"egress_price": 0.0, "price_far": 3.5},
    {"egress_price": 0.0},
    {"organization": "local", "local_copy": "whole"},
    {"organization": "local", "data": 30.72e12, "local_copy": "whole"},
    {"organization": "local", "data": 5000e12, "accelerators": 128},
    {"organization": "local", "demand": 450e6, "local_drives": 1, "file_size": 4e3},
    {"organization": "local", "demand": 450e6, "local_drives": 1, "file_size": 4e3, "data": 7.68e12},
    {"organization": "local", "demand": 500e6, "local_drives": 1, "file_size": 4e3, "data": 5000e12},
    {"organization": "local", "storage_nodes": 1},
]


def loads(design: Design) -> dict[str, float]:
    """Demand over capacity of the limits in use, by hand."""
    rate = design.accelerators * design.demand
    size = getattr(design, SIZE[design.organization])
    if design.organization == "local":
        drive = min(6.5e9, 900e3 * design.file_size)
        part = design.data / (1 if design.local_copy == "whole" else -(-design.accelerators // 8))
        asked = min(8, design.accelerators) * design.demand
        return {"drives": asked / design.local_drives / drive, "space": part / design.local_drives / 7.68e12}
    if design.organization == "objects":
        in_flight = design.demand / size * (design.first_byte + size / design.connection_bandwidth)
        return {"requests": rate / size / 5_500 / design.prefixes, "connections": in_flight / design.connections}
    busiest = 1 - design.directory_spread + design.directory_spread / design.metadata_servers
    operations = rate / size * design.operations_per_file
    return {"bandwidth": rate / (28e9 * design.storage_nodes), "metadata": operations * busiest / design.server_rate}


def highest(design: Design) -> float:
    return max(loads(design).values())


def fails(design: Design) -> bool:
    """Whether reads are lost or queue without limit: data that fill their space exactly still fit."""
    mine = loads(design)
    return any(load > 1 + 1e-9 or (load > 1 - 1e-9 and name != "space") for name, load in mine.items())


def copy(design: Design) -> tuple[float, float]:
    """Seconds of the opens and of the bytes of the copy to local drives, by hand."""
    nodes = -(-design.accelerators // 8)
    part = design.data / (1 if design.local_copy == "whole" else nodes)
    busiest = 1 - design.directory_spread + design.directory_spread / design.metadata_servers
    opens = nodes * part / design.file_size * design.operations_per_file * busiest / design.server_rate
    slowest = min(28e9 * design.storage_nodes / nodes, 25e9, 4e9 * design.local_drives)
    return opens, part / slowest


def drawn(number: int, seed: int = 23) -> list[Design]:
    rng, found = random.Random(seed), []
    for _ in range(number):
        given: dict[str, object] = {
            "organization": rng.choice(list(ORGANIZATIONS)),
            "local_copy": rng.choice(list(COPIES)),
        }
        for name, constant in KNOBS.items():
            low, high, kind = float(constant.low), float(constant.high), type(getattr(Design(), name))
            if name in SIZES:
                given[name] = rng.choice(SIZES[name]) * 1e6
            elif rng.random() < 0.6:
                value = low * (high / low) ** rng.random() if low > 0 else high * rng.choice([0, 0.25, 0.5, 0.9, 1])
                given[name] = kind(float(f"{value:.3g}"))
        found.append(Design(**given))
    return found


def ends() -> list[Design]:
    known = {one.name: type(one.default) for one in fields(Design)}
    return [
        Design(organization=kind, **{name: known[name](value)})
        for kind in ORGANIZATIONS
        for name, constant in KNOBS.items()
        for value in (constant.low, constant.high)
    ]


def every(number: int) -> list[Design]:
    presets = [preset.changes for preset in PRESETS.values()]
    return [*(Design(**given) for given in (*presets, *FOUND)), *ends(), *drawn(number)]


def moved(design: Design, *changes: tuple[str, object]) -> Design:
    return replace(design, **dict(changes))


def choices(design: Design) -> list[tuple[str, object]]:
    others = [("organization", kind) for kind in ORGANIZATIONS if kind != design.organization]
    return [*BEST.items(), *others]


def said_of(design: Design) -> str:
    return f"{judged.verdict(design).text} {judged.remedies(design)}"


def contradictions(design: Design) -> list[str]:
    """Every sentence about this design that own arithmetic contradicts."""
    text, top, found = said_of(design), highest(design), []

    def claim(true: bool, words: str) -> None:
        if not true:
            found.append(words)

    failing = fails(design)
    queue, top = (
        next((limit for limit in (0.8, 1.0) if math.isclose(load, limit, rel_tol=1e-9)), load)
        for load in (loads(design).get("drives", top), top)
    )
    claim(("Every limit holds" in text) == (not failing and queue < 0.8), "every limit holds")
    claim(("queues build up" in text) == (not failing and queue >= 0.8), "queues build up")
    claim((judged.remedies(design) != "") == failing, "remedies where something fails")
    claim("Only 100 %" not in text, "only all")
    if "no single knob" in text:
        claim(all(fails(moved(design, one)) for one in choices(design)), "no single knob")
        pairs = [two for two in itertools.combinations(choices(design), 2) if two[0][0] != two[1][0]]
        possible = any(not fails(moved(design, *two)) for two in pairs)
        claim(("nor do two" in text) != possible, "nor do two")
    for change in judged.singles(design) if failing else ():
        claim(highest(replace(design, **{change.name: change.value})) < 1 + 1e-9, f"cure {change.words}")
    moved_to = replace(design, organization="local")
    if failing and design.organization != "local":
        listed = "own drives, which takes" in text
        claim(listed == (not fails(moved_to)) or ("no single knob" in text and fails(moved_to)), "a copy as a cure")
    opens, bytes_ = copy(moved_to)
    said = copied.copy_words(moved_to)
    claim(f"the copy takes {f.duration(max(opens, bytes_))}" in said, "time of the copy")
    gpu_hours = f.count(design.accelerators * max(opens, bytes_) / 3600, "GPU-hour")
    claim(f"wait for it cost {gpu_hours}, " in said, "GPU-hours of waiting")
    space = loads(moved_to)["space"]
    claim(("does not fit" in said) == (space > 1) or abs(space - 1) < 1e-9, "whether the copy fits")
    claim(
        ("hold only" in said or "holds only" in said) == (design.storage_nodes * design.node_capacity < design.data),
        "a store that is too small",
    )
    if design.organization == "local":
        found += false_of_local(design, opens, bytes_)
    for name, at in re.findall(r"(bandwidth|metadata|requests) at ([\d,]+) GPU", judged.derived_words(design)):
        gpus = int(at.replace(",", ""))
        here = loads(replace(design, accelerators=gpus))[name]
        before = loads(replace(design, accelerators=gpus - 1))[name] if gpus > 1 else 0
        claim(here >= 1 - 1e-9 and before < 1, f"saturated at {at}")
    if design.organization in ("files", "shards"):
        mine = loads(design)
        left = (1 - design.write_share) * 28e9 * design.storage_nodes / (design.accelerators * design.demand)
        reads = min(1, left, 1 / mine["metadata"])
        claim(design.burst.read_share == pytest.approx(reads), "reads in a checkpoint")
        words = values.checkpoint_words(design)
        claim(("enough for all reads" in words) == (reads == 1) or abs(reads - 1) < 1e-9, "enough for all reads")
        frame = burst.burst_frame(design)
        boxes = frame[frame["kind"] == "reads"]["y"]
        claim(
            boxes.max() * 28e9 * design.storage_nodes
            <= design.accelerators * design.demand * min(1, 1 / top) * (1 + 1e-9),
            "chart's reads",
        )
    far = design.price_far - design.price_near
    alt, free = distance.distance_alt(design), design.egress_price == 0
    claim(("never" in values.distance_words(design)) == (far >= 0 and not (free and far == 0)), "moving never pays")
    claim(("the same at every length" in alt) == (free and far == 0), "the same at every length")
    notes = [words for one in values.metrics(design) for words in (one.label, one.value, one.note)]
    claim(not any("times cap" in cell or " 0 GPU" in cell or "less than 1" in cell for cell in notes), "a metric")
    claim("nan" not in text and math.isfinite(top), "a number that is none")
    return found


def false_of_local(design: Design, opens: float, moving: float) -> list[str]:
    """Every sentence about reads from local drives that own arithmetic contradicts."""
    mine, found = loads(design), []
    text = f"{judged.verdict(design).text} {judged.derived_words(design)}"
    top = max(1.0, *mine.values())
    if fails(design) and abs(top - 1) > 1e-9:
        found += [] if f"Only {f.share(1 / top)} of the reads" in text else ["share of the reads"]
        word = "find their data" if mine["space"] > mine["drives"] else "get through"
        found += [] if word in text else [f"reads {word}"]
    at = int(re.search(r"saturated by ([\d,]+) GPU", text)[1].replace(",", ""))
    each = design.demand / design.local_drives / min(6.5e9, 900e3 * design.file_size)
    if not (at * each >= 1 - 1e-9 and (at == 1 or (at - 1) * each < 1)):
        found.append("GPUs that saturate a node's drives")
    if fit := re.search(r"shares fit from ([\d,]+) node", text):
        least = int(fit[1].replace(",", ""))
        held = design.local_drives * 7.68e12
        if not least * held >= design.data * (1 - 1e-9) or (least > 1 and (least - 1) * held >= design.data):
            found.append("nodes from which shares fit")
    elif ("whole dataset fits" in text) != (mine["space"] <= 1):
        found.append("whole dataset fits")
    if values.checkpoint_words(design).count("own drives and do not notice") != 1:
        found.append("reads in a checkpoint")
    if (burst.burst_frame(design)["kind"] == "demand").any():
        found.append("chart's reads")
    first, second = film.asked(design)
    if not (first == pytest.approx(opens / moving) and second == 1):
        found.append("film's loads")
    full = math.log(max(1, design.local_capacity / design.data))
    words = capacity.words(design)
    if ("too little today" in words) != (mine["space"] > 1) and abs(mine["space"] - 1) > 1e-9:
        found.append("too little today")
    if (
        full > 1e-9
        and design.growth > 0
        and f"full after {f.significant(full / math.log1p(design.growth))}" not in words
    ):
        found.append("years until the drives are full")
    return found


@pytest.mark.slow
def test_no_sentence_of_the_page_is_contradicted_at_ends_presets_ties_and_random_settings():
    wrong = [(design, found) for design in every(RANDOM) if (found := contradictions(design))]
    assert not wrong, wrong[:3]


def test_a_choice_mends_where_no_slider_does():
    text = said_of(Design(**FOUND[0]))
    assert "shards of 1 GB" in text and "no single knob" not in text


def test_a_load_of_exactly_one_lets_all_reads_through_with_a_queue_without_limit():
    text = said_of(Design(**FOUND[2]))
    assert highest(Design(**FOUND[2])) == 1
    assert "On average all reads just get through, and their queue grows without limit" in text
    assert "keeps every load below 100 %: 13 metadata servers;" in text and "lets all reads through" not in text


@pytest.mark.parametrize(
    ("rate", "begins"),
    [(93_000.0, "The metadata servers are saturated"), (116_250.0, "All reads get through, but queues build up")],
)
def test_a_load_that_rounding_moves_off_a_limit_is_at_that_limit(rate, begins):
    """307,200 operations/s, of which the first server carries 1 − 0.7 + 0.7 ÷ 256: 93,000."""
    uneven = {"directory_spread": 0.7, "metadata_servers": 256, "server_rate": rate}
    design = Design(accelerators=1024, demand=100e6, file_size=1e6, **uneven)
    assert Fraction(307_200) * (Fraction(3, 10) + Fraction(7, 2560)) == 93_000
    assert highest(design) == pytest.approx(93_000 / rate, rel=1e-12)
    text = said_of(design)
    assert text.startswith(begins) and "Only 100 %" not in text and "× 10" not in text


def test_queues_build_up_between_room_and_saturation():
    design = Design(metadata_servers=5)
    assert 0.8 < highest(design) < 1 and design.good is None and Design(metadata_servers=7).good is True
    assert "queues build up: the load of metadata is 98.3 %, and from 80 % on there is little room" in said_of(design)
    assert "59 times its service time" in said_of(design) and round(1 / (1 - 245_760 / 250_000)) == 59


def test_a_checkpoint_lets_no_more_reads_through_than_the_metadata_servers_do():
    assert Design().burst.read_share == pytest.approx(50_000 / 245_760)
    assert "20.3 % of the reads get through" in burst.burst_alt(Design())


def test_every_load_is_written_in_percent():
    design = Design(file_size=62.5e3)
    said = [main.fleet_alt(design), main.size_alt(design), *values.live_values(design).values()]
    assert "metadata 31,500 %" in said[0] and "metadata 31,500 %" in said[1]
    assert not any("times capacity" in words for words in said)
    assert "inversely proportional" in said[1]
