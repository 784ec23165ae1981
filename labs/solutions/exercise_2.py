"""Model solution of exercise 2: list the bodies from the tip to the anchor.

The recursion takes the columns of B in the order of the bodies. From the anchor, B1 comes first; it belongs to two links,
so both of its columns are independent, but nearly parallel when the chain is straight: the recursion divides by a tiny
remainder. From the tip, each body brings exactly one new link: one column with a large remainder, and one that depends.
"""

CHAINLIST = """* 12 Link Chain, bodies from the tip to the anchor
B12 (2.4,0) 1
...
B1 (0.2,0) 1
C1 B1 (0,0)
C2 B1 B2
...
C12 B11 B12
.tran 0 10 1E-3
.options gravity=1 mpitol=1E-12
.options MPI_ALGO=GREVILLE DAESYSTEM=INDEX1 INTEGRATOR=MIDPOINT
"""
