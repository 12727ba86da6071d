"""`python -m controller.cli` is the command `mahjong-table`."""

from controller.cli import main

main()
