"""Storage architecture, the animation: files wait to be opened, and bytes wait to be carried."""

from lessons.storage_architecture.settings import Design, say
from physics.films import Film, film
from physics.storage.demands import tandem
from ui.films import Kind, Showing

#: Reads that are asked for while the animation runs, and squares of a row.
READS = 60
SQUARES = 20


def played(design: Design) -> Film:
    """Follow the reads: an upper row for the metadata servers, a lower one for the storage nodes,
    and their queues.
    """
    step = design.file_size / design.rate  # from one read of the fleet to the next [s]
    rows = tandem(design.loads.metadata, design.loads.bandwidth, READS) * step
    boxes = []
    waiting = []
    for number, read in enumerate(rows.itertuples(), 1):
        boxes.append((0, SQUARES - 1, read.opens, read.opened, "first", f"read {number}"))
        boxes.append((SQUARES, 2 * SQUARES - 1, read.sends, read.sent, "second", f"read {number}"))
        waiting += [(1, read.asked, read.opens, "first"), (1, read.opened, read.sends, "second")]
    return film(2 * SQUARES, 0.0, READS * step, boxes, waiting)


def showing(design: Design) -> Showing:
    """The animation with its words."""
    shown = played(design)
    if shown.end >= 1e-2:
        unit = 1e-3
        name = "ms"
    else:
        unit = 1e-6
        name = "µs"
    said = {"opens": shown.busy("first", 0), "bytes": shown.busy("second", SQUARES)}
    return Showing(
        shown,
        {
            "first": Kind("metadata servers: open", "s1"),
            "second": Kind("storage nodes: carry", "s0"),
        },
        caption=say("film", design, **said),
        alt=say("film_shows", design, **said),
        columns=SQUARES,
        tall=110,
        unit=unit,
        unit_name=name,
    )
