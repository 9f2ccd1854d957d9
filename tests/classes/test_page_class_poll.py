"""The class page through AppTest: a presenter, voters, a PIN, a database that goes away and comes
back.
"""

import os
import re
import shutil
import socket

import pytest
import sqlalchemy as sa
from driving import ROOT, all_text, click, keys, lock, put, undescribed
from streamlit.testing.v1 import AppTest
from voting import cast, entered, hall, opened, reveal

from lessons import LESSONS as COURSE
from polls import classes, questions, stage, store
from polls import database as polls_database
from polls import votes as polls_votes
from ui.base.words import load
from ui.classes import poll_page, rights
from ui.classes import screen as class_screen
from ui.record import polls
from ui.server.allowance import Allowance

TRAP = load("utilization_trap")


def votes(app: AppTest) -> int:
    return int(app.metric[1].value)


@pytest.mark.slow
def test_two_rounds_from_the_code_to_both_distributions_side_by_side(come, presenter, code):
    assert re.fullmatch("[A-Z]{6}", code) and f"?class={code}" in all_text(presenter)
    right = TRAP.prediction.right
    students = hall(come, code.lower(), "aabb" + right + right)
    cast(students[0], "d")  # a change of mind is no second vote
    assert votes(presenter.run()) == 6
    for key in ("class_close", "class_reveal"):
        assert not presenter.get("vega_lite_chart") and not presenter.success
        click(presenter, key)
    chart = presenter.get("vega_lite_chart")[0].proto
    assert "first vote of 6: A 17%, B 33%, C 33%, D 17%" in chart.alt and "right" not in chart.alt
    assert not presenter.success and "35 to 70%" in all_text(presenter)
    click(presenter, "class_second")
    assert not presenter.get("vega_lite_chart") and votes(presenter) == 0
    for student in students:
        assert student.run().radio(key="class_answer").value is None
        cast(student, right)
    reveal(presenter)
    assert not presenter.success
    click(presenter, "class_right")
    chart = presenter.get("vega_lite_chart")[0].proto
    letter = TRAP.prediction.letter(right)
    second = ", ".join(f"{one} {100 * (one == letter)}%" for one in "ABCD")
    assert "first vote of 6: A 17%" in chart.alt and f"second vote of 6: {second}" in chart.alt
    assert f"Right: **{letter}**" in presenter.success[0].value
    advice = "33% right in the first vote, 100% in the second. **Above 70% right: continue.**"
    assert any(advice in box.value for box in presenter.success)


@pytest.mark.slow
def test_a_voter_is_sent_the_question_and_nothing_of_the_votes_or_the_answer(come, presenter, code):
    student, *_ = hall(come, code, "abcdc")
    for pressed in (
        [],
        *(["class_" + act] for act in ("close", "reveal", "second", "close", "reveal")),
    ):
        click(presenter, *pressed)
        said = all_text(student.run())
        assert not student.metric and not student.get("vega_lite_chart")
        assert TRAP.prediction.text in said and "%)" not in said
        assert not any(option.feedback[:40] in said for option in TRAP.prediction.options)
        assert not {"class_close", "class_reveal", "class_second", "class_ask"} & keys(student)


def test_the_right_answer_after_the_first_round_only_when_asked_for(come, presenter, code):
    hall(come, code, "cccab")
    reveal(presenter)
    assert not presenter.success and "✓" not in all_text(presenter)
    click(presenter, "class_right")
    assert not presenter.success and "before the second vote" in presenter.warning[0].value
    click(presenter, "class_confirm_yes")
    advice = "60% right in the first vote. **Between 35 and 70% right: let students discuss"
    assert any(advice in box.value for box in presenter.success)


def test_the_first_vote_becomes_the_locked_prediction_when_the_round_is_over(come, presenter, code):
    student = cast(come(travels=True, class_=code), "b")
    assert "predictions" not in student.session_state
    click(presenter, "class_close")
    student.run()
    assert student.session_state["predictions"] == {"trap": "b"}
    assert student.session_state["ledger"]["trap"]["predicted_at"]
    assert student.radio(key="class_answer").proto.disabled
    student.switch_page("pages/utilization_trap.py").run()
    assert student.metric and student.radio(key="trap_prediction").value == "b"
    assert student.session_state["ledger"]["trap"]["prediction"] == "b"
    click(presenter, "class_second")
    student.switch_page("pages/class_poll.py").run()
    cast(student, "c")
    back = come(class_=code)  # another tab, which saw nothing of the first vote
    back.session_state["_me_voter"] = student.session_state["_me_voter"]
    for tab in (student, back):
        assert tab.run().session_state["predictions"] == {"trap": "b"}


