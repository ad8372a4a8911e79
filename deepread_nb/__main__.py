"`python -m deepread_nb` is the command `deepread`. One of the two modules without a notebook: see nbs/70_cli.ipynb."
import sys

from .cli import main

if __name__ == '__main__': sys.exit(main())
