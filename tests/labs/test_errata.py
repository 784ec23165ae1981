"""Each erratum of the paper, shown by numbers: what is printed does not work, what is meant does.

Number 3 and the first half of 18 are about notation and about what is not said, 21 about a reference and 23 about a
program in C#: there is nothing to run.
"""

import numpy as np
import pytest

import chainlist
from chainlist.labs.bench import listing, motion, values

UNEQUAL = "* Double pendulum\nB1 (0.6,-0.8) 1\nB2 (1.4,-1.4) 5\nC1 B1 (0,0)\nC2 B2 B1\n.options gravity=9.81\n"


@pytest.fixture
def state():
    """A double pendulum with unequal masses, its velocities tangent to the constraints."""
    mechanism = chainlist.parse(UNEQUAL)
    q = np.array([body.start for body in mechanism.bodies])
    A = mechanism.equations(q, np.zeros_like(q)).A
    v = np.array([0.3, -0.7, 1.1, 0.2])
    v = (v - np.linalg.pinv(A) @ A @ v).reshape(q.shape)
    return mechanism, q, v


def exact_acceleration(at):
    """From the whole system (3): M a + Aᵀλ = F with A a = b."""
    rows, size = at.A.shape
    matrix = np.block([[at.M, at.A.T], [at.A, np.zeros((rows, rows))]])
    solution = np.linalg.solve(matrix, np.concatenate([at.F, at.b]))
    return solution[:size], solution[size:]


def test_01_b_needs_the_velocity_twice(state):
    mechanism, q, v = state
    h = 1e-6

    def Av(place):
        return mechanism.equations(place, v).A @ v.ravel()

    gradient = np.stack([(Av(q + h * e) - Av(q - h * e)) / (2 * h) for e in np.eye(4).reshape(4, 2, 2)], axis=1)
    b = mechanism.equations(q, v).b
    assert gradient.shape == (2, 4) != b.shape  # as printed it is no vector of right-hand sides
    np.testing.assert_allclose(b, -gradient @ v.ravel(), rtol=1e-7)


def test_02_the_multiplier(state):
    mechanism, q, v = state
    at = mechanism.equations(q, v)
    a, multiplier = exact_acceleration(at)
    inverse = np.linalg.inv(at.M)
    S = at.A @ inverse @ at.A.T
    rest = at.b - at.A @ inverse @ at.F
    np.testing.assert_allclose(multiplier, -np.linalg.solve(S, rest), rtol=1e-10)
    printed = inverse @ at.A.T @ np.linalg.solve(S, rest)
    assert printed.shape != multiplier.shape
    np.testing.assert_allclose(printed, a - inverse @ at.F, rtol=1e-10)  # it is the acceleration by the constraints


def test_04_the_velocity_equation_needs_the_masses(state):
    mechanism, q, _ = state
    v = np.array([0.3, -0.7, 1.1, 0.2])
    at = mechanism.equations(q, v.reshape(2, 2))
    root = 1 / np.sqrt(np.diag(at.M))
    equation_8 = v - root * (np.linalg.pinv(at.A * root) @ (at.A @ v))
    printed_7 = v - at.A.T @ np.linalg.solve(at.A @ at.A.T, at.A @ v)
    inverse = np.linalg.inv(at.M)
    meant_7 = v - inverse @ at.A.T @ np.linalg.solve(at.A @ inverse @ at.A.T, at.A @ v)
    np.testing.assert_allclose(equation_8, meant_7, atol=1e-12)
    assert np.abs(equation_8 - printed_7).max() > 0.05


def test_05_an_inward_velocity_blows_up_in_system_8():
    text = "* Inward\nB1 (1,0) 1 IC_VEL=(-0.5,0)\nC1 B1 (0,0)\n.options gravity=0\n"
    run = motion(text, (0, 3, 0.005), tiny=True, daesystem="INDEX1_2", integrator="RK4")
    assert not run.status.ok
    assert run.status.time == pytest.approx(1 / 0.5, abs=0.05)  # r/|v_n|
    early = run.t < 1.5
    np.testing.assert_allclose(run.v[early, 0, 0], 1 / (run.t[early] - 2), rtol=1e-4)


