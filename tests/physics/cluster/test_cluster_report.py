"""The report: everything in it is escaped, read back as it was, and nothing that is no report is
taken.
"""

import csv
import gzip
import html
import io
import json
import re
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.cluster import (
    Change,
    calibrate,
    happened_sentences,
    parse_change,
    parse_policy,
    read_log,
    read_report,
    report,
    say,
    synthetic_log,
    to_csv_zip,
    to_html,
    to_json,
    to_sacct,
    to_swf,
    to_text,
    verdict,
    what_happened,
    what_if,
    what_is_needed,
    write_change,
)
from physics.cluster.__main__ import main
from physics.cluster.trust.grades import Grade
from physics.scheduling import Policy
from physics.texts import visible

ROOT = Path(__file__).resolve().parents[3]
NASTY = "<script>alert(1)</script>&\"'"


@pytest.fixture(scope="module")
def parts():
    jobs = synthetic_log(1, days=120)
    happened = what_happened(jobs, 1024)
    calibration = calibrate(jobs, 1024, {"EASY": Policy(backfill="easy")})
    change = Change(policy=Policy("priority", "easy"), gpus=1088)
    return (
        jobs,
        happened,
        calibration,
        {write_change(change): what_if(jobs, 1024, calibration, change)},
    )


@pytest.fixture(scope="module")
def found(parts):
    jobs, *others = parts
    return report(*others, digest=jobs.attrs["digest"], title="A cluster")


def tables(found):
    return {table["name"]: table for section in found["sections"] for table in section["tables"]}


def test_the_report_reads_back_as_it_was_and_says_how_to_compute_it_again(parts, found):
    jobs, _, calibration, differences = parts
    assert read_report(to_json(found)) == read_report(to_json(found).encode()) == found
    settings = found["settings"]
    assert parse_policy(settings["policy"]) == calibration.policy
    changes = [
        parse_change(text, calibration.policy, settings["gpus"]) for text in settings["changes"]
    ]
    assert changes == [one.change for one in differences.values()]
    assert found["log"]["digest"] == jobs.attrs["digest"]


def test_tables_hold_the_numbers_in_hours_and_percent(parts, found):
    _, happened, _, differences = parts
    waits = tables(found)["waits"]
    assert waits["columns"] == [
        "class",
        "jobs",
        "mean [h]",
        "median [h]",
        "P95 [h]",
        "within 5 min [%]",
    ]
    last = happened.waits.loc["all"]
    hours = [last[name] / 3600 for name in ("mean", "median", "p95")]
    assert waits["rows"][-1][1:] == pytest.approx(
        [last["jobs"], *hours, 100 * last["within_target"]]
    )
    change = next(iter(differences.values())).classes.loc["all", "difference"]
    assert tables(found)["change_1"]["rows"][-1][4] == pytest.approx(change / 3600)
    assert tables(found)["calibration"]["rows"][0][0] == "record"


def test_the_verdict_is_record_gap_idle_time_and_the_best_change(parts, found):
    _, happened, calibration, differences = parts
    first = found["sections"][0]
    assert first["title"] == "Verdict" and first["sentences"] == list(
        verdict(happened, calibration, differences)
    )
    reproduced, idle, best = first["sentences"]
    wait = say.time(calibration.waits.loc["record", "mean"])
    assert reproduced == (
        f"The model reproduces this cluster closely: the mean wait is {wait} in the record and "
        f"{wait} under EASY. "
        "When jobs are grouped by width and time limit, the mean wait of each group, in each "
        "half of the log, is within a minute of the recorded one."
    )
    assert idle.startswith("Policy explains all of the idle time. ")
    one = next(iter(differences.values()))
    assert not one.undecided, "the fixture's change has more GPUs and another policy"
    row = one.classes.loc["all"]
    names = ("baseline", "changed", "difference", "low", "high")
    before, after, apart, low, high = say.alike(*row[list(names)])
    assert best.startswith("The best change that was tried is order by priority, backfill easy, ")
    assert (
        f"falls from {before} to {after}, a change of {apart} (estimated range: {low} to "
        f"{high})" in best
    )
    hours = 64 * happened.span / 3600
    assert best.endswith(f"for {say.number(hours)} more GPU-hours.")
    rows = {row[0]: row for row in tables(found)["options"]["rows"]}
    assert rows["record"][-5:-1] == [None] * 4 and len(rows) == 3
    assert rows["as it is, simulated"][4] == pytest.approx(row["baseline"] / 3600)


