"""Accelerations of a tree of bodies on hinges, from its ends to the ground and back: no equation of a joint is solved for.

Articulated bodies: Featherstone, "Rigid Body Dynamics Algorithms", chapter 7, with all vectors along the coordinates of the world and
moments about the hinge of each body. The work is proportional to the number of bodies; the state is centres and axes, as of all machines.
A stage of a Runge–Kutta step stands a little off the constraints; what is computed there is a smooth continuation of what holds
on them, so that a method keeps its order.

Body 0 is the ground; parents come before their children. Symmetric matrices are kept as xx, xy, xz, yy, yz, zz.
"""

from __future__ import annotations

from chainlist.kernels.bundles import System, Tree, TreeWork, Work
from chainlist.kernels.forces import supply
from chainlist.kernels.slots import ACTS, DIM, MOVES, apart, early, free, give_way, promise


def cross(ax, ay, az, bx, by, bz):  # type: ignore[no-untyped-def]
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


def times(xx, xy, xz, yy, yz, zz, x, y, z):  # type: ignore[no-untyped-def]
    """A symmetric matrix times a vector."""
    return xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z


def tree_accelerations(s: System, w: Work, t, q, v, qd, vd, judge):  # type: ignore[no-untyped-def]
    """As `accelerations` of INDEX1: q' = v, v' with the forces of all joints."""
    free(s, w, t, q, v, vd)
    hold_by_hinges(s, w, q, v, vd)
    for i in range(q.shape[0]):
        for c in range(DIM):
            qd[i, c] = v[i, c]
    if ACTS == 1:
        supply(s.table, w.rows, s.inverse_mass, w.gauge.power, v, qd)
    w.count.evaluations += 1


def hold_by_hinges(s: System, w: Work, q, v, a):  # type: ignore[no-untyped-def]
    """a, the accelerations without constraints, becomes those with the hinges."""
    lay_out(s.tree, w.tree, q)
    gather_inertia(s.tree, w.tree)
    give_way(s.tree, w.tree, q, v, a)


def hold_back(s: Tree, w: TreeWork, q, v, a):  # type: ignore[no-untyped-def]
    """The same with the inertia at hand. Bound with MOVES = 0, as if v = 0: a becomes the nearest, by mass, that the hinges allow."""
    load(s, w, q, v, a)
    gather_loads(s, w)
    hand_out(s, w, q, a)


@early
def promise_widths_of_tree(s: Tree, w: TreeWork):  # type: ignore[no-untyped-def]
    """As kernels/widths.py has it."""
    E, A, B, D, tau, phi, U, V = w.E, w.A, w.B, w.D, w.tau, w.phi, w.U, w.V
    axis, arm, way, omega, zeta, beta, alpha, accel = w.axis, w.arm, w.way, w.omega, w.zeta, w.beta, w.alpha, w.accel
    vector, triad, pin, pin_of_parent, per_length, moment = (
        s.vector,
        s.triad,
        s.pin,
        s.pin_of_parent,
        s.per_length,
        s.moment,
    )
    promise(E.shape[1] == 3)
    promise(E.shape[2] == 3)
    promise(A.shape[1] == 3)
    promise(B.shape[1] == 3)
    promise(D.shape[1] == 3)
    promise(tau.shape[1] == 3)
    promise(phi.shape[1] == 3)
    promise(U.shape[1] == 3)
    promise(V.shape[1] == 3)
    promise(axis.shape[1] == 3)
    promise(arm.shape[1] == 3)
    promise(way.shape[1] == 3)
    promise(omega.shape[1] == 3)
    promise(zeta.shape[1] == 3)
    promise(beta.shape[1] == 3)
    promise(alpha.shape[1] == 3)
    promise(accel.shape[1] == 3)
    promise(vector.shape[1] == 4)
    promise(triad.shape[1] == 3)
    promise(triad.shape[2] == 3)
    promise(pin.shape[1] == 3)
    promise(pin_of_parent.shape[1] == 3)
    promise(per_length.shape[1] == 3)
    promise(moment.shape[1] == 3)