@pytest.mark.parametrize(("method", "left"), [("EULER", 0.0), ("MIDPOINT", 0.5), ("HEUN", 0.5), ("RK4", 0.375)])
def test_06_what_one_step_of_damping_leaves(method, left):
    text = "* Off\nB1 (1,0) 1 IC_POS=(1.00001,0)\nC1 B1 (0,0)\n.options gravity=0 DAESYSTEM=INDEX1_2_DAMPED\n"
    phi = values(motion(text, (0, 0.1, 0.1), tiny=True, integrator=method), "PHI(C1)")
    assert phi[1] / phi[0] == pytest.approx(left, abs=1e-4)


@pytest.mark.parametrize(("method", "limit"), [("EULER", 2.0), ("MIDPOINT", 2.0), ("RK4", 2.785)])
def test_06_the_limit_of_damping(method, limit):
    text = "* Off\nB1 (1,0) 1 IC_POS=(1.00001,0)\nC1 B1 (0,0)\n.options gravity=0 DAESYSTEM=INDEX1_2_DAMPED\n"

    def ratio(beta):
        run = motion(text, (0, 0.1, 0.1), tiny=True, integrator=method, dampbeta=beta, dampalpha=beta)
        phi = values(run, "PHI(C1)")
        return abs(phi[1] / phi[0])

    assert ratio(limit - 0.02) < 1 < ratio(limit + 0.02)


def test_06_damping_in_units_of_a_step_costs_the_fourth_order():
    text = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.options gravity=1 DAESYSTEM=INDEX1_2_DAMPED INTEGRATOR=RK4\n"
    fine = motion(text, (0, 1, 0.01), tiny=True, daesystem="PROJECTED").q[-1]

    def error(step, factor):
        return np.abs(motion(text, (0, 1, step), tiny=True, dampalpha=factor, dampbeta=factor).q[-1] - fine).max()

    in_steps = np.log2(error(0.1, 1.0) / error(0.05, 1.0))
    in_seconds = np.log2(error(0.1, 0.2) / error(0.05, 0.1))  # α = β = 2/s
    assert in_steps == pytest.approx(2, abs=0.4)
    assert in_seconds > 3.5


def deficient():
    B = np.random.default_rng(7).standard_normal((3, 6))
    return np.vstack([B, B[0] - B[2], 2 * B[1]])


def generalized_cholesky(G, tolerance, *, as_printed=False):
    """Appendix B; as printed the inner loop writes to L[j,i], and a rejected column is left as it is."""
    m, r = len(G), 0
    L = np.zeros((m, m))
    for i in range(m):
        for j in range(i, m):
            L[j, r] = G[j, i]
            for k in range(r):
                L[j, i if as_printed else r] -= L[j, k] * L[i, k]
        if L[i, r] > tolerance:
            L[i, r] = np.sqrt(L[i, r])
            L[i + 1 :, r] /= L[i, r]
            r += 1
        elif not as_printed:
            L[:, r] = 0
    return L[:, :r]


def test_07_and_11_the_generalized_cholesky_factor():
    G = deficient() @ deficient().T
    L = generalized_cholesky(G, 1e-10)
    assert L.shape == (5, 3)
    assert np.linalg.matrix_rank(L) == 3  # full column rank; its rows, five of them, cannot be independent
    np.testing.assert_allclose(L @ L.T, G, atol=1e-10)
    printed = generalized_cholesky(G, 1e-10, as_printed=True)
    assert np.abs(printed @ printed.T - G).max() > 0.1


def test_08_the_root_of_the_mass_matrix_is_meant(state):
    mechanism, q, v = state
    at = mechanism.equations(q, v)
    free = at.F / np.diag(at.M)
    true = exact_acceleration(at)[0]

    def by(power):
        weight = np.diag(at.M) ** -power
        return free + weight * (np.linalg.pinv(at.A * weight) @ (at.b - at.A @ free))

    np.testing.assert_allclose(by(0.5), true, rtol=1e-9)
    assert np.abs(by(1.0) - true).max() > 0.1
    np.testing.assert_allclose(at.A @ by(1.0), at.b, atol=1e-10)  # which is why no check of the drift finds it


def test_08_nobody_notices_with_equal_masses():
    mechanism = chainlist.parse(UNEQUAL.replace(") 5\n", ") 1\n"))
    q = np.array([body.start for body in mechanism.bodies])
    at = mechanism.equations(q, np.zeros_like(q))
    free = at.F / np.diag(at.M)
    np.testing.assert_allclose(free + np.linalg.pinv(at.A) @ (at.b - at.A @ free), exact_acceleration(at)[0], rtol=1e-9)


