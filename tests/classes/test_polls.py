"""A class votes: once each, twice at most, none lost, on SQLite and (where there is one) on
PostgreSQL.
"""

import os
import secrets
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import sqlalchemy as sa
import streamlit as st
import voting
from driving import all_text, click, keys, put
from voting import at

from polls import classes, questions, rehearsal, stage, store, tables
from polls.database import first
from polls.questions import Question
from ui.record import polls

# Tests on PostgreSQL belong into this file: all of them empty the same database, so they run one
# after another.


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'polls.sqlite'}"
    if "POLLS_TEST_URL" not in os.environ:
        pytest.skip(
            "no PostgreSQL here: set POLLS_TEST_URL to a database that may be emptied, as .ci/run "
            "does"
        )
    return os.environ["POLLS_TEST_URL"]


@pytest.fixture
def database(url):
    engine = store.engine(url)
    store.METADATA.drop_all(engine)
    store.create(engine)
    yield engine
    engine.dispose()


def voter() -> str:
    return secrets.token_hex(16)


def opened(database, **more) -> store.Poll:
    return store.open_class(database, "trap", **more)[0]


@pytest.fixture
def poll(database) -> store.Poll:
    return opened(database)


def found(database, poll) -> store.Poll | None:
    return store.find(database, poll.code)


def vote(database, poll, answer: str, number: int = 1, **more) -> bool:
    return store.vote(database, poll.code, "trap", number, voter(), answer, **more)


def test_one_vote_per_voter_and_round_and_it_may_be_changed_until_the_round_closes(database, poll):
    me = voter()
    assert store.vote(database, poll.code, "trap", 1, me, "a") and store.vote(
        database, poll.code, "trap", 1, me, "c"
    )
    assert (
        store.count(database, poll) == 1
        and store.my_vote(database, poll.code, "trap", 1, me) == "c"
    )
    voting.move(database, poll.code, store.CLOSED)
    assert not store.vote(database, poll.code, "trap", 1, me, "d")
    assert store.my_vote(database, poll.code, "trap", 1, me) == "c"


def test_the_database_itself_refuses_a_second_vote(database, poll):
    row = {"code": poll.code, "lesson": "trap", "round": 1, "voter": voter(), "answer": "a"}
    with database.begin() as link:
        link.execute(store.VOTES.insert().values(**row))
    with pytest.raises(sa.exc.IntegrityError), database.begin() as link:
        link.execute(store.VOTES.insert().values(**row))


def test_a_vote_for_another_question_round_or_class_does_not_count(database, poll):
    assert not store.vote(database, poll.code, "io", 1, voter(), "a")
    assert not vote(database, poll, "a", 2)
    assert not store.vote(database, "ZZZZZZ", "trap", 1, voter(), "a")
    assert store.count(database, poll) == 0


@pytest.mark.parametrize(
    ("who", "what"), [("x" * 32, "a"), ("", "a"), ("0" * 32, "g"), ("0" * 32, "'; drop table")]
)
def test_a_vote_of_another_shape_is_nonsense(database, poll, who, what):
    with pytest.raises(ValueError, match="must be"):
        store.vote(database, poll.code, "trap", 1, who, what)


def test_the_pin_is_stored_as_a_salted_hash_only_and_codes_are_found_in_any_case(database):
    poll, pin = store.open_class(database, "trap")
    row = first(database, sa.select(store.CLASSES))
    assert pin not in str(row) and len(row.pin_hash) == 64
    assert store.find(database, poll.code.lower()) == poll


@pytest.mark.parametrize(
    "code",
    ["", "\0", "A\0", "\N{LATIN SMALL LETTER LONG S}" * 6, "%", "' or 1=1 --", "A" * 100_000],
)
def test_what_is_no_code_finds_no_class_and_has_no_pin(database, code):
    assert store.find(database, code) is None and store.check_pin(database, code, "\0") is False


def test_a_thousand_guesses_a_second_find_the_pin_of_a_class_with_a_chance_below_one_percent():
    assert store.LIFETIME * 1000 / 10**store.PIN_DIGITS < 0.01
    assert store.SEMESTER * 1000 / 10**store.KEPT_PIN_DIGITS < 0.01


