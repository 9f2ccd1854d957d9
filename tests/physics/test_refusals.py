"""Every model refuses what makes no sense in one sentence: a table of what each argument may be,
and of other cases.
"""

import math
import re

import numpy as np
import pandas as pd
import pytest
from workload_strategies import jobs_of

from physics import (
    checkpointing,
    cluster,
    dataloading,
    fair_queueing,
    fairness,
    forecasting,
    gpu_sharing,
    jobs,
    metrics,
    notebooks,
    numerics,
    placement,
    queueing,
    serving,
    slicing,
)
from physics import storage as stores
from physics.autoscaling import (
    HPA,
    Concurrency,
    Predictive,
    Threshold,
    desired_replicas,
    flapping_loads,
    fleet,
)
from physics.autoscaling import simulate_autoscaler as autoscale
from physics.checkpointing import spares
from physics.dataloading import prefetching
from physics.experiments import bandit, best_missed, take_turns, weekly, weeks_needed, wrong_choice
from physics.films import film
from physics.scheduling import (
    Emptied,
    Policy,
    Preemption,
    average_tables,
    class_table,
    saturation_load,
    simulate,
)
from physics.serving import decode_step_time, kv_bytes_per_token, places
from physics.slicing import streams
from physics.storage import designs

NOT_NUMBERS = (math.nan, math.inf, -math.inf, 10**400, "1", None, True)
#: By the sign behind a name: a number that is accepted, and numbers that are not; None is where a ?
#: follows.
KINDS = {
    ">0": (1.0, (0, -1)),
    ">=0": (1.0, (-1, -1e-9)),
    "%": (0.5, (-0.1, 1.1)),
    "%>0": (0.5, (0, 1.1)),
    "#": (2, (0, -1, 1.5)),
    "#>=0": (2, (-1, 1.5)),
    ">=1": (1.0, (0.5, 0)),
}
#: By the sign behind the name of what is no number, and is given with each row: one of several
#: words, a list, one that is not empty, a mapping, yes or no, and a record or a table of this
#: project.
OTHERS = {
    "!": ("magic", 5, None, ["magic"]),
    "[]": (5, None),
    "[+]": (5, None, []),
    "{}": (5, [1.0], "x"),
    "&": (1, None, "yes"),
    "*": (5, "x", [1, 2]),
}
RNG = {"rng": np.random.default_rng(1)}
JOBS = jobs_of([(0, 5, 1)])
SCHEDULE = simulate(JOBS, 1)
LOG = jobs_of([(0, 5, 1), (9, 5, 1)], recorded_wait=0.0)
SACCT = b"JobID|Submit|Start|End|State|AllocTRES\n7|0|60|99|COMPLETED|gres/gpu=8\n"
POOL = {"cpu": 9, "mem": 18}
REPLICA = serving.Replica(
    weights=1.0, kv_bytes=1.0, parameters=1.0, memory=99.0, bandwidth=1.0, compute=1.0
)
PIPELINE = dataloading.input_pipeline(
    batch_size=1, sample_size=1.0, compute_time=1.0, accelerators=1, workers=1, fetch_latency=1.0,
    decode_time=0.0, stream_bandwidth=1.0, prefetch_depth=1, node_bandwidth=1.0,
    storage_bandwidth=1.0,
)  # fmt: skip
MIX = [jobs.JobClass("x", 1, 5, 1)]
FLOWS = pd.DataFrame({"flow": ["a"], "arrival": [0], "length": [1.0]})
STREAM = pd.DataFrame({"arrival": [0], "gpus": [4], "runtime": [9.0]})
PAIR = [fairness.Claimant("A", {"cpu": 1, "mem": 4}), fairness.Claimant("B", {"cpu": 3, "mem": 1})]
RUN = "work>0 interval>0 dump>=0 restart>=0 mtbf>0"
NETWORK = "gradient_size>=0 bandwidth>0 latency>=0 step_time>0"
MODELS = [
    (queueing.mmc, "arrival_rate>0 service_time>0 servers#"),
    (queueing.mgc, "arrival_rate>0 service_time>0 servers# service_scv>=0 arrival_scv>=0"),
    (queueing.erlang_c, "servers# offered_load>0"),
    (queueing.highest_utilization, "target_wait>0 service_time>0 servers# service_scv>=0"),
    (queueing.simulate_queue, "arrival_rate>0 service_time>0 servers# service_scv>=0 jobs#", RNG),
    (
        queueing.mg1_response,
        "arrival_rate>0 discipline!",
        {"discipline": "ps", "lengths": jobs.Fixed(0.5)},
    ),
    (
        queueing.mg1_response_of,
        "arrival_rate>0 length>0",
        {"discipline": "fb", "lengths": jobs.Fixed(0.5)},
    ),
    (kv_bytes_per_token, "layers# kv_heads# head_size# value_size>0"),
    (places, "memory>0 weights>=0 kv_bytes>0 context>0"),
    (
        decode_step_time,
        "batch# context>=0 weights>=0 kv_bytes>0 parameters>0 bandwidth>0 compute>0",
    ),
    (fair_queueing.catch_up_time, "alone>=0 weight_ratio>0", {"half_life": 1.0}),
    (
        fair_queueing.lottery_draws,
        "tolerance>0 share%>0 confidence>0",
        {"share": 0.1, "confidence": 0.9},
    ),
    (
        fair_queueing.serve,
        "jobs* weights{}? discipline!",
        {"jobs": FLOWS, "weights": {}, "discipline": "sfq"},
    ),
    (fair_queueing.lottery_drought, "share% draws#>=0"),
    (desired_replicas, "ready#>=0 metric>=0 target>0 tolerance>=0"),
    (
        autoscale,
        "load[+] controller! backlog! start#? step>0 cold_start>=0 cool_down_up>=0 "
        "cool_down_down>=0 floor# price>=0"
        " service_time>0 service_scv>=0 latency_target>0",
        {"load": [0.9], "ceiling": 9, "step": 15.0, "controller": "hpa", "backlog": "kept"},
    ),
    (Threshold, "upper%>0 lower%"),
    (HPA, "target%>0 window>=0 multiply!", {"multiply": "ready"}),
    (Predictive, "target%>0 horizon>=0 error>=0 forecast!", {"forecast": "perfect"}),
    (Concurrency, "target>0 stable>0 panic_share%>0 sync>0"),
    (flapping_loads, "upper%>0 lower% replicas#"),
    (fleet.step_load, "before>=0 after>=0 at>=0 duration>0"),
    (fleet.daily_load, "low>=0 high>=0 step>0"),
    (fleet.least_replicas, "latency_target>0 service_time>0", {"load": [1]}),
    (fleet.latencies, "service_time>0", {"load": [1], "replicas": [2]}),
    (fleet.cheapest_fleet, "cold_steps#>=0", {"needed": [1]}),
    (forecasting.holt_winters, "season# alpha% beta% gamma% horizon#", {"history": [1, 2, 3, 4]}),
    (forecasting.moving_average, "window# horizon#", {"history": [1, 2]}),
    (forecasting.seasonal_naive, "season# horizon#", {"history": [1, 2]}),
    (jobs.JobClass, "gpus>0 runtime>0 arrival_rate>=0 overestimate>=1 users#", {"name": "x"}),
    (jobs.Hyperexponential, "mean>0 scv>=1"),
    (jobs.Exponential, "mean>0"),
    (jobs.Choice, "values[+]", {"values": [1, 2]}),
    (jobs.sample_jobs, "classes[+] horizon>0", {"classes": MIX} | RNG),
    (jobs.offered_load, "classes[] capacity#", {"classes": MIX}),
    (notebooks.Cell, "threads# work>0 think>=0"),
    (
        notebooks.run,
        "cores# overhead>=0 oversubscription_loss% scheduler!",
        {"notebooks": [[notebooks.Cell(1, 1)]], "scheduler": "naive"},
    ),
    (notebooks.antt, "shared[]", {"shared": [1.0], "alone": [1.0]}),
    (
        notebooks.ThinkTime,
        "mean>0 deviation>=0 maximum>0",
        {"mean": 15, "deviation": 696, "maximum": 40_000},
    ),
    (notebooks.ThinkTime, "short_median>0 short_sigma>0"),
    (notebooks.ThinkTime().sample, "n#>=0", RNG),
    (notebooks.ThinkTime().idle_share, "threshold>=0"),
    (notebooks.least_idle_share, "threshold>=0"),
    (streams.serve, "gpus# rule!", {"requests": [], "rule": "best"}),
    (streams.most_compute, "gpus#", {"profiles": []}),
    (streams.random_requests, "number# mean_stay>=1", {"weights": {"1g.10gb": 1}} | RNG),
    (slicing.placeable, "gpu! profiles[]", {"profiles": ["3g.40gb"], "gpu": "A100-80GB"}),
    (slicing.unusable_slices, "mix{}", {"gpus": [[]], "mix": {"1g.10gb": 1.0}}),
    (spares.gang_start_probability, "free_probability% nodes#>=0 needed#>=0 block#"),
    (spares.binomial_tail, "successes#>=0 trials#>=0 probability%"),
    (numerics.lambert_w0, "z", {"z": 1.0}),
    (numerics.one_plus_w0, "x>=0"),
    *(
        (one, "dump>=0 mtbf>0")
        for one in (checkpointing.young, checkpointing.daly, checkpointing.optimal_interval)
    ),
    (checkpointing.expected_runtime, RUN + " notice>=0"),
    (checkpointing.expected_breakdown, RUN + " notice>=0"),
    (checkpointing.expected_runtime_short_tail, RUN),
    (checkpointing.simulate_runs, RUN + " notice>=0 runs#", RNG),
    (checkpointing.spot_cost, RUN + " price>=0"),
    (checkpointing.break_even_intervals, "dump>=0 restart>=0 mtbf>0 price>0 on_demand_price>0"),
    (checkpointing.job_mtbf, "node_mtbf>0 nodes#"),
    (checkpointing.gang_wait, "delay>=0 node_mtbf>0 nodes#"),
    (checkpointing.replicas_for, "needed# up% target% block#"),
    (checkpointing.writing_at_once, "jobs#>=0 share%", {"at_least": 1}),
    (checkpointing.weak_scaling_efficiency, "n# " + NETWORK),
    (checkpointing.speedup, "n# serial% " + NETWORK),
    (checkpointing.amdahl_knee, "serial% efficiency%>0"),
    (
        checkpointing.elastic_run,
        "prices[+] serial% band% restart>=0 tick>0 limit# " + NETWORK,
        {"prices": [0.5]},
    ),
    (
        checkpointing.workers_for,
        "efficiency%>0 objective! " + NETWORK,
        {"objective": "knee", "serial": 0.1},
    ),
    (placement.place, "nodes# rule! whole&", {"stream": STREAM, "rule": "best", "whole": True}),
    (fairness.allocate, "on_misfit!", {"claimants": PAIR, "capacity": POOL, "on_misfit": "skip"}),
    (gpu_sharing.roofline_demand, "intensity>0 peak>0 bandwidth>0"),
    (gpu_sharing.corun, "demands[]", {"demands": []}),
    (gpu_sharing.time_slice, "quantum>0 switch>=0 jobs#"),
    (weeks_needed, "variance>=0 difference>0", {"correlation": 0.5}),
    (bandit, "rounds# rule!", {"means": [1], "deviations": [1], "rule": "ucb1"} | RNG),
    (
        Preemption,
        "checkpoint_interval>0 restart_time>=0 rule! victims!",
        {"rule": "pays", "victims": "latest"},
    ),
    (simulate, "jobs* capacity# policy*", {"jobs": JOBS, "policy": Policy()}),
    (
        Policy,
        "order! backfill! classes[] preemption*? quotas{}? borrowing& reclaim&",
        {
            "order": "priority",
            "backfill": "easy",
            "classes": ["a"],
            "preemption": Preemption(),
            "quotas": {"a": 1},
        }
        | {"borrowing": True, "reclaim": True},
    ),
    (class_table, "schedule* target>=0", {"schedule": SCHEDULE}),
    (
        saturation_load,
        "jobs#",
        {"classes": MIX, "capacity": 8, "policy": Policy(), "jobs": 100} | RNG,
    ),
    (cluster.Change, "policy*? gpus#? arrivals>0 moved{} capped{}", {"moved": {}, "capped": {}}),
    (cluster.mean_over_weeks, "confidence>0", {"total": [1], "number": [1], "confidence": 0.5}),
    (
        cluster.what_is_needed,
        "measure! limit>=0 step# most#? baseline*",
        {"jobs": LOG, "gpus": 8, "measure": "mean", "baseline": Policy()},
    ),
    (cluster.calibrate, "policies*?", {"jobs": LOG, "gpus": 8}),
    (cluster.report, "happened* calibration*?", {"happened": cluster.what_happened(LOG)}),
    (cluster.to_swf, "jobs*", {"jobs": LOG}),
    (cluster.to_sacct, "jobs*", {"jobs": LOG}),
    (
        jobs.read_sacct,
        "resource! submit! most#",
        {"source": SACCT, "resource": "gpu", "submit": "Submit"},
    ),
    (metrics.utilization, "schedule*", {"schedule": SCHEDULE}),
    (metrics.balance, "values[+]", {"values": [1.0]}),
    (metrics.composite, "completed{}", {"completed": {"a": 1}, "weights": {"a": 1}}),
    (dataloading.lru_hit_share, "cached%"),
    (dataloading.demand, "batch_size# sample_size>0 compute_time>0"),
    (dataloading.stream_rate, "request_size>0 latency>=0 bandwidth>0 outstanding>0"),
    (
        dataloading.prefetch_depth_for,
        "utilization>=0 io_scv>=0 compute_scv>=0",
        {"utilization": 0.5},
    ),
    (prefetching.timeline, "steps#", {"pipeline": PIPELINE}),
    (
        dataloading.input_pipeline,
        "batch_size# sample_size>0 compute_time>0 accelerators# workers# fetch_latency>=0 "
        "stream_bandwidth>0"
        " decode_time>=0 prefetch_depth#>=0 samples_per_request# accelerators_per_node#"
        " node_bandwidth>0? storage_bandwidth>0 storage_iops>0?",
    ),
    (prefetching.simulate_depths, "utilization>0 io_scv>=0 compute_scv>=0", RNG | {"depths": [2]}),
    (prefetching.jittered_utilization, "depth#>=0 utilization>0 io_scv>=0 compute_scv>=0"),
    (stores.metadata_rate, "accelerators# demand>0 file_size>0 operations_per_file>0"),
    (stores.metadata_capacity, "servers# spread% server_rate>0"),
    (
        stores.object_store_plan,
        "accelerators# demand>0 request_size>0 first_byte>=0 connection_bandwidth>0",
    ),
    (stores.checkpoint_write, "parameters>0 bandwidth>0 bytes_per_parameter>0"),
    (
        stores.move_or_not,
        "size>0 bandwidth>0 egress_price>=0 price_far>=0 price_near>=0 accelerators# hours>0",
    ),
    (stores.node_local_bandwidth, "accelerators# accelerators_per_node# node_bandwidth>0"),
    (
        designs.storage_loads,
        "accelerators# demand>0 storage_nodes# node_bandwidth>0",
        {"unit_size": 1.0},
    ),
    (
        designs.storage_loads,
        "prefixes# connections# organization!",
        {"accelerators": 8, "demand": 1.0, "unit_size": 1.0, "organization": "objects"},
    ),
    (designs.checkpoint_burst, "parameters>0 interval>0 read_rate>0 bandwidth>0 write_share%>0"),
    (designs.local_loads, "accelerators# demand>0 size>0 read_size>0 drives#"),
    (
        designs.local_copy,
        "size>0 nodes# file_size>0 metadata_capacity>0 store_bandwidth>0 node_link>0 "
        "drive_bandwidth>0",
    ),
    (designs.compute_nodes, "accelerators#"),
]


