"""Positions for labels of points on a small plot, where no label hides another label or a point."""

import math
from collections.abc import Sequence

from ui.charts.frames import Box

#: Sides of a point, the best first: to the right or left, and how far down [px].
SIDES = tuple((side, dy) for dy in (0, 15, -15, 30, -30) for side in (1, -1))
#: Width and height of a plot of half the page's width [px].
WIDE = 345.0
HIGH = 215.0
#: Width of a letter, height of a line of text, and distance of a label from its point [px].
LETTER = 6.4
LINE = 13.0
POINT = 11.0
#: Largest area that a label may hide [px²]; a label that would hide more is left out.
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
        places: Positions of the points, as shares of the frame's width and height.
        labels: Their texts.
        line: Height of a horizontal line that labels should avoid, as a share of the frame's.
        words: Text over the right end of this line.
        corner: Text in the upper left corner.

    >>> beside_points([(0.5, 0.5), (0.52, 0.5)], ["FIFO", "EASY"])
    [{'dx': -11.0, 'dy': 0}, {'dx': 11.0, 'dy': 0}]
    """
    centers = [(x * WIDE, (1 - y) * HIGH) for x, y in places]
    level = (1 - line) * HIGH
    obstacles = [
        *(Box(x - 7, x + 7, y - 7, y + 7) for x, y in centers),
        Box(0.0, WIDE, level - 1, level + 1),
        Box(WIDE - LETTER * len(words), WIDE, level - LINE - 4, level),
        Box(0.0, LETTER * len(corner), 0.0, LINE + 4),
    ]
    chosen: list[dict[str, float] | None] = []
    for (x, y), label in reversed(list(zip(centers, labels, strict=True))):
        least = math.inf
        for side, dy in SIDES:
            box = _box(x, y + dy, side, LETTER * len(label))
            hidden = sum(map(box.shared, obstacles), _outside(box))
            if hidden < least:
                least = hidden
                best = {"dx": POINT * side, "dy": dy}
                best_box = box
        if least > HIDES:
            chosen.append(None)
        else:
            obstacles.append(best_box)
            chosen.append(best)
    return chosen[::-1]


def _box(x: float, y: float, side: int, width: float) -> Box:
    """Return the box of a label at one side of a point."""
    left = x + POINT
    if side < 0:
        left = x - POINT - width
    return Box(left, left + width, y - LINE / 2, y + LINE / 2)


def _outside(box: Box) -> float:
    """Return ten times the area of a label's box outside the plot [px²]."""
    across = max(0.0, -box.left) + max(0.0, box.right - WIDE)
    return 10 * LINE * (across + max(0.0, -box.top) + max(0.0, box.bottom - HIGH))
