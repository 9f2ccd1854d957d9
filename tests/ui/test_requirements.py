"""What is installed: every package at one version, those that come along with others too."""

import re
from importlib import metadata

from driving import ROOT
from packaging.requirements import Requirement

LISTS = ("requirements.txt", "requirements-postgres.txt", "requirements-dev.txt")


def name(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()


def lines(file: str) -> list[str]:
    found = (
        line.split(" #")[0].strip()
        for line in (ROOT / file).read_text(encoding="utf-8").splitlines()
    )
    return [line for line in found if line and not line.startswith("#")]


def pinned() -> dict[str, str]:
    """The version of each package in the list of constraints."""
    return {
        name(one.name): str(one.specifier) for one in map(Requirement, lines("constraints.txt"))
    }


def wanted() -> dict[str, Requirement]:
    """The packages that the lists name, and on this machine all that these need, by name."""
    found: dict[str, Requirement] = {}
    waiting = [
        Requirement(line) for file in LISTS for line in lines(file) if not line.startswith("-")
    ]
    seen = set()
    while waiting:
        one = waiting.pop()
        key = (name(one.name), frozenset(one.extras))
        if key in seen:
            continue
        seen.add(key)
        found.setdefault(name(one.name), one)
        for text in metadata.requires(one.name) or []:
            further = Requirement(text)
            if further.marker is None or any(
                further.marker.evaluate({"extra": extra}) for extra in ("", *one.extras)
            ):
                waiting.append(further)
    return found


def test_every_package_that_is_needed_is_pinned_at_the_version_that_is_tested():
    versions = pinned()
    assert all(re.fullmatch(r"==[\w.]+", version) for version in versions.values())
    assert {one for one in wanted() if versions.get(one) != f"=={metadata.version(one)}"} == set()


def test_every_list_is_held_to_the_same_versions_and_names_no_host():
    assert lines("requirements.txt")[0] == "-c constraints.txt"
    for file in LISTS[1:]:
        assert any(line.startswith("-r requirements") for line in lines(file))
    for file in (*LISTS, "constraints.txt"):
        for line in lines(file):
            assert not re.search("://|--hash|index", line)
            if line.startswith("-"):
                one = None
            else:
                one = Requirement(line)
            assert one is None or str(one.specifier) == pinned()[name(one.name)], line
    # The container has the versions before it installs.
    assert "COPY constraints.txt" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
