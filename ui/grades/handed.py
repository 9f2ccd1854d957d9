"""One report that was handed in, and what the lessons say of it."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from physics.texts import seen
from ui.base.lesson import lessons
from ui.record import ledger, report


class Checked(NamedTuple):
    """What the lesson says of one record."""

    differences: tuple[
        str, ...
    ]  #: what file and model say, where they differ, or why nobody can say
    #: whether the kept settings win the challenge; None if none are kept, or they cannot be judged
    won: bool | None


@dataclass
class Sheet:
    """One report that was handed in."""

    file: str
    report: Mapping
    checked: dict[str, Checked] = field(
        default_factory=dict
    )  #: by lesson id, once they have been computed again
    alike: list[str] = field(
        default_factory=list
    )  #: what it has in common with which other file, a sentence each

    @cached_property
    def answers(self) -> Mapping[str, list[ledger.Answer]]:
        """Return what it answers, by lesson id, as `ui.record.report.answers` lists it."""
        return {
            lesson.id: report.answers(lesson, self.records.get(lesson.id, {}))
            for lesson in lessons()
        }

    @property
    def records(self) -> Mapping[str, Mapping]:
        """Its lessons' records, by lesson id."""
        return self.report["lessons"]

    @property
    def name(self) -> str:
        """The student's name, as the report says it and as it is seen."""
        return clean(self.report["name"])

    @property
    def login(self) -> str:
        """The student's login or e-mail, as the report says it and as it is seen."""
        return clean(self.report["login"])


def clean(text: str) -> str:
    r"""Return a name without signs that are not seen, its accents composed.

    >>> clean(" Zoe\u0308\u200b  M. ") == "Zoë M."
    True
    """
    return unicodedata.normalize("NFC", seen(text))
