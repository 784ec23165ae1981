"""Tapes: formulas as data. `forward` computes values and derivatives along the motion, `backward` by coordinates.

Along the motion a coordinate is x + v τ, the time t + τ: the second derivative by τ leaves accelerations out, which is what
b of a row wants. A node that depends on the time alone and has corners is *frozen*: which of its branches holds was
recorded in the middle of the present piece between two breakpoints, so that every step sees a smooth function.
"""

from __future__ import annotations

import math

from chainlist.kernels.bundles import Tape, TapeWork
from chainlist.kernels.operations import (
    ABS,
    ACOS,
    ADD,
    AND,
    ASIN,
    ATAN,
    ATAN2,
    CHOOSE,
    CONST,
    COS,
    COSH,
    DIVIDE,
    EXP,
    FLOOR,
    LENGTH,
    LESS,
    LESS_EQUAL,
    LOG,
    MAX,
    MIN,
    MOD,
    MULTIPLY,
    NEGATE,
    NOT,
    OR,
    PLACE,
    POWER,
    POWER_OF,
    RAMP,
    SIGN,
    SIN,
    SINH,
    SMOOTH,
    SQRT,
    STEP,
    SUBTRACT,
    TABLE,
    TAN,
    TANH,
    TIME_LEAF,
    TURN,
)
from chainlist.kernels.slots import apart

TWO_PI = 6.283185307179586


@apart
def forward(tape: Tape, w: TapeWork, first, last, t, q, v):  # type: ignore[no-untyped-def]
    """Run nodes `first` … `last` − 1: w.value, w.d1 and w.d2 of each. The last one is the result."""
    op, left, right, third, number = tape.op, tape.a, tape.b, tape.c, tape.x
    value, d1, d2 = w.value, w.d1, w.d2
    for n in range(first, last):
        o = op[n]
        f1 = 0.0
        f2 = 0.0
        if o < ADD:
            if o == CONST:
                f = number[n]
            elif o == TIME_LEAF:
                f = t
                f1 = w.rate[0]
            elif o == PLACE:
                f = q[left[n], right[n]]
                f1 = v[left[n], right[n]]
            else:
                f = v[left[n], right[n]]
            value[n] = f
            d1[n] = f1
            d2[n] = 0.0
            continue
        i = left[n]
        x = value[i]
        x1 = d1[i]
        x2 = d2[i]
        if o == MULTIPLY:
            j = right[n]
            y = value[j]
            y1 = d1[j]
            f = x * y
            f1 = x1 * y + x * y1
            f2 = x2 * y + 2.0 * x1 * y1 + x * d2[j]
        elif o == ADD:
            j = right[n]
            f = x + value[j]
            f1 = x1 + d1[j]
            f2 = x2 + d2[j]
        elif o == SUBTRACT:
            j = right[n]
            f = x - value[j]
            f1 = x1 - d1[j]
            f2 = x2 - d2[j]
        elif o == NEGATE:
            f = -x
            f1 = -x1
            f2 = -x2
        elif o == DIVIDE:
            j = right[n]
            y = 1.0 / value[j]
            y1 = d1[j]
            f = x * y
            f1 = (x1 - f * y1) * y
            f2 = (x2 - 2.0 * f1 * y1 - f * d2[j]) * y
        elif o < ABS:
            f, g1, g2 = smooth_function(tape, w, n, o, x)
            if o == ATAN2 or o == TURN:
                # ∂/∂y = x/r², ∂/∂x = −y/r² of atan2(y, x); here x holds y, and the second operand x
                j = right[n]
                u = value[j]
                u1 = d1[j]
                inverse = 1.0 / (x * x + u * u)
                f = math.atan2(x, u)
                f1 = (u * x1 - x * u1) * inverse
                f2 = (u * x2 - x * d2[j]) * inverse - 2.0 * f1 * (x * x1 + u * u1) * inverse
                if o == TURN:
                    turns = (w.turn[third[n]] - f) / TWO_PI + 0.5
                    if abs(turns) < 1e15:  # not nan
                        f += TWO_PI * math.floor(turns)
            elif o == POWER_OF:
                j = right[n]
                y = value[j]
                u = math.log(x) if x > 0.0 else math.nan
                f = math.exp(y * u)
                e1 = d1[j] * u + y * x1 / x
                f1 = f * e1
                f2 = f * (e1 * e1 + d2[j] * u + (2.0 * d1[j] * x1 + y * (x2 - x1 * x1 / x)) / x)
            else:
                f1 = g1 * x1
                f2 = g1 * x2 + g2 * x1 * x1
        else:
            f, f1, f2 = function_with_corners(tape, w, n, o, x, x1, x2)
        value[n] = f
        d1[n] = f1
        d2[n] = f2


