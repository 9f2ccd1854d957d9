"""Check a folder of custom texts: `python -m lessons check FOLDER`, or `python -m ui.words check
FOLDER`.
"""

import argparse
import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from physics.texts import visible
from ui.base import own_words
from ui.base.lesson import lessons


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a sentence for each error in the folder; return 1 if there is any, else 0."""
    parser = argparse.ArgumentParser("python -m lessons", description=__doc__)
    commands = parser.add_subparsers(required=True)
    check = commands.add_parser("check", help="say what the app would refuse")
    check.add_argument("folder", type=Path, metavar="FOLDER", help="as FLEET_LESSONS names it")
    folder = parser.parse_args(arguments).folder
    os.environ.pop(own_words.SETTING, None)
    import_module("lessons")  # enrolled as they are shipped
    numbers = {lesson.page: lesson.values(lesson.settings()).keys for lesson in lessons()}
    faults = list(own_words.check(folder, numbers))
    for sentence in faults:
        print(visible(sentence))
    if not faults:
        changed = sum((folder / page / own_words.FILE).is_file() for page in numbers)
        have = "lesson has" if changed == 1 else "lessons have"
        print(f"in order: {changed} {have} words of your own")
    return int(bool(faults))


if __name__ == "__main__":
    raise SystemExit(main())
