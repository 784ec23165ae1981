"""Machines that hold several forms of elements each, for tests of methods."""

import chainlist

# A double pendulum on springs and dampers of all kinds, beside it a body on a rail that turns.
FORCES = """* Forces
B1 (0.8,-0.6) 1 IC_VEL=(0.3,0.4)
B2 (1.6,-1.2) 0.7
B3 (0.5,0.5) 0.5 IC_VEL=(-0.2,0.1)
C1 B1 (0,0)
C2 B1 B2
K1 B2 (0,-2) 5 L0=1
K2 ANGLE((0,0),B1,B2) 2 A0=0.3
K3 B3 B1 {3*(DIST(B3,B1)-1)**3}
"""
DAMPERS = """K4 B3 (0,1) 4 DAMP=0.3
D1 B1 B2 0.2
D2 B3 0.4
D3 ANGLE((0,0),B1,B2) 0.1
F1 B2 ({sin(3*time)},{-0.2*VY(B2)})
F2 B1 B3 {0.5*SPEED(B3)}
T1 C1 {0.3*cos(2*time)-0.1*OMEGA(C1)}
"""
# A driven length, a motor, a string over pegs, a moving anchor, a slot, a circle, a gear.
DRIVES = """* Drives
B1 (1,0) 1
B2 (1.5,0.2) 1
B3 (3,0) 1 IC_VEL=(0.3,0)
B4 (5,0.5) 1
B5 (-1,-1) 1 IC_VEL=(0.5,-0.5)
B6 (0,-2) 1
B7 (0.7,0) 1
C1 (0,0) B1
C2 B1 B2 LENGTH={0.53851648071345+0.1*sin(time)**2}
M1 C1 ANGLE={time+0.3*sin(time)**3}
C3 B3 (3,2) (5,2) B4
S1 B5 LINE({-sin(0.5*time)},{cos(0.5*time)},{-cos(0.5*time)})
C4 B6 ({0.1*sin(time)},0)
S2 B7 LINE((0,0),B1)
K1 B7 (0,0) 20
"""
RATES = """N1 {VX(B4)-0.5*VY(B3)*cos(time)}
"""


def machine(text, stop=0.4, step=0.02, **options):
    settings = " ".join(f"{key}={value}" for key, value in options.items())
    return chainlist.parse(f"{text}.tran 0 {stop} {step}\n.options {settings or 'GUARD=OFF'}\n.plot Time\n")
