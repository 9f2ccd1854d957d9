"""A course's reports, judged again by the lessons: what was answered, what the models find now, and what is alike.

Every report is read and checked as a visitor's own import is. Its results are then computed again from its settings,
and the challenge is judged again with the settings that are said to have won it. That may take long where a lesson
simulates, so it is done in a bounded time: of the records that wait, the next one is always of the lesson that has used
the least processor time so far, and one that takes too long is given up.
"""

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from physics import pace
from ui.base import time_slices
from ui.base.lesson import Lesson, lessons
from ui.grades import names
from ui.knobs.declared import read as read_settings
from ui.record import report
from ui.record.plain import ReportError

#: Processor time for one record, then it is given up [s].
LONGEST = 5.0
#: Notes shorter than this may be the same by chance [characters].
SHORT_NOTE = 30
SAME_LOGIN, LIKE_LOGIN, SAME_NAME = "Same login", "Looks like the same login", "Same name"


@dataclass
class Checked:
    """What the lesson says of one record; `differences` is None while it has not been computed again."""

    differences: tuple[str, ...] | None = None  #: what file and model say, where they differ, or why nobody can say
    won: bool | None = None  #: whether the kept settings win the challenge; None if none are kept or not judged yet


@dataclass
class Sheet:
    """One file that was handed in: a report, or the sentence that says why it is none."""

    file: str
    refusal: str = ""
    report: Mapping = field(default_factory=dict)
    checked: dict[str, Checked] = field(default_factory=dict)  #: by lesson id
    alike: list[str] = field(default_factory=list)  #: what it has in common with which other file, a sentence each

    @cached_property
    def answers(self) -> Mapping[str, Mapping[str, tuple[str, bool | None]]]:
        """Return what it answers, by lesson id and kind: the option's id or "skipped", and whether it is right."""
        found = {lesson.id: report.answers(lesson, self.records.get(lesson.id, {})) for lesson in lessons()}
        return {name: {kind: (answer, right) for kind, _, answer, right, _ in one} for name, one in found.items()}

    @property
    def records(self) -> Mapping[str, Mapping]:
        """Its lessons' records, by lesson id."""
        return self.report.get("lessons", {})

    @property
    def name(self) -> str:
        """The student's name, as the report says it and as it is seen."""
        return names.clean(self.report.get("name", ""))

    @property
    def login(self) -> str:
        """The student's login or e-mail, as the report says it and as it is seen."""
        return names.clean(self.report.get("login", ""))


class Course:
    """All reports that `ui.grades.files.opened`, and how far they have been computed again."""

    def __init__(self, opened: Iterable[tuple[str, bytes, str]]):
        self.sheets = [_read(*file) for file in opened]
        self.read = [sheet for sheet in self.sheets if not sheet.refusal]
        self._waiting: dict[str, deque[tuple[Lesson, Mapping, Checked]]] = {}
        for lesson in lessons():
            for sheet in self.sheets:
                if record := sheet.records.get(lesson.id):
                    checked = sheet.checked[lesson.id] = Checked()
                    self._waiting.setdefault(lesson.id, deque()).append((lesson, record, checked))
        self._used = dict.fromkeys(self._waiting, 0.0)
        self._known: dict[tuple, object] = {}
        _mark_alike(self.sheets)

    @property
    def left(self) -> int:
        """Records that have not been computed again yet."""
        return sum(map(len, self._waiting.values()))

    def go_on(self, seconds: float) -> Iterator[int]:
        """Compute records again for so much processor time [s], the last one to its end; yield how many are left."""
        end = time.thread_time() + seconds
        while self.left and time.thread_time() < end:
            lesson_id = min((one for one, queue in self._waiting.items() if queue), key=self._used.__getitem__)
            begun = time.thread_time()
            self.check(*self._waiting[lesson_id][0])
            self._waiting[lesson_id].popleft()  # only now: a visitor who leaves interrupts what was begun
            self._used[lesson_id] += time.thread_time() - begun
            yield self.left

    def check(self, lesson: Lesson, record: Mapping, checked: Checked) -> None:
        """Compute one record again and note where it differs, or why that could not be done."""
        differences: list[str] = []
        try:
            with time_slices.turn(LONGEST):
                if "settings" in record or "results" in record:
                    model = self._once(lesson, "results", record.get("settings", {}))
                    differences += report.differences(record.get("results", {}), model)
                if "won" in record and lesson.challenge:
                    checked.won = self._once(lesson, "won", record["won"])
                    if not checked.won:
                        differences.append("Challenge: said to be won, judged not won")
        except time_slices.TooLong:
            differences.append(f"It takes more than {LONGEST:.0f} s to compute again.")
        except (ValueError, ArithmeticError) as refusal:
            differences.append(f"It cannot be computed again: {refusal}.")
        except Exception:  # whatever a forged file makes a lesson stumble over, the others are graded
            differences.append("It cannot be computed again, because these are not settings of this lesson.")
        checked.differences = tuple(differences)

    def _once(self, lesson: Lesson, what: str, settings: Mapping):
        """Compute results or judge a challenge, once for equal settings."""
        read = read_settings(lesson.settings, settings)[0]
        key = (lesson.id, what, read)
        if key not in self._known:
            if what == "results":
                self._known[key] = {result.label: result.text for result in lesson.results(read)}
            else:
                self._known[key] = lesson.challenge.judge(read).good is True
        return self._known[key]


