"""The DRF story driven as a script would: locked, predicted, stepped through, edited, shared, reflected."""

import math
import re

import pytest
from driving import all_text, metrics, texts, unlocked, visit
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.drf_story import jobs as drf_jobs
from lessons.drf_story.jobs import COLUMNS, Job, clean_name, parse, read, story, write
from lessons.drf_story.presets import PRESETS
from lessons.drf_story.settings import Scenario
from lessons.drf_story.verdict import verdict

EXECUTORS = ("Executors, DRF", "Executors, Round-robin")


def edit(app, **edits):
    app.session_state["drf_jobs"] = {"edited_rows": {}, "added_rows": [], "deleted_rows": []} | edits
    return app.run()


def executors(app) -> list[str]:
    return [metrics(app)[label] for label in EXECUTORS]


def test_from_locked_to_finished():
    app = visit("drf_story")
    assert not app.dataframe  # nothing to edit before the lock
    app.radio(key="drf_prediction").set_value("b").run()
    app.button(key="drf_lock").click().run()
    assert not app.dataframe[0].proto.disabled and app.dataframe[0].proto.editing_mode
    assert executors(app) == ["1 · 1 · 13", "5 · 5 · 5"]
    assert metrics(app)["Jain's index, Round-robin"] == "0.878"
    assert "An executor is 2 % of the memory, that is right" in all_text(app)
    app.radio(key="drf_reflection").set_value("b").run()
    app.button(key="drf_reflection_lock").click().run()
    record = app.session_state["ledger"]["drf"]
    assert record["right"] is False and record["reflection_right"] is True
    assert record["results"]["Executors, first policy"] == "DRF: Heaviest 1, Medium 1, Light evaluation 13; in all 15"
    assert record["settings"]["table"] == ""


@pytest.mark.slow
def test_buttons_walk_both_histories_and_the_log_says_who_and_why():
    app = unlocked("drf_story")
    sent = all_text(app)
    assert "Step 1: **Light evaluation has the lowest dominant share**, 10 % → 11 %" in sent
    assert (
        "Light evaluation 10 % **(lowest)**" in sent
        and "Step 1: **Heaviest is next in turn**, dominant share 30 % → 32 %. Dominant shares before: Heaviest 30 %"
        in sent
    )
    for _ in range(13):
        app.button(key="drf_forward").click().run()
    assert app.slider(key="drf_step").value == 14
    assert "Step 14: **Heaviest has the lowest dominant share, a tie that goes by name**, 30 % → 32 %" in all_text(app)
    app.button(key="drf_previous").click().run()
    assert "Step 13: **Light evaluation has the lowest dominant share**, 29 % → 31 %" in all_text(app)
    app.slider(key="drf_step").set_value(0).run()
    assert app.button(key="drf_previous").proto.disabled and "Before the first step" in all_text(app)
    app.slider(key="drf_step").set_value(15).run()
    assert app.button(key="drf_forward").proto.disabled


@pytest.mark.slow
def test_an_edited_cell_an_added_and_a_deleted_row_change_the_outcome():
    app = unlocked("drf_story")
    edit(app, edited_rows={2: {"mem": 32}})
    assert not app.exception and executors(app) != ["1 · 1 · 13", "5 · 5 · 5"]
    edit(app, added_rows=[{"name": "New", "cpu": 2, "mem": 16}])
    assert executors(app)[1] == "4 · 4 · 4 · 3"
    edit(app, deleted_rows=[0])
    assert executors(app)[1] == "8 · 7"
    edit(app)
    assert executors(app) == ["1 · 1 · 13", "5 · 5 · 5"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    [
        {"cpu": -1},
        {"mem": 1e308},
        {"cpu": "two", "mem": None},
        {"cpu": math.nan, "mem": math.nan},
        {"cpu": 0, "mem": 0},
        {"weight": 0},
        {"weight": "heavy"},
        {"ceiling": -3},
        {"name": "Medium"},
        {"name": "<script>alert(1)</script> :red[x] {wait} $x$ | `y`"},
        {"name": None},
        {"name": 7},
        {"start_mem": 5000},
    ],
)
def test_pasted_nonsense_never_ends_in_a_traceback(row):
    app = unlocked("drf_story")
    edit(app, edited_rows={0: row})
    assert not app.exception and app.metric
    sent = all_text(app)
    assert "<script>" not in sent and ":red[x]" not in sent and not re.search(r"\bnan\b", sent)
    edit(app, added_rows=[row, row | {"cpu": 1}, {}])
    assert not app.exception and app.metric


