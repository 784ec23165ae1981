"""Player and plots as the workbench uses them: imported modules, frames that come in chunks, two runs in one picture."""

import base64

import numpy as np
import pytest

from chainlist.output.packing import pack

from .motions import crank_scene

pytestmark = pytest.mark.browser

SET_UP = """async (data) => {
  const [player, scene] = await Promise.all([import("/player.js"), import("/scene.js")]);
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer;
  Object.assign(globalThis, player, scene, { bytes });
  globalThis.whole = decodeScene(bytes);
  globalThis.host = document.getElementById("host");
  globalThis.player = new Player(host);
  while (!globalThis.player.view.width) await new Promise(requestAnimationFrame); // until it knows its size
  globalThis.picture = async () => {
    do await new Promise(requestAnimationFrame); while (globalThis.player.stale);
    return globalThis.player.canvas.toDataURL();
  };
}"""


@pytest.fixture
def tab(modules):
    modules.evaluate(SET_UP, base64.b64encode(pack(crank_scene())).decode())
    return modules


def test_a_motion_in_chunks_is_the_motion_in_one_piece(tab):
    found = tab.evaluate(
        """async () => {
      player.load(whole);
      player.seek(4);
      const once = await picture(), m = whole.motion, n = 2 * m.bodies, seen = [];
      player.load(emptyScene(whole));
      const size = 37;
      for (let k = 0; k < m.count; k += size) {
        const e = Math.min(m.count, k + size);
        player.append(m.times.slice(k, e), m.positions.slice(k * n, e * n), m.velocities.slice(k * n, e * n));
        player.seek(player.stop);
        await picture();
        seen.push(player.time);
      }
      player.finish();
      return { same: once === await picture(), count: player.scene.motion.count, all: m.count, seen };
    }"""
    )
    assert found["count"] == found["all"]
    assert found["same"]
    assert found["seen"] == sorted(found["seen"]) and found["seen"][-1] == 4


def test_a_live_run_waits_at_its_end_and_goes_on(tab):
    times = tab.evaluate(
        """async () => {
      const until = async (done) => { while (!done()) await new Promise(requestAnimationFrame); return player.time; };
      player.load(emptyScene(whole));
      player.append([0, 0.05], new Float32Array(8), new Float32Array(8));
      player.play();
      const first = await until(() => player.time >= 0.05);
      await picture();
      player.append([0.1, 0.15], new Float32Array(8), new Float32Array(8));
      return [first, player.playing, await until(() => player.time >= 0.15)];
    }"""
    )
    assert times == [0.05, True, 0.15]


def test_chunks_that_do_not_fit_are_refused(tab):
    messages = tab.evaluate(
        """() => {
      player.load(emptyScene(whole));
      const say = (...chunk) => { try { player.append(...chunk); return ""; } catch (e) { return e.message; } };
      return [say([0], new Float32Array(3)), say([0], new Float32Array(4)), say([1], new Float32Array(4), new Float32Array(4))];
    }"""
    )
    assert messages == ["1 times need 4 numbers, not 3", "", "velocities must come with every chunk or with none"]


def test_a_pinned_run_lies_in_grey_behind(tab):
    """The other run is half a turn ahead: its crank shows in grey where nothing was."""
    found = tab.evaluate(
        """async () => {
      player.load(whole);
      player.seek(1);
      const alone = await picture();
      const m = whole.motion, later = decodeScene(bytes.slice(0));
      later.motion.times = m.times.map((t) => t - 0.5);
      player.pin(later);
      const q = m.sample(1.5, new Float64Array(4));
      const both = await picture(), v = player.view;
      const pixel = [...player.graphics.getImageData(v.x(q[0]), v.y(q[1]), 1, 1).data];
      player.pin(null);
      return { alone: alone === await picture(), both: both !== alone, pixel };
    }"""
    )
    assert found["alone"] and found["both"]
    red, green, blue, alpha = found["pixel"]
    assert alpha > 150 and max(red, green, blue) - min(red, green, blue) < 40


def test_interpolation_agrees_with_python(tab):
    """The cubic of motion.js against a polynomial fitted through the same values and slopes."""
    values = tab.evaluate(
        """async () => {
      const { Motion } = await import("/motion.js"), motion = new Motion(1), out = new Float64Array(2);
      motion.append([0, 1, 3], [0, 1, 2, 0, 1, 5], [1, 0, -1, 2, 0.5, -3]);
      return [0, 0.25, 0.9, 1, 1.5, 2.75, 3].map((t) => [...motion.sample(t, out)]);
    }"""
    )
    t, q, v = [0, 1, 3], [[0, 1], [2, 0], [1, 5]], [[1, 0], [-1, 2], [0.5, -3]]
    for at, found in zip([0, 0.25, 0.9, 1, 1.5, 2.75, 3], values, strict=True):
        k = 0 if at < 1 else 1
        a, b = t[k], t[k + 1]
        rows = [[1, a, a**2, a**3], [1, b, b**2, b**3], [0, 1, 2 * a, 3 * a**2], [0, 1, 2 * b, 3 * b**2]]
        for c in range(2):
            cubic = np.linalg.solve(rows, [q[k][c], q[k + 1][c], v[k][c], v[k + 1][c]])
            assert found[c] == pytest.approx(np.polyval(cubic[::-1], at), abs=1e-9)


@pytest.mark.parametrize(
    ("low", "high", "texts", "exponent", "offset"),
    [
        (0, 20, ["0", "5", "10", "15", "20"], 0, ""),
        (-0.4, 0.4, ["−0.4", "−0.2", "0.0", "0.2", "0.4"], 0, ""),
        (0, 8e-16, ["0", "2", "4", "6", "8"], -16, ""),
        (0, 4e7, ["0", "1", "2", "3", "4"], 7, ""),
        (-9.81 - 2e-9, -9.81 + 2e-9, ["−2", "−1", "0", "1", "2"], -9, "−9.81"),
    ],
)
def test_ticks_are_round_and_short(tab, low, high, texts, exponent, offset):
    found = tab.evaluate(
        """async ([low, high]) => {
      const { niceTicks, tickFormat } = await import("/ticks.js"), ticks = niceTicks(low, high, 4), f = tickFormat(low, high, ticks);
      return [ticks.map(f.text), f.exponent, f.offset];
    }""",
        [low, high],
    )
    assert found == [texts, exponent, offset]


def test_what_is_counted_has_whole_ticks(tab):
    script = 'async () => (await import("/ticks.js")).niceTicks(0, 3, 8, 1)'
    assert tab.evaluate(script) == [0, 1, 2, 3]


def test_a_plot_takes_new_curves_and_those_of_another_run(tab):
    found = tab.evaluate(
        """async () => {
      const { Plot } = await import("/plot.js"), plot = new Plot(host, whole.panels[0]);
      const before = plot.limits, other = { ...whole.panels[0], curves: [{ name: "x", x: [0, 8], y: [0, 9], t: [0, 8] }] };
      plot.pin(other);
      const both = plot.limits;
      plot.pin(null);
      plot.setPanel({ ...other, title: "Longer" });
      const result = [before[1], both[1], plot.limits[1], plot.root.querySelector("h3").textContent];
      plot.destroy();
      return [...result, host.childElementCount];
    }"""
    )
    assert found == [4, 8, 8, "Longer", 0]