def test_a_voter_who_left_for_the_lesson_finds_the_vote_locked_there_and_a_lock_of_before_stays(
    come, presenter, code
):
    student = cast(come(travels=True, class_=code), "d")
    earlier = come(class_=code)
    earlier.session_state["predictions"] = {"trap": "a"}
    cast(earlier, "c")
    student.switch_page("pages/utilization_trap.py").run()
    assert not student.metric and student.radio(key="trap_prediction").value == "d"
    click(presenter, "class_close")
    assert student.run().metric and student.session_state["predictions"] == {"trap": "d"}
    assert earlier.run().session_state["predictions"] == {"trap": "a"}


def test_the_vote_is_locked_even_if_the_next_question_or_the_end_comes_first(come, presenter, code):
    first, second = hall(come, code, "ab")
    click(put(presenter, "class_lesson", COURSE[1].id), "class_ask")
    assert first.run().session_state["predictions"] == {"trap": "a"}
    assert COURSE[1].prediction.text in all_text(first)
    click(presenter, "class_end", "class_end_yes", "class_delete", "class_delete_yes")
    assert second.run().session_state["predictions"] == {"trap": "b"}
    assert "The class is over" in all_text(second)


def test_nothing_in_the_query_string_makes_a_presenter(come, code, pin):
    tries = {
        "presenter": "1",
        "_class_presents": code,
        "pin": pin,
        "class_pin": pin,
        "class_present_code": code,
    }
    for extra in ({"present": "1"}, tries):
        visitor = come(class_=code, **extra)
        assert "class_vote" in keys(visitor) and "class_close" not in keys(visitor)


def test_a_presenter_comes_back_with_code_and_pin_and_not_with_a_wrong_one(come, code, pin):
    again = entered(come, code, "1" + pin)
    assert "No class has this code and this PIN" in again.warning[
        0
    ].value and "class_close" not in keys(again)
    click(put(again, "class_pin", pin), "class_enter")
    assert "class_close" in keys(again) and pin not in all_text(again)
    back = come(class_=code)
    back.session_state["_me_presenter"] = again.session_state["_me_presenter"]
    assert "class_close" in keys(back.run())
    fresh = put(put(come(), "class_present_code", code.lower()), "class_pin", pin)
    assert "class_close" in keys(click(fresh, "class_enter"))


def test_guessing_the_pin_is_slowed_and_does_not_keep_the_presenter_out(come, code, pin):
    guesser = come(class_=code)
    for _ in range(6):
        click(put(guesser, "class_pin", "nonsense"), "class_enter")
    click(put(guesser, "class_pin", pin), "class_enter")
    assert "Too many PINs were tried" in guesser.warning[0].value and "class_close" not in keys(
        guesser
    )
    assert "class_close" in keys(entered(come, code, f"{pin[:5]} {pin[5:]}"))


def test_the_presenters_browser_needs_no_pin_after_a_reload_until_it_gives_its_right_back(
    come, presenter, code
):
    token = presenter.session_state["_me_presenter"]

    def reloaded(known):
        page = come(class_=code)
        page.session_state["_me_presenter"] = known
        return page.run()

    again = reloaded(token)
    assert "class_close" in keys(again)
    assert "class_close" not in keys(reloaded("0" * 32))
    click(again, "class_leave")
    assert "class_close" not in keys(reloaded(token))


def test_starting_over_does_not_make_a_second_voter(come, presenter, code):
    student = cast(come(travels=True, class_=code), "a")
    token = student.session_state["_me_voter"]
    click(student.switch_page("pages/report.py").run(), "all_start_over", "all_start_over_yes")
    kept = student.session_state.to_dict()
    assert kept["_me_voter"] == token and "predictions" not in str(kept)
    student.switch_page("pages/class_poll.py").run()
    cast(student, "b")
    assert votes(presenter.run()) == 1


