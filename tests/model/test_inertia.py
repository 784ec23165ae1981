"""Inertia against formulas of books, and against a second way to compute it."""

import itertools
import math
import subprocess
import sys

import numpy as np
import pytest

from chainlist.model.inertia import Inertia, check_held_points, check_moments, from_tensor, merged, point, principal
from chainlist.model.shapes import ball, disk, hoop, plate, rod, shell, solid, uniform

RNG = np.random.default_rng(20)


def turned(points: np.ndarray, seed: int = 3) -> np.ndarray:
    """The points after a rotation of space, and far from the origin."""
    q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return points @ (q * np.sign(np.linalg.det(q))).T + np.array((3.0, -2.0, 5.0))


def inertia_tensor(body: Inertia) -> np.ndarray:
    return np.array(body.tensor)


def test_rod() -> None:
    body = rod(3.0, (1.0, 2.0), (4.0, 6.0))
    assert body.centre == pytest.approx((2.5, 4.0), abs=1e-15)
    assert body.moments == pytest.approx(3.0 * 25 / 12, rel=1e-15)


@pytest.mark.parametrize("turn", [1, -1])
def test_rectangle_in_either_sense(turn: int) -> None:
    corners = [(1.0, 1.0), (4.0, 1.0), (4.0, 3.0), (1.0, 3.0)][::turn]
    body = plate(2.0, corners)
    assert body.centre == pytest.approx((2.5, 2.0), rel=1e-15)
    assert body.moments == pytest.approx(2.0 * (9 + 4) / 12, rel=1e-15)


def test_plate_that_is_not_convex() -> None:
    """An L is a large square less a small one."""
    body = plate(3.0, [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    parts = [plate(1.0, [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]) for x, y in ((0, 0), (1, 0), (0, 1))]
    whole = merged(*parts)
    assert body.centre == pytest.approx(whole.centre, rel=1e-15)
    assert body.moments == pytest.approx(whole.moments, rel=1e-15)


def test_regular_polygon() -> None:
    """J = m R² (1 + 2 cos²(π/n)) / 6, which becomes the disk."""
    for sides in (3, 5, 12, 200):
        angles = 2 * math.pi * np.arange(sides) / sides
        body = plate(1.5, [(0.7 + 2 * math.cos(a), 2 * math.sin(a)) for a in angles])
        assert body.moments == pytest.approx(1.5 * 4 * (1 + 2 * math.cos(math.pi / sides) ** 2) / 6, rel=1e-13)
    assert body.moments == pytest.approx(disk(1.5, (0, 0), 2.0).moments, rel=1e-3)


def test_far_from_the_origin_no_digits_are_lost() -> None:
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (0.25, 0.5)])
    near, far = plate(1.0, corners.tolist()), plate(1.0, (corners + 2.0**20).tolist())
    assert far.moments == near.moments
    one, two = point(1.0, (2.0**30, 0.0)), point(1.0, (2.0**30 + 1.0, 0.0))
    assert merged(one, two).moments == 0.5


