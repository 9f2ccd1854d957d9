"""Storage architecture: every number of its words by hand, the laws behind its verdicts, and the
challenge.
"""

from dataclasses import replace

import pytest

from lessons import STORAGE_ARCHITECTURE as LESSON
from lessons.storage_architecture import clerk, loads
from lessons.storage_architecture.laboratory import burst, capacity, crowd, distance
from lessons.storage_architecture.loads import local, objects
from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from physics.checkpointing import writing_at_once
from physics.storage.designs import storage_loads
from ui.base.words import fill
from ui.charts.look import Look
from ui.knobs.declared import knobs_of, read

CTO = Design()
LIVE = LESSON.values(CTO)


def feedback(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, LIVE)


# The message, its question, and what is found


def test_the_message_is_arithmetically_right_and_the_default_settings_are_its_case():
    message = " ".join(LESSON.message.split())
    assert (
        "4,096 GPUs" in message
        and "Each GPU reads 80 MB/s, so we need 328 GB/s" in message
        and pytest.approx(327.68e9) == 4096 * 80e6
    )
    assert (
        "48 storage nodes that deliver 28 GB/s each" in message
        and "1,344 GB/s in all" in message
        and 48 * 28 == 1344
    )
    assert "100 million photos of 4 MB" in message and CTO.data == 1e8 * 4e6
    assert (CTO.accelerators, k.STORAGE_DEMAND, CTO.storage_nodes, CTO.metadata_servers) == (
        4096,
        80e6,
        48,
        1,
    )
    assert "512 GPU nodes with links of 25 GB/s" in message and CTO.accelerators == 512 * 8
    assert k.IO_NODE_LINK == 25e9
    assert "50,000 operations per second" in message and k.METADATA_SERVER_RATE == 50_000
    assert "opens" not in message and "file a sample" not in message


def test_opens_follow_from_the_data_rate():
    assert CTO.files_each == 80e6 / 4e6 == 20 and CTO.operations == 4096 * 20 * 3 == 245_760
    assert CTO.loads.metadata == 245_760 / 50_000 and CTO.loads.achieved == pytest.approx(
        50_000 / 245_760
    )
    text = feedback("b")
    for words in (
        "opens 20 files per second",
        "need 246,000 operations",
        "work of 4.9 servers that do 50,000 operations per second",
        "20.3%",
    ):
        assert words in text


def test_bandwidth_is_full_at_16800_gpus_and_the_metadata_server_at_834():
    assert CTO.bytes_full == pytest.approx(1344e9 / 80e6) and CTO.opens_full == pytest.approx(
        50_000 / 60
    )
    assert "328 GB/s of 1,344 GB/s is a load of 24.4%" in feedback("a")
    assert "limit at 16,800 GPUs. The metadata server reaches its limit at 834 GPUs" in feedback(
        "a"
    )
    most = replace(CTO, accelerators=16384)
    found = fill(LESSON.prediction.option("a").test.found, LIVE)
    assert (
        "97.5%" in found
        and "1,970%" in found
        and most.loads.bandwidth == pytest.approx(16384 / 16800)
    )


def test_more_storage_nodes_and_smaller_files_do_not_help():
    assert "from 24.4% to 12.2%" in feedback("c") and "20.3% of the reads" in feedback("c")
    assert replace(CTO, storage_nodes=96).loads.achieved == CTO.loads.achieved
    assert "143 µs" in feedback("d") and round(4e6 / 28e9 * 1e6) == 143
    assert "four times as many opens" in feedback("d") and "5.09%" in feedback("d")
    assert replace(CTO, file_size=1e6).loads.metadata == 4 * CTO.loads.metadata


