"""What others call entities, `spring1`, and their named parameters: `d=3` for the DAMP of a spring, `e=0.8` for the REST of a wall."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from chainlist.syntax.source import Span
from chainlist.syntax.tree import Argument, Name, Number, Point, Setting

_VELOCITY = dict.fromkeys(("v", "v0", "vel", "velocity"), "IC_VEL")
_LENGTH = ("l", "l0", "len", "length", "rest_length", "natural_length")
_REST = dict.fromkeys(("e", "cor", "restitution", "bounce"), "REST")
_OTHERS = {
    "body": {**_VELOCITY, **dict.fromkeys(("r", "rad"), "RADIUS"), **dict.fromkeys(("x0", "pos", "pos0"), "IC_POS")},
    "link": dict.fromkeys(_LENGTH, "LENGTH"),
    "rigid body": {
        **dict.fromkeys(("r", "rad"), "RADIUS"),
        **dict.fromkeys(("i", "inertia"), "J"),
        **dict.fromkeys(("w", "w0", "omega0", "spin"), "OMEGA"),
    },
    "slider": dict.fromkeys(("friction", "mu_k"), "MU"),
    "spring": {**dict.fromkeys(_LENGTH, "L0"), **dict.fromkeys(("b", "c", "d", "damping", "damper"), "DAMP")},
    "wall": {**_REST, **dict.fromkeys(("friction", "mu_k"), "MU")},
}
_POINTS = ("IC_VEL", "IC_POS")
_ANGLES = ("theta0", "theta", "phi0", "phi", "alpha", "angle", "angle0")


def called(what: str, setting: Setting, known: Collection[str]) -> str:
    """`DAMP=3` for the `d=3` of a spring, with the keys that it knows; "" where nothing else is meant for certain."""
    key = _OTHERS.get(what, {}).get(setting.key.key, "")
    if key not in known or (key in _POINTS) != isinstance(setting.value, Point):
        return ""
    return f"{key}={setting.value.span.text}"


def meant_otherwise(
    setting: Setting, what: str, known: Collection[str], all: Mapping[str, Setting], dimension: int
) -> str:
    """The cure of a named parameter that an entity does not have, "" where nothing is known; `all` are those of its card."""
    if meant := called(what, setting, known):
        return f"a {what} calls it {meant.partition('=')[0]}: write {meant}"
    axes, value = ("vx", "vy", "vz")[:dimension], setting.value.span.text
    if setting.key.key in axes and "IC_VEL" in known:
        components = (all[axis].value.span.text if axis in all else "0" for axis in axes)
        return f"write IC_VEL=({','.join(components)})"
    if setting.key.key in _ANGLES and what in ("body", "link") and not isinstance(setting.value, Point):
        place = f"(L*sin({value}),-L*cos({value}){',0' * (dimension - 2)})"
        return f"where its points stand says an angle: at the end of a pendulum of length L the place is {place}"
    return ""


# English words that names begin with, where another first letter stands for such a thing.
_WORDS = {
    **dict.fromkeys(("mass", "particle", "point", "pendulum"), "B"),
    **dict.fromkeys(("link", "rod", "bar", "rope", "string"), "C"),
    **dict.fromkeys(("pin", "pivot", "hinge"), "J"),
    "spring": "K",
}


def letter_meant(name: Name, whole: Span, arguments: Collection[Argument] = ()) -> str:
    """The cure of the card `spring1 B1 (0,0) 20`, which begins with the letter of a slider; "" of other names."""
    word = next((word for word in _WORDS if name.key.startswith(word)), "")
    if not word or (word == "rod" and any(isinstance(one, Number) for one in arguments)):
        return ""
    letter, rest = _WORDS[word], whole.text[len(name.text) :]
    if not whole.text.startswith(name.text) or "\n" in rest or (letter == "C" and len(rest.split()) < 2):
        rest = " …"
    elif word == "rope" and " rope" not in rest.lower():
        rest += " ROPE"
    return f"a {word} begins with {letter}: write {letter}{name.text}{rest}"
