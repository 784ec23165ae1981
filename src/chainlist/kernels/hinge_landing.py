"""The end of a step of a tree on hinges: from the ground to the ends every body is put onto its hinge, rigid, with its velocity.

Of each body only the angle and the rate about its hinge are kept, as its own axes show them: no error is handed on to what hangs on
it, and none grows with the time.
"""

import math

from chainlist.kernels.attempt import copy_state
from chainlist.kernels.forces import supply
from chainlist.kernels.hinges import cross, hold_by_hinges, put
from chainlist.kernels.slots import (
    ACCEL2,
    ACTS,
    DIM,
    ETA2,
    EVALUATIONS,
    FREE2,
    POWER,
    RESIDUAL,
    SPEED2,
    WEIGHT2,
    apart,
    free,
    pick,
    rescale,
)
from chainlist.kernels.state import norm2


def land_on_hinges(s, w, t, h, q, v):  # type: ignore[no-untyped-def]
    """As `project` of PROJECTED. Without a step (h = 0) nothing is moved: RESIDUAL and ETA2 say by how much it would have been."""
    gauge, vd, qd = w.gauge, w.vdn, w.qdn
    for g in range(w.share.shape[0]):
        for column in range(3):
            w.share[g, column] = 0.0
    gauge[ETA2] = 0.0
    gauge[RESIDUAL] = 0.0
    if h > 0.0:
        put_onto_hinges(s, w, q, v)
        gauge[RESIDUAL] = 0.0
    else:
        copy_state(q, v, w.qt, w.vt)
        put_onto_hinges(s, w, w.qt, w.vt)
    rescale(s, w, t, q, v)
    free(s, w, t, q, v, vd)
    gauge[FREE2] = norm2(s.mass, vd)
    if ACTS == 1:  # as in `project`
        if gauge[WEIGHT2] == 0.0:
            gauge[WEIGHT2] = norm2(s.mass, s.gravity)
        gauge[FREE2] = gauge[WEIGHT2] + 1e-12 * gauge[FREE2]
    hold_by_hinges(s, w, q, v, vd)
    for i in range(q.shape[0]):
        for c in range(DIM):
            qd[i, c] = v[i, c]
    if ACTS == 1:
        supply(s.table, w.rows, s.inverse_mass, gauge[POWER], v, qd)
    gauge[SPEED2] = norm2(s.mass, v)
    gauge[ACCEL2] = norm2(s.mass, vd)
    pick(s, w.share, h, v, vd, gauge)
    w.count[EVALUATIONS] += 1


def tidy_on_hinges(s, w, t, q, v):  # type: ignore[no-untyped-def]
    """Dense output is put onto the hinges as the end of a step is; no position of a tree is singular."""
    put_onto_hinges(s, w, q, v)
    return 0