@pytest.mark.slow
@pytest.mark.parametrize(
    "state",
    [
        {"edited_rows": {99: {"cpu": 1}}, "added_rows": [], "deleted_rows": []},
        {"edited_rows": {0: {"wat": 1}}, "added_rows": [], "deleted_rows": []},
        {"edited_rows": {}, "added_rows": [{"wat": 1}], "deleted_rows": []},
        {"edited_rows": {}, "added_rows": [], "deleted_rows": [7]},
        {"edited_rows": {}, "added_rows": [], "deleted_rows": [0, 1, 2]},
        {"edited_rows": {}, "added_rows": [{"name": f"J{i}", "cpu": 1} for i in range(30)], "deleted_rows": []},
    ],
)
def test_edits_that_do_not_belong_to_the_table_are_survived(state):
    app = unlocked("drf_story")
    app.session_state["drf_jobs"] = state
    app.run()
    assert not app.exception and app.metric


def test_an_empty_table_says_what_to_do_and_shows_the_story():
    app = unlocked("drf_story")
    edit(app, deleted_rows=[0, 1, 2])
    assert "No row holds a usable job" in all_text(app) and executors(app) == ["1 · 1 · 13", "5 · 5 · 5"]


@pytest.mark.slow
def test_more_than_six_jobs_are_left_out_and_named():
    app = unlocked("drf_story")
    edit(app, added_rows=[{"name": f"J{i}", "cpu": 1} for i in range(5)])
    assert "more than 6 jobs; those from row 7 on are left out" in all_text(app)
    assert len(app.session_state["drf_table"].split(";")) == 6


def test_the_edited_table_travels_in_a_link_and_outlives_the_page():
    app = unlocked("drf_story")
    edit(app, edited_rows={1: {"name": "Ann", "weight": 2.5, "ceiling": 3}})
    text = app.session_state["drf_table"]
    shown = metrics(app)
    assert app.query_params["drf_table"] in (text, [text])
    opened = unlocked("drf_story", drf_table=text)
    assert metrics(opened) == shown and not opened.warning
    app.switch_page("app.py").run()
    app.switch_page("pages/drf_story.py").run()
    assert metrics(app) == shown and app.session_state["drf_table"] == text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x" * 1501, "longer than 1500 characters"),
        ("x" * 3001, "a text of at most 3000 characters"),
        ("A,1,2", "a row must have 11 fields, found 3"),
        ("A,,,,,-1,4,,,1,", "must be between 0 and"),
        ("A,,,,,nan,4,,,1,", "must be between 0 and"),
        ("A,,,,,1,4,,,1,;A,,,,,1,4,,,1,", "is taken by another row"),
        (";".join(f"{i},,,,,1,1,,,1," for i in range(7)), "more than 6 jobs"),
        ("A,,,,,,,,,1,", "an executor must need something"),
        ("<b>,,,,,one,4,,,1,", "must be a number"),
    ],
)
def test_a_table_that_is_no_scenario_is_ignored_and_reported(text, why):
    app = unlocked("drf_story", drf_table=text)
    assert not app.exception and executors(app) == ["1 · 1 · 13", "5 · 5 · 5"]
    assert any(why in warning.value for warning in app.warning)


@pytest.mark.slow
def test_presets_and_the_reset_replace_an_edited_table():
    app = unlocked("drf_story")
    edit(app, edited_rows={0: {"cpu": 50}})
    app.button(key="drf_preset_unlike").click().run()
    assert executors(app) == ["2 · 2 · 25", "6 · 6 · 5"]
    edit(app, edited_rows={0: {"cpu": 50}})
    app.button(key="drf_reset").click().run()
    assert executors(app) == ["1 · 1 · 13", "5 · 5 · 5"] and app.session_state["drf_table"] == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "says", "mends"),
    [
        (
            "full",
            "Both: pool full after 17 executors, 46 vCPU and 8 GB left.",
            "Both: one more executor needs 8 GB more",
        ),
        (
            "ceilings",
            "Both: all jobs are at their ceilings after 15 executors, with 50 vCPU and 40 GB idle",
            "Both: raise a ceiling to go on.",
        ),
        (
            "too_large",
            "One executor of Heaviest needs 256 vCPU and the pool has 200 vCPU",
            "It fits from the start with executors of at most 80 vCPU",
        ),
        (
            "weight",
            "DRF: the weights leave Medium and Light evaluation with nothing",
            "With equal weights Medium would get",
        ),
    ],
)
def test_failure_states_name_what_binds_and_on_request_what_mends_it(preset, says, mends):
    app = unlocked("drf_story")
    app.button(key=f"drf_preset_{preset}").click().run()
    assert says in all_text(app)
    assert any(text.startswith(mends) for text in texts(app))