def test_reply_takeaways_and_plans_quote_what_larger_files_and_more_servers_do():
    told = " ".join(
        fill(text, LIVE) for text in (LESSON.reply, *LESSON.takeaways, LESSON.staff.thirty)
    )
    for words in (
        "5 metadata servers would be just enough",
        "983 operations",
        "61.4% instead of 492%",
        "15,700,000",
        "315 servers",
    ):
        assert words in told
    assert (
        replace(CTO, metadata_servers=5).loads.holds
        and not replace(CTO, metadata_servers=4).loads.holds
    )
    assert replace(CTO, file_size=1e9).operations == pytest.approx(983.04)
    assert replace(CTO, file_size=32e6).loads.metadata == pytest.approx(0.6144)


def test_the_corrections_quote_the_limits_of_object_stores_and_drives():
    told = " ".join(fill(one.found, LIVE) for one in LESSON.corrections)
    for words in (
        "954 prefixes and 193 requests in flight",
        "need 8 prefixes and 2.4",
        "5,500 GETs per second",
        "245,760 operations",
        "512 nodes at 28 GB/s each deliver 14,336 GB/s",
        "48 nodes at 28 GB/s each deliver 1,344 GB/s",
        "\\$9,000 at a flat \\$0.09/GB, or \\$7,819 with price tiers",
        "costs \\$43,008",
        "if a GPU-hour costs \\$1 less elsewhere, moving is cheaper for runs longer than 17.6 h",
    ):
        assert words in told, words
    assert 512 * 28 == 14_336 and 4096 / 8 == 512 and 512 * 24 * 3.5 == 43_008
    assert k.GPU_HOUR_NEAR - CTO.price_far == 1 and CTO.move.break_even_hours == pytest.approx(
        9_000 / 512
    )


def test_the_reflection_asks_for_opens_out_of_bytes_and_file_size():
    photos = storage_loads(4096, 80e6, 4e6)
    speech = storage_loads(1024, 8e6, 40e3)
    assert speech.metadata / photos.metadata == pytest.approx(100 / 40) == 2.5
    assert speech.metadata * 50_000 == pytest.approx(614_400)
    assert speech.bandwidth == pytest.approx(0.0061, abs=5e-5)
    assert pytest.approx(8.19e9, rel=1e-3) == 1024 * 8e6 and 4096 * 80 / (1024 * 8) == 40
    assert "2.5 times" in LESSON.reflection.option("b").text and LESSON.reflection.right == "b"


# The line of GPUs in front of the metadata servers


def test_most_gpus_stand_in_line_in_the_messages_case_and_the_nodes_are_nearly_idle():
    assert CTO.readers.waiting == pytest.approx(4096 - 1 - 0.050 / 60e-6, abs=0.01)
    assert CTO.nodes_busy == pytest.approx(0.0496, abs=5e-5) and CTO.at_nodes == 0
    reply = fill(LESSON.reply, LIVE)
    assert "About 3,300 of the 4,096 GPUs wait in line to open a file" in reply
    assert "the storage nodes are 5% busy" in reply


def test_five_servers_do_on_average_and_have_no_room_for_a_bad_moment():
    five = replace(CTO, metadata_servers=5)
    reply = fill(LESSON.reply, LIVE)
    assert five.lost < 0.01 and "the GPUs lose 0.83% of their reading" in reply
    assert five.opening == pytest.approx(0.42e-3, abs=5e-6)
    assert "at a load of 98.3%, they open a file in about half a millisecond (419 µs)" in reply
    assert five.rush == pytest.approx(4096 * 60e-6 / 5) and "the last one waits 49.2 ms" in reply
    four = replace(CTO, metadata_servers=4)
    assert four.loads.achieved == pytest.approx(0.814, abs=5e-4)
    assert "with one server down, 81.4% of the reads get through" in reply
    assert CTO.servers_calm == 7 and "below 80%, which takes 7 servers" in reply
    assert replace(CTO, metadata_servers=7).loads.metadata < 0.8
    assert replace(CTO, metadata_servers=6).loads.metadata >= 0.8