def test_the_best_change_is_a_decided_one_that_keeps_all_jobs(parts):
    _, happened, calibration, differences = parts
    one = next(iter(differences.values()))

    def told(**changes):
        return verdict(happened, calibration, changes)[2]

    vague = replace(one, undecided=True, classes=one.classes.assign(unexplained=1e6))
    few = replace(one, jobs=(one.jobs[0], one.jobs[0] - 1))
    assert told(vague=vague).startswith(
        "None of the changes has a clear effect: the one that was tried, vague, changes the "
    )
    assert told(vague=vague).endswith("less than the 278 h that the model leaves unexplained.")
    assert told(vague=vague, sure=one).startswith("The best change that was tried is sure: ")
    assert told(few=few).startswith("No change that keeps all jobs was tried")
    worse = one.classes.assign(difference=-one.classes["difference"])
    assert told(worse=replace(one, classes=worse)).startswith(
        "None of the changes shortens the wait: "
    )


def test_a_poor_model_and_idle_time_beyond_it_are_the_first_words(parts):
    _, happened, calibration, _ = parts
    waits = calibration.waits.copy()
    waits.loc["EASY", "idle"] = happened.wasted / 4
    grade = Grade("not", 3.0, "2 GPUs, first half", 3600.0, 10_800.0)
    model, idle, _ = verdict(happened, replace(calibration, grade=grade, waits=waits))
    assert model.startswith("The model does not reproduce this cluster: ") and model.endswith(
        "The worst group is 2 GPUs, first half (3 h simulated, 1 h in the record)."
    )
    assert idle.startswith("Policy explains 25% of the idle time. ") and idle.endswith(
        "are not explained."
    )
    model, idle, _ = verdict(replace(happened, recorded=0), replace(calibration, recorded=False))
    assert model.startswith("There is no record") and idle.startswith("Nobody knows")


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []
        self.seen = set()
        self.addresses = []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.addresses += [
            value for name, value in attrs if name in ("href", "src") or name.startswith("on")
        ]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_whole_and_takes_nothing_from_elsewhere(found):
    page = to_html(found)
    tags = _Tags()
    tags.feed(page)
    assert not tags.open and not tags.addresses and "script" not in tags.seen
    assert "@media print" in page and "url(" not in page and "@import" not in page
    for table in tables(found).values():
        assert f"<caption>{table['title'].replace(chr(39), '&#x27;')}</caption>" in page


def test_the_page_begins_with_the_verdict_and_folds_the_tables_if_there_is_one(parts, found):
    page = to_html(found)
    order = [
        "The model reproduces this cluster closely</b>",
        "Changes tried",
        "<svg",
        "How good",
        "Read this with",
    ]
    places = [
        page.index(words)
        for words in (*order, "<details>", "Use over time", found["log"]["digest"])
    ]
    assert places == sorted(places) and page.count("<svg") == 2
    assert all(len(chart) < 6_000 for chart in re.findall("<svg.*?</svg>", page, re.DOTALL))
    jobs, happened, calibration, _ = parts
    curve = report(
        happened, calibration, needed=[what_is_needed(jobs, 1024, calibration, "mean", 1800.0, 64)]
    )
    assert "at most 0.5 h" in to_html(curve) and html.escape(
        curve["sections"][-1]["sentences"][0]
    ) in to_html(curve)
    assert read_report(to_json(curve)) == curve
    old = found | {"sections": found["sections"][1:]}
    page = to_html(read_report(to_json(old)))
    assert (
        "<details>" not in page
        and "<h2>What happened</h2>" in page
        and old["log"]["digest"] in page
    )


