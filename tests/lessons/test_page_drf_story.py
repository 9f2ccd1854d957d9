"""The DRF story driven as a script would: locked, predicted, stepped through, edited, shared,
reflected.
"""

import math
import re

import pytest
from drf_scenarios import preset
from driving import all_text, metrics, unlocked
from filmed import seen_at
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.drf_story import PRESETS, film
from lessons.drf_story.jobs import COLUMNS, Job, parse, read, write
from lessons.drf_story.pool import verdict
from lessons.drf_story.settings import Scenario
from ui.charts.look import Look
from ui.films import message

EXECUTORS = ("Executors, DRF", "Executors, Round-robin")
MESSAGE = ["2 · 2 · 8", "4 · 4 · 4"]


def own(**address: str):
    """The page at its table of jobs."""
    return unlocked("drf_story", drf_view="jobs", **address)


def edit(app, **edits):
    app.session_state["drf_jobs"] = {
        "edited_rows": {},
        "added_rows": [],
        "deleted_rows": [],
    } | edits
    return app.run()


def executors(app) -> list[str]:
    return [metrics(app)[label] for label in EXECUTORS]


def test_buttons_walk_both_hand_outs_to_their_end():
    app = unlocked("drf_story")
    assert "DRF: Evaluation has the lowest dominant share, a tie that goes by name." in all_text(
        app
    )
    for _ in range(11):
        app.button(key="drf_forward").click().run()
    assert app.slider(key="drf_step").value == 12 and executors(app) == MESSAGE
    assert app.button(key="drf_forward").disabled
    assert "After 12 executors, largest shares end at 20% under DRF" in all_text(app)
    app.button(key="drf_previous").click().run()
    assert "Step 11 of 12." in all_text(app)


def test_an_edited_table_changes_the_outcome_travels_in_a_link_and_outlives_part_and_page():
    app = own()
    assert executors(app) == MESSAGE
    edit(app, edited_rows={2: {"mem": 80, "weight": 2.5, "ceiling": 3}})
    text = app.session_state["drf_table"]
    shown = metrics(app)
    assert executors(app) != MESSAGE and app.query_params["drf_table"] in (text, [text])
    assert metrics(own(drf_table=text)) == shown
    for view in ("pool", "jobs"):
        app.segmented_control(key="drf_view").set_value(view).run()
        assert app.session_state["drf_table"] == text
    app.switch_page("app.py").run()
    app.switch_page("pages/drf_story.py").run()
    assert metrics(app) == shown and app.session_state["drf_table"] == text
    app.button(key="drf_reset").click().run()
    assert app.session_state["drf_table"] == "" and executors(app) == MESSAGE


def test_pasted_nonsense_never_ends_in_a_traceback():
    bad = (
        {"name": "<script>x</script>", "cpu": -1, "mem": math.nan},
        {"name": ":red[x]", "cpu": "many", "weight": 0},
    )
    app = edit(
        own(), edited_rows={0: bad[0], 1: bad[1]}, added_rows=[*bad, bad[0] | {"cpu": 1}, {}]
    )
    assert not app.exception and app.metric
    sent = all_text(app)
    assert "<script>" not in sent and ":red[x]" not in sent and not re.search(r"\bnan\b", sent)


def test_an_empty_table_says_what_to_do_and_more_than_five_jobs_are_named():
    app = edit(own(), deleted_rows=[0, 1, 2])
    assert "No row holds a usable job" in all_text(app) and executors(app) == MESSAGE
    app = edit(own(), added_rows=[{"name": f"J{i}", "cpu": 1} for i in range(5)])
    assert "more than 5 jobs; those from row 6 on are left out" in all_text(app)
    assert len(app.session_state["drf_table"].split(";")) == 5


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x" * 1501, "longer than 1500 characters"),
        ("A,1,2", "a row must have 7 fields, found 3"),
        ("A,,,-1,4,1,", "must be between 0 and"),
        ("A,,,1,4,1,;A,,,1,4,1,", "is taken by another row"),
        (";".join(f"{i},,,1,1,1," for i in range(6)), "more than 5 jobs"),
        ("A,,,,,1,", "an executor must need something"),
        ("<b>,,,one,4,1,", "must be a number"),
    ],
)
def test_a_table_that_is_no_scenario_is_refused_with_its_reason(text, why):
    with pytest.raises(ValueError, match=why):
        parse(text)


