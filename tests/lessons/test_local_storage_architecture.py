"""Copies on the GPU nodes' own drives: every sentence by hand, the film of the copy, the price, and the page."""

import itertools
from dataclasses import replace

import pytest
from driving import all_text, chart_frame, charts, metrics, unlocked

from lessons.storage_architecture import LESSON, burst, capacity, film, loads, local, values
from lessons.storage_architecture import verdict as judged
from lessons.storage_architecture.settings import Design
from physics import constants as k
from physics.storage.tandem import tandem
from ui.base.words import fill
from ui.charts.look import Look
from ui.films import message
from ui.knobs.declared import knobs_of

PAGE = "storage_architecture"
COPIED = Design(organization="local")
WHOLE = replace(COPIED, local_copy="whole")
WON = replace(COPIED, local_drives=1, file_size=8e6)


def test_the_copy_waits_for_the_opens_that_the_reads_no_longer_ask_for():
    opens = 400e12 / 4e6 * 3 / 50_000
    assert COPIED.copy.opening == pytest.approx(opens) == 6000
    assert COPIED.copy.carrying == pytest.approx(400e12 / 1344e9)
    text = local.copy_words(COPIED)
    assert "781 GB to each of 512 GPU nodes, for which 100 million files are opened" in text
    assert "busy for 1.67 h, the bytes need 4.96 min, both at once: the copy takes 1.67 h." in text
    assert "4,096 GPUs that wait for it cost 6,830 GPU-hours, $23,900 at $3.5 each" in text
    assert pytest.approx(6827, abs=1) == 4096 * 6000 / 3600
    assert pytest.approx(23_893, abs=1) == 4096 * 6000 / 3600 * 3.5
    larger = replace(COPIED, file_size=1e9)
    assert larger.copy.time == larger.copy.carrying and larger.loads == COPIED.loads


def test_a_share_fits_and_the_whole_does_not():
    assert judged.verdict(COPIED).good is True
    text = judged.verdict(WHOLE).text
    assert "400 TB of data are to lie on each GPU node, whose 4 drives hold 30.7 TB, a load of 1,300 %" in text
    assert "Only 7.68 % of the reads find their data." in text and pytest.approx(0.0768) == 30.72 / 400
    assert judged.remedies(WHOLE).startswith("Any one of these lets all reads through: each GPU node copies its share;")
    assert "does not fit on the drives" in local.copy_words(WHOLE)
    exactly = replace(WHOLE, data=30.72e12)
    assert exactly.loads.space == 1 and exactly.holds and judged.verdict(exactly).good is True


def test_small_reads_can_be_too_many_for_one_drive():
    design = replace(COPIED, local_drives=1, file_size=4e3, demand=500e6)
    text = judged.verdict(design).text
    assert "The local drives are overloaded: 4 GB/s a node are asked of 3.6 GB/s, 1 drive that reads 4 kB at a" in text
    assert "2 drives in each GPU node" in judged.remedies(design) and "files of 16 kB" in judged.remedies(design)


def test_no_limit_of_the_store_is_on_the_path_of_the_reads():
    for name in ("metadata_servers", "storage_nodes", "server_rate", "directory_spread", "operations_per_file"):
        knob = knobs_of(Design)[name].constant
        for value in (knob.low, knob.high):
            moved = replace(COPIED, **{name: type(getattr(COPIED, name))(value)})
            assert moved.loads == COPIED.loads and not moved.idle().keys() & {name} - {"directory_spread"}
    assert "the GPU nodes' own drives and do not notice" in values.checkpoint_words(COPIED)
    assert "reads come from local drives" in burst.burst_alt(COPIED)


def test_local_drives_change_nothing_of_the_other_organizations_loads():
    for organization, drives, copy in itertools.product(("files", "shards", "objects"), (1, 8), ("share", "whole")):
        design = Design(organization=organization)
        moved = replace(design, local_drives=drives, local_copy=copy)
        assert moved.loads == design.loads and moved.hardware == design.hardware
        assert {"local_drives", "local_copy"} <= moved.idle().keys()
        assert values.metrics(moved) == values.metrics(design)


