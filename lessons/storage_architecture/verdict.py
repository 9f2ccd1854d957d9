"""Storage architecture: what binds, the smallest changes that fix it, and the challenge."""

import math
from collections.abc import Sequence
from dataclasses import replace

from lessons.storage_architecture import local
from lessons.storage_architecture.settings import (
    FILE_SYSTEM,
    LOCAL_DRIVES,
    OBJECT_STORE,
    ORGANIZATIONS,
    SIZE_OF,
    Design,
)
from physics import constants as k
from physics.storage import metadata_capacity
from physics.storage.designs import fewest_metadata_servers
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.knobs import remedies as search
from ui.knobs.declared import default_of, knobs_of, quantities

#: Knobs of what is bought or spread, as against how the dataset is cut.
HARDWARE = ("directory_spread", "storage_nodes", "metadata_servers", "prefixes", "connections", "local_drives")


def verdict(design: Design) -> Verdict:
    """Name the bottleneck."""
    loads, name = design.loads, design.loads.binding
    if design.good is None:
        name, load = loads.queued, getattr(loads, loads.queued)
        return Verdict(
            f"All reads get through, but queues build up: the load of {name} is {load_words(load)}, and from "
            f"{f.share(k.STORAGE_QUEUE_LOAD)} on there is little room. At one server with random arrivals a "
            f"request would take {f.times(1 / (1 - load), 3)} its service time."
        )
    if design.holds:
        return Verdict(f"Every limit holds. The highest load is that of {name}, {load_words(loads.highest)}.", True)
    what, are = {
        "bandwidth": ("Bandwidth", "is"),
        "metadata": ("The metadata servers", "are"),
        "requests": ("The prefixes", "are"),
        "connections": ("The connections", "are"),
        "drives": ("The local drives", "are"),
        "space": ("The space on the local drives", "is"),
    }[name]
    through = (
        "On average all reads just get through, and their queue grows without limit."
        if loads.highest == 1
        else f"Only {f.share(loads.achieved)} of the reads {'find their data' if name == 'space' else 'get through'}."
    )
    if name == "space":
        return Verdict(f"{what} is too small: {_shortfall(design)}. {through}", False)
    state = f"{are} {'saturated' if loads.highest == 1 else 'overloaded'}"
    return Verdict(f"{what} {state}: {_shortfall(design)}. {through}", False)


def _shortfall(design: Design) -> str:
    """Say of the binding limit what is asked and what there is."""
    name = design.loads.binding
    if name == "metadata":
        worth = f.significant(design.operations / design.server_rate, 2)
        uneven = design.metadata_servers > 1 and design.directory_spread < 1
        return (
            f"{f.rounded(design.operations, 3)} operations/s are the work of {worth} "
            f"{'server' if worth == '1' else 'servers'} of {f.significant(design.server_rate)}, and there "
            f"{_are(design.metadata_servers)} {f.significant(design.metadata_servers)}"
        ) + (f", of which the busiest carries {f.share(busiest(design))}" if uneven else "")
    if name == "bandwidth":
        return f"{gb(design.rate)} are asked of {gb(design.bandwidth)}"
    if name == "requests":
        return (
            f"{f.rounded(design.plan.requests_per_second, 3)} GETs/s need "
            f"{f.count(design.plan.prefixes, 'prefix', 'prefixes')} of {f.significant(k.OBJECT_PREFIX_RATE)}, and "
            f"there {_are(design.prefixes)} {f.significant(design.prefixes)}"
        )
    if name == "drives":
        return (
            f"{f.data_rate(design.node_demand)} a node are asked of {f.data_rate(design.node_rate)}, "
            f"{f.count(design.local_drives, 'drive')} that "
            f"{'reads' if design.local_drives == 1 else 'read'} {f.data(design.file_size)} at a time"
        )
    if name == "space":
        return (
            f"{f.data(design.copy.part)} of data are to lie on each GPU node, whose "
            f"{f.count(design.local_drives, 'drive')} {'holds' if design.local_drives == 1 else 'hold'} "
            f"{f.data(design.node_space)}, a load of {load_words(design.loads.space)}"
        )
    return (
        f"each GPU must keep {f.significant(design.plan.connections_per_accelerator)} GETs in flight and has "
        f"{f.count(design.connections, 'connection')}, a load of {load_words(design.loads.connections)}"
    )


def derived_words(design: Design) -> str:
    """Say at how many GPUs each limit in use saturates."""
    if design.local:
        at = fleet_words(design.node_rate / design.demand)
        return f"A node's drives are saturated by {at} in it; {local.fits_words(design)}."
    parts = []
    for name in design.used:
        at = design.saturates_at[name]
        where = fleet_words(at)
        if name == "connections":
            where = "no number of GPUs" if math.isinf(at) else "any number of GPUs"
        parts.append(f"{name} at {where}")
    return f"Saturated: {'; '.join(parts)}."


