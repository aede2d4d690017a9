"""Reads, checks and writes the records of EPD of a file with python-chess; prints how many a second.

Reading plays out the moves of `bm`, `am` and `pv`, so that an illegal one is an error.
"""

import sys
import time

import chess


def main(path: str) -> None:
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    begin = time.perf_counter()
    for line in lines:
        board = chess.Board(None)
        operations = board.set_epd(line)
        # The en passant square as it was read, not first tried for a legal capture: the faster way.
        if board.epd(en_passant="fen", **operations) != line:
            sys.exit(f"written otherwise: {line}")
    print(len(lines) / (time.perf_counter() - begin))


main(sys.argv[1])