def test_all_tables_are_in_the_archive(found):
    with zipfile.ZipFile(io.BytesIO(to_csv_zip(found))) as archive:
        assert set(archive.namelist()) == {f"{name}.csv" for name in tables(found)}
        rows = list(csv.reader(io.StringIO(archive.read("waits.csv").decode())))
    assert to_csv_zip(found) == to_csv_zip(read_report(to_json(found))), (
        "equal findings make equal archives"
    )
    assert (
        rows[0] == tables(found)["waits"]["columns"]
        and float(rows[-1][2]) == tables(found)["waits"]["rows"][-1][2]
    )


def test_no_class_is_a_formula_for_a_spreadsheet():
    signs = ["=", "+", "-", "@", " =", "a;@", "\u200b=", "\x01="]
    table = {
        "name": "waits",
        "columns": ["class"],
        "rows": [[visible(f"{sign}SUM(1)")] for sign in signs],
    }
    with zipfile.ZipFile(io.BytesIO(to_csv_zip({"sections": [{"tables": [table]}]}))) as archive:
        rows = list(csv.reader(io.StringIO(archive.read("waits.csv").decode())))
    for sign, (written,) in zip(signs, rows[1:], strict=True):
        assert written == f"{visible(sign[:-1])}'{sign[-1]}SUM(1)" or not written.startswith(sign)


@pytest.mark.parametrize(
    "name", ["gpu\x1b[2J\x1b]0;owned\x07", "gpu\u202egnp", "a\u200bb", "c" * 30_000, "\x85", NASTY]
)
def test_a_name_that_steers_a_terminal_or_a_page_is_text_everywhere_and_the_report_is_read_back(
    name, tmp_path, capsys
):
    lines = ["JobID|User|Partition|Submit|Start|End|State|AllocTRES"]
    log = tmp_path / "jobs.txt"
    for i in range(60):
        lines.append(
            f"{i}|{name}|{name}|{9999 * i}|{9999 * i + 60 * i}|{9999 * i + 7200}|COMPLETED|"
            "cpu=4,gres/gpu=1"
        )
    log.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    assert main([str(log), "--names", "--title", name, "--out", str(tmp_path)]) == 0
    assert all(line.isprintable() for line in capsys.readouterr().out.split("\n"))
    written = (tmp_path / "report.json").read_bytes()
    assert read_report(written)["sections"] and not set(written.decode()) & {
        "\x1b",
        "\u202e",
        "\u200b",
        "\x85",
    }
    page = (tmp_path / "report.html").read_text()
    tags = _Tags()
    tags.feed(page)
    assert not set(page) & {"\x1b", "\u202e", "\u200b", "\x85"} and "script" not in tags.seen
    assert name != NASTY or ("&lt;script&gt;" in page and "alert(1)</script>" not in page)


def test_the_terminal_shows_every_sentence_and_says_what_it_leaves_out(found):
    text = to_text(found, most=5)
    for section in found["sections"]:
        assert section["title"] in text and all(
            sentence in text for sentence in section["sentences"]
        )
    assert "… and" in text and "\t" not in text


def test_sentences_say_where_the_size_is_from_and_what_is_left_out():
    jobs = synthetic_log(1, days=20)
    jobs.attrs["left_out"] = {"job steps": 3}
    measured, given = (
        " ".join(happened_sentences(what_happened(jobs, gpus))) for gpus in (None, 512)
    )
    assert "largest use that lasts" in measured and "Left out: 3 records (job steps)." in measured
    assert "512 GPUs, as given" in given and "more than that" in given
    unknown = " ".join(
        happened_sentences(what_happened(jobs.drop(columns="recorded_wait")), dated=False)
    )
    assert "records no waits" in unknown and "does not say when it began" in unknown


HEAD = "JobID|Partition|Submit|Start|End|State|{}\n"


def sacct(*rows, size="AllocTRES"):
    return (HEAD.format(size) + "\n".join("|".join(map(str, row)) for row in rows)).encode()


