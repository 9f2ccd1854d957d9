"""Data model of a lesson: its texts, settings, and pure functions of the settings.

The app's lessons are enrolled once, by `lessons/__init__.py`; nothing in `ui` knows one by name.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from ui.base import format as f
from ui.base import own_words
from ui.base.lesson.curtain import Curtain
from ui.base.lesson.figure import (
    Figure,
    Grab,
    Level,
    Metric,
    Outcome,
    Preset,
    Reach,
    Result,
    Taps,
    Verdict,
    verdict_of,
)
from ui.base.lesson.quantities import check_quantities
from ui.base.lesson.view import Film, View, in_use_by, once
from ui.base.sentences import Sentences
from ui.base.words import LessonError, Question, Values, Words, declared, fill, in_use, use

__all__ = [
    "Challenge",
    "Curtain",
    "Drafted",
    "Figure",
    "Film",
    "Grab",
    "Lesson",
    "Level",
    "Metric",
    "Outcome",
    "Preset",
    "Reach",
    "Result",
    "Taps",
    "Verdict",
    "View",
    "built_on",
    "enroll",
    "lessons",
    "menu",
    "verdict_of",
    "with_page",
]

#: The app's lessons by page, in menu order; None as long as a lesson's code is not imported.
_MENU: dict[str, "Lesson | None"] = {}
#: What returns the lesson of a page.
_MAKE: list[Callable[[str], "Lesson"]] = []
#: What `[views.<id>]` of lesson.toml may say; what draws and computes is in Python.
FIELDS = {
    *("knobs", "also", "fixed", "opens", "curtain", "after", "name"),
    *("metrics", "goals", "verdict", "words"),
}
#: The message's own case.
MESSAGE = Preset()


@dataclass(frozen=True)
class Challenge:
    """Challenge of a lesson: its task, the function that judges settings, and the start preset."""

    task: Callable[[], str]
    judge: Callable[[Any], Verdict]  #: settings → what was reached; `good` is True when it is won
    preset: Preset  #: where it starts


@dataclass(frozen=True)
class Drafted:
    """Lesson in the original draft lab: its chapter, and its ledger entries by their own keys."""

    chapter: str
    #: settings, locked answer or "", whether it is right
    entries: Callable[[Any, str, bool], Values]


@dataclass(frozen=True)
class Lesson(Words):
    """Lesson: its texts, and its code's functions of the settings."""

    settings: type[Any] = object  #: frozen dataclass whose fields carry their knobs
    values: Callable[[Any], Mapping[str, str]] = lambda settings: {}  #: every number of the words
    #: headline numbers, to be kept
    results: Callable[[Any], Sequence[Result]] = lambda settings: ()
    presets: Mapping[str, Preset] = field(default_factory=dict)  #: by id, in the order of the story
    challenge: Challenge | None = None
    pictures: Sequence[View] = ()  #: the views, in the order of the page
    #: settings → the same computed from ever more, first numbers
    coarse: Callable[[Any], Iterator] | None = None
    #: a log's `Happened` → quantities in SI
    of_cluster: Callable[[Any], Mapping[str, float]] | None = None
    drafted: Drafted | None = None  #: what the draft lab that it retells kept in its ledger
    say: Sentences | None = None  #: its sentences, and how they write numbers
    places: Mapping[str, Callable] = field(default_factory=dict)  #: {transfer question: its model}
    _asked: dict[tuple[str, int], Question] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        say: Sentences,
        *,
        views: Sequence[View],
        further: Sequence[View] = (),
        laboratory: Sequence[View] = (),
        results: Mapping[str, str] | Callable[[Any], Sequence[Result]] = MappingProxyType({}),
        presets: Mapping[str, Preset] = MappingProxyType({}),
        challenge: Callable[[Any], Verdict] | None = None,
        start: Preset = MESSAGE,
        **offers: Any,
    ) -> "Lesson":
        """Combine the texts of `lessons/<page>/words.toml`, and the course's own, with the lesson's
        code.

        The views, the parts of Going `further`, at most two, and those of the `laboratory` stand in
        the order of the page; the first view gives the lesson's metrics, verdict and remedies.
        `results` is {label: placeholder} or a function, `challenge` judges settings; its task is
        `task` of `[says]`, and it begins at `start`. `offers` are other fields of the lesson.

        What is not given stands in the folder's lesson.toml: `[results]`, `[presets]`, `[start]`,
        and in `[views.<id>]` the fields of a view.
        """
        settings = say.settings
        results = results or declared(settings.page, "results", Mapping[str, str])
        presets = presets or declared(settings.page, "presets", Mapping[str, Preset])
        if start is MESSAGE:
            start = declared(settings.page, "start", Preset) or MESSAGE

        def kept(current: Any) -> Sequence[Result]:
            if callable(results):
                return results(current)
            return [
                Result(label, say.value(number, current), say.written(number, current))
                for label, number in results.items()
            ]

        pictures = [
            *views,
            *(replace(view, further=True) for view in further),
            *(replace(view, further=True, laboratory=True) for view in laboratory),
        ]
        pictures = _with_fields(settings.page, pictures)
        words = own_words.over(settings.page, say.live(settings()).keys)

        def made(words: Words) -> Lesson:
            """Return the lesson with these texts, and register the texts as those in use."""
            use(words)
            once.cache_clear()
            check_quantities(words, settings, {**presets, "start": start}, pictures)
            named = {
                name: replace(preset, words=_label(words, "presets", name))
                for name, preset in presets.items()
            }
            return cls(
                **vars(words),
                settings=settings,
                say=say,
                values=partial(once, say.live),
                results=partial(once, kept),
                presets=named,
                challenge=challenge
                and Challenge(lambda: say("task", settings()), partial(once, challenge), start),
                pictures=tuple(_worded(view, words, say) for view in pictures),
                **offers,
            )

        if settings.page not in own_words.USED:
            return made(words)
        try:
            lesson = made(words)
            _try(lesson)
        except Exception as error:  # whatever a course's words do to it, the lesson is there
            lesson = made(own_words.take_back(settings.page, error))
        return lesson

    @property
    def views(self) -> dict[str, str]:
        """Titles of the lesson's pictures by id, in the order of the page."""
        return {view.id: view.title for view in self.pictures}

    @property
    def metrics(self) -> Callable[[Any], Sequence[Metric]]:
        """Function from settings to at most four headline numbers."""
        return self._of_first("metrics")

    @property
    def verdict(self) -> Callable[[Any], Verdict]:
        """Function from settings to the sentence that names the bottleneck."""
        return self._of_first("verdict")

    def _of_first(self, function: str) -> Callable:
        """Return what the first view says for the whole lesson."""
        speaker = self.pictures[0].speaker(function)
        if speaker is None:
            raise LessonError(f"{self.page}: its first view has no {function}")
        return speaker

    @property
    def remedies(self) -> Callable[[Any], str] | None:
        """Function from settings to the text of changes that fix the problem, or ""; None if the
        lesson has none.
        """
        return self.pictures[0].speaker("remedies")

    def fix(self) -> str:
        """Return the fix for the message's case: the text `fix`, or else the smallest change."""
        settings = self.settings()
        if "fix" in self.says:
            return in_use_by(self.say, self.page)("fix", settings)
        if self.remedies is None:
            raise LessonError(f"{self.page}/words.toml: table [says], key fix: is missing")
        return self.remedies(settings)

    @property
    def film(self) -> Callable | None:
        """Function from settings to the animation that `ui.films.show` plays."""
        for view in self.pictures:
            if isinstance(view, Film):
                return view.showing
        return None

    @property
    def parts(self) -> dict[str, View]:
        """Views under Going further and in the laboratory, by id."""
        return {view.id: view for view in self.pictures if view.further}

    def view(self, name: str) -> View:
        """Return the view with this id."""
        return next(view for view in self.pictures if view.id == name)

    def speaker(self, view: View, function: str) -> Callable:
        """Return a view's own `metrics` or `verdict` function, or else the lesson's."""
        return view.speaker(function) or getattr(self, function)

    def transferred(self, name: str, variant: int) -> Question:
        """Return a transfer question with the numbers of one of its variants filled in."""
        if (name, variant) not in self._asked:
            question = next(question for question in self.transfer if question.id == name)
            say = in_use_by(self.say, self.page)
            model = self.places.get(name, self.settings)
            self._asked[name, variant] = say.elsewhere(question, variant, model)
        return self._asked[name, variant]

    def sentences(self, settings: Any, look: Any) -> list[str]:
        """List every sentence that the page can show at these settings, without repeats.

        What a view's own `draw` and `below` say is left out, and without a `look`, which is a
        `ui.charts.look.Look`, what the pictures say.
        """
        return list(dict.fromkeys(filter(None, self._sentences(settings, look))))

    def _sentences(self, settings: Any, look: Any) -> Iterator[str]:
        values = self.values(settings)
        texts = [*self.texts_before_lock, *self.texts_after_lock, *self.sources]
        texts += [text for row in self.corrections for text in (row.said, row.found)]
        yield from (fill(text, values) for text in texts)
        for result in self.results(settings):
            yield f"{result.label}: {result.text}"
        for view in self.pictures:
            for metric in self.speaker(view, "metrics")(settings):
                yield f"{metric.label}: {metric.value} {metric.note or ''}".strip()
                yield metric.help or ""
            yield self.speaker(view, "verdict")(settings).text
            yield view.paragraph(settings)
            if look is not None:
                yield from self._on_picture(view, settings, look)
        if self.remedies is not None:
            yield self.remedies(settings)
        if self.challenge is not None:
            yield self.challenge.task()
            yield self.challenge.judge(settings).text

    def _on_picture(self, view: View, settings: Any, look: Any) -> Iterator[str]:
        """Yield what a view's picture says, for every answer that it can show."""
        if isinstance(view, Film):
            film = view.showing(settings)
            yield from (film.caption, film.alt)
            return
        for guess in (None, *self.prediction.ids):
            for figure in view.figures(settings, look, guess=guess, told=guess is not None):
                yield from (figure.title, figure.alt, *figure.labels)
            if not view.knows("guess"):
                return


