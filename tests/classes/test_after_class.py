"""What is left of a class: a table and a page to print, from the votes that were revealed."""

import re
from html import unescape

from voting import csv_of

from lessons import LESSONS
from polls.questions import Question
from polls.store import Poll
from ui.classes import after_class, results

TRAP = next(one for one in LESSONS if one.id == "trap")
RIGHT = TRAP.prediction.right
OTHER, THIRD, _ = (one for one in TRAP.prediction.ids if one != RIGHT)
LETTER = TRAP.prediction.letter


def held(votes, certain=None, fewest=5):
    return results.outcomes({"trap": votes}, {"trap": certain or {}}, {}, fewest)


def said(*given, **more) -> str:
    return " ".join(after_class.sentences(held(*given, **more)[0]))


def test_the_table_of_results_has_both_votes_and_the_verdict_and_hides_small_ones():
    found = {"trap": {1: {RIGHT: 7, OTHER: 13}, 2: {RIGHT: 15, OTHER: 5}}, "io": {1: {"a": 4}}}
    first, second, small = csv_of(results.outcomes(found, {}, {}))
    assert [(row["lesson"], row["vote"], row["votes"]) for row in (first, second)] == [
        (TRAP.title, n, "20") for n in "12"
    ]
    assert [row["rule of thumb"] for row in (first, second, small)] == [
        "discuss and vote again",
        "continue",
        "fewer than 5 votes",
    ]
    assert [row["share right"] for row in (first, second, small)] == ["0.3500", "0.7500", ""]
    assert first[LETTER(RIGHT)] == "7" and first["right answer"] == LETTER(RIGHT)
    assert not any(small[letter] for letter in "ABCD") and small["most chosen wrong answer"] == ""
    assert (first["learning gain"], second["learning gain"]) == (
        "",
        str(round((0.75 - 0.35) / (1 - 0.35), 4)),
    )
    assert {row["voters"] for row in csv_of(held({1: {"a": 9}}), simulated=True)} == {"simulated"}


def test_the_page_says_what_was_learned_and_what_remained_wrong():
    votes = {1: {RIGHT: 8, OTHER: 8, THIRD: 4}, 2: {RIGHT: 14, OTHER: 3, THIRD: 3}}
    told = said(votes, {1: {RIGHT: 3, OTHER: 2, THIRD: 1}, 2: {RIGHT: 10}})
    assert (
        "40\u00a0% of 20 in the first vote, 70\u00a0% of 20 in the second vote. Learning "
        "gain g: 0.50."
    ) in told
    both = " and ".join(sorted((LETTER(OTHER), LETTER(THIRD))))
    most = (
        f"{LETTER(OTHER)} in the first vote (40\u00a0%), {both} in the second vote (15\u00a0% "
        "each)."
    )
    assert f"Most chosen wrong answer: {most}" in told
    assert (
        "Certain: 3 right and 3 wrong in the first vote, 10 right and 0 wrong in the second vote."
        in told
    )


def test_a_learning_gain_that_does_not_exist_is_said_in_words_and_a_loss_is_negative():
    all_right = said({1: {RIGHT: 9}, 2: {RIGHT: 9}})
    assert "undefined, as all were right in the first vote" in all_right
    assert "none in the second vote" in all_right
    assert "Learning gain g: none, as it takes two votes" in said({1: {RIGHT: 9}})
    assert "Learning gain g: −0.50." in said({1: {RIGHT: 5, OTHER: 5}, 2: {RIGHT: 2, OTHER: 6}})


def test_nothing_is_said_of_a_vote_of_fewer_than_five_unless_the_class_agreed():
    votes = {1: {RIGHT: 3, OTHER: 1}, 2: {RIGHT: 5, OTHER: 1}}
    told = said(votes, {1: {OTHER: 1}})
    assert "First vote: fewer than 5 votes, so its results are not shown." in told
    assert "75" not in told and "Learning gain g: none" in told and "in the first vote" not in told
    page = after_class.page(
        Poll("ABCDEF", "trap", 2, "revealed"), held(votes), "2026-03-01"
    ).decode()
    assert page.count('class="vote first"') == 0 < page.count('class="vote second"')
    assert "75\u00a0% of 4 in the first vote" in said(votes, fewest=1)


def test_the_page_marks_a_rehearsal_draws_both_votes_and_asks_nothing_from_elsewhere():
    votes = {1: {RIGHT: 30, OTHER: 30}, 2: {RIGHT: 45, OTHER: 15}}
    real = Poll("ABCDEF", "trap", 2, "revealed")
    pages = [
        after_class.page(poll, held(votes), "2026-03-01").decode()
        for poll in (real, Poll("ABCDEF", "trap", 2, "revealed", rehearsal=True))
    ]
    assert ["simulated" in page for page in pages] == [False, True]
    assert re.findall(r'class="bar" style="width:([\d.]+)%"', pages[0]).count("75.0") == 1
    assert all(
        option.text.replace("*", "") in unescape(pages[0]) for option in TRAP.prediction.options
    )
    assert "http" not in pages[0] and "src=" not in pages[0]


def test_a_question_of_the_class_is_escaped_on_the_page():
    own = {"own/1": Question("<b>1 & 2?", ("<i>yes", "no"), "a")}
    answered = results.outcomes({"own/1": {1: {"a": 9}}}, {}, own)
    page = after_class.page(Poll("ABCDEF", "own/1", 1, "revealed"), answered, "2026-03-01").decode()
    assert "&lt;b&gt;1 &amp; 2?" in page and "&lt;i&gt;yes" in page and "<b>1" not in page
    assert "Certain" not in page  # such a question does not ask how sure one is


def test_a_certain_vote_of_a_round_that_is_not_shown_makes_no_bar_pale():
    poll = Poll("ABCDEF", "trap", 2, "revealed")
    votes = {1: {RIGHT: 3}, 2: {RIGHT: 6, OTHER: 4}}
    for certain, pale in (({1: {RIGHT: 1}}, False), ({2: {RIGHT: 3}}, True)):
        html = after_class.page(poll, held(votes, certain), "2026-01-01").decode()
        assert ("solid part" in html, '<i style="width:0.0%">' in html) == (pale, pale)
