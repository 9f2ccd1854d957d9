"""Storage architecture, main picture: the loads of bytes and of opens over the number of GPUs."""

from dataclasses import replace

from lessons.storage_architecture import plot
from lessons.storage_architecture.settings import QUEUES, Design, fleet_words, gb, load_words, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Reach, Verdict
from ui.charts import marks
from ui.charts.look import Look, stack
from ui.knobs import remedies as search

FRAME = plot.Frame("GPUs", float(k.STORAGE_FLEET.low or 1), float(k.STORAGE_FLEET.high or 1))
TICKS = (128.0, 512.0, 2048.0, 4096.0, 8192.0, 16384.0)
#: What may be changed to let all reads through; fleet and demand are the task and stay.
FIXES = ("metadata_servers", "file_size", "storage_nodes")


def figure(
    design: Design, look: Look, guess: str | None = None, playing: bool = False, end: float = FRAME.high
) -> Figure:
    """Loads against the number of GPUs, with what the visitor said and the goal of a challenge that is playing."""
    frame = replace(FRAME, high=end)
    each = [load / design.accelerators for load in (design.loads.bandwidth, design.loads.metadata)]
    rows = plot.background(frame) + plot.lines(frame, *(frame.places() * load for load in each))
    rows += _full(design)
    if playing:
        rows += plot.goal(frame, float(k.STORAGE_CHALLENGE_FLEET), QUEUES)
    else:
        rows += _said(design, guess)
    words = f.count(design.accelerators, "GPU")
    rows += plot.here(frame, design.accelerators, words, (design.loads.bandwidth, design.loads.metadata), rises=True)
    drawn, reach = plot.spec(look, frame, TICKS), Reach(design.loads.highest, end, float("inf"))
    title, alt = "Which limit is reached at how many GPUs?", say("loads_chart", design)
    return Figure("loads", title, stack(rows), drawn, alt, ("line",), Grab("accelerators"), reach)


def _full(design: Design) -> list[plot.Row]:
    """Mark the fleets at which a limit is saturated; near the present fleet its name says so."""
    rows = []
    for tone, at in (("s0", design.bytes_full), ("s1", design.opens_full)):
        if FRAME.left <= at <= FRAME.right and not 1 / plot.GAP < at / design.accelerators < plot.GAP:
            side = {"align": "right", "dx": -9} if at > FRAME.left * 4 else {"dx": 9}
            rows.append(marks.point(at, 1.0, shape="diamond", tone=tone))
            rows.append(marks.label(at, 1.0, fleet_words(at), dy=-10, tone=tone, **side))
    return rows


def _said(design: Design, guess: str | None) -> list[plot.Row]:
    """Mark what an answer says: which limit is reached first, or that none is."""
    if guess == "c":
        return [marks.label(FRAME.left, 1.0, "you said: nothing gets up here", dx=6, dy=-11, short="you said: nothing")]
    found = {"a": ("bandwidth", design.bytes_full), "b": ("metadata servers", design.opens_full)}.get(guess or "")
    if found is None:
        return []
    name, at = found
    arrow = " →" if at > FRAME.right else " ←" if at < FRAME.left else ""
    x = min(max(at, FRAME.left), FRAME.right)
    side = {"align": "right", "dx": -12} if x > FRAME.left * 8 else {"dx": 12}
    ring = marks.point(x, 1.0, size=260, tone="paper", rim="quiet", rim_width=2)
    words = f"you said: {name} first{arrow}"
    return [ring, marks.label(x, 1.0, words, short=f"you said{arrow}", dy=12, tone="quiet", **side)]


def metrics(design: Design) -> list[Metric]:
    """What gets through, the load of bytes and of opens, and the cost."""
    highest = design.loads.highest
    state = "queues build up" if QUEUES <= highest < 1 else f"highest load {load_words(highest)}"
    bought = f"{f.count(design.storage_nodes, 'node')}, {f.count(design.metadata_servers, 'server')}"
    opens = f"{f.rounded(design.operations, 3)}/s of {f.rounded(design.sustained, 3)}/s"
    return [
        Metric("Reads that get through", f.share(design.loads.achieved), state, _room(design.loads.highest)),
        _load("Load of metadata servers", design.loads.metadata, opens),
        _load("Load of bandwidth", design.loads.bandwidth, f"{gb(design.rate)} of {gb(design.bandwidth)}"),
        Metric("Cost in 30 days", f.money(design.cost), bought),
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


def words(design: Design) -> str:
    """Say at how many GPUs each limit is reached."""
    return say("loads_words", design)


def remedies(design: Design) -> str:
    """List every single change that lets all reads through, each no further than needed; else two of them."""
    if design.loads.holds:
        return ""
    found = search.remedies(design, _holds, FIXES)
    pair = None if found else search.pairs(design, _holds, FIXES, FIXES)
    listed = search.listed(found) if found else " together with ".join(one.words for one in pair or ())
    text = say("remedies", design, found=listed) if listed else say("no_remedy", design)
    too_many = design.loads.metadata >= 1 and design.servers_needed > k.METADATA_SERVERS_MOST
    return f"{say('too_many_servers', design)} {text}" if too_many else text


def _holds(design: Design) -> bool:
    return design.loads.holds
