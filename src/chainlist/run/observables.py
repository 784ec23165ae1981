"""What a motion shows: positions, energies, residuals, tensions … and arithmetic over them, curve by curve.

An item such as `V(B1,B2)*2` has one curve for each name. Each curve is a formula of its own, `V(B1)*2` and `V(B2)*2`,
and is evaluated over all samples at once.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NoReturn

import numpy as np

from chainlist.model.formula import end_text, item_text, quantity_arguments
from chainlist.model.mechanism import Constant, Formula, Item, Mechanism, Operation, Quantity
from chainlist.model.observables import OBSERVABLES, ONE_NUMBER_OF_A_VECTOR, SPECTRUM, VERSUS
from chainlist.run.arithmetic import Value, of_number, operate
from chainlist.run.dimension import ANYTHING, NUMBER, Dimension, dimension
from chainlist.run.jumps import jumps_of
from chainlist.run.moments import Floats, Moments, Motion
from chainlist.run.quantities import QUANTITIES, cannot_combine
from chainlist.run.spectrum import spectrum

Kind = Literal["time", "path", "phase", "spectrum", "versus", "picture"]
AXES = "xyz"
_CALL = re.compile(r"\b(\w+)\(([^()]*)\)")  # of names: a point among them has brackets of its own


@dataclass(frozen=True)
class Curve:
    """One line of a plot or one column of a trace.

    `values` has shape (samples,), or (samples, dim) for a vector. `over` is what the values are drawn over, None for
    the time. `unique` is False for a force that the equations of motion leave open: then it is the minimum-norm split.
    """

    entity: str  # what a legend calls it: "B1", or the formula where several entities take part
    text: str  # what an item would say to ask for it alone: "V(B1)*2"
    values: Floats
    unit: str
    over: Floats | None = None
    away: Floats | None = None  # of a path in space: z
    axes: str = ""  # of a phase curve: "x" or "y"
    unique: bool = True
    written: str = ""  # as the chainlist has it, its units and parameters too: "ANGLE(C1)/1deg"
    constant: bool = False  # of numbers alone, such as `m*g`
    jumps: tuple[int, ...] = ()  # samples to which a jump leads, as of `mod`: no line joins them to those before

    @property
    def is_vector(self) -> bool:
        return self.values.ndim == 2

    @property
    def words(self) -> str:
        """What a legend says where the entity is not enough."""
        return self.written or self.text


@dataclass(frozen=True)
class Observable:
    """An item over a motion. `names` are the entities of a picture, else those of the curves."""

    text: str
    kind: Kind
    curves: tuple[Curve, ...]
    function: str  # "Q", "TENSION" …; "" for arithmetic
    names: tuple[str, ...]
    versus: tuple[Observable, Observable] | None = None  # what is up and what is across, over the time

    def __repr__(self) -> str:
        unit = f" [{self.unit}]" if self.unit else ""
        sizes = {curve.values.shape for curve in self.curves}
        shape = f" of shape {sizes.pop()}" if len(sizes) == 1 else ""
        count = f"{len(self.curves)} curve{'s' * (len(self.curves) != 1)}"
        return f"<Observable {self.text}{unit}: {count}{shape}>"

    if not TYPE_CHECKING:  # which would no longer find misspelt names

        def __getattr__(self, name: str) -> NoReturn:
            """What a curve has is told where it is."""
            if name in ("values", "over", "jumps"):
                raise AttributeError(f"an Observable holds {len(self.curves)} curves: .curves[0].{name}")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def unit(self) -> str:
        """The unit of all curves; "" where they differ, or for pure numbers."""
        units = {curve.unit for curve in self.curves}
        return units.pop() if len(units) == 1 else ""

    @property
    def components(self) -> str:
        """The components of a vector: "xy" in the plane; "" for scalars."""
        return AXES[: self.curves[0].values.shape[1]] if self.curves and self.curves[0].is_vector else ""

    @property
    def not_unique(self) -> tuple[str, ...]:
        """Entities whose force is only one of many that would do."""
        return tuple(curve.entity for curve in self.curves if not curve.unique)


def observe(motion: Motion, what: Item | Formula) -> Observable:
    """Evaluate an item, or a formula, over a trajectory."""
    return observe_moments(Moments(motion), what)


def observe_moments(moments: Moments, what: Item | Formula) -> Observable:
    """The same for samples whose forces are already known, or that continue earlier ones."""
    formula = what.formula if isinstance(what, Item) else what
    text = what.text if isinstance(what, Item) else chainlist_text(formula)
    kind = kind_of_item(formula)
    if isinstance(formula, Quantity) and kind != "time":
        return _picture(moments, formula, text, kind)
    if isinstance(formula, Operation) and kind == "spectrum":
        return _spectra(moments, formula.operands[0], text)
    if isinstance(formula, Operation) and kind == "versus":
        return _versus(moments, formula, text)
    curves = _curves(moments, formula, text)
    function = formula.function if isinstance(formula, Quantity) else ""
    return Observable(text, "time", curves, function, tuple(curve.entity for curve in curves))


def kind_of_item(formula: Formula) -> Kind:
    """How an item is drawn."""
    if isinstance(formula, Quantity) and OBSERVABLES[formula.function.lower()].picture:
        kinds: dict[str, Kind] = {"PATH": "path", "PHASE": "phase"}
        return kinds.get(formula.function.upper(), "picture")
    operations: dict[str, Kind] = {SPECTRUM: "spectrum", VERSUS: "versus"}
    return operations.get(formula.operator, "time") if isinstance(formula, Operation) else "time"


def chainlist_text(formula: Formula) -> str:
    """The formula as a chainlist would write it."""
    return item_text(formula, lambda quantity: quantity_arguments(quantity, {}, ()))


def has_components(formula: object, dimension: int) -> bool:
    """True where a formula has components: any part of it has, but for one of which a number is taken."""
    if isinstance(formula, Operation) and formula.operator in ONE_NUMBER_OF_A_VECTOR:
        return False
    if isinstance(formula, Quantity):
        return OBSERVABLES[formula.function.lower()].components(dimension) > 1
    return any(has_components(operand, dimension) for operand in getattr(formula, "operands", ()))


def split(formula: Formula, is_constraint: dict[str, bool]) -> list[Formula]:
    """One formula for each curve: `Q(B1,B2)-Q(B3)` is `Q(B1)-Q(B3)` and `Q(B2)-Q(B3)`."""
    counts = {n for n in _counts(formula, is_constraint) if n > 1}
    if len(counts) > 1:
        raise cannot_combine(chainlist_text(formula), sorted(counts))
    return [_pick(formula, k, is_constraint) for k in range(counts.pop() if counts else 1)]


def _counts(formula: Formula, is_constraint: dict[str, bool]) -> list[int]:
    if isinstance(formula, Quantity):
        return [len(formula.arguments) if _one_curve_each(formula, is_constraint) else 1]
    if isinstance(formula, Operation):
        return [n for operand in formula.operands for n in _counts(operand, is_constraint)]
    return [1]


def _pick(formula: Formula, k: int, is_constraint: dict[str, bool]) -> Formula:
    if isinstance(formula, Quantity) and _one_curve_each(formula, is_constraint) and len(formula.arguments) > 1:
        return dataclasses.replace(formula, arguments=(formula.arguments[k],))
    if isinstance(formula, Operation):
        return dataclasses.replace(formula, operands=tuple(_pick(o, k, is_constraint) for o in formula.operands))
    return formula


def _one_curve_each(quantity: Quantity, is_constraint: dict[str, bool]) -> bool:
    """True where every argument has its curve; DIST(P,P) and ANGLE(P,P) have one curve for both."""
    known = OBSERVABLES[quantity.function.lower()]
    if known.or_links:
        return all(isinstance(a, str) and is_constraint.get(a, False) for a in quantity.arguments)
    return known.points == 0


def _curves(moments: Moments, formula: Formula, text: str) -> tuple[Curve, ...]:
    """The curves of an item that is written as `text`."""
    singles = split(formula, moments.is_constraint)
    words = _written(formula, text, len(singles), moments.is_constraint)
    return tuple(_curve(moments, single, own) for single, own in zip(singles, words, strict=True))


def _written(formula: Formula, text: str, count: int, is_constraint: dict[str, bool]) -> list[str]:
    """The text of an item for each of its curves: `ANGLE(C1,C2)/1deg` is `ANGLE(C1)/1deg` and `ANGLE(C2)/1deg`.

    "" where names cannot be found in the text: they stand in a function of the chainlist.
    """
    if count == 1:
        return [text]
    several = [q for q in _quantities(formula) if len(q.arguments) > 1 and _one_curve_each(q, is_constraint)]
    functions = {quantity.function.lower() for quantity in several}
    places = [m for m in _CALL.finditer(text) if m[1].lower() in functions and ("," in m[2] or m[2].lower() == "all")]
    if len(places) != len(several) or not all(map(_is_text_of, places, several)):
        return [""] * count
    words = []
    for k in range(count):
        names = iter([end_text(quantity.arguments[k], {}) for quantity in several])
        starts = {place.start() for place in places}
        words.append(_CALL.sub(lambda m: f"{m[1]}({next(names)})" if m.start() in starts else m[0], text))  # noqa: B023
    return words


def _is_text_of(place: re.Match[str], quantity: Quantity) -> bool:
    """Whether a call in a text is this quantity: a function of the chainlist may turn its arguments around."""
    names = [name.strip().lower() for name in place[2].split(",")]
    known = [end_text(argument, {}).lower() for argument in quantity.arguments]
    return place[1].lower() == quantity.function.lower() and names in (["all"], known)


def _quantities(formula: Formula) -> list[Quantity]:
    """In the order of the text."""
    if isinstance(formula, Quantity):
        return [formula]
    return [q for operand in formula.operands for q in _quantities(operand)] if isinstance(formula, Operation) else []


def _curve(moments: Moments, formula: Formula, written: str) -> Curve:
    value = formula_values(moments, formula)
    values = value.values
    constant = values.ndim == 0
    if constant:
        values = np.full(len(moments.t), float(values))
    text = chainlist_text(formula)
    unit = str(value.dimension or NUMBER)
    jumps = jumps_of(formula, values, lambda part: formula_values(moments, part).values)
    name = _entity(formula) or written or text
    return Curve(name, text, values, unit, unique=value.unique, written=written, constant=constant, jumps=jumps)


def _entity(formula: Formula) -> str:
    """The one name that a formula speaks of, "" where there is none or several."""
    names = _names(formula)
    return names.pop() if len(names) == 1 else ""


def _names(formula: Formula) -> set[str]:
    if isinstance(formula, Quantity):
        return {end_text(a, {}) for a in formula.arguments} or {formula.function}
    if isinstance(formula, Operation):
        return {name for operand in formula.operands for name in _names(operand)}
    return set()


def formula_values(moments: Moments, formula: Formula) -> Value:
    """The values of a formula that has one curve."""
    match formula:
        case Constant():
            return of_number(formula)
        case Quantity():
            return _quantity(moments, formula)
        case Operation():
            if moments.columns and (text := chainlist_text(formula)) in moments.columns:
                return Value(moments.columns[text], None)
            return operate(formula.operator, [formula_values(moments, operand) for operand in formula.operands])


def _quantity(moments: Moments, quantity: Quantity) -> Value:
    known = OBSERVABLES[quantity.function.lower()]
    unit = _dimension(moments.mechanism, quantity)
    stored = moments.columns.get(chainlist_text(quantity))
    if stored is not None:
        return Value(stored, unit)
    values = QUANTITIES[known.name.lower()](moments, *quantity.arguments)
    unique = known.name not in ("TENSION", "LAMBDA") or moments.is_unique(quantity.arguments[0])
    if known.name == "JOINT":
        unique = moments.is_unique_joint(*quantity.arguments)
    return Value(values, unit, unique)


def _dimension(mechanism: Mechanism, quantity: Quantity) -> Dimension:
    """Of most items it is always the same; of a multiplier, a force or a torque the element says it."""
    known = OBSERVABLES[quantity.function.lower()]
    if known.unit_of is None and not known.gives:
        return dimension(known.unit)
    element = mechanism.element[str(quantity.arguments[0])]
    unit = element.gives if known.unit_of is None else element.units[known.unit_of]
    return dimension(unit) if unit else ANYTHING


def unit_of(mechanism: Mechanism, formula: Formula) -> str:
    """The unit of an item, which no motion changes: it is computed as if every quantity were 1."""
    return str(_all_ones(mechanism, formula).dimension or NUMBER)


def _all_ones(mechanism: Mechanism, formula: Formula) -> Value:
    match formula:
        case Constant():
            return of_number(formula)
        case Quantity():
            return Value(np.ones(1), _dimension(mechanism, formula))
        case Operation():
            return operate(formula.operator, [_all_ones(mechanism, operand) for operand in formula.operands])


def _spectra(moments: Moments, inner: Formula, text: str) -> Observable:
    """A curve for each number of the item."""
    curves: list[Curve] = []
    written = _inside(text) if text.upper().startswith(f"{SPECTRUM}(") else chainlist_text(inner)
    for curve in _curves(moments, inner, written):
        columns = curve.values.T if curve.is_vector else [curve.values]
        for axis, values in zip(AXES if curve.is_vector else [""], columns, strict=False):
            over, amplitudes = spectrum(moments.t, values)
            asked, words = (f"{SPECTRUM}({one})" for one in (curve.text, curve.words))
            own = dataclasses.replace(
                curve, text=asked, values=amplitudes, over=over, axes=axis, written=words, jumps=()
            )
            curves.append(own)
    return Observable(text, "spectrum", tuple(curves), SPECTRUM, tuple(curve.entity for curve in curves))


def _versus(moments: Moments, formula: Operation, text: str) -> Observable:
    """A curve for each number of what is up, over what is across."""
    both_halves = zip(_halves(text), formula.operands, strict=True)
    up, across = (observe_moments(moments, Item(words, operand)) for words, operand in both_halves)
    both = max(len(up.curves), len(across.curves))
    curves: list[Curve] = []
    for k in range(both):
        curve, over = (side.curves[k if len(side.curves) > 1 else 0] for side in (up, across))
        columns = curve.values.T if curve.is_vector else [curve.values]
        asked, words = f"{VERSUS}({curve.text},{over.text})", f"{VERSUS}({curve.words},{over.words})"
        entity = over.entity if len(up.curves) < both else curve.entity
        unique = curve.unique and over.unique
        jumps = tuple(sorted({*curve.jumps, *over.jumps}))
        for axis, values in zip(AXES if curve.is_vector else [""], columns, strict=False):
            curves.append(Curve(entity, asked, values, curve.unit, over.values, None, axis, unique, words, jumps=jumps))
    return Observable(text, "versus", tuple(curves), VERSUS, tuple(curve.entity for curve in curves), (up, across))


def _inside(text: str) -> str:
    """What stands in the brackets of a text `FFT(item)`."""
    return text[text.index("(") + 1 : text.rindex(")")].strip()


def _halves(text: str) -> tuple[str, str]:
    """What is up and what is across in a text `VS(up,across)`, as they were written."""
    inside = _inside(text)
    commas = [at for at, letter in enumerate(inside) if letter == ","]
    at = next(at for at in commas if inside[:at].count("(") == inside[:at].count(")"))
    return inside[:at].strip(), inside[at + 1 :].strip()


def _picture(moments: Moments, quantity: Quantity, text: str, kind: Kind) -> Observable:
    names = tuple(a for a in quantity.arguments if isinstance(a, str))
    function = quantity.function.upper()
    if kind == "picture":
        return Observable(text, "picture", (), function, names)
    curves: list[Curve] = []
    for name in names:
        q = QUANTITIES["q"](moments, name)
        if kind == "path":
            away = q[:, 2] if q.shape[1] == 3 else None
            curves.append(Curve(name, f"PATH({name})", q[:, 1], "m", over=q[:, 0], away=away))
        else:
            v = QUANTITIES["v"](moments, name)
            curves += [
                Curve(name, f"PHASE({name})", v[:, c], "m/s", over=q[:, c], axes=AXES[c]) for c in range(q.shape[1])
            ]
    return Observable(text, kind, tuple(curves), function, names)
