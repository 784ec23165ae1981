"""Whatever a text holds, reading it ends in a mechanism or in a ChainlistError, soon, and its messages can be shown."""

import random
import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chainlist
from chainlist.model.dump import dump
from chainlist.syntax.limits import Limits

from ..cards import OF_FORCES, OF_POSITIONS, OF_VELOCITIES, SWITCHED, with_bodies
from ..conftest import EXAMPLES
from ..references.mechanics.table import MECHANICS

LISTINGS = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.rglob("*.chain"))]
MECHANISMS = [problem.text for problem in MECHANICS.values()]
MECHANISMS += [
    "\n".join(["* t", *with_bodies(card)]) for card in (*OF_POSITIONS, *OF_VELOCITIES, *OF_FORCES, *SWITCHED)
]
SMALL = Limits(entities=300, cards=2_000, tokens=20_000, files=5)
PIECES = (
    '... + *+ * ; . ( ) { } , = " ** ^ 1E-3 -1 0 1e999 .5 3m 2kg 1E-400 0.4s B1 B2 B99 C1 S1 X1 X1.C5 ALL LINE(0,1,0) '
    "IC_POS= IC_VEL=(1,2) LENGTH= LENGTH=-1 .tran .options .plot .print .param .include .title .submachine .end "
    "a=b b=a pi sin( sqrt(-1) atan2(1,0) 1/0 2**9999 mpitol= SAVE=0.1 INTEGRATOR=RATTLE DAESYSTEM=INDEX1 CONSTRAINTS(ALL) "
    "time {time} {X(B1)} VX(B1) DIST(B1,B2) ANGLE(C1) ANGLE(B1,B2,B3) OMEGA(C1) TENSION(C1) SPEED={time} ANGLE={time**2} "
    "L0=0.1 A0=90deg DAMP=1 RATIO=2 RATIO=0 GEAR(C1,C2) CIRCLE((0,0),1) LINE(B1,B2) ({time},0) ({1/time},{X(B2)}) "
    "M1 K1 D1 F1 T1 G1 N1 J1 if(time<1, smooth(time,0,1) pulse(time,0,1,0,.1,.1,.2,1) pwl(time,0,0,1,1) table( spline( step( "
    "mod(time,0) floor(1E9*time) .func f(x)=x f(time) gravity=(0,1) and or not <= abs( INTEGRATOR=SDIRK4 ENERGYCORRECTOR=ON "
    "ROPE REST=2 REST=0.5 MU=0.3 MUS=0.1 BELT=1 INSIDE BREAK=3N CUT={time>1} FROM={X(B1)<0} RELEASE={time} W1 .stop RADIUS=0.1 "
    'PATH(B1) Q(B1)*2 \t \r \0 \u2212 é 🙂 Tong (x0,y0) FORMAT="0.#" CONSOLE Time'
).split(" ")

NUMBERS = "0 -1 7 1e-9 123456 999999999999 0.0000001 1E30 1E-30 1E90 1E-90 1E308 1E-300 1E-320 1E999".split()


def mutate(text: str, luck: random.Random) -> str:
    """A few small accidents, as a hurried hand or a copy from a document would make them."""
    for _ in range(luck.randint(1, 4)):
        lines = text.split("\n")
        at = luck.randrange(len(lines))
        place = luck.randrange(len(text) + 1)
        match luck.randrange(9):
            case 0:
                text = text[:place] + text[place + luck.randint(1, 5) :]
            case 1:
                text = text[:place] + luck.choice(PIECES) + text[place:]
            case 2:
                text = text[:place] + " " + luck.choice(PIECES) + " " + text[place:]
            case 3:
                lines.insert(at, luck.choice(lines))
                text = "\n".join(lines)
            case 4:
                del lines[at]
                text = "\n".join(lines)
            case 5:
                other = luck.choice(LISTINGS + MECHANISMS).split("\n")
                lines[at : at + 1] = other[luck.randrange(len(other)) :][: luck.randint(1, 6)]
                text = "\n".join(lines)
            case 6:
                words = re.split(r"(\s+)", lines[at])
                luck.shuffle(words)
                lines[at] = "".join(words)
                text = "\n".join(lines)
            case 7:
                numbers = list(re.finditer(r"\d+", text))
                if numbers:
                    found = luck.choice(numbers)
                    digits = luck.choice(NUMBERS)
                    text = text[: found.start()] + digits + text[found.end() :]
            case 8:
                text = (
                    text[:place] + chr(luck.choice([0, 9, 13, 34, 59, 0x2028, 0xFEFF, 0x414, 0x1F642])) + text[place:]
                )
    return text


