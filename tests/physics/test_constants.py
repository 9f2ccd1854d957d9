"""The tables of constants are read as they stand, and a wrong one is refused in one sentence."""

import re
from pathlib import Path

import pytest

import physics.constants as k
from physics.constants.reading import read_file, read_files, stub

ROOT = Path(__file__).resolve().parents[2]
ROOM = ROOT / "physics" / "constants"
FILES = [*sorted(ROOM.glob("*.toml")), ROOT / "docs" / "minimal_lesson" / "constants.toml"]
GOOD = {
    "kind": '"assumed"',
    "value": "3",
    "unit": '"s"',
    "meaning": '"a wait"',
    "source": '"assumed: a guess"',
}


def table(name="WAIT", **fields):
    """A table of TOML, with fields changed, or left out where they are None."""
    lines = [f"{field} = {text}" for field, text in (GOOD | fields).items() if text is not None]
    return "\n".join([f"[{name}]", *lines, ""])


def test_every_file_of_constants_is_on_the_sources_page():
    assert {path.stem for path in ROOM.glob("*.toml")} == set(k.FILES)
    assert [row["name"] for row in k.table()] == list(k.CONSTANTS)
    assert len(k.CONSTANTS) > 400


def test_every_constant_can_be_imported_by_its_name():
    assert all(getattr(k, name) is constant for name, constant in k.CONSTANTS.items())
    assert set(k.CONSTANTS) < set(k.__all__)


def test_a_type_checker_reads_the_same_names():
    assert (ROOM / "__init__.pyi").read_text(encoding="utf-8") == stub(k.CONSTANTS), (
        "`python -m lessons` writes it"
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_number_is_what_the_comment_behind_it_computes(path):
    numbers = dict(k.CONSTANTS)
    for line in path.read_text(encoding="utf-8").splitlines():
        assert len(line) <= 100
        computed = re.fullmatch(r"(?:value|low|high|step) = (\S+)  # = ([\w .*/+]+)", line)
        assert computed or "# =" not in line, line
        if computed:
            assert float(computed[1]) == float(eval(computed[2], {}, numbers)), line


def test_jobs_arrive_at_the_rate_that_the_comment_derives():
    sample = k.IO_LATENCY / k.HOURS_SAMPLES
    sample += k.IO_SAMPLE_SIZE / k.IO_STREAM_BANDWIDTH + k.IO_DECODE_TIME
    speed = k.IO_COMPUTE_TIME / (k.IO_BATCH_SIZE * sample)
    servers = k.HOURS_GPUS // k.HOURS_WIDTH
    rate = k.HOURS_OCCUPIED * servers * speed / k.HOURS_WORK
    assert float(k.HOURS_ARRIVALS) == rate


def test_a_constant_keeps_what_its_table_says(tmp_path):
    path = tmp_path / "waits.toml"
    path.write_text(table(symbol='"W"', low="0", high="4.5", step="0.5"), encoding="utf-8")
    constant = read_file(path)["WAIT"]
    assert constant == 3.0 and isinstance(constant, k.Constant)
    assert (constant.kind, constant.unit, constant.symbol) == ("assumed", "s", "W")
    assert (constant.meaning, constant.source) == ("a wait", "assumed: a guess")
    assert (constant.low, constant.high, constant.step) == (0, 4.5, 0.5)
    assert constant.positions == ()
    path.write_text(table(positions="[1, 2.5, 3]"), encoding="utf-8")
    assert read_file(path)["WAIT"].positions == (1, 2.5, 3)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (table(hihg="4"), "waits.toml, WAIT: there is no field hihg, only kind, value, "),
        (table(source=None), "waits.toml, WAIT: the field source is missing"),
        (table(kind='"guessed"'), "waits.toml, WAIT: kind must be one of exact, datasheet, "),
        (table(value='"3"'), "waits.toml, WAIT: value must be a finite number, got '3'"),
        (table(low="true"), "waits.toml, WAIT: low must be a finite number, got True"),
        (table(step="nan"), "waits.toml, WAIT: step must be a finite number, got nan"),
        (
            table(positions="3"),
            "waits.toml, WAIT: positions must be a list of finite numbers, got 3",
        ),
        (
            table(positions="[3, true]"),
            "WAIT: positions must be a list of finite numbers, got [3, T",
        ),
        (table(unit="1"), "waits.toml, WAIT: unit must be a text, got 1"),
        (table(low="4", high="5"), "waits.toml, WAIT: the value of a wait must lie in 4 to 5"),
        (table(name="table"), "waits.toml, table: a constant's name has capital letters"),
        ("WAIT = 3", "waits.toml, WAIT: a constant is a table with kind, value, unit, "),
        (table() + table(), "waits.toml: Cannot declare ('WAIT',) twice (at line 7"),
        (table() + "value = 4\nlow = 1", "waits.toml: Cannot overwrite a value (at line 7"),
    ],
)
def test_a_wrong_table_is_refused_in_one_sentence(text, says, tmp_path):
    path = tmp_path / "waits.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(says)) as refusal:
        read_file(path)
    assert "\n" not in str(refusal.value)


def test_a_name_that_two_files_have_is_refused(tmp_path):
    paths = [tmp_path / "first.toml", tmp_path / "second.toml"]
    for path in paths:
        path.write_text(table(), encoding="utf-8")
    with pytest.raises(ValueError, match=r"second\.toml, WAIT: another file has a constant of"):
        read_files(paths)
