#!/usr/bin/env python3
"""Train the network of the engine on the positions of its games, with a GPU if there is one.

  train.py --out ../nets/epode.net data.bin more.bin

`epode train` does the same on the cores of a processor, several times as fast as this does there. The
data are what `epode datagen` writes, 32 bytes a position: engine/src/selfplay/data_point.rs describes them.
The network is that of engine/src/eval/nnue/mod.rs, and the file is written as that file says.
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
HIDDEN = 256
ONE, OUTPUT_ONE, OUTPUT_LIMIT = 255, 512, 2047
CENTIPAWNS = 400
VERSION = 3
HEAD = b"EPODENET" + np.array([VERSION, HIDDEN, BUCKETS], "<u4").tobytes()
SAMPLE = 32
# Positions in a row come from the same game: validation takes whole blocks, not single positions.
BLOCK = 4096


class Net(torch.nn.Module):
    """768 inputs for each side, one hidden layer for both, one output for each number of pieces."""

    def __init__(self):
        super().__init__()
        self.inputs = torch.nn.Parameter(torch.empty(FEATURES, HIDDEN))
        self.biases = torch.nn.Parameter(torch.zeros(HIDDEN))
        self.outputs = torch.nn.Parameter(torch.empty(BUCKETS, 2 * HIDDEN))
        self.output_biases = torch.nn.Parameter(torch.zeros(BUCKETS))
        torch.nn.init.uniform_(self.inputs, -1 / math.sqrt(32), 1 / math.sqrt(32))
        torch.nn.init.uniform_(self.outputs, -1 / math.sqrt(2 * HIDDEN), 1 / math.sqrt(2 * HIDDEN))

    def forward(self, seen, offsets, buckets):
        """What the inputs come to that are seen by those to move, and then by the others."""
        sums = torch.nn.functional.embedding_bag(seen, self.inputs, offsets, mode="sum")
        hidden = (sums + self.biases).clamp(0, 1).square()
        ours, theirs = hidden.view(2, -1, HIDDEN)
        values = ours @ self.outputs[:, :HIDDEN].T + theirs @ self.outputs[:, HIDDEN:].T
        return (values + self.output_biases).gather(1, buckets[:, None])[:, 0]

    @torch.no_grad()
    def clip(self):
        """Keeps the weights within what the engine's integers can hold."""
        self.inputs.clamp_(-1.98, 1.98)
        self.outputs.clamp_(-OUTPUT_LIMIT / OUTPUT_ONE, OUTPUT_LIMIT / OUTPUT_ONE)

    @torch.no_grad()
    def set_from(self, content):
        """Takes the weights of a file that `to_bytes` made."""
        if content[: len(HEAD)] != HEAD or zlib.crc32(content[:-4]).to_bytes(4, "little") != content[-4:]:
            raise ValueError("no network of this version, or damaged")
        at = len(HEAD)
        for weights, one, kind in self.parts():
            numbers = np.frombuffer(content, kind, weights.numel(), at).astype(np.float32)
            weights.copy_(torch.from_numpy(numbers).view(weights.shape) / one)
            at += numbers.size * np.dtype(kind).itemsize

    @torch.no_grad()
    def to_bytes(self):
        content = HEAD
        for weights, one, kind in self.parts():
            content += torch.round(weights.cpu().double() * one).numpy().astype(kind).tobytes()
        return content + zlib.crc32(content).to_bytes(4, "little")

    def parts(self):
        """What a file holds, in that order: numbers, what stands for 1, and how they are stored."""
        return [
            (self.inputs, ONE, "<i2"),
            (self.biases, ONE, "<i2"),
            (self.outputs, OUTPUT_ONE, "<i2"),
            (self.output_biases, ONE * OUTPUT_ONE, "<i4"),
        ]


