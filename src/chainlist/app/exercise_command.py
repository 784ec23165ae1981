"""`chainlist exercise`: exercises for students, and a check of what they wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chainlist.app.guard import TEXT, WORLD
from chainlist.app.terminal import complain, write_out


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: chainlist exercise 4")(exercise)


def exercise(
    number: Annotated[
        int | None,
        typer.Argument(metavar="[N]", help="The exercise, 1 to 8; without it, all are listed.", show_default=False),
    ] = None,
    solution: Annotated[
        Path | None,
        typer.Option("--check", metavar="FILE", help="Run your solution, a Python file, and say what is right."),
    ] = None,
    limit: Annotated[float, typer.Option("--limit", min=1.0, help="Seconds that a check may take.")] = 120.0,
) -> None:
    """Print an exercise, or check a solution: the file is run, in a process of its own."""
    from chainlist.labs.exercises import EXERCISES, exercise_text, exercise_title
    from chainlist.labs.exercises.runner import check_solution

    if number is None:
        write_out("".join(f"{exercise_title(n)}\n" for n in EXERCISES))
        return
    if number not in EXERCISES:
        complain(f"there is no exercise {number}; there are {EXERCISES[0]} to {EXERCISES[-1]}")
        raise typer.Exit(TEXT)
    if solution is None:
        write_out(exercise_text(number))
        return
    if not solution.is_file():
        complain(f"{solution}: there is no such file")
        raise typer.Exit(WORLD)
    findings = check_solution(number, solution, limit)
    write_out("".join(f"{'right' if finding.ok else 'WRONG'}  {finding.text}\n" for finding in findings))
    wrong = sum(not finding.ok for finding in findings)
    write_out(
        f"exercise {number}: {'solved' if not wrong else f'{wrong} of {len(findings)} points are not right yet'}\n"
    )
    raise typer.Exit(WORLD if wrong else 0)
