"""Staff's own questions and the lessons' reflections in a class: bounded, escaped, counted, in the
CSV.
"""

import time

import altair as alt
import pytest
import voting
from driving import all_text, click, keys, put
from hypothesis import given
from hypothesis import strategies as st
from voting import ballots, cast, csv_of, plays, reveal

from lessons import LESSONS
from polls import questions, rehearsal, rule, store
from polls.questions import Question
from ui.charts.look import Look
from ui.classes import after_class, bars, results
from ui.classes import questions as asked_questions

HOSTILE = "# Is <b>2</b> ![x](http://a.example/p.png) or {jobs} at $5 & `up`?"


def write(app, text, options, right="none"):
    for key, value in (("text", text), ("options", "\n".join(options)), ("right", right)):
        put(app, f"class_own_{key}", value)
    return click(app, "class_own_add")


def rows_of(database, code):
    found, _ = store.results(database, store.find(database, code))
    return csv_of(results.outcomes(found, {}, store.own_questions(database, code)))


def test_the_number_of_an_option_is_no_letter_of_it():
    for number in (0, 1):
        with pytest.raises(ValueError, match="The right answer must be a text"):
            Question.checked("Which queue?", ["The first", "The second"], number)


@pytest.mark.slow
def test_a_question_of_six_options_is_asked_twice_and_kept_as_csv(come, database, presenter, code):
    options = [
        "one server",
        "two",
        "=4+4",
        "eight | nine",
        "{sixteen}",
        "I [cannot](http://a.example) say",
    ]
    write(presenter, HOSTILE, options, "c")
    assert "1 question is added" in presenter.warning[0].value
    click(presenter, "class_ask")
    voter = come(class_=code)
    assert voter.radio(key="class_answer").options[4] == "**E** {sixteen}"
    assert "\\<b\\>2" in all_text(voter) and "](http:" not in all_text(voter) + str(
        voter.radio[0].options
    )
    for number, answers in ((1, "abcdabcf"), (2, "ccccecccce")):
        ballots(database, code, answers, number)
        reveal(presenter)
        if number == 1:
            alt = presenter.get("vega_lite_chart")[0].proto.alt
            assert (
                "first vote of 8: A 25%, B 25%, C 25%, D 12%, E 0%, F 12%" in alt
                and not presenter.success
            )
            click(presenter, "class_second")
    click(presenter, "class_right")
    assert (
        "25% right in the first vote, 80% in the second. **Above 70% right"
        in presenter.success[0].value
    )
    rows = rows_of(database, code)
    assert [row["votes"] for row in rows] == ["8", "10"] and {row["question"] for row in rows} == {
        HOSTILE
    }
    assert [rows[0][letter] for letter in "ABCDEF"] == ["2", "2", "2", "1", "0", "1"]
    assert [row["share right"] for row in rows] == ["0.2500", "0.8000"]
    assert all("C =4+4" in row["answers"] for row in rows)


def test_an_opinion_has_bars_and_neither_verdict_nor_right_answer(database, presenter, code):
    click(write(presenter, "Enough?", ["yes", "no"]), "class_ask")
    ballots(database, code, "ababa")
    reveal(presenter)
    assert "A 60%, B 40%." in presenter.get("vega_lite_chart")[0].proto.alt
    assert "class_right" not in keys(presenter) and "Rule of thumb" not in all_text(presenter)
    [row] = rows_of(database, code)
    assert (row["A"], row["C"], row["right answer"], row["share right"]) == ("3", "", "", "")
    assert row["rule of thumb"] == "no answer is marked as right"


def test_a_reflection_is_voted_on_and_locks_nothing_in_the_lesson(come, presenter, code):
    click(put(presenter, "class_lesson", "trap/reflection"), "class_ask")
    student = cast(come(class_=code), "b")
    assert LESSONS[0].reflection.text in all_text(student)
    click(presenter, "class_close")
    assert "This round is closed. You voted" in student.run().info[0].value
    assert not {"predictions", "reflections"} & student.session_state.to_dict().keys()


def test_every_question_of_every_lesson_can_be_asked():
    offered = asked_questions.offered({})
    assert len(offered) == 2 * len(LESSONS)
    for name in offered:
        asked = asked_questions.find(name, {})
        assert (
            asked.right in asked.ids
            and len(name) <= 40
            and asked.title.startswith(asked.lesson.title)
        )
    assert [name for name in offered if asked_questions.find(name, {}).locks] == [
        lesson.id for lesson in LESSONS
    ]
    assert (
        asked_questions.find("trap/nothing", {}) is None
        and asked_questions.find("own/1", {}) is None
    )


