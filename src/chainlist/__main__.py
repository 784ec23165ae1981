"""`python -m chainlist` is the command `chainlist`."""

import sys


def main() -> None:
    """The command; Ctrl-C while its modules are still being loaded is no accident either."""
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
