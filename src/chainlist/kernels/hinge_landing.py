"""The end of a step of a tree on hinges, as PROJECTED has it: q on its constraints and v tangent to them, both nearest by mass.

From the ground to the ends every body is put onto its hinge, turned about it as its own axes show: so the constraints hold but for
rounding, which does not grow with the time. What is lost that way is handed back as far as the hinges allow it.
"""

from __future__ import annotations

import math

from chainlist.kernels.attempt import copy_state
from chainlist.kernels.bundles import System, Tree, TreeWork, Work
from chainlist.kernels.forces import supply
from chainlist.kernels.hinges import cross, gather_inertia, lay_out, promise_widths_of_tree, put
from chainlist.kernels.slots import (
    ACTS,
    DIM,
    apart,
    free,
    give_way,
    nearest,
    pick,
    promise,
    rescale,
)
from chainlist.kernels.state import norm2


def land_on_hinges(s: System, w: Work, t, h, q, v):  # type: ignore[no-untyped-def]
    """As `project` of PROJECTED. Without a step (h = 0) nothing is moved: `residual` and `eta2` say by how much it would have been."""
    gauge, vd, qd, tree, work = w.gauge, w.vdn, w.qdn, s.tree, w.tree
    copy_state(q, v, w.qt, w.vt)
    if h > 0.0:
        place_on_hinges(tree, work, q)
        for i in range(q.shape[0]):
            for c in range(DIM):
                vd[i, c] = w.qt[i, c] - q[i, c]
        nearest(tree, work, q, v, vd)  # with the inertia of the last stage, which stood near
        for i in range(q.shape[0]):
            for c in range(DIM):
                q[i, c] += vd[i, c]
        place_on_hinges(tree, work, q)
        gauge.residual = 0.0
    else:
        gauge.residual = place_on_hinges(tree, work, w.qt) / s.size
        turn_on_hinges(tree, work, w.qt, w.vt)
    lay_out(tree, work, q)
    gather_inertia(tree, work)
    if h > 0.0:
        nearest(tree, work, q, v, v)
    gauge.eta2 = taken_from(tree, s.groups.of_point, w.vt, v, w.share)
    rescale(s, w, t, q, v)
    free(s, w, t, q, v, vd)
    gauge.free2 = norm2(s.mass, vd)
    if ACTS == 1:  # as in `project`
        if gauge.weight2 == 0.0:
            gauge.weight2 = norm2(s.mass, s.gravity)
        gauge.free2 = gauge.weight2 + 1e-12 * gauge.free2
    give_way(tree, work, q, v, vd)
    for i in range(q.shape[0]):
        for c in range(DIM):
            qd[i, c] = v[i, c]
    if ACTS == 1:
        supply(s.table, w.rows, s.inverse_mass, gauge.power, v, qd)
    gauge.speed2 = norm2(s.mass, v)
    gauge.accel2 = norm2(s.mass, vd)
    pick(s, w.share, h, v, vd, gauge)
    w.count.evaluations += 1


def tidy_on_hinges(s: System, w: Work, t, q, v):  # type: ignore[no-untyped-def]
    """Dense output is put onto the hinges; no position of a tree is singular."""
    place_on_hinges(s.tree, w.tree, q)
    turn_on_hinges(s.tree, w.tree, q, v)
    return 0


def taken_from(s: Tree, of_point, before, after, share):  # type: ignore[no-untyped-def]
    """Squared M-norm of a change of velocities: of all, and in share[group, 0] of each group."""
    for g in range(share.shape[0]):
        for column in range(3):
            share[g, column] = 0.0
    total = 0.0
    for k in range(1, s.parent.shape[0]):
        squares = 0.0
        for j in range(4):
            i = s.vector[k, j]
            for c in range(DIM):
                change = after[i, c] - before[i, c]
                squares += change * change
        total += s.mass[k] * squares
        share[of_point[s.vector[k, 0]], 0] += s.mass[k] * squares
    return total


