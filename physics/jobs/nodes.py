"""Slurm's description of its nodes: the size of a part of the cluster, and outages.

Three outputs can be read, also one after the other in one file: `scontrol show node`; `sinfo -N`
with a header line; and `sacctmgr --parsable2 show event`, which lists when nodes were down or
drained. A node that `scontrol` shows as down has been down since the time in its Reason.

References: SchedMD, "scontrol", "sinfo" and "sacctmgr", manual pages of Slurm 24.05.
"""

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

import pandas as pd

from physics.jobs.fields import PARTS, generic, parts_of, times, trackable
from physics.jobs.lines import Source, bytes_of, texts_of
from physics.texts import toml_beside

#: Most nodes, memberships of nodes in partitions, types of GPU of a node, events, outages, and GPUs
#: or CPUs of a node.
MOST_NODES = 10**5
MOST_MEMBERSHIPS = 10**6
MOST_TYPES = 20
MOST_EVENTS = 300_000
MOST_OUTAGES = 100_000
MOST_SIZE = 10**6
#: Most lines before the first one with nodes, such as a prompt or a date.
MOST_PREAMBLE = 20
_DATA = toml_beside(__file__, "nodes.toml")
#: States of nodes that are down, and of nodes that do not exist, such as future ones.
DOWN = set(_DATA["down"])
ABSENT = set(_DATA["absent"])
#: Fields of a node or an event by their names in scontrol, and by headers of sinfo and sacctmgr.
RECORD: dict[str, str] = _DATA["record"]
TABLE: dict[str, str] = _DATA["table"]
FORMATS = "output of scontrol show node, sinfo -N or sacctmgr --parsable2 show event"


@dataclass
class Node:
    """One node as Slurm describes it."""

    partitions: set[str] = field(default_factory=set)
    cpus: int = 0
    gpus: dict[str, int] = field(default_factory=dict)  #: by type, "" where none is named
    states: frozenset[str] = frozenset()
    since: float = math.nan  #: when it went down [s since 1970]

    def size(self, unit: str, gpu_type: str) -> int:
        """Number of the node's GPUs or CPUs, or 1 for a log that counts nodes, by the unit [1]."""
        if unit == "GPU":
            parts = 0
            for kind, number in self.gpus.items():
                if kind == (gpu_type or kind):
                    parts += number * (parts_of(kind) or PARTS)
            return math.ceil(parts / PARTS)
        if unit == "CPU":
            return self.cpus
        return 1


class Outages(tuple):
    """Begin [s], end [s], and size of each outage; immutable, so copies of a frame share it."""

    def __deepcopy__(self, memo: dict) -> "Outages":
        return self


class NodeSizes(Outages):
    """Size of each node."""


