"""Your cluster in a real browser: an upload."""

import gzip

from browsing import headed, says, sound
from playwright.sync_api import expect

from physics.cluster import synthetic_log, to_sacct


def test_a_log_is_uploaded_and_what_is_computed_beside_the_server_appears_by_itself(open_at, page):
    jobs = synthetic_log(seed=5, days=35)
    open_at("your_cluster")
    headed(page, "What happened")
    page.get_by_text("My own log").click()
    log = {
        "name": "jobs.txt.gz",
        "mimeType": "application/gzip",
        "buffer": gzip.compress(to_sacct(jobs).encode()),
    }
    page.locator("input[type=file]").first.set_input_files(log)
    says(page, f"{len(jobs):,} jobs read")
    for fold in ("that meets a target", "When will my job start?", "Can I trust it?"):
        expect(page.locator("summary", has_text=fold)).to_be_visible()
    sound(page)
