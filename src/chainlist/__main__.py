"""`python -m chainlist` is the command `chainlist`."""

from chainlist.app.cli import main

if __name__ == "__main__":
    main()
