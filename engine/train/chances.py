#!/usr/bin/env python3
"""Fit the chances to win, draw and lose to the games that the engine played against itself.

  chances.py data.bin more.bin

The data are those of train.py. The chance to win is a logistic curve of the score, and that to lose
the same curve of the score turned round; what is left is a draw. Where the curve is at a half and how
steep it is depend on the material on the board. Prints the constants of engine/src/wdl.rs.
"""
import argparse
from pathlib import Path

import numpy as np
import torch

SAMPLE = 32
# Pawn to king.
VALUES = [1, 3, 3, 5, 9, 0]
# Scores beyond have no doubt, and nothing to tell.
LIMIT = 1500


def read(path, most, random):
    """Scores and points of those to move, and the material of both sides."""
    samples = np.fromfile(path, np.uint8).reshape(-1, SAMPLE)
    samples = samples[np.sort(random.permutation(len(samples))[:most])]
    codes = np.concatenate([samples[:, 8:24] & 15, samples[:, 8:24] >> 4], axis=1)
    values = np.array((VALUES + [0, 0]) * 2, np.float32)
    score = samples[:, 28:30].copy().view(np.int16)[:, 0].astype(np.float32)
    points = samples[:, 27].astype(np.int64)
    black = samples[:, 24] & 1 == 1
    score, points = np.where(black, -score, score), np.where(black, 2 - points, points)
    # Positions beside a game have no result.
    kept = (np.abs(score) <= LIMIT) & (samples[:, 27] < 3)
    return score[kept], points[kept], values[codes].sum(1)[kept]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=1_000_000, help="positions of each file")
    args = parser.parse_args()
    random = np.random.default_rng(1)
    parts = zip(*(read(path, args.most, random) for path in args.data))
    score, points, material = (torch.from_numpy(np.concatenate(part)) for part in parts)
    # Half by constants, half by the material: 39 is half of what the start array has.
    share = (material - 39) / 39
    terms = torch.tensor([250.0, 0.0, 0.0, 100.0, 0.0, 0.0], requires_grad=True)
    optimiser = torch.optim.LBFGS([terms], lr=0.5, max_iter=200, line_search_fn="strong_wolfe")

    def chances():
        middle = terms[0] + share * (terms[1] + share * terms[2])
        width = terms[3] + share * (terms[4] + share * terms[5])
        win = torch.sigmoid((score - middle) / width)
        loss = torch.sigmoid((-score - middle) / width)
        return torch.stack([loss, 1 - win - loss, win], 1).clamp(min=1e-6)

    def entropy(found):
        return -found.gather(1, points[:, None]).log().mean()

    def closure():
        optimiser.zero_grad()
        loss = entropy(chances())
        loss.backward()
        return loss

    optimiser.step(closure)
    with torch.no_grad():
        found = chances()
        print(f"{len(score)} positions, cross entropy {entropy(found).item():.4f}")
        for low in range(-900, 901, 200):
            some = (score >= low - 50) & (score < low + 50)
            told = " ".join(f"{100 * x:.1f}" for x in found[some].mean(0))
            seen = " ".join(f"{100 * (points[some] == x).float().mean():.1f}" for x in range(3))
            print(f"{low:5}: {some.sum()} positions, loss draw win {told}, in the games {seen}")
    names = ["MIDDLE", "WIDTH"]
    for name, part in zip(names, terms.detach().reshape(2, 3)):
        print(f"const {name}: [f64; 3] = [{', '.join(f'{x:.1f}' for x in part)}];")


if __name__ == "__main__":
    main()
