"""How much work a run is, whatever else the machine does: the calls that it makes."""

import sys
from collections.abc import Callable


def calls(run: Callable[[], object]) -> tuple[int, object]:
    """Calls of Python's and of built-in functions in a run, and what it returned; loops inside
    NumPy are one call.
    """
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        result = run()
    finally:
        sys.setprofile(before)
    return count, result
