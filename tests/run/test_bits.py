"""Interpreted and compiled runs: equal bits, for plans that together use every kernel."""

import numpy as np
import pytest

import chainlist
from chainlist import formulations, integrators, solvers
from chainlist.run.simulate import simulate
from tests.machines import chain, lever, machine, slider_crank

PLANS = [
    ("PROJECTED", "RK4", "AUTO"),
    ("INDEX1", "MIDPOINT", "SVD"),
    ("INDEX1_2", "HEUN", "GREVILLE"),
    ("INDEX1_2_DAMPED", "EULER", "GENCHOLESKY"),
    ("PROJECTED", "SSPRK3", "CHOLESKY"),
    ("PROJECTED", "DOPRI5", "AUTO"),
    ("INDEX1", "DOP853", "AUTO"),
    ("PROJECTED", "RATTLE", "AUTO"),
    ("PROJECTED", "RATTLE4", "AUTO"),
    ("PROJECTED", "SDIRK4", "AUTO"),
]


def test_the_plans_use_every_choice():
    for at, registry in enumerate((formulations.REGISTRY, integrators.REGISTRY, solvers.REGISTRY)):
        assert {plan[at] for plan in PLANS} == set(registry)


@pytest.mark.parametrize("plan", PLANS, ids="-".join)
def test_twenty_steps(plan):
    system, method, algo = plan
    settings = {"daesystem": system, "integrator": method, "mpi_algo": algo, "tran": (0.0, 0.2, 0.01)}
    machines = [slider_crank(**settings)]
    if algo == "AUTO":  # straight bars, and rows that depend on others
        machines += [lever(**settings), parallelogram(**settings)]
    for mechanism in machines:
        compiled, interpreted = simulate(mechanism), simulate(mechanism, target="python")
        assert compiled.status.ok
        np.testing.assert_array_equal(compiled.q, interpreted.q)
        np.testing.assert_array_equal(compiled.v, interpreted.v)


ACTING = """* A crank that is driven, and much that hangs on it
.func push(x)=if(x>0,x**3,0)
B1 (1,0) 1
B2 (3,0) 2
B3 (3,-1) 0.5
B4 (2,-2) 0.5
C1 B1 (0,0)
C2 B1 B2 LENGTH={2+0.01*sin(3*time)}
C3 B2 B3
C4 B3 (2,1) B4
M1 C1 SPEED={5+pulse(time,0,1,0.05,0.01,0.01,0.05,0.2)}
S1 B2 LINE({-sin(0.1*time)},{cos(0.1*time)},0)
G1 {X(B4)}={2+0.1*time}
K1 B3 (3,-2) 20 L0=0.5 DAMP=0.3
K2 ANGLE(B1,B2,B3) 2 DAMP=0.1
D1 B3 B4 0.4
F1 B3 ({cos(time)},{-push(Y(B3)+1)*SPEED(B3)})
T1 C3 {spline(time,0,0,1,2,2,1)-0.1*OMEGA(C3)}
.tran 0 0.2 0.01
"""


# The same without what depends on velocities, which RATTLE does not take.
OF_PLACES = (
    ACTING.replace("SPEED={5+pulse(time,0,1,0.05,0.01,0.01,0.05,0.2)}", "ANGLE={5*time}")
    .replace(" DAMP=0.3", "")
    .replace(" DAMP=0.1", "")
    .replace("D1 B3 B4 0.4\n", "")
    .replace("*SPEED(B3)", "")
    .replace("-0.1*OMEGA(C3)", "")
)


@pytest.mark.parametrize("method", ["RK4", "DOPRI5", "RATTLE", "SDIRK4"])
def test_steps_with_forces_drives_and_formulas(method):
    text = OF_PLACES if method == "RATTLE" else ACTING
    if method == "SDIRK4":  # interpreted, a step of it takes a second
        text = text.replace(".tran 0 0.2 0.01", ".tran 0 0.04 0.01")
    mechanism = chainlist.parse(text + f".options INTEGRATOR={method}\n.plot Time\n")
    compiled, interpreted = simulate(mechanism), simulate(mechanism, target="python")
    assert compiled.status.ok
    np.testing.assert_array_equal(compiled.q, interpreted.q)
    np.testing.assert_array_equal(compiled.v, interpreted.v)
    np.testing.assert_array_equal(compiled.memory, interpreted.memory)


def parallelogram(**settings):
    """Three parallel cranks on one coupler that is a straight bar: a bar, and one redundant link."""
    bodies = {f"B{k}": (k, -1.0) for k in range(3)}
    links = {f"C{k + 1}": (f"B{k}", (float(k), 0.0)) for k in range(3)}
    links |= {"C4": ("B0", "B1"), "C5": ("B1", "B2"), "C6": ("B0", "B2")}
    return machine(bodies, links, velocity=dict.fromkeys(bodies, (1.0, 0.0)), **settings)


@pytest.mark.parametrize("algo", ["AUTO", "SVD"])
def test_renaming_leaves_every_bit_and_reordering_all_but_rounding(algo):
    settings = {"mpi_algo": algo, "tran": (0.0, 0.3, 1e-2)}
    first = simulate(chain(5, **settings), target="python")
    bodies = {f"B{10 - i}": (0.2 * i, 0.0) for i in range(1, 6)}
    links = {"C9": ("B9", (0, 0)), **{f"C{9 - i}": (f"B{10 - i}", f"B{9 - i}") for i in range(1, 5)}}
    renamed = simulate(machine(bodies, links, **settings), target="python")
    np.testing.assert_array_equal(first.q, renamed.q)
    backwards = machine(dict(reversed(bodies.items())), dict(reversed(links.items())), **settings)
    np.testing.assert_allclose(simulate(backwards, target="python").q[:, ::-1], first.q, atol=1e-13)
