"""`python -m hashmark` is the command `hashmark`."""

from hashmark.cli import main

main()
