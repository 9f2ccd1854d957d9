"""Positions for labels of points on a small plot, where no label hides another label or a point."""

from collections.abc import Sequence

from ui.charts.frames import Box

#: Places beside a point, the best first: right (1) or left (−1) of it, and how far down [px].
SIDES = tuple((side, dy) for dy in (0, 15, -15, 30, -30) for side in (1, -1))
#: Width and height of a plot of half the page's width [px].
PLOT_WIDTH = 345.0
PLOT_HEIGHT = 215.0
#: Width of a letter, and height of a line of text and of such a line with its margin [px].
LETTER_WIDTH = 6.4
LINE_HEIGHT = 13.0
ROW_HEIGHT = 17.0
#: Distance of a label from its point, and half the width of a point's mark [px].
LABEL_OFFSET = 11.0
POINT_RADIUS = 7.0
#: Largest area that a label may hide [px²]; a label that would hide more is left out.
MAX_HIDDEN_AREA = 250.0


def beside_points(
    places: Sequence[tuple[float, float]],
    labels: Sequence[str],
    line: float | None = None,
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
    obstacles = [Box(0.0, LETTER_WIDTH * len(corner), 0.0, ROW_HEIGHT)]
    if line is not None:
        level = (1 - line) * PLOT_HEIGHT
        words_left = PLOT_WIDTH - LETTER_WIDTH * len(words)
        obstacles.append(Box(0.0, PLOT_WIDTH, level - 1, level + 1))
        obstacles.append(Box(words_left, PLOT_WIDTH, level - ROW_HEIGHT, level))
    centers = [(x * PLOT_WIDTH, (1 - y) * PLOT_HEIGHT) for x, y in places]
    for x, y in centers:
        mark = (x - POINT_RADIUS, x + POINT_RADIUS, y - POINT_RADIUS, y + POINT_RADIUS)
        obstacles.append(Box(*mark))
    offsets: list[dict[str, float] | None] = []
    for (x, y), label in reversed(list(zip(centers, labels, strict=True))):
        boxes = {}
        hidden_areas = {}
        for side, dy in SIDES:
            box = _box(x, y + dy, side, LETTER_WIDTH * len(label))
            boxes[side, dy] = box
            hidden_areas[side, dy] = _outside(box) + sum(map(box.shared, obstacles))
        best = min(SIDES, key=hidden_areas.__getitem__)
        if hidden_areas[best] > MAX_HIDDEN_AREA:
            offsets.append(None)
            continue
        obstacles.append(boxes[best])
        side, dy = best
        offsets.append({"dx": LABEL_OFFSET * side, "dy": dy})
    return offsets[::-1]


def _box(x: float, y: float, side: int, width: float) -> Box:
    """Return the box of a label at one side of a point."""
    left = x + LABEL_OFFSET
    if side < 0:
        left = x - LABEL_OFFSET - width
    return Box(left, left + width, y - LINE_HEIGHT / 2, y + LINE_HEIGHT / 2)


def _outside(box: Box) -> float:
    """Return the penalty for a label outside the plot: ten lines' height per pixel beyond [px²]."""
    across = max(0.0, -box.left) + max(0.0, box.right - PLOT_WIDTH)
    down = max(0.0, -box.top) + max(0.0, box.bottom - PLOT_HEIGHT)
    return 10 * LINE_HEIGHT * (across + down)
