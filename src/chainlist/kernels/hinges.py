"""Accelerations of a tree of bodies on hinges, from its ends to the ground and back: no equation of a joint is solved for.

Featherstone, "Rigid Body Dynamics Algorithms", 7.3, with all vectors along the coordinates of the world and moments about the
hinge of each body: the work is proportional to the number of bodies. The state is that of all other machines, centres and axes.
A stage of a Runge–Kutta step stands a little off the constraints; what is computed there is a smooth continuation of what holds
on them, so that a method keeps its order.

Body 0 is the ground; parents come before their children. Symmetric matrices are kept as xx, xy, xz, yy, yz, zz.
"""

from chainlist.kernels.forces import supply
from chainlist.kernels.slots import ACTS, DIM, EVALUATIONS, POWER, free


def cross(ax, ay, az, bx, by, bz):  # type: ignore[no-untyped-def]
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


def times(xx, xy, xz, yy, yz, zz, x, y, z):  # type: ignore[no-untyped-def]
    """A symmetric matrix times a vector."""
    return xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z


def tree_accelerations(s, w, t, q, v, qd, vd, judge):  # type: ignore[no-untyped-def]
    """As `accelerations` of INDEX1: q' = v, v' with the forces of all joints."""
    free(s, w, t, q, v, vd)
    hold_by_hinges(s, w, q, v, vd)
    for i in range(q.shape[0]):
        for c in range(DIM):
            qd[i, c] = v[i, c]
    if ACTS == 1:
        supply(s.table, w.rows, s.inverse_mass, w.gauge[POWER], v, qd)
    w.count[EVALUATIONS] += 1


def hold_by_hinges(s, w, q, v, a):  # type: ignore[no-untyped-def]
    """a, the accelerations without constraints, becomes those with the hinges."""
    lay_out(s.tree, w.tree, q, v, a)
    gather_inertia(s.tree, w.tree)
    hand_out(s.tree, w.tree, q, a)


def lay_out(s, w, q, v, a):  # type: ignore[no-untyped-def]
    """Of each body by itself, about its hinge: axis u, way d to the centre, way l from the parent's hinge, ω, inertia A, B, D.

    Torque and force at the hinge are (A α + B a + τ, Bᵀ α + D a + φ), with α of the body and the acceleration a of its hinge.
    """
    E, axis, arm, way, omega = w.E, w.axis, w.arm, w.way, w.omega
    for k in range(1, s.parent.shape[0]):
        m = s.mass[k]
        ux = uy = uz = dx = dy = dz = wx = wy = wz = tx = ty = tz = 0.0
        xx = xy = xz = yy = yz = zz = 0.0
        for j in range(3):
            i = s.vector[k, 1 + j]
            f = s.per_length[k, j]
            ex, ey, ez = f * q[i, 0], f * q[i, 1], f * q[i, 2]
            E[k, j, 0] = ex
            E[k, j, 1] = ey
            E[k, j, 2] = ez
            x, y, z = cross(ex, ey, ez, 0.5 * f * v[i, 0], 0.5 * f * v[i, 1], 0.5 * f * v[i, 2])  # ω = ½ Σ e × e'
            wx += x
            wy += y
            wz += z
            g = s.triad[k, j, 0]
            ux += g * ex
            uy += g * ey
            uz += g * ez
            g = s.pin[k, j]
            dx -= g * ex
            dy -= g * ey
            dz -= g * ez
            x, y, z = cross(m * q[i, 0], m * q[i, 1], m * q[i, 2], a[i, 0], a[i, 1], a[i, 2])
            tx -= x
            ty -= y
            tz -= z
            g = s.moment[k, j]
            xx += g * ex * ex
            xy += g * ex * ey
            xz += g * ex * ez
            yy += g * ey * ey
            yz += g * ey * ez
            zz += g * ez * ez
        # τ += ω × Iω: the part of I along ω is none of it
        x, y, z = times(xx, xy, xz, yy, yz, zz, wx, wy, wz)
        x, y, z = cross(wx, wy, wz, x, y, z)
        tx -= x
        ty -= y
        tz -= z
        i = s.vector[k, 0]
        along = wx * dx + wy * dy + wz * dz
        square = wx * wx + wy * wy + wz * wz
        fx = m * (along * wx - square * dx - a[i, 0])
        fy = m * (along * wy - square * dy - a[i, 1])
        fz = m * (along * wz - square * dz - a[i, 2])
        x, y, z = cross(dx, dy, dz, fx, fy, fz)
        put(w.tau, k, tx + x, ty + y, tz + z)
        put(w.phi, k, fx, fy, fz)
        put(axis, k, ux, uy, uz)
        put(arm, k, dx, dy, dz)
        put(omega, k, wx, wy, wz)
        put_symmetric(
            w.A,
            k,
            yy + zz + m * (dy * dy + dz * dz),
            -xy - m * dx * dy,
            -xz - m * dx * dz,
            xx + zz + m * (dx * dx + dz * dz),
            -yz - m * dy * dz,
            xx + yy + m * (dx * dx + dy * dy),
        )
        put(w.B, 3 * k, 0.0, -m * dz, m * dy)
        put(w.B, 3 * k + 1, m * dz, 0.0, -m * dx)
        put(w.B, 3 * k + 2, -m * dy, m * dx, 0.0)
        put_symmetric(w.D, k, m, 0.0, 0.0, m, 0.0, m)
        p = s.parent[k]
        lx, ly, lz = arm[p, 0], arm[p, 1], arm[p, 2]
        for j in range(3):
            g = s.pin_of_parent[k, j]
            lx += g * E[p, j, 0]
            ly += g * E[p, j, 1]
            lz += g * E[p, j, 2]
        put(way, k, lx, ly, lz)


