"""A number that makes no sense, or leads beyond floating point, gets one sentence or a limit from every model."""

import dataclasses
import importlib
import inspect
import math
import pkgutil
import re

import numpy as np
import pandas as pd
import pytest

import physics
from physics import (
    autoscaling,
    cluster,
    experiments,
    fair_queueing,
    fairness,
    films,
    forecasting,
    gpu_sharing,
    jobs,
    metrics,
    notebooks,
    placement,
    storage,
)
from physics.autoscaling import fleet
from physics.autoscaling import rules as autoscaling_rules
from physics.autoscaling import simulator as autoscaling_simulator
from physics.checkpointing import interruptions, resizing, timeline
from physics.cluster import weeks as cluster_weeks
from physics.dataloading import prefetching
from physics.fairness import division as fair_division
from physics.fairness import properties as fair_properties
from physics.fairness.claims import Claimant
from physics.jobs import distributions
from physics.notebooks import study as notebook_study
from physics.notebooks import think_time
from physics.notebooks.core_sharing import Cell
from physics.numerics import statistics
from physics.queueing import priority, response
from physics.queueing import simulation as queue_simulation
from physics.scheduling import policy, saturation, scoreboard, simulator
from physics.slicing import gangs, unusable_slices
from physics.slicing import streams as slice_streams
from physics.storage import designs as storage_design

ABSURD = (0, -1, math.nan, math.inf, 1e308, 1e-320, True, "x", None, [1])
#: Every module of `physics`, by its name within.
MODULES = {
    info.name.removeprefix("physics."): importlib.import_module(info.name)
    for info in pkgutil.walk_packages(physics.__path__, "physics.")
    if not info.ispkg
}
CELL = Cell(2, 5.0)
RUN = {"work": 1e5, "interval": 1e3, "dump": 60.0, "restart": 60.0, "mtbf": 1e4}
STORE = {"first_byte": 0.15, "connection_bandwidth": 1e8, "requests_per_prefix": 5500.0}
PAUSES = {"mean": 15.0, "deviation": 696.0, "maximum": 40_000.0}


def rng():
    return np.random.default_rng(1)


def simulated(order, backfill, preempting, own="reserved"):
    """A simulation of three jobs, the first of which and the policy are as the case says."""

    def run(capacity, half_life, weight, reserved, interval, restart, **first):
        stop = policy.Preemption(interval, restart) if preempting else None
        rules = policy.Policy(
            order,
            backfill,
            preemption=stop,
            half_life=half_life,
            weights={"search": weight},
            **{own: {"search": reserved}},
        )
        rest = {"submit": [0.0, 1.0], "runtime": [10.0, 30.0], "gpus": [8, 4], "estimate": [10.0, 40.0]}
        columns = {name: pd.Series([first[name], *others], dtype=object) for name, others in rest.items()}
        schedule = simulator.simulate(
            pd.DataFrame(columns).assign(job_class=["training", "search", "search"]), capacity, rules
        )
        scoreboard.class_table(schedule)
        return schedule.jobs.loc[schedule.jobs["can_start"], ["start", "end", "wait", "slowdown", "lost"]]

    base = {"submit": 0.0, "runtime": 10.0, "gpus": 2, "estimate": 20.0, "capacity": 8, "half_life": 100.0}
    return run, base | {"weight": 1.0, "reserved": 1, "interval": 5.0, "restart": 1.0}


def shared(divide, *rule):
    """A division between two claimants, the first of which is as the case says."""

    def run(cpu, mem, start, weight, ceiling, capacity):
        first = Claimant("a", {"cpu": cpu, "mem": mem}, {"cpu": start, "mem": 1.0}, weight, ceiling)
        return divide([first, Claimant("b", {"cpu": 1.0, "mem": 2.0})], {"cpu": capacity, "mem": 30.0}, *rule)

    return run, {"cpu": 2.0, "mem": 3.0, "start": 1.0, "weight": 1.0, "ceiling": 5.0, "capacity": 20.0}


def node(scheduler, **more):
    """Two notebooks on one node."""

    def run(threads, work, think, cores, **options):
        books = [[Cell(threads, work, think), CELL], [CELL]]
        return notebooks.run(books, cores, scheduler, **options)

    return run, {"threads": 2, "work": 5.0, "think": 1.0, "cores": 4} | more


def scaled(rule):
    """A fleet that follows a controller."""

    def run(**options):
        return autoscaling.simulate_autoscaler(np.full(20, 5.0), rule(**options), rng=rng())

    return run


def drawn(gpus, runtime, arrival_rate, overestimate, users, capacity, horizon):
    mix = [jobs.JobClass("x", gpus, runtime, arrival_rate, overestimate, users)]
    return jobs.offered_load(mix, capacity), len(jobs.sample_jobs(mix, horizon, rng()))


def saturated(gpus, runtime, arrival_rate, capacity, count):
    mix = [jobs.JobClass("x", gpus, runtime, arrival_rate)]
    return saturation.saturation_load(mix, capacity, policy.Policy(), rng(), count)