def test_round_bodies_of_the_plane() -> None:
    assert disk(2.0, (1, 1), 3.0).moments == 9.0
    assert hoop(2.0, (1, 1), 3.0).moments == 18.0


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        ([(0, 0), (1, 1), (1, 0), (0, 1)], "crosses or touches itself"),
        ([(0, 0), (2, 0), (2, 2), (1, 0), (0, 2)], "crosses or touches itself"),  # a corner on a side
        ([(0, 0), (3, 0), (1, 0), (1, 1)], "crosses or touches itself"),  # a side that runs back
        ([(0, 0), (1, 0), (2, 0), (3, 0)], "no area"),
        ([(0, 0), (1, 0), (1, 1), (0, 0)], "corners 1 and 4"),
        ([(0, 0), (1, 0)], "three corners"),
    ],
)
def test_outlines_that_are_none(corners: list[tuple[float, float]], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        plate(1.0, corners)


def test_corners_within_a_side_are_allowed() -> None:
    body = plate(1.0, [(0, 0), (1, 0), (2, 0), (2, 2), (0, 2)])
    assert body.moments == pytest.approx(8 / 12, rel=1e-15)


def test_parallel_axes() -> None:
    body = merged(rod(3.0, (0, 0), (2, 0)), point(1.0, (2, 0)))
    assert body.mass == 4.0
    assert body.centre == pytest.approx((1.25, 0.0), rel=1e-15)
    about_origin = body.moments + body.mass * body.centre[0] ** 2
    assert about_origin == pytest.approx(3.0 * 4 / 3 + 1.0 * 4, rel=1e-15)


def test_merging_in_any_order() -> None:
    bodies = [
        from_tensor(m, c, j) for m, c, j in zip((1.0, 2.0, 0.5), RNG.normal(size=(3, 3)), [(3, 4, 5)] * 3, strict=True)
    ]
    whole = merged(*bodies)
    for order in itertools.permutations(bodies):
        again = merged(merged(*order[:2]), order[2])
        assert again.centre == pytest.approx(whole.centre, abs=1e-15)
        assert np.array(again.moments) == pytest.approx(np.array(whole.moments), abs=1e-14)


def test_the_tensor_of_point_masses() -> None:
    """The sum over masses, element by element, with the signs that the documentation gives."""
    masses, places = RNG.uniform(0.5, 2.0, 6), RNG.normal(size=(6, 3))
    body = merged(*(point(m, p) for m, p in zip(masses, places.tolist(), strict=True)))
    x, y, z = (places - masses @ places / masses.sum()).T
    wanted = np.array(
        [
            [masses @ (y * y + z * z), -masses @ (x * y), -masses @ (x * z)],
            [-masses @ (x * y), masses @ (x * x + z * z), -masses @ (y * z)],
            [-masses @ (x * z), -masses @ (y * z), masses @ (x * x + y * y)],
        ]
    )
    assert inertia_tensor(body) == pytest.approx(wanted, abs=1e-13)
    upper = (*np.diag(wanted), wanted[0, 1], wanted[0, 2], wanted[1, 2])
    again = from_tensor(masses.sum(), body.centre, upper)
    assert np.array(again.moments) == pytest.approx(np.array(body.moments), abs=1e-13)


BOX = np.array(list(itertools.product((-1.0, 1.0), (-1.5, 1.5), (-0.5, 0.5))))  # 2 × 3 × 1


def test_box() -> None:
    body = solid(12.0, BOX.tolist())
    assert inertia_tensor(body) == pytest.approx(np.diag((9 + 1, 4 + 1, 4 + 9)), abs=1e-13)
    found = principal(solid(12.0, turned(BOX).tolist()))
    assert found.moments == pytest.approx((9, 4, 1), rel=1e-13)
    assert found.rank == 3
    assert body == uniform(12.0, BOX.tolist())


def test_tetrahedron() -> None:
    """The right-angled corner of a cube: ∫ x² = m a²/10 and ∫ xy = m a²/20 about the corner."""
    body = solid(6.0, [(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2)])
    assert body.centre == pytest.approx((0.5, 0.5, 0.5), rel=1e-15)
    about_corner = np.array(body.moments) + body.mass * np.outer(body.centre, body.centre)
    assert about_corner == pytest.approx(6.0 * 4 / 20 * (np.ones((3, 3)) + np.eye(3)), rel=1e-14)


def test_inner_corners_of_a_solid_change_nothing() -> None:
    more = [*BOX.tolist(), (0.1, 0.2, 0.3), (1.0, 0.0, 0.0)]
    assert np.array(solid(1.0, more).moments) == pytest.approx(np.array(solid(1.0, BOX.tolist()).moments), abs=1e-14)


def by_layers(corners: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Volume, centre and second moments by another way: Gauss quadrature over x, y, z between the faces.

    A convex solid cut at its corners' x is, in each layer, made of sections whose area moments are polynomials.
    """
    from scipy.spatial import ConvexHull

    nodes, weights = np.polynomial.legendre.leggauss(4)
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    cuts = np.unique(corners[:, 0])
    hull = ConvexHull(corners)
    for low, high in itertools.pairwise(cuts):
        for node, weight in zip(nodes, weights, strict=True):
            x = 0.5 * (low + high) + 0.5 * (high - low) * node
            area, mean, spread = section(corners, hull.simplices, x)
            w = 0.5 * (high - low) * weight * area
            here = np.array((x, *mean))
            volume += w
            first += w * here
            second += w * np.outer(here, here)
            second[1:, 1:] += w * spread / area
    centre = first / volume
    return volume, centre, second / volume - np.outer(centre, centre)


def section(corners: np.ndarray, faces: np.ndarray, x: float) -> tuple[float, np.ndarray, np.ndarray]:
    """Area, centre and area moments about it of the section at x, by Green's formulas for a polygon."""
    from scipy.spatial import ConvexHull

    points = []
    for i, j in {tuple(sorted(e)) for f in faces for e in itertools.combinations(f, 2)}:
        p, q = corners[i], corners[j]
        if (p[0] - x) * (q[0] - x) < 0:
            points.append((p + (x - p[0]) / (q[0] - p[0]) * (q - p))[1:])
    ring = np.array(points)[ConvexHull(points).vertices]
    (y, z), (y2, z2) = ring.T, np.roll(ring, -1, axis=0).T
    c = y * z2 - y2 * z
    area = c.sum() / 2
    mean = np.array(((y + y2) @ c, (z + z2) @ c)) / (6 * area)
    yy, zz = (y * y + y * y2 + y2 * y2) @ c / 12, (z * z + z * z2 + z2 * z2) @ c / 12
    yz = (y * z2 + 2 * y * z + 2 * y2 * z2 + y2 * z) @ c / 24
    return area, mean, np.array(((yy, yz), (yz, zz))) - area * np.outer(mean, mean)


@pytest.mark.parametrize("seed", range(5))
def test_random_polyhedra_by_layers(seed: int) -> None:
    corners = np.random.default_rng(seed).normal(size=(9, 3))
    _, centre, moments = by_layers(corners)
    body = solid(1.0, corners.tolist())
    assert body.centre == pytest.approx(centre, abs=1e-12)
    assert np.array(body.moments) == pytest.approx(moments, abs=1e-12)


def test_round_bodies_of_space() -> None:
    assert inertia_tensor(ball(5.0, (1, 2, 3), 2.0)) == pytest.approx(8.0 * np.eye(3), rel=1e-15)
    assert inertia_tensor(shell(3.0, (1, 2, 3), 2.0)) == pytest.approx(8.0 * np.eye(3), rel=1e-15)
    n = np.array((2.0, -1.0, 2.0)) / 3
    flat = np.eye(3) + np.outer(n, n)  # half about a diameter, whole about the axis
    assert inertia_tensor(disk(4.0, (1, 2, 3), 2.0, axis=6 * n)) == pytest.approx(4.0 * flat, rel=1e-14)
    assert inertia_tensor(hoop(4.0, (1, 2, 3), 2.0, axis=6 * n)) == pytest.approx(8.0 * flat, rel=1e-14)


def test_ranks_in_space() -> None:
    assert principal(rod(3.0, (0, 0, 0), (2, 2, 1))).rank == 1
    assert principal(disk(1.0, (0, 0, 0), 1.0, axis=(1, 2, 3))).rank == 2
    assert principal(point(1.0, (1, 2, 3))).rank == 0
    found = principal(rod(4.0, (1, 1, 1), (1, 1, 4)))
    assert found.axes[0] == (0, 0, 1)
    assert found.moments == (3.0, 0.0, 0.0)


@pytest.mark.parametrize("seed", range(4))
def test_a_plate_in_space_is_the_plate_of_the_plane(seed: int) -> None:
    flat = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 2.5), (0.0, 2.5)]
    corners = turned(np.array([(*c, 0.0) for c in flat]), seed)
    body = uniform(2.0, corners.tolist())
    found = principal(body)
    assert found.rank == 2
    assert body.polar == pytest.approx(plate(2.0, flat).moments, rel=1e-13)
    assert np.cross(corners[1] - corners[0], corners[2] - corners[1]) == pytest.approx(
        3.0
        * np.array(found.axes[2])
        * np.sign(np.linalg.det([corners[1] - corners[0], corners[2] - corners[1], found.axes[2]])),
        abs=1e-12,
    )