@apart
def place_on_hinges(s: Tree, w: TreeWork, q):  # type: ignore[no-untyped-def]
    """Moves q, and leaves the geometry there in w; returns the largest way that a coordinate went."""
    promise_widths_of_tree(s, w)
    promise(q.shape[1] == 3)
    E, arm, place = w.E, w.arm, w.place
    far = 0.0
    for k in range(1, s.parent.shape[0]):
        p = s.parent[k]
        turn_about_hinge(s, w, k, p, q)
        rx = ry = rz = dx = dy = dz = 0.0
        for j in range(3):
            g, h = s.pin_of_parent[k, j], s.pin[k, j]
            rx += g * E[p, j, 0]
            ry += g * E[p, j, 1]
            rz += g * E[p, j, 2]
            dx -= h * E[k, j, 0]
            dy -= h * E[k, j, 1]
            dz -= h * E[k, j, 2]
        put(arm, k, dx, dy, dz)
        put(w.way, k, arm[p, 0] + rx, arm[p, 1] + ry, arm[p, 2] + rz)
        x, y, z = place[p, 0] + rx + dx, place[p, 1] + ry + dy, place[p, 2] + rz + dz
        put(place, k, x, y, z)
        i = s.vector[k, 0]
        far = max(far, abs(x - q[i, 0]), abs(y - q[i, 1]), abs(z - q[i, 2]))
        put(q, i, x, y, z)
        for j in range(3):
            i, f = s.vector[k, 1 + j], s.length[k, j]
            x, y, z = f * E[k, j, 0], f * E[k, j, 1], f * E[k, j, 2]
            far = max(far, abs(x - q[i, 0]), abs(y - q[i, 1]), abs(z - q[i, 2]))
            put(q, i, x, y, z)
    return far


def turn_about_hinge(s: Tree, w: TreeWork, k, p, q):  # type: ignore[no-untyped-def]
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
        i, f = s.vector[k, 1 + j], s.per_length[k, j]
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
    cos, sin = r * cos, r * sin
    fx, fy, fz = cos * ax + sin * bx, cos * ay + sin * by, cos * az + sin * bz
    gx, gy, gz = cos * bx - sin * ax, cos * by - sin * ay, cos * bz - sin * az
    put(w.axis, k, ux, uy, uz)
    for j in range(3):
        f, g, h = T[k, j, 0], T[k, j, 1], T[k, j, 2]
        E[k, j, 0] = f * ux + g * fx + h * gx
        E[k, j, 1] = f * uy + g * fy + h * gy
        E[k, j, 2] = f * uz + g * fz + h * gz


@apart
def turn_on_hinges(s: Tree, w: TreeWork, q, v):  # type: ignore[no-untyped-def]
    """Moves v: of each body the rate about its hinge is kept, as its axes show it. For states that `place_on_hinges` left."""
    E, omega, speed, arm, way = w.E, w.omega, w.speed, w.arm, w.way
    for k in range(1, s.parent.shape[0]):
        p = s.parent[k]
        px, py, pz = omega[p, 0], omega[p, 1], omega[p, 2]
        wx, wy, wz = -px, -py, -pz
        for j in range(3):  # ω = ½ Σ e × e'
            i, f = s.vector[k, 1 + j], 0.5 * s.per_length[k, j]
            x, y, z = cross(E[k, j, 0], E[k, j, 1], E[k, j, 2], f * v[i, 0], f * v[i, 1], f * v[i, 2])
            wx += x
            wy += y
            wz += z
        ux, uy, uz = w.axis[k, 0], w.axis[k, 1], w.axis[k, 2]
        rate = ux * wx + uy * wy + uz * wz
        wx, wy, wz = px + rate * ux, py + rate * uy, pz + rate * uz
        put(omega, k, wx, wy, wz)
        x, y, z = cross(px, py, pz, way[k, 0], way[k, 1], way[k, 2])
        put(speed, k, speed[p, 0] + x, speed[p, 1] + y, speed[p, 2] + z)
        x, y, z = cross(wx, wy, wz, arm[k, 0], arm[k, 1], arm[k, 2])
        put(v, s.vector[k, 0], speed[k, 0] + x, speed[k, 1] + y, speed[k, 2] + z)
        for j in range(3):
            i = s.vector[k, 1 + j]
            x, y, z = cross(wx, wy, wz, q[i, 0], q[i, 1], q[i, 2])
            put(v, i, x, y, z)
