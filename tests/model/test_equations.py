"""The arrays of a mechanism, held against finite differences and against the textbook."""

import numpy as np
import pytest

from chainlist.compile.read import parse
from chainlist.elements import REGISTRY
from chainlist.equations.rowset import RowSet, row_set
from chainlist.model.mechanism import Body, Element, Mechanism, Transient
from chainlist.model.options import Options
from chainlist.syntax.source import Source, Span

from ..cards import OF_FORCES, OF_POSITIONS, OF_VELOCITIES, SWITCHED, with_bodies

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


def rows_of(machine: Mechanism) -> RowSet:
    start = np.array([body.start for body in machine.bodies], float)
    return row_set([body.name for body in machine.bodies], start, machine.constraints, as_written=True)


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_and_b_are_the_derivatives_of_phi(dimension: int) -> None:
    machine = mechanism(dimension)
    rng = np.random.default_rng(1)
    q, v = rng.normal(size=(2, 2, dimension))
    A, b, phi, _, _ = machine.equations(q, v)
    h = 1e-4

    def at(t: float) -> np.ndarray:
        return machine.equations(q + t * v, v).phi

    np.testing.assert_allclose(A @ v.reshape(-1), (at(h) - at(-h)) / (2 * h), atol=1e-7)
    np.testing.assert_allclose(-b, (at(h) - 2 * at(0) + at(-h)) / h**2, atol=1e-6)
    np.testing.assert_allclose(phi, at(0))


def four_bodies(machine, *cards: str) -> Mechanism:
    found = machine(*with_bodies(*cards))
    assert found.codes == [], found.said
    return found.mechanism


def test_every_type_has_its_case() -> None:
    cases = {card[0] for card in (*OF_POSITIONS, *OF_VELOCITIES, *OF_FORCES, *SWITCHED)}
    assert cases == {letter for letter, kind in REGISTRY.items() if not kind.rigid}  # see tests/elements/test_rigid.py


STATE = np.random.default_rng(3).normal(size=(2, 4, 2))
MOMENT = 0.3


@pytest.mark.parametrize("card", OF_POSITIONS)
def test_a_b_and_c_are_the_derivatives_of_phi_along_a_motion(machine, card: str) -> None:
    made, h = four_bodies(machine, card), 1e-4
    q, v = STATE

    def at(t: float) -> np.ndarray:
        return made.equations(q + t * v, v, MOMENT + t).phi

    found = made.equations(q, v, MOMENT)
    assert np.abs(found.phi).max() > 0
    np.testing.assert_allclose(found.A @ v.reshape(-1) - found.c, (at(h) - at(-h)) / (2 * h), atol=1e-6)
    np.testing.assert_allclose(-found.b, (at(h) - 2 * at(0) + at(-h)) / h**2, atol=2e-6)


@pytest.mark.parametrize("card", OF_VELOCITIES)
def test_a_row_of_velocities_has_the_derivative_of_a_v_minus_c(machine, card: str) -> None:
    made, h = four_bodies(machine, card), 1e-5
    q, v = STATE

    def at(t: float) -> np.ndarray:
        found = made.equations(q + t * v, v, MOMENT + t)
        return (found.A @ v.reshape(-1) - found.c)[-1]

    found = made.equations(q, v, MOMENT)
    assert found.phi[-1] == 0 and abs(at(0)) > 1e-3
    np.testing.assert_allclose(-found.b[-1], (at(h) - at(-h)) / (2 * h), rtol=1e-7, atol=1e-7)


