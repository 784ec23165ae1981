"""A value that is refused, or that cannot be read, says nothing about the other named parameters of its card."""

import re

import pytest

from chainlist.elements import REGISTRY
from chainlist.model.words import Words

PLANE = ("B1 (1,0) 1", "B2 (2,1) 1", "B3 (3,0) 1", "B4 (4,4) 0", "C8 B1 (0,0)", "C9 B2 (0,0)", "R9 B3 B4 1")
SPACE = ("B1 (1,0,0) 1", "B2 (2,1,0) 1", "B3 (3,0,1) 1", "B4 (4,4,0) 0", "R9 B3 B4 1")
# The cards with all named parameters that each form of each type has: what is given together need not go together.
CARDS = {
    2: (
        "B5 (5,5) 1 IC_POS=(5,5) IC_VEL=(0,0) RADIUS=0.1",
        "C1 B1 B2 ROPE LENGTH=2 REST=0.5 BREAK=5N CUT={time>2} FROM={time>1}",
        "C1 B1 (5,5) B2 LENGTH=9 BREAK=5N CUT={time>2} FROM={time>1}",
        "S1 B1 LINE(0,1,0) MU=0.1 MUS=0.2",
        "S1 B1 LINE(B2,B3) MU=0.1 MUS=0.2",
        "S1 B1 CIRCLE((0,0),1) MU=0.1 MUS=0.2",
        "M1 C8 ANGLE={time} RELEASE={time>1}",
        "M1 C8 C9 SPEED={time} RELEASE={time>1}",
        "N1 GEAR(C8,C9) RATIO=2",
        "N1 R9 ROLL LINE(0,1,0) RADIUS=0.1",
        "N1 RACK(R9,B2) ALONG=(1,0) RADIUS=0.1",
        "K1 B1 B2 100 L0=1 DAMP=2",
        "K1 ANGLE(B1,B2,B3) 100 A0=1 DAMP=2",
        "K1 ANGLE(C8,C9) 100 A0=1 DAMP=2",
        "R1 B1 RADIUS=0.1 1 CG=(1,0) J=1 ALONG=(1,0) OMEGA=3",
        "R1 B1 B2 1 CG=(1,0) J=1 OMEGA=3",
        "W1 LINE(0,1,-9) REST=0.5 MU=0.1 MUS=0.2 BELT=1",
        "W1 CIRCLE((0,0),9) INSIDE REST=0.5 MU=0.1 MUS=0.2 BELT=1",
        "W1 B1 B2 REST=0.5 MU=0.1 MUS=0.2",
    ),
    3: (
        "S1 B1 PLANE(0,1,0,0) MU=0.1 MUS=0.2",
        "S1 B1 LINE(B2,B3) MU=0.1 MUS=0.2",
        "S1 B1 SPHERE((0,0,0),1) MU=0.1 MUS=0.2",
        "M1 R9 AXIS((0,0,0),(0,0,1)) SPEED=2 RELEASE={time>1}",
        "R1 B1 RADIUS=0.1 1 DISK ROTOR AXIS=(0,0,1) ALONG=(1,0,0) OMEGA=(0,0,3) J=(1,1,1) CG=(0,0,0)",
        "W1 PLANE(0,1,0,-9) REST=0.5 MU=0.1 MUS=0.2 BELT=1",
        "W1 SPHERE((0,0,0),1) REST=0.5 MU=0.1 MUS=0.2 BELT=1",
        "K1 ANGLE(B1,B2,B3) 100 A0=1 DAMP=2",
    ),
}
WRONG = ("-1", "0", "1.7", "1E30", "nobody", "3parsec", "(1,2,3,4)", "(1,nobody)", "{time}", "{X(B1)>0}", "2kg", "B1")
WITHOUT_NAMES = {"J", "G", "D", "F", "T"}
NAMED = re.compile(r"(?<= )([A-Z_0-9]+)=(\S+)")
POSITIONAL = re.compile(r"(?<=[ (,])-?[0-9]+(?=[ ,)]|$)")


