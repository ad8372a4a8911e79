"""The command `deepread`, also as `python -m deepread_nb`.

One of the two modules without a notebook; the command itself is in nbs/900_cli.ipynb.
"""

import sys


def main() -> int:  # exit code
    "Run the command. Importing the package takes a second, and Ctrl-C during the import is one line too."
    try:
        from .cli import main as run

        return run()
    except KeyboardInterrupt:
        print('deepread: interrupted', file=sys.stderr)
        return 130


if __name__ == '__main__':
    sys.exit(main())
