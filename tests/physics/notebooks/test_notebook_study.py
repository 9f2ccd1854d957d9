"""The lesson's study: what the synthetic notebooks are."""

from physics.notebooks import alone
from physics.notebooks.study import NOTEBOOKS, synthetic


def test_a_alternates_b_is_mostly_one_core_c_mostly_all_and_d_mostly_one_and_longest():
    wide = {name: [cell.threads == 8 for cell in synthetic(name, 8)] for name in NOTEBOOKS}
    assert wide["A"] == [False, True] * 3
    assert sum(wide["B"]) / len(wide["B"]) < 0.5 < sum(wide["C"]) / len(wide["C"])
    assert sum(wide["D"]) / len(wide["D"]) < 0.5
    assert alone([synthetic("D", 8)], 8) > alone([synthetic("C", 8)], 8)


def test_the_work_of_a_notebook_does_not_depend_on_the_node():
    for name in NOTEBOOKS:
        assert sum(cell.work for cell in synthetic(name, 2)) == sum(cell.work for cell in synthetic(name, 64))