def cards():
    return [(dimension, card) for dimension, several in CARDS.items() for card in several]


def spoiled(card):
    """The card with each of its values in turn replaced by each that is wrong, in some of them."""
    for found in NAMED.finditer(card):
        for value in WRONG:
            yield f"{card[: found.start(2)]}{value}{card[found.end(2) :]}"
    for found in POSITIONAL.finditer(card):
        for value in ("-1", "0", "nobody"):
            yield f"{card[: found.start()]}{value}{card[found.end() :]}"


@pytest.mark.parametrize(("dimension", "card"), cards())
def test_no_other_parameter_becomes_unknown(machine, dimension, card):
    around = PLANE if dimension == 2 else SPACE
    accused = [
        (text, d.message)
        for text in spoiled(card)
        for d in machine(*around, text).said
        if d.code == "E225" and "has no parameter" in d.message
    ]
    assert not accused


@pytest.mark.parametrize("letter", [letter for letter in REGISTRY if letter not in WITHOUT_NAMES])
def test_the_cards_have_every_parameter_that_is_asked_for(machine, monkeypatch, letter):
    asked = set()
    plain = Words._setting
    monkeypatch.setattr(Words, "_setting", lambda self, key: asked.add((self.what, key)) or plain(self, key))
    given = set()
    for dimension, card in cards():
        if card.startswith(letter):
            machine(*(PLANE if dimension == 2 else SPACE), card)
            given.update(key for key, _ in NAMED.findall(card))
    wanted = {key for what, key in asked if what == REGISTRY[letter].name}
    assert wanted and wanted <= given


@pytest.mark.parametrize(
    ("card", "told"),
    [
        ("W1 LINE(0,1,-9) REST=1.7 MU=0.1", ["E228 REST is 1.7"]),
        ("W1 LINE(0,1,-9) REST=-0.5 MU=-0.3 BELT=1", ["E228 REST is -0.5", "E228 MU must not be negative"]),
        ("W1 CIRCLE((0,0),-1) REST=0.5 MU=0.3", ["E228 the radius must be positive, not -1"]),
        ("W1 LINE(0,1,-9) REST=2 FRICTION=1", ["E228 REST is 2", "E225 a wall has no parameter FRICTION"]),
        ("C1 B1 (0,0) ROPE REST=2 BREAK=-5N", ["E228 REST is 2", "E228 BREAK must be positive, not -5"]),
        ("C1 B1 (0,0) LENGTH=-2 BREAK=5N", ["E228 LENGTH must be positive, not -2"]),
        ("C1 B1 B1 LENGTH=-2", ["E228 a link from B1 to itself", "E228 LENGTH must be positive"]),
        ("K1 B1 B2 -5 L0=-1 DAMP=-2", ["E228 a spring of -5", "E228 L0 must", "E228 DAMP must"]),
        ("R1 B1 RADIUS=-1 -2 HOOP", ["E228 the mass must", "E228 RADIUS must be positive"]),
        ("W1 LINE(0,1,-9) MU=nobody MUS=0.1 REST=3", ["E206 unknown parameter nobody", "E228 REST is 3"]),
        # What is wanting may be what is misspelled.
        ("M1 C8 SPEEED=3", ["E225 a motor has no parameter SPEEED"]),
        ("N1 GEAR(C8,C9) RATION=3", ["E225 a velocity constraint has no parameter RATION"]),
        ("R1 B1 1 RADUIS=3 OMEGE=2", ["E225 a rigid body has no parameter RADUIS", "E225 a rigid body has no"]),
    ],
)
def test_all_that_is_wrong_is_told_at_once(machine, card, told):
    found = [f"{d.code} {d.message.removeprefix(card.split()[0] + ': ')}" for d in machine(*PLANE, card).said]
    assert len(found) == len(told), found
    assert all(any(text.startswith(words) for text in found) for words in told), found
