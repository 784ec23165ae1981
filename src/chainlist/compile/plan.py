"""Settings → one bound march kernel. A new mechanism compiles nothing: every plan holds all kinds of rows and forces.

There are two plans for each choice: a lean one for gravity, links and sliders, the paper's machines, and one for everything.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from chainlist import elements, formulations, integrators, solvers
from chainlist.equations.equation import FORMULA, LINEAR, QUADRATIC
from chainlist.equations.tables import force_kinds, row_kinds
from chainlist.formulations import Formulation
from chainlist.integrators import Integrator
from chainlist.kernels import (
    adapt,
    corrector,
    dense,
    forces,
    hinge_landing,
    hinges,
    look,
    march,
    rows,
    settle,
    sparse,
    state,
    survey,
)
from chainlist.kernels.bind import Workshop
from chainlist.solvers import Solver


@dataclass(frozen=True)
class Choice:
    """What decides which kernels are bound."""

    formulation: str
    integrator: str
    solver: str
    dimension: int = 2
    target: str = "cpu"
    apart: bool = False  # several groups of bodies that do not feel one another
    corrects: bool = False  # with the energy corrector
    acts: bool = False  # with forces, drives and formulas
    switches: bool = False  # with rows that hold only at times
    tree: bool = False  # a tree of bodies on hinges, followed from hinge to hinge
    careful: bool = True  # with the kernels that singular configurations need; without, a march may ask for them


@dataclass(frozen=True)
class KernelPlan:
    """The kernels of one choice, ready to be called."""

    choice: Choice
    march: Callable[..., int]
    weigh: Callable[..., int] | None  # of switches: kernels/look.py
    stages: int
    adaptive: bool
    named: bool  # a dense pseudoinverse


def plan(choice: Choice) -> KernelPlan:
    """The plan of a choice; made once, and again only if an element was registered since."""
    method = integrators.REGISTRY[choice.integrator]
    system, solver = formulations.REGISTRY[choice.formulation], solvers.REGISTRY[choice.solver]
    return _plan(choice, _kernels(choice), system, method, solver)


def _kernels(choice: Choice) -> Any:
    """The kernels of all kinds of rows, and of all kinds of forces, that a plan of this choice holds."""
    registry = elements.REGISTRY
    of_rows: list[tuple[Any, int]] = []
    for kind in row_kinds(choice.dimension, plain=not choice.acts):
        if kind == LINEAR:
            of_rows.append((rows.linear_row, 0))
        elif kind == QUADRATIC:
            of_rows.append((rows.quadratic_row, 0))
        elif kind == FORMULA:
            of_rows.append((rows.formula_row, 0))
        else:
            of_rows.append((registry[kind].row, registry[kind].ends))
    of_forces = tuple(registry[kind] for kind in force_kinds()) if choice.acts else ()
    return tuple(of_rows), tuple((kind.force, kind.energy, kind.ends) for kind in of_forces)


@functools.lru_cache(maxsize=256)
def _plan(choice: Choice, kernels: Any, system: Formulation, method: Integrator, solver: Solver) -> KernelPlan:
    shop = Workshop(
        choice.target,
        DIM=choice.dimension,
        ACTS=int(choice.acts),
        SWITCHES=int(choice.switches),
        LAST_AT_END=int(method.last_at_end),
        PROJECTS=int(system.projects and not method.holds_constraints),
        ADAPTIVE=int(method.adaptive),
        METHOD_ORDER=float(method.order),
        **method.constants,
    )
    _put_kinds(shop, kernels)
    _put_solver(shop, solver, careful=choice.careful)
    shop.put(
        "rescale",
        corrector.scale_velocities if choice.corrects else corrector.leave_velocities,
        inline=not choice.corrects,
        early=not choice.corrects,
    )
    shop.put(
        "split",
        state.correction_by_group if choice.apart else state.all_is_one,
        inline=not choice.apart,
        early=not choice.apart,
    )
    shop.put(
        "pick",
        state.most_corrected_group if choice.apart else state.only_group,
        inline=not choice.apart,
        early=not choice.apart,
    )
    if choice.tree:  # called, not inlined: they are long, and would be compiled at each place where they stand
        shop.put("give_way", hinges.hold_back, inline=False, MOVES=1)
        shop.put("nearest", hinges.hold_back, inline=False, MOVES=0)
    shop.put("rhs", hinges.tree_accelerations if choice.tree else system.rhs)
    shop.put("land", hinge_landing.land_on_hinges if choice.tree else system.land)
    if method.substep is not None:
        shop.put("substep", method.substep, inline=False)
    shop.put("advance", method.advance)
    if method.adaptive:
        entry = _adaptive(shop, _tidying(choice, system), method)
    else:
        shop.put("estimate", state.no_estimate)
        entry = shop.make(march.march, entry=True)
    weigh = shop.make(look.weigh, entry=True) if choice.switches else None
    return KernelPlan(
        choice, entry, weigh, method.stages + method.dense_stages, method.adaptive, solver.pinv is not None
    )


def _tidying(choice: Choice, system: Formulation) -> Any:
    """What puts states between two steps onto the constraints."""
    if choice.tree:
        return hinge_landing.tidy_on_hinges
    return adapt.put_onto_constraints if system.projects else adapt.stay_as_it_is


def _adaptive(shop: Workshop, tidy: Any, method: Integrator) -> Any:
    """The march of an integrator that chooses its own step."""
    assert method.estimate is not None and method.interpolate is not None and method.more_stages is not None
    shop.put("estimate", method.estimate)
    shop.put("more_stages", method.more_stages, inline=False)
    shop.put("interpolate", method.interpolate, inline=False)
    shop.put("tidy", tidy, inline=False)
    return shop.make(adapt.adapt, entry=True)


def settler(choice: Choice) -> Any:
    """The kernel that moves a start onto the constraints by damped steps."""
    return _other("settle", choice, _kernels(choice))


def surveyor(dimension: int, target: str = "cpu", *, acts: bool = False) -> Any:
    """The kernel that evaluates Φ, dΦ/dt and energies over samples."""
    choice = Choice("PROJECTED", "", "AUTO", dimension, target, acts=acts)
    return _other("survey", choice, _kernels(choice))


def reactor(choice: Choice) -> Any:
    """The kernel that evaluates accelerations and multipliers over samples."""
    return _other("react", choice, _kernels(choice))


@functools.lru_cache(maxsize=256)
def _other(what: str, choice: Choice, kernels: Any) -> Any:
    """Entry points beside the march, bound from the same pieces."""
    constants = {"DIM": choice.dimension, "ACTS": int(choice.acts), "SWITCHES": int(choice.switches)}
    shop = Workshop(choice.target, LAST_AT_END=0, **constants)
    _put_kinds(shop, kernels)
    if what == "survey":
        return shop.make(survey.survey, entry=True)
    _put_solver(shop, solvers.REGISTRY[choice.solver])
    if what == "settle":
        return shop.make(settle.settle, entry=True)
    shop.put("rhs", formulations.REGISTRY[choice.formulation].rhs)
    return shop.make(survey.react, entry=True)


def _put_kinds(shop: Workshop, kernels: Any) -> None:
    """One loop per kind, each calling the loops of the kinds before it."""
    of_rows, of_forces = kernels
    shop.put("rows", rows.no_rows, early=True)
    shop.put("spread", rows.no_spread, early=True)
    for number, (row, ends) in enumerate(of_rows):
        more = {"TYPE": number, "ENDS": ends}
        bound = shop.make(row, inline=getattr(row, "inline", True))
        shop.put("rows", rows.append_rows, before=shop.parts["rows"], row=bound, **more)
        shop.put("spread", rows.append_spread, before=shop.parts["spread"], **more)
    shop.put("acting", forces.no_forces)
    shop.put("storing", forces.no_energy)
    for number, (force, energy, ends) in enumerate(of_forces):
        more = {"TYPE": number, "ENDS": ends}
        potential = int(energy is not None)
        bound = shop.make(force)
        before = shop.parts["acting"]
        shop.put("acting", forces.append_forces, before=before, force=bound, POTENTIAL=potential, **more)
        if energy is not None:
            shop.put(
                "storing", forces.append_energy, before=shop.parts["storing"], energy=shop.make(energy), TYPE=number
            )
    shop.put("free", forces.all_forces if of_forces else forces.gravity_alone)


def _put_solver(shop: Workshop, solver: Solver, *, careful: bool = True) -> None:
    if solver.pinv is not None:
        shop.put("pinv", solver.pinv, inline=False)
        shop.put("prepare", dense.prepare_dense, inline=False)
        shop.put("push", dense.push_dense, inline=False)
        shop.put("correct", dense.correct_dense)
        return
    if careful:  # what only singular configurations and redundant sets need
        shop.put("doubtful", sparse.judge_by_geometry, inline=False)
        shop.put("polish", sparse.polish_sparse, inline=False, push=shop.make(sparse.push_sparse))
    else:
        shop.put("doubtful", sparse.ask_to_judge)
        shop.put("polish", sparse.ask_to_polish)
    shop.put("prepare", sparse.prepare_sparse)
    shop.put("push", sparse.push_sparse)
    shop.put("correct", sparse.correct_sparse)
