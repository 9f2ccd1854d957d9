"""Your cluster: headline numbers, tables, and the choice among changes that were tried."""

from contextlib import nullcontext

import pandas as pd
import pytest

from physics.cluster import Change, calibrate, parse_change, what_happened, what_if
from physics.scheduling import Policy
from ui.cluster import sections
from ui.cluster.change import tight
from ui.cluster.sections import Question, Study

JOBS = pd.DataFrame({"submit": [0.0, 10.0, 20.0], "runtime": 60.0, "gpus": [1, 4, 8]})


def test_quotas_keep_the_spaces_within_a_name():
    change = parse_change(f"quotas={tight(' user 1 : 8 + b:4 ')}", Policy(), 8)
    assert change.policy.quotas == {"user 1": 8, "b": 4}


@pytest.mark.parametrize(("gpus", "words"), [(4, "1 job never starts"), (1, "2 jobs never start")])
def test_jobs_that_never_start_are_counted_with_their_verb(gpus, words):
    difference = what_if(JOBS, 8, Policy(), Change(gpus=gpus))
    notes = [note for _, _, note in sections._waits(difference)]
    assert any(f"not a solution, {words};" in note for note in notes)


def test_a_change_tried_at_two_prices_is_shown_with_the_present_one():
    results = {("gpus=+8", 1.0): "cheap", ("gpus=+8", 2.0): "dear", ("gpus=+9", 2.0): "other"}
    assert sections._by_change(results, 1.0) == {"gpus=+8": "cheap", "gpus=+9": "other"}
    assert sections._by_change(results, 2.0)["gpus=+8"] == "dear"


def test_tables_of_a_change_of_a_log_without_dates_have_seconds(monkeypatch):
    happened = what_happened(JOBS, 8)
    difference = what_if(JOBS, 8, Policy(), Change(gpus_per_node=8))
    drawn = []
    monkeypatch.setattr(sections, "draw_section", drawn.append)
    monkeypatch.setattr(sections, "_metrics", drawn.append)
    monkeypatch.setattr(sections.pictures, "draw", lambda *arguments: None)
    fit = calibrate(JOBS, 8)
    study = Study(Question(), happened, fit, None, (), None)
    monkeypatch.setattr(sections.charts, "difference", lambda *arguments: None)
    monkeypatch.setattr(sections.charts, "use_with_change", lambda *arguments: None)
    monkeypatch.setattr(sections.device, "expander", lambda *arguments: nullcontext())
    sections._draw_difference("gpus_per_node=8", difference, study, None, dated=False)
    used = [table for table in drawn[-1]["tables"] if table["name"].endswith("used")]
    assert used[0]["rows"][0][0] == happened.begin
