"""A rehearsal shows simulated votes, marked as such wherever votes are shown; a small class shows
bars of few votes.
"""

import pytest
from driving import BY_ID, all_text, chart_frame, charts, click, keys, put
from voting import at, cast, opened, plays, reveal

from polls import rehearsal, store
from ui.record import polls


@pytest.fixture
def at_once(monkeypatch):
    """All simulated voters vote as soon as a round opens."""
    monkeypatch.setattr(rehearsal, "SECONDS", 0.0)
    monkeypatch.setattr(polls, "MAX_AGE", 0.0)
    ballots = rehearsal.ballots
    monkeypatch.setattr(
        rehearsal, "ballots", lambda *given: [(one, sure, -1.0) for one, sure, _ in ballots(*given)]
    )


def opened_as(come, kind: str):
    return opened(lambda: put(come(), f"class_{kind}", True))


@pytest.mark.slow
def test_a_rehearsal_is_marked_wherever_votes_are_shown_and_nothing_of_it_stays(come, at_once):
    presenter, code, _ = opened_as(come, "rehearsal")
    phone = cast(come(class_=code), "a")
    assert "your vote is not counted" in all_text(phone)
    presenter.run()
    assert (presenter.metric[1].label, presenter.metric[1].value) == (
        "Simulated votes, first round",
        "60",
    )
    reveal(presenter)
    click(reveal(click(presenter, "class_second")), "class_right")
    shown = presenter.get("vega_lite_chart")[0].proto
    assert "first simulated vote of 60" in shown.alt and "second simulated vote of 60" in shown.alt
    assert "all votes come from 60 simulated voters" in presenter.warning[0].value
    assert "simulated vote" in presenter.success[0].value
    phone.run()
    assert (
        "predictions" not in phone.session_state or "trap" not in phone.session_state["predictions"]
    )
    click(presenter, "class_rehearsal_end")
    assert (presenter.metric[1].label, presenter.metric[1].value) == ("Votes, first round", "0")
    assert "imulated" not in all_text(presenter) and "class_rehearsal_end" not in keys(presenter)
    assert "not counted" not in all_text(phone.run())
    cast(phone, "b")
    assert presenter.run().metric[1].value == "1"


@pytest.mark.slow
def test_on_a_lessons_chart_a_rehearsal_says_that_its_class_is_simulated(come, at_once):
    presenter, code, _ = opened_as(come, "rehearsal")
    reveal(presenter)
    student = come(travels=True, class_=code)
    student.session_state["predictions"] = {"trap": "b"}
    student.switch_page("pages/utilization_trap.py").run()
    labels = [str(words) for words in chart_frame(charts(student)[0])["label"].dropna()]
    assert any("simulated class said" in words for words in labels)
    assert not any("the class said" in words for words in labels)


def test_a_small_class_shows_the_bars_of_one_vote_and_says_so_to_everybody(come):
    presenter, code, _ = opened_as(come, "small")
    student = come(class_=code)
    assert "others may see how you voted" in all_text(student)
    cast(student, "a")
    reveal(presenter)
    assert "first vote of 1: A " in presenter.get("vega_lite_chart")[0].proto.alt
    assert "this class agreed, when it was opened, to show them" in all_text(presenter)
    reveal(click(presenter, "class_second"))
    assert "Second vote: no votes, so no bars." in all_text(presenter)


def test_a_round_has_simulated_votes_from_the_first_one_on(database):
    poll, _ = store.open_class(at(database, 100.0), "trap", rehearsal=True)
    store.simulate(at(database, 100.0), poll, "abcd", "a", False)
    assert store.rounds_voted(at(database, 100.0), poll) == {}
    assert store.rounds_voted(at(database, 100.0 + rehearsal.SECONDS), poll) == {"trap": 1}


@pytest.mark.slow
def test_a_rehearsed_playlist_begins_anew_with_real_votes(come, at_once):
    presenter, _, _ = opened_as(come, "rehearsal")
    written = 'lesson = "io"\n[[steps]]\ndo = "vote"\n[[steps]]\ndo = "reveal"\n'
    plays(presenter, written)
    assert presenter.run().metric[1].value == "60"
    reveal(presenter)
    click(presenter, "class_rehearsal_end")
    assert (presenter.metric[1].label, presenter.metric[1].value) == ("Votes, first round", "0")
    assert BY_ID["io"].prediction.text in all_text(presenter) and "class_plan_end" in keys(
        presenter
    )