@apart
def lay_out(s: Tree, w: TreeWork, q):  # type: ignore[no-untyped-def]
    """Of each body by itself: unit vectors E, direction u of its hinge, ways d to its centre and l from the parent's hinge.

    And its inertia about the hinge: torque and force there are (A α + B a, Bᵀ α + D a), a being the acceleration of the hinge.
    """
    promise_widths_of_tree(s, w)
    promise(q.shape[1] == 3)
    E, arm = w.E, w.arm
    for k in range(1, s.parent.shape[0]):
        m = s.mass[k]
        ux = uy = uz = dx = dy = dz = 0.0
        xx = xy = xz = yy = yz = zz = 0.0
        for j in range(3):
            i = s.vector[k, 1 + j]
            f, g, h, b = s.per_length[k, j], s.triad[k, j, 0], s.pin[k, j], s.moment[k, j]
            x, y, z = f * q[i, 0], f * q[i, 1], f * q[i, 2]
            E[k, j, 0] = x
            E[k, j, 1] = y
            E[k, j, 2] = z
            ux += g * x
            uy += g * y
            uz += g * z
            dx -= h * x
            dy -= h * y
            dz -= h * z
            xx += b * x * x
            xy += b * x * y
            xz += b * x * z
            yy += b * y * y
            yz += b * y * z
            zz += b * z * z
        xx += m * dx * dx
        yy += m * dy * dy
        zz += m * dz * dz
        put(w.A, 2 * k, yy + zz, -xy - m * dx * dy, -xz - m * dx * dz)
        put(w.A, 2 * k + 1, xx + zz, -yz - m * dy * dz, xx + yy)
        put(w.B, 3 * k, 0.0, -m * dz, m * dy)
        put(w.B, 3 * k + 1, m * dz, 0.0, -m * dx)
        put(w.B, 3 * k + 2, -m * dy, m * dx, 0.0)
        put(w.D, 2 * k, m, 0.0, 0.0)
        put(w.D, 2 * k + 1, m, 0.0, m)
        put(w.axis, k, ux, uy, uz)
        put(arm, k, dx, dy, dz)
        p = s.parent[k]
        lx, ly, lz = arm[p, 0], arm[p, 1], arm[p, 2]
        for j in range(3):
            g = s.pin_of_parent[k, j]
            lx += g * E[p, j, 0]
            ly += g * E[p, j, 1]
            lz += g * E[p, j, 2]
        put(w.way, k, lx, ly, lz)


