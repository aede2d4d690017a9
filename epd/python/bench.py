#!/usr/bin/env python3
"""Compares the package with python-chess: reading and checking records, and lists of legal moves.

    pip install epode chess
    python bench.py [--records N] [--repetitions N] [--require]

Both libraries do the same work, in turn, several times; the figures are medians of processor time.
With --require the exit status is 1 unless records are 100 times and legal moves 20 times as fast.
"""

import argparse
import pathlib
import random
import statistics
import sys
import tempfile
import time

import chess
import epode

# The factors that --require asks for.
RECORDS, MOVES = 100, 20


def random_position(rng):
    """The position after 20 to 60 random plies, where a move can be played."""
    while True:
        position = epode.Position()
        for _ in range(rng.randint(20, 60)):
            moves = position.legal_moves
            if not moves:
                break
            position = position.play(rng.choice(moves))
        if position.legal_moves:
            return position


def suite(positions, rng):
    """Half as test suites for engines: a best move and a name. Half as perft suites: five counts."""
    for number, position in enumerate(positions):
        record = epode.Record(position)
        if number % 2 == 0:
            record["bm"] = [rng.choice(position.legal_moves)]
            record["id"] = f"random.{number:05}"
        else:
            leaves = len(position.legal_moves)
            for depth in range(1, 6):
                record[f"D{depth}"] = leaves
                leaves *= rng.randint(20, 40)
        for counter in ("fmvn", "hmvc"):
            if counter in record:
                del record[counter]
        yield f"{record}\n"


def read_with_epode(path):
    """Every record, with the checks of its position and of its operations."""
    for record in epode.read(path):
        assert not record.diagnostics


def read_with_python_chess(path):
    """Every record; `from_epd` fails where a move of `bm` is not legal."""
    with open(path, encoding="ascii") as file:
        for line in file:
            board, _operations = chess.Board.from_epd(line)
            assert board.is_valid()


def moves_with_epode(positions):
    return sum(len(position.legal_moves) for position in positions)


def moves_with_python_chess(boards):
    return sum(len(list(board.legal_moves)) for board in boards)


def seconds(work, argument):
    begin = time.process_time()
    work(argument)
    return time.process_time() - begin


def compare(name, unit, count, repetitions, ours, theirs, required):
    """Runs both in turn; prints the medians and the median of the ratios."""
    pairs = [(seconds(*ours), seconds(*theirs)) for _ in range(repetitions)]
    fast, slow = (count / statistics.median(times) for times in zip(*pairs))
    ratio = statistics.median(their / our for our, their in pairs)
    print(
        f"{name}: epode {fast:,.0f} {unit} a second, python-chess {slow:,.0f}; "
        f"{ratio:.0f} times as fast ({required} required)",
        flush=True,
    )
    return ratio >= required


def main():
    parser = argparse.ArgumentParser(description="Compares epode with python-chess.")
    parser.add_argument("--records", type=int, default=10_000, help="records and positions (10000)")
    parser.add_argument("--repetitions", type=int, default=7, help="runs of each (7)")
    parser.add_argument("--require", action="store_true", help="fail below the required factors")
    options = parser.parse_args()
    rng = random.Random(1)
    positions = [random_position(rng) for _ in range(options.records)]
    boards = [chess.Board(position.fen) for position in positions]
    assert moves_with_epode(positions) == moves_with_python_chess(boards)
    print(f"epode {epode.__version__}, python-chess {chess.__version__}, Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "suite.epd"
        path.write_text("".join(suite(positions, rng)), encoding="ascii")
        good = compare(
            "read and check",
            "records",
            options.records,
            options.repetitions,
            (read_with_epode, path),
            (read_with_python_chess, path),
            RECORDS,
        )
    good &= compare(
        "legal_moves",
        "positions",
        options.records,
        options.repetitions,
        (moves_with_epode, positions),
        (moves_with_python_chess, boards),
        MOVES,
    )
    return 1 if options.require and not good else 0


if __name__ == "__main__":
    sys.exit(main())