def test_the_knobs_help_gives_the_published_figures():
    text = knobs_of(Design)["local_drives"].help
    assert "7,680 GB and reads 6.5 GB/s, or 900,000 small reads a second" in text
    assert (k.LOCAL_DRIVE_CAPACITY, k.LOCAL_DRIVE_READ, k.LOCAL_DRIVE_READS) == (7.68e12, 6.5e9, 900e3)
    assert k.IO_LOCAL_IOPS == 4 * k.LOCAL_DRIVE_READS and k.LOCAL_DRIVE_WRITE == 4e9
    assert any(
        "7.68 TB, 6.5 GB/s of reads, 900,000 small reads a second, 4 GB/s of writes" in s for s in LESSON.sources
    )


# --- the challenge ---
def test_the_challenge_is_won_with_one_drive_and_files_of_8_mb_and_is_not_a_gift():
    assert not judged.judge(COPIED).good
    won, scaled = judged.judge(WON), judged.challenged(WON)
    hardware = 2048 * 20 + 48 * 2_000 + 2_000
    waiting = 400e12 / 8e6 * 3 / 50_000 / 3600 * 16_384 * 3.5
    assert won.good and scaled.hardware == hardware and local.waiting_cost(scaled) == pytest.approx(waiting)
    assert "$187,000, $47,800 of it for GPUs that wait for the copy, is within $200,000" in judged.judge(WON).text
    for name in ("local_drives", "file_size"):
        assert not judged.judge(replace(WON, **{name: getattr(COPIED, name)})).good
    task = judged.task()
    assert (
        "$20 for each in use" in task and "hold 400 TB to copy from" in task and "waits for the copy costs $3.5" in task
    )


