"""A course's custom texts, merged over the app's own.

The environment variable FLEET_LESSONS names a folder with `<page>/words.toml` for each lesson with
custom texts. Such a file contains only the differences: tables are merged key by key, the options
of a question by their id; any other list replaces the shipped one. The rules for shipped texts
apply: a `{placeholder}` must be a number that the lesson computes. Texts contain no image, link, or
HTML, because a page must not call another server. A file that breaks a rule is rejected as a whole,
and the lesson keeps the shipped texts. `check` names each error with file, line, and key.
"""

import logging
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from html import unescape
from pathlib import Path
from typing import Any

from ui.base.own_texts import Lines, has_stray_brace, is_fixed, is_format, table_at, texts
from ui.base.records import Table
from ui.base.words import (
    FOLDER,
    LARGEST,
    PLACEHOLDER,
    LessonError,
    Transfer,
    Words,
    checked,
    load,
    parsed,
)

SETTING = "FLEET_LESSONS"
FILE = "words.toml"
#: Largest number of reported errors of form in one file.
_MOST_FAULTS = 50

#: LaTeX commands that could call another server.
_COMMANDS = r"\\(?:href|url|includegraphics|html\w*)\b"
#: An image or a link of Markdown, the address of a reference where a block may begin, a tag or an
#: address in angle brackets, or one of the commands.
_CALLS = re.compile(
    r"!\[|\]\(|(?m:^[ \t>*+\-\d.)]{0,60}\[(?:[^\]\\]|\\.){1,400}\]:)"
    r"|</?[a-z][\w-]*(?=[\s/>])|<[a-z][a-z0-9+.-]+:[^\s<>]*>|<!--|" + _COMMANDS,
    re.IGNORECASE,
)
#: Text that becomes a link automatically, after entities and backslashes are decoded.
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*://|(?:mailto|xmpp):|www\.\w|[\w.+-]+@[\w-]+\.\w", re.IGNORECASE
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")

_LOG = logging.getLogger(__name__)
#: A sentence for each rejected file, and the pages of the lessons with custom texts.
REFUSED: list[str] = []
USED: list[str] = []


def over(page: str, names: Callable[[], Collection[str]]) -> Words:
    """Return a lesson's texts with the course's custom texts merged over them if these are valid.

    `names` returns the numbers that the lesson computes, by the names of their placeholders.
    """
    folder = _folder()
    # `Path.exists` raises an error for a folder that the server may not read.
    if folder is None or not os.path.exists(folder / page / FILE):
        return load(page)
    try:
        words = merged(folder, page, names())
    except LessonError as error:
        _refuse(str(error))
        return load(page)
    USED.append(page)
    return words


def take_back(page: str, error: Exception) -> Words:
    """Reject the custom texts with which a lesson fails, and return the app's own texts."""
    USED.remove(page)
    _refuse(f"{page}/{FILE}: the lesson fails with this file ({type(error).__name__}: {error})")
    return load(page)


def pages() -> list[str]:
    """Return the pages for which the course's folder has custom texts."""
    folder = _folder()
    if folder:
        return sorted(path.parent.name for path in folder.glob(f"*/{FILE}"))
    return []


def look_around(pages: Collection[str]) -> None:
    """Report each file in the course's folder that belongs to no lesson.

    Call this once, after `enroll`.
    """
    folder = _folder()
    if folder is not None:
        for sentence in _unmatched_files(folder, pages):
            _refuse(sentence)


def check(folder: Path, lessons: Mapping[str, Callable[[], Collection[str]]]) -> Iterator[str]:
    """Yield a sentence for each error in a folder of custom texts.

    `lessons` has, by page, a function that returns the names of the lesson's numbers.
    """
    yield from _unmatched_files(folder, lessons)
    for page, names in lessons.items():
        if (folder / page / FILE).exists():
            yield from map(str, _CustomFile(folder, page, names()).all_faults())


