"""What part of a cluster a log is of, how large that is, and what was down."""

import gzip
import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.cluster import (
    Nodes,
    calibrate,
    read_log,
    report,
    synthetic_log,
    to_json,
    to_text,
    what_happened,
    what_if,
    what_is_needed,
)
from physics.cluster.__main__ import main
from physics.cluster.files import read_report
from physics.cluster.machine.changed import Change
from physics.jobs import nodes as room
from physics.scheduling import Policy, simulate

JOBS = pd.DataFrame(
    {"submit": [0, 0, 10, 60], "runtime": [5, 35, 30, 20], "gpus": [2, 2, 4, 4]}
).assign(recorded_wait=[0, 0, 25, 5])


# --- nodes that are down ---
@pytest.mark.parametrize(
    ("down", "utilization", "wasted", "out"),
    [
        ((), 260 / 320, 50, 0),
        (((10, 35, 1),), 260 / 295, 25, 25),  # of 2 idle GPUs beside a job that waits, one is down
        (((10, 35, 2), (70, math.inf, 1)), 260 / 270, 0, 50),  # what a job still runs on is in use
        (((0, 90, 4),), 1, 0, 60),
    ],
)
def test_what_is_down_is_neither_idle_nor_there_to_be_used(down, utilization, wasted, out):
    jobs = JOBS.copy()
    jobs.attrs["down"] = down
    found = what_happened(jobs)
    assert (found.utilization, found.wasted, found.down) == pytest.approx(
        (utilization, wasted, out)
    )
    assert ("Nodes were down for " in to_text(report(found))) == (out > 0)


def test_a_record_with_nodes_down_is_reproduced_if_it_is_told_and_not_otherwise():
    jobs = synthetic_log(seed=3, days=80)
    easy = Policy(backfill="easy")
    start = jobs["submit"].min()
    down = tuple(
        (start + 86_400.0 * day, start + 86_400.0 * (day + 9), 256) for day in (10, 25, 40)
    )
    jobs = jobs.assign(recorded_wait=simulate(jobs, 1024, easy, down).jobs["wait"])
    blind = calibrate(jobs, 1024, {"EASY": easy})
    jobs.attrs["down"] = down
    told = calibrate(jobs, 1024, {"EASY": easy})
    assert (
        told.gap == pytest.approx(0, abs=1e-9)
        and told.unexplained < 1 < blind.unexplained
        and blind.gap > 0.1
    )
    assert told.waits.loc["EASY", "idle"] == pytest.approx(
        told.waits.loc["record", "idle"], rel=1e-6
    )
    assert what_if(jobs, 1024, told, Change(gpus=1024)).classes.loc["all", "difference"] == 0
    assert what_is_needed(jobs, 1024, told, "mean", told.waits.loc["record", "mean"]).gpus <= 1024


# --- what is remembered ---
def test_a_report_says_what_part_of_a_log_it_is_of_and_older_ones_are_read():
    jobs = JOBS.copy()
    jobs.attrs |= {"part": "partition gpu", "size": 9, "size_name": "nodes", "nodes": "0a" * 32}
    whole = report(what_happened(jobs))
    assert {name: whole["settings"][name] for name in ("gpus", "size", "part", "nodes")} == {
        "gpus": 9, "size": "nodes", "part": "partition gpu", "nodes": "0a" * 32
    }  # fmt: skip
    assert read_report(
        to_json(whole)
    ) == whole and "Only jobs of partition gpu are counted" in to_text(whole)
    for name in ("size", "part", "nodes"):
        del whole["settings"][name]
    assert read_report(to_json(whole)) == whole
    with pytest.raises(ValueError, match="settings"):
        read_report(to_json(whole | {"settings": whole["settings"] | {"part": 5}}))