def test_storage_nodes_and_the_number_of_files_change_nothing_in_the_line():
    """The number of files is in no formula: neither a load nor a line depends on it."""
    for changes in ({"storage_nodes": 96}, {"files": 1e6}, {"files": 10e9}):
        other = replace(CTO, **changes)
        assert other.readers == CTO.readers and other.loads.achieved == CTO.loads.achieved
        assert other.loads.metadata == CTO.loads.metadata
    many = replace(CTO, files=10e9)
    assert many.loads == CTO.loads and many.cost == CTO.cost
    assert LESSON.metrics(many) == LESSON.metrics(CTO)
    assert loads.verdict(many) == loads.verdict(CTO)


def test_where_the_storage_nodes_are_full_the_gpus_wait_for_bytes():
    few = replace(CTO, file_size=1e9, storage_nodes=6)
    assert few.at_nodes == pytest.approx(4096 * (1 - 168 / 327.68))
    assert few.readers.waiting < 1 and few.nodes_busy == pytest.approx(1)


@pytest.mark.parametrize("servers", [1, 2, 6, 16, 256])
@pytest.mark.parametrize("nodes", [1, 6, 48, 96, 512])
def test_the_picture_draws_every_machine_within_its_frame_and_a_dot_for_64_waiting_gpus(
    servers, nodes
):
    design = replace(CTO, metadata_servers=servers, storage_nodes=nodes)
    drawn = clerk.figure(design, Look()).frame
    cells = drawn[drawn["kind"] == "cell"]
    assert len(cells) == servers + nodes and cells["x2"].max() <= clerk.RIGHT
    top = cells[cells["y"] < clerk.BYTES]
    assert len(top) == servers and top["y2"].max() <= clerk.OPENS + clerk.TALL
    assert cells["y2"].max() <= clerk.BYTES + clerk.TALL
    dots = drawn[drawn["kind"] == "waiting"]
    assert len(dots) == round(design.readers.waiting / 64) + round(design.at_nodes / 64)
    assert not len(dots) or (dots["x"].min() >= 0 and dots["x"].max() < clerk.MACHINES)


def test_the_line_of_the_largest_fleet_still_fits():
    most = replace(CTO, accelerators=16384)
    drawn = clerk.figure(most, Look()).frame
    assert drawn[drawn["kind"] == "waiting"]["x"].min() >= 0


def test_the_tour_shows_a_line_that_only_larger_files_shorten():
    large = replace(CTO, file_size=32e6)
    assert large.operations == CTO.operations / 8 and large.readers.waiting < 2


@pytest.mark.parametrize(
    ("view", "shown"),
    [("objects", "plan.connections_per_accelerator:number"), ("local", "copy.time:time")],
)
def test_each_guess_is_the_models(view, shown):
    guess = LESSON.guesses[view]
    values = LESSON.values(CTO)
    assert fill(guess.model, values) == fill("{" + shown + "}", values)


# Verdicts and fixes


@pytest.mark.parametrize(
    ("changes", "good", "words"),
    [
        (
            {},
            False,
            (
                "The metadata servers are the bottleneck: 246,000 operations per second would "
                "keep 4.9 servers"
            ),
        ),
        (
            {"file_size": 1e9, "storage_nodes": 6},
            False,
            "need 328 GB/s, and 6 nodes at 28 GB/s each deliver 168 GB/s",
        ),
        (
            {"metadata_servers": 5},
            None,
            "queues build up at the metadata servers: their load is 98.3%",
        ),
        (
            {"file_size": 1e9, "storage_nodes": 12},
            None,
            "queues build up at the storage nodes: their load is 97.5%",
        ),
        ({"metadata_servers": 7}, True, "Neither limit is reached"),
    ],
)
def test_the_verdict_names_the_limit_that_is_reached_first(changes, good, words):
    found = loads.verdict(replace(CTO, **changes))
    assert found.good is good and words in found.text


