"""Traces: what is written can be read back, by us and by others."""

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import chainlist
from chainlist.compile.read import changed, load, parse
from chainlist.model.mechanism import Changes
from chainlist.model.options import OPTIONS
from chainlist.model.requests import BINARY
from chainlist.output.header import header_text, read_header, split_trace
from chainlist.output.text_trace import TextTrace
from chainlist.output.traces import FORMATS, format_of, read_trace, write_trace
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.errors import ChainlistError
from tests.motions import crosshair, wanderers


def cut(motion, start, stop):
    v = None if motion.v is None else motion.v[start:stop]
    return Trajectory(mechanism=motion.mechanism, t=motion.t[start:stop], q=motion.q[start:stop], v=v)


def written(motion, path, chunk=100):
    """The trace that the first .print of a motion asks for, written in chunks."""
    with TextTrace.create(path, motion.mechanism, motion.mechanism.prints[0]) as trace:
        for at in range(0, len(motion.t), chunk):
            trace.write(cut(motion, at, at + chunk))
    return path.read_text(encoding="utf-8")


def rows(text):
    return text.partition("\nDATA SECTION\n")[2].splitlines()


def test_the_trace_of_the_paper(listing):
    mechanism = load(listing(11))
    t = np.array([0.0, 1e-3])
    q = np.array([[[body.position[0], -0.5 * time**2] for body in mechanism.bodies] for time in t])
    out = io.StringIO()
    TextTrace(out, mechanism, mechanism.prints[0]).write(Trajectory(mechanism=mechanism, t=t, q=q, v=q))
    text = out.getvalue()
    assert text.startswith("HEADER\n* * 9 Link Chain\nB1 (0.2,0) 1\n...\nB9 (1.8,0) 1\n")
    first, second = rows(text)
    assert first.startswith("0 B1(0.2,0) B2(0.4,0) B3(0.6,0) ") and first.endswith(" B9(1.8,0)")
    assert second.startswith("0.001 B1(0.2,-5E-7) B2(0.4,-5E-7) ")


def test_the_header_holds_the_text_and_every_setting():
    motion = crosshair('.print TEXTTRACEFILE="a.txt" Time Q(ALL)\n')
    lines = header_text(motion.mechanism, motion.mechanism.prints[0].columns).splitlines()
    assert lines[0] == "HEADER" and lines[-1] == "DATA SECTION"
    assert "\n".join(lines[1:-3]) == motion.mechanism.text.rstrip("\n")
    assert lines[-3].startswith("* chainlist ") and lines[-3].endswith(", columns: Time Q(ALL)")
    settings = dict(word.split("=") for word in lines[-2].removeprefix("* .options ").split())
    assert settings["gravity"] == "0" and settings["INTEGRATOR"] == "RK4" and settings["FRAME"] == "0.4"
    assert settings["mpitol"] == "automatic" and {key.lower() for key in settings} == set(OPTIONS)


def test_columns_in_their_order_and_by_their_names(tmp_path):
    motion = crosshair('.print TEXTTRACEFILE="a.txt" Etotal Time Q(B1) V(B1) V(B2) {Q(B1) - Q(B2)} X(B1)*k\n')
    text = written(motion, tmp_path / "a.txt")
    assert rows(text)[0] == "0.5 0 B1(0,0) V(B1)(1,0) B2(0,0) Q(B1)-Q(B2)(0,-1) 0"


def test_times_are_multiples_of_the_step_in_decimal():
    mechanism = parse("* P\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 1.05 0.1\n.print Time\n")
    t = np.append(np.arange(11) * 0.1, 1.05)
    assert repr(float(t[3])) == "0.30000000000000004"
    q = np.zeros((12, 1, 2))
    out = io.StringIO()
    TextTrace(out, mechanism, mechanism.prints[0]).write(Trajectory(mechanism=mechanism, t=t, q=q, v=q))
    assert rows(out.getvalue()) == "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 1.05".split()


def test_times_ignore_the_format_and_follow_save():
    mechanism = parse(
        '* P\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0.05 1 0.3\n.options SAVE=0.7us INTEGRATOR=DOP853\n.print FORMAT="%.1f" Time X(B1)\n'
    )
    t = 0.05 + 7e-7 * np.arange(4)
    q = np.full((4, 1, 2), 0.123)
    out = io.StringIO()
    TextTrace(out, mechanism, mechanism.prints[0]).write(Trajectory(mechanism=mechanism, t=t, q=q, v=q))
    assert rows(out.getvalue()) == ["0.05 0.1", "0.0500007 0.1", "0.0500014 0.1", "0.0500021 0.1"]


