"""Every model refuses numbers that make no sense, and names them: one table of what each number may be."""

import math

import numpy as np
import pytest

from physics import checkpointing, dataloading, fair_queueing, forecasting, gpu_sharing, jobs, notebooks, queueing
from physics import storage as stores
from physics.autoscaling import HPA, Concurrency, Predictive, Threshold, desired_replicas, flapping_loads, fleet, loads
from physics.autoscaling import simulate_autoscaler as autoscale
from physics.dataloading import prefetching
from physics.experiments import bandit, weeks_needed
from physics.numerics import lambert
from physics.scheduling import Preemption
from physics.serving import decode_step_time, kv_bytes_per_token, places
from physics.slicing import gangs, streams
from physics.storage import designs, local

NOT_NUMBERS = (math.nan, math.inf, -math.inf, 10**400, "1", None, True)
#: By the sign behind a name: a number that is accepted, and numbers that are not; None is where a ? follows.
KINDS = {
    ">0": (1.0, (0, -1)),
    ">=0": (1.0, (-1, -1e-9)),
    "%": (0.5, (-0.1, 1.1)),
    "%>0": (0.5, (0, 1.1)),
    "#": (2, (0, -1, 1.5)),
    "#>=0": (2, (-1, 1.5)),
}
RNG = {"rng": np.random.default_rng(1)}
RUN = "work>0 interval>0 dump>=0 restart>=0 mtbf>0"
NETWORK = "gradient_size>=0 bandwidth>0 latency>=0 step_time>0"
CONTROLLED = {"load": [0.9], "ceiling": 9, "step": 15.0}
MODELS = [
    (queueing.mmc, "arrival_rate>0 service_time>0 servers#"),
    (queueing.mgc, "arrival_rate>0 service_time>0 servers# service_scv>=0 arrival_scv>=0"),
    (queueing.erlang_c, "servers# offered_load>0"),
    (queueing.highest_utilization, "target_wait>0 service_time>0 servers# service_scv>=0"),
    (queueing.simulate_queue, "arrival_rate>0 service_time>0 servers# service_scv>=0 jobs#", RNG),
    (queueing.mg1_response, "arrival_rate>0", {"discipline": "ps", "lengths": jobs.Fixed(0.5)}),
    (queueing.mg1_response_of, "arrival_rate>0 length>0", {"discipline": "fb", "lengths": jobs.Fixed(0.5)}),
    (kv_bytes_per_token, "layers# kv_heads# head_size# value_size>0"),
    (places, "memory>0 weights>=0 kv_bytes>0 context>0"),
    (decode_step_time, "batch# context>=0 weights>=0 kv_bytes>0 parameters>0 bandwidth>0 compute>0"),
    (fair_queueing.catch_up_time, "alone>=0 weight_ratio>0", {"half_life": 1.0}),
    (fair_queueing.lottery_draws, "tolerance>0", {"share": 0.1}),
    (fair_queueing.lottery_drought, "share% draws#>=0"),
    (desired_replicas, "ready#>=0 metric>=0 target>0 tolerance>=0"),
    (autoscale, "start#? step>0 cold_start>=0 cool_down_up>=0 cool_down_down>=0 floor# price>=0", CONTROLLED),
    (autoscale, "service_time>0 service_scv>=0 latency_target>0", CONTROLLED),
    (Threshold, "upper%>0 lower%"),
    (HPA, "target%>0 window>=0"),
    (Predictive, "target%>0 horizon>=0 error>=0"),
    (Concurrency, "target>0 stable>0 panic_share%>0 sync>0"),
    (flapping_loads, "upper%>0 lower% replicas#"),
    (loads.step_load, "before>=0 after>=0 at>=0 duration>0", {"step": 0.5}),
    (loads.daily_load, "low>=0 high>=0 step>0"),
    (fleet.least_replicas, "latency_target>0 service_time>0", {"load": [1]}),
    (fleet.latencies, "service_time>0", {"load": [1], "replicas": [2]}),
    (fleet.cheapest_fleet, "cold_steps#>=0", {"needed": [1]}),
    (forecasting.holt_winters, "season# alpha% beta% gamma% horizon#", {"history": [1, 2, 3, 4]}),
    (forecasting.moving_average, "window# horizon#", {"history": [1, 2]}),
    (forecasting.seasonal_naive, "season# horizon#", {"history": [1, 2]}),
    (jobs.JobClass, "arrival_rate>=0 users#", {"name": "x", "gpus": 1, "runtime": 1}),
    (jobs.Hyperexponential, "mean>0", {"scv": 2.0}),
    (notebooks.Cell, "threads# work>0 think>=0"),
    (notebooks.run, "cores# overhead>=0 oversubscription_loss%", {"notebooks": [[notebooks.Cell(1, 1)]]}),
    (notebooks.ThinkTime, "mean>0 deviation>=0 maximum>0", {"mean": 15, "deviation": 696, "maximum": 40_000}),
    (notebooks.ThinkTime, "short_median>0 short_sigma>0"),
    (notebooks.ThinkTime().sample, "n#>=0", RNG),
    (notebooks.ThinkTime().idle_share, "threshold>=0"),
    (notebooks.least_idle_share, "threshold>=0"),
    (streams.serve, "gpus#", {"requests": []}),
    (streams.most_compute, "gpus#", {"profiles": []}),
    (streams.random_requests, "number#", {"weights": {"1g.10gb": 1}, "mean_stay": 2} | RNG),
    (gangs.gang_start_probability, "free_probability% nodes#>=0 needed#>=0 block#"),
    (gangs.binomial_tail, "successes#>=0 trials#>=0 probability%"),
    (lambert.lambert_w0, "z", {"z": 1.0}),
    (lambert.one_plus_w0, "x>=0"),
    *((one, "dump>=0 mtbf>0") for one in (checkpointing.young, checkpointing.daly, checkpointing.optimal_interval)),
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
    (checkpointing.elastic_run, "serial% band% restart>=0 tick>0 limit# " + NETWORK, {"prices": [0.5]}),
    (checkpointing.workers_for, "efficiency%>0 " + NETWORK, {"objective": "knee", "serial": 0.1}),
    (gpu_sharing.roofline_demand, "intensity>0 peak>0 bandwidth>0"),
    (gpu_sharing.time_slice, "quantum>0 switch>=0 jobs#"),
    (weeks_needed, "variance>=0 difference>0", {"correlation": 0.5}),
    (bandit, "rounds#", {"means": [1], "deviations": [1], "rule": "ucb1"} | RNG),
    (Preemption, "checkpoint_interval>0 restart_time>=0"),
    (dataloading.lru_hit_share, "cached%"),
    (dataloading.demand, "batch_size# sample_size>0 compute_time>0"),
    (dataloading.stream_rate, "request_size>0 latency>=0 bandwidth>0 outstanding>0"),
    (dataloading.prefetch_depth_for, "utilization>=0 io_scv>=0 compute_scv>=0", {"utilization": 0.5}),
    (
        dataloading.input_pipeline,
        "batch_size# sample_size>0 compute_time>0 accelerators# workers# fetch_latency>=0 stream_bandwidth>0"
        " decode_time>=0 prefetch_depth#>=0 samples_per_request# accelerators_per_node#"
        " node_bandwidth>0? storage_bandwidth>0 storage_iops>0?",
    ),
    (prefetching.simulate_depths, "utilization>0 io_scv>=0 compute_scv>=0", RNG | {"depths": [2]}),
    (prefetching.jittered_utilization, "depth#>=0 utilization>0 io_scv>=0 compute_scv>=0"),
    (stores.metadata_rate, "accelerators# demand>0 file_size>0 operations_per_file>0"),
    (stores.metadata_capacity, "servers# spread% server_rate>0"),
    (stores.object_store_plan, "accelerators# demand>0 request_size>0 first_byte>=0 connection_bandwidth>0"),
    (stores.checkpoint_write, "parameters>0 bandwidth>0 bytes_per_parameter>0"),
    (stores.move_or_not, "size>0 bandwidth>0 egress_price>=0 price_far>=0 price_near>=0 accelerators# hours>0"),
    (stores.node_local_bandwidth, "accelerators# accelerators_per_node# node_bandwidth>0"),
    (designs.storage_loads, "accelerators# demand>0 storage_nodes# node_bandwidth>0", {"unit_size": 1.0}),
    (
        designs.storage_loads,
        "prefixes# connections#",
        {"accelerators": 8, "demand": 1.0, "unit_size": 1.0, "organization": "objects"},
    ),
    (designs.checkpoint_burst, "parameters>0 interval>0 read_rate>0 bandwidth>0 write_share%>0"),
    (local.local_loads, "accelerators# demand>0 size>0 read_size>0 drives#"),
    (local.local_copy, "size>0 nodes# file_size>0 metadata_capacity>0 store_bandwidth>0 node_link>0 drive_bandwidth>0"),
    (local.compute_nodes, "accelerators#"),
]


def read(words: str) -> dict[str, str]:
    """Return the kind of each number of a row of the table, by its name."""
    names = [word.rstrip(">=0#%?") for word in words.split()]
    return {name: word.removeprefix(name) for name, word in zip(names, words.split(), strict=True)}


@pytest.mark.parametrize(("model", "words", "given"), [(*row, {})[:3] for row in MODELS])
def test_a_number_that_makes_no_sense_is_refused_in_one_sentence_that_names_it(model, words, given):
    kinds = read(words)
    sound = {name: KINDS[kind.rstrip("?")][0] for name, kind in kinds.items() if kind} | given
    model(**sound)
    for name, kind in kinds.items():
        wrong_numbers = (*NOT_NUMBERS, *(KINDS[kind.rstrip("?")][1] if kind else ()))
        for wrong in (one for one in wrong_numbers if one is not None or "?" not in kind):
            with pytest.raises(ValueError, match=rf"^{name} must [^\n]*, got [^\n]*$"):
                model(**sound | {name: wrong})
