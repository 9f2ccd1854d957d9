"""Pages of the app through AppTest."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from ui.base.lesson import Lesson

ROOT = Path(__file__).resolve().parent.parent


def open_page(page: str, lesson: Lesson | None) -> AppTest:
    """Open a page of the app by its name; a lesson with its prediction committed, "app" is home."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if lesson is not None:
        app.session_state["predictions"] = {lesson.id: lesson.prediction.right}
    app.run()
    return app if page == "app" else app.switch_page(f"pages/{page}.py").run()