def merged(folder: Path, page: str, names: Collection[str]) -> Words:
    """Merge `<folder>/<page>/words.toml` over the lesson's own texts and check the result.

    A `LessonError` is one sentence with the file, line, table and key of the first error.
    """
    own = _CustomFile(folder, page, names)
    for fault in own.all_faults():
        raise fault
    return own.merged_words()


class _CustomFile:
    """A course's file for one lesson, and the shipped texts under it."""

    def __init__(self, folder: Path, page: str, names: Collection[str]):
        self.name = f"{page}/{FILE}"
        self.path = folder / page / FILE
        self.page = page
        self.names = names  #: of the numbers that the lesson computes
        self.own: dict = {}  #: the parsed file
        self.shipped: dict = {}  #: the app's own file
        #: names of tables in the merged lesson and in this file, such as "transfer 3": "transfer 1"
        self.numbering: dict[str, str] = {}

    def all_faults(self) -> Iterator[LessonError]:
        """Yield all errors in the file: first those in names and texts, then those of form.

        Checking the form ends at the first error, so the wrong key is left out and the rest is
        checked again.
        """
        try:
            self.read()
            for fault in list(self.faults()):
                yield fault
                self.leave_out(fault)
            for _ in range(_MOST_FAULTS):
                try:
                    self.merged_words()
                    return
                except LessonError as fault:
                    yield fault
                    if not self.leave_out(fault):
                        return
        except LessonError as error:
            yield error
        except Exception as error:  # whatever a file contains, the app opens with the shipped texts
            yield LessonError(
                f"{self.name}: this file cannot be used ({type(error).__name__}: {error})"
            )

    def read(self) -> None:
        """Read the course's file and the app's own."""
        if not self.path.is_file():  # reading a pipe would never end
            raise LessonError(f"{self.name}: this is not a regular file")
        if self.path.stat().st_size > LARGEST:
            raise LessonError(f"{self.name}: the file is larger than {LARGEST // 1000} kB")
        self.own = parsed(self.path, self.name)
        self.shipped = parsed(FOLDER / self.page / FILE, self.name)
        self.lines = Lines(self.path.read_text(encoding="utf-8-sig"))

    def refuse(self, table: str, key: str, why: str) -> LessonError:
        """Return the error about a key."""
        return Table(self.name, table, {}, self._locate).error(key, why)

    def _locate(self, table: str, key: str) -> tuple[str, int]:
        """Return a table's name as this file counts it, and the line of a key."""
        table = self.numbering.get(table, table)
        return table, self.lines.of(table, key)

    def faults(self) -> Iterator[LessonError]:
        """Yield the errors in the file's names and texts."""
        own = self.own
        shipped = self.shipped
        if own.get("id", shipped["id"]) != shipped["id"]:
            why = f'must stay "{shipped["id"]}": links, records, and reports refer to it'
            yield self.refuse("", "id", why)
        for table in own:
            if table.startswith("prediction_") and table not in shipped:
                yield self.refuse(table, "text", "the page has no such question")
        for table in ("says", "knobs", "views", "asks", "presets", "guesses"):
            yield from self._unknown(table)
        for name in table_at(own, "knobs"):
            if name in shipped["knobs"]:
                yield from self._unknown("knobs", name, "options")
        for table, key, text in texts(own):
            yield from self._misused(table, key, text)
            if key != "formula":
                yield from self._misplaced(table, key, text)

    def _misused(self, table: str, key: str, text: str) -> Iterator[LessonError]:
        """Yield the errors in one text, except for its numbers."""
        if key == "formula":
            match = re.search(_COMMANDS, text)
        else:
            match = _CALLS.search(text) or _ADDRESS.search(_ESCAPED.sub(r"\1", unescape(text)))
        if match:
            call = match[0].strip()
            why = f"it contains {call!r}, but texts must not contain images, links, or HTML"
            yield self.refuse(table, key, why)
        views = self.shipped.get("views", {})
        if key == "view" and text and text not in views:
            why = f"this lesson has no such picture; it has {', '.join(views) or 'none'}"
            yield self.refuse(table, key, why)
        if key == "change" and not is_format(text):
            yield self.refuse(table, key, "must hold {} once, where the value stands")
        elif key not in ("formula", "change") and has_stray_brace(text):
            yield self.refuse(table, key, "a brace in it begins or ends no {number}")

    def leave_out(self, fault: LessonError) -> bool:
        """Remove what a fault names, so that the rest can be checked; return whether that worked.

        A list is removed as a whole if its items cannot be identified or are incomplete.
        """
        branch: Any = self.own
        parent: Any = {}
        name = ""
        for step in fault.table.split(".") if fault.table else ():
            name, _, number = step.partition(" ")
            inside = branch.get(name) if isinstance(branch, dict) else None
            parent = {}
            if number and isinstance(inside, list) and int(number) <= len(inside):
                parent = branch
                inside = inside[int(number) - 1]
            branch = inside
        if isinstance(branch, dict) and fault.key in branch and fault.key != "id":
            del branch[fault.key]
            return True
        return parent.pop(name, None) is not None

    def _unknown(self, *path: str) -> Iterator[LessonError]:
        """Yield an error for each key of a table that the lesson lacks."""
        shipped = table_at(self.shipped, *path)
        for name in table_at(self.own, *path):
            if name not in shipped:
                like = get_close_matches(name, shipped, 3, 0.3) or sorted(shipped)[:3] or ["none"]
                why = f"this lesson has no such key; it has {', '.join(like)}"
                yield self.refuse(".".join(path), name, why)

    def _misplaced(self, table: str, key: str, text: str) -> Iterator[LessonError]:
        """Yield an error for each number that a text must not contain.

        The code of a sentence fills in the numbers of the shipped sentence.
        """
        shipped = ""
        if table == "says":
            shipped = self.shipped.get("says", {}).get(key, "")
        elif table.startswith("transfer"):  # its numbers are those of another situation
            transfer = {"": self.shipped.get("transfer", [])}
            shipped = "".join(text for _, _, text in texts(transfer))
        filled = PLACEHOLDER.findall(shipped)
        for name in PLACEHOLDER.findall(text):
            if is_fixed(table, key):
                why = (
                    f"{{{name}}} is not allowed: questions, and texts before the lock, show no "
                    "number"
                )
                yield self.refuse(table, key, why)
            elif name not in filled and not self._computes(name):
                like = get_close_matches(name, self.names, 3, 0.4) or sorted(self.names)[:3]
                why = f"{{{name}}} is not a number of this lesson; it has {', '.join(like)}, …"
                yield self.refuse(table, key, why)

    def _computes(self, name: str) -> bool:
        """Return whether the lesson computes a number, which may exist in another case only."""
        try:
            return name in self.names
        except (ValueError, ArithmeticError, TypeError):
            return False

    def merged_words(self) -> Words:
        """Return the merged texts, checked like the shipped ones; raise the first error."""
        self.numbering.clear()
        words = checked(
            self.name, self.page, self._merged(self.shipped, self.own, ""), self._locate
        )
        original = load(self.page)
        right = original.prediction.right
        if words.prediction.ids != original.prediction.ids or words.prediction.right != right:
            why = "must stay the right one, because the model and the charts stay the same"
            raise self.refuse("prediction", "options", f"option {right} {why}")
        for option in words.prediction.options:
            for name in option.test.settings if option.test else ():
                if name not in original.knobs and not self._computes(name):
                    why = f"the test of option {option.id} names {name}, which is not a setting"
                    raise self.refuse("prediction", "options", why)
        for name in words.exemplar.settings if words.exemplar else ():
            if name not in original.knobs and not self._computes(name):
                raise self.refuse("exemplar", "settings", f"{name} is not a setting")
        if [*map(_computed, words.transfer)] != [*map(_computed, original.transfer)]:
            why = "variants, cases, and right answers must stay, because the model computes them"
            raise self.refuse("transfer", "options", why)
        return words

    def _merged(self, shipped: Mapping, own: Mapping, at: str) -> dict:
        """Merge a custom table over the shipped one; `at` is the table's name."""
        merged_table = dict(shipped)
        for key, value in own.items():
            before = shipped.get(key)
            name = f"{at}.{key}".strip(".")
            are_lists = isinstance(before, list) and isinstance(value, list)
            if isinstance(before, Mapping) and isinstance(value, Mapping):
                value = self._merged(before, value, name)
            elif key in ("options", "transfer") and are_lists:
                value = self._merged_by_id(before, value, name)
            elif key == "tour" and are_lists:
                value = self._merged_tour(before, value)
            merged_table[key] = value
        return merged_table

    def _merged_tour(self, shipped: Any, own: Any) -> list:
        """Merge the texts of a custom tour over the shipped tour, whose settings must stay."""
        if len(own) != len(shipped):
            why = f"must have the {len(shipped)} steps of the shipped tour, found {len(own)}"
            raise self.refuse("", "tour", why)
        steps = []
        for number, (before, stop) in enumerate(zip(shipped, own, strict=True), 1):
            if not isinstance(stop, Mapping):
                raise self.refuse("", "tour", "must be a list of tables")
            for key in stop.keys() - {"text", "ask"}:
                if stop[key] != before.get(key):
                    why = "must stay as it is shipped, because the picture follows it"
                    only = "only text and ask may differ"
                    raise self.refuse(f"tour {number}", key, f"{why}; {only}")
            steps.append({**before, **stop})
        return steps

    def _merged_by_id(self, shipped: Any, own: Any, at: str) -> list:
        """Merge a custom list of options or questions over the shipped one, by their ids."""
        by_id = {option["id"]: option for option in shipped}
        ids = [option.get("id") if isinstance(option, Mapping) else None for option in own]
        for number, name in enumerate(ids, 1):
            if not isinstance(name, str) or name not in by_id:
                why = f"must be one of {', '.join(sorted(by_id))}: the id says which text is meant"
                raise self.refuse(f"{at} {number}", "id", why)
        positions = {option: f"{at} {number}" for number, option in enumerate(by_id, 1)}
        for number, (name, option) in enumerate(zip(ids, own, strict=True), 1):
            self.numbering[positions[name]] = f"{at} {number}"
            by_id[name] = self._merged(by_id[name], option, positions[name])
        return list(by_id.values())