# --- what would fix it ----------------------------------------------------------------------------------------------
def remedies(design: Design) -> str:
    """List every single knob that lets all reads through, each moved no further than needed; else two knobs."""
    if design.holds:
        return ""
    aim = "keeps every load below 100 %" if design.loads.highest == 1 else "lets all reads through"
    found = singles(design)
    others = [other for other in _others(design) if other.holds]
    words = [change.words for change in found] + [organized(other) for other in others if not other.local]
    if not {change.name for change in found} & set(HARDWARE) and (pair := _two(design, HARDWARE)):
        words.append(" together with ".join(change.words for change in pair))
    if words:
        start = "Any one of these" if len(words) > 1 else "This"
        also = "".join(f" So does {organized(other)}." for other in others if other.local)
        return f"{_ceiling(design)}{start} {aim}: {'; '.join(words)}.{also}"
    if others:
        return f"{_ceiling(design)}This {aim}: {organized(others[0])}."
    none = f"{_ceiling(design)}For this fleet and demand no single knob {aim}"
    for other in _others(design):
        if alone := singles(other):
            return f"{none}; {organized(other)} together with {alone[0].words} do."
    if pair := _two(design, _knobs(design)):
        return f"{none}; {' together with '.join(change.words for change in pair)} do."
    return f"{none}, nor do two."


def singles(design: Design) -> list[search.Change]:
    """Every knob of the present organization that alone lets all reads through, moved no further than needed."""
    return _found(design, _knobs(design))


def _found(design: Design, names: Sequence[str]) -> list[search.Change]:
    """Search the knobs whose best value lets all reads through: no other value of the others does."""
    mending = [name for name in names if _at_best(design, name).holds]
    return search.remedies(design, _holds, mending) if mending else []


def _two(design: Design, names: Sequence[str]) -> tuple[search.Change, search.Change] | None:
    """Find two knobs that let all reads through together: one moved all the way, the other as needed, then back."""
    names = [name for name in names if name in _knobs(design)]
    for name in names:
        best = _at_best(design, name)
        for change in _found(best, [other for other in names if other != name]):
            if first := _found(replace(design, **{change.name: change.value}), [name]):
                return first[0], change
    return None


def _knobs(design: Design) -> tuple[str, ...]:
    """Knobs of the present organization; fleet and demand are the task and stay."""
    size = SIZE_OF[design.organization]
    others = LOCAL_DRIVES if design.local else OBJECT_STORE if design.from_objects else FILE_SYSTEM
    return (size, *(name for name in others if name != size))


def _at_best(design: Design, name: str) -> Design:
    """The design with one knob at that end of its range where the load is lower: every load is monotone in it."""
    values = knobs_of(Design)[name].values(quantities(design))
    ends = [replace(design, **{name: value}) for value in (values[0], values[-1])]
    return min(ends, key=lambda one: one.loads.highest)


def _others(design: Design) -> list[Design]:
    """The same design with its dataset organized otherwise."""
    return [replace(design, organization=other) for other in ORGANIZATIONS if other != design.organization]


def organized(design: Design) -> str:
    if design.local:
        what = "all of the data" if design.whole else "its share"
        return f"a copy of {what} on each GPU node's own drives, which takes {f.duration(design.copy.time)} first"
    return {
        "files": f"a file a sample, {f.data(design.file_size)} each",
        "shards": f"shards of {f.data(design.shard_size)}",
        "objects": f"an object store with GETs of {f.data(design.request_size)}",
    }[design.organization]


def _ceiling(design: Design) -> str:
    """Say where more metadata servers come to an end."""
    if design.loads.binding != "metadata":
        return ""
    servers = fewest_metadata_servers(design.operations, design.directory_spread, design.server_rate)
    if servers is None:
        stay = f.share(1 - design.directory_spread)
        return f"No number of metadata servers would do: {stay} of the operations stay on the first one. "
    if servers > k.METADATA_SERVERS_MOST:
        return (
            f"More metadata servers alone would have to be {f.significant(servers)}, more than the "
            f"{f.significant(k.METADATA_SERVERS_MOST)} that the Lustre manual lists for one file system. "
        )
    return ""


def _holds(design: Design) -> bool:
    return design.holds


# --- the challenge ---------------------------------------------------------------------------------------------------
#: What machines and protocols bring along: knobs of the lesson, not of the design that is judged.
GIVEN = ("server_rate", "operations_per_file", "first_byte", "connection_bandwidth")


