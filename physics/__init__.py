"""Models of a shared GPU fleet: every formula, simulator, and constant of the app, in SI units.

Every model refuses nonsense with a `ValueError` of one sentence that names the quantity and the
value: a number that is not finite or not in its range, a count that is not whole, an option that
there is not, nothing where something is needed, inputs that lead beyond floating point. Docstrings
list only what is refused beyond that. Overload is not nonsense: a model answers it.

The first line of a docstring says what is returned, with its unit in brackets. Each quantity is
explained with its symbol and unit: beside the formula, under Args, or, where several functions
share it, at the top of the module. The signature says what an argument may be: `Positive`, `Share`,
`Count` … of `physics.arguments`. Closed forms of single numbers take arrays as well, and answer
with arrays: `mmc(np.linspace(1, 3.9, 50), 1.0, 4)`.
"""