def test_a_browser_that_has_presented_may_again_and_its_token_is_kept_as_a_hash_only(
    database, poll
):
    other = opened(database)
    mine = voter()
    assert not store.may_present(database, poll.code, mine)
    for _ in range(2):
        store.let_present(database, poll.code, mine)
    assert store.may_present(database, poll.code, mine)
    assert not store.may_present(database, other.code, mine) and not store.may_present(
        database, poll.code, voter()
    )
    assert mine not in str(first(database, sa.select(store.PRESENTERS)))
    store.resign(database, poll.code, mine)
    assert not store.may_present(database, poll.code, mine)


@pytest.mark.parametrize("days", [-400, 400])
def test_a_clock_that_is_set_while_the_server_runs_deletes_no_class(
    database, poll, monkeypatch, days
):
    before = time.time()
    monkeypatch.setattr(time, "time", lambda: before + days * 24 * 3600)
    assert found(database, poll) == poll
    store.expire(database)
    store.open_class(database, "trap")
    assert found(database, poll) == poll


def lifetimes_of(database) -> list[int]:
    """How long a class can be kept in this store, one of a day and one that is kept longer [s]."""
    return [store.LIFETIME, store.SEMESTER][: 1 + store.may_keep(database)]


def test_a_class_that_holds_anything_stays_and_an_empty_one_goes_after_an_hour(database):
    """A vote, a question or a member keeps a class as long as it was opened for, a small one for at
    most 14 days; nobody has to ask for its place.
    """
    for kept in lifetimes_of(database):
        lifetime = min(kept, store.UNEARNED)
        held = [opened(at(database, 0.0), lifetime=kept) for _ in range(3)]
        vote(database, held[0], "a")
        store.add_questions(database, held[1].code, [Question("Now?", ("yes", "no"))])
        store.note_progress(at(database, 1.0), held[2].code, voter(), {"trap": store.PREDICTED})
        empty = opened(at(database, 0.0), lifetime=kept)
        assert found(at(database, store.IDLE - 1), empty) == empty
        assert found(at(database, store.IDLE + 1), empty) is None
        assert [found(at(database, lifetime - 1), one) for one in held] == held
        assert rows_of(database, empty.code) == {}, "it is not only out of sight"
        assert [found(at(database, lifetime + 2), one) for one in held] == [None] * 3
        assert all(rows_of(database, one.code) == {} for one in held)


def test_an_empty_class_stays_while_somebody_presents_it(database):
    alone, shown = (opened(at(database, 0.0)) for _ in range(2))
    for now in range(1800, 5 * 3600, 1800):
        store.use(at(database, now), shown.code)
        store.open_class(at(database, now), "trap")
    assert (found(at(database, now), alone), found(at(database, now), shown)) == (None, shown)
    assert not store.note_progress(
        at(database, now + store.IDLE + 1), shown.code, voter(), {"trap": 1}
    )
    assert found(at(database, now + store.IDLE + 1), shown) is None


def test_a_new_class_takes_no_place_of_one_that_is_there(database, monkeypatch):
    """A thousand empty classes of one stranger pushed out a lecturer's with its votes."""
    monkeypatch.setattr(classes, "MOST_CLASSES", 2)
    held, empty = (opened(at(database, 0.0)) for _ in range(2))
    vote(database, held, "a")
    with pytest.raises(store.Full, match="There are 2 classes already"):
        opened(at(database, 2.0))
    assert [found(at(database, 2.0), one) for one in (held, empty)] == [held, empty]
    opened(at(database, store.IDLE + 1))
    assert found(at(database, store.IDLE + 1), held) == held