ENDED = [
    (i, "a", 3600 * i, 3600 * i, 3600 * i + 3600, "COMPLETED", "gres/gpu=5,cpu=20")
    for i in range(100)
]
RUNS = (900, "a", 0, 0, "Unknown", "RUNNING", "gres/gpu=90,cpu=360")
WAITS = (901, "a", 180_000, "Unknown", "Unknown", "PENDING", "gres/gpu=9,cpu=36")


def test_jobs_that_have_not_ended_are_in_sentences_and_tables():
    jobs = read_log(sacct(*ENDED, RUNS, WAITS), unfinished=True)
    found = report(what_happened(jobs, 100))
    told = " ".join(found["sections"][0]["sentences"])
    assert "1 job is still running at the end, with 94.7% of the GPU time in use." in told
    assert (
        "1 job is still waiting, 50 h so far. This wait is a lower bound: with it, the mean "
        "wait is at least 0.49" in told
    )
    assert "and without it, it is 0 h" in told and "4.12 days that the records cover" in told
    assert tables(found)["waiting"]["rows"][-1] == ["all", 1, 50, 50, pytest.approx(50 / 102)]
    assert "waiting" not in tables(report(what_happened(read_log(sacct(*ENDED)))))
    assert (
        read_report(to_json(found)) == found
        and "is still waiting" in to_html(found)
        and "is still waiting" in to_text(found)
    )


@pytest.mark.parametrize(
    ("size", "of", "given", "unit"),
    [
        ("AllocTRES", None, {}, "GPU"),
        ("AllocTRES", None, {"resource": "cpu"}, "CPU"),
        ("NNodes", 2, {}, "node"),
    ],
)
def test_the_unit_is_the_logs_own_everywhere(size, of, given, unit):
    rows = [(*row[:-1], of or row[-1]) for row in (*ENDED, RUNS, WAITS)]
    jobs = read_log(sacct(*rows, size=size), **given, unfinished=True)
    happened = what_happened(jobs)
    calibration = calibrate(jobs, happened.gpus, {"EASY": Policy(backfill="easy")})
    change = what_if(jobs, happened.gpus, calibration, Change(gpus=happened.gpus + 8))
    text = to_text(report(happened, calibration, {"gpus=+8": change}))
    assert happened.unit == calibration.unit == change.unit == unit
    assert f"{unit}·h" in text and f"{unit} time" in text and f"{unit}s in use" in text
    # Without its own name, a unit is what a change is written with, "gpus=+8".
    text = text.replace("node types", "")
    others = {"GPU", "CPU", "node"} - {unit}
    assert not [other for other in others if re.search(rf"\b{other}(s|·h)?\b", text)]


def test_more_in_use_than_there_is_is_said_with_its_time():
    jobs = pd.DataFrame({"submit": [0, 90, 4000], "runtime": [100, 7000, 9000], "gpus": [4, 4, 1]})
    jobs = jobs.assign(recorded_wait=0.0)
    assert "for 10 s in all, up to 8 GPUs, because rounded times make jobs overlap" in " ".join(
        happened_sentences(what_happened(jobs, 6))
    )
    wrong = " ".join(happened_sentences(what_happened(jobs, 4)))
    assert "for 0.861 h in all, up to 8 GPUs, because either the cluster is larger" in wrong


def test_hardly_any_gpus_and_cpus_are_offered_first():
    plain = [(*row[:-1], "cpu=20") for row in ENDED[2:]]
    told = list(happened_sentences(what_happened(read_log(sacct(*ENDED[:2], *plain)))))
    assert told[0].startswith("Only 2 of 100 jobs request GPUs") and "--resource cpu" in told[0]
    half = list(happened_sentences(what_happened(read_log(sacct(*ENDED[:60], *plain[60:])))))
    assert not any("--resource" in sentence for sentence in half)


def test_what_has_no_number_or_an_infinite_one_is_said():
    jobs = synthetic_log(1, days=20).drop(columns="recorded_wait")
    found = report(what_happened(jobs), calibrate(jobs, 300, {"EASY": Policy(backfill="easy")}))
    assert read_report(to_json(found)) == found
    theory = {row[0]: row for row in tables(found)["calibration"]["rows"]}
    assert theory["M/M/c"][1] == "infinite" and tables(found)["summary"]["rows"][4][1] is None
    assert ">–<" in to_html(found) and ">infinite<" in to_html(found)


