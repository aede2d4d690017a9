#!/usr/bin/env python3
"""Fit win, draw and loss probabilities to the results of self-play games.

  wdl.py positions.bin more.bin

The data files are those of train.py. The probability of a win is a logistic function of the score, that of
a loss the same function of the negated score; the rest is the probability of a draw. The middle and
the width of the function are quadratic polynomials in the material on the board. Prints the constants of
engine/src/wdl.rs, and the probabilities beside the frequencies in the games.
"""
import argparse
from pathlib import Path

import numpy as np
import torch

DATA_POINT = 32
# The values of pawn to king.
VALUES = [1, 3, 3, 5, 9, 0]
# Greater scores nearly always win: they do not help the fit.
LIMIT = 1500


def read(path, most, random):
    """Scores and results from the point of view of the side to move, and the material of both sides."""
    data = np.fromfile(path, np.uint8).reshape(-1, DATA_POINT)
    data = data[np.sort(random.permutation(len(data))[:most])]
    codes = np.concatenate([data[:, 8:24] & 15, data[:, 8:24] >> 4], axis=1)
    values = np.array((VALUES + [0, 0]) * 2, np.float32)
    score = data[:, 28:30].copy().view(np.int16)[:, 0].astype(np.float32)
    result = data[:, 27].astype(np.int64)
    black = data[:, 24] & 1 == 1
    # The positions of side lines have no result.
    kept = (np.abs(score) <= LIMIT) & (result < 3)
    score, result = np.where(black, -score, score), np.where(black, 2 - result, result)
    return score[kept], result[kept], values[codes].sum(1)[kept]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=1_000_000, help="data points per file")
    args = parser.parse_args()
    random = np.random.default_rng(1)
    parts = zip(*(read(path, args.most, random) for path in args.data))
    score, result, material = (torch.from_numpy(np.concatenate(part)) for part in parts)
    # The starting position has a material of 78.
    share = (material - 39) / 39
    terms = torch.tensor([250.0, 0.0, 0.0, 100.0, 0.0, 0.0], requires_grad=True)
    optimizer = torch.optim.LBFGS([terms], lr=0.5, max_iter=200, line_search_fn="strong_wolfe")

    def probabilities():
        middle = terms[0] + share * (terms[1] + share * terms[2])
        width = terms[3] + share * (terms[4] + share * terms[5])
        win = torch.sigmoid((score - middle) / width)
        loss = torch.sigmoid((-score - middle) / width)
        return torch.stack([loss, 1 - win - loss, win], 1).clamp(min=1e-6)

    def cross_entropy(wdl):
        return -wdl.gather(1, result[:, None]).log().mean()

    def closure():
        optimizer.zero_grad()
        loss = cross_entropy(probabilities())
        loss.backward()
        return loss

    optimizer.step(closure)
    with torch.no_grad():
        wdl = probabilities()
        print(f"{len(score)} data points, cross entropy {cross_entropy(wdl).item():.4f}")
        for low in range(-900, 901, 200):
            some = (score >= low - 50) & (score < low + 50)
            fitted = " ".join(f"{100 * x:.1f}" for x in wdl[some].mean(0))
            counted = " ".join(f"{100 * (result[some] == x).float().mean():.1f}" for x in range(3))
            print(f"{low:5}: {some.sum()} data points, loss draw win {fitted} %, in the games {counted} %")
    names = ["MIDDLE", "WIDTH"]
    for name, part in zip(names, terms.detach().reshape(2, 3)):
        print(f"const {name}: [f64; 3] = [{', '.join(f'{x:.1f}' for x in part)}];")


if __name__ == "__main__":
    main()