def test_what_an_older_link_or_report_still_names_is_said_and_breaks_nothing():
    old = {
        "drf_view": "before",
        "drf_misfit": "stop",
        "drf_claim_gpu": "2",
        "drf_policy_two": "single:gpu",
        "drf_table": "A,,,,,1,4,,,1,;B,,,,,3,1,,,1,",
    }
    app = unlocked("drf_story", **old)
    assert not app.exception and app.session_state["drf_view"] == "pool"
    assert (
        app.session_state["drf_table"] == "A,,,1,4,1,;B,,,3,1,1,"
    )  # without its empty columns of GPUs
    assert all_text(app).count("was ignored") >= 3
    kept = {
        "settings": {"misfit": "stop", "gpus": True, "measure": "gpu", "table": ""},
        "prediction": "a",
    }
    app = unlocked("drf_story", {"ledger": {"drf": kept}}, drf_table="A,1,2", drf_step="12")
    assert not app.exception and executors(app) == MESSAGE
    assert any("a row must have 7 fields, found 3" in warning.value for warning in app.warning)


def test_the_four_properties_bear_their_names_and_their_counterexamples_open_where_they_show():
    app = unlocked("drf_story", drf_view="properties")
    for name in ("Sharing incentive", "Envy-freeness", "Pareto efficiency", "Strategy-proofness"):
        assert f"**{name}**:" in all_text(app)
    app.button(key="drf_case_asset").click().run()
    assert (
        app.session_state["drf_view"] == "jobs"
        and app.session_state["drf_table"] == PRESETS["asset"].changes["table"]
    )
    assert metrics(app)["Shares, Asset fairness"] and not app.exception


def test_a_pool_holds_at_least_what_the_jobs_hold():
    app = edit(own(drf_cpu="50"), edited_rows={0: {"start_cpu": 60.5}})
    assert (
        app.number_input(key="drf_cpu").value == app.number_input(key="drf_cpu").min == 61
        and not app.exception
    )


@given(st.text(max_size=200))
def test_any_text_is_a_table_or_one_sentence(text):
    try:
        assert 1 <= len(parse(text)) <= 5
    except ValueError as refusal:
        assert "\n" not in str(refusal)


good = st.floats(0.001, 1000)
anything = st.one_of(
    good, good, st.none(), st.text(max_size=20), st.floats(), st.integers(), st.lists(st.none())
)


@pytest.mark.slow
@settings(max_examples=50)
@given(st.lists(st.dictionaries(st.sampled_from(COLUMNS), anything), max_size=9))
def test_any_rows_are_jobs_or_complaints(rows):
    found, complaints = read(rows)
    assert len(found) <= 5 and all(sentence.endswith(".") for sentence in complaints)
    if found:
        assert parse(write(found)) == found
        words = verdict(Scenario(found, 12)).text
        assert words and not re.search(r"\bnan\b", words)


@pytest.mark.parametrize(
    "state",
    [
        {"edited_rows": {99: {"cpu": 1}}, "added_rows": [], "deleted_rows": []},
        {"edited_rows": {}, "added_rows": [{"gpu": 1}], "deleted_rows": [7]},
        {
            "edited_rows": {},
            "added_rows": [{"name": f"J{i}", "cpu": 1} for i in range(30)],
            "deleted_rows": [],
        },
        "nonsense",
    ],
)
def test_edits_that_do_not_belong_to_the_table_are_survived(state):
    app = own()
    app.session_state["drf_jobs"] = state
    app.run()
    assert not app.exception and app.metric


SETTINGS = {
    **{name: preset(name) for name in PRESETS},
    "message": Scenario(),
    "small": Scenario(tuple(Job(name, (0.5, 1.0)) for name in "ABCDE"), executors=100),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_after_every_step_the_rows_hold_what_the_jobs_hold(name):
    scenario = SETTINGS[name]
    shown = film.played(scenario)
    for step in range(0, int(shown.end), max(1, int(shown.end) // 12)):
        boxes, waiting = seen_at(shown, step)
        assert not len(waiting)
        for which, result in enumerate((scenario.one, scenario.two)):
            count = {job.name: result.log[:step].count(job.name) for job in scenario.table}
            for r in range(2):
                total = (
                    sum(job.start[r] + count[job.name] * job.need[r] for job in scenario.table)
                    / scenario.pool[r]
                )
                mine = boxes[boxes["first"] // film.SQUARES == which * 2 + r]
                seen = (mine["last"] - mine["first"] + 1).sum()
                # Sums of decimal shares may fall on either side of half a square.
                assert seen == pytest.approx(total * film.SQUARES, abs=0.5 + 1e-6)
    assert message(film.showing(scenario), Look())["kinds"]  # a heavier one is refused
    for box in shown.boxes.itertuples():
        row, which = map(int, box.kind.split())
        job = scenario.table[row].name
        assert box.words == (f"{box.begin:.0f}" if box.begin else job)
        assert not box.begin or (scenario.one, scenario.two)[which].log[int(box.begin) - 1] == job
