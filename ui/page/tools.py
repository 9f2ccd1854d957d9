"""The quiet row at the end of a lesson: pins, a link to share, tables, sources, the report."""

from ui.base import device
from ui.base.words import fill
from ui.page import figures, reference, shell
from ui.page.fragment import Fragment
from ui.record import compare, share


def row(page: Fragment) -> None:
    """Draw the tools side by side; an open one that shows numbers of the settings follows them."""
    lesson = page.lesson
    with device.line(f"{lesson.id}_quiet"):
        compare.controls(lesson.id)
        if share.panel(lesson, page.knobs):
            page.follow(lambda settings: settings)
        for figure in page.charts:
            label = "Table" if len(page.charts) == 1 else f"Table: {figure.title}"
            if figures.table(figure, lesson.id, label, popover=True):
                page.follow(lambda settings: settings)
        if box := device.popover("Sources", f"{lesson.id}_sources", ":material/menu_book:", width="content"):
            box.markdown("\n".join(f"- {reference.linked(fill(text, page.values))}" for text in lesson.sources))
        shell.link("pages/report.py", "Report", ":material/description:")
