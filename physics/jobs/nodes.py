"""Slurm's description of its nodes: the size of a part of the cluster, and outages.

Three outputs are read, told apart by their lines, also one after the other in one file: `scontrol
show node`; `sinfo -N` with a header line; and `sacctmgr --parsable2 show event`, which lists when
nodes were down or drained. A node that is down as `scontrol` prints it has been so since the time
in its Reason.

References: SchedMD, "scontrol", "sinfo" and "sacctmgr", manual pages of Slurm 24.05.
"""

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from typing import BinaryIO

import pandas as pd

from physics.jobs.fields import PARTS, generic, parts_of, times, trackable
from physics.jobs.lines import bytes_of, lines_of

#: Nodes, their names in partitions, types of GPU of one, events, outages, and GPUs or CPUs of one.
MOST_NODES = 10**5
MOST_PLACES = 10**6
MOST_TYPES = 20
MOST_EVENTS = 300_000
MOST_OUTAGES = 100_000
MOST_SIZE = 10**6
#: Lines in front of the first that is known, such as a prompt or a date.
MOST_IDLE = 20
DOWN = {
    "down",
    "drain",
    "drained",
    "draining",
    "drng",
    "fail",
    "failing",
    "failg",
    "error",
    "maint",
}
ABSENT = {"future", "futr"}
#: What scontrol names, and columns of sinfo and of sacctmgr by their headers.
RECORD = {
    "CPUTot": "cpus",
    "Gres": "gres",
    "State": "state",
    "Partitions": "partition",
    "CfgTRES": "tres",
}
TABLE = {
    "nodelist": "name",
    "hostnames": "name",
    "nodename": "name",
    "partition": "partition",
    "cpus": "cpus",
    "gres": "gres",
    "state": "state",
    "timestamp": "since",
    "timestart": "begin",
    "timeend": "end",
}
FORMATS = "output of scontrol show node, sinfo -N or sacctmgr --parsable2 show event"


@dataclass
class Node:
    """One node as Slurm describes it."""

    partitions: set[str] = field(default_factory=set)
    cpus: int = 0
    gpus: dict[str, int] = field(default_factory=dict)  #: by type; "" where none is named
    states: frozenset[str] = frozenset()
    since: float = math.nan  #: when it went down [s since 1970]

    def size(self, unit: str, gpu_type: str) -> int:
        """Number of units of a log in the node."""
        if unit == "GPU":
            gpus = self.gpus
            if gpu_type:
                gpus = {gpu_type: self.gpus.get(gpu_type, 0)}
            parts = sum(number * (parts_of(kind) or PARTS) for kind, number in gpus.items())
            return math.ceil(parts / PARTS)
        if unit == "CPU":
            return self.cpus
        return 1


class Outages(tuple):
    """Begin, end [s], and size of each outage; immutable, so that copies of a frame share it."""

    def __deepcopy__(self, memo: dict) -> "Outages":
        return self


class NodeSizes(Outages):
    """Size of each node."""


