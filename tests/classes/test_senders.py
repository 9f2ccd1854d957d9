"""A presenter is told when many votes come from one address, and no address is kept."""

from driving import all_text
from voting import opened

from polls import store
from polls.store import Poll
from ui.classes import senders

POLL = Poll("ABCDEF", "trap", 1, store.OPEN)


def votes(poll: Poll, address: str, number: int) -> None:
    for voter in range(number):
        senders.note(poll, address, f"{address} {voter}")


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
