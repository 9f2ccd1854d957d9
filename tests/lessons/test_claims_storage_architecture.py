"""Every sentence of the storage lesson that holds a number, quoted and proved."""

import itertools
import math
from dataclasses import asdict, replace

import pytest

from lessons.storage_architecture import values
from lessons.storage_architecture import verdict as judged
from lessons.storage_architecture.settings import ORGANIZATIONS, Design
from physics import constants as k
from physics.storage import egress_cost, metadata_rate, move_or_not, node_local_bandwidth, object_store_plan
from physics.storage.designs import storage_loads
from ui.base.words import fill, load
from ui.knobs.declared import knobs_of, quantities, read

LESSON = load("storage_architecture")
CTO = Design()
WORDS = values.live_values(CTO)
FOUND = [fill(row.found, WORDS) for row in LESSON.corrections]


def said_of(design: Design) -> str:
    """What binds, and on request what would mend it."""
    return f"{judged.verdict(design).text} {judged.remedies(design)}"


def said(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, WORDS)


def reflected(option: str) -> str:
    return fill(LESSON.reflection.option(option).feedback, WORDS)


# --- the message -----------------------------------------------------------------------------------------------------
def test_the_message_is_arithmetically_right():
    message = LESSON.message.replace("\n", " ")
    assert "4,096 GPUs. Each reads 80 MB/s, so we need 328 GB/s" in message
    assert pytest.approx(327.68e9) == 4096 * 80e6
    assert "48 storage nodes of 28 GB/s, 1,344 GB/s together, four times as much" in message
    assert 48 * 28 == 1344 and pytest.approx(4.1, abs=0.01) == 1344 / 327.68
    assert "one metadata server" in message and "4 MB each" in message


def test_the_default_knobs_are_the_message():
    assert (CTO.accelerators, CTO.demand, CTO.storage_nodes, CTO.metadata_servers) == (4096, 80e6, 48, 1)
    assert (CTO.organization, CTO.file_size, CTO.bandwidth) == ("files", 4e6, pytest.approx(1344e9))
    assert (CTO.interval, CTO.parameters, CTO.job_gpus, CTO.hours) == (1800, 175e9, 512, 24)


# --- the prediction --------------------------------------------------------------------------------------------------
def test_b_quotes_the_operations_of_4_mb_files_and_small_files_and_the_reply_those_of_shards():
    text = said("b")
    assert "80 MB/s of 4 MB files are 20 files a second for each GPU" in text
    assert "make 246,000 operations a second: the work of 4.9 servers of 50,000" in text
    assert metadata_rate(4096, 80e6, 4e6) == pytest.approx(245_760)
    assert "With one server 20.3 % of the reads get through, although all of them would take no more than 24" in text
    assert pytest.approx(0.203, abs=5e-4) == 50_000 / 245_760 and CTO.loads.bandwidth == pytest.approx(0.25, abs=0.01)
    assert "62.5 kB files it would be 15.7 million operations a second and 315 servers" in text
    assert metadata_rate(4096, 80e6, 62.5e3) == pytest.approx(15.73e6, rel=1e-3)
    assert math.ceil(metadata_rate(4096, 80e6, 62.5e3) / 50_000) == 315
    assert "shards" not in text  # what mends it comes after the reflection
    assert "shards of 1 GB, which need 983 operations a second" in fill(LESSON.reply, WORDS)
    assert metadata_rate(4096, 80e6, 1e9) == pytest.approx(983.04)


def test_a_quotes_where_bandwidth_and_metadata_are_full():
    text = said("a")
    assert "328 GB/s of 1,344 GB/s is a load of 24.4 %" in text
    assert "bandwidth is full at 16,800 GPUs; the metadata server is full at 834 GPUs" in text
    assert 1344e9 / 80e6 == 16_800 and 833 < 50_000 / 60 < 834


def test_c_and_d_quote_twice_the_nodes_and_a_millisecond():
    assert "from 24.4 % to 12.2 %" in said("c") and "246,000 operations a second whether there are 48" in said("c")
    assert replace(CTO, storage_nodes=96).loads.metadata == CTO.loads.metadata
    assert "opens 20 files a second; a whole millisecond of network for each of them would fill 2 % of" in said("d")


def test_the_reflection_quotes_limits_and_needs():
    assert LESSON.reflection.right == "b"
    assert "at least 5,500 GETs a second for each prefix that is partitioned, which takes time under load" in reflected(
        "b"
    )
    assert (k.OBJECT_FIRST_BYTE.low, k.OBJECT_FIRST_BYTE.high) == (0.1, 0.2)
    text = reflected("c")
    assert "62.5 kB objects for 4,096 GPUs need 954 prefixes and 193 requests in flight for each GPU" in text
    assert "ranges of 8 MB need 8 prefixes and 2.4" in text
    assert "85 to 90 MB/s, and 100 to 200 ms" in reflected("d")
    assert (k.OBJECT_CONNECTION_BANDWIDTH.low, k.OBJECT_CONNECTION_BANDWIDTH.high) == (85e6, 90e6)


