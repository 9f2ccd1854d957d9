"""Functions that a view's module may define, each a declared field; any other name is an error."""

import inspect
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields
from difflib import get_close_matches
from types import ModuleType

from ui.base.words import LessonError

#: Of these a view needs one.
DRAWS = ("figure", "figures", "draw", "beside", "showing")
#: Functions that a view's module may hold for the lesson itself.
OF_THE_LESSON = ("judge", "results")
#: How alike two names are, from 0 to 1, of which one is taken for a slip of the other.
ALIKE = 0.8
#: Names of helpers that are no slips.
HELPERS = ("drawn", "shown")


@dataclass(frozen=True)
class Functions:
    """Functions of a view; a missing function is None.

    What each is for is listed in docs/adding-a-lesson.md. The page hands itself to those that draw.
    """

    figure: Callable | None = None  #: settings, look, and what else it names → Figure
    figures: Callable | None = None  #: settings, look → sequence of Figure
    draw: Callable | None = None  #: page, settings
    beside: Callable | None = None  #: page, settings
    showing: Callable | None = None  #: settings → what `ui.films.show` plays
    metrics: Callable | None = None  #: settings → sequence of Metric
    goals: Callable | None = None  #: settings → sequence of Metric
    verdict: Callable | None = None  #: settings → Verdict
    words: Callable | None = None  #: settings → text
    remedies: Callable | None = None  #: settings → text
    pinned: Callable | None = None  #: settings, look → Figure or None
    below: Callable | None = None  #: page, settings
    above: Callable | None = None  #: page
    narrowed: Callable | None = None  #: settings → those that it shows
    held: Callable | None = None  #: settings → what the visitor has found out

    @classmethod
    def of(cls, view: str, module: ModuleType) -> "Functions":
        """Collect the functions of a view from its module.

        A LessonError refuses a module that draws nothing, and a public function that is none of
        these and that nothing uses: without that a picture called `figur` would vanish without a
        word. What other modules use of a view's module stands in its `__all__`.
        """
        names = [field.name for field in fields(cls)]
        where = f"{getattr(module, '__name__', 'a module')}: the view “{view}”"
        own = _public_functions(module)
        strangers = own - {*names, *OF_THE_LESSON, *getattr(module, "__all__", ())}
        for name in sorted(strangers - {*HELPERS}):
            meant = get_close_matches(name, names, 1, ALIKE)
            if meant and meant[0] not in own:
                raise LessonError(f"{where} has a function {name}; is it {meant[0]}?")
        if not any(hasattr(module, name) for name in DRAWS):
            raise LessonError(f"{where} draws nothing; it needs one of {', '.join(DRAWS)}.")
        for name in sorted(strangers - _used(module)):
            unused = "which no view may define and nothing in the module uses."
            raise LessonError(f"{where} has a function {name}, {unused}")
        return cls(**{name: getattr(module, name, None) for name in names})


def _public_functions(module: ModuleType) -> set[str]:
    """Return the public functions that a module defines itself."""
    home = getattr(module, "__name__", "")
    return {
        name
        for name, value in vars(module).items()
        if inspect.isroutine(value)
        and getattr(value, "__module__", None) == home
        and not name.startswith("_")
    }


def _used(module: ModuleType) -> set[str]:
    """Return the words that a module's source has more than once: a function's name is one of them
    if something uses it.
    """
    try:
        source = inspect.getsource(module)
    except (OSError, TypeError):
        return set()
    return {word for word, times in Counter(re.findall(r"\w+", source)).items() if times > 1}
