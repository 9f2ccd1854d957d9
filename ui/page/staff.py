"""The page for staff: plans of the lessons with live numbers, links, keys, deployment."""

import streamlit as st

from ui.base import device, own_words
from ui.base.lesson import lessons
from ui.base.words import fill, literal
from ui.page import script, shell


def projector_help() -> None:
    """Say how the projector mode works."""
    st.markdown(
        "**On the projector.** Add `?present=1` to any address of the app (`?present=0` ends it), or use the button in "
        "the menu. Text and charts get larger, and the numbers stay the same. Keys: **V** shows a lesson without a "
        "prediction (your record says *skipped*), **N** opens the next preset, **P** pins the result. They do nothing "
        "while you type."
    )
    st.markdown(
        "**A lecture with a class.** Open a class, then choose “Two screens”. The projector shows the question and the "
        "bars to the hall. The remote, on your phone or laptop, has the controls, your notes, and the bars before the "
        "hall sees them. “Playlist” takes the class through a core lesson in 10 or 30 minutes with one key or a "
        "clicker."
    )


def lesson_plans() -> None:
    """Show each lesson's plan for ten and for thirty minutes and what students usually say."""
    for lesson in lessons():
        if lesson.staff is None:
            continue
        # The plan names the right answer: it is sent when it is opened, not before.
        box, wanted = device.expander(lesson.title, f"staff_{lesson.id}", answers=True)
        if not wanted:
            continue
        values = lesson.values(lesson.settings())
        with box:
            st.markdown(fill(f"**In 10 minutes.** {lesson.staff.ten}", values))
            st.markdown(fill(f"**In 30 minutes.** {lesson.staff.thirty}", values))
            st.markdown(fill("**What students usually say**", values))
            st.markdown("\n".join(f"- {fill(text, values)}" for text in lesson.staff.heard))
            right = lesson.prediction.option(lesson.prediction.right).text
            st.caption(fill(f"Right: {right}", {}))
            if lesson.script:
                st.download_button(
                    "Speaker's script to print (HTML)",
                    script.to_html(lesson),
                    f"speakers-script-{lesson.page}.html",
                    "text/html",
                    key=f"staff_{lesson.id}_script",
                    icon=":material/print:",
                    help="What to ask in a lecture, what you will hear, what to press, and what to say.",
                    on_click="ignore",
                )


def lock_help() -> None:
    """Say what the lock is worth."""
    st.markdown(
        "**What the lock is for.** Before a student locks in a prediction, the lesson sends no part of the answer. The "
        "lock prevents peeking, not cheating: this page, Corrections, and the source code are open to everyone, anyone "
        "can look in a second browser, and anyone can begin a class and show its answer. A report holds what the "
        "student's own browser has kept, so its answers and times are the student's word. The report shows whether a "
        "locked answer was changed while the app was watching."
    )


def grades_help() -> None:
    """Say the whole way from a link to grades, and link to the page that collects."""
    st.markdown(
        "1. On your course page, link to the lessons, or to one lesson with settings that you chose (“Share”).\n"
        "2. Say what counts and until when. By default, locking in a guess counts and being right does not.\n"
        "3. Students predict, try, win the challenge, and write notes. Their browser saves all of it.\n"
        "4. On “Your report” they type their name and login (for Moodle, the e-mail address) and see what is missing.\n"
        "5. They download the report as data (JSON) and hand it in as an assignment of your course.\n"
        "6. From that assignment, download all submissions as one ZIP.\n"
        "7. Upload the ZIP on “Grades”. The app judges every answer, result, and challenge again.\n"
        "8. Look at reports that differ, were refused, or came from the same browser. Ask before you judge.\n"
        "9. Set the weights, read the notes with the rubric, and see which wrong answer was chosen most.\n"
        "10. Download the grade book and import it into Canvas or Moodle. Nothing stays on the server."
    )
    with st.container(horizontal=True):
        shell.link("pages/grades.py", "Grades", ":material/grading:")
        shell.link("pages/rubric.py", "Rubric and exemplar reports", ":material/checklist:")


def links_help() -> None:
    """Say how to link to a lesson or a scenario from a course page."""
    st.markdown(
        "A lesson's address is the app's address and the lesson's name, such as `/utilization_trap`. "
        "“Share” on a lesson gives a link and a QR code that open it with exactly the settings you see, and without "
        "your answers. To show the app inside a course page, put that address into a frame and add `embed=true`: "
        '`<iframe src="…/utilization_trap?embed=true" style="width:100%;height:900px;border:0"></iframe>`. '
        "The frame must be at least 390 px wide. In a frame, some browsers save nothing between visits. The lesson "
        "still works and tells the student to download the report, but a plain link is safer for homework."
    )


def own_words_help() -> None:
    """Say how a course brings its own words, which lessons have some, and what was refused when the app started."""
    st.markdown(
        "A course can say things in its own words: `FLEET_LESSONS` names a folder with `<page>/words.toml` for each "
        "lesson that differs, holding only what differs. `python -m lessons check FOLDER` checks it before you "
        "publish; the repository's `docs/deploying.md` shows an example."
    )
    titles = [lesson.title for lesson in lessons() if lesson.page in own_words.used()]
    if titles:
        st.markdown(f"Lessons with words of this course: {', '.join(titles)}.")
    for sentence in own_words.refused():
        st.warning(f"Not used: {literal(sentence)}", icon=":material/warning:")


def deploying_help() -> None:
    """Say how to put the app on the web, in short."""
    st.markdown(
        "On Streamlit Community Cloud: put the repository on GitHub, choose *Create app*, name the repository, the "
        "branch and `app.py`, and pick the Python version. Nothing else has to be set. The app sleeps after a while "
        "without visitors and wakes in about half a minute; open it before the lecture. The repository's "
        "`docs/deploying.md` says more: one container, several machines, and a database for class polls."
    )
