"""Storage architecture: what binds, the smallest change that mends it, and the challenge."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from lessons.storage_architecture.settings import FILE_MB, ORGANIZATIONS, REQUEST_MB, SHARD_MB, Design
from physics import constants as k
from physics.storage import metadata_capacity
from physics.storage.designs import fewest_metadata_servers, fewest_units
from ui.base import format as f
from ui.base.words import fill


def shortfall(design: Design) -> str:
    """Say of the binding limit what is asked and what there is."""
    name, load = design.loads.binding, design.loads
    if name == "metadata":
        return (
            f"{f.significant(design.operations)} operations/s are the work of {servers_worth(design)} of "
            f"{f.significant(design.server_rate)}, and there {_are(design.metadata_servers)} "
            f"{f.significant(design.metadata_servers)}"
            + (
                f", of which the busiest carries {f.share(busiest(design))}"
                if design.metadata_servers > 1 and design.directory_spread < 1
                else ""
            )
        )
    if name == "bandwidth":
        return f"{gb(design.rate)} are asked of {gb(design.bandwidth)}"
    if name == "requests":
        return (
            f"{f.significant(design.plan.requests_per_second)} GETs/s need {_prefixes(design.plan.prefixes)} of "
            f"{f.significant(k.OBJECT_PREFIX_RATE)}, and there {_are(design.prefixes)} {f.significant(design.prefixes)}"
        )
    return (
        f"each GPU must keep {f.significant(design.plan.connections_per_accelerator)} GETs in flight and has "
        f"{f.count(design.connections, 'connection')}, a load of {load_words(load.connections)}"
    )


def servers_worth(design: Design) -> str:
    """How many metadata servers the operations keep busy."""
    number = f.significant(design.operations / design.server_rate, 2)
    return f"{number} {'server' if number == '1' else 'servers'}"


def cures(design: Design) -> list[str]:
    """Single-knob changes after which every limit is below saturation, each the smallest its knob allows."""
    return [words for change, words in _changes(design) if replace(design, **change).holds]


def remedy(design: Design) -> str:
    """What mends the design: any one of several changes, or all of several."""
    found, own = cures(design), _own_changes(design)
    together: dict[str, object] = {}
    for change, _ in own:
        together |= change
    if len(own) > 1 and replace(design, **together).holds:
        found.append(" together with ".join(words for _, words in own))
    if found:
        return f"{'Any one of these lets' if len(found) > 1 else 'This lets'} all reads through: {'; '.join(found)}."
    return f"For this fleet and demand no single knob lets all reads through{_two(design)}."


#: Knobs of each organization beside its hardware: values in the order of the cure, and words for one.
_FILES = (
    ("metadata_servers", range(1, int(k.METADATA_SERVERS.high) + 1), lambda v: f.count(v, "metadata server")),
    ("storage_nodes", range(1, int(k.STORAGE_NODES.high) + 1), lambda v: f.count(v, "storage node")),
    ("directory_spread", [step * 5 / 100 for step in range(21)], lambda v: f"directories spread to {f.share(v)}"),
    ("operations_per_file", [step / 2 for step in range(20, 1, -1)], lambda v: f.count(v, "operation") + " per file"),
    ("server_rate", range(15_000, 200_001, 1000), lambda v: f"servers of {f.significant(v)} operations/s"),
)
_KNOBS = {
    "files": (("file_size", [s * 1e6 for s in FILE_MB], lambda v: f"files of {f.data(v)}"), *_FILES),
    "shards": (("shard_size", [s * 1e6 for s in SHARD_MB], lambda v: f"shards of {f.data(v)}"), *_FILES),
    "objects": (
        ("request_size", [s * 1e6 for s in REQUEST_MB], lambda v: f"ranges of {f.data(v)}"),
        ("prefixes", range(1, int(k.OBJECT_PREFIXES.high) + 1), lambda v: _prefixes(v)),
        ("connections", range(1, int(k.OBJECT_CONNECTIONS.high) + 1), lambda v: f"{f.count(v, 'connection')} a GPU"),
        ("first_byte", [step * 5e-3 for step in range(40, 19, -1)], lambda v: f"a first byte after {f.duration(v)}"),
        (
            "connection_bandwidth",
            [(170 + step) * 5e5 for step in range(11)],
            lambda v: f"{f.data_rate(v)} each",
        ),
    ),
}


def singles(design: Design) -> list[tuple[str, float, str]]:
    """Every knob of the present organization that lets all reads through alone: its least value, in words."""
    found = []
    for name, values, words in _KNOBS[design.organization]:
        value = _least(design, name, values)
        if value is not None:
            found.append((name, value, words(value)))
    return found


def _least(design: Design, name: str, values: Sequence[float]) -> float | None:
    """First of the values, from bad to good, with which every limit holds; loads fall from each to the next."""
    if not replace(design, **{name: values[-1]}).holds:
        return None
    return values[bisect_left(values, True, key=lambda value: replace(design, **{name: value}).holds)]


def _two(design: Design) -> str:
    """Two knobs that let all reads through together, in words, or that none do."""
    for other in ORGANIZATIONS:
        if other != design.organization:
            for _, _, words in singles(replace(design, organization=other)):
                return f"; {_organized(replace(design, organization=other))} together with {words} do"
    for name, values, words in _KNOBS[design.organization]:
        for second, value, said in singles(replace(design, **{name: values[-1]})):
            first = _least(replace(design, **{second: value}), name, values)
            return f"; {words(first)} together with {said} do"
    return ", nor do two"


def _organized(design: Design) -> str:
    return {
        "files": f"a file a sample, {f.data(design.file_size)} each,",
        "shards": f"shards of {f.data(design.shard_size)}",
        "objects": f"an object store with GETs of {f.data(design.request_size)}",
    }[design.organization]


def _changes(design: Design) -> list[tuple[dict[str, object], str]]:
    """Candidates: more of what is short, larger reads, another organization."""
    found = _own_changes(design)
    if not found and design.loads.metadata >= 1:
        servers = fewest_metadata_servers(design.operations, 1.0, design.server_rate) or 0
        change = {"metadata_servers": servers, "directory_spread": 1.0}
        if servers <= k.METADATA_SERVERS.high:
            found.append((change, f"{f.count(servers, 'metadata server')} with all directories spread"))
    if size := _smallest_size(design):
        knob, size, noun = size
        found.append(({knob: size}, f"{noun} of {f.data(size)}"))
    for other in ORGANIZATIONS:
        if other != design.organization:
            found.append(({"organization": other}, _organized(replace(design, organization=other)).rstrip(",")))
    known = {name for change, _ in found for name in change}
    found += [({name: value}, words) for name, value, words in singles(design) if name not in known]
    return found


def _own_changes(design: Design) -> list[tuple[dict[str, object], str]]:
    """For each overloaded limit the least of its own hardware, if its knob reaches that far."""
    found: list[tuple[dict[str, object], str]] = []
    loads = design.loads
    if loads.metadata >= 1:
        servers = fewest_metadata_servers(design.operations, design.directory_spread, design.server_rate)
        if servers is not None and servers <= k.METADATA_SERVERS.high:
            found.append(({"metadata_servers": servers}, f.count(servers, "metadata server")))
        elif (spread := _least_spread(design)) is not None:
            found.append(({"directory_spread": spread}, f"directories spread to {f.share(spread)}"))
    if loads.bandwidth >= 1:
        nodes = fewest_units(loads.bandwidth, design.storage_nodes)
        if nodes <= k.STORAGE_NODES.high:
            found.append(({"storage_nodes": nodes}, f.count(nodes, "storage node")))
    if loads.requests >= 1:
        prefixes = fewest_units(loads.requests, design.prefixes)
        if prefixes <= k.OBJECT_PREFIXES.high:
            found.append(({"prefixes": prefixes}, _prefixes(prefixes)))
    if loads.connections >= 1:
        connections = fewest_units(loads.connections, design.connections)
        if connections <= k.OBJECT_CONNECTIONS.high:
            found.append(({"connections": connections}, f"{f.count(connections, 'connection')} a GPU"))
    return found


def _least_spread(design: Design) -> float | None:
    """Least spread, in steps of 5 %, with which the present servers suffice."""
    for step in range(21):
        spread = step * 5 / 100
        if spread > design.directory_spread and replace(design, directory_spread=spread).loads.metadata < 1:
            return spread
    return None


def _smallest_size(design: Design) -> tuple[str, float, str] | None:
    """Smallest larger read on its knob that brings every limit below saturation."""
    knob, sizes, noun = {
        "files": ("file_size", FILE_MB, "files"),
        "shards": ("shard_size", SHARD_MB, "shards"),
        "objects": ("request_size", REQUEST_MB, "ranges"),
    }[design.organization]
    for size in sizes:
        if size * k.MB > design.unit_size and replace(design, **{knob: float(size * k.MB)}).holds:
            return knob, float(size * k.MB), noun
    return None


def verdict(design: Design) -> str:
    """One or two sentences: what binds, and the smallest change that mends it."""
    loads, name = design.loads, design.loads.binding
    if design.holds:
        at = design.saturates_at[name]
        room = f"it saturates at {fleet_words(at)}" if math.isfinite(at) else "at any number of GPUs"
        if design.good is None:
            return (
                f"All reads get through, but queues build up: the load of {name} is "
                f"{load_words(loads.highest)}, where {f.share(k.STORAGE_QUEUE_LOAD)} is the most that leaves room. At "
                f"one server with random arrivals a request would take {f.times(1 / (1 - loads.highest), 3)} its "
                f"service time. The fleet can hardly grow: {room}."
            )
        return f"Every limit holds. The highest load is that of {name}, {load_words(loads.highest)}: {room}."
    what, are = {
        "bandwidth": ("Bandwidth", "is"),
        "metadata": ("The metadata servers", "are"),
        "requests": ("The prefixes", "are"),
        "connections": ("The connections", "are"),
    }[name]
    through = (
        "On average all reads just get through, and their queue grows without limit."
        if loads.highest == 1
        else f"Only {f.share(loads.achieved)} of the reads get through."
    )
    state = f"{are} {'saturated' if loads.highest == 1 else 'overloaded'}"
    limit = ""
    if name == "metadata":
        servers = fewest_metadata_servers(design.operations, design.directory_spread, design.server_rate)
        if servers is None:
            limit = (
                f" No number of servers would do: {f.share(1 - design.directory_spread)} of the operations stay on the "
                "first one."
            )
        elif servers > k.METADATA_SERVERS_MOST:
            limit = (
                f" That takes {f.significant(servers)}, more than the {f.significant(k.METADATA_SERVERS_MOST)} "
                "that the Lustre manual lists for one file system."
            )
    return f"{what} {state}: {shortfall(design)}.{limit} {through} {remedy(design)}"


def derived_words(design: Design) -> str:
    """Where each limit in use saturates, and which knobs have no effect now."""
    parts = []
    for name, at in design.saturates_at.items():
        if name not in design.used:
            continue
        if name == "connections":
            parts.append("connections at no number of GPUs" if math.isinf(at) else "connections at any number of GPUs")
        else:
            parts.append(f"{name} at {fleet_words(at)}")
    return f"Saturated: {'; '.join(parts)}."


# --- the challenge ---
@dataclass(frozen=True)
class Challenge:
    """This design with the challenge's fleet: what holds, what does not."""

    scaled: Design

    @property
    def conditions(self) -> dict[str, bool]:
        """Each condition as a sentence about this design, and whether it holds."""
        goal, loads = f.share(k.STORAGE_CHALLENGE_LOAD), asdict(self.scaled.loads)
        found = {}
        for name in self.scaled.used:
            holds = loads[name] < k.STORAGE_CHALLENGE_LOAD
            load = f"the load of {name}, {load_words(loads[name], 4)},"
            found[f"{load} is {'' if holds else 'not '}below {goal}"] = holds
        within = self.scaled.fees <= k.STORAGE_CHALLENGE_FEES
        relation = "stay within" if within else "exceed"
        found[f"request fees of {f.money(self.scaled.fees)} {relation} {f.money(k.STORAGE_CHALLENGE_FEES)}"] = within
        return found

    @property
    def won(self) -> bool:
        """Whether every condition holds."""
        return all(self.conditions.values())


