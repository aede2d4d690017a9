#!/usr/bin/env python3
"""Train the network of the engine with PyTorch, on a GPU if there is one.

  train.py positions.bin more.bin --out new.net

`epode-train train` does the same on the processor, several times as fast as this script does there. The
data files are written by `epode-train unpack`, 32 bytes per data point: engine/train/src/data_point.rs
describes them. engine/src/eval/nnue/mod.rs describes the network and its file.
"""
import argparse
import math
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import torch

SQUARES, FEATURES = 64, 768
BUCKETS = 8
HIDDEN = 512
ONE, OUTPUT_ONE, OUTPUT_LIMIT = 255, 512, 1023
CENTIPAWNS = 400
# 220 as in src/expectation.rs: the centipawns at which the odds are e to 1.
LOG_ODDS = CENTIPAWNS / 220
VERSION = 3
HEAD = b"EPODENET" + np.array([VERSION, HIDDEN, BUCKETS], "<u4").tobytes()
DATA_POINT = 32
# The validation set has whole blocks, because consecutive data points come from the same game.
BLOCK = 4096
VALIDATION_BLOCKS = 50


class Net(torch.nn.Module):
    """768 inputs for each side, a hidden layer that both share, an output for each range of piece counts."""

    def __init__(self):
        super().__init__()
        self.inputs = torch.nn.Parameter(torch.empty(FEATURES, HIDDEN))
        self.biases = torch.nn.Parameter(torch.zeros(HIDDEN))
        self.outputs = torch.nn.Parameter(torch.empty(BUCKETS, 2 * HIDDEN))
        self.output_biases = torch.nn.Parameter(torch.zeros(BUCKETS))
        torch.nn.init.uniform_(self.inputs, -1 / math.sqrt(32), 1 / math.sqrt(32))
        torch.nn.init.uniform_(self.outputs, -1 / math.sqrt(2 * HIDDEN), 1 / math.sqrt(2 * HIDDEN))

    def forward(self, inputs, offsets, buckets):
        """The outputs. The inputs of the sides to move come first, then those of the other sides."""
        sums = torch.nn.functional.embedding_bag(inputs, self.inputs, offsets, mode="sum")
        hidden = (sums + self.biases).clamp(0, 1).square()
        ours, theirs = hidden.view(2, -1, HIDDEN)
        values = ours @ self.outputs[:, :HIDDEN].T + theirs @ self.outputs[:, HIDDEN:].T
        return (values + self.output_biases).gather(1, buckets[:, None])[:, 0]

    @torch.no_grad()
    def clip(self):
        """Limits the weights to what the integers of the engine can hold."""
        self.inputs.clamp_(-1.98, 1.98)
        self.outputs.clamp_(-OUTPUT_LIMIT / OUTPUT_ONE, OUTPUT_LIMIT / OUTPUT_ONE)

    @torch.no_grad()
    def set_from(self, content):
        """Reads the weights from the content of a file."""
        if content[: len(HEAD)] != HEAD or zlib.crc32(content[:-4]).to_bytes(4, "little") != content[-4:]:
            raise ValueError("not a network of this version, or damaged")
        at = len(HEAD)
        for weights, one, kind in self.parts():
            numbers = np.frombuffer(content, kind, weights.numel(), at).astype(np.float32)
            weights.copy_(torch.from_numpy(numbers).view(weights.shape) / one)
            at += numbers.size * np.dtype(kind).itemsize

    @torch.no_grad()
    def to_bytes(self):
        """The content of a file."""
        content = HEAD
        for weights, one, kind in self.parts():
            content += torch.round(weights.cpu().double() * one).numpy().astype(kind).tobytes()
        return content + zlib.crc32(content).to_bytes(4, "little")

    def parts(self):
        """The parts of a file in their order: weights, the integer that stands for 1, and its type."""
        return [
            (self.inputs, ONE, "<i2"),
            (self.biases, ONE, "<i2"),
            (self.outputs, OUTPUT_ONE, "<i2"),
            (self.output_biases, ONE * OUTPUT_ONE, "<i4"),
        ]


