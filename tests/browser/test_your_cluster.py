"""Your cluster in a real browser: an upload, and the report on paper and on a phone."""

import gzip
import re

from playwright.sync_api import expect

from physics.cluster import (
    calibrate,
    parse_change,
    report,
    synthetic_log,
    to_html,
    to_sacct,
    what_happened,
    what_if,
)


def test_a_log_is_uploaded_and_what_is_computed_beside_the_server_appears_by_itself(open_at, page):
    jobs = synthetic_log(seed=5, days=35)
    open_at("your_cluster")
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()
    page.get_by_text("My own log").click()
    log = {"name": "jobs.txt.gz", "mimeType": "application/gzip", "buffer": gzip.compress(to_sacct(jobs).encode())}
    page.locator("input[type=file]").first.set_input_files(log)
    expect(page.get_by_text(f"{len(jobs):,} jobs read")).to_be_visible()
    for fold in ("What is needed", "When will my job start?", "Can I trust it?"):
        expect(page.locator("summary", has_text=fold)).to_be_visible()
    assert page.get_by_test_id("stException").count() == 0


def test_the_report_prints_on_one_page_and_fits_a_phone(page):
    jobs = synthetic_log(seed=5, days=70)
    jobs["job_class"] += "_of_a_site_with_long_names"
    happened, found = what_happened(jobs, 1024), calibrate(jobs, 1024)
    texts = [
        "policy=priority,backfill=easy,reserved=32",
        *(f"gpus=+{more},estimates=perfect" for more in range(8, 80, 8)),
    ]
    tried = {text: what_if(jobs, 1024, found, parse_change(text, found.policy, 1024)) for text in texts}
    page.set_content(to_html(report(happened, found, tried, jobs.attrs["digest"])))
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