def greville_as_printed(A, tolerance):
    """Appendix B letter by letter, with its one-based indices: `iter` runs to n − 1 and meets column `iter` twice."""
    m, n = A.shape
    X = np.zeros((n + 1, m))
    column = A[:, 0]
    X[0] = column / (column @ column)
    for it in range(2, n):
        d = X[:it] @ A[:, it - 1]
        c = A[:, it - 1] - A[:, :it] @ d
        b = c / (c @ c) if c @ c > tolerance else d @ X[:it] / (1 + d @ d)
        X[:it] -= np.outer(d, b)
        X[it] = b
    return X[:n]


def test_09_greville_with_the_printed_indices():
    B = np.random.default_rng(9).standard_normal((3, 5))
    np.testing.assert_allclose(chainlist.pinv(B, "GREVILLE"), np.linalg.pinv(B), atol=1e-12)
    printed = greville_as_printed(B, 1e-12)
    assert np.abs(B @ printed - np.eye(3)).max() > 0.1


def test_10_double_epsilon_is_no_roundoff():
    smallest = np.nextafter(0.0, 1.0)
    assert smallest == pytest.approx(4.9e-324, rel=0.01)
    B = deficient()
    automatic = 6 * (B**2).sum(axis=1).max()
    good = chainlist.pinv(B, "GREVILLE", automatic * 2.2e-16)
    np.testing.assert_allclose(good, np.linalg.pinv(B), atol=1e-8)
    bad = chainlist.pinv(B, "GREVILLE", smallest)
    assert np.abs(bad - np.linalg.pinv(B)).max() > 1e-3


def test_10_greville_compares_a_square_svd_does_not():
    B = np.array([[1.0, 0.0], [0.0, 1e-5]])
    assert chainlist.pinv(B, "SVD", 1e-8)[1, 1] == pytest.approx(1e5)
    assert chainlist.pinv(B, "GREVILLE", 1e-8)[1, 1] == 0.0  # (1e-5)² is below 1e-8
    assert chainlist.pinv(B, "GENCHOLESKY", 1e-8)[1, 1] == 0.0


def test_12_the_inverse_of_a_triangle_comes_out_transposed():
    L = generalized_cholesky(deficient() @ deficient().T, 1e-10)
    M = np.linalg.cholesky(L.T @ L)
    r = len(M)
    invM = np.zeros((r, r))
    for i in reversed(range(r)):
        for j in reversed(range(i + 1)):
            if i == j:
                invM[j, j] = 1 / M[j, j]
            else:
                for k in range(j + 1, i + 1):
                    invM[j, i] -= M[k, j] * invM[k, i] / M[j, j]
    np.testing.assert_allclose(invM, np.linalg.inv(M).T, atol=1e-10)
    np.testing.assert_allclose(invM @ invM.T, np.linalg.inv(L.T @ L), atol=1e-10)


def test_13_time_is_not_counted_by_adding():
    t, steps = 0.0, 0
    while t < 10:
        t += 0.001
        steps += 1
    assert steps == 10001
    text = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n"
    run = motion(text, (0, 0.3, 0.1), tiny=True, daesystem="INDEX1", integrator="EULER")
    assert run.report.steps == 3 and run.t[-1] == 0.3


def test_14_the_sample_parser():
    with pytest.raises(chainlist.ChainlistError, match="B7"):
        chainlist.parse("* Unknown body\nB1 (1,0) 1\nC1 B1 B7\n")
    whole = chainlist.parse("B9 is in the title\nB1 (1,0) 1\n\nC1 B1 (0,0)\nS1 B1 LINE(0,1,0)\n")
    assert len(whole.bodies) == 1
    assert whole.constraints[1].parameters == (0.0, 1.0, 0.0)


def test_15_star_plus_continues():
    options = chainlist.parse(listing(13)).options
    assert (options.integrator, options.dampalpha, options.plotmode) == ("MIDPOINT", 1.0, "ANIMATEWITHSTROBO")


def test_16_lazy_tongs_cannot_move():
    tongs = chainlist.parse(listing(5))
    places = {body.name: body.position for body in tongs.bodies}
    assert places["B5"] == (3.0, -1.0) and places["B6"] == (3.0, 1.0)  # X2 is mirrored
    q = np.array([body.start for body in tongs.bodies])
    A = tongs.equations(q, np.zeros_like(q)).A
    assert A.shape == (18, 16)
    assert np.linalg.matrix_rank(A) == 12
    assert any("cannot move" in d.message for d in tongs.diagnostics)


