"""Formulas: arithmetic over the time and over items of the moving machine, as values that can be built and compared.

They say what is plotted (`.plot X(B1)*2`), what a force is (`F1 B1 ({-3*X(B1)},0)`), and what a constraint keeps at zero.
Nothing here computes: observables evaluate formulas over samples, `chainlist.tape` inside a run.
"""

from chainlist.formula.core import (
    TIME,
    Constant,
    End,
    Formula,
    Moving,
    Operation,
    Point,
    Quantity,
    constant,
    end_name,
    function,
    walk,
)

__all__ = [
    "TIME",
    "Constant",
    "End",
    "Formula",
    "Moving",
    "Operation",
    "Point",
    "Quantity",
    "constant",
    "end_name",
    "function",
    "walk",
]
