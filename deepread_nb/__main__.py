"`python -m deepread_nb` and the command `deepread`. One of the two modules without a notebook: see nbs/900_cli.ipynb."
import sys


def main() -> int: # exit code
    "Run the command; Ctrl-C while the package is being loaded, which takes a second, is told in a line as well."
    try:
        from .cli import main as run
        return run()
    except KeyboardInterrupt:
        print('deepread: interrupted', file=sys.stderr)
        return 130


if __name__ == '__main__': sys.exit(main())
