"""A run that cannot begin says so."""

import chainlist
from chainlist.run.simulate import simulate

FAR = """* An anchor so far away that rounding hides the others
B1 (1,0.2) 2
B2 (-0.3,1.4) 3
B3 (0,1) 1
C1 B1 (0.5,999999999999.5)
C2 B2 B1
S1 B3 LINE(({time},0),B2)
.tran 0 3ms 1ms
"""


def test_a_start_that_is_off_by_rounding_names_a_constraint():
    status = simulate(chainlist.parse(FAR), target="python").status
    assert status.constraint in ("C1", "C2", "S1")
