"""Storage architecture: its numbers in words."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from lessons.storage_architecture import capacity, crowd, local
from lessons.storage_architecture.settings import MONTH, Design
from lessons.storage_architecture.verdict import busiest, fleet_words, gb, judge, load_words
from physics import constants as k
from physics.storage import checkpoint_write, egress_cost, metadata_rate, node_local_bandwidth
from physics.storage.designs import fewest_metadata_servers
from ui.base import format as f
from ui.base.lesson import Metric, Result


# --- metrics ---
def metrics(design: Design) -> list[Metric]:
    """The four headline numbers."""
    loads, plan = design.loads, design.plan
    through = (
        "all reads get through"
        if design.good
        else "queues build up"
        if design.holds
        else f"{loads.binding} {'binds' if loads.binding in ('bandwidth', 'metadata', 'space') else 'bind'}"
    )
    if design.from_objects:
        needed = f.count(plan.prefixes, "prefix", "prefixes")
        notes = {
            "requests": f"{needed} needed, {f.significant(design.prefixes)} there",
            "connections": f"{f.significant(plan.connections_per_accelerator)} in flight a GPU of "
            f"{f.significant(design.connections)}",
        }
        affordable = design.fees <= k.STORAGE_CHALLENGE_BUDGET
        hourly = f"{local.dollars(plan.cost_per_hour)} an hour"
        last = Metric(
            "Request fees in 30 days", local.dollars(design.fees, float(k.STORAGE_CHALLENGE_BUDGET)), hourly, affordable
        )
    elif design.local:
        notes = {
            "drives": f"{f.data_rate(design.node_demand)} a node of {f.data_rate(design.node_rate)}",
            "space": f"{f.data(design.copy.part)} a node of {f.data(design.node_space)}",
        }
        fits = loads.space <= 1
        note = f"{f.rounded(design.waiting, 3)} GPU-hours of waiting" if fits else "does not fit on the drives"
        last = Metric("Copy before reading", f.duration(design.copy.time), note, None if fits else False)
    else:
        at = min(design.saturates_at[name] for name in design.used)
        notes = {
            "bandwidth": f"{gb(design.rate)} of {gb(design.bandwidth)}",
            "metadata": f"{f.rounded(design.operations, 3)}/s of {f.significant(design.sustained)}/s",
        }
        last = Metric("First saturates at", fleet_words(at), f"{loads.binding} first", at > design.accelerators)
    return [
        Metric("Achieved", f.share(loads.achieved), through, design.good),
        *(
            Metric(f"Load of {name}", load_words(load), note, load <= 1 if name == "space" else _room(load))
            for name, note in notes.items()
            for load in [getattr(loads, name)]
        ),
        last,
    ]


def _room(load: float) -> bool | None:
    """True where a limit has room, None where queues build up, False where it is saturated."""
    return None if k.STORAGE_QUEUE_LOAD <= load < 1 else load < 1


def results(design: Design) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    loads, won = design.loads, bool(judge(design).good)
    return [
        Result("Achieved", loads.achieved, f.share(loads.achieved)),
        *(Result(f"Load of {name}", load, load_words(load)) for name, load in vars(loads).items()),
        *([Result("Copy", design.copy.time, f.duration(design.copy.time))] if design.local else []),
        Result("Request fees in 30 days", design.fees, f.money(design.fees)),
        Result("Challenge", float(won), "won" if won else "not yet"),
    ]


# --- the other views ---
def checkpoint_words(design: Design) -> str:
    """What a checkpoint does to the reads."""
    burst, size = design.burst, design.parameters * k.STORAGE_CHECKPOINT_BYTES
    alone = checkpoint_write(design.parameters, design.bandwidth * design.write_speed)
    start = (
        f"A checkpoint of {f.data(size)} takes {f.duration(burst.duration)} at {f.share(design.write_share)} of the "
        f"{gb(design.bandwidth)} ({f.duration(alone)} with all of it)."
    )
    if design.apart:
        where = "the GPU nodes' own drives" if design.local else "the object store"
        reads = f" Reads come from {where} and do not notice."
    elif burst.read_share == 1:
        reads = f" What is left, {gb((1 - design.write_share) * design.bandwidth)}, is enough for all reads."
    elif burst.read_share * design.loads.metadata == 1:
        reads = (
            f" It takes nothing from the reads: the metadata servers let {f.share(burst.read_share)} of them through "
            "during a checkpoint, and never more."
        )
    else:
        reads = (
            f" Meanwhile the nodes carry {f.share(burst.read_share)} of the reads, and on average over the interval "
            f"{f.share(burst.mean_read_share)}."
        )
    if not burst.finishes:
        reads += (
            f" It is not finished when the next one is due after {f.duration(design.interval)}: the burst never ends."
        )
    return start + reads


def write_words(design: Design) -> str:
    """How fast writes are taken to be."""
    if design.write_speed == 1:
        return (
            "Writes are taken to be as fast as reads; file servers usually write more slowly, so this is the best case."
        )
    return f"Writes are taken to run at {f.share(design.write_speed)} of the rate of reads."


def distance_words(design: Design) -> str:
    """What moving costs, what running costs, and when moving the data pays."""
    choice = design.relocation
    run, even = f.duration(design.hours * k.HOUR), choice.break_even_hours
    text = (
        f"Moving {f.data(design.dataset)} costs {f.money(choice.transfer_cost)} at a flat "
        f"{f.money(design.egress_price * k.GB)}/GB ({f.money(egress_cost(design.dataset))} by the published tiers) and "
        f"takes {f.duration(choice.transfer_time)}. {f.count(design.job_gpus, 'GPU')} for {run} cost "
        f"{f.money(choice.cost_moving_job)} next to the data and "
        f"{f.money(choice.cost_moving_data - choice.transfer_cost)} far away."
    )
    if choice.transfer_cost == 0 and design.price_far == design.price_near:
        return f"{text} Moving is free and the prices are equal: both ways cost the same, however long the run."
    if even == 0:
        return f"{text} Moving is free and the far place is cheaper, so moving the data pays for every run."
    if math.isinf(even):
        return f"{text} The far place is not cheaper, so moving the data never pays, however long the run."
    pays = "moving the data is cheaper" if choice.moving_data_pays else "moving the job is not dearer"
    return f"{text} Both ways cost the same for a run of {f.duration(even * k.HOUR)}: at your {run} {pays}."


def local_words(design: Design) -> str:
    """What local drives are asked for and their copy, or that the dataset is not copied to them."""
    if design.local:
        return f"{local.drives_words(design)} {local.copy_words(design)}"
    other = replace(design, organization="local")
    drives = local.drives_words(other)
    return f"Were the dataset copied to local drives: {drives[0].lower()}{drives[1:]} {local.copy_words(other)}"


# --- numbers for the words ---
@lru_cache(maxsize=1)
def fixed_values() -> dict[str, str]:
    """Numbers of the message's own design and of its alternatives, whatever the knobs say."""
    cto, small = Design(), Design(file_size=62.5e3)
    shards = Design(organization="shards")
    tiny, ranges = (Design(organization="objects", request_size=size) for size in (62.5e3, 8e6))
    copied = Design(organization="local")
    move = cto.relocation
    files_each = metadata_rate(1, cto.demand, cto.file_size, 1)
    return {
        "cto_need": gb(cto.rate),
        "cto_bandwidth": gb(cto.bandwidth),
        "cto_bandwidth_load": f.share(cto.loads.bandwidth),
        "cto_bandwidth_full": fleet_words(cto.saturates_at["bandwidth"]),
        "cto_metadata_full": fleet_words(cto.saturates_at["metadata"]),
        "cto_about": f.rounded(cto.operations, 3),
        "cto_operations": f.significant(cto.operations),
        "cto_servers": f.significant(cto.operations / cto.server_rate, 2),
        "cto_servers_whole": f.significant(fewest_metadata_servers(cto.operations) or 0),
        "cto_achieved": f.share(cto.loads.achieved),
        "server_rate": f.significant(k.METADATA_SERVER_RATE),
        "twice_bandwidth_load": f.share(replace(cto, storage_nodes=96).loads.bandwidth),
        "files_each": f.significant(files_each),
        "latency_share": f.share(files_each * 1e-3),
        "small_operations": f"{f.significant(small.operations / 1e6)} million",
        "small_servers": f.significant(math.ceil(small.operations / small.server_rate)),
        "shard_operations": f.significant(shards.operations),
        "tiny_prefixes": f.significant(tiny.plan.prefixes),
        "tiny_in_flight": f.significant(tiny.plan.connections_per_accelerator),
        "range_prefixes": f.significant(ranges.plan.prefixes),
        "range_in_flight": f.significant(ranges.plan.connections_per_accelerator, 2),
        "prefix_rate": f.significant(k.OBJECT_PREFIX_RATE),
        "local_bandwidth": gb(node_local_bandwidth(cto.accelerators)),
        "local_nodes": f.significant(cto.accelerators / 8),
        "copy_time": f.duration(copied.copy.time),
        "copy_bytes": f.duration(copied.copy.carrying),
        "whole_share": f.share(replace(copied, local_copy="whole").loads.achieved),
        "crowd_mean": f.significant(cto.jobs * cto.crowd_write / cto.crowd_interval, 2),
        "crowd_over": f.share(crowd.over(cto), 2),
        "crowd_most": f.significant(cto.jobs),
        "capacity_now": f"{f.significant(cto.capacity / k.TB)} TB",
        "capacity_data": f.data(cto.data),
        "capacity_rate": f.share((cto.capacity / cto.data) ** (1 / k.STORAGE_YEARS) - 1),
        "move_flat": f.money(move.transfer_cost),
        "move_tiers": f.money(egress_cost(cto.dataset)),
        "move_run": f.money(move.cost_moving_job),
        "move_hours": f.duration(move.break_even_hours * k.HOUR),
        "move_difference": f.money(cto.price_near - cto.price_far),
    }