def placed(nodes, per_node, **first):
    """A stream of three jobs, the first of which is as the case says."""
    rest = {"arrival": [1.0, 2.0], "gpus": [8, 3], "runtime": [10.0, 30.0], "slowdown": [1.0, 3.0]}
    stream = pd.DataFrame({name: pd.Series([first[name], *others], dtype=object) for name, others in rest.items()})
    served = placement.place(stream, nodes, per_node, whole=False)
    return served.loc[served["nodes"].map(bool), ["start", "end"]]


#: Five weeks of jobs that wait, an hour apart.
WAITING = pd.DataFrame(
    {"submit": np.arange(840) * 3600.0, "runtime": 5000.0, "gpus": 4, "estimate": 6000.0, "recorded_wait": 60.0}
)


def measured(size, target, **first):
    """A log of two jobs, the first of which is as the case says."""
    rest = {"submit": [1e4, 2e4], "runtime": [5.0, 30.0], "gpus": [8, 3]}
    columns = {name: pd.Series([first[name], *others], dtype=object) for name, others in rest.items()}
    found = cluster.what_happened(pd.DataFrame(columns).assign(recorded_wait=5.0), size, target)
    return found.waits, found.utilization, found.wasted, found.little, found.over_time


def calibrated(**given):
    return cluster.calibrate(WAITING, policies={"fifo": policy.Policy()}, **given).gap


def changed(gpus, gap, price, seed, more, cap, **given):
    change = cluster.Change(gpus=more, capped={"job": cap}, **given)
    found = cluster.what_if(WAITING, gpus, policy.Policy(), change, gap, price, seed)
    return found.costs, found.classes["jobs"]


