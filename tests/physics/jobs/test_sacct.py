"""Slurm's accounting: hand-made files for each detail, the same jobs through SWF, and a fuzz."""

import gzip
import io
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.jobs import read_sacct

BASE = {
    "JobID": "1",
    "Partition": "gpu",
    "Account": "lab",
    "User": "ann",
    "QOS": "normal",
    "Submit": "2023-02-21T14:00:00",
    "Start": "2023-02-21T14:10:00",
    "End": "2023-02-21T15:10:00",
    "State": "COMPLETED",
    "Timelimit": "02:00:00",
    "AllocTRES": "billing=80,cpu=160,gres/gpu=8,mem=320G,node=2",
}
SUBMIT = 1676988000.0


def log(*records, header=None, closing=False, end="\n"):
    """A file of records, each the base with changes; a change to None leaves the column out of the
    header.
    """
    gone = {name for record in records for name, value in record.items() if value is None}
    names = header or [
        name
        for name in {**BASE, **{n: 1 for record in records for n in record}}
        if name not in gone
    ]
    lines = ["|".join(names)]
    for i, record in enumerate(records):
        fields = BASE | {"JobID": str(i + 1)} | record
        lines.append("|".join(str(fields.get(name, "")) for name in names))
    return "".join(line + "|" * closing + end for line in lines).encode()


def test_a_record_by_hand():
    jobs = read_sacct(log({}))
    row = jobs.iloc[0].to_dict()
    assert row == {
        **{
            "submit": SUBMIT,
            "runtime": 3600,
            "gpus": 8,
            "estimate": 7200,
            "requested": 7200,
            "recorded_wait": 600,
        },
        **{
            "job_class": "gpu",
            "partition": "gpu",
            "account": "lab",
            "user": "ann",
            "qos": "normal",
        },
        "state": "COMPLETED",
        "elapsed": 3600,
    }
    assert jobs.attrs == {
        "left_out": {},
        "resource": "gpu",
        "partitions": {"gpu": 1},
        "gpu_types": {},
    }


@pytest.mark.parametrize("closing", [False, True])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_plain_packed_closed_bytes_stream_and_path_are_the_same(closing, end, tmp_path):
    plain = log({}, {"JobID": "2", "Start": "2023-02-21T14:20:00"}, closing=closing, end=end)
    (tmp_path / "log").write_bytes(gzip.compress(plain))
    expected = read_sacct(log({}, {"JobID": "2", "Start": "2023-02-21T14:20:00"}))
    used = io.BytesIO(plain)
    used.read(1)  # somebody has looked at it before
    sources = (
        plain,
        bytearray(plain),
        used,
        gzip.compress(plain),
        tmp_path / "log",
        str(tmp_path / "log"),
    )
    for source in (*sources, b"\xef\xbb\xbf" + plain):
        pd.testing.assert_frame_equal(read_sacct(source), expected)


def test_the_header_may_come_again_in_another_case():
    first, *lines = log({}, {}).split(b"\n")
    jobs = read_sacct(b"\n".join([first, lines[0], first.lower(), *lines[1:]]))
    assert len(jobs) == 2 and not jobs.attrs["left_out"]


def test_steps_are_left_out_and_arrays_parts_and_raw_ids_are_jobs():
    steps = [{"JobID": "9" + step} for step in (".batch", ".extern", ".0", "+0.batch", "_4.extern")]
    jobs = read_sacct(
        log({"JobID": "9"}, {"JobID": "9_4"}, {"JobID": "9+0"}, {"JobID": "9+1"}, *steps)
    )
    assert (len(jobs), jobs.attrs["left_out"]) == (3, {"job steps": 5})
    raw = read_sacct(log({"JobID": None, "JobIDRaw": "5"}, {"JobID": None, "JobIDRaw": "5.batch"}))
    assert (len(raw), raw.attrs["left_out"]) == (1, {"job steps": 1})


