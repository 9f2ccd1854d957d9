"""Storage architecture, the film: a clerk who opens files and a pipe that carries bytes, and who waits for which."""

from lessons.storage_architecture.settings import Design
from lessons.storage_architecture.verdict import load_words
from physics.films import Film, film
from physics.storage.tandem import tandem
from ui.base import format as f
from ui.films import Kind, Showing

#: Reads that are asked for while the film runs, and squares of a row.
READS, SQUARES = 60, 20
#: What each limit is in the film: who it is, and what one does there.
ROLES = {
    "metadata": ("the clerk, all metadata servers", "opens"),
    "bandwidth": ("the pipe, all storage nodes", "carries"),
    "requests": ("the clerk, all prefixes", "answers"),
    "connections": ("the pipe, all connections", "carries"),
    "copy": ("the pipe, the slowest of storage nodes, links and drives", "carries"),
}


def stages(design: Design) -> tuple[str, str]:
    """The two limits in use, in the order in which a read meets them; with local drives those of the copy."""
    return ("requests", "connections") if design.from_objects else ("metadata", "copy" if design.local else "bandwidth")


def between(design: Design) -> float:
    """Time from one read of the fleet to the next, or in the copy to local drives from one file to the next [s]."""
    return design.copy.carrying / design.copy.files if design.local else design.unit_size / design.rate


def asked(design: Design) -> tuple[float, float]:
    """Loads of the two stages [1]; the copy to local drives is asked for as fast as its bytes can move."""
    if design.local:
        return design.copy.opening / design.copy.carrying, 1.0
    first, second = stages(design)
    return getattr(design.loads, first), getattr(design.loads, second)


def played(design: Design) -> Film:
    """Follow the reads: an upper row for the clerk, a lower one for the pipe, and the queues before them."""
    step = between(design)
    rows = tandem(*asked(design), READS) * step
    boxes, waiting, what = [], [], "file" if design.local else "read"
    for number, read in enumerate(rows.itertuples(), 1):
        boxes.append((0, SQUARES - 1, read.opens, read.opened, "first", f"{what} {number}"))
        boxes.append((SQUARES, 2 * SQUARES - 1, read.sends, read.sent, "second", f"{what} {number}"))
        waiting += [(1, read.asked, read.opens, "first"), (1, read.opened, read.sends, "second")]
    return film(2 * SQUARES, 0.0, READS * step, boxes, waiting)


def busy(shown: Film, kind: str) -> float:
    """Share of the film in which a stage works [1]."""
    boxes = shown.boxes[shown.boxes["kind"] == kind]
    return float((boxes["end"] - boxes["begin"]).sum() / (shown.end - shown.begin))


def showing(design: Design) -> Showing:
    """The film with its words."""
    shown, (first, second), loads = played(design), stages(design), asked(design)
    what, who = "reads", f.count(design.accelerators, "GPU")
    if design.local:
        what, who = "files", f"{f.count(design.nodes, 'GPU node')}, as fast as the pipe carries them"
    unit, name = next(
        (unit, name)
        for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
        if shown.end >= 10 * unit or unit == 1e-9
    )
    clerk, pipe = (f.share(busy(shown, kind)) for kind in ("first", "second"))
    shares = f"the clerk works {clerk} of the time, the pipe {pipe}"
    return Showing(
        shown,
        {
            "first": Kind(f"{ROLES[first][0]}: {ROLES[first][1]}", "s1"),
            "second": Kind(f"{ROLES[second][0]}: {ROLES[second][1]}", "s0"),
        },
        caption=(
            f"{'The copy before the first read. ' if design.local else ''}"
            f"Above {ROLES[first][0]}, a load of {load_words(loads[0])}; below {ROLES[second][0]}, "
            f"{load_words(loads[1])}. From an empty start, {READS} {what} asked for in "
            f"{f.duration(shown.end)} by {who}, one by one and every time at its mean; "
            f"all servers of a stage are drawn as one. In this stretch {shares}. What waits has the color of what it "
            "waits for."
        ),
        alt=f"{what.capitalize()} pass a clerk and a pipe: {shares}.",
        columns=SQUARES,
        tall=110,
        unit=unit,
        unit_name=name,
    )
