"""An alarm that rings at the very start of a step must not hide another one within it."""

import numpy as np

import chainlist

# At 0.3738 s, B3 comes to rest and B2 begins to slip with hardly any speed: its grip is an alarm at once. In the same step B1 hits.
MACHINE = """* Two pairs fall onto a slope
B0 (-0.530717,1.559065) 4 RADIUS=0.15
B1 (1.578146,1.503183) 1 RADIUS=0.15 IC_VEL=(2.125,0.280)
B2 (1.790210,0.811817) 1 IC_VEL=(2.663,-0.198)
B3 (4.342917,1.197752) 1 RADIUS=0.1
C0 B0 B1
C2 B2 B3 FROM={time>0.16}
W0 LINE(0.12464672563723281,0.9922011861451872,1.028629607601592) MU=0.57
W9 ALL REST=0.4
.tran 0 0.6 1e-2
.plot Time
"""


def test_nothing_passes_the_wall():
    motion = chainlist.simulate(MACHINE)
    assert motion.status.ok
    gap = motion.q[1:] @ [0.12464672563723281, 0.9922011861451872] - 1.028629607601592 - np.array([0.15, 0.15, 0, 0.1])
    assert gap.min() > -1e-9
    assert [event.who for event in motion.events if event.what == "hits"][-1] == ("W0", "B1")