def test_a_requeued_job_is_a_job_each_run_and_a_record_that_comes_twice_is_one():
    again = {"JobID": "7", "Start": "2023-02-21T14:30:00"}
    jobs = read_sacct(log({"JobID": "7"}, again, {"JobID": "7"}, again, {"JobID": "7"}))
    assert (len(jobs), jobs.attrs["left_out"]) == (2, {"recorded twice": 3})


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2023-02-21T14:00:00+0100", -3600),
        ("2023-02-21T14:00:00-05:30", 19800),
        ("2023-02-21T14:00:00Z", 0),
        ("2023-02-21T14:00:00.250", 0.25),
        ("2023-02-21 14:00:05", 5),
        ("1676988007.5", 7.5),
    ],
)
def test_times_with_and_without_offset_with_fractions_and_as_seconds(text, seconds):
    assert read_sacct(log({"Submit": text}))["submit"].iloc[0] == SUBMIT + seconds


@pytest.mark.parametrize("text", ["Unknown", "None", "N/A", "", "unknown"])
def test_what_has_not_come_is_counted_by_what_is_missing(text):
    jobs = read_sacct(log({}, {"Start": text, "End": text}, {"End": text}, {"Submit": text}))
    assert len(jobs) == 1
    assert jobs.attrs["left_out"] == {
        "never started": 1,
        "still running": 1,
        "no submission time": 1,
    }


