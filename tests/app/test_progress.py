"""What takes long is announced on a log, also when it comes again."""

import time

from chainlist.app import progress


def test_what_was_short_at_first_is_announced_when_it_takes_long_later(monkeypatch):
    said = []
    monkeypatch.setattr(progress, "_MOMENT", 0.05)
    monkeypatch.setattr(progress, "is_terminal", lambda: False)
    monkeypatch.setattr(progress, "say", said.append)
    with progress.progress_bar("a.chain", quiet=False) as tell:
        tell(0.0, "preparing")
        tell(0.0, "running")
        tell(0.5, "preparing")
        time.sleep(0.3)
        tell(0.6, "running")
        tell(0.7, "preparing")
        time.sleep(0.3)
    assert said == ["a.chain: preparing …"]
