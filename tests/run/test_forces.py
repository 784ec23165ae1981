"""Accelerations and forces against dense least squares and statics."""

import numpy as np
import pytest

import chainlist
from chainlist.compile.system import assemble
from chainlist.run.forces import accelerations_and_multipliers, forces_at
from tests.machines import chain, crosshair, double_pendulum, lever, machine, slider_crank


def dense(mechanism, q, v):
    """Accelerations and least-norm multipliers of (1), by NumPy alone, from links and sliders as the paper writes them."""
    bodies = mechanism.body_index
    mass = np.repeat([body.mass for body in mechanism.bodies], 2)
    A, b = np.zeros((len(mechanism.constraints), 2 * len(bodies))), np.zeros(len(mechanism.constraints))
    for k, c in enumerate(mechanism.constraints):
        if c.letter == "S":
            i = bodies[c.ends[0]]
            A[k, 2 * i : 2 * i + 2] = c.parameters[:2]
            continue
        place = [q[bodies[e]] if isinstance(e, str) else np.array(e) for e in c.ends]
        speed = [v[bodies[e]] if isinstance(e, str) else np.zeros(2) for e in c.ends]
        for end, sign in zip(c.ends, (1, -1), strict=True):
            if isinstance(end, str):
                A[k, 2 * bodies[end] : 2 * bodies[end] + 2] = 2 * sign * (place[0] - place[1])
        b[k] = -2 * ((speed[0] - speed[1]) ** 2).sum()
    free = np.tile([0.0, -mechanism.options.gravity], len(bodies))
    B = A / np.sqrt(mass)
    a = free + np.linalg.pinv(B, rcond=1e-8) @ (b - A @ free) / np.sqrt(mass)
    lam = np.linalg.lstsq(A.T, mass * (free - a), rcond=1e-8)[0]
    return a.reshape(-1, 2), lam


def net(side, seed):
    """A square net of links with two corners anchored, at random places: closed loops, fill in L."""
    rng = np.random.default_rng(seed)
    bodies = {
        f"B{side * i + j}": tuple(np.array([i, j]) + 0.2 * rng.normal(size=2)) for i in range(side) for j in range(side)
    }
    links = {"C1": ("B0", (-1.0, 0.0)), "C2": (f"B{side * (side - 1)}", (side + 0.0, 0.5))}
    for i in range(side):
        for j in range(side):
            if i + 1 < side:
                links[f"C{len(links) + 1}"] = (f"B{side * i + j}", f"B{side * (i + 1) + j}")
            if j + 1 < side:
                links[f"C{len(links) + 1}"] = (f"B{side * i + j}", f"B{side * i + j + 1}")
    mass = {name: float(rng.uniform(0.5, 3.0)) for name in bodies}
    return machine(bodies, links, mass=mass)


@pytest.mark.parametrize("mechanism", [double_pendulum(), chain(9), slider_crank(), crosshair(), net(4, 1), net(6, 2)])
@pytest.mark.parametrize("algo", ["AUTO", "SVD"])
def test_sparse_and_named_equal_dense(mechanism, algo):
    rng = np.random.default_rng(7)
    q = np.array([[body.start for body in mechanism.bodies]])
    v = rng.normal(size=q.shape)
    if algo == "SVD" and len(mechanism.bodies) > 20:
        pytest.skip("AUTO is the one for large machines")
    options = mechanism.options.__class__(mpi_algo=algo, daesystem="INDEX1")
    mechanism = mechanism.__class__("", mechanism.bodies, mechanism.constraints, options, mechanism.transient)
    forces = forces_at(mechanism, q, v)
    a, lam = dense(mechanism, q[0], v[0])
    scale = np.abs(a).max()
    np.testing.assert_allclose(forces.acceleration[0], a, atol=1e-11 * scale)
    np.testing.assert_allclose(forces.multiplier[0], lam, atol=1e-10 * np.abs(lam).max() + 1e-12)
    assert forces.unique.all()


def test_a_hanging_chain_carries_what_is_below():
    hanging = machine(
        {"B1": (0, -1), "B2": (0, -2), "B3": (0, -3)},
        {"C1": ("B1", (0, 0)), "C2": ("B1", "B2"), "C3": ("B2", "B3")},
        mass={"B2": 2.0},
        gravity=10.0,
    )
    q = np.array([[[0, -1], [0, -2], [0, -3]]], float)
    forces = forces_at(hanging, q, np.zeros_like(q))
    np.testing.assert_allclose(forces.tension[0], [40, 30, 10], atol=1e-12)
    np.testing.assert_allclose(forces.multiplier[0], [20, 15, 5], atol=1e-12)
    np.testing.assert_allclose(forces.acceleration, 0, atol=1e-12)


def test_a_slider_bears_a_weight_along_its_normal():
    rail = machine({"B1": (0, 0)}, {"S1": ("B1", 0, 2, 0)}, gravity=10.0)
    forces = forces_at(rail, np.zeros((1, 1, 2)), np.zeros((1, 1, 2)))
    assert forces.tension[0, 0] == pytest.approx(10.0)
    assert forces.multiplier[0, 0] == pytest.approx(-5.0)