#: Refusals that are no word of that table: of two arguments together, of one element among several,
#: of a whole table.
CALLS = [
    (
        lambda: queueing.mg1_response("ps", 1.0, "long"),
        "lengths must be a number or a distribution, got 'long'",
    ),
    (
        lambda: queueing.priority_waits([], []),
        "arrival_rates must name at least one class, got none",
    ),
    (
        lambda: queueing.priority_waits([0.1, 0.2], [1.0]),
        "service_times must have one entry a class, 2, got 1",
    ),
    (
        lambda: queueing.aging_waits([0.1], [1.0], [1.0, 2.0]),
        "aging_rates must have one entry a class, 1, got 2",
    ),
    (
        lambda: next(queueing.replicate_queue(1.0, 0.5, 1, 1.0, 10, warm_up=0.9, **RNG)),
        "jobs must leave at least 2",
    ),
    (
        lambda: fair_queueing.serve(FLOWS[["arrival"]]),
        "jobs must have the columns flow, arrival and",
    ),
    (
        lambda: fair_queueing.serve(FLOWS.assign(flow=[["a"]])),
        "flow must be names or numbers, got something",
    ),
    (lambda: jobs.Uniform(3, 2), r"high must be at least low \(3\), got 2"),
    (lambda: jobs.Choice((1, 2), (0, 0)), "weights must be 2 numbers, not all zero"),
    (lambda: jobs.offered_load([8], 4), "classes must be JobClass records, got 8"),
    (
        lambda: jobs.sample_jobs([jobs.JobClass("x", 1.5, 5, 1)], 9, **RNG),
        "gpus of class x must be whole",
    ),
    (
        lambda: jobs.sample_jobs([jobs.JobClass("x", 1, 5, 9, jobs.Uniform(0.5, 3))], 9, **RNG),
        "overestimate of class x must be at least 1",
    ),
    (lambda: jobs.sample_jobs(MIX * 2, 9, **RNG), "each with a name of its own"),
    (lambda: simulate(pd.DataFrame({"submit": [0]}), 4), "got none named runtime, gpus"),
    (
        lambda: simulate(JOBS[["submit", "runtime", "gpus", "gpus"]], 4),
        "one column named gpus, got 2",
    ),
    (lambda: simulate(JOBS.assign(gpus=1.5), 4), "gpus must be a whole number, got 1.5 in row 0"),
    (
        lambda: simulate(JOBS.assign(estimate=4), 4),
        "estimate must be at least the runtime, got 4.* in row 0",
    ),
    (
        lambda: simulate(JOBS, 4, Policy(reserved={"a": 3, "b": 2})),
        "reserved GPUs must add up to at most .* 4, got 5",
    ),
    (
        lambda: simulate(JOBS, 4, Policy(quotas={"a": 3, "b": 2})),
        "quotas must add up to at most the capacity 4, got 5",
    ),
    (lambda: simulate(JOBS, 8, down=[(5, 5, 1)]), "an outage must end after it begins, got 5 to 5"),
    (lambda: Policy(classes=("a", "a")), "classes must name each class once"),
    (
        lambda: Policy(quotas={"a": 1}, reserved={"b": 1}),
        "reserved must be None beside quotas, got {'b': 1}",
    ),
    *(
        (
            lambda more=more: Policy(**{"emptied": Emptied((0.0,))} | more),
            "emptied must be (None|an Emptied)",
        )
        for more in ({"backfill": "conservative"}, {"quotas": {}}, {"emptied": 8})
    ),
    (lambda: cluster.Change(arrivals=11), "arrivals must be at most 10"),
    (lambda: cluster.Change(estimates=0.5), "estimates must be 1 to 1,000"),
    (lambda: cluster.Change(moved={"a": ""}), "moved must name a class"),
    (lambda: cluster.Change(capped={"a": 0.5}), "cap of a must be a whole number"),
    *(
        (lambda weeks=weeks: cluster.mean_over_weeks(*weeks), "one value a week")
        for weeks in (([1, 2], [1]), ([], []))
    ),
    (lambda: cluster.mean_over_weeks([math.nan], [1]), "total must be a finite number"),
    (lambda: cluster.mean_over_weeks([1], [-1]), "number must not be negative"),
    (
        lambda: cluster.what_is_needed(LOG, 8, Policy(), "mean", 1.0, job_class="nobody"),
        "job_class must name a class of the log, got 'nobody'",
    ),
    (lambda: cluster.calibrate(LOG, 8, {}), "policies must"),
    (lambda: cluster.calibrate(LOG, 8, {"x": "easy"}), "policies must"),
    (lambda: cluster.report(cluster.what_happened(LOG), None, {"x": 1}), "differences must be"),
    (lambda: cluster.to_swf(LOG.iloc[:0]), "jobs must"),
    (lambda: average_tables([]), "tables must hold at least one replication, got none"),
    (
        lambda: saturation_load(jobs.platform_mix(0, 0, 0), 1024, Policy(), **RNG),
        "arrival_rate must be positive for at least one class, got 0",
    ),
    (lambda: weekly(SCHEDULE, "job_class"), "column must be a column of numbers"),
    (
        lambda: weekly(simulate(JOBS.assign(submit=9), 1), length=1e-9),
        "length must make at most 1,000,000 weeks",
    ),
    (lambda: wrong_choice([[1, 2]], [[1, 2]], 3), "weeks must be at most the 2 of better"),
    (lambda: wrong_choice([1, 2], [[1, 2]], 1), "worse must be a table"),
    (lambda: wrong_choice([[math.inf]], [[1]], 1), "finite numbers or NaN"),
    (lambda: wrong_choice([[1, 2]], [[1, 2], [3, 4]], 1, paired=True), "must have the same shape"),
    (lambda: best_missed([], [[1.0]], 1), "others must be at least one policy, got none"),
    (lambda: weeks_needed(1, 1, 1), "correlation must be above −1 and below 1"),
    (lambda: bandit([1], [1, 1], 5, "ucb1", 1), "one number an arm, got 1 and 2"),
    *(
        (
            lambda more=more: take_turns(JOBS, 2, [Policy(**more)]),
            "policies must remember nothing but who runs",
        )
        for more in (
            {"order": "fair_share"},
            {"backfill": "conservative"},
            {"preemption": Preemption()},
            {"max_wait": 9},
        )
    ),
    (lambda: take_turns(JOBS, 2, [Policy(reserved={"a": 1})]), "and reserve nothing, got"),
    (lambda: take_turns(JOBS, 2, ["easy"]), "policies must be Policy records, got 'easy'"),
    (
        lambda: take_turns(JOBS.assign(runtime=1e6), 2, [Policy()], length=1.0),
        "length must make at most 2,000 turns if jobs run one by one, got 1",
    ),
    (
        lambda: metrics.throughput(simulate(JOBS.assign(gpus=9), 4)),
        "at least one job that can start",
    ),
    (
        lambda: metrics.composite({"a": 1}, {"b": 1}),
        "weights must be of classes among those completed",
    ),
    (lambda: film(2, 5, 5, []), "end must be later than begin"),
    (lambda: film(2, 0, 5, [(0, 2, 0, 1, "a", "")]), "boxes must lie on the places 0 to 1"),
    (
        lambda: film(2, 0, 5, [(0, 0, 0, 3, "a", ""), (0, 1, 2, 4, "a", "")]),
        "two boxes are in one place",
    ),
    *(
        (
            lambda rows=rows: film(1, 10, 20, [], curves=rows),
            "curve load must be in the order of time and known from 10",
        )
        for rows in ([(11, 1.0, "load")], [(0, 1.0, "load"), (5, 2.0, "load"), (4, 3.0, "load")])
    ),
    (lambda: placement.place(STREAM.assign(gpus=1.5), 2), "gpus must be a whole number.*row 0"),
    (lambda: placement.place(STREAM.assign(slowdown=0.5), 2), "slowdown must be at least 1.*row 0"),
    (lambda: placement.place(STREAM[["arrival", "gpus"]], 2), "none named runtime"),
    (lambda: gpu_sharing.pairings([(1, 1)] * 3, 2), "exactly two a GPU and at most 12, got 3"),
    (lambda: gpu_sharing.corun([(1, 1, 1)]), "pairs of compute and memory"),
    (lambda: gpu_sharing.corun([0.5]), "must be a list"),
    (lambda: gpu_sharing.fits([1, 2], 3, [1]), "one for each of 2 needs, got 1"),
    (lambda: serving.serve([1, 0], [1, 1], [1, 1], REPLICA), "in order"),
    (
        lambda: autoscale([0.9], "hpa", floor=5, ceiling=4),
        "ceiling must be at least the floor of 5, got 4",
    ),
    (lambda: autoscale([1], past=3), "past must be a list"),
    (
        lambda: forecasting.holt_winters([1, 2, 3], 2, 0.5, 0.5, 0.5, 1),
        "at least two seasons of 2, got 3 values",
    ),
    (lambda: forecasting.seasonal_naive([1], 2, 1), "at least a season of 2"),
    (lambda: forecasting.mape([1, 0], [1, 1]), "actual must not hold a zero"),
    (lambda: forecasting.mape([1], [1, 1]), "as many, one or more, got 1 and 2"),
    (
        lambda: notebooks.run([notebooks.Cell(1, 1)], 4),
        "notebook 0 must be a list of at least one Cell, got Cell",
    ),
    (
        lambda: notebooks.antt([], []),
        "shared and alone must hold one time a notebook, got 0 and 0 times",
    ),
    (
        lambda: notebooks.ThinkTime(short_sigma=3),
        "no such mixture has mean 15, deviation 696 and maximum 40000",
    ),
    (
        lambda: notebooks.greatest_median(3, 0, 2),
        "no pauses have mean 3, deviation 0 and maximum 2",
    ),
    (lambda: prefetching.timeline(PIPELINE, 1_001), "steps must"),
    (
        lambda: prefetching.simulate_depths([1], 0.5, 1.0, steps=10**9, **RNG),
        r"\(steps \+ warmup\) must be at most",
    ),
    (
        lambda: prefetching.simulate_depths([1], 0.5, 1.0, replications=1, **RNG),
        "replications must be at least 2",
    ),
    (
        lambda: prefetching.simulate_depths([1], 1e300, 1e300, **RNG),
        "SCV of a time must be a finite number",
    ),
    (
        lambda: fairness.allocate([], {"cpu": 1}),
        "claimants must name at least one claimant, got none",
    ),
    (
        lambda: fairness.allocate(PAIR, {"cpu": 1}),
        "demand of A names mem, got a pool with only cpu",
    ),
    (
        lambda: fairness.allocate(PAIR + PAIR[:1], POOL),
        "claimants must have different names, got 'A' twice",
    ),
    (
        lambda: fairness.allocate([fairness.Claimant("A", {"cpu": 0})], POOL),
        "demand of A must be above zero in at",
    ),
    (
        lambda: fairness.allocate(PAIR, POOL, "single:gpu"),
        "policy single:gpu must name one of the pool's resources",
    ),
    (
        lambda: checkpointing.workers_for("deadline", serial=0.1, work=1),
        "deadline is needed for the objective",
    ),
    (lambda: checkpointing.elastic_run([-1.0], serial=0.02), "prices must be "),
    *(
        (
            lambda given=given: checkpointing.replicas_for(8, *given),
            "target must be one that some number of replicas",
        )
        for given in ((0.99, 1.0), (0.0, 0.5), (1e-12, 0.999))
    ),
    (lambda: streams.random_requests(1, {}, 2, **RNG), "weights must hold one above 0"),
    (
        lambda: slicing.placeable(["5g.40gb"]),
        r"profile must be one of 1g.*7g\.80gb on A100-80GB, got '5g",
    ),
    (lambda: slicing.stranded([[("3g.40gb", 2)]]), "3g.40gb must begin at one of 0, 4, got 2"),
    (
        lambda: slicing.stranded([[], [("3g.40gb", 0), ("1g.10gb", 3)]]),
        "must not overlap, but 1g.10gb at 3 does on GPU 1",
    ),
    (
        lambda: slicing.unusable_slices([[]], {"1g.10gb": 0.5}),
        r"probabilities of the mix must add up to 1, got 0\.5",
    ),
    *(
        (lambda tiers=tiers: stores.egress_cost(1.0, tiers), r"(egress_price|of a tier) must ")
        for tiers in ([], [(0.0, 1.0)], [(1.0, -1.0)])
    ),
    (lambda: numerics.lambert_w0(-0.3679), r"z must be at least -1/e = -0\.367879, got"),
    (lambda: numerics.mean_interval([]), "must"),
]


