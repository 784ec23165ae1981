"""One step of one mechanism as straight code: its kernels, run over symbols (kernels/symbols.py). There is no second source.

The graph depends on the structure alone: lengths, masses, gravity, anchors, starts and the step are inputs, so that all members
of an ensemble share it. Only what is zero by structure is folded away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainlist import formulations, integrators, solvers
from chainlist.compile.layout import make_work
from chainlist.compile.plan import Choice, _kernels, _put_kinds, _put_solver
from chainlist.compile.system import Assembly
from chainlist.elements import REGISTRY
from chainlist.kernels import corrector, state
from chainlist.kernels.bind import Workshop
from chainlist.kernels.bundles import Floats
from chainlist.kernels.gauges import Numbers
from chainlist.kernels.symbols import Graph, Symbol

MOST_ROWS = 64  # beyond, straight code takes longer to compile than it saves
AT_START = 3  # corrections of q with which a run begins
ONLY = "a batch takes only points, links and sliders under gravity"
ETA = 1e-3  # of the motion: a larger correction of velocities betrays a leap


@dataclass(frozen=True)
class Straight:
    """`state` are names of inputs that a step replaces, `after` what it replaces them by; `numbers` are the other inputs."""

    graph: Graph
    state: tuple[str, ...]
    after: tuple[Symbol, ...]
    numbers: tuple[str, ...]


def can_be_straight(assembly: Assembly) -> str:
    """Why a machine cannot be run as straight code; "" where it can."""
    options = assembly.mechanism.options
    method = integrators.REGISTRY[options.integrator]
    if (options.daesystem, options.mpi_algo) != ("PROJECTED", "AUTO") or options.energycorrector == "ON":
        return "a batch takes only DAESYSTEM=PROJECTED with MPI_ALGO=AUTO and no energy corrector"
    if method.adaptive or method.implicit or method.holds_constraints:
        return "a batch takes only explicit integrators of fixed step"
    if assembly.acts or assembly.bars:
        return f"{ONLY}, and no .stop" if assembly.mechanism.stops else ONLY
    if len(assembly.system.groups.size) > 1:
        return "a batch takes only one machine at a time"
    if not 0 < len(assembly.equations) <= MOST_ROWS:
        return f"a batch takes only machines with 1 to {MOST_ROWS} constraints"
    return ""


def trace(assembly: Assembly, *, newton: int = AT_START, landing: bool = False) -> Straight:
    """The graph of a step, with so many corrections of q; `landing`: of its end alone, with which a run begins."""
    graph = Graph()
    inputs = _Inputs(graph, assembly)
    s, w, q, v = inputs.arrays()
    h = inputs.number("h")
    advance, land = _bound(assembly, newton)
    if landing:
        w.qn[...], w.vn[...] = q, v
        land(s, w, 0.0, 0.0, w.qn, w.vn)
    else:
        advance(s, w, 0.0, h, q, v)
        land(s, w, 0.0, h, w.qn, w.vn)
        gauge = w.gauge
        whole = gauge.speed2 + (h * h) * (gauge.free2 + gauge.accel2)
        graph.guard(gauge.eta2, whole * ETA**2)
    squares = sum((phi * phi for phi in w.rows.phi), start=0.0)
    graph.guard(squares, inputs.number("phi2"))
    count, d = assembly.bodies, assembly.q.shape[1]
    blocks = (w.qn, w.vn, w.vdn)
    after = tuple(graph.symbol(block[i, c]) for block in blocks for i in range(count) for c in range(d))
    return Straight(graph, tuple(inputs.state), after, tuple(inputs.names))


class _Inputs:
    """The arrays of a system and of its scratch, with symbols in place of what differs from member to member."""

    def __init__(self, graph: Graph, assembly: Assembly) -> None:
        self.graph, self.assembly = graph, assembly
        self.names: list[str] = []
        self.state: list[str] = []

    def number(self, name: str) -> Symbol:
        if name not in self.names:
            self.names.append(name)
        return self.graph.node("input", name)

    def arrays(self) -> tuple[Any, Any, Any, Any]:
        assembly = self.assembly
        system, count, d = assembly.system, assembly.bodies, assembly.q.shape[1]
        stages = integrators.REGISTRY[assembly.mechanism.options.integrator].stages
        s, w = _symbolic(system), _symbolic(make_work(system, stages=stages, named=False))
        for i in range(count):
            w.mobility[i] = s.inverse_mass[i] = self.number(f"inverse_mass {i}")
            s.mass[i] = self.number(f"mass {i}")
            for c in range(d):
                s.gravity[i, c] = self.number(f"gravity {c}") if system.gravity[i, c] != 0.0 else 0.0
        for k in range(len(assembly.equations)):
            s.table.scale[k] = 0.5 if _is_halved(assembly, k) else self.number(f"scale {k}")
            for p in range(s.table.par.shape[1]):
                s.table.par[k, p] = self.number(f"par {k} {p}") if system.table.par[k, p] != 0.0 else 0.0
        q, v = (np.zeros(assembly.q.shape, object) for _ in range(2))
        for name, block in (("q", q), ("v", v), ("a", w.kv[0])):
            for i in range(count):
                for c in range(d):
                    block[i, c] = self.graph.node("input", f"{name} {i} {c}")
                    self.state.append(f"{name} {i} {c}")
        w.kq[0][:count] = v[:count]
        for i in range(count, len(q)):
            for c in range(d):
                q[i, c] = self.number(f"anchor {i} {c}") if assembly.q[i, c] != 0.0 else 0.0
        return s, w, q, v


def _is_halved(assembly: Assembly, k: int) -> bool:
    """Rows of links, A = (2d, −2d), are halved in place of being scaled to forces: this is exact, and a fifth less work."""
    kind = REGISTRY.get(assembly.equations[k].kind)
    return kind is not None and kind.is_link


def _symbolic(value: Any) -> Any:
    """A named tuple of arrays, those of floats as arrays of objects; gauges likewise."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_symbolic(x) for x in value))
    if isinstance(value, np.ndarray) and value.dtype == float:
        return value.astype(object)
    if isinstance(value, Numbers):
        return type(value)(_symbolic(value.numbers))
    return value


