"""How many minutes a lecture is behind its playlist, and which steps to skip to catch up.

No Streamlit.
"""

from ui.classes.moves import Screens
from ui.classes.playlist import SCENES

#: Smallest delay that is reported [s].
LATE = 60.0


def behind(screens: Screens) -> float | None:
    """Return the delay of a lecture behind its playlist [s].

    None without a playlist, on its first step, or if it plans no minutes.
    """
    stage = screens.stage
    if not stage.plan or not screens.plan.minutes or not screens.index:
        return None
    if stage.lasts is None or stage.age is None:
        return None
    steps = screens.plan.steps
    planned = 60 * sum(step.minutes for step in steps[1 : screens.index])
    return stage.lasts - planned - min(stage.age, 60 * screens.step.minutes)


def sentence(screens: Screens) -> str:
    """Return a sentence with the delay of a lecture and the steps to skip; "" if it is on time."""
    late = behind(screens)
    if late is None or late < LATE:
        return ""
    minutes = int(late // 60)
    text = f"{minutes} {'minute' if minutes == 1 else 'minutes'} behind."
    skipped = to_skip(screens, late)
    if not skipped:
        return f"{text} No later picture can be skipped."
    steps = screens.plan.steps
    names = [f"step {index + 1} ({steps[index].minutes:g} min)" for index in skipped]
    return f"{text} To catch up, skip {' and '.join(names)}."


def to_skip(screens: Screens, late: float) -> list[int]:
    """Return the later steps to skip to make up for a delay [s]: as few as possible, and no votes.

    If all later pictures together are too short, return all of them.
    """
    steps = screens.plan.steps
    later = range(screens.index + 1, len(steps))
    scenes = [index for index in later if steps[index].do in SCENES and steps[index].minutes]
    long_enough = [index for index in scenes if 60 * steps[index].minutes >= late]
    if long_enough:
        return [min(long_enough, key=lambda index: (steps[index].minutes, -index))]
    skipped: list[int] = []
    for index in sorted(scenes, key=lambda index: (-steps[index].minutes, -index)):
        if 60 * sum(steps[n].minutes for n in skipped) >= late:
            break
        skipped.append(index)
    return sorted(skipped)
