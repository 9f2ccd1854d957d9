"""A course's own words: merged over the shipped ones, checked like them, refused in one sentence
with file and line.
"""

import os
import subprocess
import sys

import pytest
from driving import ROOT
from long_work import ends_within

from lessons import LESSONS
from ui.base import own_words
from ui.base.words import LessonError, load
from ui.words import main

#: Lessons whose words are changed here.
TRAP, FAIR = (next(lesson for lesson in LESSONS if lesson.id == name) for name in ("trap", "fair"))
#: Around a text of TOML in which nothing is escaped.
QUOTES = "'" * 3
OWN = '''# Words of the autumn course.
[message]
sender = "the dean"
text = """
Why is a fleet this large
so slow?"""

[[prediction.options]]
id = "b"
text = "The scheduler is to blame."
feedback = "It is not: the wait is {story.wait:time}."

[reflection]
text = "And what do you tell the dean?"

[staff]
ten = "Let the dean wait {story.wait:time}."
'''


def write(folder, text, page="utilization_trap"):
    (folder / page).mkdir(parents=True, exist_ok=True)
    (folder / page / "words.toml").write_text(text, encoding="utf-8")
    return folder


def merged(folder, text, lesson=TRAP):
    """Write a lesson's own words and merge them over the shipped ones."""
    return own_words.merged(
        write(folder, text, lesson.page), lesson.page, lesson.values(lesson.settings()).keys()
    )


def test_own_words_stand_where_they_differ_and_the_shipped_ones_elsewhere(tmp_path):
    words = merged(tmp_path, OWN)
    shipped = load("utilization_trap")
    assert words.sender == "the dean" and words.message.startswith("Why is a fleet")
    assert words.prediction.option("b").text == "The scheduler is to blame."
    assert words.reflection.text == "And what do you tell the dean?"
    assert words.reflection.options == shipped.reflection.options
    for option in "acd":
        assert words.prediction.option(option) == shipped.prediction.option(option)
    assert (
        words.prediction.right == shipped.prediction.right and words.takeaways == shipped.takeaways
    )
    assert words.staff.ten.startswith("Let the dean") and words.staff.thirty == shipped.staff.thirty
    assert load("utilization_trap") is shipped


@pytest.mark.parametrize("page", [lesson.page for lesson in LESSONS])
def test_shipped_words_merged_over_themselves_stay_as_they_are(page, tmp_path):
    text = (ROOT / "lessons" / page / "words.toml").read_text(encoding="utf-8")
    assert own_words.merged(write(tmp_path, text, page), page, load(page).placeholders()) == load(
        page
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[message\n", "words.toml: not valid TOML: "),
        (
            '\n[message]\nsendr = "x"\n',
            "line 3: table [message], key sendr: is not a key of this table",
        ),
        ('id = "mine"\n', 'line 1: key id: must stay "trap"'),
        (
            '[[prediction.options]]\nid = "e"\n',
            "line 2: table [prediction.options 1], key id: must be one of a, b, c, d",
        ),
        (
            (
                '[[reflection.options]]\nid = "c"\ntext = "x"\n[[reflection.options]]\n'
                'id = "d"\ntext = ""\n'
            ),
            "line 6: table [reflection.options 2], key text: must not be empty",
        ),
        (
            (
                '[[prediction.options]]\nid = "a"\nright = true\n[[prediction.options]]\n'
                'id = "c"\nright = false\n'
            ),
            "table [prediction], key options: option c must stay the right one",
        ),
        (
            '[prediction_9]\ntext = "x"\n',
            "line 2: table [prediction_9], key text: the page has no such question",
        ),
        (
            'takeaways = [\n  "It is {storey.wait:time}.",\n]\n',
            "line 1: key takeaways: {storey.wait:time} is not a number of this lesson; it has "
            "story.wait:time",
        ),
        (
            '[staff]\nthirty = """\ntext = 1\nten = 2\n"""\nten = "{nothing_like_it_x}"\n',
            "line 6: table [staff], key ten: {nothing_like_it_x} is not a number",
        ),
        (
            '[[derivation]]\ntitle = "x"\ntext = "y"\nformula = "{a}"\nafter = "3"\n',
            "line 5: table [derivation 1], key after: must be reflection, found '3'",
        ),
        ("#" * 300_001, "larger than 300 kB"),
        (
            '[[derivation]]\ntitle = "x"\ntext = "y"\nformula = "\\\\url{a}"\n',
            (
                r"line 4: table [derivation 1], key formula: it contains '\\url', but texts "
                r"must not contain"
            ),
        ),
        (
            '[says]\noverload = "{found}"',
            "line 2: table [says], key overload: {found} is not a number of this",
        ),
        ('[knobs.fleets]\nlabel = "x"', "no such key"),
        ('[knobs.fleet]\nlabel = "{fleet:number}"', "is not allowed: questions"),
        ('[knobs.fleet]\nrange = "x"', "key range"),
        ("knobs = 3", "key knobs: must be a table, found 3"),
        ('[[transfer]]\nid = "tents"\ntext = "x"', "must be one of beds, booths"),
        (
            '[[transfer]]\nid = "beds"\ntext = "{nothing:days}?"',
            "{nothing:days} is not a number of this lesson",
        ),
        (
            '[[transfer]]\nid = "beds"\nvariants = [{ fleet = 3 }]',
            "variants, cases, and right answers must stay",
        ),
    ],
)
def test_a_broken_file_is_refused_in_one_sentence_with_file_line_and_key(tmp_path, text, says):
    with pytest.raises(LessonError) as refusal:
        merged(tmp_path, text)
    sentence = str(refusal.value)
    assert (
        says in sentence
        and sentence.startswith("utilization_trap/words.toml")
        and "\n" not in sentence
    )