def test_every_sentence_of_the_words_is_said_somewhere():
    paths = [path for room in ("physics", "ui") for path in (ROOT / room / "cluster").rglob("*.py")]
    source = "".join(path.read_text(encoding="utf-8") for path in paths)
    said = set(re.findall(r'"([a-z_]+)"', source)) | {
        f"size_{source}" for source in ("given", "nodes", "largest", "header", "widest")
    }
    said |= {f"verdict_{grade}" for grade in ("close", "roughly", "not", "nothing", "few")}
    said |= {f"doubt_{grade}" for grade in ("not", "few")}
    assert not {*say.WORDS["says"], *say.WORDS["tables"]} - said


# --- what is no report ---
def section(**table):
    return {"sections": [{"title": "", "sentences": [], "tables": [
        {"name": "x", "title": "", "columns": ["a"], "rows": []} | table]}]}  # fmt: skip


@pytest.mark.parametrize(
    "new",
    [
        b"", b"\xff\xfe", "{", "NaN", " " * 5_000_001, 7, None,
        {"version": 2}, {"version": True}, {"title": 5}, {"title": "a\nb"}, {"log": {}},
        {"settings": []},
        {"sections": {}}, {"sections": [{}]}, {"more": 1},
        {"sections": [{"title": "", "sentences": [1], "tables": []}]},
        {"sections": 2 * section()["sections"]},
        section(name="../x"), section(rows=[[1, 2]]), section(rows=[[[]]]),
    ],
)  # fmt: skip
def test_what_is_no_report_or_was_tampered_with_is_refused_in_one_sentence(found, new):
    with pytest.raises(ValueError, match=r"^a report must") as refusal:
        read_report(json.dumps(found | new) if isinstance(new, dict) else new)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "bound"),
    [("[" * 100_000, "deeper than 12"), ("1" * 5000, "more than 1000 characters")],
)
def test_what_no_parser_may_see_is_refused_with_the_bound_that_it_passes(text, bound):
    with pytest.raises(ValueError, match=f"^a report has .*{bound}; nothing was read$"):
        read_report(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=100)
@given(st.data())
def test_any_report_with_a_part_replaced_can_be_shown_or_is_refused(found, data):
    whole = json.loads(to_json(found))
    place = whole
    while isinstance(place, dict | list) and place:
        if isinstance(place, dict):
            keys = sorted(place)
        else:
            keys = range(len(place))
        key = data.draw(st.sampled_from(keys))
        if data.draw(st.booleans()) or not isinstance(place[key], dict | list):
            place[key] = data.draw(JSON)
            break
        place = place[key]
    try:
        read = read_report(json.dumps(whole))
    except ValueError as refusal:
        assert str(refusal).startswith("a report must") and "\n" not in str(refusal)
    else:
        assert to_html(read).endswith("</html>\n") and to_csv_zip(read) and to_text(read)


# --- the command ---
@pytest.mark.slow
def test_the_examples_of_the_help_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    log = synthetic_log(2, days=12).replace({"job_class": {"training": "gpu"}})
    (tmp_path / "jobs.txt.gz").write_bytes(gzip.compress(to_sacct(log).encode()))
    (tmp_path / "nodes.txt").write_text("NODELIST PARTITION GRES STATE\nn1 gpu gpu:1024 mix\n")
    (tmp_path / "jobs.csv").write_text(
        "queued,begun,ended,n_gpu\n2026-03-02 08:00,2026-03-02 09:00,2026-03-02 10:00,8\n"
        "2026-03-02 08:30,2026-03-02 10:00,2026-03-02 11:00,8\n"
    )
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out
    examples = [
        line.split()[3:]
        for line in told.splitlines()
        if line.startswith("  python -m physics.cluster ")
    ]
    assert len(examples) == 6 and "exit status: 0" in told
    examples[1] += ["--out", "report"]
    for words in examples:
        assert main(words) == 0, capsys.readouterr().err
    told = capsys.readouterr().out
    out = tmp_path / "report"
    assert ", you need " in told and "What if: policy=priority," in told
    found = read_report((out / "report.json").read_bytes())
    assert found["log"]["jobs"] == len(log)
    assert found["settings"]["changes"] == ["policy=priority,reserved=32", "gpus=+64"]
    assert tables(found)["waits"]["rows"][-1][2] == pytest.approx(
        log["recorded_wait"].mean() / 3600
    )
    assert (out / "report.html").read_text().startswith("<!doctype html>") and zipfile.is_zipfile(
        out / "tables.zip"
    )