# --- sacct as sites print it ---
#: Four sites' columns and ways to name sizes: the same two jobs, 4 GPUs for 2 h and 1 GPU for 1 h,
#: and one without.
SITES = {
    "types, and a bar at the end of each line": """\
JobID|Partition|Submit|Start|End|State|AllocTRES|TimelimitRaw|
81|gpu|2024-03-04T08:00:00|2024-03-04T08:10:00|2024-03-04T10:10:00|COMPLETED|\
billing=64,cpu=64,gres/gpu:a100=4,gres/gpu=4,node=1|240|
81.batch||2024-03-04T08:10:00|2024-03-04T08:10:00|2024-03-04T10:10:00|COMPLETED|\
cpu=64,gres/gpu:a100=4,gres/gpu=4||
82|gpu|2024-03-04T09:00:00|2024-03-04T09:00:00|2024-03-04T10:00:00|TIMEOUT|\
cpu=8,gres/gpu:v100=1,gres/gpu=1,node=1|60|
83|cpu|2024-03-04T09:00:00|2024-03-04T09:00:00|2024-03-04T10:00:00|FAILED|cpu=8,node=1|60|
""",
    "another order, no partition, types in the request alone": """\
State|End|Start|Submit|Elapsed|ReqTRES|AllocTRES|Timelimit|JobIDRaw
COMPLETED|2024-03-04T10:10:00|2024-03-04T08:10:00|2024-03-04T08:00:00|02:00:00|gres/gpu:a100=4|\
cpu=64,gres/gpu=4|04:00:00|81
PREEMPTED|2024-03-04T10:00:00|2024-03-04T09:00:00|2024-03-04T09:00:00|01:00:00|gres/gpu:v100=1|\
gres/gpu=1|01:00:00|82
CANCELLED by 12|2024-03-04T10:00:00|2024-03-04T09:00:00|2024-03-04T09:00:00|01:00:00|cpu=8|\
cpu=8|01:00:00|83
""",
    "generic resources of an older version": """\
jobid|submit|start|end|state|allocgres|alloccpus|timelimit|partition
81|2024-03-04T08:00:00|2024-03-04T08:10:00|2024-03-04T10:10:00|COMPLETED|gpu:a100:4(IDX:0-3)|\
64|04:00:00|gpu
82|2024-03-04T09:00:00|2024-03-04T09:00:00|2024-03-04T10:00:00|OUT_OF_MEMORY|gpu:v100:1|8|\
UNLIMITED|gpu
83|2024-03-04T09:00:00|2024-03-04T09:00:00|2024-03-04T10:00:00|COMPLETED||8|UNLIMITED|cpu
""",
    "seconds since 1970, run times alone, generic resources by number": """\
JobID|Submit|Start|ElapsedRaw|State|ReqGRES|NCPUS
81|1709539200|1709539800|7200|COMPLETED|7696487:4|64
82|1709542800|1709542800|3600|NODE_FAIL|7696487:1|8
83|1709542800|1709542800|3600|COMPLETED||8
""",
}


@pytest.mark.parametrize("name", SITES)
def test_logs_of_several_sites_are_read_alike(name):
    text = SITES[name].encode()
    jobs = read_log(text)
    assert jobs[["gpus", "runtime", "recorded_wait"]].to_numpy().tolist() == [
        [4, 7200, 600],
        [1, 3600, 0],
    ]
    assert jobs.attrs["left_out"]["no GPUs"] == 1 and jobs["submit"].iloc[0] == 1_709_539_200
    typed = "number" not in name
    assert jobs.attrs["gpu_types"] == ({"a100": 1, "v100": 1} if typed else {})
    if typed:
        part = read_log(text, gpu_type="A100")
        assert part["gpus"].tolist() == [4] and part.attrs["part"] == "a100 GPUs"
        assert part.attrs["left_out"] == jobs.attrs["left_out"] | {"on other types of GPU": 1}
    cpus = read_log(text, resource="cpu")
    assert cpus["gpus"].tolist()[0] == 64