@pytest.mark.parametrize(
    ("text", "options", "right", "said"),
    [
        ("", ["a", "b"], None, "need a text"),
        ("x" * 301, ["a", "b"], None, "at most 300 characters that can be seen, got 301"),
        ("x", ["a"], None, "two to six options, got 1"),
        ("x", list("abcdefg"), None, "two to six options, got 7"),
        (
            "x",
            ["a", "b" * 121],
            None,
            "Option B must have at most 120 characters that can be seen, got 121",
        ),
        ("x", ["Yes", "yes "], None, "must not be the same"),
        ("x", ["a", "b"], "c", "must be a letter of an option, got 'c'"),
        ("x", ["a", "b"], "ab", "must be a letter of an option, got 'ab'"),
        ("x\x00", ["a", "b"], None, "that can be seen"),
        (7, ["a", "b"], None, "must be a text, got '7'"),
    ],
)
def test_a_question_out_of_bounds_is_refused_in_one_sentence(text, options, right, said):
    with pytest.raises(ValueError, match=said):
        Question.checked(text, options, right)


@given(
    st.text(max_size=400),
    st.lists(st.text(max_size=150), max_size=8),
    st.none() | st.text(max_size=3),
)
def test_whatever_is_written_is_a_question_within_its_bounds_or_a_sentence(text, options, right):
    try:
        made = Question.checked(text, options, right)
    except ValueError as error:
        assert str(error).endswith(".") and "\n" not in str(error)
    else:
        assert 2 <= len(made.options) <= 6 and made.right in (None, *made.ids)
        assert Question.from_json(made.to_json()) == made


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"[[questions]", "not valid TOML"),
        (b"", r"needs 1 to 50 questions, each under \[\[questions\]\]"),
        (b"questions = [1]", "Question 1 of the file: it must be a table"),
        (b"title = 1\n[[questions]]\n", "may have questions, got the key 'title'"),
        (
            b'[[questions]]\ntext = "x"\noptions = ["a", "b"]\n[[questions]]\ntext = "y"',
            "Question 2 .* options must",
        ),
        (
            b'[[questions]]\ntext = "x"\noptions = ["a", "b"]\nrigth = "a"',
            "Question 1 .* got the key 'rigth'",
        ),
        (b'[[questions]]\ntext = "x"\noptions = ["a", "b"]\n' * 51, "needs 1 to 50 questions"),
        (b"#" * 70_000, "at most 64 kB, got 70 kB"),
    ],
)
def test_a_file_of_questions_is_read_whole_or_refused_in_one_sentence(data, said):
    with pytest.raises(ValueError, match=said):
        questions.read(data)


def test_a_file_of_questions_is_uploaded_and_a_wrong_one_adds_nothing(database, presenter, code):

    def upload(text: str) -> None:
        presenter.file_uploader(key="class_own_file").upload("q.toml", text.encode(), "text/plain")
        presenter.run()

    upload('[[questions]]\ntext = "x"\noptions = ["a"]\n')
    assert (
        "Question 1 of the file: A question needs two to six options, got 1."
        in presenter.warning[0].value
    )
    assert store.own_questions(database, code) == {}
    upload('[[questions]]\ntext = "Ünder?"\noptions = ["a", "b"]\nright = "B"\n' * 2)
    assert "2 questions are added" in presenter.warning[0].value
    assert [one.right for one in store.own_questions(database, code).values()] == ["b", "b"]
    write(presenter, "Full?", [])
    assert "two to six options, got 0" in presenter.warning[0].value
    assert presenter.text_input(key="class_own_text").value == "Full?"
    assert click(presenter, "class_ask").header[0].value == "Ünder?"


def test_a_bar_is_labeled_with_its_answer_in_lines_that_fit():
    for look in (Look(), Look(present=True)):
        for lesson in LESSONS:
            for question in (lesson.prediction, lesson.reflection):
                for option in question.options:
                    letter = question.letter(option.id)
                    lines = bars.label(letter, option.text, option.right, look).split("\n")
                    assert (
                        len(lines) <= bars.MAX_LINES
                        and max(map(len, lines)) <= bars.LINE_LENGTH[look.present]
                    )
                    assert lines[0].startswith(letter)
        names = tuple(bars.label(one, "words " * 60, False, look) for one in "ABCDEF")
        assert all(name.endswith("…") for name in names)
        spec = bars.spec(look, names, ("first vote", "second vote"))
        alt.Chart.from_dict(spec)
        # Every answer is named, and its lines have room.
        assert spec["layer"][0]["encoding"]["y"]["axis"]["labelOverlap"] is False
        assert spec["height"] >= 6 * bars.MAX_LINES * 1.2 * look.text_size