def test_a_click_on_an_old_page_changes_nothing(database, poll):
    vote(database, poll, "a")
    voting.move(database, poll.code, store.CLOSED, poll)
    assert not voting.second_round(database, poll.code, poll)
    assert not voting.ask(database, poll.code, "trap", poll)
    assert not voting.move(database, poll.code, store.REVEALED, poll)
    now = found(database, poll)
    assert now.phase == store.CLOSED and store.count(database, now) == 1
    assert voting.second_round(database, poll.code, now) and not voting.second_round(
        database, poll.code, now
    )
    assert voting.ask(database, poll.code, "io", found(database, poll))


def test_a_database_made_before_gets_what_is_new_and_keeps_its_classes(database, poll):
    for table in (store.PRESENTERS, store.USES, tables.STAGES):
        table.drop(database)
    store.create(database)
    assert found(database, poll) == poll and stage.read(database, poll.code) == stage.Stage()
    assert vote(database, poll, "a")


def test_a_class_is_kept_for_the_time_it_was_opened_for_where_the_store_is_postgresql(database):
    week = 7 * store.LIFETIME
    for lifetime in (store.LIFETIME - 1, store.SEMESTER + 1, float("nan")):
        with pytest.raises(ValueError, match="lifetime must be between"):
            store.open_class(database, "trap", lifetime=lifetime)
    if not store.may_keep(database):
        with pytest.raises(ValueError, match="86400 s in this store"):
            store.open_class(database, "trap", lifetime=week)
        return
    day = opened(at(database, 0.0))
    kept, pin = store.open_class(at(database, 0.0), "trap", lifetime=week)
    vote(database, kept, "a")
    assert len(pin) == store.KEPT_PIN_DIGITS and store.check_pin(database, kept.code, pin)
    store.expire(at(database, store.LIFETIME + 1.0))
    assert found(at(database, store.LIFETIME + 1.0), day) is None
    assert found(at(database, week - 1.0), kept) == kept and kept.lifetime == week
    assert store.count(database, kept) == 1
    assert found(at(database, week + 1.0), kept) is None
    assert store.count(database, kept) == 0


def test_empty_classes_of_a_clock_that_was_ahead_make_room_after_an_hour_of_the_right_one(
    database, monkeypatch
):
    monkeypatch.setattr(classes, "MOST_CLASSES", 1)
    poll = opened(at(database, 10_000_000.0))
    with pytest.raises(store.Full):
        opened(at(database, 1000.0))
    assert found(at(database, 1000.0), poll) == poll
    opened(later := at(database, 1000.0 + store.IDLE + 1))
    assert found(later, poll) is None


def test_classes_of_a_day_take_no_place_of_those_that_are_kept(database, monkeypatch):
    monkeypatch.setattr(classes, "MOST_CLASSES", 2)
    monkeypatch.setattr(classes, "MOST_KEPT", 1)
    for lifetime in lifetimes_of(database):
        if lifetime == store.LIFETIME:
            most = 2
        else:
            most = 1
        full = [opened(at(database, 1.0), lifetime=lifetime) for _ in range(most)]
        with pytest.raises(store.Full):
            store.open_class(at(database, 2.0), "trap", lifetime=lifetime)
        assert [found(at(database, 2.0), one) for one in full] == full


def test_progress_is_counted_once_a_person_and_never_taken_back(database):
    poll = opened(at(database, 0.0))
    people = [voter() for _ in range(7)]
    for who in people:
        assert store.note_progress(at(database, 1.0), poll.code, who, {"trap": store.PREDICTED})
    for who in people[:3]:
        steps = {"trap": store.PREDICTED + store.FINISHED, "io": store.PREDICTED}
        assert store.note_progress(at(database, 2.0), poll.code, who, steps)
        assert store.note_progress(at(database, 3.0), poll.code, who, {"trap": store.WON})
    assert store.progress(database, poll.code) == {
        "trap": {store.PREDICTED: 7, store.FINISHED: 3, store.WON: 3},
        "io": {store.PREDICTED: 3, store.FINISHED: 0, store.WON: 0},
    }
    other = opened(at(database, 3.0))
    assert store.progress(database, other.code) == {}
    with pytest.raises(ValueError, match="voter must be"):
        store.note_progress(database, poll.code, "me", {"trap": 1})
    assert not store.note_progress(at(database, 4.0), "ZZZZZZ", people[0], {"trap": 1})
    assert not store.note_progress(
        at(database, store.LIFETIME + 1.0), poll.code, people[0], {"trap": 1}
    )
    store.close_class(database, poll.code)
    assert store.progress(database, poll.code) == {}