def test_equal_links_share_the_load():
    double = machine({"B1": (0, -1)}, {"C1": ("B1", (0, 0)), "C2": ("B1", (0, 0))}, gravity=10.0)
    q = np.array([[[0, -1]]], float)
    forces = forces_at(double, q, np.zeros_like(q))
    np.testing.assert_allclose(forces.tension[0], [5, 5], atol=1e-12)
    assert not forces.unique.any()


def test_the_papers_lever_bends():
    q = np.array([[[-1, 0], [1, 0]]], float)
    forces = forces_at(lever(), q, np.zeros_like(q))
    np.testing.assert_allclose(forces.acceleration[0], [[0, 3.27], [0, -3.27]], atol=1e-12)
    np.testing.assert_allclose(forces.shear[0], [13.08, 13.08, 13.08], atol=1e-12)
    assert not forces.unique.any()


def test_a_turning_lever_is_pulled_outwards():
    """At angular speed ω each arm of length 1 carries m ω²; of the three links the split of least norm balances this."""
    q, v = np.array([[[-1, 0], [1, 0]]], float), np.array([[[0, -2], [0, 2]]], float)
    forces = forces_at(lever(gravity=0.0), q, v)
    tension = forces.tension[0]
    assert tension[0] + tension[2] == pytest.approx(4.0)
    assert tension[1] + tension[2] == pytest.approx(8.0)
    np.testing.assert_allclose(tension, np.linalg.pinv([[1, 0, 1], [0, 1, 1]]) @ [4, 8], atol=1e-12)


def test_an_assembly_is_accepted_as_well():
    mechanism = double_pendulum()
    q = np.array([[[0, -1], [1, -1]]], float)
    one, other = forces_at(mechanism, q, 0 * q), accelerations_and_multipliers(assemble(mechanism), q, 0 * q)
    np.testing.assert_array_equal(one.tension, other.tension)


@pytest.mark.parametrize("algo", ["AUTO", "SVD"])
def test_the_split_of_least_norm_is_one_of_forces_whatever_the_pseudoinverse(algo):
    """A braced square, its links of different lengths: tensions against least squares in newtons."""
    places = {"B1": (0.0, -1.0), "B2": (1.0, -1.0), "B3": (1.0, 0.0)}
    links = {"C1": ("B1", (0, 0)), "C2": ("B1", "B2"), "C3": ("B2", "B3"), "C4": ("B3", (0, 0))}
    links |= {"C5": ("B2", (0, 0)), "C6": ("B1", "B3")}
    square = machine(places, links, mass={"B2": 2.0, "B3": 3.0}, mpi_algo=algo, daesystem="INDEX1")
    q = np.array([list(places.values())] * 2)
    forces = forces_at(square, q, np.zeros_like(q))
    pull = np.zeros((6, 3, 2))  # of a unit tension in each link on each body
    for k, ends in enumerate(links.values()):
        at = [np.array(places.get(end, end), float) for end in ends]
        along = (at[1] - at[0]) / np.linalg.norm(at[1] - at[0])
        for end, direction in zip(ends, (along, -along), strict=True):
            if end in places:
                pull[k, list(places).index(end)] = direction
    needed = np.array([1.0, 2.0, 3.0])[:, None] * (forces.acceleration[0] + [0, 9.81])
    expected = np.linalg.pinv(pull.reshape(6, 6).T, rcond=1e-9) @ needed.reshape(6)
    np.testing.assert_allclose(forces.tension, [expected] * 2, atol=1e-12)
    assert not forces.unique.any()


@pytest.mark.parametrize("algo", ["AUTO", "SVD"])
def test_rows_of_a_broken_run_have_no_forces(algo):
    double = machine({"B1": (0, -1)}, {"C1": ("B1", (0, 0)), "C2": ("B1", (0, 0))}, gravity=10.0, mpi_algo=algo)
    q = np.array([[[0, -1]], [[np.nan, np.nan]], [[np.inf, 0]]], float)
    forces = forces_at(double, q, np.zeros_like(q))
    np.testing.assert_allclose(forces.tension[0], [5, 5], atol=1e-12)
    assert not np.isfinite(forces.tension[1]).any()


def test_a_moving_anchor_goes_by_functions_that_are_made_of_others():
    text = "* Carried\nB1 (0,1) 1\nJ1 B1 ({smooth(time,0.2,0.4)-smooth(time,0.5,0.6)},{hypot(time,1)})\n.tran 0 1 10ms\n.plot Q(B1)\n"
    motion = chainlist.simulate(text)
    x, y = motion.q[:, 0].T
    np.testing.assert_allclose(x[[10, 30, 45, 55, 100]], [0, 0.5, 1, 0.5, 0], atol=1e-12)
    np.testing.assert_allclose(y, np.hypot(motion.t, 1), atol=1e-12)
