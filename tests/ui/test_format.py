"""Numbers in words: none on a page is absurd, whatever a model finds."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import odd

from ui.base import format as f

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@given(NUMBERS)
def test_no_time_and_no_sum_of_money_needs_a_power_of_ten_of_its_own(value):
    for text, ends in (
        (f.duration(value), ("1 ns", "10¹⁰ years")),
        (f.money(value), ("$10⁻⁶", "$10¹⁵")),
    ):
        assert " × " not in text and not odd(text), text
        assert ("10¹" not in text and "10⁻" not in text) or text.endswith(ends), text


@given(NUMBERS, st.integers(1, 6))
def test_a_number_that_means_nothing_is_said_to_be_beyond_a_bound_on_its_own_side(value, digits):
    text = f.significant(value, digits)
    if 0 < abs(value) < 1e-12 or abs(value) >= 1e18:
        assert text in ("below 10⁻¹²", "above −10⁻¹²", "over 10¹⁸", "below −10¹⁸")
        assert ("−10" in text) == (value < 0) and ("10¹" in text) == (abs(value) > 1)
    else:
        assert not text.startswith(("below", "above", "over"))


@pytest.mark.parametrize("write", [f.duration, f.money, f.significant, f.share, f.data])
@given(st.floats(1e-300, 1e300))
def test_a_negative_number_is_its_opposite_written_with_a_sign(write, value):
    other = {"below": "above", "over": "below"}
    words = write(value).split()
    opposite = write(-value).split()
    assert opposite[0].replace("−", "") == other.get(words[0], words[0])
    assert opposite[-1].replace("−", "") == words[-1] and "−" in " ".join(opposite)


@given(st.floats(1, 1e14), st.integers(3, 6))
def test_an_amount_of_dollars_has_two_digits_of_cents_or_none_and_is_right_to_its_last(
    dollars, digits
):
    text = f.money(dollars, digits)
    _, _, cents = text.partition(".")
    assert len(cents) in (0, 2) and cents != "00"
    last = 0.01 if cents else max(1.0, 10.0 ** (math.floor(math.log10(dollars)) + 1 - digits))
    assert abs(float(text.strip("$").replace(",", "")) - dollars) <= 0.5 * last * (1 + 1e-6)


def test_no_function_writes_more_digits_of_a_mean_than_its_interval_allows():
    assert f.share(f.Mean(0.234, 0.15)) == "20%" and f.share(2 * f.Mean(0.117, 0.075)) == "20%"
    assert f.money(f.Mean(1.44, 0.2)) == "$1.40" and f.money(f.Mean(-117.94, 5)) == "−$118"
    assert f.apart(f.Mean(23.4, 15), 25) == "20" and f.apart(f.Mean(1.52, 0.3), 1.5) == "1.52"
    assert f.share(f.Mean(0.97, 0.15)) == "97%", "only exactly 1 is 100%"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f.data(999_999), "1 MB"),
        (f.data(999_499), "999 kB"),
        (f.data(999_600, 5), "999.6 kB"),
        (f.data(math.inf), "∞ B"),
        (f.data(math.nan), "not defined"),
        (f.money(math.nan), "not defined"),
        (f.duration(-math.inf), "below −10¹⁰ years"),
    ],
)
def test_a_number_at_the_end_of_a_unit_or_of_all_numbers_has_a_text_that_is_true(text, expected):
    assert text == expected
