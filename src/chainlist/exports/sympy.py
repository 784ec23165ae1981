"""`sympy`: the equations of motion in symbols, as a Python file that says them: M a + Aᵀ λ = F with A a = b.

Φ comes from the elements themselves, by kernel or by formula; SymPy differentiates. So it knows every element but those that
hold only at times, and every function but those of tables.
"""

from __future__ import annotations

from itertools import chain
from types import SimpleNamespace
from typing import Any

import numpy as np

from chainlist.elements import REGISTRY as ELEMENTS
from chainlist.elements.base import Law
from chainlist.equations.equation import FORMULA, Equation, Force, equations_of, forces_of
from chainlist.equations.interpret import kernel_of
from chainlist.equations.primitive import AXES, SPEEDS, Primitive
from chainlist.exports.base import Export, docstring, refuse, register
from chainlist.formula import Constant, End, Formula, Moving, Operation, Quantity
from chainlist.model.mechanism import Mechanism
from chainlist.syntax.extras import extra

_NAME = "SymPy"
_LESS = {"<": "StrictLessThan", "<=": "LessThan"}
_PLAIN = {"abs": "Abs", "min": "Min", "max": "Max", "turn": "atan2", "length": "sqrt"}
_SAME = (
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sqrt",
    "exp",
    "log",
    "sinh",
    "cosh",
    "tanh",
    "sign",
    "floor",
)


class Unknown(ValueError):
    """A function that has no counterpart."""


