"""Files of traces with wrong bytes in them, or cut off: they are read, or refused in words."""

import random

import pytest

from chainlist.output.traces import read_trace, write_trace
from chainlist.syntax.errors import ChainlistError
from tests.motions import crosshair


@pytest.mark.parametrize("suffix", [".mat", ".npz"])
def test_a_damaged_file_is_refused_in_words(tmp_path, suffix):
    path, luck = tmp_path / f"a{suffix}", random.Random(3)
    write_trace(crosshair(), path)
    whole, refused = path.read_bytes(), 0
    for number in range(60):
        data = bytearray(whole)
        if number % 2:
            del data[luck.randrange(len(data)) :]
        else:
            data[luck.randrange(len(data))] ^= luck.randrange(1, 256)
        path.write_bytes(data)
        try:
            read_trace(path)
        except ChainlistError as error:
            refused += 1
            assert "damaged" in str(error) or "not a trace" in str(error)
    assert refused > 30