class Batch:
    """Data points as inputs, output buckets, scores and results."""

    def __init__(self, data, device):
        data = torch.from_numpy(data).to(device)
        bits = torch.arange(8, device=device)
        occupied = (data[:, :8, None] >> bits & 1).reshape(-1, SQUARES).bool()
        rank = occupied.cumsum(1) - 1
        rows, squares = occupied.nonzero(as_tuple=True)
        halves = data[:, 8:24]
        codes = torch.stack([halves & 15, halves >> 4], dim=2).reshape(-1, 32)
        code = codes[rows, rank[rows, squares]].long()
        side, role = code >> 3, code & 7
        counts = occupied.sum(1)
        ends = counts.cumsum(0)
        self.offsets = torch.cat([ends - counts, ends[-1] + ends - counts])

        def inputs(of):
            kings = squares[(side == of) & (role == 5)]
            flip = 56 * of + 7 * (kings >> 2 & 1)
            return (2 * role + (side != of)) * SQUARES + (squares ^ flip[rows])

        white, black = inputs(0), inputs(1)
        black_moves = data[:, 24] & 1 == 1
        moves = black_moves[rows]
        self.inputs = torch.cat([torch.where(moves, black, white), torch.where(moves, white, black)])
        self.buckets = ((counts - 2) // 4).clamp(max=BUCKETS - 1)
        score = data[:, 28:30].contiguous().view(torch.int16)[:, 0].float()
        result = data[:, 27].float()
        score = torch.where(black_moves, -score, score) / CENTIPAWNS * LOG_ODDS
        self.expected = torch.sigmoid(score)
        self.points = torch.where(black_moves, 2 - result, result) / 2
        # The positions of side lines have no result.
        self.has_result = result < 3

    def loss(self, net, wdl_weight):
        """The mean squared error in points."""
        predicted = torch.sigmoid(net(self.inputs, self.offsets, self.buckets) * LOG_ODDS)
        target = self.expected + wdl_weight * self.has_result * (self.points - self.expected)
        return (predicted - target).square().mean()


def split(count, random):
    """The indices of the training set and of the validation set."""
    blocks = max(1, -(-count // BLOCK))
    chosen = random.choice(blocks, blocks // VALIDATION_BLOCKS, replace=False)
    in_validation = np.isin(np.arange(count) // BLOCK, chosen)
    return np.flatnonzero(~in_validation), np.flatnonzero(in_validation)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--out", required=True, type=Path, help="the network to write")
    parser.add_argument("--begin", type=Path, help="the network to start from")
    parser.add_argument("--epochs", type=int, default=10, help="passes over the data")
    parser.add_argument("--batch", type=int, default=8192, help="data points per step")
    parser.add_argument("--rate", type=float, default=4e-3, help="maximum learning rate")
    parser.add_argument("--wdl-weight", type=float, default=0.1, help="weight of the game result, 0 to 1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    random = np.random.default_rng(args.seed)

    data = []
    for path in args.data:
        content = np.fromfile(path, np.uint8)
        if content.size % DATA_POINT:
            sys.exit(f"{path}: {content.size} bytes are not a whole number of data points")
        data.append(content.reshape(-1, DATA_POINT))
    data = np.concatenate(data)
    training, validation = split(len(data), random)
    if len(training) < args.batch:
        sys.exit(f"{len(training)} data points to train on are fewer than one batch")
    print(
        f"{len(training)} data points in the training set, {len(validation)} in the validation set",
        flush=True,
    )

    net = Net()
    if args.begin:
        try:
            net.set_from(args.begin.read_bytes())
        except (OSError, ValueError) as error:
            sys.exit(f"{args.begin}: {error}")
    net.to(args.device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.01)
    steps = args.epochs * (len(training) // args.batch)
    start = time.monotonic()
    step = 0
    for epoch in range(args.epochs):
        random.shuffle(training)
        total = torch.zeros((), device=args.device)
        count = len(training) // args.batch
        for i in range(count):
            done = step / steps
            warm = min(1, step / 200)
            for group in optimizer.param_groups:
                group["lr"] = args.rate * warm * (0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2)
            chosen = np.sort(training[i * args.batch : (i + 1) * args.batch])
            loss = Batch(data[chosen], args.device).loss(net, args.wdl_weight)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            net.clip()
            total += loss.detach()
            step += 1
        with torch.no_grad():
            losses = [
                Batch(data[part], args.device).loss(net, args.wdl_weight).item() * len(part)
                for part in np.array_split(validation, max(1, len(validation) // args.batch))
                if len(part)
            ]
        rate = step * args.batch / (time.monotonic() - start)
        validation_loss = f"validation loss {sum(losses) / len(validation):.6f}, " if losses else ""
        print(
            f"epoch {epoch + 1}: training loss {total.item() / count:.6f}, "
            f"{validation_loss}{rate:.0f} data points a second",
            flush=True,
        )
        args.out.write_bytes(net.to_bytes())


if __name__ == "__main__":
    main()
