"""``python -m smelt``: the command line, for an interpreter whose scripts are not on the ``PATH``."""

from smelt.cli.main import main

main()