def test_a_load_of_exactly_one_lets_all_reads_through_but_is_no_design_that_holds():
    full = replace(CTO, accelerators=640, metadata_servers=192, file_size=16e3)
    assert full.loads.metadata == 1 and not full.loads.holds
    assert (
        loads.verdict(full).good is False
        and "So 100% of the reads get through." in loads.verdict(full).text
    )


@pytest.mark.parametrize("gpus", [128, 4096, 16384])
@pytest.mark.parametrize("size", [4e3, 62.5e3, 4e6, 1e9])
@pytest.mark.parametrize("nodes", [1, 48])
def test_every_fix_that_the_page_names_lets_all_reads_through_and_is_the_least(gpus, size, nodes):
    design = replace(CTO, accelerators=gpus, file_size=size, storage_nodes=nodes)
    text = loads.remedies(design)
    assert (text == "") == design.loads.holds
    for name in loads.FIXES:
        values = knobs_of(Design)[name].values({})
        enough = [value for value in values if replace(design, **{name: value}).loads.holds]
        if enough and text:
            assert (
                knobs_of(Design)[name].change.format(knobs_of(Design)[name].words(enough[0]))
                in text
            )


def test_fixes_of_the_messages_case():
    assert (
        loads.remedies(CTO)
        == "A single change lets all reads through: 5 metadata servers; or files of 32 MB."
    )
    assert "metadata servers" not in loads.remedies(
        replace(CTO, file_size=62.5e3)
    )  # it would take 315
    assert "No single change" in loads.remedies(replace(CTO, storage_nodes=6))


# The challenge


def test_the_challenge_trades_storage_nodes_for_metadata_servers():
    assert CTO.cost == k.STORAGE_CHALLENGE_BUDGET == 49 * 2_000
    twice = replace(CTO, accelerators=8192)
    won = [
        (nodes, servers)
        for nodes in range(1, 60)
        for servers in range(1, 60)
        if loads.judge(replace(twice, storage_nodes=nodes, metadata_servers=servers)).good
    ]
    assert won == [(n, s) for n in range(30, 37) for s in range(13, 20) if n + s <= 49]
    judged = loads.judge(replace(twice, storage_nodes=34, metadata_servers=15))
    assert judged.text.startswith("Won: 8,192 GPUs for $98,000")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "Not yet: the design serves 4,096 of 8,192 GPUs."),
        ({"accelerators": 8192}, "Not yet: the load of the metadata servers is 983%."),
        (
            {"accelerators": 8192, "metadata_servers": 15, "storage_nodes": 29},
            "load of the storage nodes is 80.7%",
        ),
        ({"accelerators": 8192, "metadata_servers": 13}, "costs $122,000, more than $98,000"),
        ({"accelerators": 8192, "file_size": 1e9}, "the files must stay at 4 MB"),
    ],
)
def test_the_challenge_says_what_is_missing(changes, words):
    judged = loads.judge(replace(CTO, **changes))
    assert not judged.good and words in judged.text


# Going further


def test_an_object_store_by_hand():
    assert CTO.plan.requests_per_second == pytest.approx(40_960) and CTO.plan.prefixes == 8
    assert "need 8 prefixes, and you have 1" in objects.verdict(CTO).text
    few = replace(CTO, prefixes=8, connections=2)
    assert (
        "must keep 2.41 GETs in flight, but it has only 2 connections" in objects.verdict(few).text
    )
    assert "serve 41,000 GETs per second" in objects.verdict(replace(CTO, prefixes=8)).text


def test_the_copy_to_local_drives_waits_for_its_opens():
    assert CTO.copy.opening == pytest.approx(400e12 / 4e6 * 3 / 50_000) == 6000
    assert CTO.copy.carrying == pytest.approx(400e12 / 1344e9)
    assert (
        "must open all files, which takes 1.67 h, and move the bytes, which takes 4.96 min"
        in local.verdict(CTO).text
    )
    assert CTO.waiting == pytest.approx(4096 * 6000 / 3600 * 3.5)
    whole = local.verdict(replace(CTO, local_copy="whole")).text
    assert "must hold 400 TB, but its drives hold 30.7 TB. Only 7.68% of the reads" in whole
    assert replace(CTO, file_size=4e3, local_drives=1).local.drives == pytest.approx(
        8 * 80e6 / (4e3 * 900e3)
    )