#: Models of numbers alone: module.function, and arguments that make sense.
PLAIN = {
    "autoscaling.loads.steady_load": {"level": 5.0, "duration": 600.0, "step": 15.0},
    "autoscaling.loads.step_load": {"before": 1.0, "after": 2.0, "at": 60.0, "duration": 600.0, "step": 15.0},
    "autoscaling.loads.burst_load": {"base": 1.0, "peak": 2.0, "at": 60.0, "length": 60.0, "duration": 600.0},
    "autoscaling.loads.daily_load": {"low": 1.0, "high": 5.0, "duration": 600.0, "step": 15.0},
    "autoscaling.rules.desired_replicas": {"ready": 3, "metric": 0.7, "target": 0.5, "tolerance": 0.1},
    "autoscaling.rules.scale_up_limit": {"replicas": 3},
    "autoscaling.rules.flapping_loads": {"upper": 0.8, "lower": 0.5, "replicas": 3},
    "checkpointing.intervals.young": {"dump": 60.0, "mtbf": 1e4},
    "checkpointing.intervals.daly": {"dump": 60.0, "mtbf": 1e4},
    "checkpointing.intervals.optimal_interval": {"dump": 60.0, "mtbf": 1e4},
    "checkpointing.runtime.expected_breakdown": RUN | {"notice": 30.0},
    "checkpointing.runtime.expected_runtime": RUN | {"notice": 30.0},
    "checkpointing.runtime.expected_runtime_short_tail": RUN,
    "checkpointing.costs.job_mtbf": {"node_mtbf": 1e6, "nodes": 10},
    "checkpointing.replacement.gang_wait": {"delay": 600.0, "node_mtbf": 1e5, "nodes": 8},
    "checkpointing.costs.spot_cost": RUN | {"price": 1.0, "notice": 30.0},
    "checkpointing.costs.break_even_intervals": {
        "dump": 60.0, "restart": 60.0, "mtbf": 1e4, "price": 1.0, "on_demand_price": 3.0, "notice": 30.0,
    },
    "checkpointing.interruptions.notice_saves": {"dump": 60.0, "notice": 30.0},
    "notebooks.study.synthetic": {"name": "A", "cores": 4},
    "dataloading.pipeline.demand": {"batch_size": 10.0, "sample_size": 1e5, "compute_time": 0.3},
    "dataloading.pipeline.stream_rate": {"request_size": 1e5, "latency": 0.01, "bandwidth": 1e8, "outstanding": 2.0},
    "dataloading.pipeline.input_pipeline": {
        "batch_size": 32, "sample_size": 1e5, "compute_time": 0.3, "accelerators": 8, "workers": 4,
        "fetch_latency": 0.01, "stream_bandwidth": 1e8, "decode_time": 0.01, "prefetch_depth": 2,
        "samples_per_request": 1, "accelerators_per_node": 8, "node_bandwidth": 1e9, "storage_bandwidth": 1e10,
        "storage_iops": 1e5,
    },
    "dataloading.pipeline.prefetch_depth_for": {"utilization": 0.8, "io_scv": 1.0, "compute_scv": 0.5, "stall": 0.01},
    "dataloading.prefetching.jittered_utilization": {
        "depth": 2, "utilization": 0.8, "io_scv": 1.0, "compute_scv": 0.5,
    },
    "dataloading.draft.draft_batch_time": {
        "batch_size": 32.0, "sample_size": 1e5, "storage_bandwidth": 1e9, "links_bandwidth": 1e9, "accelerators": 8,
        "pattern_efficiency": 0.5, "worker_efficiency": 0.5,
    },
    "checkpointing.elastic.workers_for": {
        "objective": "deadline", "serial": 0.01, "gradient_size": 1e8, "bandwidth": 1e9, "latency": 1e-5,
        "step_time": 1.0, "work": 1e5, "deadline": 5e4, "budget": 100.0, "price": 1e-3, "efficiency": 0.7,
    },
    "queueing.erlang.erlang_c": {"servers": 3, "offered_load": 2.0},
    "fair_queueing.catch_up_time": {"alone": 1e5, "half_life": 1e4, "weight_ratio": 2.0},
    "fair_queueing.lottery_draws": {"share": 0.1, "tolerance": 0.1, "confidence": 0.95},
    "fair_queueing.lottery_drought": {"share": 0.1, "draws": 10},
    "slicing.gangs.binomial_tail": {"successes": 2, "trials": 5, "probability": 0.3},
    "slicing.gangs.gang_start_probability": {"free_probability": 0.6, "nodes": 16, "needed": 4, "block": 2},
    "slicing.gangs.expected_fragmentation": {
        "free_probability": 0.5, "nodes": 10, "gpus_per_node": 8, "gpus_per_job": 2,
    },
    "experiments.weeks_needed": {"variance": 4.0, "correlation": 0.5, "difference": 2.0, "confidence": 0.9},
    "dataloading.pipeline.lru_hit_share": {"cached": 0.5},
    "dataloading.shuffling.shuffle_randomness": {"buffer": 10, "samples": 100},
    "gpu_sharing.roofline_demand": {"intensity": 32.0, "peak": 1e15, "bandwidth": 3e12},
    "gpu_sharing.time_slice": {"quantum": 2e-3, "switch": 1e-3, "jobs": 3},
    "jobs.workloads.platform_mix": {
        "interactive_rate": 1e-3, "search_rate": 1e-3, "training_rate": 1e-3, "training_gpus": 64, "overestimate": 2.0,
    },
    "numerics.lambert.lambert_w0": {"z": 1.0},
    "numerics.lambert.one_plus_w0": {"x": 1.0},
    "placement.hierarchical_all_reduce_time": {
        "nodes": 4, "per_node": 8, "gradient_size": 1e9, "inside": 4e11, "between": 2e10, "latency_inside": 1e-6,
        "latency_between": 1e-5,
    },
    "placement.worth_waiting": {"runtime": 1e4, "step_near": 1.0, "step_far": 2.0},
    "queueing.steady_state.mmc": {"arrival_rate": 1.0, "service_time": 0.5, "servers": 2},
    "queueing.steady_state.mgc": {
        "arrival_rate": 1.0, "service_time": 0.5, "servers": 2, "service_scv": 1.0, "arrival_scv": 1.0,
    },
    "queueing.steady_state.highest_utilization": {
        "target_wait": 1.0, "service_time": 0.5, "servers": 2, "service_scv": 1.0,
    },
    "queueing.errors.measured_around": {"servers": 4, "utilization": 0.9, "scv": 4.0},
    "speedup.all_reduce_time": {"n": 8, "gradient_size": 1e8, "bandwidth": 1e9, "latency": 1e-5},
    "speedup.speedup": {
        "n": 8, "serial": 0.01, "gradient_size": 1e8, "bandwidth": 1e9, "latency": 1e-5, "step_time": 1.0,
    },
    "checkpointing.elastic.marginal_speedup": {
        "n": 8, "serial": 0.01, "gradient_size": 1e8, "bandwidth": 1e9, "latency": 1e-5, "step_time": 1.0,
    },
    "checkpointing.elastic.workers_worth": {
        "price": 0.5, "serial": 0.01, "gradient_size": 1e8, "bandwidth": 1e9, "latency": 1e-5, "step_time": 1.0,
    },
    "checkpointing.spares.replicas_for": {"needed": 8, "up": 0.9, "target": 0.99, "block": 2},
    "checkpointing.collisions.writing_shares": {"jobs": 20, "share": 0.1, "phases": "random"},
    "storage.tandem.tandem": {"first_load": 2.0, "second_load": 0.5, "reads": 10},
    "storage.capacity.grown": {"size": 1e12, "growth": 0.4, "years": 3.0},
    "storage.capacity.full_after": {"size": 1e12, "capacity": 3e12, "growth": 0.4},
    "storage.capacity.staging_time": {
        "size": 1e12, "nodes": 10, "store_bandwidth": 1e11, "node_link": 1e10, "drive_bandwidth": 1e10,
    },
    "storage.local.compute_nodes": {"accelerators": 16, "accelerators_per_node": 8},
    "storage.local.drive_rate": {"read_size": 4e6, "drives": 4, "drive_bandwidth": 6.5e9, "drive_reads": 9e5},
    "storage.local.local_loads": {
        "accelerators": 16, "demand": 1e8, "size": 1e12, "read_size": 1e6, "drives": 4, "accelerators_per_node": 8,
        "drive_bandwidth": 6.5e9, "drive_reads": 9e5, "drive_capacity": 7.68e12,
    },
    "storage.local.local_copy": {
        "size": 1e12, "nodes": 10, "file_size": 4e6, "metadata_capacity": 5e4, "store_bandwidth": 1e11,
        "node_link": 1e10, "drive_bandwidth": 1e10, "operations_per_file": 3.0,
    },
    "checkpointing.spares.writing_at_once": {"jobs": 20, "share": 0.1, "at_least": 4},
    "speedup.weak_scaling_efficiency": {
        "n": 8, "gradient_size": 1e8, "bandwidth": 1e9, "latency": 1e-5, "step_time": 1.0,
    },
    "speedup.amdahl_knee": {"serial": 0.01, "efficiency": 0.7},
    "numerics.statistics.student_cdf": {"t": 1.0, "freedom": 3},
    "numerics.statistics.student_quantile": {"probability": 0.9, "freedom": 3},
    "storage.demands.metadata_rate": {"accelerators": 8, "demand": 1e9, "file_size": 1e6, "operations_per_file": 3.0},
    "storage.demands.metadata_capacity": {"servers": 3, "spread": 0.5, "server_rate": 5e4},
    "storage.demands.object_store_plan": {
        "accelerators": 8, "demand": 1e9, "request_size": 1e6, "price_per_request": 4e-7, **STORE,
    },
    "storage.demands.checkpoint_write": {"parameters": 1e9, "bandwidth": 1e9, "bytes_per_parameter": 14.0},
    "storage.demands.egress_cost": {"size": 1e12, "price": 1e-10},
    "storage.demands.move_or_not": {
        "size": 1e12, "bandwidth": 1e9, "egress_price": 1e-10, "price_far": 1.0, "price_near": 2.0, "accelerators": 8,
        "hours": 5.0,
    },
    "storage.demands.node_local_bandwidth": {"accelerators": 16, "accelerators_per_node": 8, "node_bandwidth": 1e9},
    "storage.demands.data_rate": {"accelerators": 8, "demand": 1e9},
    "storage.designs.storage_loads": {
        "accelerators": 8, "demand": 1e9, "unit_size": 1e6, "organization": "objects", "operations_per_file": 3.0,
        "metadata_servers": 1, "directory_spread": 1.0, "server_rate": 5e4, "storage_nodes": 48,
        "node_bandwidth": 1e9, "prefixes": 1, "connections": 16, **STORE,
    },
    "storage.designs.fewest_units": {"load": 2.0, "units": 3, "ceiling": 1.0},
    "storage.designs.fewest_metadata_servers": {"rate": 1e5, "spread": 0.5, "server_rate": 5e4, "ceiling": 1.0},
    "storage.designs.checkpoint_burst": {
        "parameters": 1e9, "interval": 600.0, "read_rate": 1e9, "bandwidth": 1e10, "write_share": 0.5,
        "bytes_per_parameter": 14.0,
    },
    "notebooks.think_time.greatest_median": PAUSES,
    "notebooks.think_time.least_idle_share": PAUSES | {"threshold": 60.0},
}  # fmt: skip
CASES = {
    name: (getattr(MODULES[module], function), base)
    for name, base in PLAIN.items()
    for module, _, function in [name.rpartition(".")]
}
CASES |= {
    f"checkpointing.elastic.workers_for {aim}": (
        CASES["checkpointing.elastic.workers_for"][0],
        PLAIN["checkpointing.elastic.workers_for"] | {"objective": aim},
    )
    for aim in ("budget", "knee", "performance per cost")
}
CASES |= {
    f"scheduling.simulator.simulate {order}, {kind}{', preemption' * stop}": simulated(order, kind, stop)
    for order in policy.ORDERS
    for kind in policy.BACKFILLS
    for stop in (False, True)
}
CASES |= {
    f"scheduling.simulator.simulate {kind}, quotas": simulated("priority", kind, True, "quotas")
    for kind in policy.BACKFILLS
}
PIPELINE = CASES["dataloading.pipeline.input_pipeline"][0](**PLAIN["dataloading.pipeline.input_pipeline"])
CASES |= {
    "dataloading.prefetching.with_jitter": (
        lambda **given: prefetching.with_jitter(PIPELINE, **given),
        {"io_scv": 1.0, "compute_scv": 0.5},
    ),
    "films.film": (
        lambda places, begin, end: films.film(places, begin, end, [(0, 0, 1.0, 4.0, "job", "a")]),
        {"places": 2, "begin": 0.0, "end": 10.0},
    ),
    "jobs.swf.read_swf": (
        lambda most: jobs.read_swf(b"1 0 10 60 4 -1 -1 4 120 -1 1 7 1 -1 -1 -1 -1 -1", most)[["runtime", "gpus"]],
        {"most": 10},
    ),
    "fairness.allocation.allocate": shared(fairness.allocate),
    "fairness.division.divide": shared(fair_division.divide),
    "fairness.division.divide asset": shared(fair_division.divide, "asset"),
    "fairness.division.divide ceei": shared(fair_division.divide, "ceei"),
    "fairness.properties.check_properties": shared(fair_properties.check_properties),
    "fairness.allocation.jain_index": (lambda value: fairness.jain_index([value, 1.0]), {"value": 1.0}),
    "notebooks.node.run naive": node("naive", overhead=0.0, oversubscription_loss=0.1, endless=1),
    "notebooks.node.run dynamic": node("dynamic", overhead=1.0, endless=1),
    "notebooks.node.run partitioned": node("partitioned"),
    "notebooks.node.alone": (lambda cores: notebooks.alone([[CELL]], cores), {"cores": 4}),
    "notebooks.node.antt": (lambda a, b: notebooks.antt([a, 2.0], [b, 1.0]), {"a": 1.0, "b": 1.0}),
    "notebooks.node.stp": (lambda a, b: notebooks.stp([a, 2.0], [b, 1.0]), {"a": 1.0, "b": 1.0}),
    "notebooks.study.culled": (
        lambda timeout: notebook_study.culled([CELL, Cell(1, 2.0, 500.0)], timeout),
        {"timeout": 60.0},
    ),
    "notebooks.study.own_nodes": (
        lambda cores, timeout: notebook_study.own_nodes([[CELL, Cell(1, 2.0, 500.0)]], cores, timeout),
        {"cores": 4, "timeout": 60.0},
    ),
    "notebooks.study.break_even_overhead": (
        lambda **given: notebook_study.break_even_overhead([[CELL], [CELL, CELL]], **given),
        {"cores": 4, "oversubscription_loss": 0.1, "endless": 0, "highest": 60.0},
    ),
    "autoscaling.simulator.simulate_autoscaler": (
        lambda load, **given: autoscaling.simulate_autoscaler([load] * 20, "hpa", **given),
        {"load": 5.0, "start": 3, "step": 15.0, "cold_start": 30.0, "cool_down_up": 0.0, "cool_down_down": 0.0}
        | {"floor": 1, "ceiling": 20, "service_time": 0.5, "service_scv": 1.0, "latency_target": 1.0, "price": 3.0},
    ),
    "autoscaling.simulator.simulate_autoscaler threshold": (
        scaled(autoscaling_rules.Threshold),
        {"upper": 0.8, "lower": 0.5, "sync": 15.0},
    ),
    "autoscaling.simulator.simulate_autoscaler HPA": (
        scaled(autoscaling_rules.HPA),
        {"target": 0.6, "tolerance": 0.1, "sync": 15.0, "window": 30.0},
    ),
    "autoscaling.simulator.simulate_autoscaler predictive": (
        scaled(autoscaling_rules.Predictive),
        {"target": 0.6, "horizon": 300.0, "error": 0.1, "refresh": 300.0, "sync": 15.0},
    ),
    "autoscaling.simulator.simulate_autoscaler concurrency": (
        scaled(autoscaling_rules.Concurrency),
        {"target": 0.7, "stable": 60.0, "panic_share": 0.1, "threshold": 2.0, "sync": 2.0},
    ),
    "autoscaling.simulator.simulate_autoscaler growth": (
        lambda factor, added, period, past: autoscaling.simulate_autoscaler(
            [5.0] * 20, "hpa", growth=(factor, added, period), past=[past]
        ),
        {"factor": 2.0, "added": 1, "period": 60.0, "past": 1.0},
    ),
    **{
        f"autoscaling.simulator.simulate_autoscaler {kind}": (
            lambda load, kind=kind, **given: autoscaling.simulate_autoscaler(
                [load, 3.0] * 20, autoscaling_rules.Predictive(forecast=kind, **given)
            ),
            {"load": 5.0, "season": 60.0, "average": 60.0, "refresh": 15.0},
        )
        for kind in autoscaling_rules.FORECASTS[1:]
    },
    "autoscaling.fleet.latencies": (
        lambda load, replicas, **given: fleet.latencies([load], [replicas], **given),
        {"load": 5.0, "replicas": 4, "service_time": 0.5, "service_scv": 1.0},
    ),
    "autoscaling.fleet.least_replicas": (
        lambda load, **given: fleet.least_replicas([load], **given),
        {"load": 5.0, "latency_target": 1.0, "service_time": 0.5, "service_scv": 1.0},
    ),
    "autoscaling.fleet.cheapest_fleet": (
        lambda needed, cold_steps: fleet.cheapest_fleet([needed, 1, 2], cold_steps),
        {"needed": 3, "cold_steps": 2},
    ),
    "autoscaling.fleet.reservation_cost": (
        lambda load, **given: fleet.reservation_cost([load, 2.0, 5.0], **given),
        {"load": 3.0, "reserved": 2.0, "price_ratio": 0.4},
    ),
    "autoscaling.fleet.missed_requests": (
        lambda service_time: fleet.missed_requests(autoscaling.simulate_autoscaler([5.0] * 20), service_time),
        {"service_time": 0.5},
    ),
    "autoscaling.simulator.forecast_peaks": (
        lambda load, past, step: autoscaling_simulator.forecast_peaks(
            [load, 3.0], autoscaling_rules.Predictive(), step=step, past=[past]
        ),
        {"load": 5.0, "past": 2.0, "step": 15.0},
    ),
    "autoscaling.fleet.reserve": (
        lambda load, price_ratio: fleet.reserve([load, 2.0, 5.0], price_ratio),
        {"load": 3.0, "price_ratio": 0.4},
    ),
    "experiments.weekly": (
        lambda **given: experiments.weekly(
            simulator.simulate(pd.DataFrame({"submit": [0.0], "runtime": [2.0], "gpus": [2]}), 8), **given
        ),
        {"begin": 0.0, "length": 7.0},
    ),
    "experiments.wrong_choice": (
        lambda value, weeks: experiments.wrong_choice([[value, 2.0]], [[1.0, 2.0]], weeks),
        {"value": 3.0, "weeks": 1},
    ),
    "experiments.best_missed": (
        lambda value, weeks: experiments.best_missed([[[value, 2.0]], [[3.0, 1.0]]], [[1.0, 2.0]], weeks),
        {"value": 3.0, "weeks": 1},
    ),
    "experiments.take_turns": (
        lambda submit, runtime, **given: experiments.take_turns(
            pd.DataFrame({"submit": [0.0, submit], "runtime": [2.0, runtime], "gpus": [2, 1]}),
            policies=[simulator.Policy()],
            **given,
        ),
        {"submit": 1.0, "runtime": 3.0, "capacity": 2, "length": 7.0},
    ),
    **{
        f"experiments.bandit {rule}": (
            lambda mean, deviation, rule=rule, **given: experiments.bandit(
                [mean, 0.5], [deviation, 0.5], rule=rule, rng=rng(), **given
            ),
            {"mean": 0.2, "deviation": 0.5, "rounds": 20, "epsilon": 0.1, "explore": 3},
        )
        for rule in experiments.BANDITS
    },
    "forecasting.holt_winters": (
        lambda value, **given: forecasting.holt_winters([value, 2.0, 3.0, 5.0], **given),
        {"value": 1.0, "season": 2, "alpha": 0.5, "beta": 0.5, "gamma": 0.5, "horizon": 3},
    ),
    "forecasting.seasonal_naive": (
        lambda value, **given: forecasting.seasonal_naive([value, 2.0], **given),
        {"value": 1.0, "season": 2, "horizon": 3},
    ),
    "forecasting.moving_average": (
        lambda value, **given: forecasting.moving_average([value, 2.0], **given),
        {"value": 1.0, "window": 2, "horizon": 3},
    ),
    "forecasting.mape": (lambda a, f: forecasting.mape([a, 2.0], [f, 1.0]), {"a": 1.0, "f": 2.0}),
    "forecasting.rmse": (lambda a, f: forecasting.rmse([a, 2.0], [f, 1.0]), {"a": 1.0, "f": 2.0}),
    "checkpointing.interruptions.simulate_run": (
        lambda **given: interruptions.simulate_run(rng=rng(), **given),
        RUN | {"notice": 30.0},
    ),
    "checkpointing.interruptions.simulate_runs": (
        lambda **given: interruptions.simulate_runs(rng=rng(), **given),
        RUN | {"notice": 30.0, "runs": 10},
    ),
    "checkpointing.resizing.elastic_run": (
        lambda one, other, **given: resizing.elastic_run([one, other], **given),
        {
            "one": 0.5,
            "other": 0.7,
            "serial": 0.01,
            "gradient_size": 1e8,
            "bandwidth": 1e9,
            "latency": 1e-5,
            "step_time": 1.0,
            "band": 0.1,
            "restart": 1.0,
            "tick": 10.0,
            "limit": 8,
        },
    ),
    "slicing.layouts.unusable_slices": (
        lambda one, other: unusable_slices([[]], {"1g.10gb": one, "3g.40gb": other}),
        {"one": 0.25, "other": 0.75},
    ),
    "checkpointing.timeline.play_run": (
        lambda **given: timeline.play_run(rng=rng(), **given),
        RUN | {"notice": 30.0, "until": 1e6, "most": 5, "delay": 60.0, "nodes": 4},
    ),
    "checkpointing.interruptions.simulate_runtimes": (
        lambda **given: interruptions.simulate_runtimes(rng=rng(), **given),
        RUN | {"notice": 30.0, "runs": 10},
    ),
    "jobs.distributions.Lognormal": (
        lambda scale, scv: distributions.Lognormal(scale, scv).mean,
        {"scale": 1.0, "scv": 1.0},
    ),
    "jobs.distributions.Choice": (
        lambda value, weight: distributions.Choice([value, 2], [weight, 1]).mean,
        {"value": 1.0, "weight": 1.0},
    ),
    "slicing.gangs.fragmentation": (lambda free, wide: gangs.fragmentation([free, 3], wide), {"free": 2, "wide": 2}),
    "jobs.workloads.sample_jobs and jobs.workloads.offered_load": (
        drawn,
        {
            "gpus": 2,
            "runtime": 5.0,
            "arrival_rate": 1.0,
            "overestimate": 2.0,
            "users": 2,
            "capacity": 8,
            "horizon": 9.0,
        },
    ),
    "gpu_sharing.corun": (
        lambda compute, memory: gpu_sharing.corun([(compute, memory), (0.5, 1.0)]),
        {"compute": 0.5, "memory": 0.5},
    ),
    "gpu_sharing.pairings": (
        lambda compute, memory, gpus: gpu_sharing.pairings([(compute, memory), (0.5, 1.0)], gpus),
        {"compute": 0.5, "memory": 0.5, "gpus": 1},
    ),
    "cluster.log.synthetic_log": (
        lambda **given: cluster.synthetic_log(**given)[["submit", "runtime", "recorded_wait"]],
        {"seed": 1, "days": 3.0, "gpus": 1024},
    ),
    "cluster.happened.what_happened": (measured, {"submit": 0.0, "runtime": 9.0, "gpus": 2, "size": 8, "target": 60.0}),
    "cluster.calibration.calibrate": (calibrated, {"gpus": 8, "seed": 1}),
    "cluster.calibration.candidates": (lambda gpus: len(cluster.candidates(WAITING, gpus)), {"gpus": 8}),
    "cluster.change.what_if and cluster.change.changed_jobs and cluster.change.undecided": (
        changed,
        {"gpus": 8, "more": 9, "arrivals": 1.0, "estimates": 2.0, "cap": 2, "gap": 0.1, "price": 2.0, "seed": 1},
    ),
    "cluster.spec.parse_change": (
        lambda gpus: cluster.parse_change("gpus=+2", policy.Policy(), gpus),
        {"gpus": 8},
    ),
    "cluster.weeks.mean_over_weeks": (
        lambda total, number, confidence: cluster.mean_over_weeks([total] + 8 * [3.0], [number] + 8 * [2], confidence),
        {"total": 5.0, "number": 2, "confidence": 0.9},
    ),
    "cluster.weeks.effective_weeks": (
        lambda total, number: cluster_weeks.effective_weeks([total] + 8 * [3.0], [number] + 8 * [2]),
        {"total": 5.0, "number": 2},
    ),
    "metrics.jain": (lambda value: metrics.jain([value, 1.0]), {"value": 1.0}),
    "metrics.balance": (lambda value: metrics.balance([value, 1.0]), {"value": 1.0}),
    "metrics.fragmentation": (
        lambda free, chance: metrics.fragmentation([free, 3], {4: chance}),
        {"free": 2, "chance": 1.0},
    ),
    "metrics.composite": (
        lambda completed, weight, penalty: metrics.composite({"a": completed, "b": 1}, {"a": weight}, {"p": penalty}),
        {"completed": 3, "weight": 2.0, "penalty": 1.0},
    ),
    "placement.place": (
        placed,
        {"arrival": 0.0, "gpus": 2, "runtime": 5.0, "slowdown": 2.0, "nodes": 2, "per_node": 8},
    ),
    "placement.unusable": (
        lambda free, chance: placement.unusable([free, 3], {4: chance}),
        {"free": 2, "chance": 1.0},
    ),
    "queueing.priority.priority_waits": (
        lambda rate, time, scv: priority.priority_waits([rate, 0.1], [time, 1.0], [scv, 1.0]),
        {"rate": 0.1, "time": 1.0, "scv": 1.0},
    ),
    "queueing.priority.aging_waits": (
        lambda rate, time, aging, scv: priority.aging_waits([rate, 0.1], [time, 1.0], [aging, 1.0], [scv, 1.0]),
        {"rate": 0.1, "time": 1.0, "aging": 2.0, "scv": 1.0},
    ),
    "fair_queueing.serve": (
        lambda arrival, length, weight: fair_queueing.serve(
            pd.DataFrame({"flow": ["a", "b"], "arrival": [arrival, 1.0], "length": [length, 2.0]}, dtype=object),
            {"a": weight},
        )[["start", "end", "start_tag", "finish_tag"]],
        {"arrival": 0.0, "length": 1.0, "weight": 2.0},
    ),
    "queueing.response.mg1_response and queueing.response.mg1_response_of": (
        lambda rate, mean, scv, length: [
            model
            for one in response.DISCIPLINES
            for law in (distributions.Lognormal(mean, scv), distributions.Hyperexponential(mean, scv))
            for model in (
                response.mg1_response(one, rate, law),
                response.mg1_response_of(one, rate, law, length),
            )
        ],
        {"rate": 0.5, "mean": 1.0, "scv": 2.0, "length": 1.0},
    ),
    "dataloading.prefetching.simulate_prefetch": (
        lambda **given: prefetching.simulate_prefetch(rng=rng(), **given),
        {"depth": 2, "utilization": 0.8, "io_scv": 1.0, "compute_scv": 0.5, "steps": 50, "warmup": 50}
        | {"replications": 5},
    ),
    "queueing.simulation.simulate_queue": (
        lambda **given: queue_simulation.simulate_queue(rng=rng(), **given),
        {"arrival_rate": 1.0, "service_time": 0.5, "servers": 2, "service_scv": 1.0, "jobs": 100},
    ),
    "queueing.simulation.replicate_queue": (
        lambda **given: list(queue_simulation.replicate_queue(rng=rng(), **given)),
        {"arrival_rate": 1.0, "service_time": 0.5, "servers": 2, "service_scv": 1.0, "jobs": 100}
        | {"runs": 2, "warm_up": 0.25, "confidence": 0.95},
    ),
    "scheduling.saturation.saturation_load": (
        saturated,
        {"gpus": 2, "runtime": 5.0, "arrival_rate": 1.0, "capacity": 8, "count": 100},
    ),
    "scheduling.scoreboard.pooled_quantile": (
        lambda **given: scoreboard.pooled_quantile([[1.0, 2.0], [3.0]], **given),
        {"share": 0.5},
    ),
    "scheduling.scoreboard.class_table": (
        lambda **given: scoreboard.class_table(
            simulator.simulate(pd.DataFrame({"submit": [0.0], "runtime": [2.0], "gpus": [2]}), 8), **given
        ),
        {"target": 1.0, "limit": 2.0},
    ),
    "slicing.streams.random_requests": (
        lambda number, mean_stay, weight: slice_streams.random_requests(number, {"1g.10gb": weight}, mean_stay, rng()),
        {"number": 3, "mean_stay": 5.0, "weight": 1.0},
    ),
    "slicing.streams.serve": (
        lambda number, ends, gpus: slice_streams.serve([slice_streams.Request(number, "1g.10gb", ends)], gpus),
        {"number": 0, "ends": 5.0, "gpus": 2},
    ),
    "slicing.streams.most_compute": (lambda gpus: slice_streams.most_compute(["1g.10gb"], gpus), {"gpus": 2}),
    "numerics.statistics.mean_interval": (
        lambda value, confidence: statistics.mean_interval([value, 2.0, 3.0], confidence),
        {"value": 1.0, "confidence": 0.95},
    ),
    "storage.demands.egress_cost tiers": (
        lambda size, first, price: storage.egress_cost(size, [(first, price), (math.inf, 1e-11)]),
        {"size": 1e12, "first": 1e10, "price": 1e-10},
    ),
    "storage.designs.saturating_accelerators": (
        lambda accelerators: storage_design.saturating_accelerators(
            storage_design.StorageLoads(0.5, 0.1, 0.2, 0.3), accelerators
        ),
        {"accelerators": 8},
    ),
    "notebooks.think_time.ThinkTime": (
        lambda **given: think_time.ThinkTime(**given).sample(10, rng()),
        PAUSES | {"short_median": 0.5, "short_sigma": 1.35},
    ),
}
#: Modules of which the public face is asked: the validation itself, and what is inside the simulators.
MACHINERY = {
    *("constants.kinds", "jobs.fields", "notebooks.core_sharing", "numerics.checks", "numerics.roots"),
    *(f"scheduling.{name}" for name in ("backfill", "machine", "pooled", "preemption", "waiting", "workload")),
    "scheduling.quotas",
    *(f"scheduling.reservations.{name}" for name in ("compression", "conservative", "kept", "profile", "rebuilt")),
}
#: Called by models with numbers that are checked by then, or with results of other models.
INNER = {
    "films.in_lanes",  # of a schedule that a simulator made
    "cluster.replay.read_trace",  # hands its number on to jobs.swf.read_swf
    "cluster.replay.replay",  # and this to scheduling.simulate
    *(
        "autoscaling.rules.round_up",
        "jobs.distributions.as_distribution",
        "queueing.erlang.full",
        "queueing.erlang.waiting_chance",
        "queueing.erlang.waiting_chances",
    ),
    *(
        "fairness.claims.exact",
        "fairness.claims.read",
        "checkpointing.interruptions.expm1_or_inf",
        "scheduling.lanes.assign_lanes",
        "scheduling.lanes.idle_lanes",
    ),
    *(
        "notebooks.study.crowding",
        "notebooks.study.notebooks_that_fit",
        "dataloading.prefetching.shallowest",
        "dataloading.prefetching.timeline",
    ),
    *(
        "dataloading.prefetching.simulate_depths",
        "slicing.streams.best_fit",
        "slicing.streams.first_fit",
        "slicing.layouts.bits",
    ),
    *("slicing.layouts.occupied", "slicing.layouts.stranded", "jobs.sacct.read_sacct"),
    *("cluster.report.report", "cluster.report.to_text", "cluster.weeks.week_of"),  # of results
    *(f"cluster.weeks.{name}" for name in ("half_width", "of_weeks", "over_weeks", "weekly_sums")),
    *(f"cluster.say.{name}" for name in ("counted", "number", "share", "time", "together")),
    *(f"cluster.{name}" for name in ("explain.change_sentences", "explain.sentences", "explain.worth")),
    *(f"cluster.{name}" for name in ("steps.idle_while_waiting", "theory.intervals", "theory.measured")),
}


