"""Small parts of the workbench: links, files, results, handles, thumbnails, the command's refusals."""

import asyncio
import re
import shutil
import zlib
from base64 import urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chainlist.app.workbench import gallery, wire
from chainlist.app.workbench.files import Outside, Workspace, WouldOverwrite, download_name, plain_lines, stamp_of
from chainlist.app.workbench.handles import Offsets, as_data, handles
from chainlist.app.workbench.results import ResultStore
from chainlist.app.workbench.sharing import LONGEST_TEXT, fragment_of, text_of
from chainlist.app.workbench.wire import Message
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse
from chainlist.syntax.source import Source
from tests.command import run

from .conftest import run_async

# Links


@given(st.text(max_size=300))
def test_a_link_gives_back_its_text(text):
    text = plain_lines(text.encode("utf-8", "replace").decode())
    fragment = fragment_of(text)
    assert re.fullmatch(r"z=[A-Za-z0-9_-]*", fragment)
    assert text_of("#" + fragment) == text


@given(st.text(alphabet="z=ABCabc019_-#é ", max_size=60))
def test_nonsense_in_a_link_is_no_text(fragment):
    text_of(fragment)  # whatever it is, it raises nothing


def test_lines_of_a_link_end_as_in_the_editor():
    assert text_of(fragment_of("A\r\nB\rC\n\r\n")) == "A\nB\nC\n\n"


def test_a_bomb_in_a_link_is_refused():
    bomb = "z=" + urlsafe_b64encode(zlib.compress(b"*" * (50 * LONGEST_TEXT), 9)).decode()
    assert len(bomb) < 100_000
    assert text_of(bomb) is None


# Files


@pytest.fixture
def folder(tmp_path):
    inside = tmp_path / "inside"
    (inside / "sub").mkdir(parents=True)
    (inside / "a.chain").write_text("A\n")
    (inside / "sub" / "b.chain").write_bytes(b"B\r\nB1 (0,0) 1\r\n")
    (inside / ".hidden.chain").write_text("no\n")
    (inside / "notes.txt").write_text("no\n")
    (tmp_path / "secret.chain").write_text("secret\n")
    (inside / "link.chain").symlink_to(tmp_path / "secret.chain")
    return inside


def test_files_of_the_folder_and_no_others(folder):
    space = Workspace(folder, writable=True)
    assert space.names() == ["a.chain", "sub/b.chain"]
    assert space.read("a.chain") == "A\n"
    assert space.read("sub/b.chain") == "B\nB1 (0,0) 1\n"
    for name in ("../secret.chain", "link.chain", "/etc/passwd", "notes.txt", ".hidden.chain", "a.chain\0.chain", ""):
        with pytest.raises(Outside):
            space.read(name)
        with pytest.raises(Outside):
            space.save(name, "x", None)


def test_saving_keeps_line_ends_and_may_be_forbidden(folder):
    space = Workspace(folder, writable=True)
    space.save("sub/b.chain", "B\nB1 (1,0) 1\n", None)
    assert (folder / "sub" / "b.chain").read_bytes() == b"B\r\nB1 (1,0) 1\r\n"
    with pytest.raises(Outside):
        space.save("nowhere/c.chain", "x", None)
    with pytest.raises(Outside):
        Workspace(folder, writable=False).save("a.chain", "x", None)


def test_all_kinds_of_line_ends_are_read(folder):
    (folder / "old.chain").write_bytes(b"Old\rB1 (0,0) 1\r\nC1 B1 (0,0)\n")
    assert Workspace(folder, writable=True).read("old.chain") == "Old\nB1 (0,0) 1\nC1 B1 (0,0)\n"


def test_saving_destroys_no_text_that_the_user_has_not_seen(folder):
    space = Workspace(folder, writable=True)
    with pytest.raises(WouldOverwrite, match="There is a file of this name"):
        space.save("a.chain", "Mine\n", "")
    space.save("a.chain", "Mine\n", stamp_of("A\n"))  # this is the file that was opened
    with pytest.raises(WouldOverwrite, match="has changed since it was opened"):
        space.save("a.chain", "From another tab\n", stamp_of("A\n"))
    assert space.read("a.chain") == "Mine\n"
    space.save("a.chain", "Mine\n", "")  # the same text destroys nothing
    space.save("new.chain", "New\n", "")
    space.save("gone.chain", "Back\n", stamp_of("what was there"))
    space.save("a.chain", "Replaced\n", None)
    assert [space.read(f"{name}.chain") for name in ("a", "new", "gone")] == ["Replaced\n", "New\n", "Back\n"]


