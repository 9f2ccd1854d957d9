"""List, show, or delete the classes of a database.

The commands are `python -m polls list`, `show CODE`, and `delete CODE …`. The database is the one
named by `--url`, or else that of the app in this folder: the secret in `.streamlit/secrets.toml`,
or the file in `POLLS_FOLDER` or `data/`. Nothing is deleted before a "yes".
"""

import argparse
import os
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from polls import store
from polls.database import with_driver

ROOT = Path(__file__).resolve().parent.parent
HOUR = 3600.0
DAY = 24 * HOUR


def url_here() -> str:
    """Return the address of the database used by the app in this folder."""
    secrets = ROOT / ".streamlit" / "secrets.toml"
    if secrets.is_file():
        settings = tomllib.loads(secrets.read_text(encoding="utf-8"))
        url = settings.get("connections", {}).get("sql", {}).get("url", "")
        if url:
            return with_driver(url)
    folder = Path(os.environ.get("POLLS_FOLDER") or ROOT / "data")
    return f"sqlite:///{folder / 'polls.sqlite'}"


def duration(seconds: float) -> str:
    """Return a time in days or hours."""
    if seconds >= 2 * DAY:
        return f"{seconds / DAY:.0f} days"
    return f"{max(0.0, seconds) / HOUR:.1f} h"


def line(row: Mapping[str, Any]) -> str:
    """Format a class as one line."""
    kind = "rehearsal" if row["rehearsal"] else f"{row['voters']} voters"
    return (
        f"{row['code']}  {row['lesson']:<22}  {kind:<12}  open {duration(row['age'])}, "
        f"unused {duration(row['unused'])}, kept {duration(row['lifetime'])}"
    )


def show(database: sa.Engine, code: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
    """Print the state and questions of a class, with votes only as numbers of voters."""
    print(line(rows[code]))
    print(f"round {rows[code]['round']}, {rows[code]['phase']}")
    for name, question in store.own_questions(database, code).items():
        print(f"{name}: {question.text}")


def delete(
    database: sa.Engine, codes: list[str], rows: Mapping[str, Mapping[str, Any]], sure: bool
) -> int:
    """Delete classes after asking for confirmation; return 1 if the user declines."""
    for code in codes:
        print(line(rows[code]))
    if not sure:
        many = "this class" if len(codes) == 1 else f"these {len(codes)} classes"
        try:
            answer = input(f"Delete {many} with all votes? Type yes: ")
        except EOFError:
            answer = ""
        if answer.strip().lower() != "yes":
            print("Nothing was deleted.")
            return 1
    for code in codes:
        store.close_class(database, code)
    print(f"Deleted: {', '.join(codes)}.")
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m polls", description=__doc__.split("\n")[0])
    parser.add_argument("--url", default="", help="address of the database, as in the secret")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="all classes, the oldest first")
    shows = commands.add_parser("show", help="one class and its own questions")
    shows.add_argument("codes", nargs=1, metavar="code")
    deletes = commands.add_parser("delete", help="classes with all their votes, after a question")
    deletes.add_argument("codes", nargs="+", metavar="code")
    deletes.add_argument("--yes", action="store_true", help="do not ask")
    options = parser.parse_args(arguments)
    url = with_driver(options.url or url_here())
    try:
        target = sa.make_url(url)
        if target.get_backend_name() == "sqlite" and not Path(target.database or "").is_file():
            print(f"There is no database {target.database}.", file=sys.stderr)
            return 2
        database = store.engine(url)
    except (sa.exc.SQLAlchemyError, ImportError, OSError) as error:
        print(f"The database cannot be reached ({type(error).__name__}).", file=sys.stderr)
        return 2
    try:
        rows = {str(row["code"]): row for row in store.every(database)}
        if options.command == "list":
            for row in rows.values():
                print(line(row))
            print(f"{len(rows)} classes")
            return 0
        codes = list(dict.fromkeys(code.upper() for code in options.codes))
        missing = [code for code in codes if code not in rows]
        if missing:
            print(f"There is no class {', '.join(missing)}.", file=sys.stderr)
            return 2
        if options.command == "delete":
            return delete(database, codes, rows, options.yes)
        show(database, codes[0], rows)
    finally:
        database.dispose()
    return 0


if __name__ == "__main__":
    sys.exit(main())
