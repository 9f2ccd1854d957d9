"""Write the key tables of docs/driving-pages.md from the lessons' declarations: `python -m lessons`."""

from pathlib import Path

from lessons import LESSONS
from ui.knobs.tables import written

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "driving-pages.md"


def main() -> None:
    """Bring the document up to date."""
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8"), LESSONS), encoding="utf-8")
    print(f"{DOCUMENT.name} has the keys of {len(LESSONS)} lessons")


if __name__ == "__main__":
    main()