@apart
def gather_inertia(s: Tree, w: TreeWork):  # type: ignore[no-untyped-def]
    """From the ends to the ground: with what a body and all that hangs on it resist where its hinge gives way, A, B and D anew.

    U and V say by how much it gives way, and w.give to a torque about the hinge.
    """
    promise_widths_of_tree(s, w)
    A, B, D = w.A, w.B, w.D
    for back in range(1, s.parent.shape[0]):
        k = s.parent.shape[0] - back
        b, c, d, e, f = 3 * k, 3 * k + 1, 3 * k + 2, 2 * k, 2 * k + 1
        x, y, z = w.axis[k, 0], w.axis[k, 1], w.axis[k, 2]
        xx, xy, xz, yy, yz, zz = A[e, 0], A[e, 1], A[e, 2], A[f, 0], A[f, 1], A[f, 2]
        ux, uy, uz = times(xx, xy, xz, yy, yz, zz, x, y, z)
        vx = B[b, 0] * x + B[c, 0] * y + B[d, 0] * z
        vy = B[b, 1] * x + B[c, 1] * y + B[d, 1] * z
        vz = B[b, 2] * x + B[c, 2] * y + B[d, 2] * z
        r = 1.0 / (x * ux + y * uy + z * uz)
        x, y, z = r * ux, r * uy, r * uz
        w.give[k] = r
        put(w.U, k, x, y, z)
        put(w.V, k, r * vx, r * vy, r * vz)
        p = s.parent[k]
        if p > 0:
            xx, xy, xz, yy, yz, zz = xx - x * ux, xy - x * uy, xz - x * uz, yy - y * uy, yz - y * uz, zz - z * uz
            b0, b1, b2 = B[b, 0] - x * vx, B[b, 1] - x * vy, B[b, 2] - x * vz
            b3, b4, b5 = B[c, 0] - y * vx, B[c, 1] - y * vy, B[c, 2] - y * vz
            b6, b7, b8 = B[d, 0] - z * vx, B[d, 1] - z * vy, B[d, 2] - z * vz
            x, y, z = r * vx, r * vy, r * vz
            d0, d1, d2 = D[e, 0] - x * vx, D[e, 1] - x * vy, D[e, 2] - x * vz
            d3, d4, d5 = D[f, 0] - y * vy, D[f, 1] - y * vz, D[f, 2] - z * vz
            put(A, e, xx, xy, xz)
            put(A, f, yy, yz, zz)
            put(B, b, b0, b1, b2)
            put(B, c, b3, b4, b5)
            put(B, d, b6, b7, b8)
            put(D, e, d0, d1, d2)
            put(D, f, d3, d4, d5)
            # about the hinge of the parent: A + l̂ Bᵀ − (B + l̂ D) l̂, B + l̂ D, D
            lx, ly, lz = w.way[k, 0], w.way[k, 1], w.way[k, 2]
            x0, _, _ = cross(lx, ly, lz, b0, b1, b2)
            x1, y1, _ = cross(lx, ly, lz, b3, b4, b5)
            x2, y2, z2 = cross(lx, ly, lz, b6, b7, b8)
            x, y, z = cross(lx, ly, lz, d0, d1, d2)
            b0, b3, b6 = b0 + x, b3 + y, b6 + z
            x, y, z = cross(lx, ly, lz, d1, d3, d4)
            b1, b4, b7 = b1 + x, b4 + y, b7 + z
            x, y, z = cross(lx, ly, lz, d2, d4, d5)
            b2, b5, b8 = b2 + x, b5 + y, b8 + z
            add(B, 3 * p, b0, b1, b2)
            add(B, 3 * p + 1, b3, b4, b5)
            add(B, 3 * p + 2, b6, b7, b8)
            add(D, 2 * p, d0, d1, d2)
            add(D, 2 * p + 1, d3, d4, d5)
            x, y, z = cross(lx, ly, lz, b0, b1, b2)
            add(A, 2 * p, xx + x0 + x, xy + x1 + y, xz + x2 + z)
            _, x, y = cross(lx, ly, lz, b3, b4, b5)
            _, _, z = cross(lx, ly, lz, b6, b7, b8)
            add(A, 2 * p + 1, yy + y1 + x, yz + y2 + y, zz + z2 + z)


def load(s: Tree, w: TreeWork, q, v, a):  # type: ignore[no-untyped-def]
    """Of each body by itself, about its hinge: ω, and the torque τ and force φ that are missing where it does not accelerate."""
    promise_widths_of_tree(s, w)
    promise(q.shape[1] == 3)
    promise(a.shape[1] == 3)
    for k in range(1, s.parent.shape[0]):
        m = s.mass[k]
        i = s.vector[k, 0]
        dx, dy, dz = w.arm[k, 0], w.arm[k, 1], w.arm[k, 2]
        fx, fy, fz = -a[i, 0], -a[i, 1], -a[i, 2]
        wx = wy = wz = tx = ty = tz = 0.0
        if MOVES == 1:
            wx, wy, wz = spin_of_body(s, w.E, k, v)
            put(w.omega, k, wx, wy, wz)
            x, y, z = inward(wx, wy, wz, dx, dy, dz)
            fx, fy, fz = fx + x, fy + y, fz + z
        for j in range(3):
            i = s.vector[k, 1 + j]
            x, y, z = -a[i, 0], -a[i, 1], -a[i, 2]
            if MOVES == 1:  # a × (ω × (ω × a)) = (ω·a) a × ω
                along = wx * q[i, 0] + wy * q[i, 1] + wz * q[i, 2]
                x, y, z = x + along * wx, y + along * wy, z + along * wz
            x, y, z = cross(q[i, 0], q[i, 1], q[i, 2], x, y, z)
            tx += x
            ty += y
            tz += z
        x, y, z = cross(dx, dy, dz, fx, fy, fz)
        put(w.tau, k, m * (tx + x), m * (ty + y), m * (tz + z))
        put(w.phi, k, m * fx, m * fy, m * fz)