def live_values(design: Design) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    plan, loads = design.plan, design.loads
    files = replace(design, organization="files") if design.apart else design
    return fixed_values() | {
        "gpus": f.count(design.accelerators, "GPU"),
        "demand": f.data_rate(design.demand),
        "rate": gb(design.rate),
        "unit": f.data(files.unit_size),
        "unit_name": {"files": "files", "shards": "shards"}[files.organization],
        "per_file": f.count(design.operations_per_file, "operation"),
        "operations": f.rounded(files.operations, 3),
        "capacity": f.significant(design.sustained),
        "metadata_load": load_words(files.loads.metadata) + (" if they were read from there" if design.apart else ""),
        "busiest": f.share(busiest(design)),
        "spread_limit": (
            "has no limit"
            if design.directory_spread == 1
            else f"ends at {f.significant(design.server_rate / (1 - design.directory_spread))} operations/s"
        ),
        "request_size": f.data(design.request_size),
        "request_rate": f.rounded(plan.requests_per_second, 3),
        "prefixes": f.count(plan.prefixes, "prefix", "prefixes"),
        "request_time": f.duration(plan.request_time),
        "in_flight": f.significant(plan.connections_per_accelerator),
        "least_in_flight": f.significant(design.demand / design.connection_bandwidth),
        "fees": local.dollars(plan.cost_per_hour * MONTH / k.HOUR),
        "binding": loads.binding,
        "highest": load_words(loads.highest),
        "achieved": f.share(loads.achieved),
        "checkpoint_words": checkpoint_words(design),
        "distance_words": distance_words(design),
        "write_words": write_words(design),
        "crowd_words": crowd.words(design),
        "capacity_words": capacity.words(design),
        "local_words": local_words(design),
    }
