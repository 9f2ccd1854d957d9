"""Submitted report with the results of its check."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from physics.texts import seen
from ui.base.lesson import lessons
from ui.record import ledger, report


class Checked(NamedTuple):
    """Result of recomputing one record with the lesson's model."""

    #: differences between reported and recomputed results, or the reason why the check failed
    differences: tuple[str, ...]
    #: whether the reported settings win the challenge; None without such settings or judgment
    won: bool | None


@dataclass
class Sheet:
    """Submitted report."""

    file: str  #: name of the uploaded file
    report: Mapping  #: content as `ui.record.report.read` returns it
    #: results of recomputed records by lesson id
    checked: dict[str, Checked] = field(default_factory=dict)
    #: sentences on what the report has in common with other reports
    alike: list[str] = field(default_factory=list)

    @cached_property
    def answers(self) -> Mapping[str, list[ledger.Answer]]:
        """Report's answers by lesson id, as `ui.record.report.answers` lists them."""
        return {
            lesson.id: report.answers(lesson, self.records.get(lesson.id, {}))
            for lesson in lessons()
        }

    @property
    def records(self) -> Mapping[str, Mapping]:
        """Records of the report's lessons by lesson id."""
        return self.report["lessons"]

    @property
    def name(self) -> str:
        """Student's name from the report, without invisible characters."""
        return clean(self.report["name"])

    @property
    def login(self) -> str:
        """Student's login or email from the report, without invisible characters."""
        return clean(self.report["login"])

    @property
    def student(self) -> str:
        """Student's name, or else the login, or else the name of the file."""
        return self.name or self.login or self.file


def clean(text: str) -> str:
    r"""Return a name without invisible characters, with composed accents.

    >>> clean(" Zoe\u0308\u200b  M. ") == "Zoë M."
    True
    """
    return unicodedata.normalize("NFC", seen(text))
