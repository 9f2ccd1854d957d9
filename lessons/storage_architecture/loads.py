"""Storage architecture: the main picture, loads of bytes and of opens over the GPUs, and the challenge on it."""

from dataclasses import replace
from operator import attrgetter

from lessons.storage_architecture import plot
from lessons.storage_architecture.settings import QUEUES, Design, load_words, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Verdict
from ui.charts import Look, marks
from ui.knobs import remedies as search

TITLE, ENDS = "At how many GPUs is each limit reached?", (k.STORAGE_FLEET.low or 1, k.STORAGE_FLEET.high or 1)
TICKS = (128.0, 512.0, 2048.0, 4096.0, 8192.0, 16384.0)
FRAME = plot.Frame("loads", TITLE, Grab("accelerators"), "GPUs", *ENDS, TICKS, rises=True)
#: What may be changed to let all reads through; the fleet is the task and stays.
FIXES = ("metadata_servers", "file_size", "storage_nodes")


def figure(
    design: Design, look: Look, guess: str | None = None, playing: bool = False, end: float = FRAME.high
) -> Figure:
    """Loads against the number of GPUs, with what the visitor said and the goal of a challenge that is playing."""
    along = [FRAME.places() * load / design.accelerators for load in design.both]
    more = _full(design) + (_goal(end) if playing else _said(design, guess))
    here = (design.accelerators, f.count(design.accelerators, "GPU"))
    return plot.drawn(replace(FRAME, high=end), design, look, here, design.both, along, more)


def _goal(top: float) -> list[plot.Row]:
    """Draw the challenge's goal: both lines below a load up to a number of GPUs."""
    gpus, text = float(k.STORAGE_CHALLENGE_FLEET), f"below {f.share(QUEUES)}"
    looks = {"align": "right", "dx": -6, "dy": 10, "tone": "good"}
    return [
        {"kind": "goal", "x": gpus, "y": QUEUES},
        {"kind": "fleet", "x": gpus, "y": QUEUES},
        marks.label(gpus, top, f"goal: both lines {text} here", short=text, **looks),
    ]


def _full(design: Design) -> list[plot.Row]:
    """Mark the fleets at which a limit is saturated; near the present fleet its name says so."""
    rows = []
    for tone, name in (("s0", "bytes_full"), ("s1", "opens_full")):
        at = getattr(design, name)
        if FRAME.left <= at <= FRAME.right and not 1 / plot.GAP < at / design.accelerators < plot.GAP:
            side = {"align": "right", "dx": -9} if at > FRAME.left * 4 else {"dx": 9}
            rows.append(marks.point(at, 1.0, shape="diamond", tone=tone))
            rows.append(marks.label(at, 1.0, say.written(f"{name}:gpus", design), dy=-10, tone=tone, **side))
    return rows


def _said(design: Design, guess: str | None) -> list[plot.Row]:
    """Mark what an answer says: which limit is reached first, or that none is."""
    if guess == "c":
        return [marks.label(FRAME.left, 1.0, "you said: nothing gets up here", dx=6, dy=-26, short="you said: nothing")]
    found = {"a": ("bandwidth", design.bytes_full), "b": ("metadata servers", design.opens_full)}.get(guess or "")
    if found is None:
        return []
    name, at = found
    arrow = " →" if at > FRAME.right else " ←" if at < FRAME.left else ""
    x = min(max(at, FRAME.left), FRAME.right)
    # Above its line and the name of its place; near the left end there is no room for it.
    side = {"align": "right", "dx": -12, "dy": -26} if x > FRAME.left * 4 else {"dx": 12, "dy": 12}
    ring = marks.point(x, 1.0, size=260, tone="paper", rim="quiet", rim_width=2)
    words = f"you said: {name} first{arrow}"
    return [ring, marks.label(x, 1.0, words, short=f"you said{arrow}", tone="quiet", **side)]


def metrics(design: Design) -> list[Metric]:
    """What gets through, the load of bytes and of opens, and the cost."""
    highest = design.loads.highest
    state = "queues build up" if QUEUES <= highest < 1 else f"highest load {load_words(highest)}"
    return [
        Metric("Reads that get through", f.share(design.loads.achieved), state, _room(highest)),
        _load("Load of metadata servers", design.loads.metadata, say("of_metadata", design)),
        _load("Load of bandwidth", design.loads.bandwidth, say("of_bandwidth", design)),
        Metric("Cost in 30 days", f.money(design.cost), say("bought", design)),
    ]


def _load(label: str, load: float, note: str) -> Metric:
    return Metric(label, load_words(load), note, _room(load))


def _room(load: float) -> bool | None:
    """Return True where a limit has room, None where queues build up, False where it is saturated."""
    return None if QUEUES <= load < 1 else load < 1


def verdict(design: Design) -> Verdict:
    """Say which limit is the bottleneck."""
    if design.loads.highest < QUEUES:
        return Verdict(say("room", design), True)
    name = design.loads.binding
    if design.loads.holds:
        return Verdict(say(f"{name}_queue", design), None)
    through = say("just" if design.loads.highest == 1 else "through", design)
    return Verdict(f"{say(f'{name}_full', design)} {through}", False)


def remedies(design: Design) -> str:
    """List every single change that lets all reads through, each no further than needed; else two of them."""
    holds = attrgetter("loads.holds")
    if holds(design):
        return ""
    found = search.remedies(design, holds, FIXES)
    pair = None if found else search.pairs(design, holds, FIXES, FIXES)
    listed = search.listed(found) if found else " together with ".join(one.words for one in pair or ())
    text = say("remedies", design, found=listed) if listed else say("no_remedy", design)
    return f"{say('too_many_servers', design)} {text}" if design.servers_needed > k.METADATA_SERVERS_MOST else text


def judge(design: Design) -> Verdict:
    """Say how far a design has come in the challenge."""
    if design.file_size != k.STORAGE_FILE_SIZE:
        return Verdict(say("wrong_files", design))
    if design.accelerators < k.STORAGE_CHALLENGE_FLEET:
        return Verdict(say("too_few", design))
    if design.loads.highest >= QUEUES:
        return Verdict(say(f"{design.loads.binding}_high", design), False)
    if design.cost > k.STORAGE_CHALLENGE_BUDGET:
        return Verdict(say("too_expensive", design), False)
    return Verdict(say("won", design), True)
