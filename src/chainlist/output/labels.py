"""Words for axes and legends: "position [m]", "B1 x", "C2 *"."""

from __future__ import annotations

from collections.abc import Sequence

from chainlist.model.units import UNITS
from chainlist.run.dimension import IN_A_UNIT
from chainlist.run.observables import Curve, Observable

_WORDS = {
    "Time": "time",
    "Q": "position",
    "V": "velocity",
    "A": "acceleration",
    "X": "x",
    "Y": "y",
    "VX": "x velocity",
    "VY": "y velocity",
    "AX": "x acceleration",
    "AY": "y acceleration",
    "PHI": "residual Φ",
    "DERIVATIVE": "dΦ/dt",
    "LAMBDA": "multiplier λ",
    "TENSION": "tension",
    "SHEAR": "shear force",
    "T": "energy",
    "U": "energy",
    "Etotal": "energy",
    "DIST": "distance",
    "ANGLE": "angle",
    "OMEGA": "angular velocity",
    "SPEED": "speed",
    "TORQUE": "torque",
    "POWER": "power",
    "FORCE": "force",
    "Work": "work",
    "Z": "z",
    "VZ": "z velocity",
    "AZ": "z acceleration",
    "H": "angular momentum",
    "JOINT": "joint force",
    "CG": "position",
    "EVENTS": "events",
}
_ENERGIES = {"T": "kinetic", "U": "potential", "Etotal": "total", "Work": "work"}
_SHORT = {"residual Φ": "Φ", "multiplier λ": "λ"}
_LONGEST_ACROSS = 48  # below a panel of the whole width
_LONGEST = 24  # letters: more do not fit beside a panel of half the width
FREQUENCY = "frequency, without the mean at 0"
NOT_UNIQUE = "* not unique in rigid mechanics: the smallest forces that fit"


def with_unit(words: str, unit: str) -> str:
    return f"{words} [{unit}]" if unit else words


def value_label(observables: list[Observable], longest: int = _LONGEST) -> str:
    """What stands at the axis of values: each unit once, behind its quantities; in short, or units alone, where that is long."""
    quantities: dict[str, list[str]] = {}
    for observable in observables:
        words, unit = _words_and_unit(observable)
        quantities.setdefault(unit, []).append(words)
    joined = {unit: _joined(words) for unit, words in quantities.items()}
    label = ", ".join(with_unit(words, unit) for unit, words in joined.items())
    if len(label) > longest:
        label = ", ".join(with_unit(_SHORT.get(words, words), unit) for unit, words in joined.items())
    if len(label) > longest:
        label = ", ".join(f"[{unit}]" for unit in joined if unit)
    return label


def _words_and_unit(observable: Observable) -> tuple[str, str]:
    """`ANGLE(C1)/1deg` is an angle in degrees."""
    quotient = IN_A_UNIT.fullmatch(observable.text)
    if quotient is not None and not observable.unit and quotient["unit"] in UNITS:
        return _WORDS.get(quotient["function"].upper(), quotient["item"]), quotient["unit"]
    return _WORDS.get(observable.function, observable.text), observable.unit


def title_of(observable: Observable) -> str:
    """What stands above a panel: the item; of one versus another, both."""
    if observable.versus is None:
        return observable.text
    up, across = observable.versus
    return f"{up.text} versus {across.text}"


def labels_versus(observables: Sequence[Observable]) -> tuple[str, str]:
    """What stands at the axes of items versus others: across, and up."""
    pairs = [observable.versus for observable in observables if observable.versus is not None]
    return value_label([across for _, across in pairs], _LONGEST_ACROSS), value_label([up for up, _ in pairs])


def crossed_label(curve: Curve, observable: Observable, *, alone: bool) -> str:
    """What a legend says of a path, of a phase curve, or of one item versus another."""
    name = curve.entity if alone or observable.kind != "versus" else curve.words
    return f"{name} {curve.axes}".rstrip()


def _joined(words: list[str]) -> str:
    """Quantities of one unit: "x velocity" and "y velocity" are velocities."""
    each = dict.fromkeys(words)
    if len(each) > 1:
        each = dict.fromkeys(word.removeprefix("x ").removeprefix("y ").removeprefix("z ") for word in each)
    return ", ".join(each)


def curve_label(observable: Observable, curve: Curve, component: str, *, alone: bool) -> str:
    """What a legend says of one line. `alone` is True where all lines belong to one item."""
    if observable.function in _ENERGIES:
        name = _ENERGIES[observable.function]
    elif alone and observable.function:
        name = curve.entity
    else:
        name = curve.words
    mark = "" if curve.unique else " *"
    return f"{name} {component}".rstrip() + mark