def spin_of_body(s: Tree, E, k, v):  # type: ignore[no-untyped-def]
    """ω with which its axes e come nearest to e' = ω × e: (Σ |e|² − e eᵀ) ω = Σ e × e'.

    Inside a step they are not quite unit vectors, nor at right angles.
    """
    lx = ly = lz = xx = xy = xz = yy = yz = zz = 0.0
    for j in range(3):
        i = s.vector[k, 1 + j]
        f = s.per_length[k, j]
        ex, ey, ez = E[k, j, 0], E[k, j, 1], E[k, j, 2]
        x, y, z = cross(ex, ey, ez, f * v[i, 0], f * v[i, 1], f * v[i, 2])
        lx += x
        ly += y
        lz += z
        xx += ey * ey + ez * ez
        xy += ex * ey
        xz += ex * ez
        yy += ex * ex + ez * ez
        yz += ey * ez
        zz += ex * ex + ey * ey
    a, b, c = yy * zz - yz * yz, yz * xz + xy * zz, xy * yz + yy * xz
    d, e, f = xx * zz - xz * xz, xx * yz + xy * xz, xx * yy - xy * xy
    r = 1.0 / (xx * a - xy * b - xz * c)
    return r * (a * lx + b * ly + c * lz), r * (b * lx + d * ly + e * lz), r * (c * lx + e * ly + f * lz)


def gather_loads(s: Tree, w: TreeWork):  # type: ignore[no-untyped-def]
    """From the ends to the ground: what is missing of a body and all that hangs on it, where its hinge gives way."""
    promise_widths_of_tree(s, w)
    for back in range(1, s.parent.shape[0]):
        k = s.parent.shape[0] - back
        tx, ty, tz = w.tau[k, 0], w.tau[k, 1], w.tau[k, 2]
        h = w.axis[k, 0] * tx + w.axis[k, 1] * ty + w.axis[k, 2] * tz
        w.turn[k] = w.give[k] * h
        p = s.parent[k]
        if p > 0:
            tx, ty, tz = tx - h * w.U[k, 0], ty - h * w.U[k, 1], tz - h * w.U[k, 2]
            fx, fy, fz = w.phi[k, 0] - h * w.V[k, 0], w.phi[k, 1] - h * w.V[k, 1], w.phi[k, 2] - h * w.V[k, 2]
            lx, ly, lz = w.way[k, 0], w.way[k, 1], w.way[k, 2]
            if MOVES == 1:
                # ζ = ω_p × ω, by which α differs from that of the parent beside the hinge; β of the hinges alike
                px, py, pz = w.omega[p, 0], w.omega[p, 1], w.omega[p, 2]
                gx, gy, gz = cross(px, py, pz, w.omega[k, 0], w.omega[k, 1], w.omega[k, 2])
                bx, by, bz = inward(px, py, pz, lx, ly, lz)
                put(w.zeta, k, gx, gy, gz)
                put(w.beta, k, bx, by, bz)
                x, y, z, ax, ay, az = resist(w.A, w.B, w.D, k, gx, gy, gz, bx, by, bz)
                tx, ty, tz = tx + x, ty + y, tz + z
                fx, fy, fz = fx + ax, fy + ay, fz + az
            x, y, z = cross(lx, ly, lz, fx, fy, fz)
            add(w.tau, p, tx + x, ty + y, tz + z)
            add(w.phi, p, fx, fy, fz)


