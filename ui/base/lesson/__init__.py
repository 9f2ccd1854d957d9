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
#: The function that makes the lesson of a page; a list, because `enroll` sets it.
_MAKE: list[Callable[[str], "Lesson"]] = []
#: Keys of `[views.<id>]` in lesson.toml: data of a view, and its sentences.
VIEW_DATA = ("knobs", "also", "fixed", "opens", "curtain", "after", "name")
VIEW_SENTENCES = ("metrics", "goals", "verdict", "words")


@dataclass(frozen=True)
class Challenge:
    """Challenge of a lesson: its task, the function that judges settings, and the start preset."""

    task: Callable[[], str]
    judge: Callable[[Any], Verdict]  #: settings → result; `good` is True when it is won
    preset: Preset  #: the scenario with which it starts


@dataclass(frozen=True)
class Drafted:
    """Lesson in the original draft lab: its chapter, and its ledger entries by their own keys."""

    chapter: str
    #: settings, locked answer or "", whether it is right → ledger entries
    entries: Callable[[Any, str, bool], Values]


@dataclass(frozen=True)
class Lesson(Words):
    """Lesson: its texts, and its code's functions of the settings."""

    settings: type[Any] = object  #: frozen dataclass whose fields carry their knobs
    #: settings → all numbers of the texts, by placeholder
    values: Callable[[Any], Mapping[str, str]] = lambda settings: {}
    #: settings → the headline numbers that a pin, a record, or a report saves
    results: Callable[[Any], Sequence[Result]] = lambda settings: ()
    presets: Mapping[str, Preset] = field(default_factory=dict)  #: by id, in the order of the story
    challenge: Challenge | None = None
    pictures: Sequence[View] = ()  #: the views, in the order of the page
    #: settings → the same settings with results of ever more simulated data, first numbers first
    coarse: Callable[[Any], Iterator] | None = None
    #: a log's `Happened` → quantities in SI
    of_cluster: Callable[[Any], Mapping[str, float]] | None = None
    drafted: Drafted | None = None  #: the chapter of the draft lab that the lesson replaces
    say: Sentences | None = None  #: its sentences, and how they write numbers
    places: Mapping[str, Callable] = field(default_factory=dict)  #: {transfer question: its model}
    #: transfer questions with numbers filled in, by id and variant
    _filled_in: dict[tuple[str, int], Question] = field(
        default_factory=dict, repr=False, compare=False
    )

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
        start: Preset | None = None,
        **other_fields: Any,
    ) -> "Lesson":
        """Combine a lesson's texts and declarations with its code.

        The texts are those of `lessons/<page>/words.toml` with the course's custom texts over them.
        The `views`, at most two views of Going `further`, and the views of the `laboratory` stand
        in the order of the page; the first view gives the lesson's metrics, verdict and remedies.
        `results` is {label: placeholder} or a function. `challenge` judges settings; its task is
        `task` of `[says]`, and it starts with the scenario `start`. By default, `results`,
        `presets`, and `start` are the tables of these names in the folder's lesson.toml.
        """
        settings = say.settings
        page = settings.page
        results = results or declared(page, "results", Mapping[str, str])
        if not callable(results):
            results = partial(_results, say, results)
        presets = presets or declared(page, "presets", Mapping[str, Preset])
        start = start or declared(page, "start", Preset) or Preset()
        if challenge is not None:
            task = partial(say, "task", settings())
            other_fields["challenge"] = Challenge(task, partial(once, challenge), start)
        pictures = [
            *views,
            *(replace(view, further=True) for view in further),
            *(replace(view, further=True, laboratory=True) for view in laboratory),
        ]
        make = partial(
            cls._with_texts,
            say=say,
            presets=presets,
            start=start,
            pictures=_with_fields(page, pictures),
            results=partial(once, results),
            **other_fields,
        )
        words = own_words.over(page, say.live(settings()).keys)
        if page not in own_words.USED:
            return make(words=words)
        try:
            lesson = make(words=words)
            _try(lesson)
            return lesson
        except Exception as error:  # whatever is wrong in a course's texts, the lesson opens
            return make(words=own_words.take_back(page, error))

    @classmethod
    def _with_texts(
        cls,
        words: Words,
        say: Sentences,
        presets: Mapping[str, Preset],
        start: Preset,
        pictures: Sequence[View],
        **other_fields: Any,
    ) -> "Lesson":
        """Return the lesson with these texts, and register the texts as those in use."""
        use(words)
        once.cache_clear()
        check_quantities(words, say.settings, {**presets, "start": start}, pictures)
        return cls(
            **vars(words),
            settings=say.settings,
            say=say,
            values=partial(once, say.live),
            presets={
                name: replace(preset, words=_label(words, "presets", name))
                for name, preset in presets.items()
            },
            pictures=tuple(_worded(view, words, say) for view in pictures),
            **other_fields,
        )

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
        """Return a function of the first view, which speaks for the whole lesson."""
        speaker = self.pictures[0].speaker(function)
        if speaker is None:
            raise LessonError(f"{self.page}: its first view has no {function}")
        return speaker

    @property
    def remedies(self) -> Callable[[Any], str] | None:
        """Function from settings to the text of changes that fix the problem, or ""; or None."""
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
        if (name, variant) not in self._filled_in:
            question = next(question for question in self.transfer if question.id == name)
            say = in_use_by(self.say, self.page)
            model = self.places.get(name, self.settings)
            self._filled_in[name, variant] = say.elsewhere(question, variant, model)
        return self._filled_in[name, variant]

    def sentences(self, settings: Any, look: Any) -> list[str]:
        """List every sentence that the page can show at these settings, without repeats.

        Sentences of a view's own `draw` and `below` are left out, and those on the pictures, too,
        if `look`, a `ui.charts.look.Look`, is None.
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
        """Yield the sentences on a view's picture, for every answer that it can show."""
        if isinstance(view, Film):
            film = view.showing(settings)
            yield from (film.caption, film.alt)
            return
        for guess in (None, *self.prediction.ids):
            for figure in view.figures(settings, look, guess=guess, told=guess is not None):
                yield from (figure.title, figure.alt, *figure.labels)
            if not view.knows("guess"):
                return


