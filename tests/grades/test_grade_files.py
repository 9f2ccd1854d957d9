"""Files are bounded before they are read, and a bad one is a row with a sentence, never the end."""

import json
import subprocess
import sys
import zipfile

import pytest
from driving import ROOT
from grade_reports import file, handed, packed, written

from ui.grades import files
from ui.grades.files import File
from ui.record import plain, report


def test_a_zip_of_reports_is_read_like_the_reports_themselves():
    whole = packed(("class/b.json", written(name="B")), ("class/a.json", written(name="A")))
    found = handed(file("all.zip", whole), file("c.json", written(name="C"))).sheets
    assert [sheet.name for sheet in found] == ["A", "B", "C"]
    assert [sheet.file for sheet in found] == ["class/a.json", "class/b.json", "c.json"]


def test_folders_and_what_programs_leave_in_a_zip_are_no_reports():
    whole = packed(
        ("class/", b""),
        ("__MACOSX/._a.json", b"x"),
        ("class/.DS_Store", b"x"),
        ("class/a.json", written()),
        ("./here.json", written()),
    )
    names = [one.name for one in files.gathered([("all.zip", whole)])]
    assert sorted(names) == ["./here.json", "class/a.json"]


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.json", b"{", "not readable JSON"),
        ("a.html", written(), "neither a JSON file nor a ZIP"),
        ("a.json", b" " * 1_000_001, "larger than 1 MB"),
        ("a.zip", b"PK\x03\x04 and nothing else", "nor a ZIP that can be read"),
        (
            "a.zip",
            packed(("a.json", written()), how=zipfile.ZIP_LZMA),
            "cannot be read or unpacked",
        ),
        ("a.zip", packed(("a.zip", packed(("a.json", written())))), "neither a JSON file"),
        (
            "a.zip",
            packed(("a.json", written())).replace(b"a.json", b"\0.json"),
            "neither a JSON file",
        ),
    ],
)
def test_a_bad_file_is_a_row_with_one_sentence(name, data, says):
    found = handed(file(name, data), file("good.json", written(name="Good")))
    [(_, why)] = found.refused
    [good] = found.sheets
    assert says in why and why.count(". ") == 0 and good.name == "Good"


def test_a_zip_that_lies_about_a_size_is_not_unpacked_further_than_a_report_goes():
    bomb = packed(("a.json", b"\0" * 50_000_000))
    size = (50_000_000).to_bytes(4, "little")
    assert bomb.count(size) == 2
    lying = bomb.replace(size, (100).to_bytes(4, "little"))
    asked = []
    [entry] = files.gathered([("a.zip", lying)])
    inner = File(entry.name, entry.size, lambda most: asked.append(most) or entry.read(most))
    with pytest.raises(plain.ReportError):
        files.content(inner)
    assert asked == [plain.MOST + 1]


def test_a_damaged_entry_does_not_keep_the_others_from_being_read():
    whole = bytearray(
        packed(("a.json", b"a" * 500), ("b.json", written(name="B")), how=zipfile.ZIP_STORED)
    )
    whole[whole.index(b"a" * 500)] = ord("b")  # the checksum no longer fits
    found = handed(file("all.zip", bytes(whole)))
    assert "cannot be read or unpacked" in found.refused[0][1] and found.sheets[0].name == "B"


def test_more_than_is_taken_at_once_is_refused_before_anything_is_read():
    with pytest.raises(ValueError, match="More than 500 reports"):
        files.gathered((f"{number}.json", b"") for number in range(501))
    with pytest.raises(ValueError, match="larger than 20 MB"):
        files.gathered([("all.zip", bytes(20_000_001))])
    with pytest.raises(ValueError, match="MB together"):
        files.heads([File("a.json", 999_999, lambda most: pytest.fail("it was read"))] * 101)
    assert len(files.gathered((f"{number}.json", b"") for number in range(500))) == 500


def test_a_zip_with_a_directory_of_a_million_entries_is_not_even_listed(monkeypatch):
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: pytest.fail("it was listed"))
    with pytest.raises(ValueError, match="holds 2,001 entries"):
        files.gathered([("all.zip", b"PK\x01\x02" * 2_001)])


def test_a_name_without_end_is_cut_in_its_middle_and_stays_on_one_line():
    whole = packed(("\t" * 60_000 + "a.json", written()), ("b" * 60_000 + ".json", written()))
    sheets = handed(file("all.zip", whole), file("c\n" * 5_000 + ".json", written())).sheets
    assert all(len(one.file) <= files.MOST_NAME and one.file.isprintable() for one in sheets)
    assert len(sheets) == 3


KEYS = (
    b'{"app": "fleet-what-if", "schema": 1, "lessons": {'
    + b", ".join(b'"%d": 0' % n for n in range(80_000))
    + b"}}"
)
DEEP = (
    b'{"app": "fleet-what-if", "schema": 1, "lessons": ' + b'{"a":' * 20 + b"1" + b"}" * 20 + b"}"
)
WIDE = written(extra=[0] * 40_000)


@pytest.mark.parametrize(
    ("data", "says"), [(KEYS, "more values"), (WIDE, "more values"), (DEEP, "deeper")]
)
def test_a_report_of_nothing_but_keys_is_refused_in_one_sentence_wherever_it_is_read(data, says):
    assert len(data) < plain.MOST
    with pytest.raises(plain.ReportError, match=says):
        report.read(data)
    found = files.opened([("all.zip", packed(("a.json", data), ("b.json", written(name="B"))))])
    assert (
        [name for name, _, _ in found] == ["a.json", "b.json"]
        and says in found[0][2]
        and not found[1][2]
    )


def test_the_longest_keys_are_not_even_parsed(monkeypatch):
    monkeypatch.setattr(plain.json, "loads", lambda *_, **__: pytest.fail("it was parsed"))
    with pytest.raises(plain.ReportError, match="more values"):
        plain.parsed(b"[" + b"0," * 400_000 + b"0]")


def test_a_report_that_is_full_to_the_brim_is_taken():
    pins = [
        {
            "settings": {f"s{n}": n for n in range(60)},
            "results": {f"r{n}": [n, f"{n}"] for n in range(30)},
        }
    ] * 3
    full = {
        "settings": {f"s{n}": n for n in range(60)},
        "results": {f"r{n}": f"{n}" for n in range(30)},
    }
    record = full | {"won": full["settings"], "pins": pins, "note": "," * 2000}
    whole = {"lessons": {f"lesson {n}": record for n in range(16)}}
    assert plain.parsed(json.dumps(whole).encode()) == whole


def test_reports_are_opened_without_streamlit():
    code = "import sys, ui.grades.files; sys.exit('streamlit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0
