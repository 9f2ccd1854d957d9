"""Grade reports in a script.

Run `python -m lessons grades reports/*.json > grades.csv`, or `python -m ui.grades …`. The table
goes to standard output, the number of files to standard error. `--canvas NAME` and `--moodle NAME`
write a grade book with that assignment instead.
"""

import argparse
import logging
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

from physics.texts import visible
from ui.base.lesson import lessons
from ui.grades import files, tables
from ui.grades.course import PARTS, Course, Scheme


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table and return the exit code: 2 if invalid arguments prevent grading."""
    logging.getLogger("streamlit").setLevel(logging.ERROR)
    import_module("lessons")  # enrolls the app's lessons
    options = _parser().parse_args(arguments)
    try:
        scheme = Scheme(_weights(",".join(options.weights)), options.points, _assigned(options))
        name = options.canvas
        if name is None:
            name = options.moodle
        if name is not None:
            name = tables.check_assignment(name)
        course = Course(files.opened(files.heads([_file(path) for path in options.reports])))
    except (ValueError, OSError) as refusal:
        print(visible(f"ui.grades: {refusal}"), file=sys.stderr)
        return 2
    for _ in course.go_on(options.seconds):
        pass
    if options.canvas is not None:
        rows = tables.canvas(course, scheme, name)
    elif options.moodle is not None:
        rows = tables.moodle(course, scheme, name)
    else:
        rows = tables.students(course, scheme)
    sys.stdout.write(tables.to_csv(rows))
    reports = len(course.sheets)
    refused = len(course.refused)
    left = ""
    if course.left:
        left = f"; {course.left} records not computed again (see --seconds)"
    print(f"{reports + refused} files: {reports} reports, {refused} refused{left}", file=sys.stderr)
    return 0


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m lessons grades", description="Grade reports of Fleet What-If."
    )
    parser.add_argument("reports", nargs="+", type=Path, help="JSON reports, or ZIPs of them")
    book = parser.add_mutually_exclusive_group()
    book.add_argument("--canvas", metavar="ASSIGNMENT", help="write a grade book for Canvas")
    book.add_argument(
        "--moodle", metavar="ASSIGNMENT", help="write a grade book for Moodle, mapped by e-mail"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--core", action="store_true", help="the core course was assigned, and no elective"
    )
    which.add_argument(
        "--lessons",
        metavar="trap,io",
        help="these lessons were assigned (all, unless --core or --lessons says otherwise)",
    )
    parts = ", ".join(f"{name} {weight:g}" for name, (_, weight) in PARTS.items())
    parser.add_argument(
        "--weights",
        "--parts",
        action="append",
        metavar="trap=2,challenge=0",
        default=[],
        help=f"weights of lessons, 1 unless named, and within a lesson: {parts}",
    )
    parser.add_argument(
        "--points", type=float, default=100.0, help="points of a perfect report (100)"
    )
    parser.add_argument(
        "--seconds", type=float, default=40.0, help="processor time for computing again (40)"
    )
    return parser


def _assigned(options: argparse.Namespace) -> list[str] | None:
    """Return the ids of the assigned lessons; None for all."""
    if options.core:
        return [lesson.id for lesson in lessons() if not lesson.theme]
    if options.lessons is not None:
        return [name for name in options.lessons.replace(" ", "").split(",") if name]
    return None


def _weights(text: str) -> dict[str, float]:
    """Parse weights such as "trap=2,io=0.5"; a `ValueError` names what is no weight."""
    weights = {}
    for pair in filter(None, text.replace(" ", "").split(",")):
        name, _, weight = pair.partition("=")
        try:
            weights[name] = float(weight)
        except ValueError:
            raise ValueError(f"A weight is written like trap=2, got {pair!r}.") from None
    return weights


def _file(path: Path) -> files.File:
    """Return a file to read; ValueError for a folder, or for a pipe, which might never end."""
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} is no regular file.")
    return files.File(visible(str(path)), path.stat().st_size, partial(_head, path))


def _head(path: Path, limit: int) -> bytes:
    """Return at most so many bytes of a file."""
    with path.open("rb") as opened:
        return opened.read(limit)


if __name__ == "__main__":
    sys.exit(main())
