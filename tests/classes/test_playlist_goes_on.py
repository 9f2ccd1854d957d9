"""Whatever a presenter presses in a playlist, what is written can be read again, and the lecture
goes on after it.
"""

import json

import pytest
from driving import all_text, click, put
from hypothesis import given
from hypothesis import strategies as st
from voting import ballots, plays

import lessons  # noqa: F401 -- enrolls them
from polls import stage, store
from polls.store import Poll
from ui.classes import playlist
from ui.classes.playlist import FIRST_VOTES, FOLLOW_UPS, MAX_STEPS, Playlist, Step

SHIPPED = playlist.shipped()
ASKED = ("trap", "trap/reflection", "io", "own/0123456789abcdef")
POLL = Poll("ABCDEF", "trap", 1, store.OPEN)


def again(plan: Playlist) -> Playlist:
    """Read what is written of a playlist."""
    return playlist.plan(plan.write(), "nothing")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_question_started_at_any_step_of_a_shipped_lecture_is_followed_by_the_rest(name):
    plan = playlist.read(SHIPPED[name].encode())
    for place in range(len(plan.steps)):
        for question in ASKED:
            grown = again(plan.with_question(place, question))
            assert grown.title == plan.title
            assert [step.do for step in grown.steps[place + 1 : place + 5]] == ["vote", *FOLLOW_UPS]
            assert {step.ask for step in grown.steps[place + 1 : place + 5]} == {question}
            rest = [step for step in plan.steps[place + 1 :] if step.ask != question]
            kept = [step for step in grown.steps[place + 5 :] if step.ask != question]
            assert kept == rest


def test_after_a_question_in_between_the_class_stands_where_it_would_have_stood():
    plan = playlist.read(SHIPPED["trap/10"].encode())
    for place in range(len(plan.steps)):
        grown = again(plan.with_question(place, "io"))
        for n in range(place + 1, len(plan.steps)):
            assert grown.poll_at(n + 4, POLL) == plan.poll_at(n, POLL), (place, n)
            assert grown.is_last_vote(n + 4) == plan.is_last_vote(n)


PRESSES = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.sampled_from(ASKED)), min_size=1, max_size=12
)


@given(st.sampled_from(sorted(SHIPPED)), PRESSES)
def test_any_order_of_presses_can_be_read_again(name, presses):
    plan = playlist.read(SHIPPED[name].encode())
    for part, question in presses:
        place = int(part * len(plan.steps))
        before = plan
        plan = again(plan.with_question(place, question))
        assert plan.title == before.title and plan.steps[: place + 1] == before.steps[: place + 1]
        rest = [step for step in before.steps[place + 1 :] if step.ask != question]
        assert [step for step in plan.steps[place + 5 :] if step.ask != question] == rest
        for n in range(len(plan.steps)):
            plan.poll_at(n, POLL)


@pytest.mark.parametrize("size", [62_000, 63_000, 64_000])
def test_the_longest_playlist_that_is_taken_can_be_read_again_and_goes_on(size):
    note = '\\"' * 250
    text = 'title = "Long"\nlesson = "trap"\n'
    steps = 0
    while True:
        step = f'[[steps]]\ndo = "vote"\nnotes = "{note}"\n'
        if steps == MAX_STEPS or len((text + step).encode()) > size:
            break
        text += step
        steps += 1
    data = (text + "#" * (size - len(text.encode()) - 1) + "\n").encode()
    plan = playlist.read(data)
    assert len(data) == size and again(plan) == plan
    assert again(plan.with_question(0, "io")).title == "Long"


def test_a_full_playlist_takes_more_questions_and_says_when_there_is_no_room():
    plan = Playlist("Full", tuple(Step("vote", "trap", lesson="trap") for _ in range(MAX_STEPS)))
    added = 0
    with pytest.raises(ValueError, match="no room for one more question"):
        while True:
            plan = plan.with_question(0, "io")
            assert again(plan).title == "Full"
            added += 1
    assert added > 30


def test_every_note_that_is_taken_can_be_written():
    for note in ('"', "\\", "\\u0041", "é€😀", "#", "'''", '"""', "[[steps]]"):
        plan = playlist.read(
            (
                'lesson = "trap"\n[[steps]]\ndo = "vote"\n'
                f"notes = {json.dumps(note, ensure_ascii=False)}\n"
            ).encode()
        )
        assert again(plan) == plan and plan.steps[0].notes == note


def test_start_this_question_in_the_middle_keeps_the_lecture_on_the_page(presenter, code, database):
    plays(presenter, SHIPPED["trap/10"])
    plan = playlist.read(SHIPPED["trap/10"].encode())
    first = next(n for n, step in enumerate(plan.steps) if step.do in FIRST_VOTES)
    for _ in range(first):
        click(presenter, "class_next")
    ballots(database, code, "aabbc")
    put(presenter, "class_lesson", "io")
    click(presenter, "class_ask")
    held = stage.read(database, code)
    shown = playlist.plan(held.plan, "")
    assert shown.title == plan.title and held.place == first + 1
    assert store.find(database, code).lesson == "io"
    for _ in range(5):  # bars and answer are two presses
        click(presenter, "class_next")
    assert store.find(database, code).lesson == "trap"
    assert f"{first + 6} of {len(plan.steps) + 4}" in all_text(presenter)
