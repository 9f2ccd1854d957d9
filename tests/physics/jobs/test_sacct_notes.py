"""What Slurm's accounting says besides sizes and times: clusters, slices, arrays, who gave up."""

import pytest

from physics.jobs import read_sacct
from physics.jobs.fields import generic, slices_of

HEADER = "Cluster|JobID|Submit|Eligible|Start|End|ElapsedRaw|State|AllocTRES|NNodes|ReqGRES"
DAY = "2026-03-01T"


def record(**fields):
    row = {
        "Cluster": "a",
        "JobID": "1",
        "Submit": f"{DAY}08:00:00",
        "Eligible": f"{DAY}08:00:00",
        "Start": f"{DAY}09:00:00",
        "End": f"{DAY}10:00:00",
        "ElapsedRaw": "3600",
        "State": "COMPLETED",
        "AllocTRES": "gres/gpu=1",
        "NNodes": "1",
        "ReqGRES": "",
    }
    return "|".join((row | fields).values())


def log(*rows):
    return "\n".join([HEADER, *rows]).encode()


def test_a_job_of_another_cluster_with_the_same_number_is_another_job():
    data = log(record(), record(Cluster="b"))
    with pytest.raises(ValueError, match=r"a \(1 records\), b \(1 records\); choose one"):
        read_sacct(data)
    jobs = read_sacct(data, cluster="b")
    assert len(jobs) == 1 and jobs.attrs["left_out"] == {"on other clusters": 1}
    with pytest.raises(ValueError, match="cluster must be one that jobs of this log have, a, b"):
        read_sacct(data, cluster="c")


def test_slices_are_sevenths_and_whole_gpus_beside_them_are_whole():
    tres = "gres/gpu=3,gres/gpu:a100=1,gres/gpu:a100_3g.40gb=2"
    jobs = read_sacct(log(record(AllocTRES=tres)))
    assert jobs["gpus"].tolist() == pytest.approx([13 / 7])
    assert jobs.attrs["parts"] == 7 and jobs.attrs["sliced"] == 1
    assert [slices_of(kind) for kind in ("h100_1g.20gb", "7g.80gb", "h200")] == [1, 7, 0]


def test_slices_of_an_a30_are_quarters():
    tres = ["gres/gpu:a30_1g.6gb=2", "gres/gpu:4g.24gb=1", "gres/gpu:a100_1c.3g.20gb=1"]
    jobs = read_sacct(log(*[record(JobID=str(len(name)), AllocTRES=name) for name in tres]))
    assert sorted(jobs["gpus"]) == pytest.approx([3 / 7, 0.5, 1])
    assert jobs.attrs["parts"] == 14


def test_an_array_that_waits_is_as_many_jobs_as_it_has_tasks():
    waits = {"State": "PENDING", "Start": "Unknown", "End": "Unknown", "ElapsedRaw": "0"}
    rows = record(JobID="7_3"), record(JobID="7_[3-6%2]", **waits)
    jobs = read_sacct(log(*rows), unfinished=True)
    assert len(jobs) == 4, "task 3 has started meanwhile"
    assert jobs.attrs["throttled"] == {"jobs": 3}
    assert "throttled" not in read_sacct(log(record(JobID="8_[1-2]", **waits), rows[0]),
                                         unfinished=True).attrs  # fmt: skip


def test_the_wait_before_a_job_is_eligible_is_counted_apart():
    jobs = read_sacct(log(record(Eligible=f"{DAY}08:45:00"), record(JobID="2")))
    assert jobs.attrs["before_eligible"] == {"jobs": 1, "time": 2700.0, "of": 7200.0}
    assert "before_eligible" not in read_sacct(log(record()), submit="Eligible").attrs


def test_who_gave_up_waited_at_least_until_then():
    gone = record(JobID="2", Start="None", State="CANCELLED by 5", ElapsedRaw="0")
    jobs = read_sacct(log(record(), gone))
    assert len(jobs) == 1 and jobs.attrs["gave_up"] == {"jobs": 1, "time": 7200.0}
    assert jobs.attrs["left_out"] == {"never started": 1}


def test_gpus_of_each_node_are_multiplied_by_the_nodes():
    per_node = record(AllocTRES="", NNodes="4", ReqGRES="PER_NODE:gpu:2")
    total = record(JobID="2", AllocTRES="", NNodes="4", ReqGRES="gpu:2")
    assert sorted(read_sacct(log(per_node, total))["gpus"]) == [2, 8]
    assert generic("PER_NODE:gpu:a100:2") == {"a100": 2}


def test_a_job_that_is_longer_than_slurm_counted_was_suspended_unless_it_is_an_hour():
    two_hours = record(End=f"{DAY}12:00:00", ElapsedRaw="3600")
    assert read_sacct(log(two_hours)).attrs["suspended"] == {"jobs": 1, "time": 7200.0}
    hour = read_sacct(log(record(End=f"{DAY}11:00:00", ElapsedRaw="3600")))
    assert hour["runtime"].tolist() == [3600] and hour.attrs["off_by_an_hour"]["jobs"] == 1