def test_forces_are_those_of_the_textbook(machine) -> None:
    q, v = STATE
    one, two, three = q[:3]
    apart = float(np.linalg.norm(two - one))
    along = (two - one) / apart
    u = v[1] - v[0]

    def on(card: str, body: int) -> np.ndarray:
        made = four_bodies(machine, card, ".options gravity=0")
        force = made.equations(q, v, MOMENT).F.reshape(-1, 2)
        return force[body]

    np.testing.assert_allclose(on("K1 B1 B2 3 L0=0.5", 0), 3 * (apart - 0.5) * along)
    np.testing.assert_allclose(on("K1 B1 B2 3 L0=0.5", 1), -3 * (apart - 0.5) * along)
    both = 3 * (apart - 0.5) + 0.7 * float(along @ u)
    np.testing.assert_allclose(on("K1 B1 B2 3 L0=0.5 DAMP=0.7", 0), both * along)
    np.testing.assert_allclose(on("K1 B1 B2 {5*(DIST(B1,B2)-1)**3}", 0), 5 * (apart - 1) ** 3 * along)
    np.testing.assert_allclose(on("D1 B1 B2 0.5", 0), 0.5 * float(along @ u) * along)
    np.testing.assert_allclose(on("D1 B1 0.5", 0), -0.5 * v[0])
    np.testing.assert_allclose(on("F1 B1 ({sin(time)},{X(B2)*VY(B1)})", 0), [np.sin(MOMENT), two[0] * v[0, 1]])
    np.testing.assert_allclose(on("F1 B1 B2 {4-SPEED(B1)}", 1), -(4 - np.linalg.norm(v[0])) * along)
    arm = np.array([0.5, 0.5]) - one  # from the first end of C1 to its second
    turn = np.array([arm[1], -arm[0]]) / (arm @ arm)  # ∂ANGLE/∂B1
    np.testing.assert_allclose(on("T1 C1 {time}", 0), MOMENT * turn)
    left, right = one - two, three - two
    angle = np.arctan2(left[0] * right[1] - left[1] * right[0], left @ right)
    outward = np.array([left[1], -left[0]]) / (left @ left)  # B1 goes this way where the angle at B2 grows
    off = np.angle(np.exp(1j * (angle - 1)))  # on the turn nearest to rest
    np.testing.assert_allclose(on("K1 ANGLE(B1,B2,B3) 2 A0=1", 0), -2 * off * outward, rtol=1e-12)


@pytest.mark.parametrize("card", OF_FORCES)
def test_what_acts_between_bodies_moves_nothing_as_a_whole(machine, card: str) -> None:
    """Action and reaction: no force and no torque in sum, but for those that act from outside."""
    if any(word in card for word in ("(1,1)", "time)", "F1", "F3", "T1", "T2", "D2", "K6")):
        return
    force = four_bodies(machine, card, ".options gravity=0").equations(*STATE, MOMENT).F.reshape(-1, 2)
    assert np.abs(force).max() > 0.01
    np.testing.assert_allclose(force.sum(axis=0), 0, atol=1e-14)
    q = STATE[0]
    np.testing.assert_allclose(np.sum(q[:, 0] * force[:, 1] - q[:, 1] * force[:, 0]), 0, atol=1e-13)


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
    A, b, phi, M, F = machine.equations([place], v)
    zero = np.zeros((1, 1))
    a = np.linalg.solve(np.block([[M, -A.T], [A, zero]]), np.concatenate([F, b]))[:2]
    radial, tangent = np.array(place), np.array([0.8, 0.6])
    np.testing.assert_allclose(a, -(speed**2) * radial - 10.0 * 0.6 * tangent)
    assert phi == pytest.approx(0)


def test_links_from_positions_fit_exactly() -> None:
    rows = rows_of(mechanism())
    found = rows.at([body.position for body in mechanism().bodies], np.zeros((2, 2)))
    assert found.phi[0] == 0
    assert rows.points.number == {"B1": 0, "B2": 1, (0.5, 0.5): 2}
    assert rows.table.point.tolist() == [[2, 0], [1, 0], [1, 1]]
    assert rows.body.tolist() == [[-1, 0], [1, 0], [1, -1]]
    assert found.J[2, 1].tolist() == [0, 0]


def test_only_some_rows() -> None:
    rows = rows_of(mechanism())
    q = [body.position for body in mechanism().bodies]
    some = rows.at(q, only=[1])
    everything = rows.at(q)
    assert some.phi.tolist() == [0, everything.phi[1], 0]
    assert not some.J[0].any() and not some.J[2].any()


def test_a_mechanism_without_anything() -> None:
    empty = Mechanism("", (), (), Options(), Transient(0, 1, 0.1))
    A, b, phi, M, F = empty.equations(np.zeros((0, 2)), np.zeros((0, 2)))
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
    rows = rows_of(Mechanism("", bodies, tuple(constraints), Options(), Transient(0, 1, 0.1)))
    q, v = rng.normal(size=(2, 30, 2))
    together = rows.at(q, v)
    for k in range(len(constraints)):
        alone = rows.at(q, v, only=[k])
        assert (alone.phi[k], alone.b[k]) == (together.phi[k], together.b[k])
        assert alone.J[k].tolist() == together.J[k].tolist()


def test_a_whole_motion_is_not_one_state() -> None:
    mechanism = parse("* P\nB1 (1,0) 1\nB2 (2,0) 1\nC1 B1 (0,0)\nC2 B1 B2\n")
    motion = np.zeros((5, 2, 2))
    with pytest.raises(ValueError, match=r"q has the shape \(5, 2, 2\).*one state, such as motion.q\[0\]"):
        mechanism.equations(motion, motion)
    with pytest.raises(ValueError, match=r"one state, such as motion.v\[0\]"):
        mechanism.equations(motion[0], motion[:, 0])
