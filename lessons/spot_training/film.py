"""Spot training: one run as a film; segments fill up, an interruption empties the one at work, the bill counts on."""

from functools import lru_cache

from lessons.spot_training.runs import play
from lessons.spot_training.settings import Plan, hours
from physics import constants as k
from physics.films import Film, film
from ui.base import format as f
from ui.films import Kind, Showing

#: Segments that the film has a place for, and how many of them stand side by side.
PLACES, COLUMNS = 120, 20
#: Interruptions that the film shows at most, so that it stays light.
STRUCK = 150
#: Which of the runs of the first chart is shown, from 0.
SHOWN = 0


def columns(plan: Plan) -> int:
    """Places side by side."""
    return min(COLUMNS, max(4, round(plan.work / plan.segment)))


@lru_cache(maxsize=16)
def struck(plan: Plan) -> Film:
    """Make the film of one run: the bill in the first row, a place a segment below.

    A segment at work is a box of its own; it gives way to a saved one when its dump is written, to a restart when it is
    struck. The film ends with the run, with its last place, or after so many interruptions.
    """
    run, wide = play(plan, SHOWN, most=STRUCK), columns(plan)
    boxes: list[tuple] = []
    paid = 0.0
    for begin, end, kind, first, last, bill in run.rows.itertuples(index=False):
        if first >= PLACES:
            break
        each = (end - begin) / (last - first + 1)
        for number in range(first, min(last + 1, PLACES)):
            start, place = begin + (number - first) * each, wide + number
            until = start + each
            so_far = paid + (number - first) * each
            words = f"bill so far: {f.money(plan.gang_price * so_far, 4)}"
            boxes.append((0, wide - 1, start, until, "bill", words))
            boxes.append((place, place, start, until, kind if kind in ("restart", "wait") else "now", ""))
            if kind == "kept":
                boxes.append((place, place, until, float("inf"), "saved", ""))
        paid += bill
    shown = min(PLACES, -(-plan.work // plan.segment))
    return film(wide + int(shown), 0.0, max(box[3] for box in boxes if box[4] == "bill"), boxes)


def showing(plan: Plan) -> Showing:
    """The film with its words."""
    played, run = struck(plan), play(plan, SHOWN, most=STRUCK)
    cost = f.money(plan.gang_price * run.paid_by(played.end), 4)
    whole = run.done and played.end >= run.end * (1 - 1e-9)
    restarts = played.boxes[(played.boxes["kind"] == "restart") & (played.boxes["begin"] < played.end)]
    end = f"Done after {hours(played.end)}, for {cost}" if whole else f"Shown until {hours(played.end)}, {cost} by then"
    says = "an interruption throws the segment at work away"
    if plan.saved_by_notice:
        says = "an interruption stops the segment at work, which goes on after the restart where it stopped"
    return Showing(
        played,
        {
            "saved": Kind("in a checkpoint", "good"),
            "now": Kind("at work, not saved yet", "accent"),
            "restart": Kind("restart", "bad"),
        }
        | ({"wait": Kind("nodes are missing", "s3")} if plan.delay else {})
        | {
            "bill": Kind("bill", "quiet"),
        },
        caption=f"Each place is {hours(plan.segment)} of work; {says}. {end}; restarts, broken ones too: "
        f"{len(restarts)}. It is run 1 of the view “Eight runs”, one of many; the same settings show the same run.",
        alt=f"Segments of {hours(plan.segment)} are worked on and saved; {says}. {end}.",
        columns=columns(plan),
        tall=175,
        unit=k.HOUR,
        queue=False,
    )