def test_17_listings_that_do_not_say_what_they_mean():
    assert chainlist.parse(listing(12)).bodies[15].position == (3.2, 0.0)
    assert len(chainlist.parse(listing(15)).links) == 4


def test_18_a_lost_underscore_is_an_error():
    with pytest.raises(chainlist.ChainlistError):
        chainlist.parse("* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.options DAESYSTEM=INDEX1 2 DAMPED\n")


def test_19_the_lever_is_not_in_its_equations():
    lever = chainlist.parse(listing(6))
    for angle in np.linspace(0, 3, 7):
        end = np.array([np.cos(angle), np.sin(angle)])
        assert np.linalg.matrix_rank(lever.equations(np.stack([-end, end]), np.zeros((2, 2))).A) == 2
    q = np.array([body.start for body in lever.bodies])
    at = lever.equations(q, np.zeros_like(q))
    root, free = 1 / np.sqrt(np.diag(at.M)), at.F / np.diag(at.M)
    a = free + root * (chainlist.pinv(at.A * root, "SVD", 1e-9) @ (at.b - at.A @ free))
    np.testing.assert_allclose(a[[1, 3]], [-9.81, -9.81])  # both ends fall
    theirs = motion(lever, (0, 0.001, 0.001), tiny=True)
    np.testing.assert_allclose(theirs.v[-1, :, 1] / 0.001, [9.81 / 3, -9.81 / 3], rtol=1e-5)  # a rigid lever turns


def greville_after(B, steps):
    """The recursion over the first columns only; the rows of those that follow are still zero."""
    rows, columns = B.shape
    X = np.zeros((columns, rows))
    X[0] = B[:, 0] / (B[:, 0] @ B[:, 0])
    for k in range(1, steps):
        d = X[:k] @ B[:, k]
        c = B[:, k] - B[:, :k] @ d
        b = c / (c @ c) if c @ c > 1e-12 else d @ X[:k] / (1 + d @ d)
        X[:k] -= np.outer(d, b)
        X[k] = b
    return X


def test_20_greville_takes_a_step_for_each_column():
    B = np.random.default_rng(20).standard_normal((2, 5))
    np.testing.assert_allclose(greville_after(B, 5), np.linalg.pinv(B), atol=1e-12)
    after_rows = greville_after(B, 2)
    np.testing.assert_allclose(after_rows[:2], np.linalg.pinv(B[:, :2]), atol=1e-12)
    assert np.abs(after_rows - np.linalg.pinv(B)).max() > 0.1


def test_22_the_hamiltonian_is_separable_in_cartesian_coordinates():
    mechanism = chainlist.parse(UNEQUAL)

    def masses(first, second):
        """In coordinates x and y, and in the angles of both links."""
        along = np.array([[np.cos(first), np.sin(first)], [np.cos(second), np.sin(second)]])
        q = np.cumsum(along, axis=0)
        M = mechanism.equations(q, np.zeros_like(q)).M
        across = along[:, ::-1] * [-1, 1]
        by_angles = np.zeros((4, 2))
        by_angles[:2, 0] = by_angles[2:, 0] = across[0]
        by_angles[2:, 1] = across[1]
        return M, by_angles.T @ M @ by_angles

    (cartesian, folded), (same, straight) = masses(0.3, 2.0), masses(0.3, 0.3)
    np.testing.assert_array_equal(cartesian, same)
    assert np.abs(folded - straight).max() > 1.0


def test_24_a_tolerance_in_joules_must_know_the_machine():
    text = "* Pendulum\nB1 (1,0) MASS\nC1 B1 (0,0)\n.options INTEGRATOR=EULER DAESYSTEM=INDEX1_2_DAMPED\n"

    def run(mass, corrector):
        return motion(text.replace("MASS", mass), (0, 1, 0.01), tiny=True, energycorrector=corrector)

    kilogram, speck = run("1", "ON"), run("1E-12", "ON")
    np.testing.assert_allclose(speck.q, kilogram.q, atol=1e-9)
    assert np.abs(run("1", "OFF").q - kilogram.q).max() > 1e-3  # the corrector does something here
    assert speck.energy[0] == 0.0 and np.abs(speck.energy).max() < 1e-15 * 9.81
