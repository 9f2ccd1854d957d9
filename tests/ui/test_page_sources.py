"""The reference page: every constant and word is there, and every correction is computed, not
typed.
"""

import dataclasses
import math
import re
import tomllib

import pytest
from driving import ROOT, all_text, keys, put, undescribed, visit

from lessons import LESSONS as COURSE
from lessons import SYSTEMS
from physics import constants, nomenclature
from physics.queueing import mmc
from ui.base import format as f
from ui.page import reference


def test_the_page_lists_every_constant_with_its_source():
    app = visit("sources")
    assert not app.exception
    frame = app.dataframe[0].value
    assert sorted(frame["Name"]) == sorted(row["name"] for row in constants.table())
    for column in ("Meaning", "Value", "Unit", "Kind", "Source"):
        assert (frame[column].str.len() > 0).all()
    assert set(frame["Kind"]) <= {"exact", "datasheet", "measured", "assumed"}


@pytest.mark.parametrize("page", ["glossary", "sources", "corrections"])
def test_an_older_address_opens_the_one_page_at_its_tab_and_a_link_at_any_other(page):
    opened = visit(page)
    tab = opened.session_state["reference_tab"]
    assert not opened.exception and tab == reference.TABS[page]
    linked = visit("reference", reference_tab=tab)
    assert keys(linked) == keys(opened) and all_text(linked) == all_text(opened)


def test_search_keeps_rows_with_every_word_and_travels_in_the_query_string():
    app = put(visit("sources"), "sources_search", "ASSUMED director")
    frame = app.dataframe[0].value
    assert 0 < len(frame) < len(constants.table())
    rows = frame.agg(" ".join, axis=1).str.casefold()
    assert rows.str.contains("assumed").all() and rows.str.contains("director").all()
    assert any(
        f"{len(frame)} of {len(constants.table())}" in caption.value for caption in app.caption
    )
    again = visit("sources", sources_search="ASSUMED director")
    assert len(again.dataframe[0].value) == len(frame)


def test_a_search_that_finds_nothing_says_so():
    app = put(visit("sources"), "sources_search", "(?")
    assert len(app.dataframe) == 3 and any(
        caption.value.startswith("0 of ") for caption in app.caption
    )


def test_every_system_of_the_sources_has_a_page_that_exists_or_a_reason():
    data = tomllib.loads(SYSTEMS.read_text(encoding="utf-8"))["sources"]
    assert len(data) == 6 and sum(len(source["systems"]) for source in data) > 44
    named = [one for source in data for one in source["systems"]]
    assert all(("pages" in one) != ("why" in one) for one in named)
    pages = {page for one in named for page in one.get("pages", ())}
    assert pages == {"your_cluster", *(lesson.page for lesson in COURSE)}
    assert all((ROOT / f"pages/{page}.py").exists() for page in pages)
    why = " ".join(f"{one['name']} {one['why']}" for one in named if "why" in one)
    for left_out in ("L2", "network", "Power", "LSTM"):
        assert left_out in why
    sent = all_text(visit("sources"))
    assert all(one["name"] in sent for one in named) and "Not modeled: " in sent


def test_the_nomenclature_explains_the_words_of_the_queueing_model():
    words = {row["name"]: row for row in nomenclature.words()}
    for name, symbol in {
        "arrival_rate": "λ",
        "service_time": "S",
        "servers": "c",
        "utilization": "ρ",
    }.items():
        assert words[name]["symbol"].startswith(symbol)
    assert len(words) == len(nomenclature.TERMS)


def test_the_models_fields_are_read_from_their_own_sources():
    fields = {(row["model"], row["name"]): row for row in nomenclature.fields()}
    wait = fields["queueing.SteadyState", "mean_wait"]
    assert wait["unit"] == "s" and "service not included" in wait["meaning"]
    assert all(row["meaning"] and "[" not in row["unit"] for row in fields.values())
    units_alone = [name for name, row in fields.items() if row["meaning"].startswith("[")]
    assert not units_alone and not [model for model, _ in fields if "._" in model]


@pytest.mark.slow
def test_each_lesson_that_exists_has_its_corrections_and_no_other():
    app = visit("corrections", {f"corrections_{lesson.id}": True for lesson in COURSE})
    assert not app.exception
    labels = [
        expander.label for expander in app.expander if re.search("corrections? to", expander.label)
    ]
    assert labels == [
        f"{f.count(len(x.corrections), 'correction')} to {x.title}" for x in COURSE if x.corrections
    ]
    sent = all_text(app)
    assert "{" not in sent and "nan" not in sent


