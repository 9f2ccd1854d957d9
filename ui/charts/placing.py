"""Positions for point labels that hide neither another label nor a point."""

import math
from collections.abc import Sequence

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

#: Left, right, top and bottom [px].
Box = tuple[float, float, float, float]


def beside_points(
    places: Sequence[tuple[float, float]],
    labels: Sequence[str],
    line: float = -1.0,
    words: str = "",
    corner: str = "",
) -> list[dict[str, float] | None]:
    """Return each point label's offsets `dx` and `dy` [px], None without space; the last point has
    priority.

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
    taken = [(x - 7, x + 7, y - 7, y + 7) for x, y in centers]
    level = (1 - line) * HIGH
    taken.append((0.0, WIDE, level - 1, level + 1))
    taken.append((WIDE - LETTER * len(words), WIDE, level - LINE - 4, level))
    taken.append((0.0, LETTER * len(corner), 0.0, LINE + 4))
    chosen: list[dict[str, float] | None] = []
    for (x, y), label in reversed(list(zip(centers, labels, strict=True))):
        least = math.inf
        for side, dy in SIDES:
            frame = _frame(x, y + dy, side, LETTER * len(label))
            hidden = _hidden(frame, taken)
            if hidden < least:
                least = hidden
                best = (side, dy, frame)
        if least > HIDES:
            chosen.append(None)
        else:
            taken.append(best[2])
            chosen.append({"dx": POINT * best[0], "dy": best[1]})
    return chosen[::-1]


def _frame(x: float, y: float, side: int, width: float) -> Box:
    """Return the box of words at one side of a point."""
    left = x + POINT
    if side < 0:
        left = x - POINT - width
    return left, left + width, y - LINE / 2, y + LINE / 2


def _hidden(frame: Box, others: Sequence[Box]) -> float:
    """Return how much of a box lies over others [px²], and ten times what is outside the plot."""
    left, right, top, bottom = frame
    outside = max(0.0, -left) + max(0.0, right - WIDE) + max(0.0, -top) + max(0.0, bottom - HIGH)
    hidden = 10 * LINE * outside
    for other in others:
        wide = min(right, other[1]) - max(left, other[0])
        high = min(bottom, other[3]) - max(top, other[2])
        hidden += max(0.0, wide) * max(0.0, high)
    return hidden
