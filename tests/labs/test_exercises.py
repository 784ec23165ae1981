"""The exercises: every model solution passes its check, and a plausible mistake fails it with words that help."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chainlist.app.cli import app
from chainlist.labs.exercises import EXERCISES, exercise_text
from chainlist.labs.exercises.runner import check_solution, findings
from tests.some import some

SOLUTIONS = Path(__file__).parents[2] / "labs" / "solutions"
LIMIT = 300.0  # s: kernels may have to be compiled


def solution(number):
    return SOLUTIONS / f"exercise_{number}.py"


# A plug-in registers itself for good, so exercise 6 needs a process of its own; for the others this one will do.
APART = {6}


def said_of(number, path):
    return check_solution(number, path, LIMIT) if number in APART else list(findings(number, path))


@pytest.mark.parametrize("number", EXERCISES)
def test_model_solutions_pass(number):
    found = said_of(number, solution(number))
    assert found and all(finding.ok for finding in found), found


def test_a_process_of_its_own_finds_the_same():
    assert check_solution(5, solution(5), LIMIT) == list(findings(5, solution(5)))


MISTAKES = [
    (1, "2 * (q * v)", "(q * v)", "0.5 times as much"),
    (1, "late > 3 * early", "late > 1000 * early", "drifts on and on"),
    (1, "- length**2", "- 1", "length 2.5 m: the largest error of the position"),
    (1, "+ gravity * q[:, 1]", "+ q[:, 1]", "length 2.5 m: the largest error of the energy"),
    (2, "B12 (2.4,0) 1\n...\nB1 (0.2,0) 1", "B1 (0.2,0) 1\n...\nB12 (2.4,0) 1", "order in which the bodies are listed"),
    (2, "MPI_ALGO=GREVILLE", "MPI_ALGO=CHOLESKY", "MPI_ALGO=GREVILLE"),
    (2, "C12 B11 B12", "C12 B11", "your chainlist has mistakes"),
    (3, "STEP = 0.02", "STEP = 0.0005", "no shortcut was taken"),
    (3, "STEP = 0.02", "", "does not define a number STEP"),
    (4, "rows, columns = B.shape", "return np.linalg.pinv(B)\n    rows, columns = B.shape", "takes pinv from a library"),
    (4, "rows, columns = B.shape", "return getattr(np.linalg, 'pi' + 'nv')(B)\n    rows, columns = B.shape", "second case"),
    (4, "import numpy as np", "import numpy as np\nfrom scipy.linalg import pinv", "takes pinv from a library"),
    (4, "range(1, columns)", "range(1, columns - 1)", "last column was left out"),
    (4, "if c @ c > tol else d @ X[:k] / (1 + d @ d)", "", "Penrose equation"),
    (4, "if first @ first > tol:", "if True:", "not finite"),
    (4, "X = np.zeros((columns, rows))", "return B.T.copy()", "This is the transpose"),
    (5, "return y + h / 2 * (slope + ahead)", "return y + h * slope", "Euler"),
    (5, "ahead = f(t + h, y + h * slope)\n    return y + h / 2 * (slope + ahead)",
     "return y + h * f(t + h / 2, y + h / 2 * slope)", "midpoint rule"),
    (5, "ahead = f(t + h, y + h * slope)\n    return y + h / 2 * (slope + ahead)",
     "return y + h * f(t + h / 2, y + h / 2 * slope)", "1, 1.25 instead of 1, 1.5: that is the midpoint rule"),
    (5, "f(t + h, y", "f(t, y", "at which times"),
    (5, "return y + h / 2 * (slope + ahead)", "y += h / 2 * (slope + ahead)\n    return y", "changes y itself"),
    (6, "w.b[k] = -2.0", "w.b[k] = 2.0", "check its sign"),
    (6, "w.J[k, 1] = 2.0 * y / bb", "w.J[k, 1] = 2.0 * y / aa", "off the derivative"),
    (6, 'letter="E"', 'letter="L"', "letter E"),
    (6, "x * x / aa + y * y / bb - 1.0", "x * x / aa + y * y / bb - 2.0", "not zero on the ellipse"),
    (7, "v * np.sqrt((E - U) / T)", "v * (E - U) / T", "square of the velocities"),
    (7, " or E <= U", "", "root of a negative number"),
    (7, "ENERGYCORRECTOR=ON", "ENERGYCORRECTOR=OFF", "ENERGYCORRECTOR=ON"),
    (7, ".tran 0 200 0.1", ".tran 0 20 0.02", "no weakness"),
    (8, "math.sqrt(length / gravity) / a", "math.sqrt(length / gravity)", "small swings only"),
    (8, "(len(passages) - 1)", "len(passages) / 2", "instead of|the exact period is"),
    (8, "t[rising] - x[rising] * (t[rising + 1] - t[rising]) / (x[rising + 1] - x[rising])", "t[rising]", "interpolation"),
]  # fmt: skip


FIRST = {number: right for number, right, *_ in reversed(MISTAKES)}


@pytest.mark.parametrize(
    ("number", "right", "wrong", "words"), some(MISTAKES, lambda mistake: FIRST[mistake[0]] == mistake[1])
)
def test_plausible_mistakes_are_found_and_named(number, right, wrong, words, tmp_path):
    text = solution(number).read_text(encoding="utf-8")
    assert right in text
    path = tmp_path / "my_solution.py"
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    found = " ".join(finding.text for finding in said_of(number, path) if not finding.ok)
    assert any(word in found for word in words.split("|")), found


def test_coarse_steps_of_a_chaotic_machine_are_no_leap(tmp_path):
    path = tmp_path / "my_solution.py"
    machine = "* Double pendulum\\nB1 (0,-1) 1\\nB2 (1,-1) 1\\nC1 B1 (0,0)\\nC2 B2 B1\\n.tran 0 30 1E-3\\n"
    path.write_text(f'CHAINLIST = "{machine}"\nSTEP = 0.06\n', encoding="utf-8")
    found = {finding.text: finding.ok for finding in findings(3, path)}
    assert any(ok and "away from the true one" in text for text, ok in found.items()), found
    assert any(not ok and "no leap" in text for text, ok in found.items()), found


def test_a_crash_is_reported_with_its_line(tmp_path):
    path = tmp_path / "my_solution.py"
    path.write_text("def heun_step(f, t, y, h):\n    return y + 1 / 0\n", encoding="utf-8")
    (finding,) = check_solution(5, path, LIMIT)
    assert finding.text == "line 2 of my_solution.py: ZeroDivisionError: division by zero"
    path.write_text("def heun_step(f, t, y, h)\n    return y\n", encoding="utf-8")
    (finding,) = check_solution(5, path, LIMIT)
    assert finding.text.startswith("line 1 of my_solution.py")


def test_an_endless_loop_and_a_sudden_end_are_reported(tmp_path):
    path = tmp_path / "my_solution.py"
    path.write_text(
        "import time\ndef heun_step(f, t, y, h):\n    while True: time.sleep(0.1)\n", encoding="utf-8"
    )  # the others need the processor
    assert "loop without end" in check_solution(5, path, 4.0)[-1].text
    path.write_text("import os\nos._exit(7)\n", encoding="utf-8")
    assert "exit status 7" in check_solution(5, path, LIMIT)[-1].text


def test_the_command(tmp_path):
    listed = CliRunner().invoke(app, ["exercise"])
    assert listed.exit_code == 0 and len(listed.stdout.splitlines()) == 8
    printed = CliRunner().invoke(app, ["exercise", "5"])
    assert printed.stdout == exercise_text(5)
    assert CliRunner().invoke(app, ["exercise", "9"]).exit_code == 2
    assert CliRunner().invoke(app, ["exercise", "5", "--check", str(tmp_path / "none.py")]).exit_code == 1


@pytest.mark.parametrize("number", EXERCISES)
def test_every_text_says_how_to_check(number):
    assert exercise_text(number).rstrip().endswith(f"Check: `chainlist exercise {number} --check my_solution.py`")


def test_the_first_steps_of_exercise_1_work_as_they_are_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = exercise_text(1)
    copied = CliRunner().invoke(app, re.search(r"`chainlist (examples [^`]*)`", text)[1].split())
    assert copied.exit_code == 0, copied.output
    names = {}
    exec("\n".join(line.strip() for line in text.splitlines() if line.startswith(" " * 8)), names)
    assert len(names["phi"]) == len(names["run"].t)


@pytest.mark.parametrize("number", EXERCISES)
def test_a_file_that_a_text_names_is_copied_or_written_before(number):
    text = exercise_text(number)
    for name in set(re.findall(r"[\w-]+(?=\.chain)", text)):
        first = text.index(f"{name}.chain")
        assert f"`chainlist examples {name} --copy .`" in text[:first] or text[:first].endswith("a file `"), name