def test_a_script_may_choose_the_right_answer_by_its_words(presenter):
    for words in ("None (opinion question)", "A"):
        put(presenter, "class_own_right", words)


@pytest.mark.parametrize("start", ["=", "\x01 +"])
def test_no_question_begins_a_formula_in_the_csv(start):
    own = {"own/1": Question(f"{start}HYPERLINK(1)?", ("one", f"{start}2"))}
    [row] = csv_of(results.outcomes({"own/1": {1: {"a": 9}}}, {}, own))
    assert f"'{start[-1]}HYPERLINK" in row["question"] and row["A"] == "9"


def test_a_question_with_a_name_stands_in_a_playlist(presenter, code, database):
    written = b'[[questions]]\nname = "queue"\ntext = "Which?"\noptions = ["x", "y"]\nright = "b"'
    assert store.add_questions(database, code, questions.read(written)) == ["own/queue"]
    plan = '[[steps]]\ndo = "vote"\nask = "own/queue"\n[[steps]]\ndo = "reveal"'
    plays(presenter.run(), plan)
    assert store.find(database, code).lesson == "own/queue"
    assert "queue: Which?" in str([box.options for box in presenter.selectbox])
    ballots(database, code, "aabbb")
    click(presenter, "class_next", "class_next")
    assert "Right: **B** y" in presenter.success[0].value


def test_a_name_is_unique_in_its_class_and_a_word(database, code):
    named = questions.Question.checked("Which?", ["x", "y"], None, "queue")
    store.add_questions(database, code, [named])
    with pytest.raises(ValueError, match="called queue already"):
        store.add_questions(database, code, [named])
    for wrong in ("Queue", "a b", "1st", "x" * 31):
        with pytest.raises(ValueError, match="name"):
            questions.Question.checked("Which?", ["x", "y"], None, wrong)


def test_questions_that_were_kept_before_there_were_names_are_read():
    before = '{"text": "Which?", "options": ["x", "y"], "right": null}'
    kept = questions.Question.from_json(before)
    assert kept.name == "" and kept.to_json() == before


NUMBER = """[[questions]]
name = "wait"
text = "How long does a job wait?"
number = true
unit = "h"
right = 4.3
why = "Four jobs fit at once."
"""


def test_a_number_is_asked_voted_on_and_shown_by_tenths_once_it_is_revealed(
    come, database, presenter, code
):
    store.add_questions(database, code, questions.read(NUMBER.encode()))
    plays(presenter.run(), '[[steps]]\ndo = "vote"\nask = "own/wait"\n[[steps]]\ndo = "reveal"')
    phones = [come(class_=code) for _ in range(6)]
    click(phones[0], "class_vote")
    assert "Type a number first" in phones[0].warning[0].value
    for phone, value in zip(phones, (0.0, 2, 4, 4, 6, 1000), strict=True):
        click(put(phone, "class_number", value), "class_vote")
    assert "Your vote is in: 0 h." in phones[0].success[0].value
    click(put(phones[0], "class_number", 1.5), "class_vote")  # changed, and counted once
    projector = come(class_=code, present="screen")
    poll = store.find(database, code)
    assert store.count(database, poll) == 6 and store.numbers(database, poll) == {}
    for device in (presenter.run(), projector, *phones):
        assert not device.get("vega_lite_chart") and "4.3" not in all_text(device)
    click(presenter, "class_next")
    for device in (presenter, projector.run()):
        [chart] = device.get("vega_lite_chart")
        assert chart.proto.alt == (
            "Middle answer of each tenth of the answers; first vote of 6: 1.5 h, 1.5 h, 2 h, 4 h, "
            "4 h, 4 h, 4 h, 6 h, 1,000 h, 1,000 h."
        )
        assert "4.3" not in all_text(device) + str(chart.proto.spec)
    assert "You voted: 1.5 h" in phones[0].run().info[0].value
    assert "4.3" not in all_text(phones[0]) and not phones[0].get("vega_lite_chart")
    click(presenter, "class_next")
    for device in (presenter, projector.run(), phones[0].run()):
        assert "Right: **4.3 h**" in device.success[0].value
        assert "4.3 h is right." in device.get("vega_lite_chart")[0].proto.alt
    assert "Four jobs fit at once." in all_text(phones[0])
    assert "Median: 4 h in the first vote." in all_text(projector)