# --- corrections -----------------------------------------------------------------------------------------------------
def test_opens_follow_from_the_data_rate_and_not_from_workers():
    claimed = 4096 * 8 * 50 * 3
    assert claimed == pytest.approx(4.9e6, rel=0.01) and claimed / 50_000 == pytest.approx(98, abs=1)
    assert "80 MB/s of 4 MB files is 20 a second a GPU. 4,096 GPUs make 245,760 operations" in FOUND[0]
    assert "4.9 times one server of 50,000" in FOUND[0]


def test_the_other_corrections_come_out():
    assert FOUND[1] == "Shards of 1 GB need 983 a second."
    assert "512 nodes of 28 GB/s are 14,336 GB/s" in FOUND[2]
    assert node_local_bandwidth(4096) == pytest.approx(14_336e9)
    assert "954 prefixes and 193 requests in flight for each GPU, ranges of 8 MB 8 and 2.4" in FOUND[3]
    assert "tiers that end at 10,240 and 51,200 GB" in FOUND[5] and 10_240 + 40_960 == 51_200
    assert FOUND[4] == "48 nodes of 28 GB/s are 1,344 GB/s."
    assert "\\$9,000 at a flat \\$0.09/GB, or \\$7,819 with tiers" in FOUND[5] and "costs \\$43,008" in FOUND[5]
    assert egress_cost(100e12) == pytest.approx(7_819.2) and 512 * 24 * 3.5 == 43_008
    assert "at \\$1 less a GPU-hour, moving pays for runs beyond 17.6 h" in FOUND[5]
    choice = move_or_not(100e12, 12.5e9, 0.09e-9, 2.5, 3.5, 512, 24)
    assert choice.break_even_hours == pytest.approx(9_000 / 512)


def test_corrections_do_not_depend_on_the_knobs():
    other = Design(accelerators=128, organization="objects", request_size=62.5e3, price_far=1.0, dataset=1e12)
    live = values.live_values(other)
    assert [fill(row.found, live) for row in LESSON.corrections] == FOUND


# --- sources and takeaways -------------------------------------------------------------------------------------------
def test_the_sources_give_the_ranges_of_the_knobs():
    text = " ".join(LESSON.sources)
    assert "15,000 creates" in text and k.METADATA_SERVER_RATE.low == 15_000
    assert "100,000 and 200,000: a range, not a point truth" in text and k.METADATA_SERVER_RATE.high == 200_000
    assert (
        "at least 5,500 GETs a second for each partitioned prefix (partitioning takes time under load)" in text
        and k.OBJECT_PREFIX_RATE == 5_500
    )
    assert "ranges of 8 to 16 MB" in text and 8e6 <= k.STORAGE_REQUEST_SIZE <= 16e6


@pytest.mark.parametrize("organization", ["files", "shards", "objects"])
def test_larger_reads_ease_every_limit_but_bandwidth(organization):
    assert any("Larger reads ease all but the first" in text for text in LESSON.takeaways)
    small, large = (storage_loads(4096, 80e6, size, organization) for size in (4e6, 8e6))
    for name, load_small in asdict(small).items():
        if name == "bandwidth":
            assert getattr(large, name) == load_small
        elif load_small:
            assert getattr(large, name) < load_small


# --- failure states --------------------------------------------------------------------------------------------------
def test_saturated_metadata_names_the_servers_needed():
    text = said_of(CTO)
    assert "246,000 operations/s are the work of 4.9 servers of 50,000, and there is 1" in text
    assert "Only 20.3 % of the reads get through" in text
    assert "5 metadata servers; files of 32 MB; shards of 1 GB" in text


def test_small_files_need_more_servers_than_one_file_system_has():
    text = said_of(Design(file_size=62.5e3))
    assert "More metadata servers alone would have to be 315, more than the 256 that the Lustre manual lists" in text
    assert "315 metadata servers" not in text


def test_directories_that_are_not_spread_cannot_be_mended_with_servers():
    text = said_of(Design(metadata_servers=8, directory_spread=0.0))
    assert "No number of metadata servers would do: 100 % of the operations stay on the first one" in text
    assert "directories spread to 95 %" in text
    assert Design(metadata_servers=8, directory_spread=0.95).holds
    assert not Design(metadata_servers=8, directory_spread=0.90).holds
    alone = said_of(Design(metadata_servers=2, directory_spread=0.0))
    assert "directories spread to 100 % together with 5 metadata servers" in alone


