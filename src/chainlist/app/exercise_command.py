"""`chainlist exercise`: exercises for students, a check of what they wrote, and answers as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chainlist.app.guard import TEXT, WORLD
from chainlist.app.terminal import complain, say, write_out

if TYPE_CHECKING:
    from chainlist.labs.exercises.finding import Mark


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
    submit: Annotated[
        str, typer.Option("--submit", metavar="NAME", help="With --check: write NAME.N.answer.json, to hand in.")
    ] = "",
    collect: Annotated[
        Path | None, typer.Option("--collect", metavar="DIR", help="List the answers of a folder.")
    ] = None,
    again: Annotated[
        bool,
        typer.Option("--again", help="With --collect: run each check again, here. It runs the students' programs."),
    ] = False,
    limit: Annotated[float, typer.Option("--limit", min=1.0, help="Seconds that a check may take.")] = 120.0,
) -> None:
    """Print an exercise, or check a solution: the file is run, in a process of its own. Nothing is sent anywhere."""
    from chainlist.labs.exercises import EXERCISES, exercise_text, exercise_title
    from chainlist.labs.exercises.runner import check_solution

    if collect is not None:
        raise typer.Exit(_collect(collect, again, limit))
    if number is None and (solution is not None or submit):
        complain("which exercise? Give its number: chainlist exercise 4 --check FILE")
        raise typer.Exit(TEXT)
    if number is None:
        write_out("".join(f"{exercise_title(n)}\n" for n in EXERCISES))
        return
    if number not in EXERCISES:
        complain(f"there is no exercise {number}; there are {EXERCISES[0]} to {EXERCISES[-1]}")
        raise typer.Exit(TEXT)
    if solution is None:
        if submit:
            complain("--submit needs the solution: --check FILE")
            raise typer.Exit(TEXT)
        write_out(exercise_text(number))
        return
    if not solution.is_file():
        complain(f"{solution}: there is no such file")
        raise typer.Exit(WORLD)
    findings = check_solution(number, solution, limit)
    write_out("".join(f"{'right' if finding.ok else 'WRONG'}  {finding.text}\n" for finding in findings))
    wrong = sum(not finding.ok for finding in findings)
    are = "is" if wrong == 1 else "are"
    found = f"{wrong} of {len(findings)} points {are} not right yet" if wrong else "solved"
    write_out(f"exercise {number}: {found}\n")
    if submit:
        raise typer.Exit(_submit(submit, number, solution, findings))
    raise typer.Exit(WORLD if wrong else 0)


def _submit(name: str, number: int, solution: Path, findings: list[Mark]) -> int:
    """Write the answer beside the solution; the exit status. What is not right yet can be handed in too."""
    from importlib.metadata import version

    from chainlist.labs.exercises.submission import SUFFIX, Submission, is_name
    from chainlist.output.files import replace_file

    if not is_name(name):
        complain(f"{name} cannot be part of a file's name: letters, digits, - and _, none of these two first")
        return TEXT
    try:
        text = solution.read_text(encoding="utf-8")
        path = solution.with_name(f"{name}.{number}{SUFFIX}")
        answer = Submission(name, number, version("chainlist"), text, tuple(findings))
        replace_file(path, answer.text().encode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        complain(f"{solution}: {error}")
        return WORLD
    say(f"{path}: hand in this file; nothing was sent anywhere")
    return 0


def _collect(folder: Path, run_again: bool, limit: float) -> int:
    """A table of all answers: tab-separated, for spreadsheets. Files that are no answers are told, and fail the command."""
    from chainlist.labs.exercises.submission import SUFFIX, BadSubmission, again, read

    if not folder.is_dir():
        complain(f"{folder}: there is no such folder")
        return WORLD
    status = 0
    lines = ["name\texercise\tpoints\tsolved\tfile\n"]
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        try:
            answer = read(path)
        except (BadSubmission, OSError) as problem:
            complain(f"{path}: {problem}")
            status = WORLD
            continue
        answer = again(answer, limit) if run_again else answer
        solved = "yes" if answer.solved else "no"
        lines.append(f"{answer.name}\t{answer.exercise}\t{answer.points}\t{solved}\t{path.relative_to(folder)}\n")
    write_out("".join(lines))
    return status