class Batch:
    """Positions as the network sees them, and what it should say of them."""

    def __init__(self, samples, device):
        samples = torch.from_numpy(samples).to(device)
        bits = torch.arange(8, device=device)
        occupied = (samples[:, :8, None] >> bits & 1).reshape(-1, SQUARES).bool()
        rank = occupied.cumsum(1) - 1
        rows, squares = occupied.nonzero(as_tuple=True)
        halves = samples[:, 8:24]
        codes = torch.stack([halves & 15, halves >> 4], dim=2).reshape(-1, 32)
        code = codes[rows, rank[rows, squares]].long()
        side, role = code >> 3, code & 7
        counts = occupied.sum(1)
        ends = counts.cumsum(0)
        self.offsets = torch.cat([ends - counts, ends[-1] + ends - counts])

        def view(of):
            kings = squares[(side == of) & (role == 5)]
            flip = 56 * of + 7 * (kings >> 2 & 1)
            return (2 * role + (side != of)) * SQUARES + (squares ^ flip[rows])

        white, black = view(0), view(1)
        black_moves = samples[:, 24] & 1 == 1
        moves = black_moves[rows]
        self.seen = torch.cat([torch.where(moves, black, white), torch.where(moves, white, black)])
        self.buckets = ((counts - 2) // 4).clamp(max=BUCKETS - 1)
        score = samples[:, 28:30].contiguous().view(torch.int16)[:, 0].float()
        result = samples[:, 27].float()
        self.score = torch.where(black_moves, -score, score)
        self.points = torch.where(black_moves, 2 - result, result) / 2
        self.played = result < 3

    def loss(self, net, blend):
        """The mean square of the distance between expected points, of the network and of the data."""
        found = torch.sigmoid(net(self.seen, self.offsets, self.buckets))
        wanted = torch.sigmoid(self.score / CENTIPAWNS)
        wanted = wanted + blend * self.played * (self.points - wanted)
        return (found - wanted).square().mean()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--out", required=True, type=Path, help="where the network goes")
    parser.add_argument("--begin", type=Path, help="a network to begin with")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=8192, help="positions a step")
    parser.add_argument("--rate", type=float, default=1e-3, help="the learning rate at its height")
    parser.add_argument("--blend", type=float, default=0.1, help="weight of the result, 0 to 1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    random = np.random.default_rng(args.seed)

    samples = []
    for path in args.data:
        content = np.fromfile(path, np.uint8)
        if content.size % SAMPLE:
            sys.exit(f"{path}: {content.size} bytes are no whole number of positions")
        samples.append(content.reshape(-1, SAMPLE))
    samples = np.concatenate(samples)
    blocks = len(samples) // BLOCK
    held = random.choice(blocks, max(1, blocks // 50), replace=False)
    is_held = np.zeros(len(samples), bool)
    for block in held:
        is_held[block * BLOCK : (block + 1) * BLOCK] = True
    training, validation = np.flatnonzero(~is_held), np.flatnonzero(is_held)
    if len(training) < args.batch:
        sys.exit(f"{len(training)} positions to train on are less than one batch")
    print(f"{len(training)} positions to train on, {len(validation)} to validate", flush=True)

    net = Net()
    if args.begin:
        try:
            net.set_from(args.begin.read_bytes())
        except (OSError, ValueError) as error:
            sys.exit(f"{args.begin}: {error}")
    net.to(args.device)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.01)
    steps = args.epochs * (len(training) // args.batch)
    begun = time.monotonic()
    step = 0
    for epoch in range(args.epochs):
        random.shuffle(training)
        total = torch.zeros((), device=args.device)
        count = len(training) // args.batch
        for i in range(count):
            done = step / steps
            warm = min(1, step / 200)
            for group in optimiser.param_groups:
                group["lr"] = args.rate * warm * (0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2)
            chosen = np.sort(training[i * args.batch : (i + 1) * args.batch])
            loss = Batch(samples[chosen], args.device).loss(net, args.blend)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            net.clip()
            total += loss.detach()
            step += 1
        with torch.no_grad():
            losses = [
                Batch(samples[part], args.device).loss(net, args.blend).item() * len(part)
                for part in np.array_split(validation, max(1, len(validation) // args.batch))
            ]
        rate = step * args.batch / (time.monotonic() - begun)
        print(
            f"epoch {epoch + 1}: training {total.item() / (i + 1):.6f}, "
            f"validation {sum(losses) / len(validation):.6f}; {rate:.0f} positions a second",
            flush=True,
        )
        args.out.write_bytes(net.to_bytes())


if __name__ == "__main__":
    main()