def test_one_partition_of_a_log_is_read_and_the_others_are_counted():
    text = SITES["types, and a bar at the end of each line"].encode()
    assert read_log(text).attrs["partitions"] == {"gpu": 2, "cpu": 1}
    cpu = read_log(text, partition=["cpu"])
    assert cpu["gpus"].tolist() == [8] and cpu.attrs["unit"] == "CPU", (
        "no job of the partition has a GPU"
    )
    assert (
        cpu.attrs["left_out"]["in other partitions"] == 2 and cpu.attrs["part"] == "partition cpu"
    )
    assert len(read_log(text, partition="gpu, cpu", resource="cpu")) == 3
    for chosen, there in (
        ({"partition": "gpus"}, "gpu, cpu"),
        ({"gpu_type": "h100"}, "a100, v100"),
    ):
        with pytest.raises(
            ValueError, match=f"must be one that jobs of this log have, {there}, got "
        ):
            read_log(text, **chosen)


def test_a_job_that_waits_for_either_of_two_partitions_is_of_both():
    text = SITES["types, and a bar at the end of each line"]
    text += "84|cpu,gpu|2024-03-04T10:00:00|Unknown|Unknown|PENDING|gres/gpu=1|60|\n"
    jobs = read_log(text.encode(), partition="gpu", unfinished=True)
    assert jobs["state"].tolist().count("PENDING") == 1 and jobs.attrs["partitions"] == {
        "gpu": 2,
        "cpu": 1,
    }


def test_queues_of_an_swf_file_are_its_partitions_and_its_header_is_of_all_of_them():
    line = "{0} {0} 5 60 4 -1 -1 4 120 -1 1 7 1 -1 {1} -1 -1 -1\n"
    text = "; MaxProcs: 100\n" + "".join(line.format(i, 1 + i % 3) for i in range(9))
    whole = read_log(text.encode())
    part = read_log(text.encode(), partition=["queue 1", "queue 3"])
    assert whole.attrs["size"] == 100 and "size" not in part.attrs and len(part) == 6
    assert (
        part.attrs["left_out"] == {"in other partitions": 3}
        and part.attrs["part"] == "partitions queue 1, queue 3"
    )
    with pytest.raises(ValueError, match="got 'queue 9'"):
        read_log(text.encode(), partition=["queue 9"])


# --- nodes ---
SCONTROL = """\
NodeName=g1 Arch=x86_64 CoresPerSocket=32
   CPUAlloc=48 CPUEfctv=62 CPUTot=64 CPULoad=12.01
   AvailableFeatures=a100,nvme
   Gres=gpu:a100:4(S:0-1)
   NodeAddr=g1 NodeHostName=g1 Version=23.02.6
   OS=Linux 5.14.0 #1 SMP PREEMPT_DYNAMIC Thu Jul 9 16:32:56 UTC 2026
   State=MIXED ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A
   Partitions=gpu,long
   CfgTRES=cpu=64,mem=500G,billing=64,gres/gpu=4,gres/gpu:a100=4
   AllocTRES=cpu=48,gres/gpu=3

NodeName=g2 Arch=x86_64 CPUTot=64
   Gres=gpu:a100:4,gpu:v100:2
   State=DOWN*+DRAIN+NOT_RESPONDING Partitions=gpu
   Reason=ask ops@site State=IDLE [root@2024-03-04T09:30:00]

NodeName=c1 CPUTot=128
   Gres=(null)
   State=IDLE+DRAIN Partitions=cpu
   Comment=(null)
NodeName=x1 CPUTot=64 Gres=gpu:a100:8 State=FUTURE Partitions=gpu
"""
SINFO = """\
Mon Mar  4 10:30:00 2024
NODELIST   NODES PARTITION  STATE  CPUS  GRES                 TIMESTAMP
g1             1      gpu*  mixed    64  gpu:a100:4(S:0-1)    Unknown
g1             1      long  mixed    64  gpu:a100:4(S:0-1)    Unknown
g2             1      gpu*  down*    64  gpu:a100:4,gpu:v100:2  2024-03-04T09:30:00
c1             1       cpu  drain   128  (null)               Unknown
"""
EVENTS = """\
Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User
site||2024-01-01T00:00:00|2024-01-01T01:00:00||Cluster processor count|slurm
site|g1|2024-03-04T08:00:00|2024-03-04T09:00:00|DOWN|Not responding|slurm
site|g1|2024-03-04T08:30:00|2024-03-04T09:15:00|DRAIN|check|root
site|g2|2024-03-04T09:45:00|Unknown|DOWN|gone|root
site|z9|2024-03-04T08:30:00||DRAIN|sold|root
"""
LOG = "JobID|Partition|Submit|Start|End|State|AllocTRES\n" + "".join(
    f"{i}|gpu|2024-03-04T{8 + i % 3:02}:00:00|2024-03-04T{8 + i % 3:02}:05:00|"
    f"2024-03-04T11:00:00|COMPLETED|gres/gpu:a100={1 + i % 2},gres/gpu={1 + i % 2},"
    "cpu=4\n" for i in range(6)
)  # fmt: skip
NINE = 1_709_542_800.0


