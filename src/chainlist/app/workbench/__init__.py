"""The workbench: write, run and watch mechanisms in the browser.

`server.py` starts it, `page.py` lays the page out, `session.py` is what one user does. Chainlists are read and run in
other processes (`worker.py`, `tasks.py`), which `pool.py` keeps alive, limits and replaces.
"""
