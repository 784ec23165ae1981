"""Which settings go together: asked of the plug-ins themselves, so that a new one is covered by what it declares."""

from __future__ import annotations

from dataclasses import dataclass

from chainlist import formulations, integrators
from chainlist.model.options import OPTIONS, Options


@dataclass(frozen=True)
class Clash:
    """A setting that does not go with the integrator: its key among the options, and why."""

    key: str
    why: str

    def text(self, options: Options) -> str:
        value = getattr(options, self.key)
        return f"{OPTIONS[self.key].name}={value} does not go with INTEGRATOR={options.integrator}"


def clashes(options: Options) -> list[Clash]:
    """Every setting that does not go with the integrator; none where all is well."""
    method, system = integrators.REGISTRY[options.integrator], formulations.REGISTRY[options.daesystem]
    found = []
    if method.holds_constraints:
        why = f"{method.name} holds the constraints itself"
        found += [Clash("daesystem", why)] if not system.projects else []
        found += [Clash("mpi_algo", why)] if options.mpi_algo != "AUTO" else []
    if method.implicit:
        why = f"{method.name} solves springs and constraints together"
        found += [Clash("daesystem", why)] if not system.projects else []
        found += [Clash("mpi_algo", why)] if options.mpi_algo != "AUTO" else []
    if method.adaptive and not system.adaptive:
        why = "its damping is in units of a step, and this integrator has no fixed one"
        found.append(Clash("daesystem", why))
    if method.adaptive and options.energycorrector == "ON":
        why = "an integrator that controls its own error needs no correction of the energy"
        found.append(Clash("energycorrector", why))
    return found
