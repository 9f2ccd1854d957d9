"""Logs of many formats against the right table of each, and hostile ones."""

import gzip
import io
import json
import math
import zipfile

import numpy as np
import pandas as pd
import pytest
from recorded import CASES, needs_cases

from physics.cluster import read_log
from physics.jobs import read_records
from physics.jobs.readers import guess_columns

FORMATS = CASES / "formats"
NUMBERS = ("submit", "start", "end", "elapsed", "gpus", "limit", "wait")
TEXTS = ("job", "kind", "user", "queue")
#: Those that are recognized, and refused by name.
REFUSED = {
    "public-lsf.acct": "LSF",
    "public-sge.acct": "Grid Engine",
    "public-uge.acct": "Grid Engine",
    "public-condor.json": "HTCondor",
    "public-condor-long.txt": "HTCondor",
    "public-kueue-v1beta1.json": "Kueue",
    "public-philly.json": "Philly",
}


def index():
    """Files of the formats, with their right tables."""
    if not FORMATS.exists():
        return []
    return json.loads((FORMATS / "public-index.json").read_text(encoding="utf-8"))["files"]


def sorted_rows(frame):
    """Rows in an order that the two tables share."""
    return frame.sort_values(["submit", "job"], kind="stable").reset_index(drop=True)


@needs_cases
@pytest.mark.parametrize(
    "entry",
    [entry for entry in index() if entry["file"] not in REFUSED],
    ids=lambda one: one["file"],
)
def test_each_format_gives_its_right_table(entry):
    got = sorted_rows(read_records(FORMATS / entry["file"], columns=entry.get("columns")))
    right = sorted_rows(pd.read_csv(FORMATS / entry["right"], dtype={"job": str}))
    assert len(got) == len(right)
    for name in TEXTS:
        assert got[name].tolist() == right[name].fillna("").astype(str).tolist(), name
    for name in NUMBERS:
        assert np.array_equal(got[name].to_numpy(float), right[name].to_numpy(float), True), name


@needs_cases
@pytest.mark.parametrize(("name", "called"), REFUSED.items())
def test_what_is_not_read_is_refused_by_its_name_with_a_way(name, called):
    with pytest.raises(ValueError, match=called) as refusal:
        read_records(FORMATS / name)
    assert "--columns" in str(refusal.value)


@needs_cases
@pytest.mark.parametrize(
    "entry",
    [entry for entry in index() if entry["file"] not in REFUSED],
    ids=lambda one: one["file"],
)
def test_a_log_has_the_runs_that_ended_with_their_waits(entry):
    jobs = read_log(FORMATS / entry["file"], columns=entry.get("columns"))
    right = pd.read_csv(FORMATS / entry["right"])
    right = right[(right["kind"] == "ended") & (right["gpus"] > 0)].sort_values("submit")
    start = jobs["submit"] + jobs["recorded_wait"]
    assert sorted(start) == sorted(right["start"])
    assert sorted(start + jobs["runtime"]) == sorted(right["end"])
    assert sorted(jobs["elapsed"]) == sorted(right["elapsed"])
    assert jobs["gpus"].sum() == right["gpus"].sum()


LOG = "JobID|Submit|Start|End|State|AllocTRES\n1|100|160|200|COMPLETED|cpu=8,gres/gpu=2\n"


