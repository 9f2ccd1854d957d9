"""What a class has answered, as a table to keep: its votes are deleted with it. No Streamlit in here."""

import csv
import io
from collections.abc import Mapping

from polls import rule
from ui.base.lesson import Lesson
from ui.base.words import fill

COLUMNS = ("lesson", "question", "vote", "votes", "A", "B", "C", "D", "right answer", "share right", "rule of thumb")
VERDICTS = {"explain": "explain again", "discuss": "discuss and vote again", "go on": "go on"}


def table(found: Mapping[str, Mapping[int, Mapping[str, int]]], lessons: tuple[Lesson, ...]) -> str:
    """CSV with a row for each question and vote that has been revealed; counts of a vote too small to show are empty.

    Parameters
    ----------
    found : mapping
        Votes by lesson, round and answer, as `polls.store.results` returns them.
    lessons : tuple
        The lessons whose questions can be asked; rows come in their order.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for lesson in lessons:
        for number, votes in sorted(found.get(lesson.id, {}).items()):
            writer.writerow(_row(lesson, number, votes))
    return text.getvalue()


def _row(lesson: Lesson, number: int, votes: Mapping[str, int]) -> list[object]:
    total, question = sum(votes.values()), lesson.prediction
    start = [lesson.title, fill(question.text, {}), number, total]
    if total < rule.FEWEST:
        return [*start, "", "", "", "", question.right.upper(), "", f"fewer than {rule.FEWEST} votes"]
    right = votes[question.right]
    counts = [votes.get(one, 0) for one in "abcd"]
    verdict = VERDICTS[rule.advice(right, total)]
    return [*start, *counts, question.right.upper(), f"{right / total:.4f}", verdict]
