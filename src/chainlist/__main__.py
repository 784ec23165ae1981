"""`python -m chainlist` is the command `chainlist`."""

import os
import sys


def main() -> None:
    """The command; Ctrl-C while its modules are still being loaded is no accident either."""
    # Matrices are small here: threads take long to start, and on a busy machine wait for one another longer than they compute.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from chainlist.app.quick import leave, quick

        status = quick(sys.argv[1:])
        if status is not None:
            leave(status)
        from chainlist.app.cli import main as command
    except KeyboardInterrupt:
        sys.exit(130)
    command()


if __name__ == "__main__":
    main()