@apart
def smooth_function(tape: Tape, w: TapeWork, n, o, x):  # type: ignore[no-untyped-def]
    """Value and first two derivatives of a smooth function of one operand."""
    if o == SQRT or o == LENGTH:
        f = math.sqrt(x) if x >= 0.0 else math.nan
        if f == 0.0:
            return (f, 0.0, 0.0) if o == LENGTH else (f, math.inf, -math.inf)
        g = 0.5 / f
        return f, g, -g * 0.5 / x
    if o == SIN:
        f = math.sin(x)
        return f, math.cos(x), -f
    if o == COS:
        f = math.cos(x)
        return f, -math.sin(x), -f
    if o == POWER:
        e = tape.x[n]
        if e == 2.0:
            return x * x, 2.0 * x, 2.0
        if x == 0.0:
            # 0 to a power: derivatives of whole exponents are numbers
            f = 0.0 if e > 0.0 else (1.0 if e == 0.0 else math.inf)
            g = 1.0 if e == 1.0 else (0.0 if e > 1.0 or e == 0.0 else math.inf)
            return f, g, 0.0 if e > 2.0 or e == 1.0 or e == 0.0 else math.inf
        if x < 0.0 and e != math.floor(e):
            return math.nan, math.nan, math.nan
        f = math.pow(x, e)
        return f, e * f / x, e * (e - 1.0) * f / (x * x)
    if o == TAN:
        f = math.tan(x)
        g = 1.0 + f * f
        return f, g, 2.0 * f * g
    if o == EXP:
        f = math.exp(x) if x < 709.0 else math.inf
        return f, f, f
    if o == LOG:
        if x <= 0.0:
            return math.nan, math.nan, math.nan
        g = 1.0 / x
        return math.log(x), g, -g * g
    if o == ASIN or o == ACOS:
        if not -1.0 <= x <= 1.0:
            return math.nan, math.nan, math.nan
        u = 1.0 - x * x
        g = 1.0 / math.sqrt(u) if u > 0.0 else math.inf
        s = 1.0 if o == ASIN else -1.0
        return math.asin(x) if o == ASIN else math.acos(x), s * g, s * x * g * g * g
    if o == ATAN:
        g = 1.0 / (1.0 + x * x)
        return math.atan(x), g, -2.0 * x * g * g
    if o == TANH:
        f = math.tanh(x)
        g = 1.0 - f * f
        return f, g, -2.0 * f * g
    if o == SINH or o == COSH:
        if abs(x) > 709.0:
            return math.inf, math.inf, math.inf
        f = math.sinh(x)
        g = math.cosh(x)
        return (f, g, f) if o == SINH else (g, f, g)
    if o == SMOOTH:
        if x <= 0.0:
            return 0.0, 0.0, 0.0
        if x >= 1.0:
            return 1.0, 0.0, 0.0
        rest = 1.0 - x
        return x * x * x * (x * (6.0 * x - 15.0) + 10.0), 30.0 * x * x * rest * rest, 60.0 * x * rest * (rest - x)
    return 0.0, 0.0, 0.0


@apart
def function_with_corners(tape: Tape, w: TapeWork, n, o, x, x1, x2):  # type: ignore[no-untyped-def]
    """Value and derivatives along the motion of a function with corners, on the branch that holds."""
    value, d1, d2 = w.value, w.d1, w.d2
    j = tape.b[n]
    frozen = tape.frozen[n]
    if o == TABLE:
        k = j + 5 * interval_of_table(tape, w, n, x)
        knots = tape.knots
        s = x - knots[k]
        b1, b2, b3 = knots[k + 2], knots[k + 3], knots[k + 4]
        slope1 = b1 + s * (2.0 * b2 + 3.0 * b3 * s)
        return (
            knots[k + 1] + s * (b1 + s * (b2 + s * b3)),
            slope1 * x1,
            slope1 * x2 + (2.0 * b2 + 6.0 * b3 * s) * x1 * x1,
        )
    if frozen == 0 or w.rate[1] != 0.0:  # in between, branches of the time alone are only recorded
        chosen = 0.0
        if o == CHOOSE or o == NOT:
            chosen = 1.0 if x != 0.0 else 0.0
        elif o == ABS or o == SIGN:
            chosen = 1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)
        elif o == STEP or o == RAMP:
            chosen = 1.0 if x >= 0.0 else 0.0
        elif o == FLOOR:
            chosen = math.floor(x) if abs(x) < 1e15 else x
        elif o == MOD:
            chosen = x / value[j]
            chosen = math.floor(chosen) if abs(chosen) < 1e15 else math.nan
        elif o == MIN or o == LESS_EQUAL:
            chosen = 1.0 if x <= value[j] else 0.0
        elif o == LESS:
            chosen = 1.0 if x < value[j] else 0.0
        elif o == MAX:
            chosen = 1.0 if x >= value[j] else 0.0
        elif o == AND:
            chosen = 1.0 if x != 0.0 and value[j] != 0.0 else 0.0
        elif o == OR:
            chosen = 1.0 if x != 0.0 or value[j] != 0.0 else 0.0
        w.chosen[n] = chosen
    chosen = w.chosen[n]
    if o == CHOOSE:
        k = j if chosen != 0.0 else tape.c[n]
        return value[k], d1[k], d2[k]
    if o == ABS:
        return chosen * x, chosen * x1, chosen * x2
    if o == RAMP:
        return chosen * x, chosen * x1, chosen * x2
    if o == MOD:
        return x - chosen * value[j], x1 - chosen * d1[j], x2 - chosen * d2[j]
    if o == MIN or o == MAX:
        if chosen != 0.0:
            return x, x1, x2
        return value[j], d1[j], d2[j]
    if o == NOT:
        return 1.0 - chosen, 0.0, 0.0
    return chosen, 0.0, 0.0