def test_a_choice_that_a_knob_does_not_have_is_refused(tmp_path):
    with pytest.raises(
        LessonError, match=r"\[knobs.half_life.options\], key 7d: this lesson has no such key"
    ):
        merged(tmp_path, '[knobs.half_life.options]\n7d = "a week"', FAIR)


def test_a_course_may_say_sentences_knobs_and_questions_in_its_own_way(tmp_path):
    beds = (
        'text = "{servers_before:count bed}: how long?"\n[[transfer.options]]\nid = "b"\n'
        'text = "only {wait:days}"\n'
    )
    knob = (
        '[says]\nremedies = "{found}, at {wait:time}"\n[knobs.utilization]\n'
        'label = "Busy share (%)"\n'
    )
    words = merged(tmp_path, f'[[transfer]]\nid = "beds"\n{beds}{knob}')
    shipped = load(TRAP.page)
    assert words.says == shipped.says | {"remedies": "{found}, at {wait:time}"}
    assert words.knobs["utilization"].label == "Busy share (%)" and words.knobs["utilization"].help
    asked = words.transfer[0]
    before = shipped.transfer[0]
    assert asked.text.startswith("{servers_before") and asked.options[1].text == "only {wait:days}"
    assert (
        asked.options[1].right
        and asked.variants == before.variants
        and words.transfer[1:] == shipped.transfer[1:]
    )


@pytest.mark.parametrize(
    "calls",
    [
        "![a picture][1]",
        "[the course](//course.example)",
        "[a link][1]\n\n[1]: /a.png",
        "https://course.example",
        "WWW.course.example",
        "mailto:dean@course.example",
        "<IMG src=x onerror=alert(1)>",
        "<!-- -->",
        r"$\includegraphics{a.png}$",
    ],
)
def test_words_that_call_outside_or_hold_html_are_refused(tmp_path, calls):
    with pytest.raises(
        LessonError,
        match=r"line 2: table \[message\], key text: .* must not contain images, links, or HTML",
    ):
        merged(tmp_path, f"[message]\ntext = {QUOTES}So slow {calls} today?{QUOTES}\n")


def test_comparisons_intervals_and_sums_are_no_links(tmp_path):
    text = "[message]\ntext = 'Is ρ < 1, 3 <5, and [0, 1] (half of it) enough! [Yes]: 1.5 s/job.'\n"
    assert merged(tmp_path, text).message.startswith("Is ρ < 1")