def challenge(design: Design) -> Challenge:
    """The design as it is, with the challenge's GPUs and demand."""
    return Challenge(replace(design, accelerators=int(k.STORAGE_CHALLENGE_FLEET), demand=float(k.STORAGE_DEMAND)))


def challenge_task() -> str:
    """What the challenge asks for."""
    text = (
        f"Bring every load below {f.share(k.STORAGE_CHALLENGE_LOAD)} at {f.significant(k.STORAGE_CHALLENGE_FLEET)} "
        f"GPUs of {f.data_rate(k.STORAGE_DEMAND)} each, for at most {f.money(k.STORAGE_CHALLENGE_FEES)} of request "
        "fees in 30 days. Your design is judged at that size, whatever the knobs for GPUs and demand say."
    )
    return fill(text, {})


def challenge_words(tried: Challenge) -> str:
    """What still fails, or else what was reached."""
    failing = [words for words, holds in tried.conditions.items() if not holds]
    said = "; ".join(failing or tried.conditions)
    return f"**{'Won' if tried.won else 'Not yet'}.** {said[0].upper()}{said[1:]}."


def load_words(load: float, digits: int = 3) -> str:
    """Write a load as percent of the capacity: the one notation of this lesson, however far beyond it is.

    >>> load_words(0.244), load_words(4.9152), load_words(314.6)
    ('24.4 %', '492 %', '31,460 %')
    """
    return f.share(load, digits)


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


def _prefixes(number: int) -> str:
    return f.count(number, "prefix", "prefixes")
