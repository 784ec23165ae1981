"""Model solution of exercise 6: E, a wire in the shape of an ellipse around the origin.

E1 B1 ELLIPSE(2,1)
"""

from chainlist.elements.base import ElementType, Reading, register


def read(card):
    body = card.body()
    a, b = card.numbers("ELLIPSE", "length", "length")
    if a <= 0 or b <= 0:
        card.fail("the half axes of an ellipse must be positive", help="ELLIPSE(2,1) is 4 m wide and 2 m high")
    return Reading((body,), (a, b))


def parameters(values, points):
    return tuple(float(value) for value in values)


def row(k, s, w, t, q, v):
    # Φ = (x/a)² + (y/b)² − 1 ;  A = (2x/a², 2y/b²) ;  b = −2 (vx²/a² + vy²/b²)
    i = s.point[k, 0]
    aa = s.par[k, 0] * s.par[k, 0]
    bb = s.par[k, 1] * s.par[k, 1]
    x, y = q[i, 0], q[i, 1]
    w.phi[k] = x * x / aa + y * y / bb - 1.0
    w.J[k, 0] = 2.0 * x / aa
    w.J[k, 1] = 2.0 * y / bb
    w.J[k, 2] = 0.0
    w.J[k, 3] = 0.0
    w.b[k] = -2.0 * (v[i, 0] * v[i, 0] / aa + v[i, 1] * v[i, 1] / bb)


register(
    ElementType(
        letter="E",
        name="ellipse",
        syntax="E<name> <body> ELLIPSE(<a>,<b>)",
        meaning="keeps a body on the ellipse (x/a)² + (y/b)² = 1",
        read=read,
        parameters=parameters,
        row=row,
        ends=1,
    )
)