def test_the_command_says_all_that_is_wrong_and_that_all_is_well(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv(own_words.SETTING, str(tmp_path))
    assert main(["check", str(write(tmp_path, OWN))]) == 0
    assert "in order: 1 lesson has words of your own" in capsys.readouterr().out
    write(tmp_path, "minutes = []", "drf_story")
    write(tmp_path, "", "utilisation_trap")
    (tmp_path / "io.toml").write_text("")
    (tmp_path / "gpu_slices").mkdir()
    assert main(["check", str(tmp_path)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 4
    for words in (
        "gpu_slices/: there is no words.toml",
        "io.toml: a lesson's texts must be in a folder",
    ):
        assert any(line.startswith(words) for line in said)
    assert any(
        "utilisation_trap/: there is no such lesson; did you mean utilization_trap/?" in line
        for line in said
    )
    assert any(
        "drf_story/words.toml, line 1: key minutes: must be a whole number" in line for line in said
    )
    assert main(["check", str(tmp_path / "nowhere")]) == 1
    assert capsys.readouterr().out == "FLEET_LESSONS: there is no folder nowhere\n"


MANY = """
takeaways = ["{nothing_like_it}", "![x](y)"]
minutes = "ten"
[message]
text = "{story.wait:time} and {bought.wait:time}"
[says]
winning = "x"
"""


def test_all_names_and_texts_that_are_wrong_are_said_at_once_each_with_its_own_line(
    tmp_path, capsys
):
    assert main(["check", str(write(tmp_path, MANY))]) == 1
    said = capsys.readouterr().out.splitlines()
    places = (
        "line 2: key takeaways: {nothing_like_it} is",
        "line 2: key takeaways: it contains '!['",
        "line 5: table [message], key text: {story.wait:time} is not allowed: questions",
        "line 5: table [message], key text: {bought.wait:time} is not allowed",
        "line 7: table [says], key winning: this lesson has no such key",
        "line 3: key minutes: must be a whole number",
    )
    assert len(said) == 6 and all(any(place in sentence for sentence in said) for place in places)


FORMS = """
minutes = "ten"
title = ""
tour = []
[knobs.fleet]
range = "x"
[message]
sender = 3
[[prediction.options]]
id = "a"
right = true
[[derivation]]
title = "x"
[[transfer]]
id = "beds"
variants = [{ fleet = 3 }]
"""


def test_every_fault_of_form_is_said_at_once_too(tmp_path, capsys):
    assert main(["check", str(write(tmp_path, FORMS))]) == 1
    said = capsys.readouterr().out
    for place in (
        "line 2: key minutes: must be a whole number",
        "line 3: key title: must not be empty",
        "line 4: key tour: must have the",
        "table [knobs.fleet], key range: is not a key",
        "line 8: table [message], key sender: must be a text",
        "table [prediction], key options: exactly one option must have right = true",
        "table [derivation 1], key text: is missing",
        "variants, cases, and right answers must stay",
    ):
        assert place in said, said
    assert said.count("\n") == 8


def test_a_number_in_a_format_that_does_not_fit_it_is_refused_as_none(tmp_path):
    with pytest.raises(LessonError, match=r"\{page:share\} is not a number of this lesson"):
        merged(tmp_path, '[staff]\nten = "{page:share}"\n')


def test_only_regular_files_are_read_and_no_pipe_is_waited_for(tmp_path, capsys):
    for page in ("utilization_trap", "io_bottleneck", "gpu_slices\x1b[2J"):
        (tmp_path / page).mkdir()
    (tmp_path / "io_bottleneck" / "words.toml").mkdir()
    os.mkfifo(tmp_path / "utilization_trap" / "words.toml")
    with ends_within(5):
        assert main(["check", str(tmp_path)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert "utilization_trap/words.toml: this is not a regular file" in said and all(
        map(str.isprintable, said)
    )
    assert "io_bottleneck/words.toml: this is not a regular file" in said and len(said) == 3


@pytest.mark.slow
def test_an_app_shows_a_courses_words_refuses_a_broken_file_and_goes_on(tmp_path):
    write(write(tmp_path, OWN), "[message]\nsender = 7\n", "drf_story")
    program = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from driving import all_text\n"
        "from streamlit.testing.v1 import AppTest\n"
        "app = AppTest.from_file('app.py', default_timeout=60).run()\n"
        "for page in ('utilization_trap', 'drf_story', 'staff'):\n"
        "    app.switch_page(f'pages/{page}.py').run()\n"
        "    assert not app.exception\n"
        "    print('PAGE', page, all_text(app).encode(), [box.value for box in app.warning])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | {own_words.SETTING: str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    trap, drf, staff = run.stdout.split("PAGE ")[1:]
    assert "From the dean" in trap and "The scheduler is to blame." in trap
    assert load("drf_story").prediction.text.encode().decode()[:20] in drf
    sentence = "drf_story/words.toml, line 2: table [message], key sender: must be a text, found 7"
    assert (
        sentence in run.stderr and "Lessons with texts of this course: Utilization trap." in staff
    )
    assert "Not used: " in staff and run.stderr.count(sentence) == 1


@pytest.mark.parametrize("before", ["\ufeff", "# One\u2028line.\n", "# One\x85line.\n"])
def test_a_line_is_counted_as_an_editor_counts_it(before, tmp_path):
    text = f'{before}[message]\n\nsendr = "x"\n'
    line = 3 + before.count("\n")
    with pytest.raises(LessonError, match=rf"line {line}: table \[message\], key sendr"):
        merged(tmp_path, text)


def test_a_folder_or_file_that_may_not_be_read_is_named_and_the_lessons_open(tmp_path, monkeypatch):
    write(tmp_path, OWN)
    monkeypatch.setenv(own_words.SETTING, str(tmp_path))
    monkeypatch.setattr(own_words, "REFUSED", [])
    monkeypatch.setattr(own_words, "USED", [])
    denied = PermissionError(13, "Permission denied")

    def deny(*_: object, **__: object) -> None:
        raise denied

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.open", deny)
        assert own_words.over(TRAP.page, lambda: ()) == load(TRAP.page)
    file = f"{TRAP.page}/words.toml: the file cannot be read (Permission denied)"
    with monkeypatch.context() as patch:
        patch.setattr("os.listdir", deny)
        patch.setattr("pathlib.Path.exists", deny)
        patch.setattr("pathlib.Path.iterdir", deny)
        assert own_words.over("io_bottleneck", lambda: ()) == load("io_bottleneck")
        own_words.look_around([TRAP.page])
    folder = f"FLEET_LESSONS: the folder {tmp_path.name} cannot be read (Permission denied)"
    assert [file, folder] == own_words.REFUSED


def test_the_line_of_a_dotted_key_is_that_of_the_key(tmp_path):
    text = '# Mine.\nmessage.sender = "the dean"\nmessage . sendr = "x"\n\n[says]\n'
    with pytest.raises(LessonError, match=r"line 3: table \[message\], key sendr"):
        merged(tmp_path, text)
    with pytest.raises(LessonError, match=r"line 2: table \[knobs\], key jobs"):
        merged(tmp_path, '[knobs]\njobs.options.x = "x"\n')
