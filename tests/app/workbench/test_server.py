"""The server itself over real sockets: what it serves, whom it refuses, what it leaves behind."""

import base64
import socket
from pathlib import Path

import pytest

from .conftest import PENDULUM, Workbench


def handshake(bench, *, host=None, origin=None, cookie=None):
    """The status line that a web socket gets."""
    lines = [
        "GET /_nicegui_ws/socket.io/?EIO=4&transport=websocket HTTP/1.1",
        f"Host: {host or f'127.0.0.1:{bench.port}'}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}",
        "Sec-WebSocket-Version: 13",
        *([f"Origin: {origin}"] if origin else []),
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    with socket.create_connection(("127.0.0.1", bench.port), timeout=20) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return int(connection.recv(4096).split()[1])


def test_own_page_is_served_and_foreign_ones_are_refused(bench):
    assert bench.get("/")[0] == 200
    assert bench.get("/", Host="evil.example")[0] == 400
    assert bench.get("/", Origin="http://evil.example")[0] == 403
    assert bench.get("/status", Host=f"localhost:{bench.port}", Origin=f"http://localhost:{bench.port}")[0] == 200


def test_web_sockets_of_other_sites_are_refused(bench):
    assert handshake(bench, origin=bench.url) == 101
    assert handshake(bench, origin="http://evil.example") == 403
    assert handshake(bench, host="evil.example", origin="http://evil.example") == 403


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux lists its sockets there")
def test_it_listens_on_the_loopback_interface_only(bench):
    listening = [
        line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines()[1:] if line.split()[3] == "0A"
    ]
    ours = [place.split(":")[0] for place in listening if int(place.split(":")[1], 16) == bench.port]
    assert [socket.inet_ntoa(bytes.fromhex(address)[::-1]) for address in ours] == ["127.0.0.1"]


@pytest.mark.parametrize(
    "path",
    [
        "/runs/guess",
        "/preview/guess",
        "/thumbnails/guess",
        "/thumbnails/..%2f..%2fsettings.py",
        "/bench/..%2fserver.py",
        "/player/../packing.py",
        "/bench/%2e%2e/%2e%2e/cli.py",
        "/docs",
        "/openapi.json",
    ],
)
def test_nothing_else_is_served(bench, path):
    assert bench.get(path)[0] == 404


def test_scripts_are_ours_and_plain(bench):
    status, headers, body = bench.get("/bench/bench.js")
    assert status == 200 and "javascript" in headers["content-type"] and b"followStream" in body
    assert bench.get("/player/player.js")[0] == 200
    page = bench.get("/")[2].decode()
    assert "https://" not in page.replace("https://nicegui.io", "")


def test_token_and_a_hostile_file(tmp_path):
    evil = "`${alert(1)}</script><script>alert(2)</script>\n" + PENDULUM
    (tmp_path / "evil.chain").write_text(evil)
    running = Workbench("--token", "a-secret-of-the-class", folder=tmp_path / "evil.chain")
    try:
        status, _, body = running.get("/")
        assert status == 401 and b"asks for a token" in body
        assert handshake(running) == 403
        assert running.get("/?token=wrong")[0] == 401
        status, headers, _ = running.get("/?token=a-secret-of-the-class")
        cookie = headers["set-cookie"].split(";")[0]
        assert status == 303 and headers["location"] == "/"
        assert handshake(running, cookie=cookie, origin=running.url) == 101
        status, _, body = running.get("/", Cookie=cookie)
        assert status == 200 and b"<script>alert(2)" not in body and b"`${alert(1)}" not in body
        (tmp_path / "evil.chain").rename(tmp_path / "renamed.chain")
        status, _, body = running.get("/", Cookie=cookie)
        assert status == 200 and b"Double pendulum" in body  # the file is not there any more
    finally:
        running.stop()
    assert running.process.returncode is not None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["renamed.chain"]  # nothing is left behind
