"""A card of each form of each element, over four bodies and the links C1 and C2."""

OF_POSITIONS = (
    "C1 B1 (0.5,0.5)",
    "C2 B2 B1 LENGTH=1.5",
    "C3 B1 (0,0) LENGTH={1+0.1*sin(2*time)}",
    "C4 B2 ({0.2*cos(3*time)},{time**2})",
    "C5 B1 (-1,2) B3 B2",
    "S1 B2 LINE(1,-2,0.25)",
    "S2 B2 LINE({-sin(2*time)},{cos(2*time)},{0.1*time})",
    "S3 B3 LINE(B1,B2)",
    "S4 B3 CIRCLE(({time},2),{1+time})",
    "S5 B3 LINE(({time},0),B2)",
    "C6 B1 ({time},2) B3 (2,2) B2",
    "J1 B1 B4",
    "J2 B3 ({2+time-time},{1+sin(time)})",
    "M1 C1 ANGLE={3*time+time**2}",
    "M2 C1 C2 ANGLE={3*time+time**2}",
    "G1 {X(B1)*Y(B2)**2-time*DIST(B1,B2)}",
    "G2 {ANGLE(B1,B2,B3)}={ANGLE(C1)+exp(-time)}",
)
OF_VELOCITIES = (
    "M3 C1 SPEED={3*cos(time)}",
    "M4 C1 C2 SPEED={3*time}",
    "N1 {VY(B1)*cos(time)-VX(B1)*sin(Y(B2))-time**2}",
    "N2 {OMEGA(C1)}={X(B2)*VX(B3)}",
    "N3 GEAR(C1,C2) RATIO=2",
)
OF_FORCES = (
    "K1 B1 B2 3 L0=0.5",
    "K2 B1 (1,1) 3 DAMP=0.5",
    "K3 B1 B2 {5*(DIST(B1,B2)-1)**3}",
    "K4 ANGLE(B1,B2,B3) 2 A0=1 DAMP=0.3",
    "K5 B1 ({0.3*sin(time)},{1+time}) 3 L0=0.4",
    "K6 ANGLE(B1,B2) 2",
    "D1 B1 B2 0.5",
    "D2 B1 0.5",
    "D3 ANGLE(B1,B2,B3) 0.2",
    "F1 B1 ({sin(time)},{X(B2)*VY(B1)})",
    "F2 B1 B2 {4-SPEED(B1)}",
    "F3 ({time},2) B1 {3*pulse(time,0,1,0.2,0,0.2,0.1,1)}",
    "T1 C1 {time}",
    "T2 C1 C2 {2*OMEGA(C1)}",
)
SWITCHED = (
    "C3 B1 (0,3) ROPE LENGTH=4 REST=0.5",
    "C4 B1 (-1,2) (1,2) B3 ROPE",
    "C5 B1 B3 BREAK=20N CUT={time>2 and X(B1)<0}",
    "C6 B1 B3 FROM={TENSION(C1)>3}",
    "C7 B1 B3 FROM={time>1} LENGTH=2 CUT={Y(B1)<-3}",
    "S1 B2 LINE(1,-2,0.25) MU=0.2",
    "S2 B2 LINE({-sin(2*time)},{cos(2*time)},{1+0.1*time}) MU=0.2 MUS=0.4",
    "S3 B3 LINE(B1,B2) MU=0.2",
    "S4 B3 CIRCLE((0,2),1) MU=0.2",
    "M3 C1 SPEED={3*cos(time)} RELEASE={ANGLE(C1)>2}",
    "W1 LINE(0.6,0.8,-2) REST=0.5 MU=0.3 MUS=0.5 BELT=0.2",
    "W2 B1 B2 LINE({sin(time)},{cos(time)},-5) MU=0.1",
    "W3 CIRCLE((0,0),{4+time}) INSIDE MU=0.1",
    "W4 B3 CIRCLE(B1,0.2) REST=1",
    "W5 B3 CIRCLE(({time},-3),0.5) MU=0.3",
)


def with_bodies(*cards: str) -> tuple[str, ...]:
    """The statements of a mechanism that holds these cards, and what they refer to."""
    places = ("B1 (1,0.2) 2", "B2 (-0.3,1.4) 3", "B3 (2,1) 1", "B4 (1,0.2) 1")
    links = {"C1": "C1 B1 (0.5,0.5)", "C2": "C2 B2 B1"}
    return (*places, *(link for name, link in links.items() if not cards[0].startswith(name)), *cards)