def test_principal_axes_make_up_the_body() -> None:
    for _ in range(20):
        body = solid(1.0, RNG.normal(size=(5, 3)).tolist())
        found = principal(body)
        q = np.array(found.axes).T
        assert q.T @ q == pytest.approx(np.eye(3), abs=4e-15)
        assert np.linalg.det(q) == pytest.approx(1.0, abs=1e-14)
        assert list(found.moments) == sorted(found.moments, reverse=True)
        assert q @ np.diag(found.moments) @ q.T == pytest.approx(np.array(body.moments), abs=1e-15)


def test_moments_that_no_body_has() -> None:
    with pytest.raises(ValueError, match=r"4 exceeds the sum of the other two\. It can be 3 at most"):
        from_tensor(1.0, (0, 0, 0), (1, 2, 4))
    with pytest.raises(ValueError, match="none can be negative"):
        from_tensor(1.0, (0, 0, 0), (1, 2, -1))
    with pytest.raises(ValueError, match=r"principal moments 0\.5, 2\.5, 4: 4 exceeds"):
        from_tensor(1.0, (0, 0, 0), (1.5, 1.5, 4, 1, 0, 0))
    with pytest.raises(ValueError, match="J = -1"):
        from_tensor(1.0, (0, 0), -1)
    with pytest.raises(ValueError, match="one number"):
        from_tensor(1.0, (0, 0), (1, 2, 3))
    with pytest.raises(ValueError, match="Jxx,Jyy,Jzz"):
        from_tensor(1.0, (0, 0, 0), (1, 2))
    with pytest.raises(ValueError, match="without mass"):
        from_tensor(0.0, (0, 0), 1)
    with pytest.raises(ValueError, match="not negative"):
        rod(-1.0, (0, 0), (1, 0))
    with pytest.raises(ValueError, match="neither have its points"):
        merged(point(0.0, (0, 0)), point(0.0, (1, 0)))