def put(a, k, x, y, z):  # type: ignore[no-untyped-def]
    a[k, 0] = x
    a[k, 1] = y
    a[k, 2] = z


def put_symmetric(a, k, xx, xy, xz, yy, yz, zz):  # type: ignore[no-untyped-def]
    a[k, 0] = xx
    a[k, 1] = xy
    a[k, 2] = xz
    a[k, 3] = yy
    a[k, 4] = yz
    a[k, 5] = zz


def add(a, k, x, y, z):  # type: ignore[no-untyped-def]
    a[k, 0] += x
    a[k, 1] += y
    a[k, 2] += z


def gather_inertia(s, w):  # type: ignore[no-untyped-def]
    """From the ends to the ground: what a body with all that hangs on it resists with, where its hinge gives way."""
    A, B, D, U, V, spare = w.A, w.B, w.D, w.U, w.V, w.spare
    for back in range(1, s.parent.shape[0]):
        k = s.parent.shape[0] - back
        x, y, z = w.axis[k, 0], w.axis[k, 1], w.axis[k, 2]
        tx, ty, tz = w.tau[k, 0], w.tau[k, 1], w.tau[k, 2]
        xx, xy, xz, yy, yz, zz = A[k, 0], A[k, 1], A[k, 2], A[k, 3], A[k, 4], A[k, 5]
        b, c, d = 3 * k, 3 * k + 1, 3 * k + 2
        ux, uy, uz = times(xx, xy, xz, yy, yz, zz, x, y, z)
        vx = B[b, 0] * x + B[c, 0] * y + B[d, 0] * z
        vy = B[b, 1] * x + B[c, 1] * y + B[d, 1] * z
        vz = B[b, 2] * x + B[c, 2] * y + B[d, 2] * z
        r = 1.0 / (x * ux + y * uy + z * uz)
        h = r * (x * tx + y * ty + z * tz)
        put(U, k, r * ux, r * uy, r * uz)
        put(V, k, r * vx, r * vy, r * vz)
        spare[k] = h
        p = s.parent[k]
        if p > 0:
            px, py, pz = w.omega[p, 0], w.omega[p, 1], w.omega[p, 2]
            lx, ly, lz = w.way[k, 0], w.way[k, 1], w.way[k, 2]
            # ζ = ω_p × ω, by which α differs from that of the parent beside the hinge; β of the hinges alike
            gx, gy, gz = cross(px, py, pz, w.omega[k, 0], w.omega[k, 1], w.omega[k, 2])
            along = px * lx + py * ly + pz * lz
            square = px * px + py * py + pz * pz
            bx, by, bz = along * px - square * lx, along * py - square * ly, along * pz - square * lz
            put(w.zeta, k, gx, gy, gz)
            put(w.beta, k, bx, by, bz)
            sx, sy, sz = r * ux, r * uy, r * uz
            xx -= sx * ux
            xy -= sx * uy
            xz -= sx * uz
            yy -= sy * uy
            yz -= sy * uz
            zz -= sz * uz
            b0, b1, b2 = B[b, 0] - sx * vx, B[b, 1] - sx * vy, B[b, 2] - sx * vz
            b3, b4, b5 = B[c, 0] - sy * vx, B[c, 1] - sy * vy, B[c, 2] - sy * vz
            b6, b7, b8 = B[d, 0] - sz * vx, B[d, 1] - sz * vy, B[d, 2] - sz * vz
            sx, sy, sz = r * vx, r * vy, r * vz
            d0, d1, d2 = D[k, 0] - sx * vx, D[k, 1] - sx * vy, D[k, 2] - sx * vz
            d3, d4, d5 = D[k, 3] - sy * vy, D[k, 4] - sy * vz, D[k, 5] - sz * vz
            x, y, z = times(xx, xy, xz, yy, yz, zz, gx, gy, gz)
            tx += x - h * ux + b0 * bx + b1 * by + b2 * bz
            ty += y - h * uy + b3 * bx + b4 * by + b5 * bz
            tz += z - h * uz + b6 * bx + b7 * by + b8 * bz
            x, y, z = times(d0, d1, d2, d3, d4, d5, bx, by, bz)
            fx = w.phi[k, 0] - h * vx + x + b0 * gx + b3 * gy + b6 * gz
            fy = w.phi[k, 1] - h * vy + y + b1 * gx + b4 * gy + b7 * gz
            fz = w.phi[k, 2] - h * vz + z + b2 * gx + b5 * gy + b8 * gz
            x, y, z = cross(lx, ly, lz, fx, fy, fz)
            add(w.tau, p, tx + x, ty + y, tz + z)
            add(w.phi, p, fx, fy, fz)
            # about the hinge of the parent: A + l̂ Bᵀ − (B + l̂ D) l̂, B + l̂ D, D
            x0, y0, z0 = cross(lx, ly, lz, b0, b1, b2)
            x1, y1, z1 = cross(lx, ly, lz, b3, b4, b5)
            x2, y2, z2 = cross(lx, ly, lz, b6, b7, b8)
            x, y, z = cross(lx, ly, lz, d0, d1, d2)
            b0 += x
            b3 += y
            b6 += z
            x, y, z = cross(lx, ly, lz, d1, d3, d4)
            b1 += x
            b4 += y
            b7 += z
            x, y, z = cross(lx, ly, lz, d2, d4, d5)
            b2 += x
            b5 += y
            b8 += z
            add(B, 3 * p, b0, b1, b2)
            add(B, 3 * p + 1, b3, b4, b5)
            add(B, 3 * p + 2, b6, b7, b8)
            add(D, p, d0, d1, d2)
            D[p, 3] += d3
            D[p, 4] += d4
            D[p, 5] += d5
            x, y, z = cross(lx, ly, lz, b0, b1, b2)
            add(A, p, xx + x0 + x, xy + x1 + y, xz + x2 + z)
            x, y, z = cross(lx, ly, lz, b3, b4, b5)
            A[p, 3] += yy + y1 + y
            A[p, 4] += yz + y2 + z
            x, y, z = cross(lx, ly, lz, b6, b7, b8)
            A[p, 5] += zz + z2 + z


