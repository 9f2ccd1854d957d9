"""What a view's module may define, and the refusal of a name that is nearly one of these."""

import inspect
from difflib import get_close_matches
from types import ModuleType

from ui.base.words import LessonError

#: Functions of a view's module by what they are for; docs/adding-a-lesson.md lists them.
DRAWS = ("figure", "figures", "draw", "beside", "showing")
SAYS = ("metrics", "goals", "verdict", "words", "remedies")
OTHERS = ("pinned", "below", "above", "narrowed", "held", "judge")
KNOWN = (*DRAWS, *SAYS, *OTHERS)
#: How alike two names are, from 0 to 1, of which one is taken for a slip of the other.
ALIKE = 0.8
#: Names of helpers that are no slips.
HELPERS = ("drawn", "shown")


def check(view: str, module: ModuleType) -> None:
    """Refuse a view's module that draws nothing, or in which a name looks like a slip.

    Without the check a picture that is called `figur` would vanish without a word.
    """
    own = _functions(module)
    called = getattr(module, "__name__", "a module")
    for name in own:
        meant = get_close_matches(name, KNOWN, 1, ALIKE)
        if meant and name not in (*KNOWN, *HELPERS) and meant[0] not in own:
            raise LessonError(
                f"{called}: the view “{view}” has a function {name}; is it {meant[0]}?"
            )
    if not any(hasattr(module, name) for name in DRAWS):
        raise LessonError(
            f"{called}: the view “{view}” draws nothing; it needs one of {', '.join(DRAWS)}."
        )


def _functions(module: ModuleType) -> set[str]:
    """Return the public functions that a module defines itself."""
    found = set()
    for name, value in vars(module).items():
        at_home = getattr(value, "__module__", None) == getattr(module, "__name__", "")
        if not name.startswith("_") and at_home and inspect.isroutine(value):
            found.add(name)
    return found
