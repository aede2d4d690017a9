#!/usr/bin/env python3
"""Compares the package with python-chess: reading and checking records, and lists of legal moves.

    pip install epode chess
    python bench.py [--records N] [--repetitions N] [--require]

Both libraries do the same work, in turn, several times; the figures are medians of processor time.
With --require the exit status is 1 unless records are 100 times and legal moves 20 times as fast.
"""

import argparse
import itertools
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

# How often epode does the work of a run. Both then take about as long, so that other programs on the
# machine disturb both alike.
PASSES = 100


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


def test_record(position, rng):
    """As in test suites: a best move and a name."""
    record = epode.Record(position, bm=[rng.choice(position.legal_moves)])
    record["id"] = f"random.{rng.randint(0, 99999):05}"
    return record


def perft_record(position, rng):
    """As in perft suites: five counts. Only the first is true."""
    record, leaves = epode.Record(position), len(position.legal_moves)
    for depth in range(1, 6):
        record[f"D{depth}"] = leaves
        leaves *= rng.randint(20, 40)
    return record


def analysed_record(position, rng):
    """As engines write them: depth, nodes, evaluation, and a line of eight plies."""
    record, line, end = epode.Record(position), [], position
    while end.legal_moves and len(line) < 8:
        line.append(rng.choice(end.legal_moves))
        end = end.play(line[-1])
    record.update({"acd": 12, "acn": rng.randint(10_000, 99_999), "ce": rng.randint(-300, 300)})
    record.update({"pm": line[0], "pv": line})
    return record


KINDS = {
    # That of the benchmarks in Rust (`benches/records.rs`).
    "suites": [test_record, perft_record],
    "analyses": [analysed_record],
}


def check_with_epode(path):
    """Reads every record, and checks its position and its operations."""
    assert not list(epode.check(path))


def read_with_epode(path):
    """The same, with a Python object for each record, as python-chess makes them."""
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


def seconds(work, argument, passes):
    begin = time.process_time()
    for _ in range(passes):
        work(argument)
    return (time.process_time() - begin) / passes


def measure(repetitions, ours, theirs):
    """Runs both in turn, many times; returns the medians of their times."""
    pairs = [(seconds(*ours, PASSES), seconds(*theirs, 1)) for _ in range(repetitions)]
    return [statistics.median(times) for times in zip(*pairs)]


def report(name, unit, count, times, required=None):
    """Prints a line; returns whether it is as fast as required."""
    ours, theirs = times
    end = f" ({required} required)" if required else ""
    print(
        f"{name}: epode {count / ours:,.0f} {unit} a second, python-chess {count / theirs:,.0f}; "
        f"{theirs / ours:.0f} times as fast{end}",
        flush=True,
    )
    return required is None or theirs / ours >= required


def compare_records(positions, options):
    """Files of each kind of records."""
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for name, kinds in KINDS.items():
            rng = random.Random(2)
            path = pathlib.Path(folder) / "suite.epd"
            lines = [f"{kind(one, rng)}\n" for one, kind in zip(positions, itertools.cycle(kinds))]
            path.write_text("".join(lines), encoding="ascii")
            theirs = (read_with_python_chess, path)
            for what, ours, required in (
                ("check", check_with_epode, RECORDS if name == "suites" else None),
                ("read and check", read_with_epode, None),
            ):
                times = measure(options.repetitions, (ours, path), theirs)
                good &= report(f"{what} {name}", "records", len(lines), times, required)
    return good


def compare_moves(positions, options):
    boards = [chess.Board(position.fen) for position in positions]
    assert moves_with_epode(positions) == moves_with_python_chess(boards)
    times = measure(
        options.repetitions, (moves_with_epode, positions), (moves_with_python_chess, boards)
    )
    return report("legal_moves", "positions", len(positions), times, MOVES)


def main():
    parser = argparse.ArgumentParser(description="Compares epode with python-chess.")
    parser.add_argument("--records", type=int, default=1000, help="records of each file (1000)")
    parser.add_argument("--repetitions", type=int, default=15, help="runs of each (15)")
    parser.add_argument("--require", action="store_true", help="fail below the required factors")
    options = parser.parse_args()
    rng = random.Random(1)
    positions = [random_position(rng) for _ in range(options.records)]
    print(f"epode {epode.__version__}, python-chess {chess.__version__}, Python {sys.version.split()[0]}")
    good = [compare_records(positions, options), compare_moves(positions, options)]
    return 1 if options.require and not all(good) else 0


if __name__ == "__main__":
    sys.exit(main())
