"""Compares a Polyglot book with what is expected of it, by the reader of python-chess.

    python_chess.py FOLDER

FOLDER/book.bin is the book. Each line of FOLDER/expected has a FEN, the key of its position, and for each move with a
weight above 0 the move in UCI notation and its weight, with tabs between. Castling is the move of the king there.
"""

import sys
from pathlib import Path

import chess
import chess.polyglot


def main(folder):
    count = 0
    with chess.polyglot.open_reader(folder / "book.bin") as book:
        for line in (folder / "expected").read_text().splitlines():
            fen, key, *moves = line.split("\t")
            board = chess.Board(fen)
            assert chess.polyglot.zobrist_hash(board) == int(key, 16), f"{fen}: key"
            found = [f"{entry.move.uci()} {entry.weight}" for entry in book.find_all(board)]
            assert found == moves, f"{fen}: {found} instead of {moves}"
            assert all(entry.learn == 0 for entry in book.find_all(board)), fen
            count += 1
        keys = [entry.key for entry in book]
        assert keys == sorted(keys)
    print(f"{count} positions")


main(Path(sys.argv[1]))