@pytest.mark.parametrize("act", ["class_second", "class_ask"])
def test_a_click_on_an_old_page_is_said_to_have_changed_nothing(come, act, presenter, code, pin):
    other = entered(come, code, pin)
    student = cast(come(class_=code), "a")
    click(presenter, "class_close")
    other.run()
    click(presenter, "class_reveal")
    click(other, act)
    assert "nothing was changed" in other.warning[0].value
    assert votes(presenter.run()) == 1 and "class_second" in keys(presenter)
    assert "class_vote" not in keys(student.run())


def test_a_disk_that_is_full_is_said_by_every_button_that_writes(
    come, monkeypatch, presenter, code, pin
):
    newcomer = come()
    student = come(class_=code)
    again = come(class_=code)

    def full(*_, **__):
        raise sa.exc.OperationalError("insert", {}, Exception("database or disk is full"))

    for module in (classes, polls_database, polls_votes, questions, stage):
        monkeypatch.setattr(module, "transaction", full)
    click(newcomer, "class_open")
    assert "could not be opened just now" in newcomer.warning[0].value and not newcomer.error
    assert (
        "could not be done just now"
        in click(put(again, "class_pin", pin), "class_enter").warning[0].value
    )
    assert "could not be saved" in cast(student, "a").warning[0].value
    for act in ("class_close", "class_ask", "class_leave"):
        assert "could not be done just now" in click(presenter, act).warning[0].value
    assert not presenter.error


def test_a_phone_shows_the_letters_of_the_projector(come, presenter, code):
    shown = come(class_=code).radio(key="class_answer").options
    assert all(f"- {words[:16]}" in all_text(presenter) for words in shown)
    assert [words[:6] for words in shown] == ["**A** ", "**B** ", "**C** ", "**D** "]


def test_the_results_of_a_class_are_offered_once_a_vote_is_revealed(come, presenter, code):
    hall(come, code, "aabbc")
    presenter.run()
    for pressed, offered in (([], False), (["class_close"], False), (["class_reveal"], True)):
        buttons = click(presenter, *pressed).get("download_button")
        offers = [one.proto for one in buttons if one.proto.label.startswith("Results")]
        assert [one.disabled for one in offers] == 2 * [not offered]


def test_a_visit_opens_three_classes_at_once_and_is_told_when_it_may_open_the_next(come, presenter):
    codes = []
    for _ in range(3):
        click(presenter, "class_leave", "class_open")
        codes += [metric.value for metric in presenter.metric[:1]]
    assert len(codes) == 2 and "try again in 1 min" in presenter.warning[0].value
    assert opened(come)[1] not in codes  # somebody else may


def test_an_address_opens_twenty_classes_at_once_whoever_comes_from_it(come, monkeypatch):
    monkeypatch.setattr(rights, "_BY_ADDRESS", Allowance(at_once=2, rate=1 / 120))
    monkeypatch.setattr(rights.device, "network", lambda given: "9.9.9.9")
    for _ in range(2):
        opened(come)
    said = click(come(), "class_open").warning[0].value
    assert said == "Several classes were opened from here just now; try again in 2 min."
    monkeypatch.setattr(rights.device, "network", lambda given: "1.1.1.1")
    opened(come)


def test_no_room_for_one_more_class_is_said_in_a_sentence(come, monkeypatch):
    monkeypatch.setattr(classes, "MOST_CLASSES", 1)
    opened(come)
    said = click(come(), "class_open").warning[0].value
    assert (
        said == "There are 1 classes already, and none of them is out of use; try again in an hour."
    )


def test_an_empty_class_that_was_left_is_announced_and_missed_in_one_sentence(
    come, database, monkeypatch
):
    assert rights.EMPTY in all_text(come())
    _, code, pin = opened(come)
    screen = come(class_=code, present="screen")

    def passes(time: float) -> None:
        with store.transaction(database) as link:
            link.execute(store.USES.update().values(used_at=store.USES.c.used_at - time))
        monkeypatch.setattr(class_screen, "_NOTED", Allowance(at_once=1, rate=1.0))

    for _ in range(3):  # the hall's screen alone keeps it
        passes(0.7 * store.IDLE)
        assert code in all_text(screen.run())
    passes(store.IDLE + 1)
    late = come(class_=code)
    assert [box.value for box in late.warning] == [poll_page.NO_CLASS] and poll_page.NO_CLASS.count(
        "."
    ) == 1
    assert "when nobody has presented it for an hour." in poll_page.NO_CLASS
    again = entered(come, code, pin)
    assert "deleted when nobody has presented it for an hour." in again.warning[0].value


