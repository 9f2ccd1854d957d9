"""Printable speaker's script of a lesson: questions, answers, actions, and replies."""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from html import escape

from polls import rule
from ui.base.device import render_text
from ui.base.lesson import Lesson
from ui.base.words import Beat, Stop, Values, fill
from ui.knobs.declared import knobs_of
from ui.page.lesson import tour
from ui.record import sheet

#: Heading of each field of a `Beat`.
_HEADINGS = {"ask": "Ask", "hear": "You will hear", "press": "Do", "say": "Say"}
_VOTE = (
    "Let everybody vote alone. Then let neighbors who voted differently convince each other, and "
    f"vote again. As a rule of thumb, discuss if {rule.LOW}% to {rule.HIGH}% of the answers are "
    "right; if fewer, explain; if more, go on."
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
    """Yield the script as pieces of HTML."""
    values = lesson.values(lesson.settings())
    filled = partial(_filled, values)
    tempts = lesson.script.tempts if lesson.script else {}
    heard = lesson.staff.heard if lesson.staff else ()
    aim = lesson.objective.replace("You can", "Afterwards your students can", 1)
    yield f'<p class="quiet">{filled(aim)}</p>'
    yield f"<h2>Read aloud: a message from {filled(lesson.sender)}</h2>"
    lines = "".join(f"<p>{filled(line)}</p>" for line in lesson.message.splitlines())
    yield f"<blockquote>{lines}</blockquote>"
    yield f"<h2>Ask: {filled(lesson.prediction.text)}</h2><p>{filled(_VOTE)}</p>"
    head = "<tr><th>You will hear<th>Why it tempts<th>What to say"
    yield f'<table class="answers"><thead>{head}</thead>'
    for option in lesson.prediction.options:
        answer = f"{lesson.prediction.letter(option.id)} {option.text}"
        kind = ""
        if option.right:
            answer += " ✓ right"
            kind = " class=right"
        cells = (answer, tempts.get(option.id, "–"), option.feedback)
        row = "".join(f"<td>{filled(cell)}</td>" for cell in cells)
        yield f"<tbody{kind}><tr>{row}</tr></tbody>"
    yield "</table><h2>Show</h2><table>"
    for beat in _steps(lesson, values):
        rows = ""
        for name, heading in _HEADINGS.items():
            text = getattr(beat, name)
            if text:
                first = " class=first" * (name == "ask")
                rows += f"<tr><th>{heading}</th><td{first}>{_bare(text)}"
        yield f"<tbody>{rows}</tbody>"
    right = lesson.reflection.answer
    yield f"</table><h2>Ask at the end</h2><p><b>{filled(lesson.reflection.text)}</b></p>"
    yield f"<p>Right: {filled(right.text)} {filled(right.feedback)}</p>"
    yield f"<h2>Close with</h2>{_list(map(filled, lesson.takeaways))}"
    yield f"<h2>You may also hear</h2>{_list(map(filled, heard))}"


def _steps(lesson: Lesson, values: Values) -> Iterator[Beat]:
    """Yield what to ask, do, and say, with its numbers: the steps of the tour, if there is one."""
    beats = lesson.script.steps if lesson.script and not lesson.tour else ()
    for beat in beats:
        yield Beat(*(fill(getattr(beat, name), values) for name in _HEADINGS))
    press = "Press “Start the tour” under the picture"
    for stop in lesson.tour:
        text = tour.text(lesson, stop)
        yield Beat(
            render_text(stop.ask, values), press=f"{press}{_settings(lesson, stop)}.", say=text
        )
        press = "Press “Next”"


def _settings(lesson: Lesson, stop: Stop) -> str:
    """Say which settings a step of the tour changes; "" if none."""
    texts = []
    for name, value in stop.settings.items():
        declared = knobs_of(lesson.settings)[name]
        if declared.kind == "text":
            value = declared.parse(value)
        texts.append(f"{declared.label}: {declared.words(value)}")
    if texts:
        return f" (it sets {'; '.join(texts)})"
    return ""


def _filled(values: Values, text: str) -> str:
    """Return a text with its numbers, escaped for HTML."""
    return _bare(fill(text, values))


def _bare(text: str) -> str:
    """Escape a text for HTML, without its Markdown."""
    return escape(re.sub(r"[*`\\]", "", text))


def _list(points: Iterable[str]) -> str:
    """Write texts, which are HTML already, as a list."""
    return f"<ul>{''.join(f'<li>{point}</li>' for point in points)}</ul>"