def test_a_classs_own_questions_are_its_own_bounded_and_gone_with_it(database, poll, monkeypatch):
    other = opened(database)
    written = [Question("Enough?", ("yes", "no")), Question("Ünder?", tuple("abcdef"), "f")]
    ids = store.add_questions(database, poll.code, written)
    assert store.own_questions(database, poll.code) == dict(zip(ids, written, strict=True))
    assert store.own_questions(database, other.code) == {}
    assert voting.ask(database, poll.code, ids[1])
    assert found(database, poll).own == written[1]
    assert store.vote(database, poll.code, ids[1], 1, voter(), "f")
    monkeypatch.setattr(questions, "MOST", 3)
    with pytest.raises(ValueError, match="at most 3 questions of its own; it has 2"):
        store.add_questions(database, poll.code, written)
    assert len(store.own_questions(database, poll.code)) == 2
    store.close_class(database, poll.code)
    assert store.own_questions(database, poll.code) == {}
    with pytest.raises(ValueError, match="no class"):
        store.add_questions(database, poll.code, written)


def test_the_page_offers_to_keep_a_class_only_where_the_store_can(database, url, come):
    page = come(url=url)
    if not store.may_keep(database):
        assert "class_keep" not in keys(page) and "deleted after 24 hours" in all_text(page)
        return
    put(page, "class_keep", store.SEMESTER)
    click(page, "class_open")
    assert store.find(database, page.metric[0].value).lifetime == store.SEMESTER
    assert "deleted a semester (26 weeks) after it was opened" in all_text(page)


def test_results_hold_every_question_but_no_round_before_it_is_revealed(database, poll):
    for answer in "aab":
        vote(database, poll, answer)

    def told():
        now = found(database, poll)
        results, _ = store.results(database, now)
        assert store.revealed(database, now)[0] == results.get("trap", {})
        return results

    for phase in (store.OPEN, store.CLOSED):
        voting.move(database, poll.code, phase)
        assert told() == {}
    voting.move(database, poll.code, store.REVEALED)
    first = {"trap": {1: {"a": 2, "b": 1}}}
    assert told() == first
    voting.second_round(database, poll.code)
    vote(database, poll, "c", 2)
    assert told() == first
    voting.ask(database, poll.code, "io")
    store.vote(database, poll.code, "io", 1, voter(), "d")
    now = found(database, poll)
    assert store.results(database, now)[0] == {"trap": first["trap"] | {2: {"c": 1}}}
    voting.ask(database, poll.code, "io")  # anew, without the votes
    assert store.count(database, now) == 0


def rows_of(database, code) -> dict[str, int]:
    """How many rows of a class each table holds."""
    counts = {
        name: first(database, sa.select(sa.func.count()).select_from(table).filter_by(code=code))[0]
        for name, table in store.METADATA.tables.items()
    }
    return {name: number for name, number in counts.items() if number}


def test_simulated_voters_vote_over_some_seconds_and_not_after_the_round_has_closed(database):
    poll = opened(database, rehearsal=True)
    assert poll.rehearsal and found(database, poll) == poll
    for _ in range(2):  # a second window draws the class, too
        store.simulate(at(database, 1000.0), poll, "abcd", "c", True)
    seen = [
        store.count(at(database, 1000.0 + after), poll)
        for after in (0, rehearsal.SECONDS / 2, rehearsal.SECONDS)
    ]
    assert seen[0] == 0 < seen[1] < seen[2] == rehearsal.VOTERS
    for lesson in ("io", "drf"):
        voting.ask(database, poll.code, lesson)
        now = found(database, poll)
        store.simulate(
            database, now, "abcd", "a", True
        )  # they begin now, and the round closes before they have voted
        if lesson == "io":
            voting.move(database, poll.code, store.CLOSED)
        else:  # by the next step of a playlist
            assert stage.write(
                database, now, stage.Stage(), stage.Stage(place=1), replace(now, phase=store.CLOSED)
            )
        store.simulate(database, now, "abcd", "a", True)
        assert store.count(at(database, float("inf")), now) < rehearsal.VOTERS


