"""Which settings go together, and with which elements: asked of the plug-ins, so that a new one is covered by what it declares."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chainlist import formulations, integrators
from chainlist.elements import REGISTRY
from chainlist.elements.base import Law, Native, Row
from chainlist.formula import Moving
from chainlist.formula.analysis import uses, vanishes_at_rest
from chainlist.model.mechanism import Element
from chainlist.model.options import OPTIONS, Options


@dataclass(frozen=True)
class OptionClash:
    """A setting that does not go with the integrator: its key among the options, and why."""

    key: str
    why: str

    def text(self, options: Options) -> str:
        value = getattr(options, self.key)
        return f"{OPTIONS[self.key].name}={value} does not go with INTEGRATOR={options.integrator}"


def clashes(options: Options) -> list[OptionClash]:
    """Every setting that does not go with the integrator; none where all is well."""
    method, system = integrators.REGISTRY[options.integrator], formulations.REGISTRY[options.daesystem]
    found = []
    if method.holds_constraints:
        why = f"{method.name} holds the constraints itself"
        found += [OptionClash("daesystem", why)] if not system.projects else []
        found += [OptionClash("mpi_algo", why)] if options.mpi_algo != "AUTO" else []
    if method.implicit:
        why = f"{method.name} solves springs and constraints together"
        found += [OptionClash("daesystem", why)] if not system.projects else []
        found += [OptionClash("mpi_algo", why)] if options.mpi_algo != "AUTO" else []
    if method.adaptive and not system.adaptive:
        why = "its damping is in units of a step, and this integrator has no fixed one"
        found.append(OptionClash("daesystem", why))
    if method.adaptive and options.energycorrector == "ON":
        why = "an integrator that controls its own error needs no correction of the energy"
        found.append(OptionClash("energycorrector", why))
    return found


@dataclass(frozen=True)
class Unfit:
    """A setting that an element of the mechanism does not go with."""

    key: str
    element: Element
    why: str

    def text(self, options: Options) -> str:
        value = getattr(options, self.key)
        return f"{OPTIONS[self.key].name}={value} does not go with the {self.element.type.name} {self.element.name}"


def misfits(options: Options, elements: Iterable[Element]) -> list[Unfit]:
    """Every setting that the forces and drives of a mechanism do not go with, by the first element that is in the way."""
    found = []
    elements = tuple(elements)
    if options.energycorrector == "ON":
        for element in elements:
            if why := _changes_energy(element):
                found.append(Unfit("energycorrector", element, f"{why}, and the corrector keeps the energy constant"))
                break
    if integrators.REGISTRY[options.integrator].holds_constraints:
        for element in elements:
            if why := _not_held(element):
                found.append(Unfit("integrator", element, f"{options.integrator} knows no {why}"))
                break
    return found + _switching(options, [element for element in elements if element.parts.switches])


def _switching(options: Options, switched: list[Element]) -> list[Unfit]:
    """What ropes, walls and links that break do not go with."""
    method = integrators.REGISTRY[options.integrator]
    found = []
    if switched and not formulations.REGISTRY[options.daesystem].switches:
        found.append(Unfit("daesystem", switched[0], f"{options.daesystem} knows nothing that holds only at times"))
    if switched and (method.holds_constraints or method.implicit):
        found.append(Unfit("integrator", switched[0], f"{options.integrator} knows nothing that holds only at times"))
    return found


def _changes_energy(element: Element) -> str:
    """Why T + U does not stay as it is; "" where it does."""
    name = element.name
    if element.parts.switches:
        return f"{name} may take energy out"
    for force in element.parts.forces:
        potential = REGISTRY[force.kind].energy is not None if isinstance(force, Native) else not _works(force)
        if not potential:
            return f"the work of {name} changes the energy"
    if any(isinstance(end, Moving) for end in element.ends):
        return f"the moving anchor of {name} does work"
    return f"{name} is a drive that does work" if drives(element) else ""


def drives(element: Element) -> bool:
    """Whether it moves something by itself: what it holds changes with the time, or is a velocity other than 0."""
    if element.given is None:
        return element.is_driven
    return any(
        "time" in uses(row.formula) or (row.of_velocities and not vanishes_at_rest(row.formula))
        for row in element.parts.rows
        if isinstance(row, Row)
    )


def _works(law: Law) -> bool:
    return law.force is not None or law.damping != 0.0


def _not_held(element: Element) -> str:
    """What of it a method that holds the constraints by itself cannot do: what depends on velocities, or changes its form."""
    if any(isinstance(row, Row) and row.of_velocities for row in element.parts.rows):
        return "constraints of velocities"
    if any(isinstance(row, Row) and row.charts for row in element.parts.rows):
        return "lines that turn in space"
    for force in element.parts.forces:
        if isinstance(force, Law):
            damps = force.damping != 0.0 or (force.force is not None and "velocities" in uses(force.force))
        else:
            kind = REGISTRY[force.kind]
            damps = kind.energy is None and (kind.soft is None or kind.soft(force.parameters)[1] != 0.0)
        if damps:
            return "forces that depend on velocities"
    return ""