class Nodes:
    """Nodes of a cluster and their outages, read from one or several texts."""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.events: list[
            tuple[str, float, float]
        ] = []  #: node, begin and end [s] of a time in which it was down
        self.digest = ""  #: SHA-256 of all that was read
        self.places = 0

    def read(self, source: str | PathLike | bytes | bytearray | BinaryIO) -> "Nodes":
        """Read one text, plain or gzip, up to 20 MB; ValueError names the faulty line.

        >>> text = b"NodeName=g1 Gres=gpu:a100:4(S:0-1) State=DOWN* Partitions=gpu Reason=x [me@2024-05-01T08:00:00]"
        >>> node = Nodes().read(text).nodes["g1"]
        >>> node.gpus, sorted(node.states), node.since
        ({'a100': 4}, ['down'], 1714550400.0)
        """
        data = bytes_of(source)
        first = None
        take = None
        for place, (number, line) in enumerate(lines_of(data)):
            text = line.decode("utf-8", "replace").strip()
            first = first or (number, text)
            begun = self._begin(number, text)
            if begun is not None:
                take = begun
            elif take is not None:
                take(number, text)
            elif place >= MOST_IDLE:
                break
        if take is None:
            number, text = first or (1, "")
            raise ValueError(f"line {number} must be {FORMATS}, got {text[:40]!r}")
        self.digest = hashlib.sha256(self.digest.encode() + data).hexdigest()
        return self

    def _begin(self, number: int, text: str) -> Callable[[int, str], None] | None:
        """What reads the lines after one that begins a record of scontrol or a table; None after
        any other line.
        """
        if text.startswith("NodeName="):
            take = partial(
                self._record, self._node(number, (text[9:].split(maxsplit=1) or [""])[0]), set()
            )
            take(number, text)
            return take
        bar = "|" in text
        words = [
            word.strip().lower().partition("(")[0]
            for word in (text.split("|") if bar else text.split())
        ]
        columns = [TABLE.get(word, "") for word in words]
        if "name" not in columns or len(words) < 2:
            return None
        if "begin" in columns and not bar:
            raise ValueError(
                f"line {number} must have bars between columns, as sacctmgr --parsable2, got none"
            )
        return partial(self._row, columns, bar)

    def _record(self, node: Node, seen: set[str], number: int, text: str) -> None:
        """Take a line about one node of scontrol; the first that names a thing counts, and what is
        free text none.
        """
        head, reason, rest = text.partition("Reason=")
        found = {}
        for word in head.split():
            key, equals, value = word.partition("=")
            if equals and key in RECORD and key not in seen:
                seen.add(key)
                found[RECORD[key]] = value
        stamps = [
            part[:19] for part in rest.split("@")[1:] if part[4:5] == "-" and part[10:11] == "T"
        ]
        self._note(number, node, found | ({"since": stamps[-1]} if reason and stamps else {}))

    def _row(self, columns: list[str], bar: bool, number: int, text: str) -> None:
        """Take a row of a table: of a node, or of a time in which one was down."""
        if set(text) <= set("-| "):
            return
        many = len(columns)
        if bar:
            cells = text.split("|")
        else:
            cells = text.split(maxsplit=many - 1)
        if len(cells) != many:
            raise ValueError(
                f"line {number} must have the {many} columns of its header, got {len(cells)}: "
                f"{text[:40]!r}"
            )
        row = {name: cell.strip() for name, cell in zip(columns, cells, strict=True) if name}
        if "begin" in row:
            self._event(number, **row)
        else:
            self._note(number, self._node(number, row.pop("name")), row)

    def _node(self, number: int, name: str) -> Node:
        if not name or "[" in name or len(name) > 200:
            raise ValueError(
                f"line {number} must name one node, as sinfo -N does, got {name[:40]!r}"
            )
        if len(self.nodes) >= MOST_NODES and name not in self.nodes:
            raise ValueError(
                f"source must list at most {MOST_NODES:,} nodes, got more by line {number}"
            )
        return self.nodes.setdefault(name, Node())

    def _note(self, number: int, node: Node, found: dict[str, str]) -> None:
        """Record what a line says about a node: partition, cpus, gres, tres, state, and since."""
        text = found.get("cpus")
        if text:
            node.cpus = _count(number, text.rpartition("/")[2].rstrip("+"))
        if "gres" in found:
            node.gpus = generic(found["gres"])
        if "tres" in found and not node.gpus:
            gpus, _, _, typed = trackable(found["tres"])
            node.gpus = typed or ({"": gpus} if gpus else {})
        if len(node.gpus) > MOST_TYPES or sum(node.gpus.values()) > MOST_SIZE:
            raise ValueError(
                f"line {number} must name at most {MOST_SIZE:,} GPUs of {MOST_TYPES} types, got "
                "more"
            )
        for name in found.get("partition", "").split(","):
            name = name.strip().rstrip("*")
            if name:
                self.places += name not in node.partitions
                node.partitions.add(name[:200])
        if self.places > MOST_PLACES:
            raise ValueError(
                f"source must name at most {MOST_PLACES:,} partitions of nodes, got more by "
                f"line {number}"
            )
        if "state" in found:
            node.states = frozenset(
                word.strip("*~#!%$@^-") for word in found["state"].lower()[:200].split("+")
            )
        if "since" in found:
            node.since = _moment(number, "Reason", found["since"])

    def _event(self, number: int, name: str, begin: str, end: str = "", **others: str) -> None:
        """Record a time in which a node was down; events of the whole cluster name no node."""
        if not name:
            return
        if len(self.events) >= MOST_EVENTS:
            raise ValueError(
                f"source must list at most {MOST_EVENTS:,} events, got more by line {number}"
            )
        since = _moment(number, "Timestart", begin)
        until = _moment(number, "Timeend", end)
        if math.isnan(since):
            raise ValueError(f"line {number} must hold a time in Timestart, got {begin[:40]!r}")
        self.events.append((name[:200], since, math.inf if math.isnan(until) else until))

    def attach(self, jobs: pd.DataFrame) -> pd.DataFrame:
        """Attach size and outages to a log: those of its partitions and its GPU type.

        Returns: The same jobs; attrs has size [1], node_sizes [1], down (begin [s], end [s] and
        size of each outage), nodes (SHA-256 of what was read) and remarks (sentences).

        Raises ValueError if no node is in a partition, or none says how many GPUs or CPUs it has.
        """
        unit = jobs.attrs.get("unit", "GPU")
        gpu_type = jobs.attrs.get("gpu_type", "")
        chosen = set(jobs.attrs.get("partition", ()))
        missing = sorted(chosen - set().union(*(node.partitions for node in self.nodes.values())))
        if missing:
            raise ValueError(
                f"nodes must be in every partition that is chosen, got none in {missing[0]!r}"
            )
        mine = {
            name: node
            for name, node in self.nodes.items()
            if (not chosen or chosen & node.partitions)
            and not node.states & ABSENT
            and node.size(unit, gpu_type)
        }
        size = sum(node.size(unit, gpu_type) for node in mine.values())
        if not size:
            if gpu_type:
                kind = f"{gpu_type} "
            else:
                kind = ""
            columns = {
                "GPU": "Gres of scontrol show node, or %G",
                "CPU": "CPUTot of scontrol show node, or %c",
            }
            if unit in columns:
                how = f"{columns[unit]} of sinfo"
            else:
                how = "any"
            raise ValueError(f"nodes must say how many {kind}{unit}s they have ({how}), got none")
        frame = jobs.copy(deep=False)
        down = self._down(mine, unit, gpu_type)
        frame.attrs = jobs.attrs | {
            "size": size,
            "size_name": "nodes",
            "node_sizes": NodeSizes(node.size(unit, gpu_type) for node in mine.values()),
            "down": down,
            "nodes": self.digest,
        }
        frame.attrs["remarks"] = tuple(self._remarks(mine, chosen))
        return frame

    def _down(self, mine: dict[str, Node], unit: str, gpu_type: str) -> Outages:
        """Outages of some nodes: times of one node that overlap are one, those of equal times are
        added up.
        """
        times_of: dict[str, list[tuple[float, float]]] = defaultdict(list)
        open_ones = [
            (name, node.since, math.inf) for name, node in mine.items() if node.states & DOWN
        ]
        for name, begin, end in self.events + open_ones:
            if name in mine and end > begin:  # not if nobody knows since when
                times_of[name].append((begin, end))
        total: Counter[tuple[float, float]] = Counter()
        for name, known in times_of.items():
            for time in _joined(known):
                total[time] += mine[name].size(unit, gpu_type)
        if len(total) > MOST_OUTAGES:
            raise ValueError(
                f"nodes must have been down at most {MOST_OUTAGES:,} times, got {len(total):,}"
            )
        return Outages((begin, end, size) for (begin, end), size in sorted(total.items()) if size)

    def _remarks(self, mine: dict[str, Node], chosen: set[str]) -> Iterator[str]:
        """What the size rests on."""
        others: Counter[str] = Counter()
        shared = 0
        if chosen:
            for node in mine.values():
                others.update(node.partitions - chosen)
                shared += bool(node.partitions - chosen)
        if others:
            few = ", ".join(name for name, _ in others.most_common(3)) + ", …" * (len(others) > 3)
            nodes = f"{len(mine):,} node{'s' * (len(mine) != 1)}"
            are = "are"
            if shared == 1:
                are = "is"
            yield (
                f"{shared:,} of {nodes} {are} also in {few}: jobs of these partitions take room "
                "there, so choose them as well unless they are few."
            )
        open_ones = {name for name, _, end in self.events if end == math.inf}
        unknown = 0
        for name, node in mine.items():
            if node.states & DOWN and math.isnan(node.since) and name not in open_ones:
                unknown += 1
        if unknown:
            yield (
                f"{_are(unknown, 'down')}, and nobody knows since when: they count as if they were "
                "never down."
            )
        strangers = {name for name, _, _ in self.events} - set(self.nodes)
        if strangers:
            yield (
                f"{_are(len(strangers), 'not in the list of nodes')} but went down, so this down time "
                "is not counted."
            )


def _moment(number: int, name: str, text: str) -> float:
    """A time in a line [s since 1970]; NaN for one that has not come."""
    return float(times([text], [number], name)[0])


def _are(number: int, what: str) -> str:
    return f"{number:,} {'node is' if number == 1 else 'nodes are'} {what}"


def _count(number: int, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8 and int(text) <= MOST_SIZE):
        raise ValueError(
            f"line {number} must hold a number of CPUs up to {MOST_SIZE:,}, got {text[:40]!r}"
        )
    return int(text)


def _joined(times: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Times without overlaps.

    >>> _joined([(5, 9), (0, 3), (2, 4), (8, 10)])
    [(0, 4), (5, 10)]
    """
    found: list[tuple[float, float]] = []
    for begin, end in sorted(times):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return found