def test_a_text_trace_reads_back_to_the_last_bit(tmp_path):
    motion = wanderers('.print TEXTTRACEFILE="a.txt" Time Bodies(POS) Bodies(VEL)\n')
    written(motion, tmp_path / "a.txt", chunk=77)
    found = read_trace(tmp_path / "a.txt")
    assert np.array_equal(found.t, motion.t) and np.array_equal(found.q, motion.q) and np.array_equal(found.v, motion.v)
    assert found.mechanism == motion.mechanism
    assert np.array_equal(found.observe("PHI(C2)").curves[0].values, motion.observe("PHI(C2)").curves[0].values)


def test_conditions_and_functions_of_the_user_read_back(tmp_path):
    columns = "Time Bodies(POS) {X(B1)>0 and not Y(B2)>0} e(2) if(X(B1)>0,1,2)"
    motion = wanderers(f'.func e(m)=m*SPEED(B1)**2\n.print TEXTTRACEFILE="a.txt" {columns}\n')
    written(motion, tmp_path / "a.txt")
    found = read_trace(tmp_path / "a.txt")
    for item in ("{X(B1)>0 and not Y(B2)>0}", "e(2)", "if(X(B1)>0,1,2)"):
        assert np.array_equal(found.observe(item).curves[0].values, motion.observe(item).curves[0].values)


def test_what_was_not_stored_is_named_and_what_was_stored_is_found(tmp_path):
    motion = wanderers('.print TEXTTRACEFILE="a.txt" Time Q(B1) X(B2) Etotal DERIVATIVE(C1)*10 {V(B1)-V(B2)}\n')
    written(motion, tmp_path / "a.txt")
    found = read_trace(tmp_path / "a.txt")
    assert found.v is None
    for item in ("Q(B1)", "X(B2)", "Etotal", "Etotal*2", "DERIVATIVE(C1)*10", "V(B1)-V(B2)"):
        assert found.observe(item).curves[0].values == pytest.approx(motion.observe(item).curves[0].values, abs=1e-12)
    for item, column in (("Y(B2)", r"Q\(B2\)"), ("VX(B1)", r"V\(ALL\)"), ("T", r"V\(ALL\)"), ("PHI(C3)", r"Q\(B3\)")):
        with pytest.raises(ChainlistError, match=f"add the column {column}"):
            found.observe(item)


def test_overrides_are_kept(tmp_path):
    """A run with other settings and parameters reads back with these, though the text says otherwise."""
    text = "* P\n.param L=1\nB1 (L,0) 1\nC1 B1 (0,0)\n.tran 0 1 0.5\n.options gravity=9\n.print TEXTTRACEFILE=a.txt Time Q(B1)\n"
    mechanism = changed(text, Changes({"L": 3.0}, {"gravity": 2.0, "integrator": "EULER"}, (0, 2, 0.25)))
    q = np.zeros((3, 1, 2))
    motion = Trajectory(mechanism=mechanism, t=np.array([0, 0.5, 1]), q=q, v=q)
    written(motion, tmp_path / "a.txt")
    for path in (tmp_path / "a.txt", tmp_path / "a.npz", tmp_path / "a.nc"):
        if path.suffix != ".txt":
            write_trace(motion, path)
        found = read_trace(path).mechanism
        assert found.options.gravity == 2 and found.options.integrator == "EULER"
        assert found.constraints[0].parameters == (9.0, 3.0)
        assert found == mechanism and found.changes.params == {"L": 3.0}


@pytest.mark.parametrize("lost", [1, 17, 200])
def test_a_trace_that_was_cut_off_reads_to_its_last_full_row(tmp_path, lost):
    motion = crosshair('.print TEXTTRACEFILE="a.txt"\n')
    data = written(motion, tmp_path / "a.txt").encode()
    (tmp_path / "a.txt").write_bytes(data[:-lost])
    left = data[:-lost].count(b"\n") - data.partition(b"DATA SECTION\n")[0].count(b"\n") - 1
    found = read_trace(tmp_path / "a.txt")
    assert 0 < len(found.t) == left < len(motion.t)
    assert np.array_equal(found.q, motion.q[:left])