@pytest.mark.parametrize(
    ("words", "gpus"),
    [
        ("PER_JOB:gpu:6", 6),
        ("PER_NODE:gpu:2", 8),
        ("PER_TASK:gpu:2", 16),
        ("PER_TASK:gpu:2 PER_NODE:gpu:3", 12),
        ("PER_NODE:craynetwork:1 PER_JOB:gpu:a100:5", 5),
        ("gpu:3", 3),
    ],
)
def test_gpus_of_each_part_of_a_job_are_multiplied_by_its_parts(words, gpus):
    row = record(AllocTRES="cpu=4", NNodes="4", ReqGRES=words) + "|8"
    jobs = read_sacct(f"{HEADER}|NTasks\n{row}\n".encode())
    assert jobs["gpus"].tolist() == [gpus]


@pytest.mark.parametrize("words", ["PER_SOCKET:gpu:2", "PER_TASK:gpu:1"])
def test_gpus_of_parts_that_nobody_counted_are_not_recorded_and_no_job_without(words):
    jobs = read_sacct(log(record(), record(JobID="2", AllocTRES="cpu=4", ReqGRES=words)))
    assert len(jobs) == 1 and jobs.attrs["left_out"] == {"GPUs not recorded": 1}
    told = read_sacct(log(record(), record(JobID="2", AllocTRES="gres/gpu=4", ReqGRES=words)))
    assert sorted(told["gpus"]) == [1, 4], "what was allocated tells the total"


def test_starts_that_sacct_cut_to_its_window_are_noticed():
    early = [
        record(JobID=str(number), Submit=f"{DAY}0{number}:00:00", Start=f"{DAY}08:30:00")
        for number in range(1, 7)
    ]
    cut = read_sacct(log(*early, record(JobID="9")))
    waits = sum(8.5 - number for number in range(1, 7)) * 3600
    assert cut.attrs["cut"] == {"jobs": 6, "time": waits, "of": waits + 3600}
    # one array that starts as one, or too few jobs, is no sign
    array = [record(JobID=f"5_{number}", Start=f"{DAY}08:30:00") for number in range(20)]
    assert "cut" not in read_sacct(log(*array)).attrs
    assert "cut" not in read_sacct(log(*early[:4], record(JobID="9"))).attrs


def test_a_job_cancelled_before_its_start_in_a_cut_log_gave_up_and_did_not_run():
    gone = record(JobID="2", Start=f"{DAY}10:00:00", State="CANCELLED", ElapsedRaw="0")
    jobs = read_sacct(log(record(), gone))
    assert len(jobs) == 1 and jobs.attrs["gave_up"] == {"jobs": 1, "time": 7200.0}


def test_components_of_a_heterogeneous_job_are_one_job_of_all_their_sizes():
    jobs = read_sacct(log(record(), record(JobID="7+0"), record(JobID="7+1")))
    assert len(jobs) == 2 and jobs.attrs["het"] == {"jobs": 2, "of": 1, "apart": 0}
    assert sorted(jobs["gpus"]) == [jobs["gpus"].min(), 2 * jobs["gpus"].min()]
    late = record(JobID="7+1", End=f"{DAY}23:00:00")
    apart = read_sacct(log(record(JobID="7+0"), late))
    assert len(apart) == 2 and apart.attrs["het"] == {"jobs": 2, "of": 1, "apart": 2}


def test_a_component_that_is_recorded_twice_counts_once():
    jobs = read_sacct(log(record(), *[record(JobID="7+0"), record(JobID="7+1")] * 2))
    assert len(jobs) == 2 and jobs.attrs["left_out"] == {"recorded twice": 2}


def test_who_gave_up_counts_once_in_logs_put_together_and_waits_no_more():
    gone = record(JobID="2", Start="None", State="CANCELLED by 5", ElapsedRaw="0")
    waits = record(JobID="2", Start="Unknown", End="Unknown", State="PENDING", ElapsedRaw="0")
    jobs = read_sacct(log(record(), waits, gone, gone), unfinished=True)
    assert jobs["state"].tolist() == ["COMPLETED"]
    assert jobs.attrs["gave_up"] == {"jobs": 1, "time": 7200.0}


def test_a_planned_start_is_no_moment_that_the_log_knows_of():
    waits = record(JobID="2", Start="2030-01-01T00:00:00", End="Unknown", State="PENDING")
    jobs = read_sacct(log(record(), waits), unfinished=True)
    ended = read_sacct(log(record())).iloc[0]
    assert jobs.attrs["snapshot"] == ended["submit"] + 7200


def test_shards_by_type_are_the_same_shards_again():
    jobs = read_sacct(log(record(AllocTRES="gres/shard=4,gres/shard:a100=4")), shards_per_gpu=4)
    assert jobs["gpus"].tolist() == [1]


def test_tasks_that_wait_are_limited_over_all_arrays(monkeypatch):
    monkeypatch.setattr("physics.jobs.sacct_reader.MOST_TASKS", 100)
    rows = [record(JobID=f"{job}_[0-59]", State="PENDING", Start="Unknown") for job in (7, 8)]
    with pytest.raises(ValueError, match="at most 100 tasks that wait"):
        read_sacct(log(*rows), unfinished=True)
