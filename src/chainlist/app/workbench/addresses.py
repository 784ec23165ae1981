"""Where the workbench listens, and the addresses at which others find it."""

from __future__ import annotations

import errno
import ipaddress
import socket
import sys

_EVERYWHERE = ("0.0.0.0", "::", "")
_SIOCGIFADDR = 0x8915  # Linux: the IPv4 address of an interface


def free_port(host: str, wanted: int) -> int:
    """The wanted port, or the next free one; 0 lets the system choose. Raises `OSError` in words for the user."""
    try:
        family, _, _, _, place = socket.getaddrinfo(host, wanted, type=socket.SOCK_STREAM)[0]
    except socket.gaierror:
        raise OSError(f"there is no host of the name {host}") from None
    for port in [wanted] if wanted == 0 else range(wanted, min(wanted + 50, 65_536)):
        try:
            with socket.socket(family) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((place[0], port))
                return int(probe.getsockname()[1])
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise OSError(f"{host} is no address of this machine") from None
    raise OSError(f"no port from {wanted} on is free")


def links(host: str, port: int, token: str) -> list[str]:
    """Links to a workbench that listens on `host`: for one that listens everywhere, those that others can use."""
    hosts = [*own_addresses(), socket.gethostname()] if host in _EVERYWHERE else [host]
    rest = f"/?token={token}" if token else "/"
    return [f"http://{_in_link(name)}:{port}{rest}" for name in hosts]


def own_addresses() -> list[str]:
    """Addresses of this machine at which others may reach it; no packet is sent to find them."""
    found = _of_interfaces() if sys.platform.startswith("linux") else []
    try:
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None)]
    except OSError:
        pass  # a machine that does not know its own name has the addresses of its interfaces still
    usable = [a for a in dict.fromkeys(found) if "%" not in a and not _is_private_to_machine(a)]
    return usable or ["127.0.0.1"]


def _is_private_to_machine(address: str) -> bool:
    known = ipaddress.ip_address(address)
    return known.is_loopback or known.is_link_local or known.is_unspecified


def _of_interfaces() -> list[str]:
    import fcntl
    import struct

    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            try:
                answer = fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:  # an interface without an address
                continue
            found.append(socket.inet_ntoa(answer[20:24]))
    return found


def _in_link(host: str) -> str:
    return f"[{host}]" if ":" in host else host
