"""Your cluster: headline numbers, tables, and the choice among changes that were tried."""

from contextlib import nullcontext

import pandas as pd
import pytest

from physics.cluster import (
    Change,
    calibrate,
    parse_change,
    what_happened,
    what_if,
    what_is_needed,
)
from physics.scheduling import Policy
from ui.cluster import needed, sections
from ui.cluster.change import tight
from ui.cluster.work import Log, Question, Study, read_trace, replay

JOBS = pd.DataFrame({"submit": [0.0, 10.0, 20.0], "runtime": 60.0, "gpus": [1, 4, 8]})


def test_quotas_keep_the_spaces_within_a_name():
    change = parse_change(f"quotas={tight(' user 1 : 8 + b:4 ')}", Policy(), 8)
    assert change.policy.quotas == {"user 1": 8, "b": 4}


@pytest.mark.parametrize(("gpus", "words"), [(4, "1 job never starts"), (1, "2 jobs never start")])
def test_jobs_that_never_start_are_counted_with_their_verb(gpus, words):
    difference = what_if(JOBS, 8, Policy(), Change(gpus=gpus))
    notes = [note for _, _, note in sections._waits(difference)]
    assert any(f"not a solution, {words};" in note for note in notes)


@pytest.mark.parametrize("price", [1.0, 2.0, 3.0])
def test_a_change_that_was_tried_is_shown_at_the_present_price(price):
    change = Change(gpus=16)
    results = {("gpus=16", cost): what_if(JOBS, 8, Policy(), change, price=cost) for cost in (1, 2)}
    shown = sections._by_change(results, price)["gpus=16"].costs
    assert shown.equals(what_if(JOBS, 8, Policy(), change, price=price).costs)


def test_a_size_that_was_found_is_shown_at_the_present_price(monkeypatch):
    answer = what_is_needed(JOBS, 8, Policy(), "mean", 0.0, price=1.0)
    log = Log(None, 3, {"digest": ""}, ())
    study = Study(Question(), what_happened(JOBS, 8), None, None, (), None)
    monkeypatch.setattr(needed.device, "expander", lambda *arguments: None)
    target = (log.key, study.question)
    monkeypatch.setattr(needed.state, "get", lambda key, default: (target, answer))
    [shown] = needed.draw(log, study, 7.0, None)
    assert shown.gpus == answer.gpus > 8 and "at 7 per GPU-hour" in shown.sentence


def test_recorded_means_of_a_replay_are_of_the_jobs_that_can_start():
    lines = ["1 0 10 60 4 -1 -1 4 120 -1 1 7 1", "2 0 1000 60 8 -1 -1 8 120 -1 1 7 1"]
    trace = read_trace("\n".join(f"{line} -1 -1 -1 -1 -1" for line in lines).encode(), 10)
    row = replay(trace.jobs, 4, Policy()).loc["all jobs"]
    assert row[["recorded_mean", "recorded_median", "recorded_within"]].tolist() == [10, 10, 0.5]


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
