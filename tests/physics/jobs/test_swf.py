"""Traces in the Standard Workload Format: every runnable job is kept, everything else is refused in
one sentence.
"""

import gzip
import io
import zlib

import numpy as np
import pytest
from recorded import KTH, needs_log

from physics import pace
from physics.jobs import read_swf, swf

HEADER = b"; Version: 2.2\n; MaxProcs: 100\n;\n"


def line(submit=0, wait=10, run=60, allocated=4, asked=4, requested=120, user=7, queue=-1):
    fields = [
        1,
        submit,
        wait,
        run,
        allocated,
        -1,
        -1,
        asked,
        requested,
        -1,
        1,
        user,
        1,
        -1,
        queue,
        -1,
        -1,
        -1,
    ]
    return " ".join(map(str, fields)).encode() + b"\n"


def test_the_fields_of_a_line_become_the_columns_of_a_job():
    job = read_swf(HEADER + line(submit=5, queue=3)).iloc[0]
    assert job.to_dict() == {
        "submit": 5.0,
        "runtime": 60.0,
        "gpus": 4,
        "estimate": 120.0,
        "job_class": "queue 3",
        "user": 7,
        "recorded_wait": 10.0,
        "requested": 120.0,
    }


def test_missing_values_are_filled_from_what_is_there():
    jobs = read_swf(line(allocated=-1, asked=8) + line(requested=-1, wait=-1) + line(run=200))
    assert jobs["gpus"].tolist() == [8, 4, 4]
    assert jobs["estimate"].tolist() == [120, 60, 200]  # never below the runtime
    assert np.isnan(jobs["recorded_wait"][1]) and np.isnan(jobs["requested"][1])
    assert jobs["job_class"].unique().tolist() == ["trace"]


def test_jobs_that_cannot_be_run_are_counted_by_reason():
    broken = (
        line(submit=-1)
        + line(run=0)
        + line(run=-1)
        + line(allocated=-1, asked=0)
        + line(allocated=1.5)
    )
    jobs = read_swf(HEADER + line() + broken)
    assert len(jobs) == 1
    assert jobs.attrs["left_out"] == {
        "no submission time": 1,
        "no run time above zero": 2,
        "no number of processors": 1,
        "processors not a whole number": 1,
    }
    assert jobs.attrs["header"]["MaxProcs"] == "100"


def test_a_job_wider_than_any_machine_is_left_out_and_counted():
    jobs = read_swf(line() + line(allocated=10**15) + line(allocated=swf.MOST_PROCESSORS))
    assert jobs["gpus"].tolist() == [4, swf.MOST_PROCESSORS]
    assert jobs.attrs["left_out"] == {"more processors than any machine has": 1}
    with pytest.raises(ValueError, match="at least one job that can be run, got 1 that cannot"):
        read_swf(line(allocated=10**15))


def test_jobs_come_in_order_of_submission_and_keep_the_order_of_the_file_within_an_instant():
    jobs = read_swf(line(submit=9, user=1) + line(submit=3, user=2) + line(submit=3, user=3))
    assert jobs["user"].tolist() == [2, 3, 1]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "line 1 must be 18 numbers .* got an empty file"),
        (HEADER, "line 4 must be 18 numbers .* got its end: 3 lines without a job"),
        (HEADER + line() + b"1 2 3\n", "line 5 must be 18 numbers .* got 3 fields"),
        (HEADER + line().strip() + b" 5\n", "line 4 must be 18 numbers .* got 19 fields"),
        (line() + line(run="6O"), "line 2 must hold numbers only, got '6O'"),
        (line(run="inf"), "line 1 must hold numbers only, got 'inf'"),
        (line(run="1_000"), "line 1 must hold numbers only, got '1_000'"),
        (line(allocated="1e300"), "line 1 must hold numbers only, got '1e300'"),
        (line(run=0), "source must hold at least one job that can be run, got 1 that cannot"),
        (b"7" * 70_000, "line 1 must have at most 65,536 bytes"),
        (
            gzip.compress(line() * 50, mtime=0)[:-12],
            "source must be a whole gzip file, got one that breaks off after line [0-9]+ ",
        ),
        (
            b"\x1f\x8bnot really",
            "source must be a whole gzip file, got one that breaks off after line 0",
        ),
    ],
)
def test_what_is_not_swf_is_refused_in_one_sentence_with_the_line(data, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_swf(data)


class Trickle(io.RawIOBase):
    """A stream that cannot go back and gives seven bytes at a time."""

    def __init__(self, data):
        self.data = io.BytesIO(data)

    def readable(self):
        return True

    def read(self, size=-1):
        return self.data.read(min(size, 7))


def test_a_stream_that_gives_less_than_it_is_asked_for_is_read_to_its_end():
    data = HEADER + line() + line(submit=5)
    assert read_swf(Trickle(data)).equals(read_swf(data)) and len(read_swf(Trickle(data))) == 2


def test_a_line_of_the_header_may_be_long_but_not_the_file(monkeypatch):
    assert len(read_swf(b"; Note: " + b"x" * 20_000 + b"\n" + line())) == 1
    monkeypatch.setattr(swf, "MOST_BYTES", 10_000)
    with pytest.raises(
        ValueError, match="source must unpack to at most 10,000 bytes, got more by line 1"
    ):
        read_swf(gzip.compress(b"; Note: " + b"x" * 20_000 + b"\n" + line()))


@pytest.mark.parametrize("content", [b"\0", b"\n", b"; \n", line()])
def test_a_bomb_in_a_small_gzip_is_refused_without_unpacking_it(content, monkeypatch):
    monkeypatch.setattr(swf, "MOST_BYTES", 4 * 2**20)  # the limit is what counts, not its size
    block = content * (2**20 // len(content))
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
    first = compressor.compress(block) + compressor.flush(zlib.Z_FULL_FLUSH)
    again = compressor.compress(block) + compressor.flush(zlib.Z_FULL_FLUSH)
    bomb = first + again * 500  # 500 blocks of 1 MiB
    assert len(bomb) < 4 * 2**20
    with pytest.raises(
        ValueError, match=r"line [0-9]+ must|source must (unpack to at most|hold at most)"
    ):
        read_swf(bomb)


def test_a_file_with_more_jobs_than_are_taken_is_not_read_to_its_end():
    assert len(read_swf(line() * 20, most=20)) == 20
    with pytest.raises(
        ValueError, match=r"^source must hold at most 20 jobs, got more by line 21$"
    ):
        read_swf(line() * 21 + b"rubbish", most=20)


def test_reading_can_be_ended_between_two_blocks():
    asked = []
    with pace.paced(lambda: asked.append(1)):
        read_swf(line() * 5000)
    assert len(asked) >= 5


@needs_log
def test_the_kth_log_keeps_all_but_nine_of_its_jobs():
    jobs = read_swf(KTH)
    assert len(jobs) == 28_467 and sum(jobs.attrs["left_out"].values()) == 9
    assert jobs["recorded_wait"].mean() / 3600 == pytest.approx(4.25, abs=0.005)