def _results(say: Sentences, placeholders: Mapping[str, str], settings: Any) -> list[Result]:
    """Return the headline numbers, given as {label: placeholder}, at these settings."""
    return [
        Result(label, say.value(number, settings), say.written(number, settings))
        for label, number in placeholders.items()
    ]


def _try(lesson: Lesson) -> None:
    """Write every sentence of a lesson that needs no picture, and raise whatever fails."""
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
    for name in sorted(set(tables) - {view.id for view in views}):
        raise LessonError(f"{page}/lesson.toml: table [views.{name}]: there is no such view")
    declared_views = []
    for view in views:
        table = dict(tables.get(view.id, {}))
        where = f"{page}/lesson.toml: table [views.{view.id}]"
        for key in sorted(table.keys() - {*VIEW_DATA, *VIEW_SENTENCES}):
            raise LessonError(f"{where}, key {key}: is not a key of this table")
        for name in {"knobs", "also"} & table.keys():
            table[name] = tuple(table[name])
        if "curtain" in table:
            table["curtain"] = Curtain(**table["curtain"])
        declared_views.append(replace(view, **table))
    return declared_views


def _worded(view: View, words: Words, say: Sentences) -> View:
    """Return a view with its title, its question, and the names of its sentences in `[says]`."""
    sentences: dict = {}
    for kind in VIEW_SENTENCES:
        name = f"{view.id}_{kind}"
        sentences[kind] = getattr(view, kind) or (name if name in words.says else "")
    asks = words.labels.get("asks", {}).get(view.id, "")
    return replace(view, title=_label(words, "views", view.id), asks=asks, say=say, **sentences)


def _label(words: Words, kind: str, name: str) -> str:
    """Return a label of words.toml, such as a view's title; a LessonError if it is missing."""
    label = words.labels.get(kind, {}).get(name)
    if label is None:
        raise LessonError(f"{words.page}/words.toml: table [{kind}], key {name}: is missing")
    return label


def enroll(pages: Sequence[str], make: Callable[[str], Lesson]) -> None:
    """Register the app's pages in menu order, and the function that makes the lesson of a page.

    A lesson with custom texts is made immediately, because its code determines which numbers these
    texts may contain.
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
