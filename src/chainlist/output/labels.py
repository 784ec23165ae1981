"""Words for axes and legends: "position [m]", "B1 x", "C2 *"."""

from __future__ import annotations

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
}
_LONGEST = 36  # letters
NOT_UNIQUE = "* not unique: the split of least norm"


def with_unit(words: str, unit: str) -> str:
    return f"{words} [{unit}]" if unit else words


def value_label(observables: list[Observable]) -> str:
    """What stands at the axis of values: each quantity once, with its unit; the units alone where that is too long."""
    label = ", ".join(dict.fromkeys(with_unit(_WORDS.get(o.function, o.text), o.unit) for o in observables))
    if len(label) <= _LONGEST:
        return label
    return ", ".join(dict.fromkeys(f"[{o.unit}]" for o in observables if o.unit))


def curve_label(observable: Observable, curve: Curve, component: str, *, alone: bool) -> str:
    """What a legend says of one line. `alone` is True where all lines belong to one item."""
    if observable.function in ("T", "U", "Etotal"):
        name = {"T": "kinetic", "U": "potential", "Etotal": "total"}[observable.function]
    elif alone and observable.function:
        name = curve.entity
    else:
        name = curve.text
    mark = "" if curve.unique else " *"
    return f"{name} {component}".rstrip() + mark
