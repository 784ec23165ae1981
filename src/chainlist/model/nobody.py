"""TENSION(ALL) and its like where there is nothing to ask: why, and which item could be asked instead. Names are those that exist."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from chainlist.model.observables import ObservableType

if TYPE_CHECKING:
    from chainlist.model.items import Names

_SHOWN = 3


def nobody(observable: ObservableType, names: Names) -> tuple[str, str]:
    """What is wrong with an item of ALL that is of nothing, and its cure."""
    what = f"there is nothing that {observable.name}(ALL) could be asked of"
    constraints = {key: name for key, name in names.constraints.items() if key not in names.rigid}
    pulls = {"TENSION": constraints, "FORCE": dict(names.forces)}
    if own := pulls.get(observable.name):
        what += f": {_listed(own.values())} {'gives' if len(own) == 1 else 'give'} no newtons"
    asked = [item for item in (observable.name, *pulls) if item in pulls] if observable.gives else []
    return what, f"write {_instead(asked, pulls, names)}"


def _instead(asked: Sequence[str], pulls: Mapping[str, Mapping[str, str]], names: Names) -> str:
    """An item that there is: of one of those that ALL leaves out, of something else that pulls or turns, or of a body."""
    for item in asked:
        for key, name in pulls[item].items():
            return f"TORQUE({name})" if key in names.turning else f"{item}({name})"
    body = next((name for key, name in names.bodies.items() if key not in names.inner), None)
    return f"X({body})" if body is not None else "Etotal"


def _listed(names: Collection[str]) -> str:
    shown = [*names][:_SHOWN]
    if len(names) > _SHOWN:
        return f"{', '.join(shown)} …"
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
