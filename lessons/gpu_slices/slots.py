"""GPU slices, first act: the slices of one GPU, as a picture and in words."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import altair as alt
import pandas as pd

from lessons.gpu_slices.settings import GPUS, KINDS, Slices
from physics import constants as k
from physics.slicing import PROFILES, Placement, Stranded, bits, occupied, room
from physics.slicing.streams import most_compute
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes
from ui.charts.look import NARROW, Look, only, specification

HEAD, BAR = 0.36, 0.5  # of a row's height: where its bar begins, and how high it is
LONGEST = 24  #: letters of a list in a headline
FILLED = 0.22  #: opacity of an instance
COLUMNS = ["kind", "row", "label", "start", "stop", "top", "bottom"]
#: Answers that have a place: the row of the picture, and what they say of it.
SAID = {
    "a": (0, "you said: this adds up, so they fit"),
    "b": (1, "you said: nine of eight"),
    "d": (3, "you said: another order would do"),
}


def short(profile: str) -> str:
    """Name that fits into a block: one slice is as wide as two letters.

    >>> short("1g.10gb"), short("3g.40gb")
    ('1g', '3g.40gb')
    """
    return "1g" if profile == "1g.10gb" else profile


def roomy(profile: str, size: int, extent: int) -> bool:
    """Whether a block of so many slices has room for its name on an axis of `extent` slices."""
    return size / extent >= (1 / 16 if profile == "1g.10gb" else 0.15)


def extent_of(wish: Slices) -> int:
    """Slices on the axis: those of a GPU, or as many as are asked for."""
    return max(int(k.SLICES_MEMORY), wish.memory, wish.compute)


@lru_cache(maxsize=256)
def slots_frame(wish: Slices) -> pd.DataFrame:
    """Rows of the picture: what is asked for in compute and in memory slices, and two ways to place it."""
    compute, memory, extent = int(k.SLICES_COMPUTE), int(k.SLICES_MEMORY), extent_of(wish)
    rows: list[tuple] = [("edge", "", "", 0.0, extent, 0.0, 4.0)]
    kinds = PROFILES[wish.gpu]
    # Largest first: it is a small one that overflows where a small one is too many.
    for row, (words, limit, sizes) in enumerate(
        (
            ("Compute slices asked for", compute, [(name, kinds[name].compute) for name in wish.names[::-1]]),
            ("Memory slices asked for", memory, [(name, kinds[name].memory) for name in wish.names[::-1]]),
        )
    ):
        total = sum(size for _, size in sizes)
        over = total > limit
        head = f"{words}: {total} of {limit}" + (f", {total - limit} too many" if over else "")
        rows.append(("head bad" if over else "head", words, head, 0.0, 0.0, row + 0.16, row + 0.16))
        rows += _cells(words, row, range(limit))
        at = 0
        for name, size in sizes:
            kind = "over" if at + size > limit else "asked"
            label = short(name) if roomy(name, size, extent) else ""
            rows.append((kind, words, label, at, at + size, row + HEAD, row + HEAD + BAR))
            at += size
        rows.append(("limit", words, "", limit, limit, row + HEAD - 0.08, row + HEAD + BAR + 0.08))
    for row, (words, placed) in enumerate(
        (("Placed with hindsight", wish.placed), ("Created smallest first", wish.in_order)), 2
    ):
        whole = len(placed) == len(wish.names)
        rest = _missing(wish, placed)
        if len(rest) > LONGEST:
            rest = f"{len(wish.names) - len(placed)} of {len(wish.names)}"
        head = f"{words}: " + ("all fit" if whole else f"left out {rest}")
        rows.append(("head" if whole else "head bad", words, head, 0.0, 0.0, row + 0.16, row + 0.16))
        rows += picture(words, row, placed, wish.gpu, extent)
    return pd.DataFrame(rows, columns=COLUMNS)


def guessed(wish: Slices, guess: str | None) -> pd.DataFrame:
    """Rows of the picture with the visitor's answer, as long as the request is the message's that it is about."""
    frame = slots_frame(wish)
    if guess not in SAID or wish.names != Slices().names:
        return frame
    row, words = SAID[guess]
    said = ("said", str(row), words, float(extent_of(wish)), 0.0, row + 0.16, row + 0.16)
    return pd.concat([frame, pd.DataFrame([said], columns=COLUMNS)], ignore_index=True)


def _missing(wish: Slices, placed: tuple[Placement, ...]) -> str:
    rest = list(wish.names)
    for place in placed:
        rest.remove(place.profile)
    return listed(tuple(rest))


def _cells(words: str, row: float, slices: range, kind: str = "cell") -> list[tuple]:
    return [(kind, words, "", at, at + 1, row + HEAD, row + HEAD + BAR) for at in slices]


def dead(placed: tuple[Placement, ...], gpu: str) -> tuple[int, ...]:
    """Memory slices of one GPU that are free, but within reach of no further instance.

    >>> dead((Placement(0, "3g.40gb"), Placement(4, "3g.40gb")), "A100-80GB")
    ()
    >>> dead((Placement(0, "4g.40gb"), Placement(4, "2g.20gb"), Placement(6, "1g.10gb")), "A100-80GB")
    (7,)
    """
    mask, compute = occupied(placed, gpu)
    reach = mask
    for name, one in PROFILES[gpu].items():
        for start in room(mask, compute, name, gpu):
            reach |= bits(one, start)
    return tuple(at for at in range(int(k.SLICES_MEMORY)) if not reach >> at & 1)


def picture(words: str, row: float, placed: tuple[Placement, ...], gpu: str, extent: int = 8) -> Iterator[tuple]:
    """One GPU on an axis of `extent` slices: memory slices, instances, and the slices that are free but useless."""
    useless = dead(placed, gpu)
    for at in range(int(k.SLICES_MEMORY)):
        yield from _cells(words, row, range(at, at + 1), "dead" if at in useless else "cell")
        if at in useless:
            yield ("cross", words, "×", at, at + 1, row + HEAD, row + HEAD + BAR)
    for place in placed:
        stop = place.start + PROFILES[gpu][place.profile].memory
        label = short(place.profile) if roomy(place.profile, stop - place.start, extent) else ""
        yield ("block", words, label, place.start, stop, row + HEAD, row + HEAD + BAR)


def blocks(look: Look, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Layers of slices and instances, for this picture and for the one of the stream."""
    base = alt.Chart().encode(x=x, x2="stop:Q", y=y, y2="bottom:Q")
    middle = alt.Chart().transform_calculate(
        start="(datum.start + datum.stop) / 2", top="(datum.top + datum.bottom) / 2"
    )
    middle = middle.encode(x=x, y=y, text="label:N")
    tips = [
        alt.Tooltip("label:N", title="instance"),
        alt.Tooltip("start:Q", title="from slice"),
        alt.Tooltip("stop:Q", title="up to slice"),
    ]

    def box(kind: str, color: str, opacity: float, edge: str, **options: object) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_rect(
            color=color, fillOpacity=opacity, stroke=edge, tooltip=True, **options
        )
        return mark.encode(tooltip=tips)

    def text(kind: str, color: str, fill: str = "", **options: object) -> list[alt.Chart]:
        base = middle.transform_filter(only(kind))
        words = base.mark_text(color=color, fontSize=look.text_size, **options)
        # A rim in the box's own color keeps the edges of the slices off the name.
        rim = {"stroke": fill, "strokeWidth": 5, "strokeJoin": "round"}
        return [base.mark_text(color=fill, fontSize=look.text_size, **rim, **options), words] if fill else [words]

    asked, over = blend(look.accent, look.paper, FILLED), blend(look.bad, look.paper, FILLED)
    return [
        box("cell", look.paper, 0, look.quiet, strokeWidth=0.6),
        box("dead", look.bad, 0.12, look.quiet, strokeWidth=0.6),
        box("asked", look.accent, FILLED, look.accent, strokeWidth=1.5),
        box("over", look.bad, FILLED, look.bad, strokeWidth=1.5, strokeDash=[4, 3]),
        box("block", look.accent, FILLED, look.accent, strokeWidth=1.5, cornerRadius=3),
        *text("cross", look.bad),
        *text("asked", look.ink, asked),
        *text("over", look.ink, over),
        *text("block", look.ink, asked, fontWeight="bold"),
    ]