@apart
def put_onto_hinges(s, w, q, v):  # type: ignore[no-untyped-def]
    """Moves q and v; ETA2 (of all, and of each group in w.share) is what it took from v, RESIDUAL the largest way over the size."""
    tree, E, omega, place, speed = s.tree, w.tree.E, w.tree.omega, w.tree.place, w.tree.speed
    far = 0.0
    for k in range(1, tree.parent.shape[0]):
        p = tree.parent[k]
        px, py, pz = omega[p, 0], omega[p, 1], omega[p, 2]
        turn_about_hinge(tree, w.tree, k, p, q)
        # the rate about the hinge: what the axes show of it, ω = ½ Σ e × e', less that of the parent
        wx = wy = wz = rx = ry = rz = dx = dy = dz = 0.0
        for j in range(3):
            i = tree.vector[k, 1 + j]
            f = 0.5 * tree.per_length[k, j]
            x, y, z = cross(E[k, j, 0], E[k, j, 1], E[k, j, 2], f * v[i, 0], f * v[i, 1], f * v[i, 2])
            wx += x
            wy += y
            wz += z
            g = tree.pin_of_parent[k, j]
            rx += g * E[p, j, 0]
            ry += g * E[p, j, 1]
            rz += g * E[p, j, 2]
            g = tree.pin[k, j]
            dx -= g * E[k, j, 0]
            dy -= g * E[k, j, 1]
            dz -= g * E[k, j, 2]
        ux, uy, uz = w.tree.axis[k, 0], w.tree.axis[k, 1], w.tree.axis[k, 2]
        rate = ux * (wx - px) + uy * (wy - py) + uz * (wz - pz)
        wx, wy, wz = px + rate * ux, py + rate * uy, pz + rate * uz
        put(omega, k, wx, wy, wz)
        x, y, z = cross(px, py, pz, rx, ry, rz)
        fx, fy, fz = cross(wx, wy, wz, dx, dy, dz)
        put(place, k, place[p, 0] + rx + dx, place[p, 1] + ry + dy, place[p, 2] + rz + dz)
        put(speed, k, speed[p, 0] + x + fx, speed[p, 1] + y + fy, speed[p, 2] + z + fz)
        taken = 0.0
        for j in range(4):
            i = tree.vector[k, j]
            x, y, z = place[k, 0], place[k, 1], place[k, 2]
            fx, fy, fz = speed[k, 0], speed[k, 1], speed[k, 2]
            if j > 0:
                g = tree.length[k, j - 1]
                x, y, z = g * E[k, j - 1, 0], g * E[k, j - 1, 1], g * E[k, j - 1, 2]
                fx, fy, fz = cross(wx, wy, wz, x, y, z)
            far = max(far, abs(x - q[i, 0]), abs(y - q[i, 1]), abs(z - q[i, 2]))
            dx, dy, dz = fx - v[i, 0], fy - v[i, 1], fz - v[i, 2]
            taken += dx * dx + dy * dy + dz * dz
            put(q, i, x, y, z)
            put(v, i, fx, fy, fz)
        w.gauge[ETA2] += tree.mass[k] * taken
        w.share[s.groups.of_point[tree.vector[k, 0]], 0] += tree.mass[k] * taken
    w.gauge[RESIDUAL] = far / s.size


def turn_about_hinge(s, w, k, p, q):  # type: ignore[no-untyped-def]
    """The axes of body k on the hinge that its parent shows, turned about it as its own axes in q are; into w.E and w.axis."""
    E, T, P = w.E, s.triad, s.triad_of_parent
    # u, e₁, e₂ of the hinge as the parent has them, and f₁, f₂ as the body has them: f₁ = cos e₁ + sin e₂ …
    ux = uy = uz = ax = ay = az = bx = by = bz = 0.0
    fx = fy = fz = gx = gy = gz = 0.0
    for j in range(3):
        x, y, z = E[p, j, 0], E[p, j, 1], E[p, j, 2]
        ux += P[k, j, 0] * x
        uy += P[k, j, 0] * y
        uz += P[k, j, 0] * z
        ax += P[k, j, 1] * x
        ay += P[k, j, 1] * y
        az += P[k, j, 1] * z
        bx += P[k, j, 2] * x
        by += P[k, j, 2] * y
        bz += P[k, j, 2] * z
        i = s.vector[k, 1 + j]
        f = s.per_length[k, j]
        x, y, z = f * q[i, 0], f * q[i, 1], f * q[i, 2]
        fx += T[k, j, 1] * x
        fy += T[k, j, 1] * y
        fz += T[k, j, 1] * z
        gx += T[k, j, 2] * x
        gy += T[k, j, 2] * y
        gz += T[k, j, 2] * z
    cos = fx * ax + fy * ay + fz * az + gx * bx + gy * by + gz * bz
    sin = fx * bx + fy * by + fz * bz - gx * ax - gy * ay - gz * az
    r = 1.0 / math.sqrt(cos * cos + sin * sin)
    cos *= r
    sin *= r
    fx, fy, fz = cos * ax + sin * bx, cos * ay + sin * by, cos * az + sin * bz
    gx, gy, gz = cos * bx - sin * ax, cos * by - sin * ay, cos * bz - sin * az
    put(w.axis, k, ux, uy, uz)
    for j in range(3):
        f, g, h = T[k, j, 0], T[k, j, 1], T[k, j, 2]
        E[k, j, 0] = f * ux + g * fx + h * gx
        E[k, j, 1] = f * uy + g * fy + h * gy
        E[k, j, 2] = f * uz + g * fz + h * gz
