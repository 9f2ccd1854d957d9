"""Act at random in a real browser and count what goes wrong: `PYTHONPATH=.:tests python tests/walk_in_browser.py 2000`.

Opens the pages of a server of its own on the loopback in headless Chromium, presses, moves, chooses, types and follows
links; after each action it looks for exceptions, errors in the browser's console and odd texts. A second number is the
seed, a third the most seconds.
"""

import collections
import contextlib
import random
import sys
import time

from browsing import PHONE
from odd_texts import odd
from playwright.sync_api import Error, Page, sync_playwright
from serving import ROOT, Server

from benchmarks import chromium
from lessons import LESSONS

PAGES = [path.stem for path in sorted((ROOT / "pages").glob("*.py"))]
#: Longest wait for one action to be done, and for the page to be drawn after it [s].
ACTION, DRAWN = 3.0, 30.0
#: Actions of one visit, in one window.
VISIT = 40
#: What can be operated, numbered in the page; what leaves the app or asks for a file is left out.
OFFERED = """
() => {
  const all = 'input[type=range], button, summary, label:has(input[type=radio]), label:has(input[type=checkbox]), ' +
    'input[type=number], input[type=text], textarea, [data-testid=stPageLink] a';
  const found = [...document.querySelectorAll(all)].filter(one =>
    one.offsetParent && !one.disabled && !one.closest('[data-testid=stFileUploader], [data-testid=stHeader], ' +
    '[data-testid=stDownloadButton], [data-testid=stElementToolbar], [aria-disabled=true]'));
  found.forEach((one, number) => one.setAttribute('data-walk', number));
  return found.map(one => [one.tagName + ':' + (one.type || one.dataset.baseweb || ''),
    (one.ariaLabel || one.innerText || '').slice(0, 40)]);
}
"""
#: What can be read, without formulas, code and what was typed.
READ = """
() => {
  const page = document.querySelector('[data-testid=stApp]').cloneNode(true);
  page.querySelectorAll('.katex, code, pre, style, script, textarea, svg, [translate=no], ' +
    '[data-testid=stTextArea], [data-testid=stTextInput]').forEach(one => one.remove());
  page.querySelectorAll('p, div, td, th, li, span').forEach(one => one.append(' '));
  return page.textContent;
}
"""
#: Whether a visitor could press something where it stands: in sight once scrolled to, and not under anything.
IN_SIGHT = """
number => {
  const one = document.querySelector(`[data-walk="${number}"]`)
  one.scrollIntoView({ block: 'center', behavior: 'instant' })
  const box = one.getBoundingClientRect()
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  return one.type === 'range' || (hit !== null && (one.contains(hit) || hit.contains(one)))
}
"""
TYPED = ("", "-1", "1e308", "nan", "½", "🙂", "<script>alert(1)</script>", "0x1F", "{fleet}", "x" * 3000)


def settled(page: Page) -> None:
    """Wait until what was asked for is drawn."""
    page.wait_for_timeout(100)
    page.wait_for_selector('[data-testid=stApp][data-test-script-state="notRunning"]', timeout=1000 * DRAWN)


def act(page: Page, dice: random.Random) -> str | None:
    """Do one thing that the page offers; return what, or None if there is nothing to do."""
    offered = page.evaluate(OFFERED)
    # What is covered would be waited for in vain, and nobody could have done it.
    order = dice.sample(range(len(offered)), len(offered))
    number = next((one for one in order if page.evaluate(IN_SIGHT, one)), None)
    if number is None:
        return None
    (kind, label), one = offered[number], page.locator(f'[data-walk="{number}"]')
    if kind == "INPUT:range":
        one.focus()
        for key in dice.choices(["Home", "End", "ArrowLeft", "ArrowRight", "PageUp", "PageDown"], k=3):
            one.press(key)
    elif kind in ("INPUT:number", "INPUT:text", "TEXTAREA:textarea") and dice.random() < 0.8:
        one.fill(dice.choice(TYPED if kind != "INPUT:number" else ("0", "1", "-1", "3.7", "1000000")))
        one.press("Enter" if kind == "INPUT:number" else "Tab")
    else:
        one.click()
        if kind == "INPUT:text":
            page.keyboard.press(dice.choice(["ArrowDown", "Enter", "Escape"]))
            page.keyboard.press("Enter")
    return f"{kind} {label!r}"


def visit(browser, server: Server, dice: random.Random, counts: dict, left: int, end: float) -> int:
    """Open one page and wander from there; return the actions."""
    context = browser.new_context(**dice.choice([{"viewport": {"width": 1280, "height": 720}}, PHONE]))
    context.set_default_timeout(1000 * ACTION)
    page, trail, done = context.new_page(), [], 0
    heard = counts["errors in the console"]
    # On a deep link Streamlit itself asks for two addresses that are not there, before anything is done.
    page.on(
        "console", lambda line: line.type == "error" and trail and heard.update([f"{line.text[:200]} {trail[-1:]}"])
    )
    page.on("pageerror", lambda error: heard.update([f"{str(error)[:200]} {trail[-1:]}"]))
    name = dice.choice(PAGES)
    try:
        page.goto(f"{server.url}/{name}", timeout=1000 * DRAWN)
        settled(page)
        if page.get_by_role("button", name="Lock in my prediction").count():
            page.locator("label:has(input[type=radio])").nth(dice.randrange(4)).click()
            settled(page)
            page.get_by_role("button", name="Lock in my prediction").click()
            settled(page)
        for _ in range(min(VISIT, left)):
            with contextlib.suppress(Error):  # covered, or gone since: nobody could have done it
                if time.monotonic() > end:
                    break
                if (what := act(page, dice)) is None:
                    break
                trail.append(f"{page.url.rpartition('/')[2].partition('?')[0]}: {what}")
                done += 1
            settled(page)
            for shown in page.get_by_test_id("stException").all_inner_texts():
                counts["exceptions"].update([f"{shown[:200]} after {trail[-4:]}"])
            # Sources, staff and class pages speak of programs' names and units, too.
            found = odd(page.evaluate(READ)) if any(lesson.page in page.url for lesson in LESSONS) else []
            counts["odd texts"].update({f"{kind}: {text} after {trail[-1:]}" for kind, text in found})
    except Error as error:
        counts["not drawn"].update([f"{str(error).splitlines()[0]} after {trail[-4:]}"])
    context.close()
    return done


def main(actions: int, seed: int, seconds: float) -> None:
    """Walk and print."""
    dice, end, done = random.Random(seed), time.monotonic() + seconds, 0
    counts = {name: collections.Counter() for name in ("exceptions", "errors in the console", "odd texts", "not drawn")}
    server = Server()
    server.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.ARGS)
            while done < actions and time.monotonic() < end:
                done += visit(browser, server, dice, counts, actions - done, end)
                print(done, {name: sum(found.values()) for name, found in counts.items()}, file=sys.stderr, flush=True)
            browser.close()
    finally:
        server.stop()
    print(
        f"seed {seed}: {done} actions, {', '.join(f'{sum(found.values())} {name}' for name, found in counts.items())}"
    )
    for name, found in counts.items():
        print(*(f"{number:5d}  {name}: {what}" for what, number in found.most_common(100)), sep="\n")


if __name__ == "__main__":
    given = [*sys.argv[1:], *("2000", "1", "3600")[len(sys.argv) - 1 :]]
    main(int(given[0]), int(given[1]), float(given[2]))
