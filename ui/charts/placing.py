"""Positions for point labels that hide neither another label nor a point."""

import math
from collections.abc import Sequence

from ui.charts.frames import Box

#: Sides of a point, the best first: to the right or left, and how far down [px].
SIDES = tuple((side, dy) for dy in (0, 15, -15, 30, -30) for side in (1, -1))
#: Size of a plot of half the page's width, of a letter, of a line of text and of a point [px].
WIDE = 345.0
HIGH = 215.0
LETTER = 6.4
LINE = 13.0
POINT = 11.0
#: What a label may hide at most [px²]; one that would hide more is left out.
HIDES = 250.0


def beside_points(
    places: Sequence[tuple[float, float]],
    labels: Sequence[str],
    line: float = -1.0,
    words: str = "",
    corner: str = "",
) -> list[dict[str, float] | None]:
    """Return point labels' offsets `dx` and `dy` [px], with None for a label that fits nowhere.

    The last point has priority.

    Args:
        places: Where the points are, as shares of the frame's width and height.
        labels: Their words.
        line: Where a level line is that labels should avoid, as a share of the height.
        words: What stands over the right end of this line.
        corner: What stands in the upper left corner.

    >>> beside_points([(0.5, 0.5), (0.52, 0.5)], ["FIFO", "EASY"])
    [{'dx': -11.0, 'dy': 0}, {'dx': 11.0, 'dy': 0}]
    """
    centers = [(x * WIDE, (1 - y) * HIGH) for x, y in places]
    taken = [Box(x - 7, x + 7, y - 7, y + 7) for x, y in centers]
    level = (1 - line) * HIGH
    taken.append(Box(0.0, WIDE, level - 1, level + 1))
    taken.append(Box(WIDE - LETTER * len(words), WIDE, level - LINE - 4, level))
    taken.append(Box(0.0, LETTER * len(corner), 0.0, LINE + 4))
    chosen: list[dict[str, float] | None] = []
    for (x, y), label in reversed(list(zip(centers, labels, strict=True))):
        least = math.inf
        for side, dy in SIDES:
            box = _box(x, y + dy, side, LETTER * len(label))
            hidden = sum(map(box.shared, taken), _outside(box))
            if hidden < least:
                least = hidden
                best = {"dx": POINT * side, "dy": dy}
                best_box = box
        if least > HIDES:
            chosen.append(None)
        else:
            taken.append(best_box)
            chosen.append(best)
    return chosen[::-1]


def _box(x: float, y: float, side: int, width: float) -> Box:
    """Return the box of words at one side of a point."""
    left = x + POINT
    if side < 0:
        left = x - POINT - width
    return Box(left, left + width, y - LINE / 2, y + LINE / 2)


def _outside(box: Box) -> float:
    """Return ten times what lies outside the plot of a box of words [px²]."""
    across = max(0.0, -box.left) + max(0.0, box.right - WIDE)
    return 10 * LINE * (across + max(0.0, -box.top) + max(0.0, box.bottom - HIGH))
