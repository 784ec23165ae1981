"""The server itself over real sockets: what it serves, whom it refuses, what it leaves behind."""

import base64
import json
import re
import socket
from pathlib import Path

import pytest

from chainlist.app.workbench.addresses import links
from tests.command import run

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
    running = Workbench(folder=tmp_path / "evil.chain", token="a-secret-of-the-class")
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


def test_a_token_by_default_and_pages_of_others_cost_nothing(tmp_path):
    log = tmp_path / "log.txt"
    with log.open("wb") as stream:
        running = Workbench(log=stream, token=None)
        try:
            assert [running.get("/")[0] for _ in range(300)] == [401] * 300
            printed = re.search(r"http://\S+(/\?token=\S+)", log.read_text())[1]
            assert len(printed) > 25
            cookie = running.get(printed)[1]["set-cookie"].split(";")[0]
            assert json.loads(running.get("/status", Cookie=cookie)[2])["pages"] == 0
        finally:
            running.stop()


def test_a_page_comes_back_after_a_restart_with_the_same_token():
    first = Workbench(token="the-same-secret")
    cookie = first.get("/?token=the-same-secret")[1]["set-cookie"].split(";")[0]
    first.stop()
    again = Workbench(token="the-same-secret", port=first.port)
    try:
        assert again.get("/status", Cookie=cookie)[0] == 200
    finally:
        again.stop()


def test_images_and_frames_of_other_sites_get_nothing(bench):
    image = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors", "Sec_Fetch_Dest": "image"}
    assert bench.get("/", **image)[0] == 403
    frame = {"Sec_Fetch_Site": "same-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"}
    assert bench.get("/", **frame)[0] == 403
    link = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
    assert bench.get("/", **link)[0] == 200


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--host", "nosuchhost.invalid"], "there is no host of the name nosuchhost.invalid"),
        (["--host", "192.0.2.7"], "192.0.2.7 is no address of this machine"),
        (["--host", "0.0.0.0", "--no-token"], "others could reach"),
        (["--token", "short"], "too short"),
    ],
)
def test_what_cannot_be_is_said(arguments, words):
    status, _, said = run("gui", "--no-show", *arguments)
    assert status in (1, 2) and words in " ".join(said.split())


def test_links_that_others_can_use():
    found = links("0.0.0.0", 8765, "secret")
    assert found and all(link.endswith(":8765/?token=secret") for link in found)
    assert not any("0.0.0.0" in link for link in found)
    assert links("127.0.0.1", 1, "") == ["http://127.0.0.1:1/"]
    assert links("::1", 1, "") == ["http://[::1]:1/"]
