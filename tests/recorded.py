"""The recorded log and the reference cases with which some numbers are compared; they lie beside
the repository and are no part of it.
"""

import json
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
KTH = SHARED / "data" / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz"
LESSON_CASES = SHARED / "three-lessons" / "cases.json"
FLEET_CASES = SHARED / "capstone" / "cases.json"
CASES = SHARED / "cases"
#: Only comparisons with the log itself may be skipped, and the reason names it: `.ci/run` lets no
#: other skip pass.
needs_log = pytest.mark.skipif(
    not KTH.exists(), reason="the recorded log KTH-SP2-1996-2.1-cln is not here"
)
needs_lesson_cases = pytest.mark.skipif(
    not LESSON_CASES.exists(), reason="the reference cases three-lessons/cases.json are not here"
)
needs_fleet_cases = pytest.mark.skipif(
    not FLEET_CASES.exists(), reason="the reference cases capstone/cases.json are not here"
)
needs_cases = pytest.mark.skipif(
    not CASES.exists(), reason="the reference cases in the folder cases are not here"
)


def lesson_cases(group: str, *functions: str) -> list[dict]:
    """Reference cases of one group, A to C, whose function ends in one of some names."""
    cases = json.loads(LESSON_CASES.read_text(encoding="utf-8"))[group]
    return [case for case in cases if case["function"].rpartition(".")[2] in functions]