def no_number(result) -> bool:
    """Whether NaN is anywhere in a result."""
    if isinstance(result, dict):
        return any(map(no_number, result.values()))
    if isinstance(result, list | tuple):
        return any(map(no_number, result))
    if isinstance(result, pd.DataFrame):
        return bool(result.isna().any(axis=None))
    if isinstance(result, np.ndarray):
        return bool(np.isnan(result).any()) if result.dtype.kind == "f" else False
    if dataclasses.is_dataclass(result):
        return any(no_number(getattr(result, field.name)) for field in dataclasses.fields(result))
    return isinstance(result, float) and math.isnan(result)


@pytest.mark.parametrize("name", CASES)
def test_an_absurd_number_gets_a_limit_or_one_sentence(name):
    model, base = CASES[name]
    assert not no_number(model(**base))
    for argument in base:
        for value in ABSURD:
            try:
                result = model(**base | {argument: value})
            except ValueError as refusal:
                sentence = str(refusal)
                assert re.search("must |is needed|^no ", sentence), f"{argument} = {value!r}: {sentence}"
                assert "\n" not in sentence
            else:
                assert not no_number(result), f"{argument} = {value!r} gives NaN"


def test_every_model_that_takes_a_number_is_asked():
    asked = {word for name in CASES for word in name.split()} | INNER
    for module, members in MODULES.items():
        if module in MACHINERY:
            continue
        for name, function in vars(members).items():
            if name.startswith("_") or not inspect.isfunction(function) or function.__module__ != members.__name__:
                continue
            kinds = {str(one.annotation) for one in inspect.signature(function).parameters.values()}
            if any("int" in kind or "float" in kind for kind in kinds):
                assert f"{module}.{name}" in asked, f"{module}.{name}"
