"""Printable speaker's script of a lesson: questions, likely answers, actions in the app, and
replies.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from polls import rule
from ui.base.device import said
from ui.base.lesson import Lesson
from ui.base.words import Beat, Stop, fill
from ui.knobs.declared import knobs_of
from ui.page.lesson import tour
from ui.record import sheet

_PARTS = {"ask": "Ask", "hear": "You will hear", "press": "Do", "say": "Say"}
_VOTE = (
    "Let everybody vote alone. Then let neighbors who voted differently convince each other, and "
    "vote again. As a rule "
    f"of thumb, discuss if {rule.LOW}% to {rule.HIGH}% of the answers are right; if fewer, "
    "explain; if more, go on."
)
_STYLE = """
table{width:100%;border-collapse:collapse;margin:.5rem 0}
th,td{text-align:left;vertical-align:top;padding:.15rem .8rem .15rem 0;font-weight:400}
tbody{border-top:1px solid var(--line);break-inside:avoid}th{color:var(--quiet)}tbody th{width:7rem}
tr:first-child>*{padding-top:.4rem}tr:last-child>*{padding-bottom:.4rem}
.first,.right td:first-child{font-weight:600}.answers td:first-child{width:30%}
@page{margin:12mm}
@media print{body{font-size:9pt}h2{margin-top:3.5mm}}
@media screen and (max-width:40rem){td,th,.answers td:first-child{display:block;width:auto}}
"""


def to_html(lesson: Lesson) -> bytes:
    """Write a lesson's script with its numbers and the right answers, as HTML."""
    return sheet.page(f"Speaker's script: {lesson.title}", _body(lesson), _STYLE)


def _body(lesson: Lesson) -> Iterator[str]:
    values = lesson.values(lesson.settings())
    tempts = lesson.script.tempts if lesson.script else {}

    def plain(text: str) -> str:
        return _bare(fill(text, values))

    yield f'<p class="quiet">{plain(lesson.objective.replace("You can", "Afterwards your students can", 1))}</p>'
    yield f"<h2>Read aloud: a message from {plain(lesson.sender)}</h2>"
    yield f"<blockquote>{''.join(f'<p>{plain(line)}</p>' for line in lesson.message.splitlines())}</blockquote>"
    yield f"<h2>Ask: {plain(lesson.prediction.text)}</h2><p>{plain(_VOTE)}</p>"
    yield '<table class="answers"><thead><tr><th>You will hear<th>Why it tempts<th>What to say</thead>'
    for option in lesson.prediction.options:
        answer = f"{lesson.prediction.letter(option.id)} {option.text}{' ✓ right' if option.right else ''}"
        cells = (answer, tempts.get(option.id, "–"), option.feedback)
        row = "".join(f"<td>{plain(cell)}</td>" for cell in cells)
        yield f"<tbody{' class=right' if option.right else ''}><tr>{row}</tr></tbody>"
    yield "</table><h2>Show</h2><table>"
    for beat in _steps(lesson, values):
        lines = [
            (words, getattr(beat, part)) for part, words in _PARTS.items() if getattr(beat, part)
        ]
        rows = [
            f"<tr><th>{words}</th><td{' class=first' * (words == 'Ask')}>{_bare(text)}"
            for words, text in lines
        ]
        yield f"<tbody>{''.join(rows)}</tbody>"
    right = lesson.reflection.option(lesson.reflection.right)
    yield f"</table><h2>Ask at the end</h2><p><b>{plain(lesson.reflection.text)}</b></p>"
    yield f"<p>Right: {plain(right.text)} {plain(right.feedback)}</p>"
    yield f"<h2>Close with</h2>{_list(map(plain, lesson.takeaways))}"
    yield f"<h2>You may also hear</h2>{_list(map(plain, lesson.staff.heard if lesson.staff else ()))}"


def _steps(lesson: Lesson, values: Mapping[str, Any]) -> Iterator[Beat]:
    """Yield what to ask, do and say, with its numbers: the tour's steps where the lesson has
    one.
    """
    beats = lesson.script.steps if lesson.script and not lesson.tour else ()
    for beat in beats:
        yield Beat(*(fill(getattr(beat, part), values) for part in _PARTS))
    for number, stop in enumerate(lesson.tour):
        press = "Press “Next”"
        if not number:
            press = "Press “Start the tour” under the picture"
        press = f"{press}{_settings(lesson, stop)}."
        yield Beat(ask=said(stop.ask, values), press=press, say=tour.text(lesson, stop))


def _settings(lesson: Lesson, stop: Stop) -> str:
    """Say what a step of the tour sets; "" if it is the message's case."""
    knobs = knobs_of(lesson.settings)
    texts = []
    for name, value in stop.settings.items():
        declared = knobs[name]
        if declared.kind == "text":
            value = declared.parse(value)
        texts.append(f"{declared.label}: {declared.words(value)}")
    if not texts:
        return ""
    return f" (it sets {'; '.join(texts)})"


def _bare(text: str) -> str:
    """Escape a text for HTML, without its Markdown."""
    return escape(re.sub(r"[*`\\]", "", text))


def _list(points: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{point}</li>' for point in points)}</ul>"
