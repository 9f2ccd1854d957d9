"""Storage architecture, local drives: what they are asked for, and the copy before the first read, in words."""

import math

from lessons.storage_architecture.settings import Design
from physics import constants as k
from ui.base import format as f


def drives_words(design: Design) -> str:
    """What a GPU node asks of its drives, and what it keeps on them."""
    part = f.data(design.copy.part)
    return (
        f"A GPU node reads {f.data_rate(design.node_demand)} in files of {f.data(design.file_size)} from "
        f"{f.count(design.local_drives, 'drive')} of its own, which {_gives(design)} {f.data_rate(design.node_rate)}. "
        f"It is to keep {'all of the data' if design.whole else 'its share of the data'}, {part}, on "
        f"{f.data(design.node_space)}, and reads nothing else."
    )


def copy_words(design: Design) -> str:
    """How long the copy takes, what it waits for, and what the GPUs that wait cost."""
    copy = design.copy
    return (
        f"The copy is made from the file system before the first read: {f.data(copy.part)} to each of "
        f"{f.count(design.nodes, 'GPU node')}, for which {opened(copy.files)} opened. The opens keep the metadata "
        f"servers busy for {f.duration(copy.opening)}, the bytes need {f.duration(copy.carrying)}, both at once: the "
        f"copy takes {f.duration(copy.time)}{'' if design.loads.space <= 1 else ', and does not fit on the drives'}. "
        f"{_short(design)}"
        f"{f.count(design.accelerators, 'GPU')} that wait for it cost {f.rounded(design.waiting, 3)} GPU-hours, "
        f"{dollars(waiting_cost(design))} at {f.money(design.price_near)} each."
    )


def _short(design: Design) -> str:
    """Say where the storage nodes are too small for what is copied from them."""
    if design.capacity >= design.data:
        return ""
    nodes = f.count(design.storage_nodes, "storage node")
    return f"But {nodes} {'holds' if design.storage_nodes == 1 else 'hold'} only {f.data(design.capacity)} of it. "


def _gives(design: Design) -> str:
    return "gives" if design.local_drives == 1 else "give"


def opened(files: float) -> str:
    """Write how many files are opened.

    >>> opened(1.0), opened(1e8), opened(51.2e9)
    ('1 file is', '100 million files are', '51,200 million files are')
    """
    if files >= 1e6:
        return f"{f.significant(files / 1e6)} million files are"
    whole = f.count(math.ceil(files * (1 - 1e-12)), "file")
    return f"{whole} {'is' if whole == '1 file' else 'are'}"


def dollars(cost: float, limit: float = math.nan) -> str:
    """Write dollars in three digits, or in all where three would read as a limit that the cost is not at.

    >>> dollars(169_869.3), dollars(200_300.0, 200_000.0), dollars(2.5)
    ('$170,000', '$200,300', '$2.5')
    """
    text = f.money(float(f"{cost:.3g}"))
    return f.money(cost) if text == f.money(limit) and cost != limit else text


def waiting_cost(design: Design) -> float:
    """What the GPUs cost that wait for the copy [$]; 0 without one."""
    return design.waiting * design.price_near


def fits_words(design: Design) -> str:
    """From how many GPU nodes on the data fit."""
    if design.whole:
        fits = "fits" if design.loads.space <= 1 else "does not fit"
        return f"the whole dataset {fits} on a node's drives, however many nodes there are"
    least = max(1, math.ceil(design.data / design.node_space * (1 - 1e-12)))
    return f"shares fit from {f.count(least, 'node')} of {int(k.IO_ACCELERATORS_PER_NODE)} GPUs on"
