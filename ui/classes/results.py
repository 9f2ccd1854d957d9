"""What a class has answered, as a table to keep: its votes are deleted with it. No Streamlit in here."""

import csv
import io
from collections.abc import Mapping

import pandas as pd

from physics.texts import harmless
from polls import rule, store
from polls.questions import IDS
from polls.questions import Question as Own
from ui.base.lesson import lessons
from ui.classes import questions
from ui.classes.questions import Asked

LETTERS = tuple(IDS.upper())
COLUMNS = ("lesson", "question", "vote", "votes", *LETTERS, "right answer", "share right", "rule of thumb", "answers")
VERDICTS = {"explain": "explain again", "discuss": "discuss and vote again", "go on": "go on"}


def table(found: Mapping[str, Mapping[int, Mapping[str, int]]], own: Mapping[str, Own]) -> str:
    """CSV with a row for each question and vote that has been revealed; counts of a vote too small to show are empty.

    Parameters
    ----------
    found : mapping
        Votes by question, round and answer, as `polls.store.results` returns them.
    own : mapping
        The questions that staff have written for this class, by id; rows come in their order, then the lessons'.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for name in questions.offered(own):
        asked = questions.find(name, own)
        for number, votes in sorted(found.get(name, {}).items()):
            row = _row(asked, number, votes)
            writer.writerow([harmless(one) if isinstance(one, str) else one for one in row])
    return text.getvalue()


def progress(found: Mapping[str, Mapping[int, int]]) -> pd.DataFrame:
    """Table of how many are how far with each lesson, as `polls.store.progress` returns it; small numbers are words."""
    names = {store.PREDICTED: "predicted", store.FINISHED: "finished", store.WON: "challenge won"}
    rows = []
    for lesson in lessons():
        numbers = {name: found.get(lesson.id, {}).get(step, 0) for step, name in names.items()}
        shown = {name: str(n) if n >= rule.FEWEST else f"fewer than {rule.FEWEST}" for name, n in numbers.items()}
        rows.append({"lesson": lesson.title} | shown)
    return pd.DataFrame(rows)


def _row(asked: Asked, number: int, votes: Mapping[str, int]) -> list[object]:
    total, right = sum(votes.values()), asked.right
    start = [asked.title, asked.plain, number, total]
    answers = "; ".join(f"{asked.letter(one)} {words}" for one, words in asked.words.items())
    if not rule.shown({number: votes}):
        counts, share, verdict = [""] * len(LETTERS), "", f"fewer than {rule.FEWEST} votes"
    else:
        counts = [votes.get(one, 0) for one in asked.ids] + [""] * (len(LETTERS) - len(asked.ids))
        share = f"{votes.get(right, 0) / total:.4f}" if right else ""
        verdict = VERDICTS[rule.advice(votes.get(right, 0), total)] if right else "no answer is called right"
    return [*start, *counts, asked.letter(right) if right else "", share, verdict, answers]