def _bound(assembly: Assembly, newton: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`advance` and `land`, interpreted, as the plan of a run binds them; but corrections are counted, not judged."""
    options, d = assembly.mechanism.options, assembly.q.shape[1]
    method, system = integrators.REGISTRY[options.integrator], formulations.REGISTRY[options.daesystem]
    shop = Workshop("python", DIM=d, ACTS=0, LAST_AT_END=int(method.last_at_end), **method.constants)
    _put_kinds(shop, _kernels(Choice(options.daesystem, options.integrator, options.mpi_algo, d)))
    _put_solver(shop, solvers.REGISTRY["AUTO"], careful=False)
    shop.parts["residual"] = _scheduled(newton)
    shop.put("rescale", corrector.leave_velocities)
    shop.put("split", state.all_is_one)
    shop.put("pick", state.only_group)
    shop.put("rhs", system.rhs)
    shop.put("land", system.land)
    shop.put("advance", method.advance)
    return shop.parts["advance"], shop.parts["land"]


def _scheduled(newton: int) -> Any:
    """In place of the largest residual: so large that `newton` corrections are made, then 0."""
    calls = [0]

    def scheduled(phi: Any, inverse_size: Any) -> float:
        calls[0] += 1
        return 0.0 if calls[0] > newton else 0.4 ** calls[0]

    scheduled.ident = f"scheduled {newton} {id(calls)}"  # type: ignore[attr-defined]  # each counts for itself
    return scheduled


def numbers_of(assembly: Assembly, step: float) -> dict[str, float]:
    """The value of every input of one member, by its name; the state is that of its start."""
    system, count, d = assembly.system, assembly.bodies, assembly.q.shape[1]
    found = {"h": step, "phi2": _allowed(assembly)}
    for i in range(count):
        found[f"inverse_mass {i}"], found[f"mass {i}"] = system.inverse_mass[i], system.mass[i]
    for c in range(d):
        found[f"gravity {c}"] = float(system.gravity[0, c])
    for k in range(len(assembly.equations)):
        found[f"scale {k}"] = float(system.table.scale[k])
        for p in range(system.table.par.shape[1]):
            found[f"par {k} {p}"] = float(system.table.par[k, p])
    for i in range(len(assembly.q)):
        for c in range(d):
            if i >= count:
                found[f"anchor {i} {c}"] = float(assembly.q[i, c])
                continue
            found[f"q {i} {c}"], found[f"v {i} {c}"] = float(assembly.q[i, c]), float(assembly.v[i, c])
            found[f"a {i} {c}"] = 0.0
    return found


def _allowed(assembly: Assembly) -> float:
    """Σ Φ² of a state that lies on its constraints: each within 1e-12 of the size of its row."""
    table = assembly.system.table
    reach: Floats = np.abs(assembly.q).sum(axis=1)
    total = 0.0
    for k in range(len(assembly.equations)):
        size = table.length[k] + sum(reach[table.point[k, e]] for e in range(int(table.ends[k])))
        scale = 0.5 / float(table.scale[k]) if _is_halved(assembly, k) else 1.0  # Φ is a length times this
        total += float(1e-12 * size * scale) ** 2
    return total