class Nodes:
    """Nodes of a cluster and their outages, read from one or several texts."""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        #: node, begin and end [s] of a time in which it was down
        self.events: list[tuple[str, float, float]] = []
        self.digest = ""  #: SHA-256 of all texts so far
        self.memberships = 0  #: of nodes in partitions

    def read(self, source: Source) -> "Nodes":
        """Read one text, plain or gzip, up to 20 MB; ValueError names the faulty line.

        >>> text = b"NodeName=g1 Gres=gpu:a100:4(S:0-1) State=DOWN* Partitions=gpu"
        >>> text += b" Reason=x [me@2024-05-01T08:00:00]"
        >>> node = Nodes().read(text).nodes["g1"]
        >>> node.gpus, sorted(node.states), node.since
        ({'a100': 4}, ['down'], 1714550400.0)
        """
        data = bytes_of(source)
        first_line = None
        read_line = None
        for index, (number, line) in enumerate(texts_of(data)):
            text = line.strip()
            first_line = first_line or (number, text)
            next_reader = self._reader_after(number, text)
            if next_reader is None and read_line is not None:
                read_line(number, text)
            read_line = next_reader or read_line
            if read_line is None and index >= MOST_PREAMBLE:
                break
        if read_line is None:
            number, text = first_line or (1, "")
            raise ValueError(f"line {number} must be {FORMATS}, got {text[:40]!r}")
        self.digest = hashlib.sha256(self.digest.encode() + data).hexdigest()
        return self

    def _reader_after(self, number: int, text: str) -> Callable[[int, str], None] | None:
        """Function that reads the lines after a header or the first line of a record, else None."""
        if text.startswith("NodeName="):
            names = text[9:].split(maxsplit=1) or [""]
            read_line = partial(self._record, self._node(number, names[0]), set())
            read_line(number, text)
            return read_line
        delimiter = "|" if "|" in text else None
        columns = []
        for word in text.split(delimiter):
            columns.append(TABLE.get(word.strip().lower().partition("(")[0], ""))
        if "name" not in columns or len(columns) < 2:
            return None
        if "begin" in columns and not delimiter:
            raise ValueError(
                f"line {number} must have bars between columns, as sacctmgr --parsable2, got none"
            )
        return partial(self._row, columns, delimiter)

    def _record(self, node: Node, names: set[str], number: int, text: str) -> None:
        """Read one line of a node's record in scontrol, up to the free text of its Reason.

        Args:
            names: Fields that the record has had so far; a second one of a name does not count.
        """
        head, _, reason = text.partition("Reason=")
        fields = {}
        for word in head.split():
            key, equals, value = word.partition("=")
            if equals and key in RECORD and key not in names:
                names.add(key)
                fields[RECORD[key]] = value
        for stamp in reason.split("@")[1:]:
            if stamp[4:5] == "-" and stamp[10:11] == "T":
                fields["since"] = stamp[:19]
        self._describe(number, node, fields)

    def _row(self, columns: list[str], delimiter: str | None, number: int, text: str) -> None:
        """Read a row of a table, which is about a node or about a time in which one was down."""
        if set(text) <= set("-| "):
            return
        width = len(columns)
        cells = text.split(delimiter, -1 if delimiter else width - 1)
        if len(cells) != width:
            raise ValueError(
                f"line {number} must have the {width} columns of its header, got {len(cells)}: "
                f"{text[:40]!r}"
            )
        row = {name: cell.strip() for name, cell in zip(columns, cells, strict=True) if name}
        if "begin" in row:
            self._event(number, **row)
        else:
            self._describe(number, self._node(number, row.pop("name")), row)

    def _node(self, number: int, name: str) -> Node:
        """Node of a name, a new one for a new name; ValueError for a bad name or too many nodes."""
        if not name or "[" in name or len(name) > 200:
            raise ValueError(
                f"line {number} must name one node, as sinfo -N does, got {name[:40]!r}"
            )
        if len(self.nodes) >= MOST_NODES and name not in self.nodes:
            raise ValueError(
                f"source must list at most {MOST_NODES:,} nodes, got more by line {number}"
            )
        return self.nodes.setdefault(name, Node())

    def _describe(self, number: int, node: Node, fields: dict[str, str]) -> None:
        """Record a line's fields about a node: partition, cpus, gres, tres, state, and since."""
        text = fields.get("cpus")
        if text:
            node.cpus = _count(number, text.rpartition("/")[2].rstrip("+"))
        if "gres" in fields:
            node.gpus = generic(fields["gres"])
        if "tres" in fields and not node.gpus:
            gpus, _, _, typed = trackable(fields["tres"])
            node.gpus = typed or ({"": gpus} if gpus else {})
        if len(node.gpus) > MOST_TYPES or sum(node.gpus.values()) > MOST_SIZE:
            raise ValueError(
                f"line {number} must name at most {MOST_SIZE:,} GPUs of {MOST_TYPES} types, got "
                "more"
            )
        for name in fields.get("partition", "").split(","):
            name = name.strip().rstrip("*")
            if name:
                self.memberships += name not in node.partitions
                node.partitions.add(name[:200])
        if self.memberships > MOST_MEMBERSHIPS:
            raise ValueError(
                f"source must name at most {MOST_MEMBERSHIPS:,} partitions of nodes, got more by "
                f"line {number}"
            )
        if "state" in fields:
            words = fields["state"].lower()[:200].split("+")
            node.states = frozenset(word.strip("*~#!%$@^-") for word in words)
        if "since" in fields:
            node.since = _moment(number, "Reason", fields["since"])

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
        """Add the size and outages of a log's partitions and GPU type to the log.

        Returns: The same jobs; attrs has size [1], node_sizes [1], down (begin [s], end [s] and
        size of each outage), nodes (SHA-256 of the texts) and remarks (sentences).

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
        sizes = {}
        for name, node in self.nodes.items():
            size = node.size(unit, gpu_type)
            if size and not node.states & ABSENT and (not chosen or chosen & node.partitions):
                sizes[name] = size
        if not sizes:
            kind = f"{gpu_type} {unit}".strip()
            how = _DATA["units"].get(unit, "any")
            raise ValueError(f"nodes must say how many {kind}s they have ({how}), got none")
        frame = jobs.copy(deep=False)
        frame.attrs = jobs.attrs | {
            "size": sum(sizes.values()),
            "size_name": "nodes",
            "node_sizes": NodeSizes(sizes.values()),
            "down": self._down(sizes),
            "nodes": self.digest,
            "remarks": tuple(self._remarks(sizes, chosen)),
        }
        return frame

    def _down(self, sizes: dict[str, int]) -> Outages:
        """Outages of nodes of some sizes, by begin.

        A node's times that overlap are one outage; nodes with equal times are one outage together.
        """
        times_of: dict[str, list[tuple[float, float]]] = defaultdict(list)
        since = [(name, self.nodes[name].since, math.inf) for name in self._closed(sizes)]
        for name, begin, end in self.events + since:
            if name in sizes and end > begin:  # not if nobody knows since when
                times_of[name].append((begin, end))
        total: Counter[tuple[float, float]] = Counter()
        for name, downtimes in times_of.items():
            for time in _merged(downtimes):
                total[time] += sizes[name]
        if len(total) > MOST_OUTAGES:
            raise ValueError(
                f"nodes must have been down at most {MOST_OUTAGES:,} times, got {len(total):,}"
            )
        return Outages((begin, end, size) for (begin, end), size in sorted(total.items()))

    def _closed(self, names: Iterable[str]) -> Iterator[str]:
        """Yield those of some nodes that are down."""
        return (name for name in names if self.nodes[name].states & DOWN)

    def _remarks(self, sizes: dict[str, int], chosen: set[str]) -> Iterator[str]:
        """Yield sentences about what the size assumes."""
        others: Counter[str] = Counter()
        shared = 0
        for name in sizes if chosen else ():
            elsewhere = self.nodes[name].partitions - chosen
            others.update(elsewhere)
            shared += bool(elsewhere)
        if others:
            few = ", ".join(name for name, _ in others.most_common(3)) + ", …" * (len(others) > 3)
            nodes = f"{len(sizes):,} node{'s' * (len(sizes) != 1)}"
            are = "is" if shared == 1 else "are"
            yield (
                f"{shared:,} of {nodes} {are} also in {few}: jobs of these partitions take room "
                "there, so choose them as well unless they are few."
            )
        still_down = {name for name, _, end in self.events if end == math.inf}
        unknown = 0
        for name in self._closed(sizes):
            unknown += math.isnan(self.nodes[name].since) and name not in still_down
        if unknown:
            yield (
                f"{_nodes_are(unknown, 'down')}, and nobody knows since when: they count as if "
                "they were never down."
            )
        unlisted = {name for name, _, _ in self.events} - set(self.nodes)
        if unlisted:
            yield (
                f"{_nodes_are(len(unlisted), 'not in the list of nodes')} but went down, so this "
                "down time is not counted."
            )


def _moment(number: int, name: str, text: str) -> float:
    """A time in a line [s since 1970]; NaN for one that has not come."""
    return float(times([text], [number], name)[0])


def _nodes_are(number: int, state: str) -> str:
    """Write how many nodes are in a state, such as "2 nodes are down"."""
    return f"{number:,} {'node is' if number == 1 else 'nodes are'} {state}"


def _count(number: int, text: str) -> int:
    """Number of CPUs in a line; ValueError for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) < 8 and int(text) <= MOST_SIZE):
        raise ValueError(
            f"line {number} must hold a number of CPUs up to {MOST_SIZE:,}, got {text[:40]!r}"
        )
    return int(text)


def _merged(times: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Merge times that overlap or touch; sorted by begin.

    >>> _merged([(5, 9), (0, 3), (2, 4), (8, 10)])
    [(0, 4), (5, 10)]
    """
    merged: list[tuple[float, float]] = []
    for begin, end in sorted(times):
        if merged and begin <= merged[-1][1]:
            earlier_begin, earlier_end = merged.pop()
            merged.append((earlier_begin, max(earlier_end, end)))
        else:
            merged.append((begin, end))
    return merged
