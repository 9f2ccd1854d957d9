"""The command under its older name: `python -m ui.words check FOLDER`."""

import os
from collections.abc import Sequence
from importlib import import_module

from ui.base import own_words
from ui.words import command


def main(arguments: Sequence[str] | None = None) -> int:
    """Enroll the lessons as they are shipped, and check the folder."""
    os.environ.pop(own_words.SETTING, None)
    import_module("lessons")
    return command.main(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