def test_simulated_votes_and_real_ones_are_never_added_up(database):
    poll = opened(database, rehearsal=True)
    real = opened(database)
    store.simulate(at(database, 0.0), real, "abcd", "c", True)
    me = voter()
    for one in (poll, real):
        assert store.vote(database, one.code, "trap", 1, me, "a", certain=True)
    store.simulate(at(database, 0.0), poll, "bcd", "c", False)
    for one in (poll, real):
        voting.move(database, one.code, store.REVEALED)
    votes, certain = store.revealed(database, poll := found(database, poll))
    assert sum(votes[1].values()) == rehearsal.VOTERS == store.count(database, poll)
    assert "a" not in votes[1] and certain == {}
    assert store.revealed(database, found(database, real)) == ({1: {"a": 1}}, {1: {"a": 1}})


def test_a_rehearsal_leaves_nothing_behind_in_the_database(database):
    for ending in (store.end_rehearsal, store.close_class):
        poll = opened(database, rehearsal=True)
        untouched = rows_of(database, poll.code)
        for number in (1, 2):
            store.simulate(at(database, 0.0), found(database, poll), "abcd", "c", True)
            vote(database, poll, "a", number, certain=True)
            voting.move(database, poll.code, store.REVEALED)
            voting.second_round(database, poll.code)
        store.note_progress(database, poll.code, voter(), {"trap": store.PREDICTED})
        assert rows_of(database, poll.code).keys() >= {
            "poll_simulated",
            "poll_votes",
            "poll_certain",
            "poll_progress",
        }
        ending(database, poll.code)
        left = {name: number for name, number in untouched.items() if name != "poll_rehearsals"}
        assert rows_of(database, poll.code) == (left if ending is store.end_rehearsal else {})
    assert store.end_rehearsal(database, "ZZZZZZ") is False
    real = opened(database)
    vote(database, real, "a")
    assert store.end_rehearsal(database, real.code) is False and store.count(database, real) == 1


def test_a_class_that_was_a_rehearsal_goes_on_with_real_votes_and_its_own_questions(database):
    poll = opened(database, rehearsal=True, small=True)
    ids = store.add_questions(database, poll.code, [Question("Now?", ("yes", "no"))])
    store.simulate(database, poll, "abcd", "c", True)
    voting.move(database, poll.code, store.REVEALED)
    voting.second_round(database, poll.code)
    store.end_rehearsal(database, poll.code)
    now = found(database, poll)
    assert (now.rehearsal, now.small, now.fewest, now.round, now.phase) == (
        False,
        True,
        1,
        1,
        store.OPEN,
    )
    store.simulate(database, now, "abcd", "c", True)
    assert vote(database, poll, "a") and store.count(database, now) == 1
    assert list(store.own_questions(database, poll.code)) == ids


def test_first_use_by_many_at_once_is_safe(url):
    before = store.engine(url)
    store.METADATA.drop_all(before)
    before.dispose()

    def begin(_):
        store.open_class(engine := store.engine(url), "trap")
        return engine

    with ThreadPoolExecutor(8) as pool:
        engines = list(pool.map(begin, range(8)))
    assert first(engines[0], sa.select(sa.func.count()).select_from(store.CLASSES))[0] == 8
    for engine in engines:
        engine.dispose()


@pytest.mark.slow
def test_300_voters_at_once_cost_little_work_and_none_is_lost_or_counted_twice(database, poll):

    def take_part(number):
        who = voter()
        # A change of mind and a double click: still one vote.
        for answer in ("a", "abcd"[number % 4], "abcd"[number % 4]):
            assert store.vote(database, poll.code, "trap", 1, who, answer)

    begun = time.process_time()  # whatever else the machine does
    with ThreadPoolExecutor(300) as pool:
        list(pool.map(take_part, range(300)))
    assert time.process_time() - begun < 30
    assert store.count(database, poll) == 300
    voting.move(database, poll.code, store.REVEALED)
    assert store.revealed(database, found(database, poll))[0] == {1: dict.fromkeys("abcd", 75)}