def zipped(*texts):
    """A zip file with some files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number, text in enumerate(texts):
            archive.writestr(f"log{number}.txt", text)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        LOG.encode(),
        LOG.encode("utf-16"),
        gzip.compress(LOG.encode("utf-16")),
        zipped(LOG),
        f"# printed today\nWelcome\n{LOG}".encode(),
        LOG.replace("|", ",").encode(),
        LOG.replace("|", ";").encode("utf-8-sig"),
    ],
    ids=["plain", "utf-16", "gzip utf-16", "zip", "banner", "bare commas", "semicolons"],
)
def test_the_wrapping_of_a_log_changes_nothing(data):
    run = read_records(data).iloc[0]
    assert (run["wait"], run["gpus"], run["kind"]) == (60, 2, "ended")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (zipped(LOG, LOG), "one file"),
        (zipped(LOG)[:60], "zip"),
        (b"JobID JobName State\n----- ------- -----\n1 a COMPLETED\n", "sacct -a"),
        (b'{"jobs": []}', "sacct -a"),
        (b'{"jobs": [{"time": {"submission": 1}', "whole JSON"),
        (b'{"jobs": [' + b"[" * 100_000 + b'"submission"', "JSON"),
        (b"hello", "sacct -a"),
        (b"a,b\n1,2\n", "--columns"),
        (
            b"JobID,Submit,Start,End,State,AllocTRES,ReqTRES\n"
            b"1,100,160,200,COMPLETED,cpu=8,gres/gpu=2,cpu=8,node=1\n",
            "--delimiter='|'",
        ),
        (
            b"JobID    Submit Start End State  AllocTRES\n"
            b"----- --------- ----- --- ----- ----------\n"
            b"1           100   160 200 COMPL billing=1+\n",
            "cut",
        ),
    ],
    ids=range(10),
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_the_way_on(data, words):
    with pytest.raises(ValueError, match=r"source|line|record") as refusal:
        read_records(data)
    assert words in str(refusal.value)
    assert "Standard Workload" not in str(refusal.value)


COMMAS = "JobID,JobName,Submit,Start,End,State,AllocTRES"


def test_a_name_that_looks_like_a_resource_keeps_its_job_in_a_table_with_commas():
    rows = [
        "1,lr=0.1,100,160,200,COMPLETED,cpu=8,gres/gpu=2",
        "2,train,100,160,200,COMPLETED,cpu=8,gres/gpu=2",
    ]
    assert read_records("\n".join([COMMAS, *rows]).encode())["job"].tolist() == ["1", "2"]
    rows = [f"{row},cpu=8,node=1,billing=8" for row in rows]
    both = "\n".join([f"{COMMAS},Account,ReqTRES", *(row.replace("=2,", "=2,a,") for row in rows)])
    assert read_records(both.encode())["job"].tolist() == ["1", "2"]


@pytest.mark.parametrize(
    "lines",
    [
        [COMMAS, "", "", "7,a,never,160,200,COMPLETED,gres/gpu=2"],
        ["Welcome", COMMAS.replace(",", "|"), "", "7|a|never|160|200|COMPLETED|gres/gpu=2"],
        ["JobID Submit Start State", "----- ------ ----- -----", "", "    7 never    160 COMPL"],
    ],
    ids=["commas", "bars", "widths"],
)
def test_an_error_names_the_line_although_lines_before_it_are_empty(lines):
    with pytest.raises(ValueError, match="line 4 must"):
        read_records("\n".join(lines).encode())


def test_old_versions_of_sacct_json_hold_the_eligible_time_as_start():
    job = {"job_id": 5, "state": {"current": "COMPLETED"}, "user": "ann", "partition": "gpu",
           "time": {"submission": 100, "eligible": 100, "start": 100, "end": 500, "elapsed": 300,
                    "suspended": 20, "limit": 10},
           "tres": {"allocated": [{"type": "gres", "name": "gpu:a100", "count": 4}]}}  # fmt: skip
    old = {"meta": {"plugin": {"type": "openapi/dbv0.0.38"}}, "jobs": [job]}
    run = read_records(json.dumps(old).encode()).iloc[0]
    assert (run["start"], run["limit"], run["gpus"]) == (180, 600, 4)
    new = {"meta": {"plugin": {"data_parser": "data_parser/v0.0.40"}}, "jobs": [job]}
    assert read_records(json.dumps(new).encode()).iloc[0]["start"] == 100


def test_components_of_a_heterogeneous_job_in_json_are_one_job_of_a_log():
    jobs = []
    for number, name in enumerate(("gpu", "gpu:a100")):
        time = {"submission": 100, "start": 160, "end": 400, "elapsed": 240}
        entry = {"type": "gres", "name": name, "count": 2}
        het = {"job_id": 7, "job_offset": {"set": True, "infinite": False, "number": number}}
        job = {"job_id": 7 + number, "het": het, "state": {"current": ["COMPLETED"]}}
        jobs.append(job | {"time": time, "tres": {"allocated": [entry]}})
    log = {"meta": {"plugin": {"data_parser": "data_parser/v0.0.41"}}, "jobs": jobs}
    data = json.dumps(log).encode()
    assert read_records(data)["job"].tolist() == ["7+0", "7+1"]
    whole = read_log(data)
    assert whole["gpus"].tolist() == [4]
    assert whole.attrs["het"] == {"jobs": 2, "of": 1, "apart": 0}


def test_a_job_of_torque_that_was_put_back_waits_from_the_end_of_its_run():
    lines = [
        "03/02/2026 09:00:00;Q;7.s;queue=gpu",
        "03/02/2026 09:00:10;S;7.s;user=u queue=gpu ctime=1772438400 start=1772438410 "
        "Resource_List.nodes=n07:ppn=8:gpus=2",
        "03/02/2026 09:01:40;R;7.s;",
        "03/02/2026 09:05:00;S;7.s;user=u queue=gpu ctime=1772438400 start=1772438700 "
        "Resource_List.nodes=n07:ppn=8:gpus=2",
        "03/02/2026 09:06:40;E;7.s;user=u queue=gpu ctime=1772438400 start=1772438700 "
        "end=1772438800 "
        "Resource_List.nodes=n07:ppn=8:gpus=2 resources_used.ngpus=0",
        "03/02/2026 09:07:00;E;8[].s;user=u queue=gpu ctime=1772438400 start=1772438700 "
        "end=1772438800",
    ]  # the clock is an hour ahead of UTC
    runs = read_records("\n".join(lines).encode())
    assert runs["kind"].tolist() == ["put back", "ended"]
    assert runs["submit"].tolist() == [1772438400, 1772438500]
    assert runs["end"].tolist() == [1772438500, 1772438800]
    assert runs["gpus"].tolist() == [2, 2]


def test_local_times_of_a_table_are_read_in_their_zone_also_when_clocks_go_back():
    table = "s,b,e,g\n2026-10-25 02:30:00,2026-10-25 02:10:00,2026-10-25 04:00:00,1\n"
    columns = {"submit": "s", "start": "b", "end": "e", "gpus": "g"}
    run = read_records(table.encode(), columns, timezone="Europe/Berlin").iloc[0]
    assert (run["wait"], run["elapsed"]) == (2400, 6600)
    with pytest.raises(ValueError, match="Europe/Berlin"):
        read_records(table.encode(), columns, timezone="Mars")


def test_a_share_of_a_gpu_counts_as_a_part_of_one():
    table = (
        "name,num_gpu,gpu_milli,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
        "a,1,460,LS,Succeeded,0,100,10\nb,4,1000,LS,Succeeded,5,100,10\nc,1,1000,LS,Pending,9,,\n"
    )
    runs = read_records(table.encode(), preset="pai2023")
    assert runs["gpus"].tolist() == [0.46, 4, 1]
    assert runs["kind"].tolist() == ["ended", "ended", "waiting"]
    assert read_log(table.encode())["gpus"].tolist() == [0.46, 4]


def test_columns_are_guessed_by_their_names_and_missing_ones_refused():
    assert guess_columns(b"id;submitted;started;finished;num_gpus\n")["submit"] == "submitted"
    with pytest.raises(ValueError, match="gpus"):
        read_records(b"a,b\n", {"submit": "a", "start": "a", "end": "b"})
    with pytest.raises(ValueError, match="'c'"):
        read_records(b"a,b\n", {"submit": "a", "start": "a", "end": "b", "gpus": "c"})


def test_slices_are_sevenths_and_the_share_behind_shards_is_not_known():
    log = "JobID|Submit|Start|End|State|AllocTRES\n"
    log += "1|0|1|2|COMPLETED|gres/gpu:a100_3g.20gb=2\n2|0|1|2|COMPLETED|gres/shard=4\n"
    runs = read_records(log.encode())
    assert runs["gpus"][0] == pytest.approx(6 / 7)
    assert math.isnan(runs["gpus"][1])
    assert read_records(log.encode(), shards_per_gpu=8)["gpus"][1] == 0.5


COLUMNS = {"submit": "s", "start": "b", "end": "e", "gpus": "g"}


@pytest.mark.parametrize(
    ("wait", "seconds"),
    [
        ("2 days, 3:00:00", 183_600),
        ("0 days 00:01:00.500000", 60.5),
        ("123.45600000000013", 123.456),
    ],
)
def test_lengths_of_time_are_read_as_python_and_pandas_print_them(wait, seconds):
    table = f's,w,d,g\n0,"{wait}",10,1\n'
    columns = {"submit": "s", "wait": "w", "duration": "d", "gpus": "g"}
    assert read_records(table.encode(), columns)["wait"].tolist() == pytest.approx([seconds])


def test_a_time_that_is_not_available_is_no_error():
    runs = read_records(b"s,b,e,g\n0,N/A,n/a,8\n0,5,9,8\n", COLUMNS)
    assert runs["kind"].tolist() == ["never started", "ended"]


def test_jobs_of_a_table_without_names_are_jobs_of_their_own():
    table = b"s,b,e,g,j\n0,5,9,8,\n1,5,9,8,\n"
    assert len(read_log(table, columns=COLUMNS | {"job": "j"})) == 2


def test_a_table_keeps_small_times_and_limits_to_the_second():
    table = b"s,b,e,g,l\n0.00001,5,9,8,20\n1,5,9,8,90\n"
    jobs = read_log(table, columns=COLUMNS | {"limit": "l"})
    assert jobs["submit"].tolist() == [0.00001, 1]
    assert jobs["requested"].tolist() == [20, 90]


def test_a_table_with_old_line_ends_is_refused_in_a_sentence():
    for data in (b"s,b,e,g\r0,5,9,8\r", b"submitted,started\rx\n1,2\n"):
        assert guess_columns(data) == {}
        with pytest.raises(ValueError, match="source must be a log that can be read"):
            read_records(data)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_zip_of_any_method_is_refused_in_a_sentence(method):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("log", LOG)
    data = bytearray(file.getvalue())
    for index in range(60, 100):
        data[index] ^= 255
    with pytest.raises(ValueError, match="damaged"):
        read_records(bytes(data))


def test_gpus_per_socket_are_not_known_without_the_sockets():
    log = "JobID|Submit|Start|End|State|AllocGRES\n1|0|1|2|COMPLETED|PER_SOCKET:gpu:2\n"
    assert math.isnan(read_records(log.encode())["gpus"][0])


def test_gpus_that_lead_a_chunk_of_pbs_count():
    lines = [
        "05/01/2024 08:00:00;S;7.s;start=1714550400 ctime=0 Resource_List.select=ngpus=4:ncpus=8",
        "05/01/2024 09:00:00;E;7.s;start=1714550400 end=1714554000",
    ]
    assert read_records("\n".join(lines).encode())["gpus"].tolist() == [4]


@pytest.mark.parametrize("end", ["", "end=3600"])
def test_a_job_of_pbs_does_not_work_while_it_is_suspended(end):
    lines = [
        "01/01/1970 00:00:10;S;7.s;start=10 ctime=0 Resource_List.ngpus=1",
        "01/01/1970 00:01:00;z;7.s;",
        "01/01/1970 00:03:00;r;7.s;",
        "01/01/1970 00:50:00;z;7.s;",
        f"01/01/1970 01:00:00;E;7.s;start=10 {end}",
    ]
    assert read_records("\n".join(lines).encode())["elapsed"].tolist() == [3590 - 120 - 600]


def test_a_run_of_a_table_that_ended_is_none_that_runs_whatever_its_state():
    table = b"s,b,e,g,t\n0,5,9,8,suspended\n0,5,9,8,done\n"
    assert len(read_log(table, columns=COLUMNS | {"state": "t"})) == 2


@pytest.mark.parametrize("stamp", ["13/01/2024 08", "02/30/2024 08", "05/01/2024 24"])
def test_an_impossible_time_of_pbs_is_refused_with_its_line(stamp):
    line = f"{stamp}:00:00;E;7.s;start=0 end=60 ctime=0 Resource_List.ngpus=1"
    with pytest.raises(ValueError, match="line 1 must begin with a time"):
        read_records(line.encode())


def test_a_later_job_of_pbs_with_the_same_number_waits_from_its_own_submission():
    lines = [
        "01/01/1970 00:00:10;S;7.s;start=10 ctime=0 Resource_List.ngpus=1",
        "01/01/1970 00:01:00;R;7.s;",
        "01/01/1970 00:02:00;S;7.s;start=120 ctime=0 Resource_List.ngpus=1",
        "01/01/1970 00:03:00;E;7.s;start=120 end=180 ctime=0 Resource_List.ngpus=1",
        "01/02/1970 00:01:00;E;7.s;start=86430 end=86460 ctime=86400 Resource_List.ngpus=1",
    ]
    assert read_records("\n".join(lines).encode())["wait"].tolist() == [10, 60, 30]
