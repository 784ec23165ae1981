"""The arrays of a mechanism, held against finite differences and against the textbook."""

import numpy as np
import pytest

from chainlist.compile.read import parse
from chainlist.elements import REGISTRY
from chainlist.model.equations import equations, lay_out, rows
from chainlist.model.mechanism import Body, Element, Mechanism, Transient
from chainlist.model.options import Options
from chainlist.syntax.source import Source, Span

SPAN = Span(Source("test", ""), 0, 0)


def mechanism(dimension: int = 2) -> Mechanism:
    """Two bodies: a link to an anchor, a link between them, and (in the plane) a slider."""
    rng = np.random.default_rng(3)
    places = {name: tuple(rng.normal(size=dimension).tolist()) for name in ("B1", "B2")}
    anchor = (0.5,) * dimension
    bodies = tuple(
        Body(n, p, m, p, (0.0,) * dimension, SPAN) for (n, p), m in zip(places.items(), (2.0, 3.0), strict=True)
    )
    link = REGISTRY["C"].parameters
    constraints = [
        Element("C1", "C", (anchor, "B1"), link((None,), (anchor, places["B1"])), SPAN),
        Element("C2", "C", ("B2", "B1"), link((1.5,), (places["B2"], places["B1"])), SPAN),
        Element("S1", "S", ("B2",), (1.0, -2.0, *([3.0] * (dimension - 2)), 0.25), SPAN),
    ]
    return Mechanism("", bodies, tuple(constraints), Options(), Transient(0, 1, 0.1))


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_and_b_are_the_derivatives_of_phi(dimension: int) -> None:
    machine = mechanism(dimension)
    assert {constraint.letter for constraint in machine.constraints} == set(REGISTRY)  # a new type needs its case
    rng = np.random.default_rng(1)
    q, v = rng.normal(size=(2, 2, dimension))
    A, b, phi, _, _ = equations(machine, q, v)
    h = 1e-4

    def at(t: float) -> np.ndarray:
        return equations(machine, q + t * v, v).phi

    np.testing.assert_allclose(A @ v.reshape(-1), (at(h) - at(-h)) / (2 * h), atol=1e-7)
    np.testing.assert_allclose(-b, (at(h) - 2 * at(0) + at(-h)) / h**2, atol=1e-6)
    np.testing.assert_allclose(phi, at(0))


def test_pendulum_accelerates_as_in_the_textbook() -> None:
    place = (0.6, -0.8)
    machine = Mechanism(
        "",
        (Body("B1", place, 2.0, place, (0.0, 0.0), SPAN),),
        (Element("C1", "C", ("B1", (0.0, 0.0)), (1.0, 1.0), SPAN),),
        Options(gravity=10.0),
        Transient(0, 1, 0.1),
    )
    speed = 3.0
    v = np.array([[0.8, 0.6]]) * speed
    A, b, phi, M, F = equations(machine, [place], v)
    zero = np.zeros((1, 1))
    a = np.linalg.solve(np.block([[M, -A.T], [A, zero]]), np.concatenate([F, b]))[:2]
    radial, tangent = np.array(place), np.array([0.8, 0.6])
    np.testing.assert_allclose(a, -(speed**2) * radial - 10.0 * 0.6 * tangent)
    assert phi == pytest.approx(0)


def test_links_from_positions_fit_exactly() -> None:
    machine = mechanism()
    found = rows(machine, [body.position for body in machine.bodies], np.zeros((2, 2)))
    assert found.phi[0] == 0
    assert lay_out(machine).anchors == ((0.5, 0.5),)
    assert found.point.tolist() == [[2, 0], [1, 0], [1, 1]]
    assert found.J[2, 1].tolist() == [0, 0]


def test_only_some_rows() -> None:
    machine = mechanism()
    q = [body.position for body in machine.bodies]
    some = lay_out(machine).evaluate(q, only=[1])
    everything = lay_out(machine).evaluate(q)
    assert some.phi.tolist() == [0, everything.phi[1], 0]
    assert not some.J[0].any() and not some.J[2].any()


def test_a_mechanism_without_anything() -> None:
    empty = Mechanism("", (), (), Options(), Transient(0, 1, 0.1))
    A, b, phi, M, F = equations(empty, np.zeros((0, 2)), np.zeros((0, 2)))
    assert (A.shape, b.shape, phi.shape, M.shape, F.shape) == ((0, 0), (0,), (0,), (0, 0), (0,))


def test_many_rows_at_once_are_the_rows_one_by_one() -> None:
    """Kernels without branches take all rows together; the bits must not show it."""
    rng = np.random.default_rng(5)
    places = {f"B{k}": tuple(rng.normal(size=2).tolist()) for k in range(30)}
    bodies = tuple(Body(n, p, 1.0, p, (0.0, 0.0), SPAN) for n, p in places.items())
    link = REGISTRY["C"].parameters
    constraints = [
        Element(f"C{k}", "C", (f"B{k}", f"B{k + 1}"), link((None,), (places[f"B{k}"], places[f"B{k + 1}"])), SPAN)
        for k in range(29)
    ]
    constraints += [Element(f"S{k}", "S", (f"B{k}",), (1.0, 0.5 * k, 0.1), SPAN) for k in range(30)]
    layout = lay_out(Mechanism("", bodies, tuple(constraints), Options(), Transient(0, 1, 0.1)))
    q, v = rng.normal(size=(2, 30, 2))
    together = layout.evaluate(q, v)
    for k in range(len(constraints)):
        alone = layout.evaluate(q, v, only=[k])
        assert (alone.phi[k], alone.b[k]) == (together.phi[k], together.b[k])
        assert alone.J[k].tolist() == together.J[k].tolist()


def test_a_whole_motion_is_not_one_state() -> None:
    mechanism = parse("* P\nB1 (1,0) 1\nB2 (2,0) 1\nC1 B1 (0,0)\nC2 B1 B2\n")
    motion = np.zeros((5, 2, 2))
    with pytest.raises(ValueError, match=r"q has the shape \(5, 2, 2\).*one state, such as motion.q\[0\]"):
        mechanism.equations(motion, motion)
    with pytest.raises(ValueError, match=r"one state, such as motion.v\[0\]"):
        mechanism.equations(motion[0], motion[:, 0])
