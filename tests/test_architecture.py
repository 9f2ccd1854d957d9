"""The direction of the house: pages → lessons → ui → physics, and nothing the other way."""

import ast
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: What the modules of each room may import of the house; a room may import itself.
ARROWS = {
    "physics": set(),
    "ui": {"physics"},
    "lessons": {"ui", "physics"},
    "pages": {"lessons", "ui", "physics"},
}
#: The same within `ui`: what all use, how settings are declared, what charts are made of, what is
#: kept, the page.
INSIDE = {
    "server": set(),
    "base": {"server"},
    "charts": {"base", "server"},
    "films": {"base", "server", "charts"},
    "knobs": {"base", "server"},
    "record": {"base", "server", "knobs"},
    "grades": {"base", "server", "knobs", "record"},
    "classes": {"base", "server", "charts", "films", "knobs", "record", "page"},
    "saving": {"base", "server", "charts", "films", "record"},
    "page": {"base", "server", "charts", "films", "knobs", "record", "saving"},
    "cluster": {"base", "server", "charts", "knobs", "page", "saving"},
    "year": {"base", "server", "record", "page"},
    "laboratory": {"base", "server", "knobs", "record", "page"},
    "instructors": {"base", "server", "knobs", "record", "page"},
}
#: Modules that a folder holds at most: more than these nobody finds their way among.
MOST_MODULES = 16
#: Where folders of modules begin.
ROOMS = ("physics", "ui", "lessons")
#: Names that other people's scripts import, by the module that they import them from. They stay.
PUBLIC = {
    "physics.autoscaling": (
        "Concurrency Growth HPA Predictive Threshold desired_replicas flapping_loads reserve "
        "scale_up_limit "
        "simulate_autoscaler"
    ),
    "physics.checkpointing": (
        "ElasticRun RunTime Timeline Wait all_reduce_time amdahl_knee break_even_intervals daly "
        "elastic_run "
        "expected_breakdown expected_runtime expected_runtime_short_tail gang_wait job_mtbf "
        "lambert_w0 "
        "largest_worthwhile marginal_speedup notice_saves one_plus_w0 optimal_interval play_run "
        "replaced_at_once "
        "replicas_for simulate_run simulate_runs simulate_runtimes speedup spot_cost useful_share "
        "waiting_share "
        "weak_scaling_efficiency workers_for workers_worth writing_at_once young"
    ),
    "physics.cluster": (
        "AWAY Calibration Change Difference Happened PERFECT REQUESTED calibrate candidates "
        "happened_sentences "
        "mean_over_weeks numbered parse_change parse_policy read_log read_report report shown "
        "synthetic_log to_csv_zip "
        "to_html to_json to_sacct to_swf to_text undecided what_happened what_if write_change "
        "write_policy"
    ),
    "physics.constants": "Constant HOUR MINUTE TRAP_FLEET TRAP_JOB_LENGTH table",
    "physics.dataloading": (
        "COMPUTE IOPS InputPipeline NODE_LINK STAGES STORAGE WORKERS demand input_pipeline "
        "lru_hit_share "
        "prefetch_depth_for stream_rate"
    ),
    "physics.experiments": "bandit best_missed take_turns weekly weeks_needed wrong_choice",
    "physics.fair_queueing": "catch_up_time lottery_draws lottery_drought serve",
    "physics.fairness": (
        "Allocation Claimant Division POLICIES Properties allocate "
        "check_properties divide jain_index"
    ),
    "physics.fleet": "BINDING Fleet fleet_cost one_fleet",
    "physics.forecasting": "HoltWinters holt_winters mape moving_average rmse seasonal_naive",
    "physics.gpu_sharing": "Demand Pairing corun fits pairings roofline_demand time_slice",
    "physics.jobs": (
        "Choice Exponential Fixed Hyperexponential JobClass Lognormal Uniform listed offered_load "
        "platform_mix "
        "read_records read_sacct read_swf sample_jobs"
    ),
    "physics.metrics": "balance composite fragmentation jain throughput utilization",
    "physics.notebooks": (
        "Cell CellRun NotebookRun SCHEDULERS ThinkTime alone antt greatest_median least_idle_share "
        "run stp"
    ),
    "physics.placement": "hierarchical_all_reduce_time place unusable worth_waiting",
    "physics.priority": "aging_waits priority_waits",
    "physics.queueing": (
        "QueueRecords Replications SteadyState erlang_b erlang_c highest_utilization mg1_response "
        "mg1_response_of mgc mmc "
        "priority_waits replicate_queue simulate_queue"
    ),
    "physics.rollouts": (
        "busy_share draw_lengths kept_mean last_of play_step simulate_steps stale_share step_time"
    ),
    "physics.scheduling": (
        "Decision Policy Preemption Schedule average_tables class_table pooled_quantile "
        "saturation_load simulate"
    ),
    "physics.serving": (
        "Replica Served decode_step_time kv_bytes_per_token places serve serve_apart"
    ),
    "physics.slicing": (
        "PROFILES Placement Profile Stranded assignment bits gang_start_probability layouts "
        "occupied placeable "
        "profile_of room stranded unusable_slices"
    ),
    "physics.speedup": "all_reduce_time amdahl_knee speedup",
    "physics.storage": (
        "EGRESS_TIERS ObjectStorePlan Relocation checkpoint_write data_rate egress_cost "
        "metadata_capacity "
        "metadata_rate move_or_not node_local_bandwidth object_store_plan"
    ),
}


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path) -> set[str]:
    """Full names of what a module imports, at its top or inside a function."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name} imports a neighbor by dots"
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def tops(path: Path) -> set[str]:
    """Packages that a module imports."""
    return {name.split(".")[0] for name in imports(path)}


MODULES = {name_of(path): path for room in ROOMS for path in sources(room)}


@pytest.mark.parametrize("path", sources("physics"), ids=lambda path: name_of(path))
def test_physics_knows_neither_the_page_nor_the_chart(path):
    assert not tops(path) & {"streamlit", "altair", "scipy"}


@pytest.mark.parametrize("room", ARROWS)
def test_a_room_imports_only_what_lies_below_it(room):
    rooms = ARROWS.keys() | {"app", "tests", "benchmarks"}
    for path in sources(room):
        assert tops(path) & rooms <= ARROWS[room] | {room}, name_of(path)


def test_within_ui_the_arrows_go_from_the_page_to_the_base():
    for room, below in INSIDE.items():
        for path in sources(f"ui/{room}"):
            used = {name.split(".")[1] for name in imports(path) if name.startswith("ui.")}
            assert used & INSIDE.keys() <= below | {room}, name_of(path)
    rooms = {path.relative_to(ROOT / "ui").parts[0] for path in sources("ui")}
    assert {room for room in rooms if not room.endswith(".py")} == {*INSIDE}


def test_a_lesson_imports_no_other_lesson():
    for path in sources("lessons"):
        if path.parent.name != "lessons":
            others = {name.split(".")[1] for name in imports(path) if name.startswith("lessons.")}
            assert others <= {path.relative_to(ROOT / "lessons").parts[0]}, name_of(path)


def imported_modules(path: Path) -> set[str]:
    """Modules of the house that a module imports; a name that a package offers counts as the
    package.
    """
    own = name_of(path)
    found = {
        next((n for n in (name, name.rpartition(".")[0]) if n in MODULES), None)
        for name in imports(path)
    }
    # Python runs a package before its modules: a module may be imported while its own package is
    # still at it.
    return {
        name
        for name in found - {None, own}
        if MODULES[name].name != "__init__.py" or not own.startswith(name)
    }


def test_no_two_modules_import_each_other_not_even_around_corners():
    order = list(
        TopologicalSorter(
            {name: imported_modules(path) for name, path in MODULES.items()}
        ).static_order()
    )
    # A circle raises CycleError, which names it.
    policy = "physics.scheduling.policy"
    simulator = "physics.scheduling.simulator"
    assert order.index(policy) < order.index(simulator) < order.index("physics.scheduling")
    assert (
        order.index("physics.queueing")
        < order.index("lessons.utilization_trap.settings")
        < order.index("lessons")
    )


@pytest.mark.parametrize("room", ROOMS)
def test_a_folder_holds_no_more_modules_than_one_can_find_their_way_among(room):
    for folder in {path.parent for path in sources(room)}:
        assert (
            len([path for path in folder.glob("*.py") if path.name != "__init__.py"])
            <= MOST_MODULES
        ), folder


@pytest.mark.parametrize("package", PUBLIC)
def test_public_names_stay_where_scripts_import_them_from(package):
    module = import_module(package)
    assert not [name for name in PUBLIC[package].split() if not hasattr(module, name)]
    if hasattr(module, "__all__"):
        assert set(PUBLIC[package].split()) <= set(module.__all__)
        assert len(set(module.__all__)) == len(module.__all__)


@pytest.mark.parametrize(
    "path",
    [
        ROOT / f"ui/{name}.py"
        for name in ("charts/look", "charts/marks", "base/format", "base/words")
    ],
)
def test_charts_formats_and_words_work_without_streamlit(path):
    assert "streamlit" not in tops(path)


@pytest.mark.parametrize("path", sources("pages"), ids=lambda path: path.name)
def test_a_page_is_plain_and_short(path):
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a page begins with one sentence that says what it teaches"
    defined = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda)
    ]
    assert not defined, "what a page draws is defined in its lesson, or in ui"
    assert "unsafe_allow_html" not in text and "session_state" not in text
    assert text.count("\n") < 150


@pytest.mark.parametrize("path", [ROOT / "app.py", *sources("pages")], ids=lambda path: path.name)
def test_a_page_imports_all_lessons_before_a_part_of_one(path):
    # Two pages that a cold server opens at once, one with `lessons` half made and one with
    # `lessons.x`, wait for each other; Python then hands out a half-made module, and one of the
    # pages fails.
    tree = ast.parse(path.read_text(encoding="utf-8"))
    taken = [
        (module, alias.name)
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if (module := node.module if isinstance(node, ast.ImportFrom) else alias.name).split(".")[0]
        == "lessons"
    ]
    assert [module for module, _ in taken][:1] == ["lessons"], "`lessons` comes first"
    assert not [module for module, name in taken if name == "LESSON"], (
        "a page takes its lesson from `lessons`"
    )


def test_session_state_is_spelled_in_one_module_only():
    everywhere = [path for room in ("ui", "lessons", "pages") for path in sources(room)]
    spelled = [
        path.name for path in everywhere if "st.session_state" in path.read_text(encoding="utf-8")
    ]
    assert spelled == ["state.py"]


def test_one_module_knows_the_insides_of_streamlit():
    for path in [*sources("ui"), *sources("lessons"), *sources("pages")]:
        if name_of(path) != "ui.server.insides":
            inner = {name for name in imports(path) if name.startswith("streamlit.")}
            allowed = (
                "streamlit.components.v2",
                "streamlit.delta_generator",
                "streamlit.errors",
                "streamlit.proto",
                "streamlit.typing",
            )
            assert not [name for name in inner if not name.startswith(allowed)], name_of(path)