@pytest.mark.slow
def test_a_writer_killed_in_the_middle_leaves_no_half_vote_and_blocks_nobody(database, poll, url):
    program = (
        "import sys, time; import sqlalchemy as sa; from polls import store\n"
        "engine = store.engine(sys.argv[1])\n"
        "with store.transaction(engine) as link:\n"
        "    row = dict(code=sys.argv[2], lesson='trap', round=1, voter='0' * 32, answer='a')\n"
        "    link.execute(store.VOTES.insert().values(**row))\n"
        "    print('written', flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, url, poll.code], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline().strip() == "written"
        process.kill()
    assert vote(database, poll, "b")
    assert store.count(database, poll) == 1
    assert store.my_vote(database, poll.code, "trap", 1, "0" * 32) is None


def test_emptied_caches_leave_the_one_engine_and_its_connections_alone(database, url, monkeypatch):
    # Any visitor may send Streamlit's own message that empties all caches.
    monkeypatch.setattr(polls, "secret_of_host", lambda: {"url": url})
    used = []
    for _ in range(20):
        st.cache_resource.clear()
        st.cache_data.clear()
        with polls.database() as engine:
            assert store.find(engine, "ABCDEF") is None
            used.append(engine)
    assert all(engine is used[0] for engine in used)
    if used[0].dialect.name == "postgresql":
        with used[0].connect() as link:
            assert (
                link.exec_driver_sql(
                    "select count(*) from pg_stat_activity where datname is not null"
                ).scalar()
                <= 4
            )


def test_an_engine_that_is_replaced_gives_its_connections_back(
    database, url, monkeypatch, tmp_path
):
    monkeypatch.setattr(polls, "secret_of_host", lambda: {"url": url})
    with polls.database() as old:
        store.find(old, "ABCDEF")
    before = old.pool
    assert before.checkedin() > 0
    monkeypatch.setattr(
        polls, "secret_of_host", lambda: {"url": f"sqlite:///{tmp_path / 'other.sqlite'}"}
    )
    with polls.database() as new:
        assert new is not old
    assert before.checkedin() == 0


def test_an_outage_that_another_visitor_ends_during_a_slow_connect_is_over(
    database, url, monkeypatch
):
    monkeypatch.setattr(polls, "secret_of_host", lambda: {"url": url})
    with polls.database() as engine:
        pass
    monkeypatch.setattr(polls, "_OUTAGE", (0.0, 0.0))

    def end_outage(*_):
        polls._OUTAGE = None

    sa.event.listen(engine, "engine_connect", end_outage)
    with polls.database() as reached:
        assert reached is engine
    sa.event.remove(engine, "engine_connect", end_outage)


def test_made_up_codes_push_no_class_out_of_what_a_server_has_read(database, url, monkeypatch):
    code = opened(database).code
    asked = []
    monkeypatch.setattr(polls, "url_of", lambda secret: url)
    monkeypatch.setattr(polls, "MAX_CACHED", 3)
    monkeypatch.setattr(polls, "_CACHE", {})
    find = store.find
    monkeypatch.setattr(store, "find", lambda engine, one: asked.append(one) or find(engine, one))
    for made_up in "ABCDEFGHIJ":
        assert polls.latest(made_up * 6) is None
        assert polls.latest(code, age=60.0).code == code
    assert asked.count(code) == 1 and len(polls._CACHE) <= 4


def test_nobody_is_simulated_in_a_rehearsal_that_another_screen_has_ended(database):
    seen = opened(database, rehearsal=True)
    assert store.end_rehearsal(database, seen.code)
    store.simulate(database, seen, "abcd", "c", True)
    now = store.find(database, seen.code)
    assert not now.rehearsal and store.count(database, now) == 0
    assert store.count(database, seen) == 0