def test_the_corrections_of_the_utilization_trap_come_out_as_computed_by_hand():
    said = visit("corrections", {"corrections_trap": True}).markdown.values
    table = next(text for text in said if "waits 20 times its length" in text)
    # 19 = 0.95 / 0.05; Erlang C for 4, 8 and 128 servers; 20 ln 95 = 91.1; the rest are ratios of
    # these.
    for number in (
        "Such a job waits 19 times its length", "0.0715 times its length", "4.457 times its length",
        "M/M/1 gives 19 h, but four servers give 4.46 h",
        "falls from 95% to 76%", "from 4.46 h to 24 min; before, it was 11 times as long",
        "One server may be at most 33.3%", "4 servers 74.7%", "30.6 min",
        "8 servers 85.4%", "128 servers 98.7%", "ln 100 = 4.605", "91.1 job lengths",
        "4.79 times the mean wait",
    ):  # fmt: skip
        assert number in table
    for before, after in ((0.5, 0.8), (0.8, 0.95)):
        one = mmc(before, 1.0)
        other = mmc(after, 1.0)
        response = other.mean_response / one.mean_response
        wait = other.mean_wait / one.mean_wait
        assert f"the time in the system becomes {response:.3g} times as long" in table
        assert f"the wait becomes {wait:.3g} times as long" in table


def test_a_correction_holds_no_number_of_its_own_on_the_right_but_of_the_case():
    case = {
        "256",
        "8",
        "1",
        "95",
        "75",
        "100",
        "4",
        "80",
        "99",
    }  # sizes, percents and labels of the story itself
    case |= {
        "2.5",
        "4.75",
        "4.605",
        "91.1",
        "4.79",
    }  # proved above and in physics/queueing/test_queueing.py
    for row in COURSE[0].corrections:
        typed = set(re.findall(r"\d+(?:\.\d+)?", re.sub(r"\{[^{}]+\}", "", row.found)))
        assert typed <= case, row.found


def test_the_documentation_names_every_widget():
    assert not undescribed(keys(visit("sources")) | keys(visit("corrections")))


def test_what_differs_from_the_drafts_settings_is_said_with_numbers_computed_by_hand():
    told = {
        lesson.id: " ".join(found for _, found in reference.computed(lesson))
        for lesson in COURSE[2:4]
    }
    # 16 links of 25 GB/s; 10.24 GB/s of them; 3,350 ÷ 7; 80 MB/s of 7 GB/s.
    for number in (
        "carry 400 GB/s",
        "needs 2.6% of these links",
        "is 479 to 1",
        "1.1% of what one drive delivers",
    ):
        assert number in told["io"]
    assert "up to 256 metadata servers" in told["storage"]
    policy = COURSE[1].settings()
    draft = dataclasses.replace(policy, **COURSE[1].presets["draft"].changes)
    assert draft.load == pytest.approx((2 * 8 * 0.5 + 10 / 24 * 256 * 18 + 20 / 24 * 20 * 2) / 1024)
    part = 1024 * draft.weight_training // sum(draft.weights.values())
    assert part == 393 < 448, "jobs of 448 and 512 GPUs could never start"
    assert policy.between == pytest.approx(86400 / (50 + 20 + 3.5))
    named = {"one_job", "draft", "lead"}
    assert all(named & lesson.presets.keys() for lesson in COURSE[:5])


def test_a_lessons_page_speaks_of_no_draft_and_no_lecture_notes_outside_its_sources():
    makers = re.compile(r"\bdrafts?\b|lecture notes|as in the notebook", re.I)
    for lesson in COURSE:
        labels = [text for kind in lesson.labels.values() for text in kind.values()]
        knobs = [text for knob in lesson.knobs.values() for text in (knob.label, knob.help)]
        texts = [
            *lesson.texts_before_lock,
            *lesson.texts_after_lock,
            *lesson.says.values(),
            *labels,
            *knobs,
        ]
        assert not [text for text in texts if makers.search(text)], lesson.id


@pytest.mark.slow
def test_the_share_of_late_training_jobs_is_measured_and_differs_from_the_drafts_formula():
    strict = dataclasses.replace(COURSE[1].settings(), order="priority")
    assert strict.late_if_exponential == pytest.approx(math.exp(-48 * 3600 / strict.training_wait))
    assert abs(strict.late - strict.late_if_exponential) > 0.01
