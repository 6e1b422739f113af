"""Entry point of `python -m hashmark`, the same as the command `hashmark`."""

from hashmark.cli import main

main()