@pytest.mark.parametrize(
    "text", [SCONTROL, SINFO, SCONTROL.replace("\n   ", " "), "prompt$ x\n" + SINFO]
)
@pytest.mark.parametrize(
    ("how", "size"),
    [
        ({"partition": "gpu"}, 10),
        ({"partition": "gpu", "gpu_type": "a100"}, 8),
        ({"gpu_type": "a100"}, 8),
        ({}, 10),
        ({"resource": "cpu"}, 256),
        ({"resource": "cpu", "partition": "gpu"}, 128),
    ],
)
def test_a_part_of_a_cluster_is_as_large_as_its_nodes(text, how, size):
    jobs = Nodes().read(text.encode()).attach(read_log(LOG.encode(), **how))
    found = what_happened(jobs)
    assert (found.gpus, found.size_source) == (size, "nodes")
    assert what_happened(jobs, 99).gpus == 99, "a size that is given by hand wins"
    if "cpu" not in how.get("resource", ""):
        down = size - {10: 4, 8: 4, 256: 192, 128: 64}[size]
    else:
        down = 64
    assert jobs.attrs["down"] == ((NINE + 1800, math.inf, down),)
    shared = "1 of 2 nodes is also in long: " in " ".join(found.remarks)
    assert shared == ("partition" in how)


def test_times_at_which_a_node_was_down_are_joined_and_end_with_the_log():
    nodes = Nodes().read((SCONTROL + EVENTS).encode())
    jobs = nodes.attach(read_log(LOG.encode(), gpu_type="a100"))
    assert jobs.attrs["down"] == ((NINE - 3600, NINE + 900, 4), (NINE + 1800, math.inf, 4))
    found = what_happened(jobs)
    assert found.gpus == 8 and found.down > 0
    assert found.remarks == (
        "1 node is not in the list of nodes but went down, so this down time is not counted.",
    )
    remarks = " ".join(nodes.attach(read_log(LOG.encode(), resource="cpu")).attrs["remarks"])
    assert "nobody knows since when" in remarks
    again = Nodes().read(SCONTROL.encode()).read(gzip.compress(EVENTS.encode()))
    assert again.attach(read_log(LOG.encode(), gpu_type="a100")).attrs["down"] == jobs.attrs["down"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1 must be output of scontrol show node"),
        (
            "NODELIST STATE\ng[1-4] idle",
            r"line 2 must name one node, as sinfo -N does, got 'g\[1-4\]'",
        ),
        (
            "NODELIST STATE CPUS\ng1 idle",
            "line 2 must have the 3 columns of its header, got 2: 'g1 idle'",
        ),
        ("NODELIST STATE CPUS\ng1 idle many", "line 2 must hold a number of CPUs"),
        ("NodeName=g1 Gres=gpu:99999999999", "line 1 must name at most 1,000,000 GPUs"),
        (
            "NodeName=g1 State=DOWN Reason=x [me@2024-99-99T99:99:99]",
            "line 1 must hold a time in Reason",
        ),
        (
            "NodeName|TimeStart|TimeEnd\ng1|soon|Unknown",
            "line 2 must hold a time in Timestart, got 'soon'",
        ),
        (
            "NodeName|TimeStart|TimeEnd\ng1|Unknown|Unknown",
            "line 2 must hold a time in Timestart, got 'Unknown'",
        ),
        ("NodeName TimeStart TimeEnd\ng1 x y", "line 1 must have bars between columns"),
    ],
)
def test_what_lists_no_nodes_is_refused_with_its_line(text, says):
    with pytest.raises(ValueError, match=says):
        Nodes().read(text.encode())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("NODELIST PARTITION STATE\ng1 gpu idle", "nodes must say how many GPUs they have"),
        (
            "NODELIST PARTITION STATE\ng1 cpu idle",
            "in every partition that is chosen, got none in 'gpu'",
        ),
    ],
)
def test_nodes_without_what_the_log_counts_are_refused(text, says):
    with pytest.raises(ValueError, match=says):
        Nodes().read(text.encode()).attach(read_log(LOG.encode(), partition="gpu"))