def test_jobs_that_ran_are_jobs_whatever_their_end():
    states = ["CANCELLED by 302137", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY", "failed"]
    jobs = read_sacct(log(*({"State": state} for state in states)), most=6)
    assert jobs["state"].tolist() == [state.split()[0].upper() for state in states]
    with pytest.raises(ValueError, match="at most 5 jobs"):
        read_sacct(log(*({"State": state} for state in states)), most=5)


def test_a_wait_may_be_counted_from_when_a_job_was_eligible():
    jobs = read_sacct(log({"Eligible": "2023-02-21T14:08:00"}), submit="Eligible")
    assert (jobs["submit"].iloc[0], jobs["recorded_wait"].iloc[0]) == (SUBMIT + 480, 120)
    assert np.isnan(read_sacct(log({"Submit": "2023-02-21T14:11:00"}))["recorded_wait"].iloc[0])


@pytest.mark.parametrize(
    ("columns", "runtime"),
    [
        ({"ElapsedRaw": "5", "Elapsed": "00:01:00"}, 3600),
        ({"End": None, "ElapsedRaw": "90", "Elapsed": "00:01:00"}, 90),
        ({"End": None, "Elapsed": "1-02:03:04"}, 93784),
        ({"End": None, "ElapsedRaw": "", "Elapsed": "10:30"}, 630),
    ],
)
def test_the_run_time_is_from_start_to_end_and_elapsed_only_without_an_end(columns, runtime):
    assert read_sacct(log(columns))["runtime"].tolist() == [runtime]


@pytest.mark.parametrize(
    ("columns", "gpus"),
    [
        ({"AllocTRES": "cpu=4,gres/gpu:a100=4,gres/gpu:v100=2"}, 6),
        ({"AllocTRES": "cpu=4,gres/gpumem=40G,gres/gpu=2,gres/gpuutil=9"}, 2),
        ({"AllocTRES": "cpu=4", "ReqTRES": "gres/gpu=3"}, 3),
        ({"AllocTRES": "gres/gpu=0", "ReqTRES": "", "ReqGRES": "gpu:5"}, 5),
        ({"AllocTRES": None, "AllocGRES": "gpu:P100:2(IDX:1,3)"}, 2),
        ({"AllocTRES": None, "ReqGRES": "craynetwork:1,gpu:a:2,gpu:b:1"}, 3),
        ({"AllocTRES": None, "AllocGRES": "", "ReqGRES": "gres:gpu:6"}, 6),
    ],
)
def test_gpus_of_all_spellings(columns, gpus):
    assert read_sacct(log(columns))["gpus"].tolist() == [gpus]


@pytest.mark.parametrize(
    ("columns", "cpus"),
    [
        ({"AllocTRES": "node=3"}, 3),
        ({"AllocTRES": "node=3", "ReqTRES": "cpu=12"}, 12),
        ({"AllocTRES": None, "AllocCPUS": "7", "NNodes": "2"}, 7),
        ({"AllocTRES": None, "NCPUS": "9"}, 9),
    ],
)
def test_cpus_and_nodes_where_nothing_else_is_recorded(columns, cpus):
    jobs = read_sacct(log(columns), resource="cpu")
    assert (jobs["gpus"].tolist(), jobs.attrs["resource"]) == ([cpus], "cpu")


def test_jobs_without_a_gpu_are_left_out_as_soon_as_any_job_that_ran_has_one():
    plain = {"AllocTRES": "cpu=4"}
    jobs = read_sacct(log({}, plain, plain))
    assert jobs["gpus"].tolist() == [8] and jobs.attrs["left_out"] == {"no GPUs": 2}
    jobs = read_sacct(log({"State": "RUNNING"}, plain, {"AllocTRES": ""}))
    assert jobs["gpus"].tolist() == [4]
    assert (jobs.attrs["left_out"], jobs.attrs["resource"]) == (
        {"still running": 1, "no size": 1},
        "cpu",
    )
    assert read_sacct(log({}, plain), resource="cpu")["gpus"].tolist() == [160, 4]


@pytest.mark.parametrize(
    ("columns", "requested"),
    [
        ({"Timelimit": "1-00:00:00"}, 86400),
        ({"Timelimit": "2-12"}, 216000),
        ({"Timelimit": "90"}, 5400),
        ({"Timelimit": "UNLIMITED"}, None),
        ({"Timelimit": "Partition_Limit"}, None),
        ({"Timelimit": None}, None),
        ({"Timelimit": None, "TimelimitRaw": "120"}, 7200),
        ({"Timelimit": "00:30:00"}, 1800),
    ],
)
def test_time_limits_and_the_estimate_that_is_never_too_short(columns, requested):
    row = read_sacct(log(columns)).iloc[0]
    assert row["requested"] == requested if requested else np.isnan(row["requested"])
    assert row["estimate"] == max(requested or 0, row["runtime"])


def test_the_class_is_the_column_asked_for_or_trace():
    assert read_sacct(log({}), job_class="QOS")["job_class"].tolist() == ["normal"]
    assert read_sacct(log({}), job_class="cluster")["job_class"].tolist() == ["trace"]
    bare = read_sacct(log({"Partition": None, "User": None}))
    assert (bare["job_class"].tolist(), bare["user"].tolist()) == (["trace"], [""])


def test_lines_that_a_name_has_broken_are_left_out_and_counted():
    good = log({"JobName": "a"}, {"JobName": "b|c"}, {"JobName": "d"}, {"JobName": "e\nf"})
    assert read_sacct(good).attrs["left_out"] == {"fields do not match the header": 2}
    assert len(read_sacct(good)) == 3
    assert len(read_sacct(log({"JobName": "caf?"}).replace(b"caf?", b"caf\xe9\xff"))) == 1, (
        "no UTF-8, and not needed"
    )


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (b"", "line 1 must be the header"),
        (log({"State": None}), "line 1 must be the header .* with State"),
        (log({"AllocTRES": None}), "with a size"),
        (log({}, {"Start": "yesterday"}), "line 3 must hold a time in Start, got 'yesterday'"),
        (log({"Submit": "2023-02-30T00:00:00"}), "line 2 must hold a time in Submit"),
        (log({"AllocTRES": "gres/gpu=99999999999"}), "line 2 must ask for at most 20,000,000"),
        (
            log({"State": "PENDING"}),
            r"at least one job that ran, got none by line 2 \(1 never started\)",
        ),
        (log({}).decode().encode("utf-16"), "line 1 must be the header"),
        (b"x" * 20_000_001, "at most 20,000,000 bytes"),
        (gzip.compress(b"\n" * 100_001), "at most 100,000 empty lines"),
        (7, "source must be a path, bytes or a binary file"),
    ],
)
def test_nonsense_gets_one_sentence_with_its_line(source, sentence):
    with pytest.raises(ValueError, match=sentence) as refusal:
        read_sacct(source)
    assert "\n" not in str(refusal.value)


@given(
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 7), st.binary(max_size=3)), max_size=6)
)
def test_a_damaged_file_is_read_or_refused_in_one_sentence(damage):
    data = bytearray(
        log({}, {"JobID": "3.batch"}, {"State": "RUNNING"}, {"AllocTRES": "gres/gpu:a=2"})
    )
    for at, gone, put in damage:
        data[at : at + gone] = put
    try:
        jobs = read_sacct(bytes(data))
    except ValueError as refusal:
        assert re.search("must", str(refusal))
        assert "\n" not in str(refusal)
    else:
        assert (jobs["runtime"] > 0).all()
        assert (jobs["gpus"] > 0).all()
        assert (jobs["estimate"] >= jobs["runtime"]).all()
        assert jobs["submit"].is_monotonic_increasing


