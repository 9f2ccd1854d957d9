"""Storage architecture: what binds, the smallest change that mends it, and the challenge."""

import math
from dataclasses import asdict, dataclass, replace

from physics import constants as k
from physics.storage import metadata_capacity
from physics.storage_design import fewest_metadata_servers, fewest_units
from ui import format as f
from ui.views.storage_settings import FILE_MB, REQUEST_MB, SHARD_MB, Design
from ui.words import fill


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
        f"{f.count(design.connections, 'connection')}, a load of {f.significant(load.connections)}"
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
        return f"{'Any one of these mends' if len(found) > 1 else 'This mends'} it: {'; '.join(found)}."
    return "No single knob on this page mends it; change how the dataset is organized and then the size of a read."


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
    if design.organization == "files":
        found.append(({"organization": "shards"}, f"shards of {f.data(design.shard_size)}"))
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
        room = f"it saturates at {f.significant(math.floor(at))} GPUs" if math.isfinite(at) else "at any number of GPUs"
        return f"Every limit holds. The highest load is that of {name}, {load_words(loads.highest)}: {room}."
    what, are = {
        "bandwidth": ("Bandwidth", "is"),
        "metadata": ("The metadata servers", "are"),
        "requests": ("The prefixes", "are"),
        "connections": ("The connections", "are"),
    }[name]
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
    return (
        f"{what} {state}: {shortfall(design)}.{limit} Only {f.share(loads.achieved)} of the reads get through. "
        f"{remedy(design)}"
    )


def derived_words(design: Design) -> str:
    """Where each limit in use saturates, and which knobs have no effect now."""
    parts = []
    for name, at in design.saturates_at.items():
        if name not in design.used:
            continue
        if name == "connections":
            parts.append("connections at no number of GPUs" if math.isinf(at) else "connections at any number of GPUs")
        else:
            parts.append(f"{name} at {f.significant(math.floor(at))} GPUs")
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
    """Write a load as percent of the capacity, or as a multiple of it when it is far beyond.

    >>> load_words(0.244), load_words(4.9152), load_words(314.6)
    ('24.4 %', '492 %', '315 times capacity')
    """
    return f.share(load, digits) if load < 10 else f"{f.times(load, 3)} capacity"


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
