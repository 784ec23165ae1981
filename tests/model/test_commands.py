"""Commands: .tran, .options, .title, and what takes their place from outside."""

import dataclasses

import pytest

import chainlist
from chainlist.model.options import OPTIONS, Options

PENDULUM = "* A pendulum *\nB1 (0,-1) 1\nC1 B1 (0,0)\n"


def test_without_tran_and_output_defaults_are_taken_and_noted(read):
    found = read(PENDULUM)
    assert found.codes == ["N201", "N202"]
    times = found.mechanism.transient
    assert (times.start, times.stop, times.step, times.span) == (0, 10, 1e-3, None)
    assert [[item.text for item in panel] for panel in found.mechanism.plots[0].panels] == [
        ["CONSTRAINTS(ALL)"],
        ["Etotal"],
    ]
    assert found.mechanism.options.plotmode == "ANIMATEWITHSTROBO"
    assert read(PENDULUM + ".options PLOTMODE=STATIC").mechanism.options.plotmode == "STATIC"


def test_every_option_has_its_default(machine):
    assert machine("B1 (0,0) 1").mechanism.options == Options()


def test_options_are_read_by_kind(machine):
    found = machine("B1 (0,0) 1", ".options FRAME=400ms GRAVITY={1+1} daesystem=index1", ".options mpitol = 1E-9")
    expected = dataclasses.replace(Options(), frame=0.4, gravity=2.0, daesystem="INDEX1", mpitol=1e-9)
    assert found.mechanism.options == expected


def test_the_later_option_wins_with_a_warning_if_it_contradicts(machine):
    found = machine("B1 (0,0) 1", ".options gravity=1 gravity=1", ".options gravity=2")
    assert found.codes == ["W201"]
    assert found.mechanism.options.gravity == 2


@pytest.mark.parametrize("key", sorted(OPTIONS))
def test_every_option_reads_back_its_own_values(machine, key):
    option = OPTIONS[key]
    values = option.choices or ({"angles": "(3, 3)", "window": "(0, 0, 3, 3)"}.get(option.kind, "3"),)
    for value in values:
        cards = ["B1 (0,0) 1", f".options {option.name}={value}"]
        found = machine(*cards)
        allowed = found.mechanism.options if found.mechanism else None
        if allowed is not None:
            assert str(getattr(allowed, key)).upper().replace(".0", "") == value
        else:
            pytest.fail(f"{option.name}={value}: {found.said}")


def test_settings_from_outside_win_silently(machine):
    found = machine(
        "B1 (0,0) 1",
        ".options gravity=1 SAVE=2ms",
        options={"Gravity": 3, "integrator": "euler", "save": None, "energycorrector": True, "frame": "20ms"},
        tran=(0, "2s", 0.5),
    )
    assert found.codes == []
    options = found.mechanism.options
    assert (options.gravity, options.integrator, options.save) == (3, "EULER", None)
    assert (options.energycorrector, options.frame) == ("ON", 0.02)
    assert dataclasses.astuple(found.mechanism.transient)[:3] == (0, 2, 0.5)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"options": {"gravty": 1}}, "E256"),
        ({"options": {"integrator": "RK5"}}, "E257"),
        ({"options": {"integrator": 4}}, "E257"),
        ({"options": {"reltol": -1}}, "E258"),
        ({"options": {"gravity": "1+g"}}, "E209"),
        ({"options": {"gravity": float("inf")}}, "E205"),
        ({"options": {"frame": "1kg"}}, "E203"),
        ({"tran": (0, 1)}, "E251"),
        ({"tran": (1, 0, 1)}, "E253"),
    ],
)
def test_wrong_settings_from_outside(machine, changes, code):
    assert machine("B1 (0,0) 1", **changes).codes == [code]


@pytest.mark.parametrize(
    ("value", "help"),
    [
        ("9,81", "the decimal sign is a point: write 9.81"),
        ("-0,5E3", "the decimal sign is a point: write -0.5E3"),
        ("9.81m/s2", "there are no compound units"),
        ("9.81m/s**2", "there are no compound units"),
        ("9.81 m/s²", "there are no compound units"),
        ("9.81 m", "a unit stands directly behind its number: write 9.81m"),
    ],
)
def test_a_number_from_outside_gets_the_help_that_the_text_would_get(machine, value, help):
    said = machine("B1 (0,0) 1", options={"gravity": value}).said
    assert [d.code for d in said] == ["E209"]
    assert help in said[0].help


