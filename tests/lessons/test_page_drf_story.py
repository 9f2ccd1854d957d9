"""The DRF story driven as a script would: locked, predicted, stepped through, edited, shared,
reflected.
"""

import math
import re
from dataclasses import replace

import pytest
from driving import all_text, metrics, unlocked
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.drf_story import PRESETS, hand, pool
from lessons.drf_story.jobs import WITH_GPUS
from lessons.drf_story.laboratory.table import COLUMNS, parse, read, write
from lessons.drf_story.pool import verdict
from lessons.drf_story.settings import Scenario
from ui.charts.look import Look

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
    assert "DRF: Evaluation has the lowest dominant share, a tie broken by name." in all_text(app)
    for _ in range(11):
        app.button(key="drf_forward").click().run()
    assert app.slider(key="drf_step").value == 12 and executors(app) == MESSAGE
    assert app.button(key="drf_forward").disabled
    assert "After 12 executors, the dominant shares are 20% under DRF" in all_text(app)
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
    assert "No row contains a complete job" in all_text(app) and executors(app) == MESSAGE
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


def test_what_a_link_or_report_names_that_is_no_setting_is_said_and_breaks_nothing():
    unknown = {
        "drf_view": "before",
        "drf_misfit": "stop",
        "drf_claim_gpu": "2",
        "drf_policy_two": "single:gpu",
    }
    app = unlocked("drf_story", **unknown)
    assert not app.exception and app.session_state["drf_view"] == "pool"
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
        # as the page does: a job that names GPUs needs a pool with some
        pool = Scenario(found, 12, gpu=int(any(job.gpu for job in found)))
        words = verdict(pool).text
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


def hand_out(app, rows: str):
    """Press the buttons that give these jobs, by row, an executor each."""
    for row in rows:
        app.button(key=f"drf_give_{row}").click().run()
    return app


def test_executors_are_handed_out_by_hand_until_something_is_scarce():
    app = unlocked("drf_story")
    app.button(key="drf_by_hand").click().run()
    hand_out(app, "313")
    assert metrics(app)["Executors, By hand"] == "1 · 0 · 2"
    assert app.query_params["drf_given"] in ("313", ["313"])
    assert "The dominant share of Evaluation rose from 2.5% to 5%" in all_text(app)
    app.button(key="drf_take_back").click().run()
    assert metrics(app)["Executors, By hand"] == "1 · 0 · 1"
    app.button(key="drf_empty").click().run()
    assert metrics(app)["Executors, By hand"] == "0 · 0 · 0"
    full = unlocked("drf_story", drf_policy_two="hand", drf_given="1" * 10)
    assert "The pool is out of CPU, so no executor fits anymore. Idle: 600 GB." in all_text(full)
    assert all(full.button(key=f"drf_give_{row}").disabled for row in "123")


def test_a_pool_with_room_for_more_takes_no_executor_that_a_link_could_not_hold():
    full = Scenario(policy_two="hand", cpu=10_000, mem=1e14, given=(3,) * hand.MOST)
    assert pool.fitting_rows(replace(full, given=full.given[1:])) == [1, 2, 3]
    given = pool.give(full, [1, 2, 3])["given"]
    assert given == full.given == hand.parse(hand.write(given))


def test_a_tap_gives_what_its_button_gives_and_nothing_that_does_not_fit():
    scenario = Scenario()
    taps = []
    for row in (3, 1, 3):
        if not scenario.by_hand:
            scenario = replace(scenario, **pool.empty(scenario, []))
        scenario = replace(scenario, **pool.give(scenario, [row]))
        taps.append(scenario.two.log[-1])
    assert taps == ["Evaluation", "Parsing", "Evaluation"] and scenario.at == 3
    frames = pool.figure(scenario, Look())
    assert frames.taps and sorted(frames.frame["give"].dropna()) == [1, 2, 3]
    full = replace(scenario, given=(2,) * 10)
    assert full.two.stop == "no_fit" and pool.give(full, [1, 2, 3])["given"] == full.given
    assert replace(full, given=(*full.given, 1)).two == full.two
    frames = pool.figure(full, Look()).frame
    assert set(frames[frames["kind"] == "touch"]["tone"]) == {"faint"}


def test_an_order_by_hand_that_is_none_is_named_and_ignored():
    for wrong in ("7", "12x", "1" * 101):
        app = unlocked("drf_story", drf_given=wrong)
        assert not app.exception and metrics(app)["Executors, Round-robin"] == "1 · 0 · 0"
        assert "at most 100 digits from 1 to 5" in all_text(app)


def test_the_whole_log_stands_on_the_page_with_each_reason_and_difference():
    app = unlocked("drf_story", drf_executors="30", drf_step="30")
    tables = [one.value for one in app.table]
    steps = [one for one in tables if "Why" in one.columns]
    assert [len(one) for one in steps] == [28, 19]
    last = steps[0].iloc[-1]
    assert "passed over: Joins, Parsing" in last["Why"]
    assert (last["Before"], last["After"], last["Change"]) == ("47.5%", "50%", "+2.5%")
    totals = next(one for one in tables if "Executors" in one.columns)
    assert list(totals["Change"]) == ["+40%", "+40%", "+50%"]


def test_the_pool_with_gpus_opens_after_the_reflection_and_a_link_carries_its_table():
    state = {"reflections": {"drf": "a"}}
    app = unlocked("drf_story", state)
    app.button(key="drf_part_gpus").click().run()
    assert app.number_input(key="drf_gpu").value == 16
    assert metrics(app)["Executors, DRF"] == "4 · 8 · 4"
    assert "2 GPU" in all_text(app)
    assert parse(write(WITH_GPUS)) == WITH_GPUS