class Symbols:
    """Coordinates, velocities and the time of a mechanism as symbols, and its formulas over them."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.sp: Any = extra("sympy", "export", "equations in symbols")
        self.mechanism = mechanism
        self.t = self.sp.Symbol("t", real=True)
        names = _plain_names([body.name for body in mechanism.vectors])
        axes = "xyz"[: mechanism.dimension]
        self.q = [[self.sp.Symbol(f"{name}_{axis}", real=True) for axis in axes] for name in names]
        self.v = [[self.sp.Symbol(f"{name}_v{axis}", real=True) for axis in axes] for name in names]
        self._number = {body.name: k for k, body in enumerate(mechanism.vectors)}

    @property
    def coordinates(self) -> list[Any]:
        """Body by body: x, y of the first, then of the second."""
        return list(chain.from_iterable(self.q))

    @property
    def speeds(self) -> list[Any]:
        return list(chain.from_iterable(self.v))

    def place(self, end: End) -> list[Any]:
        if isinstance(end, Moving):
            return [self.of(Primitive(self.mechanism.dimension, _nobody)(formula)) for formula in end.coordinates]
        if isinstance(end, str):
            return self.q[self._number[end]]
        return [self.sp.Float(x) for x in end]

    def of(self, formula: Formula) -> Any:
        """A formula over coordinates, velocities and the time."""
        match formula:
            case Constant(value):
                return self.sp.Float(value) if value != int(value) else self.sp.Integer(int(value))
            case Quantity("Time"):
                return self.t
            case Quantity(name, (end, *_)) if name in AXES:
                return self.place(end)[AXES.index(name)]
            case Quantity(name, (end, *_)) if name in SPEEDS and isinstance(end, str):
                return self.v[self._number[end]][SPEEDS.index(name)]
            case Quantity(name, (end, *_)) if name in SPEEDS:
                return self.sp.diff(self.place(end)[SPEEDS.index(name)], self.t)
            case Operation(operator, operands):
                return self._operation(operator, [self.of(operand) for operand in operands])
        raise Unknown(str(formula))

    def _operation(self, operator: str, values: list[Any]) -> Any:
        sp = self.sp
        if operator in ("+", "*"):
            return sp.Add(*values) if operator == "+" else sp.Mul(*values)
        if operator in ("-", "/"):
            rest = sp.Add(*values[1:]) if operator == "-" else sp.Mul(*values[1:])
            return values[0] - rest if operator == "-" else values[0] / rest
        if operator == "**":
            return values[0] ** values[1]
        if operator == "neg":
            return -values[0]
        if operator in _LESS:
            return sp.Piecewise((1, getattr(sp, _LESS[operator])(values[0], values[1])), (0, True))
        if operator == "if":
            return sp.Piecewise((values[1], sp.Ne(values[0], 0)), (values[2], True))
        if operator == "smooth":
            s = sp.Min(sp.Max(values[0], 0), 1)
            return s**3 * (s * (6 * s - 15) + 10)
        if operator == "step":
            return sp.Heaviside(values[0], 1)
        if operator in _SAME or operator in _PLAIN:
            return getattr(sp, _PLAIN.get(operator, operator))(*values)
        raise Unknown(f"the function {operator}")


def _plain_names(names: list[str]) -> list[str]:
    """Names without dots, each of them once: of X1.X2.B and X1_X2.B the second gets a number."""
    found: list[str] = []
    for name in names:
        plain = name.replace(".", "_")
        taken = sum(other == plain or other.startswith(f"{plain}__") for other in found)
        found.append(f"{plain}__{taken}" if taken else plain)
    return found


def _nobody(name: str) -> Any:
    raise Unknown(name)


def rows(symbols: Symbols) -> list[tuple[Any, bool]]:
    """Each constraint: Φ, or Ψ of velocities, and which of the two it is."""
    mechanism = symbols.mechanism
    equations = equations_of(mechanism.constraints, mechanism.dimension, held=mechanism.held)
    return [(_row(equation, symbols), equation.of_velocities) for equation in equations]


def _row(equation: Equation, symbols: Symbols) -> Any:
    if equation.kind == FORMULA:
        assert equation.formula is not None
        return symbols.of(equation.formula)
    d = symbols.mechanism.dimension
    ends = equation.ends
    q = np.array([symbols.place(end) for end in ends], dtype=object)
    table = SimpleNamespace(
        par=np.array([[*equation.parameters, *[0.0] * (2 * d)]], dtype=object),
        point=np.array([[*range(len(ends)), *[0] * 2]]),
        ends=np.array([len(ends)]),
    )
    work = SimpleNamespace(
        phi=np.zeros(1, dtype=object), b=np.zeros(1, dtype=object), J=np.zeros((1, (len(ends) + 2) * d), dtype=object)
    )
    kernel_of(equation.kind, d)(0, table, work, symbols.t, q, 0 * q)  # plain arithmetic, which symbols know too
    return symbols.sp.sympify(work.phi[0])


def forces(symbols: Symbols) -> Any:
    """All forces but those of constraints, along q."""
    sp, mechanism = symbols.sp, symbols.mechanism
    flat_q, flat_v = symbols.coordinates, symbols.speeds
    total = [
        sp.Float(body.mass * g) if body.weighs else sp.Integer(0)
        for body in mechanism.vectors
        for g in mechanism.gravity
    ]
    for force in forces_of(mechanism.elements, mechanism.dimension, mechanism.held):
        for law in _laws(force, mechanism):
            along = symbols.of(law.along)
            slopes = [sp.diff(along, x) for x in flat_q]
            strength = _strength(law, along, slopes, flat_v, symbols)
            total = [whole + strength * slope for whole, slope in zip(total, slopes, strict=True)]
    return sp.Matrix(total)


def _laws(force: Force, mechanism: Mechanism) -> list[Law]:
    if force.law is not None:
        return [force.law]
    assert force.native is not None
    by_formula = ELEMENTS[force.native.kind].by_formula
    if by_formula is None:
        raise Unknown(f"the force of {mechanism.elements[force.element].name}")
    spell = Primitive(mechanism.dimension, _nobody, mechanism.held)
    found = by_formula(force.native.ends, force.native.parameters).forces
    laws = [law for law in found if isinstance(law, Law)]
    return [Law(spell(x.along), x.force, x.stiffness, x.rest, x.damping, x.sign) for x in laws]


def _strength(law: Law, along: Any, slopes: list[Any], v: list[Any], symbols: Symbols) -> Any:
    sp = symbols.sp
    if law.force is not None:
        return law.sign * symbols.of(law.force)
    rate = sum((slope * speed for slope, speed in zip(slopes, v, strict=True)), sp.diff(along, symbols.t))
    return -law.stiffness * (along - law.rest) - law.damping * rate


def write(mechanism: Mechanism) -> str:
    refuse(_NAME, (f"{element.name} holds only at times" for element in mechanism.elements if element.parts.switches))
    refuse(_NAME, (f"{body.name} has no mass" for body in mechanism.vectors if not body.mass))
    symbols = Symbols(mechanism)
    try:
        found, acting = rows(symbols), forces(symbols)
    except Unknown as unknown:
        refuse(_NAME, [f"it does not know {unknown}"])
        raise  # never reached: what is unknown is refused
    names = [str(x) for x in symbols.coordinates]
    speeds = [str(x) for x in symbols.speeds]
    masses = [body.mass for body in mechanism.vectors for _ in range(mechanism.dimension)]
    q0 = [x for body in mechanism.vectors for x in body.start]
    v0 = [x for body in mechanism.vectors for x in body.velocity]
    lines = [
        docstring(mechanism, "the equations of motion in symbols, M a + A^T lambda = F with A a = b."),
        "",
        "import sympy",
        "from sympy import *",
        "",
        't = Symbol("t", real=True)',
        f'q = symbols("{" ".join(names)}", real=True, seq=True)',
        f'v = symbols("{" ".join(speeds)}", real=True, seq=True)',
        f"{', '.join(names)}, = q",
        f"{', '.join(speeds)}, = v",
        "",
        "# Constraints: Phi(q, t) = 0, and those of velocities Psi(q, v, t) = 0",
        *_list("Phi", [str(row) for row, moves in found if not moves]),
        *_list("Psi", [str(row) for row, moves in found if moves]),
        "",
        f"M = diag({', '.join(repr(mass) for mass in masses)})",
        *_list("F", [str(force) for force in acting]),
        f"order = {_order(found)}  # rows of A: places in Phi + Psi",
        "# The start, as the text gives it",
        f"q0 = {q0}",
        f"v0 = {v0}",
        *_TAIL.splitlines(),
    ]
    return "\n".join((*lines, ""))


def _order(found: list[tuple[Any, bool]]) -> list[int]:
    """In the order of the text: positions and velocities may alternate there."""
    positions = [k for k, (_, moves) in enumerate(found) if not moves]
    speeds = [k for k, (_, moves) in enumerate(found) if moves]
    place = {k: number for number, k in enumerate(positions + speeds)}
    return [place[k] for k in range(len(found))]


def _list(name: str, entries: list[str]) -> list[str]:
    return [f"{name} = Matrix([", *(f"    {entry}," for entry in entries), "])"]


_TAIL = '''
V = Matrix(v)
if Phi:
    J = Phi.jacobian(q)
    rate = J * V + diff(Phi, t)  # of Phi
    rows_of_positions = (J, -(rate.jacobian(q) * V + diff(rate, t)))
else:
    rows_of_positions = (zeros(0, len(q)), zeros(0, 1))
if Psi:
    rows_of_velocities = (Psi.jacobian(v), -(Psi.jacobian(q) * V + diff(Psi, t)))
else:
    rows_of_velocities = (zeros(0, len(q)), zeros(0, 1))
A = Matrix.vstack(rows_of_positions[0], rows_of_velocities[0])[order, :] if order else zeros(0, len(q))
b = Matrix.vstack(rows_of_positions[1], rows_of_velocities[1])[order, :] if order else zeros(0, 1)


def accelerations():
    """The accelerations and the multipliers, in symbols: large, for small machines."""
    a = sympy.symbols(f"a:{len(q)}", seq=True)
    multipliers = sympy.symbols(f"lambda:{len(order)}", seq=True)
    equations = list(M * Matrix(a) + A.T * Matrix(multipliers) - F) + list(A * Matrix(a) - b)
    return sympy.solve(equations, [*a, *multipliers], dict=True)[0]
'''


register(
    Export(
        name="sympy",
        suffix=".py",
        meaning="the equations of motion in symbols, a Python file for SymPy",
        carries="everything but what holds only at times, and functions of tables",
        write=write,
    )
)