def hand_out(s, w, q, a):  # type: ignore[no-untyped-def]
    """From the ground to the ends: the acceleration of each hinge, of the body about it, and so of its centre and axes."""
    for k in range(1, s.parent.shape[0]):
        p = s.parent[k]
        ax = ay = az = gx = gy = gz = 0.0
        if p > 0:
            gx, gy, gz = w.alpha[p, 0], w.alpha[p, 1], w.alpha[p, 2]
            x, y, z = cross(gx, gy, gz, w.way[k, 0], w.way[k, 1], w.way[k, 2])
            ax = w.accel[p, 0] + w.beta[k, 0] + x
            ay = w.accel[p, 1] + w.beta[k, 1] + y
            az = w.accel[p, 2] + w.beta[k, 2] + z
            gx += w.zeta[k, 0]
            gy += w.zeta[k, 1]
            gz += w.zeta[k, 2]
        U, V = w.U, w.V
        turn = U[k, 0] * gx + U[k, 1] * gy + U[k, 2] * gz + V[k, 0] * ax + V[k, 1] * ay + V[k, 2] * az + w.spare[k]
        gx -= turn * w.axis[k, 0]
        gy -= turn * w.axis[k, 1]
        gz -= turn * w.axis[k, 2]
        put(w.alpha, k, gx, gy, gz)
        put(w.accel, k, ax, ay, az)
        wx, wy, wz = w.omega[k, 0], w.omega[k, 1], w.omega[k, 2]
        square = wx * wx + wy * wy + wz * wz
        for j in range(4):
            i = s.vector[k, j]
            x, y, z = q[i, 0], q[i, 1], q[i, 2]
            if j == 0:
                x, y, z = w.arm[k, 0], w.arm[k, 1], w.arm[k, 2]
            cx, cy, cz = cross(gx, gy, gz, x, y, z)
            along = wx * x + wy * y + wz * z
            cx += along * wx - square * x
            cy += along * wy - square * y
            cz += along * wz - square * z
            if j == 0:
                cx += ax
                cy += ay
                cz += az
            put(a, i, cx, cy, cz)
