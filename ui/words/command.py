"""Check a folder of a course's own words: `python -m lessons check FOLDER`."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from physics.texts import visible
from ui.base import own_words
from ui.base.lesson import Lesson, lessons


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a sentence for everything that the app would refuse; return 1 if there is any, else 0."""
    parser = argparse.ArgumentParser("python -m lessons", description=__doc__)
    commands = parser.add_subparsers(required=True)
    check = commands.add_parser("check", help="say what the app would refuse")
    check.add_argument("folder", type=Path, metavar="FOLDER", help="as FLEET_LESSONS names it")
    folder = parser.parse_args(arguments).folder
    found = list(own_words.check(folder, {lesson.page: _numbers(lesson) for lesson in lessons()}))
    for sentence in found:
        print(visible(sentence))
    changed = sum((folder / lesson.page / own_words.FILE).is_file() for lesson in lessons())
    if not found:
        print(f"in order: {changed} {'lesson has' if changed == 1 else 'lessons have'} words of your own")
    return 1 if found else 0


def _numbers(lesson: Lesson):
    return lambda: lesson.values(lesson.settings()).keys()