def test_saturated_prefixes_name_the_prefixes_needed():
    text = said_of(Design(organization="objects"))
    assert "41,000 GETs/s need 8 prefixes of 5,500, and there is 1" in text
    assert "8 prefixes; ranges of 64 MB" in text
    both = said_of(Design(organization="objects", request_size=62.5e3))
    assert "954 prefixes together with 193 connections a GPU" in both


def test_full_bandwidth_names_the_nodes_needed():
    text = said_of(Design(organization="shards", storage_nodes=6))
    assert "Bandwidth is overloaded: 328 GB/s are asked of 168 GB/s" in text
    assert "This lets all reads through: 12 storage nodes." in text


def test_too_few_connections_name_the_connections_needed():
    text = said_of(Design(organization="objects", prefixes=8, connections=2))
    assert "each GPU must keep 2.41 GETs in flight and has 2 connections" in text and "3 connections a GPU" in text


def test_exactly_full_is_saturated_and_needs_one_more():
    design = Design(accelerators=1750, demand=160e6, organization="shards", storage_nodes=10)
    assert design.loads.bandwidth == 1 and not design.holds
    text = said_of(design)
    assert "Bandwidth is saturated" in text and "11 storage nodes" in text


GRID = [
    Design(accelerators=gpus, organization=kind, file_size=size, request_size=size, metadata_servers=servers)
    for gpus, kind, size, servers in itertools.product(
        (128, 4096, 16384), ORGANIZATIONS, (4e3, 62.5e3, 4e6, 1e9), (1, 8, 256)
    )
] + [
    Design(demand=500e6, storage_nodes=1),
    Design(demand=500e6, accelerators=16384, storage_nodes=1, organization="shards", shard_size=10e6),
    Design(metadata_servers=8, directory_spread=0.5),
    Design(directory_spread=0.0),
    Design(organization="objects", connections=1, request_size=4e3, prefixes=10_000),
    Design(accelerators=16384, demand=500e6, organization="objects", request_size=4e3, connections=1),
    Design(organization="local", local_copy="whole"),
    Design(organization="local", local_copy="whole", data=60e12, demand=500e6, file_size=4e3, local_drives=1),
    Design(organization="local", local_copy="whole", data=5000e12),
    Design(organization="local", data=5000e12, accelerators=128),
]


@pytest.mark.parametrize("design", GRID, ids=lambda d: f"{d.accelerators}-{d.organization}-{d.unit_size:g}")
def test_every_change_that_the_page_names_mends_the_design_and_is_the_least(design):
    text = said_of(design)
    if design.holds:
        assert judged.remedies(design) == ""
        queued = design.loads.drives if design.organization == "local" else design.loads.highest
        assert ("Every limit holds" in text) == (queued < 0.8) and not math.isnan(design.loads.highest)
        return
    for change in judged.singles(design):
        assert replace(design, **{change.name: change.value}).holds and change.words in text
        along = knobs_of(Design)[change.name].values(quantities(design))
        now = getattr(design, change.name)
        between = [value for value in along if min(now, change.value) < value < max(now, change.value)]
        assert not any(replace(design, **{change.name: value}).holds for value in between)
    aim = "keeps every load below 100 %" if design.loads.highest == 1 else "all reads through"
    _, _, listed = judged.remedies(design).partition(f" {aim}: ")
    listed, _, also = listed.rstrip(".").partition(". So does ")
    named = [*listed.split("; "), also]
    for other in (replace(design, organization=kind) for kind in ORGANIZATIONS):
        if other != design:
            assert (judged.organized(other) in named) == other.holds
    assert aim in text


# --- the challenge ---------------------------------------------------------------------------------------------------
SHARDS, OBJECTS = Design(organization="shards"), Design(organization="objects")


def test_the_challenge_is_won_with_shards_and_79_nodes():
    text = fill(judged.task(), {})
    assert (
        "below 60 % at 16,384 GPUs of 80 MB/s each, for at most \\$200,000 in 30 days. A storage node costs \\$2,000"
        in text
    )
    won = judged.judge(replace(SHARDS, storage_nodes=79))
    scaled = judged.challenged(replace(SHARDS, storage_nodes=79))
    assert won.good and scaled.loads.bandwidth == pytest.approx(16_384 * 80e6 / (79 * 28e9))
    assert scaled.hardware == 80 * 2_000 and "Won" in won.text and "$160,000, all of it for hardware, is" in won.text
    lost = judged.judge(replace(SHARDS, storage_nodes=78))
    assert not lost.good and "the load of bandwidth, 60.01 %, is not below 60 %" in lost.text.lower()


