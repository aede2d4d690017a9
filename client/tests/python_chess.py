"""Reads EPD with python-chess, as scripts of other projects do, and says what it understood.

    python_chess.py FILE...

Each line of each file must be read by `chess.Board.from_epd` without an exception. For each line one
is printed to be compared: file, line number, FEN, then the opcodes that have moves, with the moves in
coordinates, all with tabs between. Exit status 1 if a line cannot be read.
"""

import sys

import chess

MOVES = ["am", "bm", "pm", "pv", "sm"]


class Chess960Board(chess.Board):
    """`from_epd` reads the moves with a board of its own, which it does not tell of Chess960."""

    def __init__(self, fen=chess.STARTING_FEN, *, chess960=True):
        super().__init__(fen, chess960=chess960)


def coordinates(value):
    """Moves as read; nothing for text in quotes, which stands for moves that are not legal."""
    if isinstance(value, str):
        return None
    if isinstance(value, chess.Move):
        value = [value]
    return ",".join(move.uci() for move in value)


def main(paths):
    unread = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    # Castling rights of Chess960 are the files of rooks.
                    castling = line.split(" ")[2].lower()
                    chess960 = any(letter in "abcdefgh" for letter in castling)
                    kind = Chess960Board if chess960 else chess.Board
                    board, operations = kind.from_epd(line, chess960=chess960)
                    moves = [
                        f"{opcode} {coordinates(operations[opcode])}"
                        for opcode in MOVES
                        if coordinates(operations.get(opcode, "")) is not None
                    ]
                except (ValueError, AssertionError) as error:
                    unread += 1
                    print(f"{path}:{number}: {error!r}: {line.rstrip()}", file=sys.stderr)
                    continue
                print("\t".join([path, str(number), board.fen(shredder=chess960, en_passant="fen"), *moves]))
    return 1 if unread else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