def test_an_empty_class_outlives_hours_without_a_database(come, database, tmp_path, monkeypatch):
    _, code, _ = opened(come)
    screen = come(class_=code, present="screen")
    left = store.open_class(database, "trap")[0].code
    shutil.move(tmp_path / "class", tmp_path / "away")
    assert screen.run().error
    monkeypatch.setattr(polls, "_OUTAGE", (polls._OUTAGE[0] - 3 * store.IDLE, polls._OUTAGE[1]))
    shutil.move(tmp_path / "away", tmp_path / "class")
    with store.transaction(database) as link:
        link.execute(store.USES.update().values(used_at=store.USES.c.used_at - 3.5 * store.IDLE))
        idle = store.USES.update().where(store.USES.c.code == left)
        link.execute(idle.values(used_at=store.USES.c.used_at - store.IDLE))
    assert "class_vote" in keys(come(class_=code)), "whoever looks first"
    assert come(class_=left).warning, "its hour was over before"
    assert code in all_text(screen.run())


@pytest.mark.parametrize("code", ["ZZZZZZ", "<b>x</b>"])
def test_a_code_that_is_none_is_said_and_the_way_in_stays(come, code):
    app = come(class_=code)
    assert any("no class with this code" in warning.value for warning in app.warning)
    assert {"class_join", "class_open"} <= keys(app)


def test_a_code_may_be_typed_and_a_vote_without_a_choice_is_none(come, code):
    student = click(come(), "class_join")
    assert "Type the six letters" in student.warning[0].value
    click(put(student, "class_code", f" {code.lower()} "), "class_vote")
    assert "Choose one of the answers first" in student.warning[0].value and not student.success
    assert "class_open" in keys(click(student, "class_leave"))


def test_a_vote_that_comes_after_the_round_is_not_counted_and_the_voter_is_told(
    come, presenter, code
):
    student = put(come(class_=code), "class_answer", "a")
    click(presenter, "class_close")
    click(student, "class_vote")
    assert "was not counted" in student.warning[0].value
    assert votes(presenter.run()) == 0


def test_without_a_database_the_class_page_says_so_and_lessons_go_on(come):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    app = come(url=f"postgresql://polls@127.0.0.1:{port}/postgres", class_="ABCDEF", travels=True)
    assert len(app.error) == 1 and "cannot be reached" in app.error[0].value
    app.switch_page("pages/utilization_trap.py").run()
    assert lock(app, COURSE[0]).metric


@pytest.mark.parametrize(
    "secret",
    [
        {"url": "nosuch://x"},
        {"url": "mysql://u:p@127.0.0.1/d"},
        {"url": "postgresql://u:p@127.0.0.1:99999/d"},
        {"url": "sqlite:////nosuch/folder/x.sqlite"},
        {"url": "sqlite:///a\0b"},
        {"url": "sqlite:///file::memory:?uri=true"},
        {
            "dialect": "postgresql",
            "host": "h",
        },  # no file stands in for a database that is named in another way
    ],
)
def test_a_wrong_secret_is_a_database_that_cannot_be_reached(monkeypatch, secret):
    monkeypatch.setattr(polls, "secret_of_host", lambda: secret)
    with pytest.raises(polls.Gone):
        polls.latest("ABCDEF")


def test_addresses_without_a_driver_are_read_with_ours():
    for given in ("postgres://u:p@h/d", "postgresql://u:p@h/d", "postgresql+psycopg://u:p@h/d"):
        assert polls.url_of({"url": given}) == "postgresql+psycopg://u:p@h/d"


def test_the_folder_for_votes_in_the_systems_temporary_folder_is_ones_own_alone(
    monkeypatch, tmp_path
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POLLS_FOLDER", str(tmp_path / "file" / "polls"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    mine = tmp_path / "fleet-what-if"
    assert polls._folder() == mine and mine.stat().st_mode & 0o777 == 0o700
    mine.chmod(0o777)
    assert polls._folder() == mine and mine.stat().st_mode & 0o777 == 0o700
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: mine.stat().st_uid + 1)
        with pytest.raises(OSError, match="somebody else"):
            polls._folder()
    mine.rename(tmp_path / "elsewhere")
    mine.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="somebody else"):
        polls._folder()