def test_no_single_knob_wins_once_the_data_are_copied():
    for name, knob in knobs_of(Design).items():
        if name == "organization":
            continue
        before = {one: getattr(COPIED, one) for one in knobs_of(Design)}
        tried = knob.values(before)
        for value in tried[:: max(1, len(tried) // 40)]:
            assert not judged.judge(replace(COPIED, **{name: value})).good, (name, value)


def test_the_challenge_asks_for_a_store_that_holds_what_is_copied_from_it():
    small = judged.judge(replace(WON, storage_nodes=16, node_capacity=200e12, data=10e12, price_near=0.5))
    assert not small.good and "16 storage nodes cannot hold 400 TB to copy from" in small.text
    assert 16 * 24 < 400 <= 17 * 24 and judged.judge(replace(WON, storage_nodes=17)).good
    assert "But 16 storage nodes hold only 384 TB of it." in local.copy_words(replace(WON, storage_nodes=16))


# --- views ---
@pytest.mark.parametrize(
    "design", [COPIED, WHOLE, WON, replace(COPIED, file_size=1e9), replace(COPIED, accelerators=128)]
)
def test_the_film_is_the_copy(design):
    shown, step = film.played(design), film.between(design)
    first, second = film.asked(design)
    assert second == 1 and first * step == pytest.approx(design.copy.opening / design.copy.files)
    assert step * design.copy.files == pytest.approx(design.copy.carrying)
    rows = tandem(first, second, film.READS) * step
    now = 0.6 * shown.end
    boxes, line = shown.at(now)
    assert (line["kind"] == "first").sum() == ((rows["asked"] <= now) & (now < rows["opens"])).sum()
    assert len(boxes) <= 2
    showing = film.showing(design)
    assert "The copy before the first read." in showing.caption and "files asked for" in showing.caption
    assert len(str(message(showing, Look()))) < 100_000


def test_the_charts_lines_are_the_loads_at_every_number_of_gpus():
    for design in (COPIED, WHOLE):
        rows = loads.fleet_frame(design).to_pandas()
        for row in rows[rows["kind"] == "used"].itertuples():
            assert row.y == pytest.approx(getattr(replace(design, accelerators=int(row.x)).loads, row.limit))
        assert loads.figure(design, Look()).spec == loads.figure(Design(), Look()).spec
    short = replace(COPIED, data=1000e12)
    full = loads.fleet_frame(short).to_pandas()
    at = full[(full["role"] == "full") & (full["kind"] == "point")]["x"].item()
    assert at == pytest.approx(8 * 1000e12 / 30.72e12) and "shares fit from 33 nodes" in judged.derived_words(short)
    assert replace(short, accelerators=33 * 8).holds and not replace(short, accelerators=32 * 8).holds


def test_the_drives_lines_bend_where_reads_are_small():
    tiny = replace(COPIED, local_drives=1, file_size=4e3, demand=500e6)
    rows = loads.size_frame(tiny).to_pandas()
    line = rows[(rows["kind"] == "used") & (rows["limit"] == "drives")].sort_values("x")
    assert line["y"].iloc[0] == pytest.approx(4 / 3.6) and line["y"].iloc[-1] == pytest.approx(4 / 6.5)
    assert "drives below 7.22 kB alone" in loads.size_alt(tiny) and pytest.approx(7222, abs=1) == 6.5e9 / 900e3


def test_growth_fills_the_drives_too():
    text = capacity.words(COPIED)
    assert "full after 3.14 years" in text and "512 GPU nodes hold 15.7 PB together: full after 10.9 years." in text
    assert pytest.approx(512 * 30.72, rel=0.01) == 400 * 1.4**10.9
    assert "all of the data is to lie there: too little today." in capacity.words(WHOLE)
    assert "local drives 15,729 TB" in capacity.figure(COPIED, Look()).alt
    assert capacity.figure(COPIED, Look()).spec == capacity.figure(Design(), Look()).spec
    other = capacity.words(Design())
    assert "781 GB to each of 512 nodes takes 4.96 min, all of it to every node 42.3 h" in other
    assert "To open files of 4 MB for it the metadata servers need 1.67 h for the one and 35.6 days" in other
    assert "To open shards of 1 GB for it" in capacity.words(Design(organization="shards"))


@pytest.mark.slow
def test_every_word_is_written_at_the_ends_of_every_knob():
    for name, knob in knobs_of(Design).items():
        for base, value in itertools.product(
            (COPIED, WHOLE), (knob.constant.low, knob.constant.high) if knob.constant else ()
        ):
            design = replace(base, **{name: type(getattr(base, name))(value)})
            live = values.live_values(design)
            texts = [fill(step.text, live) for step in LESSON.derivation]
            texts += [film.showing(design).caption, judged.remedies(design), judged.judge(design).text]
            assert not any("{" in text or "nan" in text or "1 nodes" in text for text in texts)
            assert loads.figure(design, Look()).alt and loads.size_figure(design, Look()).alt


def test_on_the_page_by_presets_knobs_and_address():
    app = unlocked(PAGE, {"reflections": {"storage": "b"}})
    app.button(key="storage_preset_local").click().run()
    assert metrics(app)["Copy before reading"] == "1.67 h" and metrics(app)["Load of drives"] == "2.46 %"
    assert set(chart_frame(charts(app)[0])["limit"].dropna()) == {"drives", "space"}
    app.button(key="storage_preset_whole").click().run()
    assert metrics(app)["Achieved"] == "7.68 %" and metrics(app)["Load of space"] == "1,300 %"
    app.selectbox(key="storage_local_copy").set_value("share").run()
    app.slider(key="storage_local_drives").set_value(1).run()
    app.select_slider(key="storage_file_size").set_value(8.0).run()
    assert "Won" in all_text(app) and app.session_state["ledger"]["storage"]["results"]["Copy"] == "50 min"
    inside = {one.key for box in app.sidebar.expander for one in (*box.slider, *box.select_slider, *box.number_input)}
    assert "storage_prefixes" in inside and "storage_local_drives" not in inside
    app = unlocked(PAGE, storage_organization="local", storage_local_drives="2", storage_local_copy="whole")
    assert metrics(app)["Load of space"] == "2,600 %" and not app.warning


@pytest.mark.slow
@pytest.mark.parametrize("view", LESSON.views)
def test_every_view_is_drawn_of_either_copy(view):
    for copy in ("share", "whole"):
        app = unlocked(PAGE, {"storage_view": view}, storage_organization="local", storage_local_copy=copy)
        assert not app.exception and (view == "film") == (not charts(app))
