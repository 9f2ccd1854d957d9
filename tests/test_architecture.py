"""The direction of the house: pages → ui → physics, and nothing the other way."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name.split(".")[0] for name in names} | names


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("path", sources("physics"), ids=lambda path: path.name)
def test_physics_knows_neither_the_page_nor_the_chart(path):
    assert not imports(path) & {"streamlit", "altair", "ui", "pages", "scipy"}


def physics_imported_by(path: Path) -> set[str]:
    """Modules of `physics` that a module imports, at its top or inside a function."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name.split(".")[1] for name in names if name.startswith("physics.")}


def test_no_two_models_import_each_other_not_even_around_corners():
    paths = {path.stem: path for path in sources("physics") if path.stem != "__init__"}
    graph = {name: physics_imported_by(path) & set(paths) for name, path in paths.items()}
    order = list(TopologicalSorter(graph).static_order())  # a circle raises CycleError, which names it
    assert order.index("policy") < order.index("simulator") < order.index("saturation") < order.index("scheduling")


@pytest.mark.parametrize("path", [ROOT / "ui/charts/look.py", ROOT / "ui/base/format.py", ROOT / "ui/base/words.py"])
def test_charts_formats_and_words_work_without_streamlit(path):
    assert "streamlit" not in imports(path)


@pytest.mark.parametrize("path", sources("ui"), ids=lambda path: path.name)
def test_ui_does_not_import_pages(path):
    assert not imports(path) & {"pages", "app", "tests"}


@pytest.mark.parametrize("path", sources("pages"), ids=lambda path: path.name)
def test_a_page_is_plain_and_short(path):
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a page begins with one sentence that says what it teaches"
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda)]
    assert "unsafe_allow_html" not in text and "session_state" not in text
    assert text.count("\n") < 150


def test_session_state_is_spelled_in_one_module_only():
    spelled = [path.name for path in sources("ui") + sources("pages") if "st.session_state" in path.read_text()]
    assert spelled == ["state.py"]


def test_a_constant_is_declared_once():
    tree = ast.parse((ROOT / "physics" / "constants.py").read_text(encoding="utf-8"))
    names = [target.id for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    assert len(names) == len(set(names)), sorted(name for name in set(names) if names.count(name) > 1)