@apart
def interval_of_table(tape: Tape, w: TapeWork, n, x):  # type: ignore[no-untyped-def]
    """Which piece of a table x falls into: 0 is what lies before the first knot."""
    if tape.frozen[n] != 0 and w.rate[1] == 0.0:
        return int(w.chosen[n])
    first = tape.b[n]
    low = 0
    high = tape.c[n]
    while low + 1 < high:  # knots[first + 5·k] is where piece k begins; that of piece 0 is −∞
        middle = (low + high) // 2
        if tape.knots[first + 5 * middle] <= x:
            low = middle
        else:
            high = middle
    w.chosen[n] = 1.0 * low
    return low


@apart
def backward(tape: Tape, w: TapeWork, first, last, seed):  # type: ignore[no-untyped-def]
    """After `forward`: w.adjoint of each leaf becomes seed times the derivative of the result by it.

    Adjoints of other nodes are left at 0. The caller reads those of the leaves and sets them to 0 again.
    """
    op, left, right, third = tape.op, tape.a, tape.b, tape.c
    value, adjoint = w.value, w.adjoint
    adjoint[last - 1] += seed
    for back in range(last - first):
        n = last - 1 - back
        o = op[n]
        if o < ADD:
            continue
        g = adjoint[n]
        adjoint[n] = 0.0
        if g == 0.0:
            continue
        i = left[n]
        j = right[n]
        if o == MULTIPLY:
            x = value[i]
            adjoint[i] += g * value[j]
            adjoint[j] += g * x
        elif o == ADD:
            adjoint[i] += g
            adjoint[j] += g
        elif o == SUBTRACT:
            adjoint[i] += g
            adjoint[j] -= g
        elif o == NEGATE:
            adjoint[i] -= g
        elif o == DIVIDE:
            u = g / value[j]
            adjoint[i] += u
            adjoint[j] -= u * value[n]
        elif o == ATAN2 or o == TURN:
            x = value[i]
            u = value[j]
            over = g / (x * x + u * u)
            adjoint[i] += over * u
            adjoint[j] -= over * x
        elif o == POWER_OF:
            adjoint[i] += g * value[j] * value[n] / value[i]
            adjoint[j] += g * value[n] * math.log(value[i])
        elif o < ABS:
            _, g1, _ = smooth_function(tape, w, n, o, value[i])
            adjoint[i] += g * g1
        elif o == TABLE:
            k = j + 5 * int(w.chosen[n])
            knots = tape.knots
            s = value[i] - knots[k]
            adjoint[i] += g * (knots[k + 2] + s * (2.0 * knots[k + 3] + 3.0 * knots[k + 4] * s))
        elif o == CHOOSE:
            adjoint[j if w.chosen[n] != 0.0 else third[n]] += g
        elif o == ABS or o == RAMP:
            adjoint[i] += g * w.chosen[n]
        elif o == MOD:
            adjoint[i] += g
            adjoint[j] -= g * w.chosen[n]
        elif o == MIN or o == MAX:
            adjoint[i if w.chosen[n] != 0.0 else j] += g


@apart
def remember_turns(tape: Tape, w: TapeWork):  # type: ignore[no-untyped-def]
    """At a landing: angles go on from the values that they have now, as `forward` left them."""
    for m in range(tape.turning.shape[0]):
        n = tape.turning[m]
        w.turn[tape.c[n]] = w.value[n]
