"""A presenter is told when many votes come from one address, and no address is kept."""

from dataclasses import replace

from driving import all_text
from voting import opened

from polls import stage, store
from polls.stage import Stage
from polls.store import Poll
from ui.base import state
from ui.classes import playlist, rights, senders
from ui.classes.lecture import MOVED, Lecture
from ui.record import polls

POLL = Poll("ABCDEF", "trap", 1, store.OPEN)


def votes(poll: Poll, address: str, number: int) -> None:
    for voter in range(number):
        senders.note(poll, address, f"{address} {voter}")


def press(database, monkeypatch) -> list[str]:
    """Let a presenter press without a page; return what the presses are refused with."""
    refusals = []
    monkeypatch.setattr(polls, "ask", lambda act, *args: act(database, *args))
    monkeypatch.setattr(rights, "may_press", lambda code: True)
    monkeypatch.setattr(rights, "say", refusals.append)
    monkeypatch.setattr(state, "drop", lambda key: None)
    return refusals


def test_many_voters_of_one_address_are_told_and_few_of_many_addresses_are_not(monkeypatch):
    monkeypatch.setattr(senders, "_ROUNDS", type(senders._ROUNDS)())
    for number in range(100):
        votes(POLL, f"10.0.0.{number}", 2)
    assert senders.warning(POLL) == ""
    votes(POLL, "9.9.9.9", 100)
    assert senders.warning(POLL).startswith("100 votes") and "9.9.9.9" not in senders.warning(POLL)


def test_a_changed_vote_is_that_of_one_voter_and_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(senders, "_ROUNDS", type(senders._ROUNDS)())
    for _ in range(100):
        senders.note(POLL, "9.9.9.9", "the same")
    assert senders.warning(POLL) == ""
    for number in range(senders.MOST_ROUNDS + 50):
        senders.note(Poll(f"{number:06d}", "trap", 1, store.OPEN), "9.9.9.9", "somebody")
    assert len(senders._ROUNDS) == senders.MOST_ROUNDS


def test_the_presenters_page_says_so(come, database):
    page, code, _ = opened(come)
    votes(store.find(database, code), "9.9.9.9", senders.MANY)
    assert "came from one network address" in all_text(page.run())


def test_votes_that_are_deleted_or_come_from_unknown_addresses_are_no_votes_of_one_address():
    votes(replace(POLL, code="UNKNWN"), "", 100)
    votes(replace(POLL, code="REHEAR", rehearsal=True), "9.9.9.9", 100)
    assert senders.warning(replace(POLL, code="UNKNWN")) == ""
    assert senders.warning(replace(POLL, code="REHEAR")) == ""


def test_a_question_that_is_asked_anew_has_no_senders_of_its_deleted_votes(database, monkeypatch):
    poll, _ = store.open_class(database, "trap")
    votes(poll, "9.9.9.9", 100)
    votes(replace(poll, lesson="io"), "9.9.9.9", 100)
    press(database, monkeypatch)
    lecture = Lecture.of(poll, Stage(), playlist.Playlist.of("trap"))
    lecture._do(replace(lecture.question_change("trap", {}), confirm=""))
    assert senders.warning(poll) == "" and senders.warning(replace(poll, lesson="io"))


def test_a_rehearsal_that_another_screen_has_ended_is_not_ended_again(database, monkeypatch):
    poll, _ = store.open_class(database, "trap", rehearsal=True)
    written = playlist.shipped()["trap/10"]
    lecture = Lecture.of(poll, Stage(written), playlist.plan(written, "trap"))
    assert store.end_rehearsal(database, poll.code)
    refusals = press(database, monkeypatch)
    before = stage.read(database, poll.code)
    lecture.end_rehearsal()
    assert refusals == [MOVED] and stage.read(database, poll.code) == before