def test_cpus_are_offered_where_hardly_a_job_has_gpus(tmp_path, capsys):
    log = tmp_path / "jobs.txt"
    log.write_bytes(sacct(*ENDED[:1], *((*row[:-1], "cpu=20") for row in ENDED[1:])))
    assert main([str(log)]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert (
        first == "only 1 of 100 jobs ask for GPUs: try --resource cpu to count CPUs"
        and "two times" in second
    )
    assert main([str(log), "--resource", "cpu"]) == 0


def test_ctrl_c_ends_the_command_in_one_sentence(monkeypatch, capsys):
    def interrupted(options):
        raise KeyboardInterrupt

    monkeypatch.setattr("physics.cluster.__main__.run", interrupted)
    assert main(["--synthetic"]) == 130 and capsys.readouterr().err.count("\n") == 1


def test_the_command_answers_what_is_wrong_in_one_sentence(tmp_path, capsys):
    log = tmp_path / "log"
    nonsense = tmp_path / "nonsense"
    log.write_text(to_swf(pd.DataFrame({"submit": [0, 9], "runtime": 5, "gpus": 1})))
    nonsense.write_text("hello")
    for arguments, words in (
        ((), "a log must be given"),
        ((log, "--synthetic"), "a log must be given"),
        ((nonsense,), "nonsense: source must be a log that can be read"),
        ((tmp_path / "missing",), "No such file"),
        ((tmp_path,), "directory"),
        ((log, "--gpus", "many"), "invalid int value"),
        ((log, "--gpus", 0), "gpus must be at least 1"),
        ((log, "--what-if", "colour=red"), "a change must name one of"),
        ((log, "--out", log), "exists"),
        (("a\x1b[2Jb\u202ec",), "No such file"),
    ):
        assert main([*map(str, arguments)]) == 2, arguments
        said = capsys.readouterr().err
        assert re.search(words, said) and said.count("\n") == 1 and said.strip().isprintable(), said


def each_hour(hours: int, gpus: int = 1) -> pd.DataFrame:
    """One job per hour on one GPU, for half of it, after a wait of a minute."""
    submit = [3600.0 * hour for hour in range(hours)]
    frame = pd.DataFrame({"submit": submit, "runtime": 1800.0, "gpus": gpus})
    return frame.assign(recorded_wait=60.0)


def pages_of(hours: int) -> str:
    """The page on a log of so many hours."""
    jobs = each_hour(hours)
    happened = what_happened(jobs, 1)
    return to_html(report(happened, calibrate(jobs, 1, {"FIFO": Policy()})))


@pytest.mark.parametrize(("hours", "period"), [(48, ""), (200, "by day "), (24 * 80, "by week ")])
def test_the_chart_of_use_names_the_time_that_a_bar_stands_for(hours, period):
    page = pages_of(hours)
    assert f"<figcaption>In use {period}(blue)" in page


@pytest.mark.parametrize(("gpus", "size"), [(1, "1 GPU<"), (1024, "1,024 GPUs<")])
def test_the_head_of_the_page_names_the_size_with_its_unit(gpus, size):
    jobs = each_hour(9)
    assert f"<p>9 jobs on {size}" in to_html(report(what_happened(jobs, gpus)))


def test_the_tables_of_the_archive_are_compressed(found):
    with zipfile.ZipFile(io.BytesIO(to_csv_zip(found))) as archive:
        largest = max(archive.infolist(), key=lambda file: file.file_size)
    assert largest.compress_size < largest.file_size / 2