def _try(lesson: Lesson) -> None:
    """Say everything of a lesson that needs no picture, as a page does; whatever fails is
    raised.
    """
    settings = lesson.settings()
    lesson.sentences(settings, None)
    if lesson.staff:
        for text in (lesson.staff.ten, lesson.staff.thirty, *lesson.staff.heard):
            fill(text, lesson.values(settings))
    for question in lesson.transfer:
        for variant in range(len(question.variants)):
            lesson.transferred(question.id, variant)


def _with_fields(page: str, views: Sequence[View]) -> list[View]:
    """Return the views with their fields from `[views.<id>]` of lesson.toml.

    A LessonError refuses the table of a view that the lesson lacks.
    """
    tables = declared(page, "views", Mapping[str, Mapping[str, Any]])
    strangers = sorted(set(tables) - {view.id for view in views})
    if strangers:
        raise LessonError(
            f"{page}/lesson.toml: table [views.{strangers[0]}]: there is no such view"
        )
    declared_views = []
    for view in views:
        table = dict(tables.get(view.id, {}))
        unknown = sorted(table.keys() - FIELDS)
        if unknown:
            raise LessonError(
                f"{page}/lesson.toml: table [views.{view.id}], key {unknown[0]}: "
                "is not a key of this table"
            )
        for name in {"knobs", "also"} & table.keys():
            table[name] = tuple(table[name])
        if "curtain" in table:
            table["curtain"] = Curtain(**table["curtain"])
        declared_views.append(replace(view, **table))
    return declared_views