@pytest.mark.parametrize("suffix", [".nc", ".npz", ".mat", ".csv", ".raw"])
def test_a_trace_knows_whether_its_run_went_through(tmp_path, suffix):
    motion = crosshair()
    write_trace(motion, tmp_path / f"whole{suffix}")
    write_trace(cut(motion, 0, -1), tmp_path / f"part{suffix}")
    write_trace(cut(motion, 0, 0), tmp_path / f"empty{suffix}")
    whole, part = (read_trace(tmp_path / f"{name}{suffix}", motion.mechanism) for name in ("whole", "part"))
    assert whole.status.ok and not part.status.ok
    assert part.status.time == motion.t[-2] and "was to end at" in str(part.status)
    for known in (None, motion.mechanism):
        with pytest.raises(ChainlistError, match="holds no samples"):
            read_trace(tmp_path / f"empty{suffix}", known)


def test_a_text_trace_knows_it_too(tmp_path):
    motion = crosshair('.print TEXTTRACEFILE="a.txt" FORMAT="0"\n')
    text = written(motion, tmp_path / "a.txt")
    assert read_trace(tmp_path / "a.txt").status.ok
    (tmp_path / "a.txt").write_text(text[: text.rindex("\n", 0, -1) + 1])
    assert read_trace(tmp_path / "a.txt").status.time == motion.t[-2]


def test_a_table_without_a_coordinate_is_told(tmp_path):
    (tmp_path / "a.csv").write_text("Time,X(B1)\n0,1\n")
    with pytest.raises(ChainlistError, match=r"the column Y\(B1\) is missing"):
        read_trace(tmp_path / "a.csv")


def test_a_rawfile_that_was_cut_off_is_damaged(tmp_path):
    write_trace(crosshair(), tmp_path / "a.raw")
    data = (tmp_path / "a.raw").read_bytes()
    (tmp_path / "a.raw").write_bytes(data[: len(data) // 2])
    with pytest.raises(ChainlistError, match="is damaged: it holds"):
        read_trace(tmp_path / "a.raw")


def test_a_killed_run_leaves_a_readable_trace(tmp_path):
    code = (
        "import os, signal, sys, pathlib\n"
        "from tests.motions import crosshair\n"
        "from tests.output.test_traces import cut\n"
        "from chainlist.output.text_trace import TextTrace\n"
        "motion = crosshair('.print TEXTTRACEFILE=a.txt\\n')\n"
        "trace = TextTrace.create(pathlib.Path(sys.argv[1]), motion.mechanism, motion.mechanism.prints[0])\n"
        "for at in range(0, 300, 50): trace.write(cut(motion, at, at + 50))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.txt")], timeout=60)
    assert done.returncode == -9
    assert np.array_equal(read_trace(tmp_path / "a.txt").t, crosshair().t[:300])


def test_broken_runs_keep_their_nan(tmp_path):
    motion = crosshair('.print TEXTTRACEFILE="a.txt" FORMAT="0.###E0" Time Q(ALL)\n')
    motion.q[600:] = np.nan
    motion.q[599] = -np.inf
    assert rows(written(motion, tmp_path / "a.txt"))[-1] == "6.28 B1(NaN,NaN) B2(NaN,NaN)"
    found = read_trace(tmp_path / "a.txt")
    assert np.isnan(found.q[600:]).all() and np.isneginf(found.q[599]).all() and np.isfinite(found.q[:599]).all()


@pytest.mark.parametrize("title", ["DATA SECTION", "* chainlist 9.9, columns: Time", "100 % of it"])
def test_titles_that_look_like_a_header_do_no_harm(tmp_path, title):
    mechanism = parse(f"{title}\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 1 0.5\n.print TEXTTRACEFILE=a.txt\n")
    q = np.array([[[1.0, 0.0]], [[0.5, 0.25]]])
    motion = Trajectory(mechanism=mechanism, t=np.array([0, 0.5]), q=q, v=q)
    written(motion, tmp_path / "a.txt")
    found = read_trace(tmp_path / "a.txt")
    assert np.array_equal(found.q, q) and found.mechanism.title == mechanism.title