def task() -> str:
    """What the challenge asks for."""
    return (
        f"Bring every load below {f.share(k.STORAGE_CHALLENGE_LOAD)} at {f.significant(k.STORAGE_CHALLENGE_FLEET)} "
        f"GPUs of {f.data_rate(k.STORAGE_DEMAND)} each, for at most {f.money(k.STORAGE_CHALLENGE_BUDGET)} in 30 days. "
        f"A storage node costs {f.money(k.STORAGE_NODE_PRICE)} and a metadata server "
        f"{f.money(k.METADATA_SERVER_PRICE)}, used or not; request fees count. With local drives, "
        f"{f.money(k.LOCAL_DRIVE_PRICE)} for each in use, storage nodes of {f.data(k.STORAGE_NODE_CAPACITY)} must hold "
        f"{f.data(k.STORAGE_DATA)} to copy from, and each GPU-hour that waits for the copy costs "
        f"{f.money(k.GPU_HOUR_NEAR)}. The speed of servers and connections and the operations for a file are given."
    )


def challenged(design: Design) -> Design:
    """The design as it is, with the challenge's GPUs, demand, data and prices, and all that nobody designs."""
    return replace(
        design,
        accelerators=int(k.STORAGE_CHALLENGE_FLEET),
        demand=float(k.STORAGE_DEMAND),
        data=float(k.STORAGE_DATA),
        node_capacity=float(k.STORAGE_NODE_CAPACITY),
        price_near=float(k.GPU_HOUR_NEAR),
        **{name: default_of(Design, name) for name in GIVEN},
    )


def judge(design: Design) -> Verdict:
    """Say what still fails, or else what was reached."""
    scaled, goal = challenged(design), f.share(k.STORAGE_CHALLENGE_LOAD)
    conditions = {}
    for name in scaled.used:
        load = getattr(scaled.loads, name)
        holds = load < k.STORAGE_CHALLENGE_LOAD
        is_below = f"is {'' if holds else 'not '}below {goal}"
        conditions[f"the load of {name}, {_apart(load, k.STORAGE_CHALLENGE_LOAD)}, {is_below}"] = holds
    if scaled.local:
        held = scaled.capacity >= scaled.data
        kept = f"hold {f.data(scaled.data)}" if held else f"cannot hold {f.data(scaled.data)}"
        conditions[f"{f.count(scaled.storage_nodes, 'storage node')} {kept} to copy from"] = held
    waiting = local.waiting_cost(scaled)
    cost, budget = scaled.hardware + scaled.fees + waiting, f.money(k.STORAGE_CHALLENGE_BUDGET)
    within, spent = cost <= k.STORAGE_CHALLENGE_BUDGET, local.dollars(cost, float(k.STORAGE_CHALLENGE_BUDGET))
    fees = f"{local.dollars(scaled.fees)} of it for requests" if scaled.from_objects else "all of it for hardware"
    if scaled.local:
        fees = f"{local.dollars(waiting)} of it for GPUs that wait for the copy"
    conditions[f"the cost of {spent}, {fees}, {'is within' if within else 'exceeds'} {budget}"] = within
    won = all(conditions.values())
    said = "; ".join([words for words, holds in conditions.items() if not holds] or conditions)
    return Verdict(f"**{'Won' if won else 'Not yet'} at {_size(scaled)}.** {said[0].upper()}{said[1:]}.", won)


def _apart(load: float, limit: float) -> str:
    """Write a load so that it looks like a limit only where it is at that limit."""
    digits = 3
    while digits < 12 and load != limit and load_words(load, digits) == load_words(limit):
        digits += 1
    return load_words(load, digits)


def _size(design: Design) -> str:
    return f.count(design.accelerators, "GPU")


# --- words -----------------------------------------------------------------------------------------------------------
def load_words(load: float, digits: int = 3) -> str:
    """Write a load as percent of the capacity: the one notation of this lesson, however far beyond it is.

    >>> load_words(0.244), load_words(4.9152), load_words(314.6)
    ('24.4 %', '492 %', '31,500 %')
    """
    return f.share(load, digits) if load < 10 else f"{f.rounded(100 * load, digits)} %"


def fleet_words(at: float) -> str:
    """Write the smallest number of GPUs at which a limit is saturated.

    >>> fleet_words(833.33), fleet_words(16_800.000000000004), fleet_words(0.2), fleet_words(5.3e7)
    ('834 GPUs', '16,800 GPUs', '1 GPU', 'more than a million GPUs')
    """
    return f.count(max(1, math.ceil(at * (1 - 1e-12))), "GPU") if at <= 1e6 else "more than a million GPUs"


def busiest(design: Design) -> float:
    """Share of the metadata operations that the busiest server carries."""
    return design.server_rate / metadata_capacity(design.metadata_servers, design.directory_spread, design.server_rate)


def gb(rate: float) -> str:
    """Write a data rate in GB/s, so that what is asked and what is there can be compared.

    >>> gb(327.68e9), gb(1344e9)
    ('328 GB/s', '1,344 GB/s')
    """
    return f"{f.significant(rate / k.GB)} GB/s"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