@pytest.mark.slow
def test_votes_are_still_there_when_a_database_that_was_gone_is_back(
    come, tmp_path, presenter, code
):
    students = [cast(come(travels=answer == "b", class_=code), answer) for answer in "abcdc"]
    shutil.move(tmp_path / "class", tmp_path / "away")
    for app in (presenter, students[0]):
        app.run()
        assert not app.exception and "cannot be reached" in app.error[0].value
    students[1].switch_page("pages/utilization_trap.py").run()
    assert not students[1].exception and students[1].radio(key="trap_prediction")
    shutil.move(tmp_path / "away", tmp_path / "class")
    assert votes(presenter.run()) == 5
    assert students[0].run().radio(key="class_answer").value == "a"
    cast(students[0], "d")
    assert votes(presenter.run()) == 5


def test_without_a_secret_the_votes_go_to_a_file_in_the_folder_that_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("POLLS_FOLDER", str(tmp_path / "here"))
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    click(app.switch_page("pages/class_poll.py").run(), "class_open")
    database = sa.create_engine(f"sqlite:///{tmp_path / 'here' / 'polls.sqlite'}")
    assert store.find(database, app.metric[0].value).lesson == "trap"
    assert polls.ROOT == ROOT  # beside the app, where no folder is named
    with database.connect() as link:
        assert link.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    database.dispose()


def test_the_pin_is_shown_once_and_on_a_projector_behind_a_button(come):
    for address in ({}, {"present": "1"}):
        presenter, _, pin = opened(come, **address)
        assert not address or presenter.get("popover")
        assert pin not in all_text(click(presenter, "class_pin_noted"))


def test_every_key_of_the_class_page_is_documented(come, presenter, code):
    found = (
        keys(come())
        | keys(come(class_=code))
        | keys(presenter)
        | keys(click(presenter, "class_end"))
    )
    for key in ("class_close", "class_reveal", "class_second"):
        found |= keys(click(presenter, key))
    assert len(found) > 15 and not undescribed(found)


DEPLOYED = {
    "Dockerfile": "USER app|/_stcore/health|STREAMLIT_SERVER_PORT=8501|POLLS_FOLDER=/data",
    "deploy/nginx.conf": (
        "app1:8501|app2:8501|listen 8080|hash $visitor consistent|Upgrade|X-Forwarded-For "
        "$remote_addr|"
        "frame-ancestors 'self' https:|object-src 'none'|limit_conn "
        "connections|client_max_body_size 64k"
    ),
    "compose.yaml": (
        "FORWARDED_ALLOW_IPS: "
        '"*"|app1:|app2:|deploy/nginx.conf:/etc/nginx/nginx.conf|8080:8080|postgres:17|'
        "read_only: true|cap_drop: [ALL]|no-new-privileges:true"
    ),
}


def test_the_files_for_many_machines_agree_on_names_and_ports_and_bound_every_container():
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in DEPLOYED}
    assert [
        words
        for path, all in DEPLOYED.items()
        for words in all.split("|")
        if words not in texts[path]
    ] == []
    bounded = ("<<: *bounded", "mem_limit:", "tmpfs:", "image:")
    assert {texts["compose.yaml"].count(one) for one in bounded} == {3}


def test_the_proxy_sends_the_headers_and_keeps_the_limits_that_the_app_leaves_to_it():
    text = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    for header in (
        "X-Content-Type-Options",
        "Referrer-Policy",
        "Permissions-Policy",
        "Content-Security-Policy",
    ):
        assert re.search(rf"^        add_header {header} .* always;$", text, re.MULTILINE), header
    # A location with a header of its own would send none of the server's.
    assert not re.search(r"^ {12,}add_header", text, re.MULTILINE)
    streams, uploads = text[text.index("_stcore/stream$") :].split("_stcore/upload_file/", 1)
    assert "limit_req zone=streams" in streams and "proxy_pass http://app" in streams
    assert "limit_req zone=uploads" in uploads and "client_max_body_size 21m" in uploads
    assert text.count("{") == text.count("}")