def finished(lesson: Lesson, record: Mapping) -> bool:
    """Say whether both of a lesson's questions are answered: its prediction and its reflection."""
    return not {"prediction", "reflection"} & {*report.unfinished(lesson, record)}


def challenge(lesson: Lesson, record: Mapping, checked: Checked | None) -> str:
    """Word the result of a lesson's challenge; "–" if it has none."""
    if lesson.challenge is None:
        return "–"
    if "won" not in record:
        return "not won"
    if checked is None or checked.won is None:
        return "said to be won, not judged"
    return "won" if checked.won else "said to be won, judged not won"


def _read(name: str, data: bytes, refusal: str) -> Sheet:
    pace.step()
    try:
        return Sheet(name, refusal) if refusal else Sheet(name, report=report.read(data))
    except ReportError as refused:
        return Sheet(name, str(refused))


def _mark_alike(sheets: list[Sheet]) -> None:
    """Note on every sheet which others came from the same browser, say the same, or may be the same student's."""
    holders: dict[tuple[str, str], list[Sheet]] = {}
    titles = {lesson.id: lesson.title for lesson in lessons()}
    for sheet in sheets:
        for kind, value in dict.fromkeys(_traits(sheet, titles)):
            holders.setdefault((kind, value), []).append(sheet)
    for (kind, _), group in holders.items():
        for sheet in group:
            pace.step()
            others = [other.file for other in group if other is not sheet and _counts(kind, sheet, other)]
            more = f" and {len(others) - 3} more" if len(others) > 3 else ""
            sentence = f"{kind} as {', '.join(others[:3])}{more}"
            if others and sentence not in sheet.alike:
                sheet.alike.append(sentence)


def _traits(sheet: Sheet, titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for token in sheet.report.get("tokens", []):
        yield "Same browser", token
    if sheet.login:
        yield SAME_LOGIN, names.folded(sheet.login)
        yield LIKE_LOGIN, names.skeleton(sheet.login)
    if sheet.name:
        yield SAME_NAME, names.skeleton(sheet.name)
    texts = [(f"Same notes on “{titles[one]}”", record.get("note", "")) for one, record in sheet.records.items()]
    texts += [(f"Same “{report.TITLES[part]}”", sheet.report.get(part, "")) for part in ("rejected", "doubts")]
    for kind, text in texts:
        if len(plain := " ".join(text.split()).casefold()) >= SHORT_NOTE:
            yield kind, plain


def _counts(kind: str, sheet: Sheet, other: Sheet) -> bool:
    """Say whether two sheets that share a trait are marked: two students may have one name, but not one login."""
    if kind == LIKE_LOGIN:
        return names.folded(sheet.login) != names.folded(other.login)
    return kind != SAME_NAME or not (sheet.login and other.login)