def _worded(view: View, words: Words, say: Sentences) -> View:
    """Return a view with its title, what it asks, and what of `[says]` are its paragraph, verdict
    and numbers.
    """
    own: dict = {}
    for kind in ("words", "verdict", "metrics", "goals"):
        name = f"{view.id}_{kind}"
        own[kind] = getattr(view, kind) or (name if name in words.says else "")
    asks = words.labels.get("asks", {}).get(view.id, "")
    return replace(view, title=_label(words, "views", view.id), asks=asks, say=say, **own)


def _label(words: Words, kind: str, name: str) -> str:
    label = words.labels.get(kind, {}).get(name)
    if label is None:
        raise LessonError(f"{words.page}/words.toml: table [{kind}], key {name}: is missing")
    return label


def enroll(pages: Sequence[str], make: Callable[[str], Lesson]) -> None:
    """Register the app's lessons: their pages in menu order, and the function that makes a page's
    lesson.

    A lesson with words of the course's own is made at once, because its code says which numbers
    these words may use.
    """
    _MENU.clear()
    _MENU.update(dict.fromkeys(pages))
    _MAKE[:] = [make]
    for page in own_words.pages():
        if page in _MENU:
            with_page(page)
    ids = [words.id for words in menu()]
    if len(ids) != len(set(ids)):
        raise ValueError(f"every lesson needs an id of its own, got {', '.join(ids)}")
    own_words.look_around(pages)


def menu() -> tuple[Words, ...]:
    """Return the texts of the app's lessons in menu order, without importing any lesson's code."""
    return tuple(map(in_use, _MENU))


def built_on(words: Words) -> str:
    """Return the titles of a lesson's prerequisites as one list in words; "" if it has none."""
    return f.listed(other.title for other in menu() if other.id in words.after)


def with_page(page: str) -> Lesson:
    """Return the lesson of a page; its code is imported at the first call."""
    lesson = _MENU[page]
    if lesson is None:
        lesson = _MAKE[0](page)
        _MENU[page] = lesson
    return lesson


def lessons() -> tuple[Lesson, ...]:
    """Return the app's lessons with their code, in menu order; `menu` returns only their texts."""
    return tuple(map(with_page, _MENU))
