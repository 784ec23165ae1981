"""`B2.x` and `C1.force`, as other languages write them, and the item that was meant. A cure names an item that may stand there."""

from __future__ import annotations

import re
from collections.abc import Callable

from chainlist.elements.base import kind_of
from chainlist.model.observables import OBSERVABLES
from chainlist.syntax.tree import Name

_PULLS = ("FORCE", "TENSION")
_ITEMS: dict[str, tuple[str, ...]] = {
    **{key: (key.upper(),) for key in ("x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az", "speed", "angle", "omega")},
    **dict.fromkeys(("pos", "position", "q"), ("Q", "CG")),
    **dict.fromkeys(("vel", "velocity", "v"), ("V", "SPEED")),
    **dict.fromkeys(("acc", "a"), ("A",)),
    **{f"{key}.{c}": (item + c.upper(),) for key, item in (("pos", ""), ("q", ""), ("vel", "V"), ("v", "V"), ("acc", "A")) for c in "xyz"},
    **{"force": (*_PULLS, "TORQUE"), "tension": (*_PULLS, "TORQUE"), "torque": ("TORQUE",), "power": ("POWER",), "w": ("OMEGA",)},
}  # fmt: skip
_OTHERS = (
    "X",
    "TENSION",
    "FORCE",
    "TORQUE",
    "ANGLE",
)  # where what is asked for does not exist: some item of it that does

Passes = Callable[[str, Name], bool]


def is_dotted(name: Name) -> bool:
    """Whether a name is spelled like a property of something."""
    return _split(name) is not None


def item_meant(name: Name, passes: Passes) -> str:
    """The cure of `B2.x`, "" for any other name; `passes` says of an item and a name whether the one may be asked of the other here."""
    found = _split(name)
    if found is None:
        return ""
    of, asked = found

    def fitting(items: tuple[str, ...]) -> str:
        return next((f"{item}({of.text})" for item in items if may_be_asked(item, of) and passes(item, of)), "")

    if item := fitting(_ITEMS[asked]):
        return f"write {item}"
    if item := fitting(_OTHERS):
        return f"an item of {of.text} that may stand here is {item}"
    return ""


def may_be_asked(item: str, of: Name) -> bool:
    """Whether an item fits what a name is, by its letter."""
    if of.text.split(".")[-1][0].upper() == "B":
        return OBSERVABLES[item.lower()].takes == "bodies"
    kind = kind_of(of.text)
    if kind is None:
        return False
    if item in (*_PULLS, "TORQUE"):
        own = "TORQUE" if kind.turns else "FORCE" if kind.picture in ("spring", "damper", "force") else "TENSION"
        return item == own and not kind.rigid
    return OBSERVABLES[item.lower()].takes != "bodies"


def _split(name: Name) -> tuple[Name, str] | None:
    """`B2` and `x`; X1.m is something inside an instance."""
    found = re.fullmatch(r"((?:X\w*\.)*[A-Z]\w*)\.([A-Za-z.]+)", name.text, re.IGNORECASE)
    if found is None or found[2].lower() not in _ITEMS or found[1].split(".")[-1][0] in "xX":
        return None
    return Name(found[1], name.span), found[2].lower()
