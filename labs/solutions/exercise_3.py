"""Model solution of exercise 3: the paper's rhombus turns inside out when all its links lie on one line."""

CHAINLIST = """* Rhombus on one pivot
B1 (-1,1) 1
B2 (1,1) 1
B3 (0,2) 1
C1 B1 (0,1E-7)
C2 B2 (0,1E-7)
C3 B1 B3
C4 B2 B3
.tran 0 2.5 1E-3
.options gravity=1
"""
STEP = 0.02