@pytest.mark.slow
def test_starts_beyond_the_pool_are_said_to_be_too_much():
    app = unlocked("drf_story")
    app.number_input(key="drf_mem").set_value(500).run()
    assert "The jobs hold 520 GB of 500 GB already" in all_text(app)
    assert executors(app) == ["0 · 0 · 0", "0 · 0 · 0"]


@pytest.mark.slow
def test_each_second_view_opens():
    app = unlocked("drf_story")
    wanted = {
        "before": "Who ends where?",
        "pool": "How full is the pool, and who got the executors?",
        "shares": "whose dominant share grows?",
        "log": "every step",
        "fairness": "How fair? It depends on what is counted.",
        "properties": "Counterexamples, one click each",
        "lie": "Who gains by the lie?",
    }
    for view, words in wanted.items():
        app.session_state["drf_view"] = view
        app.run()
        assert not app.exception and words in all_text(app), view


@pytest.mark.slow
def test_the_lie_pays_under_ceei_and_not_under_drf():
    app = unlocked("drf_story", {"drf_view": "lie"})
    app.button(key="drf_preset_lie").click().run()
    sent = all_text(app)
    assert "A claims 8 times its memory" in sent
    assert "under DRF it changes nothing for itself (4.17 tasks)" in sent
    assert "under CEEI it gains: 3.23 true tasks become 4.17" in sent


@pytest.mark.slow
def test_the_properties_are_checked_on_the_tables_own_jobs():
    app = unlocked("drf_story", {"drf_view": "properties"})
    app.button(key="drf_case_asset_fairness_less_than_a_slice").click().run()
    assert app.session_state["drf_table"] == PRESETS["asset"].changes["table"]
    app.button(key="drf_check").click().run()
    assert "B gets less" in all_text(app) and not app.exception


def test_knobs_that_have_no_effect_say_so():
    app = unlocked("drf_story")
    assert "Pool: GPUs, Pool: GPU memory (GB) (no job uses GPUs)" in all_text(app)
    assert "Claims × its GPUs, Claims × its GPU memory (the liar needs none of it)" in all_text(app)
    edit(app, edited_rows={0: {"gpu": 1}})
    assert "no job uses GPUs" not in all_text(app)


def test_the_gpu_columns_come_with_their_switch():
    app = unlocked("drf_story")
    assert "start_gpu" not in app.dataframe[0].proto.column_order
    app.toggle(key="drf_gpus").set_value(True).run()
    assert "start_gpu" in app.dataframe[0].proto.column_order


# --- the text of a table ----------------------------------------------------------------------------------------------

amounts = st.one_of(st.just(0.0), st.floats(0.001, 1e6).map(lambda x: round(x, 6)))
four = st.tuples(amounts, amounts, amounts, amounts)
jobs = st.builds(
    Job,
    st.text(min_size=1, max_size=40).map(clean_name).filter(bool),
    four,
    four.filter(any),
    st.floats(0.001, 1000).map(lambda x: round(x, 6)).filter(lambda x: x >= 0.001),
    st.one_of(st.none(), st.integers(0, 1000).map(float)),
)


@pytest.mark.slow
@settings(max_examples=30)
@given(st.lists(jobs, min_size=1, max_size=6, unique_by=lambda job: job.name))
def test_what_is_written_is_read_back(table):
    text = write(table)
    if len(text) <= drf_jobs.MOST_TEXT:
        assert parse(text) == tuple(table)


@given(st.text(max_size=200))
def test_any_text_is_a_table_or_one_sentence(text):
    try:
        assert 1 <= len(parse(text)) <= 6
    except ValueError as refusal:
        assert "\n" not in str(refusal)


anything = st.one_of(st.none(), st.text(max_size=20), st.floats(), st.integers(), st.booleans(), st.lists(st.none()))


@pytest.mark.slow
@settings(max_examples=50)
@given(st.lists(st.dictionaries(st.sampled_from(COLUMNS), anything), max_size=9))
def test_any_rows_are_jobs_or_complaints(rows):
    found, complaints = read(rows)
    assert len(found) <= 6 and all(sentence.endswith(".") for sentence in complaints)
    if found:
        assert parse(write(found)) == found
        words = verdict(Scenario(found, 12)).text
        assert words and not re.search(r"\bnan\b", words)


def test_the_storys_own_table_is_an_empty_text():
    assert write(story()) == "" and parse("") == story()