def test_a_trace_of_another_program_is_read_by_its_own_print(tmp_path):
    path = tmp_path / "paper.txt"
    path.write_text(
        "HEADER\n* P\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 1 1E-3\n.print TEXTTRACEFILE=x.txt Time Bodies(POS)\nDATA SECTION\n\n"
        "0 B1(1,0)\n0.001 B1(1,-5E-7)\n",
        encoding="utf-8",
    )
    found = read_trace(path)
    assert found.t.tolist() == [0, 0.001] and found.q[1, 0].tolist() == [1, -5e-7] and found.v is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "not a text trace"),
        ("HEADER\n* P\nB1 (1,0) 1\n", "not a text trace"),
        ("HEADER\n* P\nB1 (1,0) 1\n.print Time X(B1)\nDATA SECTION\n0 1\n1 2 3\n", "row 2 .* 3 numbers instead of 2"),
        ("HEADER\n* P\nB1 (1,0) 1\n.print Time X(B1)\nDATA SECTION\n0 one\n", "no number"),
        ("HEADER\n* P\nB1 (1,0) 1\n.print X(B1)\nDATA SECTION\n0\n", "add the column Time"),
        ("HEADER\n* P\nB1 (1,0) 1\n.print Time\n.print X(B1)\nDATA SECTION\n0\n", "which .print"),
        ("HEADER\n* P\nB1 (1,0) -1\nDATA SECTION\n0\n", "mass"),
    ],
)
def test_what_is_no_trace_is_told(tmp_path, text, message):
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    with pytest.raises(ChainlistError, match=message):
        read_trace(tmp_path / "a.txt")


# Binary traces


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("with_velocities", [True, False])
def test_binary_traces_read_back_to_the_last_bit(tmp_path, suffix, with_velocities):
    motion = wanderers()
    if not with_velocities:
        motion = Trajectory(mechanism=motion.mechanism, t=motion.t, q=motion.q, v=None)
    path = tmp_path / f"a{suffix}"
    write_trace(motion, path)
    assert os.listdir(tmp_path) == [path.name]
    found = read_trace(path)
    assert np.array_equal(found.t, motion.t) and np.array_equal(found.q, motion.q)
    assert (found.v is None) == (not with_velocities) and (found.v is None or np.array_equal(found.v, motion.v))
    assert found.bodies == motion.bodies
    known = read_trace(path, mechanism=motion.mechanism)
    assert known.mechanism is motion.mechanism


@pytest.mark.parametrize("suffix", [".nc", ".npz", ".mat"])
def test_the_chainlist_travels_inside(tmp_path, suffix):
    motion = crosshair()
    write_trace(motion, tmp_path / f"a{suffix}")
    found = read_trace(tmp_path / f"a{suffix}").mechanism
    assert found == motion.mechanism and found.parameters == {"k": 2.0}


@pytest.mark.parametrize("suffix", [".csv", ".raw"])
def test_tables_hold_no_masses_and_say_so(tmp_path, suffix):
    motion = crosshair()
    write_trace(motion, tmp_path / f"a{suffix}")
    with pytest.raises(ChainlistError, match="mechanism=load"):
        read_trace(tmp_path / f"a{suffix}").observe("Etotal")
    found = read_trace(tmp_path / f"a{suffix}", mechanism=motion.mechanism)
    assert np.array_equal(found.observe("Etotal").curves[0].values, motion.observe("Etotal").curves[0].values)
    with pytest.raises(ChainlistError, match="no body B3"):
        write_trace(wanderers(), tmp_path / f"b{suffix}")
        read_trace(tmp_path / f"b{suffix}", mechanism=motion.mechanism)


def test_waveform_viewers_read_the_rawfile(tmp_path):
    from spicelib import RawRead

    motion = wanderers()
    write_trace(motion, tmp_path / "a.raw")
    raw = RawRead(str(tmp_path / "a.raw"))
    assert raw.get_trace_names()[:3] == ["time", "X(B1)", "Y(B1)"]
    assert np.array_equal(raw.get_trace("time").get_wave(0), motion.t)
    assert np.array_equal(raw.get_trace("VY(B3)").get_wave(0), motion.v[:, 2, 1])


def test_others_read_the_tables(tmp_path):
    import pandas
    import xarray

    motion = wanderers()
    write_trace(motion, tmp_path / "a.csv")
    table = pandas.read_csv(tmp_path / "a.csv")
    assert table["VX(B2)"].to_numpy() == pytest.approx(motion.v[:, 1, 0], rel=1e-15, abs=1e-300)
    assert table["Time"].to_numpy() == pytest.approx(motion.t)
    write_trace(motion, tmp_path / "a.nc")
    with xarray.open_dataset(tmp_path / "a.nc") as data:
        assert np.array_equal(data["q"].sel(body="B3").values, motion.q[:, 2])
        assert data["q"].attrs["units"] == "m" and data.attrs["title"] == "Wanderers"
    with np.load(write_npz(motion, tmp_path)) as data:
        assert np.array_equal(data["v"], motion.v) and data["bodies"].tolist() == ["B1", "B2", "B3"]


