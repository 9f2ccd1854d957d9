"""The command under its older name: `python -m ui.grades reports/*.json > grades.csv`."""

import sys
from collections.abc import Sequence
from importlib import import_module

from ui.grades import command


def main(arguments: Sequence[str] | None = None) -> int:
    """Enroll the lessons, and grade the reports."""
    import_module("lessons")
    return command.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
