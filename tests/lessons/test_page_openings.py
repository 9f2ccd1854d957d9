"""Pages of core lessons open on their message's numbers, and their test shows what the model
finds.
"""

import pytest
from driving import all_text, metrics, unlocked

from lessons import LESSONS

#: By page: an answer, numbers before and after its test, and what the test says.
OPENINGS = {
    "scheduling_policy": (
        "b",
        {"Offered load": "77.9%", "Interactive in 5 min": "32%"},
        {"Training wait": "24 h"},
        "91% on time",
    ),
    "io_bottleneck": (
        "a",
        {
            "Accelerator utilization": "11.9%",
            "Step time": "420 ms",
            "Data read": "1.22 GB/s",
            "Storage load": "0.18%",
        },
        {"Storage load": "0.091%"},
        "with 48 storage nodes instead of 24, the GPUs stay 11.9% busy",
    ),
    "storage_architecture": (
        "c",
        {"Reads that get through": "20.3%", "Metadata server load": "492%"},
        {"Bandwidth load": "12.2%"},
        "20.3% with 96",
    ),
    "drf_story": (
        "b",
        {"Executors, DRF": "0 · 0 · 1", "Executors, Round-robin": "1 · 0 · 0"},
        {"Executors, Asset fairness": "3 · 3 · 6"},
        "With equal sums, Evaluation gets 6",
    ),
    "where_the_hours_go": (
        "b",
        {"Result after": "9.17 h", "GPUs computing": "579 of 1,024"},
        {"Result after": "2.51 h", "GPUs computing": "579 of 768"},
        "2.51 h instead of 9.17 h",
    ),
}


@pytest.mark.parametrize("page", OPENINGS)
def test_a_page_opens_on_the_messages_numbers_and_its_test_shows_what_is_found(page):
    answer, before, after, said = OPENINGS[page]
    app = unlocked(page, answer=answer)
    assert before.items() <= metrics(app).items()
    app.button(key=f"{next(one.id for one in LESSONS if one.page == page)}_test").click().run()
    assert after.items() <= metrics(app).items() and said in all_text(app) and not app.exception
