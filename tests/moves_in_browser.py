"""Move knobs in a real browser and say by how much charts shift: `PYTHONPATH=.:tests python tests/moves_in_browser.py`.

Arguments: moves for each lesson (200), most seconds for each (120), then the lessons' ids (all). Each lesson is opened
at a desk and on a phone, on a server of its own on the loopback in headless Chromium, and its sliders are moved at
random while the place and the height of its main chart are watched, frame by frame.
"""

import sys
import time

from browsing import PHONE, locked, settle, shift_of_the_chart
from playwright.sync_api import Error, sync_playwright
from serving import Server

from benchmarks import chromium
from lessons import LESSONS

WINDOWS = {"desk": {"viewport": {"width": 1280, "height": 720}}, "phone": PHONE}
#: Longest wait for a page to be drawn [ms].
PATIENCE = 120_000


def main(moves: int, seconds: float, ids: list[str]) -> None:
    """Move and print a line for each lesson and window."""
    server = Server()
    server.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.ARGS)
            for lesson in (one for one in LESSONS if one.id in ids):
                for window, options in WINDOWS.items():
                    context = browser.new_context(**options)
                    context.set_default_timeout(PATIENCE)
                    locked(context, lesson)
                    page = context.new_page()
                    try:
                        page.goto(f"{server.url}/{lesson.page}")
                        page.get_by_test_id("stVegaLiteChart").first.locator("canvas, svg").first.wait_for()
                        settle(page)
                        found = shift_of_the_chart(page, moves, end=time.monotonic() + seconds)
                        said = f"{found[0]} moves, shift {found[1]:.1f} px {found[2]}"
                    except Error as error:
                        said = f"not drawn: {str(error).splitlines()[0]}"
                    print(f"{lesson.id} {window}: {said}", flush=True)
                    context.close()
            browser.close()
    finally:
        server.stop()


if __name__ == "__main__":
    given = [*sys.argv[1:3], *("200", "120")[len(sys.argv) - 1 :]]
    main(int(given[0]), float(given[1]), sys.argv[3:] or [lesson.id for lesson in LESSONS])