@pytest.mark.parametrize(
    ("card", "ours"),
    [(".tran 1ms 10", "0 10 0.001"), (".tran 1ms 10 0", "0 10 0.001"), (".tran 1E-6 10 5 1E-7", "5 10 1E-6")],
)
def test_the_order_of_spice_is_recognised(read, card, ours):
    found = read(PENDULUM + card + "\n.plot Time")
    assert found.codes == ["E252"]
    assert found.said[0].help == f"write .tran {ours}"


@pytest.mark.parametrize(
    ("tran", "help"),
    [
        ((0, 1), "give start, stop and step: --set tran=0,10,1E-3, in Python tran=(0, 10, 1e-3)"),
        ((0.001, 10), "write tran=0,10,0.001"),
        ((0, 1, 2), "did you mean tran=0,2,1?"),
    ],
)
def test_times_from_outside_are_told_of_in_their_own_spelling(read, tran, help):
    (said,) = read(PENDULUM + ".plot Q(B1)", tran=tran).said
    assert said.help == help
    assert ".tran" not in said.message + said.span.text and said.span.text.startswith("tran=0")


@pytest.mark.parametrize(
    ("save", "nearest"), [("1.5ms", "0.002"), ("0.1ms", "0.001"), ("30.4ms", "0.03"), ("100.6ms", "0.101")]
)
def test_save_must_be_a_multiple_of_the_step(machine, save, nearest):
    found = machine("B1 (0,0) 1", f".options SAVE={save}")
    assert found.codes == ["E259"]
    assert found.said[0].help == f"the nearest is SAVE={nearest}"
    assert machine("B1 (0,0) 1", f".options SAVE={save} INTEGRATOR=DOPRI5").codes == []


@pytest.mark.parametrize("save", ["1ms", "3ms", "0.3", "0.007"])
def test_multiples_are_accepted_in_spite_of_rounding(machine, save):
    assert machine("B1 (0,0) 1", f".options SAVE={save}").codes == []


@pytest.mark.parametrize("integrator", OPTIONS["integrator"].choices)
@pytest.mark.parametrize("system", OPTIONS["daesystem"].choices)
@pytest.mark.parametrize("algorithm", OPTIONS["mpi_algo"].choices)
@pytest.mark.parametrize("corrector", ["OFF", "ON"])
def test_which_goes_with_which(machine, integrator, system, algorithm, corrector):
    given = f"INTEGRATOR={integrator} DAESYSTEM={system} MPI_ALGO={algorithm} ENERGYCORRECTOR={corrector}"
    wrong = 0
    if integrator.startswith(("RATTLE", "SDIRK")):
        wrong = (system != "PROJECTED") + (algorithm != "AUTO")
    if integrator.startswith("DOP"):
        wrong = (system == "INDEX1_2_DAMPED") + (corrector == "ON")
    assert machine("B1 (0,0) 1", f".options {given}").codes == ["E260"] * wrong


@pytest.mark.parametrize(("value", "codes"), [("1.99", []), ("2", ["W202"])])
def test_strong_damping_is_warned_of(machine, value, codes):
    assert machine("B1 (0,0) 1", f".options DAMPBETA={value}").codes == codes


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("* *Slider Crank*", "Slider Crank"),
        ("plain; with a semicolon", "plain; with a semicolon"),
        ("", ""),
        ("***", ""),
        ("x\n.title  The second *", "The second"),
    ],
)
def test_titles(read, text, title):
    assert read(text + "\nB1 (0,0) 1").mechanism.title == title


def test_a_broken_command_is_not_said_to_be_missing(read):
    codes = read(PENDULUM + ".tran (0 1\n.plot Q(B1").codes
    assert codes and all(code.startswith("E1") for code in codes)


@pytest.mark.parametrize("wrong", ["RK5", "RK/4"])
def test_a_wrong_value_from_outside_is_named_alone(wrong):
    with pytest.raises(chainlist.ChainlistError) as caught:
        chainlist.simulate("* p\nB1 (1,0) 1\nC1 B1 (0,0)\n", integrator=wrong)
    assert caught.value.diagnostics[0].message == f"INTEGRATOR cannot be {wrong}"