def resist(A, B, D, k, gx, gy, gz, bx, by, bz):  # type: ignore[no-untyped-def]
    """Torque and force of the inertia of body k: A ζ + B β, Bᵀ ζ + D β."""
    b, c, d, e, f = 3 * k, 3 * k + 1, 3 * k + 2, 2 * k, 2 * k + 1
    x, y, z = times(A[e, 0], A[e, 1], A[e, 2], A[f, 0], A[f, 1], A[f, 2], gx, gy, gz)
    x += B[b, 0] * bx + B[b, 1] * by + B[b, 2] * bz
    y += B[c, 0] * bx + B[c, 1] * by + B[c, 2] * bz
    z += B[d, 0] * bx + B[d, 1] * by + B[d, 2] * bz
    fx, fy, fz = times(D[e, 0], D[e, 1], D[e, 2], D[f, 0], D[f, 1], D[f, 2], bx, by, bz)
    fx += B[b, 0] * gx + B[c, 0] * gy + B[d, 0] * gz
    fy += B[b, 1] * gx + B[c, 1] * gy + B[d, 1] * gz
    fz += B[b, 2] * gx + B[c, 2] * gy + B[d, 2] * gz
    return x, y, z, fx, fy, fz


def hand_out(s: Tree, w: TreeWork, q, a):  # type: ignore[no-untyped-def]
    """From the ground to the ends: the acceleration of each hinge, of the body about it, and so of its centre and axes."""
    promise_widths_of_tree(s, w)
    promise(q.shape[1] == 3)
    promise(a.shape[1] == 3)
    U, V = w.U, w.V
    for k in range(1, s.parent.shape[0]):
        p = s.parent[k]
        ax = ay = az = gx = gy = gz = 0.0
        if p > 0:
            gx, gy, gz = w.alpha[p, 0], w.alpha[p, 1], w.alpha[p, 2]
            x, y, z = cross(gx, gy, gz, w.way[k, 0], w.way[k, 1], w.way[k, 2])
            ax, ay, az = w.accel[p, 0] + x, w.accel[p, 1] + y, w.accel[p, 2] + z
            if MOVES == 1:
                ax, ay, az = ax + w.beta[k, 0], ay + w.beta[k, 1], az + w.beta[k, 2]
                gx, gy, gz = gx + w.zeta[k, 0], gy + w.zeta[k, 1], gz + w.zeta[k, 2]
        turn = U[k, 0] * gx + U[k, 1] * gy + U[k, 2] * gz + V[k, 0] * ax + V[k, 1] * ay + V[k, 2] * az + w.turn[k]
        gx, gy, gz = gx - turn * w.axis[k, 0], gy - turn * w.axis[k, 1], gz - turn * w.axis[k, 2]
        put(w.alpha, k, gx, gy, gz)
        put(w.accel, k, ax, ay, az)
        x, y, z = whirled(w.omega, k, gx, gy, gz, w.arm[k, 0], w.arm[k, 1], w.arm[k, 2])
        put(a, s.vector[k, 0], ax + x, ay + y, az + z)
        for j in range(1, 4):
            i = s.vector[k, j]
            x, y, z = whirled(w.omega, k, gx, gy, gz, q[i, 0], q[i, 1], q[i, 2])
            put(a, i, x, y, z)


def whirled(omega, k, gx, gy, gz, x, y, z):  # type: ignore[no-untyped-def]
    """α × x + ω × (ω × x), fixed to body k."""
    ax, ay, az = cross(gx, gy, gz, x, y, z)
    if MOVES == 1:
        bx, by, bz = inward(omega[k, 0], omega[k, 1], omega[k, 2], x, y, z)
        ax, ay, az = ax + bx, ay + by, az + bz
    return ax, ay, az


def inward(wx, wy, wz, x, y, z):  # type: ignore[no-untyped-def]
    """ω × (ω × x)."""
    along = wx * x + wy * y + wz * z
    square = wx * wx + wy * wy + wz * wz
    return along * wx - square * x, along * wy - square * y, along * wz - square * z


def put(a, k, x, y, z):  # type: ignore[no-untyped-def]
    a[k, 0] = x
    a[k, 1] = y
    a[k, 2] = z


def add(a, k, x, y, z):  # type: ignore[no-untyped-def]
    a[k, 0] += x
    a[k, 1] += y
    a[k, 2] += z
