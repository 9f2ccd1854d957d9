"""Your cluster: from a log to a report, as an operator would walk."""

import gzip
import re
from html import unescape

import pytest
from driving import all_text, charts, click, metrics, put, saved_files, visit

from physics.cluster import (
    calibrate,
    candidates,
    parse_change,
    read_log,
    synthetic_log,
    to_sacct,
    to_swf,
    what_happened,
    what_if,
    what_is_needed,
    what_load_keeps,
    why_waiting,
)
from physics.cluster.log import MOST_CLASSES
from physics.cluster.trust.computing import what_computes
from physics.jobs.nodes import FORMATS
from ui import saving
from ui.base import background, time_slices
from ui.cluster import columns, log_cache, source, widgets

MONTH = synthetic_log(seed=3, days=35)
FILE = gzip.compress(to_sacct(MONTH).encode())
DAY = 86_400
IN_USE = "In use (blue), and idle while jobs waited (orange)"


def opened(data: bytes = FILE, name: str = "jobs.txt.gz"):
    """The page with a visitor's own log on it."""
    app = visit("your_cluster", {"cluster_source": "own"})
    app.file_uploader(key="cluster_file").upload(name, data, "application/gzip").run()
    assert not app.exception
    return app


def listed(fields: str, rows) -> bytes:
    """A list of jobs as `sacct` prints it."""
    return "\n".join([f"JobID|{fields}", *rows]).encode()


def titles(app) -> set[str]:
    return {figure.title for figure in charts(app)}


def test_a_table_with_any_names_and_many_columns_is_read_and_keeps_the_choice():
    notes = [f"note{number}" for number in range(199)]
    header = ["queued_at", "started", "finished", '"GPUs, requested"', *notes, "num_gpus"]
    rows = [f"{60 * row},{60 * row + 30},{60 * row + 90},2{',' * 199},1" for row in range(9)]
    app = opened("\n".join([",".join(header), *rows]).encode(), "table.csv")
    gpus = "cluster_column_gpus"
    assert app.selectbox(key=gpus).value == columns.NOT_THERE, "its guess is not among the first"
    app.selectbox(key=gpus).set_value("GPUs, requested")
    click(app, "cluster_read_table")
    assert "9 jobs read" in all_text(app)
    app.switch_page("app.py").run()
    app.switch_page("pages/your_cluster.py").run()
    assert app.selectbox(key=gpus).value == "GPUs, requested"


@pytest.mark.slow
def test_the_page_opens_on_a_synthetic_log_and_says_so():
    app = visit("your_cluster")
    assert not app.exception and "Synthetic: " in all_text(app)
    assert metrics(app)["Calibration gap"] == "0%", "its record is a simulation"
    assert titles(app) >= {IN_USE, "Mean wait: record, formulas, policies"}


@pytest.mark.slow
def test_an_operators_walk_from_a_file_to_the_report():
    app = opened()
    jobs = read_log(FILE)
    assert f"{len(jobs):,} jobs read" in all_text(app)
    app.selectbox(key="cluster_order").set_value("priority")
    app.selectbox(key="cluster_backfill").set_value("easy")
    click(put(app, "cluster_more", 64), "cluster_try")
    gpus = int(jobs["gpus"].max())
    found = calibrate(jobs, 1024, candidates(jobs, 1024))
    change = what_if(
        jobs,
        1024,
        found,
        parse_change("policy=priority,backfill=easy,gpus=+64", found.policy, 1024),
    )
    shorter = change.classes.loc["all", "shorter"]
    assert gpus <= 1024 and metrics(app)["Jobs that wait less"] == f"{100 * shorter:.3g}%"
    assert "Mean wait before (ring) and after (dot)" in titles(app)
    assert (
        "The one that was tried, order by priority, backfill easy, 64 more GPUs, changes"
        in all_text(app)
    )
    assert "and a log of fewer than 13 weeks is too short to tell." in all_text(
        app
    ) and "not defined" not in all_text(app)
    assert "no range: log under 13 weeks" in all_text(app)


