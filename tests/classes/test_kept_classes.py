"""A class earns its time, costs whoever opens many of them, and is the host's to list and
delete.
"""

import pytest
import sqlalchemy as sa
from driving import all_text, click, keys, put
from voting import at, ballots, entered, opened

import polls.__main__ as command
from polls import classes, store
from polls.tables import LIFETIMES, REHEARSALS
from ui.base import device, staff_key
from ui.classes import rights

DAY = store.LIFETIME


def kept(database: sa.Engine, voters: int, rehearsal: bool = False) -> str:
    """Open a class at time 0 that is kept for a semester, and let so many people vote in it."""
    poll, _ = store.open_class(at(database, 0.0), "trap", rehearsal=rehearsal)
    with database.begin() as link:
        link.execute(LIFETIMES.insert().values(code=poll.code, seconds=store.SEMESTER))
    ballots(at(database, 1.0), poll.code, "a" * voters)
    return poll.code


def is_there(database: sa.Engine, code: str, now: float) -> bool:
    return store.find(at(database, now), code) is not None


def test_a_kept_class_stays_once_five_have_voted_and_goes_two_weeks_after_its_last_use_before(
    database,
):
    earned = kept(database, store.EARNED)
    few = kept(database, store.EARNED - 1)
    played = kept(database, store.EARNED, rehearsal=True)
    assert store.EARNED == 5 and store.UNEARNED == 14 * DAY
    for code in (earned, few, played):
        assert is_there(database, code, 13 * DAY)
    store.use(at(database, 13 * DAY), few)
    assert is_there(database, few, 26 * DAY) and not is_there(database, few, 28 * DAY)
    assert not is_there(database, played, 15 * DAY)
    assert is_there(database, earned, store.SEMESTER - 1)
    assert not is_there(database, earned, store.SEMESTER + 2)


def test_the_votes_of_one_person_in_five_rounds_are_those_of_one(database):
    code = kept(database, 1)
    for question in ("io", "storage", "policy", "drf"):
        poll = store.find(at(database, 2.0), code)
        assert store.vote(at(database, 2.0), code, poll.lesson, 1, "0" * 32, "a")
        with database.begin() as link:
            link.execute(store.CLASSES.update().values(lesson=question))
    assert not is_there(database, code, 15 * DAY)


def test_a_private_address_is_counted_like_any_other(come, monkeypatch):
    monkeypatch.setattr(rights, "_BY_ADDRESS", type(rights._BY_ADDRESS)(at_once=2, rate=1e-6))
    monkeypatch.setattr(device, "in_browser", lambda: False)
    context = type(rights.st.context)
    monkeypatch.setattr(context, "ip_address", property(lambda self: "10.1.2.3"))
    for _ in range(2):
        assert "Class code" in all_text(click(come(), "class_open"))
    assert "Several classes were opened from here" in all_text(click(come(), "class_open"))


def with_keeping(monkeypatch) -> None:
    """Let this store keep classes, as PostgreSQL does."""
    for module in (store, classes):
        monkeypatch.setattr(module, "may_keep", lambda engine: True)


def test_a_class_is_kept_only_with_the_staff_key_where_the_host_asks_for_one(
    come, database, monkeypatch
):
    with_keeping(monkeypatch)
    monkeypatch.setenv(staff_key.SETTING, "a key of the host's")
    page = come()
    assert "class_staff_key" not in keys(page)
    put(page, "class_keep", store.SEMESTER)
    assert "class_staff_key" in keys(page)
    for typed, said in (
        ("", "Enter the staff key first."),
        ("other", "This is not the staff key."),
    ):
        put(page, "class_staff_key", typed)
        click(page, "class_open")
        assert said in all_text(page) and not store.every(database)
    put(page, "class_staff_key", "a key of the host's")
    click(page, "class_open")
    assert [row["lifetime"] for row in store.every(database)] == [store.SEMESTER]


def test_a_class_of_a_day_asks_for_no_key_and_without_a_key_of_the_host_nothing_does(
    come, database, monkeypatch
):
    with_keeping(monkeypatch)
    monkeypatch.setenv(staff_key.SETTING, "a key")
    click(come(), "class_open")
    monkeypatch.delenv(staff_key.SETTING)
    page = put(come(), "class_keep", store.SEMESTER)
    assert "class_staff_key" not in keys(page)
    click(page, "class_open")
    assert len(store.every(database)) == 2