def test_the_limit_itself_is_a_plate() -> None:
    assert principal(from_tensor(1.0, (0, 0, 0), (0.1, 0.2, 0.1 + 0.2))).rank == 2
    check_moments(from_tensor(1.0, (0, 0), 0))


def test_what_thin_bodies_cannot_hold() -> None:
    check_held_points(point(1.0, (1, 2)), [(1, 2)])
    with pytest.raises(ValueError, match="holds no others"):
        check_held_points(point(1.0, (1, 2)), [(1, 2), (1, 3)])
    check_held_points(rod(1.0, (0, 0), (1, 0)), [(3, 4)])
    thin = rod(1.0, (0, 0, 0), (1, 1, 0))
    check_held_points(thin, [(2, 2, 0)])
    with pytest.raises(ValueError, match=r"\(1,0,0\) lies off a body that is a thin rod"):
        check_held_points(thin, [(2, 2, 0), (1, 0, 0)])
    with pytest.raises(ValueError, match="thin plate"):
        check_held_points(disk(1.0, (0, 0, 0), 1.0, axis=(0, 0, 1)), [(1, 0, 0), (0, 0, 1)])


def test_solids_that_are_none() -> None:
    with pytest.raises(ValueError, match="one line"):
        uniform(1.0, [(0, 0, 0), (1, 1, 1), (2, 2, 2)])
    with pytest.raises(ValueError, match="not all in one plane"):
        solid(1.0, [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)])
    with pytest.raises(ValueError, match="one plane"):
        plate(1.0, [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 1)])
    with pytest.raises(ValueError, match="positive"):
        ball(1.0, (0, 0, 0), 0.0)
    with pytest.raises(ValueError, match="direction"):
        disk(1.0, (0, 0, 0), 1.0, axis=(0, 0, 0))


def test_the_plane_needs_no_numpy() -> None:
    script = (
        "import sys\nbefore = 'numpy' in sys.modules\n"
        "from chainlist.model import inertia, shapes\n"
        "inertia.merged(shapes.uniform(1.0, [(0, 0), (1, 0), (0, 1)]), inertia.from_tensor(1.0, (0, 0), 1.0))\n"
        "sys.exit('numpy' in sys.modules and not before)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