def test_what_remains_of_numbers_has_the_middles_of_their_tenths(database, code):
    store.add_questions(database, code, questions.read(NUMBER.encode()))
    voting.ask(database, code, "own/wait")
    for voter, value in enumerate((1, 2, 3, 4, 5)):
        assert store.vote(database, code, "own/wait", 1, f"{voter:032x}", value)
    voting.move(database, code, store.REVEALED)
    poll = store.find(database, code)
    votes, certain = store.results(database, poll)
    own = store.own_questions(database, code)
    answered = results.outcomes(votes, certain, own, 5, store.numbers(database, poll))
    [row] = csv_of(answered)
    assert (row["right answer"], row["share right"], row["votes"]) == ("4.3 h", "", "5")
    assert row["answers"].startswith("middles of the tenths: 1 h, 1 h, 2 h")
    page = after_class.page(poll, answered, "2026-03-01").decode()
    assert "Median: 3 h in the first vote." in page and "highest tenth" in page
    assert page.count('class="vote first"') == 10


def test_of_fewer_than_five_numbers_nothing_is_said(database, code):
    store.add_questions(database, code, questions.read(NUMBER.encode()))
    voting.ask(database, code, "own/wait")
    for voter in range(4):
        store.vote(database, code, "own/wait", 1, f"{voter:032x}", 7)
    voting.move(database, code, store.REVEALED)
    poll = store.find(database, code)
    votes, certain = store.results(database, poll)
    own = store.own_questions(database, code)
    answered = results.outcomes(votes, certain, own, 5, store.numbers(database, poll))
    assert "7 h" not in str(csv_of(answered)) + after_class.page(poll, answered, "").decode()


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=200))
def test_the_middle_of_a_tenth_has_its_share_of_answers_on_each_side(values):
    middles = rule.tenths(values)
    assert len(middles) == rule.TENTHS == len(results.TENTHS)
    assert list(middles) == sorted(middles) and set(middles) <= set(values)
    for tenth, middle in enumerate(middles):
        below = sum(value < middle for value in values)
        upto = sum(value <= middle for value in values)
        assert 20 * below < (2 * tenth + 1) * len(values) <= 20 * upto


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"options": ["a", "b"]}, "has no options"),
        ({"right": "many"}, "must be a number from -1e\\+12 to 1e\\+12, got 'many'"),
        ({"right": float("nan")}, "must be a number"),
        ({"right": 1e300}, "must be a number"),
        ({"number": "yes"}, "number must be true or false, got 'yes'"),
        ({"number": False, "options": ["a", "b"], "unit": "h"}, "has a unit"),
        ({"why": "Because."}, "Only a question with a right answer"),
        ({"unit": "x" * 21}, "The unit must have at most 20"),
    ],
)
def test_a_question_for_a_number_out_of_bounds_is_refused_in_one_sentence(more, said):
    with pytest.raises(ValueError, match=said):
        Question.checked(**{"text": "How long?", "number": True} | more)


def test_a_question_for_a_number_is_typed_and_a_rehearsal_answers_it(come, database):
    presenter, code, _ = voting.opened(lambda: put(come(), "class_rehearsal", True))
    put(presenter, "class_own_number", True)
    for part, value in (("text", "How long?"), ("unit", "h"), ("right_number", "4.3")):
        put(presenter, f"class_own_{part}", value)
    put(presenter, "class_own_why", "Four fit.")
    click(presenter, "class_own_add")
    [own] = store.own_questions(database, code).values()
    assert (own.right, own.unit, own.number, own.why) == (4.3, "h", True, "Four fit.")
    click(presenter, "class_ask")
    later = voting.at(database, time.time() + 60)
    poll = store.find(database, code)
    assert store.count(later, poll) == rehearsal.VOTERS
    voting.move(later, code, store.REVEALED)
    [numbers] = store.numbers(later, store.find(database, code)).values()
    assert len(numbers[1]) == rehearsal.VOTERS and min(numbers[1]) < 4.3 < max(numbers[1])
    assert store.end_rehearsal(database, code)
    assert store.numbers(later, store.find(database, code)) == {}


def test_an_own_question_says_on_phones_why_its_answer_is_right(come, database, presenter, code):
    written = '[[questions]]\ntext = "Which?"\noptions = ["x", "y"]\nright = "b"\nwhy = "Y is <b>."'
    [name] = store.add_questions(database, code, questions.read(written.encode()))
    click(put(presenter.run(), "class_lesson", name), "class_ask")
    ballots(database, code, "abbbb")
    reveal(presenter)
    phone = come(class_=code)
    assert "Y is" not in all_text(phone)
    click(presenter, "class_right", "class_confirm_yes")
    assert "Y is \\<b\\>." in all_text(phone.run())
