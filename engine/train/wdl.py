#!/usr/bin/env python3
"""Fit win, draw and loss probabilities to the results of games.

  wdl.py games.pgn --player Epode

Reads games in PGN whose comments have the scores of the player: {+0.31/14 0.05s}, as fastchess and cutechess
write them, or [%eval 0.31]. The probability of a win is a logistic function of the score, that of
a loss the same function of the negated score; the rest is the probability of a draw. The middle and
the width of the function are quadratic polynomials in the material on the board. Prints the constants of
engine/src/wdl.rs, and the probabilities beside the frequencies in the games.
"""
import argparse
import re
import sys
from pathlib import Path

import chess
import chess.pgn
import numpy as np
from scipy.optimize import minimize

# The values of pawn to king.
VALUES = [1, 3, 3, 5, 9, 0]
# The material of one side in the starting position.
HALF_MATERIAL = 39
# Greater scores nearly always win: they do not help the fit.
LIMIT = 1500
POINTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}
SCORE = re.compile(r"([+-]?\d+\.\d+)/\d+\b")


def score_of(node):
    """The score of the side that made the move, in centipawns; None without one or with a mate."""
    written = SCORE.match(node.comment.strip())
    if written:
        return round(100 * float(written[1]))
    evaluation = node.eval()
    return evaluation and evaluation.pov(not node.turn()).score()


def read(path, player):
    """Scores, results (0 to 2) and the material of both sides, for each move of the player with a score."""
    found = []
    with open(path, encoding="utf-8", errors="replace") as file:
        while game := chess.pgn.read_game(file):
            points = POINTS.get(game.headers["Result"])
            sides = [game.headers["Black"], game.headers["White"]]
            if points is None:
                continue
            board = game.board()
            for node in game.mainline():
                score = score_of(node) if sides[board.turn] == player else None
                if score is not None and abs(score) <= LIMIT:
                    pieces = board.piece_map().values()
                    material = sum(VALUES[piece.piece_type - 1] for piece in pieces)
                    found.append((score, points if board.turn else 2 - points, material))
                board.push(node.move)
    return found


def probabilities(terms, score, share):
    """Columns of loss, draw and win."""
    middle = terms[0] + share * (terms[1] + share * terms[2])
    width = terms[3] + share * (terms[4] + share * terms[5])
    win = 1 / (1 + np.exp((middle - score) / width))
    loss = 1 / (1 + np.exp((middle + score) / width))
    return np.clip(np.stack([loss, 1 - win - loss, win], 1), 1e-6, 1)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="+", type=Path)
    parser.add_argument("--player", required=True, help="the White or Black tag of the engine")
    args = parser.parse_args()
    found = [point for path in args.games for point in read(path, args.player)]
    if not found:
        sys.exit(f"no scores of {args.player!r} in these games")
    score, result, material = np.array(found, float).T
    result = result.astype(int)
    # From -1 on an empty board to 1 in the starting position.
    share = np.minimum(material / HALF_MATERIAL - 1, 1)
    rows = np.arange(len(result))

    def cross_entropy(terms):
        return -np.log(probabilities(terms, score, share)[rows, result]).mean()

    start = np.array([200.0, 0.0, 0.0, 100.0, 0.0, 0.0])
    terms = minimize(cross_entropy, start, method="Nelder-Mead", options={"maxiter": 5000}).x
    print(f"{len(score)} scores, cross entropy {cross_entropy(terms):.4f}")
    fitted = probabilities(terms, score, share)
    for low in range(-900, 901, 200):
        some = np.abs(score - low) < 50
        if some.any():
            expected = " ".join(f"{100 * x:.1f}" for x in fitted[some].mean(0))
            counted = " ".join(f"{100 * (result[some] == x).mean():.1f}" for x in range(3))
            print(
                f"{low:5}: {some.sum()} scores, loss draw win {expected} %, in the games {counted} %"
            )
    for name, part in zip(["MIDDLE", "WIDTH"], terms.reshape(2, 3)):
        print(f"const {name}: [f64; 3] = [{', '.join(f'{x:.1f}' for x in part)}];")


if __name__ == "__main__":
    main()