def test_a_checkpoint_by_hand():
    few = replace(CTO, storage_nodes=12)
    assert few.checkpoint == 175e9 * 14 and few.burst.duration == pytest.approx(2.45e12 / 168e9)
    assert (
        "leaves 168 GB/s of the 328 GB/s that the reads need, so 51.3% of them"
        in burst.verdict(few).text
    )
    assert "are not slowed: the checkpoint leaves 672 GB/s" in burst.verdict(CTO).text
    assert (
        "never ends"
        in burst.verdict(replace(CTO, storage_nodes=1, interval=300, parameters=1e12)).text
    )


def test_twenty_jobs_that_write_3_of_30_minutes():
    assert (
        "so 2 write at a time on average" in say("jobs_words", CTO)
        and "For 4.3% of the time" in crowd.verdict(CTO).text
    )
    assert CTO.crowd_over == pytest.approx(writing_at_once(20, 0.1, 5))
    aligned, staggered = (replace(CTO, phases=one) for one in ("aligned", "staggered"))
    assert aligned.crowd_over == pytest.approx(0.1) and aligned.crowd_most == 20
    assert staggered.crowd_most == 2 and crowd.verdict(staggered).good
    for one in (CTO, aligned, staggered):
        assert sum(number * share for number, share in enumerate(one.crowd)) == pytest.approx(
            20 * 0.1
        )
    assert crowd.verdict(replace(CTO, reserved=20)).good


def test_the_storage_is_full_after_3_14_years():
    assert CTO.capacity == 48 * 24e12
    assert "full after 3.14 years" in capacity.verdict(CTO).text and capacity.verdict(CTO).good
    assert "already too small" in capacity.verdict(replace(CTO, data=5000e12)).text


def test_moving_data_or_job_by_hand():
    assert CTO.move.transfer_cost == pytest.approx(
        9_000
    ) and CTO.move.transfer_time == pytest.approx(8_000)
    assert (
        "$39,720 instead of $43,008" in distance.verdict(CTO).text
        and 9_000 + 512 * 24 * 2.5 == 39_720
    )
    assert "moving the job is cheaper" in distance.verdict(replace(CTO, hours=10.0)).text
    assert "Moving the data is cheaper | never" in say(
        "distance_metrics", replace(CTO, price_far=3.5)
    )
    assert "a flat $0.09 per GB" in say("distance_words", CTO) and k.EGRESS_PRICE_1 == 0.09e-9


# Old records, and sources


def test_a_kept_record_with_settings_that_are_gone_is_read_without_them():
    kept = {
        "accelerators": 512,
        "organization": "shards",
        "demand": 5e8,
        "operations_per_file": 3.0,
    }
    assert read(Design, kept)[0] == Design(accelerators=512)


def test_the_sources_and_helps_give_the_published_figures():
    told = " ".join((*LESSON.sources, *(knob.help for knob in knobs_of(Design).values())))
    for words in (
        "15,000 creates",
        "100,000 and 200,000",
        "5,500 GETs a second",
        "ranges of 8 to 16 MB",
        "85 to 90 MB/s",
        "7,680 GB and reads 6.5 GB/s, or 900,000 small reads",
        "14 bytes",
    ):
        assert words in told
    assert (k.METADATA_SERVER_RATE.low, k.METADATA_SERVER_RATE.high) == (15_000, 200_000)
    derived = {step.title: fill(step.text, LIVE) for step in LESSON.derivation}
    assert "lists up to 200,000" in derived["Several metadata servers"]
    assert "never below d/β = 0.914" in derived["Requests in flight (Little's law)"]
    assert pytest.approx(0.914, abs=5e-4) == 80 / 87.5