def blend(color: str, paper: str, opacity: float) -> str:
    """Return a color as it looks at an opacity on the page.

    >>> blend("#000000", "#ffffff", 0.2)
    '#cccccc'
    """
    parts = ((int(color[at : at + 2], 16), int(paper[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(opacity * over + (1 - opacity) * under):02x}" for over, under in parts)


def heads(look: Look, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Headlines of the rows."""
    found = []
    for kind, color in (("head", look.ink), ("head bad", look.bad)):
        mark = alt.Chart().transform_filter(only(kind)).mark_text(color=color, fontSize=look.text_size, align="left")
        found.append(mark.encode(x=x, y=y, text="label:N"))
    return found


@lru_cache(maxsize=8)
def slots_spec(look: Look) -> dict:
    """Slices asked for and slices placed, on a common scale of slices that ends where the edge, the first row, does."""
    # The end is read from the rows, so that the browser takes the new ones and does not build the chart again.
    end = alt.ExprRef("length(data('rows')) ? data('rows')[0].stop : 1")
    x = axes.x("start:Q", "slices", [0, end], tickMinStep=1, format="d", grid=False)
    y = axes.y("top:Q", ends=[4, 0], axis=None)
    edge = alt.Chart().transform_filter(only("edge")).mark_rule(opacity=0).encode(x=x, x2="stop:Q", y=y)
    limit = alt.Chart().transform_filter(only("limit")).mark_rule(color=look.ink, strokeWidth=2.5)
    said = (
        alt.Chart().transform_filter(only("said")).mark_text(color=look.quiet, fontSize=look.text_size, align="right")
    )
    words = alt.value({"expr": f"{NARROW} ? 'you said' : datum.label"})
    layers = [edge, *blocks(look, x, y), limit.encode(x=x, y=y, y2="bottom:Q"), *heads(look, x, y)]
    return specification(alt.layer(*layers, said.encode(x=x, y=y, text=words)), look, halo=False)


def slots_alt(wish: Slices) -> str:
    """The picture in one sentence with its numbers."""
    places = ", ".join(f"{place.profile} from slice {place.start}" for place in wish.placed) or "nothing"
    return (
        f"Slices of one {GPUS[wish.gpu]}: asked for are {wish.compute} of {k.SLICES_COMPUTE:.0f} compute slices and "
        f"{wish.memory} of {k.SLICES_MEMORY:.0f} memory slices; placed with hindsight: {places}."
    )


# --- words ------------------------------------------------------------------------------------------------------------
def metrics(wish: Slices) -> list[Metric]:
    """The headline numbers."""
    total, placed = len(wish.names), len(wish.placed)
    compute, memory = int(k.SLICES_COMPUTE), int(k.SLICES_MEMORY)
    over = (wish.compute - compute, wish.memory - memory)
    return [
        Metric("Fits on one GPU", "yes" if wish.fits else "no", _kept(placed, total), wish.fits),
        Metric("Compute slices asked", f"{wish.compute} of {compute}", _over(over[0]), over[0] <= 0),
        Metric("Memory slices asked", f"{wish.memory} of {memory}", _over(over[1]), over[1] <= 0),
        Metric("Stranded", stranded_words(wish.left), _free_note(wish.left)),
    ]


def _kept(placed: int, total: int) -> str:
    if not total:
        return "nothing is asked for"
    return f"all of {f.count(total, 'instance')}" if placed == total else f"best choice: {placed} of {total}"


def _free_note(left: Stranded) -> str:
    """Say what the stranded slices are, or why there are none."""
    if left.compute or left.memory:
        return "free, and of use to no profile"
    return "what is free can be used" if left.free_compute or left.free_memory else "no slice is free"


def _over(excess: int) -> str:
    return f"{excess} too many" if excess > 0 else "enough" if excess == 0 else f"{-excess} to spare"


@lru_cache(maxsize=1024)
def verdict(wish: Slices) -> Verdict:
    """Say whether it fits, and what binds."""
    if not wish.names:
        return Verdict("Nothing is asked for: the whole GPU is free.", True)
    if wish.fits:
        text = f"{listed(wish.names)} fits on one {GPUS[wish.gpu]}."
        if len(wish.in_order) < len(wish.names):
            text += (
                f" But the order of creation matters: smallest first, only {len(wish.in_order)} of {len(wish.names)} "
                "find a place if the driver chooses places as in the examples of NVIDIA's guide (its rule is not "
                "published); largest first, all do."
            )
        if wish.left.compute or wish.left.memory:
            text += f" Stranded beside it: {stranded_words(wish.left)}."
        return Verdict(text, True)
    return Verdict(f"Does not fit: {binding(wish)}.", False)


def binding(wish: Slices) -> str:
    """What stands in the way, in words."""
    over = []
    if wish.compute > k.SLICES_COMPUTE:
        over.append(f"{wish.compute} of {k.SLICES_COMPUTE:.0f} compute slices")
    if wish.memory > k.SLICES_MEMORY:
        over.append(f"{wish.memory} of {k.SLICES_MEMORY:.0f} memory slices")
    if over:
        return f"they need {' and '.join(over)}"
    return "the sums fit, but no choice of starts does without two of them overlapping"


def remedies(wish: Slices) -> str:
    """The smallest changes after which it fits."""
    if wish.fits:
        return ""
    found = [
        f"leave out one {profile}"
        for field, profile in KINDS.items()
        if getattr(wish, field) and replace(wish, **{field: getattr(wish, field) - 1}).fits
    ]
    smaller = {"two": ("one",), "three": ("two", "one"), "four": ("three", "two"), "seven": ("four", "three")}
    for large, others in smaller.items():
        if getattr(wish, large):
            changes = {small: {large: getattr(wish, large) - 1, small: getattr(wish, small) + 1} for small in others}
            small = next((small for small in others if replace(wish, **changes[small]).fits), None)
            if small:
                found.append(f"take one {KINDS[small]} for one {KINDS[large]}")
    gpus = next((n for n in (2, 3) if most_compute(wish.names, n, wish.gpu) == wish.compute), None)
    if gpus:
        found.append(f"spread them over {gpus} GPUs")
    if not found:
        return (
            f"The choice that takes most compute slices keeps {len(wish.placed)} of the {len(wish.names)}: "
            f"{listed(_names(wish.placed))}."
        )
    return f"{'Any one of these mends it' if len(found) > 1 else 'This mends it'}: {'; '.join(found)}."


def _names(placed: tuple[Placement, ...]) -> tuple[str, ...]:
    order = list(KINDS.values())
    return tuple(sorted((place.profile for place in placed), key=order.index))


def stranded_words(left: Stranded) -> str:
    """Stranded compute and memory slices."""
    parts = [f"{number} {name}" for number, name in ((left.compute, "compute"), (left.memory, "memory")) if number]
    return ", ".join(parts) or "none"


def listed(names: tuple[str, ...]) -> str:
    """Write instances as a sum.

    >>> listed(("1g.10gb", "3g.40gb", "3g.40gb"))
    '1g.10gb + 2 × 3g.40gb'
    """
    kinds = dict.fromkeys(names)
    return " + ".join(f"{names.count(name)} × {name}" if names.count(name) > 1 else name for name in kinds) or "nothing"


def figure(wish: Slices, look: Look, guess: str | None = None) -> Figure:
    """The picture, with the visitor's answer where it has a place."""
    return Figure("slots", "Do the instances fit on one GPU?", guessed(wish, guess), slots_spec(look), slots_alt(wish))


def figures(wish: Slices, look: Look) -> list[Figure]:
    """The picture without an answer."""
    return [figure(wish, look)]