def read(words: str) -> dict[str, str]:
    """Return the kind of each argument of a row of the table, by its name."""
    return dict(re.match(r"(\w+)(.*)", word).groups() for word in words.split())


@pytest.mark.parametrize(("model", "words", "given"), [(*row, {})[:3] for row in MODELS])
def test_an_argument_that_makes_no_sense_is_refused_in_one_sentence_that_names_it(
    model, words, given
):
    kinds = read(words)
    sound = {
        name: KINDS[kind.rstrip("?")][0]
        for name, kind in kinds.items()
        if kind.rstrip("?") in KINDS
    } | given
    model(**sound)
    for name, kind in kinds.items():
        plain = kind.rstrip("?")
        if plain in OTHERS:
            wrong_values = OTHERS[plain]
        else:
            wrong_values = (*NOT_NUMBERS, *(KINDS[plain][1] if plain else ()))
        for wrong in (one for one in wrong_values if one is not None or "?" not in kind):
            with pytest.raises(ValueError, match=rf"^{name} must [^\n]*, got [^\n]*$"):
                model(**sound | {name: wrong})


@pytest.mark.parametrize(("call", "sentence"), CALLS)
def test_what_makes_no_sense_together_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence) as refusal:
        call()
    assert "\n" not in str(refusal.value)
