"""Plug-ins in the workers of a sweep; how they get there is in test_cluster.py."""

import os
import subprocess
import sys


def test_a_worker_leaves_no_files_behind(tmp_path):
    program = "from chainlist.analyses.plugins import run_plugins; run_plugins((('a.py', 'import os; print(os.path.isfile(__file__))'),))"
    surroundings = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=surroundings, check=True)
    assert done.stdout == "True\n" and not list(tmp_path.iterdir())
