"""No text of a stranger begins a formula, steers a terminal or hides a sign."""

import sys
import unicodedata

import pytest

from physics.texts import harmless, seen, visible

UNSEEN = [
    sign
    for sign in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(sign) in ("Cc", "Cf")
]


def test_every_control_and_format_character_is_left_out_of_what_is_seen():
    assert [sign for sign in UNSEEN if not sign.isspace() and seen(f"a{sign}b") != "ab"] == []


def test_no_formula_begins_after_signs_that_are_not_seen():
    assert [sign for sign in UNSEEN if not harmless(f"{sign} {sign}=1").endswith("'=1")] == []


@pytest.mark.parametrize(
    "name",
    ["gpu\x1b]0;x\x07", "\u202egpu\u202c", "a\u2066b", "a\x9bb", "a\nb", "\ud800", "a\u200bb"],
)
def test_an_escaped_name_is_printable_and_keeps_its_letters(name):
    assert visible(name).isprintable() and visible(name) != name
    assert visible(visible(name)) == visible(name)


def test_names_of_people_are_seen_as_they_are():
    for name in ("Zoë Müller", "Ольга", "李雷", "O'Brien-Smith", "José"):
        assert seen(name) == visible(name) == harmless(name) == name