@given(st.text(max_size=80))
def test_names_of_downloads_are_harmless(title):
    assert re.fullmatch(r"[a-z0-9-]{1,60}\.npz", download_name(title, ".npz"))


# Results


def test_old_results_are_evicted_but_not_those_under_way():
    store = ResultStore(most=3, megabytes=1)
    try:
        under_way = store.new()
        ended = [store.new() for _ in range(4)]
        for result in ended:
            result.end(Message("failed", {}))
        store.make_room()
        assert store.get(under_way.key) is under_way
        assert store.get(ended[0].key) is None and not ended[0].folder.exists()
        assert store.get(ended[-1].key) is ended[-1]
        ended[-1].folder.joinpath("large").write_bytes(bytes(2_000_000))
        latest = store.new()
        assert store.get(ended[-1].key) is None and store.get(latest.key) is latest
        assert len({result.key for result in ended}) == 4 and len(latest.key) >= 20
    finally:
        store.close()


def test_folders_that_were_tidied_away_disturb_nobody():
    store = ResultStore(most=3, megabytes=1)
    try:
        shutil.rmtree(store.new().folder)
        shutil.rmtree(store.new().folder.parent)
        assert store.new().folder.is_dir()
        store.make_room()
    finally:
        store.close()


def test_a_stream_gives_all_messages_to_early_and_late_followers():
    async def scenario():
        store = ResultStore(most=3, megabytes=1)
        result = store.new()

        async def follow():
            return [wire._message(*_split(part)).kind async for part in result.follow()]

        early = asyncio.create_task(follow())
        for kind in ("begin", "chunk", "chunk"):
            result.say(Message(kind, {}))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        result.end(Message("scene", {}, b"all"))
        assert await early == ["begin", "chunk", "chunk", "scene"]
        assert await follow() == ["scene"]
        store.close()

    run_async(scenario())


def _split(part):
    text, blob = wire._HEAD.unpack(part[:8])
    return part[8 : 8 + text], part[8 + text : 8 + text + blob]


# Handles


def found(text):
    return handles(parse(Source("t", text), Diagnostics(), Limits()))


def test_handles_are_the_plain_numbers_of_positions():
    text = (
        "t \N{GRINNING FACE}\nB1 (1,-2.5) 1\nB2 3 4 1\nB3 (0,0) 1 IC_POS=(20cm,1)\nB4 (L,1) 1\nB5 (1+1,1) 1\n"
        "C1 B1 (0,-1)\nC2 (7,8) B2\nS1 B1 LINE(0,1,0)\nB6 (6,0) 1\n...\nB9 (9,0) 1\n"
        ".submachine M B1\nB1 (5,5) 1\n.end M\n"
    )
    got = {(h.body, h.x.value, h.y.value): h for h in found(text)}
    assert list(got) == [
        ("B1", 1.0, -2.5),
        ("B2", 3.0, 4.0),
        ("B3", 0.2, 1.0),
        ("", 0.0, -1.0),
        ("", 7.0, 8.0),
        ("B6", 6.0, 0.0),
        ("B9", 9.0, 0.0),
    ]
    units = text.encode("utf-16-le")
    for handle in got.values():
        data = as_data(handle, Offsets(text))
        for start, stop, _, written in (data["x"], data["y"]):
            assert units[2 * start : 2 * stop].decode("utf-16-le") == written
    assert as_data(got["B3", 0.2, 1.0], Offsets(text))["x"][2:] == [0.01, "20cm"]


# Gallery and words


def test_every_example_has_a_title_a_picture_and_no_text_in_it():
    assert len(gallery.examples()) >= 30
    assert sum(map(len, gallery.groups().values())) == len(gallery.examples())
    for name, example in gallery.examples().items():
        picture = gallery.picture(name)
        assert example.title and picture.startswith("<svg") and "<text" not in picture
        assert "circle" in picture and "nan" not in picture


# The command


@pytest.mark.parametrize(
    "arguments, words, code",
    [
        (["--host", "0.0.0.0", "--no-token"], "others could reach", 2),
        (["--name", "a.example.org", "--no-token"], "others could reach", 2),
        (["--name", "https://a.example.org"], "not the name of a host", 2),
        (["--host", "0.0.0.0", "--token", "short"], "too short", 2),
        (["nothing-here.chain"], "not found", 1),
        (["--max-steps", "0"], "max-steps", 2),
    ],
)
def test_the_command_refuses(arguments, words, code):
    status, _, said = run("gui", "--no-show", *arguments)
    assert status == code
    assert words in re.sub(r"\s+", " ", re.sub(r"\x1b\[[0-9;]*m", "", said))