@pytest.mark.slow
def test_each_chart_of_the_page_can_be_saved_with_its_sentence_and_the_size_of_the_log():
    app = visit("your_cluster")
    assert not saved_files(app), "the files are made once somebody opens the list"
    names = ("over_time", "arrivals", "calibration", "difference")
    app = visit("your_cluster", {f"cluster_{name}_save": True for name in names})
    click(put(app, "cluster_more", 64), "cluster_try")
    files = {file["title"]: file for file in saved_files(app)}
    assert files.keys() == titles(app) and len(files) == len(names)
    drawn = {figure.title: figure.alt for figure in charts(app)}
    for title, file in files.items():
        page = unescape(file["page"])
        assert file["name"].startswith("fleet-what-if-your-cluster-")
        assert page.count(saving.DRAWING) == 1 and len(file["page"].encode()) <= saving.MOST
        assert f"<title>Your cluster: {title}</title>" in page and drawn[title] in page
        assert "GPUs: <b>1,024</b>" in page and "Your cluster in Fleet What-If: " in page
        assert page.count("<tr>") > 1
    assert "<th>Time (UTC)</th>" in files[IN_USE]["page"]
    assert re.search(r"<td>\d{4}-\d\d-\d\d \d\d:00:00</td>", files[IN_USE]["page"])
    assert "Change: <b>gpus=+64</b>" in files["Mean wait before (ring) and after (dot)"]["page"]


@pytest.mark.slow
def test_the_fewest_gpus_for_a_target_are_the_command_lines():
    app = opened()
    assert "are enough" not in all_text(app)
    app.selectbox(key="cluster_needed_measure").set_value("mean")
    app.number_input(key="cluster_needed_hours").set_value(0.5)
    click(put(app, "cluster_needed_step", 64), "cluster_needed")
    jobs = read_log(FILE)
    expected = what_is_needed(jobs, 1024, calibrate(jobs, 1024), "mean", 1800.0, 64)
    assert not app.exception and expected.gpus is not None and expected.sentence in all_text(app)
    figure = next(one for one in charts(app) if one.title.startswith("Mean wait by size"))
    assert figure.alt == expected.sentence
    click(put(app, "cluster_more", 64), "cluster_try")
    assert "Change in mean wait" in metrics(app) and expected.sentence in all_text(app)


@pytest.mark.slow
def test_the_most_load_of_a_class_and_promised_starts_are_on_the_page():
    app = opened()
    assert "promised a start time to " in all_text(app)
    assert "start later in simulation (%)" in all_text(app)
    app.segmented_control(key="cluster_needed_what").set_value("load")
    app.selectbox(key="cluster_needed_measure").set_value("within")
    put(app, "cluster_needed_class", "training")
    click(put(app, "cluster_needed_share", 80), "cluster_needed")
    jobs = read_log(FILE)
    expected = what_load_keeps(
        jobs, 1024, calibrate(jobs, 1024), "p80", 14_400.0, job_class="training"
    )
    assert not app.exception and expected.sentence in all_text(app)


@pytest.mark.slow
def test_a_change_with_which_nothing_starts_is_said_and_compares_no_waits():
    app = visit("your_cluster")
    click(put(app, "cluster_more", -1023), "cluster_try")
    sent = all_text(app)
    assert (
        not app.exception
        and "there is no wait to compare" in sent
        and "fewer than 13 weeks" not in sent
    )
    assert "Cost of the GPUs" in metrics(app) and "Change in mean wait" not in metrics(app)
    assert "Mean wait before (ring) and after (dot)" not in titles(app)


@pytest.mark.slow
def test_a_log_without_waits_is_shown_with_what_is_not_known():
    app = opened(to_swf(MONTH.drop(columns="recorded_wait").assign(gpus=1)).encode(), "log.swf")
    sent = all_text(app)
    assert metrics(app)["Utilization"] == metrics(app)["Calibration gap"] == "not known"
    assert "not defined" not in sent and ": not known" in sent
    assert IN_USE not in titles(app)


