"""Settings → one bound march kernel. Every plan holds all constraint types, so a new mechanism compiles nothing."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from chainlist import constraints, formulations, integrators, solvers
from chainlist.formulations import Formulation
from chainlist.integrators import Integrator
from chainlist.kernels import adapt, dense, march, rows, settle, sparse, state, survey, widths
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
    careful: bool = True  # with the kernels that singular configurations need; without, a march may ask for them


@dataclass(frozen=True)
class Plan:
    """The kernels of one choice, ready to be called."""

    choice: Choice
    march: Callable[..., int]
    stages: int
    adaptive: bool
    named: bool  # a dense pseudoinverse


def plan(choice: Choice) -> Plan:
    """The plan of a choice; made once, and again only if a type of constraint was registered since."""
    method = integrators.REGISTRY[choice.integrator]
    return _plan(choice, _types(), formulations.REGISTRY[choice.formulation], method, solvers.REGISTRY[choice.solver])


def _types() -> Any:
    return tuple((letter, kind.row, kind.ends) for letter, kind in constraints.REGISTRY.items())


@functools.lru_cache(maxsize=256)
def _plan(choice: Choice, types: Any, system: Formulation, method: Integrator, solver: Solver) -> Plan:
    shop = workshop(choice, types, system, solver, last_at_end=method.last_at_end)
    shop.parts |= method.constants
    shop.put("widths", widths.promise_widths, early=True)
    shop.put("copy", march.copy_state)
    if method.substep is not None:
        shop.put("substep", method.substep, inline=False)
    shop.put("advance", method.advance)
    shop.parts["PROJECTS"] = int(system.projects and not method.holds_constraints)
    shop.put("leap", march.betrays_leap)
    shop.put("watch", march.watch_rank)
    shop.put("keep", march.keep_sample)
    shop.put("diagnose", march.diagnose_step)
    entry = _adaptive(shop, system, method) if method.adaptive else shop.make(march.march, entry=True)
    return Plan(choice, entry, method.stages + method.dense_stages, method.adaptive, solver.pinv is not None)


def _adaptive(shop: Workshop, system: Formulation, method: Integrator) -> Any:
    """The march of an integrator that chooses its own step."""
    assert method.estimate is not None and method.interpolate is not None and method.more_stages is not None
    shop.put("estimate", method.estimate)
    shop.put("more_stages", method.more_stages, inline=False)
    shop.put("interpolate", method.interpolate, inline=False)
    shop.put("overdone", adapt.exceeds_tolerance, inline=False)
    shop.put("tidy", adapt.put_onto_constraints if system.projects else adapt.stay_as_it_is, inline=False)
    shop.put("next_step", adapt.factor_of_step)
    shop.put("leave", adapt.leave_rows_empty, inline=False)
    return shop.make(adapt.adapt, entry=True)


def settler(choice: Choice) -> Any:
    """The kernel that moves a start onto the constraints by damped steps."""
    return _other("settle", choice, _types())


def surveyor(dimension: int, target: str = "cpu") -> Any:
    """The kernel that evaluates Φ and dΦ/dt over samples."""
    return _other("survey", Choice("PROJECTED", "", "AUTO", dimension, target), _types())


def reactor(choice: Choice) -> Any:
    """The kernel that evaluates accelerations and multipliers over samples."""
    return _other("react", choice, _types())


@functools.lru_cache(maxsize=256)
def _other(what: str, choice: Choice, types: Any) -> Any:
    """Entry points beside the march, bound from the same pieces."""
    shop = Workshop(choice.target, DIM=choice.dimension, LAST_AT_END=0)
    _put_rows(shop, types)
    if what == "survey":
        return shop.make(survey.survey, entry=True)
    _put_solver(shop, solvers.REGISTRY[choice.solver])
    if what == "settle":
        return shop.make(settle.settle, entry=True)
    shop.put("rhs", formulations.REGISTRY[choice.formulation].rhs)
    return shop.make(survey.react, entry=True)


def workshop(choice: Choice, types: Any, system: Formulation, solver: Solver, *, last_at_end: bool) -> Workshop:
    """A workshop that holds rows, the pseudoinverse and the system of equations."""
    shop = Workshop(choice.target, DIM=choice.dimension, LAST_AT_END=int(last_at_end))
    _put_rows(shop, types)
    _put_solver(shop, solver, careful=choice.careful)
    shop.put("rescale", state.scale_velocities if choice.corrects else state.leave_velocities, inline=False)
    shop.put("split", state.correction_by_group if choice.apart else state.all_is_one, inline=not choice.apart)
    shop.put("pick", state.most_corrected_group if choice.apart else state.only_group, inline=not choice.apart)
    shop.put("rhs", system.rhs)
    shop.put("land", system.land)
    return shop


def _put_rows(shop: Workshop, types: Any) -> None:
    """One loop per type, each calling the loops of the types before it; the linear rows of bars come last."""
    every = [*((row, ends) for _, row, ends in types), (rows.affine_row, 3)]
    shop.put("rows", rows.no_rows)
    shop.put("spread", rows.no_spread)
    for number, (row, ends) in enumerate(every):
        more = {"TYPE": number, "ENDS": ends}
        shop.put("rows", rows.append_rows, before=shop.parts["rows"], row=shop.make(row), **more)
        shop.put("spread", rows.append_spread, before=shop.parts["spread"], **more)
    shop.put("oppose", rows.oppose_rows, inline=False)
    shop.put("free", rows.gravity)
    shop.put("note", state.write_note, inline=False)
    shop.put("norm2", state.weighted_norm2)
    shop.put("potential", state.potential_energy)
    shop.put("residual", state.largest_residual)
    shop.put("measure", state.row_sizes, inline=False)


def _put_solver(shop: Workshop, solver: Solver, *, careful: bool = True) -> None:
    if solver.pinv is not None:
        shop.put("pinv", solver.pinv, inline=False)
        shop.put("prepare", dense.prepare_dense, inline=False)
        shop.put("push", dense.push_dense, inline=False)
        shop.put("correct", dense.correct_dense)
        return
    if careful:
        _put_care(shop)
    else:
        shop.put("doubtful", sparse.ask_to_judge)
        shop.put("polish", sparse.ask_to_polish)
    shop.put("factor", sparse.ldl)
    shop.put("solve", sparse.substitute)
    shop.put("prepare", sparse.prepare_sparse)
    shop.put("push", sparse.push_sparse)
    shop.put("correct", sparse.correct_sparse)


def _put_care(shop: Workshop) -> None:
    """What only singular configurations and redundant sets need."""
    shop.put("rediagonal", sparse.diagonal_anew, inline=False)
    shop.put("unit_rows", sparse.scatter_unit_rows, inline=False)
    shop.put("choose", sparse.choose_rows, inline=False)
    shop.put("select", sparse.select_rows, inline=False)
    shop.put("doubtful", sparse.judge_by_geometry, inline=False, factor=shop.make(sparse.ldl, inline=False))
    push = shop.make(sparse.push_sparse, solve=shop.make(sparse.substitute))
    shop.put("polish", sparse.polish_sparse, inline=False, push=push)