def test_bounds_on_what_lists_nodes_hold(monkeypatch):
    for name, text in (
        ("MOST_NODES", "NodeName=a\nNodeName=b\nNodeName=c"),
        ("MOST_MEMBERSHIPS", "NodeName=a Partitions=x,y,z"),
        ("MOST_EVENTS", EVENTS),
        ("MOST_TYPES", "NodeName=a Gres=gpu:x:1,gpu:y:1,gpu:z:1"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(room, name, 2)
            with pytest.raises(ValueError, match="at most"):
                Nodes().read(text.encode())


LINES = [*SCONTROL.splitlines(), *SINFO.splitlines(), *EVENTS.splitlines(), "=", "|", "@@", "\t"]


@given(st.lists(st.sampled_from(LINES)), st.integers(0, 5000), st.binary(max_size=3))
def test_any_mixture_of_lines_is_read_or_refused_in_one_sentence(lines, place, noise):
    text = "\n".join(lines).encode()
    try:
        nodes = Nodes().read(text[:place] + noise + text[place:])
        assert nodes.attach(read_log(LOG.encode())).attrs["size"] > 0
    except ValueError as refusal:
        assert "\n" not in str(refusal) and " must " in str(refusal)


def test_the_command_takes_a_partition_its_nodes_and_says_what_is_wrong_with_which_file(
    tmp_path, capsys
):
    for name, text in (("log", LOG), ("nodes", SCONTROL), ("events", EVENTS), ("bad", "hello")):
        (tmp_path / name).write_text(text)
    log, nodes, events, bad = (str(tmp_path / name) for name in ("log", "nodes", "events", "bad"))
    chosen = ["--partition", "gpu", "--gpu-type", "a100", "--class", "user"]
    assert (
        main([log, *chosen, "--nodes", nodes, "--nodes", events, "--out", str(tmp_path / "out")])
        == 0
    )
    told = capsys.readouterr().out
    assert "Only jobs of partition gpu on a100 GPUs are counted" in told
    assert "The cluster has 8 GPUs, according to its list of nodes." in told
    back = read_report((tmp_path / "out" / "report.json").read_bytes())
    assert (
        back["settings"]["part"] == "partition gpu on a100 GPUs"
        and len(back["settings"]["nodes"]) == 64
    )
    assert ", partition gpu on a100 GPUs" in (tmp_path / "out" / "report.html").read_text()
    for words, says in (
        (
            [log, "--partition", "cpu"],
            f"{log}: partition must be one that jobs of this log have, gpu, got 'cpu'",
        ),
        ([log, "--nodes", bad], f"{bad}: line 1 must be output of scontrol show node"),
        ([log, "--nodes", events], f"{events}: nodes must say how many GPUs they have"),
        (
            ["--synthetic", "--partition", "gpu"],
            "--partition, --gpu-type and --nodes need a log, got a synthetic one",
        ),
    ):
        assert main(words) == 2
        err = capsys.readouterr().err
        assert err.startswith(says) and err.count("\n") == 1
