"""The command `chainlist gui`: the workbench in the browser."""

from __future__ import annotations

import re
import secrets
import webbrowser
from dataclasses import replace
from pathlib import Path
from threading import Timer
from typing import Annotated

import typer

from chainlist.app.browser import has_screen
from chainlist.app.terminal import complain, say
from chainlist.app.workbench.settings import RunLimits, Settings, is_loopback

_LIMITS = RunLimits()
_SHORTEST_TOKEN = 8
_NAME = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog="Example: chainlist gui pendulum.chain")(gui)


def gui(
    path: Annotated[
        str, typer.Argument(metavar="[FILE|DIR]", help="A chainlist to open, or a folder of chainlists.")
    ] = "",
    port: Annotated[int, typer.Option(help="Port; the next free one is taken if it is in use.")] = 8765,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    token: Annotated[
        str, typer.Option(help="What the link must carry; without it, or with `new`, one is made.", show_default=False)
    ] = "",
    name: Annotated[
        str, typer.Option("--name", help="The name of a reverse proxy before it, such as mechanics.example.org.")
    ] = "",
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Let in whoever can reach the port, on this machine only.")
    ] = False,
    show: Annotated[bool, typer.Option("--show/--no-show", help="Open the page in the browser.")] = True,
    runs: Annotated[int, typer.Option("--max-runs", min=0, help="Runs at a time; 0: one less than cores.")] = 0,
    steps: Annotated[int, typer.Option("--max-steps", min=1, help="Steps of a run.")] = _LIMITS.steps,
    bodies: Annotated[int, typer.Option("--max-bodies", min=1, help="Bodies of a mechanism.")] = _LIMITS.bodies,
    samples: Annotated[int, typer.Option("--max-samples", min=1, help="Samples times bodies kept.")] = _LIMITS.samples,
    seconds: Annotated[
        float, typer.Option("--max-seconds", min=0.1, help="Computing time of a run.")
    ] = _LIMITS.seconds,
    megabytes: Annotated[int, typer.Option("--max-memory", min=50, help="Megabytes of a run.")] = _LIMITS.megabytes,
) -> None:
    """Open the workbench: write, run and watch mechanisms in the browser."""
    if name and not _NAME.fullmatch(name):
        complain(f"{name} is not the name of a host: write it as in mechanics.example.org, without https:// and port")
        raise typer.Exit(2)
    if no_token and (token or name or not is_loopback(host)):
        why = "there is a --token too" if token else "others could reach the workbench on this address"
        complain(f"--no-token cannot be: {why}")
        raise typer.Exit(2)
    if not no_token and token in ("", "new"):
        token = secrets.token_urlsafe(18)
    if token and len(token) < _SHORTEST_TOKEN:
        complain(f"the token is too short: take at least {_SHORTEST_TOKEN} characters")
        raise typer.Exit(2)
    limits = RunLimits(steps=steps, bodies=bodies, samples=samples, seconds=seconds, megabytes=megabytes)
    settings = _with_path(Settings(host=host, port=port, token=token, public_name=name.lower(), limits=limits), path)
    if runs:
        settings = replace(settings, runs_at_a_time=runs)
    _serve(settings, show=show)


def _with_path(settings: Settings, path: str) -> Settings:
    if not path:
        return settings
    place = Path(path)
    if place.is_dir():
        return replace(settings, folder=place.resolve())
    if place.is_file() and place.suffix == ".chain":
        return replace(settings, folder=place.resolve().parent, open_file=place.resolve())
    complain(f"{path}: not a folder, and not a file with the suffix .chain" if place.exists() else f"{path}: not found")
    raise typer.Exit(1)


def _serve(settings: Settings, *, show: bool) -> None:
    try:
        from chainlist.app.workbench import addresses, server
    except ModuleNotFoundError as error:
        complain(f"the workbench needs more packages ({error.name}): pip install 'chainlist[gui]'")
        raise typer.Exit(1) from None
    try:
        settings = replace(settings, port=addresses.free_port(settings.host, settings.port))
    except OSError as error:
        complain(f"cannot listen on {settings.host}: {error.strerror or error}")
        raise typer.Exit(1) from None
    first, *others = addresses.links(settings.host, settings.port, settings.token)
    say(f"The workbench is at {first}  (Ctrl-C ends it)")
    if settings.public_name:
        others = [f"https://{settings.public_name}/{first.partition(':')[2].lstrip('/').partition('/')[2]}"]
    for link in others:
        say(f"              and at {link}")
    if show and has_screen():
        Timer(1.0, webbrowser.open, (first,)).start()
    server.serve(settings)
