"""What the workbench allows: where it listens, which folder it shows, how large a run may be."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class RunLimits:
    """How large one run may be. They travel to the worker, which enforces them."""

    steps: int = 20_000_000
    bodies: int = 5_000
    samples: int = 2_000_000  # kept, times bodies
    seconds: float = 120.0  # of computing
    megabytes: int = 2_048  # that the run may add to its process
    characters: int = 1_000_000  # of the text

    def as_data(self) -> dict[str, float]:
        return asdict(self)


@dataclass(frozen=True)
class Settings:
    """All choices of `chainlist gui`."""

    host: str = "127.0.0.1"
    port: int = 8765
    token: str = ""
    public_name: str = ""  # under which a reverse proxy is reached, which passes requests on
    folder: Path | None = None  # the workspace: chainlists to open, and what they include
    open_file: Path | None = None  # shown at the start; inside `folder`
    runs_at_a_time: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    waiting_runs: int = 200  # beyond this a run is refused
    results_kept: int = 60
    results_megabytes: int = 1_024
    limits: RunLimits = RunLimits()

    @property
    def loopback(self) -> bool:
        return is_loopback(self.host)

    @property
    def is_private(self) -> bool:
        """Whether only the person at this machine reaches it; a proxy before it lets others in."""
        return self.loopback and not self.public_name

    @property
    def trusted_proxies(self) -> str:
        """Who may say from where a request comes, as networks: nobody else, or a guesser of tokens would name a new address each time."""
        if not self.public_name:
            return ""
        return (
            "127.0.0.0/8,::1" if self.loopback else "127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7"
        )

    @property
    def may_write(self) -> bool:
        """Files of the workspace are written only for the person at this machine."""
        return self.folder is not None and self.is_private


def is_loopback(host: str) -> bool:
    """True if only this machine can reach a server that listens on `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
