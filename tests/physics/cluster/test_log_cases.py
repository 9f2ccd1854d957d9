"""Small logs with one fault or trap each: the numbers of their reports, and what must be said."""

import json
import shlex

import pytest
from recorded import CASES as FOLDER
from recorded import needs_cases

from physics.cluster.__main__ import main

pytestmark = needs_cases

LOGS = FOLDER / "cluster"

#: Cases that hold; the others are of formats that are not read.
HOLD = ("verdict1",)
if LOGS.exists():
    CASES = json.loads((LOGS / "cases.json").read_text(encoding="utf-8"))["cases"]
else:
    CASES = []
BY_NAME = {case["id"]: case for case in CASES}


def words_of(case, capsys, *more):
    """Status of the command of a case, and what it printed in small letters."""
    words = shlex.split(case["call"])[3:]
    path = LOGS / case["file"]
    if path.exists():
        words = [str(path) if word == case["file"] else word for word in words]
    status = main([*words, *more])
    printed = capsys.readouterr()
    return status, (printed.out + printed.err).lower()


@pytest.mark.parametrize("name", HOLD)
def test_a_report_says_what_is_wrong_with_its_log(name, capsys):
    case = BY_NAME[name]
    status, words = words_of(case, capsys)
    assert status == case["expect"].get("exit", 0)
    for texts in case["must_say_one_of_each"]:
        assert any(text.lower() in words for text in texts), texts
    for text in case["must_not_say"]:
        assert text.lower() not in words
