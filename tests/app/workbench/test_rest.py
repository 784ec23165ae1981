"""A picture that stands still is painted once and no more, and asks for no frames: that would only empty a battery."""

import pytest

from .conftest import PENDULUM

pytestmark = pytest.mark.browser

COUNT = """(() => {
  globalThis.counted = {painted: 0, above: 0, frames: 0};
  const {player} = chainlistBench, {canvas} = chainlistBench.draw.overlay, frame = requestAnimationFrame;
  const counts = (g, name) => { const clear = g.clearRect.bind(g); g.clearRect = (...box) => { counted[name] += 1; clear(...box); }; };
  counts(player.graphics, "painted");
  counts(canvas.getContext("2d"), "above");
  globalThis.requestAnimationFrame = (paint) => { counted.frames += 1; return frame(paint); };
})()"""
SHOWS = ("arrows", "trails", "strobe", "names", "forces", "axes")


def counted(user, seconds=1.1):
    """What was painted in that time, and how many frames were asked for."""
    user.run("Object.keys(counted).forEach((name) => (counted[name] = 0))")
    user.tab.wait_for_timeout(1000 * seconds)
    return user.run("counted")


def test_a_paused_picture_is_not_painted_again(visit):
    user = visit(pause=0)
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    user.run(COUNT)
    assert counted(user)["painted"] > 3, "it plays"
    user.press("Pause")
    for shows, time in (((), 3.5), ((), 0), (SHOWS, 3.5), (SHOWS, 1.25), (SHOWS, 0)):
        user.run("argument.forEach((name) => chainlistBench.player.set(name, true))", list(shows))
        user.run("chainlistBench.player.seek(argument)", time)
        user.wait("!chainlistBench.player.stale")
        user.tab.wait_for_timeout(300)
        assert counted(user) == {"painted": 0, "above": 0, "frames": 0}
    user.press("Play")
    assert counted(user)["painted"] > 3, "it plays again"
    user.run("chainlistBench.player.pause()")
    user.tab.mouse.move(*user.place_of(0.5, -0.5))
    user.tab.mouse.wheel(0, -200)
    user.wait("chainlistBench.player.view.changed && !chainlistBench.player.stale")
    user.tab.wait_for_timeout(300)
    assert counted(user)["painted"] == 0


@pytest.mark.long
def test_the_grid_is_not_painted_again_while_one_thinks_what_to_draw(visit):
    user = visit(pause=0)
    user.write(PENDULUM)
    user.wait_for_run("A pendulum")
    user.run(COUNT)
    user.press("Draw")
    user.press("Body")
    user.wait("chainlistBench.mode === 'start' && counted.above > 0")
    user.tab.wait_for_timeout(300)
    resting = counted(user)
    assert resting["painted"] == resting["above"] == 0
    user.tab.mouse.move(*user.place_of(0.4, -0.4))
    user.wait("counted.above > 0")