def test_polars_reads_the_table(tmp_path):
    polars = pytest.importorskip("polars")
    motion = wanderers()
    write_trace(motion, tmp_path / "a.csv")
    table = polars.read_csv(tmp_path / "a.csv")
    assert np.array_equal(table["VX(B2)"].to_numpy(), motion.v[:, 1, 0])
    assert polars.from_pandas(motion.to_pandas().reset_index())["Time"].to_list() == motion.t.tolist()


def test_matlab_reads_arrays_and_names(tmp_path):
    from scipy.io import loadmat

    motion = wanderers()
    write_trace(motion, tmp_path / "a.mat")
    data = loadmat(tmp_path / "a.mat", simplify_cells=True)
    assert np.array_equal(data["t"], motion.t) and np.array_equal(data["v"], motion.v)
    assert data["bodies"].tolist() == ["B1", "B2", "B3"] and data["title"] == "Wanderers"


def test_what_is_too_large_for_an_old_netcdf_is_a_new_one(tmp_path, monkeypatch):
    motion = wanderers()
    monkeypatch.setattr("chainlist.output.netcdf._LARGEST_OLD", motion.q.nbytes - 1)
    write_trace(motion, tmp_path / "a.nc")
    assert (tmp_path / "a.nc").read_bytes().startswith(b"\x89HDF")
    assert np.array_equal(read_trace(tmp_path / "a.nc").q, motion.q)


def write_npz(motion, folder):
    write_trace(motion, folder / "a.npz")
    return folder / "a.npz"


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_file_of_another_kind_is_told(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"this is no trace\n1,2,3\n")
    with pytest.raises(ChainlistError, match="E401"):
        read_trace(path)


def test_reading_a_chainlist_knows_the_formats_that_can_be_written():
    assert set(BINARY) == set(FORMATS)


def test_an_unknown_suffix_is_an_error_that_lists_them():
    with pytest.raises(ChainlistError) as caught:
        format_of(Path("a.hdf"))
    assert all(suffix in str(caught.value) for suffix in (".hdf", ".nc", ".npz", ".csv", ".raw"))


def test_a_trace_that_fails_leaves_the_old_one(tmp_path, monkeypatch):
    motion = crosshair()
    path = tmp_path / "a.npz"
    write_trace(motion, path)
    before = path.read_bytes()

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="No space"):
        write_trace(wanderers(), path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["a.npz"]


def test_files_get_the_permissions_of_new_files(tmp_path):
    write_trace(crosshair(), tmp_path / "a.csv")
    (tmp_path / "b").write_text("")
    assert (tmp_path / "a.csv").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_bare_numbers_of_one_item_have_names_in_the_header(tmp_path):
    motion = crosshair('.print TEXTTRACEFILE="a.txt" Time TENSION(ALL)\n')
    text = header_text(motion.mechanism, motion.mechanism.prints[0].columns)
    names = " ".join(f"TENSION({c.name})" for c in motion.mechanism.constraints)
    assert f"\n* row: Time {names}\n" in text
    assert read_header(split_trace(text)[0]).columns == "Time TENSION(ALL)"


def test_a_dataset_written_by_hand_is_read_back(tmp_path):
    text = "* Pendulum\n.param L=1\nB1 (L,0) 1\nC1 B1 (0,0)\n.tran 0 0.1 1E-2\n.plot Etotal\n"
    motion = chainlist.simulate(text, params={"L": 2}, integrator="MIDPOINT")
    data = motion.to_xarray()
    assert data.attrs["parameters"] == "L=2" and "INTEGRATOR=MIDPOINT" in data.attrs["options"].split()
    data.to_netcdf(tmp_path / "own.nc")
    again = chainlist.read_trace(tmp_path / "own.nc")
    assert again.mechanism == motion.mechanism and (again.q == motion.q).all() and (again.v == motion.v).all()


def test_a_dataset_written_by_hand_holds_its_events(tmp_path):
    text = "* Ball\nB1 (0,0.1) 1\nW1 B1 LINE(0,1,0) REST=0.5\n.tran 0 0.3 1E-3\n.plot EVENTS\n"
    motion = chainlist.simulate(text)
    data = motion.to_xarray()
    assert motion.events and data.event_impulse.attrs["units"] == "N s"
    data.to_netcdf(tmp_path / "own.nc")
    again = chainlist.read_trace(tmp_path / "own.nc")
    assert again.events == motion.events
    assert (again.observe("EVENTS").curves[0].values == motion.observe("EVENTS").curves[0].values).all()