def must_end_well(text: str) -> bool:
    """True if the text was read; every message must be showable, every mechanism must be writable."""
    try:
        mechanism = chainlist.parse(text, limits=SMALL)
    except chainlist.ChainlistError as error:
        assert error.errors
        assert str(error)
        return False
    dump(mechanism)
    return True


def campaign(count: int, seed: int, listings: list[str]) -> int:
    luck = random.Random(seed)
    return sum(must_end_well(mutate(luck.choice(listings), luck)) for _ in range(count))


@pytest.mark.parametrize("listings", [LISTINGS, MECHANISMS], ids=["examples", "mechanisms"])
def test_mutated_listings(listings):
    read = campaign(250, 1, listings)
    assert 10 < read < 240  # the accidents are neither harmless nor all fatal


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_many_mutated_listings(seed):
    count = 10_000
    read = campaign(count, 1_000 + seed, LISTINGS + MECHANISMS)
    sys.stdout.write(f"seed {seed}: {count} mutated texts, {read} of them read, the others refused in words\n")


@given(st.text(max_size=200))
@settings(max_examples=200)
def test_any_text(text):
    must_end_well(text)


@given(st.lists(st.sampled_from([*PIECES, "\n", "\n", "\n", " ", " "]), max_size=60).map("".join))
@settings(max_examples=300)
def test_any_pieces(text):
    must_end_well("* t\n" + text)


@pytest.mark.parametrize(
    "text",
    [
        "* t\nB1 (0,0) " + "(" * 1000 + "1" + ")" * 1000,
        "* t\nB1 (0,0) " + "+".join(["1"] * 10_000) + "\n",
        "* t\nB1 (0,0) " + "-" * 10_000 + "1\n",
        "* t\nB1 (0,0) " + "**".join(["1"] * 10_000) + "\n",
        "* t\nB1 (0,0) " + "sin(" * 3000 + "1" + ")" * 3000 + "\n",
        "* t\nB1 (0,0) p9999\n.param p0=1\n" + "".join(f".param p{i + 1}=p{i}\n" for i in range(9_999)),
        "* t\n" + "+ 1\n" * 10_000,
        "* t\nB1 (0,0) 1\n" + "+ IC_VEL=(0,0)\n" * 3_000,
        "* t\n" + "...\n" * 3_000,
        "* t\nB1 (0,0) 1\n...\nB999999999 (1,0) 1\n",
        "* t\n" + ".submachine A B\n" * 2_000,
        "* t\n"
        + "".join(f".submachine M{i} BA, (x0,y0)\nX1 M{i + 1} BA\nX2 M{i + 1} BA\n.end\n" for i in range(30))
        + ".submachine M30 BA, (x0,y0)\nBA (x0,y0) 1\n.end\nX1 M0 B1, (0,0)\n",
        "* t\n.submachine M BA, (x0,y0)\nX1 M BA\n.end\nX1 M B1, (0,0)\n",
        "* t\n.param a={b} b={c} c={a}\nB1 (a,0) 1\n",
        "* pulse\nB1 (0,0) 1\nF1 B1 ({pulse(time,-1,3,1E89,0.1,0.2,0.3,0.9)},0)\n",
        "* power\nB1 (1.5,1) 1\nG1 {Y(B1)}={0.5*X(B1)**1E30}\n",
        "* sine\nB1 (1.5,1) 1\nG1 {sin((1E200*X(B1))**2)-exp(1000*X(B1))**(2*X(B1))}\n",
        "* floor\nB1 (1.5,1) 1\nF1 B1 ({floor(1E15*sin(time))},0)\n",
    ],
    ids=lambda text: text[2:22].replace("\n", "|"),
)
def test_bombs_end_in_a_result_or_a_clear_error(text):
    must_end_well(text)