def test_few_keys_can_be_tried(come, database, monkeypatch):
    with_keeping(monkeypatch)
    monkeypatch.setenv(staff_key.SETTING, "a key")
    page = put(come(), "class_keep", store.SEMESTER)
    for number in range(7):
        put(page, "class_staff_key", f"{number}")
        click(page, "class_open")
    assert "Too many keys were tried" in all_text(page)


def test_a_replaced_pin_is_the_only_one_and_sends_other_presenters_away(come, database):
    page, code, old = opened(come)
    other = click(put(come(class_=code), "class_pin", old), "class_enter")
    assert "class_close" in keys(other)
    click(page, "class_pin_new")
    new = rights_pin(page)
    assert new != old and not store.check_pin(database, code, old)
    assert store.check_pin(database, code, new)
    assert "class_close" in keys(page.run()) and "class_close" not in keys(other.run())


@pytest.mark.parametrize("press", ["class_pin_new", "class_close", "class_own_add"])
def test_a_page_that_was_drawn_before_the_pin_was_replaced_changes_nothing(come, database, press):
    page, code, old = opened(come)
    other = entered(come, code, old)
    put(other, "class_own_text", "Which?")
    put(other, "class_own_options", "this\nthat")
    click(page, "class_pin_new")
    new = rights_pin(page)
    click(other, press)
    assert "no longer presents the class" in all_text(other)
    assert "class_close" not in keys(other) and "class_close" in keys(page.run())
    assert store.check_pin(database, code, new) and store.find(database, code).phase == store.OPEN
    assert not store.own_questions(database, code)


def test_a_screen_that_only_looks_notices_that_its_pin_was_replaced(come, monkeypatch):
    page, _, _ = opened(come)
    count = store.count

    def meanwhile(engine, poll):
        store.replace_pin(engine, poll.code, "another browser")
        return count(engine, poll)

    monkeypatch.setattr(store, "count", meanwhile)
    assert "class_close" not in keys(page.run()) and not page.exception


def rights_pin(page) -> str:
    return page.session_state["_class_pin"]


def url(database: sa.Engine) -> list[str]:
    return ["--url", database.url.render_as_string(hide_password=False)]


def test_the_host_lists_and_shows_classes(database, capsys):
    poll, _ = store.open_class(database, "trap")
    ballots(database, poll.code, "abc")
    assert command.main([*url(database), "list"]) == 0
    said = capsys.readouterr().out
    assert poll.code in said and "3 voters" in said and "1 classes" in said
    assert command.main([*url(database), "show", poll.code.lower()]) == 0
    assert "round 1, open" in capsys.readouterr().out
    assert command.main([*url(database), "show", "ZZZZZZ"]) == 2


def test_a_class_is_deleted_after_a_yes_only(database, capsys, monkeypatch):
    poll, _ = store.open_class(database, "trap")
    for answer in ("", "no", "y"):
        monkeypatch.setattr("builtins.input", lambda _, answer=answer: answer)
        assert command.main([*url(database), "delete", poll.code]) == 1
        assert store.find(database, poll.code)
    monkeypatch.setattr("builtins.input", lambda _: "yes")
    assert command.main([*url(database), "delete", poll.code]) == 0
    assert store.find(database, poll.code) is None


def test_a_database_that_is_not_there_is_not_made(tmp_path, capsys):
    path = tmp_path / "none.sqlite"
    assert command.main(["--url", f"sqlite:///{path}", "list"]) == 2 and not path.exists()


def test_the_address_may_be_written_as_in_the_secret(monkeypatch):
    opened = []

    def engine(url: str) -> None:
        opened.append(url)
        raise OSError

    monkeypatch.setattr(store, "engine", engine)
    for scheme in ("postgres", "postgresql", "postgresql+psycopg"):
        assert command.main(["--url", f"{scheme}://u:p@db.example/polls", "list"]) == 2
    assert opened == ["postgresql+psycopg://u:p@db.example/polls"] * 3


def test_rehearsals_are_named_in_the_list(database, capsys):
    store.open_class(database, "trap", rehearsal=True)
    with database.connect() as link:
        assert link.execute(sa.select(sa.func.count()).select_from(REHEARSALS)).scalar() == 1
    command.main([*url(database), "list"])
    assert "rehearsal" in capsys.readouterr().out