def test_the_challenge_is_won_with_8_mb_ranges_and_50_prefixes_if_no_idle_nodes_are_paid():
    design = replace(OBJECTS, prefixes=50, storage_nodes=14)
    won, scaled = judged.judge(design), judged.challenged(design)
    assert won.good and round(scaled.fees) == 169_869
    assert round(object_store_plan(16_384, 80e6, 8e6).cost_per_hour * 720) == 169_869
    assert "\\$199,869, \\$170,000 of it" in fill(won.text, {})
    assert not judged.judge(replace(design, prefixes=49)).good
    assert not judged.judge(replace(design, storage_nodes=15)).good


def test_the_challenge_is_lost_on_fees_with_4_mb_ranges_and_on_metadata_with_one_file_a_sample():
    small = judged.judge(replace(OBJECTS, request_size=4e6, prefixes=1000, storage_nodes=1))
    assert not small.good and "$344,000, $340,000 of it for requests, exceeds $200,000" in small.text
    files = judged.judge(replace(CTO, storage_nodes=512))
    assert not files.good and "metadata" in files.text


def test_the_challenge_cannot_be_won_by_maxing_everything_nor_by_buying_servers_for_4_mb_files():
    best = {"metadata_servers": 256, "prefixes": 10_000, "storage_nodes": 512, "connections": 256}
    for organization in ORGANIZATIONS:
        largest = {"file_size": 1e9, "shard_size": 10e9, "request_size": 1e9, "local_drives": 8}
        assert not judged.judge(Design(organization=organization, **best, **largest)).good
    enough = replace(CTO, storage_nodes=79, metadata_servers=33)
    assert judged.challenged(enough).loads.highest < 0.6 and not judged.judge(enough).good
    assert not judged.judge(replace(enough, metadata_servers=32)).good
    assert judged.judge(Design(file_size=8e6, storage_nodes=79, metadata_servers=17)).good


def test_the_challenge_is_judged_at_its_own_size():
    for gpus in (128, 16_384):
        assert judged.judge(replace(SHARDS, storage_nodes=79, accelerators=gpus, demand=500e6)).good


def test_the_challenge_is_not_won_by_servers_that_are_four_times_as_fast_or_by_files_that_need_no_closing():
    """A knob of what the machines can do is no design: no one buys it."""
    for given in ({"server_rate": 200_000}, {"operations_per_file": 1.0}):
        design = replace(CTO, storage_nodes=79, metadata_servers=16, **given)
        assert design.hardware <= 200_000 and not judged.judge(design).good


# --- checkpoints and distance ----------------------------------------------------------------------------------------
def test_the_checkpoint_words_are_the_model():
    text = values.checkpoint_words(Design(organization="shards", storage_nodes=12))
    assert "A checkpoint of 2.45 TB takes 14.6 s at 50 % of the 336 GB/s (7.29 s with all of it)" in text
    assert "the nodes carry 51.3 % of the reads" in text
    assert 175e9 * 14 == 2.45e12 and pytest.approx(14.6, abs=0.05) == 2.45e12 / 168e9
    assert pytest.approx(0.513, abs=5e-4) == 168 / 327.68
    assert "672 GB/s, is enough for all reads" in values.checkpoint_words(Design(organization="shards"))
    assert "the metadata servers let 20.3 % of them through" in values.checkpoint_words(CTO)
    assert "do not notice" in values.checkpoint_words(OBJECTS)
    assert "the burst never ends" in values.checkpoint_words(Design(storage_nodes=1, interval=60))


def test_the_distance_words_are_the_model():
    text = values.distance_words(CTO)
    assert "Moving 100 TB costs $9,000 at a flat $0.09/GB ($7,819 by the published tiers) and takes 2.22 h" in text
    assert "512 GPUs for 24 h cost $43,008 next to the data and $30,720 far away" in text
    assert "for a run of 17.6 h: at your 24 h moving the data is cheaper" in text
    assert "never pays" in values.distance_words(Design(price_far=3.5))
    assert "moving the job is not dearer" in values.distance_words(Design(hours=10))


@pytest.mark.parametrize(
    "design",
    [*GRID[::4], *GRID[-4:], SHARDS, OBJECTS, Design(price_far=9.0, egress_price=0.0)],
    ids=lambda d: d.organization,
)
def test_every_word_can_be_written_at_every_setting(design):
    live = values.live_values(design)
    for text in (*LESSON.takeaways, *(step.text for step in LESSON.derivation)):
        written = fill(text, live)
        assert "nan" not in written.split() and "{" not in written
    assert all(metric.label and metric.value and metric.note for metric in values.metrics(design))
    assert all(result.label and result.text for result in values.results(design))


@pytest.mark.parametrize(
    "wrong",
    [{"organization": "tape"}, {"organization": ["files"]}, {"prefixes": 1.5}, {"hours": "long"}, {"demand": math.inf}],
    ids=str,
)
def test_a_kept_record_that_makes_no_sense_is_refused_in_one_sentence(wrong):
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))} must .*got "):
        read(Design, {"accelerators": 4096} | wrong)