# --- jobs that still run or wait ---
RUNS = {"State": "RUNNING", "End": "Unknown"}
WAITS = {"State": "PENDING", "Start": "Unknown", "End": "Unknown"}


def read_all(*records, **given):
    return read_sacct(log(*records), unfinished=True, **given)


@pytest.mark.parametrize("end", ["Unknown", "None", "", "2023-02-21T16:00:00"])
def test_unfinished_jobs_are_kept_when_asked_for_and_the_state_says_whether_a_job_runs(
    end,
):
    # sacct may name the start that the scheduler plans; a job that waits has none.
    records = (
        {},
        RUNS | {"End": end},
        RUNS | {"State": "SUSPENDED"},
        WAITS | {"Start": "2023-02-22T00:00:00"},
    )
    jobs = read_all(*records)
    assert jobs["state"].tolist() == ["COMPLETED", "RUNNING", "SUSPENDED", "PENDING"]
    assert jobs["runtime"].isna().tolist() == [False, True, True, True]
    assert jobs["recorded_wait"].fillna(-1).tolist() == [600, 600, 600, -1]
    assert jobs["estimate"].tolist() == [7200] * 4 and jobs["gpus"].tolist() == [8] * 4
    assert jobs.attrs["left_out"] == {}
    assert read_sacct(log(*records)).attrs["left_out"] == {"never started": 1, "still running": 2}


def test_jobs_that_never_started_and_never_will_are_still_left_out():
    cancelled = {"State": "CANCELLED by 7", "Start": "Unknown"}
    gone = {"State": "CANCELLED by 7", "Start": "2023-02-21T14:30:00", "End": "2023-02-21T14:30:00"}
    jobs = read_all(
        {}, cancelled, gone, RUNS | {"Start": "Unknown"}, {"State": "COMPLETED", "End": "Unknown"}
    )
    assert jobs["state"].tolist() == ["COMPLETED"]
    assert jobs.attrs["left_out"] == {
        "never started": 1,
        "still running": 2,
        "no run time above zero": 1,
    }


def test_of_two_excerpts_put_together_the_later_record_of_a_job_counts():
    ended, runs, waits = ({"JobID": "7"} | one for one in ({}, RUNS, WAITS))
    for records in ((waits, runs, ended), (ended, waits, runs), (runs, ended, waits)):
        jobs = read_all(*records)
        assert jobs["state"].tolist() == ["COMPLETED"] and jobs.attrs["left_out"] == {
            "recorded twice": 2
        }
    assert read_all({}, waits, runs, waits)["state"].tolist() == ["COMPLETED", "RUNNING"]
    assert read_all({}, waits, waits)["state"].tolist() == ["COMPLETED", "PENDING"]
    again = read_all({}, {"JobID": "7", "State": "REQUEUED"}, waits)
    assert (
        sorted(again["state"]) == ["COMPLETED", "PENDING", "REQUEUED"]
        and not again.attrs["left_out"]
    )


def test_the_snapshot_is_the_latest_moment_that_the_log_knows_of():
    end = SUBMIT + 4200
    assert read_all({}, WAITS).attrs["snapshot"] == end
    assert read_all({}, RUNS | {"ElapsedRaw": "90000"}).attrs["snapshot"] == SUBMIT + 600 + 90000
    assert read_all({}, RUNS | {"Elapsed": "1-01:00:00"}).attrs["snapshot"] == SUBMIT + 600 + 90000
    assert (
        read_all({}, WAITS | {"Submit": "2023-02-21T17:00:00"}).attrs["snapshot"]
        == SUBMIT + 3 * 3600
    )
    assert "snapshot" not in read_sacct(log({}, RUNS)).attrs


def test_jobs_of_which_only_nodes_are_known_have_nodes():
    bare = {"AllocTRES": None, "NNodes": "2"}
    assert (
        read_sacct(log(bare)).attrs.items()
        >= {"left_out": {}, "resource": "cpu", "unit": "node"}.items()
    )
    # Nodes and CPUs are not added up.
    mixed = read_sacct(log({"AllocTRES": "cpu=4", "NNodes": "1"}, {"AllocTRES": "", "NNodes": "2"}))
    assert (
        mixed["gpus"].tolist() == [4]
        and mixed.attrs["left_out"] == {"no size": 1}
        and "unit" not in mixed.attrs
    )