def _computed(question: Transfer) -> tuple:
    """Return the parts of a transfer question for which the model computes numbers."""
    options = [(option.id, option.right) for option in question.options]
    return question.id, question.variants, question.cases, options


def _unmatched_files(folder: Path, pages: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each file or folder that belongs to no lesson."""
    if not folder.is_dir():
        yield f"{SETTING}: there is no folder {folder.name}"
        return
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        yield f"{SETTING}: the folder {folder.name} cannot be read ({error.strerror})"
        return
    for name in names:
        if name.startswith((".", "_")):
            continue
        if (folder / name).is_dir() and name not in pages:
            like = get_close_matches(name, pages, 1, 0.3) or sorted(pages)[:1]
            yield f"{name}/: there is no such lesson; did you mean {like[0]}/?"
        elif name.endswith(".toml"):
            such = f"such as {sorted(pages)[0]}/{FILE}"
            yield f"{name}: a lesson's texts must be in a folder named after its page, {such}"
        elif name in pages and not (folder / name / FILE).exists():
            yield f"{name}/: there is no {FILE} in it"


def _folder() -> Path | None:
    """Return the course's folder; None if there is none."""
    folder = os.environ.get(SETTING)
    return Path(folder) if folder else None


def _refuse(sentence: str) -> None:
    """Record and log why custom texts are not used, once."""
    if sentence not in REFUSED:
        REFUSED.append(sentence)
        _LOG.warning("custom texts rejected: %s", sentence)
