"""What a class voted stands on a lesson's chart once it is revealed, beside the visitor's own
guess.
"""

from functools import partial

import pytest
import voting
from driving import BY_ID, all_text, chart_frame, charts, click, put
from voting import ballots, cast

from lessons.autoscaling import utilization
from lessons.drf_story import pool as drf
from lessons.fair_queueing import strips
from lessons.gpu_sharing import pair
from lessons.io_bottleneck import stages
from lessons.notebook_sharing import pair as notebooks
from lessons.placement import chart as placement
from lessons.policy_trial import often
from lessons.spot_training import cost as spot
from lessons.storage_architecture import loads
from lessons.utilization_trap import chart as trap
from polls import rule, store
from ui.charts.look import Look
from ui.classes import after_class
from ui.page import class_answers
from ui.record import polls

LOOK = Look()


def labels(app) -> list[str]:
    return [
        str(words)
        for words in chart_frame(charts(app)[0])["label"].dropna()
        if "said" in str(words)
    ]


@pytest.fixture
def hall(database, monkeypatch):
    """A class on the trap's question: its code, and its database."""
    monkeypatch.setattr(polls, "MAX_AGE", 0.0)
    return store.open_class(database, "trap")[0].code, database


def presents(come, code: str):
    """Come as whoever presents the class."""
    presenter = come(class_=code)
    presenter.session_state["_class_presents"] = code
    return presenter.run()


def test_nothing_is_said_anywhere_of_what_fewer_than_five_voted(come, hall, monkeypatch):
    code, database = hall
    tables = []
    table_of = after_class.table
    monkeypatch.setattr(
        after_class, "table", lambda *given: tables.append(table_of(*given)) or tables[-1]
    )
    student = come(travels=True, class_=code)
    student.session_state["predictions"] = {"trap": "b"}
    student.session_state["ledger"] = {
        "trap": {"steps": {"explained": "2026-03-01T10:00:00+00:00"}}
    }
    presenter = presents(come, code)
    for number, answers in ((1, "cccc"), (2, "ccccc")):
        ballots(database, code, answers, number)
        voting.move(database, code, "revealed")
        student.switch_page("pages/utilization_trap.py").run()
        assert ("class said" in all_text(student)) == (len(answers) == rule.FEWEST)
        presenter.run()
        assert len(charts(presenter)) == (len(answers) == rule.FEWEST)
        assert "First vote: fewer than 5 votes, so no bars" in all_text(presenter)
        assert (
            "fewer than 5 votes" in tables[-1].splitlines()[1]
            and ",4,,,,,,," in tables[-1].splitlines()[1]
        )
        voting.second_round(database, code)


def test_both_winners_of_a_class_stand_on_the_chart_once_they_are_revealed(come, hall):
    code, database = hall
    ballots(database, code, "aaaab", 1)
    app = come(travels=True, class_=code)
    app.session_state["predictions"] = {"trap": "b"}

    def lesson():
        app.switch_page("pages/utilization_trap.py").run()
        assert not app.exception
        return [words.split(":")[0] for words in labels(app)]

    assert lesson() == ["you said"] and "class said" not in all_text(app)
    voting.move(database, code, "closed")
    voting.move(database, code, "revealed")
    assert sorted(lesson()) == ["the class said", "you said"]
    voting.second_round(database, code)
    ballots(database, code, "bbbba", 2)
    assert sorted(lesson()) == ["the class said", "you said"]
    voting.move(database, code, "revealed")
    assert sorted(lesson()) == ["the class said at first", "you and the class said in the end"]
    assert "The class said at first: " in all_text(click(app, "trap_explain"))


def test_the_class_stays_on_the_chart_while_its_database_is_away(come, hall, monkeypatch):
    code, database = hall
    ballots(database, code, "ccccc", 1)
    voting.move(database, code, "closed")
    voting.move(database, code, "revealed")
    app = come(travels=True, class_=code)
    app.session_state["predictions"] = {"trap": "b"}
    app.switch_page("pages/utilization_trap.py").run()
    with_class = labels(app)
    assert any(words.startswith("the class said") for words in with_class)

    def fail(*_):
        raise polls.Gone

    monkeypatch.setattr(polls, "latest", fail)
    assert labels(app.run()) == with_class and not app.exception


#: The charts that bear a guess, by lesson; scheduling policy's takes a simulation.
DRAWN = {
    "autoscale": utilization,
    "drf": drf,
    "fair": strips,
    "share": pair,
    "io": stages,
    "notebooks": notebooks,
    "place": placement,
    "trial": often,
    "spot": spot,
    "storage": loads,
    "trap": trap,
}


def rows(figure) -> list[dict]:
    return [{k: v for k, v in row.items() if v is not None} for row in figure.rows.to_pylist()]


@pytest.mark.parametrize("name", DRAWN)
def test_every_answer_that_has_a_mark_keeps_it_beside_the_others_with_the_words_of_who_said_it(
    name,
):
    settings = BY_ID[name].settings()
    marked = 0
    drawn = partial(DRAWN[name].figure, settings, LOOK)
    plain = rows(drawn(None))
    for own, *won in ("abc", "bcd", "cda", "dab"):
        together = rows(class_answers.together(drawn, own, dict(enumerate(won, 1))))
        spoken = " / ".join(str(row.get("label")) for row in together)
        for option, words in class_answers.by_option(own, dict(enumerate(won, 1))).items():
            alone = [row for row in rows(drawn(option)) if row not in plain]
            if any("you said" in str(row.get("label")) for row in alone):
                assert words in spoken
                marked += 1
        assert ("you said" in spoken) <= any(
            "you said" in str(row.get("label")) for row in rows(drawn(own))
        )
    assert marked >= 4


def test_whoever_says_the_same_is_named_once():
    assert class_answers.by_option("a", {1: "a", 2: "a"}) == {"a": "you and the class said"}
    assert class_answers.by_option("a", {1: "b"}) == {"a": "you said", "b": "the class said"}
    assert class_answers.by_option(None, {1: "b", 2: "c"}) == {
        "b": "the class said at first",
        "c": "the class said in the end",
    }


def test_the_certain_part_of_each_answer_is_counted_shown_and_forgotten_with_a_changed_mind(
    come, hall
):
    code, database = hall
    for voter, answer in enumerate("aaabc"):
        assert store.vote(database, code, "trap", 1, f"{voter:032x}", answer, certain=answer != "b")
    assert store.vote(database, code, "trap", 1, f"{2:032x}", "c", certain=False)
    poll = store.find(database, code)
    assert store.revealed(database, poll)[1] == {}  # as long as the round is not revealed
    voting.move(database, code, "revealed")
    assert store.revealed(database, store.find(database, code))[1] == {1: {"a": 2, "c": 1}}
    presenter = presents(come, code)
    frame = chart_frame(charts(presenter)[0])
    assert (
        sorted(frame["sure"]) == [0, 0, 0.2, 0.4]
        and "certain: A 40%, B 20%" in charts(presenter)[0].title
    )
    assert "certain and wrong" in all_text(presenter)


def test_a_voters_confidence_goes_with_the_lock_that_the_vote_becomes(come, hall):
    code, database = hall
    student = come(travels=True, class_=code)
    cast(put(student, "class_sure", "certain"), "a")
    voting.move(database, code, "revealed")
    assert store.revealed(database, store.find(database, code))[1] == {1: {"a": 1}}
    student.switch_page("pages/utilization_trap.py").run()
    assert student.session_state["ledger"]["trap"]["sure"] == "certain"
