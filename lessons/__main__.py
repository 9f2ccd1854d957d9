"""Commands about the lessons: write their key tables, create one, check texts, and grade reports.

python -m lessons                        write docs/for-instructors.md, the key tables of
                                         docs/driving-pages.md, and the constants' names
                                         for type checkers
python -m lessons new littles_law        create a lesson that works, copied from
                                         docs/minimal_lesson, to be rewritten
python -m lessons check our-words        list what the app would refuse in a course's own words
python -m lessons grades reports/*.json  write grades as a table; `--help` says more
"""

import argparse
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from lessons import LESSONS
from physics.constants import CONSTANTS
from physics.constants.reading import stub
from ui import words
from ui.grades import __main__ as grades
from ui.instructors import page as instructors
from ui.knobs.tables import written

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "driving-pages.md"
INSTRUCTORS = ROOT / "docs" / "for-instructors.md"
MODEL = ROOT / "docs" / "minimal_lesson"
CONSTANTS_FOLDER = ROOT / "physics" / "constants"
#: How an author starts the app: with file watching and tracebacks, which visitors do not get.
AUTHORS_COMMAND = (
    "python -m streamlit run app.py --server.fileWatcherType auto --client.showErrorDetails full"
)


def main() -> int:
    """Run the command of the command line and return the exit code."""
    if sys.argv[1:2] == ["check"]:
        return words.main(sys.argv[1:])
    if sys.argv[1:2] == ["grades"]:
        return grades.main(sys.argv[2:])
    parser = argparse.ArgumentParser(
        prog="python -m lessons",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("new", nargs="?", choices=["new"], help="begin a lesson")
    parser.add_argument("page", nargs="?", help="name of its page, such as littles_law")
    arguments = parser.parse_args()
    if arguments.new is None:
        _write_tables()
    elif not re.fullmatch(r"[a-z][a-z0-9_]*", arguments.page or ""):
        parser.error("a page's name has small letters, digits and underscores, such as littles_law")
    elif (ROOT / "lessons" / arguments.page).exists():
        parser.error(f"there is a lesson {arguments.page}")
    else:
        _create(arguments.page)
    return 0


def _write_tables() -> None:
    """Write what is generated from the lessons: two documents and the constants' names."""
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8"), LESSONS), encoding="utf-8")
    INSTRUCTORS.write_text(instructors.document(LESSONS), encoding="utf-8")
    (CONSTANTS_FOLDER / "__init__.pyi").write_text(stub(CONSTANTS), encoding="utf-8")
    print(f"{DOCUMENT.name} has the keys of {len(LESSONS)} lessons")


def _create(page: str) -> None:
    """Copy the minimal lesson under a new name; add it to the menu, constants, and key tables."""
    folder = ROOT / "lessons" / page
    shutil.copytree(MODEL / "lesson", folder, ignore=shutil.ignore_patterns("__pycache__"))
    test = ROOT / "tests" / "lessons" / f"test_page_{page}.py"
    copies = {
        "page.py": ROOT / "pages" / f"{page}.py",
        "test.py": test,
        "constants.toml": CONSTANTS_FOLDER / f"{page}.toml",
    }
    for name, target in copies.items():
        shutil.copy(MODEL / name, target)
    title = page.replace("_", " ").capitalize()
    names = {
        "minimal_lesson": page,
        "Minimal lesson": title,
        "MINIMAL_LESSON": page.upper(),
        'id = "minimal"': f'id = "{page}"',
        "minimal lesson": title.lower(),
        "minimal_": f"{page}_",
    }
    for path in (*folder.iterdir(), *copies.values()):
        _rewrite(path, names)
    _enroll(page, title)
    print(
        f"There are lessons/{page}/, pages/{page}.py, physics/constants/{page}.toml and "
        f"{test.name}; "
        "`python -m lessons` writes its key table.\n"
        f"See it, with errors on the page and every change of a file at once:\n{AUTHORS_COMMAND}"
    )


def _enroll(page: str, title: str) -> None:
    """Add a lesson at the end of the menu and of the constants, and a section for its keys."""
    last = '    "small_fleet",\n'
    _rewrite(CONSTANTS_FOLDER / "__init__.py", {last: f'    "{page}",\n{last}'})
    menu = ROOT / "lessons" / "__init__.py"
    lines = menu.read_text(encoding="utf-8").splitlines()
    imports = [line for line in lines if line.startswith("    from lessons.")]
    first = lines.index(imports[0])
    imports = sorted([*imports, f"    from lessons.{page} import LESSON as {page.upper()}"])
    lines[first : first + len(imports) - 1] = imports
    lines.insert(lines.index(")", lines.index("_MENU = (")), f'    "{page.upper()}",')
    menu.write_text("\n".join([*lines, ""]), encoding="utf-8")
    rows = "".join(
        f"| `{page}_{view}_chart` | component | the chart; a press on it moves a setting |\n"
        f"| `{page}_{view}_table` | expander | the chart as a table |\n"
        for view in ("fleet", "length")
    )
    section = (
        f"## {title} (`{page}`)\n\n<!-- keys of {page} -->\n<!-- end of {page} -->\n\n"
        f"Beside these:\n\n| key | kind | unit, values |\n|---|---|---|\n{rows}\n"
    )
    following = f"## {LESSONS[0].title}"
    _rewrite(DOCUMENT, {following: section + following})


def _rewrite(path: Path, names: Mapping[str, str]) -> None:
    """Replace names in a file, one after the other."""
    text = path.read_text(encoding="utf-8")
    for old, new in names.items():
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
