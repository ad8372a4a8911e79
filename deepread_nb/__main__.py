"`python -m deepread_nb` is the command `deepread`. The one module without a notebook: see nbs/70_cli.ipynb."
import sys

from .cli import main

if __name__ == '__main__': sys.exit(main())