@pytest.mark.slow
def test_a_log_of_processors_speaks_of_cpus_alone_and_takes_its_size_from_the_header():
    log = "; MaxProcs: 64\n" + to_swf(
        synthetic_log(seed=3, days=15).assign(gpus=lambda jobs: jobs["gpus"] // 16 + 1)
    )
    app = opened(log.encode(), "log.swf")
    click(put(app, "cluster_more", 16), "cluster_try")
    assert metrics(app)["CPUs"] == "64" and "according to the log's header (MaxProcs)" in all_text(
        app
    )
    labels = [one.label for one in (*app.metric, *app.number_input, *app.selectbox)]
    page = " ".join([*labels, *all_text(app).split("\n")])
    for words in (
        "GPU time",
        "GPU·h",
        "GPU-hour",
        "the GPUs",
        "GPUs more",
        "GPUs of the cluster",
        "idle GPUs",
    ):
        assert words not in page, words
    assert "Cost of the CPUs" in labels and "Price of a CPU-hour" in labels
    assert metrics(app)["Idle while jobs waited"].endswith("CPU·h")


@pytest.mark.slow
def test_running_and_waiting_jobs_count_and_a_poor_model_is_said_first():
    begun = 1_704_067_200
    lines = [f"900|gpu|{begun}|{begun}|Unknown|RUNNING|gres/gpu=90"]
    for i, at in enumerate(range(begun, begun + 300 * 7200, 7200)):
        lines.append(f"{i}|gpu|{at}|{at + 9000}|{at + 12600}|COMPLETED|gres/gpu=5")
    lines += [
        f"{1000 + i}|gpu|{begun + 3600 * i}|Unknown|Unknown|PENDING|gres/gpu=99" for i in range(31)
    ]
    app = opened(listed("Partition|Submit|Start|End|State|AllocTRES", lines), "jobs.txt")
    sent = all_text(app)
    assert (
        metrics(app)["Utilization"].startswith("97.4")
        and "1 job is still running at the end, with 97.3%" in sent
    )
    assert "31 jobs are still waiting, " in sent and "lower bounds" in sent
    assert sent.index("The model does not reproduce this cluster.") < sent.index(
        "that meets a target"
    )
    notes = {metric.label: metric.delta for metric in app.metric}
    assert notes["Jobs"] == "1 running and 31 waiting"
    assert " under " in notes["Mean wait"] and " under " in notes["Idle while jobs waited"]


def test_names_of_users_and_accounts_are_numbered_unless_asked_for():
    lines = (
        (
            f"{i}|quentin|zebra_lab|gpu|{DAY * i}|{DAY * i + 60 * i}|{DAY * i + 7200}|"
            f"COMPLETED|cpu=4,gres/gpu={1 + i % 4}"
        )
        for i in range(60)
    )
    app = opened(
        listed("User|Account|Partition|Submit|Start|End|State|AllocTRES", lines), "jobs.txt"
    )
    assert "60 jobs read" in all_text(app)
    assert not {"quentin", "zebra_lab"} & set(all_text(app).replace("|", " ").split())
    put(put(app, "cluster_names", True), "cluster_class", "account")
    assert "zebra_lab" in all_text(app) and "quentin" in all_text(app)


def test_a_file_that_is_no_log_is_one_sentence():
    app = opened(
        b"JobID|Submit|Start|End|State|AllocTRES\n1|x|y|z|COMPLETED|gres/gpu=1\n", "jobs.txt"
    )
    assert len(app.warning) == 1 and "\n" not in app.warning[0].value and not charts(app)
    assert "must" in app.warning[0].value


@pytest.mark.parametrize(
    ("some", "says"), [(2, "Only 2 jobs of 40 have GPUs"), (1, "Only 1 job of 40 has GPUs")]
)
def test_hardly_any_gpus_and_cpus_are_offered(some, says):
    lines = (
        (
            f"{i}|all|{DAY * i}|{DAY * i + 1800}|{DAY * i + 7200}|COMPLETED|"
            f"cpu=4{',gres/gpu=1' * (i < some)}"
        )
        for i in range(40)
    )
    app = opened(listed("Partition|Submit|Start|End|State|AllocTRES", lines), "jobs.txt")
    assert any(says in warning.value for warning in app.warning)
    assert "40 jobs read; sizes are CPUs" in all_text(click(app, "cluster_cpus"))


def test_a_log_with_a_thousand_classes_keeps_the_largest_and_joins_the_rest():
    rows = [f"{i}|class {i % 1000}|0|0|60|COMPLETED|gres/gpu=1" for i in range(2000)]
    data = listed("Partition|Submit|Start|End|State|AllocTRES", rows)
    log = log_cache.read(data, "jobs", "auto", "partition", "Submit", False)
    assert len(log.classes) == MOST_CLASSES and "others" in log.classes


def test_one_partition_with_its_nodes_is_chosen_and_remembered():
    lines = []
    for i, at in enumerate(range(0, 90 * 3600, 3600)):
        if i % 3 == 0:
            size = "cpu=8"
        else:
            size = f"gres/gpu:{('v100', 'a100')[i % 2]}=2,gres/gpu=2"
        lines.append(
            f"{i}|{('cpu', 'gpu', 'long')[i % 3]}|lab{i % 2}|{at}|{at + 60}|{at + 9000}|"
            f"COMPLETED|{size}"
        )
    app = opened(listed("Partition|Account|Submit|Start|End|State|AllocTRES", lines), "jobs.txt")
    assert app.multiselect(key="cluster_partition").options == ["cpu", "gpu", "long"]
    for name, value in (("partition", ["gpu"]), ("gpu_type", "a100"), ("class", "account")):
        put(app, f"cluster_{name}", value)
    nodes = (
        "NodeName=g1 Gres=gpu:a100:6 State=IDLE Partitions=gpu,long\n"
        "NodeName=c1 CPUTot=64 State=IDLE Partitions=cpu"
    )
    app.text_area(key="cluster_nodes_text").set_value(nodes)
    click(app, "cluster_nodes_use")
    sent = all_text(app)
    assert (
        not app.exception and "15 jobs read of partition gpu on a100 GPUs; sizes are GPUs" in sent
    )
    assert (
        "60 records (in other partitions), 15 records (on other types of GPU)" in sent
        and "1 of 1 node is also in long" in sent
    )
    assert (
        metrics(app)["GPUs"] == "6"
        and "account 1" in sent
        and app.text_area(key="cluster_nodes_text").value == ""
    )
    assert metrics(put(app, "cluster_gpus", 9))["GPUs"] == "9", "a size by hand wins"
    app.file_uploader(key="cluster_nodes").upload("nodes.txt", b"hello", "text/plain").run()
    assert app.warning[0].value == "Nodes: line 1 must be " + FORMATS + ", got 'hello'."
    assert not click(app, "cluster_nodes_remove").warning and "nodes is also" not in all_text(app)


def test_the_command_asks_for_no_free_text_and_for_utc():
    assert source.COMMAND.startswith("TZ=UTC sacct") and "--parsable2" in source.COMMAND
    assert not {"JobName", "Comment", "SubmitLine", "WorkDir"} & set(
        source.COMMAND.replace(",", " ").split()
    )


def test_work_that_is_stopped_ends_and_keeps_nothing():
    one = background.Work("x", "Working", lambda progress: endless(), session="")
    one.stop.set()
    one.run()
    assert one.done.is_set() and one.result is None and one.refusal == background.STOPPED


def test_work_that_takes_too_long_is_given_up_with_a_sentence(monkeypatch):
    monkeypatch.setattr(background, "LONGEST", 0.05)
    monkeypatch.setattr(time_slices, "SLICE", 0.01)
    one = background.Work("x", "Working", lambda progress: endless())
    one.run()
    assert one.result is None and one.refusal.startswith("Stopped after 0.05 s")


def test_whatever_goes_wrong_in_the_background_is_one_sentence():
    for error in (ValueError("jobs must be a log"), MemoryError(), KeyError("a bug")):

        def fail(progress, error=error):
            raise error

        one = background.Work("x", "Working", fail)
        one.run()
        assert one.done.is_set() and one.refusal.endswith(".") and "\n" not in one.refusal


def endless():
    from physics import pace

    while True:
        sum(range(1000))
        pace.step()


def test_a_heading_of_brackets_without_end_is_read_once():
    # Read anew at each bracket this takes the time of the whole suite, and no other page is drawn
    # meanwhile.
    assert widgets.headed("[" * 300_000 + "h]") == "[" * 299_999 + "(h)"


@pytest.mark.slow
def test_a_log_of_several_clusters_is_read_once_one_is_chosen():
    rows = [
        f"{name}|gpu|{1_704_067_200 + 7200 * hour}|{1_704_067_200 + 7200 * hour}|"
        f"{1_704_070_800 + 7200 * hour}|COMPLETED|gres/gpu=4"
        for name in ("alpha", "beta")
        for hour in range(20)
    ]
    rows = [f"{number}|{row}" for number, row in enumerate(rows)]
    app = opened(listed("Cluster|Partition|Submit|Start|End|State|AllocTRES", rows), "jobs.txt")
    assert "choose one with" in all_text(app) and "alpha (20 records)" in all_text(app)
    put(app, "cluster_cluster", "beta")
    assert "20 jobs read of cluster beta" in all_text(app)


def waiting_log() -> bytes:
    """Jobs of 4 GPUs one after the other, and two that still wait."""
    begun = 1_704_067_200
    rows = [
        (
            f"{hour}|gpu|{begun + 3600 * hour - 600}|{begun + 3600 * hour}|"
            f"{begun + 3600 * hour + 3000}|COMPLETED|gres/gpu=4"
        )
        for hour in range(40)
    ]
    rows += [
        f"{number}|gpu|{begun + 144_000}|Unknown|Unknown|PENDING|gres/gpu=4" for number in (90, 91)
    ]
    return listed("Partition|Submit|Start|End|State|AllocTRES", rows)


@pytest.mark.slow
def test_a_job_that_still_waits_is_explained_as_on_the_command_line():
    app = opened(waiting_log(), "jobs.txt")
    assert app.text_input(key="cluster_why").placeholder == "90, 91"
    app.text_input(key="cluster_why").set_value("91")
    sent = all_text(click(app, "cluster_why_ask"))
    jobs = read_log(waiting_log(), unfinished=True)
    found = calibrate(jobs, 4, candidates(jobs, 4))
    assert why_waiting(jobs, "91", 4, found).sentence in sent
    assert "This log has too few jobs to test the model" in sent
    app.text_input(key="cluster_why").set_value("nobody")
    click(app, "cluster_why_ask")
    assert any("such as 90, 91" in warning.value for warning in app.warning)
    assert "Job 91 asks" not in all_text(app) and not app.exception


def test_a_log_in_which_nobody_waits_has_no_such_question():
    rows = waiting_log().split(b"\n")[:-2]
    app = opened(b"\n".join(rows), "jobs.txt")
    assert not any(widget.key == "cluster_why" for widget in app.text_input)


def test_what_makes_a_log_doubtful_stands_above_the_verdict():
    begun = 1_704_067_200
    rows = [
        (
            f"{hour}|gpu|{begun + 7200 * hour}|{begun + 7200 * hour + 600}|"
            f"{begun + 7200 * hour + 7000}|COMPLETED|{size}"
        )
        for hour in range(40)
        for size in (f"gres/gpu=2{',gres/shard=3' * (hour % 2)}",)
    ]
    rows += [
        (
            f"{100 + hour}|gpu|{begun + 7200 * hour}|{begun + 7200 * hour}|"
            f"{begun + 7200 * hour + 60}|COMPLETED|gres/shard=1"
        )
        for hour in range(40)
    ]
    app = opened(listed("Partition|Submit|Start|End|State|AllocTRES", rows), "jobs.txt")
    sent = all_text(app)
    assert any("under More" in warning.value for warning in app.warning)
    assert sent.index("This log cannot be trusted as it is") < sent.index("Too few jobs to tell")
    put(app, "cluster_shards", 4)
    assert "80 jobs read" in all_text(app) and "cannot be trusted" not in all_text(app)


@pytest.mark.slow
def test_a_recommended_size_costs_what_the_price_says():
    app = opened()
    app.selectbox(key="cluster_needed_measure").set_value("mean")
    app.number_input(key="cluster_needed_hours").set_value(0.5)
    put(app, "cluster_price", 2.5)
    click(put(app, "cluster_needed_step", 64), "cluster_needed")
    assert " at 2.5 per GPU-hour" in all_text(app)


@pytest.mark.slow
def test_nodes_that_are_given_with_the_log_can_be_simulated_and_what_they_cost_is_drawn():
    begun = 1_704_067_200
    rows = [
        f"{number}|gpu|{begun + 1200 * number}|{begun + 1200 * number + 300}|"
        f"{begun + 1200 * number + 3900}|COMPLETED|gres/gpu={(3, 2, 4)[number % 3]}"
        for number in range(60)
    ]
    app = opened(listed("Partition|Submit|Start|End|State|AllocTRES", rows), "jobs.txt")
    nodes = "NODELIST PARTITION GRES STATE\nn1 gpu gpu:4 mix\nn2 gpu gpu:4 mix\nn3 gpu gpu:2 mix"
    app.text_area(key="cluster_nodes_text").set_value(nodes)
    click(app, "cluster_nodes_use")
    click(put(app, "cluster_nodes_listed", True), "cluster_try")
    assert not app.exception
    assert "In use (blue), and idle because of placement (orange)" in titles(app)
    assert "are idle only because of placement" in all_text(app)


@pytest.mark.slow
def test_a_stated_utilization_says_what_computes_and_sets_the_speed_of_a_replay():
    app = opened()
    assert "not which ones compute" in all_text(app)
    put(put(app, "cluster_utilization", 60), "cluster_reached", 90)
    jobs = read_log(FILE)
    happened = what_happened(jobs, 1024)
    found = calibrate(jobs, 1024, candidates(jobs, 1024))
    sentences = what_computes(happened, found, 0.6, 0.9).sentences
    assert all(sentence in all_text(app) for sentence in sentences)
    click(app, "cluster_set_speed")
    assert app.number_input(key="cluster_speed").value == 1.5
    click(app, "cluster_try")
    assert "jobs 1.5 times as fast" in all_text(app) and not app.exception
